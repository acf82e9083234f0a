/* test_place.c - places in odd texts: after strings of several lines, comments, wide characters, marks and
 * all kinds of line ends; and texts that end anywhere. */
#include "dsl/syntax/parse.h"

#include <string.h>

#include "tests/lib/parsed.h"
#include "tests/lib/test.h"

/* K lines of a string, K of comments, then a wrong token: reported on its own line and column. */
static void a_place_is_exact_behind_anything(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 50};
    static const char *const before[] = {"", "\t", "b = \"\xC3\xA9\xF0\x9F\x98\x80\" ", "  "};
    static const uint32_t columns[] = {0, 1, 9, 2};
    for (int c = 0; c < 32; c++) {
        const char *end = c % 2 ? "\r\n" : "\n";
        int k = counts[c / 2 % 4];
        size_t b = (size_t)c / 8;
        ax_buf text = AX_BUF_INIT(100000);
        ax_buf_addf(&text, "%sa = \"\"\"%s", c % 3 ? "" : "\xEF\xBB\xBF", end);
        for (int i = 0; i < k; i++) ax_buf_addf(&text, "  text \xC3\xA9 {{ x }}%s", end);
        ax_buf_addf(&text, "  \"\"\"%s", end);
        for (int i = 0; i < k; i++) ax_buf_addf(&text, "# comment \xE4\xBB\xBB%s", end);
        ax_buf_addf(&text, "%sc = = 1%s", before[b], end);
        ax_buf_addf(&text, "d = 1%sf 2", end);
        parsed *p = parsed_file(ax_buf_str(&text));
        assert_int_equal(p->diags.errors, 2);
        ax_pos first = ax_sources_pos(&p->sources, p->diags.list.at[0]->span.beg);
        ax_pos second = ax_sources_pos(&p->sources, p->diags.list.at[1]->span.beg);
        assert_int_equal(first.line, 3 + 2 * k);
        assert_int_equal(first.column, columns[b] + 5);
        assert_int_equal(second.line, 5 + 2 * k);
        assert_int_equal(second.column, 3);
        parsed_free(p);
        ax_buf_free(&text);
    }
}

static void a_place_in_a_block_is_exact_although_its_indent_goes(void **state)
{
    (void)state;
    parsed *p =
        parsed_file(AX_LIT("a = \"\"\"\r\n    one\r\n      \xC3\xA9 {{ x + wrong }}\r\n    \"\"\"\r\n"));
    assert_string_equal(parsed_codes(p), "");
    const ax_ast_part *part = &p->file->items[0]->u.attr.value->u.string.parts[1];
    ax_pos pos = ax_sources_pos(&p->sources, part->expr->u.op.b->span.beg);
    assert_int_equal(pos.line, 3);
    assert_int_equal(pos.column, 16);
    parsed_free(p);
}

static const char valid[] =
    "\xEF\xBB\xBF# A file with every construct.\r\n"
    "import lib = \"lib/sync.axf\"\n"
    "workflow w {\n"
    "  doc = \"a \\\"b\\\" \\u{e9} {{ x if y else \"z {{ 1 }}\" }} \\{{\"  tags = [a, b-c,]\n"
    "  schedule { cron = '0 2 * * *', timezone = \"Asia/Shanghai\" }\n"
    "  param r : list(string) in [\"eu\", 10%, 1h30m] = \"eu\"\n"
    "  template t(a, b = 1..2) { x = { k = 2026-11-30 \"l\" = 07:20 } }\n"
    "  task sync from t(a = -2) {\n"
    "    run = \"\"\"\n"
    "      python {{ table }} \\{{ \\\"\"\"\n"
    "\n"
    "    \"\"\"\n"
    "    raw = '''\n"
    "      \xE4\xBB\xBB\n"
    "      '''\n"
    "    when = not full\n"
    "      or rows > 0.5 # comment\n"
    "  }\n"
    "  [a:failed, b[\"x\"]]:done -> c -> d.e\n"
    "}\n";

static void a_text_that_ends_anywhere_ends_the_parse(void **state)
{
    (void)state;
    parsed *whole = parsed_file(AX_LIT(valid));
    assert_string_equal(parsed_codes(whole), "");
    parsed_free(whole);

    static const char *const tails[] = {"",    "\"abc", "'abc",   "\"\"\"", "'''\n", "\"a {{ b", "\"a {{ \"",
                                        "# x", "\\",    "\"\\u{", "{{",     "}",     "\0"};
    for (size_t len = 0; len < sizeof valid; len++) {
        for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
            ax_arena mem = AX_ARENA_INIT;
            ax_str text = ax_str_fmt(&mem, "%.*s%s", (int)len, valid, tails[i]);
            parsed *p = parsed_file(text);
            parsed_free(p);
            ax_arena_free(&mem);
        }
    }
}

/* What is open where the text ends is never accepted in silence. */
static void a_text_cut_inside_something_is_an_error(void **state)
{
    (void)state;
    const char *open = strstr(valid, "workflow w {") + strlen("workflow w {"), *close = strrchr(valid, '}');
    for (const char *end = open; end <= close; end++) {
        parsed *p = parsed_file((ax_str){valid, (size_t)(end - valid)});
        assert_true(p->diags.errors > 0);
        parsed_free(p);
    }
}

static void each_missing_piece_is_said_and_nothing_breaks(void **state)
{
    (void)state;
    size_t size = sizeof valid - 1;
    for (size_t len = 1; len < 4; len++) {
        for (size_t at = 0; at + len <= size; at++) {
            ax_arena mem = AX_ARENA_INIT;
            ax_str text = ax_str_fmt(&mem, "%.*s%s", (int)at, valid, valid + at + len);
            parsed *p = parsed_file(text);
            parsed_free(p);
            ax_arena_free(&mem);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_place_is_exact_behind_anything),
    cmocka_unit_test(a_place_in_a_block_is_exact_although_its_indent_goes),
    cmocka_unit_test(a_text_that_ends_anywhere_ends_the_parse),
    cmocka_unit_test(a_text_cut_inside_something_is_an_error),
    cmocka_unit_test(each_missing_piece_is_said_and_nothing_breaks),
};

RUN_TESTS(tests)
