/* states.h - the names of all states, events and reasons of the three machines, each list once.
 *
 * The database, the history, the command line and the API use these names, never the numbers.
 */
#ifndef AX_CORE_STATES_H
#define AX_CORE_STATES_H

#include "dsl/base/str.h"

/* clang-format off */

/* Layer 1: one attempt at one node. */
#define AX_INSTANCE_STATES(X)         \
    X(PENDING, AX_ST_INITIAL)         \
    X(READY, 0)                       \
    X(RUNNING, 0)                     \
    X(WAITING_APPROVAL, 0)            \
    X(TIMING_OUT, 0)                  \
    X(CANCELLING, 0)                  \
    X(RETRYING, AX_ST_INITIAL)        \
    X(WAITING_CONFIRM, AX_ST_INITIAL) \
    X(SUCCEEDED, AX_ST_TERMINAL)      \
    X(FAILED, AX_ST_TERMINAL)         \
    X(TIMEOUT, AX_ST_TERMINAL)        \
    X(CANCELLED, AX_ST_TERMINAL)
#define AX_INSTANCE_EVENTS(X)                                                             \
    X(SUBMIT) X(REUSE) X(DISPATCH) X(SUCCESS) X(FAILURE) X(ASK) X(APPROVE) X(REJECT)      \
    X(TIMEOUT) X(CANCEL) X(STOPPED) X(LOST) X(DUE) X(CONFIRM) X(ACCEPT) X(RETRY)

/* Layer 2: a node in a run. */
#define AX_NODE_STATES(X)        \
    X(BLOCKED, AX_ST_INITIAL)    \
    X(HELD, 0)                   \
    X(ACTIVE, 0)                 \
    X(SUCCEEDED, AX_ST_TERMINAL) \
    X(FAILED, 0)                 \
    X(SKIPPED, 0)                \
    X(CANCELLED, AX_ST_TERMINAL)
#define AX_NODE_EVENTS(X)                                                                 \
    X(UNLOCK) X(SKIP) X(REVISE) X(HOLD) X(REOPEN) X(SUCCEED) X(SKIP_SELF) X(FAIL)         \
    X(CANCEL) X(RETRY) X(ACCEPT) X(GIVE_UP)

/* The run. */
#define AX_RUN_STATES(X)         \
    X(QUEUED, AX_ST_INITIAL)     \
    X(RUNNING, 0)                \
    X(PAUSED, 0)                 \
    X(CANCELLING, 0)             \
    X(ABORTING, 0)               \
    X(SUCCEEDED, AX_ST_TERMINAL) \
    X(FAILED, AX_ST_TERMINAL)    \
    X(CANCELLED, AX_ST_TERMINAL)
#define AX_RUN_EVENTS(X) X(ADMIT) X(PAUSE) X(RESUME) X(CANCEL) X(ABORT) X(SUCCEED) X(FAIL) X(DRAINED)

/* clang-format on */

#define X(name, flags) AX_INSTANCE_##name,
typedef enum { AX_INSTANCE_STATES(X) AX_INSTANCE_COUNT } ax_instance_state;
#undef X
#define X(name) AX_INSTANCE_EV_##name,
typedef enum { AX_INSTANCE_EVENTS(X) AX_INSTANCE_EV_COUNT } ax_instance_event;
#undef X
#define X(name, flags) AX_NODE_ST_##name,
typedef enum { AX_NODE_STATES(X) AX_NODE_ST_COUNT } ax_node_state;
#undef X
#define X(name) AX_NODE_EV_##name,
typedef enum { AX_NODE_EVENTS(X) AX_NODE_EV_COUNT } ax_node_event;
#undef X
#define X(name, flags) AX_RUN_##name,
typedef enum { AX_RUN_STATES(X) AX_RUN_COUNT } ax_run_state;
#undef X
#define X(name) AX_RUN_EV_##name,
typedef enum { AX_RUN_EVENTS(X) AX_RUN_EV_COUNT } ax_run_event;
#undef X

/* Why an attempt ended as it did, or why a node is skipped: id, name as stored, text for a person. */
#define AX_REASONS(X)                                                                                        \
    X(NONE, "none", "")                                                                                      \
    X(EXIT, "exit", "exit code")                                                                             \
    X(SIGNAL, "signal", "ended by a signal")                                                                 \
    X(TIMEOUT, "timeout", "timed out")                                                                       \
    X(LOST, "lost", "lost: nothing is known of its end")                                                     \
    X(START, "start", "could not be started")                                                                \
    X(RENDER, "render", "a value that it needs has none")                                                    \
    X(OUTPUT, "output", "a declared output is missing or wrong")                                             \
    X(CANCELLED, "cancelled", "cancelled")                                                                   \
    X(REJECTED, "rejected", "rejected")                                                                      \
    X(UPSTREAM_FAILED, "upstream_failed", "something above failed")                                          \
    X(NOT_TAKEN, "not_taken", "no path led to it")                                                           \
    X(JOIN_UNMET, "join_unmet", "its join cannot hold")                                                      \
    X(CONDITION_FALSE, "condition_false", "its condition is false")                                          \
    X(DISABLED, "disabled", "disabled")                                                                      \
    X(BY_HAND, "by_hand", "by a person")

#define X(id, name, text) AX_REASON_##id,
typedef enum { AX_REASONS(X) AX_REASON_COUNT } ax_reason;
#undef X

/* True if an attempt in this state has a process, or may have one. */
bool ax_instance_has_process(ax_instance_state state);
/* "upstream_failed": the reason's name as stored and shown. */
const char *ax_reason_name(ax_reason reason);
/* The reason with this name; AX_REASON_COUNT if there is none. */
ax_reason ax_reason_find(ax_str name);
/* The phrase for a person. */
const char *ax_reason_text(ax_reason reason);

#endif
