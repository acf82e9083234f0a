/* test_query.c - what a person's words mean, and a run's state and history as texts and JSON. */
#include "runtime/admin/query.h"

#include <string.h>

#include "dsl/model/json_in.h"
#include "runtime/admin/query_json.h"
#include "runtime/core/engine.h"
#include "tests/lib/plan.h"
#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"

/* ---------------------------------------------------------------------------------------------- runs */

static void a_run_is_a_number_or_the_last(void **state)
{
    store_fixture *f = *state;
    uint64_t run;
    assert_int_equal(ax_query_run(f->store, AX_LIT(""), &run, &f->err), AX_NOT_FOUND);
    test_given_run(f);
    test_given_run(f);
    assert_int_equal(ax_query_run(f->store, AX_LIT(""), &run, &f->err), AX_OK);
    assert_int_equal(run, 2);
    assert_int_equal(ax_query_run(f->store, AX_LIT("last"), &run, &f->err), AX_OK);
    assert_int_equal(run, 2);
    assert_int_equal(ax_query_run(f->store, AX_LIT("1"), &run, &f->err), AX_OK);
    assert_int_equal(run, 1);
}

static void a_word_that_is_no_run_is_refused(void **state)
{
    store_fixture *f = *state;
    static const char *const words[] = {"0", "-1", "1x", "x", "1.5", " 1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        uint64_t run;
        assert_int_equal(ax_query_run(f->store, ax_str_of(words[i]), &run, &f->err), AX_INVALID);
        assert_false(ax_query_is_run(ax_str_of(words[i])));
    }
}

static bool first_is_interrupted(store_fixture *f)
{
    ax_run_filter all = {.limit = 1};
    ax_query_list list;
    assert_int_equal(ax_query_runs(f->store, &all, &f->mem, &list, &f->err), AX_OK);
    assert_int_equal(list.count, 1);
    return list.interrupted[0];
}

static void a_run_that_nobody_drives_is_interrupted(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    assert_false(first_is_interrupted(f));
    assert_int_equal(f->store->ops->lease_release(f->store, f->epoch, &f->err), AX_OK);
    assert_true(first_is_interrupted(f));

    assert_int_equal(f->store->ops->lease_take(f->store, AX_LIT("t"), 60000, &f->epoch, &f->err), AX_OK);
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_run_change change = test_next_run(&run, AX_RUN_CANCELLED);
    change.to.ended_ms = 9;
    ax_vec_push(&f->mem, &batch.runs, change);
    test_given_commit(f, &batch);
    assert_int_equal(f->store->ops->lease_release(f->store, f->epoch, &f->err), AX_OK);
    assert_false(first_is_interrupted(f));
}

static void nodes_without_a_row_count_as_blocked(void **state)
{
    (void)state;
    ax_run_summary sum = {.nodes_total = 5};
    uint32_t counts[AX_NODE_ST_COUNT];
    sum.by_state[AX_NODE_ST_FAILED] = 2;
    sum.by_state[AX_NODE_ST_BLOCKED] = 1;
    ax_query_counts(&sum, counts);
    assert_int_equal(counts[AX_NODE_ST_BLOCKED], 3);
    assert_int_equal(counts[AX_NODE_ST_FAILED], 2);
}

/* --------------------------------------------------------------------------------------------- nodes */

/* The names that a word stands for, one after the other. */
static const char *named(const ax_plan *plan, ax_arena *mem, const char *word)
{
    uint32_t *nodes, count;
    ax_str all = {0};
    ax_err err = {0};
    if (ax_query_nodes(plan, ax_str_of(word), mem, &nodes, &count, &err)) fail_msg("%s", err.text);
    for (uint32_t i = 0; i < count; i++)
        all = ax_str_fmt(mem, "%.*s%.*s ", AX_STR(all), AX_STR(plan->nodes[nodes[i]].name));
    return ax_str_c(mem, all);
}

static void a_name_is_a_task_or_all_of_a_fan_out_or_group(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_plan *plan = test_plan(&mem, "fan s = 3; group inner = s; group g = inner x; g -> y");
    assert_string_equal(named(plan, &mem, "y"), "y ");
    assert_string_equal(named(plan, &mem, "s.1"), "s.1 ");
    assert_string_equal(named(plan, &mem, "s"), "s.0 s.1 s.2 ");
    assert_string_equal(named(plan, &mem, "g"), "s.0 s.1 s.2 x ");
    ax_arena_free(&mem);
}

static void a_wrong_name_gets_the_nearest(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_plan *plan = test_plan(&mem, "extract -> load");
    uint32_t *nodes, count;
    ax_err err = {0};
    assert_int_equal(ax_query_nodes(plan, AX_LIT("extrat"), &mem, &nodes, &count, &err), AX_NOT_FOUND);
    assert_non_null(strstr(err.text, "'extrat'"));
    assert_string_equal(err.help, "did you mean 'extract'?");
    ax_arena_free(&mem);
}

/* ------------------------------------------------------------------------------------------- history */

typedef struct {
    uint64_t rows, last, stop_after;
} counter;

static bool count_row(void *ctx, const ax_log_rec *row)
{
    counter *c = ctx;
    assert_int_equal(row->seq, c->last + 1);
    c->last = row->seq;
    return ++c->rows != c->stop_after;
}

static void a_long_history_is_read_to_its_end(void **state)
{
    store_fixture *f = *state;
    enum { ROWS = 4096 * 2 };
    uint64_t run = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint64_t seq = 2; seq <= ROWS; seq++) ax_vec_push(&f->mem, &batch.log, test_new_log(run, seq, 0));
    test_given_commit(f, &batch);

    ax_log_filter all = {.run = run, .node = AX_NONE};
    counter c = {0};
    assert_int_equal(ax_query_log(f->store, all, count_row, &c, &f->err), AX_OK);
    assert_int_equal(c.rows, ROWS);

    c = (counter){.stop_after = 5000};
    assert_int_equal(ax_query_log(f->store, all, count_row, &c, &f->err), AX_OK);
    assert_int_equal(c.rows, 5000);

    all.limit = 4097;
    c = (counter){0};
    assert_int_equal(ax_query_log(f->store, all, count_row, &c, &f->err), AX_OK);
    assert_int_equal(c.rows, 4097);
}

static void assert_why(const ax_log_rec *row, const char *want)
{
    ax_buf text = AX_BUF_INIT(4096);
    ax_query_why(row, &text);
    assert_str(ax_buf_str(&text), want);
    ax_buf_free(&text);
}

static void a_row_says_why_it_is_there(void **state)
{
    (void)state;
    ax_log_rec row = {.machine = AX_MACHINE_INSTANCE, .node = 1, .attempt = 1, .from = AX_INSTANCE_RUNNING};
    row.event = AX_INSTANCE_EV_FAILURE;
    row.to = AX_INSTANCE_FAILED;
    row.extra = AX_LIT("{\"reason\": \"exit\", \"exit_code\": 3}");
    assert_why(&row, "exit code 3");
    row.extra = AX_LIT("{\"reason\": \"start\", \"message\": \"no such program\"}");
    assert_why(&row, "could not be started: no such program");
    row.extra = AX_LIT("not json");
    assert_why(&row, ax_instance_fsm.rows[row.from * ax_instance_fsm.event_count + row.event].why);
    row.machine = AX_MACHINE_GHOST;
    row.extra = AX_LIT("{\"reason\": \"exit\", \"exit_code\": 0}");
    assert_why(&row, "a late report changes nothing: exit code 0");

    row = (ax_log_rec){.machine = AX_MACHINE_INSTANCE, .created = true, .at_ms = 1000};
    assert_why(&row, "");
    row.extra = AX_LIT("{\"due_ms\": 31000}");
    assert_why(&row, "due in 30s");

    row = (ax_log_rec){.machine = AX_MACHINE_NODE, .from = AX_NODE_ST_BLOCKED, .event = AX_NODE_EV_SKIP};
    row.extra = AX_LIT("{\"reason\": \"upstream_failed\", \"cause\": \"build\"}");
    assert_why(&row, "something above failed: build");
    row.person = AX_LIT("anna");
    assert_why(&row, "by anna");
    row.reason = AX_LIT("the disk was full");
    assert_why(&row, "by anna: the disk was full");
}

/* ---------------------------------------------------------------------------------------------- JSON */

/* The document, read back. */
static ax_value read_back(ax_arena *mem, ax_buf *text)
{
    ax_value value;
    ax_err err = {0};
    if (ax_json_read(mem, ax_str_dup(mem, ax_buf_str(text)), 16, &value, &err) != AX_OK)
        fail_msg("%s in %s", err.text, text->ptr);
    ax_buf_free(text);
    return value;
}

static const ax_value *at(const ax_value *map, const char *key)
{
    uint32_t i = ax_value_key(map, ax_str_of(key));
    if (i == UINT32_MAX) fail_msg("there is no '%s'", key);
    return &map->u.map.at[i];
}

static bool has(const ax_value *map, const char *key)
{
    return ax_value_key(map, ax_str_of(key)) != UINT32_MAX;
}

static void a_run_of_a_list_as_json(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_run_summary sum = {.run = run, .nodes_total = 3};
    ax_buf text = AX_BUF_INIT(1 << 16);
    sum.by_state[AX_NODE_ST_ACTIVE] = 1;
    sum.run.origin = AX_LIT("\"\\ \n\x1b[31m \xff");
    ax_json j = ax_json_start(&text, 2);
    ax_query_run_json(&sum, true, &j);
    ax_value v = read_back(&f->mem, &text);
    assert_int_equal(at(&v, "run")->u.i, run.id);
    assert_str(at(&v, "workflow")->u.s, "nightly");
    assert_str(at(&v, "state")->u.s, "QUEUED");
    assert_str(at(&v, "date")->u.s, "1970-01-01");
    assert_true(at(&v, "interrupted")->u.b);
    assert_int_equal(at(at(&v, "counts"), "ACTIVE")->u.i, 1);
    assert_int_equal(at(at(&v, "counts"), "BLOCKED")->u.i, 2);
    assert_false(has(at(&v, "counts"), "FAILED"));
    assert_false(has(&v, "ended_ms"));
}

/* A run in which a failed (after two tries), so b is skipped, and c waits to be dispatched. */
static uint64_t given_failure(store_fixture *f)
{
    f->plan = test_plan_named(&f->mem, "w", "a -> b; c");
    ax_run_rec rec = ax_run_new(f->plan, 1000);
    rec.params = AX_LIT("{\"day\": 1}");
    assert_int_equal(f->store->ops->create_run(f->store, &rec, f->plan, f->epoch, &f->err), AX_OK);
    uint32_t a = test_plan_node(f->plan, "a");
    const ax_event events[] = {
        {.kind = AX_EVENT_ADMIT, .node = AX_NONE},
        {.kind = AX_EVENT_DISPATCH, .node = a, .attempt = 1},
        {.kind = AX_EVENT_REPORT,
         .node = a,
         .attempt = 1,
         .report = {.how = AX_REPORT_EXITED, .exit_code = 3}},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        ax_view *view;
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_event event = events[i];
        event.id = event.source = AX_LIT("test");
        assert_int_equal(ax_query_view(f->store, rec.id, &f->mem, &view, NULL, &f->err), AX_OK);
        assert_int_equal(ax_engine_step(view, &event, 2000 + (int64_t)i, &batch, &f->err), AX_OK);
        test_given_commit(f, &batch);
    }
    return rec.id;
}

static const ax_value *node_named(const ax_value *status, const char *name)
{
    const ax_value *nodes = at(status, "nodes");
    for (uint32_t i = 0; i < nodes->u.list.len; i++)
        if (ax_str_is(at(&nodes->u.list.at[i], "name")->u.s, name)) return &nodes->u.list.at[i];
    fail_msg("there is no node '%s'", name);
    return NULL;
}

static void a_status_as_json(void **state)
{
    store_fixture *f = *state;
    ax_view *view;
    bool interrupted = true;
    ax_buf text = AX_BUF_INIT(1 << 16);
    uint64_t run = given_failure(f);
    assert_int_equal(ax_query_view(f->store, run, &f->mem, &view, &interrupted, &f->err), AX_OK);
    assert_false(interrupted);
    ax_json j = ax_json_start(&text, 0);
    ax_query_status_json(view, interrupted, &j);
    ax_value v = read_back(&f->mem, &text);
    assert_str(at(&v, "state")->u.s, "RUNNING");
    assert_int_equal(at(at(&v, "params"), "day")->u.i, 1);
    assert_false(has(&v, "interrupted"));
    const ax_value *a = node_named(&v, "a"), *b = node_named(&v, "b"), *c = node_named(&v, "c");
    assert_str(at(a, "state")->u.s, "FAILED");
    assert_str(at(a, "reason")->u.s, "exit");
    assert_int_equal(at(&at(a, "attempts")->u.list.at[0], "exit_code")->u.i, 3);
    assert_str(at(b, "state")->u.s, "SKIPPED");
    assert_str(at(b, "reason")->u.s, "upstream_failed");
    assert_str(at(b, "cause")->u.s, "a");
    assert_false(has(b, "attempts"));
    assert_str(at(&at(c, "attempts")->u.list.at[0], "state")->u.s, "READY");
}

static void a_log_row_as_json(void **state)
{
    store_fixture *f = *state;
    ax_buf text = AX_BUF_INIT(1 << 16);
    ax_log_rec row = test_new_log(4, 7, 1);
    row.extra = AX_LIT("{\"reason\": \"exit\"}");
    row.person = AX_LIT("\"\\ \n\x1b[31m \xff");
    ax_json j = ax_json_start(&text, 0);
    ax_query_log_json(f->plan, &row, &j);
    ax_value v = read_back(&f->mem, &text);
    assert_int_equal(at(&v, "seq")->u.i, 7);
    assert_str(at(&v, "machine")->u.s, "node");
    assert_str(at(&v, "node")->u.s, "b");
    assert_str(at(&v, "from")->u.s, "BLOCKED");
    assert_str(at(&v, "event")->u.s, "UNLOCK");
    assert_str(at(&v, "to")->u.s, "ACTIVE");
    assert_str(at(at(&v, "extra"), "reason")->u.s, "exit");
    assert_false(has(&v, "reason"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_run_is_a_number_or_the_last),
        CASE(a_word_that_is_no_run_is_refused),
        CASE(a_run_that_nobody_drives_is_interrupted),
        CASE(nodes_without_a_row_count_as_blocked),
        CASE(a_name_is_a_task_or_all_of_a_fan_out_or_group),
        CASE(a_wrong_name_gets_the_nearest),
        CASE(a_long_history_is_read_to_its_end),
        CASE(a_row_says_why_it_is_there),
        CASE(a_run_of_a_list_as_json),
        CASE(a_status_as_json),
        CASE(a_log_row_as_json),
    };
    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
