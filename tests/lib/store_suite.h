/* store_suite.h - what every backend of the store must do, as one suite of tests over a function that opens
 * it. */
#ifndef TESTS_LIB_STORE_SUITE_H
#define TESTS_LIB_STORE_SUITE_H

#include "runtime/store/store.h"

typedef struct {
    const char *name;
    /* Another connection to the store that belongs to this empty folder, for writing; the first one makes it.
     */
    ax_rc (*open)(const char *dir, ax_store **out, ax_err *err);
} ax_store_backend;

/* Runs the suite; the number of tests that failed. */
int ax_store_suite(const ax_store_backend *backend);

/* ------------------------------------------------------------------------------------- helpers, also for
 * other tests */

/* A folder of a test, a store in it, its lease, and a plan of three tasks a, b, c. */
typedef struct {
    const ax_store_backend *backend;
    char dir[64];
    ax_store *store;
    uint64_t epoch;
    ax_arena mem;
    ax_plan *plan;
    ax_err err;
} ax_store_fixture;

/* Makes it, or fails the test. */
ax_store_fixture *ax_store_fixture_new(const ax_store_backend *backend);
void ax_store_fixture_free(ax_store_fixture *f);

/* A plan with these tasks, sealed, in mem. */
ax_plan *ax_plan_of(ax_arena *mem, const char *workflow, const char *const *tasks, uint32_t count);
/* A new run of the plan, created in the store. */
ax_run_rec ax_given_run(ax_store_fixture *f);
/* The rows of a run, which must be there. */
ax_run_rows ax_then_rows(ax_store_fixture *f, uint64_t run);
/* A string that every layer likes to get wrong: quotes, a newline, escapes, NUL, bytes that are no UTF-8. */
ax_str ax_hostile(void);

#endif
