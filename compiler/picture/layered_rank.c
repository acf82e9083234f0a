/* layered_rank.c - layers: each vertex stands below all that lead to it, and as near to its neighbours as a
 * longest path allows; then dummies where arcs pass layers.
 */
#include <math.h>
#include <stdlib.h>

#include "compiler/picture/layered_int.h"

/* Arcs by a vertex. */
typedef struct {
    uint32_t *at, *arc;
} arc_index;

static arc_index index_arcs(const ax_sheet *s, bool by_from)
{
    arc_index index = {AX_NEW_N(s->mem, uint32_t, s->vertex_count + 2),
                       AX_NEW_N(s->mem, uint32_t, s->arc_count + 1)};
    uint32_t *next = index.at + 1;
    for (uint32_t i = 0; i < s->arc_count; i++) next[1 + (by_from ? s->arcs[i].from : s->arcs[i].to)]++;
    for (uint32_t v = 0; v < s->vertex_count; v++) next[v + 1] += next[v];
    for (uint32_t i = 0; i < s->arc_count; i++)
        index.arc[next[by_from ? s->arcs[i].from : s->arcs[i].to]++] = i;
    return index;
}

/* ---- an order without cycles ---- */

/* Puts the vertices in an order in which arcs lead forwards. On a cycle the first vertex goes first, and the
 * arcs to it lead backwards. */
static uint32_t *sort_vertices(const ax_sheet *s)
{
    arc_index out = index_arcs(s, true);
    uint32_t *order = AX_NEW_N(s->mem, uint32_t, s->vertex_count + 1);
    uint32_t *missing = AX_NEW_N(s->mem, uint32_t, s->vertex_count + 1);
    bool *done = AX_NEW_N(s->mem, bool, s->vertex_count + 1);
    uint32_t len = 0, first = 0;
    for (uint32_t i = 0; i < s->arc_count; i++) missing[s->arcs[i].to]++;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        if (missing[v]) continue;
        done[v] = true;
        order[len++] = v;
    }
    for (uint32_t at = 0; at < s->vertex_count; at++) {
        while (at == len && done[first]) first++;
        if (at == len) {
            done[first] = true;
            order[len++] = first;
        }
        for (uint32_t i = out.at[order[at]]; i < out.at[order[at] + 1]; i++) {
            uint32_t to = s->arcs[out.arc[i]].to;
            if (--missing[to] || done[to]) continue;
            done[to] = true;
            order[len++] = to;
        }
    }
    return order;
}

static void turn_back_arcs(ax_sheet *s, const uint32_t *order)
{
    uint32_t *rank = AX_NEW_N(s->mem, uint32_t, s->vertex_count + 1);
    for (uint32_t i = 0; i < s->vertex_count; i++) rank[order[i]] = i;
    for (uint32_t i = 0; i < s->arc_count; i++) {
        ax_arc *a = &s->arcs[i], old = *a;
        if (rank[a->from] <= rank[a->to]) continue;
        a->from = old.to;
        a->to = old.from;
        a->from_at = old.to_at;
        a->to_at = old.from_at;
        a->from_free = old.to_free;
        a->to_free = old.from_free;
        a->reversed = true;
    }
}

void ax_sheet_turn(ax_sheet *s)
{
    turn_back_arcs(s, sort_vertices(s));
}

/* ---- layers ---- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* As high as possible; returns how many layers there are. */
static uint32_t rank_down(ax_sheet *s, const uint32_t *order, const arc_index *in)
{
    uint32_t base = 0, count = 1;
    for (uint32_t v = 0; v < s->vertex_count; v++) base |= s->vertices[v].role == AX_VERTEX_FIRST;
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        ax_vertex *v = &s->vertices[order[i]];
        v->layer = v->role == AX_VERTEX_FIRST ? 0 : base;
        for (uint32_t k = in->at[order[i]]; k < in->at[order[i] + 1]; k++)
            v->layer = larger(v->layer, s->vertices[s->arcs[in->arc[k]].from].layer + 1);
        count = larger(count, v->layer + 1);
    }
    return count;
}

static void rank_ends(ax_sheet *s)
{
    uint32_t last = 0;
    bool any = false;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        if (s->vertices[v].role == AX_VERTEX_LAST) any = true;
        else last = larger(last, s->vertices[v].layer);
    }
    for (uint32_t v = 0; v < s->vertex_count && any; v++)
        if (s->vertices[v].role == AX_VERTEX_LAST) s->vertices[v].layer = last + 1;
    s->layer_count = last + 1 + any;
}

/* A vertex with as many arcs below as above goes down to what it leads to: that makes no arc longer in sum,
 * and what is above it can follow. */
static void pull_down(ax_sheet *s, const uint32_t *order, const arc_index *in, const arc_index *out)
{
    for (uint32_t i = s->vertex_count; i-- > 0;) {
        uint32_t v = order[i], below = out->at[v + 1] - out->at[v], above = in->at[v + 1] - in->at[v];
        if (s->vertices[v].role != AX_VERTEX_ANY || !below || below < above) continue;
        uint32_t layer = UINT32_MAX;
        for (uint32_t k = out->at[v]; k < out->at[v + 1]; k++) {
            uint32_t next = s->vertices[s->arcs[out->arc[k]].to].layer;
            if (next < layer) layer = next;
        }
        s->vertices[v].layer = layer - 1;
    }
}

void ax_sheet_rank(ax_sheet *s)
{
    const uint32_t *order = sort_vertices(s);
    turn_back_arcs(s, order);
    arc_index in = index_arcs(s, false), out = index_arcs(s, true);
    s->layer_count = rank_down(s, order, &in);
    rank_ends(s);
    pull_down(s, order, &in, &out);
}

/* ---- dummies ---- */

#define DUMMY_WIDTH 4.0
#define WEIGHT_BOXES 1.0 /* between two boxes */
#define WEIGHT_END 2.0   /* between a box and a dummy */
#define WEIGHT_LONG 8.0  /* between two dummies */

/* An arc with how many layers it passes. */
typedef struct {
    const ax_arc *arc;
    uint32_t index, passed;
} long_arc;

/* By where they come from, then the longest first: the dummies of the others are the first of its. */
static int long_arc_cmp(const void *a, const void *b)
{
    const long_arc *x = a, *y = b;
    if (x->arc->from != y->arc->from) return x->arc->from < y->arc->from ? -1 : 1;
    if (x->arc->style != y->arc->style) return x->arc->style < y->arc->style ? -1 : 1;
    if (x->arc->from_at != y->arc->from_at) return x->arc->from_at < y->arc->from_at ? -1 : 1;
    if (x->passed != y->passed) return x->passed > y->passed ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool same_trunk(const ax_arc *a, const ax_arc *b)
{
    return a->from == b->from && a->style == b->style && fabs(a->from_at - b->from_at) < 0.01;
}

static void add_segment(ax_sheet *s, uint32_t from, uint32_t to, const ax_arc *a)
{
    bool first = from == a->from, last = to == a->to;
    double weight = first && last ? WEIGHT_BOXES : first || last ? WEIGHT_END : WEIGHT_LONG;
    s->segments[s->segment_count++] =
        (ax_segment){from, to, first ? a->from_at : 0, last ? a->to_at : 0, weight};
}

/* Gives an arc its own dummies, all but the last piece as segments. */
static void add_trunk(ax_sheet *s, ax_arc *a, uint32_t passed)
{
    uint32_t before = a->from;
    a->dummy = s->vertex_count;
    for (uint32_t k = 0; k < passed; k++) {
        uint32_t v = s->vertex_count++;
        s->vertices[v] =
            (ax_vertex){.width = DUMMY_WIDTH, .dummy = true, .layer = s->vertices[a->from].layer + 1 + k};
        add_segment(s, before, v, a);
        before = v;
    }
}

static void add_arc(ax_sheet *s, const long_arc *at, const long_arc *trunk)
{
    ax_arc *a = &s->arcs[at->index];
    if (trunk == at) add_trunk(s, a, at->passed);
    else a->dummy = s->arcs[trunk->index].dummy;
    a->dummy_count = at->passed;
    add_segment(s, at->passed ? a->dummy + at->passed - 1 : a->from, a->to, a);
}

static ax_segment_index index_segments(const ax_sheet *s, bool by_from)
{
    ax_segment_index index = {AX_NEW_N(s->mem, uint32_t, s->vertex_count + 2),
                              AX_NEW_N(s->mem, uint32_t, s->segment_count + 1)};
    uint32_t *next = index.at + 1;
    for (uint32_t i = 0; i < s->segment_count; i++)
        next[1 + (by_from ? s->segments[i].from : s->segments[i].to)]++;
    for (uint32_t v = 0; v < s->vertex_count; v++) next[v + 1] += next[v];
    for (uint32_t i = 0; i < s->segment_count; i++)
        index.segment[next[by_from ? s->segments[i].from : s->segments[i].to]++] = i;
    return index;
}

static long_arc *sort_arcs(const ax_sheet *s)
{
    long_arc *all = AX_NEW_N(s->mem, long_arc, s->arc_count + 1);
    for (uint32_t i = 0; i < s->arc_count; i++) {
        const ax_arc *a = &s->arcs[i];
        all[i] = (long_arc){a, i, s->vertices[a->to].layer - s->vertices[a->from].layer - 1};
    }
    if (s->arc_count) qsort(all, s->arc_count, sizeof *all, long_arc_cmp);
    return all;
}

void ax_sheet_split(ax_sheet *s)
{
    const long_arc *all = sort_arcs(s);
    uint32_t dummies = 0, split = 0; /* arcs that get dummies */
    for (; split < s->arc_count; split++) {
        bool shares = split && same_trunk(all[split - 1].arc, all[split].arc);
        if (!shares && all[split].passed > AX_SHEET_DUMMIES_MAX - dummies) break;
        if (!shares) dummies += all[split].passed;
    }
    ax_vertex *grown = AX_NEW_N(s->mem, ax_vertex, s->vertex_count + dummies + 1);
    for (uint32_t v = 0; v < s->vertex_count; v++) grown[v] = s->vertices[v];
    s->vertices = grown;
    s->segments = AX_NEW_N(s->mem, ax_segment, s->arc_count + dummies + 1);
    for (uint32_t i = 0, trunk = 0; i < split; i++) {
        if (!i || !same_trunk(all[i - 1].arc, all[i].arc)) trunk = i;
        add_arc(s, &all[i], &all[trunk]);
    }
    s->above = index_segments(s, false);
    s->below = index_segments(s, true);
}
