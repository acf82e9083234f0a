/* scene_fold_int.h - which node of a plan stands for which in a picture. */
#ifndef AX_PICTURE_SCENE_FOLD_INT_H
#define AX_PICTURE_SCENE_FOLD_INT_H

#include <inttypes.h>

#include "compiler/picture/scene_int.h"
#include "dsl/base/buf.h"

/* How much of the plan's own structure is folded, from the least to the most. */
typedef enum {
    AX_FOLD_NOTHING,
    AX_FOLD_LARGE_FAN_OUTS,
    AX_FOLD_FAN_OUTS,
    AX_FOLD_GROUPS,
} ax_fold_level;

typedef struct {
    const ax_plan *plan;
    ax_arena *mem;
    ax_fold_level level;
    bool by_level;   /* tasks were folded by level */
    uint32_t levels; /* so many at once */
    uint32_t box_count, set_count;
    bool *visible;   /* node: it is shown by itself or by something else */
    bool *is_box;    /* node: it is a box */
    uint32_t *shown; /* node: the node that shows it, or AX_NONE */
    uint32_t *next;  /* node in a set: the next one; the first one stands for all. Else AX_NONE */
    uint32_t *last;  /* of the first node in a set: the last one */
} ax_fold;

/* Decides it; all lives in mem. */
void ax_fold_make(ax_fold *fold, ax_arena *mem, const ax_plan *plan, const ax_scene_view *view);
/* Appends what was folded: "2 groups (40 nodes), 1 fan-out (12 nodes)"; nothing if nothing was. */
void ax_fold_words(const ax_fold *fold, ax_buf *out);

#endif
