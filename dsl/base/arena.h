/* arena.h - memory with one owner and one end: a compile, a request, one turn of the loop.
 *
 * Allocation never fails to the caller: memory that is used up ends the process (ax_out_of_memory), which is
 * safe because every durable state is in the store. Blocks grow geometrically, so a million small nodes cost
 * few mallocs.
 */
#ifndef AX_BASE_ARENA_H
#define AX_BASE_ARENA_H

#include <stddef.h>

typedef struct ax_arena_block ax_arena_block;

typedef struct {
    ax_arena_block *blocks; /* newest first */
    char *next;             /* first free byte of the newest block */
    char *end;              /* one past its last byte */
    size_t used;            /* bytes handed out, for reports and tests */
} ax_arena;

/* An empty arena; needs no init call, only ax_arena_free. */
#define AX_ARENA_INIT ((ax_arena){0})

/* `size` zeroed bytes, aligned for any type; they live until reset or free. */
void *ax_arena_alloc(ax_arena *mem, size_t size);
/* Grows an allocation of old_size bytes to new_size, in place where it was the last one. New bytes are
 * zeroed. */
void *ax_arena_grow(ax_arena *mem, void *old, size_t old_size, size_t new_size);
/* Gives everything back but the largest block, which is kept for reuse. */
void ax_arena_reset(ax_arena *mem);
/* Gives everything back. The arena may be used again. */
void ax_arena_free(ax_arena *mem);

/* One zeroed T, or n of them. */
#define AX_NEW(mem, T) ((T *)ax_arena_alloc((mem), sizeof(T)))
#define AX_NEW_N(mem, T, n) ((T *)ax_arena_alloc((mem), sizeof(T) * (size_t)(n)))

#endif
