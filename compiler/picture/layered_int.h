/* layered_int.h - our own layered layout: the graph that it works on, one sheet at a time.
 *
 * A sheet is a connected graph of vertices with sizes. It is laid out as if it flowed down: x is across, y
 * along the flow. Each step needs what the one before it set: rank (layers), split (dummies in the layers
 * that an arc passes), order (within layers), place (coordinates). All steps are deterministic, do bounded
 * work and never recurse.
 */
#ifndef AX_PICTURE_LAYERED_INT_H
#define AX_PICTURE_LAYERED_INT_H

#include "compiler/picture/scene_int.h"

#define AX_SHEET_DUMMIES_MAX 300000u /* of one sheet; arcs beyond it run straight, over whatever is there */

/* Where a vertex has to be. */
typedef enum { AX_VERTEX_ANY, AX_VERTEX_FIRST, AX_VERTEX_LAST } ax_vertex_role;

typedef struct {
    double width, height; /* across and along */
    ax_vertex_role role;  /* FIRST and LAST: where arcs come in from outside, or go out */
    bool dummy;
    uint32_t layer;
    uint32_t place; /* in its layer */
    double x, y;    /* its middle across, its upper end along */
} ax_vertex;

typedef struct {
    uint32_t from, to;           /* vertices, from above to */
    uint32_t style;              /* arcs from one place in one style share their dummies */
    double from_at, to_at;       /* where it meets them, from their middle */
    bool from_free, to_free;     /* anywhere on that side */
    bool reversed;               /* it really leads from `to` to `from`, against the flow */
    uint32_t dummy, dummy_count; /* its first dummy; they follow each other downwards */
} ax_arc;

/* A piece of an arc, from one layer to the next. */
typedef struct {
    uint32_t from, to;
    double from_at, to_at;
    double weight; /* how much it wants to be straight */
} ax_segment;

/* Segments by a vertex: at[i] … at[i + 1] are places in `segment`. */
typedef struct {
    uint32_t *at, *segment;
} ax_segment_index;

typedef struct {
    ax_arena *mem;
    ax_vertex *vertices;
    uint32_t vertex_count;
    ax_arc *arcs;
    uint32_t arc_count;
    ax_segment *segments;
    uint32_t segment_count;
    ax_segment_index above, below; /* of a vertex: the segments to the layer above it, and below it */
    uint32_t layer_count;
    uint32_t *layer_at;               /* layer_count + 1: into order */
    uint32_t *order;                  /* vertices, layer by layer */
    double *layer_top, *layer_bottom; /* by layer */
    double width, height;
} ax_sheet;

/* Turns arcs around where there are cycles. */
void ax_sheet_turn(ax_sheet *s);
/* Sets the layers of all vertices, and turns arcs around where there are cycles. */
void ax_sheet_rank(ax_sheet *s);
/* Adds dummies and makes the segments. */
void ax_sheet_split(ax_sheet *s);
/* Orders the layers so that few segments cross. */
void ax_sheet_order(ax_sheet *s);
/* How often segments cross in the present order. */
uint64_t ax_sheet_crossings(const ax_sheet *s);
/* Sets x and y of all vertices, and the size of the sheet; arcs that are free get their ends. */
void ax_sheet_place(ax_sheet *s);

#endif
