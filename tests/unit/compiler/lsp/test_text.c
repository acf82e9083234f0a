/* test_text.c - places in a text in three encodings. */
#include "tests/lib/test.h"

#include "compiler/lsp/text.h"

static const char text[] = "one\r\nä€𝄞x\rthree\n\nlast";

/* A place and its byte; every byte that begins a character and every place of it go together. */
typedef struct {
    uint32_t line, unit, byte;
} place_case;

static void then_places(ax_units units, const place_case *cases, size_t count)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_lines lines;
    ax_lines_read(&mem, AX_LIT(text), units, &lines);
    assert_int_equal(lines.count, 5);
    for (size_t i = 0; i < count; i++) {
        ax_place place = ax_lines_place(&lines, cases[i].byte);
        assert_int_equal(place.line, cases[i].line);
        assert_int_equal(place.unit, cases[i].unit);
        assert_int_equal(ax_lines_offset(&lines, place), cases[i].byte);
    }
    ax_arena_free(&mem);
}

static void units_are_counted_in_each_encoding(void **state)
{
    (void)state;
    static const place_case utf16[] = {{0, 0, 0},  {0, 3, 3},  {1, 0, 5},  {1, 1, 7},  {1, 2, 10},
                                       {1, 4, 14}, {1, 5, 15}, {2, 0, 16}, {3, 0, 22}, {4, 4, 27}};
    static const place_case utf8[] = {{1, 0, 5}, {1, 2, 7}, {1, 5, 10}, {1, 9, 14}, {1, 10, 15}};
    static const place_case utf32[] = {{1, 0, 5}, {1, 1, 7}, {1, 2, 10}, {1, 3, 14}, {1, 4, 15}};
    then_places(AX_UNITS_UTF16, utf16, sizeof utf16 / sizeof *utf16);
    then_places(AX_UNITS_UTF8, utf8, sizeof utf8 / sizeof *utf8);
    then_places(AX_UNITS_UTF32, utf32, sizeof utf32 / sizeof *utf32);
}

static void a_place_that_is_not_there_is_the_nearest_before(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_lines lines;
    ax_lines_read(&mem, AX_LIT(text), AX_UNITS_UTF16, &lines);
    assert_int_equal(ax_lines_offset(&lines, (ax_place){0, 99}), 3);
    assert_int_equal(ax_lines_offset(&lines, (ax_place){1, 3}), 10); /* between the halves of a pair */
    assert_int_equal(ax_lines_offset(&lines, (ax_place){3, 1}), 22);
    assert_int_equal(ax_lines_offset(&lines, (ax_place){99, 0}), sizeof text - 1);
    assert_int_equal(ax_lines_offset(&lines, (ax_place){UINT32_MAX, UINT32_MAX}), sizeof text - 1);
    ax_arena_free(&mem);
}

static void an_empty_text_has_one_line(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_lines lines;
    ax_lines_read(&mem, (ax_str){0}, AX_UNITS_UTF16, &lines);
    assert_int_equal(lines.count, 1);
    assert_int_equal(ax_lines_offset(&lines, (ax_place){0, 5}), 0);
    assert_int_equal(ax_lines_place(&lines, 0).line, 0);
    ax_arena_free(&mem);
}

static void encodings_have_the_names_of_the_protocol(void **state)
{
    (void)state;
    for (ax_units u = 0; u < AX_UNITS_COUNT; u++)
        assert_int_equal(ax_units_named(ax_str_of(ax_units_name(u))), u);
    assert_int_equal(ax_units_named(AX_LIT("utf-7")), AX_UNITS_COUNT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(units_are_counted_in_each_encoding),
    cmocka_unit_test(a_place_that_is_not_there_is_the_nearest_before),
    cmocka_unit_test(an_empty_text_has_one_line),
    cmocka_unit_test(encodings_have_the_names_of_the_protocol),
};

RUN_TESTS(tests)
