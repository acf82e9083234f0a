/* scene_fold.c - what of a plan is shown, and by what: every node gets the node that stands for it.
 *
 * Fan-outs and groups fold into themselves. If that is not enough, tasks that wait for the same and are
 * waited for by the same become one set, and at last tasks of one level with names alike, of one level, and
 * of several levels. A level is how many links stand before a node, so links between sets go forwards as
 * those between nodes did.
 */
#include "compiler/picture/scene_fold_int.h"

#include <stdlib.h>

#include "dsl/base/assert.h"

#define LIKE_MIN 4u        /* tasks with the same links that are worth a set */
#define SETS_MAX 400u      /* boxes left when tasks fold by level */
#define SET_LINKS_MAX 600u /* links left then */

static uint32_t member_count(const ax_fold *f, uint32_t node)
{
    const ax_plan *plan = f->plan;
    uint32_t count = 0;
    for (uint32_t i = plan->member_at[node]; i < plan->member_at[node + 1]; i++)
        count += f->visible[plan->member[i]];
    return count;
}

/* ---- what is shown at all ---- */

/* The nodes that were asked for, and what stands around them. Members come before their group in
 * topological order. */
static void find_visible(ax_fold *f, const ax_node_set *only)
{
    const ax_plan *plan = f->plan;
    for (uint32_t n = 0; n < plan->node_count; n++) f->visible[n] = !only || ax_node_set_has(only, n);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        uint32_t node = plan->order[i], parent = plan->nodes[node].parent;
        if (f->visible[node] && parent != AX_NONE) f->visible[parent] = true;
    }
}

/* ---- fan-outs and groups ---- */

static bool folds(const ax_fold *f, uint32_t node, ax_fold_level level)
{
    if (!ax_scene_is_whole(f->plan, node)) return false;
    uint32_t members = member_count(f, node);
    if (!members || level >= AX_FOLD_GROUPS) return true;
    if (!ax_plan_is_whole(f->plan, node)) return false;
    if (level == AX_FOLD_LARGE_FAN_OUTS) return members > AX_PICTURE_COPIES_MAX;
    return level > AX_FOLD_LARGE_FAN_OUTS;
}

/* Groups come behind their members in topological order, so going backwards meets what is outside first. */
static void fold_wholes(ax_fold *f, ax_fold_level level)
{
    const ax_plan *plan = f->plan;
    f->box_count = 0;
    for (uint32_t i = plan->node_count; i-- > 0;) {
        uint32_t node = plan->order[i], parent = plan->nodes[node].parent;
        bool hidden = parent != AX_NONE && (f->is_box[parent] || f->shown[parent] != parent);
        f->next[node] = AX_NONE;
        f->last[node] = node;
        f->is_box[node] = false;
        f->shown[node] = !f->visible[node] ? AX_NONE : hidden ? f->shown[parent] : node;
        if (f->shown[node] != node) continue;
        f->is_box[node] = !ax_scene_is_whole(plan, node) || folds(f, node, level);
        f->box_count += f->is_box[node];
    }
}

/* ---- links between what is shown ---- */

typedef struct {
    uint32_t from, to, outcome;
} shown_link;

static int from_cmp(const void *a, const void *b)
{
    const shown_link *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->outcome < y->outcome ? -1 : x->outcome > y->outcome;
}

typedef AX_VEC(shown_link) link_list;

/* Sorts links by where they come from, and drops doubles. */
static void sort_links(link_list *all)
{
    uint32_t kept = 0;
    if (all->len) qsort(all->at, all->len, sizeof *all->at, from_cmp);
    for (uint32_t i = 0; i < all->len; i++)
        if (!kept || from_cmp(&all->at[kept - 1], &all->at[i]) != 0) all->at[kept++] = all->at[i];
    all->len = kept;
}

static link_list collect_links(const ax_fold *f)
{
    link_list all = {0};
    for (uint32_t i = 0; i < f->plan->edge_count; i++) {
        const ax_plan_edge *e = &f->plan->edges[i];
        shown_link l = {f->shown[e->from], f->shown[e->to], e->outcome};
        if (l.from == AX_NONE || l.to == AX_NONE || l.from == l.to) continue;
        ax_vec_push(f->mem, &all, l);
    }
    sort_links(&all);
    return all;
}

/* ---- sets ---- */

/* Nodes with equal keys become a set. */
typedef struct {
    uint64_t key[3];
    uint32_t node;
} member;

static int key_cmp(const void *a, const void *b)
{
    const member *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

static int member_cmp(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int by_key = key_cmp(a, b);
    return by_key ? by_key : x->node < y->node ? -1 : x->node > y->node;
}

/* Counts sets of at least `min` members and single nodes; with `apply` it makes the sets. */
static uint32_t make_sets(ax_fold *f, member *all, uint32_t count, uint32_t min, bool apply)
{
    uint32_t boxes = f->box_count - count;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && key_cmp(&all[i], &all[end]) == 0;) end++;
        bool is_set = end - i >= min && end - i > 1;
        boxes += is_set ? 1 : end - i;
        if (!is_set || !apply) continue;
        f->set_count++;
        for (uint32_t k = i + 1; k < end; k++) {
            f->shown[all[k].node] = all[i].node;
            f->is_box[all[k].node] = false;
            f->next[f->last[all[i].node]] = all[k].node;
            f->last[all[i].node] = f->last[all[k].node];
        }
    }
    return boxes;
}

/* What was shown by a node that went into a set is shown by that. */
static void follow_sets(ax_fold *f)
{
    for (uint32_t n = 0; n < f->plan->node_count; n++) {
        uint32_t shown = f->shown[n];
        if (shown != AX_NONE) f->shown[n] = f->shown[shown];
    }
}

/* ---- tasks with the same links ---- */

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static void fold_alike(ax_fold *f, const ax_scene_marks *marks)
{
    const ax_plan *plan = f->plan;
    link_list links = collect_links(f);
    uint64_t *in = AX_NEW_N(f->mem, uint64_t, plan->node_count + 1);
    uint64_t *out = AX_NEW_N(f->mem, uint64_t, plan->node_count + 1);
    for (uint32_t i = 0; i < links.len; i++) { /* sorted by from: all lists are hashed in one order */
        const shown_link *l = &links.at[i];
        out[l->from] = mixed(out[l->from], mixed(l->to + UINT64_C(1), l->outcome));
        in[l->to] = mixed(in[l->to], mixed(l->from + UINT64_C(1), l->outcome));
    }
    AX_VEC(member) all = {0};
    for (uint32_t n = 0; n < plan->node_count; n++) {
        const ax_def *def = &plan->defs[plan->nodes[n].def];
        if (!f->is_box[n] || ax_scene_is_whole(plan, n) || def->kind != AX_NODE_TASK) continue;
        uint64_t state = (uint64_t)def->enabled << 33 | (uint64_t)def->finally_ << 32 | plan->nodes[n].parent;
        if (marks) state |= (uint64_t)marks->nodes[n] << 34;
        ax_vec_push(f->mem, &all, (member){{state, in[n], out[n]}, n});
    }
    if (all.len) qsort(all.at, all.len, sizeof *all.at, member_cmp);
    f->box_count = make_sets(f, all.at, all.len, LIKE_MIN, true);
    follow_sets(f);
}

/* ---- levels ---- */

/* How many links stand before each shown node. Where links go round, the first node that is left goes
 * first. */
static uint32_t *levels(const ax_fold *f, const link_list *links)
{
    uint32_t nodes = f->plan->node_count, len = 0, first = 0;
    uint32_t *level = AX_NEW_N(f->mem, uint32_t, nodes + 1), *missing = AX_NEW_N(f->mem, uint32_t, nodes + 1);
    uint32_t *at = AX_NEW_N(f->mem, uint32_t, nodes + 2), *queue = AX_NEW_N(f->mem, uint32_t, nodes + 1);
    bool *done = AX_NEW_N(f->mem, bool, nodes + 1);
    for (uint32_t i = 0; i < links->len; i++) {
        missing[links->at[i].to]++;
        at[links->at[i].from + 1]++;
    }
    for (uint32_t n = 0; n < nodes; n++) {
        at[n + 1] += at[n];
        if (f->is_box[n] && !missing[n]) queue[len++] = n;
        done[n] = !f->is_box[n] || !missing[n];
    }
    for (uint32_t head = 0;; head++) {
        while (head == len && first < nodes && done[first]) first++;
        if (head == len && first == nodes) return level;
        if (head == len) {
            done[first] = true;
            queue[len++] = first;
        }
        for (uint32_t i = at[queue[head]]; i < at[queue[head] + 1]; i++) {
            uint32_t to = links->at[i].to;
            if (done[to]) continue;
            if (level[to] <= level[queue[head]]) level[to] = level[queue[head]] + 1;
            done[to] = --missing[to] == 0;
            if (done[to]) queue[len++] = to;
        }
    }
}

/* The first `len` bytes of a name, as a number. */
static uint64_t start_key(ax_str name, uint32_t len)
{
    uint64_t key = 1;
    for (uint32_t i = 0; i < len && i < name.len; i++) key = mixed(key, (unsigned char)name.ptr[i]);
    return key;
}

/* How many links would be left between sets of these members, which are sorted. */
static uint32_t count_links(const ax_fold *f, const link_list *links, const member *all, uint32_t count)
{
    uint32_t *set_of = AX_NEW_N(f->mem, uint32_t, f->plan->node_count + 1), set = 0;
    link_list between = {0};
    for (uint32_t i = 0; i < count; i++) {
        set += i && key_cmp(&all[i - 1], &all[i]) != 0;
        set_of[all[i].node] = set;
    }
    for (uint32_t i = 0; i < links->len; i++) {
        shown_link l = {set_of[links->at[i].from], set_of[links->at[i].to], links->at[i].outcome};
        if (l.from != l.to) ax_vec_push(f->mem, &between, l);
    }
    sort_links(&between);
    return between.len;
}

/* How much goes into one set: so many levels, and names that begin with the same bytes. */
typedef struct {
    uint32_t levels, name_bytes;
} grain;

/* From fine to coarse; behind the last one twice as many levels each time. */
static const grain grains[] = {{1, 16}, {1, 12}, {1, 9}, {1, 7}, {1, 6},
                               {1, 5},  {1, 4},  {1, 3}, {1, 2}, {1, 0}};

static uint32_t sort_members(const ax_fold *f, grain g, const uint32_t *level, member *all)
{
    const ax_plan *plan = f->plan;
    uint32_t count = 0;
    for (uint32_t n = 0; n < plan->node_count; n++) {
        if (!f->is_box[n]) continue;
        uint64_t last = plan->defs[plan->nodes[n].def].finally_;
        uint64_t name = start_key(plan->nodes[n].name, g.name_bytes);
        all[count++] = (member){{last, level[n] / g.levels, name}, n};
    }
    if (count) qsort(all, count, sizeof *all, member_cmp);
    return count;
}

/* Everything is outside of groups here, because they are folded. */
static void fold_levels(ax_fold *f)
{
    link_list links = collect_links(f);
    const uint32_t *level = levels(f, &links);
    member *all = AX_NEW_N(f->mem, member, f->plan->node_count + 1);
    uint32_t count = 0, last = sizeof grains / sizeof *grains - 1;
    for (uint32_t i = 0; i <= last + 30; i++) {
        grain g = i <= last ? grains[i] : (grain){2u << (i - last - 1), 0};
        f->levels = g.levels;
        count = sort_members(f, g, level, all);
        if (g.levels > f->plan->node_count) break;
        if (make_sets(f, all, count, 2, false) > SETS_MAX) continue;
        if (count_links(f, &links, all, count) <= SET_LINKS_MAX) break;
    }
    f->set_count = 0;
    f->by_level = true;
    f->box_count = make_sets(f, all, count, 2, true);
    follow_sets(f);
}

/* ---- all together ---- */

static void fold_auto(ax_fold *f, const ax_scene_view *view)
{
    for (int level = AX_FOLD_LARGE_FAN_OUTS; level <= AX_FOLD_GROUPS; level++) {
        f->level = (ax_fold_level)level;
        f->set_count = 0;
        fold_wholes(f, f->level);
        if (f->box_count <= view->boxes_fit) return;
        if (level == AX_FOLD_LARGE_FAN_OUTS) continue;
        fold_alike(f, view->marks);
        if (f->box_count <= view->boxes_fit) return;
    }
    link_list links = collect_links(f);
    if (f->box_count > view->boxes_max || links.len > view->links_max) fold_levels(f);
}

void ax_fold_make(ax_fold *f, ax_arena *mem, const ax_plan *plan, const ax_scene_view *view)
{
    uint32_t room = plan->node_count + 1;
    *f = (ax_fold){.mem = mem,
                   .plan = plan,
                   .visible = AX_NEW_N(mem, bool, room),
                   .is_box = AX_NEW_N(mem, bool, room),
                   .shown = AX_NEW_N(mem, uint32_t, room),
                   .next = AX_NEW_N(mem, uint32_t, room),
                   .last = AX_NEW_N(mem, uint32_t, room)};
    find_visible(f, view->only);
    switch (view->collapse) {
    case AX_COLLAPSE_AUTO: fold_auto(f, view); return;
    case AX_COLLAPSE_NONE: f->level = AX_FOLD_NOTHING; break;
    case AX_COLLAPSE_ALL: f->level = AX_FOLD_GROUPS; break;
    }
    fold_wholes(f, f->level);
}

/* ---- what was folded, in words ---- */

static void add_part(ax_buf *out, uint32_t count, const char *one, const char *many, uint32_t nodes)
{
    if (!count) return;
    if (out->len) ax_buf_adds(out, ", ");
    ax_buf_addf(out, "%" PRIu32 " %s (%" PRIu32 " nodes)", count, count == 1 ? one : many, nodes);
}

void ax_fold_words(const ax_fold *f, ax_buf *out)
{
    const ax_plan *plan = f->plan;
    uint32_t count[3] = {0}, nodes[3] = {0}; /* fan-outs, groups, sets */
    for (uint32_t n = 0; n < plan->node_count; n++) {
        uint32_t shown = f->shown[n];
        if (shown == AX_NONE || !f->is_box[shown]) continue;
        bool is_set = f->next[shown] != AX_NONE, is_whole = ax_scene_is_whole(plan, shown);
        if (!is_set && !is_whole) continue;
        int kind = is_set ? 2 : ax_plan_is_whole(plan, shown) ? 0 : 1;
        count[kind] += shown == n;
        nodes[kind] += !ax_scene_is_whole(plan, n);
    }
    add_part(out, count[0], "fan-out", "fan-outs", nodes[0]);
    add_part(out, count[1], "group", "groups", nodes[1]);
    if (!f->by_level)
        add_part(out, count[2], "set of tasks with the same edges", "sets of tasks with the same edges",
                 nodes[2]);
    else if (f->levels > 1)
        add_part(out, count[2], "set of nodes of neighbouring levels", "sets of nodes of neighbouring levels",
                 nodes[2]);
    else add_part(out, count[2], "set of nodes of one level", "sets of nodes of one level", nodes[2]);
}
