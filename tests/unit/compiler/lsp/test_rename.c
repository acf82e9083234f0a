/* test_rename.c - a new name everywhere, or a reason why not. */
#include "tests/lib/test.h"

#include <string.h>

#include "tests/lib/editor.h"

static const ax_value *renamed(test_editor *e, const char *name)
{
    return ask(e, "textDocument/rename", ax_str_fmt(&e->mem, ",\"newName\":\"%s\"", name).ptr);
}

/* Renaming what is at the cursor gives the second text. */
static void then_renamed(const char *text, const char *name, const char *want)
{
    test_editor *e = given_editor(text);
    const ax_value *edit = renamed(e, name);
    if (!edit) fail_msg("refused: %s", e->error);
    assert_string_equal(after_edits(e, at_path(edit, "documentChanges.0.edits")), want);
    end_editor(e);
}

static void then_refused(const char *text, const char *name, const char *why)
{
    test_editor *e = given_editor(text);
    const ax_value *edit = renamed(e, name);
    if (edit) fail_msg("not refused: %s", json_of(e, edit));
    assert_string_equal(e->error, why);
    end_editor(e);
}

static void every_reference_is_edited(void **state)
{
    (void)state;
    then_renamed("workflow w {\n  task |a { output o : int  run = \"x\" }\n"
                 "  task b { run = \"{{ a.o }} {{ \"{{ a.o }}\" }}\" }\n  [a, a:failed] -> b\n}\n",
                 "load-all",
                 "workflow w {\n  task load-all { output o : int  run = \"x\" }\n"
                 "  task b { run = \"{{ load-all.o }} {{ \"{{ load-all.o }}\" }}\" }\n"
                 "  [load-all, load-all:failed] -> b\n}\n");
    then_renamed("let x = 1\nworkflow w { task a { matrix { k = [x] } run = \"{{ |x }}{{ k }}\" } }\n", "y",
                 "let y = 1\nworkflow w { task a { matrix { k = [y] } run = \"{{ y }}{{ k }}\" } }\n");
    then_renamed("workflow w { task a { matrix { k| = [1] } run = \"{{ k }}\" } }\n", "key",
                 "workflow w { task a { matrix { key = [1] } run = \"{{ key }}\" } }\n");
    then_renamed("workflow w { group g { gate a { } } gate b { } g.|a -> b }\n", "c",
                 "workflow w { group g { gate c { } } gate b { } g.c -> b }\n");
}

static void parameters_of_templates_are_renamed_where_they_are_given(void **state)
{
    (void)state;
    then_renamed("template t(|a, b = 1) { timeout = 1m  run = \"{{ a }}{{ b }}\" }\n"
                 "workflow w { task x from t(a = 2) }\n",
                 "c",
                 "template t(c, b = 1) { timeout = 1m  run = \"{{ c }}{{ b }}\" }\n"
                 "workflow w { task x from t(c = 2) }\n");
    then_renamed("template t { timeout = 1m  run = \"x\" }\nworkflow w { task x from |t { } }\n", "u",
                 "template u { timeout = 1m  run = \"x\" }\nworkflow w { task x from u { } }\n");
}

static void only_what_is_meant_is_edited(void **state)
{
    (void)state;
    then_renamed("workflow w { gate |a { } group g { gate a { } gate b { } a -> b } a -> g }\n", "c",
                 "workflow w { gate c { } group g { gate a { } gate b { } a -> b } c -> g }\n");
}

static void the_same_name_again_is_fine(void **state)
{
    (void)state;
    then_renamed("let |x = 1\nlet y = x\n", "x", "let x = 1\nlet y = x\n");
}

static void a_broken_file_can_be_renamed_in(void **state)
{
    (void)state;
    then_renamed("let |x = 1\nlet y = x\nlet z = = x\n", "w", "let w = 1\nlet y = w\nlet z = = x\n");
}

static void what_is_no_name_is_refused(void **state)
{
    (void)state;
    const char *text = "workflow w { gate |a { } }";
    const char *words = "is no name: names are letters, digits, '_' and inner '-', and no reserved word";
    static const char *const wrong[] = {"",         "1a", "a b", "a.b", "in",   "true", "a-",    "-a",
                                        "\xC3\xA4", "a=", "# a", "{",   "a\\n", "'a'",  "a/* */"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_editor *e = given_editor(text);
        assert_null(renamed(e, wrong[i]));
        assert_non_null(strstr(e->error, words));
        end_editor(e);
    }
    then_refused(text, "date", "'date' is the name of a value that every run has");
    then_refused("let |x = 1", "x-1", "the name of a let can't hold a '-'");
    then_refused("workflow w { task a { output |o : int } }", "o-1",
                 "the name of an output can't hold a '-'");
}

static void a_name_that_is_taken_is_refused(void **state)
{
    (void)state;
    then_refused("workflow w { gate |a { } gate b { } }", "b", "the name 'b' is taken");
    then_refused("workflow w { param |p : int = 1 gate b { } }", "b", "the name 'b' is taken");
    then_refused("let x = 1\nworkflow w { gate |a { } }", "x", "the name 'x' is taken");
    then_refused("workflow w { task a { matrix { |k = [1] l = [2] } } }", "l", "the name 'l' is taken");
    then_refused("workflow w { }\nworkflow |v { }", "w", "the name 'w' is taken");
    then_refused("workflow w { task a { output |o : int output p : int } }", "p", "the name 'p' is taken");
}

static void a_name_that_hides_another_is_refused(void **state)
{
    (void)state;
    then_refused("workflow w { gate a { } group g { gate |x { } gate b { }\n a -> b } }", "a",
                 "'a' would change what line 2 means");
    then_refused("workflow w { gate |x { } gate y { } group g { gate a { } gate b { }\n x -> b } }", "a",
                 "'a' would change what line 2 means");
}

static void what_is_nobodys_name_is_refused(void **state)
{
    (void)state;
    then_refused("workflow w { task a { run = \"{{ da|te }}\" } }", "day",
                 "there is no name of this file here");
    then_refused("workflow w { ti|tle = \"x\" }", "name", "there is no name of this file here");
}

static void a_client_asks_first(void **state)
{
    (void)state;
    test_editor *e = given_editor("let |name = 1");
    assert_string_equal(
        json_of(e, ask(e, "textDocument/prepareRename", "")),
        "{\"range\":{\"start\":{\"line\":0,\"character\":4},\"end\":{\"line\":0,\"character\":8}},"
        "\"placeholder\":\"name\"}");
    end_editor(e);
    e = given_editor("le|t name = 1");
    assert_int_equal(ask(e, "textDocument/prepareRename", "")->kind, AX_T_NULL);
    end_editor(e);
}

static void an_old_client_gets_changes_without_versions(void **state)
{
    (void)state;
    test_editor *e = given_editor_with("{}", "let |name = 1");
    assert_string_equal(json_of(e, renamed(e, "n")),
                        "{\"changes\":{\"" TEST_URI "\":[{\"range\":{\"start\":{\"line\":0,\"character\":4},"
                        "\"end\":{\"line\":0,\"character\":8}},\"newText\":\"n\"}]}}");
    end_editor(e);
}

static void who_renames_an_output_hears_of_its_script(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w { task a { output |rows : int } }");
    e->sent.len = 0;
    assert_non_null(renamed(e, "lines"));
    assert_int_equal(e->sent.len, 1);
    assert_string_equal(json_of(e, at_path(&e->sent.at[0], "params.message")),
                        "\"the script of the task must write lines=… now, not rows=…\"");
    end_editor(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_reference_is_edited),
    cmocka_unit_test(parameters_of_templates_are_renamed_where_they_are_given),
    cmocka_unit_test(only_what_is_meant_is_edited),
    cmocka_unit_test(the_same_name_again_is_fine),
    cmocka_unit_test(a_broken_file_can_be_renamed_in),
    cmocka_unit_test(what_is_no_name_is_refused),
    cmocka_unit_test(a_name_that_is_taken_is_refused),
    cmocka_unit_test(a_name_that_hides_another_is_refused),
    cmocka_unit_test(what_is_nobodys_name_is_refused),
    cmocka_unit_test(a_client_asks_first),
    cmocka_unit_test(an_old_client_gets_changes_without_versions),
    cmocka_unit_test(who_renames_an_output_hears_of_its_script),
};

RUN_TESTS(tests)
