/* test_tz_text.c - moments as clocks show them: offsets of all kinds, seconds only where they are. */
#include "dsl/model/tz_text.h"
#include "dsl/model/units.h"
#include "tests/lib/test.h"

static const struct {
    const char *zone, *at, *text, *iso;
} moments[] = {
    {"UTC", "2026-11-30T02:00:00Z", "Mon 2026-11-30 02:00 +00:00", "2026-11-30T02:00:00+00:00"},
    {"Europe/Berlin", "2026-06-30T23:30:00Z", "Wed 2026-07-01 01:30 +02:00", "2026-07-01T01:30:00+02:00"},
    {"America/New_York", "2026-01-01T04:59:59Z", "Wed 2025-12-31 23:59:59 -05:00",
     "2025-12-31T23:59:59-05:00"},
    {"Asia/Kolkata", "1969-12-31T18:30:00Z", "Thu 1970-01-01 00:00 +05:30", "1970-01-01T00:00:00+05:30"},
};

static void a_moment_is_shown_as_the_clocks_of_its_zone_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_buf text = AX_BUF_INIT(100);
        const ax_zone *zone = NULL;
        int64_t at;
        assert_int_equal(ax_zone_load(&mem, ax_str_of(moments[i].zone), &zone, NULL), AX_OK);
        assert_true(ax_instant_parse(ax_str_of(moments[i].at), &at));
        ax_zone_text(zone, at, &text);
        assert_str(ax_buf_str(&text), moments[i].text);
        ax_buf_clear(&text);
        ax_zone_iso(zone, at, &text);
        assert_str(ax_buf_str(&text), moments[i].iso);
        ax_buf_free(&text);
        ax_arena_free(&mem);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_moment_is_shown_as_the_clocks_of_its_zone_do),
};
RUN_TESTS(tests)
