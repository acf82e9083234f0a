/* outlook_int.h - what `axc plan` has found out, for those who show it. */
#ifndef AX_TOOLS_AXC_OUTLOOK_INT_H
#define AX_TOOLS_AXC_OUTLOOK_INT_H

#include "compiler/preview/preview.h"
#include "tools/axc/axc.h"

#define AX_OUTLOOK_NEXT 10 /* instants of each schedule that are shown */
#define AX_OUTLOOK_BYTES_MAX ((size_t)1 << 30)

typedef struct {
    ax_cli *cli;
    const ax_plan *plan;
    const ax_value *params; /* by index */
    ax_preview_run run;
    ax_preview preview;
    const ax_node_set *chosen; /* NULL: all nodes */
    bool has_durations;
    uint32_t problems; /* nodes that would fail because a value can't be; counted while they are shown */
} ax_outlook;

/* True if the node is to be shown: it is selected, and none that stands for others. */
bool ax_outlook_has(const ax_outlook *o, uint32_t node);
/* The edge that keeps a node from running, "build:failed"; empty if it is not one edge. */
ax_str ax_outlook_cause(const ax_outlook *o, uint32_t node);
/* "exit(75), timeout"; appended. */
void ax_outlook_whys(const ax_why *whys, uint32_t count, ax_buf *out);
/* The moment before the run's date begins. */
int64_t ax_outlook_before(const ax_outlook *o, const ax_due *due);

/* Shows all of it, for people. AX_INVALID: a schedule is broken. */
ax_rc ax_outlook_show(ax_outlook *o, ax_err *err);
/* Shows all of it as JSON. */
ax_rc ax_outlook_json(ax_outlook *o, ax_err *err);

/* Shows the runs of a backfill of the business dates from … to. */
ax_rc ax_backfill_show(ax_cli *cli, const ax_plan *plan, int64_t from, int64_t to, bool json, ax_err *err);

#endif
