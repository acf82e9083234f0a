/* test_match.c - which definition is which: renames that a reader would see, and none that he would not. */
#include <stdio.h>

#include "compiler/diff/diff_int.h"
#include "tests/lib/compiled.h"
#include "tests/lib/test.h"

#define TEXT_MAX ((size_t)16 << 20)

/* "a=x b=-": each definition of the older version and what it is in the newer one. */
static void then_pairs(const char *before, const char *after, const char *want)
{
    test_compiled *a = given_flow(before), *b = given_flow(after);
    const ax_plan *x = the_plan(a), *y = the_plan(b);
    ax_arena mem = AX_ARENA_INIT;
    ax_buf got = AX_BUF_INIT(TEXT_MAX);
    const uint32_t *pairs = ax_diff_match(&mem, x, y);
    for (uint32_t d = 0; d < x->def_count; d++) {
        bool same = pairs[d] != AX_NONE && ax_str_eq(x->defs[d].name, y->defs[pairs[d]].name);
        if (same) continue;
        ax_str name = pairs[d] == AX_NONE ? AX_LIT("-") : y->defs[pairs[d]].name;
        ax_buf_addf(&got, "%s%.*s=%.*s", got.len ? " " : "", AX_STR(x->defs[d].name), AX_STR(name));
    }
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    ax_arena_free(&mem);
    end_file(a);
    end_file(b);
}

#define RUN(name, command) "task " name " { run = \"" command "\" }\n"

static const struct {
    const char *before, *after, *pairs;
} cases[] = {
    /* the same definition */
    {RUN("a", "load orders"), RUN("b", "load orders"), "a=b"},
    {RUN("a", "load orders") RUN("z", "z") "a -> z", RUN("z", "z") RUN("b", "load orders") "b -> z", "a=b"},
    {RUN("a", "x1 y1") RUN("b", "x2 y2"), RUN("c", "x2 y2") RUN("d", "x1 y1"), "a=d b=c"},
    /* nearly the same, in the same place */
    {RUN("p", "p") RUN("a", "load --table orders --date {{ date }} --fast") RUN("z", "z") "p -> a -> z",
     RUN("p", "p") RUN("b", "load --table orders --date {{ date }} --slow") RUN("z", "z") "p -> b -> z",
     "a=b"},
    /* something else in the same place */
    {RUN("p", "p") RUN("a", "load orders from the shop") RUN("z", "z") "p -> a -> z",
     RUN("p", "p") RUN("b", "mail everybody about it") RUN("z", "z") "p -> b -> z", "a=-"},
    /* a short command that everybody has says nothing; the neighbours do */
    {RUN("p", "p") RUN("q", "q") RUN("a", "true") RUN("b", "true") "p -> a\nq -> b",
     RUN("p", "p") RUN("q", "q") RUN("c", "true") RUN("d", "true") "q -> c\np -> d", "a=d b=c"},
    /* gates are their place */
    {RUN("p", "p") RUN("z", "z") "gate a { }\np -> a -> z",
     RUN("p", "p") RUN("z", "z") "gate b { }\np -> b -> z", "a=b"},
    {RUN("p", "p") RUN("z", "z") "gate a { }\np -> a", RUN("p", "p") RUN("z", "z") "gate b { }\nz -> b",
     "a=-"},
    /* a task is no gate */
    {RUN("p", "p") "gate a { }\np -> a", RUN("p", "p") RUN("b", "b") "p -> b", "a=-"},
    /* groups and their members */
    {"group g {" RUN("a", "load the orders") RUN("b", "load the users") "}",
     "group h {" RUN("a", "load the orders") RUN("b", "load the users") "}", "g=h g.a=h.a g.b=h.b"},
    {"group g {" RUN("a", "load the orders") RUN("b", "b") "}",
     "group g {" RUN("b", "b") "}" RUN("a", "load the orders"), "g.a=a"},
    /* a chain in which all were renamed */
    {RUN("a", "extract it") RUN("b", "mend it") RUN("c", "send it") "a -> b -> c",
     RUN("x", "extract it") RUN("y", "mend it") RUN("z", "send it") "x -> y -> z", "a=x b=y c=z"},
    /* equal ones, equally many: by their order */
    {RUN("a", "true") RUN("b", "true"), RUN("c", "true") RUN("d", "true"), "a=c b=d"},
    /* a name is a name, whatever became of it */
    {RUN("a", "one thing") RUN("b", "another thing"), RUN("b", "one thing") RUN("a", "another thing"), ""},
};

static void a_rename_is_seen_where_a_reader_would_see_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        then_pairs(cases[i].before, cases[i].after, cases[i].pairs);
}

/* Names of one side get a prefix; commands, edges and order stay. */
static void write_layers(ax_buf *out, const char *prefix, int layers, int width)
{
    for (int l = 0; l < layers; l++) {
        for (int i = 0; i < width; i++) {
            ax_buf_addf(out, "task %s%d_%d { run = \"step %d of %d\" }\n", prefix, l, i, l, i);
            if (l)
                ax_buf_addf(out, "[%s%d_%d, %s%d_%d] -> %s%d_%d\n", prefix, l - 1, i, prefix, l - 1,
                            (i + 1) % width, prefix, l, i);
        }
    }
}

static void a_large_graph_with_new_names_is_matched_whole(void **state)
{
    (void)state;
    enum { LAYERS = 20, WIDTH = 50 };
    ax_buf before = AX_BUF_INIT(TEXT_MAX), after = AX_BUF_INIT(TEXT_MAX);
    write_layers(&before, "old", LAYERS, WIDTH);
    write_layers(&after, "new", LAYERS, WIDTH);
    test_compiled *a = given_flow(before.ptr), *b = given_flow(after.ptr);
    ax_arena mem = AX_ARENA_INIT;
    const uint32_t *pairs = ax_diff_match(&mem, the_plan(a), the_plan(b));
    for (uint32_t d = 0; d < LAYERS * WIDTH; d++) assert_int_equal(pairs[d], d);
    ax_arena_free(&mem);
    end_file(a);
    end_file(b);
    ax_buf_free(&before);
    ax_buf_free(&after);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_rename_is_seen_where_a_reader_would_see_one),
    cmocka_unit_test(a_large_graph_with_new_names_is_matched_whole),
};
RUN_TESTS(tests)
