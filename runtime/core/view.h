/* view.h - a run in memory: its rows, and what is computed from them.
 *
 * Loaded once (recovery is loading and recomputing what has not begun), then changed only by the engine.
 * After a failed commit the view is dropped and loaded anew. Reading it is free for everyone; changing it is
 * the engine's alone.
 */
#ifndef AX_CORE_VIEW_H
#define AX_CORE_VIEW_H

#include "dsl/base/arena.h"
#include "dsl/base/vec.h"
#include "runtime/core/batch.h"
#include "runtime/core/record.h"

/* All rows of a run as the store gives them. */
typedef struct {
    ax_run_rec run;
    const ax_node_rec *nodes;
    uint32_t node_count;
    const ax_instance_rec *instances; /* by node, attempt */
    uint32_t instance_count;
    const ax_output_rec *outputs;
    uint32_t output_count;
    const ax_effect *effects; /* not yet carried out, by seq */
    uint32_t effect_count;
} ax_run_rows;

typedef struct ax_view ax_view;

/* Builds the view of a run from its rows; plan and rows' strings must outlive mem. AX_INVALID: the rows do
 * not fit the plan or contradict each other (the message says which row). */
ax_rc ax_view_build(ax_arena *mem, const ax_plan *plan, const ax_run_rows *rows, ax_view **out, ax_err *err);

/* What it is a view of. */
const ax_plan *ax_view_plan(const ax_view *view);
/* The run's row as it is now. */
const ax_run_rec *ax_view_run(const ax_view *view);
/* The node's row as it is now (for a GROUP: computed from its members). */
const ax_node_rec *ax_view_node(const ax_view *view, uint32_t node);
/* The newest attempt of a node, or NULL; and attempt n. */
const ax_instance_rec *ax_view_current(const ax_view *view, uint32_t node);
const ax_instance_rec *ax_view_attempt(const ax_view *view, uint32_t node, uint32_t attempt);
/* The value that a node put out (its last success), or NULL. */
const ax_value *ax_view_output(const ax_view *view, uint32_t node, uint32_t output);
/* How many nodes are in each state; GROUP nodes do not count. */
const uint32_t *ax_view_counts(const ax_view *view);
/* The READY attempt that is next by priority, then by when it became ready; AX_NONE if there is none, or if
 * the run must not dispatch now. */
uint32_t ax_view_next_ready(const ax_view *view);
/* When the next timer is due, ms since the epoch; INT64_MAX: none. */
int64_t ax_view_next_due(const ax_view *view);
/* Attempts that have a process: RUNNING, WAITING_APPROVAL, TIMING_OUT, CANCELLING. */
uint32_t ax_view_places(const ax_view *view);
/* True if the run has ended. */
bool ax_view_ended(const ax_view *view);

/* What is asked of a person before the run can go on: open failures, held nodes, confirmations. Stores up to
 * max node ids and returns how many there are. */
uint32_t ax_view_questions(const ax_view *view, uint32_t *nodes, uint32_t max);
/* Recomputes (state, reason, counters) of everything that has not begun and compares: AX_INVALID with the
 * first difference. For tests and the simulator. */
ax_rc ax_view_check(const ax_view *view, ax_err *err);

#endif
