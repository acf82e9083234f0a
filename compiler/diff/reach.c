/* reach.c - what stands behind something in the graph, for 64 questions at once.
 *
 * Each node has a mask with a bit for each question; in topological order a mask is what its parents have.
 * Counting is bit-sliced: 64 counters stand across a few words, and adding a mask to all of them is a ripple
 * of carries. So a question costs one 64th of a walk over the graph, however far it reaches.
 */
#include <string.h>

#include "compiler/diff/diff_int.h"
#include "dsl/base/assert.h"

#define LANES 64
#define COUNTER_BITS 32

typedef struct {
    const ax_diff_merge *merge;
    const ax_plan *plan; /* one version */
    bool in_before, on_success;
    ax_arena mem;
    uint64_t *mask; /* node of the plan */
    uint64_t *seed; /* definition of the plan: the questions that begin there */
    uint64_t *met;  /* definition of the plan: the questions that reach it */
    const ax_diff_query *lanes[LANES];
    uint32_t lane_count;
    uint64_t with_seeds, odd_seeds, only_kept; /* lanes that ask so */
    uint32_t from;                             /* no seed has a smaller rank */
    uint64_t counters[COUNTER_BITS];
} walk;

/* A definition of the merge in the walked version, or AX_NONE. */
static uint32_t def_in(const walk *w, uint32_t def)
{
    if (w->in_before) return w->merge->def_before[def];
    return ax_diff_def_is_gone(w->merge, def) ? AX_NONE : def;
}

static uint32_t def_of(const walk *w, uint32_t def)
{
    return w->in_before ? w->merge->def_of_before[def] : def;
}

/* True if the other version has this node of the walked one too. */
static bool is_kept(const walk *w, uint32_t node)
{
    if (w->in_before) return !ax_diff_node_is_gone(w->merge, w->merge->node_of_before[node]);
    return !ax_diff_node_is_new(w->merge, node);
}

static void begin_at(walk *w, uint32_t first, uint32_t count)
{
    for (uint32_t n = first; n < first + count; n++) {
        if (w->plan->nodes[n].rank < w->from) w->from = w->plan->nodes[n].rank;
    }
}

static void plant_seeds(walk *w)
{
    const ax_plan *p = w->plan;
    memset(w->seed, 0, p->def_count * sizeof *w->seed);
    memset(w->met, 0, p->def_count * sizeof *w->met);
    memset(w->mask, 0, p->node_count * sizeof *w->mask);
    w->from = p->node_count;
    w->with_seeds = w->odd_seeds = w->only_kept = 0;
    for (uint32_t lane = 0; lane < w->lane_count; lane++) {
        const ax_diff_query *q = w->lanes[lane];
        w->with_seeds |= (uint64_t)q->with_seeds << lane;
        w->odd_seeds |= (uint64_t)q->odd_seeds << lane;
        w->only_kept |= (uint64_t)q->only_kept << lane;
        for (uint32_t i = 0; i < q->def_count; i++) {
            uint32_t def = def_in(w, q->defs[i]);
            if (def == AX_NONE) continue;
            if (!w->seed[def]) begin_at(w, p->defs[def].first, p->defs[def].count);
            if (!w->seed[def] && p->defs[def].whole != AX_NONE)
                begin_at(w, p->defs[def].whole, p->defs[def].whole_count);
            w->seed[def] |= UINT64_C(1) << lane;
        }
    }
}

static bool carries(const walk *w, uint8_t outcome)
{
    return !w->on_success || (outcome != AX_ON_FAILED && outcome != AX_ON_SKIPPED);
}

/* Members stand before their group in topological order. */
static void spread(walk *w)
{
    const ax_plan *p = w->plan;
    for (uint32_t i = w->from; i < p->node_count; i++) {
        uint32_t node = p->order[i], def = p->nodes[node].def;
        bool kept = is_kept(w, node);
        uint64_t mask = kept ? w->seed[def] & ~w->odd_seeds : w->seed[def];
        for (uint32_t e = p->in_at[node]; e < p->in_at[node + 1]; e++) {
            if (carries(w, p->edges[e].outcome)) mask |= w->mask[p->edges[e].from];
        }
        for (uint32_t k = p->member_at[node]; k < p->member_at[node + 1]; k++) mask |= w->mask[p->member[k]];
        w->mask[node] = mask;
        if (p->defs[def].kind != AX_NODE_GROUP) w->met[def] |= kept ? mask : mask & ~w->only_kept;
    }
}

static void count_one(walk *w, uint64_t mask)
{
    for (int bit = 0; mask; bit++) {
        AX_ASSERT(bit < COUNTER_BITS);
        uint64_t carry = w->counters[bit] & mask;
        w->counters[bit] ^= mask;
        mask = carry;
    }
}

/* Counts each definition that was reached, and names the first ones, in topological order. */
static void count(walk *w)
{
    const ax_plan *p = w->plan;
    uint64_t hungry = 0;
    for (uint32_t lane = 0; lane < w->lane_count; lane++) {
        *w->lanes[lane]->out = (ax_diff_names){0};
        hungry |= UINT64_C(1) << lane;
    }
    for (int bit = 0; bit < COUNTER_BITS; bit++) w->counters[bit] = 0;
    for (uint32_t i = w->from; i < p->node_count; i++) {
        uint32_t def = p->nodes[p->order[i]].def, number = def_of(w, def);
        uint64_t mask = w->met[def] & ~(w->seed[def] & ~w->with_seeds);
        w->met[def] = 0; /* once, though it has several nodes */
        count_one(w, mask);
        for (uint64_t rest = mask & hungry; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctzll(rest);
            ax_diff_names *out = w->lanes[lane]->out;
            out->first[out->named++] = ax_diff_def_name(w->merge, number);
            if (out->named == AX_DIFF_NAMED_MAX) hungry &= ~(UINT64_C(1) << lane);
        }
    }
    for (uint32_t lane = 0; lane < w->lane_count; lane++) {
        for (uint32_t bit = 0; bit < COUNTER_BITS; bit++)
            w->lanes[lane]->out->count |= (uint32_t)(w->counters[bit] >> lane & 1) << bit;
    }
}

static void run(walk *w)
{
    if (!w->lane_count) return;
    plant_seeds(w);
    spread(w);
    count(w);
    w->lane_count = 0;
}

/* All questions of one kind. */
static void answer(const ax_diff_merge *merge, bool in_before, bool on_success, const ax_diff_query *queries,
                   uint32_t query_count)
{
    const ax_plan *plan = in_before ? merge->before : merge->after;
    walk w = {.merge = merge, .plan = plan, .in_before = in_before, .on_success = on_success};
    w.mask = AX_NEW_N(&w.mem, uint64_t, plan->node_count + 1);
    w.seed = AX_NEW_N(&w.mem, uint64_t, plan->def_count + 1);
    w.met = AX_NEW_N(&w.mem, uint64_t, plan->def_count + 1);
    for (uint32_t i = 0; i < query_count; i++) {
        if (queries[i].in_before != in_before || queries[i].on_success != on_success) continue;
        w.lanes[w.lane_count++] = &queries[i];
        if (w.lane_count == LANES) run(&w);
    }
    run(&w);
    ax_arena_free(&w.mem);
}

void ax_diff_reach(const ax_diff_merge *merge, const ax_diff_query *queries, uint32_t count)
{
    for (int kind = 0; kind < 4 && count; kind++) answer(merge, kind & 1, kind & 2, queries, count);
}
