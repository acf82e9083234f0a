/* test_union.c - both versions as one graph: what is marked how, what is left out, and never a ring. */
#include <stdio.h>
#include <string.h>

#include "compiler/diff/union_int.h"
#include "dsl/base/buf.h"
#include "tests/lib/compiled.h"
#include "tests/lib/test.h"

#define NOW INT64_C(1796000000000)
#define T(name) "task " name " { run = \"" name " of it\" }\n"
#define TEXT_MAX ((size_t)1 << 20)

static const char signs[AX_MARK_COUNT] = {' ', '+', '-', '~', '.'};

/* "+a -b ~c d a->b +b->c:failed": nodes, then edges, with their marks. */
static void write_union(const ax_diff_union *u, ax_buf *out)
{
    const ax_plan *p = &u->plan;
    for (uint32_t n = 0; n < p->node_count; n++) {
        ax_mark mark = u->marks.nodes[n];
        ax_buf_adds(out, out->len ? " " : "");
        if (mark != AX_MARK_NONE) ax_buf_addc(out, signs[mark]);
        ax_buf_add(out, p->nodes[n].name);
    }
    for (uint32_t e = 0; e < p->edge_count; e++) {
        ax_mark mark = u->marks.edges[e];
        ax_buf_addc(out, ' ');
        if (mark != AX_MARK_NONE) ax_buf_addc(out, signs[mark]);
        ax_buf_addf(out, "%.*s->%.*s", AX_STR(p->nodes[p->edges[e].from].name),
                    AX_STR(p->nodes[p->edges[e].to].name));
    }
}

static void then_union(const char *before, const char *after, const char *want)
{
    test_compiled *a = given_flow(before), *b = given_flow(after);
    ax_arena mem = AX_ARENA_INIT;
    ax_buf got = AX_BUF_INIT(TEXT_MAX);
    ax_diff diff;
    ax_diff_union both;
    ax_diff_plans(&mem, the_plan(a), the_plan(b), NOW, &diff);
    ax_diff_union_make(&mem, &diff, &both);
    write_union(&both, &got);
    assert_str(ax_buf_str(&got), want);
    assert_int_not_equal(both.plan.order[both.plan.node_count - 1], AX_NONE);
    ax_buf_free(&got);
    ax_arena_free(&mem);
    end_file(a);
    end_file(b);
}

#define M(list) "task m { matrix { k = [" list "] } run = \"m {{ k }}\" }\n"

static const struct {
    const char *before, *after, *both;
} cases[] = {
    {T("a") T("b") "a -> b", T("a") T("c") "a -> c", "a +c -b +a->c -a->b"},
    {T("a") T("b") "a -> b", T("a") "task b { run = \"other\" }\na:done -> b", "a ~b ~a->b"},
    {T("a"), "task a { run = \"a of it\" timeout = 2m }\n", ".a"},
    /* copies have marks of their own, and edges of all copies none */
    {T("a") M("1, 2") T("z") "a -> m -> z", T("a") M("2, 3") T("z") "a -> m -> z",
     "a m[2] +m[3] -m[1] ~m z a->m[2] a->m[3] a->m[1] m->z"},
    {M("1, 2") T("z") "m[1] -> z", M("2") T("z"), "m[2] -m[1] ~m z -m[1]->z"},
    /* what is gone and ran the other way */
    {T("a") T("b") "a -> b", T("a") T("b") "b -> a", "a b +b->a"},
    {T("a") T("x") T("b") "a -> x -> b", T("a") T("b") "b -> a", "a b -x +b->a -a->x"},
    {T("a") "group g {" T("x") T("y") "}\na -> g.x", T("a") "group g {" T("y") "}\ng -> a",
     "a g g.y -g.x +g->a"},
    /* a workflow without anything in common */
    {"task a { run = \"make a\" }", "task b { run = \"something else altogether\" }", "+b -a"},
};

static void marks_say_what_became_of_each_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        then_union(cases[i].before, cases[i].after, cases[i].both);
}

static void of_a_large_workflow_only_what_changed_and_its_neighbours_are_drawn(void **state)
{
    (void)state;
    enum { LENGTH = 2 * AX_DIFF_DRAWN_MAX, MIDDLE = AX_DIFF_DRAWN_MAX };
    ax_buf before = AX_BUF_INIT(TEXT_MAX), after = AX_BUF_INIT(TEXT_MAX);
    char want[200];
    for (int i = 0; i < LENGTH; i++) {
        ax_buf_addf(&before, "task t%d { run = \"old %d\" }\n", i, i);
        ax_buf_addf(&after, "task t%d { run = \"%s %d\" }\n", i, i == MIDDLE ? "new" : "old", i);
        if (!i) continue;
        ax_buf_addf(&before, "t%d -> t%d\n", i - 1, i);
        ax_buf_addf(&after, "t%d -> t%d\n", i - 1, i);
    }
    snprintf(want, sizeof want, "t%d ~t%d t%d t%d->t%d t%d->t%d", MIDDLE - 1, MIDDLE, MIDDLE + 1, MIDDLE - 1,
             MIDDLE, MIDDLE, MIDDLE + 1);
    then_union(before.ptr, after.ptr, want);
    ax_buf_free(&before);
    ax_buf_free(&after);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(marks_say_what_became_of_each_part),
    cmocka_unit_test(of_a_large_workflow_only_what_changed_and_its_neighbours_are_drawn),
};
RUN_TESTS(tests)
