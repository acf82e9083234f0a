/* union_int.h - both versions of a graph as one plan, for a picture. */
#ifndef AX_DIFF_UNION_INT_H
#define AX_DIFF_UNION_INT_H

#include "compiler/diff/diff.h"
#include "compiler/picture/scene_int.h"

#define AX_DIFF_DRAWN_MAX 80 /* definitions that are drawn all; of more, what changed and its neighbours */

/* The plan is for drawing alone: what is gone has its command as text. */
typedef struct {
    ax_plan plan;
    ax_scene_marks marks;
    uint32_t nodes[AX_MARK_COUNT], edges[AX_MARK_COUNT]; /* definitions and links by their mark */
    uint32_t left_out;       /* definitions that did not change and are not drawn */
    uint32_t edges_left_out; /* gone edges that run against the new order */
} ax_diff_union;

/* Makes it in mem. */
void ax_diff_union_make(ax_arena *mem, const ax_diff *diff, ax_diff_union *out);

#endif
