/* test_pass_outcomes.c - what can never happen is an error, and only that; and what is seldom meant is a
 * warning. */
#include "tests/lib/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/compiled.h"

#define T(name) "task " name " { run = \"x\" }\n"
#define TP(name, policy) "task " name " { run = \"x\" failure_policy = " policy " }\n"
#define TJ(name, join) "task " name " { run = \"x\" join = " join " }\n"
#define MANY(name) "task " name " { matrix { k = [1, 2] } run = \"echo {{ k }}\" }\n"

typedef struct {
    const char *body, *codes, *message; /* message of the first; NULL: not looked at */
} outcome_case;

static const outcome_case cases[] = {
    /* contradictions */
    {T("a") T("b") "a -> b\na:failed -> b", "E0402", "'a' can't be both 'succeeded' and 'failed'"},
    {T("a") TJ("b", "strict") "a:skipped -> b\na:failed -> b", "E0402",
     "'a' can't be both 'skipped' and 'failed'"},
    {T("a") T("b") "a:passed -> b\na:failed -> b", "E0402", NULL},
    {T("a") TJ("b", "any") "a -> b\na:failed -> b", "", NULL},
    {T("a") T("b") "a -> b\na:done -> b", "", NULL},
    {T("a") T("b") "a:passed -> b\na:skipped -> b", "", NULL},
    {T("a") T("b") T("c") "a -> b\nc -> b\na:failed -> c", "", NULL},
    {MANY("m") T("b") "m -> b\nm:failed -> b", "E0402", NULL},
    /* joins that ask for too much */
    {T("a") T("b") TJ("c", "at_least(3)") "[a, b] -> c", "E0403",
     "'c' waits for at least 3 edges, but has 2"},
    {T("a") T("b") TJ("c", "at_least(2)") "[a, b] -> c", "", NULL},
    {MANY("m") TJ("c", "at_least(2)") "m -> c", "", NULL},
    {MANY("m") TJ("c", "at_least(3)") "m -> c", "E0403", NULL},
    {"group g { " T("x") T("y") "}\n" TJ("c", "at_least(2)") "g -> c", "E0403",
     "'c' waits for at least 2 edges, but has 1"},
    {T("a") TJ("c", "at_least(2)") "a -> c\na -> c", "E0403", NULL},
    {TJ("c", "at_least(2)"), "", NULL},
    /* nodes that can never run */
    {"gate g { }\n" T("b") "g:failed -> b", "E0404", "'b' can never run"},
    {"gate g { }\n" T("a") T("b") "[g:failed, a] -> b", "", NULL},
    {"gate g { }\n" T("a") TJ("b", "strict") "[g:failed, a] -> b", "E0404", NULL},
    {"gate g { }\n" T("a") TJ("b", "any") "[g:failed, a] -> b", "", NULL},
    {"gate g { }\n" T("a") TJ("b", "at_least(2)") "[g:failed, a] -> b", "E0404", NULL},
    {TP("a", "ignore") T("b") "a:failed -> b", "E0404", NULL},
    {TP("a", "abort") T("b") "a:failed -> b", "E0404", NULL},
    {TP("a", "pause") T("b") "a:failed -> b", "", NULL},
    {"gate g { }\n" T("b") T("c") "g:failed -> b -> c", "E0404", "'b' can never run"},
    {"gate g { }\n" T("b") T("c") "g:failed -> b\nb:failed -> c", "E0404", NULL},
    {"gate g { }\n" T("b") T("c") "g:failed -> b\nb:skipped -> c", "E0404", NULL},
    {"group h { gate g { } }\n" T("b") "h:failed -> b", "E0404", NULL},
    {"group h { gate g { }\n" T("x") "}\n" T("b") "h:failed -> b", "", NULL},
    {"group h { " TP("x", "branch") T("y") "x:failed -> y }\n" T("b") "h:failed -> b", "", NULL},
    {"group h { " TP("x", "ignore") "}\n" T("b") "h:failed -> b", "E0404", NULL},
    {"task a { run = \"x\" enabled = false }\n" T("b") "a -> b", "", NULL},
    {T("a") T("b") "a:skipped -> b", "", NULL},
    /* branch */
    {TP("a", "branch") T("b") "a -> b", "E0405", NULL},
    {TP("a", "branch") T("b") "a:failed -> b", "", NULL},
    {TP("a", "branch") T("b") "a:done -> b", "", NULL},
    {"task m { matrix { k = [1, 2] } run = \"echo {{ k }}\" failure_policy = branch }\n" T(
         "b") "m:failed -> b",
     "E0404", NULL},
    {"task m { matrix { k = [1, 2] } run = \"echo {{ k }}\" failure_policy = branch }\n" TJ(
         "b", "any") "m:failed -> b",
     "", NULL},
    {"task m { matrix { k = [1, 2] } run = \"echo {{ k }}\" failure_policy = branch }\n" T(
         "b") "m[1]:failed -> b",
     "", NULL},
    {"failure_policy = branch\n" T("a") T("b") "a:failed -> b", "E0405", NULL},
    /* finally */
    {"task f { run = \"x\" finally = true }\n" T("b") "f -> b", "E0406", NULL},
    {"task f { run = \"x\" finally = true }\ntask h { run = \"x\" finally = true }\nf -> h", "", NULL},
    {"task f { run = \"x\" finally = true }\n" T("a") "a:failed -> f", "", NULL},
    {"group g { task f { run = \"x\" finally = true } }\n" T("b") "g -> b", "E0406", NULL},
    /* lints */
    {T("load") T("Load"), "W0602", "'Load' and 'load' differ only in case"},
    {"group g { " T("a") "}\ngroup h { " T("A") "}", "", NULL},
    {"param p : int\n" T("a"), "W0603", "parameter 'p' is never used"},
    {"let p = 1\n" T("a"), "W0603", "let 'p' is never used"},
    {"param p : int\ntask a { run = \"x\" env { P = p } }", "", NULL},
    {"task a { run = \"x\" idempotent = false retry { max = 2 } }", "W0604", NULL},
    {"task a { run = \"x\" idempotent = false }", "", NULL},
};

static void only_what_is_certain_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_compiled *c = given_flow(cases[i].body);
        then_codes(c, cases[i].codes);
        if (cases[i].message) then_message(c, cases[i].message);
        end_file(c);
    }
}

static void missing_timeouts_are_counted_in_one_warning(void **state)
{
    (void)state;
    test_compiled *c =
        given_file("workflow w {\n" T("a") "task b { run = \"x\" timeout = 1m }\n" T("c") T("d") "}");
    then_codes(c, "W0601");
    then_message(c, "'a' and 2 other tasks have no timeout: they may hang for ever");
    end_file(c);
    c = given_file("workflow w {\n timeout = 1h\n" T("a") "}");
    then_codes(c, "");
    end_file(c);
}

/* ---- outputs upstream, against a plain search ---- */

enum { NODES = 150, EDGES = 220, READS = 200 };

static bool reaches(bool edge[NODES][NODES], int from, int to)
{
    bool seen[NODES] = {0};
    int stack[NODES], depth = 0;
    stack[depth++] = from;
    seen[from] = true;
    while (depth > 0) {
        int n = stack[--depth];
        for (int k = 0; k < NODES; k++) {
            if (!edge[n][k] || seen[k]) continue;
            if (k == to) return true;
            seen[k] = true;
            stack[depth++] = k;
        }
    }
    return false;
}

static void reads_are_judged_as_a_plain_search_would(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 20; round++) {
        static bool edge[NODES][NODES];
        uint32_t missing = 0;
        ax_buf text = AX_BUF_INIT(1 << 20);
        ax_buf_adds(&text, "workflow w {\n");
        for (int a = 0; a < NODES; a++)
            for (int b = 0; b < NODES; b++) edge[a][b] = false;
        for (int i = 0; i < EDGES; i++) {
            seed = seed * 1103515245 + 12345;
            int a = (int)(seed >> 8) % NODES, b = (int)(seed >> 18) % NODES;
            if (a == b) continue;
            edge[a < b ? a : b][a < b ? b : a] = true;
            ax_buf_addf(&text, "t%d -> t%d\n", a < b ? a : b, a < b ? b : a);
        }
        for (int n = 0; n < NODES; n++) {
            ax_buf_addf(&text, "task t%d { timeout = 1m  output x : int  run = \"echo", n);
            for (int r = 0; r < READS / NODES + 1; r++) {
                seed = seed * 1103515245 + 12345;
                int from = (int)(seed >> 8) % NODES;
                ax_buf_addf(&text, " {{ t%d.x }}", from);
                missing += !reaches(edge, from, n);
            }
            ax_buf_adds(&text, "\" }\n");
        }
        ax_buf_adds(&text, "}\n");
        test_compiled *c = given_text(ax_buf_str(&text));
        assert_int_equal(c->diags.errors, missing);
        end_file(c);
        ax_buf_free(&text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_what_is_certain_is_reported),
    cmocka_unit_test(missing_timeouts_are_counted_in_one_warning),
    cmocka_unit_test(reads_are_judged_as_a_plain_search_would),
};
RUN_TESTS(tests)
