/* plan.c - names of a plan's enumerations, and the index that makes its graph walkable in every direction.
 *
 * The index is built by counting, never by recursion or comparison sorts: time and memory are linear in nodes
 * and edges, and a chain of a million nodes needs no stack.
 */
#include "dsl/model/plan.h"

#include <string.h>

#include "dsl/base/assert.h"

/* ---- names ---- */

static const char *const node_kinds[AX_NODE_KIND_COUNT] = {
    [AX_NODE_TASK] = "task",
    [AX_NODE_GATE] = "gate",
    [AX_NODE_GROUP] = "group",
};
static const char *const outcomes[AX_ON_COUNT] = {
    [AX_ON_SUCCEEDED] = "succeeded", [AX_ON_FAILED] = "failed", [AX_ON_SKIPPED] = "skipped",
    [AX_ON_PASSED] = "passed",       [AX_ON_DONE] = "done",
};
static const char *const joins[AX_JOIN_COUNT] = {
    [AX_JOIN_ALL] = "all",
    [AX_JOIN_ANY] = "any",
    [AX_JOIN_AT_LEAST] = "at_least",
    [AX_JOIN_STRICT] = "strict",
};
static const char *const policies[AX_POLICY_COUNT] = {
    [AX_POLICY_SKIP] = "skip",     [AX_POLICY_PAUSE] = "pause", [AX_POLICY_IGNORE] = "ignore",
    [AX_POLICY_BRANCH] = "branch", [AX_POLICY_ABORT] = "abort",
};
static const char *const catchups[AX_CATCHUP_COUNT] = {
    [AX_CATCHUP_NONE] = "none",
    [AX_CATCHUP_LATEST] = "latest",
    [AX_CATCHUP_ALL] = "all",
};
static const char *const whys[AX_WHY_COUNT] = {
    [AX_WHY_EXIT] = "exit",
    [AX_WHY_TIMEOUT] = "timeout",
    [AX_WHY_LOST] = "lost",
    [AX_WHY_ANY] = "any",
};

static int index_of(ax_str name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (ax_str_is(name, names[i])) return i;
    return count;
}

#define NAMES(type, prefix, table, count)                                                                    \
    const char *ax_##prefix##_name(type value)                                                               \
    {                                                                                                        \
        return table[value];                                                                                 \
    }                                                                                                        \
    type ax_##prefix##_named(ax_str name)                                                                    \
    {                                                                                                        \
        return (type)index_of(name, table, count);                                                           \
    }
NAMES(ax_node_kind, node_kind, node_kinds, AX_NODE_KIND_COUNT)
NAMES(ax_outcome, outcome, outcomes, AX_ON_COUNT)
NAMES(ax_join, join, joins, AX_JOIN_COUNT)
NAMES(ax_policy, policy, policies, AX_POLICY_COUNT)
NAMES(ax_catchup, catchup, catchups, AX_CATCHUP_COUNT)
NAMES(ax_why_kind, why, whys, AX_WHY_COUNT)
#undef NAMES

/* ---- look-ups ---- */

uint32_t ax_plan_find(const ax_plan *plan, ax_str name)
{
    for (uint32_t n = 0; n < plan->node_count; n++)
        if (ax_str_eq(plan->nodes[n].name, name)) return n;
    return AX_NONE;
}

bool ax_plan_is_whole(const ax_plan *plan, uint32_t node)
{
    const ax_def *def = &plan->defs[plan->nodes[node].def];
    return def->whole != AX_NONE && node >= def->whole && node - def->whole < def->whole_count;
}

uint32_t ax_plan_outer_keys(const ax_plan *plan, uint32_t node)
{
    uint32_t around = plan->nodes[node].parent;
    if (around != AX_NONE && plan->nodes[around].def == plan->nodes[node].def)
        around = plan->nodes[around].parent;
    return around == AX_NONE ? 0 : plan->defs[plan->nodes[around].def].key_count;
}

ax_node_kind ax_plan_kind(const ax_plan *plan, uint32_t node)
{
    return ax_plan_is_whole(plan, node) ? AX_NODE_GROUP : plan->defs[plan->nodes[node].def].kind;
}

/* ---- index ---- */

/* Turns counts at[1 … n] into starts at[0 … n]. */
static void sum_up(uint32_t *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) at[i + 1] += at[i];
}

/* Sorts edges by `to`, keeping the order of those to one node, and sets in_at. */
static void sort_edges(ax_plan *plan, ax_arena *scratch, ax_plan_edge *edges)
{
    uint32_t n = plan->node_count, m = plan->edge_count;
    uint32_t *in_at = AX_NEW_N(plan->mem, uint32_t, n + 1);
    for (uint32_t e = 0; e < m; e++) in_at[edges[e].to + 1]++;
    sum_up(in_at, n);
    plan->in_at = in_at;
    if (m == 0) return;

    uint32_t *next = AX_NEW_N(scratch, uint32_t, n);
    ax_plan_edge *sorted = AX_NEW_N(scratch, ax_plan_edge, m);
    memcpy(next, in_at, n * sizeof *next);
    for (uint32_t e = 0; e < m; e++) sorted[next[edges[e].to]++] = edges[e];
    memcpy(edges, sorted, m * sizeof *edges);
}

/* Lists for every node the edges that leave it. */
static void link_out(ax_plan *plan, ax_arena *scratch)
{
    uint32_t n = plan->node_count, m = plan->edge_count;
    uint32_t *out_at = AX_NEW_N(plan->mem, uint32_t, n + 1), *out = AX_NEW_N(plan->mem, uint32_t, m);
    uint32_t *next = AX_NEW_N(scratch, uint32_t, n + 1);
    for (uint32_t e = 0; e < m; e++) out_at[plan->edges[e].from + 1]++;
    sum_up(out_at, n);
    memcpy(next, out_at, (n + 1) * sizeof *next);
    for (uint32_t e = 0; e < m; e++) out[next[plan->edges[e].from]++] = e;
    plan->out_at = out_at;
    plan->out = out;
}

/* Lists for every group its direct members. */
static void link_members(ax_plan *plan, ax_arena *scratch)
{
    uint32_t n = plan->node_count;
    uint32_t *at = AX_NEW_N(plan->mem, uint32_t, n + 1), *next = AX_NEW_N(scratch, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (plan->nodes[i].parent != AX_NONE) at[plan->nodes[i].parent + 1]++;
    sum_up(at, n);
    memcpy(next, at, (n + 1) * sizeof *next);
    uint32_t *member = AX_NEW_N(plan->mem, uint32_t, at[n]);
    for (uint32_t i = 0; i < n; i++)
        if (plan->nodes[i].parent != AX_NONE) member[next[plan->nodes[i].parent]++] = i;
    plan->member_at = at;
    plan->member = member;
}

/* Kahn's algorithm over edges and membership; `order` is its queue. */
static bool set_ranks(ax_plan *plan, ax_arena *scratch, ax_plan_node *nodes)
{
    uint32_t n = plan->node_count, head = 0, tail = 0;
    uint32_t *order = AX_NEW_N(plan->mem, uint32_t, n), *open = AX_NEW_N(scratch, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].rank = AX_NONE;
        open[i] = plan->in_at[i + 1] - plan->in_at[i] + plan->member_at[i + 1] - plan->member_at[i];
        if (open[i] == 0) order[tail++] = i;
    }
    for (; head < tail; head++) {
        uint32_t node = order[head], parent = nodes[node].parent;
        nodes[node].rank = head;
        for (uint32_t o = plan->out_at[node]; o < plan->out_at[node + 1]; o++) {
            uint32_t to = plan->edges[plan->out[o]].to;
            if (--open[to] == 0) order[tail++] = to;
        }
        if (parent != AX_NONE && --open[parent] == 0) order[tail++] = parent;
    }
    for (uint32_t i = tail; i < n; i++) order[i] = AX_NONE;
    plan->order = order;
    return tail == n;
}

bool ax_plan_index(ax_plan *plan, ax_plan_node *nodes, ax_plan_edge *edges)
{
    for (uint32_t i = 0; i < plan->node_count; i++)
        AX_ASSERT(nodes[i].parent == AX_NONE || nodes[i].parent < plan->node_count);
    for (uint32_t e = 0; e < plan->edge_count; e++)
        AX_ASSERT(edges[e].from < plan->node_count && edges[e].to < plan->node_count);
    ax_arena scratch = AX_ARENA_INIT;
    plan->nodes = nodes;
    plan->edges = edges;
    sort_edges(plan, &scratch, edges);
    link_out(plan, &scratch);
    link_members(plan, &scratch);
    bool acyclic = set_ranks(plan, &scratch, nodes);
    ax_arena_free(&scratch);
    return acyclic;
}
