/* test_cron.c - cron expressions: parsing, daylight saving, month ends, and a comparison with a plain minute
 * walk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dsl/base/arena.h"
#include "dsl/model/cron.h"
#include "dsl/model/units.h"

#define MINUTE 60
#define DAY (24 * 3600)

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
    return ms / 1000;
}

static const char *text(int64_t s)
{
    if (s == AX_CRON_NEVER) return "never";
    ax_buf buf = AX_BUF_INIT(64);
    ax_instant_text(s * 1000, &buf);
    const char *copy = ax_str_c(&mem, ax_buf_str(&buf));
    ax_buf_free(&buf);
    return copy;
}

static ax_cron parsed(const char *expression)
{
    ax_cron cron;
    ax_cron_error error;
    if (!ax_cron_parse(ax_str_of(expression), &cron, &error)) fail_msg("'%s': %s", expression, error.text);
    return cron;
}

static const ax_zone *zone(const char *name)
{
    const ax_zone *z = NULL;
    ax_err err = {0};
    if (ax_zone_load(&mem, ax_str_of(name), &z, &err) != AX_OK) fail_msg("%s: %s", name, err.text);
    return z;
}

static ax_cron_rules rules_of(const char *name)
{
    return (ax_cron_rules){.zone = zone(name)};
}

/* `want` lists the firings after `after`, 20 characters each, separated by spaces. */
static void expect_rules(const char *expression, ax_cron_rules rules, const char *after, const char *want)
{
    ax_cron cron = parsed(expression);
    ax_buf got = AX_BUF_INIT(8192);
    int64_t t = at(after);
    for (size_t i = 0, n = (strlen(want) + 1) / 21; i < n && t != AX_CRON_NEVER; i++) {
        t = ax_cron_next(&cron, &rules, t);
        ax_buf_addf(&got, "%s%s", i > 0 ? " " : "", text(t));
    }
    assert_string_equal(ax_str_c(&mem, ax_buf_str(&got)), want);
    ax_buf_free(&got);
}

static void expect(const char *expression, const char *zone_name, const char *after, const char *want)
{
    expect_rules(expression, rules_of(zone_name), after, want);
}

/* ---- daylight saving (cases O-01 to O-03) ---- */

static void a_fixed_time_in_a_gap_fires_once_at_its_end(void **state)
{
    (void)state;
    expect("30 2 * * *", "America/New_York", "2026-03-07T05:00:00Z",
           "2026-03-07T07:30:00Z 2026-03-08T07:00:00Z 2026-03-09T06:30:00Z 2026-03-10T06:30:00Z");
}

static void a_gap_is_left_out_if_the_schedule_says_skip(void **state)
{
    (void)state;
    ax_cron_rules rules = rules_of("America/New_York");
    rules.gap = AX_GAP_SKIP;
    expect_rules("30 2 * * *", rules, "2026-03-07T05:00:00Z",
                 "2026-03-07T07:30:00Z 2026-03-09T06:30:00Z 2026-03-10T06:30:00Z 2026-03-11T06:30:00Z");
}

static void several_wall_times_of_one_gap_fire_once(void **state)
{
    (void)state;
    expect("5,30,59 2 * * *", "America/New_York", "2026-03-08T05:00:00Z",
           "2026-03-08T07:00:00Z 2026-03-09T06:05:00Z 2026-03-09T06:30:00Z");
}

static void a_fixed_time_that_comes_twice_fires_as_the_schedule_says(void **state)
{
    (void)state;
    ax_cron_rules rules = rules_of("America/New_York");
    expect_rules("30 1 * * *", rules, "2026-10-31T04:00:00Z",
                 "2026-10-31T05:30:00Z 2026-11-01T05:30:00Z 2026-11-02T06:30:00Z 2026-11-03T06:30:00Z");
    rules.fold = AX_FOLD_SECOND;
    expect_rules("30 1 * * *", rules, "2026-10-31T06:00:00Z", "2026-11-01T06:30:00Z 2026-11-02T06:30:00Z");
    rules.fold = AX_FOLD_BOTH;
    expect_rules("30 1 * * *", rules, "2026-10-31T06:00:00Z",
                 "2026-11-01T05:30:00Z 2026-11-01T06:30:00Z 2026-11-02T06:30:00Z");
}

static void a_star_in_minute_or_hour_follows_real_time(void **state)
{
    (void)state;
    expect("*/20 * * * *", "Europe/London", "2026-10-24T23:39:00Z",
           "2026-10-24T23:40:00Z 2026-10-25T00:00:00Z 2026-10-25T00:20:00Z 2026-10-25T00:40:00Z "
           "2026-10-25T01:00:00Z 2026-10-25T01:20:00Z 2026-10-25T01:40:00Z 2026-10-25T02:00:00Z");
    expect("*/20 1 * * *", "America/New_York", "2026-11-01T00:00:00Z",
           "2026-11-01T05:00:00Z 2026-11-01T05:20:00Z 2026-11-01T05:40:00Z 2026-11-01T06:00:00Z "
           "2026-11-01T06:20:00Z 2026-11-01T06:40:00Z 2026-11-02T06:00:00Z");
    expect("*/30 * * * *", "America/New_York", "2026-03-08T06:30:00Z",
           "2026-03-08T07:00:00Z 2026-03-08T07:30:00Z");
}

/* The search must not pass over the second pass because the next new wall time is far away. */
static void the_second_pass_of_a_rare_day_is_found(void **state)
{
    (void)state;
    expect("0 * 1 11 *", "America/New_York", "2026-11-01T04:30:00Z",
           "2026-11-01T05:00:00Z 2026-11-01T06:00:00Z 2026-11-01T07:00:00Z");
    expect("* 1 1 11 *", "America/New_York", "2026-11-01T05:58:30Z",
           "2026-11-01T05:59:00Z 2026-11-01T06:00:00Z 2026-11-01T06:01:00Z");
    expect("0 * 30 9 *", "Asia/Krasnoyarsk", "1982-09-30T14:30:00Z",
           "1982-09-30T15:00:00Z 1982-09-30T16:00:00Z 1983-09-29T16:00:00Z");
    ax_cron cron = parsed("30 * 1 11 *");
    ax_cron_rules rules = rules_of("America/New_York");
    assert_string_equal(text(ax_cron_prev(&cron, &rules, at("2026-11-01T06:30:00Z"))),
                        "2026-11-01T05:30:00Z");
    cron = parsed("45 1 1 11 *");
    rules.fold = AX_FOLD_BOTH;
    assert_string_equal(text(ax_cron_prev(&cron, &rules, at("2026-11-01T06:15:00Z"))),
                        "2026-11-01T05:45:00Z");
}

static void hour_ranges_do_not_slide_after_a_change(void **state)
{
    (void)state;
    expect("0 7-21 * * *", "Europe/Paris", "2023-10-28T19:00:00Z",
           "2023-10-29T06:00:00Z 2023-10-29T07:00:00Z 2023-10-29T08:00:00Z");
    expect("0,15,30,45 6-22 * * *", "Europe/Brussels", "2023-10-28T20:45:00Z",
           "2023-10-29T05:00:00Z 2023-10-29T05:15:00Z");
}

static void a_day_that_never_was_is_not_caught_up(void **state)
{
    (void)state;
    expect("0 12 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", "2011-12-29T22:00:00Z 2011-12-30T22:00:00Z");
}

/* ---- fields (cases O-04 to O-07) ---- */

static void day_fields_are_joined_by_the_classic_rule(void **state)
{
    (void)state;
    expect("30 4 1,15 * 5", "UTC", "2026-05-01T00:00:00Z",
           "2026-05-01T04:30:00Z 2026-05-08T04:30:00Z 2026-05-15T04:30:00Z 2026-05-22T04:30:00Z "
           "2026-05-29T04:30:00Z 2026-06-01T04:30:00Z");
    expect("0 0 * * */2", "UTC", "2025-12-31T23:59:00Z",
           "2026-01-01T00:00:00Z 2026-01-03T00:00:00Z 2026-01-04T00:00:00Z 2026-01-06T00:00:00Z "
           "2026-01-08T00:00:00Z");
    expect("0 0 */2 * 3", "UTC", "2026-06-01T00:00:00Z",
           "2026-06-03T00:00:00Z 2026-06-17T00:00:00Z 2026-07-01T00:00:00Z");
}

static void a_leap_day_is_found_and_an_impossible_date_ends(void **state)
{
    (void)state;
    expect("0 9 29 2 *", "UTC", "2026-01-01T00:00:00Z",
           "2028-02-29T09:00:00Z 2032-02-29T09:00:00Z 2036-02-29T09:00:00Z");
    expect("0 9 29 2 *", "UTC", "2028-02-29T09:00:00Z", "2032-02-29T09:00:00Z");
    ax_cron leap = parsed("0 9 29 2 *"), never = parsed("0 0 30 2 *"), april = parsed("0 0 31 4 *");
    ax_cron_rules rules = rules_of("UTC");
    assert_string_equal(text(ax_cron_prev(&leap, &rules, at("2027-12-07T12:00:00Z"))),
                        "2024-02-29T09:00:00Z");
    assert_false(ax_cron_fires(&never));
    assert_false(ax_cron_fires(&april));
    assert_true(ax_cron_fires(&leap));
    assert_string_equal(text(ax_cron_next(&never, &rules, at("2026-01-01T00:00:00Z"))), "never");
    assert_string_equal(text(ax_cron_prev(&never, &rules, at("2026-01-01T00:00:00Z"))), "never");
}

static void sunday_may_be_seven_and_end_a_range(void **state)
{
    (void)state;
    const char *weekend =
        "2026-06-05T08:00:00Z 2026-06-06T08:00:00Z 2026-06-07T08:00:00Z 2026-06-12T08:00:00Z";
    expect("0 8 * * fri-sun", "UTC", "2026-06-01T00:00:00Z", weekend);
    expect("0 8 * * 5-7", "UTC", "2026-06-01T00:00:00Z", weekend);
    expect("0 8 * * 0,7", "UTC", "2026-06-01T00:00:00Z", "2026-06-07T08:00:00Z 2026-06-14T08:00:00Z");
    expect("0 8 * * 1-7", "UTC", "2026-06-05T09:00:00Z",
           "2026-06-06T08:00:00Z 2026-06-07T08:00:00Z 2026-06-08T08:00:00Z");
}

static void steps_restart_at_the_fields_edge_and_say_so(void **state)
{
    (void)state;
    expect("*/45 * * * *", "UTC", "2026-05-31T23:59:00Z",
           "2026-06-01T00:00:00Z 2026-06-01T00:45:00Z 2026-06-01T01:00:00Z 2026-06-01T01:45:00Z");
    expect("40 14/2 * * *", "UTC", "2026-06-01T00:00:00Z",
           "2026-06-01T14:40:00Z 2026-06-01T16:40:00Z 2026-06-01T18:40:00Z 2026-06-01T20:40:00Z "
           "2026-06-01T22:40:00Z 2026-06-02T14:40:00Z");
    ax_cron uneven = parsed("*/45 * * * *"), even = parsed("*/15 * * * *");
    assert_int_equal(uneven.uneven_len, 4);
    assert_int_equal(even.uneven_len, 0);
}

static void short_months_are_neither_skipped_nor_stretched(void **state)
{
    (void)state;
    expect("0 0 31 * *", "UTC", "2026-01-01T00:00:00Z",
           "2026-01-31T00:00:00Z 2026-03-31T00:00:00Z 2026-05-31T00:00:00Z 2026-07-31T00:00:00Z "
           "2026-08-31T00:00:00Z 2026-10-31T00:00:00Z 2026-12-31T00:00:00Z");
    expect("0 0 29 * *", "UTC", "2026-01-30T00:00:00Z", "2026-03-29T00:00:00Z 2026-04-29T00:00:00Z");
    expect("0 0 */10 * *", "UTC", "2026-02-01T00:00:00Z",
           "2026-02-11T00:00:00Z 2026-02-21T00:00:00Z 2026-03-01T00:00:00Z 2026-03-11T00:00:00Z");
    expect("0 0 L * *", "UTC", "2028-01-31T00:00:00Z", "2028-02-29T00:00:00Z 2028-03-31T00:00:00Z");
}

static void day_forms_find_their_day(void **state)
{
    (void)state;
    expect("0 0 L-2 * *", "UTC", "2026-02-01T00:00:00Z", "2026-02-26T00:00:00Z 2026-03-29T00:00:00Z");
    expect("0 0 LW * *", "UTC", "2026-05-01T00:00:00Z", "2026-05-29T00:00:00Z 2026-06-30T00:00:00Z");
    expect("0 0 1W * *", "UTC", "2026-07-31T00:00:00Z", "2026-08-03T00:00:00Z 2026-09-01T00:00:00Z");
    expect("0 0 * * 5L", "UTC", "2026-05-01T00:00:00Z", "2026-05-29T00:00:00Z 2026-06-26T00:00:00Z");
    expect("0 0 * * mon#2", "UTC", "2026-06-01T00:00:00Z", "2026-06-08T00:00:00Z 2026-07-13T00:00:00Z");
    expect("0 30 12 ? * mon-fri", "UTC", "2026-06-05T13:00:00Z", "2026-06-08T12:30:00Z");
    expect("15 0 0 1 1 ?", "UTC", "2026-06-05T13:00:00Z", "2027-01-01T00:00:15Z");
}

static void a_wrong_expression_is_refused_at_its_column(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        uint32_t at;
        const char *part; /* of the message */
    } rows[] = {
        {"*/0 * * * *", 1, "step of 0"},
        {"60 * * * *", 0, "minute field goes from 0 to 59"},
        {"0 0 0 * *", 4, "day-of-month field goes from 1 to 31"},
        {"0 0 * 13 *", 6, "month field goes from 1 to 12"},
        {"0 8 * * 8", 8, "day-of-week field goes from 0 to 7"},
        {"0 8 * *", 0, "this one has 4"},
        {"", 0, "this one has 0"},
        {"0,15, * * * *", 5, "ends too early"},
        {"1--3 * * * *", 2, "needs a number"},
        {"99999999999999999999 * * * *", 0, "minute field goes"},
        {"0 8 * * 5-1", 8, "backwards"},
        {"0 8 * * 5#6", 8, "at most five"},
        {"0 8 * foo *", 6, "'foo' is no value"},
        {"0 8 * janx *", 6, "'janx' is no value"},
        {"@sometimes", 0, "no schedule"},
        {"* * * * * * *", 0, "this one has 7"},
        {"5/ * * * *", 1, "needs a number"},
        {"1;2 * * * *", 1, "does not belong"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ax_cron cron;
        ax_cron_error error;
        if (ax_cron_parse(ax_str_of(rows[i].expression), &cron, &error))
            fail_msg("accepted: %s", rows[i].expression);
        assert_int_equal(error.at, rows[i].at);
        if (strstr(error.text, rows[i].part) == NULL) fail_msg("%s: %s", rows[i].expression, error.text);
    }
}

/* ---- against a plain walk over minutes ---- */

static bool day_matches(const ax_cron *c, int64_t days)
{
    int year, month, day;
    ax_date_civil(days, &year, &month, &day);
    int weekday = (int)((days + 4) % 7);
    bool date = c->day >> day & 1, week = c->weekday >> weekday & 1;
    bool either = !c->day_star && !c->weekday_star;
    return (c->month >> month & 1) && (either ? date || week : date && week);
}

static bool wall_matches(const ax_cron *c, int64_t local)
{
    int64_t days = local / DAY, in_day = local % DAY;
    return day_matches(c, days) && (c->hour >> (in_day / 3600) & 1) && (c->minute >> (in_day / 60 % 60) & 1);
}

/* By definition, minute after minute: what R1 and R1w say of this instant. */
static bool fires_at(const ax_cron *c, const ax_zone *z, int64_t t)
{
    int32_t offset = ax_zone_offset(z, t), before = ax_zone_offset(z, t - 1);
    bool first_pass = true, changed = ax_zone_offset(z, t - 3 * 3600) != offset;
    for (int64_t back = MINUTE; back <= 3 * 3600 && changed && !c->real_time; back += MINUTE)
        if (t - back + ax_zone_offset(z, t - back) == t + offset) first_pass = false;
    if (wall_matches(c, t + offset) && first_pass) return true;
    if (c->real_time || offset <= before || offset - before >= 3 * 3600) return false;
    for (int64_t wall = t + before; wall < t + offset; wall += MINUTE)
        if (wall_matches(c, wall)) return true;
    return false;
}

static void next_and_prev_agree_with_a_walk_over_every_minute(void **state)
{
    (void)state;
    static const char *const zones[] = {"America/New_York",  "Europe/Berlin",    "Australia/Lord_Howe",
                                        "Europe/Dublin",     "America/St_Johns", "Asia/Kathmandu",
                                        "Africa/Casablanca", "America/Havana"};
    static const char *const expressions[] = {"30 2 * * *",   "0 0 * * *",          "15,45 1-3 * * *",
                                              "*/20 * * * *", "*/15 2 * * *",       "10 * * * *",
                                              "59 23 * * 0",  "0 3 29,30,31 3,10 *"};
    static const char *const starts[] = {"2026-03-05T00:00:00Z", "2026-03-27T00:00:00Z",
                                         "2026-04-03T00:00:00Z", "2026-10-02T00:00:00Z",
                                         "2026-10-23T00:00:00Z", "2026-10-30T00:00:00Z"};
    for (size_t z = 0; z < sizeof zones / sizeof *zones; z++) {
        ax_cron_rules rules = rules_of(zones[z]);
        for (size_t e = 0; e < sizeof expressions / sizeof *expressions; e++) {
            ax_cron cron = parsed(expressions[e]);
            for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
                int64_t from = at(starts[s]), to = from + 5 * DAY, last = AX_CRON_NEVER;
                int64_t next = ax_cron_next(&cron, &rules, from - 1);
                for (int64_t t = from; t < to; t += MINUTE) {
                    if (!fires_at(&cron, rules.zone, t)) continue;
                    if (next != t)
                        fail_msg("%s %s: walk %s, next %s", zones[z], expressions[e], text(t), text(next));
                    if (last != AX_CRON_NEVER) assert_int_equal(ax_cron_prev(&cron, &rules, t), last);
                    last = t;
                    next = ax_cron_next(&cron, &rules, t);
                }
                if (next < to)
                    fail_msg("%s %s: next %s is not in the walk", zones[z], expressions[e], text(next));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_time_in_a_gap_fires_once_at_its_end),
        cmocka_unit_test(a_gap_is_left_out_if_the_schedule_says_skip),
        cmocka_unit_test(several_wall_times_of_one_gap_fire_once),
        cmocka_unit_test(a_fixed_time_that_comes_twice_fires_as_the_schedule_says),
        cmocka_unit_test(a_star_in_minute_or_hour_follows_real_time),
        cmocka_unit_test(the_second_pass_of_a_rare_day_is_found),
        cmocka_unit_test(hour_ranges_do_not_slide_after_a_change),
        cmocka_unit_test(a_day_that_never_was_is_not_caught_up),
        cmocka_unit_test(day_fields_are_joined_by_the_classic_rule),
        cmocka_unit_test(a_leap_day_is_found_and_an_impossible_date_ends),
        cmocka_unit_test(sunday_may_be_seven_and_end_a_range),
        cmocka_unit_test(steps_restart_at_the_fields_edge_and_say_so),
        cmocka_unit_test(short_months_are_neither_skipped_nor_stretched),
        cmocka_unit_test(day_forms_find_their_day),
        cmocka_unit_test(a_wrong_expression_is_refused_at_its_column),
        cmocka_unit_test(next_and_prev_agree_with_a_walk_over_every_minute),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
