/* test_expr_fn.c - every function: results, argument checks, and that its row is complete. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/model/date_fn.h"
#include "dsl/model/expr.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/expr_json_int.h"
#include "dsl/model/json_in.h"
#include "dsl/model/units.h"

static ax_arena mem;

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

/* Calls a function with constants, ["call", "upper", "a"]; gives its value as in a document, or the message.
 */
static const char *result(const char *text)
{
    static ax_param p = {.name = {"p", 1}, .type = {.kind = AX_T_ANY}};
    static const ax_plan plan = {.params = &p, .param_count = 1};
    static const ax_def def;
    ax_map params = {0}, defs = {0};
    ax_map_add(&mem, &params, p.name, 0);
    ax_expr_names names = {&mem, &plan, &def, NULL, &defs, &params};
    ax_err err;
    ax_value form;
    ax_expr *x;
    if (ax_json_read(&mem, ax_str_of(text), 64, &form, &err)) fail_msg("%s: %s", text, err.text);
    if (ax_expr_read(&names, &form, &x, &err)) return ax_str_c(&mem, ax_str_of(err.text));
    ax_buf buf = AX_BUF_INIT(1 << 16);
    ax_json j = ax_json_start(&buf, 0);
    ax_expr_write(&plan, &def, x, &j);
    const char *copy = ax_str_c(&mem, ax_buf_str(&buf));
    ax_buf_free(&buf);
    return copy;
}

typedef struct {
    const char *call, *want;
} example;

#define TRY_ALL(cases)                                                                                       \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++)                                             \
        if (strcmp(result((cases)[i].call), (cases)[i].want) != 0)                                           \
    fail_msg("%s\n  gives    %s\n  expected %s", (cases)[i].call, result((cases)[i].call), (cases)[i].want)

#define DATE "{\"date\": \"2026-11-30\"}"

static void format_follows_the_directives_of_strftime(void **state)
{
    (void)state;
#define FORMAT(f) "[\"call\", \"format\", " DATE ", \"" f "\"]"
#define FORMAT_INSTANT(t, f) "[\"call\", \"format\", {\"instant\": \"" t "\"}, \"" f "\"]"
    static const example cases[] = {
        {FORMAT("%Y%m%d"), "\"20261130\""},
        {FORMAT("%y-%j"), "\"26-334\""},
        {FORMAT("%a %A %b %B %u"), "\"Mon Monday Nov November 1\""},
        {FORMAT("%F"), "\"2026-11-30\""},
        {FORMAT("%G-W%V"), "\"2026-W49\""},
        {FORMAT("100%% {x}"), "\"100% {x}\""},
        {FORMAT(""), "\"\""},
        {FORMAT("%H"), "a date has no time of day for '%H'"},
        {FORMAT("%T"), "a date has no time of day for '%T'"},
        {FORMAT("%s"), "a date has no time of day for '%s'"},
        {FORMAT("%Q"), "the format has an unknown directive '%Q'"},
        {FORMAT("x%"), "the format ends in a lone %"},
        {FORMAT_INSTANT("2026-11-30T02:03:04.567Z", "%H:%M:%S %T %s"), "\"02:03:04 02:03:04 1796004184\""},
        {FORMAT_INSTANT("1969-12-31T23:59:59.999Z", "%F %T"), "\"1969-12-31 23:59:59\""},
        {FORMAT_INSTANT("2027-01-01T00:00:00Z", "%G-W%V"), "\"2026-W53\""},
        {FORMAT_INSTANT("2024-12-30T00:00:00Z", "%G-W%V"), "\"2025-W01\""},
        {"[\"call\", \"format\", 5, \"%Y\"]", "format does not take an int here"},
        {"[\"call\", \"format\", " DATE "]", "format takes 2 arguments, found 1"},
        {"[\"call\", \"format\", [\"param\", \"p\"], \"%Q\"]", "the format has an unknown directive '%Q'"},
        {"[\"call\", \"format\", [\"root\", \"date\"], \"%H\"]", "a date has no time of day for '%H'"},
        {"[\"call\", \"format\", [\"param\", \"p\"], \"%H\"]",
         "[\"call\",\"format\",[\"param\",\"p\"],\"%H\"]"},
    };
    TRY_ALL(cases);
}

static void periods_begin_and_end(void **state)
{
    (void)state;
    static const example cases[] = {
        {"[\"call\", \"start_of\", " DATE ", \"month\"]", "{\"date\":\"2026-11-01\"}"},
        {"[\"call\", \"start_of\", " DATE ", \"week\"]", "{\"date\":\"2026-11-30\"}"},
        {"[\"call\", \"start_of\", {\"date\": \"2026-11-29\"}, \"week\"]", "{\"date\":\"2026-11-23\"}"},
        {"[\"call\", \"start_of\", " DATE ", \"year\"]", "{\"date\":\"2026-01-01\"}"},
        {"[\"call\", \"end_of\", " DATE ", \"month\"]", "{\"date\":\"2026-11-30\"}"},
        {"[\"call\", \"end_of\", {\"date\": \"2024-02-01\"}, \"month\"]", "{\"date\":\"2024-02-29\"}"},
        {"[\"call\", \"end_of\", " DATE ", \"week\"]", "{\"date\":\"2026-12-06\"}"},
        {"[\"call\", \"end_of\", " DATE ", \"year\"]", "{\"date\":\"2026-12-31\"}"},
        {"[\"call\", \"start_of\", " DATE ", \"day\"]", "'day' is none of: week month year"},
        {"[\"call\", \"start_of\", " DATE ", \"mon\"]", "'mon' is none of: week month year"},
        {"[\"call\", \"start_of\", " DATE ", [\"param\", \"p\"]]",
         "start_of takes one of these words here: week month year"},
        {"[\"call\", \"end_of\", \"2026-11-30\", \"month\"]", "end_of does not take a string here"},
    };
    TRY_ALL(cases);
}

static void add_keeps_to_the_calendar(void **state)
{
    (void)state;
#define ADD(d, n, u) "[\"call\", \"add\", {\"date\": \"" d "\"}, " n ", \"" u "\"]"
    static const example cases[] = {
        {ADD("2026-11-30", "1", "day"), "{\"date\":\"2026-12-01\"}"},
        {ADD("2026-11-30", "-1", "week"), "{\"date\":\"2026-11-23\"}"},
        {ADD("2026-01-31", "1", "month"), "{\"date\":\"2026-02-28\"}"},
        {ADD("2024-01-31", "1", "month"), "{\"date\":\"2024-02-29\"}"},
        {ADD("2026-01-15", "-1", "month"), "{\"date\":\"2025-12-15\"}"},
        {ADD("2026-12-01", "13", "month"), "{\"date\":\"2028-01-01\"}"},
        {ADD("2024-02-29", "1", "year"), "{\"date\":\"2025-02-28\"}"},
        {ADD("2024-02-29", "4", "year"), "{\"date\":\"2028-02-29\"}"},
        {ADD("0001-01-01", "-1", "day"), "the result is outside the years 1 to 9999"},
        {ADD("0001-01-31", "-1", "month"), "the result is outside the years 1 to 9999"},
        {ADD("9999-12-31", "1", "month"), "the result is outside the years 1 to 9999"},
        {ADD("2026-01-01", "9223372036854775807", "day"), "the result is outside the years 1 to 9999"},
        {ADD("2026-01-01", "9223372036854775807", "week"), "the result is outside the years 1 to 9999"},
        {ADD("2026-01-01", "9223372036854775807", "month"), "the result is outside the years 1 to 9999"},
        {ADD("2026-01-01", "-9223372036854775808", "year"), "the result is outside the years 1 to 9999"},
        {ADD("2026-01-01", "1.5", "day"), "add does not take a float here"},
        {ADD("2026-01-01", "1", "hour"), "'hour' is none of: day week month year"},
    };
    TRY_ALL(cases);
}

static void weekdays_count_from_monday(void **state)
{
    (void)state;
    static const example cases[] = {
        {"[\"call\", \"weekday\", " DATE "]", "1"},
        {"[\"call\", \"weekday\", {\"date\": \"1970-01-01\"}]", "4"},
        {"[\"call\", \"weekday\", {\"date\": \"1969-12-28\"}]", "7"},
        {"[\"call\", \"weekday\", {\"date\": \"0001-01-01\"}]", "1"},
    };
    TRY_ALL(cases);
    for (int64_t day = AX_DATE_MIN; day < AX_DATE_MIN + 10000; day++)
        assert_int_equal(ax_date_weekday(day), (day - AX_DATE_MIN) % 7 + 1);
}

static void texts_are_cut_joined_and_changed(void **state)
{
    (void)state;
    static const example cases[] = {
        {"[\"call\", \"join\", {\"list\": [\"a\", 1, null, " DATE "]}, \", \"]", "\"a, 1, 2026-11-30\""},
        {"[\"call\", \"join\", {\"list\": [null, \"a\"]}, \",\"]", "\"a\""},
        {"[\"call\", \"join\", {\"list\": []}, \",\"]", "\"\""},
        {"[\"call\", \"join\", \"a\", \",\"]", "join does not take a string here"},
        {"[\"call\", \"split\", \"a,b,,c\", \",\"]", "{\"list\":[\"a\",\"b\",\"\",\"c\"]}"},
        {"[\"call\", \"split\", \"a\", \",\"]", "{\"list\":[\"a\"]}"},
        {"[\"call\", \"split\", \"\", \",\"]", "{\"list\":[]}"},
        {"[\"call\", \"split\", \",\", \",\"]", "{\"list\":[\"\",\"\"]}"},
        {"[\"call\", \"split\", \"a--b\", \"--\"]", "{\"list\":[\"a\",\"b\"]}"},
        {"[\"call\", \"split\", \"a\", \"\"]", "split needs a separator"},
        {"[\"call\", \"lower\", \"ABC xyz \u00c9\"]", "\"abc xyz \u00c9\""},
        {"[\"call\", \"upper\", \"abc XYZ \u00e9{@[`\"]", "\"ABC XYZ \u00e9{@[`\""},
        {"[\"call\", \"replace\", \"a.b.c\", \".\", \"\"]", "\"abc\""},
        {"[\"call\", \"replace\", \"aaa\", \"aa\", \"b\"]", "\"ba\""},
        {"[\"call\", \"replace\", \"abc\", \"x\", \"y\"]", "\"abc\""},
        {"[\"call\", \"replace\", \"\", \"x\", \"y\"]", "\"\""},
        {"[\"call\", \"replace\", \"abc\", \"\", \"y\"]", "replace needs a text to look for"},
        {"[\"call\", \"json\", {\"map\": {\"a\": " DATE "}}]", "\"{\\\"a\\\":\\\"2026-11-30\\\"}\""},
        {"[\"call\", \"json\", \"a\\\"b\"]", "\"\\\"a\\\\\\\"b\\\"\""},
    };
    TRY_ALL(cases);
}

static void values_are_counted_and_stood_in_for(void **state)
{
    (void)state;
    static const example cases[] = {
        {"[\"call\", \"len\", \"caf\u00e9\"]", "4"},
        {"[\"call\", \"len\", {\"list\": [1, 2, 3]}]", "3"},
        {"[\"call\", \"len\", {\"map\": {\"a\": 1}}]", "1"},
        {"[\"call\", \"len\", 5]", "len does not take an int here"},
        {"[\"call\", \"len\", null]", "the value may be missing here"},
        {"[\"call\", \"coalesce\", null, null, 3]", "3"},
        {"[\"call\", \"coalesce\", 1, null]", "1"},
        {"[\"call\", \"coalesce\", null, null]", "null"},
        {"[\"call\", \"coalesce\", 1]", "coalesce takes at least 2 arguments, found 1"},
        {"[\"call\", \"coalesce\", 1, \"a\"]", "the arguments of coalesce are not of one type"},
        {"[\"call\", \"coalesce\", null, 1.5, 2]", "1.5"},
    };
    TRY_ALL(cases);
}

static void arguments_are_checked_again_in_the_run(void **state)
{
    (void)state;
    ax_value args[3] = {{.kind = AX_T_NULL}}, out;
    ax_err err;
    uint32_t add = ax_fn_find(AX_LIT("add"));
    assert_int_equal(ax_fn_apply(add, args, 3, &mem, &out, &err), AX_INVALID);
    assert_string_equal(err.text, "add: a null where a value is needed");
    args[0] = (ax_value){.kind = AX_T_INT, .u.i = 1};
    assert_int_equal(ax_fn_apply(add, args, 3, &mem, &out, &err), AX_INVALID);
    assert_string_equal(err.text, "add does not take an int here");
    args[0].kind = AX_T_DATE;
    args[1] = (ax_value){.kind = AX_T_INT, .u.i = 1};
    args[2] = (ax_value){.kind = AX_T_STRING, .u.s = AX_LIT("eon")};
    assert_int_equal(ax_fn_apply(add, args, 3, &mem, &out, &err), AX_INVALID);
    assert_string_equal(err.text, "'eon' is none of: day week month year");
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ax_fn_count; i++) {
        const ax_fn_row *row = &ax_fn_rows[i];
        assert_int_equal(ax_fn_find(ax_str_of(row->name)), i);
        assert_true(strncmp(row->usage, row->name, strlen(row->name)) == 0);
        assert_true(row->doc && row->eval && row->args_min >= 1 && row->args_max >= row->args_min);
        for (uint32_t a = 0; a < row->args_min; a++) assert_true(ax_fn_param_at(i, a)->kinds != 0);
    }
    assert_int_equal(ax_fn_find(AX_LIT("now")), UINT32_MAX);
    assert_int_equal(ax_word_index("day week", AX_LIT("week")), 1);
    assert_int_equal(ax_word_index("day week", AX_LIT("wee")), -1);
    assert_int_equal(ax_word_index("day week", AX_LIT("")), -1);
}

#define CASE(name) cmocka_unit_test_teardown(name, teardown)
static const struct CMUnitTest tests[] = {
    CASE(format_follows_the_directives_of_strftime),
    CASE(periods_begin_and_end),
    CASE(add_keeps_to_the_calendar),
    CASE(weekdays_count_from_monday),
    CASE(texts_are_cut_joined_and_changed),
    CASE(values_are_counted_and_stood_in_for),
    CASE(arguments_are_checked_again_in_the_run),
    CASE(every_row_is_complete),
};
RUN_TESTS(tests)
