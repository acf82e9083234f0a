/* heap.c - the indexed heap: what is due, what is ready, what must be looked at again. */
#include "runtime/core/heap_int.h"

#include "dsl/base/assert.h"

static bool before(const ax_heap_item *x, const ax_heap_item *y)
{
    if (x->a != y->a) return x->a < y->a;
    if (x->b != y->b) return x->b < y->b;
    return x->node < y->node;
}

static void set(ax_heap *heap, uint32_t at, ax_heap_item item)
{
    heap->items.at[at] = item;
    heap->place[item.node] = at + 1;
}

static void sift_up(ax_heap *heap, uint32_t at, ax_heap_item item)
{
    while (at > 0) {
        uint32_t up = (at - 1) / 2;
        if (!before(&item, &heap->items.at[up])) break;
        set(heap, at, heap->items.at[up]);
        at = up;
    }
    set(heap, at, item);
}

static void sift_down(ax_heap *heap, uint32_t at, ax_heap_item item)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= heap->items.len) break;
        if (child + 1 < heap->items.len && before(&heap->items.at[child + 1], &heap->items.at[child]))
            child++;
        if (!before(&heap->items.at[child], &item)) break;
        set(heap, at, heap->items.at[child]);
        at = child;
    }
    set(heap, at, item);
}

/* Puts item where the hole at `at` is, or wherever it belongs from there. */
static void settle(ax_heap *heap, uint32_t at, ax_heap_item item)
{
    if (at > 0 && before(&item, &heap->items.at[(at - 1) / 2])) sift_up(heap, at, item);
    else sift_down(heap, at, item);
}

ax_heap ax_heap_new(ax_arena *mem, uint32_t nodes)
{
    return (ax_heap){.place = AX_NEW_N(mem, uint32_t, nodes)};
}

void ax_heap_put(ax_arena *mem, ax_heap *heap, ax_heap_item item)
{
    uint32_t place = heap->place[item.node];
    if (place) {
        settle(heap, place - 1, item);
        return;
    }
    ax_vec_push(mem, &heap->items, item);
    sift_up(heap, heap->items.len - 1, item);
}

void ax_heap_remove(ax_heap *heap, uint32_t node)
{
    uint32_t place = heap->place[node];
    if (!place) return;
    AX_ASSERT(heap->items.at[place - 1].node == node);
    heap->place[node] = 0;
    ax_heap_item last = heap->items.at[--heap->items.len];
    if (last.node != node) settle(heap, place - 1, last);
}

bool ax_heap_has(const ax_heap *heap, uint32_t node)
{
    return heap->place[node] != 0;
}

const ax_heap_item *ax_heap_top(const ax_heap *heap)
{
    return heap->items.len ? &heap->items.at[0] : NULL;
}
