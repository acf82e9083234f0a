/* test_plan.c - names, look-ups, and the index of the graph. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/model/plan.h"

static ax_arena mem;

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

/* ---- builders ---- */

/* A plan of n nodes without names and edges. */
static ax_plan *plan_of(uint32_t n, ax_plan_node **nodes)
{
    ax_plan *plan = AX_NEW(&mem, ax_plan);
    *nodes = AX_NEW_N(&mem, ax_plan_node, n);
    plan->mem = &mem;
    plan->node_count = n;
    for (uint32_t i = 0; i < n; i++) (*nodes)[i].parent = AX_NONE;
    return plan;
}

/* Indexes a graph of n nodes, a letter each, from "ab bc:" (edges) and "xg:" after the bar (x is a member of
 * g). */
static ax_plan *indexed(uint32_t n, const char *text, bool *acyclic)
{
    ax_plan_node *nodes;
    ax_plan *plan = plan_of(n, &nodes);
    ax_plan_edge *edges = AX_NEW_N(&mem, ax_plan_edge, strlen(text));
    bool members = false;
    for (const char *at = text; *at; at++) {
        if (*at == ' ') continue;
        if (*at == '|') {
            members = true;
            continue;
        }
        uint32_t from = (uint32_t)(at[0] - 'a'), to = (uint32_t)(at[1] - 'a');
        at++;
        if (members) {
            nodes[from].parent = to;
            continue;
        }
        edges[plan->edge_count] = (ax_plan_edge){.from = from, .to = to, .line = plan->edge_count};
        plan->edge_count++;
    }
    *acyclic = ax_plan_index(plan, nodes, edges);
    return plan;
}

/* The order as letters. */
static const char *order_of(const ax_plan *plan)
{
    char *text = AX_NEW_N(&mem, char, plan->node_count + 1);
    for (uint32_t i = 0; i < plan->node_count; i++)
        text[i] = plan->order[i] == AX_NONE ? '-' : (char)('a' + plan->order[i]);
    return text;
}

/* Everything that the index promises, for any acyclic graph. */
static void check_index(const ax_plan *plan)
{
    for (uint32_t n = 0; n < plan->node_count; n++) {
        const ax_plan_node *node = &plan->nodes[n];
        assert_int_equal(plan->order[node->rank], n);
        if (node->parent != AX_NONE) assert_true(plan->nodes[node->parent].rank > node->rank);
        for (uint32_t e = plan->in_at[n]; e < plan->in_at[n + 1]; e++) {
            assert_int_equal(plan->edges[e].to, n);
            assert_true(plan->nodes[plan->edges[e].from].rank < node->rank);
        }
        for (uint32_t o = plan->out_at[n]; o < plan->out_at[n + 1]; o++)
            assert_int_equal(plan->edges[plan->out[o]].from, n);
        for (uint32_t m = plan->member_at[n]; m < plan->member_at[n + 1]; m++)
            assert_int_equal(plan->nodes[plan->member[m]].parent, n);
    }
    assert_int_equal(plan->in_at[plan->node_count], plan->edge_count);
    assert_int_equal(plan->out_at[plan->node_count], plan->edge_count);
}

/* ---- names ---- */

static void names_go_both_ways(void **state)
{
    (void)state;
    assert_string_equal(ax_outcome_name(AX_ON_PASSED), "passed");
    assert_string_equal(ax_node_kind_name(AX_NODE_GROUP), "group");
    for (int i = 0; i < AX_ON_COUNT; i++)
        assert_int_equal(ax_outcome_named(ax_str_of(ax_outcome_name((ax_outcome)i))), i);
    for (int i = 0; i < AX_JOIN_COUNT; i++)
        assert_int_equal(ax_join_named(ax_str_of(ax_join_name((ax_join)i))), i);
    for (int i = 0; i < AX_POLICY_COUNT; i++)
        assert_int_equal(ax_policy_named(ax_str_of(ax_policy_name((ax_policy)i))), i);
    for (int i = 0; i < AX_CATCHUP_COUNT; i++)
        assert_int_equal(ax_catchup_named(ax_str_of(ax_catchup_name((ax_catchup)i))), i);
    for (int i = 0; i < AX_NODE_KIND_COUNT; i++)
        assert_int_equal(ax_node_kind_named(ax_str_of(ax_node_kind_name((ax_node_kind)i))), i);
    for (int i = 0; i < AX_WHY_COUNT; i++)
        assert_int_equal(ax_why_named(ax_str_of(ax_why_name((ax_why_kind)i))), i);
    assert_int_equal(ax_policy_named(AX_LIT("Skip")), AX_POLICY_COUNT);
    assert_int_equal(ax_outcome_named(AX_LIT("")), AX_ON_COUNT);
}

static void a_node_is_found_by_name_and_has_a_kind(void **state)
{
    (void)state;
    ax_plan_node *nodes;
    ax_plan *plan = plan_of(3, &nodes);
    ax_def defs[] = {{.kind = AX_NODE_TASK, .fan_out = true, .whole = 2, .whole_count = 1},
                     {.kind = AX_NODE_GATE, .whole = AX_NONE}};
    plan->defs = defs;
    plan->nodes = nodes;
    nodes[0].name = AX_LIT("sync[\"a\"]");
    nodes[1] = (ax_plan_node){.name = AX_LIT("point"), .def = 1, .parent = AX_NONE};
    nodes[2].name = AX_LIT("sync");
    assert_int_equal(ax_plan_find(plan, AX_LIT("point")), 1);
    assert_int_equal(ax_plan_find(plan, AX_LIT("poin")), AX_NONE);
    assert_int_equal(ax_plan_kind(plan, 0), AX_NODE_TASK);
    assert_int_equal(ax_plan_kind(plan, 1), AX_NODE_GATE);
    assert_int_equal(ax_plan_kind(plan, 2), AX_NODE_GROUP);
}

/* ---- the index ---- */

static void a_graph_is_ordered_by_its_edges_and_else_by_number(void **state)
{
    (void)state;
    static const struct {
        uint32_t nodes;
        const char *graph, *order;
    } cases[] = {
        {0, "", ""},
        {3, "", "abc"},
        {4, "ab ac bd cd", "abcd"},
        {4, "dc cb ba", "dcba"},
        {4, "db da bc ac", "dabc"},
        {3, "ab ab ab bc", "abc"},
        {4, "|bd cd", "abcd"},
        {4, "ab ac |ba ca", "d---"},
        {5, "de |bd cd", "abcde"},
        {5, "ab bc |be ee", "adbc-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool acyclic;
        ax_plan *plan = indexed(cases[i].nodes, cases[i].graph, &acyclic);
        assert_string_equal(order_of(plan), cases[i].order);
        assert_int_equal(acyclic, !strchr(cases[i].order, '-'));
        if (acyclic) check_index(plan);
    }
}

static void what_is_on_or_behind_a_cycle_has_no_rank(void **state)
{
    (void)state;
    bool acyclic;
    ax_plan *plan = indexed(6, "ab bc cb cd ae", &acyclic);
    assert_false(acyclic);
    assert_string_equal(order_of(plan), "afe---");
    assert_int_equal(plan->nodes[1].rank, AX_NONE);
    assert_int_equal(plan->nodes[3].rank, AX_NONE);
    assert_int_equal(plan->nodes[4].rank, 2);
    indexed(1, "aa", &acyclic);
    assert_false(acyclic);
    indexed(2, "|ab ba", &acyclic);
    assert_false(acyclic);
}

static void a_group_comes_after_all_its_members_and_theirs(void **state)
{
    (void)state;
    bool acyclic;
    /* a and c are in group b, b and e in group d; f waits for d. */
    ax_plan *plan = indexed(6, "df ca", &acyclic);
    assert_true(acyclic);
    plan = indexed(6, "df ca |ab cb bd ed", &acyclic);
    assert_true(acyclic);
    check_index(plan);
    assert_string_equal(order_of(plan), "ceabdf");
    assert_int_equal(plan->member_at[2] - plan->member_at[1], 2);
    assert_int_equal(plan->member[plan->member_at[1]], 0);
}

static void edges_to_one_node_keep_their_order(void **state)
{
    (void)state;
    bool acyclic;
    ax_plan *plan = indexed(4, "cd ab bd ad ac", &acyclic);
    static const uint32_t lines[] = {1, 4, 0, 2, 3};
    for (uint32_t e = 0; e < plan->edge_count; e++) assert_int_equal(plan->edges[e].line, lines[e]);
}

static void a_chain_of_100000_needs_no_stack(void **state)
{
    (void)state;
    enum { N = 100000 };
    ax_plan_node *nodes;
    ax_plan *plan = plan_of(N, &nodes);
    ax_plan_edge *edges = AX_NEW_N(&mem, ax_plan_edge, N);
    for (uint32_t i = 0; i + 1 < N; i++) edges[i] = (ax_plan_edge){.from = N - 1 - i, .to = N - 2 - i};
    plan->edge_count = N - 1;
    assert_true(ax_plan_index(plan, nodes, edges));
    check_index(plan);
    assert_int_equal(plan->order[0], N - 1);
}

static void a_million_nodes_in_layers_and_groups_are_indexed(void **state)
{
    (void)state;
    enum { N = 1000000, LAYER = 1000 };
    ax_plan_node *nodes;
    ax_plan *plan = plan_of(N, &nodes);
    ax_plan_edge *edges = AX_NEW_N(&mem, ax_plan_edge, 2 * N);
    for (uint32_t i = 0; i < N; i++) {
        if (i % LAYER == LAYER - 1) continue;
        nodes[i].parent = i - i % LAYER + LAYER - 1; /* the last of a layer is its group */
        if (i < LAYER) continue;
        edges[plan->edge_count++] = (ax_plan_edge){.from = i - LAYER, .to = i};
        edges[plan->edge_count++] = (ax_plan_edge){.from = i - i % LAYER - 1, .to = i};
    }
    assert_true(ax_plan_index(plan, nodes, edges));
    check_index(plan);
}

#define CASE(name) cmocka_unit_test_teardown(name, teardown)
static const struct CMUnitTest tests[] = {
    CASE(names_go_both_ways),
    CASE(a_node_is_found_by_name_and_has_a_kind),
    CASE(a_graph_is_ordered_by_its_edges_and_else_by_number),
    CASE(what_is_on_or_behind_a_cycle_has_no_rank),
    CASE(a_group_comes_after_all_its_members_and_theirs),
    CASE(edges_to_one_node_keep_their_order),
    CASE(a_chain_of_100000_needs_no_stack),
    CASE(a_million_nodes_in_layers_and_groups_are_indexed),
};
RUN_TESTS(tests)
