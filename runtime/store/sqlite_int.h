/* sqlite_int.h - what the files of the SQLite backend share.
 *
 * A statement is prepared once, at its first use, from sql/statements.sql. `ax_sql` binds its parameters from
 * left to right and reads its columns from left to right, so that a row is written and read in the order of
 * the text. The first failure of a step stays in the ax_sql, and the statement is always reset.
 */
#ifndef AX_STORE_SQLITE_INT_H
#define AX_STORE_SQLITE_INT_H

#include <sqlite3.h>

#include "runtime/store/store.h"

#define AX_SQLITE_APPLICATION_ID 0x41584442 /* "AXDB" in the file's header */
#define AX_SQLITE_BUSY_MS 5000              /* how long a write waits for another process */

/* clang-format off */
#define AX_SQLITE_STATEMENTS(X)                                                         \
    X(begin) X(begin_read) X(commit) X(rollback)                                        \
    X(epoch_is) X(lease_read) X(lease_take) X(lease_renew) X(lease_release)             \
    X(plan_has) X(plan_put) X(plan_get)                                                 \
    X(run_insert) X(run_update) X(run_count) X(run_get) X(run_list)                     \
    X(run_list_unfinished) X(run_list_workflow) X(run_list_workflow_unfinished)         \
    X(node_insert) X(node_update) X(node_list)                                          \
    X(instance_insert) X(instance_update) X(instance_list)                              \
    X(output_insert) X(output_list)                                                     \
    X(log_insert) X(log_list) X(log_list_node)                                          \
    X(effect_insert) X(effect_delete) X(effect_list)
/* clang-format on */

#define X(name) AX_SQL_##name,
typedef enum { AX_SQLITE_STATEMENTS(X) AX_SQL_COUNT } ax_sql_id;
#undef X

typedef struct {
    ax_store base;
    ax_arena mem; /* owns this struct and the path */
    sqlite3 *db;
    const char *path;
    ax_store_mode mode;
    int lease_fd;         /* file whose byte `epoch` the holder of that epoch has locked; -1: not opened */
    uint64_t lease_epoch; /* that this connection took; 0: none */
    sqlite3_stmt *statements[AX_SQL_COUNT];
} ax_sqlite;

/* A statement in use. */
typedef struct {
    ax_sqlite *s;
    sqlite3_stmt *stmt; /* NULL: could not be prepared */
    int next;           /* parameter or column that comes next, from 0 */
    int rc;             /* SQLite's code of the first failure */
} ax_sql;

/* Fills err from an SQLite code: what failed ("committing"), why, and what a person can do. */
ax_rc ax_sqlite_fail(ax_sqlite *s, int code, const char *doing, ax_err *err);

/* Starts the statement; its parameters are bound next. Texts must live until it is finished. */
ax_sql ax_sql_start(ax_sqlite *s, ax_sql_id id);
void ax_sql_int(ax_sql *q, int64_t value);
void ax_sql_uint(ax_sql *q, uint64_t value);
void ax_sql_text(ax_sql *q, ax_str value);
void ax_sql_name(ax_sql *q, const char *value);
void ax_sql_null(ax_sql *q);
/* The node's index, or NULL for AX_NONE. */
void ax_sql_node(ax_sql *q, uint32_t node);

/* The next row: true, and its columns are read next. False: no more, or it failed (ax_sql_end says). */
bool ax_sql_row(ax_sql *q);
int64_t ax_sql_get_int(ax_sql *q);
uint64_t ax_sql_get_u64(ax_sql *q);
uint32_t ax_sql_get_u32(ax_sql *q);
bool ax_sql_get_bool(ax_sql *q);
uint32_t ax_sql_get_node(ax_sql *q);
bool ax_sql_is_null(const ax_sql *q); /* the column that comes next */
ax_str ax_sql_get_text(ax_sql *q, ax_arena *mem);
ax_str ax_sql_peek_text(ax_sql *q); /* until the next row */

/* Resets the statement; SQLite's code of the first failure, or SQLITE_OK. */
int ax_sql_end(ax_sql *q);
/* Runs a statement that gives no rows, and ends it; *changes (may be NULL): how many rows it changed. */
int ax_sql_run(ax_sql *q, int *changes);

/* Begins a write; AX_BUSY when another process keeps the lock for too long. */
ax_rc ax_sqlite_begin(ax_sqlite *s, ax_err *err);
/* Ends a write: commits if rc is AX_OK, else rolls back and returns rc. */
ax_rc ax_sqlite_finish(ax_sqlite *s, ax_rc rc, ax_err *err);
/* Inside a write: AX_CONFLICT unless the lease still has this epoch. */
ax_rc ax_sqlite_guard(ax_sqlite *s, uint64_t epoch, ax_err *err);

/* Brings the file to this program's schema (WRITE), or checks that it has it (READ). */
ax_rc ax_sqlite_migrate(ax_sqlite *s, ax_err *err);

/* Reads the columns of run_get into a summary. */
ax_rc ax_sqlite_read_run(ax_sql *q, ax_arena *mem, ax_run_summary *out, ax_err *err);

/* The operations, by file. */
ax_rc ax_sqlite_now_ms(ax_store *store, int64_t *now_ms, ax_err *err);
ax_rc ax_sqlite_put_plan(ax_store *store, const ax_plan *plan, ax_err *err);
ax_rc ax_sqlite_get_plan(ax_store *store, ax_str hash, ax_arena *mem, ax_plan **out, ax_err *err);
ax_rc ax_sqlite_create_run(ax_store *store, ax_run_rec *run, const ax_plan *plan, uint64_t epoch,
                           ax_err *err);
ax_rc ax_sqlite_commit(ax_store *store, const ax_batch *batch, ax_err *err);
ax_rc ax_sqlite_load_run(ax_store *store, uint64_t run, ax_arena *mem, ax_run_rows *out, ax_err *err);
ax_rc ax_sqlite_list_runs(ax_store *store, const ax_run_filter *filter, ax_arena *mem, ax_run_summary **out,
                          uint32_t *count, ax_err *err);
ax_rc ax_sqlite_read_log(ax_store *store, const ax_log_filter *filter, ax_arena *mem, ax_log_rec **out,
                         uint32_t *count, ax_err *err);
ax_rc ax_sqlite_lease_take(ax_store *store, ax_str holder, int64_t ttl_ms, uint64_t *epoch, ax_err *err);
ax_rc ax_sqlite_lease_look(ax_store *store, ax_arena *mem, ax_lease *out, ax_err *err);
ax_rc ax_sqlite_lease_renew(ax_store *store, uint64_t epoch, int64_t ttl_ms, ax_err *err);
ax_rc ax_sqlite_lease_release(ax_store *store, uint64_t epoch, ax_err *err);
void ax_sqlite_close(ax_store *store);

#endif
