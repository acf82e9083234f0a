/* test_policy.c - what a failure does under each policy, and how a person's answer ends an open one. */
#include "tests/lib/run.h"
#include "tests/lib/test.h"

/* a fails under the policy; a plain, a failed and a done edge stand behind it. */
static test_run *given_failure(const char *policy)
{
    char text[128];
    ax_str plan = {0};
    ax_arena mem = AX_ARENA_INIT;
    plan = ax_str_fmt(&mem, "a policy=%s; a -> b; a:failed -> c; a:done -> d; x", policy);
    assert_true(plan.len < sizeof text);
    test_run *r = given_run(ax_str_c(&mem, plan));
    ax_arena_free(&mem);
    when_exits(r, "a", 1);
    return r;
}

static void skip_skips_what_needs_it_and_goes_on(void **state)
{
    (void)state;
    test_run *r = given_failure("skip");
    then_nodes(r, "a=FAILED:exit b=SKIPPED:upstream_failed c=ACTIVE d=ACTIVE x=ACTIVE");
    end_run(r);
}

static void ignore_goes_on_as_if_it_had_succeeded(void **state)
{
    (void)state;
    test_run *r = given_failure("ignore");
    then_nodes(r, "a=FAILED:exit b=ACTIVE c=SKIPPED:not_taken d=ACTIVE");
    when_exits(r, "b", 0);
    when_exits(r, "d", 0);
    when_exits(r, "x", 0);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void branch_takes_the_failed_path_and_the_run_may_succeed(void **state)
{
    (void)state;
    test_run *r = given_failure("branch");
    then_nodes(r, "a=FAILED:exit b=SKIPPED:not_taken c=ACTIVE d=ACTIVE");
    when_exits(r, "c", 0);
    when_exits(r, "d", 0);
    when_exits(r, "x", 0);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void abort_stops_everything_and_the_run_fails(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=abort; a -> b; a:failed -> c; x -> y; z; e");
    when_starts(r, "x");
    when_exits(r, "e", 0);
    when_exits(r, "a", 1);
    then_run(r, "ABORTING");
    then_nodes(r, "a=FAILED:exit b=CANCELLED c=CANCELLED y=CANCELLED z=CANCELLED e=SUCCEEDED x=ACTIVE");
    then_attempt(r, "x", 1, "CANCELLING");
    assert_int_equal(effects(r, "x", AX_EFFECT_STOP), 1);
    when_refused(r, AX_EVENT_RETRY, "a", "a run that is ABORTING does not accept RETRY");
    when_refused(r, AX_EVENT_CANCEL, NULL, "ABORTING does not accept CANCEL");
    when_reports(r, "x", REPORT_STOPPED);
    then_nodes(r, "x=CANCELLED:cancelled");
    then_run(r, "FAILED");
    end_run(r);
}

static void an_abort_in_the_middle_of_a_step_lets_nothing_more_begin(void **state)
{
    (void)state;
    /* Both unlock with s, in this order; the first can't be rendered. */
    test_run *r = given_run("b run=bad policy=abort; s -> b; s -> c");
    when_exits(r, "s", 0);
    then_nodes(r, "b=FAILED:render c=CANCELLED");
    then_attempts(r, "c", 0);
    then_run(r, "FAILED");
    end_run(r);
}

static void pause_holds_what_needs_it_while_other_branches_go_on(void **state)
{
    (void)state;
    test_run *r = given_failure("pause");
    then_nodes(r, "a=FAILED:exit b=HELD c=ACTIVE d=HELD x=ACTIVE");
    then_run(r, "RUNNING");
    when_exits(r, "x", 0);
    when_exits(r, "c", 0);
    then_run(r, "PAUSED");
    when_refused(r, AX_EVENT_RESUME, NULL, "it waits for an answer on a");
    uint32_t node = 99;
    assert_int_equal(ax_view_questions(r->view, &node, 1), 1);
    assert_int_equal(node, 0);
    end_run(r);
}

static void an_open_failure_is_retried(void **state)
{
    (void)state;
    test_run *r = given_failure("pause");
    when(r, AX_EVENT_RETRY, "a");
    then_nodes(r, "a=ACTIVE b=BLOCKED c=ACTIVE d=BLOCKED");
    when_exits(r, "a", 0);
    then_nodes(r, "a=SUCCEEDED b=ACTIVE d=ACTIVE");
    end_run(r);
}

static void an_open_failure_is_given_up(void **state)
{
    (void)state;
    test_run *r = given_failure("pause");
    when(r, AX_EVENT_SKIP, "a");
    then_nodes(r, "a=FAILED:exit b=SKIPPED:upstream_failed d=ACTIVE");
    when_refused(r, AX_EVENT_SKIP, "a", "FAILED does not accept SKIP");
    when(r, AX_EVENT_RETRY, "a"); /* a person may, as long as the run lives */
    then_nodes(r, "a=ACTIVE b=BLOCKED d=ACTIVE");
    end_run(r);
}

static void an_open_failure_is_accepted(void **state)
{
    (void)state;
    test_run *r = given_failure("pause");
    when(r, AX_EVENT_ACCEPT, "a");
    then_nodes(r, "a=SUCCEEDED b=ACTIVE c=ACTIVE d=ACTIVE");
    when_exits(r, "b", 0);
    when_exits(r, "c", 0);
    when_exits(r, "d", 0);
    when_exits(r, "x", 0);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void a_run_paused_by_a_person_and_a_question_needs_both_to_go_on(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=pause; a -> b");
    when_exits(r, "a", 1);
    then_run(r, "PAUSED");
    when(r, AX_EVENT_PAUSE, NULL);
    when(r, AX_EVENT_RESUME, NULL);
    then_run(r, "PAUSED");
    when_refused(r, AX_EVENT_RESUME, NULL, "waits for an answer");
    when(r, AX_EVENT_PAUSE, NULL);
    when(r, AX_EVENT_ACCEPT, "a");
    then_run(r, "PAUSED");
    assert_int_equal(ax_view_next_ready(r->view), AX_NONE);
    when(r, AX_EVENT_RESUME, NULL);
    then_run(r, "RUNNING");
    end_run(r);
}

static void the_cause_is_the_node_that_failed_and_stays_while_it_explains_the_skip(void **state)
{
    (void)state;
    test_run *r = given_run("[a, b] -> c -> d; x");
    when_exits(r, "b", 1);
    when_exits(r, "a", 1);
    then_cause(r, "d", "b");
    when(r, AX_EVENT_RETRY, "b");
    then_cause(r, "c", "a");
    then_cause(r, "d", "a");
    assert_int_equal(logged(r, "d", "REVISE"), 1);
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skip_skips_what_needs_it_and_goes_on),
        cmocka_unit_test(ignore_goes_on_as_if_it_had_succeeded),
        cmocka_unit_test(branch_takes_the_failed_path_and_the_run_may_succeed),
        cmocka_unit_test(abort_stops_everything_and_the_run_fails),
        cmocka_unit_test(an_abort_in_the_middle_of_a_step_lets_nothing_more_begin),
        cmocka_unit_test(pause_holds_what_needs_it_while_other_branches_go_on),
        cmocka_unit_test(an_open_failure_is_retried),
        cmocka_unit_test(an_open_failure_is_given_up),
        cmocka_unit_test(an_open_failure_is_accepted),
        cmocka_unit_test(a_run_paused_by_a_person_and_a_question_needs_both_to_go_on),
        cmocka_unit_test(the_cause_is_the_node_that_failed_and_stays_while_it_explains_the_skip),
    };
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
