/* test_expr_bind.c - what is left of an expression when its date and parameters are known. */
#include "tests/lib/test.h"

#include "compiler/emit/expr_source.h"
#include "dsl/model/expr_bind.h"
#include "tests/lib/compiled.h"

/* `when` of the node n in a workflow where full is true, count is 3 and the date 2026-11-30, as it would be
 * written; or the error. */
static void then_left(const char *when, const char *want)
{
    ax_buf text = AX_BUF_INIT(1 << 16);
    ax_buf_addf(&text,
                "param full : bool = true\nparam count : int = 3\n"
                "task p { output rows : int  output ok : bool  run = \"p\" }\n"
                "task n { run = \"n\"  when = %s }\np -> n",
                when);
    test_compiled *c = given_flow(text.ptr);
    const ax_plan *plan = the_plan(c);
    const ax_value params[] = {{.kind = AX_T_BOOL, .u.b = true}, {.kind = AX_T_INT, .u.i = 3}};
    const ax_scope scope = {.params = params, .date = 20787, .node_name = AX_LIT("n")};
    const ax_known known = {&scope, 1u << AX_ROOT_DATE | 1u << AX_ROOT_NODE_NAME};
    const ax_def *def = def_named(c, "n");
    const ax_expr *left;
    ax_err err = {0};
    ax_buf got = AX_BUF_INIT(1 << 16);
    if (ax_expr_bind(def->when, &known, &c->mem, &left, &err)) ax_buf_addf(&got, "error: %s", err.text);
    else ax_expr_source(plan, def, left, &got);
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    ax_buf_free(&text);
    end_file(c);
}

static void what_is_known_is_put_in(void **state)
{
    (void)state;
    then_left("p.rows > count", "p.rows > 3");
    then_left("date > 2026-01-01", "true");
    then_left("p.rows > count * 2 + 1", "p.rows > 7");
    then_left("node.name == \"n\"", "true");
    then_left("\"{{ p.rows }} of {{ count }}\" == \"x\"", "\"{{ p.rows }} of 3\" == \"x\"");
    then_left("attempt > count", "attempt > 3");
}

static void what_decides_ends_the_rest(void **state)
{
    (void)state;
    then_left("full or p.ok", "true");
    then_left("not full and p.ok", "false");
    then_left("full and p.ok", "p.ok");
    then_left("p.ok and full", "p.ok");
    then_left("p.ok if full else p.rows > 0", "p.ok");
    then_left("p.ok if not full else p.rows > count", "p.rows > 3");
}

static void an_unknown_operand_in_front_is_kept(void **state)
{
    (void)state;
    then_left("p.ok and not full", "p.ok and false");
    then_left("p.ok or full", "p.ok or true");
    then_left("p.rows > 1 if p.ok else count > 2", "p.rows > 1 if p.ok else true");
}

static void a_known_part_without_value_is_an_error_only_where_it_is_looked_at(void **state)
{
    (void)state;
    then_left("1 / (count - 3) > p.rows", "error: division by zero");
    then_left("full or 1 / (count - 3) > 0", "true");
    then_left("p.ok and 1 / (count - 3) > 0", "p.ok and 1 / (count - 3) > 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_is_put_in),
        cmocka_unit_test(what_decides_ends_the_rest),
        cmocka_unit_test(an_unknown_operand_in_front_is_kept),
        cmocka_unit_test(a_known_part_without_value_is_an_error_only_where_it_is_looked_at),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, NULL);
}
