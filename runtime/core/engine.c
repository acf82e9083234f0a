/* engine.c - one event, decided: the handler of its kind, then all that follows.
 *
 * Nothing here knows an event's meaning; a handler either refuses and has changed nothing, or changes rows
 * through the doors, and ax_step_settle does the rest.
 */
#include "runtime/core/engine.h"

#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

typedef struct {
    ax_event_handler *handle;
    bool of_node;       /* the event names a node */
    const char *source; /* for the log, if the event has none */
} event_row;

static const event_row events[AX_EVENT_COUNT] = {
    [AX_EVENT_ADMIT] = {ax_on_admit, false, "engine"},
    [AX_EVENT_DISPATCH] = {ax_on_dispatch, true, "worker"},
    [AX_EVENT_REPORT] = {ax_on_report, true, "worker"},
    [AX_EVENT_TIMERS] = {ax_on_timers, false, "timer"},
    [AX_EVENT_CANCEL] = {ax_on_cancel, false, "MANUAL_OVERRIDE"},
    [AX_EVENT_PAUSE] = {ax_on_pause, false, "MANUAL_OVERRIDE"},
    [AX_EVENT_RESUME] = {ax_on_resume, false, "MANUAL_OVERRIDE"},
    [AX_EVENT_RETRY] = {ax_on_retry, true, "MANUAL_OVERRIDE"},
    [AX_EVENT_SKIP] = {ax_on_skip, true, "MANUAL_OVERRIDE"},
    [AX_EVENT_ACCEPT] = {ax_on_accept, true, "MANUAL_OVERRIDE"},
    [AX_EVENT_HOLD] = {ax_on_hold, true, "MANUAL_OVERRIDE"},
    [AX_EVENT_RELEASE] = {ax_on_release, true, "MANUAL_OVERRIDE"},
    [AX_EVENT_CONFIRM] = {ax_on_confirm, true, "MANUAL_OVERRIDE"},
    [AX_EVENT_REJECT] = {ax_on_reject, true, "MANUAL_OVERRIDE"},
};

ax_rc ax_on_admit(ax_step *s, ax_err *err)
{
    ax_view *view = s->view;
    ax_run_rec to = view->run;
    if (to.paused_by_person) return ax_fail(err, AX_REFUSED, "somebody pauses it");
    to.started_ms = s->now_ms;
    ax_rc rc = ax_run_apply(s, to, AX_RUN_EV_ADMIT, AX_LIT(""), err);
    if (rc) return rc;
    s->direct = false;

    uint32_t count = view->plan->node_count;
    if (view->plan->timeout_ms)
        ax_heap_put(view->mem, &view->timers,
                    (ax_heap_item){.a = s->now_ms + view->plan->timeout_ms, .node = count});
    for (uint32_t rank = 0; rank < count; rank++) {
        uint32_t node = view->plan->order[rank];
        ax_reason reason;
        if (!ax_view_is_group(view, node) && ax_view_target(view, node, &reason) != AX_TARGET_BLOCKED)
            ax_step_dirty(s, node);
    }
    return AX_OK;
}

ax_rc ax_on_dispatch(ax_step *s, ax_err *err)
{
    const ax_view *view = s->view;
    uint32_t node = s->event->node;
    const ax_instance_rec *current = ax_view_current(view, node);
    if (!current || current->attempt != s->event->attempt)
        return ax_fail(err, AX_REFUSED, "attempt %u is not the newest one", s->event->attempt);
    if (ax_view_next_ready(view) == AX_NONE && current->state == AX_INSTANCE_READY)
        return ax_fail(err, AX_REFUSED, "a run that is %s starts nothing",
                       ax_run_fsm.states[view->run.state]);

    int64_t timeout_ms = ax_view_def(view, node)->timeout_ms;
    ax_instance_rec to = *current;
    to.started_ms = s->now_ms;
    to.due_ms = timeout_ms ? s->now_ms + timeout_ms : 0;
    ax_rc rc = ax_instance_apply(s, to, AX_INSTANCE_EV_DISPATCH, err);
    if (!rc) ax_step_effect(s, AX_EFFECT_START, node, to.attempt);
    return rc;
}

static ax_rc check_node(const ax_view *view, const ax_event *event, ax_err *err)
{
    if (event->node >= view->plan->node_count)
        return ax_fail(err, AX_NOT_FOUND, "there is no node %u", event->node);
    if (ax_view_is_group(view, event->node))
        return ax_fail(err, AX_REFUSED, "a group has no state of its own: name one of its members");
    return AX_OK;
}

static ax_log_rec who(const ax_event *event, ax_arena *mem)
{
    ax_str source = event->source.len ? event->source : ax_str_of(events[event->kind].source);
    return (ax_log_rec){.source = ax_str_dup(mem, source),
                        .person = ax_str_dup(mem, event->person),
                        .reason = ax_str_dup(mem, event->reason)};
}

ax_rc ax_engine_step(ax_view *view, const ax_event *event, int64_t now_ms, ax_batch *batch, ax_err *err)
{
    AX_ASSERT(event->kind < AX_EVENT_COUNT);
    AX_ASSERT(view->dirty.items.len == 0);
    const event_row *row = &events[event->kind];
    ax_step s = {.view = view, .event = event, .now_ms = now_ms, .batch = batch, .direct = true};
    s.event_id = ax_str_dup(batch->mem, event->id);
    s.who = who(event, batch->mem);

    ax_rc rc = row->of_node ? check_node(view, event, err) : AX_OK;
    uint64_t seq = view->run.seq;
    if (!rc) rc = row->handle(&s, err);
    if (rc) {
        AX_ASSERT(view->run.seq == seq);
        if (row->of_node && event->node < view->plan->node_count)
            ax_err_prefix(err, "node %.*s", AX_STR(view->plan->nodes[event->node].name));
        ax_arena_free(&s.scratch);
        return rc;
    }
    if (view->run.seq != seq) ax_step_settle(&s);
    ax_arena_free(&s.scratch);
    return AX_OK;
}
