/* test.c - checks for views. */
#include "tests/lib/test.h"

#include <stdlib.h>

void test_assert_str(ax_str got, const char *want, const char *file, int line)
{
    ax_arena mem = AX_ARENA_INIT;
    if (!ax_str_is(got, want)) {
        /* cmocka leaves the test by longjmp and prints both texts; the copy may leak then. */
        _assert_string_equal(ax_str_c(&mem, got), want, file, line);
        _fail(file, line);
    }
    ax_arena_free(&mem);
}
