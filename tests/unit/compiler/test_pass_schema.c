/* test_pass_schema.c - what may stand where, and what is said when it may not. */
#include "tests/lib/test.h"

#include <stdio.h>
#include <string.h>

#include "compiler/flow_int.h"
#include "tests/lib/compiled.h"

typedef struct {
    const char *body, *codes, *message, *help; /* message and help of the first; NULL: not looked at */
} schema_case;

static const schema_case cases[] = {
    {"task a { run = \"x\" timout = 5m }", "E0203", "a task has no attribute 'timout'",
     "did you mean 'timeout'?"},
    {"task a { run = \"x\" retrie { max = 1 } }", "E0202", "a task has no block 'retrie'",
     "did you mean 'retry'?"},
    {"task a { run = \"x\" retries = 3 }", "E0203", "a task has no attribute 'retries'",
     "retries are written retry { max = 3 }"},
    {"taks a { run = \"x\" }", "E0202", "a workflow has no block 'taks'", "did you mean 'task'?"},
    {"task a { run = \"x\" zzzzzz = 5m }", "E0203", "a task has no attribute 'zzzzzz'", NULL},
    {"task a { run = \"x\" cron = \"x\" }", "E0204", "'cron' can't stand in a task",
     "it belongs in a schedule"},
    {"timezone = UTC", "E0204", "'timezone' can't stand in a workflow", "it belongs in a schedule"},
    {"retry { max = 1 }", "E0204", "'retry' can't stand in a workflow", "it belongs in defaults or a task"},
    {"task a { run = \"x\" timeout = 5m timeout = 6m }", "E0205", "'timeout' stands here twice", NULL},
    {"task a { run = \"x\" retry { max = 1 } retry { max = 2 } }", "E0205", "'retry' stands here twice",
     NULL},
    {"defaults { }", "E0205", "'defaults' stands here twice", NULL},
    {"schedule { every = 1h }\nschedule { every = 2h }", "E0205", "'schedule' stands here twice", NULL},
    {"task a { run = \"x\" retry = 3 }", "E0206", "'retry' is a block, not an attribute",
     "write retry { max = 3 }"},
    {"task a { run = \"x\" env = \"A\" }", "E0206", "'env' is a block, not an attribute", "write env { … }"},
    {"task = 3", "E0206", "'task' is a block, not an attribute", "write task NAME { … }"},
    {"task a { run = \"x\" timeout { } }", "E0206", "'timeout' is an attribute, not a block",
     "write timeout = …"},
    {"task a { run = \"x\" http { url = \"x\" } }", "E0207", NULL, NULL},
    {"task a { run = \"x\" pools = [x] }", "E0207", NULL, NULL},
    {"wait w { until = 07:20 }", "E0207", NULL, NULL},
    {"call c { workflow = w }", "E0207", NULL, NULL},
    {"on_failed { }", "E0207", NULL, NULL},
    {"trigger { event = x }", "E0207", NULL, NULL},
    {"enabled = false", "E0207", NULL, NULL},
    {"task a from b(c = 1) { run = \"x\" }", "E0212", NULL, NULL},
    {"group g { shards = 2\n task a { run = \"x\" } }", "E0207", NULL, NULL},
    {"group g { task a { run = \"x\" } }\ndefaults wait { }", "E0207", NULL, NULL},
    {"task { run = \"x\" }", "E0209", "a name is missing here", "write task NAME { … }"},
    {"task a b { run = \"x\" }", "E0209", "one name is enough here", NULL},
    {"task \"a\" { run = \"x\" }", "E0209", "this is a name, not a text", NULL},
    {"task a = 3", "E0209", NULL, NULL},
    {"task a { run = \"x\" retry again { max = 1 } }", "E0209", "this block has no name", NULL},
    {"task a { run = \"x\" output x : int in 1..3 }", "E0209", "only a parameter has a set of allowed values",
     NULL},
    {"let a { }", "E0209", NULL, NULL},
    {"task a { run = \"x\" env { A { } } }", "E0204", NULL, NULL},
    {"task a { run = \"x\" retry.max = 3 }", "E0203", NULL, NULL},
    {"task a { run = \"x\"\n a -> a }", "E0204", "an edge can't stand in a task",
     "it belongs in a workflow or a group"},
};

static const ax_diag *first(const test_compiled *c)
{
    assert_true(c->diags.list.len > 0);
    return c->diags.list.at[0];
}

static void a_word_in_the_wrong_place_is_explained(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_compiled *c = given_flow(cases[i].body);
        then_codes(c, cases[i].codes);
        if (cases[i].message) assert_str(first(c)->text, cases[i].message);
        if (cases[i].help) assert_str(first(c)->help, cases[i].help);
        end_file(c);
    }
}

static void what_stands_at_the_top_of_a_file_is_checked(void **state)
{
    (void)state;
    static const schema_case tops[] = {
        {"import lib = \"x.axf\"", "E0207", NULL, NULL},
        {"test \"a\" { }", "E0207", NULL, NULL},
        {"event e { }", "E0207", NULL, NULL},
        {"workflw w { }", "E0202", NULL, "did you mean 'workflow'?"},
        {"task a { run = \"x\" }", "E0204", NULL, "it belongs in a workflow or a group"},
        {"doc = \"x\"", "E0204", NULL, NULL},
        {"a -> b", "E0204", "an edge can't stand in a file", NULL},
        {"workflow { }", "E0209", NULL, NULL},
        {"", "", NULL, NULL},
        {"workflow w { }", "", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        test_compiled *c = given_file(tops[i].body);
        then_codes(c, tops[i].codes);
        if (tops[i].message) assert_str(first(c)->text, tops[i].message);
        if (tops[i].help) assert_str(first(c)->help, tops[i].help);
        end_file(c);
    }
}

static void a_suggestion_is_also_an_edit(void **state)
{
    (void)state;
    test_compiled *c = given_file("workflow w { task a { run = \"x\" timout = 5m } }");
    assert_str(first(c)->replacement, "timeout");
    assert_str(ax_sources_text(&c->sources, first(c)->edit), "timout");
    end_file(c);
}

static void a_refused_block_still_declares_its_name(void **state)
{
    (void)state;
    test_compiled *c =
        given_flow("approval ok { }\ntask a { run = \"echo {{ ok.who }}\" }\nok -> a\nok:failed -> a");
    then_codes(c, "E0207");
    end_file(c);
}

static void several_mistakes_are_reported_in_one_go(void **state)
{
    (void)state;
    test_compiled *c =
        given_flow("task a { timout = 1m  retry = 3  run = \"{{ nope }}\"  failure_policy = stop }\n"
                   "tsk b { }\nx -> a\nx:fails -> a");
    then_codes(c, "E0203 E0206 E0212 E0214 E0202 E0213 E0407");
    end_file(c);
}

/* Every attribute of the table that may stand in a block can be compiled there. */
static void every_attribute_of_the_table_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
    } values[] = {
        {"exclude", "[{ k = 1 }] matrix { k = [1, 2] }"},
        {"owner", "a-b"},
        {"tags", "[a, \"b c\"]"},
        {"cron", "\"0 2 * * *\""},
        {"every", "5m"},
        {"timezone", "\"UTC\""},
        {"start", "2026-01-01"},
        {"end", "2026-12-31"},
        {"window", "2h"},
        {"catchup", "none"},
        {"run", "\"x\""},
        {"exec", "[\"x\"]"},
        {"shell", "[\"bash\", \"-c\"]"},
        {"cwd", "\"/tmp\""},
        {"join", "any"},
        {"when", "date > 2020-01-01"},
        {"failure_policy", "pause"},
        {"skip_on", "[exit(99)]"},
        {"backoff", "30s"},
        {"jitter", "10%"},
        {"on", "[any]"},
    };
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        const ax_attr_row *row = &ax_schema_attrs[i];
        const char *value = strcmp(row->type, "bool") == 0       ? "false"
                            : strcmp(row->type, "int") == 0      ? "1"
                            : strcmp(row->type, "duration") == 0 ? "5m"
                                                                 : "\"x\"";
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
            if (strcmp(values[v].name, row->name) == 0) value = values[v].value;
        for (ax_kind k = 0; k < AX_KIND_COUNT; k++) {
            if (!(row->owners & AX_KIND_BIT(k))) continue;
            ax_arena mem = AX_ARENA_INIT;
            const char *fill = k == AX_KIND_SCHEDULE && strcmp(row->name, "every") &&
                                       strcmp(row->name, "cron") && strcmp(row->name, "timezone")
                                   ? "every = 1h"
                                   : "";
            if (strcmp(row->name, "cron") == 0) fill = "timezone = UTC";
            if (strcmp(row->name, "timezone") == 0) fill = "cron = \"0 0 * * *\"";
            if (k == AX_KIND_TASK && strcmp(row->name, "run") && strcmp(row->name, "exec"))
                fill = "run = \"x\"";
            const char *around =
                k == AX_KIND_WORKFLOW   ? "workflow w { %s = %s %s }"
                : k == AX_KIND_RETRY    ? "workflow w { task a { run = \"x\" retry { %s = %s %s } } }"
                : k == AX_KIND_PARAM    ? "workflow w { param p : int { %s = %s %s } }"
                : k == AX_KIND_GROUP    ? "workflow w { group g { %s = %s %s task a { run = \"x\" } } }"
                : k == AX_KIND_TASK     ? "workflow w { task a { %s = %s %s } }"
                : k == AX_KIND_GATE     ? "workflow w { gate a { %s = %s %s } }"
                : k == AX_KIND_DEFAULTS ? "workflow w { defaults { %s = %s %s } }"
                                        : "workflow w { schedule { %s = %s %s } }";
            char text[512];
            snprintf(text, sizeof text, around, row->name, value, fill);
            test_compiled *c = given_file(text);
            if (c->diags.errors) print_error("%s\n", text);
            the_plan(c);
            end_file(c);
            ax_arena_free(&mem);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_word_in_the_wrong_place_is_explained),
    cmocka_unit_test(what_stands_at_the_top_of_a_file_is_checked),
    cmocka_unit_test(a_suggestion_is_also_an_edit),
    cmocka_unit_test(a_refused_block_still_declares_its_name),
    cmocka_unit_test(several_mistakes_are_reported_in_one_go),
    cmocka_unit_test(every_attribute_of_the_table_is_read),
};
RUN_TESTS(tests)
