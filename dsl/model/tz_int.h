/* tz_int.h - inside of a zone; for tz.c and tz_rule.c only. */
#ifndef AX_MODEL_TZ_INT_H
#define AX_MODEL_TZ_INT_H

#include "dsl/model/tz.h"

/* When a POSIX rule changes the clock in a year. */
typedef struct {
    char form; /* 'J' day 1-365 without 29 February, 'N' day 0-365, 'M' month/week/weekday */
    int month, week, weekday;
    int day;
    int64_t time; /* seconds after local midnight, may be negative or over a day */
} ax_tz_when;

/* The tail of a zone: what goes on after its last recorded transition. */
typedef struct {
    bool has_dst;
    int32_t std, dst; /* offsets */
    ax_tz_when to_dst, to_std;
} ax_tz_rule;

struct ax_zone {
    const int64_t *at;     /* transition instants, ascending */
    const int32_t *offset; /* offset from at[i] on */
    uint32_t count;
    int32_t first_offset; /* before at[0] */
    bool has_rule;
    ax_tz_rule rule; /* from at[count - 1] on */
};

/* Reads a POSIX TZ string ("CET-1CEST,M3.5.0,M10.5.0/3"); false if it is none. */
bool ax_tz_rule_parse(ax_str text, ax_tz_rule *out);
/* The segment of the rule that holds an instant (beg and end are the rule's own transitions). */
ax_zone_segment ax_tz_rule_at(const ax_tz_rule *rule, int64_t utc);

#endif
