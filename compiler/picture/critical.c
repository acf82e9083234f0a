/* critical.c - the longest way through a plan by time, if everything succeeds. */
#include "compiler/picture/critical_int.h"

typedef struct {
    int64_t end_ms;
    uint32_t before; /* the node that it waits for last; AX_NONE: none */
    uint32_t edge;   /* by which; AX_NONE: it is a member */
} moment;

static void wait_for(moment *m, const moment *ends, uint32_t node, uint32_t edge)
{
    if (m->before != AX_NONE && m->end_ms >= ends[node].end_ms) return;
    *m = (moment){ends[node].end_ms, node, edge};
}

void ax_critical_find(const ax_plan *plan, const int64_t *durations_ms, ax_arena *mem, ax_critical *out)
{
    moment *ends = AX_NEW_N(mem, moment, plan->node_count + 1);
    uint32_t last = AX_NONE;
    *out = (ax_critical){.node = AX_NEW_N(mem, bool, plan->node_count + 1),
                         .edge = AX_NEW_N(mem, bool, plan->edge_count + 1)};
    for (uint32_t i = 0; i < plan->node_count; i++) {
        uint32_t node = plan->order[i];
        moment m = {0, AX_NONE, AX_NONE};
        uint32_t usable = 0, edges = plan->in_at[node + 1] - plan->in_at[node];
        for (uint32_t e = plan->in_at[node]; e < plan->in_at[node + 1]; e++) {
            ax_outcome outcome = (ax_outcome)plan->edges[e].outcome;
            if (outcome == AX_ON_FAILED || outcome == AX_ON_SKIPPED) continue;
            wait_for(&m, ends, plan->edges[e].from, e);
            usable++;
        }
        for (uint32_t k = plan->member_at[node]; k < plan->member_at[node + 1]; k++)
            wait_for(&m, ends, plan->member[k], AX_NONE);
        bool runs = ax_plan_kind(plan, node) == AX_NODE_TASK && plan->defs[plan->nodes[node].def].enabled &&
                    (usable || !edges);
        if (runs) m.end_ms += durations_ms[node];
        ends[node] = m;
        if (last == AX_NONE || m.end_ms > ends[last].end_ms) last = node;
    }
    if (last == AX_NONE) return;
    out->length_ms = ends[last].end_ms;
    for (; last != AX_NONE; last = ends[last].before) {
        out->node[last] = true;
        if (ends[last].edge != AX_NONE) out->edge[ends[last].edge] = true;
    }
}
