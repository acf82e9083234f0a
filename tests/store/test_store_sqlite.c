/* test_store_sqlite.c - the suite on SQLite. */
#include "tests/lib/store_suite.h"

int main(void)
{
    int failed = test_suite_rows(&test_sqlite);
    return failed + test_suite_rules(&test_sqlite);
}
