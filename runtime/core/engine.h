/* engine.h - the engine is a function: (view of the run, event, now) -> batch.
 *
 * It looks only at the view, changes it at once, and appends to the batch what must be persisted. It never
 * talks to anything: no clock, no store, no process, no random number (jitter is drawn from a hash of run,
 * node and attempt). A step costs what it changes, never the size of the run. If the batch is not committed,
 * the view must be dropped.
 */
#ifndef AX_CORE_ENGINE_H
#define AX_CORE_ENGINE_H

#include "runtime/core/batch.h"
#include "runtime/core/event.h"
#include "runtime/core/view.h"

/* The rows of a new run in state QUEUED; the caller has the store give it an id. `params` is a JSON object
 * (checked by ax_params_json). The record's strings live in mem. */
ax_run_rec ax_run_new(const ax_plan *plan, int64_t now_ms);

/* Decides one event at `now_ms`. AX_OK: the batch has what follows (for a late report: a ghost row).
 * AX_REFUSED: the tables do not accept it now (the message names both, or says what moved on); nothing was
 * changed. AX_NOT_FOUND: no such node or attempt. */
ax_rc ax_engine_step(ax_view *view, const ax_event *event, int64_t now_ms, ax_batch *batch, ax_err *err);

#endif
