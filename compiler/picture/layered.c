/* layered.c - places for a scene of any size, without a library.
 *
 * Frames are laid out from the inside out: what stands in a frame is a graph of its own, and then the frame
 * is one vertex of the graph around it. So no frame meets what is not in it, and no link runs through a frame
 * that it has no part in. A link that enters a frame is led from its edge to what it is for, in a piece (a
 * leg) for each frame that it passes. What nothing ties together is packed in rows.
 *
 * All is computed as if the scene flowed down, with x across and y along the flow, and turned at the end.
 */
#include <math.h>
#include <stdlib.h>

#include "compiler/picture/draw_int.h"
#include "compiler/picture/layered_int.h"
#include "compiler/picture/layout_int.h"
#include "dsl/base/assert.h"

#define PACK_GAP 28.0
#define PACK_SHAPE 1.6    /* how much wider than high what is packed becomes */
#define PACK_FEW 6u       /* parts that stand in one row */
#define PARALLEL_GAP 12.0 /* between links from and to the same */
#define TIP_LENGTH 8.0
#define STRAIGHT 0.5 /* pixels that a line may be off */

/* A box or a frame, in the frame around it (its home). */
typedef struct {
    uint32_t home, first, id; /* first: the first box in it, which gives the order */
    bool is_frame;
    uint32_t part;        /* what is tied together has the same part */
    double width, height; /* across, along */
    ax_point at;          /* its middle, from the corner of what its home holds */
} item;

/* The part of a link within one home: between two items, or between an item and the edge of the home. */
typedef struct {
    uint32_t link, from, to;     /* items; AX_NONE: the edge */
    ax_end outer_from, outer_to; /* what the link is for in the end */
    uint32_t home;
} leg;

/* A leg that has its places: points from above to below, from the corner of what the home holds. */
typedef struct piece piece;
struct piece {
    piece *next;
    uint32_t home, count;
    ax_point *points;
};

/* The way of a link from its start to its end. */
typedef struct {
    piece *head, *head_last; /* out of the frames around its start, and between the outermost items */
    piece *tail;             /* into the frames around its end */
    bool reversed; /* it leads against the flow: the way is that of a link from its end to its start */
    double from_at, to_at; /* where it meets the items of the home that is done next, from their middle */
} way;

typedef struct {
    ax_scene *scene;
    ax_arena *mem;
    item *items; /* by home, then by first box */
    uint32_t item_count;
    uint32_t *box_item, *frame_item;
    leg *legs;                  /* by home */
    uint32_t *item_at, *leg_at; /* by home; the outermost is scene->frames.len */
    way *ways;                  /* by link */
    ax_point *origins;          /* by home: the corner of what it holds, on the page */
    ax_point *inner_at;         /* by home: the same, from the corner of the frame */
} layered;

/* ---- items ---- */

static int item_cmp(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->home != y->home) return x->home < y->home ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static uint32_t home_of(const layered *l, uint32_t frame)
{
    return frame == AX_NONE ? l->scene->frames.len : frame;
}

static void collect_items(layered *l)
{
    const ax_scene *s = l->scene;
    uint32_t *first = AX_NEW_N(l->mem, uint32_t, s->frames.len + 1);
    for (uint32_t f = 0; f < s->frames.len; f++) first[f] = AX_NONE;
    l->items = AX_NEW_N(l->mem, item, s->boxes.len + s->frames.len + 1);
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        const ax_box *b = &s->boxes.at[i];
        item it = {.home = home_of(l, b->frame), .first = i, .id = i};
        it.width = s->down ? b->width : b->height;
        it.height = s->down ? b->height : b->width;
        l->items[l->item_count++] = it;
        for (uint32_t f = b->frame; f != AX_NONE && first[f] == AX_NONE; f = s->frames.at[f].frame)
            first[f] = i;
    }
    for (uint32_t f = 0; f < s->frames.len; f++) {
        l->items[l->item_count++] =
            (item){.home = home_of(l, s->frames.at[f].frame), .first = first[f], .id = f, .is_frame = true};
    }
    if (l->item_count) qsort(l->items, l->item_count, sizeof *l->items, item_cmp);
    l->box_item = AX_NEW_N(l->mem, uint32_t, s->boxes.len + 1);
    l->frame_item = AX_NEW_N(l->mem, uint32_t, s->frames.len + 1);
    l->item_at = AX_NEW_N(l->mem, uint32_t, s->frames.len + 3);
    for (uint32_t i = 0; i < l->item_count; i++) {
        const item *it = &l->items[i];
        *(it->is_frame ? &l->frame_item[it->id] : &l->box_item[it->id]) = i;
        l->item_at[it->home + 1]++;
    }
    for (uint32_t h = 0; h <= s->frames.len; h++) l->item_at[h + 1] += l->item_at[h];
}

/* ---- legs ---- */

static uint32_t item_of(const layered *l, ax_end end)
{
    return end.frame == AX_NONE ? l->box_item[end.box] : l->frame_item[end.frame];
}

/* How many frames are around an item. */
static uint32_t depth_of(const layered *l, uint32_t it)
{
    uint32_t depth = 0;
    for (uint32_t h = l->items[it].home; h < l->scene->frames.len; h = l->items[l->frame_item[h]].home)
        depth++;
    return depth;
}

typedef AX_VEC(leg) leg_list;

static void add_leg(layered *l, leg_list *legs, leg new, uint32_t inner)
{
    new.home = l->items[inner].home;
    ax_vec_push(l->mem, legs, new);
}

/* The items of the home that holds both ends of a link, which stand for these ends there. */
typedef struct {
    uint32_t from, to;
} item_pair;

static uint32_t outer_item(const layered *l, uint32_t it)
{
    return l->frame_item[l->items[it].home];
}

/* Goes outwards from both ends to one home; each step, with what it leaves, is a leg for `legs`, unless that
 * is NULL. */
static item_pair meet(layered *l, leg base, leg_list *legs)
{
    uint32_t from = item_of(l, base.outer_from), to = item_of(l, base.outer_to);
    uint32_t from_depth = depth_of(l, from), to_depth = depth_of(l, to);
    while (l->items[from].home != l->items[to].home) {
        leg new = base;
        bool out = from_depth >= to_depth;
        uint32_t inner = out ? from : to;
        *(out ? &new.from : &new.to) = inner;
        if (legs) add_leg(l, legs, new, inner);
        *(out ? &from : &to) = outer_item(l, inner);
        if (out) from_depth--;
        else to_depth--;
    }
    return (item_pair){from, to};
}

static leg whole_way(const layered *l, uint32_t index)
{
    const ax_link *link = &l->scene->links.at[index];
    bool reversed = l->ways[index].reversed;
    return (leg){.link = index,
                 .from = AX_NONE,
                 .to = AX_NONE,
                 .outer_from = reversed ? link->to : link->from,
                 .outer_to = reversed ? link->from : link->to};
}

/* Links between frames may go round, even if those between boxes do not. Finds the ones that lead against the
 * flow before anything is laid out, because they leave and enter frames on the other side. */
static void find_reversed(layered *l)
{
    const ax_scene *s = l->scene;
    ax_sheet graph = {.mem = l->mem, .vertex_count = l->item_count};
    uint32_t *links = AX_NEW_N(l->mem, uint32_t, s->links.len + 1);
    graph.arcs = AX_NEW_N(l->mem, ax_arc, s->links.len + 1);
    for (uint32_t i = 0; i < s->links.len; i++) {
        if (s->links.at[i].hidden) continue;
        item_pair pair = meet(l, whole_way(l, i), NULL);
        if (pair.from == pair.to) continue;
        links[graph.arc_count] = i;
        graph.arcs[graph.arc_count++] = (ax_arc){.from = pair.from, .to = pair.to};
    }
    ax_sheet_turn(&graph);
    for (uint32_t a = 0; a < graph.arc_count; a++) {
        double beside = graph.arcs[a].reversed ? PARALLEL_GAP : 0; /* not on links that go with the flow */
        l->ways[links[a]] = (way){.reversed = graph.arcs[a].reversed, .from_at = beside, .to_at = beside};
    }
}

/* Splits a link into its legs. */
static void add_legs(layered *l, uint32_t index, leg_list *legs)
{
    leg base = whole_way(l, index);
    item_pair pair = meet(l, base, legs);
    if (pair.from == pair.to) return; /* between a frame and what is in it: there is nothing to draw */
    base.from = pair.from;
    base.to = pair.to;
    add_leg(l, legs, base, pair.from);
}

static void collect_legs(layered *l)
{
    const ax_scene *s = l->scene;
    leg_list legs = {0};
    find_reversed(l);
    for (uint32_t i = 0; i < s->links.len; i++)
        if (!s->links.at[i].hidden) add_legs(l, i, &legs);
    l->leg_at = AX_NEW_N(l->mem, uint32_t, s->frames.len + 3);
    l->legs = AX_NEW_N(l->mem, leg, legs.len + 1);
    uint32_t *next = l->leg_at + 1;
    for (uint32_t i = 0; i < legs.len; i++) next[legs.at[i].home + 1]++;
    for (uint32_t h = 0; h <= s->frames.len; h++) next[h + 1] += next[h];
    for (uint32_t i = 0; i < legs.len; i++) l->legs[next[legs.at[i].home]++] = legs.at[i];
}

/* ---- parts: what is tied together in a home ---- */

typedef struct {
    layered *all;
    uint32_t home, first, count; /* its items: all->items[first … first + count - 1] */
    uint32_t leg_first, leg_count;
    uint32_t part_count, through; /* the part that legs to the edge stand in, or AX_NONE */
    uint32_t *item_order, *part_item_at, *leg_order, *part_leg_at;
    ax_point *part_size, *part_corner;
} home;

static uint32_t root_of(item *items, uint32_t i)
{
    while (items[i].part != i) i = items[i].part = items[items[i].part].part;
    return i;
}

static void join(item *items, uint32_t a, uint32_t b)
{
    a = root_of(items, a);
    b = root_of(items, b);
    if (a < b) items[b].part = a;
    else items[a].part = b;
}

static void number_parts(home *h, uint32_t edge)
{
    item *items = h->all->items;
    uint32_t *number = AX_NEW_N(h->all->mem, uint32_t, h->count + 1);
    uint32_t *part = AX_NEW_N(h->all->mem, uint32_t, h->count + 1);
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t root = root_of(items, h->first + i) - h->first;
        if (!number[root]) number[root] = ++h->part_count;
        part[i] = number[root] - 1;
    }
    h->through = edge == AX_NONE ? AX_NONE : part[edge - h->first];
    for (uint32_t i = 0; i < h->count; i++) items[h->first + i].part = part[i];
}

static void find_parts(home *h)
{
    layered *l = h->all;
    uint32_t edge = AX_NONE; /* an item with a leg to the edge */
    for (uint32_t i = 0; i < h->count; i++) l->items[h->first + i].part = h->first + i;
    for (uint32_t i = 0; i < h->leg_count; i++) {
        const leg *g = &l->legs[h->leg_first + i];
        if (g->from != AX_NONE && g->to != AX_NONE) {
            join(l->items, g->from, g->to);
            continue;
        }
        uint32_t it = g->from == AX_NONE ? g->to : g->from;
        if (edge != AX_NONE) join(l->items, edge, it);
        edge = it;
    }
    number_parts(h, edge);
}

static uint32_t leg_part(const home *h, uint32_t i)
{
    const leg *g = &h->all->legs[h->leg_first + i];
    return h->all->items[g->from == AX_NONE ? g->to : g->from].part;
}

/* Lists items and legs by part. */
static void sort_parts(home *h)
{
    layered *l = h->all;
    h->item_order = AX_NEW_N(l->mem, uint32_t, h->count + 1);
    h->leg_order = AX_NEW_N(l->mem, uint32_t, h->leg_count + 1);
    h->part_item_at = AX_NEW_N(l->mem, uint32_t, h->part_count + 3);
    h->part_leg_at = AX_NEW_N(l->mem, uint32_t, h->part_count + 3);
    uint32_t *items = h->part_item_at + 1, *legs = h->part_leg_at + 1;
    for (uint32_t i = 0; i < h->count; i++) items[l->items[h->first + i].part + 1]++;
    for (uint32_t i = 0; i < h->leg_count; i++) legs[leg_part(h, i) + 1]++;
    for (uint32_t p = 0; p < h->part_count; p++) {
        items[p + 1] += items[p];
        legs[p + 1] += legs[p];
    }
    for (uint32_t i = 0; i < h->count; i++)
        h->item_order[items[l->items[h->first + i].part]++] = h->first + i;
    for (uint32_t i = 0; i < h->leg_count; i++) h->leg_order[legs[leg_part(h, i)]++] = h->leg_first + i;
}

/* ---- one part as a sheet ---- */

typedef struct {
    home *home;
    uint32_t part;
    ax_sheet sheet;
    uint32_t *leg_arc;         /* by place in the part's legs */
    const uint32_t *vertex_of; /* by item, from the home's first */
} part_sheet;

static uint32_t edge_vertex(ax_sheet *s, ax_vertex_role role)
{
    s->vertices[s->vertex_count] = (ax_vertex){.role = role};
    return s->vertex_count++;
}

static bool same_end(ax_end a, ax_end b)
{
    return a.frame == b.frame && (a.frame != AX_NONE || a.box == b.box);
}

/* The arc of a leg; one to the edge is shared with the leg before it, if that is for the same end. */
static void add_arc(part_sheet *p, uint32_t place, const leg *g, const leg *before)
{
    const layered *l = p->home->all;
    const way *w = &l->ways[g->link];
    ax_sheet *s = &p->sheet;
    bool in = g->from == AX_NONE, out = g->to == AX_NONE;
    bool alike = before && l->ways[before->link].reversed == w->reversed;
    bool shared = alike && ((in && before->from == AX_NONE && same_end(before->outer_to, g->outer_to)) ||
                            (out && before->to == AX_NONE && same_end(before->outer_from, g->outer_from)));
    if (shared) {
        p->leg_arc[place] = s->arc_count - 1;
        return;
    }
    ax_arc arc = {.from_at = in ? 0 : w->from_at,
                  .to_at = out ? 0 : w->to_at,
                  .style = l->scene->links.at[g->link].outcome + (w->reversed ? AX_ON_COUNT : 0)};
    arc.from = in ? edge_vertex(s, AX_VERTEX_FIRST) : p->vertex_of[g->from - p->home->first];
    arc.to = out ? edge_vertex(s, AX_VERTEX_LAST) : p->vertex_of[g->to - p->home->first];
    arc.from_free = !in && g->outer_from.frame != AX_NONE && l->frame_item[g->outer_from.frame] == g->from;
    arc.to_free = !out && g->outer_to.frame != AX_NONE && l->frame_item[g->outer_to.frame] == g->to;
    const ax_arc *last = s->arc_count ? &s->arcs[s->arc_count - 1] : NULL;
    bool parallel = last && before && !in && !out && before->from == g->from && before->to == g->to &&
                    same_end(before->outer_from, g->outer_from) && same_end(before->outer_to, g->outer_to);
    if (parallel) {
        arc.from_at = last->from_at + PARALLEL_GAP;
        arc.to_at = last->to_at + PARALLEL_GAP;
    }
    p->leg_arc[place] = s->arc_count;
    s->arcs[s->arc_count++] = arc;
}

static void build_sheet(part_sheet *p, uint32_t *vertex_of)
{
    home *h = p->home;
    layered *l = h->all;
    uint32_t first = h->part_item_at[p->part], items = h->part_item_at[p->part + 1] - first;
    uint32_t leg_first = h->part_leg_at[p->part], legs = h->part_leg_at[p->part + 1] - leg_first;
    ax_sheet *s = &p->sheet;
    *s = (ax_sheet){.mem = l->mem};
    s->vertices = AX_NEW_N(l->mem, ax_vertex, items + legs + 1);
    s->arcs = AX_NEW_N(l->mem, ax_arc, legs + 1);
    p->leg_arc = AX_NEW_N(l->mem, uint32_t, legs + 1);
    p->vertex_of = vertex_of;
    for (uint32_t i = 0; i < items; i++) {
        const item *it = &l->items[h->item_order[first + i]];
        vertex_of[h->item_order[first + i] - h->first] = i;
        s->vertices[i] = (ax_vertex){.width = it->width, .height = it->height};
    }
    s->vertex_count = items;
    for (uint32_t i = 0; i < legs; i++) {
        const leg *before = i ? &l->legs[h->leg_order[leg_first + i - 1]] : NULL;
        add_arc(p, i, &l->legs[h->leg_order[leg_first + i]], before);
    }
}

/* ---- points ---- */

static void add_point(piece *p, double x, double y)
{
    p->points[p->count++] = (ax_point){x, y};
}

/* Down through the middle of each layer that the arc passes, straight within the layers. */
static piece *arc_points(const part_sheet *p, const ax_arc *a, ax_point corner)
{
    const ax_sheet *s = &p->sheet;
    ax_arena *mem = p->home->all->mem;
    const ax_vertex *from = &s->vertices[a->from], *to = &s->vertices[a->to];
    piece *new = AX_NEW(mem, piece);
    new->home = p->home->home;
    new->points = AX_NEW_N(mem, ax_point, 4 + 2 * a->dummy_count);
    double x = corner.x + from->x + a->from_at, end = corner.x + to->x + a->to_at;
    add_point(new, x, corner.y + from->y + from->height);
    add_point(new, x, corner.y + s->layer_bottom[from->layer]);
    for (uint32_t k = 0; k < a->dummy_count; k++) {
        const ax_vertex *d = &s->vertices[a->dummy + k];
        add_point(new, corner.x + d->x, corner.y + d->y);
        add_point(new, corner.x + d->x, corner.y + d->y + d->height);
    }
    add_point(new, end, corner.y + s->layer_top[to->layer]);
    add_point(new, end, corner.y + to->y);
    return new;
}

/* Adds the piece of a leg to the way of its link, and says where the link meets the home. */
static void add_piece(layered *l, const leg *g, piece *new, ax_point middle)
{
    way *w = &l->ways[g->link];
    ax_point top = new->points[0], bottom = new->points[new->count - 1];
    if (g->from == AX_NONE) {
        new->next = w->tail;
        w->tail = new;
        w->to_at = top.x - middle.x;
        return;
    }
    if (w->head) w->head_last->next = new;
    else w->head = new;
    w->head_last = new;
    w->from_at = bottom.x - middle.x;
}

/* ---- packing ---- */

static bool is_last(const home *h, uint32_t part)
{
    const layered *l = h->all;
    const item *it = &l->items[h->item_order[h->part_item_at[part]]];
    return it->is_frame && l->scene->frames.at[it->id].node == AX_NONE;
}

/* Parts in rows, from the left and from above; what runs finally gets a row of its own at the end. */
typedef struct {
    double width_max, x, y, row_height;
    ax_point size;
} rows;

static void next_row(rows *r)
{
    if (r->row_height > 0) r->y += r->row_height + PACK_GAP;
    r->x = r->row_height = 0;
}

static ax_point put_part(rows *r, ax_point size)
{
    if (r->x > 0 && r->x + size.x > r->width_max) next_row(r);
    ax_point corner = {r->x, r->y};
    r->x += size.x + PACK_GAP;
    r->row_height = fmax(r->row_height, size.y);
    r->size.x = fmax(r->size.x, corner.x + size.x);
    r->size.y = fmax(r->size.y, corner.y + size.y);
    return corner;
}

/* How wide rows should be, so that the whole gets the shape of a page; a few parts get one row. */
static double row_width(const home *h)
{
    double area = 0, widest = 0, all = 0;
    for (uint32_t p = 0; p < h->part_count; p++) {
        if (p == h->through) continue;
        area += (h->part_size[p].x + PACK_GAP) * (h->part_size[p].y + PACK_GAP);
        all += h->part_size[p].x + PACK_GAP;
        widest = fmax(widest, h->part_size[p].x);
    }
    if (h->part_count <= PACK_FEW) return all;
    double shape = h->all->scene->down ? PACK_SHAPE : 1 / PACK_SHAPE;
    return fmax(widest, sqrt(area * shape));
}

/* Sets the corners of all parts; returns the size of what the home holds. The part that is tied to the edge
 * stands at the left of all others, so that nothing is in its way. Parts of several items go first. */
static ax_point pack(home *h)
{
    rows r = {.width_max = row_width(h)};
    ax_point edge = {0, 0};
    enum { LARGE, SINGLE, LAST, ROUNDS };
    if (h->through != AX_NONE) edge = h->part_size[h->through];
    for (int round = LARGE; round < ROUNDS; round++) {
        if (round == LAST) next_row(&r);
        for (uint32_t p = 0; p < h->part_count; p++) {
            bool single = h->part_item_at[p + 1] - h->part_item_at[p] == 1;
            int mine = is_last(h, p) ? LAST : single ? SINGLE : LARGE;
            if (p == h->through || mine != round) continue;
            h->part_corner[p] = put_part(&r, h->part_size[p]);
            if (edge.x > 0) h->part_corner[p].x += edge.x + PACK_GAP;
        }
    }
    if (r.size.x > 0 && edge.x > 0) r.size.x += edge.x + PACK_GAP;
    return (ax_point){fmax(r.size.x, edge.x), fmax(r.size.y, edge.y)};
}

/* ---- one home ---- */

static void lay_out_part(part_sheet *p, uint32_t *vertex_of)
{
    build_sheet(p, vertex_of);
    ax_sheet_rank(&p->sheet);
    ax_sheet_split(&p->sheet);
    ax_sheet_order(&p->sheet);
    ax_sheet_place(&p->sheet);
    p->home->part_size[p->part] = (ax_point){p->sheet.width, p->sheet.height};
}

/* The size of a frame, and where in it its content begins; both as if it flowed down. */
static void size_frame(layered *l, uint32_t frame, ax_point content)
{
    ax_frame *f = &l->scene->frames.at[frame];
    item *it = &l->items[l->frame_item[frame]];
    double caption = f->caption.height + AX_FRAME_PAD, needed = f->caption.width + 2 * AX_FRAME_PAD;
    if (l->scene->down) {
        it->width = fmax(content.x + 2 * AX_FRAME_PAD, needed);
        it->height = content.y + caption + AX_FRAME_PAD;
        l->inner_at[frame] = (ax_point){(it->width - content.x) / 2, caption};
    } else {
        it->width = content.x + caption + AX_FRAME_PAD;
        it->height = fmax(content.y + 2 * AX_FRAME_PAD, needed);
        l->inner_at[frame] = (ax_point){caption, (it->height - content.y) / 2};
    }
}

static void take_places(part_sheet *p, ax_point middle)
{
    home *h = p->home;
    layered *l = h->all;
    const ax_sheet *s = &p->sheet;
    ax_point corner = h->part_corner[p->part];
    for (uint32_t i = h->part_item_at[p->part], v = 0; i < h->part_item_at[p->part + 1]; i++, v++) {
        item *it = &l->items[h->item_order[i]];
        it->at = (ax_point){corner.x + s->vertices[v].x, corner.y + s->vertices[v].y + it->height / 2};
    }
    for (uint32_t i = h->part_leg_at[p->part], k = 0; i < h->part_leg_at[p->part + 1]; i++, k++) {
        const ax_arc *a = &s->arcs[p->leg_arc[k]];
        add_piece(l, &l->legs[h->leg_order[i]], arc_points(p, a, corner), middle);
    }
}

static void lay_out_home(layered *l, uint32_t index)
{
    home h = {.all = l, .home = index, .first = l->item_at[index], .leg_first = l->leg_at[index]};
    h.count = l->item_at[index + 1] - h.first;
    h.leg_count = l->leg_at[index + 1] - h.leg_first;
    find_parts(&h);
    sort_parts(&h);
    h.part_size = AX_NEW_N(l->mem, ax_point, h.part_count + 1);
    h.part_corner = AX_NEW_N(l->mem, ax_point, h.part_count + 1);
    part_sheet *parts = AX_NEW_N(l->mem, part_sheet, h.part_count + 1);
    uint32_t *vertex_of = AX_NEW_N(l->mem, uint32_t, h.count + 1);
    for (uint32_t p = 0; p < h.part_count; p++) {
        parts[p] = (part_sheet){.home = &h, .part = p};
        lay_out_part(&parts[p], vertex_of);
    }
    ax_point content = pack(&h), middle = {0, 0};
    if (index < l->scene->frames.len) {
        size_frame(l, index, content);
        middle.x = l->items[l->frame_item[index]].width / 2 - l->inner_at[index].x;
    } else {
        l->scene->width = content.x;
        l->scene->height = content.y;
    }
    for (uint32_t p = 0; p < h.part_count; p++) take_places(&parts[p], middle);
}

/* ---- onto the page ---- */

static ax_point turned(const layered *l, ax_point p)
{
    return l->scene->down ? p : (ax_point){p.y, p.x};
}

/* Frames stand behind those around them, so that their homes have their places already. */
static void place_items(layered *l)
{
    ax_scene *s = l->scene;
    for (uint32_t f = 0; f < s->frames.len; f++) {
        const item *it = &l->items[l->frame_item[f]];
        ax_point origin = l->origins[it->home];
        ax_point min = {origin.x + it->at.x - it->width / 2, origin.y + it->at.y - it->height / 2};
        ax_point max = {min.x + it->width, min.y + it->height};
        l->origins[f] = (ax_point){min.x + l->inner_at[f].x, min.y + l->inner_at[f].y};
        s->frames.at[f].min = turned(l, min);
        s->frames.at[f].max = turned(l, max);
    }
    for (uint32_t b = 0; b < s->boxes.len; b++) {
        const item *it = &l->items[l->box_item[b]];
        ax_point origin = l->origins[it->home];
        s->boxes.at[b].center = turned(l, (ax_point){origin.x + it->at.x, origin.y + it->at.y});
    }
    if (!s->down) {
        double width = s->width;
        s->width = s->height;
        s->height = width;
    }
}

/* Appends the points of pieces, on the page but not turned yet. */
static uint32_t append_points(const layered *l, const piece *p, ax_point *out, uint32_t len)
{
    for (; p; p = p->next) {
        for (uint32_t i = 0; i < p->count; i++) {
            ax_point at = p->points[i], origin = l->origins[p->home];
            at.x += origin.x;
            at.y += origin.y;
            bool same =
                len && fabs(out[len - 1].x - at.x) < STRAIGHT && fabs(out[len - 1].y - at.y) < STRAIGHT;
            bool straight =
                len > 1 && fabs(out[len - 2].x - at.x) < STRAIGHT && fabs(out[len - 1].x - at.x) < STRAIGHT;
            if (same || straight) len--;
            out[len++] = at;
        }
    }
    return len;
}

static uint32_t count_points(const piece *p)
{
    uint32_t count = 0;
    for (; p; p = p->next) count += p->count;
    return count;
}

/* A curve that leaves and reaches each point along the flow. */
static void draw_way(layered *l, ax_link *link, const way *w)
{
    ax_point *at = AX_NEW_N(l->mem, ax_point, count_points(w->head) + count_points(w->tail) + 1);
    uint32_t count = append_points(l, w->tail, at, append_points(l, w->head, at, 0));
    if (count < 2) return;
    for (uint32_t i = 0, k = count - 1; i < k && w->reversed; i++, k--) {
        ax_point swapped = at[i];
        at[i] = at[k];
        at[k] = swapped;
    }
    ax_point tip = at[count - 1];
    at[count - 1].y -= at[count - 2].y < tip.y ? TIP_LENGTH : -TIP_LENGTH;
    link->tip = turned(l, tip);
    link->curve = AX_NEW_N(l->scene->mem, ax_point, 3 * count);
    link->curve_count = 0;
    link->curve[link->curve_count++] = turned(l, at[0]);
    for (uint32_t i = 1; i < count; i++) {
        double half = (at[i].y - at[i - 1].y) / 2;
        link->curve[link->curve_count++] = turned(l, (ax_point){at[i - 1].x, at[i - 1].y + half});
        link->curve[link->curve_count++] = turned(l, (ax_point){at[i].x, at[i].y - half});
        link->curve[link->curve_count++] = turned(l, at[i]);
    }
}

void ax_layout_layered(ax_scene *scene)
{
    ax_arena mem = AX_ARENA_INIT;
    layered l = {.scene = scene, .mem = &mem};
    uint32_t homes = scene->frames.len + 1;
    collect_items(&l);
    l.ways = AX_NEW_N(&mem, way, scene->links.len + 1);
    l.origins = AX_NEW_N(&mem, ax_point, homes);
    l.inner_at = AX_NEW_N(&mem, ax_point, homes);
    collect_legs(&l);
    for (uint32_t h = 0; h < homes; h++) lay_out_home(&l, h + 1 < homes ? scene->frames.len - 1 - h : h);
    place_items(&l);
    for (uint32_t i = 0; i < scene->links.len; i++)
        if (!scene->links.at[i].hidden) draw_way(&l, &scene->links.at[i], &l.ways[i]);
    ax_arena_free(&mem);
}
