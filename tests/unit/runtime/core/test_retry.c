/* test_retry.c - budgets, waits, reasons, and work that must not be done twice (case O-19). */
#include <stdio.h>

#include "runtime/core/step_int.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static void max_counts_retries_and_a_person_gives_a_full_budget_again(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=2 wait=1000 policy=pause");
    for (uint32_t attempt = 1; attempt <= 3; attempt++) {
        if (attempt > 1) when_passes(r, 1000);
        when_exits(r, "a", 1);
    }
    then_attempts(r, "a", 3);
    then_node(r, "a", "FAILED");
    assert_int_equal(logged(r, "a", "FAIL"), 1);
    assert_int_equal(ax_view_attempt(r->view, 0, 1)->retry_of, 0);
    assert_int_equal(ax_view_attempt(r->view, 0, 3)->retry_of, 2);

    when(r, AX_EVENT_RETRY, "a");
    then_attempt(r, "a", 4, "READY"); /* no backoff */
    when_exits(r, "a", 1);
    when_passes(r, 1000);
    when_exits(r, "a", 1);
    when_passes(r, 1000);
    then_attempts(r, "a", 6);
    when_exits(r, "a", 1);
    then_node(r, "a", "FAILED");
    end_run(r);
}

static void without_a_retry_there_is_one_attempt(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=0");
    when_exits(r, "a", 1);
    then_attempts(r, "a", 1);
    then_run(r, "FAILED");
    end_run(r);
}

static void the_third_try_may_succeed(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=2");
    when_exits(r, "a", 1);
    when_reports(r, "a", REPORT_KILLED);
    when_exits(r, "a", 0);
    then_attempts(r, "a", 3);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void only_reasons_in_on_are_retried(void **state)
{
    (void)state;
    static const struct {
        ax_report report;
        bool retried;
    } cases[] = {
        {{.how = AX_REPORT_EXITED, .exit_code = 75}, true},
        {{.how = AX_REPORT_EXITED, .exit_code = 76}, false},
        {{.how = AX_REPORT_SIGNALED, .signal = 75}, false},
        {{.how = AX_REPORT_LOST}, true},
        {{.how = AX_REPORT_NOT_STARTED}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_run *r = given_run("a retry=1 on=exit:75,lost,timeout wait=1000; b");
        when_reports(r, "a", cases[i].report);
        then_attempts(r, "a", cases[i].retried ? 2 : 1);
        end_run(r);
    }
}

static void what_cannot_be_rendered_is_not_retried(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=3 on=any run=bad; b");
    then_nodes(r, "a=FAILED:render");
    then_attempts(r, "a", 1);
    when(r, AX_EVENT_RETRY, "a");
    then_attempts(r, "a", 2);
    then_nodes(r, "a=FAILED:render");
    end_run(r);
}

static int64_t wait_of(const ax_retry *retry, uint32_t attempt)
{
    ax_def def = {.retry = *retry};
    ax_node_rec node = {.node = 3, .attempt = attempt, .budget_from = 1};
    return ax_retry_wait_ms(&def, 7, &node);
}

static void waits_follow_the_list_and_then_its_last(void **state)
{
    (void)state;
    static const int64_t waits[] = {30000, 300000};
    ax_retry retry = {.backoff = AX_BACKOFF_LIST, .waits_ms = waits, .wait_count = 2};
    assert_int_equal(wait_of(&retry, 1), 30000);
    assert_int_equal(wait_of(&retry, 2), 300000);
    assert_int_equal(wait_of(&retry, 9), 300000);
    assert_int_equal(wait_of(&(ax_retry){.backoff = AX_BACKOFF_LIST}, 1), 0);
}

static void waits_grow_by_the_factor_up_to_the_cap(void **state)
{
    (void)state;
    ax_retry retry = {.backoff = AX_BACKOFF_EXPONENTIAL, .base_ms = 1000, .factor = 2, .cap_ms = 5000};
    assert_int_equal(wait_of(&retry, 1), 1000);
    assert_int_equal(wait_of(&retry, 2), 2000);
    assert_int_equal(wait_of(&retry, 3), 4000);
    assert_int_equal(wait_of(&retry, 4), 5000);
    retry.cap_ms = 0;
    assert_int_equal(wait_of(&retry, 5000), INT64_C(366) * 86400000); /* a year is the end of it */
}

static void jitter_makes_the_wait_longer_by_up_to_its_part_and_is_always_the_same(void **state)
{
    (void)state;
    static const int64_t waits[] = {100000};
    ax_retry retry = {.backoff = AX_BACKOFF_LIST, .waits_ms = waits, .wait_count = 1, .jitter = 0.1};
    int64_t least = INT64_MAX, most = 0;
    for (uint32_t attempt = 1; attempt <= 200; attempt++) {
        int64_t wait_ms = wait_of(&retry, attempt);
        assert_int_equal(wait_ms, wait_of(&retry, attempt));
        assert_in_range(wait_ms, 100000, 110000);
        if (wait_ms < least) least = wait_ms;
        if (wait_ms > most) most = wait_ms;
    }
    assert_true(least < 101000 && most > 109000);
}

static void the_wait_ends_when_it_is_due_and_not_before(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=1 wait=1000");
    when_exits(r, "a", 1);
    assert_int_equal(ax_view_next_due(r->view), r->now_ms + 1000);
    when_passes(r, 999);
    then_attempt(r, "a", 2, "RETRYING");
    when_passes(r, 1);
    then_attempt(r, "a", 2, "READY");
    end_run(r);
}

/* ---- confirmations ---- */

static void a_person_is_asked_before_work_is_done_twice(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=1 idempotent=no; a -> b");
    when_exits(r, "a", 1);
    then_attempt(r, "a", 2, "WAITING_CONFIRM");
    then_nodes(r, "a=ACTIVE b=BLOCKED");
    when_refused(r, AX_EVENT_RELEASE, "a", "nobody holds it");
    when(r, AX_EVENT_CONFIRM, "a");
    then_attempt(r, "a", 2, "READY");
    when_refused(r, AX_EVENT_CONFIRM, "a", "it asks for no confirmation");
    when_exits(r, "a", 0);
    then_node(r, "b", "ACTIVE");
    end_run(r);
}

static void a_rejected_retry_fails_the_node_with_the_first_reason(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=5 idempotent=no policy=pause");
    when_exits(r, "a", 1);
    when(r, AX_EVENT_REJECT, "a");
    then_attempt(r, "a", 2, "CANCELLED");
    then_nodes(r, "a=FAILED:exit");
    then_run(r, "PAUSED");
    when(r, AX_EVENT_RETRY, "a");
    then_attempt(r, "a", 3, "READY"); /* a person's retry asks no question */
    end_run(r);
}

static void a_try_that_took_effect_is_accepted(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=1 idempotent=no; a -> b");
    when_reports(r, "a", REPORT_LOST);
    when(r, AX_EVENT_ACCEPT, "a");
    then_attempt(r, "a", 2, "CANCELLED");
    then_nodes(r, "a=SUCCEEDED b=ACTIVE");
    end_run(r);
}

static void nobody_is_asked_about_a_try_that_never_started(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=1 idempotent=no");
    when_reports(r, "a", REPORT_NOT_STARTED);
    then_attempt(r, "a", 2, "READY");
    end_run(r);
}

static void a_retry_by_a_person_needs_a_join_that_holds(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=ignore; a -> b; x");
    when_exits(r, "a", 1);
    when_exits(r, "b", 1);
    when(r, AX_EVENT_RETRY, "a");
    when_refused(r, AX_EVENT_RETRY, "b", "its join does not hold now");
    when_exits(r, "a", 0);
    when(r, AX_EVENT_RETRY, "b");
    then_node(r, "b", "ACTIVE");
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(max_counts_retries_and_a_person_gives_a_full_budget_again),
        cmocka_unit_test(without_a_retry_there_is_one_attempt),
        cmocka_unit_test(the_third_try_may_succeed),
        cmocka_unit_test(only_reasons_in_on_are_retried),
        cmocka_unit_test(what_cannot_be_rendered_is_not_retried),
        cmocka_unit_test(waits_follow_the_list_and_then_its_last),
        cmocka_unit_test(waits_grow_by_the_factor_up_to_the_cap),
        cmocka_unit_test(jitter_makes_the_wait_longer_by_up_to_its_part_and_is_always_the_same),
        cmocka_unit_test(the_wait_ends_when_it_is_due_and_not_before),
        cmocka_unit_test(a_person_is_asked_before_work_is_done_twice),
        cmocka_unit_test(a_rejected_retry_fails_the_node_with_the_first_reason),
        cmocka_unit_test(a_try_that_took_effect_is_accepted),
        cmocka_unit_test(nobody_is_asked_about_a_try_that_never_started),
        cmocka_unit_test(a_retry_by_a_person_needs_a_join_that_holds),
    };
    return cmocka_run_group_tests_name("retry", tests, NULL, NULL);
}
