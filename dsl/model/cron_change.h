/* cron_change.h - what a change of clocks does to a cron expression, for people.
 *
 * The rules themselves are those of cron.h; here they are only looked up and put into words. Times are
 * seconds, as in tz.h.
 */
#ifndef AX_MODEL_CRON_CHANGE_H
#define AX_MODEL_CRON_CHANGE_H

#include "dsl/base/buf.h"
#include "dsl/model/cron.h"

typedef enum {
    AX_CHANGE_UNTOUCHED, /* no firing falls into it */
    AX_CHANGE_SHIFTED,   /* gap: fires once, right after it */
    AX_CHANGE_SKIPPED,   /* gap: does not fire, by policy */
    AX_CHANGE_LEFT_OUT,  /* gap: does not fire, because it follows real time */
    AX_CHANGE_NEVER_WAS, /* a jump that is not daylight saving: does not fire */
    AX_CHANGE_FIRST,     /* overlap: fires the first time only */
    AX_CHANGE_SECOND,    /* overlap: fires the second time only */
    AX_CHANGE_BOTH,      /* overlap: fires both times */
    AX_CHANGE_COUNT
} ax_change_effect;

typedef struct {
    int64_t at;       /* the first instant with the new offset */
    int64_t from, to; /* what the clocks show at that instant by the old and by the new offset */
    ax_change_effect effect;
    int64_t wall; /* unless UNTOUCHED: the first wall time of the expression in the gap or overlap */
} ax_cron_change;

/* The first change of the zone's clocks after an instant; false: there is none. */
bool ax_cron_change_next(const ax_cron *cron, const ax_cron_rules *rules, int64_t after, ax_cron_change *out);
/* The change of clocks on the local date of a firing; false: there is none. */
bool ax_cron_change_near(const ax_cron *cron, const ax_cron_rules *rules, int64_t at, ax_cron_change *out);

/* "shifted", "first": a word for programs. */
const char *ax_change_effect_name(ax_change_effect effect);
/* Appends "clocks go from 02:00 to 03:00: 02:30 does not exist, it fires at 03:00". */
void ax_cron_change_words(const ax_cron_change *change, ax_buf *out);
/* Appends what the change on its date is for one firing: "instead of 02:30, which does not exist", "01:30 for
 * the first time of two"; for a firing that is not touched, what the clocks do on that day. */
void ax_cron_firing_words(const ax_cron_change *change, const ax_cron_rules *rules, int64_t at, ax_buf *out);

#endif
