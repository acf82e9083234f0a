/* show_int.h - the words that text and Markdown have in common. All append; what comes from files is as it
 * is there, for the caller to make safe.
 */
#ifndef AX_DIFF_SHOW_INT_H
#define AX_DIFF_SHOW_INT_H

#include "compiler/diff/diff.h"

/* '+', '-', '~', '>' */
char ax_diff_show_sign(ax_diff_op op);
/* What a change is about: "param region", "a:failed -> b", "build_report", "sync, load and 3 more". */
void ax_diff_show_subject(const ax_diff *diff, const ax_diff_change *c, ax_buf *out);
/* Its attribute and values on one line: "timeout: 20m → 30m", "renamed from old"; nothing if there is nothing
 * to say. Values that need lines are left out. */
void ax_diff_show_values(const ax_diff *diff, const ax_diff_change *c, ax_buf *out);
/* True if the values are better shown as a diff of lines. */
bool ax_diff_has_lines(const ax_diff_change *c);
/* These lines, each with ' ', '-' or '+' in front; one with only "⋮" where some were left out. */
void ax_diff_show_lines(const ax_diff_change *c, ax_buf *out);
/* "sign_off, publish and 3 more". */
void ax_diff_show_names(const ax_diff_names *names, ax_buf *out);
/* For which dates results are stale: "all dates of 0 2 * * * Europe/Berlin", "every earlier run". */
void ax_diff_show_dates(const ax_diff *diff, ax_buf *out);
/* Which dates of a schedule come and go: "within a year 104 dates go: 2026-12-05, …"; nothing if none. */
void ax_diff_show_calendar(const ax_diff_schedule *s, ax_buf *out);
/* "the schedule", "schedule nightly". */
void ax_diff_show_schedule_name(ax_str name, ax_buf *out);
/* "1 breaking, 2 safe", or "3 changes" of one verdict. */
void ax_diff_show_counts(const uint32_t counts[AX_VERDICT_COUNT], ax_buf *out);
/* "3 changes". */
void ax_diff_show_number(uint32_t n, const char *one, const char *many, ax_buf *out);

#endif
