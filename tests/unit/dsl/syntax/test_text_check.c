/* test_text_check.c - bytes that can be no part of a text are said at their place, whatever they stand in. */
#include "dsl/syntax/parse.h"

#include "tests/lib/parsed.h"
#include "tests/lib/test.h"

static void bad_bytes_are_said_at_their_place(void **state)
{
    (void)state;
    static const struct {
        ax_str text;
        const char *codes;
    } rows[] = {
        {AX_LIT_INIT("a = 1\n\xFF"), "E0102 2:1"},
        {AX_LIT_INIT("a = 1\n\xC3"), "E0102 2:1"},
        {AX_LIT_INIT("a = 1\n\xC3\xFF\x80\xFE b = 1"), "E0102 2:1"},
        {AX_LIT_INIT("a = \"caf\xE9\""), "E0102 1:9"},
        {AX_LIT_INIT("a = '\xED\xA0\x80'"), "E0102 1:6"},
        {AX_LIT_INIT("a = \"\"\"\n  x\xC0\xAF\n  \"\"\""), "E0102 2:4"},
        {AX_LIT_INIT("# caf\xE9\na = 1"), "E0102 1:6"},
        {AX_LIT_INIT("a = 1 \xEF\xBB\xBF"), "E0103 1:7"},
        {AX_LIT_INIT("a = \"\xEF\xBB\xBF\""), "E0103 1:6"},
        {AX_LIT_INIT("\xEF\xBB\xBF\xEF\xBB\xBF"
                     "a = 1"),
         "E0103 1:1"},
        {AX_LIT_INIT("a\xEF\xBB\xBF = 1"), "E0103 1:2"},
        {AX_LIT_INIT("\0"), "E0104 1:1"},
        {AX_LIT_INIT("a = \0 1"), "E0104 1:5"},
        {AX_LIT_INIT("a = \"x\0y\""), "E0104 1:7"},
        {AX_LIT_INIT("a = 'x\033[0m'"), "E0104 1:7"},
        {AX_LIT_INIT("# \x7F\na = 1"), "E0104 1:3"},
        {AX_LIT_INIT("a = 1\rb = 2"), "E0104 1:6"},
        {AX_LIT_INIT("a = \"\xE2\x80\xAE\""), "E0104 1:6"},
        {AX_LIT_INIT("a = \"\xC2\x85\""), "E0104 1:6"},
        {AX_LIT_INIT("a =\f1\v"), "E0104 1:4; E0104 1:6"},
        {AX_LIT_INIT("\xFF\xFE"
                     "a\0 \0"),
         "E0102 1:1"},
        {AX_LIT_INIT("\xFE\xFF"
                     "\0a"),
         "E0102 1:1"},
        {AX_LIT_INIT("a = \"\t\xC3\xA9\xF0\x9F\x98\x80\"\r\n"), ""},
        {AX_LIT_INIT("\xEF\xBB\xBF"), ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_file(rows[i].text);
        assert_string_equal(parsed_codes(p), rows[i].codes);
        parsed_free(p);
    }
}

/* Every alignment of a bad byte to the words that the check reads at once. */
static void a_bad_byte_is_found_wherever_it_stands(void **state)
{
    (void)state;
    for (int at = 0; at < 24; at++) {
        char text[] = "# 23456789abcdefghijklmnopq";
        static const char bad[] = {'\0', '\x1F', '\x7F', '\x80'};
        for (size_t i = 0; i < sizeof bad; i++) {
            text[at + 2] = bad[i];
            parsed *p = parsed_file((ax_str){text, sizeof text - 1});
            assert_int_equal(p->diags.errors, 1);
            assert_int_equal(p->diags.list.at[0]->span.beg, p->source->base + (uint32_t)at + 2);
            parsed_free(p);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bad_bytes_are_said_at_their_place),
    cmocka_unit_test(a_bad_byte_is_found_wherever_it_stands),
};

RUN_TESTS(tests)
