/* test_parse.c - what the grammar makes of each construct, exact spans, and the limits. */
#include "dsl/syntax/parse.h"

#include <string.h>

#include "tests/lib/parsed.h"
#include "tests/lib/test.h"

typedef struct {
    const char *text, *dump;
} row;

static void each_file_is_read_as(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parsed *p = parsed_file(ax_str_of(rows[i].text));
        assert_string_equal(parsed_codes(p), "");
        assert_string_equal(parsed_dump(p), rows[i].dump);
        parsed_free(p);
    }
}

static void every_shape_of_an_item_is_read(void **state)
{
    (void)state;
    static const row rows[] = {
        {"", ""},
        {"\n\n# only a comment", ""},
        {"a = 1", "attr a = 1\n"},
        {"a.b = 1", "attr (. a b) = 1\n"},
        {"a[\"x\", 1] = 1", "attr (index a (str \"x\") 1) = 1\n"},
        {"\"X-Key\" = v", "attr (str \"X-Key\") = v\n"},
        {"\"a{{ b }}\" = v", "attr (str \"a\" b) = v\n"},
        {"k { }", "block k {\n"},
        {"k { a = 1 }", "block k {\n  attr a = 1\n"},
        {"k l { a = 1  b = 2 }", "block k l {\n  attr a = 1\n  attr b = 2\n"},
        {"k { a = 1, b = 2, }", "block k {\n  attr a = 1\n  attr b = 2\n"},
        {"test \"a name\" { }", "block test (str \"a name\") {\n"},
        {"task x from t { }", "block task x from t {\n"},
        {"task x from t(a = 2, 3)", "block task x from t (args a=2 3)\n"},
        {"task x from t(a = 2,) { b = 1 }", "block task x from t (args a=2) {\n  attr b = 1\n"},
        {"template t() { }", "block template t (args) {\n"},
        {"f(1)", "block f (args 1)\n"},
        {"let a = \"x\"", "block let a = (str \"x\")\n"},
        {"import lib = \"x.axf\"", "block import lib = (str \"x.axf\")\n"},
        {"output rows : int", "block output rows : int\n"},
        {"param r : list(string) in [\"a\"] = \"a\" { doc = 1 }",
         "block param r : list string in (list (str \"a\")) = (str \"a\") {\n  attr doc = 1\n"},
        {"param n : int in 1..10 = 3", "block param n : int in (.. 1 10) = 3\n"},
        {"a -> b", "edge a -> b\n"},
        {"a -> b -> c", "edge a -> b -> c\n"},
        {"a:failed -> g.b", "edge a:failed -> (. g b)\n"},
        {"[a, b:done,]:failed -> [c] -> d", "edge [ a b:done ]:failed -> [ c ] -> d\n"},
        {"s[\"x\"]:done -> t", "edge (index s (str \"x\")):done -> t\n"},
        {"a = 1 b = 2 k { } c -> d [e] -> f \"x\" = 3",
         "attr a = 1\nattr b = 2\nblock k {\nedge c -> d\nedge [ e ] -> f\nattr (str \"x\") = 3\n"},
    };
    each_file_is_read_as(rows, sizeof rows / sizeof *rows);
}

static void operators_bind_as_they_should(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a or b and not c == d", "(or a (and b (not (== c d))))"},
        {"not not a", "(not (not a))"},
        {"- - a.b", "(neg (neg (. a b)))"},
        {"a - b - c * d / e + f", "(+ (- (- a b) (/ (* c d) e)) f)"},
        {"a if b else c if d else e", "(if b a (if d c e))"},
        {"(a if b else c) if d else e", "(if d (parens (if b a c)) e)"},
        {"a in b", "(in a b)"},
        {"a not in [1, 2,]", "(not-in a (list 1 2))"},
        {"a + 1 <= b..c", "(<= (+ a 1) (.. b c))"},
        {"f(a)(b)[c].d", "(. (index (call (call f a) b) c) d)"},
        {"{ a = 1, \"b\" = { } }", "(map a=1 (str \"b\")=(map))"},
        {"[]", "(list)"},
        {"[[1], []]", "(list (list 1) (list))"},
        {"((a))", "(parens a)"},
        {"rows-1", "rows-1"},
        {"rows - 1", "(- rows 1)"},
        {"a-b--c", "a-b--c"},
        {"a- b", "(- a b)"},
        {"a\n+\nb", "(+ a b)"},
        {"# comment\na # comment\n", "a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_expr(ax_str_of(rows[i].text));
        assert_string_equal(parsed_codes(p), "");
        assert_string_equal(parsed_dump(p), rows[i].dump);
        parsed_free(p);
    }
}

static void an_expression_alone_is_all_of_the_text(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "a b", "a = 1", "a,", "a }", "1min", "# only a comment"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_expr(ax_str_of(rows[i]));
        assert_null(p->expr);
        assert_int_equal(p->diags.errors, 1);
        parsed_free(p);
    }
}

static void line_ends_count_only_where_an_item_can_end(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a = b\n+ c", "attr a = (+ b c)\n"},
        {"a = b +\nc", "attr a = (+ b c)\n"},
        {"a = b\nand c\n\n# comment\nor d", "attr a = (or (and b c) d)\n"},
        {"a = b\nif c\nelse d", "attr a = (if c b d)\n"},
        {"a = b\nnot in c", "attr a = (not-in b c)\n"},
        {"a = f(\n1\n,\n2\n)", "attr a = (call f 1 2)\n"},
        {"a = [\n1,\n2,\n]", "attr a = (list 1 2)\n"},
        {"a = (\nb\n)", "attr a = (parens b)\n"},
        {"a = f({\nx = 1\ny = 2\n})", "attr a = (call f (map x=1 y=2))\n"},
        {"a\n-> b\n-> c", "edge a -> b -> c\n"},
        {"a ->\nb", "edge a -> b\n"},
        {"[\na,\nb\n]\n-> c", "edge [ a b ] -> c\n"},
        {"a = b\n[c] -> d", "attr a = b\nedge [ c ] -> d\n"},
        {"a = b[c]", "attr a = (index b c)\n"},
        {"a = b.\nc", "attr a = (. b c)\n"},
        {"param x\n: int", "block param x : int\n"},
        {"a\n= 1", "attr a = 1\n"},
        {"k { a = 1\n, b = 2 }", "block k {\n  attr a = 1\n  attr b = 2\n"},
        {"a =\n1", NULL},
        {"k\n{ }", NULL},
        {"a = b\n.c", "attr a = (. b c)\n"},
        {"a = b [c]", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_file(ax_str_of(rows[i].text));
        if (!rows[i].dump) assert_int_equal(p->diags.errors, 1);
        else assert_string_equal(parsed_codes(p), "");
        if (rows[i].dump) assert_string_equal(parsed_dump(p), rows[i].dump);
        parsed_free(p);
    }
}

/* A line end of any kind is the same, and a mark at the start is nothing. */
static void line_ends_and_marks_change_nothing(void **state)
{
    (void)state;
    static const char text[] = "workflow w {\n\ttask a { # comment\n\t\trun = \"\"\"\n\t\t\tif true; then\n"
                               "\t\t\t\techo ok\n\t\t\tfi\n\t\t\t\"\"\"\n\t}\n\ta\n\t-> b\n}\n";
    parsed *want = parsed_file(AX_LIT(text));
    assert_string_equal(parsed_codes(want), "");
    assert_non_null(strstr(parsed_dump(want), "\"if true; then\\x0a\\x09echo ok\\x0afi\""));
    for (int variant = 1; variant < 6; variant++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_buf b = AX_BUF_INIT(10000);
        if (variant & 1) ax_buf_adds(&b, "\xEF\xBB\xBF");
        for (size_t i = 0, lines = 0; text[i]; i++) {
            bool has_return = variant >= 4 ? lines % 2 : variant >= 2;
            if (text[i] == '\n' && has_return) ax_buf_addc(&b, '\r');
            lines += text[i] == '\n';
            ax_buf_addc(&b, text[i]);
        }
        parsed *p = parsed_file(ax_buf_str(&b));
        assert_string_equal(parsed_codes(p), "");
        assert_string_equal(parsed_dump(p), ax_str_c(&mem, ax_str_of(parsed_dump(want))));
        parsed_free(p);
        ax_buf_free(&b);
        ax_arena_free(&mem);
    }
    parsed_free(want);
}

static void spans_are_exact(void **state)
{
    (void)state;
    parsed *p = parsed_file(AX_LIT("task  a(x = 1) { b = (c + d) * -e }\n [f:done] -> g.h # note \r\n"));
    const ax_ast_item *block = p->file->items[0], *edge = p->file->items[1];
    ax_sources *set = &p->sources;
    assert_str(ax_sources_text(set, block->span), "task  a(x = 1) { b = (c + d) * -e }");
    assert_str(ax_sources_text(set, block->u.block.kind.span), "task");
    assert_str(ax_sources_text(set, block->u.block.labels[0].name.span), "a");
    assert_str(ax_sources_text(set, block->u.block.args[0].name.span), "x");
    assert_str(ax_sources_text(set, block->u.block.body->span), "{ b = (c + d) * -e }");
    const ax_ast_expr *value = block->u.block.body->items[0]->u.attr.value;
    assert_str(ax_sources_text(set, value->span), "(c + d) * -e");
    assert_str(ax_sources_text(set, value->u.op.a->span), "c + d");
    assert_true(value->u.op.a->parens);
    assert_str(ax_sources_text(set, value->u.op.b->span), "-e");
    assert_str(ax_sources_text(set, edge->span), "[f:done] -> g.h");
    assert_str(ax_sources_text(set, edge->u.edge.points[0].span), "[f:done]");
    assert_str(ax_sources_text(set, edge->u.edge.points[0].refs[0].outcome->span), "done");
    assert_str(ax_sources_text(set, edge->u.edge.points[1].refs[0].path->span), "g.h");
    assert_int_equal(p->file->comment_count, 1);
    assert_str(p->file->comments[0].text, "# note");
    assert_str(ax_sources_text(set, p->file->comments[0].span), "# note");
    assert_false(p->file->comments[0].own_line);
    parsed_free(p);
}

static void comments_know_whether_they_stand_alone(void **state)
{
    (void)state;
    parsed *p = parsed_file(AX_LIT("\xEF\xBB\xBF# one\n  # two\na = [ # three\n1, # four\n# five\n]\n# six"));
    static const bool own[] = {true, true, false, false, true, true};
    assert_int_equal(p->file->comment_count, 6);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(p->file->comments[i].own_line, own[i]);
    parsed_free(p);
}

/* Text, repeated n times before and after the middle. */
static ax_buf repeated(const char *before, int n, const char *middle, const char *after)
{
    ax_buf b = AX_BUF_INIT(256 << 20);
    for (int i = 0; i < n; i++) ax_buf_adds(&b, before);
    ax_buf_adds(&b, middle);
    for (int i = 0; i < n; i++) ax_buf_adds(&b, after);
    return b;
}

static void nesting_has_a_limit_that_is_said_once(void **state)
{
    (void)state;
    static const struct {
        const char *first, *before, *middle, *after;
        int fine, most;
    } rows[] = {
        {"a = ", "(", "1", ")", 198, 200},         {"a = ", "[", "1", "]", 198, 200},
        {"a = ", "f(", "1", ")", 198, 200},        {"a = ", "{ a = ", "1", "}", 198, 200},
        {"", "k {", "a = 1", "}", 198, 200},       {"a = ", "\"{{ ", "1", " }}\"", 98, 100},
        {"a = ", "x[", "1", "]", 198, 200},        {"a = x", ".b", "", "", 199, 200},
        {"a = ", "- ", "1", "", 199, 200},         {"a = ", "not ", "1", "", 199, 200},
        {"a = ", "1 + ", "1", "", 199, 200},       {"a = ", "b if c else ", "1", "", 199, 200},
        {"p q : ", "list(", "int", ")", 198, 200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int counts[] = {rows[i].fine, rows[i].most + 1, 20000};
        for (int k = 0; k < 3; k++) {
            ax_buf text = repeated(rows[i].before, counts[k], rows[i].middle, rows[i].after);
            ax_arena mem = AX_ARENA_INIT;
            ax_str whole = ax_str_fmt(&mem, "%s%.*s\nlast = 1", rows[i].first, AX_STR(ax_buf_str(&text)));
            parsed *p = parsed_file(whole);
            assert_int_equal(p->diags.errors, k > 0);
            if (k > 0) assert_int_equal(p->diags.list.at[0]->code, AX_E0113);
            const ax_ast_item *last = p->file->items[p->file->count - 1];
            assert_str(last->u.attr.path->u.name, "last");
            parsed_free(p);
            ax_arena_free(&mem);
            ax_buf_free(&text);
        }
    }
}

static void unclosed_nesting_of_any_depth_ends(void **state)
{
    (void)state;
    static const char *const rows[] = {"(",    "[",      "{",       "a {", "\"{{", "a = [\n",
                                       "f(\n", "\"{{ (", "a = {b=", "-",   ")",    "]"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ax_buf text = repeated(rows[i], 50000, "", "");
        parsed *p = parsed_file(ax_buf_str(&text));
        assert_true(p->diags.errors > 0);
        parsed_free(p);
        ax_buf_free(&text);
    }
}

/* Each would take minutes if its cost were the square of its length. */
static void a_long_run_of_zero_bytes_is_read_once(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "#", "a = \"", "a = '", "a = \"\"\"\n", "a = '''\n"};
    static char zeros[1 << 20];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ax_buf text = AX_BUF_INIT(2 << 20);
        ax_buf_adds(&text, rows[i]);
        ax_buf_add(&text, (ax_str){zeros, sizeof zeros});
        parsed *p = parsed_file(ax_buf_str(&text));
        assert_true(p->diags.errors > 0);
        parsed_free(p);
        ax_buf_free(&text);
    }
}

static void long_lists_need_no_stack(void **state)
{
    (void)state;
    static const struct {
        const char *before, *middle;
        uint32_t items;
    } rows[] = {
        {"a = 1\n", "", 200000},
        {"a -> ", "b", 1},
        {"k ", "{ }", 1},
        {"", "", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ax_buf text = repeated(rows[i].before, 200000, rows[i].middle, "");
        parsed *p = parsed_file(ax_buf_str(&text));
        assert_string_equal(parsed_codes(p), "");
        assert_int_equal(p->file->count, rows[i].items);
        parsed_free(p);
        ax_buf_free(&text);
    }
}

/* An edge, a task and an attribute cost what their parts do: no slack, nothing that grows with the file. */
static void the_tree_is_small(void **state)
{
    (void)state;
    size_t used[2];
    for (int k = 0; k < 2; k++) {
        ax_buf text = repeated("task t { run = \"true\" }\na -> t\n", 10000 << k, "", "");
        parsed *p = parsed_file(ax_buf_str(&text));
        used[k] = p->mem.used;
        parsed_free(p);
        ax_buf_free(&text);
    }
    assert_true(used[0] / 10000 < 600);
    assert_true(used[1] < used[0] * 2 + 4096);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_shape_of_an_item_is_read),
    cmocka_unit_test(operators_bind_as_they_should),
    cmocka_unit_test(an_expression_alone_is_all_of_the_text),
    cmocka_unit_test(line_ends_count_only_where_an_item_can_end),
    cmocka_unit_test(line_ends_and_marks_change_nothing),
    cmocka_unit_test(spans_are_exact),
    cmocka_unit_test(comments_know_whether_they_stand_alone),
    cmocka_unit_test(nesting_has_a_limit_that_is_said_once),
    cmocka_unit_test(unclosed_nesting_of_any_depth_ends),
    cmocka_unit_test(a_long_run_of_zero_bytes_is_read_once),
    cmocka_unit_test(long_lists_need_no_stack),
    cmocka_unit_test(the_tree_is_small),
};

RUN_TESTS(tests)
