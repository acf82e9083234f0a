/* store_fixture.c - a store in a folder of its own, and rows to put into it. */
#include "dsl/base/assert.h"
#include "dsl/model/plan_json.h"
#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"
#include "tests/lib/tmp.h"

ax_plan *test_plan_of(ax_arena *mem, const char *workflow, const char *const *tasks, uint32_t count)
{
    ax_plan *plan = AX_NEW(mem, ax_plan);
    ax_def *defs = AX_NEW_N(mem, ax_def, count);
    ax_plan_node *nodes = AX_NEW_N(mem, ax_plan_node, count);
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = (ax_def){
            .name = ax_str_of(tasks[i]),
            .kind = AX_NODE_TASK,
            .action = AX_ACTION_RUN,
            .script = AX_LIT("true"),
            .file = AX_LIT("w.axf"),
            .line = i + 1,
            .first = i,
            .count = 1,
            .whole = AX_NONE,
            .enabled = true,
        };
        nodes[i] = (ax_plan_node){.name = defs[i].name, .def = i, .parent = AX_NONE};
    }
    *plan = (ax_plan){
        .mem = mem,
        .name = ax_str_of(workflow),
        .file = AX_LIT("w.axf"),
        .line = 1,
        .max_active_runs = 1,
        .defs = defs,
        .def_count = count,
        .nodes = nodes,
        .node_count = count,
    };
    bool acyclic = ax_plan_index(plan, nodes, NULL);
    AX_ASSERT(acyclic);
    ax_plan_seal(plan);
    return plan;
}

ax_str test_hostile(void)
{
    return AX_LIT(
        "it's \"q\" \\ %s \n\t\r\x1b[31m \xc3\xa4\xe2\x82\xac \xff\xfe \0 {{ $1 }} ; DROP TABLE run; --");
}

test_store *test_store_new(const test_backend *backend)
{
    static const char *const tasks[] = {"a", "b", "c"};
    test_store *f = test_calloc(1, sizeof *f);
    f->backend = backend;
    test_tmp_make(f->dir, sizeof f->dir);
    ax_rc rc = backend->open(f->dir, &f->store, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    rc = f->store->ops->lease_take(f->store, AX_LIT("test"), 60000, &f->epoch, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    f->plan = test_plan_of(&f->mem, "nightly", tasks, 3);
    return f;
}

void test_store_free(test_store *f)
{
    f->store->ops->close(f->store);
    test_tmp_remove(f->dir);
    ax_arena_free(&f->mem);
    test_free(f);
}

ax_run_rec test_given_run(test_store *f)
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

ax_run_rows test_then_rows(test_store *f, uint64_t run)
{
    ax_run_rows rows;
    ax_rc rc = f->store->ops->load_run(f->store, run, &f->mem, &rows, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return rows;
}

ax_rc test_when_commit(test_store *f, const ax_batch *batch)
{
    return f->store->ops->commit(f->store, batch, &f->err);
}

void test_given_commit(test_store *f, const ax_batch *batch)
{
    if (test_when_commit(f, batch) != AX_OK) fail_msg("%s", f->err.text);
}

uint32_t test_then_log(test_store *f, uint64_t run, uint32_t node, uint64_t after, uint32_t limit,
                       ax_log_rec **out)
{
    ax_log_filter filter = {.run = run, .node = node, .after = after, .limit = limit};
    uint32_t count;
    ax_rc rc = f->store->ops->read_log(f->store, &filter, &f->mem, out, &count, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return count;
}
