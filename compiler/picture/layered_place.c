/* layered_place.c - coordinates: each vertex as near to its neighbours as the order of its layer allows.
 *
 * Sweeps down and up give a layer at a time the places that are best for it: of all places that keep the
 * order and the gaps, those with the least squared distance to the weighted mean of each vertex' neighbours.
 * That is an isotonic regression, and merging neighbours that push each other solves it in linear time.
 */
#include <math.h>

#include "compiler/picture/layered_int.h"

#define GAP_BOXES 22.0    /* across, between two boxes */
#define GAP_DUMMY 10.0    /* if one of the two is a dummy */
#define GAP_DUMMIES 6.0   /* if both are */
#define GAP_LAYERS 50.0   /* along */
#define GAP_EXTRA 170.0   /* more than that, where segments go far across */
#define GAP_SHARE 0.08    /* of how far they go */
#define WEIGHT_LOOSE 0.01 /* of a vertex that nothing is tied to */
#define ROUNDS_MIN 4u
#define ROUNDS_MAX 24u
#define ROUNDS_WORK 6000000u /* segments looked at by all rounds, together */

/* Neighbours that stand close together, and move as one. */
typedef struct {
    double sum, weight; /* of what they want */
    uint32_t count;
} block;

typedef struct {
    ax_sheet *sheet;
    block *blocks;
    double *offset; /* of a vertex in its layer, if nothing stood between boxes but the gaps */
} placer;

static double separation(const ax_vertex *a, const ax_vertex *b)
{
    return (a->width + b->width) / 2 + (a->dummy && b->dummy   ? GAP_DUMMIES
                                        : a->dummy || b->dummy ? GAP_DUMMY
                                                               : GAP_BOXES);
}

/* Adds what the segments of one side want of a vertex. */
static void add_wishes(const ax_sheet *s, uint32_t v, bool up, double *sum, double *weight)
{
    const ax_segment_index *index = up ? &s->above : &s->below;
    for (uint32_t i = index->at[v]; i < index->at[v + 1]; i++) {
        const ax_segment *g = &s->segments[index->segment[i]];
        double x = up ? s->vertices[g->from].x + g->from_at - g->to_at
                      : s->vertices[g->to].x + g->to_at - g->from_at;
        *sum += g->weight * x;
        *weight += g->weight;
    }
}

static void place_layer(placer *p, uint32_t layer, bool up, bool down)
{
    ax_sheet *s = p->sheet;
    uint32_t first = s->layer_at[layer], end = s->layer_at[layer + 1], len = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t v = s->order[i];
        double sum = WEIGHT_LOOSE * s->vertices[v].x, weight = WEIGHT_LOOSE;
        if (up) add_wishes(s, v, true, &sum, &weight);
        if (down) add_wishes(s, v, false, &sum, &weight);
        p->blocks[len++] = (block){sum - weight * p->offset[i], weight, 1};
        while (len > 1) {
            block *a = &p->blocks[len - 2], *b = &p->blocks[len - 1];
            if (a->sum / a->weight <= b->sum / b->weight) break;
            *a = (block){a->sum + b->sum, a->weight + b->weight, a->count + b->count};
            len--;
        }
    }
    for (uint32_t b = 0, i = first; b < len; b++) {
        double at = p->blocks[b].sum / p->blocks[b].weight;
        for (uint32_t k = 0; k < p->blocks[b].count; k++, i++) s->vertices[s->order[i]].x = at + p->offset[i];
    }
}

/* Side by side, each layer around the same middle. */
static void place_first(placer *p)
{
    ax_sheet *s = p->sheet;
    for (uint32_t l = 0; l < s->layer_count; l++) {
        uint32_t first = s->layer_at[l], end = s->layer_at[l + 1];
        for (uint32_t i = first + 1; i < end; i++)
            p->offset[i] =
                p->offset[i - 1] + separation(&s->vertices[s->order[i - 1]], &s->vertices[s->order[i]]);
        for (uint32_t i = first; i < end; i++)
            s->vertices[s->order[i]].x = p->offset[i] - p->offset[end - 1] / 2;
    }
}

static void place_across(ax_sheet *s)
{
    placer p = {.sheet = s,
                .blocks = AX_NEW_N(s->mem, block, s->vertex_count + 1),
                .offset = AX_NEW_N(s->mem, double, s->vertex_count + 1)};
    uint32_t rounds = ROUNDS_WORK / (s->segment_count + s->vertex_count + 1);
    rounds = rounds < ROUNDS_MIN ? ROUNDS_MIN : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    place_first(&p);
    for (uint32_t round = 0; round < rounds; round++) {
        bool settle = round + rounds / 3 >= rounds; /* at last each layer looks both ways */
        for (uint32_t l = 0; l < s->layer_count; l++) place_layer(&p, l, true, settle);
        for (uint32_t l = s->layer_count; l-- > 0;) place_layer(&p, l, settle, true);
    }
}

/* ---- ends that are free ---- */

#define CORNER 24.0 /* a free end stands at least so far from a corner, if there is room */

/* Where between the corners of v an end opposite x stands, from the middle. */
static double opposite(const ax_vertex *v, double x)
{
    double room = fmax(v->width / 2 - CORNER, 0);
    return fmin(fmax(x - v->x, -room), room);
}

static void settle_free_ends(ax_sheet *s)
{
    for (uint32_t i = 0; i < s->arc_count; i++) {
        ax_arc *a = &s->arcs[i];
        const ax_vertex *from = &s->vertices[a->from], *to = &s->vertices[a->to];
        const ax_vertex *after = a->dummy_count ? &s->vertices[a->dummy] : to;
        const ax_vertex *before = a->dummy_count ? &s->vertices[a->dummy + a->dummy_count - 1] : from;
        if (a->from_free) a->from_at = opposite(from, after->x + (a->dummy_count ? 0 : a->to_at));
        if (a->to_free) a->to_at = opposite(to, before->x + (a->dummy_count ? 0 : a->from_at));
    }
}

/* ---- along ---- */

/* How far segments between a layer and the next go across, at most. */
static double *reaches(const ax_sheet *s)
{
    double *reach = AX_NEW_N(s->mem, double, s->layer_count + 1);
    for (uint32_t i = 0; i < s->segment_count; i++) {
        const ax_segment *g = &s->segments[i];
        uint32_t layer = s->vertices[g->from].layer;
        reach[layer] = fmax(reach[layer], fabs(s->vertices[g->from].x - s->vertices[g->to].x));
    }
    return reach;
}

static void place_along(ax_sheet *s)
{
    const double *reach = reaches(s);
    double y = 0;
    s->layer_top = AX_NEW_N(s->mem, double, s->layer_count + 1);
    s->layer_bottom = AX_NEW_N(s->mem, double, s->layer_count + 1);
    for (uint32_t l = 0; l < s->layer_count; l++) {
        double height = 0;
        for (uint32_t i = s->layer_at[l]; i < s->layer_at[l + 1]; i++)
            height = fmax(height, s->vertices[s->order[i]].height);
        for (uint32_t i = s->layer_at[l]; i < s->layer_at[l + 1]; i++) {
            ax_vertex *v = &s->vertices[s->order[i]];
            if (v->dummy) v->height = height;
            v->y = y + (height - v->height) / 2;
        }
        s->layer_top[l] = y;
        s->layer_bottom[l] = s->height = y += height;
        y += GAP_LAYERS + fmin(GAP_EXTRA, GAP_SHARE * reach[l]);
    }
}

void ax_sheet_place(ax_sheet *s)
{
    double low = INFINITY, high = -INFINITY;
    place_across(s);
    place_along(s);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        low = fmin(low, s->vertices[v].x - s->vertices[v].width / 2);
        high = fmax(high, s->vertices[v].x + s->vertices[v].width / 2);
    }
    for (uint32_t v = 0; v < s->vertex_count; v++) s->vertices[v].x -= low;
    s->width = high - low;
    settle_free_ends(s);
}
