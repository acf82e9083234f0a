/* test_complete.c - what is offered where. The places themselves are in test_context.c. */
#include "tests/lib/test.h"

#include <string.h>

#include "tests/lib/editor.h"

#define FLOW                                                                                                 \
    "let top = 1\n"                                                                                          \
    "workflow w {\n"                                                                                         \
    "  param region : string = \"eu\"\n"                                                                     \
    "  let inner = 2\n"                                                                                      \
    "  group ingest {\n"                                                                                     \
    "    task load { doc = \"Loads.\"  matrix { table = [1, 2] }  output rows : int  run = \"x\" }\n"        \
    "    gate ready { }\n"                                                                                   \
    "    %s\n"                                                                                               \
    "  }\n"                                                                                                  \
    "  task report { output path : string  run = \"x\" }\n"                                                  \
    "  %s\n"                                                                                                 \
    "}\n"

static const ax_value *complete(test_editor *e)
{
    return ask(e, "textDocument/completion", "");
}

/* The labels at the cursor of a text that may hold FLOW's %s. */
static void then_labels(const char *text, const char *want)
{
    test_editor *e = given_editor(text);
    assert_string_equal(labels(e, complete(e)), want);
    end_editor(e);
}

/* Each word of `wanted` is offered in a group of FLOW (is_inner) or in its workflow, none of `not_wanted`. */
static void then_offered(bool is_inner, const char *item, const char *wanted, const char *not_wanted)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_str text = ax_str_fmt(&mem, FLOW, is_inner ? item : "", is_inner ? "" : item);
    test_editor *e = given_editor(text.ptr);
    const ax_value *list = complete(e);
    for (int side = 0; side < 2; side++) {
        char *words = ax_str_c(&mem, ax_str_of(side ? not_wanted : wanted)), *at = NULL;
        for (char *word = strtok_r(words, " ", &at); word; word = strtok_r(NULL, " ", &at))
            if (offers_label(list, word) == (side == 1))
                fail_msg("%s '%s' at %s: %s", side ? "offered" : "not offered", word, item, labels(e, list));
    }
    end_editor(e);
    ax_arena_free(&mem);
}

static void a_file_holds_what_the_schema_says(void **state)
{
    (void)state;
    test_editor *e = given_editor("|");
    const ax_value *list = complete(e);
    assert_true(offers_label(list, "workflow") && offers_label(list, "let"));
    assert_false(offers_label(list, "task") || offers_label(list, "run"));
    end_editor(e);
}

static void what_stands_once_is_offered_once(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w { task a { timeout = 5m  retry { }  | } }");
    const ax_value *list = complete(e);
    assert_true(offers_label(list, "kill_after") && offers_label(list, "output"));
    assert_false(offers_label(list, "timeout") || offers_label(list, "retry"));
    end_editor(e);
}

static void the_word_that_is_written_is_replaced(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w { task a { timeo| } }");
    const ax_value *items = at_path(complete(e), "items");
    for (uint32_t i = 0; i < items->u.list.len; i++) {
        const ax_value *item = &items->u.list.at[i];
        if (!ax_str_is(at_path(item, "label")->u.s, "timeout")) continue;
        assert_string_equal(json_of(e, at_path(item, "textEdit.range.start.character")), "22");
        assert_string_equal(json_of(e, at_path(item, "textEdit.range.end.character")), "27");
        assert_string_equal(json_of(e, at_path(item, "textEdit.newText")), "\"timeout = ${1:10m}\"");
        assert_string_equal(json_of(e, at_path(item, "insertTextFormat")), "2");
        assert_string_equal(json_of(e, at_path(item, "detail")), "\"duration\"");
        end_editor(e);
        return;
    }
    fail_msg("timeout is not offered");
}

static void a_client_without_snippets_gets_words(void **state)
{
    (void)state;
    test_editor *e = given_editor_with("{}", "workflow w { task a { timeo| } }");
    const ax_value *items = at_path(complete(e), "items");
    for (uint32_t i = 0; i < items->u.list.len; i++) {
        const ax_value *item = &items->u.list.at[i];
        assert_string_equal(json_of(e, at_path(item, "textEdit.newText")),
                            json_of(e, at_path(item, "label")));
        assert_int_equal(ax_value_key(item, AX_LIT("insertTextFormat")), UINT32_MAX);
    }
    end_editor(e);
}

static void words_are_those_of_the_attribute(void **state)
{
    (void)state;
    then_labels("workflow w { failure_policy = | }", "skip pause ignore branch abort");
    then_labels("workflow w { schedule { catchup = l| } }", "none latest all");
    then_labels("workflow w { task a { join = | } }", "all any strict at_least(2)");
    then_labels("workflow w { task a { retry { on = [| } } }", "exit(75) exit(100..110) timeout lost any");
    then_labels("let n = 1 workflow w { task a { retry { on = [exit(| } } }", "n");
    then_labels("workflow w { task a { enabled = | } }", "true false");
    then_labels("workflow w { owner = | }", "");
    then_labels("workflow w { task a { run = | } }", "");
}

static void outcomes_and_types_are_the_languages(void **state)
{
    (void)state;
    then_labels("workflow w { a:| }", "succeeded failed skipped passed done");
    then_labels("workflow w { param x : | }",
                "bool int float string duration size date time percent instant list");
}

static void only_lets_stand_where_a_value_must_be_known(void **state)
{
    (void)state;
    then_offered(false, "task x { timeout = | }", "top inner", "region date format");
    then_offered(false, "let y = |", "top inner", "region date");
    then_offered(false, "task x { matrix { k = [| } }", "top inner", "region");
}

static void an_expression_has_all_that_a_run_has(void **state)
{
    (void)state;
    then_offered(false, "task x { run = \"{{ | }}\" }",
                 "top inner region report.path ingest.load.rows date run.id attempt format coalesce",
                 "table ingest load rows");
    then_offered(true, "task x { run = \"{{ | }}\" }", "load.rows report.path", "ingest.load.rows table");
    then_offered(true, "task x { matrix { key = [1] } run = \"{{ | }}\" }", "key", "table");
    then_offered(false, "task x { exec = [| ] }", "region report.path", "program");
    then_offered(false, "env { A = | }", "region", "");
    then_offered(false, "task x { when = | }", "true region report.path", "");
}

static void an_edge_has_the_nodes_in_sight(void **state)
{
    (void)state;
    then_offered(false, "report -> | ", "report ingest ingest.load ingest.ready", "load region");
    then_offered(true, "load -> | ", "load ready report ingest", "ingest.load");
    then_offered(false, "[report, | ", "ingest", "region");
    then_offered(false, "| ", "report ingest.load task timeout gate", "load");
}

static void behind_a_dot_stand_members(void **state)
{
    (void)state;
    then_offered(false, "report -> ingest.| ", "load ready", "report rows");
    then_offered(false, "ingest.| ", "load ready", "report");
    then_offered(false, "task x { when = ingest.load.| }", "rows", "path load");
    then_offered(false, "task x { when = ingest.load[\"x\"].| }", "rows", "path");
    then_offered(false, "task x { when = report.| }", "path", "rows");
    then_offered(false, "task x { run = \"{{ run.| }}\" }", "id", "path");
    then_offered(false, "task x { run = \"{{ interval.| }}\" }", "start end", "id");
    then_offered(false, "report -> report.| ", "", "path");
}

static void templates_and_their_parameters_are_offered(void **state)
{
    (void)state;
    then_labels("template t(a, b = 1) { run = \"x\" } workflow w { task x from | }", "t");
    test_editor *e =
        given_editor("template t(a, b = 1) { run = \"x\" } let y = 2 workflow w { task x from t(|) }");
    const ax_value *list = complete(e);
    assert_true(offers_label(list, "a") && offers_label(list, "b") && offers_label(list, "y"));
    end_editor(e);
    e = given_editor("template t(a) { gate g { } |  } workflow w { }");
    list = complete(e);
    assert_true(offers_label(list, "run") && offers_label(list, "task") && offers_label(list, "g"));
    assert_false(offers_label(list, "schedule"));
    end_editor(e);
    e = given_editor("template t(a) { task l { } } workflow w { group g from t(a = 1) { gate m { } } g.| }");
    list = complete(e);
    assert_true(offers_label(list, "l") && offers_label(list, "m"));
    assert_false(offers_label(list, "a"));
    end_editor(e);
}

static void a_space_alone_offers_no_items(void **state)
{
    (void)state;
    const char *space = ",\"context\":{\"triggerKind\":2,\"triggerCharacter\":\" \"}";
    test_editor *e = given_editor("workflow w {\n  | \n}");
    assert_string_equal(labels(e, ask(e, "textDocument/completion", space)), "");
    end_editor(e);
    e = given_editor("workflow w { gate a { } a -> | }");
    assert_string_equal(labels(e, ask(e, "textDocument/completion", space)), "a");
    end_editor(e);
}

static void a_long_list_is_cut_and_says_so(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 20);
    ax_buf_adds(&text, "workflow w {\n");
    for (int i = 0; i < 3000; i++) ax_buf_addf(&text, "  gate node%d { }\n", i);
    ax_buf_adds(&text, "  node1 -> nd2999|\n}\n");
    test_editor *e = given_editor(text.ptr);
    const ax_value *list = complete(e);
    assert_string_equal(json_of(e, at_path(list, "isIncomplete")), "true");
    assert_string_equal(labels(e, list), "node2999");
    end_editor(e);
    ax_buf_free(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_file_holds_what_the_schema_says),
    cmocka_unit_test(what_stands_once_is_offered_once),
    cmocka_unit_test(the_word_that_is_written_is_replaced),
    cmocka_unit_test(a_client_without_snippets_gets_words),
    cmocka_unit_test(words_are_those_of_the_attribute),
    cmocka_unit_test(outcomes_and_types_are_the_languages),
    cmocka_unit_test(only_lets_stand_where_a_value_must_be_known),
    cmocka_unit_test(an_expression_has_all_that_a_run_has),
    cmocka_unit_test(an_edge_has_the_nodes_in_sight),
    cmocka_unit_test(behind_a_dot_stand_members),
    cmocka_unit_test(templates_and_their_parameters_are_offered),
    cmocka_unit_test(a_space_alone_offers_no_items),
    cmocka_unit_test(a_long_list_is_cut_and_says_so),
};

RUN_TESTS(tests)
