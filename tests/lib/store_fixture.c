/* store_fixture.c - a store in a folder of its own, and rows to put into it. */
#include "dsl/model/plan_json.h"
#include "tests/lib/plan.h"
#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"
#include "tests/lib/tmp.h"

static ax_rc open_sqlite(const char *dir, ax_store **out, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    const char *path = ax_str_c(&mem, ax_str_fmt(&mem, "%s/ax.db", dir));
    ax_rc rc = ax_sqlite_open(path, AX_STORE_WRITE, out, err);
    ax_arena_free(&mem);
    return rc;
}

const test_backend test_sqlite = {.name = "sqlite", .open = open_sqlite};

ax_plan *test_plan_named(ax_arena *mem, const char *workflow, const char *text)
{
    ax_plan *plan = test_plan(mem, text);
    plan->name = ax_str_of(workflow);
    plan->max_active_runs = 1;
    ax_plan_seal(plan);
    return plan;
}

ax_str test_hostile(void)
{
    return AX_LIT(
        "it's \"q\" \\ %s \n\t\r\x1b[31m \xc3\xa4\xe2\x82\xac \xff\xfe \0 {{ $1 }} ; DROP TABLE run; --");
}

store_fixture *store_fixture_new(const test_backend *backend)
{
    store_fixture *f = test_calloc(1, sizeof *f);
    f->backend = backend;
    test_tmp_make(f->dir, sizeof f->dir);
    ax_rc rc = backend->open(f->dir, &f->store, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    rc = f->store->ops->lease_take(f->store, AX_LIT("test"), 60000, &f->epoch, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    f->plan = test_plan_named(&f->mem, "nightly", "a; b; c");
    return f;
}

void store_fixture_free(store_fixture *f)
{
    f->store->ops->close(f->store);
    test_tmp_remove(f->dir);
    ax_arena_free(&f->mem);
    test_free(f);
}

int store_fixture_set_up(void **state)
{
    *state = store_fixture_new(*state ? *state : &test_sqlite);
    return 0;
}

int store_fixture_tear_down(void **state)
{
    store_fixture_free(*state);
    return 0;
}

ax_run_rec test_given_run(store_fixture *f)
{
    ax_run_rec run = {
        .workflow = f->plan->name,
        .hash = ax_str_of(f->plan->hash),
        .state = AX_RUN_QUEUED,
        .version = 1,
        .seq = 1,
        .params = AX_LIT("{}"),
        .workdir = AX_LIT("/w"),
        .origin = AX_LIT("test"),
        .created_ms = 1000,
    };
    ax_rc rc = f->store->ops->create_run(f->store, &run, f->plan, f->epoch, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return run;
}

ax_run_rows test_then_rows(store_fixture *f, uint64_t run)
{
    ax_run_rows rows;
    ax_rc rc = f->store->ops->load_run(f->store, run, &f->mem, &rows, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return rows;
}

ax_rc test_when_commit(store_fixture *f, const ax_batch *batch)
{
    return f->store->ops->commit(f->store, batch, &f->err);
}

void test_given_commit(store_fixture *f, const ax_batch *batch)
{
    if (test_when_commit(f, batch) != AX_OK) fail_msg("%s", f->err.text);
}

uint32_t test_then_log(store_fixture *f, uint64_t run, uint32_t node, uint64_t after, uint32_t limit,
                       ax_log_rec **out)
{
    ax_log_filter filter = {.run = run, .node = node, .after = after, .limit = limit};
    uint32_t count;
    ax_rc rc = f->store->ops->read_log(f->store, &filter, &f->mem, out, &count, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return count;
}
