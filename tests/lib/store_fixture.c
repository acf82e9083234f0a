/* store_fixture.c - a store in a folder of its own, and rows to put into it. */
#include "dsl/base/assert.h"
#include "dsl/model/plan_json.h"
#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"
#include "tests/lib/tmp.h"

ax_plan *ax_plan_of(ax_arena *mem, const char *workflow, const char *const *tasks, uint32_t count)
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

ax_str ax_hostile(void)
{
    return AX_LIT(
        "it's \"q\" \\ %s \n\t\r\x1b[31m \xc3\xa4\xe2\x82\xac \xff\xfe \0 {{ $1 }} ; DROP TABLE run; --");
}

ax_store_fixture *ax_store_fixture_new(const ax_store_backend *backend)
{
    static const char *const tasks[] = {"a", "b", "c"};
    ax_store_fixture *f = test_calloc(1, sizeof *f);
    f->backend = backend;
    ax_tmp_make(f->dir, sizeof f->dir);
    ax_rc rc = backend->open(f->dir, &f->store, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    rc = f->store->ops->lease_take(f->store, AX_LIT("test"), 60000, &f->epoch, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    f->plan = ax_plan_of(&f->mem, "nightly", tasks, 3);
    return f;
}

void ax_store_fixture_free(ax_store_fixture *f)
{
    f->store->ops->close(f->store);
    ax_tmp_remove(f->dir);
    ax_arena_free(&f->mem);
    test_free(f);
}

ax_run_rec ax_given_run(ax_store_fixture *f)
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

ax_run_rows ax_then_rows(ax_store_fixture *f, uint64_t run)
{
    ax_run_rows rows;
    ax_rc rc = f->store->ops->load_run(f->store, run, &f->mem, &rows, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return rows;
}
