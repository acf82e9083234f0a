/* cron.h - cron expressions: what they mean, and exactly when they fire in a time zone.
 *
 * Five fields (minute hour day-of-month month day-of-week) or six (second first); names, lists, ranges,
 * steps, `L`, `W`,
 * `#`, `?`, and @yearly @monthly @weekly @daily @midnight @hourly. Rules (docs/language.md):
 * - Day-of-month and day-of-week: if both are restricted either may match; a field whose text starts with `*`
 * (or is
 *   `?`) is not restricted, and then both must match.
 * - Minute and hour both fixed: a wall time that does not exist fires once, at the first instant after the
 * gap; one that exists twice fires once, the first time (policies change both). A jump of three hours or more
 * is not daylight saving: what it left out never was. Several wall times that fall on one instant fire once.
 * - A minute or hour field that starts with `*` follows real time: nothing extra at a gap, both passes of an
 * overlap.
 */
#ifndef AX_MODEL_CRON_H
#define AX_MODEL_CRON_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/err.h"
#include "dsl/base/str.h"
#include "dsl/model/tz.h"

typedef enum { AX_GAP_SHIFT, AX_GAP_SKIP } ax_gap;
typedef enum { AX_FOLD_FIRST, AX_FOLD_SECOND, AX_FOLD_BOTH } ax_fold;

typedef struct {
    uint64_t second, minute;     /* bit per value */
    uint32_t hour, month;        /* bit 0-23; bit 1-12 */
    uint32_t day;                /* bit 1-31 */
    uint32_t near_weekday;       /* bit d: the weekday nearest to day d (15W) */
    uint32_t from_end;           /* bit n: n days before the last day of the month (L is bit 0, L-3 bit 3) */
    bool last_weekday;           /* LW */
    uint8_t weekday;             /* bit 0-6, Sunday is 0 */
    uint8_t weekday_last;        /* bit w: the last such weekday of the month (5L) */
    uint8_t weekday_nth[7];      /* [w], bit n: the n-th such weekday (5#2), n 1-5 */
    bool day_star, weekday_star; /* the field is not restricted */
    bool real_time;              /* minute or hour starts with * */
    uint32_t uneven_at; /* offset of a step that does not divide its field's range (its last step is short) */
    uint32_t uneven_len; /* 0: there is none */
} ax_cron;

/* What is wrong with an expression, and where. */
typedef ax_text_err ax_cron_error;

/* Reads an expression; false with *error filled. An expression that can never fire is not an error here. */
bool ax_cron_parse(ax_str text, ax_cron *out, ax_cron_error *error);

/* How a schedule reads its expression. */
typedef struct {
    const ax_zone *zone;
    ax_gap gap;
    ax_fold fold;
} ax_cron_rules;

#define AX_CRON_NEVER INT64_MAX
#define AX_CRON_NOT_DST (3 * 3600) /* a jump of so many seconds or more is not daylight saving */

/* The first firing strictly after an instant (seconds, UTC), or AX_CRON_NEVER. Work is bounded (a few ms at
 * worst). */
int64_t ax_cron_next(const ax_cron *cron, const ax_cron_rules *rules, int64_t after);
/* The last firing strictly before an instant, or AX_CRON_NEVER. */
int64_t ax_cron_prev(const ax_cron *cron, const ax_cron_rules *rules, int64_t before);
/* The wall time that a firing stands for (seconds, as in tz.h): what the clock shows at the instant, or, if
 * it fires there only because a gap swallowed its wall time, the last such time in the gap. */
int64_t ax_cron_wall(const ax_cron *cron, const ax_cron_rules *rules, int64_t at);
/* True if the expression matches some wall time between the years 1 and 9999. */
bool ax_cron_fires(const ax_cron *cron);

#endif
