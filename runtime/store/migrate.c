/* migrate.c - the schema of a file: is it ours, how old is it, and the steps to the newest.
 *
 * application_id says that a file is ours, user_version which migration was applied last. Migrations are the
 * files sql/NNNN_*.sql, in order and forward only, all of them in one transaction: a file is never between
 * two versions.
 */
#include <stdio.h>
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/embed.h"
#include "runtime/store/sqlite_int.h"

/* The number that a migration's name begins with; 0: the file is none. */
static int migration_number(const char *name)
{
    int number = 0;
    for (int i = 0; i < 4; i++) {
        if (name[i] < '0' || name[i] > '9') return 0;
        number = number * 10 + (name[i] - '0');
    }
    return name[4] == '_' ? number : 0;
}

static int newest(void)
{
    int number = 0;
    for (size_t i = 0; i < ax_embed_sql.count; i++) {
        int n = migration_number(ax_embed_sql.files[i].name);
        if (n > number) number = n;
    }
    return number;
}

static int read_number(ax_sqlite *s, const char *sql, int *number)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_step(stmt);
        if (rc == SQLITE_ROW) {
            *number = sqlite3_column_int(stmt, 0);
            rc = SQLITE_OK;
        }
    }
    sqlite3_finalize(stmt);
    return rc;
}

/* The version of the file, 0 for an empty one. AX_INVALID if it is none of ours, or newer than this program.
 */
static ax_rc read_version(ax_sqlite *s, int *version, ax_err *err)
{
    int application = 0, objects = 0;
    int code = read_number(s, "PRAGMA application_id", &application);
    if (code == SQLITE_OK) code = read_number(s, "PRAGMA user_version", version);
    if (code == SQLITE_OK) code = read_number(s, "SELECT count(*) FROM sqlite_schema", &objects);
    if (code != SQLITE_OK) return ax_sqlite_fail(s, code, "cannot read", err);

    bool empty = application == 0 && objects == 0;
    if (!empty && application != AX_SQLITE_APPLICATION_ID) {
        ax_fail(err, AX_INVALID, "%s is a database of another program", s->path);
        ax_err_help(err, "name another home, or move this file away");
        return AX_INVALID;
    }
    if (*version > newest()) {
        ax_fail(err, AX_INVALID, "%s was written by a newer ax: its schema is %d, this program's is %d",
                s->path, *version, newest());
        ax_err_help(err, "use the newer program; a store is never changed back");
        return AX_INVALID;
    }
    if (empty) *version = 0;
    return AX_OK;
}

static int apply(ax_sqlite *s, int version)
{
    int code = SQLITE_OK;
    for (size_t i = 0; i < ax_embed_sql.count && code == SQLITE_OK; i++) {
        const ax_embed_file *file = &ax_embed_sql.files[i];
        if (migration_number(file->name) > version) code = sqlite3_exec(s->db, file->text, NULL, NULL, NULL);
    }
    if (code != SQLITE_OK) return code;
    char marks[128];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             AX_SQLITE_APPLICATION_ID, newest());
    return sqlite3_exec(s->db, marks, NULL, NULL, NULL);
}

static ax_rc check(ax_sqlite *s, ax_err *err)
{
    int version = 0;
    ax_rc rc = read_version(s, &version, err);
    if (rc != AX_OK || version == newest()) return rc;
    if (version == 0) return ax_fail(err, AX_NOT_FOUND, "there is nothing in the store %s yet", s->path);
    ax_fail(err, AX_INVALID, "%s was written by an older ax: its schema is %d, this program's is %d", s->path,
            version, newest());
    ax_err_help(err, "a command that writes, like `ax run`, brings it up to date");
    return AX_INVALID;
}

ax_rc ax_sqlite_migrate(ax_sqlite *s, ax_err *err)
{
    if (s->mode == AX_STORE_READ) return check(s, err);

    int version = 0;
    ax_rc rc = read_version(s, &version, err);
    if (rc != AX_OK) return rc;
    /* Outside of a transaction, and only on a file that is known to be ours. */
    int code = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    if (code != SQLITE_OK) return ax_sqlite_fail(s, code, "cannot open", err);
    if (version == newest()) return AX_OK;

    rc = ax_sqlite_begin(s, err);
    if (rc != AX_OK) return rc;
    rc = read_version(s, &version, err); /* another process may have been faster */
    if (rc == AX_OK && version < newest()) {
        code = apply(s, version);
        if (code != SQLITE_OK) rc = ax_sqlite_fail(s, code, "cannot bring up to date", err);
    }
    return ax_sqlite_finish(s, rc, err);
}
