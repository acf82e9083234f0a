/* view.c - builds the view of a run from its rows, and answers what may be asked of it.
 *
 * Rows are checked, not believed: keys, the order of attempts, and that what has not begun stands as it must
 * (check.c).
 */
#include "runtime/core/view.h"

#include "dsl/base/assert.h"
#include "runtime/core/params_int.h"
#include "runtime/core/view_int.h"

static const char *node_name(const ax_view *view, uint32_t node, ax_arena *mem)
{
    return ax_str_c(mem, view->plan->nodes[node].name);
}

/* What the compiler promises: edges end at nodes with a row, and only `finally` nodes stand behind one. */
static ax_rc check_plan(const ax_view *view, ax_err *err)
{
    const ax_plan *plan = view->plan;
    bool *late = AX_NEW_N(view->mem, bool, plan->node_count);
    for (uint32_t rank = 0; rank < plan->node_count; rank++) {
        uint32_t node = plan->order[rank], group = plan->nodes[node].parent;
        bool is_group = ax_view_is_group(view, node);
        if (!is_group) late[node] = ax_view_def(view, node)->finally_;
        if (group != AX_NONE) late[group] |= late[node];
        for (uint32_t e = plan->in_at[node]; e < plan->in_at[node + 1]; e++)
            if (is_group || (late[plan->edges[e].from] && !late[node]))
                return ax_fail(err, AX_INVALID, "plan %.*s: no edge from %.*s may end at %.*s",
                               AX_STR(plan->name), AX_STR(plan->nodes[plan->edges[e].from].name),
                               AX_STR(plan->nodes[node].name));
    }
    return AX_OK;
}

static ax_rc load_nodes(ax_view *view, const ax_run_rows *rows, ax_err *err)
{
    for (uint32_t n = 0; n < view->plan->node_count; n++) {
        view->nodes[n] = (ax_node_rec){.node = n, .cause = AX_NONE};
        view->info[n].cause_at = AX_NONE;
        view->info[n].change_at = UINT32_MAX;
    }
    for (uint32_t i = 0; i < rows->node_count; i++) {
        const ax_node_rec *row = &rows->nodes[i];
        if (row->node >= view->plan->node_count || ax_view_is_group(view, row->node))
            return ax_fail(err, AX_INVALID, "run %llu: a row for node %u, which has none in its plan",
                           (unsigned long long)view->run.id, row->node);
        if (row->state >= AX_NODE_ST_COUNT || view->nodes[row->node].version != 0 || row->version == 0)
            return ax_fail(err, AX_INVALID, "run %llu: the row of node %s makes no sense",
                           (unsigned long long)view->run.id, node_name(view, row->node, view->mem));
        view->nodes[row->node] = *row;
    }
    return AX_OK;
}

static ax_rc load_instances(ax_view *view, const ax_run_rows *rows, ax_err *err)
{
    for (uint32_t i = 0; i < rows->instance_count; i++) {
        const ax_instance_rec *row = &rows->instances[i];
        bool known = row->node < view->plan->node_count && row->state < AX_INSTANCE_COUNT;
        ax_attempt **current = known ? &view->info[row->node].current : NULL;
        if (!known || row->attempt != (*current ? (*current)->rec.attempt + 1 : 1))
            return ax_fail(err, AX_INVALID, "run %llu: attempt %u of node %u is out of order",
                           (unsigned long long)view->run.id, row->attempt, row->node);
        ax_attempt *attempt = AX_NEW(view->mem, ax_attempt);
        *attempt = (ax_attempt){.rec = *row, .prev = *current, .change_at = UINT32_MAX};
        *current = attempt;
    }
    for (uint32_t n = 0; n < view->plan->node_count; n++) {
        const ax_attempt *current = view->info[n].current;
        if (view->nodes[n].attempt != (current ? current->rec.attempt : 0))
            return ax_fail(err, AX_INVALID, "run %llu: node %s is at attempt %u, its newest one is %u",
                           (unsigned long long)view->run.id, node_name(view, n, view->mem),
                           view->nodes[n].attempt, current ? current->rec.attempt : 0);
    }
    return AX_OK;
}

static ax_rc load_outputs(ax_view *view, const ax_run_rows *rows, ax_err *err)
{
    for (uint32_t i = 0; i < rows->output_count; i++) {
        const ax_output_rec *row = &rows->outputs[i];
        const ax_def *def = row->node < view->plan->node_count ? ax_view_def(view, row->node) : NULL;
        if (!def || row->output >= def->output_count)
            return ax_fail(err, AX_INVALID, "run %llu: an output of node %u that its plan does not know",
                           (unsigned long long)view->run.id, row->node);
        const ax_node_rec *rec = &view->nodes[row->node];
        if (rec->state != AX_NODE_ST_SUCCEEDED || row->attempt != rec->attempt) continue;

        ax_value *outputs = view->info[row->node].outputs;
        if (!outputs)
            outputs = view->info[row->node].outputs = AX_NEW_N(view->mem, ax_value, def->output_count);
        ax_rc rc = ax_value_parse(view->mem, &def->outputs[row->output].type, row->value,
                                  &outputs[row->output], err);
        if (rc) {
            ax_err_prefix(err, "run %llu: output %.*s of node %s", (unsigned long long)view->run.id,
                          AX_STR(def->outputs[row->output].name), node_name(view, row->node, view->mem));
            return rc;
        }
    }
    return AX_OK;
}

static void fill_queues(ax_view *view)
{
    uint32_t n_nodes = view->plan->node_count, finally_count = 0;
    view->dirty = ax_heap_new(view->mem, n_nodes);
    view->ready = ax_heap_new(view->mem, n_nodes);
    view->timers = ax_heap_new(view->mem, n_nodes + 1);
    for (uint32_t n = 0; n < n_nodes; n++) {
        if (ax_view_def(view, n)->finally_ && !ax_view_is_group(view, n)) finally_count++;
        if (!view->info[n].current) continue;
        const ax_instance_rec *rec = &view->info[n].current->rec;
        if (rec->state == AX_INSTANCE_READY)
            ax_heap_put(view->mem, &view->ready, ax_view_ready_item(view, rec));
        if (ax_view_is_timed(rec))
            ax_heap_put(view->mem, &view->timers, (ax_heap_item){.a = rec->due_ms, .node = n});
    }
    if (ax_view_lives(view) && view->plan->timeout_ms)
        ax_heap_put(view->mem, &view->timers,
                    (ax_heap_item){.a = view->run.started_ms + view->plan->timeout_ms, .node = n_nodes});

    view->finally_at = AX_NEW_N(view->mem, uint32_t, finally_count);
    for (uint32_t n = 0; n < n_nodes; n++)
        if (ax_view_def(view, n)->finally_ && !ax_view_is_group(view, n))
            view->finally_at[view->finally_count++] = n;
}

ax_rc ax_view_build(ax_arena *mem, const ax_plan *plan, const ax_run_rows *rows, ax_view **out, ax_err *err)
{
    ax_view *view = AX_NEW(mem, ax_view);
    *view = (ax_view){.mem = mem, .plan = plan, .run = rows->run, .run_change_at = UINT32_MAX};
    view->nodes = AX_NEW_N(mem, ax_node_rec, plan->node_count);
    view->info = AX_NEW_N(mem, ax_node_info, plan->node_count);
    view->params = AX_NEW_N(mem, ax_value, plan->param_count);
    view->run_id = ax_str_fmt(mem, "%llu", (unsigned long long)rows->run.id);
    if (rows->run.state >= AX_RUN_COUNT)
        return ax_fail(err, AX_INVALID, "run %llu has no known state", (unsigned long long)rows->run.id);

    ax_rc rc = check_plan(view, err);
    if (!rc) rc = ax_params_read(mem, plan, rows->run.params, view->params, err);
    if (!rc) rc = load_nodes(view, rows, err);
    if (!rc) rc = load_instances(view, rows, err);
    if (!rc) rc = load_outputs(view, rows, err);
    if (rc) return rc;
    ax_view_recount(view);
    view->finally_begun = ax_view_finally_due(view);
    rc = ax_view_check_rows(view, err);
    if (rc) return rc;
    fill_queues(view);
    *out = view;
    return AX_OK;
}

const ax_plan *ax_view_plan(const ax_view *view)
{
    return view->plan;
}

const ax_run_rec *ax_view_run(const ax_view *view)
{
    return &view->run;
}

const ax_node_rec *ax_view_node(const ax_view *view, uint32_t node)
{
    AX_ASSERT(node < view->plan->node_count);
    return &view->nodes[node];
}

const ax_instance_rec *ax_view_current(const ax_view *view, uint32_t node)
{
    AX_ASSERT(node < view->plan->node_count);
    return view->info[node].current ? &view->info[node].current->rec : NULL;
}

const ax_instance_rec *ax_view_attempt(const ax_view *view, uint32_t node, uint32_t attempt)
{
    AX_ASSERT(node < view->plan->node_count);
    for (const ax_attempt *a = view->info[node].current; a; a = a->prev)
        if (a->rec.attempt == attempt) return &a->rec;
    return NULL;
}

const ax_value *ax_view_output(const ax_view *view, uint32_t node, uint32_t output)
{
    AX_ASSERT(output < ax_view_def(view, node)->output_count);
    const ax_value *outputs = view->info[node].outputs;
    return outputs && outputs[output].kind != AX_T_NULL ? &outputs[output] : NULL;
}

const uint32_t *ax_view_counts(const ax_view *view)
{
    return view->totals.by_state;
}

uint32_t ax_view_next_ready(const ax_view *view)
{
    bool dispatches = ax_view_drains(view) || (ax_view_lives(view) && !view->run.paused_by_person);
    const ax_heap_item *top = dispatches ? ax_heap_top(&view->ready) : NULL;
    return top ? top->node : AX_NONE;
}

int64_t ax_view_next_due(const ax_view *view)
{
    const ax_heap_item *top = ax_heap_top(&view->timers);
    return top ? top->a : INT64_MAX;
}

uint32_t ax_view_places(const ax_view *view)
{
    return view->totals.places;
}

bool ax_view_ended(const ax_view *view)
{
    return ax_fsm_terminal(&ax_run_fsm, view->run.state);
}

static bool is_question(const ax_view *view, uint32_t node)
{
    const ax_node_rec *rec = &view->nodes[node];
    const ax_attempt *current = view->info[node].current;
    if (ax_view_is_group(view, node)) return false;
    if (rec->state == AX_NODE_ST_HELD) return rec->held_by_hand;
    return rec->open || (current && current->rec.state == AX_INSTANCE_WAITING_CONFIRM);
}

uint32_t ax_view_questions(const ax_view *view, uint32_t *nodes, uint32_t max)
{
    uint32_t count = 0;
    const ax_totals *totals = &view->totals;
    if (!totals->open && !totals->confirms && !totals->by_state[AX_NODE_ST_HELD]) return 0;
    for (uint32_t n = 0; n < view->plan->node_count; n++) {
        if (!is_question(view, n)) continue;
        if (count < max) nodes[count] = n;
        count++;
    }
    return count;
}
