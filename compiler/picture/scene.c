/* scene.c - from a plan to boxes, frames and links.
 *
 * A node of the plan is shown as a box, as a frame (a group, a small fan-out), or is folded into the box of
 * something around it. Links are then lifted: one link to a frame stands for links of one kind to all of its
 * entries, and one from a fan-out for links from all of its copies.
 */
#include "compiler/picture/scene_int.h"

#include <stdlib.h>

#include "compiler/picture/critical_int.h"
#include "compiler/picture/scene_fold_int.h"
#include "dsl/base/assert.h"
#include "dsl/model/units.h"

/* For the choice of a direction: gaps, and the page that a picture should fit
 * (pages are scrolled down more easily than to the side). */
#define BOX_GAP 20.0
#define LAYER_GAP 50.0
#define PAGE_X 1600.0
#define PAGE_Y 1400.0

#define LIFT_WORK_MAX 40000000u /* links looked at for all frames together; beyond it none are lifted */
#define NOTE_BYTES_MAX 4096

/* Between plan nodes, after folding; sorted and without doubles. */
typedef struct {
    uint32_t from, to, outcome, line;
    ax_mark mark;
    bool gone, critical;
} raw_link;

typedef struct {
    ax_scene *scene;
    const ax_plan *plan;
    ax_fold fold;
    const uint32_t *shown; /* node: the node whose box or frame shows it, or AX_NONE */
    uint32_t *box;         /* node: its box, or AX_NONE */
    uint32_t *frame;       /* node: its frame, or AX_NONE */
    ax_critical critical;  /* empty: it was not asked for */
    AX_VEC(raw_link) links;
} maker;

bool ax_scene_is_whole(const ax_plan *plan, uint32_t node)
{
    return ax_plan_kind(plan, node) == AX_NODE_GROUP;
}

ax_str ax_scene_id(ax_arena *mem, const ax_plan *plan, uint32_t node)
{
    static const char hex[] = "0123456789ABCDEF";
    ax_str name = plan->nodes[node].name;
    char *id = ax_arena_alloc(mem, 5 + 3 * name.len + 1);
    size_t len = 0;
    for (const char *prefix = "node-"; *prefix; prefix++) id[len++] = *prefix;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                     c == '-' || c == '.';
        if (plain) {
            id[len++] = (char)c;
            continue;
        }
        id[len++] = '%';
        id[len++] = hex[c >> 4];
        id[len++] = hex[c & 15];
    }
    return (ax_str){id, len};
}

/* ---- marks ---- */

static ax_mark mark_of(const maker *m, uint32_t node)
{
    return m->scene->marks ? m->scene->marks->nodes[node] : AX_MARK_NONE;
}

/* A box that stands for others changed if one of them did. */
static void mark_boxes_of_many(maker *m)
{
    for (uint32_t node = 0; node < m->plan->node_count && m->scene->marks; node++) {
        uint32_t shown = m->shown[node];
        if (shown == node || shown == AX_NONE || mark_of(m, node) == AX_MARK_NONE) continue;
        ax_box *box = &m->scene->boxes.at[m->box[shown]];
        if (box->mark == AX_MARK_NONE) box->mark = AX_MARK_CHANGED;
    }
}

/* What several links of one kind are together. */
static ax_mark mark_together(ax_mark a, ax_mark b)
{
    if (a == b) return a;
    return a == AX_MARK_NONE || b == AX_MARK_NONE ? AX_MARK_NONE : AX_MARK_CHANGED;
}

/* ---- boxes and frames ---- */

static uint32_t frame_around(const maker *m, uint32_t node)
{
    uint32_t parent = m->plan->nodes[node].parent;
    return parent == AX_NONE ? AX_NONE : m->frame[parent];
}

static bool is_frame(const maker *m, uint32_t node)
{
    return m->shown[node] == node && !m->fold.is_box[node];
}

/* In the order of the nodes, but a frame comes behind the one around it. */
static void add_frames(maker *m)
{
    ax_scene *s = m->scene;
    for (uint32_t i = 0; i < m->plan->node_count; i++) m->frame[i] = AX_NONE;
    for (uint32_t i = 0; i < m->plan->node_count;) {
        uint32_t next = AX_NONE; /* the outermost one that is still missing */
        for (uint32_t node = i; node != AX_NONE; node = m->plan->nodes[node].parent) {
            if (is_frame(m, node) && m->frame[node] == AX_NONE) next = node;
        }
        if (next == AX_NONE) {
            i++;
            continue;
        }
        m->frame[next] = s->frames.len;
        ax_frame frame = {.node = next,
                          .frame = frame_around(m, next),
                          .fan_out = ax_plan_is_whole(m->plan, next),
                          .mark = mark_of(m, next)};
        ax_vec_push(s->mem, &s->frames, frame);
    }
}

static ax_box_kind box_kind(const ax_plan *plan, uint32_t node)
{
    if (ax_plan_is_whole(plan, node)) return AX_BOX_STACK;
    switch (plan->defs[plan->nodes[node].def].kind) {
    case AX_NODE_TASK: return AX_BOX_TASK;
    case AX_NODE_GATE: return AX_BOX_GATE;
    case AX_NODE_GROUP: return AX_BOX_GROUP;
    case AX_NODE_KIND_COUNT: break;
    }
    AX_UNREACHABLE();
}

static void add_boxes(maker *m)
{
    const ax_plan *plan = m->plan;
    ax_scene *s = m->scene;
    for (uint32_t node = 0; node < plan->node_count; node++) {
        m->box[node] = AX_NONE;
        if (!m->fold.is_box[node]) continue;
        const ax_def *def = &plan->defs[plan->nodes[node].def];
        ax_box box = {.node = node,
                      .frame = frame_around(m, node),
                      .kind = m->fold.next[node] != AX_NONE ? AX_BOX_SET : box_kind(plan, node),
                      .disabled = !def->enabled,
                      .finally_ = def->finally_,
                      .mark = mark_of(m, node)};
        m->box[node] = s->boxes.len;
        ax_vec_push(s->mem, &s->boxes, box);
    }
}

/* What boxes say about the nodes that they show. */
static void count_nodes(maker *m, const ax_node_set *focus)
{
    for (uint32_t n = 0; n < m->plan->node_count; n++) {
        if (m->shown[n] == AX_NONE || m->box[m->shown[n]] == AX_NONE) continue;
        ax_box *box = &m->scene->boxes.at[m->box[m->shown[n]]];
        box->count += !ax_scene_is_whole(m->plan, n);
        box->critical |= m->critical.node && m->critical.node[n];
        box->focused |= focus && ax_node_set_has(focus, n);
    }
}

/* What runs finally, and is in no group, gets a frame of its own. */
static void frame_finally(ax_scene *s)
{
    uint32_t frame = AX_NONE;
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        if (!s->boxes.at[i].finally_ || s->boxes.at[i].frame != AX_NONE) continue;
        if (frame == AX_NONE) {
            frame = s->frames.len;
            ax_vec_push(s->mem, &s->frames, (ax_frame){.node = AX_NONE, .frame = AX_NONE});
        }
        s->boxes.at[i].frame = frame;
    }
}

/* ---- links between nodes ---- */

/* Adds to a link what another one between the same says. */
static void join_links(raw_link *link, const raw_link *other)
{
    link->mark = mark_together(link->mark, other->mark);
    link->critical |= other->critical;
}

static int link_cmp(const void *a, const void *b)
{
    const raw_link *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    if (x->outcome != y->outcome) return x->outcome < y->outcome ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Sorts the links and drops those that are gone or say what the one before says. */
static void tidy_links(maker *m)
{
    if (m->links.len) qsort(m->links.at, m->links.len, sizeof *m->links.at, link_cmp);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->links.len; i++) {
        raw_link l = m->links.at[i];
        raw_link *last = kept ? &m->links.at[kept - 1] : NULL;
        bool same = !l.gone && last && last->from == l.from && last->to == l.to && last->outcome == l.outcome;
        if (same) join_links(last, &l);
        else if (!l.gone) m->links.at[kept++] = l;
    }
    m->links.len = kept;
}

static void collect_links(maker *m)
{
    const ax_plan *plan = m->plan;
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        const ax_plan_edge *e = &plan->edges[i];
        raw_link link = {
            .from = m->shown[e->from], .to = m->shown[e->to], .outcome = e->outcome, .line = e->line};
        link.mark = m->scene->marks ? m->scene->marks->edges[i] : AX_MARK_NONE;
        link.critical = m->critical.edge && m->critical.edge[i];
        bool is_shown = link.from != AX_NONE && link.to != AX_NONE && link.from != link.to;
        if (is_shown) ax_vec_push(m->scene->mem, &m->links, link);
    }
    tidy_links(m);
}

/* ---- lifting ---- */

static bool is_inside(const maker *m, uint32_t node, uint32_t whole)
{
    for (; node != AX_NONE; node = m->plan->nodes[node].parent) {
        if (node == whole) return true;
    }
    return false;
}

/* Marks the shown members of `whole` that nothing inside it leads to (or, with `ends`, that lead to
 * nothing inside); returns how many there are. */
static uint32_t mark_border(const maker *m, uint32_t whole, bool ends, bool *mark)
{
    const ax_plan *plan = m->plan;
    for (uint32_t i = plan->member_at[whole]; i < plan->member_at[whole + 1]; i++)
        mark[plan->member[i]] = m->shown[plan->member[i]] == plan->member[i];
    for (uint32_t i = 0; i < m->links.len; i++) {
        const raw_link *l = &m->links.at[i];
        if (l->gone || !is_inside(m, l->from, whole) || !is_inside(m, l->to, whole)) continue;
        uint32_t inner = ends ? l->from : l->to;
        while (plan->nodes[inner].parent != whole) inner = plan->nodes[inner].parent;
        mark[inner] = false;
    }
    uint32_t count = 0;
    for (uint32_t i = plan->member_at[whole]; i < plan->member_at[whole + 1]; i++)
        count += mark[plan->member[i]];
    return count;
}

static void unmark(const ax_plan *plan, uint32_t whole, bool *mark)
{
    for (uint32_t i = plan->member_at[whole]; i < plan->member_at[whole + 1]; i++)
        mark[plan->member[i]] = false;
}

/* A link that may be lifted: the node outside, and the link's place. */
typedef struct {
    uint32_t outer, outcome, link;
    ax_mark mark;
} candidate;

static int candidate_cmp(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->outer != y->outer) return x->outer < y->outer ? -1 : 1;
    if (x->outcome != y->outcome) return x->outcome < y->outcome ? -1 : 1;
    if (x->mark != y->mark) return x->mark < y->mark ? -1 : 1;
    return x->link < y->link ? -1 : x->link > y->link;
}

static bool same_kind(const candidate *x, const candidate *y)
{
    return x->outer == y->outer && x->outcome == y->outcome && x->mark == y->mark;
}

/* Replaces links of one kind between one outer node and all `count` marked members by one link of the
 * whole. */
static void lift(maker *m, uint32_t whole, uint32_t count, const bool *mark, bool tails)
{
    ax_arena *mem = m->scene->mem;
    AX_VEC(candidate) all = {0};
    for (uint32_t i = 0; i < m->links.len; i++) {
        const raw_link *l = &m->links.at[i];
        uint32_t outer = tails ? l->to : l->from, inner = tails ? l->from : l->to;
        if (l->gone || !mark[inner] || is_inside(m, outer, whole)) continue;
        ax_vec_push(mem, &all, (candidate){outer, l->outcome, i, l->mark});
    }
    if (all.len) qsort(all.at, all.len, sizeof *all.at, candidate_cmp);
    for (uint32_t i = 0, end; i < all.len; i = end) {
        const candidate *c = &all.at[i];
        for (end = i; end < all.len && same_kind(&all.at[end], c);) end++;
        if (end - i < count) continue;
        raw_link lifted = m->links.at[c->link];
        *(tails ? &lifted.from : &lifted.to) = whole;
        for (uint32_t k = i; k < end; k++) {
            m->links.at[all.at[k].link].gone = true;
            lifted.critical |= m->links.at[all.at[k].link].critical;
        }
        ax_vec_push(mem, &m->links, lifted);
    }
}

/* Inner frames first, so that a link may rise through several. */
static void lift_links(maker *m)
{
    const ax_plan *plan = m->plan;
    bool *mark = AX_NEW_N(m->scene->mem, bool, plan->node_count);
    for (uint32_t f = m->scene->frames.len; f-- > 0;) {
        uint32_t whole = m->scene->frames.at[f].node;
        if (whole == AX_NONE) continue;
        uint32_t entries = mark_border(m, whole, false, mark);
        if (entries > 1) lift(m, whole, entries, mark, false);
        unmark(plan, whole, mark);
        if (!m->scene->frames.at[f].fan_out) continue;
        uint32_t ends = mark_border(m, whole, true, mark);
        if (ends > 1) lift(m, whole, ends, mark, true);
        unmark(plan, whole, mark);
    }
    tidy_links(m);
}

/* ---- links between boxes ---- */

/* Boxes of a frame at which nothing of the frame begins or ends. */
typedef struct {
    uint32_t *at;
    uint32_t count;
} box_list;

static bool frame_has(const ax_scene *s, uint32_t frame, uint32_t box)
{
    for (uint32_t f = s->boxes.at[box].frame; f != AX_NONE; f = s->frames.at[f].frame) {
        if (f == frame) return true;
    }
    return false;
}

/* Marks the box of a shown node, or all boxes of its frame. */
static void mark_boxes(const maker *m, uint32_t node, bool *mark)
{
    if (m->box[node] != AX_NONE) {
        mark[m->box[node]] = true;
        return;
    }
    for (uint32_t b = 0; b < m->scene->boxes.len; b++) {
        if (frame_has(m->scene, m->frame[node], b)) mark[b] = true;
    }
}

static box_list border_boxes(const maker *m, uint32_t frame, bool ends)
{
    ax_scene *s = m->scene;
    uint32_t whole = s->frames.at[frame].node;
    box_list list = {.at = AX_NEW_N(s->mem, uint32_t, s->boxes.len)};
    bool *inner = AX_NEW_N(s->mem, bool, s->boxes.len);
    for (uint32_t i = 0; i < m->links.len; i++) {
        const raw_link *l = &m->links.at[i];
        if (!is_inside(m, l->from, whole) || !is_inside(m, l->to, whole)) continue;
        mark_boxes(m, ends ? l->from : l->to, inner);
    }
    for (uint32_t b = 0; b < s->boxes.len; b++) {
        if (!inner[b] && frame_has(s, frame, b)) list.at[list.count++] = b;
    }
    AX_ASSERT(list.count);
    return list;
}

static void add_hidden(ax_scene *s, uint32_t from, uint32_t to)
{
    ax_link link = {.from = {from, AX_NONE}, .to = {to, AX_NONE}, .hidden = true};
    ax_vec_push(s->mem, &s->links, link);
}

/* An end at a node: its box, or its frame tied to the middle one of its border boxes. */
static ax_end end_of(const maker *m, uint32_t node, const box_list *borders)
{
    uint32_t frame = m->frame[node];
    if (frame == AX_NONE) return (ax_end){m->box[node], AX_NONE};
    return (ax_end){borders[frame].at[(borders[frame].count - 1) / 2], frame};
}

/* Keeps what stands behind a frame behind all of it, and what stands before it before all of it. */
static void keep_apart(ax_scene *s, const ax_link *link, const box_list *exits, const box_list *entries)
{
    const box_list none = {0};
    const box_list *from = link->from.frame == AX_NONE ? &none : &exits[link->from.frame];
    const box_list *to = link->to.frame == AX_NONE ? &none : &entries[link->to.frame];
    for (uint32_t i = 0; i < from->count; i++) {
        if (from->at[i] != link->from.box) add_hidden(s, from->at[i], link->to.box);
    }
    for (uint32_t i = 0; i < to->count; i++) {
        if (to->at[i] != link->to.box) add_hidden(s, link->from.box, to->at[i]);
    }
}

/* For each frame a list of one box that stands in it. */
static box_list *first_boxes(const ax_scene *s)
{
    box_list *lists = AX_NEW_N(s->mem, box_list, s->frames.len + 1);
    for (uint32_t b = 0; b < s->boxes.len; b++) {
        for (uint32_t f = s->boxes.at[b].frame; f != AX_NONE && !lists[f].count; f = s->frames.at[f].frame) {
            lists[f] = (box_list){AX_NEW(s->mem, uint32_t), 1};
            *lists[f].at = b;
        }
    }
    return lists;
}

static void add_links(maker *m)
{
    ax_scene *s = m->scene;
    box_list *exits = s->simple ? first_boxes(s) : AX_NEW_N(s->mem, box_list, s->frames.len + 1);
    box_list *entries = s->simple ? exits : AX_NEW_N(s->mem, box_list, s->frames.len + 1);
    for (uint32_t f = 0; f < s->frames.len && !s->simple; f++) {
        exits[f] = border_boxes(m, f, true);
        entries[f] = border_boxes(m, f, false);
    }
    for (uint32_t i = 0; i < m->links.len; i++) {
        const raw_link *l = &m->links.at[i];
        ax_link link = {.from = end_of(m, l->from, exits),
                        .to = end_of(m, l->to, entries),
                        .outcome = (ax_outcome)l->outcome,
                        .mark = l->mark,
                        .line = l->line,
                        .critical = l->critical};
        ax_vec_push(s->mem, &s->links, link);
    }
    for (uint32_t i = 0; i < m->links.len && !s->simple; i++) {
        ax_link link = s->links.at[i];
        keep_apart(s, &link, exits, entries);
    }
}

/* ---- layers ---- */

/* How many links stand before each node, at most. */
static uint32_t *depths(const maker *m)
{
    const ax_plan *plan = m->plan;
    uint32_t *depth = AX_NEW_N(m->scene->mem, uint32_t, plan->node_count + 1);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        uint32_t node = plan->order[i];
        for (uint32_t k = plan->in_at[node]; k < plan->in_at[node + 1]; k++) {
            uint32_t above = depth[plan->edges[k].from] + 1;
            if (depth[node] < above) depth[node] = above;
        }
        for (uint32_t k = plan->member_at[node]; k < plan->member_at[node + 1]; k++) {
            uint32_t inner = depth[plan->member[k]];
            if (depth[node] < inner) depth[node] = inner;
        }
    }
    return depth;
}

/* The last box of the last layer leads to what runs finally, so that it stands at the end. */
static void place_finally_last(maker *m, const uint32_t *depth)
{
    ax_scene *s = m->scene;
    uint32_t last = AX_NONE;
    for (uint32_t b = 0; b < s->boxes.len; b++) {
        if (s->boxes.at[b].finally_) continue;
        bool deeper = last == AX_NONE || depth[s->boxes.at[b].node] > depth[s->boxes.at[last].node];
        if (deeper) last = b;
    }
    for (uint32_t b = 0; b < s->boxes.len && last != AX_NONE && !s->simple; b++) {
        if (s->boxes.at[b].finally_) add_hidden(s, last, b);
    }
}

static void measure_span(ax_scene *s, const uint32_t *depth)
{
    for (uint32_t i = 0; i < s->links.len; i++) {
        uint32_t from = depth[s->boxes.at[s->links.at[i].from.box].node];
        uint32_t to = depth[s->boxes.at[s->links.at[i].to.box].node];
        s->span += to > from ? to - from : 1;
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Chooses the direction in which the picture has to be shrunk less to fit a page, by the layers' sizes. */
static void choose_direction(maker *m, const uint32_t *depth)
{
    ax_scene *s = m->scene;
    uint32_t layers = 0;
    double wide = 0, high = 0, widest = 0, highest = 0; /* of a layer of boxes side by side; of a box */
    ax_point *layer_size = AX_NEW_N(s->mem, ax_point, m->plan->node_count + 1);
    for (uint32_t b = 0; b < s->boxes.len; b++) {
        const ax_box *box = &s->boxes.at[b];
        uint32_t layer = depth[box->node];
        layer_size[layer].x += box->width + BOX_GAP;
        layer_size[layer].y += box->height + BOX_GAP;
        layers = layer + 1 > layers ? layer + 1 : layers;
        wide = larger(wide, layer_size[layer].x);
        high = larger(high, layer_size[layer].y);
        widest = larger(widest, box->width);
        highest = larger(highest, box->height);
    }
    double down = larger(wide / PAGE_X, layers * (highest + LAYER_GAP) / PAGE_Y);
    double right = larger(layers * (widest + LAYER_GAP) / PAGE_X, high / PAGE_Y);
    s->down = down <= right;
}

/* What is not shown as it is, and how long the critical path takes. */
static void write_note(maker *m, const ax_scene_view *view)
{
    ax_scene *s = m->scene;
    ax_buf note = AX_BUF_INIT(NOTE_BYTES_MAX);
    uint32_t shown = 0, all = 0;
    bool folded = m->fold.level > AX_FOLD_LARGE_FAN_OUTS || m->fold.set_count;
    for (uint32_t n = 0; n < m->plan->node_count; n++) {
        bool counts = !ax_scene_is_whole(m->plan, n);
        all += counts;
        shown += counts && m->shown[n] != AX_NONE;
    }
    if (view->only) ax_buf_addf(&note, "%" PRIu32 " of %" PRIu32 " nodes", shown, all);
    if (folded) {
        ax_buf words = AX_BUF_INIT(NOTE_BYTES_MAX);
        ax_fold_words(&m->fold, &words);
        if (words.len) {
            ax_buf_addf(&note, "%sfolded: ", note.len ? "; " : "");
            ax_buf_add(&note, ax_buf_str(&words));
        }
        ax_buf_free(&words);
    }
    if (view->durations_ms) {
        ax_buf_adds(&note, note.len ? "; critical path " : "critical path ");
        ax_duration_human(m->critical.length_ms, &note);
    }
    s->note = ax_str_dup(s->mem, ax_buf_str(&note));
    ax_buf_free(&note);
}

void ax_scene_make(ax_scene *scene, ax_arena *mem, const ax_plan *plan, const ax_scene_view *view)
{
    *scene = (ax_scene){.plan = plan, .marks = view->marks, .mem = mem};
    maker m = {.scene = scene,
               .plan = plan,
               .box = AX_NEW_N(mem, uint32_t, plan->node_count + 1),
               .frame = AX_NEW_N(mem, uint32_t, plan->node_count + 1)};
    ax_fold_make(&m.fold, mem, plan, view);
    m.shown = m.fold.shown;
    scene->next_in_set = m.fold.next;
    if (view->durations_ms) ax_critical_find(plan, view->durations_ms, mem, &m.critical);
    add_frames(&m);
    add_boxes(&m);
    count_nodes(&m, view->focus);
    mark_boxes_of_many(&m);
    collect_links(&m);
    scene->simple = scene->boxes.len > AX_PICTURE_BOXES_MAX || m.links.len > AX_PICTURE_LINKS_MAX;
    if ((uint64_t)m.links.len * scene->frames.len < LIFT_WORK_MAX) lift_links(&m);
    frame_finally(scene);
    add_links(&m);
    const uint32_t *depth = depths(&m);
    place_finally_last(&m, depth);
    measure_span(scene, depth);
    write_note(&m, view);
    ax_scene_label(scene);
    choose_direction(&m, depth);
}
