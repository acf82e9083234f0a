/* test_tz.c - time zones: every zone of the system against libc at every change of offset, wall times that do
 * not exist or exist twice, names that are no zones.
 */
#include "tests/lib/test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dsl/model/tz.h"
#include "dsl/model/units.h"

#define YEAR_S INT64_C(31556952)

static ax_arena mem;
static uint32_t zones, changes;

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

static const ax_zone *zone(const char *name)
{
    const ax_zone *z = NULL;
    ax_err err = {0};
    if (ax_zone_load(&mem, ax_str_of(name), &z, &err)) fail_msg("%s: %s", name, err.text);
    return z;
}

/* ---- against libc ---- */

static long libc_offset(int64_t at)
{
    time_t t = (time_t)at;
    struct tm tm;
    assert_non_null(localtime_r(&t, &tm));
    return tm.tm_gmtoff;
}

static void compare_at(const char *name, const ax_zone *z, int64_t at)
{
    long want = libc_offset(at);
    if (ax_zone_offset(z, at) != want)
        fail_msg("%s at %lld: %d, libc says %ld", name, (long long)at, ax_zone_offset(z, at), want);
}

/* Around each change of offset from 1800 to 2300, and each half year in between. */
static void compare_zone(const char *name)
{
    const ax_zone *z = zone(name);
    int64_t end = 330 * YEAR_S;
    setenv("TZ", name, 1);
    tzset();
    for (int64_t at = -170 * YEAR_S; at < end; at += YEAR_S / 2) compare_at(name, z, at);
    for (int64_t at = -170 * YEAR_S; at < end;) {
        ax_zone_segment seg = ax_zone_at(z, at);
        assert_true(seg.beg <= at && at < seg.end);
        if (seg.end == INT64_MAX) break;
        compare_at(name, z, seg.end - 1);
        compare_at(name, z, seg.end);
        changes++;
        at = seg.end;
    }
    zones++;
}

static bool is_tzif(const char *path)
{
    char magic[4] = "";
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    bool is_one = fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "TZif", 4) == 0;
    fclose(file);
    return is_one;
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    const char *name = path + strlen(AX_ZONE_DIR "/");
    static const char *const aliases[] = {"Factory", "localtime", "posixrules"}; /* of the host: refused */
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(name, aliases[i]) == 0) return 0;
    bool is_own = type == FTW_F && strncmp(name, "right/", 6) != 0 && strncmp(name, "posix/", 6) != 0;
    if (is_own && ax_zone_name_ok(ax_str_of(name)) && is_tzif(path)) compare_zone(name);
    return 0;
}

static void every_zone_has_the_offsets_of_libc(void **state)
{
    (void)state;
    assert_int_equal(nftw(AX_ZONE_DIR, visit, 16, 0), 0);
    setenv("TZ", "UTC", 1);
    tzset();
    assert_true(zones > 300 && changes > 10000);
}

/* ---- wall times ---- */

static int64_t wall(const char *text)
{
    int64_t ms = 0;
    assert_true(ax_instant_parse(ax_str_of(text), &ms));
    return ms / 1000;
}

static void then_local(const ax_zone *z, const char *text, ax_local_kind kind, const char *first,
                       const char *second)
{
    ax_local local = ax_zone_local(z, wall(text));
    assert_int_equal(local.kind, kind);
    assert_int_equal(local.first, wall(first));
    assert_int_equal(local.second, wall(second));
}

static void a_wall_time_is_once_twice_or_never(void **state)
{
    (void)state;
    const ax_zone *z = zone("America/New_York");
    then_local(z, "2026-07-01T12:00:00Z", AX_LOCAL_UNIQUE, "2026-07-01T16:00:00Z", "2026-07-01T16:00:00Z");
    then_local(z, "2026-03-08T02:30:00Z", AX_LOCAL_GAP, "2026-03-08T07:00:00Z", "2026-03-08T07:00:00Z");
    then_local(z, "2026-03-08T03:00:00Z", AX_LOCAL_UNIQUE, "2026-03-08T07:00:00Z", "2026-03-08T07:00:00Z");
    then_local(z, "2026-11-01T01:30:00Z", AX_LOCAL_OVERLAP, "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z");
    then_local(z, "2026-11-01T02:00:00Z", AX_LOCAL_UNIQUE, "2026-11-01T07:00:00Z", "2026-11-01T07:00:00Z");
    then_local(zone("Australia/Lord_Howe"), "2026-04-05T01:45:00Z", AX_LOCAL_OVERLAP, "2026-04-04T14:45:00Z",
               "2026-04-04T15:15:00Z");
    then_local(zone("Pacific/Apia"), "2011-12-30T12:00:00Z", AX_LOCAL_GAP, "2011-12-30T10:00:00Z",
               "2011-12-30T10:00:00Z");
}

static void the_rule_of_a_zone_goes_on(void **state)
{
    (void)state;
    then_local(zone("Europe/Berlin"), "2500-07-01T12:00:00Z", AX_LOCAL_UNIQUE, "2500-07-01T10:00:00Z",
               "2500-07-01T10:00:00Z");
    then_local(zone("Europe/Berlin"), "9998-12-01T12:00:00Z", AX_LOCAL_UNIQUE, "9998-12-01T11:00:00Z",
               "9998-12-01T11:00:00Z");
}

/* ---- names and files ---- */

static void a_name_that_is_no_zone_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Europe/Pariss", "PST",       "europe/paris",  "UTC+8",   "",           "../../etc/hostname",
        "/etc/hostname", "Europe",    "Europe//Paris", "Europe/", "posixrules", "right/UTC",
        "zone.tab",      "tzdata.zi", "Europe/../UTC", "."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const ax_zone *z;
        ax_err err = {0};
        assert_int_equal(ax_zone_load(&mem, ax_str_of(names[i]), &z, &err), AX_INVALID);
        assert_true(err.text[0] != '\0');
    }
    const ax_zone *z;
    ax_err err = {0};
    ax_zone_load(&mem, AX_LIT("Europe/Pariss"), &z, &err);
    assert_string_equal(err.help, "did you mean 'Europe/Paris'?");
}

static void a_damaged_file_is_an_error(void **state)
{
    (void)state;
    char bytes[8192];
    FILE *file = fopen(AX_ZONE_DIR "/Europe/Berlin", "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ax_arena scratch = AX_ARENA_INIT;
    const ax_zone *z;
    ax_err err;
    assert_int_equal(ax_zone_read(&scratch, (ax_str){bytes, size}, &z, &err), AX_OK);
    for (size_t len = 0; len < size; len++) {
        if (ax_zone_read(&scratch, (ax_str){bytes, len}, &z, &err)) continue;
        /* A file that is cut within its footer may still be one. */
        assert_true(len > 44);
        ax_zone_offset(z, 0);
    }
    for (size_t at = 0; at < size && at < 600; at++) {
        char kept = bytes[at];
        bytes[at] = (char)(kept ^ 0x55);
        if (!ax_zone_read(&scratch, (ax_str){bytes, size}, &z, &err)) ax_zone_local(z, 1700000000);
        bytes[at] = kept;
    }
    char header[88] = "TZif2";
    memcpy(header + 44, "TZif2", 5);
    header[20 + 16 + 3] = 1;           /* one type in the first block, but no bytes for it */
    header[44 + 20 + 12] = (char)0xff; /* four billion transitions */
    assert_int_equal(ax_zone_read(&scratch, (ax_str){header, sizeof header}, &z, &err), AX_INVALID);
    ax_arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_zone_has_the_offsets_of_libc),
        cmocka_unit_test(a_wall_time_is_once_twice_or_never),
        cmocka_unit_test(the_rule_of_a_zone_goes_on),
        cmocka_unit_test(a_name_that_is_no_zone_is_refused),
        cmocka_unit_test(a_damaged_file_is_an_error),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, teardown);
}
