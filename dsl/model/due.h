/* due.h - when a schedule is due: its instants, the business date of each, and the interval up to the next.
 *
 * Pure: no clock and no memory of what has fired. A caller that fires asks for the next instant after the
 * last one it has entered in its ledger; one that makes up for missed instants or fills dates again walks a
 * range. Both see the same instants, because there is one search (cron.h) behind them. All times are
 * milliseconds since the epoch, UTC, and whole seconds for a cron expression.
 *
 * What is promised:
 * - Instants strictly increase: next(t) > t, and next(u) is the same for every u in [t, next(t)).
 *   prev is its mirror: next(prev(t)) >= t.
 * - Intervals are contiguous, never empty and never double: that of an instant ends where the next begins, 23
 *   or 25 hours later if the clocks changed. The last one before the schedule's end is as long as if there
 *   were no end.
 * - The business date of an instant is the local date of its wall time in the schedule's zone. If a gap
 *   swallowed that wall time and the instant stands for it, it is the date on which it should have come: a
 *   daily 23:30 keeps one instant a date where clocks jump from 23:00 to midnight.
 * - `every` counts real time from its anchor, so a restart or a late start shifts nothing. The anchor is the
 *   beginning of the date `start`, else that of 1970-01-01, in the schedule's zone (UTC if it has none);
 *   instants go on in both directions from it.
 * - `start` and `end` are business dates, both inclusive.
 */
#ifndef AX_MODEL_DUE_H
#define AX_MODEL_DUE_H

#include "dsl/model/cron.h"
#include "dsl/model/plan.h"

#define AX_DUE_NEVER INT64_MAX /* there is no such instant */

/* A schedule made ready. Plain data over a zone; copying it is fine. `cron_rules` (policies for gaps and
 * overlaps) and `anchor_ms` may be changed before use. */
typedef struct {
    ax_cron cron; /* if every_ms is 0 */
    ax_cron_rules cron_rules;
    int64_t every_ms; /* 0: it is a cron expression */
    int64_t anchor_ms;
    const ax_zone *zone;            /* of dates */
    int64_t start_day, end_day;     /* first and last business date, days since the epoch */
    int64_t earliest_ms, latest_ms; /* no instant of those dates lies outside; inclusive */
} ax_due;

/* Makes a schedule ready; a zone that must be loaded lives in mem. AX_INVALID: a bad expression or zone (a
 * compiled schedule has none, but zones differ from machine to machine). */
ax_rc ax_due_open(ax_arena *mem, const ax_schedule *schedule, ax_due *out, ax_err *err);

/* The first instant strictly after / the last strictly before a moment, or AX_DUE_NEVER. Bounded work, also
 * for an expression that never fires. */
int64_t ax_due_next(const ax_due *due, int64_t after_ms);
int64_t ax_due_prev(const ax_due *due, int64_t before_ms);

/* The business date of an instant of the schedule (of any moment: its local date), days since the epoch. */
int64_t ax_due_date(const ax_due *due, int64_t instant_ms);
/* Where the interval of an instant ends: at the next one, whether or not the schedule ends before it;
 * AX_DUE_NEVER if there is none. */
int64_t ax_due_interval_end(const ax_due *due, int64_t instant_ms);

/* ---- ranges ---- */

typedef struct {
    int64_t at_ms;
    int64_t end_ms; /* of its interval */
    int64_t date;   /* its business date */
} ax_due_instant;

/* A walk over the instants of some business dates, in order. Nothing is allocated, so a backfill may stop
 * after a batch, keep at_ms, and go on from there: walk.after_ms = at_ms. */
typedef struct {
    const ax_due *due; /* must outlive the walk */
    int64_t from_day, to_day;
    int64_t after_ms; /* instants up to here are done */
    int64_t latest_ms;
} ax_due_walk;

/* Starts a walk over the business dates from_day … to_day, both inclusive. A range that runs backwards has no
 * instants; whether that is an error is the caller's to say. */
ax_due_walk ax_due_dates(const ax_due *due, int64_t from_day, int64_t to_day);
/* The next instant of the walk; false: there is none left. */
bool ax_due_walk_next(ax_due_walk *walk, ax_due_instant *out);

#endif
