/* units.h - durations, sizes, dates and times as text: one reader and one writer for language, options and
 * reports. */
#ifndef AX_MODEL_UNITS_H
#define AX_MODEL_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/buf.h"
#include "dsl/base/str.h"

#define AX_DAY_MS INT64_C(86400000)
#define AX_DATE_MIN INT64_C(-719162) /* 0001-01-01 in days since 1970-01-01 */
#define AX_DATE_MAX INT64_C(2932896) /* 9999-12-31 */
#define AX_INSTANT_MIN (AX_DATE_MIN * AX_DAY_MS)
#define AX_INSTANT_MAX ((AX_DATE_MAX + 1) * AX_DAY_MS - 1)

/* "1h30m" to milliseconds: ms s m h d w, descending, each once; false if the text is no duration or
 * overflows. */
bool ax_duration_parse(ax_str text, int64_t *ms);
/* Appends the exact form in the largest units ("90s" is "1m30s"; weeks only alone); below zero with a "-". */
void ax_duration_text(int64_t ms, ax_buf *out);
/* Appends a rounded form for people: "0.4s", "12s", "3m05s", "2h10m". */
void ax_duration_human(int64_t ms, ax_buf *out);
/* "512MB", "4GiB" to bytes (KB MB GB TB are powers of 1000, KiB… of 1024, B is 1). */
bool ax_size_parse(ax_str text, int64_t *bytes);
void ax_size_text(int64_t bytes, ax_buf *out);
/* "2026-11-30" to days since 1970-01-01 (proleptic Gregorian, years 0001-9999), and back. */
bool ax_date_parse(ax_str text, int64_t *days);
void ax_date_text(int64_t days, ax_buf *out);
int64_t ax_date_days(int year, int month, int day);
/* Days outside AX_DATE_MIN … AX_DATE_MAX give the nearer end. */
void ax_date_civil(int64_t days, int *year, int *month, int *day);
/* 28-31. */
int ax_month_days(int year, int month);
/* "07:20" to minutes since midnight, and back. */
bool ax_time_parse(ax_str text, int64_t *minutes);
void ax_time_text(int64_t minutes, ax_buf *out);
/* "2026-11-30T02:00:00Z" (with .mmm if not whole seconds) from ms since the epoch, and back. */
void ax_instant_text(int64_t ms, ax_buf *out);
bool ax_instant_parse(ax_str text, int64_t *ms);

#endif
