/* date_fn.h - what the language's functions do with dates: parts of the calendar and formats. UTC, English.
 */
#ifndef AX_MODEL_DATE_FN_H
#define AX_MODEL_DATE_FN_H

#include "dsl/base/buf.h"
#include "dsl/base/err.h"

typedef enum { AX_UNIT_DAY, AX_UNIT_WEEK, AX_UNIT_MONTH, AX_UNIT_YEAR } ax_date_unit;

/* 1 (Monday) to 7. */
int ax_date_weekday(int64_t days);
/* The first or last day of the week (from Monday), month or year that holds the date. */
int64_t ax_date_start_of(int64_t days, ax_date_unit unit);
int64_t ax_date_end_of(int64_t days, ax_date_unit unit);
/* The date `count` units later; a day that its month does not have becomes the month's last. AX_INVALID:
 * outside the years 1 to 9999. */
ax_rc ax_date_add(int64_t days, int64_t count, ax_date_unit unit, int64_t *out, ax_err *err);
/* Appends days (and, if has_time, the ms of that day) in a format of strftime's directives
 * %Y %y %m %d %j %H %M %S %s %a %A %b %B %u %G %V %F %T %%. AX_INVALID: another directive, or a time of a
 * date. */
ax_rc ax_date_format(int64_t days, bool has_time, int64_t in_day_ms, ax_str format, ax_buf *out, ax_err *err);

#endif
