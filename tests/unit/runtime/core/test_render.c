/* test_render.c - commands of attempts: words, variables, values of other nodes. */
#include "runtime/core/render.h"

#include <string.h>

#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static ax_def *def_of(test_run *r, const char *node)
{
    ax_def *defs = (ax_def *)(uintptr_t)r->plan->defs; /* the builder's own array */
    return &defs[r->plan->nodes[test_plan_node(r->plan, node)].def];
}

static ax_expr *text(ax_arena *mem, const char *value)
{
    return ax_expr_const(mem, (ax_value){.kind = AX_T_STRING, .u.s = ax_str_of(value)});
}

static const ax_str *variable(const ax_command *command, const char *name)
{
    for (uint32_t i = 0; i < command->env_count; i++) {
        const ax_str *e = &command->env[i];
        if (e->len > strlen(name) && memcmp(e->ptr, name, strlen(name)) == 0 && e->ptr[strlen(name)] == '=')
            return e;
    }
    return NULL;
}

static void a_script_runs_under_the_shell_and_is_not_touched(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    ax_command command;
    def_of(r, "a")->script = AX_LIT("echo \"$AX_V1\" '{{ x }}'");
    def_of(r, "a")->kill_after_ms = 30000;
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, NULL), AX_OK);
    assert_int_equal(command.argc, 4);
    assert_str(command.argv[0], "sh");
    assert_str(command.argv[1], "-eu");
    assert_str(command.argv[2], "-c");
    assert_str(command.argv[3], "echo \"$AX_V1\" '{{ x }}'");
    assert_str(command.cwd, "/work");
    assert_int_equal(command.kill_after_ms, 30000);

    static const ax_str bash[] = {{"bash", 4}, {"-c", 2}};
    def_of(r, "a")->shell = bash;
    def_of(r, "a")->shell_count = 2;
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, NULL), AX_OK);
    assert_int_equal(command.argc, 3);
    assert_str(command.argv[0], "bash");
    end_run(r);
}

static void a_command_knows_what_it_is_run_for(void **state)
{
    (void)state;
    test_run *r = given_run("x; fan s = 2");
    ax_command command;
    assert_int_equal(ax_render(r->view, 2, 3, &r->mem, &command, NULL), AX_OK);
    assert_str(*variable(&command, "AX_RUN_ID"), "AX_RUN_ID=7");
    assert_str(*variable(&command, "AX_WORKFLOW"), "AX_WORKFLOW=w");
    assert_str(*variable(&command, "AX_ATTEMPT"), "AX_ATTEMPT=3");
    assert_str(*variable(&command, "AX_DATE"), "AX_DATE=1970-01-01");
    assert_str(*variable(&command, "AX_REQUEST_ID"), "AX_REQUEST_ID=7.2.3");
    assert_str(*variable(&command, "AX_NODE"), "AX_NODE=s.1");
    end_run(r);
}

static void a_value_is_one_word_or_one_variable_whatever_is_in_it(void **state)
{
    (void)state;
    static const char nasty[] = "it's; touch PWNED; $(id) \"q\" \\ \n * {{ x }}";
    test_run *r = given_run("a");
    ax_command command;
    ax_expr *argv[] = {text(&r->mem, "printf"), text(&r->mem, "%s"), text(&r->mem, nasty)};
    ax_binding env = {.name = AX_LIT("P"), .value = text(&r->mem, nasty)};
    ax_def *def = def_of(r, "a");
    def->action = AX_ACTION_EXEC;
    def->argv = argv;
    def->argc = 3;
    def->env = &env;
    def->env_count = 1;
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, NULL), AX_OK);
    assert_int_equal(command.argc, 3);
    assert_str(command.argv[2], nasty);
    assert_int_equal(variable(&command, "P")->len, 2 + strlen(nasty));
    end_run(r);
}

static void a_folder_is_absolute_or_inside_the_run_s(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    ax_command command;
    def_of(r, "a")->cwd = text(&r->mem, "sub/dir");
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, NULL), AX_OK);
    assert_str(command.cwd, "/work/sub/dir");
    def_of(r, "a")->cwd = text(&r->mem, "/tmp");
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, NULL), AX_OK);
    assert_str(command.cwd, "/tmp");
    end_run(r);
}

static void what_has_no_value_is_named(void **state)
{
    (void)state;
    test_run *r = given_run("a run=bad");
    ax_command command;
    ax_err err = {0};
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, &err), AX_INVALID);
    assert_memory_equal(err.text, "'X': ", 5);
    end_run(r);
}

static void a_value_that_cannot_be_a_word_is_refused(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    ax_command command;
    ax_err err = {0};
    ax_expr *nul = ax_expr_const(&r->mem, (ax_value){.kind = AX_T_STRING, .u.s = {"a\0b", 3}});
    ax_binding env = {.name = AX_LIT("P"), .value = nul};
    def_of(r, "a")->env = &env;
    def_of(r, "a")->env_count = 1;
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, &err), AX_INVALID);
    assert_string_equal(err.text, "'P': a value has a NUL character");

    char *huge = ax_arena_alloc(&r->mem, 200001);
    memset(huge, 'x', 200000);
    env.value = text(&r->mem, huge);
    assert_int_equal(ax_render(r->view, 0, 1, &r->mem, &command, &err), AX_INVALID);
    end_run(r);
}

static void outputs_of_other_nodes_are_values(void **state)
{
    (void)state;
    static const ax_str name = {"rows", 4};
    static const ax_str twelve = {"12", 2};
    ax_report report = {.how = AX_REPORT_EXITED, .names = &name, .values = &twelve, .output_count = 1};
    test_run *r = given_run("a outputs=rows:int; a -> b; b after=a.rows");
    ax_command command;
    when_reports(r, "a", report);
    assert_int_equal(ax_render(r->view, 1, 1, &r->mem, &command, NULL), AX_OK);
    assert_str(*variable(&command, "X"), "X=12");
    end_run(r);
}

static void outputs_of_a_fan_out_are_a_list_and_of_one_copy_a_value(void **state)
{
    (void)state;
    static const ax_str name = {"rows", 4};
    static const ax_str value = {"5", 1};
    ax_report report = {.how = AX_REPORT_EXITED, .names = &name, .values = &value, .output_count = 1};
    test_run *r = given_run("fan s = 2; s outputs=rows:int; s -> b; b after=s.rows; x");
    ax_command command;
    when_reports(r, "s.1", report);
    ax_binding *binding = (ax_binding *)(uintptr_t)def_of(r, "b")->env;
    binding->value->type.kind = AX_T_LIST;
    assert_int_equal(ax_render(r->view, test_plan_node(r->plan, "b"), 1, &r->mem, &command, NULL), AX_OK);
    assert_str(*variable(&command, "X"), "X=[null,5]");

    ax_expr *key = ax_expr_const(&r->mem, (ax_value){.kind = AX_T_INT, .u.i = 1});
    binding->value = ax_expr_output(&r->mem, r->plan->nodes[0].def, 0, (ax_type){.kind = AX_T_INT}, &key, 1);
    assert_int_equal(ax_render(r->view, test_plan_node(r->plan, "b"), 1, &r->mem, &command, NULL), AX_OK);
    assert_str(*variable(&command, "X"), "X=5");
    end_run(r);
}

static void a_when_is_a_bool_and_true_by_default(void **state)
{
    (void)state;
    test_run *r = given_run("a; b when=no; c when=go");
    bool value = false;
    assert_int_equal(ax_render_when(r->view, 0, &r->mem, &value, NULL), AX_OK);
    assert_true(value);
    assert_int_equal(ax_render_when(r->view, 1, &r->mem, &value, NULL), AX_OK);
    assert_false(value);
    value = true;
    assert_int_equal(ax_render_when(r->view, 2, &r->mem, &value, NULL), AX_OK);
    assert_false(value);
    end_run(r);
}

static void a_parameter_decides_a_when(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_plan *plan = test_plan(&mem, "c when=go");
    test_run *r = given_run_of(plan, mem, "{\"go\": true}");
    when(r, AX_EVENT_ADMIT, NULL);
    then_node(r, "c", "ACTIVE");
    end_run(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_runs_under_the_shell_and_is_not_touched),
        cmocka_unit_test(a_command_knows_what_it_is_run_for),
        cmocka_unit_test(a_value_is_one_word_or_one_variable_whatever_is_in_it),
        cmocka_unit_test(a_folder_is_absolute_or_inside_the_run_s),
        cmocka_unit_test(what_has_no_value_is_named),
        cmocka_unit_test(a_value_that_cannot_be_a_word_is_refused),
        cmocka_unit_test(outputs_of_other_nodes_are_values),
        cmocka_unit_test(outputs_of_a_fan_out_are_a_list_and_of_one_copy_a_value),
        cmocka_unit_test(a_when_is_a_bool_and_true_by_default),
        cmocka_unit_test(a_parameter_decides_a_when),
    };
    return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
