/* tz_rule.c - POSIX TZ strings, the tail of every zone file: what the clock does from its last recorded
 * transition on.
 *
 * std offset [dst [offset] [, start [/time], end [/time]]], with the extensions of RFC 8536: quoted names in
 * < >, and times from -167 to 167 hours. Offsets in the text count west of Greenwich; ours count east.
 */
#include "dsl/model/tz_int.h"

#include "dsl/model/units.h"

#define DAY 86400
#define DIGITS_MAX 3 /* of any number in a rule */

typedef struct {
    ax_str text;
    size_t at;
    bool bad;
} scan;

static char peek(const scan *s)
{
    return s->at < s->text.len ? s->text.ptr[s->at] : '\0';
}

static bool take(scan *s, char c)
{
    if (peek(s) != c || c == '\0') return false;
    s->at++;
    return true;
}

static int take_number(scan *s)
{
    int n = 0, digits = 0;
    for (; peek(s) >= '0' && peek(s) <= '9' && digits < DIGITS_MAX; digits++)
        n = n * 10 + (s->text.ptr[s->at++] - '0');
    if (digits == 0) s->bad = true;
    return n;
}

/* A zone abbreviation: three or more letters, or anything in < >. */
static void skip_name(scan *s)
{
    size_t from = s->at;
    if (take(s, '<')) {
        while (peek(s) != '\0' && peek(s) != '>') s->at++;
        if (!take(s, '>')) s->bad = true;
        return;
    }
    while ((peek(s) >= 'A' && peek(s) <= 'Z') || (peek(s) >= 'a' && peek(s) <= 'z')) s->at++;
    if (s->at - from < 3) s->bad = true;
}

/* [+-]hh[:mm[:ss]] in seconds. */
static int64_t take_time(scan *s)
{
    int64_t sign = 1;
    if (take(s, '-')) sign = -1;
    else take(s, '+');
    int64_t seconds = (int64_t)take_number(s) * 3600;
    if (take(s, ':')) seconds += (int64_t)take_number(s) * 60;
    if (take(s, ':')) seconds += take_number(s);
    return sign * seconds;
}

static ax_tz_when take_when(scan *s)
{
    ax_tz_when w = {.form = 'N', .time = 2 * 3600};
    if (take(s, 'M')) {
        w.form = 'M';
        w.month = take_number(s);
        if (!take(s, '.')) s->bad = true;
        w.week = take_number(s);
        if (!take(s, '.')) s->bad = true;
        w.weekday = take_number(s);
        if (w.month < 1 || w.month > 12 || w.week < 1 || w.week > 5 || w.weekday > 6) s->bad = true;
    } else {
        if (take(s, 'J')) w.form = 'J';
        w.day = take_number(s);
        if (w.day > 365 || (w.form == 'J' && w.day < 1)) s->bad = true;
    }
    if (take(s, '/')) w.time = take_time(s);
    return w;
}

bool ax_tz_rule_parse(ax_str text, ax_tz_rule *out)
{
    scan s = {.text = text};
    ax_tz_rule rule = {0};
    skip_name(&s);
    rule.std = (int32_t)-take_time(&s);
    rule.dst = rule.std;
    if (!s.bad && s.at < text.len) {
        rule.has_dst = true;
        skip_name(&s);
        rule.dst = rule.std + 3600;
        if (peek(&s) != ',') rule.dst = (int32_t)-take_time(&s);
        if (!take(&s, ',')) s.bad = true;
        rule.to_dst = take_when(&s);
        if (!take(&s, ',')) s.bad = true;
        rule.to_std = take_when(&s);
    }
    if (s.bad || s.at != text.len) return false;
    *out = rule;
    return true;
}

static int weekday_of(int64_t days)
{
    return (int)(((days + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday; 0 is Sunday */
}

/* The local midnight-based second at which a rule acts in a year. */
static int64_t when_local(const ax_tz_when *w, int year)
{
    int64_t day;
    if (w->form == 'M') {
        int64_t first = ax_date_days(year, w->month, 1);
        int64_t next = w->month == 12 ? ax_date_days(year + 1, 1, 1) : ax_date_days(year, w->month + 1, 1);
        day = first + (w->weekday - weekday_of(first) + 7) % 7 + 7 * (w->week - 1);
        if (day >= next) day -= 7;
    } else {
        day = ax_date_days(year, 1, 1) + w->day;
        bool leap = ax_date_days(year, 3, 1) - ax_date_days(year, 2, 1) == 29;
        if (w->form == 'J') day += (leap && w->day >= 60) ? 0 : -1;
    }
    return day * DAY + w->time;
}

ax_zone_segment ax_tz_rule_at(const ax_tz_rule *rule, int64_t utc)
{
    ax_zone_segment seg = {INT64_MIN, INT64_MAX, rule->std, rule->std, rule->std};
    if (!rule->has_dst) return seg;

    int year, month, day;
    int64_t days = utc / DAY - (utc % DAY < 0);
    ax_date_civil(days, &year, &month, &day);
    /* The rule's transitions of three years hold every segment that touches this one. They come in order
     * already, but for which of the two is first in a year (the southern half of the world). */
    for (int y = year - 1; y <= year + 1; y++) {
        int64_t to_dst = when_local(&rule->to_dst, y) - rule->std;
        int64_t to_std = when_local(&rule->to_std, y) - rule->dst;
        bool dst_first = to_dst < to_std;
        for (int i = 0; i < 2; i++) {
            bool to_summer = (i == 0) == dst_first;
            int64_t at = to_summer ? to_dst : to_std;
            int32_t before = to_summer ? rule->std : rule->dst, after = to_summer ? rule->dst : rule->std;
            if (at <= utc) {
                seg.beg = at;
                seg.offset = after;
                seg.before = before;
            } else if (seg.end == INT64_MAX) {
                seg.end = at;
                seg.offset = before;
                seg.after = after;
            }
        }
    }
    return seg;
}
