/* tz.h - time zones from the system's tzdata: immutable once loaded, no global state, exact on every
 * transition.
 *
 * Times are seconds: "utc" since 1970-01-01T00:00:00Z, "local" the same count read off a wall clock. A zone
 * is a list of segments with one offset each; the last transitions come from the file's POSIX rule and go on
 * for ever.
 */
#ifndef AX_MODEL_TZ_H
#define AX_MODEL_TZ_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/err.h"
#include "dsl/base/nearest.h"
#include "dsl/base/str.h"

#define AX_ZONE_NAME_MAX 64 /* characters of a zone's name */
#define AX_ZONE_DIR "/usr/share/zoneinfo"
#define AX_TIME_MIN (-62135596800) /* 0001-01-01T00:00:00, seconds */
#define AX_TIME_MAX 253402300799   /* 9999-12-31T23:59:59 */

typedef struct ax_zone ax_zone;

/* A stretch of time with one offset. */
typedef struct {
    int64_t beg, end; /* utc, end exclusive; INT64_MIN / INT64_MAX where there is no transition */
    int32_t offset;   /* local = utc + offset */
    int32_t before;   /* the offset of the segment before; equal to offset in the first one */
    int32_t after;    /* the offset of the segment behind; equal to offset in the last one */
} ax_zone_segment;

/* What a wall-clock time means in a zone. */
typedef enum { AX_LOCAL_UNIQUE, AX_LOCAL_GAP, AX_LOCAL_OVERLAP } ax_local_kind;
typedef struct {
    ax_local_kind kind;
    int64_t first;  /* utc: the instant; in a GAP the first instant after it; in an OVERLAP the first pass */
    int64_t second; /* utc: OVERLAP: the second pass; else equal to first */
} ax_local;

/* True if the name could be a zone's: relative, no dots, letters digits + - _ and single slashes. */
bool ax_zone_name_ok(ax_str name);
/* Loads a zone by its IANA name into mem. AX_INVALID: no such zone (help names the nearest), or a damaged
 * file. */
ax_rc ax_zone_load(ax_arena *mem, ax_str name, const ax_zone **out, ax_err *err);
/* Reads a zone from the bytes of a TZif file (RFC 8536); AX_INVALID if they are none. */
ax_rc ax_zone_read(ax_arena *mem, ax_str bytes, const ax_zone **out, ax_err *err);
/* UTC, always there. */
const ax_zone *ax_zone_utc(void);

/* The segment that holds an instant. */
ax_zone_segment ax_zone_at(const ax_zone *zone, int64_t utc);
/* local - utc at an instant, seconds. */
int32_t ax_zone_offset(const ax_zone *zone, int64_t utc);
/* What a wall-clock time means. */
ax_local ax_zone_local(const ax_zone *zone, int64_t local);

#endif
