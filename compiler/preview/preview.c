/* preview.c - what becomes of each node if every task succeeds: it runs, it is skipped, or outputs decide.
 *
 * The tables are those of the runtime (docs/state-machines.md) for parents that succeeded or were skipped
 * because a path was not taken; nothing fails here, so no edge is dead. Nodes are looked at in topological
 * order, in which members come before their group.
 */
#include "compiler/preview/preview_int.h"

#include "dsl/base/assert.h"

#define S AX_EDGE_SATISFIED
#define V AX_EDGE_VOID
#define M AX_EDGE_MAYBE

/* In the order of ax_outcome: succeeded failed skipped passed done. */
static const uint8_t edge_table[AX_FATE_COUNT][AX_ON_COUNT] = {
    [AX_FATE_RUNS] = {S, V, V, S, S},
    [AX_FATE_SKIPPED] = {V, V, S, S, S},
    [AX_FATE_MAYBE] = {M, V, M, S, S},
};
_Static_assert(AX_ON_SUCCEEDED == 0 && AX_ON_FAILED == 1 && AX_ON_SKIPPED == 2 && AX_ON_PASSED == 3 &&
                   AX_ON_DONE == 4 && AX_ON_COUNT == 5,
               "the columns above are in the order of ax_outcome");

#undef S
#undef V
#undef M

const char *ax_fate_name(ax_fate fate)
{
    static const char *const names[AX_FATE_COUNT] = {
        [AX_FATE_RUNS] = "runs", [AX_FATE_MAYBE] = "maybe", [AX_FATE_SKIPPED] = "skipped"};
    AX_ASSERT(fate < AX_FATE_COUNT);
    return names[fate];
}

const char *ax_why_not_name(ax_why_not why)
{
    static const char *const names[AX_WHY_NOT_COUNT] = {
        [AX_WHY_NOT_NONE] = "",
        [AX_WHY_NOT_CONDITION] = "condition_false",
        [AX_WHY_NOT_DISABLED] = "disabled",
        [AX_WHY_NOT_TAKEN] = "not_taken",
        [AX_WHY_NOT_UNMET] = "join_unmet",
    };
    AX_ASSERT(why < AX_WHY_NOT_COUNT);
    return names[why];
}

ax_scope ax_preview_scope(const ax_preview *p, uint32_t node)
{
    const ax_plan_node *n = &p->in.plan->nodes[node];
    return (ax_scope){
        .params = p->in.params,
        .keys = p->in.plan->values ? p->in.plan->values + n->values : NULL,
        .date = p->in.run->date,
        .scheduled_at = p->in.run->scheduled_at,
        .interval_start = p->in.run->interval_start,
        .interval_end = p->in.run->interval_end,
        .node_name = n->name,
    };
}

static const ax_def *def_of(const ax_preview *p, uint32_t node)
{
    return &p->in.plan->defs[p->in.plan->nodes[node].def];
}

ax_preview_edge ax_preview_edge_of(const ax_preview *p, uint32_t edge)
{
    const ax_plan_edge *e = &p->in.plan->edges[edge];
    return (ax_preview_edge)edge_table[p->nodes[e->from].fate][e->outcome];
}

uint32_t ax_preview_join_need(const ax_def *def)
{
    switch (def->join) {
    case AX_JOIN_ANY: return 1;
    case AX_JOIN_AT_LEAST: return def->join_count;
    case AX_JOIN_ALL:
    case AX_JOIN_STRICT:
    case AX_JOIN_COUNT: break;
    }
    return 0;
}

static void skip(ax_preview_node *node, ax_why_not why, uint32_t edge)
{
    *node = (ax_preview_node){.fate = AX_FATE_SKIPPED, .why = why, .edge = edge};
}

/* What a node's edges and join say. */
static void decide_join(const ax_preview *p, uint32_t node, ax_preview_node *out)
{
    const ax_plan *plan = p->in.plan;
    const ax_def *def = def_of(p, node);
    uint32_t first = plan->in_at[node], n = plan->in_at[node + 1] - first;
    uint32_t count[AX_EDGE_COUNT] = {0}, missing = AX_NONE;
    if (n == 0) return;
    for (uint32_t i = 0; i < n; i++) {
        ax_preview_edge edge = ax_preview_edge_of(p, first + i);
        if (edge != AX_EDGE_SATISFIED && missing == AX_NONE) missing = first + i;
        count[edge]++;
    }
    uint32_t need = def->join == AX_JOIN_STRICT ? n : ax_preview_join_need(def);
    if (def->join == AX_JOIN_ALL) need = 1;
    uint32_t satisfied = count[AX_EDGE_SATISFIED], possible = satisfied + count[AX_EDGE_MAYBE];
    if (satisfied >= need) return;
    if (possible >= need) out->fate = AX_FATE_MAYBE;
    else skip(out, count[AX_EDGE_VOID] == n ? AX_WHY_NOT_TAKEN : AX_WHY_NOT_UNMET, missing);
}

/* What `when` says; a node that is skipped anyway is not asked. */
static void decide_when(const ax_preview *p, uint32_t node, ax_preview_node *out, ax_arena *mem)
{
    const ax_def *def = def_of(p, node);
    if (!def->when || out->fate == AX_FATE_SKIPPED) return;
    ax_scope scope = ax_preview_scope(p, node);
    const ax_known known = {&scope, AX_PREVIEW_ROOTS};
    const ax_expr *left;
    ax_err err;
    if (ax_expr_bind(def->when, &known, mem, &left, &err)) {
        out->problem = ax_str_fmt(mem, "'when': %s", err.text);
        return;
    }
    if (left->kind != AX_X_CONST) {
        out->fate = AX_FATE_MAYBE;
        out->when = left;
    } else if (left->u.value.kind != AX_T_BOOL) {
        out->problem = ax_str_of("'when' is no bool");
    } else if (!left->u.value.u.b) {
        skip(out, AX_WHY_NOT_CONDITION, AX_NONE);
    }
}

/* A group has the end of its members: succeeded if one of them did. */
static void decide_group(const ax_preview *p, uint32_t node, ax_preview_node *out)
{
    const ax_plan *plan = p->in.plan;
    uint32_t first = plan->member_at[node], end = plan->member_at[node + 1];
    uint32_t count[AX_FATE_COUNT] = {0};
    for (uint32_t m = first; m < end; m++) count[p->nodes[plan->member[m]].fate]++;
    if (count[AX_FATE_RUNS] || first == end) return;
    if (count[AX_FATE_MAYBE]) out->fate = AX_FATE_MAYBE;
    else skip(out, AX_WHY_NOT_TAKEN, AX_NONE);
}

void ax_preview_make(const ax_preview_input *in, ax_arena *mem, ax_preview *out)
{
    const ax_plan *plan = in->plan;
    *out = (ax_preview){.in = *in, .nodes = AX_NEW_N(mem, ax_preview_node, plan->node_count)};
    for (uint32_t rank = 0; rank < plan->node_count; rank++) {
        uint32_t node = plan->order[rank];
        ax_preview_node *n = &out->nodes[node];
        *n = (ax_preview_node){.fate = AX_FATE_RUNS, .edge = AX_NONE};
        if (ax_plan_kind(plan, node) == AX_NODE_GROUP) {
            decide_group(out, node, n);
        } else if (!def_of(out, node)->enabled) {
            skip(n, AX_WHY_NOT_DISABLED, AX_NONE);
        } else {
            decide_join(out, node, n);
            decide_when(out, node, n, mem);
        }
    }
    ax_preview_time(out, mem);
}
