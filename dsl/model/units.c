/* units.c - durations, sizes, dates, times and instants as text.
 *
 * Readers take the whole text or nothing: no sign, no blanks, no fractions, so that one spelling has one
 * meaning. Dates are counted from 0001-01-01 inside, which keeps all arithmetic on them unsigned in spirit:
 * no year before 1 has a text form.
 */
#include "dsl/model/units.h"

#include "dsl/base/assert.h"

#define MS_SECOND INT64_C(1000)
#define MS_MINUTE (60 * MS_SECOND)
#define MS_HOUR (60 * MS_MINUTE)

#define DAYS_1970 INT64_C(719162) /* days from 0001-01-01 to 1970-01-01 */
#define DAYS_400 146097           /* days in 400 years, after which the calendar repeats */

typedef struct {
    const char *name;
    int64_t factor;
} unit;

/* Larger before smaller: the order in which a duration must be written. */
static const unit duration_units[] = {
    {"w", 7 * AX_DAY_MS}, {"d", AX_DAY_MS}, {"h", MS_HOUR}, {"m", MS_MINUTE}, {"s", MS_SECOND}, {"ms", 1},
};
#define DURATION_UNITS (sizeof duration_units / sizeof *duration_units)

#define KIB INT64_C(1024)
/* Where two units give the same count, the first is written. */
static const unit size_units[] = {
    {"TB", 1000000000000},  {"GB", 1000000000}, {"MB", 1000000}, {"KB", 1000}, {"TiB", KIB *KIB *KIB *KIB},
    {"GiB", KIB *KIB *KIB}, {"MiB", KIB *KIB},  {"KiB", KIB},    {"B", 1},
};
#define SIZE_UNITS (sizeof size_units / sizeof *size_units)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes the decimal number at *at and moves behind it; false if there is none or it overflows. */
static bool take_number(ax_str s, size_t *at, int64_t *n)
{
    size_t start = *at;
    *n = 0;
    for (; *at < s.len && is_digit(s.ptr[*at]); (*at)++)
        if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, s.ptr[*at] - '0', n))
            return false;
    return *at > start;
}

/* Takes the letters at *at and gives the index of the unit they name, or count. */
static size_t take_unit(ax_str s, size_t *at, const unit *units, size_t count)
{
    size_t start = *at;
    while (*at < s.len && !is_digit(s.ptr[*at])) (*at)++;
    ax_str name = ax_str_slice(s, start, *at);
    for (size_t i = 0; i < count; i++)
        if (ax_str_is(name, units[i].name)) return i;
    return count;
}

/* Exactly `digits` digits at s[at]; -1 if they are not there. */
static int fixed_number(ax_str s, size_t at, size_t digits)
{
    if (at + digits > s.len) return -1;
    int n = 0;
    for (size_t i = at; i < at + digits; i++) {
        if (!is_digit(s.ptr[i])) return -1;
        n = n * 10 + (s.ptr[i] - '0');
    }
    return n;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ---- durations ---- */

bool ax_duration_parse(ax_str text, int64_t *ms)
{
    int64_t sum = 0;
    size_t next = 0; /* the largest unit that may still come */
    for (size_t at = 0; at < text.len;) {
        int64_t n;
        if (!take_number(text, &at, &n)) return false;
        size_t u = take_unit(text, &at, duration_units, DURATION_UNITS);
        if (u == DURATION_UNITS || u < next) return false;
        next = u + 1;
        if (__builtin_mul_overflow(n, duration_units[u].factor, &n) || __builtin_add_overflow(sum, n, &sum))
            return false;
    }
    *ms = sum;
    return next > 0;
}

void ax_duration_text(int64_t ms, ax_buf *out)
{
    if (ms == 0) {
        ax_buf_adds(out, "0s");
        return;
    }
    if (ms < 0) ax_buf_addc(out, '-');
    uint64_t left = ms < 0 ? -(uint64_t)ms : (uint64_t)ms;
    /* Weeks only if nothing else is needed: 10d, not 1w3d. */
    size_t first = left % (uint64_t)duration_units[0].factor ? 1 : 0;
    for (size_t u = first; u < DURATION_UNITS; u++) {
        uint64_t n = left / (uint64_t)duration_units[u].factor;
        left %= (uint64_t)duration_units[u].factor;
        if (n) ax_buf_addf(out, "%llu%s", (unsigned long long)n, duration_units[u].name);
    }
}

void ax_duration_human(int64_t ms, ax_buf *out)
{
    if (ms < 0) {
        ax_buf_addc(out, '-');
        ms = ms == INT64_MIN ? INT64_MAX : -ms;
    }
    if (ms < 9950) {
        int64_t tenths = (ms + 50) / 100;
        ax_buf_addf(out, "%lld.%llds", (long long)(tenths / 10), (long long)(tenths % 10));
        return;
    }
    /* Each is rounded from the exact time: rounding what was rounded would move 23h59m29.9s to a day. */
    long long whole = ms / 1000, seconds = whole + (ms % 1000 >= 500);
    long long minutes = (whole + 30) / 60, hours = (whole / 60 + 30) / 60;
    if (seconds < 60) ax_buf_addf(out, "%llds", seconds);
    else if (seconds < 3600) ax_buf_addf(out, "%lldm%02llds", seconds / 60, seconds % 60);
    else if (minutes < 24 * 60) ax_buf_addf(out, "%lldh%02lldm", minutes / 60, minutes % 60);
    else ax_buf_addf(out, "%lldd%02lldh", hours / 24, hours % 24);
}

/* ---- sizes ---- */

bool ax_size_parse(ax_str text, int64_t *bytes)
{
    size_t at = 0;
    int64_t n;
    if (!take_number(text, &at, &n)) return false;
    size_t u = take_unit(text, &at, size_units, SIZE_UNITS);
    if (u == SIZE_UNITS || at != text.len) return false;
    return !__builtin_mul_overflow(n, size_units[u].factor, bytes);
}

void ax_size_text(int64_t bytes, ax_buf *out)
{
    const unit *best = &size_units[SIZE_UNITS - 1];
    for (size_t u = 0; u < SIZE_UNITS && bytes != 0; u++)
        if (bytes % size_units[u].factor == 0 && size_units[u].factor > best->factor) best = &size_units[u];
    ax_buf_addi(out, bytes / best->factor);
    ax_buf_adds(out, best->name);
}

/* ---- dates ---- */

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days of the year before the first of `month`; month 13 gives the length of the year. */
static int days_before_month(int year, int month)
{
    static const short before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    return before[month - 1] + (month > 2 && is_leap(year));
}

/* Days from 0001-01-01 to the first of January of `year`. */
static int64_t days_before_year(int64_t year)
{
    int64_t full = year - 1;
    return 365 * full + full / 4 - full / 100 + full / 400;
}

int ax_month_days(int year, int month)
{
    AX_ASSERT(month >= 1 && month <= 12);
    return days_before_month(year, month + 1) - days_before_month(year, month);
}

int64_t ax_date_days(int year, int month, int day)
{
    AX_ASSERT(month >= 1 && month <= 12);
    return days_before_year(year) + days_before_month(year, month) + day - 1 - DAYS_1970;
}

void ax_date_civil(int64_t days, int *year, int *month, int *day)
{
    if (days < AX_DATE_MIN) days = AX_DATE_MIN;
    if (days > AX_DATE_MAX) days = AX_DATE_MAX;
    int64_t since = days + DAYS_1970;
    int64_t y = since * 400 / DAYS_400 + 1; /* off by one at most */
    while (days_before_year(y) > since) y--;
    while (days_before_year(y + 1) <= since) y++;
    int in_year = (int)(since - days_before_year(y));
    int m = in_year / 31 + 1; /* the month, or the one before it */
    if (days_before_month((int)y, m + 1) <= in_year) m++;
    *year = (int)y;
    *month = m;
    *day = in_year - days_before_month((int)y, m) + 1;
}

bool ax_date_parse(ax_str text, int64_t *days)
{
    if (text.len != 10 || text.ptr[4] != '-' || text.ptr[7] != '-') return false;
    int year = fixed_number(text, 0, 4), month = fixed_number(text, 5, 2), day = fixed_number(text, 8, 2);
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > ax_month_days(year, month)) return false;
    *days = ax_date_days(year, month, day);
    return true;
}

void ax_date_text(int64_t days, ax_buf *out)
{
    int year, month, day;
    ax_date_civil(days, &year, &month, &day);
    ax_buf_addf(out, "%04d-%02d-%02d", year, month, day);
}

/* ---- times and instants ---- */

bool ax_time_parse(ax_str text, int64_t *minutes)
{
    if (text.len != 5 || text.ptr[2] != ':') return false;
    int hour = fixed_number(text, 0, 2), minute = fixed_number(text, 3, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return false;
    *minutes = hour * 60 + minute;
    return true;
}

void ax_time_text(int64_t minutes, ax_buf *out)
{
    ax_buf_addf(out, "%02d:%02d", (int)(minutes / 60), (int)(minutes % 60));
}

void ax_instant_text(int64_t ms, ax_buf *out)
{
    int64_t days = floor_div(ms, AX_DAY_MS);
    int in_day = (int)(ms - days * AX_DAY_MS);
    ax_date_text(days, out);
    ax_buf_addf(out, "T%02d:%02d:%02d", in_day / 3600000, in_day / 60000 % 60, in_day / 1000 % 60);
    if (in_day % 1000) ax_buf_addf(out, ".%03d", in_day % 1000);
    ax_buf_addc(out, 'Z');
}

bool ax_instant_parse(ax_str text, int64_t *ms)
{
    bool fraction = text.len == 24;
    if (text.len != 20 && !fraction) return false;
    if (text.ptr[10] != 'T' || text.ptr[13] != ':' || text.ptr[16] != ':' || text.ptr[text.len - 1] != 'Z')
        return false;
    if (fraction && text.ptr[19] != '.') return false;
    int64_t days;
    int hour = fixed_number(text, 11, 2), minute = fixed_number(text, 14, 2),
        second = fixed_number(text, 17, 2);
    int milli = fraction ? fixed_number(text, 20, 3) : 0;
    if (!ax_date_parse(ax_str_slice(text, 0, 10), &days) || milli < 0) return false;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return false;
    *ms = days * AX_DAY_MS + hour * MS_HOUR + minute * MS_MINUTE + second * MS_SECOND + milli;
    return true;
}
