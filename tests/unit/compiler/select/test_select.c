/* test_select.c - the selection grammar: what each form selects, how forms go together, and every error at
 * its place.
 */
#include "tests/lib/test.h"

#include <stdio.h>
#include <string.h>

#include "compiler/select/select.h"
#include "tests/lib/compiled.h"

static const char flow[] = "workflow w {\n"
                           "  tags = [nightly]\n"
                           "  defaults { timeout = 1m }\n"
                           "  group ingest {\n"
                           "    tags = [raw]\n"
                           "    task fetch { run = \"a\"  tags = [slow] }\n"
                           "    task sync { matrix { t = [\"x\", \"y\"] }  run = \"a\" }\n"
                           "    fetch -> sync\n"
                           "  }\n"
                           "  task build { run = \"a\"  tags = [slow, core] }\n"
                           "  task check { run = \"a\" }\n"
                           "  gate ready { join = any }\n"
                           "  task publish { run = \"a\" }\n"
                           "  ingest -> build -> check -> ready\n"
                           "  build -> ready -> publish\n"
                           "}\n";

/* The names of the selected nodes, blank-separated, in the plan's order. */
static void then_nodes(const ax_plan *plan, const ax_node_set *set, const char *want)
{
    ax_buf got = AX_BUF_INIT(1 << 16);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        if (!ax_node_set_has(set, n)) continue;
        if (got.len) ax_buf_addc(&got, ' ');
        ax_buf_add(&got, plan->nodes[n].name);
    }
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
}

static void then_selects(const ax_plan *plan, const ax_plan *baseline, const char *text, const char *want)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_node_set set;
    ax_text_err error;
    if (!ax_select_from(&mem, ax_str_of(text), plan, baseline, &set, &error))
        fail_msg("'%s': %s", text, error.text);
    then_nodes(plan, &set, want);
    ax_arena_free(&mem);
}

typedef struct {
    const char *text, *nodes;
} selection;

static void then_all(const selection *rows, size_t count)
{
    test_compiled *c = given_file(flow);
    for (size_t i = 0; i < count; i++) then_selects(the_plan(c), NULL, rows[i].text, rows[i].nodes);
    end_file(c);
}
#define THEN(...)                                                                                            \
    then_all((const selection[]){__VA_ARGS__}, sizeof((const selection[]){__VA_ARGS__}) / sizeof(selection))

#define INGEST "ingest ingest.fetch ingest.sync[\"x\"] ingest.sync[\"y\"] ingest.sync"

static void a_name_selects_its_node(void **state)
{
    (void)state;
    THEN({"build", "build"}, {"ingest.fetch", "ingest.fetch"}, {" build ", "build"});
}

static void a_group_and_a_fan_out_bring_what_is_in_them(void **state)
{
    (void)state;
    THEN({"ingest", INGEST}, {"group:ingest", INGEST}, {"group:in*", INGEST},
         {"ingest.sync", "ingest.sync[\"x\"] ingest.sync[\"y\"] ingest.sync"});
}

static void patterns_match_parts_of_names(void **state)
{
    (void)state;
    THEN({"ingest.*", "ingest.fetch ingest.sync[\"x\"] ingest.sync[\"y\"] ingest.sync"},
         {"*ch*", "ingest.fetch check"}, {"b????", "build"}, {"*[\"y\"]", "ingest.sync[\"y\"]"},
         {"*", INGEST " build check ready publish"});
}

static void a_copy_is_selected_bare_or_quoted(void **state)
{
    (void)state;
    THEN({"ingest.sync[\"x\"]", "ingest.sync[\"x\"]"}, {"'ingest.sync[\"x\"]'", "ingest.sync[\"x\"]"},
         {"\"ingest.sync[\\\"x\\\"]\"", "ingest.sync[\"x\"]"});
}

static void tags_and_kinds_select(void **state)
{
    (void)state;
    THEN({"tag:slow", "ingest.fetch build"}, {"tag:'core'", "build"}, {"tag:co*", "build"},
         {"tag:raw", INGEST}, {"tag:nightly", INGEST " build check ready publish"},
         {"kind:task", "ingest.fetch ingest.sync[\"x\"] ingest.sync[\"y\"] build check publish"},
         {"kind:gate", "ready"}, {"kind:group", "ingest"});
}

static void a_plus_goes_along_the_edges(void **state)
{
    (void)state;
    THEN({"check+", "check ready publish"}, {"+build", INGEST " build"},
         {"+check+", INGEST " build check ready publish"}, {"build+1", "build check ready"},
         {"build+2", "build check ready publish"}, {"1+publish", "ready publish"},
         {"2+publish", "build check ready publish"}, {"1+check+1", "build check ready"}, {"build+0", "build"},
         {"99999999999999+publish", INGEST " build check ready publish"});
}

static void a_walk_goes_through_groups(void **state)
{
    (void)state;
    THEN({"ingest.fetch+1", "ingest ingest.fetch ingest.sync[\"x\"] ingest.sync[\"y\"] ingest.sync build"},
         {"ingest.sync[\"x\"]+1", "ingest ingest.sync[\"x\"] ingest.sync build"},
         {"1+build", INGEST " build"}, {"+ingest.sync[\"y\"]", "ingest.fetch ingest.sync[\"y\"]"});
}

static void operators_combine_sets(void **state)
{
    (void)state;
    THEN({"build, check", "build check"}, {"build or check", "build check"}, {"build,check", "build check"},
         {"tag:slow and not ingest", "build"}, {"not (kind:task or kind:group) and kind:gate", "ready"},
         {"not not build", "build"}, {"build or check and publish", "build"},
         {"(build or check) and check", "check"}, {"not kind:task and not group:ingest", "ready"},
         {"+check and check+", "check"}, {"kind:task and not +publish", ""});
}

static void operator_words_may_begin_a_name(void **state)
{
    (void)state;
    test_compiled *c =
        given_flow("task nothing { run = \"a\" }\ntask order { run = \"a\" }\ntask android { run = \"a\" }");
    then_selects(the_plan(c), NULL, "nothing or order", "nothing order");
    then_selects(the_plan(c), NULL, "not nothing and not(order)", "android");
    end_file(c);
}

static void a_distance_counts_edges_and_the_nearest_way(void **state)
{
    (void)state;
    test_compiled *c = given_flow("task a { run = \"a\" }\ntask b { run = \"a\" }\n"
                                  "group g { task m { run = \"a\" } }\ntask z { run = \"a\" }\n"
                                  "a -> b -> z\na -> g -> z");
    then_selects(the_plan(c), NULL, "a+1", "a b g g.m");
    then_selects(the_plan(c), NULL, "1+z", "b g g.m z");
    end_file(c);
}

/* ---- a baseline ---- */

static void what_differs_from_a_baseline_is_modified(void **state)
{
    (void)state;
    test_compiled *before =
        given_flow("task a { run = \"a\" }\ntask b { run = \"b\" }\ntask c { run = \"c\" }\n"
                   "task d { run = \"d\"  title = \"D\" }\ntask gone { run = \"x\" }\na -> c\nb -> c");
    test_compiled *after =
        given_flow("task d { title = \"E\"  doc = \"text\"  run = \"d\" }\n"
                   "task a { run = \"a\" }\ntask b { run = \"other\" }\ntask c { run = \"c\" }\n"
                   "task e { run = \"e\" }\n[b, a] -> c\na -> d");
    const ax_plan *plan = the_plan(after), *baseline = the_plan(before);
    then_selects(plan, baseline, "state:modified", "d b e");
    then_selects(plan, baseline, "state:new", "e");
    then_selects(plan, baseline, "state:modified+ and not state:new", "d b c");
    then_selects(plan, plan, "state:modified", "");
    end_file(before);
    end_file(after);
}

static void a_new_policy_of_the_workflow_modifies_its_nodes(void **state)
{
    (void)state;
    test_compiled *before = given_file("workflow w { task a { run = \"a\"  timeout = 1m } }");
    test_compiled *after =
        given_file("workflow w { failure_policy = pause  task a { run = \"a\"  timeout = 1m } }");
    then_selects(the_plan(after), the_plan(before), "state:modified", "a");
    end_file(before);
    end_file(after);
}

/* ---- errors ---- */

/* "at+len text" and, behind a bar, the help. */
static void then_error(const char *text, const char *want)
{
    test_compiled *c = given_file(flow);
    ax_arena mem = AX_ARENA_INIT;
    ax_node_set set;
    ax_text_err error;
    char got[400];
    assert_false(ax_select_from(&mem, ax_str_of(text), the_plan(c), NULL, &set, &error));
    snprintf(got, sizeof got, "%u+%u %s%s%s", error.at, error.len, error.text, error.help[0] ? " | " : "",
             error.help);
    assert_string_equal(got, want);
    ax_arena_free(&mem);
    end_file(c);
}

static void what_is_not_there_is_said_with_the_nearest(void **state)
{
    (void)state;
    then_error("+biuld", "1+5 there is no node 'biuld' | did you mean 'build'?");
    then_error("check, tag:slo", "11+3 there is no tag 'slo' | did you mean 'slow'?");
    then_error("group:ingets", "6+6 there is no group 'ingets' | did you mean 'ingest'?");
    then_error("group:build", "6+5 there is no group 'build'");
    then_error("zz*", "0+3 no node is called 'zz*'");
    then_error("kind:tsk", "5+3 there is no kind 'tsk' | did you mean 'task'?");
    then_error("kind:", "0+5 what is selected is missing behind the ':'");
    then_error("tags:slow", "0+4 nothing is selected by 'tags:' | did you mean 'tag:'?");
    then_error("color:red", "0+5 nothing is selected by 'color:' | there are tag:, kind:, group: and state:");
    then_error("state:modfied", "6+7 there is no state 'modfied' | did you mean 'modified'?");
    then_error("state:modified",
               "6+8 'state:modified' needs a baseline to compare with | name the workflow as "
               "it was with --baseline");
}

static void what_is_written_wrong_is_said_at_its_place(void **state)
{
    (void)state;
    const char *example =
        "0+1 a name or a selection like tag:x is missing at the end | for example: +build_report, "
        "tag:nightly and not kind:gate";
    then_error("", example);
    then_error("build and",
               "9+1 a name or a selection like tag:x is missing at the end | for example: +build_report, "
               "tag:nightly and not kind:gate");
    then_error("build,,check", "6+1 a name or a selection like tag:x is missing before ','");
    then_error("(build", "0+1 this parenthesis is not closed");
    then_error("build)", "5+1 this parenthesis was not opened");
    then_error("()", "1+1 a name or a selection like tag:x is missing before ')'");
    then_error("build check", "6+1 an operator is missing here | join terms with 'and', 'or' or a comma");
    then_error("(build)+", "7+1 a '+' stands at a name, not at a parenthesis | write it at each name inside");
    then_error("'build", "0+6 this quote is not closed");
    then_error("sync[\"x\"", "4+4 this bracket is not closed");
    then_error("2build",
               "0+1 a name does not begin with a digit | a number of edges stands before or behind a '+': "
               "2+name, name+2");
    then_error("build++", "6+1 '+' does not belong here");
}

static void limits_are_errors(void **state)
{
    (void)state;
    char deep[AX_SELECT_DEPTH_MAX + 2];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    then_error(deep, "100+1 parentheses are nested more than 100 deep");
    ax_buf many = AX_BUF_INIT(AX_SELECT_BYTES_MAX * 2);
    for (uint32_t i = 0; i <= AX_SELECT_TERMS_MAX; i++) ax_buf_adds(&many, i ? ",build" : "build");
    then_error(many.ptr, "6000+5 the selection has more than 1000 terms");
    while (many.len <= AX_SELECT_BYTES_MAX) ax_buf_adds(&many, ",build");
    then_error(many.ptr, "0+1 the selection is longer than 65536 bytes");
    ax_buf_free(&many);
}

static void several_plans_share_one_check(void **state)
{
    (void)state;
    test_compiled *a = given_flow("task one { run = \"a\" }"), *b = given_flow("task two { run = \"a\" }");
    const ax_plan *plans[] = {the_plan(a), the_plan(b)};
    ax_arena mem = AX_ARENA_INIT;
    const ax_select *select;
    ax_text_err error;
    assert_true(ax_select_parse(&mem, AX_LIT("one or two"), &select, &error));
    assert_true(ax_select_check(select, plans, 2, false, &error));
    assert_false(ax_select_check(select, plans, 1, false, &error));
    ax_node_set set = ax_select_nodes(select, plans[1], NULL, &mem);
    then_nodes(plans[1], &set, "two");
    assert_int_equal(ax_node_set_size(&set), 1);
    ax_arena_free(&mem);
    end_file(a);
    end_file(b);
}

static void a_complement_has_no_bits_beyond_the_nodes(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 16);
    for (int i = 0; i < 130; i++) ax_buf_addf(&text, "task t%d { run = \"a\" }\n", i);
    test_compiled *c = given_flow(text.ptr);
    ax_arena mem = AX_ARENA_INIT;
    ax_node_set set;
    ax_text_err error;
    assert_true(ax_select_from(&mem, AX_LIT("not t1"), the_plan(c), NULL, &set, &error));
    assert_int_equal(ax_node_set_size(&set), 129);
    ax_arena_free(&mem);
    end_file(c);
    ax_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_selects_its_node),
        cmocka_unit_test(a_group_and_a_fan_out_bring_what_is_in_them),
        cmocka_unit_test(patterns_match_parts_of_names),
        cmocka_unit_test(a_copy_is_selected_bare_or_quoted),
        cmocka_unit_test(tags_and_kinds_select),
        cmocka_unit_test(a_plus_goes_along_the_edges),
        cmocka_unit_test(a_walk_goes_through_groups),
        cmocka_unit_test(operators_combine_sets),
        cmocka_unit_test(operator_words_may_begin_a_name),
        cmocka_unit_test(a_distance_counts_edges_and_the_nearest_way),
        cmocka_unit_test(what_differs_from_a_baseline_is_modified),
        cmocka_unit_test(a_new_policy_of_the_workflow_modifies_its_nodes),
        cmocka_unit_test(what_is_not_there_is_said_with_the_nearest),
        cmocka_unit_test(what_is_written_wrong_is_said_at_its_place),
        cmocka_unit_test(limits_are_errors),
        cmocka_unit_test(several_plans_share_one_check),
        cmocka_unit_test(a_complement_has_no_bits_beyond_the_nodes),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, NULL);
}
