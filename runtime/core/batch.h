/* batch.h - what one turn of the loop wants to persist: all of it in one transaction, or nothing.
 *
 * A row that moves several times in a turn is one change: from the state and version that the store has, to
 * the last. The log has a row for each transition all the same.
 */
#ifndef AX_CORE_BATCH_H
#define AX_CORE_BATCH_H

#include "dsl/base/vec.h"
#include "runtime/core/record.h"

/* A conditional update: the row `to` replaces the one that has this state and version. */
typedef struct {
    ax_run_state from;
    uint32_t from_version;
    ax_run_rec to;
} ax_run_change;

typedef struct {
    uint64_t run;
    ax_node_state from;
    uint32_t from_version; /* 0: there is no row yet */
    ax_node_rec to;
} ax_node_change;

typedef struct {
    uint64_t run;
    ax_instance_state from;
    uint32_t from_version; /* 0: there is no row yet */
    ax_instance_rec to;
} ax_instance_change;

typedef struct {
    uint64_t run;
    ax_output_rec row;
} ax_output_change;

typedef struct {
    ax_arena *mem;  /* owns every array and string of the batch */
    uint64_t epoch; /* the writer's lease: a commit under an older one changes nothing */
    AX_VEC(ax_run_change) runs;
    AX_VEC(ax_node_change) nodes;
    AX_VEC(ax_instance_change) instances;
    AX_VEC(ax_output_change) outputs;
    AX_VEC(ax_log_rec) log;
    AX_VEC(ax_effect) effects; /* new outbox rows */
    AX_VEC(ax_effect) done;    /* carried out: their rows go */
} ax_batch;

/* An empty batch in mem. */
ax_batch ax_batch_new(ax_arena *mem, uint64_t epoch);
/* True if there is nothing to persist. */
bool ax_batch_empty(const ax_batch *batch);

#endif
