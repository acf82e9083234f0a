/* merge.c - both versions of a graph as one: definitions and nodes.
 *
 * Copies of a fan-out are the same if their values are, whatever the order of the keys.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "compiler/diff/diff_int.h"

/* ---- definitions and nodes ---- */

uint32_t ax_diff_node_def(const ax_diff_merge *m, uint32_t node)
{
    if (node >= m->node_count) return node - m->node_count;
    if (node < m->after->node_count) return m->after->nodes[node].def;
    return m->def_of_before[m->before->nodes[m->node_before[node]].def];
}

ax_str ax_diff_node_name(const ax_diff_merge *m, uint32_t node)
{
    if (node >= m->node_count) return ax_diff_def_name(m, node - m->node_count);
    if (node < m->after->node_count) return m->after->nodes[node].name;
    return m->before->nodes[m->node_before[node]].name;
}

bool ax_diff_node_is_new(const ax_diff_merge *m, uint32_t node)
{
    if (node >= m->node_count) return ax_diff_def_is_new(m, node - m->node_count);
    return m->node_before[node] == AX_NONE;
}

bool ax_diff_node_is_gone(const ax_diff_merge *m, uint32_t node)
{
    if (node >= m->node_count) return ax_diff_def_is_gone(m, node - m->node_count);
    return node >= m->after->node_count;
}

ax_str ax_diff_def_name(const ax_diff_merge *m, uint32_t def)
{
    if (!ax_diff_def_is_gone(m, def)) return m->after->defs[def].name;
    return m->before->defs[m->def_before[def]].name;
}

uint32_t ax_diff_values(const ax_plan *plan, uint32_t node, uint32_t *count)
{
    const ax_plan_node *n = &plan->nodes[node];
    bool is_whole = ax_plan_is_whole(plan, node);
    *count = is_whole ? ax_plan_outer_keys(plan, node) : plan->defs[n->def].key_count;
    return is_whole && *count ? plan->nodes[n->parent].values : n->values;
}

typedef struct {
    uint32_t key;
    ax_str name;
} key_name;

static int key_cmp(const void *a, const void *b)
{
    return ax_str_cmp(((const key_name *)a)->name, ((const key_name *)b)->name);
}

/* What a node is, in mem: its definition in the merge, and its values by the names of their keys. The node of
 * a definition without copies is what the whole of a fan-out is. */
static ax_str node_text(ax_arena *mem, const ax_plan *plan, uint32_t node, uint32_t number, ax_buf *text)
{
    const ax_def *def = &plan->defs[plan->nodes[node].def];
    uint32_t count, values = ax_diff_values(plan, node, &count);
    key_name *keys = AX_NEW_N(mem, key_name, count);
    for (uint32_t k = 0; k < count; k++) keys[k] = (key_name){k, def->keys[k]};
    if (count) qsort(keys, count, sizeof *keys, key_cmp);
    ax_buf_clear(text);
    ax_buf_addf(text, "%" PRIu32 " ", number);
    for (uint32_t k = 0; k < count; k++) {
        ax_diff_key_text(keys[k].name, text);
        ax_value_source(&plan->values[values + keys[k].key], text);
    }
    return ax_str_dup(mem, ax_buf_str(text));
}

static void merge_defs(ax_arena *mem, ax_diff_merge *m)
{
    const ax_plan *a = m->before, *b = m->after;
    uint32_t *pairs = ax_diff_match(mem, a, b);
    m->def_of_before = pairs;
    m->def_before = AX_NEW_N(mem, uint32_t, (size_t)a->def_count + b->def_count + 1);
    m->def_count = b->def_count;
    for (uint32_t d = 0; d < b->def_count; d++) m->def_before[d] = AX_NONE;
    for (uint32_t d = 0; d < a->def_count; d++) {
        if (pairs[d] == AX_NONE) pairs[d] = m->def_count++;
        m->def_before[pairs[d]] = d;
    }
}

/* True if it has copies in one of the versions; then its nodes are told apart by their values. */
static bool has_copies(const ax_diff_merge *m, uint32_t number)
{
    bool before = m->def_before[number] != AX_NONE && m->before->defs[m->def_before[number]].fan_out;
    return before || (number < m->after->def_count && m->after->defs[number].fan_out);
}

static void pair_nodes(ax_diff_merge *m)
{
    const ax_plan *a = m->before, *b = m->after;
    ax_arena scratch = AX_ARENA_INIT;
    ax_buf text = AX_BUF_INIT(AX_DIFF_TEXT_MAX);
    ax_map copies = {0};
    for (uint32_t n = 0; n < b->node_count; n++) {
        uint32_t number = b->nodes[n].def;
        if (has_copies(m, number)) ax_map_add(&scratch, &copies, node_text(&scratch, b, n, number, &text), n);
    }
    for (uint32_t n = 0; n < a->node_count; n++) {
        uint32_t number = m->def_of_before[a->nodes[n].def], same = AX_MAP_NONE;
        if (ax_diff_def_is_gone(m, number)) continue;
        if (has_copies(m, number)) same = ax_map_get(&copies, node_text(&scratch, a, n, number, &text));
        else same = b->defs[number].first;
        if (same == AX_MAP_NONE) continue;
        m->node_of_before[n] = same;
        m->node_before[same] = n;
    }
    ax_buf_free(&text);
    ax_arena_free(&scratch);
}

static void merge_nodes(ax_arena *mem, ax_diff_merge *m)
{
    const ax_plan *a = m->before, *b = m->after;
    m->node_of_before = AX_NEW_N(mem, uint32_t, a->node_count + 1);
    m->node_before = AX_NEW_N(mem, uint32_t, (size_t)a->node_count + b->node_count + 1);
    m->node_count = b->node_count;
    for (uint32_t n = 0; n < b->node_count; n++) m->node_before[n] = AX_NONE;
    for (uint32_t n = 0; n < a->node_count; n++) m->node_of_before[n] = AX_NONE;
    pair_nodes(m);
    for (uint32_t n = 0; n < a->node_count; n++) {
        if (m->node_of_before[n] != AX_NONE) continue;
        m->node_before[m->node_count] = n;
        m->node_of_before[n] = m->node_count++;
    }
}

void ax_diff_merge_make(ax_arena *mem, const ax_plan *before, const ax_plan *after, ax_diff_merge *out)
{
    *out = (ax_diff_merge){.before = before, .after = after};
    merge_defs(mem, out);
    merge_nodes(mem, out);
}
