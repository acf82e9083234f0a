/* show_track.c - see show_track.h. */
#include "tools/ax/show_track.h"

#include <string.h>

/* Which list an attempt in this state belongs to; NULL: none. */
static ax_node_list *list_of(ax_track *track, uint8_t state)
{
    switch ((ax_instance_state)state) {
    case AX_INSTANCE_RUNNING:
    case AX_INSTANCE_WAITING_APPROVAL:
    case AX_INSTANCE_TIMING_OUT:
    case AX_INSTANCE_CANCELLING: return &track->running;
    case AX_INSTANCE_RETRYING:
    case AX_INSTANCE_WAITING_CONFIRM: return &track->waiting;
    case AX_INSTANCE_PENDING:
    case AX_INSTANCE_READY:
    case AX_INSTANCE_SUCCEEDED:
    case AX_INSTANCE_FAILED:
    case AX_INSTANCE_TIMEOUT:
    case AX_INSTANCE_CANCELLED:
    case AX_INSTANCE_COUNT: break;
    }
    return NULL;
}

static void remove_node(ax_node_list *list, uint32_t node)
{
    for (uint32_t i = 0; i < list->len; i++) {
        if (list->at[i] != node) continue;
        list->len--;
        memmove(&list->at[i], &list->at[i + 1], (list->len - i) * sizeof list->at[0]);
        return;
    }
}

void ax_track_row(ax_track *track, const ax_log_rec *row)
{
    if (row->machine != AX_MACHINE_INSTANCE) return;
    ax_node_list *from = row->created ? NULL : list_of(track, row->from), *to = list_of(track, row->to);
    if (from == to) return;
    if (from) remove_node(from, row->node);
    if (to) ax_vec_push(track->mem, to, row->node);
}

ax_track ax_track_new(ax_arena *mem, const ax_view *view)
{
    ax_track track = {.mem = mem};
    const ax_plan *plan = ax_view_plan(view);
    for (uint32_t node = 0; node < plan->node_count; node++) {
        const ax_instance_rec *rec = ax_view_current(view, node);
        ax_node_list *list = rec ? list_of(&track, (uint8_t)rec->state) : NULL;
        if (list) ax_vec_push(mem, list, node);
    }
    return track;
}
