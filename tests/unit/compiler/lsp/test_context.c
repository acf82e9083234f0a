/* test_context.c - what may be written at a place of an unfinished text. */
#include "tests/lib/test.h"

#include <string.h>

#include "compiler/lsp/context_int.h"
#include "tests/lib/parsed.h"

static const char *const at_names[] = {
    [AX_AT_NOTHING] = "nothing", [AX_AT_ITEM] = "item",         [AX_AT_VALUE] = "value",
    [AX_AT_EXPR] = "expr",       [AX_AT_NODE] = "node",         [AX_AT_OUTCOME] = "outcome",
    [AX_AT_TYPE] = "type",       [AX_AT_TEMPLATE] = "template", [AX_AT_ARGUMENT] = "argument",
};

/* "item task timeo", "value retry.on", "node path=a.b": kind of place, block, attribute, path, word. */
static void then_context(const char *text, const char *want)
{
    const char *bar = strchr(text, '|');
    assert_non_null(bar);
    ax_arena mem = AX_ARENA_INIT;
    size_t at = (size_t)(bar - text);
    ax_str whole = ax_str_fmt(&mem, "%.*s%s", (int)at, text, bar + 1);
    parsed *p = parsed_file(whole);
    ax_names names;
    ax_context c;
    ax_buf got = AX_BUF_INIT(1 << 16);
    ax_names_read(&mem, p->file, &names);
    ax_context_read(&mem, whole, (uint32_t)at, &names, &c);
    ax_buf_adds(&got, at_names[c.at]);
    if (c.at == AX_AT_ITEM || c.at == AX_AT_VALUE)
        ax_buf_addf(&got, " %s", c.kind == AX_KIND_COUNT ? "?" : ax_schema_kinds[c.kind].name);
    if (c.at == AX_AT_VALUE)
        ax_buf_addf(&got, ".%.*s%s%s", AX_STR(c.attr), c.declares ? ":" : "", c.is_nested ? "()" : "");
    for (uint32_t i = 0; i < c.path_len; i++)
        ax_buf_addf(&got, "%s%.*s", i ? "." : " path=", AX_STR(c.path[i]));
    if (c.word.len > 0) ax_buf_addf(&got, " '%.*s'", AX_STR(c.word));
    if (!ax_str_is(ax_buf_str(&got), want)) print_error("in: %s\n", text);
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    parsed_free(p);
    ax_arena_free(&mem);
}

static void an_item_begins_in_a_block(void **state)
{
    (void)state;
    then_context("|", "item file");
    then_context("work|", "item file 'work'");
    then_context("workflow w {\n  |\n}", "item workflow");
    then_context("workflow w {\n  ta|\n}", "item workflow 'ta'");
    then_context("workflow w { task a { timeo| } }", "item task 'timeo'");
    then_context("workflow w { task a { timeout = 5m | } }", "item task");
    then_context("workflow w { task a { timeout = 5m  r| } }", "item task 'r'");
    then_context("workflow w { task a { retry { max = 3  b| } } }", "item retry 'b'");
    then_context("workflow w { task a { retry { max = 3 } | } }", "item task");
    then_context("workflow w { group g { group h { | } } }", "item group");
    then_context("workflow w { a -> b\n  | }", "item workflow");
    then_context("workflow w { a -> b:failed\n  c| }", "item workflow 'c'");
    then_context("workflow w { param x : int\n | }", "item workflow");
    then_context("workflow w { param x : list(int) = [1] | }", "item workflow");
    then_context("workflow w { [a, b] -> c\n | }", "item workflow");
    then_context("workflow w { tags = [a]\n | }", "item workflow");
    then_context("workflow w { task a { run = \"x {{ date }} y\"\n | } }", "item task");
    then_context("workflow w { zzz { | } }", "item ?");
    then_context("workflow w { env { | } }", "item env");
    then_context("workflow w { task a { timeout\n | } }", "item task");
}

static void values_follow_their_attribute(void **state)
{
    (void)state;
    then_context("workflow w { failure_policy = | }", "value workflow.failure_policy");
    then_context("workflow w { failure_policy =|", "value workflow.failure_policy");
    then_context("workflow w { task a { failure_policy = br| } }", "value task.failure_policy 'br'");
    then_context("workflow w { task a { retry { on = [exit(75), | } } }", "value retry.on");
    then_context("workflow w { task a { retry { on = [exit(| } } }", "value retry.on()");
    then_context("workflow w { task a { when = a == | } }", "value task.when");
    then_context("workflow w { task a { when = not | } }", "value task.when");
    then_context("let x = |", "value file.let:");
    then_context("workflow w { param x : int = | }", "value workflow.param:");
    then_context("workflow w { param x : string in [| }", "value workflow.param:");
    then_context("workflow w { task a { env { A = | } } }", "value env.A");
    then_context("workflow w { task a { timeout = 5|", "value task.timeout '5'");
}

static void expressions_stand_inside_texts(void **state)
{
    (void)state;
    then_context("workflow w { task a { run = \"x {{ |", "expr");
    then_context("workflow w { task a { run = \"x {{ reg| }} y\" } }", "expr 'reg'");
    then_context("workflow w { task a { run = \"\"\"\n  x {{ a.|\n", "expr path=a");
    then_context("workflow w { task a { run = \"{{ a }} {{ b + |", "expr");
    then_context("workflow w { task a { run = \"{{ f(date, |", "expr");
    then_context("workflow w { task a { exec = [\"{{ s[1].|", "expr path=s");
    then_context("workflow w { task a { run = \"{{ \"x {{ |", "expr");
}

static void edges_name_nodes_and_outcomes(void **state)
{
    (void)state;
    then_context("workflow w { a -> | }", "node");
    then_context("workflow w { a -> b| }", "node 'b'");
    then_context("workflow w { a -> b -> | }", "node");
    then_context("workflow w { a -> [b, | }", "node");
    then_context("workflow w { [a, | }", "node");
    then_context("workflow w { a -> g.| }", "node path=g");
    then_context("workflow w { g.| }", "node path=g");
    then_context("workflow w { g.h.x| }", "node path=g.h 'x'");
    then_context("workflow w { a:| }", "outcome");
    then_context("workflow w { a:fa| -> b }", "outcome 'fa'");
    then_context("workflow w { [a, b]:| }", "outcome");
    then_context("workflow w { [a:| }", "outcome");
    then_context("workflow w { a[\"x\"]:| }", "outcome");
    then_context("workflow w { x -> y\n a -> | }", "node");
}

static void a_type_follows_a_label(void **state)
{
    (void)state;
    then_context("workflow w { param x : | }", "type");
    then_context("workflow w { task a { output x : in| } }", "type 'in'");
}

static void a_template_and_its_arguments_follow_from(void **state)
{
    (void)state;
    then_context("workflow w { task a from | }", "template");
    then_context("workflow w { task a from t| }", "template 't'");
    then_context("workflow w { task a from t(| }", "argument");
    then_context("workflow w { task a from t(x = 1, | }", "argument");
    then_context("workflow w { task a from t(x = |) { } }", "expr");
    then_context("workflow w { task a from t(x = 1) { | } }", "item task");
    then_context("template t(a, b = 1) { | }", "item template");
    then_context("template t(a) { retry { | } }", "item retry");
    then_context("template t(a) { task x { | } }", "item task");
}

static void nothing_is_offered_elsewhere(void **state)
{
    (void)state;
    then_context("# a comm|ent", "nothing");
    then_context("workflow w { # |\n }", "nothing");
    then_context("workflow w { doc = \"some |", "nothing");
    then_context("workflow w { doc = \"some text|", "nothing");
    then_context("workflow w { doc = \"some text\"| }", "nothing");
    then_context("workflow w { doc = '|", "nothing");
    then_context("workflow w { doc = \"\"\"\n  some |\n", "nothing");
    then_context("workflow w { task | }", "nothing");
    then_context("workflow w { task a| { } }", "nothing 'a'");
    then_context("workflow w { task a | { } }", "nothing");
    then_context("workflow w { a | }", "nothing");
}

static void after_a_comment_an_item_begins(void **state)
{
    (void)state;
    then_context("# x\n|", "item file");
    then_context("workflow w { task a { timeout = 5m # x\n | } }", "item task");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_item_begins_in_a_block),
    cmocka_unit_test(values_follow_their_attribute),
    cmocka_unit_test(expressions_stand_inside_texts),
    cmocka_unit_test(edges_name_nodes_and_outcomes),
    cmocka_unit_test(a_type_follows_a_label),
    cmocka_unit_test(a_template_and_its_arguments_follow_from),
    cmocka_unit_test(nothing_is_offered_elsewhere),
    cmocka_unit_test(after_a_comment_an_item_begins),
};

RUN_TESTS(tests)
