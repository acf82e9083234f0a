/* test_drain.c - cancel in every state, aborts, and what `finally` nodes do then (case O-21). */
#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static void a_cancel_during_the_wait_before_a_retry_ends_it(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=5 wait=60000; a -> b");
    when_exits(r, "a", 1);
    when_passes(r, 5000);
    when(r, AX_EVENT_CANCEL, NULL);
    then_attempt(r, "a", 2, "CANCELLED");
    then_nodes(r, "a=CANCELLED:cancelled b=CANCELLED:cancelled");
    then_run(r, "CANCELLED");
    when_passes(r, 600000);
    then_attempts(r, "a", 2);
    when(r, AX_EVENT_CANCEL, NULL); /* again: changes nothing, and is no error */
    assert_int_equal(logged(r, NULL, "CANCEL"), 1);
    end_run(r);
}

static void a_cancel_reaches_attempts_in_every_state(void **state)
{
    (void)state;
    test_run *r = given_run("ready; runs; times timeout=1000; asks idempotent=no retry=1; held; x -> held");
    when(r, AX_EVENT_HOLD, "held");
    when_exits(r, "asks", 1);
    when_starts(r, "times");
    when_passes(r, 1000);
    when_starts(r, "runs");
    when(r, AX_EVENT_CANCEL, NULL);
    then_run(r, "CANCELLING");
    then_nodes(r, "ready=CANCELLED asks=CANCELLED held=CANCELLED runs=ACTIVE times=ACTIVE");
    then_attempt(r, "runs", 1, "CANCELLING");
    then_attempt(r, "times", 1, "CANCELLING");
    assert_int_equal(effects(r, "runs", AX_EFFECT_STOP), 1);
    assert_int_equal(effects(r, "times", AX_EFFECT_STOP), 1); /* it is being stopped already */
    assert_int_equal(effects(r, "ready", AX_EFFECT_STOP), 0);
    when_reports(r, "runs", REPORT_STOPPED);
    when_exits(r, "times", 1);
    then_nodes(r, "runs=CANCELLED times=CANCELLED");
    then_run(r, "CANCELLED");
    end_run(r);
}

static void what_had_finished_first_succeeded_and_unlocks_nothing(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b");
    when_starts(r, "a");
    when(r, AX_EVENT_CANCEL, NULL);
    when_exits(r, "a", 0);
    then_attempt(r, "a", 1, "SUCCEEDED");
    then_nodes(r, "a=SUCCEEDED b=CANCELLED");
    then_run(r, "CANCELLED");
    end_run(r);
}

static void a_lost_attempt_ends_a_cancel_unconfirmed(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=3");
    when_starts(r, "a");
    when(r, AX_EVENT_CANCEL, NULL);
    when_reports(r, "a", REPORT_LOST);
    then_attempt(r, "a", 1, "CANCELLED");
    assert_true(ax_view_current(r->view, 0)->unconfirmed);
    then_run(r, "CANCELLED");
    end_run(r);
}

static void a_cancel_withdraws_open_questions(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=pause; a -> b; c");
    when_starts(r, "c");
    when_exits(r, "a", 1);
    when(r, AX_EVENT_CANCEL, NULL);
    then_nodes(r, "a=FAILED:exit b=CANCELLED");
    assert_int_equal(ax_view_questions(r->view, NULL, 0), 0);
    when_refused(r, AX_EVENT_SKIP, "a", "a run that is CANCELLING does not accept SKIP");
    when_refused(r, AX_EVENT_PAUSE, NULL, "a run that is CANCELLING does not accept PAUSE");
    end_run(r);
}

static void a_queued_run_is_cancelled_at_once_and_cleans_nothing_up(void **state)
{
    (void)state;
    test_run *r = given_queued_run("a; f finally=yes");
    when(r, AX_EVENT_CANCEL, NULL);
    then_nodes(r, "a=CANCELLED f=CANCELLED");
    then_run(r, "CANCELLED");
    end_run(r);
}

/* ---- finally ---- */

static void finally_begins_when_all_others_have_ended(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b; f finally=yes");
    then_nodes(r, "f=BLOCKED");
    when_exits(r, "a", 1);
    then_nodes(r, "b=SKIPPED f=ACTIVE");
    when_exits(r, "f", 0);
    then_run(r, "FAILED");
    end_run(r);
}

static void a_failed_finally_fails_a_run_that_would_have_succeeded(void **state)
{
    (void)state;
    test_run *r = given_run("a; f finally=yes");
    when_exits(r, "a", 0);
    when_exits(r, "f", 1);
    then_run(r, "FAILED");
    end_run(r);
}

static void finally_waits_for_answers(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=pause; f finally=yes");
    when_exits(r, "a", 1);
    then_nodes(r, "f=BLOCKED");
    then_run(r, "PAUSED");
    when(r, AX_EVENT_SKIP, "a");
    then_nodes(r, "f=ACTIVE");
    then_run(r, "RUNNING");
    end_run(r);
}

static void finally_runs_after_a_cancel_has_drained(void **state)
{
    (void)state;
    test_run *r = given_run("a; f finally=yes retry=1; f2 finally=yes; f -> f2");
    when(r, AX_EVENT_PAUSE, NULL);
    when(r, AX_EVENT_RESUME, NULL);
    when_starts(r, "a");
    when(r, AX_EVENT_PAUSE, NULL); /* a pause gates no clean-up */
    when(r, AX_EVENT_CANCEL, NULL);
    then_nodes(r, "f=BLOCKED f2=BLOCKED");
    when_reports(r, "a", REPORT_STOPPED);
    then_nodes(r, "a=CANCELLED f=ACTIVE");
    then_run(r, "CANCELLING");
    when_exits(r, "f", 1);
    then_attempt(r, "f", 2, "READY"); /* its retries are its own */
    when_exits(r, "f", 0);
    when_exits(r, "f2", 0);
    then_run(r, "CANCELLED");
    end_run(r);
}

static void a_cancel_spares_finally_nodes_that_run(void **state)
{
    (void)state;
    test_run *r = given_run("a; f finally=yes");
    when_exits(r, "a", 0);
    when_starts(r, "f");
    when(r, AX_EVENT_CANCEL, NULL);
    then_run(r, "CANCELLING");
    then_attempt(r, "f", 1, "RUNNING");
    assert_int_equal(effects(r, "f", AX_EFFECT_STOP), 0);
    when_exits(r, "f", 0);
    then_run(r, "CANCELLED");
    end_run(r);
}

static void finally_may_ask_how_another_node_ended(void **state)
{
    (void)state;
    test_run *r = given_run("a:failed -> f; a:done -> g; f finally=yes; g finally=yes; b");
    when_exits(r, "a", 1);
    then_nodes(r, "f=BLOCKED g=BLOCKED");
    when(r, AX_EVENT_CANCEL, NULL);
    then_nodes(r, "b=CANCELLED f=ACTIVE g=ACTIVE");
    end_run(r);

    r = given_run("a -> f; a:done -> g; f finally=yes; g finally=yes");
    when(r, AX_EVENT_CANCEL, NULL);
    then_nodes(r, "a=CANCELLED f=SKIPPED:upstream_failed g=ACTIVE");
    end_run(r);
}

static void a_held_finally_does_not_keep_a_cancelled_run_waiting(void **state)
{
    (void)state;
    test_run *r = given_run("a; f finally=yes");
    when(r, AX_EVENT_HOLD, "f");
    when(r, AX_EVENT_CANCEL, NULL);
    then_nodes(r, "f=ACTIVE");
    when_exits(r, "f", 0);
    then_run(r, "CANCELLED");
    end_run(r);
}

static void a_retry_above_takes_back_the_turn_of_finally_nodes_that_have_not_begun(void **state)
{
    (void)state;
    test_run *r = given_run("a; f finally=yes; g finally=yes; f -> g");
    when_exits(r, "a", 1);
    when_exits(r, "f", 0);
    then_nodes(r, "g=ACTIVE");
    end_run(r);

    r = given_run("a; f finally=yes; g finally=yes; f -> g");
    when_exits(r, "a", 1);
    when(r, AX_EVENT_RETRY, "a");
    when_exits(r, "f", 0);
    then_nodes(r, "a=ACTIVE g=BLOCKED");
    when_exits(r, "a", 0);
    then_nodes(r, "g=ACTIVE");
    end_run(r);
}

static void no_other_node_may_stand_behind_a_finally_node(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_plan *plan = test_plan(&mem, "f -> a; f finally=yes");
    ax_run_rows rows = {.run = ax_run_new(plan, 1)};
    ax_view *view;
    ax_err err = {0};
    assert_int_equal(ax_view_build(&mem, plan, &rows, &view, &err), AX_INVALID);
    assert_string_equal(err.text, "plan w: no edge from f may end at a");
    ax_arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cancel_during_the_wait_before_a_retry_ends_it),
        cmocka_unit_test(a_cancel_reaches_attempts_in_every_state),
        cmocka_unit_test(what_had_finished_first_succeeded_and_unlocks_nothing),
        cmocka_unit_test(a_lost_attempt_ends_a_cancel_unconfirmed),
        cmocka_unit_test(a_cancel_withdraws_open_questions),
        cmocka_unit_test(a_queued_run_is_cancelled_at_once_and_cleans_nothing_up),
        cmocka_unit_test(finally_begins_when_all_others_have_ended),
        cmocka_unit_test(a_failed_finally_fails_a_run_that_would_have_succeeded),
        cmocka_unit_test(finally_waits_for_answers),
        cmocka_unit_test(finally_runs_after_a_cancel_has_drained),
        cmocka_unit_test(a_cancel_spares_finally_nodes_that_run),
        cmocka_unit_test(finally_may_ask_how_another_node_ended),
        cmocka_unit_test(a_held_finally_does_not_keep_a_cancelled_run_waiting),
        cmocka_unit_test(a_retry_above_takes_back_the_turn_of_finally_nodes_that_have_not_begun),
        cmocka_unit_test(no_other_node_may_stand_behind_a_finally_node),
    };
    return cmocka_run_group_tests_name("drain", tests, NULL, NULL);
}
