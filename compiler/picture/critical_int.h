/* critical_int.h - the critical path of a plan. */
#ifndef AX_PICTURE_CRITICAL_INT_H
#define AX_PICTURE_CRITICAL_INT_H

#include "dsl/base/arena.h"
#include "dsl/model/plan.h"

typedef struct {
    bool *node, *edge; /* it is on the path; by index */
    int64_t length_ms;
} ax_critical;

/* Finds the path, in mem, if each node takes its duration and nothing waits for anything but its edges.
 * Linear. */
void ax_critical_find(const ax_plan *plan, const int64_t *durations_ms, ax_arena *mem, ax_critical *out);

#endif
