/* heap_int.h - a binary heap of nodes, each in it at most once and removable at any time. */
#ifndef AX_CORE_HEAP_INT_H
#define AX_CORE_HEAP_INT_H

#include <stdbool.h>

#include "dsl/base/vec.h"

/* Ordered by a, then b, then node, the smallest first. */
typedef struct {
    int64_t a, b;
    uint32_t node;
} ax_heap_item;

typedef struct {
    AX_VEC(ax_heap_item) items;
    uint32_t *place; /* by node: its index in items + 1; 0: not in the heap */
} ax_heap;

/* An empty heap in mem for nodes below `nodes`. */
ax_heap ax_heap_new(ax_arena *mem, uint32_t nodes);
/* Puts a node in, or moves it if it is in already. */
void ax_heap_put(ax_arena *mem, ax_heap *heap, ax_heap_item item);
/* Takes a node out, if it is in. */
void ax_heap_remove(ax_heap *heap, uint32_t node);
/* True if the node is in it. */
bool ax_heap_has(const ax_heap *heap, uint32_t node);
/* The smallest item, or NULL; valid until the next change. */
const ax_heap_item *ax_heap_top(const ax_heap *heap);

#endif
