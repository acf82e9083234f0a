/* test_expr.c - names and types in expressions. */
#include "tests/lib/test.h"

#include <stdio.h>

#include "tests/lib/compiled.h"

typedef struct {
    const char *body, *codes, *message, *help; /* of the first; NULL: not looked at */
} expr_case;

#define NODES                                                                                                \
    "task up { output rows : int  output names : list(string)  run = \"x\" }\n"                              \
    "task many { matrix { k = [\"a\", \"b\"] }  output n : int  run = \"{{ k }}\" }\n"
#define READER(when) NODES "task t { run = \"x\"  when = " when " }\n[up, many] -> t"

static const expr_case cases[] = {
    {READER("up.rows > 0"), "", NULL, NULL},
    {READER("many[\"a\"].n > 0"), "", NULL, NULL},
    {READER("len(many.n) > 1"), "", NULL, NULL},
    {READER("many.n[0] > 1"), "", NULL, NULL},
    {READER("\"a\" in up.names"), "", NULL, NULL},
    {READER("up.names[0] == \"x\""), "", NULL, NULL},
    {READER("attempt > 1 and node.name == run.id"), "", NULL, NULL},
    {READER("interval.start < scheduled_at"), "", NULL, NULL},
    {READER("date not in [2026-01-01, 2026-12-24]"), "", NULL, NULL},
    {READER("up.rows in 1..10"), "", NULL, NULL},
    {READER("(date if attempt > 1 else yesterday) > 2020-01-01"), "", NULL, NULL},
    {READER("up.rows"), "E0301", "'when' must be a bool, but this is an int", NULL},
    {READER("up.rows + \"x\""), "E0302", NULL, NULL},
    {READER("many.n > 1"), "E0302", NULL, NULL},
    {READER("not date"), "E0302", NULL, NULL},
    {READER("date == 3"), "E0302", NULL, NULL},
    {READER("up.row > 0"), "E0308", "'up' has no output 'row'", "did you mean 'rows'?"},
    {READER("t.rows > 0"), "E0308", NULL, NULL},
    {READER("many[\"c\"].n > 0"), "E0315", "'many' has no copy for k = \"c\"", NULL},
    {READER("many[1].n > 0"), "E0301", NULL, NULL},
    {READER("many[\"a\", \"b\"].n > 0"), "E0315", NULL,
     "a copy is chosen by the values of its keys: many[k]"},
    {READER("up[\"a\"].rows > 0"), "E0315", "'up' has no copies to choose from", NULL},
    {READER("up"), "E0317", "'up' is a node, not a value", "a value of it is one of its outputs: up.rows"},
    {READER("many[\"a\"]"), "E0317", NULL, NULL},
    {READER("up.rows.x > 1"), "E0317", "an int has no parts with names", NULL},
    {READER("run"), "E0317", "'run' alone is no value", NULL},
    {READER("date.x == 1"), "E0317", "a date has no parts with names", NULL},
    {READER("upp.rows > 0"), "E0212", "there is no node 'upp' here", "did you mean 'up'?"},
    {READER("dat > yesterday"), "E0212", NULL, "did you mean 'date'?"},
    {READER("date-1 > yesterday"), "E0212", "there is no 'date-1' here",
     "'-' inside a name is part of it; write 'date - 1'"},
    {READER("event.day == date"), "E0207", NULL, NULL},
    {READER("var.x == 1"), "E0207", NULL, NULL},
    {READER("secret.x == 1"), "E0207", NULL, NULL},
    {READER("lenn(up.names) > 0"), "E0303", NULL, "did you mean 'len'?"},
    {READER("up.rows(1)"), "E0303", NULL, NULL},
    {READER("len(text = up.names) > 0"), "E0304", NULL, NULL},
    {READER("len() > 0"), "E0304", NULL, NULL},
    {READER("{ a = 1 } == 1"), "E0317", NULL, NULL},
    {READER("1 / 0 > up.rows"), "E0310", NULL, NULL},
    {READER("1..up.rows == 1"), "E0302", NULL, NULL},
    {READER("true"), "E0306", "'when' is always true", "leave it out"},
    {READER("1 > 2"), "E0306", "'when' is always false", "to switch the node off write enabled = false"},
    {READER("t.n > 0"), "E0308", NULL, NULL},
};

static void names_and_types_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_compiled *c = given_flow(cases[i].body);
        then_codes(c, cases[i].codes);
        if (cases[i].message) assert_str(c->diags.list.at[0]->text, cases[i].message);
        if (cases[i].help) assert_str(c->diags.list.at[0]->help, cases[i].help);
        end_file(c);
    }
}

static void an_output_is_read_only_downstream(void **state)
{
    (void)state;
    static const expr_case reads[] = {
        {"task t { run = \"{{ up.rows }}\" }", "E0309",
         "'t' reads an output of 'up', but no path of edges leads from there to it", "add up -> t"},
        {"task t { run = \"{{ up.rows }}\" }\nt -> up", "E0309", NULL, NULL},
        {"task t { output x : int  run = \"{{ t.x }}\" }", "E0309",
         "'t' can't read its own output: it is there only at its end", NULL},
        {"gate g { }\ntask t { run = \"{{ up.rows }}\" }\nup:done -> g -> t", "", NULL, NULL},
        {"group g { task t { run = \"{{ up.rows }}\" } }\nup -> g", "", NULL, NULL},
        {"group g { task a { output x : int run = \"x\" } }\ntask t { run = \"{{ g.a.x }}\" }\ng -> t", "",
         NULL, NULL},
        {"task t { run = \"{{ many.n }}\" }\nmany -> t", "", NULL, NULL},
        {"task t { join = any run = \"{{ many.n }}\" }\nmany -> t", "", NULL, NULL},
        {"task t { run = \"{{ many[\"a\"].n }}\" }\nmany[\"a\"] -> t", "", NULL, NULL},
        {"task t { run = \"{{ many[\"a\"].n }}\" }\nmany[\"b\"] -> t", "E0309", NULL, NULL},
        {"task t { matrix { k = [\"a\", \"b\"] } run = \"{{ many[k].n }}\" }\nmany -> t", "", NULL, NULL},
        {"task t { matrix { k = [\"a\", \"c\"] } run = \"{{ many[k].n }}\" }\nmany -> t", "E0315", NULL,
         NULL},
        {"task t { matrix { k = [\"a\", \"b\"] } run = \"{{ k }}{{ up.rows }}\" }\nup -> t[\"a\"]", "E0309",
         NULL, NULL},
        {"env { A = up.rows }", "E0309", "an output can be read only in a node that runs after 'up'", NULL},
    };
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        char body[1024];
        snprintf(body, sizeof body, "%s%s", NODES, reads[i].body);
        test_compiled *c = given_flow(body);
        then_codes(c, reads[i].codes);
        if (reads[i].message) assert_str(c->diags.list.at[0]->text, reads[i].message);
        if (reads[i].help) assert_str(c->diags.list.at[0]->help, reads[i].help);
        end_file(c);
    }
}

/* A group with a matrix of c, a task t in it, and a task m with a matrix of k. */
#define COPIED(inside)                                                                                       \
    "group g { matrix { c = [1, 2] }\n task t { output x : int  run = \"x\" }\n"                             \
    " task m { matrix { k = [3, 4] }  exclude = [{ k = 4 }]  output n : int  run = \"{{ k }}\" }\n"          \
    " t -> m\n" inside "}\n"

static void members_of_a_copied_group_read_their_own_copy(void **state)
{
    (void)state;
    static const expr_case reads[] = {
        {COPIED("task r { when = t.x > c  run = \"x\" }\nt -> r"), "", NULL, NULL},
        {COPIED("task r { when = g.t.x > 0  run = \"x\" }\nt -> r"), "", NULL, NULL},
        {COPIED("task r { when = len(m.n) > 0  run = \"x\" }\nm -> r"), "", NULL, NULL},
        {COPIED("task r { when = m[3].n > 0  run = \"x\" }\nm -> r"), "", NULL, NULL},
        {COPIED("task r { when = m.n > 0  run = \"x\" }\nm -> r"), "E0302", NULL, NULL},
        {COPIED("task r { when = m[4].n > 0  run = \"x\" }\nm -> r"), "E0315",
         "'g.m' has no such copy: it is excluded", NULL},
        {COPIED("task r { when = t.x > 0  run = \"x\" }\nt -> r[1]"), "E0315", NULL, NULL},
        {COPIED("task r { when = t.x > 0  run = \"x\" }\ng[1].t -> g[1].r"), "E0309", NULL, NULL},
        {COPIED("") "task r { when = len(g.t.x) > 0  run = \"x\" }\ng -> r", "", NULL, NULL},
        {COPIED("") "task r { when = g[1].t.x > 0  run = \"x\" }\ng[1] -> r", "", NULL, NULL},
        {COPIED("") "task r { when = g[1].t.x > 0  run = \"x\" }\ng[2] -> r", "E0309", NULL, NULL},
        {COPIED("") "task r { when = g[2].m[3].n > 0  run = \"x\" }\ng[2].m[3] -> r", "", NULL, NULL},
        {COPIED("") "task r { when = len(g[2].m.n) > 0  run = \"x\" }\ng -> r", "", NULL, NULL},
        {COPIED("") "task r { when = g[3].t.x > 0  run = \"x\" }\ng -> r", "E0315",
         "'g' has no copy for c = 3", "a copy is chosen by the values of its keys: g[c]"},
        {COPIED("") "task r { when = g.m[3].n > 0  run = \"x\" }\ng -> r", "E0315",
         "of which copy of 'g' this is, is open", "choose that as well: g[c]"},
        {COPIED("") "task r { matrix { i = [1, 2] }  when = g[i].t.x > 0  run = \"x\" }\ng -> r", "", NULL,
         NULL},
        {COPIED("task r { matrix { c = [1] }  run = \"x\" }"), "E0201", NULL, NULL},
        {"group h { task t { output x : int  run = \"x\" } }\ntask r { when = h[1].t.x > 0  run = \"x\" }\n"
         "h -> r",
         "E0315", "'h' has no copies to choose from", NULL},
    };
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        test_compiled *c = given_flow(reads[i].body);
        then_codes(c, reads[i].codes);
        if (reads[i].message) assert_str(c->diags.list.at[0]->text, reads[i].message);
        if (reads[i].help) assert_str(c->diags.list.at[0]->help, reads[i].help);
        end_file(c);
    }
}

static void what_is_excluded_is_a_combination_of_its_matrix(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"exclude = { k = 1 }", "E0301"},
        {"exclude = [1]", "E0313"},
        {"exclude = [{ }]", "E0313"},
        {"exclude = [{ j = 1 }]", "E0313"},
        {"exclude = [{ k = 9 }]", "E0313"},
        {"exclude = [{ k = \"1\" }]", "E0301"},
        {"exclude = [{ k = attempt }]", "E0305"},
        {"exclude = [{ k = 1 }, { k = 2 }]", "E0313"},
        {"exclude = [{ \"k\" = 1 }]", "E0313"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char body[256];
        snprintf(body, sizeof body, "task t { matrix { k = [1, 2] }  run = \"{{ k }}\"\n%s }", refused[i][0]);
        test_compiled *c = given_flow(body);
        then_codes(c, refused[i][1]);
        end_file(c);
    }
    test_compiled *c = given_flow("task t { run = \"x\"  exclude = [{ k = 1 }] }");
    then_codes(c, "E0210");
    end_file(c);
}

static void lets_are_constants_in_any_order(void **state)
{
    (void)state;
    test_compiled *c = given_file(
        "let b = a * 2\nlet a = 21\nlet list = [a, b]\n"
        "workflow w { let d = \"n{{ b }}\"  task t { timeout = 1m run = \"echo {{ d }} {{ list }}\" } }");
    then_codes(c, "");
    assert_str(def_named(c, "t")->script, "echo n42 '[21,42]'");
    end_file(c);
    c = given_file("let a = b\nlet b = c\nlet c = a");
    then_codes(c, "E0316");
    end_file(c);
    c = given_file("let a = a");
    then_codes(c, "E0316");
    end_file(c);
    c = given_file("let a = date");
    then_codes(c, "E0305");
    end_file(c);
    c = given_file("let a = zzz");
    then_codes(c, "E0212");
    end_file(c);
    c = given_file("let a = 1\nworkflow w { param a : int  task t { timeout = 1m run = \"{{ a }}\" } }");
    then_codes(c, "E0201");
    end_file(c);
}

static void what_is_fixed_when_compiled_sees_only_constants(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "param p : int\ntask t { run = \"x\" retry { max = p } }",
        "param p : list(string)\ntask t { matrix { k = p } run = \"{{ k }}\" }",
        "task t { run = \"x\" timeout = attempt * 1m }",
        "param p : int\ntask t { matrix { k = [1] } run = \"x\" }\ngate u { when = p > 1 }\nt[p] -> u",
        "task t { matrix { k = [1, 2] } priority = k run = \"{{ k }}\" }",
        "param p : string in [run.id]\ntask t { run = \"{{ p }}\" }",
        "param p : date = yesterday\ntask t { run = \"{{ p }}\" }",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        test_compiled *c = given_flow(bodies[i]);
        then_codes(c, "E0305");
        end_file(c);
    }
}

static void parameters_are_typed(void **state)
{
    (void)state;
    static const expr_case params[] = {
        {"param p : int in 1..10 = 3", "", NULL, NULL},
        {"param p : float in 1..10 = 3", "", NULL, NULL},
        {"param p : list(string) = [\"a\"]", "", NULL, NULL},
        {"param p : string in [\"a\", \"b\"]", "", NULL, NULL},
        {"param p : date { doc = \"the day\" }", "", NULL, NULL},
        {"param p : int = \"x\"", "E0301", "the default must be an int, but this is a string", NULL},
        {"param p : int in 1..10 = 11", "E0312", NULL, NULL},
        {"param p : int in [1, 2] = 3", "E0312", NULL, NULL},
        {"param p : int in 10..1 = 3", "E0307", NULL, NULL},
        {"param p : string in [1, 2]", "E0301", NULL, NULL},
        {"param p : string in 1..2", "E0301", NULL, NULL},
        {"param p : string in []", "E0301", NULL, NULL},
        {"param p : text", "E0311", "there is no type 'text'", NULL},
        {"param p : strin", "E0311", NULL, "did you mean 'string'?"},
        {"param p : list", "E0311", NULL, "write list(string), for example"},
        {"param p : int(string)", "E0311", NULL, NULL},
        {"param p : any", "E0311", NULL, NULL},
        {"param p-q : int", "E0209 E0212", "the name of a parameter can't hold a '-'", "did you mean 'p_q'?"},
        {"param run : int", "E0208 E0212", NULL, NULL},
        {"param p : int\nparam p : int", "E0201", NULL, NULL},
        {"param t : int", "E0201", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++) {
        char body[512];
        snprintf(body, sizeof body, "%s\ntask t { run = \"echo {{ p }}\" }", params[i].body);
        test_compiled *c = given_flow(body);
        then_codes(c, params[i].codes);
        if (params[i].message) assert_str(c->diags.list.at[0]->text, params[i].message);
        if (params[i].help) assert_str(c->diags.list.at[0]->help, params[i].help);
        end_file(c);
    }
}

static void group_members_see_each_other_first(void **state)
{
    (void)state;
    test_compiled *c = given_flow(
        "task a { output x : int run = \"x\" }\n"
        "group g { task a { output y : int run = \"x\" }\n task b { run = \"echo {{ a.y }}\" }\n a -> b }\n"
        "group h { task b { run = \"echo {{ a.x }}\" }\n a -> b }");
    then_codes(c, "");
    then_edges(c, "g.a->g.b a->h.b");
    end_file(c);
}

static void a_syntax_error_hides_what_may_be_missing(void **state)
{
    (void)state;
    test_compiled *c = given_file(
        "workflow w {\n  param p : : int\n  task a { run = \"{{ p }} {{ q.x }}\" }\n  b -> a\n}\n");
    then_codes(c, "E0110");
    end_file(c);
    c = given_file("workflow w {\n  task t { output rows : : int  run = \"x\" }\n"
                   "  task a { run = \"{{ t.rows }} {{ t[1].rows }}\" }\n  t[1] -> a\n}\n");
    then_codes(c, "E0110");
    end_file(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_and_types_are_checked),
    cmocka_unit_test(an_output_is_read_only_downstream),
    cmocka_unit_test(members_of_a_copied_group_read_their_own_copy),
    cmocka_unit_test(what_is_excluded_is_a_combination_of_its_matrix),
    cmocka_unit_test(lets_are_constants_in_any_order),
    cmocka_unit_test(what_is_fixed_when_compiled_sees_only_constants),
    cmocka_unit_test(parameters_are_typed),
    cmocka_unit_test(group_members_see_each_other_first),
    cmocka_unit_test(a_syntax_error_hides_what_may_be_missing),
};
RUN_TESTS(tests)
