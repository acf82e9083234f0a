/* batch.c - an empty batch. Rows are put into it by the doors (step.c), so that one that moves twice is one
 * change. */
#include "runtime/core/batch.h"

ax_batch ax_batch_new(ax_arena *mem, uint64_t epoch)
{
    return (ax_batch){.mem = mem, .epoch = epoch};
}

bool ax_batch_empty(const ax_batch *batch)
{
    return !batch->runs.len && !batch->nodes.len && !batch->instances.len && !batch->outputs.len &&
           !batch->log.len && !batch->effects.len && !batch->done.len;
}
