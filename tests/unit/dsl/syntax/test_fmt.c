/* test_fmt.c - the one layout: what it looks like, and what it may never do to a text. */
#include "dsl/syntax/fmt.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/parsed.h"
#include "tests/lib/test.h"

static void gives(const char *text, const char *want)
{
    parsed *p = parsed_file(ax_str_of(text));
    assert_string_equal(parsed_codes(p), "");
    assert_str(parsed_fmt(p), want);
    parsed *again = parsed_file(ax_str_of(want));
    assert_string_equal(parsed_codes(again), "");
    assert_str(parsed_fmt(again), want);
    parsed_free(again);
    parsed_free(p);
}

static void stays(const char *text)
{
    gives(text, text);
}

/* ---- what it looks like ---- */

static void each_item_has_its_line(void **state)
{
    (void)state;
    gives("", "");
    gives("\n\n", "");
    gives("a=1 b->c k{ }", "a = 1\nb -> c\nk { }\n");
    gives("k{\n}", "k { }\n");
    gives("k{\na=1}", "k {\n  a = 1\n}\n");
    gives("k{\n\n\na=1\n\n\n\nb->c\n\n}\n\n\nl{}", "k {\n  a = 1\n\n  b -> c\n}\n\nl { }\n");
    gives("\xEF\xBB\xBF"
          "a=1\r\n\r\n# c \t\r\nb->c",
          "a = 1\n\n# c\nb -> c\n");
}

static void a_short_block_on_one_line_stays_there(void **state)
{
    (void)state;
    gives("k { a=1,b=2 }", "k { a = 1  b = 2 }\n");
    gives("k l { m { a = 1 } n { } }", "k l { m { a = 1 }  n { } }\n");
    gives("x = { a = 1, \"b\" = [1,2,], }", "x = { a = 1  \"b\" = [1, 2] }\n");
    gives("x = {\na = 1 }", "x = {\n  a = 1\n}\n");
    gives("kind_of_block { first_attribute = 1  second_attribute = \"a text that is long enough to leave\" "
          "third = 3 }",
          "kind_of_block {\n  first_attribute  = 1\n  second_attribute = \"a text that is long enough to "
          "leave\"\n"
          "  third            = 3\n}\n");
}

static void white_space_is_what_the_tokens_want(void **state)
{
    (void)state;
    gives("a=b+c*-d - e/(f)", "a = b + c * -d - e / (f)\n");
    gives("a=not b and c if d else e", "a = not b and c if d else e\n");
    gives("a=- - b", "a = --b\n");
    gives("a=f( x , y=1 ).z[ 1 ]", "a = f(x, y = 1).z[1]\n");
    gives("a = 1 .. n - 1", "a = 1..n - 1\n");
    gives("a = b . c", "a = b.c\n");
    gives("[ a : failed , b[1] , ] : done->c", "[a:failed, b[1]]:done -> c\n");
    gives("param r:list( int ) in [1]=1", "param r : list(int) in [1] = 1\n");
    gives("template t( a,b = 1, ){ }", "template t(a, b = 1) { }\n");
    gives("a = [ { b = 1 },{ }, ]", "a = [{ b = 1 }, { }]\n");
    gives("a = \"{{b+c}}\"", "a = \"{{b+c}}\"\n");
}

static void neighbours_are_aligned(void **state)
{
    (void)state;
    stays("k {\n  a   = 1\n  bbb = 2\n\n  cc = 3\n  # own line\n  d = 4\n  ee { a = 1 }\n  f  { }\n  g = "
          "1\n}\n");
    stays("k {\n  param a   : int\n  param bbb : list(int) = 1\n  output c : int\n  d = 1\n}\n");
    stays("let a   = 1\nlet bbb = 2\nx = 1\n");
    stays("k {\n  a   = 1  # trailing\n  bbb = 2  # another\n}\n");
    stays("k {\n  task a { x = 1 }\n  task bbb { x = 1 }\n  a -> bbb\n  a.b = 1\n  c = 2\n}\n");
    stays("k {\n  doc = \"\"\"\n    a\n  \"\"\"\n  b  = 1\n  cc = 2\n}\n");
}

static void long_things_break_where_they_can(void **state)
{
    (void)state;
    gives("a = [\"a long text of forty characters, or so\", \"another text of forty characters, or so\", 3, "
          "4, 5, 6]",
          "a = [\n  \"a long text of forty characters, or so\",\n  \"another text of forty characters, or "
          "so\",\n"
          "  3,\n  4,\n  5,\n  6,\n]\n");
    gives("a = [\n  1,\n  2\n]", "a = [1, 2]\n");
    gives("when = a_condition_that_is_long_enough > 100 and another_condition_that_is_long or "
          "the_third_condition == 1",
          "when = a_condition_that_is_long_enough > 100 and another_condition_that_is_long\n"
          "  or the_third_condition == 1\n");
    gives("a_node_with_a_long_name_000000000000 -> a_node_with_a_long_name_000000000001 -> "
          "a_node_with_a_long_name_000000000002",
          "a_node_with_a_long_name_000000000000\n  -> a_node_with_a_long_name_000000000001\n"
          "  -> a_node_with_a_long_name_000000000002\n");
    gives("[a_node_with_a_long_name_000000000000, a_node_with_a_long_name_000000000001, "
          "a_node_with_a_long]:done -> "
          "another_one",
          "[\n  a_node_with_a_long_name_000000000000,\n  a_node_with_a_long_name_000000000001,\n"
          "  a_node_with_a_long,\n]:done\n  -> another_one\n");
}

static void comments_stay_where_they_are(void **state)
{
    (void)state;
    stays("# one\n\n# two\na = 1  # three\n# four\n\nk {  # five\n  # six\n  b = 1  # seven\n\n  # eight\n}  "
          "# nine\n"
          "# ten\n");
    stays("a = [  # one\n  1,  # two\n  # three\n  2,\n\n  # four\n]  # five\n");
    stays("a = [\n  # one\n]\n");
    stays("k {\n  # one\n}\n");
    stays("a = b  # one\n  and c  # two\n  # three\n  and d\n");
    stays("a = f(\n  # one\n  x,\n  y = 1,  # two\n)\n");
    stays("a = (\n  b  # one\n)\n");
    stays("a  # one\n  -> b  # two\n  -> c\n");
    gives("a = [1 # one\n, 2]", "a = [\n  1,  # one\n  2,\n]\n");
    gives("k { # one\na = 1, # two\n}", "k {  # one\n  a = 1  # two\n}\n");
}

static void blocks_of_text_move_with_their_item(void **state)
{
    (void)state;
    stays("k {\n  run = \"\"\"\n    a\n      b {{ x }}\n\n    c\n  \"\"\"\n}\n");
    stays("k {\n  run = \"\"\"\n    a\n  \"\"\"\n}\n");
    gives("k {\nrun = \"\"\"\na\n  b\n\"\"\"\n}", "k {\n  run = \"\"\"\n    a\n      b\n  \"\"\"\n}\n");
    gives("k {\n\t\trun = '''\n\t\ta\n\t\t\tb\n\t\t'''\n}", "k {\n  run = '''\n    a\n    \tb\n  '''\n}\n");
    gives("run = \"\"\"  \r\n  a\r\n \r\n  b  \r\n  \"\"\"\r\n", "run = \"\"\"\n  a\n\n  b  \n\"\"\"\n");
    gives("run = \"\"\"\n \n      \n   \"\"\"", "run = \"\"\"\n\n\n\"\"\"\n");
    gives("run = \"\"\"\n  \"\"\"", "run = \"\"\"\n\"\"\"\n");
}

/* ---- what it may never do ---- */

static const char sample[] = "# A file with every construct.\n"
                             "import lib = \"lib/sync.axf\"\n"
                             "let x = 1\n"
                             "workflow w {\n"
                             "  doc = \"a \\\"b\\\" {{ x if y else \"z\" }}\"  tags = [a, b-c,]\n"
                             "  schedule { cron = '0 2 * * *', timezone = \"Asia/Shanghai\" }\n"
                             "  param r : list(string) in [\"eu\", 10%] = \"eu\"\n"
                             "  template t(a, b = 1..2) { x = { k = 2026-11-30 \"l\" = 07:20 } }\n"
                             "\n"
                             "  task sync from t(a = -2, b = [],) {\n"
                             "    run = \"\"\"\n"
                             "      python {{ table }}\n"
                             "\n"
                             "        indented\n"
                             "    \"\"\"\n"
                             "    raw = [f('''\n"
                             "      raw\n"
                             "      ''')]\n"
                             "    when = not (full - -1 > 2) or rows[\"a\", 1].x > 0.5\n"
                             "    k { }\n"
                             "    e.f[1] = (a if b else c)\n"
                             "  }\n"
                             "  [a:failed, b[\"x\"]]:done -> c -> d.e\n"
                             "}\n";

static void assert_same_comments(const parsed *a, const parsed *b, bool with_places)
{
    assert_int_equal(a->file->comment_count, b->file->comment_count);
    for (uint32_t i = 0; i < a->file->comment_count; i++) {
        const ax_ast_comment *left = &a->file->comments[i], *right = &b->file->comments[i];
        assert_true(ax_str_eq(left->text, right->text));
        if (with_places) assert_int_equal(left->own_line, right->own_line);
    }
}

/* The text is formatted twice: the second time changes nothing, and neither changes meaning or comments. */
static void check_format(parsed *p, bool with_places)
{
    ax_arena mem = AX_ARENA_INIT;
    char *dump = ax_str_c(&mem, ax_str_of(parsed_dump(p)));
    char *once = ax_str_c(&mem, parsed_fmt(p));
    parsed *q = parsed_file(ax_str_of(once));
    assert_string_equal(parsed_codes(q), "");
    assert_string_equal(parsed_dump(q), dump);
    assert_same_comments(p, q, with_places);
    assert_str(parsed_fmt(q), once);
    size_t len = strlen(once);
    assert_true(len == 0 || once[len - 1] == '\n');
    assert_null(strchr(once, '\r'));
    parsed_free(q);
    ax_arena_free(&mem);
}

/* Puts `what` into the text at each byte in turn; where that leaves the meaning alone, the format must hold.
 * Returns at how many places it did. */
static int check_insertions(const char *text, const char *what)
{
    int count = 0;
    parsed *plain = parsed_file(ax_str_of(text));
    ax_arena mem = AX_ARENA_INIT;
    char *dump = ax_str_c(&mem, ax_str_of(parsed_dump(plain)));
    for (size_t at = 0; at <= strlen(text); at++) {
        ax_str changed = ax_str_fmt(&mem, "%.*s%s%s", (int)at, text, what, text + at);
        parsed *p = parsed_file(changed);
        if (p->diags.errors == 0 && strcmp(parsed_dump(p), dump) == 0) {
            check_format(p, true);
            count++;
        }
        parsed_free(p);
    }
    ax_arena_free(&mem);
    parsed_free(plain);
    return count;
}

static void a_comment_anywhere_survives(void **state)
{
    (void)state;
    assert_true(check_insertions(sample, " # unique\n") > 100);
    assert_true(check_insertions(sample, "\n# unique\n") > 100);
    assert_true(check_insertions(sample, "\n\n\n# one\n\n\n# two\n\n\n") > 100);
    assert_true(check_insertions(sample, " # one\n  # two\n") > 100);
}

static void white_space_anywhere_changes_nothing(void **state)
{
    (void)state;
    assert_true(check_insertions(sample, "\n") > 100);
    assert_true(check_insertions(sample, "\r\n\r\n\r\n") > 100);
    assert_true(check_insertions(sample, " ") > 200);
    assert_true(check_insertions(sample, ",") > 20);
}

/* Comments in all places at once. */
static void comments_everywhere_survive(void **state)
{
    (void)state;
    static const char *const before[] = {" ", "\n", "\n\n"}, *const after[] = {"\n", "\n", "\n\n"};
    parsed *plain = parsed_file(AX_LIT(sample));
    ax_arena mem = AX_ARENA_INIT;
    char *dump = ax_str_c(&mem, ax_str_of(parsed_dump(plain)));
    parsed_free(plain);
    for (int kind = 0; kind < 4; kind++) {
        char *text = ax_str_c(&mem, AX_LIT(sample));
        int number = 0;
        for (size_t back = 0; back <= strlen(text); back++) {
            size_t at = strlen(text) - back;
            int k = kind < 3 ? kind : number % 3;
            ax_str changed =
                ax_str_fmt(&mem, "%.*s%s# %d%s%s", (int)at, text, before[k], number, after[k], text + at);
            parsed *p = parsed_file(changed);
            bool is_same = p->diags.errors == 0 && strcmp(parsed_dump(p), dump) == 0;
            if (is_same && p->file->comment_count == (uint32_t)number + 2) {
                back += changed.len - strlen(text);
                text = ax_str_c(&mem, changed);
                number++;
            }
            parsed_free(p);
        }
        assert_true(number > 100);
        parsed *p = parsed_file(ax_str_of(text));
        check_format(p, false);
        parsed_free(p);
    }
    ax_arena_free(&mem);
}

/* At every depth of indent, so that each construct is broken in each way. */
static void every_width_is_stable(void **state)
{
    (void)state;
    for (int depth = 0; depth < 60; depth++) {
        for (int with_lines = 0; with_lines < 2; with_lines++) {
            ax_buf text = AX_BUF_INIT(1 << 20);
            for (int i = 0; i < depth; i++) ax_buf_addf(&text, "k%d {%s", i, with_lines ? "\n" : " ");
            ax_buf_adds(&text, sample);
            ax_buf_adds(&text,
                        "when = aaaaaaaaaaaa + bbbbbbbbbbbbbbb or c and d == { e = 1  f = [1, 2, 3] }\n");
            ax_buf_adds(&text, "k l(a = [1, 2], b = f(c, d)) { a = { b = 1  c = 2 }  d = 5 }\n");
            ax_buf_adds(&text, "p a : int in { a = 1 } = [1, 2, 3] { a = 1 }\n");
            for (int i = 0; i < depth; i++) ax_buf_adds(&text, "}");
            parsed *p = parsed_file(ax_buf_str(&text));
            assert_string_equal(parsed_codes(p), "");
            check_format(p, true);
            parsed_free(p);
            ax_buf_free(&text);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_item_has_its_line),
    cmocka_unit_test(a_short_block_on_one_line_stays_there),
    cmocka_unit_test(white_space_is_what_the_tokens_want),
    cmocka_unit_test(neighbours_are_aligned),
    cmocka_unit_test(long_things_break_where_they_can),
    cmocka_unit_test(comments_stay_where_they_are),
    cmocka_unit_test(blocks_of_text_move_with_their_item),
    cmocka_unit_test(a_comment_anywhere_survives),
    cmocka_unit_test(white_space_anywhere_changes_nothing),
    cmocka_unit_test(comments_everywhere_survive),
    cmocka_unit_test(every_width_is_stable),
};

RUN_TESTS(tests)
