/* test_utf8.c - every code point once around, every way to be invalid, widths. */
#include "tests/lib/test.h"

#include "dsl/base/utf8.h"

static void every_code_point_survives_a_round_trip(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x110000; cp++) {
        char bytes[4];
        size_t len = ax_utf8_encode(cp, bytes);
        bool is_scalar = cp <= 0x10FFFF && !(cp >= 0xD800 && cp <= 0xDFFF);
        assert_int_equal(len > 0, is_scalar);
        if (!is_scalar) continue;
        uint32_t back = 0;
        assert_int_equal(ax_utf8_decode((ax_str){bytes, len}, 0, &back), len);
        assert_int_equal(back, cp);
    }
}

static void invalid_sequences_are_refused(void **state)
{
    (void)state;
    static const ax_str invalid[] = {
        AX_LIT_INIT("\x80"),             /* a continuation byte alone */
        AX_LIT_INIT("\xC0\x80"),         /* overlong NUL */
        AX_LIT_INIT("\xC1\xBF"),         /* overlong, two bytes */
        AX_LIT_INIT("\xE0\x9F\xBF"),     /* overlong, three bytes */
        AX_LIT_INIT("\xF0\x8F\xBF\xBF"), /* overlong, four bytes */
        AX_LIT_INIT("\xED\xA0\x80"),     /* surrogate */
        AX_LIT_INIT("\xF4\x90\x80\x80"), /* above U+10FFFF */
        AX_LIT_INIT("\xF8\x88\x80\x80"), /* a lead byte of five */
        AX_LIT_INIT("\xFF"),             /* never a byte of UTF-8 */
        AX_LIT_INIT("\xC3"),             /* truncated */
        AX_LIT_INIT("\xE2\x82"),         /* truncated */
        AX_LIT_INIT("\xF0\x9F\x98"),     /* truncated */
        AX_LIT_INIT("\xC3("),            /* lead byte without its continuation */
    };
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        uint32_t cp;
        assert_int_equal(ax_utf8_decode(invalid[i], 0, &cp), 0);
    }
}

static void decoding_at_the_end_gives_nothing(void **state)
{
    (void)state;
    uint32_t cp;
    assert_int_equal(ax_utf8_decode(AX_LIT("a"), 1, &cp), 0);
    assert_int_equal(ax_utf8_decode((ax_str){0}, 0, &cp), 0);
}

static void counts_are_in_code_points(void **state)
{
    (void)state;
    assert_int_equal(ax_utf8_count(AX_LIT("")), 0);
    assert_int_equal(ax_utf8_count(AX_LIT("grün")), 4);
    assert_int_equal(ax_utf8_count(AX_LIT("日本")), 2);
    assert_int_equal(ax_utf8_count(AX_LIT("a\xFF\xE2\x82z")), 5);
}

static void the_first_invalid_byte_is_found(void **state)
{
    (void)state;
    assert_int_equal(ax_utf8_invalid(AX_LIT("grün")), 5);
    assert_int_equal(ax_utf8_invalid(AX_LIT("gr\xFCn")), 2);
    assert_int_equal(ax_utf8_invalid(AX_LIT("日\xE6\x97")), 3);
}

static void widths_are_those_of_a_terminal(void **state)
{
    (void)state;
    assert_int_equal(ax_utf8_width(AX_LIT("abc")), 3);
    assert_int_equal(ax_utf8_width(AX_LIT("grün")), 4);
    assert_int_equal(ax_utf8_width(AX_LIT("日本")), 4);
    assert_int_equal(ax_utf8_width(AX_LIT("한")), 2);
    assert_int_equal(ax_utf8_width(AX_LIT("ｆ")), 2);
    assert_int_equal(ax_utf8_width(AX_LIT("😀")), 2);
    assert_int_equal(ax_utf8_width(AX_LIT("e\xCC\x81")), 1);
    assert_int_equal(ax_utf8_width(AX_LIT("→─█")), 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_code_point_survives_a_round_trip),
    cmocka_unit_test(invalid_sequences_are_refused),
    cmocka_unit_test(decoding_at_the_end_gives_nothing),
    cmocka_unit_test(counts_are_in_code_points),
    cmocka_unit_test(the_first_invalid_byte_is_found),
    cmocka_unit_test(widths_are_those_of_a_terminal),
};

RUN_TESTS(tests)
