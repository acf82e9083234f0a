/* test_units.c - durations, sizes, dates, times, instants as text. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/model/units.h"

/* Writes n with one of the writers and gives the text; valid until the next call. */
static const char *text_of(void (*write)(int64_t n, ax_buf *out), int64_t n)
{
    static char text[64];
    ax_buf buf = AX_BUF_INIT(sizeof text - 1);
    write(n, &buf);
    memcpy(text, buf.ptr, buf.len + 1);
    ax_buf_free(&buf);
    return text;
}

/* ---- durations ---- */

static void a_duration_is_read_and_written_in_the_largest_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
        const char *written;
    } cases[] = {
        {"0s", 0, "0s"},
        {"1ms", 1, "1ms"},
        {"500ms", 500, "500ms"},
        {"90s", 90000, "1m30s"},
        {"1h30m", 5400000, "1h30m"},
        {"60m", 3600000, "1h"},
        {"24h", 86400000, "1d"},
        {"7d", 604800000, "1w"},
        {"10d", 864000000, "10d"},
        {"1w3d", 864000000, "10d"},
        {"1w2d3h4m5s6ms", 788645006, "9d3h4m5s6ms"},
        {"9223372036854775807ms", INT64_MAX, "106751991167d7h12m55s807ms"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ms = -1, again = -1;
        assert_true(ax_duration_parse(ax_str_of(cases[i].text), &ms));
        assert_int_equal(ms, cases[i].ms);
        assert_string_equal(text_of(ax_duration_text, ms), cases[i].written);
        assert_true(ax_duration_parse(ax_str_of(cases[i].written), &again));
        assert_int_equal(again, ms);
    }
    assert_string_equal(text_of(ax_duration_text, -90000), "-1m30s");
}

static void what_is_no_duration_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "5",
        "s",
        "5x",
        "30min",
        "1m1h",
        "1m1m",
        "1.5h",
        "-1s",
        " 1s",
        "1s ",
        "1h 30m",
        "1 h",
        "9223372036854775808ms",
        "99999999999999999w",
        "15250284452w7d",
    };
    int64_t ms;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_false(ax_duration_parse(ax_str_of(cases[i]), &ms));
}

static void a_duration_for_people_is_rounded(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {
        {0, "0.0s"},
        {40, "0.0s"},
        {50, "0.1s"},
        {449, "0.4s"},
        {1500, "1.5s"},
        {9949, "9.9s"},
        {9950, "10s"},
        {12400, "12s"},
        {59499, "59s"},
        {59500, "1m00s"},
        {185000, "3m05s"},
        {3599499, "59m59s"},
        {3599500, "1h00m"},
        {7800000, "2h10m"},
        {86369999, "23h59m"},
        {86370000, "1d00h"},
        {187200000, "2d04h"},
        {-1500, "-1.5s"},
        {INT64_MIN, "-106751991167d07h"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(text_of(ax_duration_human, cases[i].ms), cases[i].text);
}

/* ---- sizes ---- */

static void a_size_is_read_and_written_in_its_largest_unit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t bytes;
        const char *written;
    } cases[] = {
        {"0B", 0, "0B"},
        {"1B", 1, "1B"},
        {"512MB", 512000000, "512MB"},
        {"4GiB", INT64_C(4294967296), "4GiB"},
        {"1024KiB", 1048576, "1MiB"},
        {"1000KB", 1000000, "1MB"},
        {"3TB", INT64_C(3000000000000), "3TB"},
        {"2TiB", INT64_C(2199023255552), "2TiB"},
        {"1500B", 1500, "1500B"},
        {"1KiB", 1024, "1KiB"},
        {"9223372036854775807B", INT64_MAX, "9223372036854775807B"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t bytes = -1;
        assert_true(ax_size_parse(ax_str_of(cases[i].text), &bytes));
        assert_int_equal(bytes, cases[i].bytes);
        assert_string_equal(text_of(ax_size_text, bytes), cases[i].written);
    }
}

static void what_is_no_size_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",         "5", "GB", "5gb", "5G", "1.5GB", "-1B", "1GB1", "1GB2MB", " 1B", "9223372036854775808B",
        "9223373TB"};
    int64_t bytes;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_false(ax_size_parse(ax_str_of(cases[i]), &bytes));
}

/* ---- dates ---- */

static void every_date_of_ten_thousand_years_goes_to_days_and_back(void **state)
{
    (void)state;
    int64_t days = AX_DATE_MIN;
    for (int year = 1; year <= 9999; year++) {
        for (int month = 1; month <= 12; month++) {
            for (int day = 1; day <= ax_month_days(year, month); day++, days++) {
                int y, m, d;
                ax_date_civil(days, &y, &m, &d);
                if (ax_date_days(year, month, day) != days || y != year || m != month || d != day)
                    fail_msg("%d-%d-%d is not day %lld", year, month, day, (long long)days);
            }
        }
    }
    assert_int_equal(days, AX_DATE_MAX + 1);
}

static void a_date_has_one_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t days;
    } cases[] = {
        {"1970-01-01", 0},           {"1969-12-31", -1},    {"2000-02-29", 11016},
        {"2026-11-30", 20787},       {"2100-03-01", 47541}, {"0001-01-01", AX_DATE_MIN},
        {"9999-12-31", AX_DATE_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t days = 1;
        assert_true(ax_date_parse(ax_str_of(cases[i].text), &days));
        assert_int_equal(days, cases[i].days);
        assert_string_equal(text_of(ax_date_text, days), cases[i].text);
    }
}

static void what_is_no_date_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",           "2026-11-3",  "2026-11-31", "2026-02-29", "2100-02-29", "0000-01-01",  "2026-13-01",
        "2026-00-01", "2026-01-00", "2026/01/01", "20260101",   "2026-1-01",  "2026-01-01 ", "+026-01-01",
    };
    int64_t days;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_false(ax_date_parse(ax_str_of(cases[i]), &days));
}

static void days_outside_the_calendar_show_its_ends(void **state)
{
    (void)state;
    assert_string_equal(text_of(ax_date_text, INT64_MIN), "0001-01-01");
    assert_string_equal(text_of(ax_date_text, INT64_MAX), "9999-12-31");
}

/* ---- times and instants ---- */

static void a_time_has_one_text(void **state)
{
    (void)state;
    int64_t minutes = -1;
    assert_true(ax_time_parse(AX_LIT("07:20"), &minutes));
    assert_int_equal(minutes, 440);
    assert_string_equal(text_of(ax_time_text, minutes), "07:20");
    assert_true(ax_time_parse(AX_LIT("00:00"), &minutes));
    assert_true(ax_time_parse(AX_LIT("23:59"), &minutes));
    static const char *const wrong[] = {"", "7:20", "24:00", "07:60", "07:2", "07-20", "07:20:00", "a7:20"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(ax_time_parse(ax_str_of(wrong[i]), &minutes));
}

static void an_instant_has_one_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-11-30T02:00:00Z", INT64_C(1796004000000)},
        {"2026-11-30T02:00:00.007Z", INT64_C(1796004000007)},
        {"1969-12-31T23:59:59.999Z", -1},
        {"0001-01-01T00:00:00Z", AX_INSTANT_MIN},
        {"9999-12-31T23:59:59.999Z", AX_INSTANT_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ms = 1;
        assert_true(ax_instant_parse(ax_str_of(cases[i].text), &ms));
        assert_int_equal(ms, cases[i].ms);
        assert_string_equal(text_of(ax_instant_text, ms), cases[i].text);
    }
}

static void what_is_no_instant_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "2026-11-30",
        "2026-11-30T02:00:00",
        "2026-11-30 02:00:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T02:60:00Z",
        "2026-11-30T02:00:60Z",
        "2026-11-31T02:00:00Z",
        "2026-11-30T02:00:00.1Z",
        "2026-11-30T02:00:00,123Z",
        "2026-11-30T02:00:00.12xZ",
        "2026-11-30T02:00:00+01:00",
    };
    int64_t ms;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_false(ax_instant_parse(ax_str_of(cases[i]), &ms));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_duration_is_read_and_written_in_the_largest_units),
    cmocka_unit_test(what_is_no_duration_is_refused),
    cmocka_unit_test(a_duration_for_people_is_rounded),
    cmocka_unit_test(a_size_is_read_and_written_in_its_largest_unit),
    cmocka_unit_test(what_is_no_size_is_refused),
    cmocka_unit_test(every_date_of_ten_thousand_years_goes_to_days_and_back),
    cmocka_unit_test(a_date_has_one_text),
    cmocka_unit_test(what_is_no_date_is_refused),
    cmocka_unit_test(days_outside_the_calendar_show_its_ends),
    cmocka_unit_test(a_time_has_one_text),
    cmocka_unit_test(an_instant_has_one_text),
    cmocka_unit_test(what_is_no_instant_is_refused),
};
RUN_TESTS(tests)
