/* focus.h - a node and what is near it, as --focus says. */
#ifndef AX_TOOLS_AXC_FOCUS_H
#define AX_TOOLS_AXC_FOCUS_H

#include "tools/axc/axc.h"

typedef struct {
    ax_node_set all;    /* what the focus is about, and what is near it */
    ax_node_set center; /* what the focus is about */
} ax_focus;

/* Reads NODE+2 (with two edges of what needs it), NODE-2 (of what it needs), NODE±2 or NODE+-2 (of both), or
 * NODE, which is NODE±1; without a number, all. NODE is a name as in a selection; one that the plan has wins
 * over a number at its end. A failure has been shown. The sets live in cli->mem. */
ax_rc ax_focus_read(ax_cli *cli, const char *text, const ax_plan *plan, ax_focus *out, ax_err *err);

#endif
