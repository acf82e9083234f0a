/* test_publish.c - suggestions of diagnostics as code actions. (What diagnostics hold is in test_lsp.c.) */
#include "tests/lib/test.h"

#include "tests/lib/editor.h"

static const ax_value *actions(test_editor *e, int beg, int end, const char *context)
{
    ax_str more = ax_str_fmt(&e->mem,
                             ",\"range\":{\"start\":{\"line\":0,\"character\":%d},\"end\":{\"line\":0,"
                             "\"character\":%d}},\"context\":%s",
                             beg, end, context);
    return ask(e, "textDocument/codeAction", more.ptr);
}

#define TWO "workflow w { task a { rum = \"x\"  timout = 5m } }"

static void a_suggestion_is_an_edit(void **state)
{
    (void)state;
    test_editor *e = given_editor(TWO);
    const ax_value *list = actions(e, 34, 34, "{\"diagnostics\":[]}");
    assert_int_equal(list->u.list.len, 1);
    assert_string_equal(json_of(e, at_path(list, "0.title")), "\"Write 'timeout'\"");
    assert_string_equal(json_of(e, at_path(list, "0.kind")), "\"quickfix\"");
    assert_string_equal(json_of(e, at_path(list, "0.diagnostics.0.code")), "\"E0203\"");
    assert_string_equal(after_edits(e, at_path(list, "0.edit.documentChanges.0.edits")),
                        "workflow w { task a { rum = \"x\"  timeout = 5m } }");
    end_editor(e);
}

static void all_suggestions_in_the_range_are_offered(void **state)
{
    (void)state;
    test_editor *e = given_editor(TWO);
    assert_int_equal(actions(e, 0, 48, "{}")->u.list.len, 2);
    assert_int_equal(actions(e, 22, 25, "{\"only\":[\"quickfix\"]}")->u.list.len, 1);
    assert_int_equal(actions(e, 22, 25, "{\"only\":[\"refactor\"]}")->u.list.len, 0);
    assert_int_equal(actions(e, 0, 5, "{}")->u.list.len, 0);
    end_editor(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_suggestion_is_an_edit),
    cmocka_unit_test(all_suggestions_in_the_range_are_offered),
};

RUN_TESTS(tests)
