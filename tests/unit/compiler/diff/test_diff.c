/* test_diff.c - what counts as a change, under which rule it falls, and how far it reaches. */
#include "compiler/diff/diff.h"
#include <stdio.h>
#include <string.h>

#include "dsl/base/buf.h"
#include "dsl/base/file.h"
#include "dsl/syntax/fmt.h"
#include "dsl/syntax/parse.h"
#include "tests/lib/compiled.h"
#include "tests/lib/test.h"

#define NOW INT64_C(1796000000000) /* 2026-11-30 */
#define T(name) "task " name " { run = \"" name "\" }\n"

typedef struct {
    test_compiled *before, *after;
    ax_arena mem;
    ax_diff diff;
} compared;

static compared *comparison(test_compiled *before, test_compiled *after)
{
    compared *c = test_calloc(1, sizeof *c);
    c->before = before;
    c->after = after;
    ax_diff_plans(&c->mem, the_plan(c->before), the_plan(c->after), NOW, &c->diff);
    return c;
}

static compared *given(const char *before, const char *after)
{
    return comparison(given_flow(before), given_flow(after));
}

static compared *given_files(const char *before, const char *after)
{
    return comparison(given_file(before), given_file(after));
}

static void end(compared *c)
{
    ax_arena_free(&c->mem);
    end_file(c->before);
    end_file(c->after);
    test_free(c);
}

/* "node-command build, param-required p": rules and what they are about. */
static void write_changes(const compared *c, ax_buf *out)
{
    for (uint32_t i = 0; i < c->diff.change_count; i++) {
        const ax_diff_change *x = &c->diff.changes[i];
        const ax_diff_rule_row *rule = &ax_diff_rules[x->rule];
        ax_buf_addf(out, "%s%s", i ? ", " : "", rule->name);
        if (rule->subject == AX_DIFF_OF_EDGE)
            ax_buf_addf(out, " %.*s->%.*s", AX_STR(x->edge.from), AX_STR(x->edge.to));
        for (uint32_t k = 0; k < x->node_count && rule->subject == AX_DIFF_OF_NODE; k++) {
            ax_str name = ax_diff_def_name(&c->diff.merge, x->nodes[k]);
            ax_buf_addf(out, "%s%.*s", k ? "+" : " ", AX_STR(name));
        }
        if (rule->subject == AX_DIFF_OF_PARAM) ax_buf_addf(out, " %.*s", AX_STR(x->name));
    }
}

static void then_changes(const char *before, const char *after, const char *want)
{
    compared *c = given(before, after);
    ax_buf got = AX_BUF_INIT(1 << 20);
    write_changes(c, &got);
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    end(c);
}

/* ---- every rule ---- */

#define DAILY "schedule { cron = \"0 2 * * *\" timezone = UTC }\n"
#define WITH(attr) "task a { run = \"a\" " attr " }\n"
#define OUT(output) "task a { " output " run = \"a\" }\n"
#define COPIES(list) "task m { matrix { k = [" list "] } run = \"m {{ k }}\" }\n"

static const struct {
    const char *before, *after, *changes;
} cases[] = {
    {T("a") "doc = \"x\"", T("a") "doc = \"y\" title = \"z\"", "workflow-text, workflow-text"},
    {T("a"), T("a") "owner = me tags = [x]", "workflow-labels, workflow-labels"},
    {T("a") "tags = [x, y]", T("a") "tags = [y, x]", ""},
    {T("a"), T("a") "max_active_runs = 2 timeout = 1h", "workflow-limits, workflow-limits"},
    {T("a"), T("a") "failure_policy = pause", "workflow-failure"},
    {T("a"), WITH("failure_policy = pause"), "node-failure a"},

    {T("a"), T("a") "param p : int = 1", "param-added p"},
    {T("a"), T("a") "param p : int", "param-added-required p"},
    {T("a") "param p : int", T("a"), "param-removed p"},
    {T("a") "param p : int = 1", T("a") "param p : int", "param-required p"},
    {T("a") "param p : int", T("a") "param p : int = 1", "param-optional p"},
    {WITH("env { P = p }") "param p : int = 1", WITH("env { P = p }") "param p : int = 2", "param-default p"},
    {T("a") "param p : int = 1", T("a") "param p : int = 2", "param-default-unused p"},
    {T("a") "param p : float", T("a") "param p : int", "param-narrowed p"},
    {T("a") "param p : int", T("a") "param p : float", "param-widened p"},
    {T("a") "param p : string", T("a") "param p : string in [\"x\"]", "param-narrowed p"},
    {T("a") "param p : string in [\"x\", \"y\"]", T("a") "param p : string in [\"z\", \"y\"]",
     "param-narrowed p"},
    {T("a") "param p : string in [\"x\"]", T("a") "param p : string in [\"y\", \"x\"]", "param-widened p"},
    {T("a") "param p : string in [\"x\", \"y\"]", T("a") "param p : string in [\"y\", \"x\"]", ""},
    {T("a") "param p : int in 1..5", T("a") "param p : int in 1..6", "param-widened p"},
    {T("a") "param p : int in 1..5", T("a") "param p : int in 2..9", "param-narrowed p"},
    {T("a") "param p : int in 1..3", T("a") "param p : int in [1, 2, 3]", ""},
    {T("a") "param p : int in [1, 2]", T("a") "param p : int in 1..3", "param-widened p"},
    {T("a") "param p : int", T("a") "param p : int { doc = \"x\" }", "param-text p"},

    {T("a"), T("a") DAILY, "schedule-added"},
    {T("a") DAILY, T("a"), "schedule-removed"},
    {T("a") "schedule x { cron = \"0 2 * * *\" timezone = UTC }",
     T("a") "schedule y { cron = \"0 2 * * *\" timezone = UTC }", "schedule-renamed"},
    {T("a") DAILY, T("a") "schedule { cron = \"@daily\" timezone = UTC }", "schedule-times"},
    {T("a") DAILY, T("a") "schedule { cron = \"0 2 * * 0-6\" timezone = UTC }", "schedule-spelling"},
    {T("a") DAILY, T("a") "schedule { cron = \"0 2 * * *\" timezone = \"Etc/UTC\" }", "schedule-spelling"},
    {T("a") DAILY, T("a") "schedule { cron = \"0 2 * * 1-5\" timezone = UTC }", "schedule-dates"},
    {T("a") DAILY, T("a") "schedule { cron = \"0 2 * * *\" timezone = UTC start = 2020-01-01 }",
     "schedule-dates"},
    {WITH("env { X = interval.end }") DAILY,
     WITH("env { X = interval.end }") "schedule { cron = \"0 3 * * *\" timezone = UTC }",
     "schedule-intervals"},
    {T("a") DAILY, T("a") "schedule { cron = \"0 2 * * *\" timezone = UTC catchup = none window = 2d }",
     "schedule-catchup, schedule-catchup"},

    {T("a"), T("a") T("b"), "node-added b"},
    {T("a"), T("a") T("b") "a -> b", "node-added b, edge-of-new a->b"},
    {T("a"), T("a") T("b") "b -> a", "node-inserted b, edge-of-new b->a"},
    {T("a"), T("a") T("b") "b:failed -> a", "node-added b, edge-of-new b->a"},
    {T("a") "group g {" T("x") "}\ng -> a", T("a") "group g {" T("x") T("y") "}\ng -> a",
     "node-inserted g.y"},
    {T("a") T("b"), T("a"), "node-removed b"},
    {T("a") T("b") "a -> b", T("a"), "node-removed b, edge-of-gone a->b"},
    {T("a") T("b") "b -> a", T("a"), "node-gone b, edge-of-gone b->a"},
    {T("a") "task b { output o : int run = \"b\" }", T("a"), "node-gone b"},
    {"task a { run = \"make the report\" }", "task b { run = \"make the report\" }", "node-renamed b"},

    {T("a"), "task a { run = \"b\" }", "node-command a"},
    {T("a"), "task a { exec = [\"a\"] }", "node-command a"},
    {T("a"), WITH("shell = [\"bash\", \"-c\"]"), "node-command a"},
    {T("a"), WITH("shell = [\"sh\", \"-eu\", \"-c\"]"), ""},
    {T("a"), WITH("cwd = \"/tmp\""), "node-command a"},
    {T("a"), WITH("env { X = \"1\" }"), "node-command a"},
    {WITH("env { X = \"1\" Y = \"2\" }"), WITH("env { Y = \"2\" X = \"1\" }"), ""},
    {T("a"), "env { X = \"1\" }\n" T("a"), "node-command a"},
    {T("a"), "gate a { }", "node-command a"},
    {T("a"), WITH("when = weekday(date) == 1"), "node-condition a"},
    {T("a"), WITH("enabled = false"), "node-condition a"},
    {T("a"), WITH("finally = true"), "node-condition a"},
    {T("a") T("b") "task z { run = \"z\" }\n[a, b] -> z",
     T("a") T("b") "task z { run = \"z\" join = any }\n[a, b] -> z", "node-condition z"},
    {T("a"), WITH("skip_on = [exit(9)]"), "node-failure a"},
    {WITH("skip_on = [exit(9), exit(8)]"), WITH("skip_on = [exit(8), exit(9)]"), ""},
    {T("a"), WITH("timeout = 2m"), "node-limits a"},
    {T("a"), WITH("timeout = 60s kill_after = 30s priority = 0 idempotent = true"), ""},
    {T("a"), WITH("kill_after = 31s priority = 1 idempotent = false"),
     "node-limits a, node-limits a, node-limits a"},
    {T("a"), WITH("retry { max = 0 backoff = 30s }"), ""},
    {WITH("retry { max = 2 backoff = 30s }"), WITH("retry { max = 2 backoff = [30s, 30s] on = [any] }"), ""},
    {WITH("retry { max = 2 backoff = 30s }"), WITH("retry { max = 2 backoff = [30s, 31s] }"),
     "node-limits a"},
    {T("a"), WITH("tags = [x]"), "node-labels a"},
    {T("a"), WITH("title = \"x\" doc = \"y\""), "node-text a, node-text a"},
    {T("a") T("b"), T("b") T("a"), ""},

    {T("a"), OUT("output o : int"), "output-added a"},
    {OUT("output o : int"), T("a"), "output-removed a"},
    {OUT("output o : int"), OUT("output o : string"), "output-type a"},
    {OUT("output o : int"), OUT("output o : float"), "output-type a"},
    {OUT("output o : float"), OUT("output o : int"), "output-narrowed a"},
    {OUT("output o : int = 1"), OUT("output o : int = 2"), "output-default a"},

    {COPIES("1"), COPIES("1, 2"), "copies-added m"},
    {COPIES("1") T("z") "m -> z", COPIES("1, 2") T("z") "m -> z", "copies-inserted m"},
    {COPIES("1, 2"), COPIES("1"), "copies-removed m"},
    {COPIES("1, 2") T("z") "m -> z", COPIES("2") T("z") "m -> z", "copies-missed m"},
    {COPIES("1, 2") T("z") "m[1] -> z", COPIES("2") T("z"), "copies-gone m, edge-of-gone m[1]->z"},
    {COPIES("1, 2"), COPIES("2, 1"), ""},
    {COPIES("1, 2") "task z { join = any run = \"z\" }\nm -> z",
     COPIES("1, 2") "task z { join = all run = \"z\" }\nm -> z", "node-condition z"},

    {T("a") T("b"), T("a") T("b") "a -> b", "edge-added a->b"},
    {T("a") T("b") "a -> b", T("a") T("b"), "edge-removed a->b"},
    {T("a") T("b") "a -> b", T("a") T("b") "a:done -> b", "edge-condition a->b"},
    {T("a") T("b"), T("a") T("b") "a:failed -> b", "edge-condition a->b"},
    {T("a") T("b") "a:failed -> b", T("b"), "edge-condition a->b, node-removed a"},
    {T("a") T("b") T("c") "[a, b] -> c", T("c") T("b") T("a") "b -> c\na -> c", ""},
};

static void each_rule_is_found_where_it_applies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        then_changes(cases[i].before, cases[i].after, cases[i].changes);
}

static void every_rule_of_the_table_has_a_case(void **state)
{
    (void)state;
    for (int r = 0; r < AX_RULE_COUNT; r++) {
        const char *name = ax_diff_rules[r].name;
        bool found =
            r == AX_RULE_WORKFLOW_ADDED || r == AX_RULE_WORKFLOW_REMOVED || r == AX_RULE_WORKFLOW_RENAMED;
        for (size_t i = 0; i < sizeof cases / sizeof *cases && !found; i++) {
            ax_str rest = ax_str_of(cases[i].changes), word = ax_str_of(name);
            for (; rest.len && !found; rest = ax_str_slice(rest, 1, rest.len)) {
                bool ends = rest.len == word.len || (rest.len > word.len && strchr(" ,", rest.ptr[word.len]));
                found = ax_str_starts(rest, word) && ends;
            }
        }
        if (!found) print_error("no case for %s\n", name);
        assert_true(found);
    }
}

/* ---- the verdict ---- */

static void the_worst_change_is_the_verdict(void **state)
{
    (void)state;
    compared *c = given(T("a") T("b"), T("a") "task b { run = \"c\" title = \"x\" }\nparam p : int");
    assert_int_equal(c->diff.verdict, AX_VERDICT_BREAKING);
    assert_int_equal(c->diff.counts[AX_VERDICT_BREAKING], 1);
    assert_int_equal(c->diff.counts[AX_VERDICT_BACKFILL], 1);
    assert_int_equal(c->diff.counts[AX_VERDICT_COSMETIC], 1);
    assert_int_equal(c->diff.changes[0].rule, AX_RULE_PARAM_ADDED_REQUIRED);
    end(c);
}

static void a_workflow_that_comes_is_safe_and_one_that_goes_breaks(void **state)
{
    (void)state;
    test_compiled *c = given_flow(T("a"));
    ax_arena mem = AX_ARENA_INIT;
    ax_diff diff;
    ax_diff_plans(&mem, NULL, the_plan(c), NOW, &diff);
    assert_int_equal(diff.changes[0].rule, AX_RULE_WORKFLOW_ADDED);
    assert_int_equal(diff.verdict, AX_VERDICT_SAFE);
    ax_diff_plans(&mem, the_plan(c), NULL, NOW, &diff);
    assert_int_equal(diff.changes[0].rule, AX_RULE_WORKFLOW_REMOVED);
    assert_int_equal(diff.verdict, AX_VERDICT_BREAKING);
    ax_arena_free(&mem);
    end_file(c);
}

/* ---- values ---- */

static const ax_diff_change *change_of(const compared *c, const char *attr)
{
    for (uint32_t i = 0; i < c->diff.change_count; i++) {
        if (ax_str_is(c->diff.changes[i].attr, attr)) return &c->diff.changes[i];
    }
    print_error("no change of %s\n", attr);
    fail();
    return NULL;
}

static void values_are_those_that_take_effect(void **state)
{
    (void)state;
    compared *c = given_files(
        "workflow w { defaults { kill_after = 1m retry { max = 3 backoff = [30s, 5m] } }\n" T("a") T("b") "}",
        "workflow w {" T("a") T("b") "}");
    const ax_diff_change *retry = change_of(c, "retry"), *kill = change_of(c, "kill_after");
    assert_str(retry->before, "3, backoff 30s 5m");
    assert_str(retry->after, "");
    assert_int_equal(retry->node_count, 2);
    assert_str(kill->before, "1m");
    assert_str(kill->after, "30s");
    end(c);
}

static void a_renamed_producer_changes_nothing_in_its_readers(void **state)
{
    (void)state;
    const char *before = "task load { output rows : int run = \"load all the rows\" }\n"
                         "task use { run = \"use {{ load.rows }}\" when = load.rows > 0 }\nload -> use";
    const char *after = "task fetch { output rows : int run = \"load all the rows\" }\n"
                        "task use { run = \"use {{ fetch.rows }}\" when = fetch.rows > 0 }\nfetch -> use";
    then_changes(before, after, "node-renamed fetch");
}

static void text_that_looks_like_an_expression_is_none(void **state)
{
    (void)state;
    then_changes("task a { exec = [\"echo\", \"{{ date }}\"] }", "task a { exec = [\"echo\", '{{ date }}'] }",
                 "node-command a");
    then_changes("task a { env { X = \"1\" } run = \"x\" }", "task a { env { X = 1 } run = \"x\" }",
                 "node-command a");
}

/* ---- reach ---- */

static void what_stands_behind_is_counted_once_and_groups_are_passed_through(void **state)
{
    (void)state;
    const char *rest =
        "group g {" T("x") T("y") "x -> y }\n" COPIES("1, 2, 3") T("z") T("alone") "a -> g -> m -> z\n";
    char before[2000], after[2000];
    snprintf(before, sizeof before, "%s%s", T("a"), rest);
    snprintf(after, sizeof after, "%s%s", "task a { run = \"other\" }\n", rest);
    compared *c = given(before, after);
    const ax_diff_change *x = change_of(c, "command");
    assert_int_equal(x->affects.count, 4);
    assert_str(x->affects.first[0], "g.x");
    assert_str(x->affects.first[1], "g.y");
    assert_str(x->affects.first[2], "m");
    assert_str(x->affects.first[3], "z");
    assert_int_equal(c->diff.stale.count, 5);
    end(c);
}

static void a_gone_node_reaches_what_is_left_of_what_stood_behind_it(void **state)
{
    (void)state;
    compared *c = given(T("a") T("b") T("c") "a -> b -> c", T("c"));
    for (uint32_t i = 0; i < c->diff.change_count; i++) {
        const ax_diff_change *x = &c->diff.changes[i];
        if (x->rule != AX_RULE_NODE_GONE) continue;
        assert_int_equal(x->affects.count, 1);
        assert_str(x->affects.first[0], "c");
    }
    assert_int_equal(c->diff.counts[AX_VERDICT_BREAKING], 2);
    end(c);
}

/* More changes than fit one pass over the graph, each with its own reach. */
static void reach_is_exact_for_many_changes_at_once(void **state)
{
    (void)state;
    enum { LENGTH = 200 };
    ax_buf before = AX_BUF_INIT(1 << 20), after = AX_BUF_INIT(1 << 20);
    for (int i = 0; i < LENGTH; i++) {
        ax_buf_addf(&before, "task t%d { run = \"old %d\" }\n", i, i);
        ax_buf_addf(&after, "task t%d { run = \"new %d\" }\n", i, i);
        if (!i) continue;
        ax_buf_addf(&before, "t%d -> t%d\n", i - 1, i);
        ax_buf_addf(&after, "t%d -> t%d\n", i - 1, i);
    }
    compared *c = given(before.ptr, after.ptr);
    assert_int_equal(c->diff.change_count, LENGTH);
    for (uint32_t i = 0; i < LENGTH; i++) assert_int_equal(c->diff.changes[i].affects.count, LENGTH - 1 - i);
    assert_int_equal(c->diff.stale.count, LENGTH);
    end(c);
    ax_buf_free(&before);
    ax_buf_free(&after);
}

static void users_of_a_parameter_are_what_its_default_affects(void **state)
{
    (void)state;
    const char *rest = "task a { run = \"a {{ p }}\" }\n" T("b") T("c") "a -> b";
    char before[1000], after[1000];
    snprintf(before, sizeof before, "param p : int = 1\n%s", rest);
    snprintf(after, sizeof after, "param p : int = 2\n%s", rest);
    compared *c = given(before, after);
    assert_int_equal(c->diff.changes[0].affects.count, 2);
    assert_str(c->diff.changes[0].affects.first[0], "a");
    assert_int_equal(c->diff.stale.count, 2);
    end(c);
}

/* ---- groups with a matrix ---- */

static void edges_inside_the_copies_of_a_group_are_one(void **state)
{
    (void)state;
#define GROUP(list) "group g { matrix { r = [" list "] } " T("x") T("y") "x -> y }\n"
    then_changes(GROUP("1, 2"), GROUP("1, 2, 3"), "copies-added g");
    then_changes(GROUP("1, 2"), "group g { matrix { r = [1, 2] } " T("x") T("y") "}\n",
                 "edge-removed g.x->g.y");
}

/* ---- schedules ---- */

static void instants_are_shown_before_and_after(void **state)
{
    (void)state;
    compared *c = given(T("a") DAILY, T("a") "schedule { cron = \"0 2 * * 1-5\" timezone = UTC }");
    assert_int_equal(c->diff.schedule_count, 1);
    const ax_diff_schedule *s = &c->diff.schedules[0];
    assert_int_equal(s->before_count, AX_DIFF_INSTANTS_MAX);
    assert_int_equal(s->after_count, AX_DIFF_INSTANTS_MAX);
    assert_int_equal(s->come_count, 0);
    assert_true(s->go_count >= 104 && s->go_count <= 105);
    end(c);
}

/* ---- what holds always ---- */

static const char *const files[] = {"examples/workflows/nightly_report.axf", "examples/workflows/repair.axf",
                                    "examples/workflows/hello.axf"};

static ax_str read_file(ax_arena *mem, const char *path)
{
    ax_buf text = AX_BUF_INIT(1 << 20);
    assert_int_equal(ax_file_read(path, &text, NULL), AX_OK);
    ax_str copy = ax_str_dup(mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return copy;
}

static ax_str formatted(ax_arena *mem, ax_str text)
{
    ax_sources sources = ax_sources_new(mem);
    ax_diags diags = ax_diags_new(mem, &sources);
    ax_source *source;
    ax_buf out = AX_BUF_INIT(1 << 20);
    assert_int_equal(ax_sources_add(&sources, AX_LIT("f"), text, &source, NULL), AX_OK);
    ax_fmt(ax_parse(mem, source, &diags), mem, &out);
    ax_str copy = ax_str_dup(mem, ax_buf_str(&out));
    ax_buf_free(&out);
    return copy;
}

static void a_file_has_no_change_to_itself_nor_to_its_layout(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_str text = read_file(&mem, files[i]);
        test_compiled *a = given_text(text), *b = given_text(text), *c = given_text(formatted(&mem, text));
        ax_diff diff;
        ax_diff_plans(&mem, the_plan(a), the_plan(b), NOW, &diff);
        assert_int_equal(diff.change_count, 0);
        assert_int_equal(diff.verdict, AX_VERDICT_SAME);
        ax_diff_plans(&mem, the_plan(a), the_plan(c), NOW, &diff);
        assert_int_equal(diff.change_count, 0);
        end_file(a);
        end_file(b);
        end_file(c);
        ax_arena_free(&mem);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_rule_is_found_where_it_applies),
    cmocka_unit_test(every_rule_of_the_table_has_a_case),
    cmocka_unit_test(the_worst_change_is_the_verdict),
    cmocka_unit_test(a_workflow_that_comes_is_safe_and_one_that_goes_breaks),
    cmocka_unit_test(values_are_those_that_take_effect),
    cmocka_unit_test(a_renamed_producer_changes_nothing_in_its_readers),
    cmocka_unit_test(text_that_looks_like_an_expression_is_none),
    cmocka_unit_test(what_stands_behind_is_counted_once_and_groups_are_passed_through),
    cmocka_unit_test(a_gone_node_reaches_what_is_left_of_what_stood_behind_it),
    cmocka_unit_test(reach_is_exact_for_many_changes_at_once),
    cmocka_unit_test(users_of_a_parameter_are_what_its_default_affects),
    cmocka_unit_test(edges_inside_the_copies_of_a_group_are_one),
    cmocka_unit_test(instants_are_shown_before_and_after),
    cmocka_unit_test(a_file_has_no_change_to_itself_nor_to_its_layout),
};
RUN_TESTS(tests)
