/* sqlite.c - the store in one SQLite file: opening, errors, transactions.
 *
 * WAL with synchronous=FULL: what commit has returned is on disk. Every write transaction begins as a write
 * (BEGIN IMMEDIATE), so it never fails half-way because somebody else wrote; it waits AX_SQLITE_BUSY_MS for
 * its turn and then says AX_BUSY. A connection is used by one thread at a time. A reader takes no lock that a
 * writer would wait for; where it may not even make the -shm file, it reads the file as one that nobody
 * changes.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dsl/base/assert.h"
#include "runtime/store/sqlite_int.h"

static const ax_store_ops ops = {
    .name = "sqlite",
    .now_ms = ax_sqlite_now_ms,
    .put_plan = ax_sqlite_put_plan,
    .get_plan = ax_sqlite_get_plan,
    .create_run = ax_sqlite_create_run,
    .load_run = ax_sqlite_load_run,
    .commit = ax_sqlite_commit,
    .list_runs = ax_sqlite_list_runs,
    .read_log = ax_sqlite_read_log,
    .lease_take = ax_sqlite_lease_take,
    .lease_look = ax_sqlite_lease_look,
    .lease_renew = ax_sqlite_lease_renew,
    .lease_release = ax_sqlite_lease_release,
    .close = ax_sqlite_close,
};

/* What a failure is called and what helps, by SQLite's primary code. */
static const struct {
    int code;
    ax_rc rc;
    const char *what, *help;
} faults[] = {
    {SQLITE_BUSY, AX_BUSY, "another process keeps it locked", "try again when that one has finished"},
    {SQLITE_FULL, AX_IO, "the disk is full", "free some space; nothing that was committed is lost"},
    {SQLITE_READONLY, AX_IO, "it may not be written", "check the owner and mode of the file and its folder"},
    {SQLITE_PERM, AX_IO, "permission denied", "check the owner and mode of the file and its folder"},
    {SQLITE_CANTOPEN, AX_IO, "it cannot be opened", "check the owner and mode of the file and its folder"},
    {SQLITE_IOERR, AX_IO, "reading or writing it failed",
     "check the disk; nothing that was committed is lost"},
    {SQLITE_CORRUPT, AX_INVALID, "it is damaged",
     "restore it from a backup, or try sqlite3's .recover on a copy"},
    {SQLITE_NOTADB, AX_INVALID, "it is no database", "name another home, or move this file away"},
    {SQLITE_TOOBIG, AX_INVALID, "a value is larger than the store can hold", ""},
};

ax_rc ax_sqlite_fail(ax_sqlite *s, int code, const char *doing, ax_err *err)
{
    int primary = code & 0xff;
    if (primary == SQLITE_NOMEM) ax_out_of_memory();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (faults[i].code != primary) continue;
        int os = sqlite3_system_errno(s->db);
        bool has_os = os != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN);
        ax_fail(err, faults[i].rc, "%s %s: %s%s%s", doing, s->path, faults[i].what, has_os ? ": " : "",
                has_os ? strerror(os) : "");
        ax_err_help(err, "%s", faults[i].help);
        return faults[i].rc;
    }
    return ax_fail(err, AX_IO, "%s %s: %s", doing, s->path, sqlite3_errmsg(s->db));
}

ax_rc ax_sqlite_now_ms(ax_store *store, int64_t *now_ms, ax_err *err)
{
    (void)store;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return ax_fail_errno(err, "cannot read the clock");
    *now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return AX_OK;
}

ax_rc ax_sqlite_begin(ax_sqlite *s, ax_err *err)
{
    AX_ASSERT(sqlite3_get_autocommit(s->db));
    ax_sql q = ax_sql_start(s, AX_SQL_begin);
    int code = ax_sql_run(&q, NULL);
    return code == SQLITE_OK ? AX_OK : ax_sqlite_fail(s, code, "cannot write to", err);
}

ax_rc ax_sqlite_finish(ax_sqlite *s, ax_rc rc, ax_err *err)
{
    if (rc == AX_OK) {
        ax_sql q = ax_sql_start(s, AX_SQL_commit);
        int code = ax_sql_run(&q, NULL);
        if (code != SQLITE_OK) rc = ax_sqlite_fail(s, code, "cannot write to", err);
    }
    /* Some failures have rolled back already. */
    if (!sqlite3_get_autocommit(s->db)) {
        ax_sql q = ax_sql_start(s, AX_SQL_rollback);
        ax_sql_run(&q, NULL);
    }
    return rc;
}

ax_rc ax_sqlite_guard(ax_sqlite *s, uint64_t epoch, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_epoch_is);
    ax_sql_uint(&q, epoch);
    bool holds = ax_sql_row(&q);
    int code = ax_sql_end(&q);
    if (code != SQLITE_OK) return ax_sqlite_fail(s, code, "cannot read", err);
    if (!holds) return ax_fail(err, AX_CONFLICT, "another scheduler has taken over %s", s->path);
    return AX_OK;
}

static int set_up(ax_sqlite *s)
{
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, AX_SQLITE_BUSY_MS);
    /* A cache of 32 MiB is memory that is used only by runs of that size. */
    int rc = sqlite3_exec(s->db, "PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;", NULL, NULL, NULL);
    return rc;
}

/* A file in a folder where nothing can be made, cleanly closed by its last writer, is complete without -wal
 * and -shm: it can be read as one that never changes. */
static bool is_still(ax_sqlite *s)
{
    struct stat st;
    const char *wal = ax_str_c(&s->mem, ax_str_fmt(&s->mem, "%s-wal", s->path));
    return stat(wal, &st) != 0 && errno == ENOENT;
}

static const char *still_uri(ax_sqlite *s)
{
    ax_buf uri = AX_BUF_INIT(1 << 20);
    ax_buf_adds(&uri, "file:");
    for (const char *c = s->path; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     *c == '/' || *c == '.' || *c == '-' || *c == '_';
        if (plain) ax_buf_addc(&uri, *c);
        else ax_buf_addf(&uri, "%%%02x", (unsigned char)*c);
    }
    ax_buf_adds(&uri, "?immutable=1");
    const char *copy = ax_str_c(&s->mem, ax_buf_str(&uri));
    ax_buf_free(&uri);
    return copy;
}

static ax_rc open_read(ax_sqlite *s, ax_err *err)
{
    struct stat st;
    if (stat(s->path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return ax_fail(err, AX_NOT_FOUND, "there is no store %s", s->path);

    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    const char *name = s->path;
    for (int tries = 0;; tries++) {
        int rc = sqlite3_open_v2(name, &s->db, flags, NULL);
        if (rc == SQLITE_OK) rc = set_up(s);
        if (rc == SQLITE_OK)
            rc = sqlite3_exec(s->db, "SELECT 1 FROM sqlite_schema LIMIT 1", NULL, NULL, NULL);
        if (rc == SQLITE_OK) return AX_OK;
        bool cannot_share = (rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY;
        if (tries > 0 || !cannot_share || !is_still(s)) return ax_sqlite_fail(s, rc, "cannot read", err);
        sqlite3_close(s->db);
        s->db = NULL;
        name = still_uri(s);
    }
}

static ax_rc open_write(ax_sqlite *s, ax_err *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int rc = sqlite3_open_v2(s->path, &s->db, flags, NULL);
    if (rc == SQLITE_OK) rc = set_up(s);
    /* SQLite opens for reading what it may not write. */
    if (rc == SQLITE_OK && sqlite3_db_readonly(s->db, "main") == 1) rc = SQLITE_READONLY;
    return rc == SQLITE_OK ? AX_OK : ax_sqlite_fail(s, rc, "cannot write to", err);
}

ax_rc ax_sqlite_open(const char *path, ax_store_mode mode, ax_store **out, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_sqlite *s = AX_NEW(&mem, ax_sqlite);
    *s = (ax_sqlite){.base.ops = &ops, .mode = mode, .lease_fd = -1, .mem = mem};
    s->path = ax_str_c(&s->mem, ax_str_of(path));

    ax_rc rc = mode == AX_STORE_READ ? open_read(s, err) : open_write(s, err);
    if (rc == AX_OK) rc = ax_sqlite_migrate(s, err);
    if (rc != AX_OK) {
        ax_sqlite_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return AX_OK;
}

void ax_sqlite_close(ax_store *store)
{
    ax_sqlite *s = (ax_sqlite *)store;
    for (int i = 0; i < AX_SQL_COUNT; i++) sqlite3_finalize(s->statements[i]);
    int rc = sqlite3_close(s->db);
    AX_ASSERT(rc == SQLITE_OK);
    if (s->lease_fd >= 0) close(s->lease_fd);
    ax_arena mem = s->mem;
    ax_arena_free(&mem);
}
