/* vec.c - growth of arrays by half again as much. */
#include "dsl/base/vec.h"

#include "dsl/base/assert.h"

void *ax_vec_grow(ax_arena *mem, void *at, uint32_t len, uint32_t *cap, size_t item_size)
{
    AX_ASSERT(len < UINT32_MAX / 2);
    uint32_t more = *cap < 8 ? 8 : *cap / 2;
    uint32_t grown = *cap + more;
    at = ax_arena_grow(mem, at, len * item_size, grown * item_size);
    *cap = grown;
    return at;
}
