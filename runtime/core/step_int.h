/* step_int.h - one step of the engine: what it sees, and the doors through which it changes things.
 *
 * A door takes the row as it shall be, looks the transition up in its machine's table, sets state and
 * version, puts row and log row into the batch, and keeps what the view computes up to date. It is the only
 * way to change a row. What the engine does of itself must be in the tables, so there a refusal is a bug (the
 * ax_step_* forms assert); what somebody outside asks for may be refused.
 */
#ifndef AX_CORE_STEP_INT_H
#define AX_CORE_STEP_INT_H

#include "runtime/core/engine.h"
#include "runtime/core/view_int.h"

typedef struct {
    ax_view *view;
    const ax_event *event;
    int64_t now_ms;
    ax_batch *batch;
    ax_arena scratch;  /* for what is not needed after one look */
    bool direct;       /* what happens now is what the event asks for; false: what follows from it */
    bool abort;        /* a node failed under `abort` */
    uint32_t abort_by; /* which one */
    ax_str note;       /* what the next log row of a node says besides; "" */
    ax_str event_id;   /* a copy in the batch */
    ax_log_rec who;    /* source, person and reason of the event, as the log has them */
} ax_step;

/* The doors. The rows passed are the new ones but for state and version, which the door sets. */
ax_rc ax_instance_apply(ax_step *s, ax_instance_rec to, ax_instance_event event, ax_err *err);
ax_rc ax_node_apply(ax_step *s, ax_node_rec to, ax_node_event event, ax_err *err);
ax_rc ax_run_apply(ax_step *s, ax_run_rec to, ax_run_event event, ax_str extra, ax_err *err);
/* Makes the next attempt of a node, which must be ACTIVE: number rec.attempt, in an initial state. */
void ax_instance_create(ax_step *s, ax_instance_rec rec, ax_instance_state state);

/* An ended attempt of which something might still run has been heard of: no transition, its mark goes. */
void ax_instance_confirm(ax_step *s, ax_attempt *attempt);
/* An ACTIVE node has one more attempt: no transition, its row only counts. */
void ax_node_renumber(ax_step *s, uint32_t node, uint32_t attempt);

/* The same for what the engine does of itself. */
void ax_step_instance(ax_step *s, ax_instance_rec to, ax_instance_event event);
void ax_step_node(ax_step *s, ax_node_rec to, ax_node_event event);
void ax_step_run(ax_step *s, ax_run_rec to, ax_run_event event, ax_str extra);

/* Appends a log row; from, event, to and ids as in `row`, the rest from the step. */
void ax_step_log(ax_step *s, ax_log_rec row);
/* Appends an outbox row. */
void ax_step_effect(ax_step *s, ax_effect_kind kind, uint32_t node, uint32_t attempt);
/* What a log row of an attempt or node says beside its states: reason, exit code, cause, … as a JSON object
 * or "". */
ax_str ax_step_instance_extra(ax_step *s, const ax_instance_rec *rec);
ax_str ax_step_node_extra(ax_step *s, const ax_node_rec *rec);
/* Puts the run's row into the batch: after every step that wrote a log row, for its seq. */
void ax_step_put_run(ax_step *s);

/* propagate.c: a node's row changed from a state in which it looked `old` with cause `old_cause`: edges,
 * group and queue follow. */
void ax_step_look_changed(ax_step *s, uint32_t node, ax_look old, uint32_t old_cause);
/* Looks again at a node that has not begun (or a group) before the step ends. */
void ax_step_dirty(ax_step *s, uint32_t node);
/* Resolves all that is to be looked at, in topological order, each node once. */
void ax_step_propagate(ax_step *s);

/* attempt.c: begins a node that unlocks. `broken`: its `when` has no value, for the reason given; NULL: it is
 * true. */
void ax_step_begin(ax_step *s, uint32_t node, const char *broken);
/* A person runs a FAILED node again: a new attempt with a full budget. AX_REFUSED by the table. */
ax_rc ax_step_rerun(ax_step *s, uint32_t node, ax_err *err);
/* PENDING to READY, or to FAILED if it can't be rendered. */
void ax_step_submit(ax_step *s, uint32_t node);
/* A wait is over: RETRYING to PENDING, and on. */
void ax_step_due(ax_step *s, uint32_t node);
/* The current attempt of a node has ended: what that means for the node. */
void ax_step_ended(ax_step *s, uint32_t node);
/* The node event that an attempt's end state stands for, without retry or skip. */
ax_node_event ax_instance_means(ax_instance_state state);

/* retry.c: true if a failed attempt may be followed by another by itself. */
bool ax_retry_allowed(const ax_def *def, const ax_node_rec *node, const ax_instance_rec *attempt);
/* The wait before the attempt after this one, jitter included. */
int64_t ax_retry_wait_ms(const ax_def *def, uint64_t run, const ax_node_rec *node);

/* policy.c: the node has failed for good. */
void ax_step_fail(ax_step *s, uint32_t node, ax_reason reason);

/* settle.c: all that follows from the event, and the state of the run that comes of it. */
void ax_step_settle(ax_step *s);

/* drain.c: CANCELLING or ABORTING: nothing new begins, what lives is stopped. */
void ax_step_drain(ax_step *s);

/* output.c: a report's outputs checked against what the node declares, kept in the view and the batch.
 * `lenient`: what is missing and has no default is null. AX_INVALID: missing or of a wrong type; nothing was
 * changed. *note, if not NULL, says which ones it does not declare. */
ax_rc ax_step_outputs(ax_step *s, uint32_t node, const ax_report *report, bool lenient, ax_str *note,
                      ax_err *err);

/* Handlers of events. AX_OK, or nothing was changed. */
typedef ax_rc ax_event_handler(ax_step *s, ax_err *err);
ax_event_handler ax_on_admit, ax_on_dispatch, ax_on_report, ax_on_timers;
ax_event_handler ax_on_cancel, ax_on_pause, ax_on_resume;
ax_event_handler ax_on_retry, ax_on_skip, ax_on_accept, ax_on_hold, ax_on_release, ax_on_confirm,
    ax_on_reject;

#endif
