/* assert.c - the two ways in which a process of ours ends itself. */
#include "dsl/base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void ax_assert_failed(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: internal error: expected %s\n", file, line, expr);
    abort();
}

_Noreturn void ax_out_of_memory(void)
{
    static const char text[] = "error: out of memory\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(3);
}
