/* test_due.c - schedules: instants, business dates and intervals, above all on the days on which clocks
 * change. */
#include <string.h>

#include "tests/lib/test.h"

#include "dsl/base/arena.h"
#include "dsl/model/due.h"
#include "dsl/model/units.h"

static ax_arena mem;

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

static int64_t at(const char *instant)
{
    int64_t ms = 0;
    assert_true(ax_instant_parse(ax_str_of(instant), &ms));
    return ms;
}

static int64_t day(const char *date)
{
    int64_t days = 0;
    assert_true(ax_date_parse(ax_str_of(date), &days));
    return days;
}

static const char *text(int64_t ms)
{
    ax_buf buf = AX_BUF_INIT(64);
    if (ms == AX_DUE_NEVER) ax_buf_adds(&buf, "never");
    else ax_instant_text(ms, &buf);
    const char *copy = ax_str_c(&mem, ax_buf_str(&buf));
    ax_buf_free(&buf);
    return copy;
}

static ax_due opened(const ax_schedule *schedule)
{
    ax_due due;
    ax_err err = {0};
    if (ax_due_open(&mem, schedule, &due, &err)) fail_msg("%s", err.text);
    return due;
}

static ax_due cron(const char *expression, const char *zone)
{
    return opened(&(ax_schedule){.cron = ax_str_of(expression), .timezone = ax_str_of(zone)});
}

static ax_due every(int64_t ms, const char *anchor)
{
    ax_due due = opened(&(ax_schedule){.every_ms = ms});
    if (anchor) due.anchor_ms = at(anchor);
    return due;
}

/* The next instants after a moment, blank-separated. */
static void then_next(const ax_due *due, const char *after, const char *want)
{
    int64_t t = at(after);
    for (const char *word = want; *word; word += strcspn(word, " "), word += strspn(word, " ")) {
        t = ax_due_next(due, t);
        assert_str(ax_str_of(text(t)), ax_str_c(&mem, (ax_str){word, strcspn(word, " ")}));
        if (t == AX_DUE_NEVER) return;
    }
}

static uint32_t count(const ax_due *due, const char *from, const char *to)
{
    ax_due_walk walk = ax_due_dates(due, day(from), day(to));
    ax_due_instant instant;
    uint32_t n = 0;
    for (int64_t last = INT64_MIN; ax_due_walk_next(&walk, &instant); last = instant.at_ms, n++)
        assert_true(instant.at_ms > last && instant.date >= day(from) && instant.date <= day(to));
    return n;
}

/* The instants of some dates, each "INSTANT/HOURS" with the length of its interval. */
static void then_dates(const ax_due *due, const char *from, const char *to, const char *want)
{
    ax_buf got = AX_BUF_INIT(1 << 16);
    ax_due_walk walk = ax_due_dates(due, day(from), day(to));
    ax_due_instant instant;
    while (ax_due_walk_next(&walk, &instant)) {
        if (got.len) ax_buf_addc(&got, ' ');
        ax_buf_addf(&got, "%s/%lld", text(instant.at_ms),
                    (long long)((instant.end_ms - instant.at_ms) / 3600000));
    }
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
}

/* ---- every ---- */

static void a_day_of_real_time_is_not_a_daily_schedule(void **state)
{
    (void)state;
    ax_due a = every(AX_DAY_MS, "2026-03-06T14:00:00Z"), b = cron("0 9 * * *", "America/New_York");
    then_next(&a, "2026-03-06T13:59:59Z",
              "2026-03-06T14:00:00Z 2026-03-07T14:00:00Z 2026-03-08T14:00:00Z 2026-03-09T14:00:00Z");
    then_next(&b, "2026-03-06T13:59:59Z",
              "2026-03-06T14:00:00Z 2026-03-07T14:00:00Z 2026-03-08T13:00:00Z 2026-03-09T13:00:00Z");
}

static void a_restart_does_not_move_the_anchor(void **state)
{
    (void)state;
    ax_due due = every(AX_DAY_MS, "2026-03-06T14:00:00Z");
    then_next(&due, "2026-03-08T02:17:00Z", "2026-03-08T14:00:00Z");
    then_next(&due, "2026-03-08T14:00:00.001Z", "2026-03-09T14:00:00Z");
    then_next(&due, "2026-03-01T00:00:00Z", "2026-03-01T14:00:00Z"); /* also before it */
}

static void the_anchor_is_the_start_or_the_epoch(void **state)
{
    (void)state;
    ax_due plain = every(7 * AX_DAY_MS, NULL);
    then_next(&plain, "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z 1970-01-08T00:00:00Z");
    ax_due started =
        opened(&(ax_schedule){.every_ms = 90 * 60000, .has_start = true, .start_day = day("2026-03-01")});
    then_next(&started, "2020-01-01T00:00:00Z", "2026-03-01T00:00:00Z 2026-03-01T01:30:00Z");
}

static void every_looks_back_too(void **state)
{
    (void)state;
    ax_due due = every(500, "2026-03-06T14:00:00Z");
    assert_string_equal(text(ax_due_prev(&due, at("2026-03-06T14:00:00Z"))), "2026-03-06T13:59:59.500Z");
    assert_string_equal(text(ax_due_prev(&due, at("2026-03-06T14:00:00.001Z"))), "2026-03-06T14:00:00Z");
    assert_string_equal(text(ax_due_next(&due, at("2026-03-06T14:00:00Z"))), "2026-03-06T14:00:00.500Z");
}

static void the_ends_of_time_are_no_instants(void **state)
{
    (void)state;
    ax_due due = every(INT64_MAX / 2, NULL), daily = cron("0 0 * * *", "UTC");
    assert_true(ax_due_next(&due, AX_INSTANT_MAX) == AX_DUE_NEVER);
    assert_true(ax_due_next(&due, 0) == AX_DUE_NEVER);
    assert_true(ax_due_prev(&due, 0) == AX_DUE_NEVER);
    assert_true(ax_due_next(&daily, INT64_MAX) == AX_DUE_NEVER);
    assert_true(ax_due_prev(&daily, INT64_MIN) == AX_DUE_NEVER);
    assert_string_equal(text(ax_due_next(&daily, INT64_MIN)), "0001-01-01T00:00:00Z");
    assert_string_equal(text(ax_due_prev(&daily, INT64_MAX)), "9999-12-31T00:00:00Z");
}

/* ---- start and end ---- */

static void start_and_end_are_local_dates_and_inclusive(void **state)
{
    (void)state;
    ax_due due = opened(&(ax_schedule){.cron = AX_LIT("0 4 * * *"),
                                       .timezone = AX_LIT("America/Los_Angeles"),
                                       .has_start = true,
                                       .start_day = day("2025-04-01"),
                                       .has_end = true,
                                       .end_day = day("2025-04-02")});
    then_next(&due, "2020-01-01T00:00:00Z", "2025-04-01T11:00:00Z 2025-04-02T11:00:00Z never");
    assert_string_equal(text(ax_due_prev(&due, at("2030-01-01T00:00:00Z"))), "2025-04-02T11:00:00Z");
    assert_string_equal(text(ax_due_prev(&due, at("2025-04-02T11:00:00Z"))), "2025-04-01T11:00:00Z");
    assert_string_equal(text(ax_due_prev(&due, at("2025-04-01T11:00:00Z"))), "never");
    then_dates(&due, "2025-03-01", "2025-05-01", "2025-04-01T11:00:00Z/24 2025-04-02T11:00:00Z/24");
}

static void a_day_without_end_has_midnight_and_the_last_second(void **state)
{
    (void)state;
    ax_due due = cron("0,59 0,59 0,23 * * *", "Asia/Tokyo");
    assert_int_equal(count(&due, "2026-06-01", "2026-06-01"), 8);
    ax_due_walk walk = ax_due_dates(&due, day("2026-06-01"), day("2026-06-01"));
    ax_due_instant first;
    assert_true(ax_due_walk_next(&walk, &first));
    assert_string_equal(text(first.at_ms), "2026-05-31T15:00:00Z");
}

/* ---- backfill ranges ---- */

static void a_range_of_dates_is_in_the_zone_of_the_schedule(void **state)
{
    (void)state;
    ax_due due = cron("0 4 * * *", "America/Los_Angeles");
    then_dates(
        &due, "2025-04-01", "2025-04-04",
        "2025-04-01T11:00:00Z/24 2025-04-02T11:00:00Z/24 2025-04-03T11:00:00Z/24 2025-04-04T11:00:00Z/24");
    assert_int_equal(count(&due, "2025-04-01", "2025-04-01"), 1);
    assert_int_equal(count(&due, "2025-04-02", "2025-04-01"), 0);
}

static void a_day_has_23_24_or_25_hours(void **state)
{
    (void)state;
    ax_due hourly = cron("0 * * * *", "America/New_York");
    assert_int_equal(count(&hourly, "2025-11-01", "2025-11-01"), 24);
    assert_int_equal(count(&hourly, "2025-11-02", "2025-11-02"), 25);
    assert_int_equal(count(&hourly, "2025-03-09", "2025-03-09"), 23);
    ax_due_walk walk = ax_due_dates(&hourly, day("2025-11-02"), day("2025-11-02"));
    ax_due_instant i = {0};
    assert_true(ax_due_walk_next(&walk, &i));
    assert_string_equal(text(i.at_ms), "2025-11-02T04:00:00Z");
    while (ax_due_walk_next(&walk, &i)) assert_int_equal(i.end_ms - i.at_ms, 3600000);
    assert_string_equal(text(i.at_ms), "2025-11-03T04:00:00Z");
}

static void daily_intervals_are_as_long_as_their_days(void **state)
{
    (void)state;
    ax_due daily = cron("0 0 * * *", "America/New_York");
    then_dates(&daily, "2025-11-01", "2025-11-03",
               "2025-11-01T04:00:00Z/24 2025-11-02T04:00:00Z/25 2025-11-03T05:00:00Z/24");
    then_dates(&daily, "2026-03-07", "2026-03-08", "2026-03-07T05:00:00Z/24 2026-03-08T05:00:00Z/23");
}

static void the_last_interval_does_not_know_the_end(void **state)
{
    (void)state;
    ax_due due = opened(&(ax_schedule){.cron = AX_LIT("0 0 1 * *"),
                                       .timezone = AX_LIT("UTC"),
                                       .has_end = true,
                                       .end_day = day("2026-02-10")});
    then_dates(&due, "2026-01-01", "2026-12-31", "2026-01-01T00:00:00Z/744 2026-02-01T00:00:00Z/672");
}

static void an_hourly_range_goes_on_from_where_it_stopped(void **state)
{
    (void)state;
    ax_due hourly = cron("0 * * * *", "Europe/London");
    ax_due_walk whole = ax_due_dates(&hourly, day("2026-10-24"), day("2026-10-26")), rest;
    ax_due_instant i, j;
    while (ax_due_walk_next(&whole, &i)) {
        rest = ax_due_dates(&hourly, day("2026-10-24"), day("2026-10-26"));
        rest.after_ms = i.at_ms;
        bool more = ax_due_walk_next(&rest, &j);
        assert_true(more ? j.at_ms == i.end_ms : j.at_ms <= i.at_ms);
    }
}

static void month_ends_are_exact(void **state)
{
    (void)state;
    ax_due last = cron("0 0 L * *", "UTC"), day31 = cron("0 0 31 * *", "UTC"),
           tens = cron("0 0 */10 * *", "UTC");
    then_next(&last, "2028-02-01T00:00:00Z",
              "2028-02-29T00:00:00Z 2028-03-31T00:00:00Z 2028-04-30T00:00:00Z");
    assert_int_equal(count(&day31, "2026-01-01", "2026-12-31"), 7);
    assert_int_equal(count(&tens, "2026-01-01", "2026-03-31"), 11);
}

static void what_never_fires_ends_a_search(void **state)
{
    (void)state;
    ax_due due = cron("0 0 30 2 *", "Europe/Paris");
    assert_true(ax_due_next(&due, 0) == AX_DUE_NEVER);
    assert_true(ax_due_prev(&due, 0) == AX_DUE_NEVER);
    assert_int_equal(count(&due, "2020-01-01", "2030-01-01"), 0);
}

/* ---- business dates ---- */

static void a_gap_over_midnight_keeps_one_instant_a_date(void **state)
{
    (void)state;
    /* Nuuk's clocks jump from 23:00 to midnight on 2025-03-29. */
    ax_due due = cron("30 23 * * *", "America/Nuuk");
    then_dates(&due, "2025-03-28", "2025-03-30",
               "2025-03-29T01:30:00Z/23 2025-03-30T01:00:00Z/23 2025-03-31T00:30:00Z/24");
    assert_int_equal(ax_due_date(&due, at("2025-03-30T01:00:00Z")), day("2025-03-29"));
    assert_int_equal(count(&due, "2025-03-29", "2025-03-29"), 1);
    assert_int_equal(count(&due, "2025-03-30", "2025-03-30"), 1);
    ax_due both = cron("30 23,0 * * *", "America/Nuuk"); /* 00:30 is there; 23:30 is owed at midnight */
    assert_int_equal(count(&both, "2025-03-29", "2025-03-30"), 4);
}

static void a_gap_at_midnight_fires_on_its_own_date(void **state)
{
    (void)state;
    /* Cairo's clocks jump from midnight to 01:00 on 2025-04-25. */
    ax_due due = cron("0 0 * * *", "Africa/Cairo");
    then_dates(&due, "2025-04-24", "2025-04-26",
               "2025-04-23T22:00:00Z/24 2025-04-24T22:00:00Z/23 2025-04-25T21:00:00Z/24");
}

static void clocks_set_back_over_midnight_show_yesterday_again(void **state)
{
    (void)state;
    /* St John's went back from 00:01 to 23:01 the day before on 2006-10-29. */
    ax_due due = cron("*/30 * * * *", "America/St_Johns");
    assert_int_equal(count(&due, "2006-10-28", "2006-10-28"), 49);
    assert_int_equal(count(&due, "2006-10-29", "2006-10-29"), 49);
    ax_due daily = cron("0 0 * * *", "America/St_Johns");
    then_dates(&daily, "2006-10-28", "2006-10-30",
               "2006-10-28T02:30:00Z/24 2006-10-29T02:30:00Z/25 2006-10-30T03:30:00Z/24");
    ax_due bounded = opened(&(ax_schedule){.cron = AX_LIT("*/30 * * * *"),
                                           .timezone = AX_LIT("America/St_Johns"),
                                           .has_start = true,
                                           .start_day = day("2006-10-29")});
    then_next(&bounded, "2006-10-28T00:00:00Z", "2006-10-29T02:30:00Z 2006-10-29T03:30:00Z");
    assert_string_equal(text(ax_due_prev(&bounded, at("2006-10-29T03:30:00Z"))), "2006-10-29T02:30:00Z");
    assert_string_equal(text(ax_due_prev(&bounded, at("2006-10-29T02:30:00Z"))), "never");
}

static void a_date_that_was_left_out_has_no_instant(void **state)
{
    (void)state;
    ax_due due = cron("0 12 * * *", "Pacific/Apia"); /* no 2011-12-30 there */
    assert_int_equal(count(&due, "2011-12-30", "2011-12-30"), 0);
    assert_int_equal(count(&due, "2011-12-29", "2011-12-31"), 2);
}

/* ---- all together ---- */

static void next_and_previous_agree_around_every_change_of_offset(void **state)
{
    (void)state;
    static const char *const zones[] = {"America/New_York", "Europe/London",       "America/St_Johns",
                                        "Pacific/Apia",     "Australia/Lord_Howe", "America/Nuuk",
                                        "Africa/Casablanca"};
    static const char *const expressions[] = {"*/7 * * * *", "30 2 * * *", "0 0,1,2,23 * * *",
                                              "15 */2 * * *"};
    for (size_t z = 0; z < sizeof zones / sizeof *zones; z++) {
        for (size_t e = 0; e < sizeof expressions / sizeof *expressions; e++) {
            ax_due due = cron(expressions[e], zones[z]);
            int64_t t = at("2006-09-01T00:00:00Z");
            for (int n = 0; n < 3000; n++) {
                int64_t next = ax_due_next(&due, t);
                assert_true(next > t);
                assert_int_equal(ax_due_next(&due, next - 1), next);
                assert_int_equal(ax_due_prev(&due, next + 1), next);
                if (n) assert_int_equal(ax_due_prev(&due, next), t);
                assert_int_equal(ax_due_interval_end(&due, next), ax_due_next(&due, next));
                t = next;
            }
        }
    }
}

static void what_is_wrong_with_a_schedule_is_said(void **state)
{
    (void)state;
    ax_due due;
    ax_err err = {0};
    const ax_schedule bad = {.cron = AX_LIT("61 * * * *"), .timezone = AX_LIT("UTC")};
    assert_int_equal(ax_due_open(&mem, &bad, &due, &err), AX_INVALID);
    assert_string_equal(err.text, "cron \"61 * * * *\": the minute field goes from 0 to 59");
    const ax_schedule nowhere = {.cron = AX_LIT("1 * * * *"), .timezone = AX_LIT("Europe/Pariss")};
    assert_int_equal(ax_due_open(&mem, &nowhere, &due, &err), AX_INVALID);
    assert_int_equal(ax_due_open(&mem, &(ax_schedule){0}, &due, &err), AX_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_day_of_real_time_is_not_a_daily_schedule),
        cmocka_unit_test(a_restart_does_not_move_the_anchor),
        cmocka_unit_test(the_anchor_is_the_start_or_the_epoch),
        cmocka_unit_test(every_looks_back_too),
        cmocka_unit_test(the_ends_of_time_are_no_instants),
        cmocka_unit_test(start_and_end_are_local_dates_and_inclusive),
        cmocka_unit_test(a_day_without_end_has_midnight_and_the_last_second),
        cmocka_unit_test(a_range_of_dates_is_in_the_zone_of_the_schedule),
        cmocka_unit_test(a_day_has_23_24_or_25_hours),
        cmocka_unit_test(daily_intervals_are_as_long_as_their_days),
        cmocka_unit_test(the_last_interval_does_not_know_the_end),
        cmocka_unit_test(an_hourly_range_goes_on_from_where_it_stopped),
        cmocka_unit_test(month_ends_are_exact),
        cmocka_unit_test(what_never_fires_ends_a_search),
        cmocka_unit_test(a_gap_over_midnight_keeps_one_instant_a_date),
        cmocka_unit_test(a_gap_at_midnight_fires_on_its_own_date),
        cmocka_unit_test(clocks_set_back_over_midnight_show_yesterday_again),
        cmocka_unit_test(a_date_that_was_left_out_has_no_instant),
        cmocka_unit_test(next_and_previous_agree_around_every_change_of_offset),
        cmocka_unit_test(what_is_wrong_with_a_schedule_is_said),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, teardown);
}
