/* cron_words.c - the English of a cron expression: a phrase for the time of day and one for the days.
 *
 * A set of values is named by the first form that fits: all of them, evenly spaced around the clock, a
 * regular row, else its members with runs of three or more as ranges.
 */
#include "dsl/model/cron_words.h"

#include "dsl/base/assert.h"

enum {
    TIMES_MAX = 6, /* times of day that are listed one by one */
    RUN_MIN = 3,   /* neighbours that become a range */
    ROW_MIN = 4,   /* members of a regular row that is named by its step */
    WORKING_DAYS = 0x3e,
};

static const char *const weekday_names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                            "Thursday", "Friday", "Saturday"};
static const char *const month_names[] = {"",        "January",  "February", "March",  "April",
                                          "May",     "June",     "July",     "August", "September",
                                          "October", "November", "December"};
static const char *const nth_names[] = {"", "first", "second", "third", "fourth", "fifth"};

/* ---- sets ---- */

typedef struct {
    uint64_t bits;
    int min, max;    /* of the field */
    int count;       /* of members */
    int first, last; /* members */
    int step;        /* of a regular row of two or more; else 0 */
    bool full;       /* every value of the field */
    bool even;       /* a row that goes on evenly over the field's edge */
} set;

static set set_of(uint64_t bits, int min, int max)
{
    set s = {.bits = bits, .min = min, .max = max, .first = -1};
    for (int v = min, before = -1; v <= max; v++) {
        if (!(bits >> v & 1)) continue;
        if (s.count == 1) s.step = v - before;
        else if (s.count > 1 && v - before != s.step) s.step = 0;
        if (s.count == 0) s.first = v;
        s.last = before = v;
        s.count++;
    }
    int size = max - min + 1;
    s.full = s.count == size;
    s.even = s.step > 0 && size % s.step == 0 && s.count == size / s.step;
    return s;
}

/* One range of neighbours and nothing else. */
static bool is_run(const set *s)
{
    return s->step == 1 && s->count >= RUN_MIN;
}

/* A row with gaps, long enough to be named by its step. */
static bool is_row(const set *s)
{
    return s->step > 1 && s->count >= ROW_MIN;
}

/* ---- lists ---- */

typedef void (*add_value)(ax_buf *out, int value);

/* Puts ", " or " and " before the i-th of count items. */
static void add_comma(ax_buf *out, int i, int count)
{
    if (i > 0) ax_buf_adds(out, i + 1 == count ? " and " : ", ");
}

/* Where the run of neighbours that begins at v ends; v itself if it is too short for a range. */
static int run_end(const set *s, int v)
{
    int end = v;
    while (end < s->max && s->bits >> (end + 1) & 1) end++;
    return end - v + 1 >= RUN_MIN ? end : v;
}

/* How many items the list of the members has. */
static int list_length(const set *s)
{
    int count = 0;
    for (int v = s->min; v <= s->max; v++) {
        if (!(s->bits >> v & 1)) continue;
        count++;
        v = run_end(s, v);
    }
    return count;
}

/* The members as a list in which longer runs are ranges: "1, 5 to 9 and 12". `more` items follow it. */
static void add_list(ax_buf *out, const set *s, add_value add, int more)
{
    int count = list_length(s) + more, i = 0;
    for (int v = s->min; v <= s->max; v++) {
        if (!(s->bits >> v & 1)) continue;
        int end = run_end(s, v);
        add_comma(out, i++, count);
        add(out, v);
        if (end > v) {
            ax_buf_adds(out, " to ");
            add(out, end);
        }
        v = end;
    }
}

static void add_number(ax_buf *out, int n)
{
    ax_buf_addi(out, n);
}

static void add_hour(ax_buf *out, int hour)
{
    ax_buf_addf(out, "%02d", hour);
}

static void add_ordinal(ax_buf *out, int n)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    int last = n % 10;
    bool is_teen = n % 100 >= 11 && n % 100 <= 13;
    ax_buf_addf(out, "%d%s", n, endings[is_teen || last > 3 ? 0 : last]);
}

static void add_the_ordinal(ax_buf *out, int n)
{
    ax_buf_adds(out, "the ");
    add_ordinal(out, n);
}

static void add_month(ax_buf *out, int month)
{
    ax_buf_adds(out, month_names[month]);
}

static void add_weekday(ax_buf *out, int weekday)
{
    ax_buf_adds(out, weekday_names[weekday % 7]);
}

static void add_weekdays(ax_buf *out, int weekday)
{
    ax_buf_addf(out, "%ss", weekday_names[weekday % 7]);
}

/* "on " and a list, or "from " and a range if the set is one. */
static void add_on(ax_buf *out, const set *s, const char *on, add_value one, add_value several, int more)
{
    bool is_range = is_run(s) && more == 0;
    ax_buf_adds(out, is_range ? "from " : on);
    add_list(out, s, is_range ? one : several, more);
}

/* ---- time of day ---- */

typedef struct {
    set second, minute, hour;
} clock_sets;

static void add_time(ax_buf *out, const clock_sets *c, int hour, int minute, int second)
{
    ax_buf_addf(out, "%02d:%02d", hour, minute);
    if (c->second.bits != 1) ax_buf_addf(out, ":%02d", second);
}

/* "at 09:00, 12:00 and 18:00". */
static void add_times(ax_buf *out, const clock_sets *c)
{
    int count = c->hour.count * c->minute.count * c->second.count, i = 0;
    ax_buf_adds(out, "at ");
    for (int second = 0; second < 24 * 3600; second++) {
        int h = second / 3600, m = second / 60 % 60, s = second % 60;
        if (!(c->hour.bits >> h & 1) || !(c->minute.bits >> m & 1) || !(c->second.bits >> s & 1)) continue;
        add_comma(out, i++, count);
        add_time(out, c, h, m, s);
    }
}

/* " from 09:00 to 17:45": the first and the last time of a day. */
static void add_span(ax_buf *out, const clock_sets *c)
{
    ax_buf_addf(out, " from %02d:%02d to %02d:%02d", c->hour.first, c->minute.first, c->hour.last,
                c->minute.last);
}

/* "the hours 09 to 17", "hour 09", "every 2nd hour from 00 to 22"; empty for all hours. */
static void add_hours(ax_buf *out, const set *hour, const char *before)
{
    if (hour->full) return;
    ax_buf_adds(out, before);
    if (is_row(hour)) {
        ax_buf_adds(out, "every ");
        add_ordinal(out, hour->step);
        ax_buf_addf(out, " hour from %02d to %02d", hour->first, hour->last);
        return;
    }
    ax_buf_adds(out, hour->count == 1 ? "hour " : "the hours ");
    add_list(out, hour, add_hour, 0);
}

/* "minute 5", "minutes 0 and 45", "every 7th minute from 0 to 56". */
static void add_minutes(ax_buf *out, const set *s, const char *unit)
{
    if (is_row(s)) {
        ax_buf_adds(out, "every ");
        add_ordinal(out, s->step);
        ax_buf_addf(out, " %s from %d to %d", unit, s->first, s->last);
        return;
    }
    ax_buf_addf(out, "%s%s ", unit, s->count == 1 ? "" : "s");
    add_list(out, s, add_number, 0);
}

/* One minute of many hours. */
static void add_hourly(ax_buf *out, const clock_sets *c)
{
    const set *h = &c->hour;
    int minute = c->minute.first;
    if (h->full) {
        ax_buf_adds(out, "every hour");
        if (minute) ax_buf_addf(out, " at minute %d", minute);
    } else if (h->step == 1) {
        ax_buf_adds(out, "every hour");
        add_span(out, c);
    } else if (h->step > 1) {
        ax_buf_addf(out, "every %d hours", h->step);
        add_span(out, c);
    } else {
        ax_buf_addf(out, "at minute %d of ", minute);
        add_hours(out, h, "");
    }
}

/* Minutes that are evenly spaced around the hour. */
static void add_every_minutes(ax_buf *out, const clock_sets *c)
{
    const set *m = &c->minute, *h = &c->hour;
    if (m->step == 1) ax_buf_adds(out, "every minute");
    else ax_buf_addf(out, "every %d minutes", m->step);
    if (h->count == 1 || (h->step == 1 && !h->full)) {
        add_span(out, c);
        return;
    }
    if (m->first > 0) ax_buf_addf(out, " from minute %d", m->first);
    add_hours(out, h, " in ");
}

/* The phrase of an expression whose second is one value. */
static void add_minute_phrase(ax_buf *out, const clock_sets *c)
{
    if (c->minute.count == 1) {
        add_hourly(out, c);
    } else if (c->minute.even) {
        add_every_minutes(out, c);
    } else {
        ax_buf_adds(out, "at ");
        add_minutes(out, &c->minute, "minute");
        ax_buf_adds(out, " of ");
        if (c->hour.full) ax_buf_adds(out, "every hour");
        add_hours(out, &c->hour, "");
    }
}

/* The phrase of an expression with several seconds: from the small to the large. */
static void add_second_phrase(ax_buf *out, const clock_sets *c)
{
    const set *s = &c->second, *m = &c->minute, *h = &c->hour;
    bool is_steady = s->even && s->first == 0;
    if (s->full) {
        ax_buf_adds(out, "every second");
    } else if (is_steady) {
        ax_buf_addf(out, "every %d seconds", s->step);
    } else {
        ax_buf_adds(out, "at ");
        add_minutes(out, s, "second");
    }
    if (!m->full) {
        ax_buf_adds(out, " of ");
        add_minutes(out, m, "minute");
        if (h->full) ax_buf_adds(out, " of every hour");
    } else if (!is_steady) {
        ax_buf_adds(out, " of every minute");
    }
    add_hours(out, h, " in ");
}

/* Appends the time of day; true if it is a list of times. */
static bool add_time_of_day(ax_buf *out, const ax_cron *cron)
{
    const clock_sets c = {set_of(cron->second, 0, 59), set_of(cron->minute, 0, 59),
                          set_of(cron->hour, 0, 23)};
    if (c.second.count * c.minute.count * c.hour.count <= TIMES_MAX) {
        add_times(out, &c);
        return true;
    }
    if (c.second.count > 1) {
        add_second_phrase(out, &c);
        return false;
    }
    add_minute_phrase(out, &c);
    if (c.second.first > 0) ax_buf_addf(out, ", at second %d", c.second.first);
    return false;
}

/* ---- days ---- */

static int count_bits(uint64_t bits)
{
    return __builtin_popcountll(bits);
}

/* "on the 1st, the weekday nearest to the 15th and the last day": without what follows it. */
static void add_month_days(ax_buf *out, const ax_cron *cron)
{
    const set days = set_of(cron->day, 1, 31);
    int extra = count_bits(cron->from_end) + count_bits(cron->near_weekday) + cron->last_weekday;
    if (is_row(&days) && extra == 0) {
        ax_buf_adds(out, "on every ");
        add_ordinal(out, days.step);
        ax_buf_adds(out, " day");
        return;
    }
    add_on(out, &days, "on ", add_the_ordinal, add_the_ordinal, extra);
    int i = list_length(&days), count = i + extra;
    for (int d = 1; d <= 31; d++) {
        if (!(cron->near_weekday >> d & 1)) continue;
        add_comma(out, i++, count);
        ax_buf_adds(out, "the weekday nearest to ");
        add_the_ordinal(out, d);
    }
    for (int n = 30; n >= 0; n--) {
        if (!(cron->from_end >> n & 1)) continue;
        add_comma(out, i++, count);
        if (n == 0) ax_buf_adds(out, "the last day");
        else ax_buf_addf(out, "the day %d day%s before the last", n, n == 1 ? "" : "s");
    }
    if (!cron->last_weekday) return;
    add_comma(out, i, count);
    ax_buf_adds(out, "the last weekday (Monday to Friday)");
}

/* "on weekdays", "on Mondays and the last Friday of the month". */
static void add_week_days(ax_buf *out, const ax_cron *cron)
{
    const set from_sunday = set_of(cron->weekday, 0, 6);
    const set from_monday = set_of((cron->weekday & 0x7eu) | (cron->weekday & 1u) << 7, 1, 7);
    const set *days = is_run(&from_sunday) && from_sunday.first == 0 ? &from_sunday : &from_monday;
    int extra = count_bits(cron->weekday_last);
    for (int w = 0; w < 7; w++) extra += count_bits(cron->weekday_nth[w]);
    if (days->bits == WORKING_DAYS && extra == 0) {
        ax_buf_adds(out, "on weekdays");
        return;
    }
    add_on(out, days, "on ", add_weekday, add_weekdays, extra);
    int i = list_length(days), count = i + extra;
    for (int w = 1; w <= 7; w++) {
        for (int n = 1; n <= 5; n++) {
            if (!(cron->weekday_nth[w % 7] >> n & 1)) continue;
            add_comma(out, i++, count);
            ax_buf_addf(out, "the %s %s of the month", nth_names[n], weekday_names[w % 7]);
        }
    }
    for (int w = 1; w <= 7; w++) {
        if (!(cron->weekday_last >> (w % 7) & 1)) continue;
        add_comma(out, i++, count);
        ax_buf_addf(out, "the last %s of the month", weekday_names[w % 7]);
    }
}

/* True if the field alone lets every day pass. */
static bool any_date(const ax_cron *cron)
{
    return set_of(cron->day, 1, 31).full;
}

static bool any_weekday(const ax_cron *cron)
{
    return (cron->weekday & 0x7f) == 0x7f;
}

/* " on the 1st of January", " on 29 February". */
static void add_dates(ax_buf *out, const ax_cron *cron, const set *months)
{
    const set days = set_of(cron->day, 1, 31);
    bool is_plain = !cron->from_end && !cron->near_weekday && !cron->last_weekday;
    if (days.count == 1 && months->count == 1 && is_plain) {
        ax_buf_addf(out, " on %d %s", days.first, month_names[months->first]);
        return;
    }
    ax_buf_addc(out, ' ');
    add_month_days(out, cron);
    ax_buf_adds(out, " of ");
    if (months->full) ax_buf_adds(out, "the month");
    else add_list(out, months, add_month, 0);
    if (is_row(&days) && is_plain) {
        ax_buf_adds(out, " from ");
        add_the_ordinal(out, days.first);
        ax_buf_adds(out, " to ");
        add_the_ordinal(out, days.last);
    }
}

/* `daily`: say "every day" where no field restricts the days. */
static void add_days(ax_buf *out, const ax_cron *cron, bool daily)
{
    static const set all_months = {.full = true};
    const set months = set_of(cron->month, 1, 12);
    bool either = !cron->day_star && !cron->weekday_star;
    bool dates = !any_date(cron), weekdays = !any_weekday(cron);
    if (either && (!dates || !weekdays)) dates = weekdays = false; /* one of the two lets every day pass */
    if (dates && !weekdays) {
        add_dates(out, cron, &months);
        return;
    }
    if (dates) add_dates(out, cron, &all_months);
    if (weekdays) {
        ax_buf_adds(out, !dates ? " " : either ? " and also " : ", but only ");
        add_week_days(out, cron);
    }
    if (!dates && !weekdays && daily) ax_buf_adds(out, " every day");
    if (months.full) return;
    ax_buf_adds(out, dates ? ", " : " ");
    add_on(out, &months, "in ", add_month, add_month, 0);
}

void ax_cron_words(const ax_cron *cron, ax_buf *out)
{
    if (!ax_cron_fires(cron)) {
        ax_buf_adds(out, "never");
        return;
    }
    add_days(out, cron, add_time_of_day(out, cron));
}
