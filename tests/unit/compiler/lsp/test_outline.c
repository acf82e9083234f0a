/* test_outline.c - the tree of a document, and its folds. */
#include "tests/lib/test.h"

#include "tests/lib/editor.h"

/* "workflow w(task a(output o) gate b)" */
static void add_symbols(ax_buf *out, const ax_value *list)
{
    for (uint32_t i = 0; i < list->u.list.len; i++) {
        const ax_value *s = &list->u.list.at[i], *children = at_path(s, "children");
        ax_buf_addf(out, "%s%.*s %.*s", i ? " " : "", AX_STR(at_path(s, "detail")->u.s),
                    AX_STR(at_path(s, "name")->u.s));
        if (children->u.list.len == 0) continue;
        ax_buf_addc(out, '(');
        add_symbols(out, children);
        ax_buf_addc(out, ')');
    }
}

static void then_outline(const char *text, const char *want)
{
    test_editor *e = given_editor(text);
    ax_buf got = AX_BUF_INIT(1 << 16);
    add_symbols(&got, ask(e, "textDocument/documentSymbol", ""));
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    end_editor(e);
}

static void then_folds(const char *text, const char *want)
{
    test_editor *e = given_editor(text);
    ax_buf got = AX_BUF_INIT(1 << 16);
    const ax_value *list = ask(e, "textDocument/foldingRange", "");
    for (uint32_t i = 0; i < list->u.list.len; i++) {
        const ax_value *f = &list->u.list.at[i];
        ax_buf_addf(&got, "%s%lld-%lld%s", i ? " " : "", (long long)at_path(f, "startLine")->u.i,
                    (long long)at_path(f, "endLine")->u.i,
                    ax_value_key(f, AX_LIT("kind")) == UINT32_MAX ? "" : "#");
    }
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    end_editor(e);
}

static void blocks_with_names_are_the_outline(void **state)
{
    (void)state;
    then_outline(
        "let x = 1\nworkflow w {\n  schedule s { }\n  schedule { }\n  param p : int\n  group g {\n"
        "    task a { matrix { k = [1] } output o : int  retry { max = 1 } }\n    gate b { }\n  }\n"
        "  gate c { }\n}\nworkflow v { }\n",
        "let x workflow w(schedule s param p group g(task a(key k output o) gate b) gate c) workflow v");
    then_outline("", "");
    then_outline("workflow w { task a { = } task b { } }", "workflow w(task a task b)");
}

static void a_symbol_covers_its_block_and_shows_its_name(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w {\n  gate a { }\n}\n");
    const ax_value *list = ask(e, "textDocument/documentSymbol", "");
    assert_string_equal(ranges(e, list), "0:0-2:1");
    assert_string_equal(ranges(e, at_path(list, "0.children")), "1:2-12");
    assert_string_equal(json_of(e, at_path(list, "0.children.0.selectionRange.start")),
                        "{\"line\":1,\"character\":7}");
    assert_string_equal(json_of(e, at_path(list, "0.kind")), "2");
    end_editor(e);
}

static void blocks_texts_lists_and_comments_fold(void **state)
{
    (void)state;
    then_folds(
        "workflow w {\n  task a {\n    run = \"\"\"\n      x\n    \"\"\"\n  }\n  tags = [\n    a,\n  ]\n}\n",
        "0-8 1-4 2-3 6-7");
    then_folds("# a\n# b\nlet x = 1 # c\n# d\n\n# e\n# f\n# g\n", "0-1# 5-7#");
    then_folds("workflow w { gate a { } }", "");
    then_folds("workflow w {\n}", "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_with_names_are_the_outline),
    cmocka_unit_test(a_symbol_covers_its_block_and_shows_its_name),
    cmocka_unit_test(blocks_texts_lists_and_comments_fold),
};

RUN_TESTS(tests)
