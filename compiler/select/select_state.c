/* select_state.c - which nodes mean something else than in a baseline.
 *
 * A node is modified if its task definition, as it stands in the document but without title, text and place,
 * its failure policy, or its incoming edges differ. Order and layout of the source do not matter.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/select/select_int.h"
#include "dsl/base/map.h"
#include "dsl/model/plan_json.h"

/* Appends what a definition means. */
static void add_meaning(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    ax_def bare = *def;
    bare.title = bare.doc = bare.file = (ax_str){0};
    bare.line = 0;
    ax_plan_write_def(plan, &bare, out);
    ax_buf_adds(out, ax_policy_name(def->policy));
}

/* By definition of plan: it differs from the one of the same name in the baseline, or is new. */
static bool *compare_defs(const ax_plan *plan, const ax_plan *baseline, ax_arena *mem)
{
    bool *differs = AX_NEW_N(mem, bool, plan->def_count);
    ax_buf mine = AX_BUF_INIT(AX_PLAN_BYTES_MAX), theirs = AX_BUF_INIT(AX_PLAN_BYTES_MAX);
    ax_map names = {0};
    for (uint32_t i = 0; i < baseline->def_count; i++) ax_map_add(mem, &names, baseline->defs[i].name, i);
    for (uint32_t i = 0; i < plan->def_count; i++) {
        uint32_t other = ax_map_get(&names, plan->defs[i].name);
        ax_buf_clear(&mine);
        ax_buf_clear(&theirs);
        add_meaning(plan, &plan->defs[i], &mine);
        if (other != AX_MAP_NONE) add_meaning(baseline, &baseline->defs[other], &theirs);
        differs[i] = !ax_str_eq(ax_buf_str(&mine), ax_buf_str(&theirs));
    }
    ax_buf_free(&mine);
    ax_buf_free(&theirs);
    return differs;
}

/* ---- edges ---- */

typedef struct {
    ax_str from;
    uint8_t outcome;
} incoming;

static int incoming_cmp(const void *a, const void *b)
{
    const incoming *x = a, *y = b;
    int order = ax_str_cmp(x->from, y->from);
    return order ? order : x->outcome - y->outcome;
}

static incoming *sorted_incoming(const ax_plan *plan, uint32_t node, ax_arena *mem)
{
    uint32_t first = plan->in_at[node], count = plan->in_at[node + 1] - first;
    incoming *edges = AX_NEW_N(mem, incoming, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const ax_plan_edge *edge = &plan->edges[first + i];
        edges[i] = (incoming){plan->nodes[edge->from].name, edge->outcome};
    }
    qsort(edges, count, sizeof *edges, incoming_cmp);
    return edges;
}

static bool same_edges(const ax_plan *plan, uint32_t node, const ax_plan *baseline, uint32_t other)
{
    uint32_t count = plan->in_at[node + 1] - plan->in_at[node];
    if (count != baseline->in_at[other + 1] - baseline->in_at[other]) return false;
    if (count == 0) return true;
    ax_arena scratch = AX_ARENA_INIT;
    const incoming *mine = sorted_incoming(plan, node, &scratch);
    const incoming *theirs = sorted_incoming(baseline, other, &scratch);
    bool same = true;
    for (uint32_t i = 0; i < count && same; i++) same = incoming_cmp(&mine[i], &theirs[i]) == 0;
    ax_arena_free(&scratch);
    return same;
}

void ax_select_changed(const ax_plan *plan, const ax_plan *baseline, ax_node_change change, ax_node_set *set,
                       ax_arena *mem)
{
    const bool *differs = compare_defs(plan, baseline, mem);
    ax_map names = {0};
    for (uint32_t i = 0; i < baseline->node_count; i++) ax_map_add(mem, &names, baseline->nodes[i].name, i);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        uint32_t other = ax_map_get(&names, plan->nodes[n].name);
        bool changed = other == AX_MAP_NONE;
        if (change == AX_STATE_MODIFIED && !changed)
            changed = differs[plan->nodes[n].def] || !same_edges(plan, n, baseline, other);
        if (changed) set->bits[n / 64] |= UINT64_C(1) << (n % 64);
    }
}
