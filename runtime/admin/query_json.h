/* query_json.h - runs, nodes and history as JSON: the shapes that `--json` and the API promise.
 *
 * A run:     {"run", "workflow", "version", "state", "date", "scheduled_at_ms", "interval_start_ms",
 *             "interval_end_ms", "created_ms", "started_ms", "ended_ms", "origin", "params", "workdir",
 *             "paused_by_person", "interrupted", "nodes_total", "counts": {"BLOCKED": 1, …}}
 * A status:  a run with "waits_for": [names], "nodes": [a node …]
 * A node:    {"name", "kind", "state", "reason", "cause", "begun_ms", "ended_ms", "open", "attempts":
 *             [{"attempt", "state", "reason", "exit_code" or "signal", "unconfirmed", "message",
 * "created_ms", "ready_ms", "started_ms", "ended_ms", "due_ms"} …], "outputs": {name: value}} A log row:
 * {"run", "seq", "at_ms", "machine", "node", "attempt", "from", "event", "to", "source", "event_id",
 *             "person", "reason", "extra"}
 *
 * States, events and reasons have the names of the store. Times are ms since the epoch. What does not apply
 * (a time that is not yet, a reason that there is none, flags that are false) is left out; new keys may be
 * added.
 */
#ifndef AX_ADMIN_QUERY_JSON_H
#define AX_ADMIN_QUERY_JSON_H

#include "dsl/base/json_out.h"
#include "runtime/core/view.h"
#include "runtime/store/store.h"

/* A run of a list. interrupted: it has not ended, and nobody drives it. */
void ax_query_run_json(const ax_run_summary *run, bool interrupted, ax_json *j);
/* A whole run, with its nodes in plan order. */
void ax_query_status_json(const ax_view *view, bool interrupted, ax_json *j);
/* A row of the history. */
void ax_query_log_json(const ax_plan *plan, const ax_log_rec *row, ax_json *j);

#endif
