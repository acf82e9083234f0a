/* test_preview.c - what a run would be: fates against the engine itself on random graphs, waves, times,
 * commands, the instant of a date.
 */
#include "tests/lib/test.h"

#include <stdio.h>
#include <string.h>

#include "compiler/preview/preview.h"
#include "dsl/model/units.h"
#include "runtime/core/view_int.h"
#include "tests/lib/compiled.h"
#include "tests/lib/plan.h"
#include "tests/lib/run.h"

static const ax_preview_run some_day = {.date = 20787};

/* ---- fates ---- */

typedef struct {
    uint64_t state;
} dice;

static uint32_t roll(dice *d, uint32_t sides)
{
    d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(d->state >> 33) % sides;
}

enum { NODES = 12, GROUP_AT = 4, GROUP_SIZE = 3 };

static void add_words(dice *d, uint32_t node, ax_buf *out)
{
    static const char *const words[] = {
        "",        "",         "",         "enabled=no",      "when=no",     "when=go",
        "when=go", "gate=yes", "join=any", "join=at_least:2", "join=strict", "join=any when=go"};
    ax_buf_addf(out, "n%u %s\n", node, words[roll(d, sizeof words / sizeof *words)]);
}

/* A random graph with a group in the middle, whose edges go from lower to higher numbers. */
static const char *random_plan(dice *d, ax_buf *out)
{
    static const char *const outcomes[] = {"", "", "", ":failed", ":skipped", ":passed", ":done"};
    ax_buf_clear(out);
    for (uint32_t n = 0; n < NODES; n++) add_words(d, n, out);
    ax_buf_addf(out, "group g =");
    for (uint32_t n = 0; n < GROUP_SIZE; n++) ax_buf_addf(out, " n%u", GROUP_AT + n);
    ax_buf_adds(out, "\n");
    if (roll(d, 2)) ax_buf_adds(out, "end finally=yes\n");
    for (uint32_t to = 1; to < NODES; to++) {
        for (uint32_t from = 0; from < to; from++) {
            const char *outcome = outcomes[roll(d, sizeof outcomes / sizeof *outcomes)];
            bool inside = from >= GROUP_AT && from < GROUP_AT + GROUP_SIZE;
            if (roll(d, 4)) continue;
            if (inside && to >= GROUP_AT + GROUP_SIZE && roll(d, 2))
                ax_buf_addf(out, "g%s -> n%u\n", outcome, to);
            else ax_buf_addf(out, "n%u%s -> n%u\n", from, outcome, to);
        }
    }
    return out->ptr;
}

/* Drives a run in which every task succeeds to its end. */
static void finish(test_run *r)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t n = 0; n < r->plan->node_count; n++) {
            bool is_task = ax_plan_kind(r->plan, n) == AX_NODE_TASK;
            if (!is_task || r->view->nodes[n].state != AX_NODE_ST_ACTIVE) continue;
            when_exits(r, ax_str_c(&r->mem, r->plan->nodes[n].name), 0);
            moved = true;
        }
    }
    then_run(r, "SUCCEEDED");
}

static const char *reason_of(const ax_node_rec *rec)
{
    return rec->reason == AX_REASON_DISABLED          ? "disabled"
           : rec->reason == AX_REASON_CONDITION_FALSE ? "condition_false"
           : rec->reason == AX_REASON_NOT_TAKEN       ? "not_taken"
                                                      : "join_unmet";
}

/* The preview without knowledge of `go` holds for the run with it. */
static void compare(const char *text, const char *params, const ax_value *go)
{
    ax_arena mem = AX_ARENA_INIT, own = AX_ARENA_INIT;
    test_run *r = given_run_of(test_plan(&own, text), own, params);
    when(r, AX_EVENT_ADMIT, NULL);
    finish(r);
    ax_preview p;
    ax_preview_make(&(ax_preview_input){.plan = r->plan, .run = &some_day, .params = go}, &mem, &p);
    for (uint32_t n = 0; n < r->plan->node_count; n++) {
        if (ax_plan_kind(r->plan, n) == AX_NODE_GROUP) continue;
        const ax_preview_node *node = &p.nodes[n];
        const ax_node_rec *rec = &r->view->nodes[n];
        bool ran = rec->state == AX_NODE_ST_SUCCEEDED;
        bool fits = node->fate == AX_FATE_MAYBE ? go == NULL : ran == (node->fate == AX_FATE_RUNS);
        bool same_reason = !go || node->fate != AX_FATE_SKIPPED || ran ||
                           strcmp(ax_why_not_name(node->why), reason_of(rec)) == 0;
        if (!fits || !same_reason)
            fail_msg("%.*s is to be %s %s in\n%swith %s", AX_STR(r->plan->nodes[n].name),
                     ax_fate_name(node->fate), ax_why_not_name(node->why), text, params);
    }
    ax_arena_free(&mem);
    end_run(r);
}

static void a_run_does_what_its_preview_says(void **state)
{
    (void)state;
    dice d = {20261130};
    ax_buf text = AX_BUF_INIT(1 << 16);
    const ax_value yes = {.kind = AX_T_BOOL, .u.b = true}, no = {.kind = AX_T_BOOL, .u.b = false};
    for (int i = 0; i < 400; i++) {
        random_plan(&d, &text);
        compare(text.ptr, "{\"go\": true}", &yes);
        compare(text.ptr, "{\"go\": false}", &no);
        compare(text.ptr, "{\"go\": true}", NULL);
        compare(text.ptr, "{\"go\": false}", NULL);
    }
    ax_buf_free(&text);
}

/* ---- waves and times ---- */

/* "a=1 b=2": the waves of what is not skipped, in the order of the plan; then the critical path. */
static void then_waves(const char *text, const char *durations, const char *waves, const char *critical)
{
    ax_arena mem = AX_ARENA_INIT;
    const ax_plan *plan = test_plan(&mem, text);
    int64_t *ms = AX_NEW_N(&mem, int64_t, plan->node_count);
    for (uint32_t n = 0; n < plan->node_count && durations; n++) ms[n] = (durations[n] - '0') * 1000;
    ax_preview p;
    ax_preview_make(
        &(ax_preview_input){.plan = plan, .run = &some_day, .durations_ms = durations ? ms : NULL}, &mem, &p);
    ax_buf got = AX_BUF_INIT(1 << 16);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        if (p.nodes[n].fate == AX_FATE_SKIPPED || ax_plan_kind(plan, n) == AX_NODE_GROUP) continue;
        ax_buf_addf(&got, "%s%.*s=%u", got.len ? " " : "", AX_STR(plan->nodes[n].name), p.nodes[n].wave);
    }
    assert_str(ax_buf_str(&got), waves);
    ax_buf_clear(&got);
    ax_buf_addf(&got, "%lld:", (long long)(p.length_ms / 1000));
    for (uint32_t i = 0; i < p.critical_count; i++)
        ax_buf_addf(&got, " %.*s", AX_STR(plan->nodes[p.critical[i]].name));
    assert_str(ax_buf_str(&got), critical);
    ax_buf_free(&got);
    ax_arena_free(&mem);
}

static void a_node_is_one_wave_behind_its_last_parent(void **state)
{
    (void)state;
    then_waves("a -> b -> d; a -> c -> d; a -> d", NULL, "a=1 b=2 d=3 c=2", "3: a b d");
    then_waves("a; b; c", NULL, "a=1 b=1 c=1", "1: a");
}

static void durations_choose_the_critical_path(void **state)
{
    (void)state;
    then_waves("a -> b -> d; a -> c -> d", "1315", "a=1 b=2 d=3 c=2", "7: a c d");
}

static void a_join_that_counts_waits_for_the_first_ones(void **state)
{
    (void)state;
    then_waves("c join=any; a -> b -> c; x -> c", NULL, "c=2 a=1 b=2 x=1", "2: x c");
    then_waves("c join=at_least:2; a -> b -> c; x -> c; y -> c", NULL, "c=2 a=1 b=2 x=1 y=1", "2: y c");
}

static void gates_and_groups_take_no_time(void **state)
{
    (void)state;
    then_waves("g gate=yes; a -> g -> b", NULL, "g=2 a=1 b=2", "2: a b");
    then_waves("group g = x y; x -> y; a -> g -> b", NULL, "x=2 y=3 a=1 b=4", "4: a x y b");
}

static void a_skipped_node_takes_no_time(void **state)
{
    (void)state;
    then_waves("b when=no; a -> b -> c; a:done -> d; b:skipped -> e", NULL, "a=1 d=2 e=2", "2: a d");
    then_waves("a:failed -> b", NULL, "a=1", "1: a");
}

static void what_runs_at_the_end_comes_last(void **state)
{
    (void)state;
    then_waves("e finally=yes; a -> b", NULL, "e=3 a=1 b=2", "3: a b e");
    then_waves("e finally=yes; f finally=yes; e -> f; a", NULL, "e=2 f=3 a=1", "3: a e f");
}

/* ---- commands ---- */

/* The command of task t in a workflow with this parameter; its script or arguments, then what is bound by
 * name. */
static void then_command(const char *task, const char *param, const char *want)
{
    ax_buf text = AX_BUF_INIT(1 << 16);
    ax_buf_addf(&text,
                "param p : string = \"\"\ntask up { output rows : int  run = \"x\" }\ntask t { %s }\nup -> t",
                task);
    test_compiled *c = given_flow(text.ptr);
    const ax_plan *plan = the_plan(c);
    const ax_value value = {.kind = AX_T_STRING, .u.s = ax_str_of(param)};
    ax_preview p;
    ax_preview_make(&(ax_preview_input){.plan = plan, .run = &some_day, .params = &value}, &c->mem, &p);
    ax_preview_command command = {0};
    ax_err err = {0};
    ax_buf got = AX_BUF_INIT(1 << 16);
    if (ax_preview_command_of(&p, node_named(c, "t"), &c->mem, &command, &err))
        ax_buf_addf(&got, "error: %s", err.text);
    else ax_buf_add(&got, command.script);
    for (uint32_t i = 0; i < command.argc && !err.text[0]; i++)
        ax_buf_addf(&got, "%s<%.*s>%s", i ? " " : "", AX_STR(command.argv[i].text),
                    command.argv[i].known ? "" : "?");
    for (uint32_t i = 0; i < command.bind_count; i++) {
        if (!command.bind_is_named[i]) continue;
        ax_buf_addf(&got, " | %.*s=", AX_STR(command.binds[i].name));
        ax_preview_word(command.binds[i].text, &got);
    }
    for (uint32_t i = 0; i < command.env_count; i++)
        ax_buf_addf(&got, " | %.*s=%.*s", AX_STR(command.env[i].name), AX_STR(command.env[i].text));
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    ax_buf_free(&text);
    end_file(c);
}

static void known_values_stand_in_the_script(void **state)
{
    (void)state;
    then_command("run = \"do {{ date }} {{ p }}\"", "x", "do 2026-11-30 x");
    then_command("run = \"do {{ p }}\"", "it's $(here)", "do 'it'\\''s $(here)'");
    then_command("run = \"do {{ p }}\"", "", "do ''");
    then_command("run = \"do \\\"<{{ p }}>\\\"\"", "x y", "do \"<x y>\"");
}

static void what_would_change_its_meaning_stays_a_variable(void **state)
{
    (void)state;
    then_command("run = \"do \\\"<{{ p }}>\\\" {{ p }}\"", "a\"b", "do \"<${AX_V1}>\" 'a\"b' | AX_V1='a\"b'");
    then_command("run = \"do \\\"<{{ p }}>\\\"\"", "$HOME", "do \"<${AX_V1}>\" | AX_V1='$HOME'");
}

static void outputs_are_shown_as_they_are_written(void **state)
{
    (void)state;
    then_command("run = \"do {{ up.rows }} {{ p }}\"", "x", "do {{ up.rows }} x");
    then_command("exec = [\"do\", \"{{ up.rows }} of {{ p }}\", \"{{ date }}\"]", "x",
                 "<do> <{{ up.rows }} of x>? <2026-11-30>");
    then_command("run = \"do\"  env { A = p  B = \"{{ up.rows }}-{{ date }}\" }", "x",
                 "do | A=x | B={{ up.rows }}-2026-11-30");
}

static void a_value_that_can_not_be_is_an_error(void **state)
{
    (void)state;
    then_command("exec = [\"do\", \"{{ 1 / len(p) }}\"]", "", "error: argument 2: division by zero");
}

/* ---- the run of a date ---- */

static void then_run_of(const char *schedules, const char *date, const char *want)
{
    test_compiled *c = given_flow(schedules);
    int64_t day = 0;
    ax_preview_run run;
    ax_err err = {0};
    ax_buf got = AX_BUF_INIT(4096);
    assert_true(ax_date_parse(ax_str_of(date), &day));
    assert_int_equal(ax_preview_run_of(the_plan(c), day, &c->mem, &run, &err), AX_OK);
    ax_instant_text(run.scheduled_at, &got);
    ax_buf_addc(&got, ' ');
    ax_instant_text(run.interval_end, &got);
    ax_buf_addf(&got, " %s%u", run.schedule ? "due " : "not due ", run.due_count);
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    end_file(c);
}

static void a_date_has_the_first_instant_that_is_due(void **state)
{
    (void)state;
    then_run_of("schedule { cron = \"0 2 * * *\"  timezone = \"Europe/Berlin\" }", "2026-03-29",
                "2026-03-29T01:00:00Z 2026-03-30T00:00:00Z due 1");
    then_run_of("schedule { cron = \"0 */6 * * *\"  timezone = \"UTC\" }", "2026-03-29",
                "2026-03-29T00:00:00Z 2026-03-29T06:00:00Z due 4");
    then_run_of("schedule a { cron = \"0 2 * * 1\"  timezone = \"UTC\" }  schedule b { every = 24h }",
                "2026-03-29", "2026-03-29T00:00:00Z 2026-03-30T00:00:00Z due 1");
}

static void a_date_that_is_not_due_is_a_whole_day(void **state)
{
    (void)state;
    then_run_of("schedule { cron = \"0 2 * * 1\"  timezone = \"Europe/Berlin\" }", "2026-03-29",
                "2026-03-28T23:00:00Z 2026-03-29T22:00:00Z not due 0");
    then_run_of("", "2026-03-29", "2026-03-29T00:00:00Z 2026-03-30T00:00:00Z not due 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_does_what_its_preview_says),
        cmocka_unit_test(a_node_is_one_wave_behind_its_last_parent),
        cmocka_unit_test(durations_choose_the_critical_path),
        cmocka_unit_test(a_join_that_counts_waits_for_the_first_ones),
        cmocka_unit_test(gates_and_groups_take_no_time),
        cmocka_unit_test(a_skipped_node_takes_no_time),
        cmocka_unit_test(what_runs_at_the_end_comes_last),
        cmocka_unit_test(known_values_stand_in_the_script),
        cmocka_unit_test(what_would_change_its_meaning_stays_a_variable),
        cmocka_unit_test(outputs_are_shown_as_they_are_written),
        cmocka_unit_test(a_value_that_can_not_be_is_an_error),
        cmocka_unit_test(a_date_has_the_first_instant_that_is_due),
        cmocka_unit_test(a_date_that_is_not_due_is_a_whole_day),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, NULL);
}
