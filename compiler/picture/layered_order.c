/* layered_order.c - the order within layers: few crossings.
 *
 * It begins with a walk in depth, which draws a tree without any crossing. Then sweeps down and up put each
 * vertex at the mean of its neighbours' places, and neighbours that cross less the other way round change
 * places. The best order that was seen is kept. How many sweeps there are depends on the size alone.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/picture/layered_int.h"

#define SWEEP_WORK 4000000u /* segments looked at by all sweeps, together */
#define SWEEPS_MIN 4u
#define SWEEPS_MAX 32u
#define IDLE_SWEEPS_MAX 6u /* without a better order */
#define SWAP_WORK 400000u  /* segments looked at by the swaps of one sweep */
#define SWAP_PASSES_MAX 6u
#define SWAP_DEGREE_MAX 40u /* neighbours of a vertex that may change places */

/* ---- the first order ---- */

static void put(ax_sheet *s, uint32_t v, uint32_t *next)
{
    uint32_t layer = s->vertices[v].layer, at = next[layer]++;
    s->order[at] = v;
    s->vertices[v].place = at - s->layer_at[layer];
}

/* Puts a vertex and what is below it; returns the new depth of the stack. */
static uint32_t put_next(ax_sheet *s, uint32_t *stack, uint32_t depth, bool *done, uint32_t *next)
{
    uint32_t v = stack[--depth];
    if (done[v]) return depth;
    done[v] = true;
    put(s, v, next);
    for (uint32_t i = s->below.at[v + 1]; i-- > s->below.at[v];)
        stack[depth++] = s->segments[s->below.segment[i]].to;
    return depth;
}

static void first_order(ax_sheet *s)
{
    uint32_t *next = AX_NEW_N(s->mem, uint32_t, s->layer_count + 1);
    uint32_t *stack = AX_NEW_N(s->mem, uint32_t, s->segment_count + s->vertex_count + 1), depth = 0;
    bool *done = AX_NEW_N(s->mem, bool, s->vertex_count + 1);
    s->layer_at = AX_NEW_N(s->mem, uint32_t, s->layer_count + 2);
    s->order = AX_NEW_N(s->mem, uint32_t, s->vertex_count + 1);
    for (uint32_t v = 0; v < s->vertex_count; v++) s->layer_at[s->vertices[v].layer + 1]++;
    for (uint32_t l = 0; l < s->layer_count; l++) s->layer_at[l + 1] += s->layer_at[l];
    memcpy(next, s->layer_at, sizeof *next * s->layer_count);
    for (uint32_t root = 0; root < s->vertex_count; root++) {
        if (s->above.at[root] != s->above.at[root + 1]) continue;
        stack[depth++] = root;
        while (depth) depth = put_next(s, stack, depth, done, next);
    }
}

/* ---- counting ---- */

typedef struct {
    double from, to;
} span;

static int span_cmp(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Where an end of a segment is within its layer: the place of the vertex, and where on the vertex. */
static double spot(const ax_vertex *v, double at)
{
    return v->place + (v->width > 0 ? 0.9 * at / v->width : 0);
}

/* Merges two sorted runs of `at`, up to mid and up to high, into `spare`; returns the pairs of one of each
 * that stand the wrong way round. */
static uint64_t merge_runs(const span *at, span *spare, uint32_t low, uint32_t mid, uint32_t high)
{
    uint64_t inversions = 0;
    uint32_t a = low, b = mid;
    for (uint32_t k = low; k < high; k++) {
        bool left = a < mid && (b == high || at[a].to <= at[b].to);
        if (!left) inversions += mid - a;
        spare[k] = left ? at[a++] : at[b++];
    }
    return inversions;
}

/* Pairs in `at` that stand the wrong way round; sorts it. `spare` has as much room. */
static uint64_t count_inversions(span *at, span *spare, uint32_t count)
{
    uint64_t inversions = 0;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t mid = low + width < count ? low + width : count;
            inversions += merge_runs(at, spare, low, mid, mid + width < count ? mid + width : count);
        }
        memcpy(at, spare, sizeof *at * count);
    }
    return inversions;
}

static uint64_t count_crossings(const ax_sheet *s, span *at, span *spare)
{
    uint64_t crossings = 0;
    for (uint32_t l = 0; l + 1 < s->layer_count; l++) {
        uint32_t count = 0;
        for (uint32_t i = s->layer_at[l]; i < s->layer_at[l + 1]; i++) {
            uint32_t v = s->order[i];
            for (uint32_t k = s->below.at[v]; k < s->below.at[v + 1]; k++) {
                const ax_segment *g = &s->segments[s->below.segment[k]];
                at[count++] = (span){spot(&s->vertices[v], g->from_at), spot(&s->vertices[g->to], g->to_at)};
            }
        }
        if (count) qsort(at, count, sizeof *at, span_cmp);
        crossings += count_inversions(at, spare, count);
    }
    return crossings;
}

uint64_t ax_sheet_crossings(const ax_sheet *s)
{
    return count_crossings(s, AX_NEW_N(s->mem, span, s->segment_count + 1),
                           AX_NEW_N(s->mem, span, s->segment_count + 1));
}

/* ---- sweeps ---- */

typedef struct {
    double key;
    uint32_t place, vertex;
} wish;

static int wish_cmp(const void *a, const void *b)
{
    const wish *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The mean place of what a vertex is tied to in the layer above (or below) it; its own if there is none. */
static double mean_place(const ax_sheet *s, uint32_t v, bool up)
{
    const ax_segment_index *index = up ? &s->above : &s->below;
    double sum = 0;
    uint32_t count = index->at[v + 1] - index->at[v];
    if (!count) return s->vertices[v].place;
    for (uint32_t i = index->at[v]; i < index->at[v + 1]; i++) {
        const ax_segment *g = &s->segments[index->segment[i]];
        sum += up ? spot(&s->vertices[g->from], g->from_at) - g->to_at / 1e6
                  : spot(&s->vertices[g->to], g->to_at) - g->from_at / 1e6;
    }
    return sum / count;
}

static void sort_layer(ax_sheet *s, uint32_t layer, bool up, wish *wishes)
{
    uint32_t first = s->layer_at[layer], count = s->layer_at[layer + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = s->order[first + i];
        wishes[i] = (wish){mean_place(s, v, up), i, v};
    }
    if (count) qsort(wishes, count, sizeof *wishes, wish_cmp);
    for (uint32_t i = 0; i < count; i++) {
        s->order[first + i] = wishes[i].vertex;
        s->vertices[wishes[i].vertex].place = i;
    }
}

static void sweep(ax_sheet *s, bool down, wish *wishes)
{
    for (uint32_t i = 1; i < s->layer_count; i++)
        sort_layer(s, down ? i : s->layer_count - 1 - i, down, wishes);
}

/* ---- neighbours that change places ---- */

/* How much less the segments of u (on the left) and v cross on one side if they change places. */
static int64_t gain_on(const ax_sheet *s, uint32_t u, uint32_t v, bool up)
{
    const ax_segment_index *index = up ? &s->above : &s->below;
    int64_t gain = 0;
    for (uint32_t i = index->at[u]; i < index->at[u + 1]; i++) {
        const ax_segment *a = &s->segments[index->segment[i]];
        double x = up ? spot(&s->vertices[a->from], a->from_at) : spot(&s->vertices[a->to], a->to_at);
        for (uint32_t k = index->at[v]; k < index->at[v + 1]; k++) {
            const ax_segment *b = &s->segments[index->segment[k]];
            double y = up ? spot(&s->vertices[b->from], b->from_at) : spot(&s->vertices[b->to], b->to_at);
            gain += (x > y) - (x < y);
        }
    }
    return gain;
}

static bool is_light(const ax_sheet *s, uint32_t v)
{
    return s->above.at[v + 1] - s->above.at[v] <= SWAP_DEGREE_MAX &&
           s->below.at[v + 1] - s->below.at[v] <= SWAP_DEGREE_MAX;
}

static bool swap_neighbours(ax_sheet *s)
{
    bool changed = false;
    for (uint32_t l = 0; l < s->layer_count; l++) {
        for (uint32_t i = s->layer_at[l]; i + 1 < s->layer_at[l + 1]; i++) {
            uint32_t u = s->order[i], v = s->order[i + 1];
            if (!is_light(s, u) || !is_light(s, v)) continue;
            if (gain_on(s, u, v, true) + gain_on(s, u, v, false) <= 0) continue;
            s->order[i] = v;
            s->order[i + 1] = u;
            s->vertices[v].place--;
            s->vertices[u].place++;
            changed = true;
        }
    }
    return changed;
}

/* ---- all together ---- */

static void restore(ax_sheet *s, const uint32_t *order)
{
    memcpy(s->order, order, sizeof *order * s->vertex_count);
    for (uint32_t l = 0; l < s->layer_count; l++)
        for (uint32_t i = s->layer_at[l]; i < s->layer_at[l + 1]; i++)
            s->vertices[s->order[i]].place = i - s->layer_at[l];
}

static uint32_t sweep_count(const ax_sheet *s)
{
    uint32_t count = SWEEP_WORK / (s->segment_count + s->vertex_count + 1);
    return count < SWEEPS_MIN ? SWEEPS_MIN : count > SWEEPS_MAX ? SWEEPS_MAX : count;
}

/* How often neighbours are compared after a sweep. */
static uint32_t pass_count(const ax_sheet *s)
{
    uint32_t count = SWAP_WORK / (s->segment_count + s->vertex_count + 1);
    return count > SWAP_PASSES_MAX ? SWAP_PASSES_MAX : count;
}

void ax_sheet_order(ax_sheet *s)
{
    first_order(s);
    uint32_t passes = pass_count(s);
    wish *wishes = AX_NEW_N(s->mem, wish, s->vertex_count + 1);
    span *spans = AX_NEW_N(s->mem, span, s->segment_count + 1);
    span *spare = AX_NEW_N(s->mem, span, s->segment_count + 1);
    uint32_t *best = AX_NEW_N(s->mem, uint32_t, s->vertex_count + 1), idle = 0, sweeps = sweep_count(s);
    memcpy(best, s->order, sizeof *best * s->vertex_count);
    uint64_t least = count_crossings(s, spans, spare);
    for (uint32_t i = 0; i < sweeps && least && idle < IDLE_SWEEPS_MAX; i++) {
        sweep(s, i % 2 == 0, wishes);
        for (uint32_t k = 0; k < passes && swap_neighbours(s); k++) {
        }
        uint64_t crossings = count_crossings(s, spans, spare);
        idle++;
        if (crossings >= least) continue;
        idle = 0;
        least = crossings;
        memcpy(best, s->order, sizeof *best * s->vertex_count);
    }
    restore(s, best);
}
