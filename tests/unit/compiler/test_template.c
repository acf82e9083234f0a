/* test_template.c - nodes that are made from templates: arguments, merging, nesting, and where errors are
 * shown. */
#include "tests/lib/test.h"

#include <stdio.h>

#include "tests/lib/compiled.h"

#define BASE                                                                                                 \
    "template base(name, tries = 2) {\n timeout = 5m\n retry { max = tries  backoff = 30s }\n"               \
    " env { A = \"a\"  B = name }\n run = \"echo {{ name }}\"\n}\n"

static test_compiled *given_both(const char *templates, const char *body)
{
    char text[4096];
    snprintf(text, sizeof text,
             "%sworkflow w {\ndefaults { timeout = 1m }\nparam region : string = \"eu\"\n"
             "task last { run = \"echo {{ region }}\" }\n%s\n}\n",
             templates, body);
    return given_file(text);
}

static void a_node_says_what_its_template_says(void **state)
{
    (void)state;
    test_compiled *c = given_both(
        BASE, "task x from base(name = \"n\") { }\ntask y from base(name = region, tries = 5) { }");
    const ax_def *x = def_named(c, "x"), *y = def_named(c, "y");
    assert_str(x->script, "echo n");
    assert_int_equal(x->timeout_ms, 300000);
    assert_int_equal(x->retry.max, 2);
    assert_int_equal(x->env_count, 2);
    assert_str(y->script, "echo \"$AX_V1\"");
    assert_int_equal(y->binds[0].value->kind, AX_X_PARAM);
    assert_int_equal(y->retry.max, 5);
    then_codes(c, "");
    end_file(c);
}

static void what_the_node_says_wins_and_blocks_merge(void **state)
{
    (void)state;
    test_compiled *c =
        given_both(BASE, "task x from base(name = \"n\") {\n timeout = 7m\n retry { max = 9 }\n"
                         " env { B = null  C = \"c\" }\n exec = [\"other\"]\n}\n"
                         "task y from base(name = \"n\") { timeout = null  retry { backoff = null } }");
    const ax_def *x = def_named(c, "x"), *y = def_named(c, "y");
    assert_int_equal(x->timeout_ms, 420000);
    assert_int_equal(x->retry.max, 9);
    assert_int_equal(x->retry.wait_count, 1);
    assert_int_equal(x->env_count, 2);
    assert_str(x->env[1].name, "C");
    assert_int_equal(x->action, AX_ACTION_EXEC);
    assert_int_equal(y->timeout_ms, 0);
    assert_int_equal(y->retry.wait_count, 0);
    assert_int_equal(y->retry.max, 2);
    end_file(c);
}

#define PIPE                                                                                                 \
    BASE "template pipe(table) {\n task load from base(name = table) { tags = [table] }\n"                   \
         " task check { output ok : bool  run = \"check {{ table }}\" }\n load -> check\n}\n"

static void a_group_has_the_nodes_and_edges_of_its_template(void **state)
{
    (void)state;
    test_compiled *c = given_both(
        PIPE, "group p from pipe(table = \"o\") { task check { timeout = 9m }\ntask more { run = \"x\" }\n"
              "check -> more }\ngroup q from pipe(table = k) { matrix { k = [1, 2] } }\nlast -> [p, q]");
    then_edges(c, "last->p.load p.load->p.check p.check->p.more last->q[1].load last->q[2].load "
                  "q[1].load->q[1].check q[2].load->q[2].check");
    assert_str(def_named(c, "p.load")->script, "echo o");
    assert_str(def_named(c, "p.check")->script, "check o");
    assert_int_equal(def_named(c, "p.check")->timeout_ms, 540000);
    assert_int_equal(def_named(c, "p.check")->output_count, 1);
    assert_str(def_named(c, "p.load")->tags[0], "table"); /* a symbol is never looked up */
    assert_int_equal(def_named(c, "q.load")->binds[0].value->kind, AX_X_KEY);
    end_file(c);
}

static void arguments_stand_in_every_kind_of_value(void **state)
{
    (void)state;
    static const char *const whens[] = {
        "a == 1",
        "not (a > 1)",
        "a in [1, a]",
        "(1 if a > 2 else a) > -a",
        "len([a]) > attempt",
        "[a, 2][a - 1] > 0",
        "\"{{ a }}\" != node.name",
    };
    for (size_t i = 0; i < sizeof whens / sizeof whens[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "template t(a) { run = \"x\"  when = %s and attempt > a }\n", whens[i]);
        test_compiled *c = given_both(text, "task x from t(a = 1 + 1) { }");
        then_codes(c, "");
        end_file(c);
    }
    test_compiled *c = given_both(
        "template t(n, code, list) { matrix { k = list }  exclude = [{ k = n }]  run = \"{{ k }}\"\n"
        " join = at_least(n)  retry { max = n  on = [exit(code), timeout] } }\n",
        "task x from t(n = 1, code = 75, list = [1, 2]) { }\nlast -> x");
    assert_int_equal(def_named(c, "x")->count, 1);
    assert_int_equal(def_named(c, "x")->retry.on[0].from, 75);
    assert_int_equal(def_named(c, "x")->join_count, 1);
    end_file(c);
}

static void edges_in_a_template_choose_copies_by_its_parameters(void **state)
{
    (void)state;
    test_compiled *c = given_both("template t(k) { task m { matrix { i = [1, 2] }  run = \"{{ i }}\" }\n"
                                  " task z { run = \"z\" }\n m[k]:failed -> z }\n",
                                  "group g from t(k = 2) { }");
    then_edges(c, "g.m[2]->g.z:failed");
    end_file(c);
}

static const struct {
    const char *templates, *body, *codes, *message, *note;
} refused[] = {
    {BASE, "task x from bas(name = \"n\") { }\ntask y from base(name = \"n\") { }", "E0212",
     "there is no template 'bas' here", NULL},
    {BASE, "task x from base() { }", "E0304", "template 'base' needs 'name'",
     "this parameter has no default"},
    {BASE, "task x from base(nam = 1, name = \"n\") { }", "E0304", "the template has no such parameter",
     NULL},
    {BASE, "task x from base(name = \"n\", name = \"m\") { }", "E0304", NULL, NULL},
    {BASE, "task x from base(\"n\", name = \"n\") { }", "E0304", NULL, NULL},
    {BASE, "task x from base(name = \"n\", tries = attempt) { }", "E0305", NULL, NULL},
    {BASE, "gate x from base(name = \"n\") { }", "E0207 E0204 E0204 E0204", NULL, NULL},
    {"template t() { run = \"{{ nope }}\" }\n", "task x from t() { }", "E0212", "there is no 'nope' here",
     "in this use of template 't'"},
    {"template t() { run = \"x\"  timout = 5m }\n", "task x from t() { }", "E0203", NULL,
     "in this use of template 't'"},
    {"template t() { task a { run = \"x\" }\na -> b }\n", "group x from t() { }", "E0213", NULL,
     "in this use of template 't'"},
    {"template t() { task a { run = \"x\" }\ntask b { run = \"x\" }\na -> b -> a }\n", "group x from t() { }",
     "E0401", NULL, NULL},
    {"template t() { group a from t() { } }\n", "group x from t() { }", "E0216",
     "template 't' would need itself", "in this use of template 't'"},
    {"template t(a, a) { run = \"x\" }\n", "task x from t(a = 1) { }", "E0201", NULL, NULL},
    {"template t(1) { run = \"x\" }\n", "task x from t() { }", "E0209", NULL, NULL},
    {"template t() { run = \"x\" }\ntemplate t() { run = \"y\" }\n", "task x from t() { }", "E0201", NULL,
     NULL},
    {"template t() { run = \"x\" }\n", "template t() { run = \"y\" }\ntask x from t() { }", "E0201", NULL,
     NULL},
    {"template t(a, b) { run = \"{{ a }}\" }\n", "task x from t(a = 1, b = 1) { }", "W0603",
     "template parameter 'b' is never used", NULL},
    {"template t() { run = \"x\" }\nlet n = 1\n", "", "W0603 W0603", "template 't' is never used", NULL},
};

static void what_is_wrong_is_shown_at_both_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        test_compiled *c = given_both(refused[i].templates, refused[i].body);
        then_codes(c, refused[i].codes);
        if (refused[i].message) then_message(c, refused[i].message);
        const ax_diag *d = c->diags.list.at[0];
        if (refused[i].note) assert_true(d->note_count > 0);
        if (refused[i].note) assert_str(d->notes[0].text, refused[i].note);
        end_file(c);
    }
}

static void each_use_that_is_wrong_is_named_through_all_templates(void **state)
{
    (void)state;
    test_compiled *c = given_both("template inner(v) { run = \"x\"  timeout = 1m\n when = v }\n"
                                  "template out(v) { task a from inner(v = v) { } }\n",
                                  "group g from out(v = attempt > 1) { }\ngroup h from out(v = true) { }");
    then_codes(c, "E0306");
    end_file(c);
    c = given_both("template inner() { run = \"{{ nope }}\" }\ntemplate out() { task a from inner() { } }\n",
                   "group g from out() { }");
    then_codes(c, "E0212");
    assert_int_equal(c->diags.list.at[0]->note_count, 2);
    assert_str(c->diags.list.at[0]->notes[0].text, "in this use of template 'inner'");
    assert_str(c->diags.list.at[0]->notes[1].text, "in this use of template 'out'");
    end_file(c);
}

static void nesting_has_an_end(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 20);
    for (int i = 0; i < 40; i++) ax_buf_addf(&text, "template t%d() { group g from t%d() { } }\n", i, i + 1);
    ax_buf_adds(
        &text,
        "template t40() { task a { timeout = 1m  run = \"x\" } }\nworkflow w { group g from t0() { } }\n");
    test_compiled *c = given_text(ax_buf_str(&text));
    then_codes(c, "E0113");
    end_file(c);
    ax_buf_free(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_node_says_what_its_template_says),
    cmocka_unit_test(what_the_node_says_wins_and_blocks_merge),
    cmocka_unit_test(a_group_has_the_nodes_and_edges_of_its_template),
    cmocka_unit_test(arguments_stand_in_every_kind_of_value),
    cmocka_unit_test(edges_in_a_template_choose_copies_by_its_parameters),
    cmocka_unit_test(what_is_wrong_is_shown_at_both_places),
    cmocka_unit_test(each_use_that_is_wrong_is_named_through_all_templates),
    cmocka_unit_test(nesting_has_an_end),
};
RUN_TESTS(tests)
