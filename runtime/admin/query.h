/* query.h - reading what ran: which run and which nodes a person means, and a run's state and history as
 * data.
 *
 * The command line and the API answer with the same functions and the same JSON (query_json.h). Nothing here
 * writes, and a store that is open for reading is enough.
 */
#ifndef AX_ADMIN_QUERY_H
#define AX_ADMIN_QUERY_H

#include "runtime/core/view.h"
#include "runtime/store/store.h"

typedef struct {
    const ax_run_summary *runs;
    const bool *interrupted;
    uint32_t count;
} ax_query_list;

/* The run that a person names: a number; "last" or "" for the newest. AX_NOT_FOUND, AX_INVALID (no such
 * word). */
ax_rc ax_query_run(ax_store *store, ax_str word, uint64_t *run, ax_err *err);
/* True if the word can only mean a run: "last", or a number. */
bool ax_query_is_run(ax_str word);

/* How many nodes of a listed run are in each state, those without a row as BLOCKED. */
void ax_query_counts(const ax_run_summary *run, uint32_t counts[AX_NODE_ST_COUNT]);

/* Runs, newest first, and for each whether it is interrupted: not ended, not paused, and nobody drives it, so
 * that it goes on only when somebody resumes it. Both arrays live in mem. */
ax_rc ax_query_runs(ax_store *store, const ax_run_filter *filter, ax_arena *mem, ax_query_list *out,
                    ax_err *err);

/* The plan that a run was started with, in mem. */
ax_rc ax_query_plan(ax_store *store, uint64_t run, ax_arena *mem, ax_plan **out, ax_err *err);
/* A run with its plan and everything that is computed from its rows, in mem; interrupted (may be NULL): as
 * above. */
ax_rc ax_query_view(ax_store *store, uint64_t run, ax_arena *mem, ax_view **out, bool *interrupted,
                    ax_err *err);

/* The nodes that a person names, in plan order: the one with this name, or every copy of a fan-out, or every
 * task in a group. AX_NOT_FOUND with the nearest name. */
ax_rc ax_query_nodes(const ax_plan *plan, ax_str name, ax_arena *mem, uint32_t **nodes, uint32_t *count,
                     ax_err *err);

/* Calls `row` for the log rows that the filter names, page by page, until it returns false. The filter's
 * limit is that of all rows together, 0: none; what a row points to lives until `row` returns. */
typedef bool (*ax_query_row_fn)(void *ctx, const ax_log_rec *row);
ax_rc ax_query_log(ax_store *store, ax_log_filter filter, ax_query_row_fn row, void *ctx, ax_err *err);

/* Appends, for a person, why a row of the history is there: "exit code 3", "something above failed: build",
 * "by anna: disk was full", "the worker reported success". One line, if its texts are. */
void ax_query_why(const ax_log_rec *row, ax_buf *out);

#endif
