/* arena.c - a list of blocks, each twice as large as the one before, filled from the front.
 *
 * Blocks come from calloc, so a fresh block is zero already; only what is handed out again after a reset is
 * cleared.
 */
#include "dsl/base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsl/base/assert.h"

enum { ALIGNMENT = alignof(max_align_t), BLOCK_MIN = 4096, BLOCK_MAX = 8 << 20 };

struct ax_arena_block {
    ax_arena_block *older;
    size_t size;   /* usable bytes */
    char *touched; /* bytes before this one have been handed out at some time: clear them before reuse */
    alignas(max_align_t) char bytes[];
};

static size_t round_up(size_t size)
{
    if (size > SIZE_MAX / 2) ax_out_of_memory();
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void add_block(ax_arena *mem, size_t size_min)
{
    size_t size = mem->blocks ? mem->blocks->size * 2 : BLOCK_MIN;
    if (size > BLOCK_MAX) size = BLOCK_MAX;
    if (size < size_min) size = size_min;

    ax_arena_block *block = calloc(1, sizeof *block + size);
    if (!block) ax_out_of_memory();
    block->older = mem->blocks;
    block->size = size;
    block->touched = block->bytes;
    mem->blocks = block;
    mem->next = block->bytes;
    mem->end = block->bytes + size;
}

void *ax_arena_alloc(ax_arena *mem, size_t size)
{
    size = round_up(size);
    if (!mem->blocks || (size_t)(mem->end - mem->next) < size) add_block(mem, size);

    char *out = mem->next;
    ax_arena_block *block = mem->blocks;
    mem->next += size;
    mem->used += size;
    if (out < block->touched) {
        size_t dirty = (size_t)(block->touched - out);
        memset(out, 0, dirty < size ? dirty : size);
    }
    if (mem->next > block->touched) block->touched = mem->next;
    return out;
}

void *ax_arena_grow(ax_arena *mem, void *old, size_t old_size, size_t new_size)
{
    AX_ASSERT(new_size >= old_size);
    if (!old) return ax_arena_alloc(mem, new_size);

    size_t more = round_up(new_size) - round_up(old_size);
    bool is_last = (char *)old + round_up(old_size) == mem->next;
    if (is_last && (size_t)(mem->end - mem->next) >= more) {
        if (more) ax_arena_alloc(mem, more);
        return old;
    }
    void *out = ax_arena_alloc(mem, new_size);
    memcpy(out, old, old_size);
    return out;
}

static ax_arena_block *largest_block(const ax_arena *mem)
{
    ax_arena_block *largest = mem->blocks;
    for (ax_arena_block *b = mem->blocks; b; b = b->older) {
        if (b->size > largest->size) largest = b;
    }
    return largest;
}

/* Frees every block but keep, which may be NULL. */
static void free_blocks(ax_arena *mem, const ax_arena_block *keep)
{
    ax_arena_block *block = mem->blocks;
    while (block) {
        ax_arena_block *older = block->older;
        if (block != keep) free(block);
        block = older;
    }
}

void ax_arena_reset(ax_arena *mem)
{
    ax_arena_block *kept = largest_block(mem);
    if (!kept) return;
    free_blocks(mem, kept);
    kept->older = NULL;
    *mem = (ax_arena){.blocks = kept, .next = kept->bytes, .end = kept->bytes + kept->size};
}

void ax_arena_free(ax_arena *mem)
{
    free_blocks(mem, NULL);
    *mem = AX_ARENA_INIT;
}
