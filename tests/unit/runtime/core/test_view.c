/* test_view.c - rows that make no sense are refused, and a view that disagrees with its rows is found out. */
#include "runtime/core/view_int.h"

#include <string.h>

#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

/* Rows of a RUNNING run of "a -> b; g = x" in which a has one READY attempt and x too. */
typedef struct {
    ax_arena mem;
    ax_plan *plan;
    ax_node_rec nodes[3];
    ax_instance_rec instances[2];
    ax_run_rows rows;
} loaded;

static void given_rows(loaded *l)
{
    *l = (loaded){0};
    l->plan = test_plan(&l->mem, "a outputs=n:int; b; group g = x; a -> b");
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t node = test_plan_node(l->plan, i ? "x" : "a");
        l->nodes[i] = (ax_node_rec){.node = node,
                                    .state = AX_NODE_ST_ACTIVE,
                                    .version = 1,
                                    .cause = AX_NONE,
                                    .attempt = 1,
                                    .budget_from = 1,
                                    .begun_ms = 1000};
        l->instances[i] =
            (ax_instance_rec){.node = node, .attempt = 1, .state = AX_INSTANCE_READY, .version = 2};
    }
    l->rows = (ax_run_rows){.run = ax_run_new(l->plan, 1000),
                            .nodes = l->nodes,
                            .node_count = 2,
                            .instances = l->instances,
                            .instance_count = 2};
    l->rows.run.state = AX_RUN_RUNNING;
    l->rows.run.started_ms = 1000;
}

static void expect_refused(loaded *l, const char *message)
{
    ax_view *view;
    ax_err err = {0};
    assert_int_equal(ax_view_build(&l->mem, l->plan, &l->rows, &view, &err), AX_INVALID);
    if (!strstr(err.text, message)) fail_msg("refused, but with: %s", err.text);
    ax_arena_free(&l->mem);
}

static void good_rows_make_a_view(void **state)
{
    (void)state;
    loaded l;
    ax_view *view = NULL;
    given_rows(&l);
    assert_int_equal(ax_view_build(&l.mem, l.plan, &l.rows, &view, NULL), AX_OK);
    assert_int_equal(ax_view_check(view, NULL), AX_OK);
    assert_ptr_equal(ax_view_plan(view), l.plan);
    assert_int_equal(ax_view_next_ready(view), 0);
    assert_int_equal(ax_view_counts(view)[AX_NODE_ST_ACTIVE], 2);
    assert_int_equal(ax_view_node(view, test_plan_node(l.plan, "g"))->state, AX_NODE_ST_ACTIVE);
    assert_null(ax_view_attempt(view, 0, 2));
    assert_false(ax_view_ended(view));
    ax_arena_free(&l.mem);
}

static void rows_that_the_plan_does_not_know_are_refused(void **state)
{
    (void)state;
    loaded l;
    given_rows(&l);
    l.nodes[0].node = 77;
    expect_refused(&l, "a row for node 77");
    given_rows(&l);
    l.nodes[0].node = test_plan_node(l.plan, "g");
    expect_refused(&l, "which has none in its plan");
    given_rows(&l);
    l.instances[1].node = 77;
    expect_refused(&l, "attempt 1 of node 77 is out of order");
    given_rows(&l);
    l.rows.outputs = &(ax_output_rec){.node = 0, .attempt = 1, .output = 1};
    l.rows.output_count = 1;
    expect_refused(&l, "an output of node 0 that its plan does not know");
}

static void rows_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    loaded l;
    given_rows(&l);
    l.nodes[1].node = 0;
    expect_refused(&l, "the row of node a makes no sense");
    given_rows(&l);
    l.nodes[0].attempt = 2;
    expect_refused(&l, "node a is at attempt 2, its newest one is 1");
    given_rows(&l);
    l.instances[0].attempt = 2;
    expect_refused(&l, "attempt 2 of node 0 is out of order");
    given_rows(&l);
    l.instances[0].state = AX_INSTANCE_FAILED;
    expect_refused(&l, "node a is ACTIVE (none), but its newest attempt says otherwise");
    given_rows(&l);
    l.rows.run.state = AX_RUN_SUCCEEDED;
    expect_refused(&l, "the run has ended");
    given_rows(&l);
    l.rows.run.state = AX_RUN_QUEUED;
    expect_refused(&l, "the run has not begun");
    given_rows(&l);
    l.rows.run.state = AX_RUN_CANCELLING;
    expect_refused(&l, "the run drains");
}

static void what_has_not_begun_must_stand_as_it_is_computed(void **state)
{
    (void)state;
    loaded l;
    given_rows(&l);
    l.rows.node_count = 3;
    l.nodes[2] = (ax_node_rec){.node = 1,
                               .state = AX_NODE_ST_SKIPPED,
                               .version = 1,
                               .cause = AX_NONE,
                               .reason = AX_REASON_NOT_TAKEN};
    expect_refused(&l, "node b is SKIPPED (not_taken), but something above is in motion");

    given_rows(&l);
    l.nodes[0].state = AX_NODE_ST_FAILED;
    l.instances[0].state = AX_INSTANCE_FAILED;
    expect_refused(&l, "node b is BLOCKED (none), but something above failed");

    given_rows(&l);
    l.nodes[0].state = AX_NODE_ST_FAILED;
    l.instances[0].state = AX_INSTANCE_FAILED;
    l.rows.node_count = 3;
    l.nodes[2] = (ax_node_rec){.node = 1,
                               .state = AX_NODE_ST_SKIPPED,
                               .version = 1,
                               .cause = 3,
                               .reason = AX_REASON_UPSTREAM_FAILED};
    expect_refused(&l, "no edge leads to its cause");

    given_rows(&l);
    l.nodes[0].state = AX_NODE_ST_SUCCEEDED;
    l.instances[0].state = AX_INSTANCE_SUCCEEDED;
    expect_refused(&l, "node b is BLOCKED (none), but its join holds");
}

static void outputs_are_loaded_for_the_attempt_that_succeeded(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=n:int policy=pause; a -> b; x");
    static const ax_str name = {"n", 1}, value = {"9", 1};
    ax_report report = {.how = AX_REPORT_EXITED, .names = &name, .values = &value, .output_count = 1};
    when_exits(r, "a", 1);
    when(r, AX_EVENT_RETRY, "a");
    when_reports(r, "a", report); /* run.h loads a second view and compares */
    assert_int_equal(ax_view_output(r->view, 0, 0)->u.i, 9);
    end_run(r);
}

static void a_count_that_is_wrong_is_found_out(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b; group g = x; g -> c");
    ax_node_info *b = &r->view->info[test_plan_node(r->plan, "b")];
    b->tally[AX_STAND_UNRESOLVED]--;
    b->tally[AX_STAND_VOID]++;
    ax_err err = {0};
    assert_int_equal(ax_view_check(r->view, &err), AX_INVALID);
    assert_non_null(strstr(err.text, "its counts differ"));
    b->tally[AX_STAND_UNRESOLVED]++;
    b->tally[AX_STAND_VOID]--;
    assert_int_equal(ax_view_check(r->view, &err), AX_OK);
    r->view->totals.places++;
    assert_int_equal(ax_view_check(r->view, &err), AX_INVALID);
    r->view->totals.places--;
    ax_heap_remove(&r->view->ready, test_plan_node(r->plan, "a"));
    assert_int_equal(ax_view_check(r->view, &err), AX_INVALID);
    end_run(r);
}

static void questions_are_open_failures_holds_and_confirmations(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=pause; b idempotent=no retry=1; x -> c; a -> d");
    uint32_t nodes[2] = {0};
    assert_int_equal(ax_view_questions(r->view, nodes, 2), 0);
    when_exits(r, "a", 1);
    when_exits(r, "b", 1);
    when(r, AX_EVENT_HOLD, "c");
    assert_int_equal(ax_view_questions(r->view, nodes, 2), 3);
    assert_int_equal(nodes[0], test_plan_node(r->plan, "a"));
    assert_int_equal(nodes[1], test_plan_node(r->plan, "b"));
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_rows_make_a_view),
        cmocka_unit_test(rows_that_the_plan_does_not_know_are_refused),
        cmocka_unit_test(rows_that_contradict_each_other_are_refused),
        cmocka_unit_test(what_has_not_begun_must_stand_as_it_is_computed),
        cmocka_unit_test(outputs_are_loaded_for_the_attempt_that_succeeded),
        cmocka_unit_test(a_count_that_is_wrong_is_found_out),
        cmocka_unit_test(questions_are_open_failures_holds_and_confirmations),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
