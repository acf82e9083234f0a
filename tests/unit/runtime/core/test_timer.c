/* test_timer.c - what is over when its time is over. */
#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static void an_attempt_is_stopped_and_is_timeout_when_nothing_of_it_runs(void **state)
{
    (void)state;
    test_run *r = given_run("a timeout=5000; a -> b");
    when_passes(r, 10000); /* the time counts from its dispatch */
    then_attempt(r, "a", 1, "READY");
    when_starts(r, "a");
    assert_int_equal(ax_view_next_due(r->view), r->now_ms + 5000);
    when_passes(r, 4999);
    then_attempt(r, "a", 1, "RUNNING");
    when_passes(r, 1);
    then_attempt(r, "a", 1, "TIMING_OUT");
    assert_int_equal(effects(r, "a", AX_EFFECT_STOP), 1);
    assert_int_equal(ax_view_places(r->view), 1); /* it keeps its place until nothing runs */
    when_passes(r, 100000);
    assert_int_equal(effects(r, "a", AX_EFFECT_STOP), 1);
    when_reports(r, "a", REPORT_STOPPED);
    then_attempt(r, "a", 1, "TIMEOUT");
    then_nodes(r, "a=FAILED:timeout b=SKIPPED:upstream_failed");
    end_run(r);
}

static void a_success_that_comes_late_is_still_one(void **state)
{
    (void)state;
    test_run *r = given_run("a timeout=5000 retry=1; a -> b");
    when_starts(r, "a");
    when_passes(r, 5000);
    when_exits(r, "a", 0);
    then_nodes(r, "a=SUCCEEDED b=ACTIVE");
    then_attempts(r, "a", 1);
    end_run(r);
}

static void a_failure_while_it_is_stopped_is_its_timeout(void **state)
{
    (void)state;
    test_run *r = given_run("a timeout=5000 retry=1 on=timeout wait=1; b");
    when_starts(r, "a");
    when_passes(r, 5000);
    when_exits(r, "a", 143);
    then_attempt(r, "a", 1, "TIMEOUT");
    then_attempt(r, "a", 2, "RETRYING"); /* retried for its timeout */
    assert_int_equal(ax_view_attempt(r->view, 0, 1)->exit_code, 143);
    end_run(r);
}

static void several_times_are_over_at_once(void **state)
{
    (void)state;
    test_run *r = given_run("a timeout=1000; b timeout=3000; c retry=1 wait=2000");
    when_starts(r, "a");
    when_starts(r, "b");
    when_exits(r, "c", 1);
    when_passes(r, 2000);
    then_attempt(r, "a", 1, "TIMING_OUT");
    then_attempt(r, "b", 1, "RUNNING");
    then_attempt(r, "c", 2, "READY");
    assert_int_equal(ax_view_next_due(r->view), r->now_ms + 1000);
    end_run(r);
}

static test_run *given_run_with_timeout(const char *text, int64_t timeout_ms)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_plan *plan = test_plan(&mem, text);
    plan->timeout_ms = timeout_ms;
    test_run *r = given_run_of(plan, mem, "{}");
    r->now_ms += 5000; /* waiting in the queue does not count */
    when(r, AX_EVENT_ADMIT, NULL);
    return r;
}

static void a_run_whose_time_is_over_drains_and_has_failed(void **state)
{
    (void)state;
    test_run *r = given_run_with_timeout("a -> b; f finally=yes", 60000);
    when_starts(r, "a");
    assert_int_equal(ax_view_next_due(r->view), r->now_ms + 60000);
    when(r, AX_EVENT_PAUSE, NULL); /* a pause does not stop its clock */
    when_passes(r, 60000);
    then_run(r, "ABORTING");
    then_nodes(r, "a=ACTIVE b=CANCELLED f=BLOCKED");
    when_reports(r, "a", REPORT_STOPPED);
    when_exits(r, "f", 0);
    then_run(r, "FAILED");
    end_run(r);
}

static void a_run_whose_time_is_over_in_the_step_of_an_abort_drains_once(void **state)
{
    (void)state;
    test_run *r = given_run_with_timeout("a retry=1 wait=1000 policy=abort run=once; b", 2000);
    when_starts(r, "b");
    when_exits(r, "a", 1);
    when_passes(r, 2000); /* a is due, can't be rendered, and aborts */
    then_nodes(r, "a=FAILED:render");
    then_run(r, "ABORTING");
    assert_int_equal(logged(r, NULL, "ABORT"), 1);
    when_reports(r, "b", REPORT_STOPPED);
    then_run(r, "FAILED");
    end_run(r);
}

static void a_run_that_ends_in_time_has_no_timer_left(void **state)
{
    (void)state;
    test_run *r = given_run_with_timeout("a", 60000);
    when_exits(r, "a", 0);
    then_run(r, "SUCCEEDED");
    assert_int_equal(ax_view_next_due(r->view), INT64_MAX);
    when_passes(r, 60000);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attempt_is_stopped_and_is_timeout_when_nothing_of_it_runs),
        cmocka_unit_test(a_success_that_comes_late_is_still_one),
        cmocka_unit_test(a_failure_while_it_is_stopped_is_its_timeout),
        cmocka_unit_test(several_times_are_over_at_once),
        cmocka_unit_test(a_run_whose_time_is_over_drains_and_has_failed),
        cmocka_unit_test(a_run_whose_time_is_over_in_the_step_of_an_abort_drains_once),
        cmocka_unit_test(a_run_that_ends_in_time_has_no_timer_left),
    };
    return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
