/* sqlite_lease.c - the right to write: one row with an epoch, and a lock that dies with its holder.
 *
 * The holder of epoch N keeps byte N of the file beside the store locked (an open-file-description lock,
 * which the kernel drops when the process ends, however it ends). So a holder is alive while its byte is
 * locked and its time has not run out: after a kill -9 the next one may start at once, and one that hangs
 * loses the lease all the same. The epoch only grows; whoever writes under an older one is refused in the
 * same transaction.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "runtime/store/sqlite_int.h"

typedef struct {
    bool there;
    uint64_t epoch;
    ax_str holder;
    int64_t until_ms;
} lease_row;

static ax_rc read_row(ax_sqlite *s, ax_arena *mem, lease_row *row, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_lease_read);
    *row = (lease_row){.there = ax_sql_row(&q)};
    if (row->there) {
        row->epoch = ax_sql_get_u64(&q);
        row->holder = ax_sql_get_text(&q, mem);
        row->until_ms = ax_sql_get_int(&q);
    }
    int code = ax_sql_end(&q);
    return code == SQLITE_OK ? AX_OK : ax_sqlite_fail(s, code, "cannot read", err);
}

static ax_rc open_locks(ax_sqlite *s, ax_err *err)
{
    if (s->lease_fd >= 0) return AX_OK;
    const char *path = ax_str_fmt(&s->mem, "%s-lease", s->path).ptr;
    int flags = s->mode == AX_STORE_READ ? O_RDONLY : O_RDWR | O_CREAT;
    s->lease_fd = open(path, flags | O_CLOEXEC, 0666);
    return s->lease_fd >= 0 ? AX_OK : ax_fail_errno(err, "cannot open %s", path);
}

static struct flock byte_of(uint64_t epoch, short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)epoch, .l_len = 1};
}

/* True if somebody has this lease: its time has not run out, and its byte is locked by another open file. */
static ax_rc is_alive(ax_sqlite *s, const lease_row *row, bool *alive, ax_err *err)
{
    int64_t now_ms;
    struct flock lock = byte_of(row->epoch, F_WRLCK);
    *alive = false;
    ax_rc rc = ax_sqlite_now_ms(&s->base, &now_ms, err);
    if (rc != AX_OK || !row->there || row->until_ms <= now_ms) return rc;
    if (fcntl(s->lease_fd, F_OFD_GETLK, &lock) != 0)
        return ax_fail_errno(err, "cannot test %s-lease", s->path);
    *alive = lock.l_type != F_UNLCK;
    return AX_OK;
}

static ax_rc lock_byte(ax_sqlite *s, uint64_t epoch, short type, ax_err *err)
{
    struct flock lock = byte_of(epoch, type);
    if (fcntl(s->lease_fd, F_OFD_SETLK, &lock) == 0) return AX_OK;
    return ax_fail_errno(err, "cannot lock %s-lease", s->path);
}

static ax_rc refuse_if_alive(ax_sqlite *s, const lease_row *row, ax_err *err)
{
    bool alive = false;
    ax_rc rc = is_alive(s, row, &alive, err);
    if (rc != AX_OK || !alive) return rc;
    ax_fail(err, AX_BUSY, "%s is in use by %.*s", s->path, AX_STR(row->holder));
    ax_err_help(err, "wait until it has ended, or use another home");
    return AX_BUSY;
}

static ax_rc write_row(ax_sqlite *s, const lease_row *row, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_lease_take);
    ax_sql_uint(&q, row->epoch);
    ax_sql_text(&q, row->holder);
    ax_sql_int(&q, row->until_ms);
    int code = ax_sql_run(&q, NULL);
    return code == SQLITE_OK ? AX_OK : ax_sqlite_fail(s, code, "cannot write to", err);
}

ax_rc ax_sqlite_lease_take(ax_store *store, ax_str holder, int64_t ttl_ms, uint64_t *epoch, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    ax_arena mem = AX_ARENA_INIT;
    lease_row old = {0}, mine = {0};
    int64_t now_ms = 0;

    ax_rc rc = open_locks(s, err);
    if (rc == AX_OK) rc = ax_sqlite_begin(s, err);
    if (rc != AX_OK) return rc;

    rc = ax_sqlite_now_ms(store, &now_ms, err);
    if (rc == AX_OK) rc = read_row(s, &mem, &old, err);
    if (rc == AX_OK) rc = refuse_if_alive(s, &old, err);
    if (rc == AX_OK) {
        /* Without a row its epoch is unknown: one from the clock is above any that was counted. */
        mine = (lease_row){true, old.there ? old.epoch + 1 : (uint64_t)now_ms, holder, now_ms + ttl_ms};
        rc = lock_byte(s, mine.epoch, F_WRLCK, err);
    }
    bool locked = rc == AX_OK;
    if (rc == AX_OK) rc = write_row(s, &mine, err);
    rc = ax_sqlite_finish(s, rc, err);
    if (rc == AX_OK) *epoch = s->lease_epoch = mine.epoch;
    else if (locked) lock_byte(s, mine.epoch, F_UNLCK, NULL);
    ax_arena_free(&mem);
    return rc;
}

static ax_rc change_own(ax_sqlite *s, ax_sql *q, ax_err *err)
{
    int changes;
    int code = ax_sql_run(q, &changes);
    if (code != SQLITE_OK) return ax_sqlite_fail(s, code, "cannot write to", err);
    if (changes == 0) return ax_fail(err, AX_CONFLICT, "another scheduler has taken over %s", s->path);
    return AX_OK;
}

ax_rc ax_sqlite_lease_look(ax_store *store, ax_arena *mem, ax_lease *out, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    lease_row row = {0};
    *out = (ax_lease){0};
    ax_rc rc = read_row(s, mem, &row, err);
    if (rc != AX_OK) return rc;
    *out = (ax_lease){.holder = row.holder, .epoch = row.epoch};
    if (open_locks(s, NULL) != AX_OK && errno == ENOENT) return AX_OK; /* nobody ever took it */
    rc = open_locks(s, err);
    if (rc == AX_OK) rc = is_alive(s, &row, &out->alive, err);
    out->alive = out->alive || (s->lease_epoch > 0 && s->lease_epoch == row.epoch);
    return rc;
}

ax_rc ax_sqlite_lease_renew(ax_store *store, uint64_t epoch, int64_t ttl_ms, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    int64_t now_ms;
    ax_rc rc = ax_sqlite_now_ms(store, &now_ms, err);
    if (rc == AX_OK) rc = ax_sqlite_begin(s, err);
    if (rc != AX_OK) return rc;
    ax_sql q = ax_sql_start(s, AX_SQL_lease_renew);
    ax_sql_int(&q, now_ms + ttl_ms);
    ax_sql_uint(&q, epoch);
    return ax_sqlite_finish(s, change_own(s, &q, err), err);
}

ax_rc ax_sqlite_lease_release(ax_store *store, uint64_t epoch, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    ax_rc rc = ax_sqlite_begin(s, err);
    if (rc != AX_OK) return rc;
    ax_sql q = ax_sql_start(s, AX_SQL_lease_release);
    ax_sql_uint(&q, epoch);
    rc = ax_sqlite_finish(s, change_own(s, &q, err), err);
    if (rc != AX_OK || s->lease_epoch != epoch) return rc;
    s->lease_epoch = 0;
    return lock_byte(s, epoch, F_UNLCK, err);
}
