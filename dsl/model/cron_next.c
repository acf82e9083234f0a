/* cron_next.c - when an expression fires: a search over wall-clock time, carried over the segments of a zone.
 *
 * Within a segment (one offset) the wall clock runs evenly, so a firing is the next wall time that matches.
 * The rules for daylight saving touch only the segments' edges: which wall times of an overlap belong to
 * which pass, and whether a gap swallowed a wall time that is owed. Both directions, next and previous, use
 * the same three pieces.
 */
#include "dsl/model/cron.h"

#include "dsl/base/assert.h"
#include "dsl/model/units.h"

#define DAY_S 86400
#define CLOCK_REACH (30 * 3600) /* more than any zone's distance from UTC and any jump */
#define MONTHS_MAX (9999 * 12)
/* The calendar repeats after 400 years: what has not matched by then never will. */
#define CYCLE_MONTHS 4800

static int weekday_of(int64_t days)
{
    return (int)(((days + 4) % 7 + 7) % 7);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ---- days ---- */

/* Months are counted from January of the year 1. */
static int month_length(int64_t month)
{
    int year = (int)(month / 12) + 1, m = (int)(month % 12) + 1;
    int64_t next = m == 12 ? ax_date_days(year + 1, 1, 1) : ax_date_days(year, m + 1, 1);
    return (int)(next - ax_date_days(year, m, 1));
}

/* The weekday (Mon-Fri) nearest to a day, within its month. */
static int nearest_weekday(int day, int length, int first_weekday)
{
    int w = (first_weekday + day - 1) % 7;
    if (w == 6) return day > 1 ? day - 1 : day + 2;
    if (w == 0) return day < length ? day + 1 : day - 2;
    return day;
}

static uint32_t days_by_date(const ax_cron *c, int length, int first_weekday)
{
    uint32_t days = c->day;
    for (int n = 0; n < length; n++)
        if (c->from_end >> n & 1) days |= 1u << (length - n);
    for (int d = 1; d <= length && c->near_weekday != 0; d++)
        if (c->near_weekday >> d & 1) days |= 1u << nearest_weekday(d, length, first_weekday);
    if (c->last_weekday) days |= 1u << nearest_weekday(length, length, first_weekday);
    return days;
}

static uint32_t days_by_weekday(const ax_cron *c, int length, int first_weekday)
{
    uint32_t days = 0;
    for (int d = 1; d <= length; d++) {
        int w = (first_weekday + d - 1) % 7, nth = (d - 1) / 7 + 1;
        bool last = d + 7 > length;
        if (c->weekday >> w & 1 || c->weekday_nth[w] >> nth & 1 || (last && c->weekday_last >> w & 1))
            days |= 1u << d;
    }
    return days;
}

/* Bit d: the expression's day fields match day d of the month. */
static uint32_t month_days(const ax_cron *c, int64_t month)
{
    int year = (int)(month / 12) + 1, m = (int)(month % 12) + 1;
    if (!(c->month >> m & 1)) return 0;
    int length = month_length(month), first_weekday = weekday_of(ax_date_days(year, m, 1));
    uint32_t by_date = days_by_date(c, length, first_weekday),
             by_weekday = days_by_weekday(c, length, first_weekday);
    bool either = !c->day_star && !c->weekday_star;
    uint32_t in_month = (uint32_t)((1ull << (length + 1)) - 2);
    return (either ? by_date | by_weekday : by_date & by_weekday) & in_month;
}

/* ---- wall clock ---- */

/* The lowest set bit at or above `from`, or the highest at or below it; -1: none. */
static int bit_from(uint64_t bits, int from, bool up)
{
    if (up) {
        bits = from > 63 ? 0 : bits & (UINT64_MAX << from);
        return bits ? __builtin_ctzll(bits) : -1;
    }
    bits = from < 0 ? 0 : from >= 63 ? bits : bits & ((2ull << from) - 1);
    return bits ? 63 - __builtin_clzll(bits) : -1;
}

/* The first matching second of a day at or after `from` (up), or the last at or before it; -1: none. */
static int second_of_day(const ax_cron *c, int from, bool up)
{
    int h = from / 3600, m = from / 60 % 60, s = from % 60;
    int edge_m = up ? 0 : 59, edge_s = up ? 0 : 59, step = up ? 1 : -1;
    int hour = bit_from(c->hour, h, up);
    while (hour >= 0) {
        int start_m = hour == h ? m : edge_m;
        int minute = bit_from(c->minute, start_m, up);
        while (minute >= 0) {
            int second = bit_from(c->second, hour == h && minute == m ? s : edge_s, up);
            if (second >= 0) return hour * 3600 + minute * 60 + second;
            minute = bit_from(c->minute, minute + step, up);
        }
        hour = bit_from(c->hour, hour + step, up);
    }
    return -1;
}

/* The next matching wall time at or after `local` (up), or the last at or before it; AX_CRON_NEVER: none. */
static int64_t wall_from(const ax_cron *c, int64_t local, bool up)
{
    if (local < AX_TIME_MIN) local = up ? AX_TIME_MIN : AX_TIME_MIN - 1;
    if (local > AX_TIME_MAX) local = up ? AX_TIME_MAX + 1 : AX_TIME_MAX;
    if (local < AX_TIME_MIN || local > AX_TIME_MAX) return AX_CRON_NEVER;
    int64_t day = floor_div(local, DAY_S);
    int from = (int)(local - day * DAY_S);
    int year, m, d;
    ax_date_civil(day, &year, &m, &d);
    int64_t month = (int64_t)(year - 1) * 12 + m - 1;
    for (int64_t tried = 0; tried <= CYCLE_MONTHS + 1 && month >= 0 && month < MONTHS_MAX; tried++) {
        uint32_t days = month_days(c, month);
        int64_t first = ax_date_days((int)(month / 12) + 1, (int)(month % 12) + 1, 1);
        for (int at = bit_from(days, d, up); at >= 0; at = bit_from(days, at + (up ? 1 : -1), up)) {
            int64_t this_day = first + at - 1;
            int second = second_of_day(c, this_day == day ? from : up ? 0 : DAY_S - 1, up);
            if (second >= 0) return this_day * DAY_S + second;
        }
        month += up ? 1 : -1;
        d = up ? 1 : 31;
    }
    return AX_CRON_NEVER;
}

/* ---- segments ---- */

/* The wall times [from, to) whose firing belongs to this segment: all that it shows, less the pass of an
 * overlap that is not chosen. */
typedef struct {
    int64_t from, to;
} walls;

static walls segment_walls(const ax_cron *c, const ax_cron_rules *r, const ax_zone_segment *seg)
{
    walls w = {INT64_MIN, INT64_MAX};
    if (seg->beg != INT64_MIN) w.from = seg->beg + seg->offset;
    if (seg->end != INT64_MAX) w.to = seg->end + seg->offset;
    if (c->real_time || r->fold == AX_FOLD_BOTH) return w;
    if (r->fold == AX_FOLD_FIRST && seg->beg != INT64_MIN && seg->before > seg->offset)
        w.from = seg->beg + seg->before;
    if (r->fold == AX_FOLD_SECOND && seg->end != INT64_MAX && seg->after < seg->offset)
        w.to = seg->end + seg->after;
    return w;
}

/* True if a matching wall time fell into the gap at the start of this segment and is owed at its first
 * instant. */
static bool gap_is_owed(const ax_cron *c, const ax_cron_rules *r, const ax_zone_segment *seg)
{
    int32_t jump = seg->offset - seg->before;
    if (seg->beg == INT64_MIN || jump <= 0 || jump >= AX_CRON_NOT_DST || c->real_time ||
        r->gap == AX_GAP_SKIP)
        return false;
    int64_t wall = wall_from(c, seg->beg + seg->before, true);
    return wall < seg->beg + seg->offset;
}

int64_t ax_cron_next(const ax_cron *cron, const ax_cron_rules *rules, int64_t after)
{
    if (after >= AX_TIME_MAX) return AX_CRON_NEVER;
    if (after < AX_TIME_MIN) after = AX_TIME_MIN - 1;
    int64_t at = after + 1;
    for (;;) {
        ax_zone_segment seg = ax_zone_at(rules->zone, at);
        if (at == seg.beg && gap_is_owed(cron, rules, &seg)) return at;
        walls w = segment_walls(cron, rules, &seg);
        int64_t from = at + seg.offset < w.from ? w.from : at + seg.offset;
        int64_t wall = wall_from(cron, from, true);
        if (wall != AX_CRON_NEVER && wall < w.to) return wall - seg.offset;
        if (seg.end == INT64_MAX || wall == AX_CRON_NEVER) return AX_CRON_NEVER;
        /* Nothing matches from here up to that wall time, and no gap on the way is owed, so segments between
         * are passed over: those that show no wall time from before here, and none that comes after it. */
        bool is_far = seg.end - at >= CLOCK_REACH && wall - CLOCK_REACH > seg.end;
        at = is_far ? wall - CLOCK_REACH : seg.end;
    }
}

int64_t ax_cron_prev(const ax_cron *cron, const ax_cron_rules *rules, int64_t before)
{
    if (before <= AX_TIME_MIN) return AX_CRON_NEVER;
    if (before > AX_TIME_MAX) before = AX_TIME_MAX + 1;
    int64_t at = before - 1;
    for (;;) {
        ax_zone_segment seg = ax_zone_at(rules->zone, at);
        walls w = segment_walls(cron, rules, &seg);
        int64_t from = at + seg.offset >= w.to ? w.to - 1 : at + seg.offset;
        int64_t wall = wall_from(cron, from, false);
        if (wall != AX_CRON_NEVER && wall >= w.from) return wall - seg.offset;
        if (seg.beg == INT64_MIN || wall == AX_CRON_NEVER) return AX_CRON_NEVER;
        if (gap_is_owed(cron, rules, &seg)) return seg.beg;
        bool is_far = at - seg.beg >= CLOCK_REACH && wall + CLOCK_REACH < seg.beg - 1;
        at = is_far ? wall + CLOCK_REACH : seg.beg - 1;
    }
}

int64_t ax_cron_wall(const ax_cron *cron, const ax_cron_rules *rules, int64_t at)
{
    ax_zone_segment seg = ax_zone_at(rules->zone, at);
    int64_t shown = at + seg.offset;
    if (at != seg.beg || !gap_is_owed(cron, rules, &seg) || wall_from(cron, shown, true) == shown)
        return shown;
    return wall_from(cron, shown, false);
}

bool ax_cron_fires(const ax_cron *cron)
{
    return wall_from(cron, AX_TIME_MIN, true) != AX_CRON_NEVER;
}
