/* test_hover.c - what is said of the word under the cursor. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/model/units.h"
#include "tests/lib/editor.h"

/* The text shown at the cursor, code fences as they are; "" if there is none. */
static void then_hover(const char *text, const char *want)
{
    test_editor *e = given_editor(text);
    const ax_value *result = ask(e, "textDocument/hover", "");
    assert_non_null(result);
    const char *got = "";
    if (result->kind != AX_T_NULL) got = ax_str_c(&e->mem, at_path(result, "contents.value")->u.s);
    if (strcmp(got, want) != 0) print_error("at: %s\n", text);
    assert_string_equal(got, want);
    end_editor(e);
}

#define CODE(text) "```axf\n" text "\n```\n"

static void an_attribute_is_what_the_schema_says(void **state)
{
    (void)state;
    then_hover("workflow w { task a { kill_af|ter = 5m } }",
               CODE("kill_after = duration") "\nfrom the interrupt to the kill\n\nDefault: 30s\n");
    then_hover(
        "workflow w { fail|ure_policy = skip }",
        CODE("failure_policy = one of skip, pause, ignore, branch, abort") "\nwhat a failure does to the "
                                                                           "graph\n\nDefault: skip\n");
    then_hover("workflow w { zz|z = 1 }", "");
}

static void a_kind_says_what_it_holds(void **state)
{
    (void)state;
    then_hover("workflow w { task a { re|try { } } }",
               CODE("retry") "\nwhen and how a failed attempt is tried again\n\n"
                             "Attributes: max, backoff, jitter, on\n");
}

static void words_are_explained(void **state)
{
    (void)state;
    then_hover("workflow w { failure_policy = bra|nch }",
               CODE("branch") "\nfailing is one of its expected ends; needs an edge from :failed or :done\n");
    then_hover("workflow w { gate a { } gate b { } a:do|ne -> b }", CODE("done") "\nit has ended, however\n");
    then_hover("workflow w { gate a { } gate b { } [a, a]:fai|led -> b }",
               CODE("failed") "\nits last attempt failed\n");
    then_hover("workflow w { task a { retry { on = [lo|st] } } }",
               CODE("lost") "\nnobody knows how the attempt ended\n");
}

static void a_name_is_its_declaration(void **state)
{
    (void)state;
    then_hover("let x = 5\nworkflow w { task a { when = |x > 1 } }", CODE("let x = 5"));
    then_hover("workflow w {\n  param p : int in 1..5 = 2 { doc = \"How many.\" }\n  task a { run = \"{{ p| "
               "}}\" }\n}",
               CODE("param p : int in 1..5 = 2") "\nHow many.\n\nIn workflow w\n");
    then_hover(
        "workflow w {\n  group g {\n    task a { title = \"A!\"  doc = \"Does a.\" }\n  }\n  g.|a -> g\n}",
        CODE("task a") "\nA!\n\nDoes a.\n\nIn group g\n");
    then_hover("workflow w { task a { output rows : int } task b { when = a.ro|ws > 0 } }",
               CODE("output rows : int") "\nIn task a\n");
    then_hover("workflow w { group g { task a { matrix { k = [1, 2] } run = \"{{ |k }}\" } } }",
               CODE("k = [1, 2]") "\nA matrix key of task g.a\n");
}

static void templates_and_their_parameters_are_explained(void **state)
{
    (void)state;
    then_hover("template t(a, b = 1) { doc = \"Fetches.\"  run = \"{{ a }}\" }\nworkflow w { task x from "
               "|t(a = 1) }",
               CODE("template t(a, b = 1)") "\nFetches.\n");
    then_hover("template t(a, b = 1) { run = \"{{ b| }}\" }", CODE("b = 1") "\nA parameter of template t\n");
    then_hover("template t(a) { time|out = 5m }", CODE("timeout = duration") "\nhow long it may take\n");
}

static void values_of_a_run_and_functions_are_explained(void **state)
{
    (void)state;
    then_hover("workflow w { task a { run = \"{{ yester|day }}\" } }",
               CODE("yesterday : date") "\nthe day before the business date\n");
    then_hover("workflow w { task a { run = \"{{ ru|n.id }}\" } }",
               CODE("run.id : string") "\nthe id of the run\n");
    then_hover("workflow w { task a { run = \"{{ run.i|d }}\" } }",
               CODE("run.id : string") "\nthe id of the run\n");
    test_editor *e = given_editor("workflow w { task a { run = \"{{ start|_of(date, month) }}\" } }");
    const char *text = json_of(e, at_path(ask(e, "textDocument/hover", ""), "contents.value"));
    assert_non_null(strstr(text, "start_of(date, "));
    end_editor(e);
}

static void a_cron_expression_is_said_in_words_with_its_next_instants(void **state)
{
    (void)state;
    test_editor *e =
        given_editor("workflow w { schedule { cron = \"30 2| * * 1-5\"  timezone = \"Europe/Berlin\" } }");
    assert_true(ax_instant_parse(AX_LIT("2026-03-26T12:00:00Z"), &e->now_ms));
    const ax_value *result = ask(e, "textDocument/hover", "");
    assert_str(at_path(result, "contents.value")->u.s,
               "at 02:30 on weekdays\n\nNext:\n\n"
               "- Fri 2026-03-27 02:30 +01:00 (2026-03-27T01:30:00Z)\n"
               "- Mon 2026-03-30 02:30 +02:00 (2026-03-30T00:30:00Z)\n"
               "- Tue 2026-03-31 02:30 +02:00 (2026-03-31T00:30:00Z)\n"
               "- Wed 2026-04-01 02:30 +02:00 (2026-04-01T00:30:00Z)\n"
               "- Thu 2026-04-02 02:30 +02:00 (2026-04-02T00:30:00Z)\n");
    end_editor(e);
}

static void a_schedule_shows_no_instants_behind_its_end(void **state)
{
    (void)state;
    test_editor *e = given_editor(
        "workflow w { schedule { cron = \"@d|aily\" timezone = UTC start = 2026-05-01 end = 2026-05-02 } }");
    const ax_value *result = ask(e, "textDocument/hover", "");
    assert_str(at_path(result, "contents.value")->u.s,
               "at 00:00 every day\n\nNext:\n\n"
               "- Fri 2026-05-01 00:00 +00:00 (2026-05-01T00:00:00Z)\n"
               "- Sat 2026-05-02 00:00 +00:00 (2026-05-02T00:00:00Z)\n");
    end_editor(e);
}

static void what_to_beware_of_is_said(void **state)
{
    (void)state;
    then_hover(
        "workflow w { schedule { cron = \"*/45 * * * *|\" } }",
        "at minutes 0 and 45 of every hour\n\nNote: 45 does not divide 60: after minute 45 it starts again "
        "at 0, 15 minutes later\n");
    then_hover("workflow w { schedule { cron = \"no|pe\"  timezone = Nowhere } }", "");
    then_hover("workflow w { schedule { cron = \"@ho|urly\"  timezone = Nowhere } }", "every hour\n");
}

static void there_is_nothing_to_say_of_the_rest(void **state)
{
    (void)state;
    then_hover("|", "");
    then_hover("workflow w { # comm|ent\n }", "");
    then_hover("workflow w { timeout = 1|0m }", "");
    then_hover("workflow w { owner = te|am }", "");
    then_hover("workflow w { | }", "");
}

static void a_client_without_markdown_gets_plain_text(void **state)
{
    (void)state;
    test_editor *e = given_editor_with("{}", "let x = 5\nworkflow w { task a { when = |x > 1 } }");
    const ax_value *result = ask(e, "textDocument/hover", "");
    assert_string_equal(json_of(e, at_path(result, "contents")),
                        "{\"kind\":\"plaintext\",\"value\":\"let x = 5\\n\"}");
    assert_string_equal(json_of(e, at_path(result, "range")),
                        "{\"start\":{\"line\":1,\"character\":29},\"end\":{\"line\":1,\"character\":30}}");
    end_editor(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_attribute_is_what_the_schema_says),
    cmocka_unit_test(a_kind_says_what_it_holds),
    cmocka_unit_test(words_are_explained),
    cmocka_unit_test(a_name_is_its_declaration),
    cmocka_unit_test(templates_and_their_parameters_are_explained),
    cmocka_unit_test(values_of_a_run_and_functions_are_explained),
    cmocka_unit_test(a_cron_expression_is_said_in_words_with_its_next_instants),
    cmocka_unit_test(a_schedule_shows_no_instants_behind_its_end),
    cmocka_unit_test(what_to_beware_of_is_said),
    cmocka_unit_test(there_is_nothing_to_say_of_the_rest),
    cmocka_unit_test(a_client_without_markdown_gets_plain_text),
};

RUN_TESTS(tests)
