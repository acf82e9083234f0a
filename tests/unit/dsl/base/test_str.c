/* test_str.c - views: equality, order, slices, copies. */
#include "tests/lib/test.h"

#include <string.h>

static void equality_is_by_bytes_and_length(void **state)
{
    (void)state;
    assert_true(ax_str_eq(AX_LIT("abc"), ax_str_of("abc")));
    assert_false(ax_str_eq(AX_LIT("abc"), AX_LIT("abcd")));
    assert_false(ax_str_eq(AX_LIT("abc"), AX_LIT("abd")));
    assert_true(ax_str_eq(AX_LIT("a\0b"), AX_LIT("a\0b")));
    assert_true(ax_str_eq((ax_str){0}, ax_str_of(NULL)));
    assert_true(ax_str_is(AX_LIT(""), ""));
    assert_false(ax_str_is(AX_LIT("a"), "ab"));
}

static void order_is_by_bytes_then_length(void **state)
{
    (void)state;
    assert_true(ax_str_cmp(AX_LIT("a"), AX_LIT("b")) < 0);
    assert_true(ax_str_cmp(AX_LIT("ab"), AX_LIT("a")) > 0);
    assert_true(ax_str_cmp(AX_LIT("a"), AX_LIT("\xff")) < 0);
    assert_int_equal(ax_str_cmp(AX_LIT("ab"), AX_LIT("ab")), 0);
    assert_true(ax_str_cmp((ax_str){0}, AX_LIT("a")) < 0);
}

static void prefixes_and_suffixes_are_found(void **state)
{
    (void)state;
    assert_true(ax_str_starts(AX_LIT("daily.axf"), AX_LIT("daily")));
    assert_true(ax_str_ends(AX_LIT("daily.axf"), AX_LIT(".axf")));
    assert_true(ax_str_starts(AX_LIT("a"), AX_LIT("")));
    assert_false(ax_str_ends(AX_LIT("axf"), AX_LIT(".axf")));
    assert_false(ax_str_starts(AX_LIT("da"), AX_LIT("daily")));
}

static void slices_are_clamped(void **state)
{
    (void)state;
    assert_str(ax_str_slice(AX_LIT("abcdef"), 2, 4), "cd");
    assert_str(ax_str_slice(AX_LIT("abc"), 1, 99), "bc");
    assert_str(ax_str_slice(AX_LIT("abc"), 3, 3), "");
    assert_str(ax_str_slice(AX_LIT("abc"), 9, 12), "");
    assert_str(ax_str_slice((ax_str){0}, 0, 5), "");
}

static void copies_are_terminated_and_independent(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    char text[] = "abc";
    ax_str copy = ax_str_dup(&mem, ax_str_of(text));
    char *c = ax_str_c(&mem, (ax_str){text, 2});
    text[0] = 'x';
    assert_str(copy, "abc");
    assert_string_equal(c, "ab");
    assert_string_equal(ax_str_c(&mem, (ax_str){0}), "");
    ax_arena_free(&mem);
}

static void formatted_strings_have_any_length(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    assert_str(ax_str_fmt(&mem, "%.*s=%d", AX_STR(AX_LIT("node")), 7), "node=7");
    ax_str wide = ax_str_fmt(&mem, "%*d", 10000, 1);
    assert_int_equal(wide.len, 10000);
    assert_int_equal(wide.ptr[9999], '1');
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equality_is_by_bytes_and_length),
    cmocka_unit_test(order_is_by_bytes_then_length),
    cmocka_unit_test(prefixes_and_suffixes_are_found),
    cmocka_unit_test(slices_are_clamped),
    cmocka_unit_test(copies_are_terminated_and_independent),
    cmocka_unit_test(formatted_strings_have_any_length),
};

RUN_TESTS(tests)
