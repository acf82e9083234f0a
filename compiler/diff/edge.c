/* edge.c - what changed in the edges between nodes. */
#include "compiler/diff/diff_int.h"

/* An edge that asks for a failure or a skip says when its end runs, not only after what. */
static bool is_condition(uint8_t outcome)
{
    return outcome == AX_ON_FAILED || outcome == AX_ON_SKIPPED;
}

typedef struct {
    ax_differ *d;
    const ax_diff_merge *merge;
    bool *has_parent; /* end of a link: something leads to it in the newer version */
} edges;

static ax_diff_rule rule_of(const edges *e, const ax_diff_link *l)
{
    const ax_diff_merge *m = e->merge;
    if (l->in_before && l->in_after) return AX_RULE_EDGE_CONDITION;
    if (l->in_after) {
        bool is_new = ax_diff_node_is_new(m, l->from) || ax_diff_node_is_new(m, l->to);
        if (is_new) return AX_RULE_EDGE_OF_NEW;
        return is_condition(l->outcome) ? AX_RULE_EDGE_CONDITION : AX_RULE_EDGE_ADDED;
    }
    if (ax_diff_node_is_gone(m, l->to)) return AX_RULE_EDGE_OF_GONE;
    /* What ran only after a failure runs always once nothing leads to it. */
    bool is_gone = ax_diff_node_is_gone(m, l->from);
    if (is_condition(l->outcome) && (!is_gone || !e->has_parent[l->to])) return AX_RULE_EDGE_CONDITION;
    return is_gone ? AX_RULE_EDGE_OF_GONE : AX_RULE_EDGE_REMOVED;
}

static void add(edges *e, const ax_diff_link *l)
{
    ax_differ *d = e->d;
    ax_diff_rule rule = rule_of(e, l);
    ax_diff_op op = !l->in_before ? AX_DIFF_ADDED : !l->in_after ? AX_DIFF_REMOVED : AX_DIFF_CHANGED;
    uint32_t to = ax_diff_node_def(e->merge, l->to);
    ax_diff_change *c = ax_differ_add(d, rule, op, (ax_str){0});
    c->edge = (ax_diff_edge){ax_diff_node_name(e->merge, l->from), ax_diff_node_name(e->merge, l->to),
                             (ax_outcome)l->outcome, (ax_outcome)l->was};
    c->line_before = l->line_before;
    c->line_after = l->line_after;
    c->nodes = ax_differ_keep(d, &to, 1);
    c->node_count = 1;
    if (rule == AX_RULE_EDGE_OF_NEW || rule == AX_RULE_EDGE_OF_GONE) return;
    const ax_diff_query behind = {.with_seeds = true, .defs = c->nodes, .def_count = 1};
    ax_differ_ask(d, d->changes.len - 1, behind);
    if (rule == AX_RULE_EDGE_CONDITION) ax_vec_push(&d->scratch, &d->stale, to);
}

void ax_diff_edge_changes(ax_differ *d)
{
    const ax_diff *out = d->out;
    edges e = {.d = d, .merge = &out->merge};
    e.has_parent = AX_NEW_N(&d->scratch, bool, (size_t)out->merge.node_count + out->merge.def_count + 1);
    for (uint32_t i = 0; i < out->link_count; i++) {
        if (out->links[i].in_after) e.has_parent[out->links[i].to] = true;
    }
    for (uint32_t i = 0; i < out->link_count; i++) {
        const ax_diff_link *l = &out->links[i];
        if (!l->in_before || !l->in_after || l->outcome != l->was) add(&e, l);
    }
}
