/* test_buf.c - appending, the maximum, reuse. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/base/buf.h"

static void everything_appends_and_stays_terminated(void **state)
{
    (void)state;
    ax_buf b = AX_BUF_INIT(1000);
    ax_buf_add(&b, AX_LIT("a"));
    ax_buf_adds(&b, "bc");
    ax_buf_addc(&b, '-');
    ax_buf_addf(&b, "%s %d", "x", 5);
    ax_buf_addi(&b, INT64_MIN);
    assert_string_equal(b.ptr, "abc-x 5-9223372036854775808");
    assert_str(ax_buf_str(&b), b.ptr);
    assert_false(b.full);
    ax_buf_free(&b);
}

static void an_empty_buffer_is_the_empty_view(void **state)
{
    (void)state;
    ax_buf b = AX_BUF_INIT(10);
    ax_buf_adds(&b, "");
    assert_str(ax_buf_str(&b), "");
    ax_buf_free(&b);
}

static void the_maximum_itself_fits(void **state)
{
    (void)state;
    ax_buf b = AX_BUF_INIT(4);
    ax_buf_adds(&b, "abcd");
    assert_false(b.full);
    ax_buf_addc(&b, 'e');
    assert_true(b.full);
    assert_str(ax_buf_str(&b), "abcd");
    ax_buf_free(&b);
}

static void nothing_is_appended_behind_what_did_not_fit(void **state)
{
    (void)state;
    ax_buf b = AX_BUF_INIT(6);
    ax_buf_adds(&b, "abc");
    ax_buf_addf(&b, "%d", 123456);
    ax_buf_addc(&b, 'x');
    ax_buf_addi(&b, 1);
    assert_true(b.full);
    assert_str(ax_buf_str(&b), "abc");
    ax_buf_free(&b);
}

static void a_cleared_buffer_starts_anew(void **state)
{
    (void)state;
    ax_buf b = AX_BUF_INIT(3);
    ax_buf_adds(&b, "abcd");
    ax_buf_clear(&b);
    assert_false(b.full);
    ax_buf_adds(&b, "xyz");
    assert_string_equal(b.ptr, "xyz");
    ax_buf_free(&b);
}

static void room_is_writable_up_to_the_maximum(void **state)
{
    (void)state;
    ax_buf b = AX_BUF_INIT(100000);
    for (int i = 0; i < 10; i++) {
        char *to = ax_buf_room(&b, 10000);
        assert_non_null(to);
        memset(to, 'a' + i, 10000);
        b.len += 10000;
    }
    assert_null(ax_buf_room(&b, 1));
    assert_true(b.full);
    assert_int_equal(b.ptr[0], 'a');
    assert_int_equal(b.ptr[99999], 'j');
    ax_buf_free(&b);
}

static void bytes_inside_are_replaced(void **state)
{
    (void)state;
    ax_buf b = AX_BUF_INIT(10);
    ax_buf_splice(&b, 0, 0, AX_LIT("abcdef"));
    ax_buf_splice(&b, 1, 3, AX_LIT("XYZ"));
    assert_string_equal(b.ptr, "aXYZdef");
    ax_buf_splice(&b, 7, 7, AX_LIT("!"));
    ax_buf_splice(&b, 0, 4, (ax_str){0});
    assert_string_equal(b.ptr, "def!");
    ax_buf_splice(&b, 0, 1, AX_LIT("12345678"));
    assert_true(b.full);
    assert_string_equal(b.ptr, "def!");
    ax_buf_free(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(everything_appends_and_stays_terminated),
    cmocka_unit_test(an_empty_buffer_is_the_empty_view),
    cmocka_unit_test(the_maximum_itself_fits),
    cmocka_unit_test(nothing_is_appended_behind_what_did_not_fit),
    cmocka_unit_test(a_cleared_buffer_starts_anew),
    cmocka_unit_test(bytes_inside_are_replaced),
    cmocka_unit_test(room_is_writable_up_to_the_maximum),
};

RUN_TESTS(tests)
