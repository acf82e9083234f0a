/* store.h - the durable truth: one interface of the domain's operations, whatever the database.
 *
 * The store's time is the only time. Every write of a scheduler carries its epoch; a commit is all or
 * nothing, and a conditional update that hits no row makes the whole commit AX_CONFLICT. Strings that are
 * returned live in `mem`.
 */
#ifndef AX_STORE_STORE_H
#define AX_STORE_STORE_H

#include "dsl/base/err.h"
#include "runtime/core/batch.h"
#include "runtime/core/view.h"

typedef struct ax_store ax_store;

/* A run in a list. */
typedef struct {
    ax_run_rec run;
    uint32_t nodes_total;                /* of its plan, without groups */
    uint32_t by_state[AX_NODE_ST_COUNT]; /* nodes that have a row */
} ax_run_summary;

/* Which runs to list, newest first. */
typedef struct {
    ax_str workflow; /* empty: all */
    uint64_t before; /* only ids below this one; 0: from the newest */
    uint32_t limit;
    bool unfinished; /* only runs that have not ended */
} ax_run_filter;

/* Which rows of a run's transition_log to read, in the order of their seq. */
typedef struct {
    uint64_t run;
    uint32_t node;  /* AX_NONE: all */
    uint64_t after; /* only rows with a larger seq */
    uint32_t limit;
} ax_log_filter;

/* Who may write. */
typedef struct {
    ax_str holder; /* empty: nobody has it */
    uint64_t epoch;
    bool alive; /* it lives, as far as the store can tell, and its time has not run out */
} ax_lease;

typedef struct {
    const char *name; /* "sqlite" */
    ax_rc (*now_ms)(ax_store *s, int64_t *now_ms, ax_err *err);
    /* Keeps a document under its hash (once). */
    ax_rc (*put_plan)(ax_store *s, const ax_plan *plan, ax_err *err);
    ax_rc (*get_plan)(ax_store *s, ax_str hash, ax_arena *mem, ax_plan **out, ax_err *err);
    /* Inserts a QUEUED run with its first log row (seq run->seq), and keeps its plan. run->id is larger than
     * any before, or 0: it is set to the next. */
    ax_rc (*create_run)(ax_store *s, ax_run_rec *run, const ax_plan *plan, uint64_t epoch, ax_err *err);
    ax_rc (*load_run)(ax_store *s, uint64_t run, ax_arena *mem, ax_run_rows *out, ax_err *err);
    ax_rc (*commit)(ax_store *s, const ax_batch *batch, ax_err *err);
    ax_rc (*list_runs)(ax_store *s, const ax_run_filter *filter, ax_arena *mem, ax_run_summary **out,
                       uint32_t *count, ax_err *err);
    ax_rc (*read_log)(ax_store *s, const ax_log_filter *filter, ax_arena *mem, ax_log_rec **out,
                      uint32_t *count, ax_err *err);
    /* Takes the scheduler's lease and a new epoch; AX_BUSY with the holder's name if another has it. Renew
     * and release answer AX_CONFLICT if it is lost. */
    ax_rc (*lease_take)(ax_store *s, ax_str holder, int64_t ttl_ms, uint64_t *epoch, ax_err *err);
    ax_rc (*lease_renew)(ax_store *s, uint64_t epoch, int64_t ttl_ms, ax_err *err);
    ax_rc (*lease_look)(ax_store *s, ax_arena *mem, ax_lease *out, ax_err *err);
    ax_rc (*lease_release)(ax_store *s, uint64_t epoch, ax_err *err);
    void (*close)(ax_store *s);
} ax_store_ops;

struct ax_store {
    const ax_store_ops *ops;
};

/* How a store is opened. */
typedef enum { AX_STORE_READ, AX_STORE_WRITE } ax_store_mode;

/* Opens (WRITE: and creates or migrates) the SQLite file at path. AX_NOT_FOUND: READ and there is none;
 * AX_INVALID: it is no store of ours, or a newer one. */
ax_rc ax_sqlite_open(const char *path, ax_store_mode mode, ax_store **out, ax_err *err);

#endif
