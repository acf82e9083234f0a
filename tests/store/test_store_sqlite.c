/* test_store_sqlite.c - the suite on SQLite. */
#include "dsl/base/assert.h"
#include "tests/lib/store_suite.h"

static ax_rc open_file(const char *dir, ax_store **out, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    const char *path = ax_str_c(&mem, ax_str_fmt(&mem, "%s/ax.db", dir));
    ax_rc rc = ax_sqlite_open(path, AX_STORE_WRITE, out, err);
    ax_arena_free(&mem);
    return rc;
}

int main(void)
{
    static const test_backend backend = {.name = "sqlite", .open = open_file};
    int failed = test_suite_rows(&backend);
    return failed + test_suite_rules(&backend);
}
