/* run.h - a run in a test: given a plan, when something happens, then states.
 *
 *   test_run *r = given_run("a -> b");
 *   when_exits(r, "a", 0);
 *   then_node(r, "b", "ACTIVE");
 *   end_run(r);
 *
 * Behind it stands a store in memory that takes every batch as a real one would: each change must find the
 * state and version that it expects. After every step the view is checked, a second view is built from the
 * stored rows and must be the same, and the log, replayed through the tables, must give the stored states.
 */
#ifndef AX_TESTS_LIB_RUN_H
#define AX_TESTS_LIB_RUN_H

#include "runtime/core/engine.h"

typedef struct test_store test_store;

typedef struct {
    ax_arena mem;
    ax_plan *plan;
    ax_view *view;
    test_store *store;
    int64_t now_ms;             /* the test's clock; a test sets it */
    ax_err err;                 /* of the last refusal */
    uint32_t effects, log_rows; /* how many there have been */
    bool unchecked;             /* for measurements: nothing is stored or checked */
    bool in_turn;               /* events share a batch until the turn ends */
    ax_arena turn_mem;
    ax_batch turn;
} test_run;

/* A run of that plan (plan.h), RUNNING; or QUEUED. */
test_run *given_run(const char *plan);
test_run *given_queued_run(const char *plan);
test_run *given_run_of(ax_plan *plan, ax_arena mem, const char *params);
/* Gives it back. */
void end_run(test_run *r);

/* Until end_turn all events are decided into one batch, as a turn of the loop does. */
void begin_turn(test_run *r);
void end_turn(test_run *r);
/* One event; what it does is stored and checked. */
ax_rc step(test_run *r, ax_event event);
/* The event of that kind for a node (NULL: of the run), at its newest attempt; fails the test if it is
 * refused. */
void when(test_run *r, ax_event_kind kind, const char *node);
/* The same, and it must be refused with this in the message. */
void when_refused(test_run *r, ax_event_kind kind, const char *node, const char *message);
/* The node's READY attempt is dispatched. */
void when_starts(test_run *r, const char *node);
/* A report for the node's newest attempt, which is dispatched first if it is READY. */
void when_reports(test_run *r, const char *node, ax_report report);
void when_exits(test_run *r, const char *node, int32_t exit_code);
/* The same report for an older attempt, as it is. */
void when_late(test_run *r, const char *node, uint32_t attempt, ax_report report);
/* It is now so much later, and timers are looked at. */
void when_passes(test_run *r, int64_t ms);

/* States and reasons by name. */
void then_run(const test_run *r, const char *state);
void then_node(const test_run *r, const char *node, const char *state);
void then_nodes(const test_run *r, const char *states); /* "a=SUCCEEDED b=SKIPPED:not_taken" */
void then_attempt(const test_run *r, const char *node, uint32_t attempt, const char *state);
void then_attempts(const test_run *r, const char *node, uint32_t count);
void then_cause(const test_run *r, const char *node, const char *cause);
/* Log rows of a node (its attempts and ghosts too) with this event's name. */
uint32_t logged(const test_run *r, const char *node, const char *event);
/* Calls f for every log row so far. */
void each_log_row(const test_run *r, void (*f)(const ax_log_rec *row));
/* Effects of a kind for a node. */
uint32_t effects(const test_run *r, const char *node, ax_effect_kind kind);

extern const ax_report REPORT_STOPPED, REPORT_LOST, REPORT_KILLED, REPORT_NOT_STARTED;

#endif
