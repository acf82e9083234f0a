/* run.c - the machine of a run, and the one door through which a run's state changes.
 *
 *     QUEUED ──ADMIT──▶ RUNNING ◀──RESUME── PAUSED       RUNNING, PAUSED ──SUCCEED──▶ SUCCEEDED
 *        │                 └──────PAUSE──────▲                          ──FAIL─────▶ FAILED
 *        │ CANCEL
 *        ▼
 *     CANCELLING ──DRAINED──▶ CANCELLED                  RUNNING, PAUSED ──CANCEL───▶ CANCELLING
 *     ABORTING   ──DRAINED──▶ FAILED                                    ──ABORT────▶ ABORTING
 *
 * What may be relied on: RUNNING: something is ACTIVE. PAUSED: a person paused it, or a question is open. A
 * run that drains (CANCELLING, ABORTING) begins nothing but `finally` nodes. An ended run has no live
 * attempt.
 */
#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

#define X(name, flags) #name,
static const char *const states[] = {AX_RUN_STATES(X)};
#undef X
#define X(name, flags) flags,
static const uint8_t flags[] = {AX_RUN_STATES(X)};
#undef X
#define X(name) #name,
static const char *const events[] = {AX_RUN_EVENTS(X)};
#undef X

#define ON(from, event, to_, text)                                                                           \
    [AX_RUN_##from][AX_RUN_EV_##event] = {.listed = true, .to = AX_RUN_##to_, .why = text}

/* clang-format off */
static const ax_fsm_row rows[AX_RUN_COUNT][AX_RUN_EV_COUNT] = {
    ON(QUEUED,     ADMIT,   RUNNING,    "nobody pauses it and a place in max_active_runs is free"),
    ON(QUEUED,     CANCEL,  CANCELLING, "nothing has begun"),
    ON(RUNNING,    PAUSE,   PAUSED,     "somebody pauses it, or only questions are open"),
    ON(RUNNING,    CANCEL,  CANCELLING, "nothing new begins, what lives is stopped"),
    ON(RUNNING,    ABORT,   ABORTING,   "a node failed under `abort`, or its time is over"),
    ON(RUNNING,    SUCCEED, SUCCEEDED,  "everything has ended, and no failure counts"),
    ON(RUNNING,    FAIL,    FAILED,     "everything has ended, and a failure counts"),
    ON(PAUSED,     RESUME,  RUNNING,    "nobody pauses it any more, and something can go on"),
    ON(PAUSED,     CANCEL,  CANCELLING, "nothing new begins, what lives is stopped"),
    ON(PAUSED,     ABORT,   ABORTING,   "a node failed under `abort`, or its time is over"),
    ON(PAUSED,     SUCCEED, SUCCEEDED,  "everything has ended, and no failure counts"),
    ON(PAUSED,     FAIL,    FAILED,     "everything has ended, and a failure counts"),
    ON(CANCELLING, DRAINED, CANCELLED,  "nothing is ACTIVE any more"),
    ON(ABORTING,   DRAINED, FAILED,     "nothing is ACTIVE any more"),
};
/* clang-format on */

const ax_fsm ax_run_fsm = {
    .name = "run",
    .states = states,
    .flags = flags,
    .events = events,
    .state_count = AX_RUN_COUNT,
    .event_count = AX_RUN_EV_COUNT,
    .rows = rows[0],
};

ax_run_rec ax_run_new(const ax_plan *plan, int64_t now_ms)
{
    return (ax_run_rec){
        .workflow = plan->name,
        .hash = ax_str_of(plan->hash),
        .state = AX_RUN_QUEUED,
        .version = 1,
        .seq = 1, /* of its creation's log row */
        .params = AX_LIT("{}"),
        .created_ms = now_ms,
    };
}

ax_rc ax_run_apply(ax_step *s, ax_run_rec to, ax_run_event event, ax_str extra, ax_err *err)
{
    ax_view *view = s->view;
    ax_run_rec from = view->run;
    uint8_t next;
    ax_rc rc = ax_fsm_next(&ax_run_fsm, from.state, event, &next, err);
    if (rc) return rc;

    ax_step_put_run(s); /* the batch must know the state that the store has */
    to.state = (ax_run_state)next;
    to.version = from.version + 1;
    to.seq = from.seq;
    if (ax_fsm_terminal(&ax_run_fsm, next)) to.ended_ms = s->now_ms;
    view->run = to;
    AX_IMPLIES(to.ended_ms, view->totals.by_state[AX_NODE_ST_ACTIVE] == 0);
    ax_step_log(s, (ax_log_rec){.machine = AX_MACHINE_RUN,
                                .node = AX_NONE,
                                .from = (uint8_t)from.state,
                                .event = (uint8_t)event,
                                .to = next,
                                .extra = extra});
    if (!ax_view_lives(view)) ax_heap_remove(&view->timers, view->plan->node_count);
    return AX_OK;
}
