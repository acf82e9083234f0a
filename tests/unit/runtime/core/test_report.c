/* test_report.c - what workers say: ends, late and repeated reports, outputs (cases O-22, O-23). */
#include "dsl/base/utf8.h"
#include "runtime/core/view_int.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static void expect_end(ax_report report, const char *attempt, ax_reason reason)
{
    test_run *r = given_run("a; b");
    when_reports(r, "a", report);
    then_attempt(r, "a", 1, attempt);
    assert_int_equal(ax_view_current(r->view, 0)->reason, reason);
    assert_int_equal(ax_view_node(r->view, 0)->reason, reason);
    end_run(r);
}

static void every_way_to_end_has_its_reason(void **state)
{
    (void)state;
    expect_end((ax_report){.how = AX_REPORT_EXITED}, "SUCCEEDED", AX_REASON_NONE);
    expect_end((ax_report){.how = AX_REPORT_EXITED, .exit_code = 3}, "FAILED", AX_REASON_EXIT);
    expect_end(REPORT_KILLED, "FAILED", AX_REASON_SIGNAL);
    expect_end(REPORT_LOST, "FAILED", AX_REASON_LOST);
    expect_end(REPORT_NOT_STARTED, "FAILED", AX_REASON_START);
    expect_end(REPORT_STOPPED, "FAILED", AX_REASON_SIGNAL); /* nobody of ours asked for it */
}

static void an_attempt_that_was_not_dispatched_takes_no_report(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    when_refused(r, AX_EVENT_REPORT, "a", "READY does not accept SUCCESS");
    end_run(r);
}

static void a_dispatch_is_taken_once(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=1 wait=1");
    when_starts(r, "a");
    when_refused(r, AX_EVENT_DISPATCH, "a", "RUNNING does not accept DISPATCH");
    assert_int_equal(effects(r, "a", AX_EFFECT_START), 1);
    when_exits(r, "a", 1);
    assert_int_equal(step(r, (ax_event){.kind = AX_EVENT_DISPATCH, .attempt = 1}), AX_REFUSED);
    end_run(r);
}

static void the_same_report_twice_changes_nothing_the_second_time(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=1 wait=1000; a -> b");
    when_exits(r, "a", 1);
    uint32_t rows = r->log_rows;
    when_late(r, "a", 1, (ax_report){.how = AX_REPORT_EXITED, .exit_code = 1});
    assert_int_equal(r->log_rows, rows);
    then_attempts(r, "a", 2);
    end_run(r);
}

/* A timeout of which the worker says nothing; its retry runs elsewhere. */
static test_run *given_a_lost_timeout(const char *plan)
{
    test_run *r = given_run(plan);
    when_starts(r, "a");
    when_passes(r, 5000);
    then_attempt(r, "a", 1, "TIMING_OUT");
    when_reports(r, "a", REPORT_LOST);
    then_attempt(r, "a", 1, "TIMEOUT");
    assert_true(ax_view_attempt(r->view, 0, 1)->unconfirmed);
    return r;
}

static void a_late_report_is_a_ghost_and_changes_nothing(void **state)
{
    (void)state;
    test_run *r = given_a_lost_timeout("a timeout=5000 retry=1 on=timeout,lost; a -> b");
    when_starts(r, "a");
    when_late(r, "a", 1, (ax_report){.how = AX_REPORT_EXITED});
    then_attempt(r, "a", 1, "TIMEOUT");
    then_attempt(r, "a", 2, "RUNNING");
    assert_int_equal(logged(r, "a", "GHOST"), 1);
    assert_false(ax_view_attempt(r->view, 0, 1)->unconfirmed);
    when_late(r, "a", 1, (ax_report){.how = AX_REPORT_EXITED});
    assert_int_equal(logged(r, "a", "GHOST"), 1);
    when_exits(r, "a", 1);
    then_nodes(r, "a=FAILED:exit b=SKIPPED:upstream_failed");
    end_run(r);
}

static void a_lost_try_that_is_not_idempotent_starts_nothing_by_itself(void **state)
{
    (void)state;
    test_run *r = given_a_lost_timeout("a timeout=5000 retry=1 on=timeout,lost idempotent=no");
    then_attempt(r, "a", 2, "WAITING_CONFIRM");
    when_passes(r, 1000000);
    then_attempt(r, "a", 2, "WAITING_CONFIRM");
    end_run(r);
}

static void one_lost_worker_is_punished_once(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=2 on=lost");
    when_reports(r, "a", REPORT_LOST);
    when_late(r, "a", 1, REPORT_LOST);
    when_starts(r, "a");
    for (int sweep = 0; sweep < 5; sweep++) when_late(r, "a", 1, REPORT_LOST);
    then_attempts(r, "a", 2);
    assert_int_equal(logged(r, "a", "LOST"), 1);
    when_exits(r, "a", 0);
    when_late(r, "a", 1, REPORT_LOST);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void a_ghost_of_an_ended_run_changes_nothing(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    when_reports(r, "a", REPORT_LOST);
    then_run(r, "FAILED");
    when_late(r, "a", 1, (ax_report){.how = AX_REPORT_EXITED});
    then_run(r, "FAILED");
    assert_int_equal(logged(r, "a", "GHOST"), 1);
    end_run(r);
}

/* ---- outputs ---- */

static ax_report with_output(const char *name, const char *value)
{
    static ax_str names[1], values[1];
    names[0] = ax_str_of(name);
    values[0] = ax_str_of(value);
    return (ax_report){.how = AX_REPORT_EXITED, .names = names, .values = values, .output_count = 1};
}

static void an_output_is_read_as_its_type(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=rows:int; a -> b");
    assert_null(ax_view_output(r->view, 0, 0));
    when_reports(r, "a", with_output("rows", "42"));
    then_node(r, "b", "ACTIVE");
    assert_int_equal(ax_view_output(r->view, 0, 0)->u.i, 42);
    end_run(r);
}

static void an_output_that_is_missing_or_wrong_fails_the_attempt(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=rows:int retry=1 wait=1; b");
    when_exits(r, "a", 0);
    then_attempt(r, "a", 1, "FAILED");
    assert_int_equal(ax_view_attempt(r->view, 0, 1)->reason, AX_REASON_OUTPUT);
    assert_str(ax_view_attempt(r->view, 0, 1)->message, "output 'rows' was not written");
    when_passes(r, 1);
    when_reports(r, "a", with_output("rows", "many"));
    then_nodes(r, "a=FAILED:output");
    end_run(r);
}

static void why_the_worker_could_not_read_the_outputs_is_said(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=rows:int");
    when_reports(r, "a", (ax_report){.how = AX_REPORT_EXITED, .message = AX_LIT("its output is too long")});
    assert_str(ax_view_current(r->view, 0)->message, "output 'rows' was not written: its output is too long");
    end_run(r);
}

static void a_message_without_end_is_cut_between_characters(void **state)
{
    (void)state;
    static char text[10001];
    text[0] = 'x';
    for (size_t i = 1; i < sizeof text - 1; i++) text[i] = i % 2 ? '\xc3' : '\xa9'; /* é */
    test_run *r = given_run("a");
    when_reports(r, "a", (ax_report){.how = AX_REPORT_NOT_STARTED, .message = {text, 9999}});
    ax_str message = ax_view_current(r->view, 0)->message;
    assert_int_equal(message.len, 4095);
    assert_int_equal(ax_utf8_invalid(message), message.len);
    end_run(r);
}

static void an_output_may_have_a_default(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=rows:int=7");
    when_exits(r, "a", 0);
    assert_int_equal(ax_view_output(r->view, 0, 0)->u.i, 7);
    end_run(r);
}

static void an_undeclared_output_is_noted_and_ignored(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    when_reports(r, "a", with_output("rows", "42"));
    then_run(r, "SUCCEEDED");
    assert_str(ax_view_current(r->view, 0)->message, "no such outputs are declared: 'rows'");
    end_run(r);
}

static void an_attempt_that_timed_out_may_still_have_its_outputs(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=rows:int timeout=1000; b outputs=rows:int timeout=1000; c");
    when_starts(r, "a");
    when_starts(r, "b");
    when_passes(r, 1000);
    when_reports(r, "a", with_output("rows", "1"));
    then_node(r, "a", "SUCCEEDED");
    when_exits(r, "b", 0); /* without its output it is no success */
    then_attempt(r, "b", 1, "TIMEOUT");
    end_run(r);
}

static void a_person_who_accepts_may_give_outputs(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=rows:int policy=pause; a -> b; b after=a.rows; x");
    when_exits(r, "a", 1);
    ax_event accept = {.kind = AX_EVENT_ACCEPT, .report = with_output("rows", "x")};
    assert_int_equal(step(r, accept), AX_INVALID);
    accept.report = with_output("rowz", "5");
    assert_int_equal(step(r, accept), AX_INVALID);
    accept.report = with_output("rows", "5");
    assert_int_equal(step(r, accept), AX_OK);
    assert_int_equal(ax_view_output(r->view, 0, 0)->u.i, 5);
    then_attempt(r, "b", 1, "READY");
    end_run(r);
}

static void what_needs_an_output_that_nobody_gave_fails(void **state)
{
    (void)state;
    test_run *r = given_run("a outputs=rows:int policy=pause; a -> b; b after=a.rows; x");
    when_exits(r, "a", 1);
    when(r, AX_EVENT_ACCEPT, "a");
    assert_null(ax_view_output(r->view, 0, 0));
    then_nodes(r, "a=SUCCEEDED b=FAILED:render");
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_end_has_its_reason),
        cmocka_unit_test(an_attempt_that_was_not_dispatched_takes_no_report),
        cmocka_unit_test(a_dispatch_is_taken_once),
        cmocka_unit_test(the_same_report_twice_changes_nothing_the_second_time),
        cmocka_unit_test(a_late_report_is_a_ghost_and_changes_nothing),
        cmocka_unit_test(a_lost_try_that_is_not_idempotent_starts_nothing_by_itself),
        cmocka_unit_test(one_lost_worker_is_punished_once),
        cmocka_unit_test(a_ghost_of_an_ended_run_changes_nothing),
        cmocka_unit_test(an_output_is_read_as_its_type),
        cmocka_unit_test(an_output_that_is_missing_or_wrong_fails_the_attempt),
        cmocka_unit_test(why_the_worker_could_not_read_the_outputs_is_said),
        cmocka_unit_test(a_message_without_end_is_cut_between_characters),
        cmocka_unit_test(an_output_may_have_a_default),
        cmocka_unit_test(an_undeclared_output_is_noted_and_ignored),
        cmocka_unit_test(an_attempt_that_timed_out_may_still_have_its_outputs),
        cmocka_unit_test(a_person_who_accepts_may_give_outputs),
        cmocka_unit_test(what_needs_an_output_that_nobody_gave_fails),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
