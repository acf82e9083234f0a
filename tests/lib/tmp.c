/* tmp.c - temporary folders for tests: under $TMPDIR or /tmp, removed without following links. */
#include "tests/lib/tmp.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "dsl/base/assert.h"

void test_tmp_make(char *path, size_t size)
{
    const char *base = getenv("TMPDIR");
    int len = snprintf(path, size, "%s/ax-test-XXXXXX", base != NULL && base[0] == '/' ? base : "/tmp");
    AX_ASSERT(len > 0 && (size_t)len < size);
    AX_ASSERT(mkdtemp(path) != NULL);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

void test_tmp_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
