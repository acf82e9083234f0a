/* compute.c - what is computed from the rows: totals, the ends of groups, and the state of what has not
 * begun.
 *
 * These functions look only at rows, looks and counts. The engine keeps the counts up to date by differences;
 * building a view and checking one (view.c, check.c) count from the start.
 */
#include "dsl/base/assert.h"
#include "runtime/core/view_int.h"

static void add(uint32_t *total, int by)
{
    AX_ASSERT(by > 0 || *total > 0);
    *total += (uint32_t)by;
}

void ax_totals_node(ax_totals *totals, const ax_def *def, const ax_node_rec *rec, int by)
{
    add(&totals->by_state[rec->state], by);
    bool unended =
        rec->state == AX_NODE_ST_BLOCKED || rec->state == AX_NODE_ST_HELD || rec->state == AX_NODE_ST_ACTIVE;
    if (unended && !def->finally_) add(&totals->unended, by);
    if (rec->state != AX_NODE_ST_FAILED) return;
    if (rec->open) add(&totals->open, by);
    if (rec->open && !def->finally_) add(&totals->ordinary_open, by);
    if (def->policy != AX_POLICY_IGNORE && def->policy != AX_POLICY_BRANCH) add(&totals->bad, by);
}

void ax_totals_instance(ax_totals *totals, const ax_instance_rec *rec, int by)
{
    if (ax_instance_has_process(rec->state)) add(&totals->places, by);
    if (rec->state == AX_INSTANCE_WAITING_CONFIRM) add(&totals->confirms, by);
}

uint32_t ax_view_cause(const ax_view *view, uint32_t node)
{
    ax_look look = (ax_look)view->info[node].look;
    if (ax_view_is_group(view, node) || look == AX_LOOK_UPSTREAM_FAILED) return view->nodes[node].cause;
    return look == AX_LOOK_FAILED || look == AX_LOOK_CANCELLED ? node : AX_NONE;
}

ax_heap_item ax_view_ready_item(const ax_view *view, const ax_instance_rec *rec)
{
    int64_t priority = ax_view_def(view, rec->node)->priority;
    return (ax_heap_item){.a = -priority, .b = rec->ready_ms, .node = rec->node};
}

bool ax_view_is_timed(const ax_instance_rec *rec)
{
    bool waits = rec->state == AX_INSTANCE_RETRYING || rec->state == AX_INSTANCE_RUNNING ||
                 rec->state == AX_INSTANCE_WAITING_APPROVAL;
    return waits && rec->due_ms > 0;
}

/* The member bit that stands for a group's end in which edges from it may be dead; 0: none. */
static uint8_t causing(ax_look look)
{
    if (look == AX_LOOK_FAILED) return 1u << AX_MEMBER_FAILED;
    if (look == AX_LOOK_CANCELLED) return 1u << AX_MEMBER_CANCELLED;
    return look == AX_LOOK_UPSTREAM_FAILED ? 1u << AX_MEMBER_UPSTREAM_FAILED : 0;
}

ax_node_rec ax_view_group_rec(const ax_view *view, uint32_t group, ax_look *look)
{
    const ax_plan *plan = view->plan;
    const uint32_t *tally = view->info[group].tally;
    uint32_t from = plan->member_at[group], to = plan->member_at[group + 1];
    *look = ax_look_of_group(tally, to - from);
    bool ended = !tally[AX_MEMBER_MOTION] && !tally[AX_MEMBER_HELD];
    uint8_t bit = causing(*look);
    uint32_t cause = AX_NONE;
    int64_t ended_ms = 0;
    for (uint32_t i = from; ended && i < to; i++) {
        uint32_t member = plan->member[i];
        if (view->nodes[member].ended_ms > ended_ms) ended_ms = view->nodes[member].ended_ms;
        if (cause == AX_NONE && (ax_look_tells((ax_look)view->info[member].look) & bit))
            cause = ax_view_cause(view, member);
    }
    ax_node_rec rec = ax_node_of_group(group, *look, view->nodes[group].begun_ms, ended_ms);
    rec.cause = cause;
    return rec;
}

bool ax_view_finally_due(const ax_view *view)
{
    if (ax_view_drains(view)) return view->totals.unended == 0;
    return ax_view_lives(view) && view->totals.unended == 0 && view->totals.ordinary_open == 0;
}

static ax_target skipped(ax_reason *reason, ax_reason why)
{
    *reason = why;
    return AX_TARGET_SKIPPED;
}

/* The join holds. */
static ax_target unlockable(const ax_view *view, uint32_t node, ax_reason *reason)
{
    const ax_node_rec *rec = &view->nodes[node];
    if (ax_view_def(view, node)->finally_ && !view->finally_begun) return AX_TARGET_BLOCKED;
    if (rec->state == AX_NODE_ST_SKIPPED && rec->reason == AX_REASON_CONDITION_FALSE)
        return skipped(reason, AX_REASON_CONDITION_FALSE);
    return AX_TARGET_UNLOCK;
}

ax_target ax_view_target(const ax_view *view, uint32_t node, ax_reason *reason)
{
    const ax_node_rec *rec = &view->nodes[node];
    const ax_def *def = ax_view_def(view, node);
    const uint32_t *tally = view->info[node].tally;
    AX_ASSERT(!ax_view_has_begun(rec));
    if (rec->skipped_by_hand) return skipped(reason, AX_REASON_BY_HAND);
    if (!def->enabled) return skipped(reason, AX_REASON_DISABLED);

    ax_verdict verdict = ax_join_decide(def, tally, ax_view_in_count(view, node));
    /* A run that drains takes no commands: nobody could let go any more. */
    bool held_by_hand = rec->held_by_hand && !ax_view_drains(view);
    switch (verdict) {
    case AX_VERDICT_UPSTREAM_FAILED: return skipped(reason, AX_REASON_UPSTREAM_FAILED);
    case AX_VERDICT_NOT_TAKEN: return skipped(reason, AX_REASON_NOT_TAKEN);
    case AX_VERDICT_UNMET: return skipped(reason, AX_REASON_JOIN_UNMET);
    case AX_VERDICT_HOLDS: return held_by_hand ? AX_TARGET_HELD : unlockable(view, node, reason);
    case AX_VERDICT_OPEN:
        return held_by_hand || !tally[AX_STAND_UNRESOLVED] ? AX_TARGET_HELD : AX_TARGET_BLOCKED;
    case AX_VERDICT_COUNT: break;
    }
    AX_UNREACHABLE();
}
