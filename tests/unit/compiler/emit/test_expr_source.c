/* test_expr_source.c - an expression that is written reads back as the same expression. */
#include "compiler/emit/expr_source.h"

#include "compiler/axc.h"
#include "tests/lib/test.h"

/* The source of `when = text` after compiling it. */
static void writes(const char *text, const char *want)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_diags diags = ax_diags_new(&mem, &sources);
    ax_compiled compiled;
    ax_source *source;
    ax_buf out = AX_BUF_INIT(10000);
    ax_str file = ax_str_fmt(&mem,
                             "workflow w {\n param a : int = 1\n param b : int = 2\n param s : string = 'x'\n"
                             " param l : list(int) = [1]\n param p : bool = true\n param q : bool = true\n"
                             " task up { output n : int  run = 'up' }\n"
                             " group g { matrix { c = [1, 2] }\n  group h {\n"
                             "   task m { matrix { d = [3, 4] }  output n : int  run = 'm' } } }\n"
                             " task t { matrix { k = ['x', 'y'] }  when = %s  run = 't' }\n"
                             " [up, g] -> t\n}\n",
                             text);
    assert_int_equal(ax_sources_add(&sources, AX_LIT("w.axf"), file, &source, NULL), AX_OK);
    ax_compile(&mem, source, &diags, &compiled);
    assert_int_equal(diags.errors, 0);
    const ax_plan *plan = compiled.plans[0];
    const ax_def *def = &plan->defs[plan->nodes[ax_plan_find(plan, AX_LIT("t"))].def];
    ax_expr_source(plan, def, def->when, &out);
    assert_str(ax_buf_str(&out), want);
    ax_buf_free(&out);
    ax_arena_free(&mem);
}

static void same(const char *text)
{
    writes(text, text);
}

static void parentheses_stand_where_they_are_needed(void **state)
{
    (void)state;
    same("a + b * a == 3");
    same("(a + b) * a == 3");
    same("a - (b - 1) > 0");
    same("a - b - 1 > 0");
    same("not (p and q) or q");
    same("(p or q) and p");
    same("(a < b) == p");
    same("-(a + b) < 0");
    writes("(a) + ((b)) > (1)", "a + b > 1");
}

static void every_kind_of_expression_has_its_words(void **state)
{
    (void)state;
    same("a in [1, b, 3]");
    same("(1 if p else 2) == a");
    same("len(s) > 3");
    same("k == \"x\"");
    same("up.n > 0");
    same("g[1].h.m[3].n > 0");
    same("len(g[2].h.m.n) > 0");
    same("len(g.h.m.n) > 0");
    same("date > 2026-11-30");
    same("weekday(date) == 1");
    same("\"{{ s }}-{{ a }}\" == s");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parentheses_stand_where_they_are_needed),
    cmocka_unit_test(every_kind_of_expression_has_its_words),
};
RUN_TESTS(tests)
