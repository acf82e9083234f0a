/* test_report.c - what is said about a wrong text: one message a mistake, at its place, and all of them at
 * once. */
#include "dsl/syntax/parse.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/parsed.h"
#include "tests/lib/test.h"

/* Checks the messages of a text: "3:8 found '2', wanted a name" and so on, one a line. */
static void says(const char *text, const char *want)
{
    parsed *p = parsed_file(ax_str_of(text));
    ax_buf got = AX_BUF_INIT(100000);
    for (uint32_t i = 0; i < p->diags.list.len; i++) {
        const ax_diag *d = p->diags.list.at[i];
        ax_pos pos = ax_sources_pos(&p->sources, d->span.beg);
        ax_buf_addf(&got, "%s%u:%u %.*s", i ? "\n" : "", pos.line, pos.column, AX_STR(d->text));
    }
    assert_string_equal(got.len ? got.ptr : "", want);
    ax_buf_free(&got);
    parsed_free(p);
}

static void five_mistakes_are_five_messages_at_their_tokens(void **state)
{
    (void)state;
    static const char text[] = "workflow w {\n"
                               "  owner = a\n"
                               "  doc = = \"x\"\n" /* a doubled = */
                               "  tags = [b]\n"
                               "\n"
                               "  task 3 {\n" /* a label that is a number */
                               "    run = \"x\"\n"
                               "  }\n"
                               "  task a {\n"
                               "    run = shell { x = 1 }\n" /* a block for a value */
                               "    timeout = 3m\n"
                               "  }\n"
                               "  task b {\n"
                               "    timeout 5m\n" /* a missing = */
                               "    run = \"y\"\n"
                               "  }\n"
                               "  a -> -> b\n" /* a broken edge */
                               "  a -> b\n"
                               "  c -> a\n"
                               "}\n";
    says(text, "3:9 found '=', wanted a value\n"
               "6:8 found '3', wanted '=', '{', '->' or a name\n"
               "10:17 found '{', wanted a name, '}' or end of line\n"
               "14:13 found '5m', wanted '=', '{', '->' or a name\n"
               "17:8 found '->', wanted a name or '['");
    parsed *p = parsed_file(AX_LIT(text));
    assert_string_equal(parsed_dump(p), "block workflow w {\n"
                                        "  attr owner = a\n"
                                        "  attr tags = (list b)\n"
                                        "  block task a {\n"
                                        "    attr timeout = 180000ms\n"
                                        "  block task b {\n"
                                        "    attr run = (str \"y\")\n"
                                        "  edge a -> b\n"
                                        "  edge c -> a\n");
    const ax_ast_body *w = p->file->items[0]->u.block.body;
    assert_true(w->broken);
    assert_true(w->items[2]->u.block.body->broken);
    parsed_free(p);
}

static void a_mistake_is_named_as_its_writer_knows_it(void **state)
{
    (void)state;
    says("a = 1 2", "1:7 found '2', wanted a name or end of line");
    says("a =", "1:4 found end of file, wanted a value");
    says("a =\nb = 1", "1:4 found end of line, wanted a value");
    says("a == 1", "1:3 found '==', wanted '=', '{', '->' or a name");
    says("k a\nb = 1", "1:4 found end of line, wanted '=', '{', a name or a string");
    says("a = [1 2]", "1:8 found '2', wanted ',' or ']'");
    says("a = f(1 b)", "1:9 found 'b', wanted ',' or ')'");
    says("a = (1", "1:5 this '(' is not closed");
    says("a = b if c", "1:11 found end of file, wanted 'else'");
    says("a = { b == 1 }", "1:9 found '==', wanted '='");
    says("a = \"{{ b c }}\"", "1:11 found 'c', wanted '}}'");
    says("a = \"{{ }}\"", "1:9 found '}}', wanted a value");
    says("a -> ", "1:5 found end of file, wanted a name or '['");
    says("a:failed", "1:9 found end of file, wanted '->'");
    says("owner: data", "1:12 found end of file, wanted '->'");
    says("a = < b", "1:5 found '<', wanted a value");
    says("a = b < c < d", "1:11 found '<', wanted a name or end of line");
    says("{ a = 1 }", "1:1 found '{', wanted a name or end of file");
    says("param x : = 3", "1:11 found '=', wanted a name");
}

static void a_wrong_first_token_hides_nothing(void **state)
{
    (void)state;
    static const char *const rows[] = {"3 = x", "{ a = 1 }", "! ", "= ", "-> a", ")", "\"x\"", "[", "in"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ax_arena mem = AX_ARENA_INIT;
        parsed *p = parsed_file(ax_str_fmt(&mem, "%s\nb = 2\nc = = 3\nd = 4\n", rows[i]));
        assert_true(p->diags.errors >= 2);
        assert_non_null(strstr(parsed_dump(p), "attr d = 4\n"));
        parsed_free(p);
        ax_arena_free(&mem);
    }
}

static void a_reserved_word_is_said_to_be_one(void **state)
{
    (void)state;
    static const char *const words[] = {"and", "or", "not", "in", "if", "else", "true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ax_arena mem = AX_ARENA_INIT;
        char *want = ax_str_c(&mem, ax_str_fmt(&mem, "2:1 '%s' is a reserved word", words[i]));
        says(ax_str_c(&mem, ax_str_fmt(&mem, "a = 1\n%s = 1\nb = 2", words[i])), want);
        says(ax_str_c(&mem, ax_str_fmt(&mem, "a = 1\n%s { }\nb = 2", words[i])), want);
        want = ax_str_c(&mem, ax_str_fmt(&mem, "1:6 '%s' is a reserved word", words[i]));
        says(ax_str_c(&mem, ax_str_fmt(&mem, "task %s { }\nb = 2", words[i])), want);
        ax_arena_free(&mem);
    }
}

static void what_other_languages_write_is_understood_and_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *dump;
    } rows[] = {
        {"a = b && c", "attr a = (and b c)\n"},
        {"a = b || c", "attr a = (or b c)\n"},
        {"a = !b", "attr a = (not b)\n"},
        {"a => b", "edge a -> b\n"},
        {"a \xE2\x86\x92 b", "edge a -> b\n"},
        {"a = 1;", "attr a = 1\n"},
        {"a = $b", "attr a = b\n"},
        {"a = b \xE2\x89\xA5 c", "attr a = (>= b c)\n"},
        {"a \xEF\xBC\x9D 1", "attr a = 1\n"},
        {"a = \xEF\xBC\xBB"
         "1]",
         "attr a = (list 1)\n"},
        {"a = f(1\xEF\xBC\x89", "attr a = (call f 1)\n"},
        {"a = \xE2\x80\x9Cx y\xE2\x80\x9D", "attr a = (raw \"x y\")\n"},
        {"t\xC3\xA2"
         "che = 1",
         "attr t\xC3\xA2"
         "che = 1\n"},
        {"\xE4\xBB\xBB\xE5\x8A\xA1 { }", "block \xE4\xBB\xBB\xE5\x8A\xA1 {\n"},
        {"a\xC2\xA0= 1", "attr a = 1\n"},
        {"a = 1 \\\n", "attr a = 1\n"},
        {"a = \"{{ b # c }}\"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_file(ax_str_of(rows[i].text));
        assert_int_equal(p->diags.list.at[0]->code, AX_E0101);
        if (rows[i].dump) assert_int_equal(p->diags.errors, 1);
        if (rows[i].dump) assert_string_equal(parsed_dump(p), rows[i].dump);
        parsed_free(p);
    }
}

static void an_open_string_is_said_at_its_opening_quote(void **state)
{
    (void)state;
    says("a = \"abc\nb = 1", "1:5 this string is not closed");
    says("a = 'abc\r\nb = 1", "1:5 this string is not closed");
    says("a = \"abc", "1:5 this string is not closed");
    says("a = \"abc\\", "1:5 this string is not closed");
    says("a = \"abc\\u{", "1:5 this string is not closed\n1:9 '\\u' is no escape");
    says("b = 1\na = \"\"\"\n abc\n", "2:5 this string is not closed");
    says("k {\na = '''\n abc\n", "2:5 this string is not closed");
    says("a = \"\"\"", "1:5 this string is not closed");
    says("a = \"x {{ b", "1:8 this '{{' is not closed on its line");
    says("a = \"x {{ \"\nb = 1", "1:8 this '{{' is not closed on its line");
    says("a = \"x {{ b\" c = 1\nd = 1", "1:8 this '{{' is not closed on its line");
    says("a = \"x {{ f(\"y\"\nd = 1", "1:8 this '{{' is not closed on its line");
    says("a = \"x {{ b }\"\nd = 1", "1:13 this '}' closes nothing");
    says("a = \"\"\"\n  x {{ b\n  c\n  \"\"\"\nd = 1", "2:5 this '{{' is not closed on its line");
    says("x = 1\ny = 2\na = \"abc\nb = \"x\"\nc = 'y' # \" '\n", "3:5 this string is not closed");
}

static void what_stands_behind_an_open_string_is_read(void **state)
{
    (void)state;
    parsed *p = parsed_file(AX_LIT("a = \"abc {{ d\nb = 1\nc = \"x {{ y\" z = 1\n"));
    assert_string_equal(parsed_dump(p),
                        "attr a = (str \"abc \" d)\nattr b = 1\nattr c = (str \"x \" y)\nattr z = 1\n");
    parsed_free(p);
}

static void an_open_bracket_is_said_at_its_opener(void **state)
{
    (void)state;
    says("k {\n  a = 1\n", "1:3 this '{' is not closed");
    says("k { a = [1, 2 }\nb = 1", "1:9 this '[' is not closed");
    says("k {\n  a = [1,\n  b = 2\n}\nc = 3", "2:7 this '[' is not closed");
    says("k {\n  a = f(1, [2\n  b = 2\n}\nc = 3", "2:12 this '[' is not closed");
    says("k {\n  a = [\n    1,\n    2\n  b = 2\n}\nc = 3", "2:7 this '[' is not closed");
    says("a = f(1]\nb = 1", "1:8 this ']' closes nothing");
    says("a = 1 }\nb = 1", "1:7 this '}' closes nothing");
    says("a = 1 )\nb = 1", "1:7 this ')' closes nothing");
}

/* A missing } is found where the indent shows that it is missing, not at the outermost block. */
static void a_missing_brace_is_found_by_the_indent(void **state)
{
    (void)state;
    says("workflow w {\n  task a {\n    run = 1\n\n  task b {\n    run = 1\n  }\n}\n",
         "2:10 this '{' is not closed");
    says("workflow w {\n  task a {\n    retry { max = 1\n  }\n  task b { }\n}\n",
         "3:11 this '{' is not closed");
    says("workflow w {\n  task b { }\n", "1:12 this '{' is not closed");
}

static void brackets_that_are_not_closed_lose_nothing_else(void **state)
{
    (void)state;
    parsed *p = parsed_file(AX_LIT("k {\n  a = [1,\n  b = 2\n  c = f(3\n}\nd = 4\n"));
    assert_string_equal(parsed_codes(p), "E0112 2:7; E0112 4:8");
    assert_string_equal(parsed_dump(p), "block k {\n  attr b = 2\n  attr c = (call f 3)\nattr d = 4\n");
    parsed_free(p);
}

static void line_breaks_in_the_wrong_place_are_said_once(void **state)
{
    (void)state;
    says("task a\n{\n  b = 1\n}\nc = 2", "2:1 '{' stands on the line of its block");
    says("a =\n  \"x\"\nb = 1", "2:3 a value begins on the line of its '='");
    says("a =\n  {\n  }\nb = 1", "2:3 a value begins on the line of its '='");
    says("a =\nb { }\n", "1:4 found end of line, wanted a value");
}

static void notes_and_help_say_more(void **state)
{
    (void)state;
    static const struct {
        const char *text, *note, *help;
    } rows[] = {
        {"a = [\n  1\n  2\n]", "inside this '['", NULL},
        {"a == 1", NULL, "a value is given with one '='"},
        {"a = = 1", NULL, "one '=' is enough"},
        {"a = b { c = 1 }", NULL, "a block is written without '='"},
        {"t = 30 min\n", NULL, "a number and its unit are written together, as in 30m or 4GiB"},
        {"owner: data\n", NULL, "an edge is written a -> b, an attribute name = value"},
        {"owner: 3\n", NULL,
         "an attribute is written name = value; behind ':' an edge has an outcome, as in a:failed -> b"},
        {"a = {{ b }}", NULL, "{{ }} is for strings: elsewhere the expression itself is written"},
        {"a = \"x {{ b\"", "in this string",
         "close it with '}}'; the characters themselves are written \\{{"},
        {"a = f(1]", "what is open is this '('", NULL},
        {"task a\n{ }", "behind this", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_file(ax_str_of(rows[i].text));
        const ax_diag *d = p->diags.list.at[0];
        if (rows[i].note) assert_str(d->notes[0].text, rows[i].note);
        else assert_int_equal(d->note_count, 0);
        if (rows[i].help) assert_str(d->help, rows[i].help);
        parsed_free(p);
    }
}

static void long_words_are_cut_in_messages(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 20);
    ax_buf_adds(&text, "a b c = 1 ");
    for (int i = 0; i < 10000; i++) ax_buf_adds(&text, "\xE4\xBB\xBB");
    ax_buf_adds(&text, " 9");
    for (int i = 0; i < 10000; i++) ax_buf_adds(&text, "z");
    parsed *p = parsed_file(ax_buf_str(&text));
    assert_int_equal(p->diags.errors, 2);
    for (uint32_t i = 0; i < 2; i++) assert_true(p->diags.list.at[i]->text.len < 120);
    parsed_free(p);
    ax_buf_free(&text);
}

static void a_flood_of_errors_ends(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(4 << 20);
    for (int i = 0; i < 20000; i++) ax_buf_adds(&text, "a = = 1\nk { b c d }\n\"x\n");
    parsed *p = parsed_file(ax_buf_str(&text));
    assert_int_equal(p->diags.list.len, AX_DIAGS_SHOWN_MAX);
    assert_true(p->diags.errors >= 40000);
    parsed_free(p);
    ax_buf_free(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(five_mistakes_are_five_messages_at_their_tokens),
    cmocka_unit_test(a_mistake_is_named_as_its_writer_knows_it),
    cmocka_unit_test(a_wrong_first_token_hides_nothing),
    cmocka_unit_test(a_reserved_word_is_said_to_be_one),
    cmocka_unit_test(what_other_languages_write_is_understood_and_said),
    cmocka_unit_test(an_open_string_is_said_at_its_opening_quote),
    cmocka_unit_test(what_stands_behind_an_open_string_is_read),
    cmocka_unit_test(an_open_bracket_is_said_at_its_opener),
    cmocka_unit_test(a_missing_brace_is_found_by_the_indent),
    cmocka_unit_test(brackets_that_are_not_closed_lose_nothing_else),
    cmocka_unit_test(line_breaks_in_the_wrong_place_are_said_once),
    cmocka_unit_test(notes_and_help_say_more),
    cmocka_unit_test(long_words_are_cut_in_messages),
    cmocka_unit_test(a_flood_of_errors_ends),
};

RUN_TESTS(tests)
