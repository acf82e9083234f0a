/* durations.h - how long tasks take, as people or earlier runs say. */
#ifndef AX_TOOLS_AXC_DURATIONS_H
#define AX_TOOLS_AXC_DURATIONS_H

#include "tools/axc/axc.h"

/* Reads a JSON object of names (of nodes, or of tasks for all copies) and seconds; *out is in ms by node, in
 * cli->mem, and 1 second for what the file does not name. Names that the plan does not have are warned about.
 */
ax_rc ax_durations_read(ax_cli *cli, const char *path, const ax_plan *plan, const int64_t **out, ax_err *err);

#endif
