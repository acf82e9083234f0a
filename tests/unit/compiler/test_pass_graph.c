/* test_pass_graph.c - what edges come to: chains, lists, groups, fan-outs, outcomes; and rings. */
#include "tests/lib/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/compiled.h"

#define T(name) "task " name " { run = \"x\" }\n"
#define ABCD T("a") T("b") T("c") T("d")
#define MANY(name) "task " name " { matrix { k = [1, 2] } run = \"echo {{ k }}\" }\n"

static const struct {
    const char *body, *edges;
} graphs[] = {
    {ABCD "a -> b -> c -> d", "a->b b->c c->d"},
    {ABCD "[a, b] -> [c, d]", "a->c b->c a->d b->d"},
    {ABCD "a:failed -> b\n[a, c:skipped] -> d", "a->b:failed a->d c->d:skipped"},
    {ABCD "[a, b]:done -> c:passed -> d", "a->c:done b->c:done c->d:passed"},
    {ABCD "a -> b\na -> b\n[a, a] -> b\na:done -> b", "a->b a->b:done"},
    {ABCD "a:succeeded -> b\na -> b", "a->b"},
    {MANY("m") T("a") T("z") "a -> m -> z", "a->m[1] a->m[2] m->z"},
    {MANY("m") T("a") "m[2] -> a\nm[1]:failed -> a", "m[2]->a m[1]->a:failed"},
    {MANY("m") T("a") "a -> m[2]", "a->m[2]"},
    {MANY("m") "m[1] -> m[2]", "m[1]->m[2]"},
    {MANY("m") MANY("n") "m -> n", "m->n[1] m->n[2]"},
    {MANY("m") "task z { join = any run = \"x\" }\nm -> z", "m[1]->z m[2]->z"},
    {MANY("m") "task z { join = strict run = \"x\" }\nm -> z", "m[1]->z m[2]->z"},
    {MANY("m") "task z { join = at_least(2) run = \"x\" }\nm:done -> z", "m[1]->z:done m[2]->z:done"},
    {T("a") "group g { " T("x") T("y") T("z") "x -> y }\n" T("b") "a -> g -> b",
     "a->g.x g.x->g.y a->g.z g->b"},
    {T("a") "group g { " T("x") "group h { " T("y") T("z") "y -> z }\n x -> h }\na -> g",
     "a->g.x g.x->g.h.y g.h.y->g.h.z"},
    {T("a") "group g { group h { " T("y") T("z") "y -> z }\n" T("x") "h -> x }\na -> g",
     "a->g.h.y g.h.y->g.h.z g.h->g.x"},
    {T("a") "group g { group h { " T("y") T("z") "}\n" T("x") "x -> h.y }\na -> g",
     "g.x->g.h.y a->g.h.z a->g.x"},
    {T("a") "group g { " T("x") T("y") "}\na -> g\na -> g.x\ng.x -> g.y", "a->g.x g.x->g.y"},
    {T("a") "group g { " T("x") T("y") "}\ng.x -> a\na -> g.y", "g.x->a a->g.y"},
    {"group g { " T("x") "}\ngroup h { " T("x") "}\ng:failed -> h", "g->h.x:failed"},
    {T("x") "group g { " T("x") T("y") "x -> y }\nx -> g.x", "x->g.x g.x->g.y"},
    {"group g { " MANY("m") "}\n" T("a") "a -> g\ng.m[1] -> a", NULL},
    {"group g { " MANY("m") "}\n" T("a") "g.m[1] -> a", "g.m[1]->a"},
    {"group g { " MANY("m") "}\n" T("a") "a -> g", "a->g.m[1] a->g.m[2]"},
    {"group g { " MANY("m") "m[1] -> m[2] }\n" T("a") "a -> g", "a->g.m[1] g.m[1]->g.m[2] a->g.m[2]"},
};

#define G(body) "group g { matrix { c = [1, 2] }\n" body "}\n"
#define PAIRS(exclude)                                                                                       \
    "task m { matrix { k = [1, 2]  l = [1, 2] }  exclude = [" exclude "]  run = \"{{ k }} {{ l }}\" }\n"

/* Groups with a matrix, and copies that are left out. */
static const struct {
    const char *body, *edges;
} copied[] = {
    {G(T("t") T("u") "t -> u"), "g[1].t->g[1].u g[2].t->g[2].u"},
    {G(T("t") T("u")) "g.t -> g.u", "g[1].t->g[1].u g[2].t->g[2].u"},
    {G(T("t")) T("x") T("z") "x -> g -> z", "x->g[1].t x->g[2].t g->z"},
    {G(T("t")) T("x") T("z") "x -> g[2] -> z", "x->g[2].t g[2]->z"},
    {G(T("t")) T("x") T("z") "x -> g.t:done -> z", "x->g[1].t x->g[2].t g[1].t->z:done g[2].t->z:done"},
    {G(T("t")) T("x") T("z") "x -> g[1].t -> z", "x->g[1].t g[1].t->z"},
    {G(T("t")) "task z { join = any run = \"x\" }\ng -> z", "g[1]->z g[2]->z"},
    {G(T("t")) "g[1] -> g[2]", "g[1]->g[2].t"},
    {G(T("t")) T("x") "g[1] -> g[2].t\nx -> g", "x->g[1].t g[1]->g[2].t x->g[2].t"},
    {G(T("t") T("u") "g[1].t -> u"), "g[1].t->g[1].u g[1].t->g[2].u"},
    {G(T("t") T("u") "t -> g[1].u"), "g[1].t->g[1].u g[2].t->g[1].u"},
    {G(T("t") MANY("m") "t -> m"), "g[1].t->g[1].m[1] g[1].t->g[1].m[2] g[2].t->g[2].m[1] g[2].t->g[2].m[2]"},
    {G(MANY("m") T("t") "m -> t\nm[2]:failed -> t"),
     "g[1].m->g[1].t g[1].m[2]->g[1].t:failed g[2].m->g[2].t g[2].m[2]->g[2].t:failed"},
    {G(MANY("m")) T("z") "g.m -> z\ng[1].m[1]:failed -> z\ng.m[2]:skipped -> z",
     "g[1].m->z g[2].m->z g[1].m[1]->z:failed g[1].m[2]->z:skipped g[2].m[2]->z:skipped"},
    {G("group h { matrix { d = [3, 4] }\n" T("t") T("u") "t -> u }\n" T("v") "h -> v"),
     "g[1].h[3].t->g[1].h[3].u g[1].h[4].t->g[1].h[4].u g[2].h[3].t->g[2].h[3].u g[2].h[4].t->g[2].h[4].u "
     "g[1].h->g[1].v g[2].h->g[2].v"},
    {G("group h { " T("t") "}\n" T("v") "h -> v"), "g[1].h->g[1].v g[2].h->g[2].v"},
    {MANY("m") G(T("t")) "m -> g\n", "m->g[1].t m->g[2].t"},
    {PAIRS("{ k = 1, l = 2 }") T("a") "a -> m", "a->m[1, 1] a->m[2, 1] a->m[2, 2]"},
    {PAIRS("{ k = 1 }, { l = 1 }") T("a") "a -> m\nm[2, 2]:failed -> a", NULL},
    {PAIRS("{ k = 1, l = 2 }") T("a") "m[2, 1] -> a", "m[2, 1]->a"},
    {G(T("t")) "g -> g[1].t", NULL},
    {G(T("t")) "g[1] -> g.t", NULL},
    {G(T("t")) "g[1].t -> g[2].t\ng[2].t -> g[1].t", NULL},
};

static void a_group_is_copied_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) {
        test_compiled *c = given_flow(copied[i].body);
        if (copied[i].edges) then_edges(c, copied[i].edges);
        else then_codes(c, "E0401");
        end_file(c);
    }
}

static void edges_become_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++) {
        test_compiled *c = given_flow(graphs[i].body);
        if (graphs[i].edges) then_edges(c, graphs[i].edges);
        else then_codes(c, "E0401");
        end_file(c);
    }
}

static void an_edge_may_stand_before_its_nodes(void **state)
{
    (void)state;
    test_compiled *c = given_flow("a -> g.b\ngroup g { b -> c\n" T("c") T("b") "}\n" T("a"));
    then_edges(c, "g.b->g.c a->g.b");
    end_file(c);
}

static const struct {
    const char *body, *codes, *message, *help;
} refused[] = {
    {ABCD "a -> bb", "E0213", "there is no node 'bb' here", NULL},
    {T("load") T("b") "laod -> b", "E0213", NULL, "did you mean 'load'?"},
    {T("a") "group g { " T("load") "}\ng.laod -> a", "E0213", "group 'g' has no node 'laod'",
     "did you mean 'load'?"},
    {T("a") "task u { output x : int run = \"x\" }\nu.x -> a", "E0213", "an edge goes from node to node",
     NULL},
    {ABCD "a:faild -> b", "E0407", "there is no outcome 'faild'", "did you mean 'failed'?"},
    {ABCD "a:zzz -> b", "E0407", NULL, "it is one of: succeeded failed skipped passed done"},
    {ABCD "a -> b:failed", "E0407", NULL, "write it in front of the arrow: a:failed -> b"},
    {ABCD "a -> [b, c]:failed", "E0407", NULL, NULL},
    {ABCD "[a:failed, b]:done -> c", "E0407", "an outcome stands here and behind the bracket", NULL},
    {MANY("m") T("a") "m[3] -> a", "E0315", "'m' has no copy for k = 3", NULL},
    {MANY("m") T("a") "m[\"x\"] -> a", "E0301", NULL, NULL},
    {MANY("m") T("a") "m[1, 2] -> a", "E0315", NULL, NULL},
    {MANY("m") T("a") "a[1] -> m", "E0315", "'a' has no copies to choose from", NULL},
    {"group g { }", "E0409", NULL, NULL},
    {T("a") "a -> a", "E0401", "'a' waits for itself", NULL},
    {MANY("m") "m -> m", "E0401", NULL, NULL},
    {MANY("m") "m[1] -> m[1]", "E0401", NULL, NULL},
    {MANY("m") "m[1] -> m", "E0401", NULL, NULL},
    {"group g { " T("x") "}\ng -> g.x", "E0401", "group 'g' and its own member 'g.x' wait for each other",
     NULL},
    {"group g { " T("x") "x -> g }\n", "E0401", NULL, NULL},
    {"group g { group h { " T("x") "} }\ng -> g.h", "E0401", NULL, NULL},
    {ABCD "a -> b -> c -> a", "E0401", "these nodes wait for one another: a -> b -> c -> a", NULL},
    {ABCD "a:failed -> b\nb -> a", "E0401", "these nodes wait for one another: a -> b -> a", NULL},
    {ABCD "a -> b -> a\nc -> d -> c", "E0401 E0401", NULL, NULL},
    {T("a") "group g { " T("x") "}\ng -> a -> g.x", "E0401",
     "these nodes wait for one another: a -> g.x -> g -> a", NULL},
    {MANY("m") T("a") "m -> a -> m[1]", "E0401", "these nodes wait for one another: m[1] -> m -> a -> m[1]",
     NULL},
};

static void what_can_not_be_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        test_compiled *c = given_flow(refused[i].body);
        then_codes(c, refused[i].codes);
        if (refused[i].message) then_message(c, refused[i].message);
        if (refused[i].help) assert_str(c->diags.list.at[0]->help, refused[i].help);
        end_file(c);
    }
}

static void every_edge_of_a_ring_is_shown_with_its_place(void **state)
{
    (void)state;
    test_compiled *c = given_flow(ABCD "a -> b\nb:done -> c\nc -> a");
    const ax_diag *d = c->diags.list.at[0];
    static const char *const edges[] = {"a -> b", "b:done -> c", "c -> a"};
    static const char *const texts[] = {"'b' waits for 'a'", "'c' waits for 'b'", "'a' waits for 'c'"};
    assert_int_equal(d->note_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_str(ax_sources_text(&c->sources, d->notes[i].span), edges[i]);
        assert_str(d->notes[i].text, texts[i]);
    }
    end_file(c);
}

static void a_copy_that_waits_for_another_copy_is_no_ring(void **state)
{
    (void)state;
    test_compiled *c = given_flow(MANY("m") T("a") "m[1] -> a -> m[2]");
    then_edges(c, "a->m[2] m[1]->a");
    end_file(c);
}

static void members_and_copies_have_their_group(void **state)
{
    (void)state;
    test_compiled *c = given_flow("group g { " T("x") "group h { " MANY("m") "} }");
    const ax_plan *p = the_plan(c);
    uint32_t g = node_named(c, "g"), h = node_named(c, "g.h"), m = node_named(c, "g.h.m");
    assert_int_equal(p->nodes[g].parent, AX_NONE);
    assert_int_equal(p->nodes[node_named(c, "g.x")].parent, g);
    assert_int_equal(p->nodes[h].parent, g);
    assert_int_equal(p->nodes[m].parent, h);
    assert_int_equal(p->nodes[node_named(c, "g.h.m[1]")].parent, m);
    assert_int_equal(ax_plan_kind(p, m), AX_NODE_GROUP);
    assert_int_equal(def_named(c, "g.h.m")->whole, m);
    end_file(c);
}

static void copies_of_a_group_have_members_and_wholes_of_their_own(void **state)
{
    (void)state;
    test_compiled *c = given_flow(G(T("t") MANY("m")));
    const ax_plan *p = the_plan(c);
    uint32_t g = node_named(c, "g"), first = node_named(c, "g[1]"), whole = node_named(c, "g[2].m");
    assert_int_equal(p->nodes[first].parent, g);
    assert_int_equal(p->nodes[node_named(c, "g[1].t")].parent, first);
    assert_int_equal(p->nodes[node_named(c, "g[2].m[2]")].parent, whole);
    assert_int_equal(p->nodes[whole].parent, node_named(c, "g[2]"));
    assert_int_equal(ax_plan_kind(p, first), AX_NODE_GROUP);
    assert_true(ax_plan_is_whole(p, g) && ax_plan_is_whole(p, whole) && !ax_plan_is_whole(p, first));
    assert_int_equal(ax_plan_outer_keys(p, first), 0);
    assert_int_equal(ax_plan_outer_keys(p, whole), 1);
    assert_int_equal(ax_plan_outer_keys(p, node_named(c, "g[2].m[2]")), 1);
    const ax_def *m = def_named(c, "g.m"), *t = def_named(c, "g.t");
    assert_int_equal(m->count, 4);
    assert_int_equal(m->whole_count, 2);
    assert_int_equal(m->key_count, 2);
    assert_str(m->keys[0], "c");
    assert_int_equal(p->values[p->nodes[m->first + 2].values].u.i, 2);
    assert_int_equal(p->values[p->nodes[m->first + 2].values + 1].u.i, 1);
    assert_true(t->fan_out && t->whole == AX_NONE && t->whole_count == 0);
    assert_int_equal(p->values[p->nodes[t->first + 1].values].u.i, 2);
    end_file(c);
}

static void copies_stand_in_matrix_order(void **state)
{
    (void)state;
    test_compiled *c =
        given_flow("task m { matrix { d = [2026-01-01, 2026-01-02]  s = [\"x y\", \"b\"]  f = [1, 2.5] }\n"
                   "run = \"echo {{ d }} {{ s }} {{ f }}\" }");
    const ax_plan *p = the_plan(c);
    const ax_def *m = def_named(c, "m");
    assert_int_equal(m->count, 8);
    assert_str(p->nodes[m->first].name, "m[2026-01-01, \"x y\", 1.0]");
    assert_str(p->nodes[m->first + 1].name, "m[2026-01-01, \"x y\", 2.5]");
    assert_str(p->nodes[m->first + 7].name, "m[2026-01-02, \"b\", 2.5]");
    assert_int_equal(p->values[p->nodes[m->first + 7].values].u.i, p->values[0].u.i + 1);
    assert_int_equal(p->value_count, 24);
    end_file(c);
}

/* ---- size ---- */

enum { DEEP = 20000, SMALL_STACK = 256 * 1024 };

static void add_chain(ax_buf *text, uint32_t n, bool closed)
{
    ax_buf_adds(text, "workflow w {\n  defaults { timeout = 1m }\n");
    for (uint32_t i = 0; i < n; i++) ax_buf_addf(text, "  task t%u { run = \"x\" }\n", i);
    for (uint32_t i = 0; i + 1 < n; i++) ax_buf_addf(text, "  t%u -> t%u\n", i, i + 1);
    if (closed) ax_buf_addf(text, "  t%u -> t0\n", n - 1);
    ax_buf_adds(text, "}\n");
}

static void *compile_deep(void *arg)
{
    ax_buf *text = arg;
    return given_text(ax_buf_str(text));
}

/* Compiles on a thread whose stack is small. */
static test_compiled *on_small_stack(ax_buf *text)
{
    pthread_attr_t attr;
    pthread_t thread;
    void *out;
    pthread_attr_init(&attr);
    assert_int_equal(pthread_attr_setstacksize(&attr, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attr, compile_deep, text), 0);
    assert_int_equal(pthread_join(thread, &out), 0);
    pthread_attr_destroy(&attr);
    return out;
}

static void a_deep_chain_needs_no_deep_stack(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 24);
    add_chain(&text, DEEP, false);
    test_compiled *c = on_small_stack(&text);
    assert_int_equal(the_plan(c)->edge_count, DEEP - 1);
    assert_int_equal(the_plan(c)->nodes[DEEP - 1].rank, DEEP - 1);
    end_file(c);
    ax_buf_free(&text);
}

static void a_long_ring_is_shown_in_short(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 24);
    add_chain(&text, DEEP, true);
    test_compiled *c = on_small_stack(&text);
    then_codes(c, "E0401");
    const ax_diag *d = c->diags.list.at[0];
    assert_int_equal(d->note_count, AX_DIAG_NOTES_MAX);
    assert_str(d->notes[AX_DIAG_NOTES_MAX - 1].text, "and 19993 more edges");
    assert_true(d->text.len < 200);
    end_file(c);
    ax_buf_free(&text);
}

static void of_a_tangle_the_shortest_ring_is_shown(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 20);
    ax_buf_adds(&text, "workflow w {\n  defaults { timeout = 1m }\n");
    for (int i = 0; i < 50; i++)
        ax_buf_addf(&text, "  task t%d { run = \"x\" }\n  t%d -> t%d\n", i, i, (i + 1) % 50);
    ax_buf_adds(&text, "  t2 -> t0\n}\n");
    test_compiled *c = given_text(ax_buf_str(&text));
    then_codes(c, "E0401");
    then_message(c, "these nodes wait for one another: t0 -> t1 -> t2 -> t0");
    end_file(c);
    ax_buf_free(&text);
}

static void a_hundred_rings_are_not_one(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 20);
    ax_buf_adds(&text, "workflow w {\n");
    for (int i = 0; i < 150; i++)
        ax_buf_addf(&text, "  task a%d { run = \"x\" }\n  task b%d { run = \"x\" }\n  a%d -> b%d -> a%d\n", i,
                    i, i, i, i);
    ax_buf_adds(&text, "}\n");
    test_compiled *c = given_text(ax_buf_str(&text));
    assert_int_equal(c->diags.errors, 150);
    assert_int_equal(c->diags.list.len, AX_DIAGS_SHOWN_MAX);
    end_file(c);
    ax_buf_free(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(edges_become_what_they_say),
    cmocka_unit_test(a_group_is_copied_whole),
    cmocka_unit_test(an_edge_may_stand_before_its_nodes),
    cmocka_unit_test(what_can_not_be_is_refused),
    cmocka_unit_test(every_edge_of_a_ring_is_shown_with_its_place),
    cmocka_unit_test(a_copy_that_waits_for_another_copy_is_no_ring),
    cmocka_unit_test(members_and_copies_have_their_group),
    cmocka_unit_test(copies_of_a_group_have_members_and_wholes_of_their_own),
    cmocka_unit_test(copies_stand_in_matrix_order),
    cmocka_unit_test(a_deep_chain_needs_no_deep_stack),
    cmocka_unit_test(a_long_ring_is_shown_in_short),
    cmocka_unit_test(of_a_tangle_the_shortest_ring_is_shown),
    cmocka_unit_test(a_hundred_rings_are_not_one),
};
RUN_TESTS(tests)
