/* test_cron_words.c - what is said about a cron expression: its words, its warnings, and what a change of
 * clocks does to it.
 */
#include "tests/lib/test.h"

#include "dsl/model/cron_change.h"
#include "dsl/model/cron_words.h"
#include "dsl/model/units.h"

static ax_arena mem;

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

static ax_cron parsed(const char *expression)
{
    ax_cron cron;
    ax_cron_error error;
    if (!ax_cron_parse(ax_str_of(expression), &cron, &error)) fail_msg("'%s': %s", expression, error.text);
    return cron;
}

typedef struct {
    const char *expression, *words;
} pair;

static void then_words(const pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ax_cron cron = parsed(pairs[i].expression);
        ax_buf words = AX_BUF_INIT(4096);
        ax_cron_words(&cron, &words);
        assert_str(ax_buf_str(&words), pairs[i].words);
        ax_buf_free(&words);
    }
}
#define THEN_WORDS(...)                                                                                      \
    then_words((const pair[]){__VA_ARGS__}, sizeof((const pair[]){__VA_ARGS__}) / sizeof(pair))

static void times_of_day_are_listed(void **state)
{
    (void)state;
    THEN_WORDS({"30 2 * * 1-5", "at 02:30 on weekdays"}, {"0 */12 * * *", "at 00:00 and 12:00 every day"},
               {"5,15 9 * * *", "at 09:05 and 09:15 every day"}, {"30 02 14 * * *", "at 14:02:30 every day"},
               {"@daily", "at 00:00 every day"}, {"*/45 3 * * *", "at 03:00 and 03:45 every day"});
}

static void many_times_have_a_rhythm(void **state)
{
    (void)state;
    THEN_WORDS({"* * * * *", "every minute"}, {"0 * * * *", "every hour"},
               {"5 * * * *", "every hour at minute 5"}, {"*/15 * * * *", "every 15 minutes"},
               {"5/15 * * * *", "every 15 minutes from minute 5"},
               {"*/15 9-17 * * *", "every 15 minutes from 09:00 to 17:45"},
               {"* 23 * * *", "every minute from 23:00 to 23:59"},
               {"30 9-17 * * *", "every hour from 09:30 to 17:30"},
               {"10 */2 * * *", "every 2 hours from 00:10 to 22:10"},
               {"*/2 */2 * * *", "every 2 minutes in every 2nd hour from 00 to 22"},
               {"* 20,22 * * *", "every minute in the hours 20 and 22"},
               {"7 1,2,3,7,9,11,20 * * *", "at minute 7 of the hours 01 to 03, 07, 09, 11 and 20"});
}

static void uneven_minutes_are_said_as_they_come(void **state)
{
    (void)state;
    THEN_WORDS({"*/45 * * * *", "at minutes 0 and 45 of every hour"},
               {"*/7 * * * *", "at every 7th minute from 0 to 56 of every hour"},
               {"0-14,30-44 * * * *", "at minutes 0 to 14 and 30 to 44 of every hour"},
               {"5,9 */2 * * *", "at minutes 5 and 9 of every 2nd hour from 00 to 22"});
}

static void seconds_are_said(void **state)
{
    (void)state;
    THEN_WORDS({"* * * * * *", "every second"}, {"*/15 * * * * *", "every 15 seconds"},
               {"15,45 * * * * *", "at seconds 15 and 45 of every minute"},
               {"30 */5 * * * *", "every 5 minutes, at second 30"},
               {"* 0 */4 * * *", "every second of minute 0 in every 4th hour from 00 to 20"},
               {"5-10 7 * * * *", "at seconds 5 to 10 of minute 7 of every hour"});
}

static void days_of_the_week_are_said(void **state)
{
    (void)state;
    THEN_WORDS({"0 1 * * 0,6", "at 01:00 on Saturdays and Sundays"},
               {"0 1 * * 1-4", "at 01:00 from Monday to Thursday"},
               {"0 1 * * fri-sun", "at 01:00 from Friday to Sunday"},
               {"0 1 * * 0-4", "at 01:00 from Sunday to Thursday"},
               {"0 1 * * 1,3-5,7", "at 01:00 on Mondays, Wednesdays to Fridays and Sundays"},
               {"0 1 * * 2#3", "at 01:00 on the third Tuesday of the month"},
               {"0 1 * * 5L", "at 01:00 on the last Friday of the month"},
               {"0 1 * * 1,5L", "at 01:00 on Mondays and the last Friday of the month"},
               {"0 1 * * 1-5,6#1", "at 01:00 on Mondays to Fridays and the first Saturday of the month"},
               {"0 1 * * 0-7", "at 01:00 every day"});
}

static void days_of_the_month_are_said(void **state)
{
    (void)state;
    THEN_WORDS({"0 1 1,15 * *", "at 01:00 on the 1st and the 15th of the month"},
               {"0 1 1-7 * *", "at 01:00 from the 1st to the 7th of the month"},
               {"0 1 11,22,23 * *", "at 01:00 on the 11th, the 22nd and the 23rd of the month"},
               {"0 1 */2 * *", "at 01:00 on every 2nd day of the month from the 1st to the 31st"},
               {"0 1 L * *", "at 01:00 on the last day of the month"},
               {"0 1 L-3,L-1 * *",
                "at 01:00 on the day 3 days before the last and the day 1 day before the last of the month"},
               {"0 1 LW * *", "at 01:00 on the last weekday (Monday to Friday) of the month"},
               {"0 1 15W,1 * *", "at 01:00 on the 1st and the weekday nearest to the 15th of the month"});
}

static void months_are_said(void **state)
{
    (void)state;
    THEN_WORDS(
        {"0 1 29 2 *", "at 01:00 on 29 February"}, {"0 1 1 1,7 *", "at 01:00 on the 1st of January and July"},
        {"0 1 * 6-8 *", "at 01:00 every day from June to August"},
        {"*/5 * * 1 *", "every 5 minutes in January"}, {"0 1 * 2 1", "at 01:00 on Mondays in February"});
}

static void two_day_fields_are_said_as_they_go_together(void **state)
{
    (void)state;
    THEN_WORDS({"30 4 1,15 * 5", "at 04:30 on the 1st and the 15th of the month and also on Fridays"},
               {"0 1 2 2 2", "at 01:00 on the 2nd of the month and also on Tuesdays, in February"},
               {"0 0 */2 * 3",
                "at 00:00 on every 2nd day of the month from the 1st to the 31st, but only on Wednesdays"},
               {"0 0 1-31 * 3", "at 00:00 every day"}, {"0 0 ? * 3", "at 00:00 on Wednesdays"});
}

static void what_never_fires_is_never(void **state)
{
    (void)state;
    THEN_WORDS({"0 0 30 2 *", "never"}, {"0 0 31 4,6 *", "never"});
}

/* ---- warnings ---- */

/* The notes of an expression: "column+length text", a line each. */
static void then_notes(const char *expression, const char *want)
{
    ax_text_err notes[AX_CRON_NOTES_MAX];
    ax_cron cron = parsed(expression);
    ax_buf got = AX_BUF_INIT(4096);
    uint32_t count = ax_cron_notes(&cron, ax_str_of(expression), notes);
    for (uint32_t i = 0; i < count; i++)
        ax_buf_addf(&got, "%s%u+%u %s", i ? "\n" : "", notes[i].at, notes[i].len, notes[i].text);
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
}

static void a_plain_expression_has_no_warnings(void **state)
{
    (void)state;
    then_notes("30 2 * * 1-5", "");
    then_notes("*/15 */6 * * *", "");
    then_notes("0 0 */2 * *", "");
    then_notes("@weekly", "");
}

static void a_step_that_starts_again_is_warned_of(void **state)
{
    (void)state;
    then_notes("*/45 * * * *",
               "0+4 45 does not divide 60: after minute 45 it starts again at 0, 15 minutes later");
    then_notes("0 */23 * * *", "2+4 23 does not divide 24: after hour 23 it starts again at 0, 1 hour later");
    then_notes("  */7 1 * * * *",
               "2+3 7 does not divide 60: after second 56 it starts again at 0, 4 seconds later");
    then_notes("1 */90 * * * *", "2+4 a step of 90 is longer than the field: only minute 0 is left");
}

static void two_day_fields_are_warned_of(void **state)
{
    (void)state;
    then_notes("0 1 1 * 5", "8+1 both day fields are given: it fires on days that match either");
    then_notes("0 1 */2 * 3", "4+3 this field begins with '*', so both day fields must match");
    then_notes("0 1 13 * */5", "9+3 this field begins with '*', so both day fields must match");
    then_notes("0 1 1-31 * 5", "11+1 one day field matches every day, so the other one does not count");
}

static void what_never_fires_is_warned_of(void **state)
{
    (void)state;
    then_notes("0 0 30 2 *", "4+2 no date ever matches: it never fires");
}

/* ---- changes of clocks ---- */

static int64_t at(const char *instant)
{
    int64_t ms = 0;
    assert_true(ax_instant_parse(ax_str_of(instant), &ms));
    return ms / 1000;
}

static ax_cron_rules in_zone(const char *name)
{
    ax_cron_rules rules = {0};
    ax_err err = {0};
    if (ax_zone_load(&mem, ax_str_of(name), &rules.zone, &err)) fail_msg("%s", err.text);
    return rules;
}

static void then_change(const char *expression, const ax_cron_rules *rules, const char *after,
                        const char *words)
{
    ax_cron cron = parsed(expression);
    ax_cron_change change;
    ax_buf got = AX_BUF_INIT(4096);
    assert_true(ax_cron_change_next(&cron, rules, at(after), &change));
    ax_cron_change_words(&change, &got);
    assert_str(ax_buf_str(&got), words);
    ax_buf_free(&got);
}

static void the_next_change_and_its_effect_are_said(void **state)
{
    (void)state;
    ax_cron_rules rules = in_zone("America/New_York");
    const char *spring = "2026-01-01T00:00:00Z", *autumn = "2026-06-01T00:00:00Z";
    then_change("30 2 * * *", &rules, spring,
                "clocks go from 02:00 to 03:00: 02:30 does not exist, it fires at 03:00");
    then_change("30 4 * * *", &rules, spring, "clocks go from 02:00 to 03:00: no firing is touched");
    then_change(
        "*/20 * * * *", &rules, spring,
        "clocks go from 02:00 to 03:00: 02:00 does not exist; it follows real time and goes on without it");
    then_change("30 1 * * *", &rules, autumn,
                "clocks go from 02:00 to 01:00: 01:30 comes twice, it fires the first time");
    then_change("*/20 1 * * *", &rules, autumn,
                "clocks go from 02:00 to 01:00: 01:00 comes twice, it fires both times");
    rules.gap = AX_GAP_SKIP;
    rules.fold = AX_FOLD_SECOND;
    then_change("30 2 * * *", &rules, spring,
                "clocks go from 02:00 to 03:00: 02:30 does not exist, it does not fire");
    then_change("30 1 * * *", &rules, autumn,
                "clocks go from 02:00 to 01:00: 01:30 comes twice, it fires the second time");
    rules.fold = AX_FOLD_BOTH;
    then_change("30 1 * * *", &rules, autumn,
                "clocks go from 02:00 to 01:00: 01:30 comes twice, it fires both times");
}

static void a_date_that_was_left_out_is_no_daylight_saving(void **state)
{
    (void)state;
    ax_cron_rules rules = in_zone("Pacific/Apia");
    then_change(
        "0 12 * * *", &rules, "2011-12-01T00:00:00Z",
        "clocks go from 00:00 to 2011-12-31 00:00: 12:00 never was: so large a jump is no daylight saving");
}

static void a_zone_without_changes_has_none(void **state)
{
    (void)state;
    ax_cron_rules rules = {.zone = ax_zone_utc()};
    ax_cron cron = parsed("30 2 * * *");
    ax_cron_change change;
    assert_false(ax_cron_change_next(&cron, &rules, 0, &change));
    assert_false(ax_cron_change_near(&cron, &rules, 0, &change));
}

static void then_firing(const char *expression, const ax_cron_rules *rules, const char *firing,
                        const char *words)
{
    ax_cron cron = parsed(expression);
    ax_cron_change change;
    ax_buf got = AX_BUF_INIT(4096);
    assert_int_equal(ax_cron_next(&cron, rules, at(firing) - 1), at(firing));
    if (ax_cron_change_near(&cron, rules, at(firing), &change))
        ax_cron_firing_words(&change, rules, at(firing), &got);
    assert_str(ax_buf_str(&got), words);
    ax_buf_free(&got);
}

static void a_firing_on_the_day_of_a_change_is_marked(void **state)
{
    (void)state;
    ax_cron_rules rules = in_zone("America/New_York");
    then_firing("30 2 * * *", &rules, "2026-03-08T07:00:00Z",
                "instead of 02:30, which does not exist: clocks go from 02:00 to 03:00");
    then_firing("30 2 * * *", &rules, "2026-03-07T07:30:00Z", "");
    then_firing("30 2 * * *", &rules, "2026-03-09T06:30:00Z", "");
    then_firing("0 1 * * *", &rules, "2026-03-08T06:00:00Z", "clocks go from 02:00 to 03:00");
    then_firing("30 1 * * *", &rules, "2026-11-01T05:30:00Z",
                "01:30 for the first time of two: clocks go from 02:00 to 01:00");
    then_firing("*/30 * * * *", &rules, "2026-11-01T06:30:00Z",
                "01:30 for the second time: clocks go from 02:00 to 01:00");
    then_firing("*/30 * * * *", &rules, "2026-11-01T07:00:00Z", "clocks go from 02:00 to 01:00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_day_are_listed),
        cmocka_unit_test(many_times_have_a_rhythm),
        cmocka_unit_test(uneven_minutes_are_said_as_they_come),
        cmocka_unit_test(seconds_are_said),
        cmocka_unit_test(days_of_the_week_are_said),
        cmocka_unit_test(days_of_the_month_are_said),
        cmocka_unit_test(months_are_said),
        cmocka_unit_test(two_day_fields_are_said_as_they_go_together),
        cmocka_unit_test(what_never_fires_is_never),
        cmocka_unit_test(a_plain_expression_has_no_warnings),
        cmocka_unit_test(a_step_that_starts_again_is_warned_of),
        cmocka_unit_test(two_day_fields_are_warned_of),
        cmocka_unit_test(what_never_fires_is_warned_of),
        cmocka_unit_test(the_next_change_and_its_effect_are_said),
        cmocka_unit_test(a_date_that_was_left_out_is_no_daylight_saving),
        cmocka_unit_test(a_zone_without_changes_has_none),
        cmocka_unit_test(a_firing_on_the_day_of_a_change_is_marked),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, teardown);
}
