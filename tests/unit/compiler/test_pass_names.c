/* test_pass_names.c - which names are free, and matrices. */
#include "tests/lib/test.h"

#include "tests/lib/compiled.h"

#define T(name) "task " name " { run = \"x\" }\n"
#define M(keys) "task m { matrix { " keys " } run = \"x\" }\n"

static const struct {
    const char *body, *codes, *message; /* message of the first; NULL: not looked at */
} cases[] = {
    {T("a") T("a"), "E0201", "the name 'a' is taken"},
    {T("a") "gate a { }", "E0201", NULL},
    {T("a") "group a { " T("b") "}", "E0201", NULL},
    {"group g { " T("a") T("a") "}", "E0201", NULL},
    {T("a") "group g { " T("a") "}", "", NULL},
    {"group g { " T("a") "}\ngroup h { " T("a") "}", "", NULL},
    {"group g { " T("g") "}", "", NULL},
    {"let a = 1\ntask a { run = \"echo {{ a }}\" }", "E0201", NULL},
    {"param a : int\ntask b { matrix { a = [1] } run = \"echo {{ a }}\" }", "E0201", NULL},
    {"task b { matrix { a = [1]  a = [2] } run = \"echo {{ a }}\" }", "E0201", NULL},
    {"task b { output a : int  output a : int  run = \"x\" }", "E0201", NULL},
    {"task b { matrix { a = [1] }  output a : int  run = \"echo {{ a }}\" }", "", NULL},
    {T("date"), "E0208", "'date' is the name of a value that every run has"},
    {T("item"), "E0208", NULL},
    {"task b { output run : int  run = \"x\" }", "E0208", NULL},
    {T("schedule") T("task") T("my-task"), "", NULL},
    {"task b { output a-b : int  run = \"x\" }", "E0209", "the name of an output can't hold a '-'"},
    {M("a-b = [1]"), "E0209", "the name of a matrix key can't hold a '-'"},
    /* matrices */
    {M("k = [1, 2]"), "", NULL},
    {M("k = [1, 2.5]"), "", NULL},
    {M("k = [true, false]"), "", NULL},
    {M("k = 3"), "E0313", "a matrix key has a list of values"},
    {M("k = []"), "E0313", "'k' has no values, so there would be no copies"},
    {M("k = [1, \"a\"]"), "E0313", "the values of 'k' must be scalars of one type"},
    {M("k = [[1], [2]]"), "E0313", NULL},
    {M("k = [null]"), "E0313", NULL},
    {M("k = [1, 1.0]"), "E0313", "'k' has the value 1.0 twice"},
    {M("k = [1h, 60m]"), "E0313", NULL},
    {M("k = [date]"), "E0305", NULL},
    {M("\"k\" = [1]"), "E0204", NULL},
};

static void a_name_means_one_thing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_compiled *c = given_flow(cases[i].body);
        then_codes(c, cases[i].codes);
        if (cases[i].message) then_message(c, cases[i].message);
        end_file(c);
    }
}

static void two_workflows_need_two_names(void **state)
{
    (void)state;
    test_compiled *c = given_file("workflow a { }\nworkflow a { }");
    then_codes(c, "E0201");
    end_file(c);
    c = given_file("workflow a { }\nworkflow b { }");
    then_codes(c, "");
    assert_int_equal(c->out.plan_count, 2);
    assert_str(c->out.plans[1]->name, "b");
    end_file(c);
}

static void a_mistake_in_one_workflow_leaves_the_others(void **state)
{
    (void)state;
    test_compiled *c = given_file("workflow a { x = 1 }\nworkflow b { }");
    then_codes(c, "E0203");
    assert_int_equal(c->out.plan_count, 1);
    assert_str(c->out.plans[0]->name, "b");
    end_file(c);
}

static void what_is_refused_is_refused_once(void **state)
{
    (void)state;
    test_compiled *c = given_file(
        "import lib = \"x.axf\"\nworkflow a { task t { timeout = 1m  run = \"{{ lib.x }}\" }\nlib.y -> t }");
    then_codes(c, "E0207");
    end_file(c);
}

static void a_matrix_has_limits(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 16);
    ax_buf_adds(&text, "workflow w { task t { run = \"x\" matrix {");
    for (int i = 0; i < 70; i++) ax_buf_addf(&text, " k%d = [1]", i);
    ax_buf_adds(&text, " } } }");
    test_compiled *c = given_text(ax_buf_str(&text));
    then_codes(c, "E0314");
    then_message(c, "there are more than 64 keys in this matrix and those around it");
    end_file(c);
    ax_buf_free(&text);
    c = given_file(
        "let n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
        "workflow w { task t { run = \"x\" matrix { a = n b = n c = n d = n e = n f = [1, 2] } } }");
    then_codes(c, "E0314");
    end_file(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_name_means_one_thing),
    cmocka_unit_test(two_workflows_need_two_names),
    cmocka_unit_test(a_mistake_in_one_workflow_leaves_the_others),
    cmocka_unit_test(what_is_refused_is_refused_once),
    cmocka_unit_test(a_matrix_has_limits),
};
RUN_TESTS(tests)
