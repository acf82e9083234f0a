/* test_command.c - what a person may do to nodes, and who is told that it is too late. */
#include <string.h>

#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static void a_hold_keeps_a_node_from_beginning_until_it_is_released(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c; x");
    when(r, AX_EVENT_HOLD, "b");
    then_nodes(r, "b=HELD c=HELD");
    when_exits(r, "a", 0);
    when_exits(r, "x", 0);
    then_run(r, "PAUSED");
    then_node(r, "b", "HELD");
    when_refused(r, AX_EVENT_RELEASE, "c", "nobody holds it");
    when(r, AX_EVENT_HOLD, "b"); /* again: changes nothing */
    when(r, AX_EVENT_RELEASE, "b");
    then_nodes(r, "b=ACTIVE c=BLOCKED");
    then_run(r, "RUNNING");
    when_refused(r, AX_EVENT_HOLD, "b", "ACTIVE does not accept HOLD");
    when_refused(r, AX_EVENT_SKIP, "b", "ACTIVE does not accept SKIP");
    end_run(r);
}

static void a_held_node_is_skipped_with_its_join(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b; x");
    when(r, AX_EVENT_HOLD, "b");
    when_exits(r, "a", 1);
    then_nodes(r, "b=SKIPPED:upstream_failed");
    when(r, AX_EVENT_RETRY, "a");
    then_nodes(r, "b=HELD"); /* the person still holds it */
    when_exits(r, "a", 1);
    when(r, AX_EVENT_RELEASE, "b");
    then_nodes(r, "b=SKIPPED:upstream_failed");
    end_run(r);
}

static void a_node_that_waits_for_a_question_may_be_held_too(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=pause; a -> b; x");
    when_exits(r, "a", 1);
    then_node(r, "b", "HELD");
    when(r, AX_EVENT_HOLD, "b");
    when(r, AX_EVENT_ACCEPT, "a");
    then_node(r, "b", "HELD");
    when(r, AX_EVENT_RELEASE, "b");
    then_node(r, "b", "ACTIVE");
    end_run(r);
}

static void a_skip_by_hand_is_a_path_not_taken_and_final(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c; b:skipped -> d");
    when(r, AX_EVENT_SKIP, "b");
    then_nodes(r, "b=SKIPPED:by_hand c=SKIPPED:not_taken d=ACTIVE");
    when_exits(r, "a", 0);
    then_nodes(r, "b=SKIPPED:by_hand");
    when_refused(r, AX_EVENT_SKIP, "b", "SKIPPED does not accept SKIP");
    end_run(r);
}

static void a_command_for_an_attempt_that_moved_on_is_refused(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=pause; b");
    when_exits(r, "a", 1);
    ax_event retry = {.kind = AX_EVENT_RETRY, .attempt = 1};
    assert_int_equal(step(r, retry), AX_OK);
    when_exits(r, "a", 1);
    assert_int_equal(step(r, retry), AX_REFUSED);
    assert_non_null(strstr(r->err.text, "it has moved on: attempt 1 was meant, attempt 2 is the newest"));
    retry.attempt = 0; /* whichever it is */
    assert_int_equal(step(r, retry), AX_OK);
    end_run(r);
}

static void a_retry_opens_again_what_was_skipped_below(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c; x");
    when_exits(r, "a", 1);
    when(r, AX_EVENT_RETRY, "a");
    then_nodes(r, "a=ACTIVE b=BLOCKED c=BLOCKED");
    when_exits(r, "a", 0);
    then_nodes(r, "b=ACTIVE c=BLOCKED");
    when_refused(r, AX_EVENT_RETRY, "a", "SUCCEEDED does not accept RETRY");
    end_run(r);
}

static void an_ended_run_takes_no_command(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    when_exits(r, "a", 1);
    static const ax_event_kind kinds[] = {AX_EVENT_RETRY,   AX_EVENT_SKIP,    AX_EVENT_ACCEPT, AX_EVENT_HOLD,
                                          AX_EVENT_RELEASE, AX_EVENT_CONFIRM, AX_EVENT_REJECT};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        when_refused(r, kinds[i], "a", "a run that is FAILED does not accept");
    when_refused(r, AX_EVENT_CANCEL, NULL, "FAILED does not accept CANCEL");
    when_refused(r, AX_EVENT_PAUSE, NULL, "a run that is FAILED does not accept PAUSE");
    end_run(r);
}

static void what_a_person_did_is_logged_with_name_and_reason(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=pause; a -> b; c");
    when_exits(r, "a", 1);
    begin_turn(r);
    when(r, AX_EVENT_RETRY, "a");
    assert_int_equal(r->turn.log.at[0].machine, AX_MACHINE_NODE);
    assert_int_equal(r->turn.log.at[0].event, AX_NODE_EV_RETRY);
    assert_str(r->turn.log.at[0].source, "MANUAL_OVERRIDE");
    assert_str(r->turn.log.at[0].person, "anna");
    assert_str(r->turn.log.at[0].reason, "because");
    const ax_log_rec *last = &r->turn.log.at[r->turn.log.len - 1]; /* what follows from it is the engine's */
    assert_int_equal(last->node, test_plan_node(r->plan, "b"));
    assert_str(last->source, "engine");
    assert_str(last->person, "");
    assert_str(last->event_id, "event");
    end_turn(r);
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hold_keeps_a_node_from_beginning_until_it_is_released),
        cmocka_unit_test(a_held_node_is_skipped_with_its_join),
        cmocka_unit_test(a_node_that_waits_for_a_question_may_be_held_too),
        cmocka_unit_test(a_skip_by_hand_is_a_path_not_taken_and_final),
        cmocka_unit_test(a_command_for_an_attempt_that_moved_on_is_refused),
        cmocka_unit_test(a_retry_opens_again_what_was_skipped_below),
        cmocka_unit_test(an_ended_run_takes_no_command),
        cmocka_unit_test(what_a_person_did_is_logged_with_name_and_reason),
    };
    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
