/* show_text.h - words about runs, nodes and attempts, the same wherever ax shows them. */
#ifndef AX_TOOLS_SHOW_TEXT_H
#define AX_TOOLS_SHOW_TEXT_H

#include "runtime/core/view.h"
#include "tools/cli/out.h"

/* Appends the local time of day, "12:00:03"; with its date, "2026-11-30 12:00:03", nothing for 0. */
void ax_text_clock(int64_t ms, ax_buf *out);
void ax_text_moment(int64_t ms, ax_buf *out);
/* Appends a duration for people: "12ms", "2.1s", "3m05s"; in a clock's whole seconds: "2s", "3m05s". */
void ax_text_duration(int64_t ms, ax_buf *out);
void ax_text_seconds(int64_t ms, ax_buf *out);
/* Appends why an attempt ended: "exit code 3", "killed by SIGKILL", "timed out after 5m". */
void ax_text_end(const ax_view *view, const ax_instance_rec *rec, ax_buf *out);
/* Appends why a node is skipped: "something above failed: build". */
void ax_text_skip(const ax_view *view, const ax_node_rec *rec, ax_buf *out);
/* Appends "38 succeeded, 1 failed, 2 skipped": the states that some node is in. */
void ax_text_counts(const uint32_t *by_state, ax_buf *out);
/* Appends the last lines of an attempt's log, each behind `indent`, fit for a terminal; nothing if there are
 * none. */
void ax_text_tail(const char *root, uint64_t run, const ax_instance_rec *rec, const char *indent,
                  ax_buf *out);
/* How an attempt's time is counted: from its start to its end, or to now. */
int64_t ax_text_took_ms(const ax_instance_rec *rec, int64_t now_ms);
/* "succeeded": a state of a node, and of a run, in lower case. */
const char *ax_text_node_state(ax_node_state state);
const char *ax_text_run_state(ax_run_state state);
/* The style of such a state. */
ax_style ax_text_node_style(ax_node_state state);
ax_style ax_text_run_style(ax_run_state state);
/* The text of a buffer, moved to mem; the buffer is empty again. */
ax_str ax_text_take(ax_arena *mem, ax_buf *text);

/* The summary at the end of a run, or where it stands: state, counts, failures with the end of their log,
 * what is asked, and the commands to look further. */
void ax_text_summary(const ax_view *view, const char *root, ax_out *out);

#endif
