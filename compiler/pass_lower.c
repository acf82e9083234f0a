/* pass_lower.c - the plan is put together from what the passes found. Nothing can be wrong here. */
#include "compiler/flow_int.h"

void ax_pass_lower(ax_flow *f)
{
    ax_plan *p = f->plan;
    p->name = f->label.text;
    p->file = f->unit->source->path;
    p->line = ax_sources_line(f->diags->sources, f->item->span.beg);
    p->params = f->params.at;
    p->param_count = f->params.len;
    p->schedules = f->schedules.at;
    p->schedule_count = f->schedules.len;
    p->values = f->values_of_copies;
    AX_ASSERT(p->node_count == f->node_count && p->edge_count == f->edge_count);
}
