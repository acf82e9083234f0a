/* due.c - the instants of a schedule, over the search of cron.h or the arithmetic of `every`.
 *
 * Local dates do not always increase with time (clocks set back over midnight show yesterday again), so a
 * range of dates is first bounded by the instants at which its dates can be shown, and then each instant is
 * asked for its own date.
 */
#include "dsl/model/due.h"

#include "dsl/base/assert.h"
#include "dsl/model/units.h"

enum { SECOND_MS = 1000, DAY_S = 86400 };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t clamp_day(int64_t day)
{
    return day < AX_DATE_MIN ? AX_DATE_MIN : day > AX_DATE_MAX ? AX_DATE_MAX : day;
}

/* The first moment at which a date can be shown. */
static int64_t earliest_of(const ax_zone *zone, int64_t day)
{
    return ax_zone_local(zone, clamp_day(day) * DAY_S).first * SECOND_MS;
}

/* The last moment at which a date can be shown, or at which an instant may stand for it. */
static int64_t latest_of(const ax_zone *zone, int64_t day)
{
    return ax_zone_local(zone, (clamp_day(day) + 1) * DAY_S).second * SECOND_MS;
}

static ax_rc open_cron(const ax_schedule *schedule, ax_due *due, ax_err *err)
{
    ax_cron_error error;
    due->cron_rules = (ax_cron_rules){.zone = due->zone, .gap = AX_GAP_SHIFT, .fold = AX_FOLD_FIRST};
    if (ax_cron_parse(schedule->cron, &due->cron, &error)) return AX_OK;
    ax_fail(err, AX_INVALID, "cron \"%.*s\": %s", AX_STR(schedule->cron), error.text);
    if (error.help[0]) ax_err_help(err, "%s", error.help);
    return AX_INVALID;
}

ax_rc ax_due_open(ax_arena *mem, const ax_schedule *schedule, ax_due *out, ax_err *err)
{
    *out = (ax_due){.every_ms = schedule->every_ms, .zone = ax_zone_utc()};
    ax_rc rc = AX_OK;
    if (schedule->timezone.len) rc = ax_zone_load(mem, schedule->timezone, &out->zone, err);
    if (!rc && schedule->cron.len) rc = open_cron(schedule, out, err);
    if (rc) return rc;
    if (!schedule->cron.len && schedule->every_ms <= 0)
        return ax_fail(err, AX_INVALID, "the schedule does not say when");
    out->start_day = schedule->has_start ? schedule->start_day : AX_DATE_MIN;
    out->end_day = schedule->has_end ? schedule->end_day : AX_DATE_MAX;
    out->anchor_ms = earliest_of(out->zone, schedule->has_start ? schedule->start_day : 0);
    out->earliest_ms = schedule->has_start ? earliest_of(out->zone, out->start_day) : AX_INSTANT_MIN;
    out->latest_ms = schedule->has_end ? latest_of(out->zone, out->end_day) : AX_INSTANT_MAX;
    return AX_OK;
}

/* ---- without regard to start and end ---- */

static int64_t every_next(const ax_due *due, int64_t after_ms)
{
    int64_t steps = floor_div(after_ms - due->anchor_ms, due->every_ms) + 1;
    int64_t at;
    if (__builtin_mul_overflow(steps, due->every_ms, &at) || __builtin_add_overflow(at, due->anchor_ms, &at))
        return AX_DUE_NEVER;
    return at > AX_INSTANT_MAX ? AX_DUE_NEVER : at;
}

static int64_t every_prev(const ax_due *due, int64_t before_ms)
{
    int64_t steps = floor_div(before_ms - 1 - due->anchor_ms, due->every_ms);
    int64_t at;
    if (__builtin_mul_overflow(steps, due->every_ms, &at) || __builtin_add_overflow(at, due->anchor_ms, &at))
        return AX_DUE_NEVER;
    return at < AX_INSTANT_MIN ? AX_DUE_NEVER : at;
}

static int64_t any_next(const ax_due *due, int64_t after_ms)
{
    if (after_ms >= AX_INSTANT_MAX) return AX_DUE_NEVER;
    if (after_ms < AX_INSTANT_MIN) after_ms = AX_INSTANT_MIN - 1;
    if (due->every_ms) return every_next(due, after_ms);
    int64_t at = ax_cron_next(&due->cron, &due->cron_rules, floor_div(after_ms, SECOND_MS));
    return at == AX_CRON_NEVER ? AX_DUE_NEVER : at * SECOND_MS;
}

static int64_t any_prev(const ax_due *due, int64_t before_ms)
{
    if (before_ms <= AX_INSTANT_MIN) return AX_DUE_NEVER;
    if (before_ms > AX_INSTANT_MAX) before_ms = AX_INSTANT_MAX + 1;
    if (due->every_ms) return every_prev(due, before_ms);
    int64_t at = ax_cron_prev(&due->cron, &due->cron_rules, -floor_div(-before_ms, SECOND_MS));
    return at == AX_CRON_NEVER ? AX_DUE_NEVER : at * SECOND_MS;
}

/* ---- instants ---- */

int64_t ax_due_date(const ax_due *due, int64_t instant_ms)
{
    int64_t at = floor_div(instant_ms, SECOND_MS);
    if (due->every_ms) return floor_div(at + ax_zone_offset(due->zone, at), DAY_S);
    return floor_div(ax_cron_wall(&due->cron, &due->cron_rules, at), DAY_S);
}

int64_t ax_due_interval_end(const ax_due *due, int64_t instant_ms)
{
    return any_next(due, instant_ms);
}

/* The first instant after a moment and not later than latest_ms whose date is in the range. */
static int64_t next_of(const ax_due *due, int64_t after_ms, int64_t latest_ms, int64_t from_day,
                       int64_t to_day)
{
    int64_t at = any_next(due, after_ms);
    while (at <= latest_ms) {
        int64_t date = ax_due_date(due, at);
        if (date >= from_day && date <= to_day) return at;
        at = any_next(due, at);
    }
    return AX_DUE_NEVER;
}

int64_t ax_due_next(const ax_due *due, int64_t after_ms)
{
    if (after_ms < due->earliest_ms) after_ms = due->earliest_ms - 1;
    return next_of(due, after_ms, due->latest_ms, due->start_day, due->end_day);
}

int64_t ax_due_prev(const ax_due *due, int64_t before_ms)
{
    if (before_ms > due->latest_ms) before_ms = due->latest_ms + 1;
    int64_t at = any_prev(due, before_ms);
    while (at != AX_DUE_NEVER && at >= due->earliest_ms) {
        int64_t date = ax_due_date(due, at);
        if (date >= due->start_day && date <= due->end_day) return at;
        at = any_prev(due, at);
    }
    return AX_DUE_NEVER;
}

/* ---- ranges ---- */

ax_due_walk ax_due_dates(const ax_due *due, int64_t from_day, int64_t to_day)
{
    ax_due_walk walk = {.due = due, .from_day = from_day, .to_day = to_day};
    if (walk.from_day < due->start_day) walk.from_day = due->start_day;
    if (walk.to_day > due->end_day) walk.to_day = due->end_day;
    walk.after_ms = earliest_of(due->zone, walk.from_day) - 1;
    walk.latest_ms = latest_of(due->zone, walk.to_day);
    return walk;
}

bool ax_due_walk_next(ax_due_walk *walk, ax_due_instant *out)
{
    if (walk->from_day > walk->to_day) return false;
    int64_t at = next_of(walk->due, walk->after_ms, walk->latest_ms, walk->from_day, walk->to_day);
    if (at == AX_DUE_NEVER) return false;
    AX_ASSERT(at > walk->after_ms);
    walk->after_ms = at;
    *out = (ax_due_instant){at, ax_due_interval_end(walk->due, at), ax_due_date(walk->due, at)};
    return true;
}
