/* select_walk.c - what lies before and behind some nodes, by number of edges.
 *
 * Level by level. Within a level a walk also goes from a group to its members (against the edges) or from a
 * member to its group (along them), because the end of a group is that of its members; that costs no edge. A
 * node is done at the first level that reaches it, so each edge is looked at once.
 */
#include "compiler/select/select_int.h"

#include "dsl/base/assert.h"

typedef AX_VEC(uint32_t) node_list;

typedef struct {
    const ax_plan *plan;
    ax_arena *mem;
    bool up;
    bool *done;
    node_list level, next;
} walk;

/* Puts what a node is part of, or what is part of it, on the same level. */
static void same_level(walk *w, uint32_t node)
{
    const ax_plan *plan = w->plan;
    uint32_t parent = plan->nodes[node].parent;
    if (!w->up) {
        if (parent != AX_NONE && !w->done[parent]) ax_vec_push(w->mem, &w->level, parent);
        return;
    }
    for (uint32_t m = plan->member_at[node]; m < plan->member_at[node + 1]; m++)
        if (!w->done[plan->member[m]]) ax_vec_push(w->mem, &w->level, plan->member[m]);
}

static void next_level(walk *w, uint32_t node)
{
    const ax_plan *plan = w->plan;
    const uint32_t *at = w->up ? plan->in_at : plan->out_at;
    for (uint32_t i = at[node]; i < at[node + 1]; i++) {
        uint32_t other = w->up ? plan->edges[i].from : plan->edges[plan->out[i]].to;
        if (!w->done[other]) ax_vec_push(w->mem, &w->next, other);
    }
}

static void go(walk *w, uint32_t edges)
{
    for (uint32_t edge = 0; w->level.len; edge++) {
        while (w->level.len) {
            uint32_t node = w->level.at[--w->level.len];
            if (w->done[node]) continue;
            w->done[node] = true;
            same_level(w, node);
            if (edge < edges) next_level(w, node);
        }
        node_list empty = w->level;
        w->level = w->next;
        w->next = empty;
    }
}

static void walk_one_way(const ax_plan *plan, const ax_node_set *from, bool up, uint32_t edges, bool *reached,
                         ax_arena *mem)
{
    walk w = {.plan = plan, .mem = mem, .up = up, .done = reached};
    for (uint32_t n = 0; n < plan->node_count; n++)
        if (ax_node_set_has(from, n)) ax_vec_push(mem, &w.level, n);
    go(&w, edges);
}

void ax_select_walk(const ax_plan *plan, ax_node_set *set, uint32_t up, uint32_t down, ax_arena *mem)
{
    bool *before = AX_NEW_N(mem, bool, plan->node_count), *behind = AX_NEW_N(mem, bool, plan->node_count);
    if (up) walk_one_way(plan, set, true, up, before, mem);
    if (down) walk_one_way(plan, set, false, down, behind, mem);
    for (uint32_t n = 0; n < plan->node_count; n++)
        if (before[n] || behind[n]) set->bits[n / 64] |= UINT64_C(1) << (n % 64);
}
