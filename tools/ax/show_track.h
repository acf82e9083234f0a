/* show_track.h - what moves in a run, kept up to date from its log: who runs, who will be tried again, who
 * failed. The size of what is kept follows what moves, not the run.
 */
#ifndef AX_TOOLS_SHOW_TRACK_H
#define AX_TOOLS_SHOW_TRACK_H

#include "runtime/core/view.h"

typedef AX_VEC(uint32_t) ax_node_list;

typedef struct {
    ax_arena *mem;
    ax_node_list running; /* nodes whose attempt has a process, oldest first */
    ax_node_list waiting; /* nodes whose next attempt waits: for its time, or for a person */
} ax_track;

/* From the view as it is. */
ax_track ax_track_new(ax_arena *mem, const ax_view *view);
/* Follows a committed row. */
void ax_track_row(ax_track *track, const ax_log_rec *row);

#endif
