/* propagate.c - from one change to all that follows from it.
 *
 * A change of a node's look moves its edges from one count to another and puts what stands behind it into the
 * heap of nodes to look at again. The heap is worked off in topological order, so that each node is looked at
 * once, when all above it is settled: never recursion, never first in first out (a node could begin on a
 * neighbour's stale state).
 */
#include "dsl/base/assert.h"
#include "runtime/core/render.h"
#include "runtime/core/step_int.h"

void ax_step_dirty(ax_step *s, uint32_t node)
{
    ax_view *view = s->view;
    if (ax_heap_has(&view->dirty, node)) return;
    ax_heap_put(view->mem, &view->dirty, (ax_heap_item){.a = view->plan->nodes[node].rank, .node = node});
}

static bool is_computed(const ax_view *view, uint32_t node)
{
    return ax_view_is_group(view, node) || !ax_view_has_begun(&view->nodes[node]);
}

static void tell_successors(ax_step *s, uint32_t node, ax_look old, bool cause_changed)
{
    ax_view *view = s->view;
    const ax_plan *plan = view->plan;
    ax_look look = (ax_look)view->info[node].look;
    for (uint32_t i = plan->out_at[node]; i < plan->out_at[node + 1]; i++) {
        const ax_plan_edge *edge = &plan->edges[plan->out[i]];
        ax_stand was = ax_look_stand(old, (ax_outcome)edge->outcome);
        ax_stand is = ax_look_stand(look, (ax_outcome)edge->outcome);
        if (was == is && !(is == AX_STAND_DEAD && cause_changed)) continue;
        uint32_t *tally = view->info[edge->to].tally;
        AX_ASSERT(tally[was] > 0);
        tally[was]--;
        tally[is]++;
        if (is_computed(view, edge->to)) ax_step_dirty(s, edge->to);
    }
}

static void tell_group(ax_step *s, uint32_t group, ax_look old, ax_look look)
{
    uint32_t *tally = s->view->info[group].tally;
    uint8_t was = ax_look_tells(old), is = ax_look_tells(look);
    for (uint32_t m = 0; m < AX_MEMBER_COUNT; m++) {
        if (was >> m & 1) tally[m]--;
        if (is >> m & 1) tally[m]++;
    }
    ax_step_dirty(s, group);
}

/* A group has begun when its first member has. */
static void tell_begun(ax_step *s, uint32_t node)
{
    ax_view *view = s->view;
    int64_t begun_ms = view->nodes[node].begun_ms;
    if (!begun_ms) return;
    for (uint32_t g = view->plan->nodes[node].parent; g != AX_NONE; g = view->plan->nodes[g].parent) {
        if (view->nodes[g].begun_ms) return;
        view->nodes[g].begun_ms = begun_ms;
        ax_step_dirty(s, g);
    }
}

void ax_step_look_changed(ax_step *s, uint32_t node, ax_look old, uint32_t old_cause)
{
    ax_view *view = s->view;
    ax_look look = (ax_look)view->info[node].look;
    bool cause_changed = ax_view_cause(view, node) != old_cause;
    tell_begun(s, node);
    if (look == old && !cause_changed) return;
    tell_successors(s, node, old, cause_changed);
    uint32_t group = view->plan->nodes[node].parent;
    if (group != AX_NONE) tell_group(s, group, old, look);
}

static void recompute_group(ax_step *s, uint32_t group)
{
    ax_view *view = s->view;
    uint32_t old_cause = ax_view_cause(view, group), around = view->plan->nodes[group].parent;
    ax_look old = (ax_look)view->info[group].look, look;
    int64_t old_end_ms = view->nodes[group].ended_ms;
    view->nodes[group] = ax_view_group_rec(view, group, &look);
    view->info[group].look = (uint8_t)look;
    ax_step_look_changed(s, group, old, old_cause);
    if (around != AX_NONE && view->nodes[group].ended_ms != old_end_ms) ax_step_dirty(s, around);
}

/* The event that leads a node that has not begun to its target; AX_NODE_EV_COUNT: it is there. */
static ax_node_event event_to(ax_node_state state, ax_target target)
{
    switch (target) {
    case AX_TARGET_UNLOCK: return AX_NODE_EV_UNLOCK;
    case AX_TARGET_SKIPPED: return state == AX_NODE_ST_SKIPPED ? AX_NODE_EV_REVISE : AX_NODE_EV_SKIP;
    case AX_TARGET_HELD: return state == AX_NODE_ST_HELD ? AX_NODE_EV_COUNT : AX_NODE_EV_HOLD;
    case AX_TARGET_BLOCKED: return state == AX_NODE_ST_BLOCKED ? AX_NODE_EV_COUNT : AX_NODE_EV_REOPEN;
    case AX_TARGET_COUNT: break;
    }
    AX_UNREACHABLE();
}

static bool is_dead_edge(const ax_view *view, uint32_t edge)
{
    const ax_plan_edge *e = &view->plan->edges[edge];
    return ax_look_stand((ax_look)view->info[e->from].look, (ax_outcome)e->outcome) == AX_STAND_DEAD;
}

/* The cause of a node behind a dead edge: the one it has as long as that edge is dead, else the first. */
static uint32_t find_cause(ax_view *view, uint32_t node)
{
    const ax_plan *plan = view->plan;
    uint32_t *at = &view->info[node].cause_at;
    if (*at == AX_NONE || !is_dead_edge(view, *at)) {
        uint32_t end = plan->in_at[node + 1];
        *at = plan->in_at[node];
        while (*at < end && !is_dead_edge(view, *at)) ++*at;
        AX_ASSERT(*at < end);
    }
    return ax_view_cause(view, plan->edges[*at].from);
}

static void skip(ax_step *s, uint32_t node, ax_reason reason)
{
    ax_node_rec to = s->view->nodes[node];
    ax_node_event event = event_to(to.state, AX_TARGET_SKIPPED);
    uint32_t cause = reason == AX_REASON_UPSTREAM_FAILED ? find_cause(s->view, node) : AX_NONE;
    if (event == AX_NODE_EV_REVISE && to.reason == reason && to.cause == cause) return;
    to.reason = reason;
    to.cause = cause;
    ax_step_node(s, to, event);
}

/* The join holds and nobody holds it: `when` decides. */
static void unlock(ax_step *s, uint32_t node)
{
    ax_err why = {0};
    bool wanted = true;
    ax_rc rc = ax_render_when(s->view, node, &s->scratch, &wanted, &why);
    ax_arena_reset(&s->scratch);
    if (!rc && !wanted) {
        skip(s, node, AX_REASON_CONDITION_FALSE);
        return;
    }
    ax_step_begin(s, node, rc ? why.text : NULL);
}

static void resolve(ax_step *s, uint32_t node)
{
    ax_view *view = s->view;
    ax_reason reason = AX_REASON_NONE;
    ax_target target = ax_view_target(view, node, &reason);
    if (target == AX_TARGET_UNLOCK) {
        unlock(s, node);
        return;
    }
    if (target == AX_TARGET_SKIPPED) {
        skip(s, node, reason);
        return;
    }
    ax_node_rec to = view->nodes[node];
    ax_node_event event = event_to(to.state, target);
    if (event == AX_NODE_EV_COUNT) return;
    to.reason = AX_REASON_NONE;
    to.cause = AX_NONE;
    ax_step_node(s, to, event);
}

void ax_step_propagate(ax_step *s)
{
    ax_view *view = s->view;
    int64_t last = -1;
    for (const ax_heap_item *top = ax_heap_top(&view->dirty); top; top = ax_heap_top(&view->dirty)) {
        uint32_t node = top->node;
        AX_ASSERT(top->a > last);
        last = top->a;
        ax_heap_remove(&view->dirty, node);
        if (ax_view_is_group(view, node)) recompute_group(s, node);
        else if (!ax_view_has_begun(&view->nodes[node]) && ax_view_resolves(view, node) && !s->abort)
            resolve(s, node);
    }
}
