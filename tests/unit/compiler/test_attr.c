/* test_attr.c - attributes as they reach the plan: defaults, merging, shapes of their own, bounds. */
#include "tests/lib/test.h"

#include "tests/lib/compiled.h"

static void a_task_has_the_defaults_of_the_language(void **state)
{
    (void)state;
    test_compiled *c = given_file("workflow w { task t { run = \"x\" } }");
    then_codes(c, "W0601");
    const ax_def *t = def_named(c, "t");
    assert_int_equal(t->timeout_ms, 0);
    assert_int_equal(t->kill_after_ms, 30000);
    assert_int_equal(t->retry.max, 0);
    assert_int_equal(t->policy, AX_POLICY_SKIP);
    assert_int_equal(t->join, AX_JOIN_ALL);
    assert_true(t->enabled && t->idempotent && !t->finally_ && !t->fan_out);
    assert_int_equal(t->shell_count, 0);
    assert_int_equal(the_plan(c)->max_active_runs, 1);
    assert_int_equal(t->line, 1);
    assert_str(t->file, "main.axf");
    end_file(c);
}

static void what_a_task_says_wins_over_its_defaults(void **state)
{
    (void)state;
    test_compiled *c = given_file(
        "workflow w {\n  failure_policy = pause\n  env { A = \"1\"  B = \"2\"  C = \"3\" }\n"
        "  defaults { timeout = 5m  shell = [\"bash\", \"-c\"]  priority = 7  tags = [d]\n"
        "    retry { max = 2  backoff = [1s, 2s] }  env { B = \"4\"  D = \"5\" } }\n"
        "  task a { run = \"x\" }\n"
        "  task b { run = \"x\"  timeout = null  shell = null  priority = -1  failure_policy = ignore\n"
        "    retry { max = 0 }  env { A = null  D = \"6\"  E = 7 } }\n"
        "  gate g { }\n}");
    const ax_def *a = def_named(c, "a"), *b = def_named(c, "b"), *g = def_named(c, "g");
    assert_int_equal(a->timeout_ms, 300000);
    assert_int_equal(b->timeout_ms, 0);
    assert_int_equal(a->shell_count, 2);
    assert_int_equal(b->shell_count, 0);
    assert_int_equal(a->priority, 7);
    assert_int_equal(b->priority, -1);
    assert_int_equal(a->policy, AX_POLICY_PAUSE);
    assert_int_equal(b->policy, AX_POLICY_IGNORE);
    assert_int_equal(a->retry.max, 2);
    assert_int_equal(b->retry.max, 0);
    assert_int_equal(b->retry.wait_count, 2);
    assert_int_equal(a->tag_count, 1);
    static const char *const want_a[] = {"A", "B", "C", "D"}, *const want_b[] = {"B", "C", "D", "E"};
    assert_int_equal(a->env_count, 4);
    assert_int_equal(b->env_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_str(a->env[i].name, want_a[i]);
        assert_str(b->env[i].name, want_b[i]);
    }
    assert_str(a->env[1].value->u.value.u.s, "4");
    assert_str(b->env[2].value->u.value.u.s, "6");
    assert_int_equal(g->env_count, 0);
    assert_int_equal(g->timeout_ms, 0);
    end_file(c);
}

static void retries_have_three_forms_of_wait(void **state)
{
    (void)state;
    test_compiled *c = given_flow(
        "task a { run = \"x\" retry { max = 1 backoff = 30s jitter = 10% on = [exit(75), exit(100..110), "
        "timeout, lost, any] } }\n"
        "task b { run = \"x\" retry { max = 1 backoff = [30s, 5m] } }\n"
        "task c { run = \"x\" retry { max = 1 backoff = exponential(30s, factor = 3, max = 1h) } }\n"
        "task d { run = \"x\" skip_on = [exit(99), exit(3..4)] retry { max = 1 backoff = exponential(1s) } "
        "}");
    const ax_retry *a = &def_named(c, "a")->retry, *b = &def_named(c, "b")->retry,
                   *e = &def_named(c, "c")->retry;
    assert_int_equal(a->backoff, AX_BACKOFF_LIST);
    assert_int_equal(a->wait_count, 1);
    assert_int_equal(a->waits_ms[0], 30000);
    assert_true(a->jitter > 0.0999 && a->jitter < 0.1001);
    assert_int_equal(a->on_count, 5);
    assert_int_equal(a->on[1].from, 100);
    assert_int_equal(a->on[1].to, 110);
    assert_int_equal(a->on[2].kind, AX_WHY_TIMEOUT);
    assert_int_equal(a->on[4].kind, AX_WHY_ANY);
    assert_int_equal(b->wait_count, 2);
    assert_int_equal(b->waits_ms[1], 300000);
    assert_int_equal(e->backoff, AX_BACKOFF_EXPONENTIAL);
    assert_int_equal(e->base_ms, 30000);
    assert_int_equal(e->cap_ms, 3600000);
    assert_true(e->factor > 2.99 && e->factor < 3.01);
    assert_true(def_named(c, "d")->retry.factor > 1.99);
    assert_int_equal(def_named(c, "d")->skip_on_count, 2);
    end_file(c);
}

static void a_schedule_reaches_the_plan(void **state)
{
    (void)state;
    test_compiled *c = given_flow("schedule night { cron = \"0 2 * * *\"  timezone = \"Asia/Shanghai\"  "
                                  "start = 2026-01-01  end = 2026-12-31\n"
                                  "  window = 2h  catchup = all }\nschedule often { every = 15m }");
    const ax_plan *p = the_plan(c);
    assert_int_equal(p->schedule_count, 2);
    assert_str(p->schedules[0].name, "night");
    assert_str(p->schedules[0].cron, "0 2 * * *");
    assert_str(p->schedules[0].timezone, "Asia/Shanghai");
    assert_true(p->schedules[0].has_start && p->schedules[0].has_end);
    assert_int_equal(p->schedules[0].end_day - p->schedules[0].start_day, 364);
    assert_int_equal(p->schedules[0].window_ms, 7200000);
    assert_int_equal(p->schedules[0].catchup, AX_CATCHUP_ALL);
    assert_int_equal(p->schedules[1].every_ms, 900000);
    assert_int_equal(p->schedules[1].window_ms, 86400000);
    assert_int_equal(p->schedules[1].catchup, AX_CATCHUP_LATEST);
    assert_int_equal(p->schedules[1].line, 5);
    end_file(c);
}

static void symbols_and_texts_reach_the_plan(void **state)
{
    (void)state;
    test_compiled *c = given_flow("title = \"W\"  doc = \"\"\"\n  two\n  lines\n  \"\"\"\n  owner = "
                                  "data-platform  tags = [a, \"b c\"]  max_active_runs = 3  timeout = 2h\n"
                                  "task t { title = \"T\" doc = 'd' tags = [x] cwd = \"/srv/{{ date }}\" "
                                  "exec = [\"a\", 1, date, [1, 2]] }");
    const ax_plan *p = the_plan(c);
    assert_str(p->title, "W");
    assert_str(p->doc, "two\nlines");
    assert_str(p->owner, "data-platform");
    assert_str(p->tags[1], "b c");
    assert_int_equal(p->max_active_runs, 3);
    assert_int_equal(p->timeout_ms, 7200000);
    const ax_def *t = def_named(c, "t");
    assert_str(t->title, "T");
    assert_int_equal(t->action, AX_ACTION_EXEC);
    assert_int_equal(t->argc, 4);
    assert_non_null(t->cwd);
    end_file(c);
}

typedef struct {
    const char *body, *codes, *message;
} attr_case;

#define TASK(attrs) "task t { run = \"x\" " attrs " }"

static const attr_case refused[] = {
    {TASK("timeout = 0s"), "E0307", "'timeout' must be at least 1ms"},
    {TASK("timeout = \"5m\""), "E0301", "'timeout' must be a duration, but this is a string"},
    {TASK("timeout = 5"), "E0301", NULL},
    {TASK("kill_after = -1s"), "E0307", "'kill_after' must be at least 0s"},
    {TASK("timeout = 40000d"), "E0307", NULL},
    {TASK("retry { backoff = [1s, 40000d] }"), "E0307", NULL},
    {TASK("priority = 3000000000"), "E0307", "'priority' must be at most 2147483647"},
    {TASK("priority = 1.5"), "E0301", NULL},
    {TASK("enabled = 1"), "E0301", NULL},
    {TASK("failure_policy = \"skip\""), "E0214", "'failure_policy' is one bare word"},
    {TASK("failure_policy = stop"), "E0214", "'failure_policy' can't be 'stop'"},
    {TASK("failure_policy = [skip]"), "E0214", NULL},
    {TASK("tags = finance"), "E0301", "'tags' is a list of names"},
    {TASK("tags = [\"{{ date }}\"]"), "E0214", NULL},
    {TASK("shell = []"), "E0307", NULL},
    {TASK("shell = \"bash\""), "E0301", NULL},
    {TASK("cwd = 3"), "E0301", NULL},
    {TASK("join = most"), "E0214", "'join' can't be 'most'"},
    {TASK("join = \"all\""), "E0214", NULL},
    {TASK("join = at_least(0)"), "E0307", NULL},
    {TASK("join = at_least(\"x\")"), "E0301", NULL},
    {TASK("join = at_least(1, 2)"), "E0304", NULL},
    {TASK("join = at_least()"), "E0214", NULL},
    {TASK("skip_on = exit(99)"), "E0301", "'skip_on' is a list"},
    {TASK("skip_on = [timeout]"), "E0214", NULL},
    {TASK("skip_on = [exit(0)]"), "E0307", NULL},
    {TASK("skip_on = [exit(256)]"), "E0307", NULL},
    {TASK("skip_on = [exit(9..3)]"), "E0307", NULL},
    {TASK("skip_on = [exit(\"x\")]"), "E0301", NULL},
    {TASK("skip_on = [99]"), "E0214", NULL},
    {TASK("retry { max = -1 }"), "E0307", "'max' must be at least 0"},
    {TASK("retry { jitter = 200% }"), "E0307", "'jitter' must be at most 100%"},
    {TASK("retry { on = [http(429)] }"), "E0207", NULL},
    {TASK("retry { on = [timeot] }"), "E0214", "'on' can't be 'timeot'"},
    {TASK("retry { on = [] }"), "E0307", NULL},
    {TASK("retry { backoff = 3 }"), "E0301", NULL},
    {TASK("retry { backoff = [1s, 2] }"), "E0301", NULL},
    {TASK("retry { backoff = [1, 2] }"), "E0301", NULL},
    {TASK("retry { backoff = -1s }"), "E0307", NULL},
    {TASK("retry { backoff = exponential() }"), "E0304", NULL},
    {TASK("retry { backoff = exponential(factor = 2) }"), "E0304", NULL},
    {TASK("retry { backoff = exponential(1s, 2) }"), "E0304", NULL},
    {TASK("retry { backoff = exponential(1s, factor = 0.5) }"), "E0307", NULL},
    {TASK("retry { backoff = exponential(1m, max = 1s) }"), "E0307", NULL},
    {TASK("retry { backoff = exponential(0s) }"), "E0307", NULL},
    {TASK("env { AX_V1 = \"x\" }"), "E0215", NULL},
    {TASK("env { a-b = \"x\" }"), "E0215", NULL},
    {TASK("env { A = \"x\"  A = \"y\" }"), "E0205", NULL},
    {"env { A = \"x\" }\n" TASK("env { A = \"x\"  A = \"y\" }"), "E0205", NULL},
    {"task t { }", "E0210", "task 't' does nothing"},
    {"task t { run = \"x\" exec = [\"x\"] }", "E0211", NULL},
    {"task t { run = \" \\n\" }", "E0505", "there is nothing to run"},
    {"task t { run = 3 }", "E0301", NULL},
    {"task t { exec = [] }", "E0505", NULL},
    {"task t { exec = [\"\"] }", "E0505", NULL},
    {"task t { exec = \"x\" }", "E0301", NULL},
    {"task t { exec = [\"x\", null] }", "E0301", NULL},
    {"schedule { }", "E0210", "this schedule does not say when"},
    {"schedule { cron = \"0 2 * * *\" }", "E0210", "a cron expression needs a time zone"},
    {"schedule { cron = \"0 2 * * *\" every = 1h timezone = UTC }", "E0211", NULL},
    {"schedule { every = 1h timezone = UTC }", "E0211", "'every' counts real time and has no time zone"},
    {"schedule { every = 1ms }", "E0307", "'every' must be at least 1s"},
    {"schedule { every = 1h start = 2026-02-01 end = 2026-01-01 }", "E0307", NULL},
    {"schedule { every = 1h catchup = all }", "E0210", "'catchup = all' needs a 'start'"},
    {"schedule { cron = \"0 2 30 2 *\" timezone = UTC }", "E0318", NULL},
    {"schedule { cron = \"99 2 * * *\" timezone = UTC }", "E0318", NULL},
    {"schedule { cron = \"0 2 * * *\" timezone = \"Asia/Shangai\" }", "E0318", NULL},
    {"schedule a { every = 1h }\nschedule a { every = 2h }", "E0201", NULL},
    {"max_active_runs = 0", "E0307", NULL},
    {"owner = \"{{ 1 }}\"", "E0214", NULL},
};

static void a_value_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        test_compiled *c = given_flow(refused[i].body);
        then_codes(c, refused[i].codes);
        if (refused[i].message) then_message(c, refused[i].message);
        end_file(c);
    }
}

static void an_error_in_a_cron_expression_is_at_its_column(void **state)
{
    (void)state;
    test_compiled *c = given_flow("schedule { cron = \"0 2 * * xyz\"  timezone = UTC }");
    then_codes(c, "E0318");
    assert_str(ax_sources_text(&c->sources, c->diags.list.at[0]->span), "xyz");
    end_file(c);
}

static void a_group_switches_its_members_off(void **state)
{
    (void)state;
    test_compiled *c = given_flow("group g { enabled = false  task a { run = \"x\" }\n group h { task b { "
                                  "run = \"x\" } } }\ntask c { run = \"x\" }");
    assert_false(def_named(c, "g.a")->enabled);
    assert_false(def_named(c, "g.h.b")->enabled);
    assert_true(def_named(c, "c")->enabled);
    end_file(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_task_has_the_defaults_of_the_language),
    cmocka_unit_test(what_a_task_says_wins_over_its_defaults),
    cmocka_unit_test(retries_have_three_forms_of_wait),
    cmocka_unit_test(a_schedule_reaches_the_plan),
    cmocka_unit_test(symbols_and_texts_reach_the_plan),
    cmocka_unit_test(a_value_that_makes_no_sense_is_refused),
    cmocka_unit_test(an_error_in_a_cron_expression_is_at_its_column),
    cmocka_unit_test(a_group_switches_its_members_off),
};
RUN_TESTS(tests)
