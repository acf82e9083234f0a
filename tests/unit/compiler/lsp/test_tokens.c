/* test_tokens.c - names as semantic tokens, each relative to the one before. */
#include "tests/lib/test.h"

#include "tests/lib/editor.h"

static void names_are_tokens_by_what_they_mean(void **state)
{
    (void)state;
    test_editor *e = given_editor("let x = 1\nworkflow w {\n  param p : int\n  task a { when = p > x }\n}\n");
    assert_string_equal(json_of(e, at_path(ask(e, "textDocument/semanticTokens/full", ""), "data")),
                        "[0,4,1,4,3,"  /* let x: variable, declaration + readonly */
                        "1,9,1,0,1,"   /* workflow w: namespace, declaration */
                        "1,8,1,3,1,"   /* param p: parameter, declaration */
                        "1,7,1,1,1,"   /* task a: function, declaration */
                        "0,11,1,3,0,"  /* p */
                        "0,4,1,4,2]"); /* x: readonly */
    end_editor(e);
}

static void an_empty_file_has_none(void **state)
{
    (void)state;
    test_editor *e = given_editor("");
    assert_string_equal(json_of(e, ask(e, "textDocument/semanticTokens/full", "")), "{\"data\":[]}");
    end_editor(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_are_tokens_by_what_they_mean),
    cmocka_unit_test(an_empty_file_has_none),
};

RUN_TESTS(tests)
