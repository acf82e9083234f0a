/* instance.c - the machine of an attempt, and the one door through which an attempt's state changes.
 *
 *     create ──▶ PENDING ──SUBMIT──▶ READY ──DISPATCH──▶ RUNNING ◀──▶ WAITING_APPROVAL
 *                   ▲ │                │                   │ │ │
 *               DUE │ │ FAILURE        │ CANCEL            │ │ └─TIMEOUT──▶ TIMING_OUT ──STOPPED──▶ TIMEOUT
 *                   │ │                ▼                   │ │                   │ CANCEL
 *     create ─▶ RETRYING     CANCELLED ◀──STOPPED── CANCELLING ◀─────────────────┘
 *                   ▲                                      │ │
 *           CONFIRM │                       SUCCESS (also late) FAILURE, LOST
 *     create ─▶ WAITING_CONFIRM                            ▼ ▼
 *                                                  SUCCEEDED FAILED
 *
 * What may be relied on: an attempt has a process, and with it a place, only in RUNNING, WAITING_APPROVAL,
 * TIMING_OUT and CANCELLING; the four ends are only entered; TIMEOUT and CANCELLED mean that nothing of it
 * runs any more, or that it is marked `unconfirmed`.
 */
#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

#define X(name, flags) #name,
static const char *const states[] = {AX_INSTANCE_STATES(X)};
#undef X
#define X(name, flags) flags,
static const uint8_t flags[] = {AX_INSTANCE_STATES(X)};
#undef X
#define X(name) #name,
static const char *const events[] = {AX_INSTANCE_EVENTS(X)};
#undef X

#define ON(from, event, to_, text)                                                                           \
    [AX_INSTANCE_##from][AX_INSTANCE_EV_##event] = {.listed = true, .to = AX_INSTANCE_##to_, .why = text}

/* clang-format off */
static const ax_fsm_row rows[AX_INSTANCE_COUNT][AX_INSTANCE_EV_COUNT] = {
    ON(PENDING,          SUBMIT,   READY,            "its values render, its idempotency key is free"),
    ON(PENDING,          REUSE,    SUCCEEDED,        "its idempotency key has succeeded already"),
    ON(PENDING,          FAILURE,  FAILED,           "it can't be rendered, or can never be placed"),
    ON(PENDING,          CANCEL,   CANCELLED,        "it had not begun"),
    ON(READY,            DISPATCH, RUNNING,          "taken by one worker; the timeout counts from here"),
    ON(READY,            CANCEL,   CANCELLED,        "it had not begun"),
    ON(RUNNING,          SUCCESS,  SUCCEEDED,        "the worker reports success, or an exit in skip_on"),
    ON(RUNNING,          FAILURE,  FAILED,           "the worker reports failure"),
    ON(RUNNING,          ASK,      WAITING_APPROVAL, "the task asks; it keeps its place"),
    ON(RUNNING,          TIMEOUT,  TIMING_OUT,       "its time is over: the worker interrupts it"),
    ON(RUNNING,          CANCEL,   CANCELLING,       "the worker interrupts it"),
    ON(RUNNING,          LOST,     FAILED,           "its lease ran out: unconfirmed"),
    ON(WAITING_APPROVAL, APPROVE,  RUNNING,          "the asking process gets the answer"),
    ON(WAITING_APPROVAL, REJECT,   RUNNING,          "the asking process gets the answer"),
    ON(WAITING_APPROVAL, SUCCESS,  SUCCEEDED,        "it ended without waiting: the question is withdrawn"),
    ON(WAITING_APPROVAL, FAILURE,  FAILED,           "it ended without waiting: the question is withdrawn"),
    ON(WAITING_APPROVAL, TIMEOUT,  TIMING_OUT,       "its time is over: the worker interrupts it"),
    ON(WAITING_APPROVAL, CANCEL,   CANCELLING,       "the worker interrupts it"),
    ON(WAITING_APPROVAL, LOST,     FAILED,           "its lease ran out: unconfirmed"),
    ON(TIMING_OUT,       STOPPED,  TIMEOUT,          "nothing of it runs any more"),
    ON(TIMING_OUT,       FAILURE,  TIMEOUT,          "nothing of it runs any more"),
    ON(TIMING_OUT,       LOST,     TIMEOUT,          "its lease ran out: unconfirmed"),
    ON(TIMING_OUT,       SUCCESS,  SUCCEEDED,        "it had finished first: the truth wins"),
    ON(TIMING_OUT,       CANCEL,   CANCELLING,       "it is being interrupted already"),
    ON(CANCELLING,       STOPPED,  CANCELLED,        "nothing of it runs any more"),
    ON(CANCELLING,       FAILURE,  CANCELLED,        "nothing of it runs any more"),
    ON(CANCELLING,       LOST,     CANCELLED,        "its lease ran out: unconfirmed"),
    ON(CANCELLING,       SUCCESS,  SUCCEEDED,        "it had finished first: the truth wins"),
    ON(RETRYING,         DUE,      PENDING,          "its wait is over; each attempt is rendered anew"),
    ON(RETRYING,         CANCEL,   CANCELLED,        "it had not begun"),
    ON(WAITING_CONFIRM,  CONFIRM,  RETRYING,         "a person: try it again"),
    ON(WAITING_CONFIRM,  REJECT,   CANCELLED,        "a person: do not; the node failed"),
    ON(WAITING_CONFIRM,  ACCEPT,   CANCELLED,        "a person: the first try took effect"),
    ON(WAITING_CONFIRM,  CANCEL,   CANCELLED,        "it had not begun"),
    ON(FAILED,           RETRY,    FAILED,           "a successor is made, this one stays"),
    ON(TIMEOUT,          RETRY,    TIMEOUT,          "a successor is made, this one stays"),
    ON(CANCELLED,        RETRY,    CANCELLED,        "a successor is made, by a person only; this one stays"),
};
/* clang-format on */

const ax_fsm ax_instance_fsm = {
    .name = "instance",
    .states = states,
    .flags = flags,
    .events = events,
    .state_count = AX_INSTANCE_COUNT,
    .event_count = AX_INSTANCE_EV_COUNT,
    .rows = rows[0],
};

static void put_change(ax_step *s, ax_attempt *attempt, const ax_instance_rec *from)
{
    ax_batch *batch = s->batch;
    uint64_t run = s->view->run.id;
    const ax_instance_rec *to = &attempt->rec;
    if (attempt->change_at < batch->instances.len) {
        ax_instance_change *change = &batch->instances.at[attempt->change_at];
        if (change->run == run && change->to.node == to->node && change->to.attempt == to->attempt) {
            change->to = *to;
            return;
        }
    }
    attempt->change_at = batch->instances.len;
    ax_vec_push(
        batch->mem, &batch->instances,
        (ax_instance_change){.run = run, .from = from->state, .from_version = from->version, .to = *to});
}

/* The queues and totals follow what the attempt was and is; `was` is NULL for a new one. */
static void follow(ax_step *s, const ax_instance_rec *was, const ax_instance_rec *is)
{
    ax_view *view = s->view;
    if (was) ax_totals_instance(&view->totals, was, -1);
    ax_totals_instance(&view->totals, is, 1);

    if (is->state == AX_INSTANCE_READY) ax_heap_put(view->mem, &view->ready, ax_view_ready_item(view, is));
    else ax_heap_remove(&view->ready, is->node);
    if (ax_view_is_timed(is))
        ax_heap_put(view->mem, &view->timers, (ax_heap_item){.a = is->due_ms, .node = is->node});
    else ax_heap_remove(&view->timers, is->node);
}

bool ax_instance_has_process(ax_instance_state state)
{
    return state == AX_INSTANCE_RUNNING || state == AX_INSTANCE_WAITING_APPROVAL ||
           state == AX_INSTANCE_TIMING_OUT || state == AX_INSTANCE_CANCELLING;
}

ax_rc ax_instance_apply(ax_step *s, ax_instance_rec to, ax_instance_event event, ax_err *err)
{
    ax_attempt *attempt = s->view->info[to.node].current;
    AX_ASSERT(attempt && attempt->rec.attempt == to.attempt);
    ax_instance_rec from = attempt->rec;
    uint8_t next;
    ax_rc rc = ax_fsm_next(&ax_instance_fsm, from.state, event, &next, err);
    if (rc) return rc;

    to.state = (ax_instance_state)next;
    to.version = from.version + 1;
    if (ax_fsm_terminal(&ax_instance_fsm, next) && !to.ended_ms) to.ended_ms = s->now_ms;
    attempt->rec = to;
    put_change(s, attempt, &from);
    follow(s, &from, &to);
    ax_step_log(s, (ax_log_rec){.machine = AX_MACHINE_INSTANCE,
                                .node = to.node,
                                .attempt = to.attempt,
                                .from = (uint8_t)from.state,
                                .event = (uint8_t)event,
                                .to = next,
                                .extra = ax_step_instance_extra(s, &to)});
    return AX_OK;
}

void ax_instance_create(ax_step *s, ax_instance_rec rec, ax_instance_state state)
{
    ax_node_info *info = &s->view->info[rec.node];
    AX_ASSERT(ax_instance_fsm.flags[state] & AX_ST_INITIAL);
    AX_ASSERT(s->view->nodes[rec.node].state == AX_NODE_ST_ACTIVE);
    AX_ASSERT(rec.attempt == (info->current ? info->current->rec.attempt + 1 : 1));

    rec.state = state;
    rec.version = 1;
    rec.created_ms = s->now_ms;
    ax_attempt *attempt = AX_NEW(s->view->mem, ax_attempt);
    *attempt = (ax_attempt){.rec = rec, .prev = info->current, .change_at = UINT32_MAX};
    if (info->current) ax_totals_instance(&s->view->totals, &info->current->rec, -1);
    info->current = attempt;
    put_change(s, attempt, &(ax_instance_rec){.version = 0});
    follow(s, NULL, &rec);
    ax_step_log(s, (ax_log_rec){.machine = AX_MACHINE_INSTANCE,
                                .node = rec.node,
                                .attempt = rec.attempt,
                                .from = (uint8_t)state,
                                .to = (uint8_t)state,
                                .created = true,
                                .extra = ax_step_instance_extra(s, &rec)});
}

void ax_instance_confirm(ax_step *s, ax_attempt *attempt)
{
    ax_instance_rec from = attempt->rec;
    AX_ASSERT(ax_fsm_terminal(&ax_instance_fsm, from.state));
    attempt->rec.unconfirmed = false;
    attempt->rec.version++;
    put_change(s, attempt, &from);
}
