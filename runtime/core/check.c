/* check.c - counts everything that a view computes from the start, and compares.
 *
 * Building a view counts with it; the tests and the simulator hold every step against it. It shares with the
 * engine only the tables (look.c) and the function of one node (ax_view_target), not the way of keeping up to
 * date.
 */
#include <string.h>

#include "dsl/base/assert.h"
#include "runtime/core/view_int.h"

void ax_view_recount(ax_view *view)
{
    const ax_plan *plan = view->plan;
    view->totals = (ax_totals){0};
    for (uint32_t n = 0; n < plan->node_count; n++)
        memset(view->info[n].tally, 0, sizeof view->info[n].tally);
    for (uint32_t rank = 0; rank < plan->node_count; rank++) {
        uint32_t node = plan->order[rank], group = plan->nodes[node].parent;
        ax_node_info *info = &view->info[node];
        ax_node_rec *rec = &view->nodes[node];
        ax_look look;
        if (ax_view_is_group(view, node)) {
            *rec = ax_view_group_rec(view, node, &look);
        } else {
            look = ax_look_of(rec, ax_view_def(view, node)->policy);
            ax_totals_node(&view->totals, ax_view_def(view, node), rec, 1);
        }
        info->look = (uint8_t)look;
        if (info->current) ax_totals_instance(&view->totals, &info->current->rec, 1);
        for (uint32_t i = plan->out_at[node]; i < plan->out_at[node + 1]; i++) {
            const ax_plan_edge *edge = &plan->edges[plan->out[i]];
            view->info[edge->to].tally[ax_look_stand(look, (ax_outcome)edge->outcome)]++;
        }
        if (group == AX_NONE) continue;
        for (uint32_t m = 0; m < AX_MEMBER_COUNT; m++)
            if (ax_look_tells(look) >> m & 1) view->info[group].tally[m]++;
        int64_t begun_ms = rec->begun_ms, *first_ms = &view->nodes[group].begun_ms;
        if (begun_ms && (!*first_ms || begun_ms < *first_ms)) *first_ms = begun_ms;
    }
}

/* True if a dead edge explains the cause that the row names; keeps which one. */
static bool explain_cause(const ax_view *view, uint32_t node)
{
    const ax_plan *plan = view->plan;
    for (uint32_t e = plan->in_at[node]; e < plan->in_at[node + 1]; e++) {
        uint32_t from = plan->edges[e].from;
        ax_stand stand = ax_look_stand((ax_look)view->info[from].look, (ax_outcome)plan->edges[e].outcome);
        if (stand != AX_STAND_DEAD || ax_view_cause(view, from) != view->nodes[node].cause) continue;
        view->info[node].cause_at = e;
        return true;
    }
    return false;
}

static ax_rc wrong(const ax_view *view, uint32_t node, ax_err *err, const char *what)
{
    const ax_node_rec *rec = &view->nodes[node];
    return ax_fail(err, AX_INVALID, "run %llu: node %.*s is %s (%s), but %s",
                   (unsigned long long)view->run.id, AX_STR(view->plan->nodes[node].name),
                   ax_node_fsm.states[rec->state], ax_reason_name(rec->reason), what);
}

static ax_rc check_computed(const ax_view *view, uint32_t node, ax_err *err)
{
    const ax_node_rec *rec = &view->nodes[node];
    ax_reason reason = AX_REASON_NONE;
    switch (ax_view_target(view, node, &reason)) {
    case AX_TARGET_UNLOCK: return wrong(view, node, err, "its join holds");
    case AX_TARGET_BLOCKED:
        return rec->state == AX_NODE_ST_BLOCKED ? AX_OK
                                                : wrong(view, node, err, "something above is in motion");
    case AX_TARGET_HELD:
        return rec->state == AX_NODE_ST_HELD ? AX_OK : wrong(view, node, err, "it waits for a person");
    case AX_TARGET_SKIPPED: break;
    case AX_TARGET_COUNT: AX_UNREACHABLE();
    }
    if (rec->state != AX_NODE_ST_SKIPPED || rec->reason != reason)
        return wrong(view, node, err, ax_reason_text(reason));
    if (reason == AX_REASON_UPSTREAM_FAILED && !explain_cause(view, node))
        return wrong(view, node, err, "no edge leads to its cause");
    return AX_OK;
}

static ax_rc check_row(const ax_view *view, uint32_t node, ax_err *err)
{
    const ax_node_rec *rec = &view->nodes[node];
    const ax_attempt *current = view->info[node].current;
    bool live = current && !ax_fsm_terminal(&ax_instance_fsm, current->rec.state);
    bool ended = ax_fsm_terminal(&ax_run_fsm, view->run.state);
    bool waits = rec->state == AX_NODE_ST_BLOCKED || rec->state == AX_NODE_ST_HELD;
    if (live != (rec->state == AX_NODE_ST_ACTIVE))
        return wrong(view, node, err, "its newest attempt says otherwise");
    if (rec->open && rec->state != AX_NODE_ST_FAILED) return wrong(view, node, err, "its failure is open");
    if (view->run.state == AX_RUN_QUEUED)
        return rec->version == 0 ? AX_OK : wrong(view, node, err, "the run has not begun");
    if (ended && (waits || live)) return wrong(view, node, err, "the run has ended");
    if (ax_view_has_begun(rec)) return AX_OK;
    if (ax_view_resolves(view, node)) return check_computed(view, node, err);
    return waits ? wrong(view, node, err, "the run drains") : AX_OK;
}

ax_rc ax_view_check_rows(const ax_view *view, ax_err *err)
{
    for (uint32_t node = 0; node < view->plan->node_count; node++) {
        ax_rc rc = ax_view_is_group(view, node) ? AX_OK : check_row(view, node, err);
        if (rc) return rc;
    }
    return AX_OK;
}

static bool same_group(const ax_node_rec *a, const ax_node_rec *b)
{
    return a->state == b->state && a->reason == b->reason && a->cause == b->cause && a->open == b->open &&
           a->begun_ms == b->begun_ms && a->ended_ms == b->ended_ms;
}

static ax_rc check_counts(const ax_view *view, const ax_view *anew, ax_err *err)
{
    if (memcmp(&view->totals, &anew->totals, sizeof view->totals) != 0)
        return ax_fail(err, AX_INVALID, "run %llu: its totals differ from its rows",
                       (unsigned long long)view->run.id);
    for (uint32_t node = 0; node < view->plan->node_count; node++) {
        const ax_node_info *was = &view->info[node], *is = &anew->info[node];
        if (was->look != is->look) return wrong(view, node, err, "its look differs from its row");
        if (memcmp(was->tally, is->tally, sizeof was->tally) != 0)
            return wrong(view, node, err, "its counts differ from what stands above it");
        if (ax_view_is_group(view, node) && !same_group(&view->nodes[node], &anew->nodes[node]))
            return wrong(view, node, err, "its members say otherwise");
    }
    return AX_OK;
}

static ax_rc check_queues(const ax_view *view, ax_err *err)
{
    uint32_t ready = 0, timed = ax_heap_has(&view->timers, view->plan->node_count);
    for (uint32_t node = 0; node < view->plan->node_count; node++) {
        const ax_attempt *current = view->info[node].current;
        bool is_ready = current && current->rec.state == AX_INSTANCE_READY;
        bool is_timed = current && ax_view_is_timed(&current->rec);
        if (ax_heap_has(&view->ready, node) != is_ready || ax_heap_has(&view->timers, node) != is_timed)
            return wrong(view, node, err, "the queues differ from its attempt");
        ready += is_ready;
        timed += is_timed;
    }
    AX_ASSERT(ready == view->ready.items.len && timed == view->timers.items.len);
    return view->dirty.items.len ? ax_fail(err, AX_INVALID, "something was left to look at") : AX_OK;
}

ax_rc ax_view_check(const ax_view *view, ax_err *err)
{
    ax_arena scratch = AX_ARENA_INIT;
    uint32_t count = view->plan->node_count;
    ax_view anew = *view;
    anew.nodes = AX_NEW_N(&scratch, ax_node_rec, count);
    anew.info = AX_NEW_N(&scratch, ax_node_info, count);
    for (uint32_t node = 0; node < count; node++) {
        bool group = ax_view_is_group(view, node);
        anew.nodes[node] = group ? (ax_node_rec){.node = node, .cause = AX_NONE} : view->nodes[node];
        anew.info[node] = view->info[node];
    }
    ax_view_recount(&anew);
    ax_rc rc = check_counts(view, &anew, err);
    if (!rc) rc = ax_view_check_rows(&anew, err);
    if (!rc) rc = check_queues(view, err);
    bool resolves = ax_view_lives(view) || ax_view_drains(view);
    if (!rc && resolves && view->finally_begun != ax_view_finally_due(&anew))
        rc =
            ax_fail(err, AX_INVALID, "run %llu: it disagrees on `finally`", (unsigned long long)view->run.id);
    ax_arena_free(&scratch);
    return rc;
}
