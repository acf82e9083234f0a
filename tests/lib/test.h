/* test.h - what every test program includes: cmocka with the headers that it wants first, and checks for
 * views. */
#ifndef AX_TESTS_LIB_TEST_H
#define AX_TESTS_LIB_TEST_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "dsl/base/str.h"

/* Fails the test with both texts if the view has other bytes than the C string. */
#define assert_str(view, text) test_assert_str((view), (text), __FILE__, __LINE__)
void test_assert_str(ax_str got, const char *want, const char *file, int line);

/* One cmocka group as the main function of the program. */
#define RUN_TESTS(tests)                                                                                     \
    int main(void)                                                                                           \
    {                                                                                                        \
        return cmocka_run_group_tests_name(__FILE__, (tests), 0, 0);                                         \
    }

#endif
