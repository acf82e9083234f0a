/* date_fn.c - calendar arithmetic and formats for the functions of the language. */
#include "dsl/model/date_fn.h"

#include "dsl/base/assert.h"
#include "dsl/model/units.h"

int ax_date_weekday(int64_t days)
{
    int64_t from_monday = (days + 3) % 7; /* 1970-01-01 was a Thursday */
    return (int)(from_monday < 0 ? from_monday + 7 : from_monday) + 1;
}

int64_t ax_date_start_of(int64_t days, ax_date_unit unit)
{
    int year, month, day;
    ax_date_civil(days, &year, &month, &day);
    if (unit == AX_UNIT_WEEK) return days - ax_date_weekday(days) + 1;
    if (unit == AX_UNIT_MONTH) return ax_date_days(year, month, 1);
    return unit == AX_UNIT_YEAR ? ax_date_days(year, 1, 1) : days;
}

int64_t ax_date_end_of(int64_t days, ax_date_unit unit)
{
    int year, month, day;
    ax_date_civil(days, &year, &month, &day);
    if (unit == AX_UNIT_WEEK) return days - ax_date_weekday(days) + 7;
    if (unit == AX_UNIT_MONTH) return ax_date_days(year, month, ax_month_days(year, month));
    return unit == AX_UNIT_YEAR ? ax_date_days(year, 12, 31) : days;
}

static bool add_months(int64_t days, int64_t months, int64_t *out)
{
    int year, month, day;
    ax_date_civil(days, &year, &month, &day);
    int64_t from_year_0;
    if (__builtin_add_overflow((int64_t)year * 12 + month - 1, months, &from_year_0)) return false;
    if (from_year_0 < 12 || from_year_0 >= 10000 * 12) return false;
    year = (int)(from_year_0 / 12);
    month = (int)(from_year_0 % 12) + 1;
    int last = ax_month_days(year, month);
    *out = ax_date_days(year, month, day < last ? day : last);
    return true;
}

ax_rc ax_date_add(int64_t days, int64_t count, ax_date_unit unit, int64_t *out, ax_err *err)
{
    static const int factors[] = {
        [AX_UNIT_DAY] = 1, [AX_UNIT_WEEK] = 7, [AX_UNIT_MONTH] = 1, [AX_UNIT_YEAR] = 12};
    bool fits = !__builtin_mul_overflow(count, factors[unit], &count);
    if (unit == AX_UNIT_MONTH || unit == AX_UNIT_YEAR) fits = fits && add_months(days, count, out);
    else fits = fits && !__builtin_add_overflow(days, count, out);
    if (!fits || *out < AX_DATE_MIN || *out > AX_DATE_MAX)
        return ax_fail(err, AX_INVALID, "the result is outside the years 1 to 9999");
    return AX_OK;
}

/* ---- formats ---- */

/* A point in time in all the parts that directives show. */
typedef struct {
    int64_t days;
    int64_t in_day_ms;
    int year, month, day;
    int weekday; /* 1-7 */
} moment;

static const char *const weekdays[] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

/* ISO 8601: a week belongs to the year that has its Thursday. */
static void iso_week(const moment *t, int *year, int *week)
{
    int64_t thursday = t->days - t->weekday + 4;
    int month, day;
    ax_date_civil(thursday, year, &month, &day);
    *week = (int)(thursday - ax_date_days(*year, 1, 1)) / 7 + 1;
}

static int hour_of(const moment *t)
{
    return (int)(t->in_day_ms / 3600000);
}

static int minute_of(const moment *t)
{
    return (int)(t->in_day_ms / 60000 % 60);
}

static int second_of(const moment *t)
{
    return (int)(t->in_day_ms / 1000 % 60);
}

static void show_iso_year(const moment *t, ax_buf *out)
{
    int year, week;
    iso_week(t, &year, &week);
    ax_buf_addf(out, "%04d", year);
}

static void show_iso_week(const moment *t, ax_buf *out)
{
    int year, week;
    iso_week(t, &year, &week);
    ax_buf_addf(out, "%02d", week);
}

static void show_epoch(const moment *t, ax_buf *out)
{
    ax_buf_addi(out, t->days * (AX_DAY_MS / 1000) + t->in_day_ms / 1000);
}

static bool is_time_directive(char c)
{
    return c == 'H' || c == 'M' || c == 'S' || c == 'T' || c == 's';
}

/* False: there is no such directive. */
static bool show(char directive, const moment *t, ax_buf *out)
{
    switch (directive) {
    case 'Y': ax_buf_addf(out, "%04d", t->year); return true;
    case 'y': ax_buf_addf(out, "%02d", t->year % 100); return true;
    case 'm': ax_buf_addf(out, "%02d", t->month); return true;
    case 'd': ax_buf_addf(out, "%02d", t->day); return true;
    case 'j': ax_buf_addf(out, "%03d", (int)(t->days - ax_date_days(t->year, 1, 1)) + 1); return true;
    case 'F': ax_date_text(t->days, out); return true;
    case 'a': ax_buf_add(out, ax_str_slice(ax_str_of(weekdays[t->weekday - 1]), 0, 3)); return true;
    case 'A': ax_buf_adds(out, weekdays[t->weekday - 1]); return true;
    case 'b': ax_buf_add(out, ax_str_slice(ax_str_of(months[t->month - 1]), 0, 3)); return true;
    case 'B': ax_buf_adds(out, months[t->month - 1]); return true;
    case 'u': ax_buf_addi(out, t->weekday); return true;
    case 'G': show_iso_year(t, out); return true;
    case 'V': show_iso_week(t, out); return true;
    case 'H': ax_buf_addf(out, "%02d", hour_of(t)); return true;
    case 'M': ax_buf_addf(out, "%02d", minute_of(t)); return true;
    case 'S': ax_buf_addf(out, "%02d", second_of(t)); return true;
    case 'T': ax_buf_addf(out, "%02d:%02d:%02d", hour_of(t), minute_of(t), second_of(t)); return true;
    case 's': show_epoch(t, out); return true;
    case '%': ax_buf_addc(out, '%'); return true;
    default: return false;
    }
}

static ax_rc unknown_directive(ax_str format, size_t at, ax_err *err)
{
    if (at + 1 == format.len) ax_fail(err, AX_INVALID, "the format ends in a lone %%");
    else
        ax_fail(err, AX_INVALID, "the format has an unknown directive '%.*s'",
                AX_STR(ax_str_slice(format, at, at + 2)));
    ax_err_help(err,
                "known are %%Y %%y %%m %%d %%j %%H %%M %%S %%s %%a %%A %%b %%B %%u %%G %%V %%F %%T %%%%");
    return AX_INVALID;
}

ax_rc ax_date_format(int64_t days, bool has_time, int64_t in_day_ms, ax_str format, ax_buf *out, ax_err *err)
{
    moment t = {.days = days, .in_day_ms = in_day_ms, .weekday = ax_date_weekday(days)};
    ax_date_civil(days, &t.year, &t.month, &t.day);
    for (size_t at = 0; at < format.len; at++) {
        char c = format.ptr[at];
        if (c != '%') {
            ax_buf_addc(out, c);
            continue;
        }
        char directive = at + 1 < format.len ? format.ptr[at + 1] : '\0';
        if (is_time_directive(directive) && !has_time)
            return ax_fail(err, AX_INVALID, "a date has no time of day for '%%%c'", directive);
        if (!show(directive, &t, out)) return unknown_directive(format, at, err);
        at++;
    }
    return AX_OK;
}
