/* test_output.c - what a command may write to $AX_OUTPUT, and what is said of the rest. */
#include "runtime/exec/output.h"

#include <string.h>

#include "tests/lib/test.h"

static ax_arena mem;

static ax_output_list parse(const char *text)
{
    ax_output_list list;
    ax_err err = {0};
    assert_int_equal(ax_output_parse(ax_str_of(text), &mem, &list, &err), AX_OK);
    return list;
}

static void assert_wrong(ax_str text, const char *message)
{
    ax_output_list list;
    ax_err err = {0};
    assert_int_equal(ax_output_parse(text, &mem, &list, &err), AX_INVALID);
    assert_string_equal(err.text, message);
    assert_int_equal(list.count, 0);
}

static void lines_are_names_and_values(void **state)
{
    (void)state;
    ax_output_list list = parse("rows=12\n\npath=/tmp/a=b\nempty=\nlast=no line end");
    assert_int_equal(list.count, 4);
    assert_str(list.names[0], "rows");
    assert_str(list.values[0], "12");
    assert_str(list.values[1], "/tmp/a=b");
    assert_str(list.values[2], "");
    assert_str(list.values[3], "no line end");
    assert_int_equal(parse("").count, 0);
}

static void the_last_value_of_a_name_counts(void **state)
{
    (void)state;
    ax_output_list list = parse("a=1\nb=2\na=3\n");
    assert_int_equal(list.count, 2);
    assert_str(list.values[0], "3");
    assert_str(list.values[1], "2");
}

static void a_block_has_several_lines(void **state)
{
    (void)state;
    ax_output_list list = parse("text<<END\none\n\n two=2\nEND\nnone<<X\nX\nafter=<<y\n");
    assert_int_equal(list.count, 3);
    assert_str(list.values[0], "one\n\n two=2");
    assert_str(list.values[1], "");
    assert_str(list.values[2], "<<y");
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    assert_wrong(AX_LIT("ok=1\nrows 12\n"), "$AX_OUTPUT, line 2 is not NAME=value: 'rows 12'");
    assert_wrong(AX_LIT("=1\n"), "$AX_OUTPUT, line 1 is not NAME=value: '=1'");
    assert_wrong(AX_LIT("1a=1\n"), "$AX_OUTPUT, line 1 is not NAME=value: '1a=1'");
    assert_wrong(AX_LIT("a<<END\nx\n"), "$AX_OUTPUT, line 1: the block has no line 'END' that ends it");
    assert_wrong(AX_LIT("a=\0b\n"), "$AX_OUTPUT has a NUL byte in it; values are text");
    assert_wrong(AX_LIT("a=\xff\n"), "$AX_OUTPUT is not UTF-8: byte 2");
}

static void a_value_has_a_limit(void **state)
{
    (void)state;
    size_t size = AX_OUTPUT_VALUE_MAX + 2;
    char *text = ax_arena_alloc(&mem, size + 2);
    memset(text, 'x', size + 1);
    text[1] = '=';
    assert_wrong((ax_str){text, size + 1},
                 "$AX_OUTPUT, line 1: the value of 'x' has 65537 bytes, at most 65536 fit");
    ax_output_list list;
    assert_int_equal(ax_output_parse((ax_str){text, size}, &mem, &list, NULL), AX_OK);
}

static void no_file_is_no_output(void **state)
{
    (void)state;
    ax_output_list list;
    assert_int_equal(ax_output_read(-100, "/no/such/file", &mem, &list, NULL), AX_OK);
    assert_int_equal(list.count, 0);
    assert_int_equal(ax_output_read(-100, "/dev/null", &mem, &list, NULL), AX_INVALID);
}

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_names_and_values), cmocka_unit_test(the_last_value_of_a_name_counts),
        cmocka_unit_test(a_block_has_several_lines),  cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_value_has_a_limit),        cmocka_unit_test(no_file_is_no_output),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, teardown);
}
