/* tz_text.h - a moment as the clocks of a zone show it. Times are milliseconds since the epoch. */
#ifndef AX_MODEL_TZ_TEXT_H
#define AX_MODEL_TZ_TEXT_H

#include "dsl/base/buf.h"
#include "dsl/model/tz.h"

/* Appends it for people: "Mon 2026-11-30 02:00 +01:00"; seconds only if there are any. */
void ax_zone_text(const ax_zone *zone, int64_t at_ms, ax_buf *out);
/* Appends it for programs (RFC 3339): "2026-11-30T02:00:00+01:00". */
void ax_zone_iso(const ax_zone *zone, int64_t at_ms, ax_buf *out);

#endif
