/* test_literal.c - every form of a literal, and wrong ones with their nearest form. */
#include "dsl/syntax/parse.h"
#include "tests/lib/parsed.h"
#include "tests/lib/test.h"

static void every_form_has_its_value(void **state)
{
    (void)state;
    static const struct {
        const char *text, *dump;
    } rows[] = {
        {"0", "0"},
        {"42", "42"},
        {"007", "7"},
        {"9223372036854775807", "9223372036854775807"},
        {"0.5", "0.5f"},
        {"12.25", "12.25f"},
        {"10%", "10%"},
        {"0.5%", "0.5%"},
        {"500ms", "500ms"},
        {"30s", "30000ms"},
        {"5m", "300000ms"},
        {"1h30m", "5400000ms"},
        {"2d", "172800000ms"},
        {"1w", "604800000ms"},
        {"1w2d3h4m5s6ms", "788645006ms"},
        {"0s", "0ms"},
        {"1B", "1B"},
        {"512MB", "512000000B"},
        {"4GiB", "4294967296B"},
        {"2026-11-30", "day20787"},
        {"1970-01-01", "day0"},
        {"2024-02-29", "day19782"},
        {"07:20", "minute440"},
        {"00:00", "minute0"},
        {"23:59", "minute1439"},
        {"true", "true"},
        {"false", "false"},
        {"null", "null"},
        {"1..10", "(.. 1 10)"},
        {"1 .. n - 1", "(.. 1 (- n 1))"},
        {"1h..2h", "(.. 3600000ms 7200000ms)"},
        {"0.5..1.5", "(.. 0.5f 1.5f)"},
        {"07:20..08:00", "(.. minute440 minute480)"},
        {"10%..20%", "(.. 10% 20%)"},
        {"-5", "(neg 5)"},
        {"10-3", "(- 10 3)"},
        {"2026-11", "(- 2026 11)"},
        {"5-min", "(- 5 min)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_expr(ax_str_of(rows[i].text));
        assert_string_equal(parsed_codes(p), "");
        assert_string_equal(parsed_dump(p), rows[i].dump);
        parsed_free(p);
    }
}

/* A wrong literal is one error over all of it, and the value of the nearest form is in the tree. */
static void a_wrong_literal_is_one_error_with_the_nearest_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *near, *dump;
    } rows[] = {
        {"30min", "30m", "1800000ms"},
        {"90sec", "90s", "90000ms"},
        {"2Hours", "2h", "7200000ms"},
        {"1.5h", "1h30m", "5400000ms"},
        {"1h30", "1h30m", "5400000ms"},
        {"30m1h", "1h30m", "5400000ms"},
        {"1m1m", "2m", "120000ms"},
        {"5Mb", "5MB", "5000000B"},
        {"5M", "5MB", "5000000B"},
        {"10kb", "10KB", "10000B"},
        {"4G", "4GB", "4000000000B"},
        {"4gib", "4GiB", "4294967296B"},
        {"1.5GB", "1500MB", "1500000000B"},
        {"1_000", "1000", "1000"},
        {"1_0s", "10s", "10000ms"},
        {"1e3", "1000", "1000"},
        {"0x1F", "31", "31"},
        {"7:20", "07:20", "minute440"},
        {"07:20:00", "07:20", "minute440"},
        {"2026-2-3", "2026-02-03", "day20487"},
        {"2026-11-30T07:20", "2026-11-30", "day20787"},
        {"1.2.3", NULL, "0"},
        {"10.0.0.1", NULL, "0"},
        {"2nd", NULL, "0"},
        {"5foo", NULL, "0"},
        {"1e400", NULL, "0"},
        {"2e64", NULL, "0"},
        {"0xZZ", NULL, "0"},
        {"5s%", NULL, "0"},
        {"99999999999999999999s", NULL, "0"},
        {"9999999999999999999999999999999999999999999999999999999999999999999999min", NULL, "0"},
        {"9223372036854775808", NULL, "0"},
        {"30\xE5\x88\x86", NULL, "0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ax_arena mem = AX_ARENA_INIT;
        parsed *p = parsed_file(ax_str_fmt(&mem, "a = %s\nb = 1", rows[i].text));
        assert_string_equal(parsed_codes(p), "E0108 1:5");
        const ax_diag *d = p->diags.list.at[0];
        assert_str(ax_sources_text(&p->sources, d->span), rows[i].text);
        assert_str(d->replacement, rows[i].near ? rows[i].near : "");
        assert_true(d->help.len > 0);
        char *want = ax_str_c(&mem, ax_str_fmt(&mem, "attr a = %s\nattr b = 1\n", rows[i].dump));
        assert_string_equal(parsed_dump(p), want);
        parsed_free(p);
        ax_arena_free(&mem);
    }
}

static void a_date_or_time_that_does_not_exist_is_said_to(void **state)
{
    (void)state;
    static const char *const rows[] = {"2026-02-30", "2026-13-01", "2023-02-29", "2026-00-10",
                                       "0000-01-01", "24:00",      "07:60",      "99:99"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ax_arena mem = AX_ARENA_INIT;
        parsed *p = parsed_file(ax_str_fmt(&mem, "a = %s", rows[i]));
        assert_string_equal(parsed_codes(p), "E0109 1:5");
        parsed_free(p);
        ax_arena_free(&mem);
    }
}

static void a_wrong_literal_where_a_name_belongs_is_still_one_error(void **state)
{
    (void)state;
    parsed *p = parsed_file(AX_LIT("task 2nd {\n  run = \"x\"\n}\ntask b { run = \"y\" }\n"));
    assert_string_equal(parsed_codes(p), "E0108 1:6");
    assert_string_equal(parsed_dump(p), "block task b {\n  attr run = (str \"y\")\n");
    parsed_free(p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_form_has_its_value),
    cmocka_unit_test(a_wrong_literal_is_one_error_with_the_nearest_form),
    cmocka_unit_test(a_date_or_time_that_does_not_exist_is_said_to),
    cmocka_unit_test(a_wrong_literal_where_a_name_belongs_is_still_one_error),
};

RUN_TESTS(tests)
