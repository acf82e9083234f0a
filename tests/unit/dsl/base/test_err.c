/* test_err.c - messages are filled, prefixed, and cut rather than overrun. */
#include "tests/lib/test.h"

#include <errno.h>
#include <string.h>

#include "dsl/base/err.h"

static void a_failure_returns_its_code_and_fills_the_text(void **state)
{
    (void)state;
    ax_err err = {.help = "old advice"};
    assert_int_equal(ax_fail(&err, AX_REFUSED, "%s does not accept %s", "READY", "SUCCESS"), AX_REFUSED);
    assert_string_equal(err.text, "READY does not accept SUCCESS");
    assert_string_equal(err.help, "");
}

static void the_reason_of_the_system_is_appended(void **state)
{
    (void)state;
    ax_err err;
    errno = ENOENT;
    assert_int_equal(ax_fail_errno(&err, "cannot open %s", "x"), AX_IO);
    assert_string_equal(err.text, "cannot open x: No such file or directory");
}

static void a_prefix_comes_before_the_message(void **state)
{
    (void)state;
    ax_err err;
    ax_fail(&err, AX_INVALID, "bad number");
    ax_err_prefix(&err, "loading run %d", 42);
    ax_err_help(&err, "try %s", "ax runs");
    assert_string_equal(err.text, "loading run 42: bad number");
    assert_string_equal(err.help, "try ax runs");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    ax_err err;
    ax_fail(&err, AX_INVALID, "%2000s", "x");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    ax_err_prefix(&err, "%2000s", "y");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    errno = ENOENT;
    ax_fail_errno(&err, "%2000s", "x");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void nobody_needs_to_want_the_message(void **state)
{
    (void)state;
    assert_int_equal(ax_fail(NULL, AX_BUSY, "x"), AX_BUSY);
    assert_int_equal(ax_fail_errno(NULL, "x"), AX_IO);
    ax_err_prefix(NULL, "x");
    ax_err_help(NULL, "x");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_failure_returns_its_code_and_fills_the_text),
    cmocka_unit_test(the_reason_of_the_system_is_appended),
    cmocka_unit_test(a_prefix_comes_before_the_message),
    cmocka_unit_test(long_messages_are_cut),
    cmocka_unit_test(nobody_needs_to_want_the_message),
};

RUN_TESTS(tests)
