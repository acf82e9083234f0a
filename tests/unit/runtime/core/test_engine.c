/* test_engine.c - the plain course of a run: order, joins, the end. */
#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static void a_chain_runs_in_order_and_succeeds(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c");
    then_nodes(r, "a=ACTIVE b=BLOCKED c=BLOCKED");
    when_exits(r, "a", 0);
    then_nodes(r, "a=SUCCEEDED b=ACTIVE c=BLOCKED");
    when_exits(r, "b", 0);
    when_exits(r, "c", 0);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void a_failure_skips_what_needs_it_and_fails_the_run(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c; a:failed -> d; x -> y");
    when_exits(r, "a", 3);
    then_nodes(r, "a=FAILED:exit b=SKIPPED:upstream_failed c=SKIPPED:upstream_failed d=ACTIVE x=ACTIVE");
    then_cause(r, "c", "a");
    when_exits(r, "d", 0);
    when_exits(r, "x", 0);
    then_run(r, "RUNNING");
    when_exits(r, "y", 0);
    then_run(r, "FAILED");
    end_run(r);
}

static void nothing_begins_before_the_run_is_admitted(void **state)
{
    (void)state;
    test_run *r = given_queued_run("a -> b");
    then_node(r, "a", "BLOCKED");
    assert_int_equal(ax_view_next_ready(r->view), AX_NONE);
    when_refused(r, AX_EVENT_RETRY, "a", "a run that is QUEUED does not accept RETRY");
    when(r, AX_EVENT_ADMIT, NULL);
    then_node(r, "a", "ACTIVE");
    when_refused(r, AX_EVENT_ADMIT, NULL, "RUNNING does not accept ADMIT");
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_runs_in_order_and_succeeds),
        cmocka_unit_test(a_failure_skips_what_needs_it_and_fails_the_run),
        cmocka_unit_test(nothing_begins_before_the_run_is_admitted),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
