/* store_suite.h - what every backend of the store must do, as tests over a function that opens it; and the
 * store, rows and comparisons that these and other tests use.
 */
#ifndef AX_TESTS_LIB_STORE_SUITE_H
#define AX_TESTS_LIB_STORE_SUITE_H

#include "runtime/store/store.h"

typedef struct {
    const char *name;
    /* Another connection to the store that belongs to this folder, for writing; the first one makes it. */
    ax_rc (*open)(const char *dir, ax_store **out, ax_err *err);
} test_backend;

extern const test_backend test_sqlite;

/* Each runs its half of the suite and returns how many tests failed. */
int test_suite_rows(const test_backend *backend);
int test_suite_rules(const test_backend *backend);

/* A folder, a store in it, its lease, and a plan of three tasks a, b, c. */
typedef struct {
    const test_backend *backend;
    char dir[64];
    ax_store *store;
    uint64_t epoch;
    ax_arena mem;
    ax_plan *plan;
    ax_err err;
} store_fixture;

/* Makes it, or fails the test; and removes it. */
store_fixture *store_fixture_new(const test_backend *backend);
void store_fixture_free(store_fixture *f);
/* The same for cmocka: a test's state becomes its fixture. The state before is the backend, NULL: SQLite. */
int store_fixture_set_up(void **state);
int store_fixture_tear_down(void **state);

/* A row of a list of tests that have a fixture. */
#define CASE(function)                                                                                       \
    {                                                                                                        \
        .name = #function, .test_func = function, .setup_func = store_fixture_set_up,                        \
        .teardown_func = store_fixture_tear_down                                                             \
    }

/* The plan that the text describes (plan.h), as a version of that workflow. */
ax_plan *test_plan_named(ax_arena *mem, const char *workflow, const char *text);
/* A string that every layer likes to get wrong: quotes, a newline, escapes, NUL, bytes that are no UTF-8. */
ax_str test_hostile(void);

/* Rows: a node that has begun, a pending attempt, the log row of a node that unlocks, an effect; and what
 * follows. */
ax_node_change test_new_node(uint64_t run, uint32_t node);
ax_node_change test_next_node(const ax_node_change *last, ax_node_state state);
ax_instance_change test_new_instance(uint64_t run, uint32_t node);
ax_log_rec test_new_log(uint64_t run, uint64_t seq, uint32_t node);
ax_effect test_new_effect(uint64_t run, uint64_t seq, ax_effect_kind kind);
ax_run_change test_next_run(const ax_run_rec *run, ax_run_state state);

/* Given: succeeds, or fails the test. When: may fail. Then: reads, or fails the test. */
ax_run_rec test_given_run(store_fixture *f);
void test_given_commit(store_fixture *f, const ax_batch *batch);
ax_rc test_when_commit(store_fixture *f, const ax_batch *batch);
ax_run_rows test_then_rows(store_fixture *f, uint64_t run);
uint32_t test_then_log(store_fixture *f, uint64_t run, uint32_t node, uint64_t after, uint32_t limit,
                       ax_log_rec **out);

/* Fail the test if a field differs. */
void test_assert_same_str(ax_str got, ax_str want);
void test_assert_same_run(const ax_run_rec *got, const ax_run_rec *want);
void test_assert_same_node(const ax_node_rec *got, const ax_node_rec *want);
void test_assert_same_instance(const ax_instance_rec *got, const ax_instance_rec *want);

#endif
