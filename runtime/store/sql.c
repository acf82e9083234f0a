/* sql.c - prepared statements: found by name, bound and read from left to right, reset after use. */
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/embed.h"
#include "runtime/store/sqlite_int.h"

#define X(name) "\n-- :" #name "\n",
static const char *const markers[AX_SQL_COUNT] = {AX_SQLITE_STATEMENTS(X)};
#undef X

/* The statement's text: from its marker to the next one. */
static ax_str statement_text(ax_sql_id id)
{
    const char *all = ax_embed_text(&ax_embed_sql, "statements.sql");
    AX_ASSERT(all != NULL);
    const char *at = strstr(all, markers[id]);
    AX_ASSERT(at != NULL);
    at += strlen(markers[id]);
    const char *end = strstr(at, "\n-- :");
    return (ax_str){at, end != NULL ? (size_t)(end - at) : strlen(at)};
}

ax_sql ax_sql_start(ax_sqlite *s, ax_sql_id id)
{
    ax_sql q = {.s = s};
    if (s->statements[id] == NULL) {
        ax_str text = statement_text(id);
        q.rc = sqlite3_prepare_v3(s->db, text.ptr, (int)text.len, SQLITE_PREPARE_PERSISTENT,
                                  &s->statements[id], NULL);
    }
    q.stmt = s->statements[id];
    return q;
}

static void note(ax_sql *q, int rc)
{
    if (q->rc == SQLITE_OK) q->rc = rc;
}

void ax_sql_int(ax_sql *q, int64_t value)
{
    if (q->rc == SQLITE_OK) note(q, sqlite3_bind_int64(q->stmt, ++q->next, value));
}

void ax_sql_uint(ax_sql *q, uint64_t value)
{
    AX_ASSERT(value <= INT64_MAX);
    ax_sql_int(q, (int64_t)value);
}

void ax_sql_text(ax_sql *q, ax_str value)
{
    if (q->rc != SQLITE_OK) return;
    const char *ptr = value.ptr != NULL ? value.ptr : "";
    note(q, sqlite3_bind_text64(q->stmt, ++q->next, ptr, value.len, SQLITE_STATIC, SQLITE_UTF8));
}

void ax_sql_name(ax_sql *q, const char *value)
{
    ax_sql_text(q, ax_str_of(value));
}

void ax_sql_null(ax_sql *q)
{
    if (q->rc == SQLITE_OK) note(q, sqlite3_bind_null(q->stmt, ++q->next));
}

void ax_sql_node(ax_sql *q, uint32_t node)
{
    if (node == AX_NONE) ax_sql_null(q);
    else ax_sql_int(q, node);
}

bool ax_sql_row(ax_sql *q)
{
    if (q->rc != SQLITE_OK) return false;
    int rc = sqlite3_step(q->stmt);
    q->next = 0;
    if (rc == SQLITE_ROW) return true;
    if (rc != SQLITE_DONE) q->rc = rc;
    return false;
}

int64_t ax_sql_get_int(ax_sql *q)
{
    return sqlite3_column_int64(q->stmt, q->next++);
}

uint64_t ax_sql_get_u64(ax_sql *q)
{
    return (uint64_t)ax_sql_get_int(q);
}

uint32_t ax_sql_get_u32(ax_sql *q)
{
    return (uint32_t)ax_sql_get_int(q);
}

bool ax_sql_get_bool(ax_sql *q)
{
    return ax_sql_get_int(q) != 0;
}

bool ax_sql_is_null(const ax_sql *q)
{
    return sqlite3_column_type(q->stmt, q->next) == SQLITE_NULL;
}

uint32_t ax_sql_get_node(ax_sql *q)
{
    bool none = ax_sql_is_null(q);
    uint32_t node = ax_sql_get_u32(q);
    return none ? AX_NONE : node;
}

ax_str ax_sql_peek_text(ax_sql *q)
{
    const char *ptr = (const char *)sqlite3_column_text(q->stmt, q->next);
    int len = sqlite3_column_bytes(q->stmt, q->next++);
    return (ax_str){ptr, (size_t)len};
}

ax_str ax_sql_get_text(ax_sql *q, ax_arena *mem)
{
    return ax_str_dup(mem, ax_sql_peek_text(q));
}

int ax_sql_end(ax_sql *q)
{
    if (q->stmt != NULL) sqlite3_reset(q->stmt);
    return q->rc;
}

int ax_sql_run(ax_sql *q, int *changes)
{
    bool row = ax_sql_row(q);
    AX_ASSERT(!row);
    if (changes != NULL) *changes = q->rc == SQLITE_OK ? sqlite3_changes(q->s->db) : 0;
    return ax_sql_end(q);
}
