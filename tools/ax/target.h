/* target.h - what the words RUN and NODE of a reading command mean, and the few texts that these commands
 * share. */
#ifndef AX_TOOLS_TARGET_H
#define AX_TOOLS_TARGET_H

#include "runtime/admin/query.h"
#include "tools/ax/app.h"

typedef struct {
    uint64_t run;
    const char *node; /* NULL: none was named */
} ax_target;

/* Reads the operand RUN, which may be NULL; a word that is no run is wrong use. */
ax_rc ax_target_run(ax_cli *cli, const char *word, uint64_t *run, ax_err *err);
/* Reads the operands [RUN] [NODE], of which either may be NULL: a single word that is no run is a NODE of the
 * newest run. */
ax_rc ax_target_read(ax_cli *cli, const char *first, const char *second, ax_target *out, ax_err *err);

/* Appends a local date and time, "2026-11-30 12:00:03"; nothing for 0. */
void ax_text_moment(int64_t ms, ax_buf *out);
/* The style of a run's state. */
ax_style ax_text_run_style(ax_run_state state);
/* The text of a buffer, moved to mem; the buffer is empty again. */
ax_str ax_text_take(ax_arena *mem, ax_buf *text);
/* Writes one JSON document and a line end. */
void ax_json_print(ax_cli *cli, ax_buf *json);

#endif
