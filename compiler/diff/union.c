/* union.c - both versions of a graph as one plan, for a picture.
 *
 * Definitions keep their numbers in the merge, so that expressions of the newer version still mean what they
 * meant; those of the older one do not, so what is gone has its command as plain text and no condition.
 * Edges are made from links. The union may have a ring where neither version had one: then edges that are
 * gone and run against the new order are left out.
 */
#include "compiler/diff/union_int.h"

#include <stdlib.h>

#include "compiler/diff/diff_int.h"
#include "compiler/diff/show_int.h"
#include "compiler/emit/expr_source.h"
#include "dsl/base/assert.h"

typedef struct {
    uint32_t from, to, line;
    uint8_t outcome;
    ax_mark mark;
} drawn_edge;

typedef struct {
    ax_arena *mem;
    ax_arena scratch;
    const ax_diff *diff;
    const ax_diff_merge *merge;
    ax_diff_union *out;
    bool *kept;             /* definition: it is drawn */
    ax_mark *def_mark;      /* definition: what became of it, its copies apart */
    ax_mark *copy_mark;     /* definition: CHANGED or TOUCHED if it has other copies */
    ax_str *notes;          /* definition */
    uint32_t *number;       /* node of the merge to that of the union, or AX_NONE */
    AX_VEC(uint32_t) nodes; /* of the union: its number in the merge */
    AX_VEC(drawn_edge) edges;
    ax_buf text;
} maker;

/* ---- marks ---- */

static void note(maker *m, const ax_diff_change *c, uint32_t def)
{
    ax_buf *text = &m->text;
    if (c->copy_count && m->copy_mark[def] != AX_MARK_NONE) return; /* it says so */
    ax_buf_clear(text);
    if (m->notes[def].len) ax_buf_addf(text, "%.*s, ", AX_STR(m->notes[def]));
    if (c->op == AX_DIFF_RENAMED) ax_buf_addf(text, "was %.*s", AX_STR(c->was));
    else if (c->copy_count) ax_buf_adds(text, "copies");
    else if (ax_diff_has_lines(c)) ax_buf_add(text, c->attr);
    else ax_diff_show_values(m->diff, c, text);
    m->notes[def] = ax_str_dup(m->mem, ax_buf_str(text));
}

static void raise_mark(ax_mark *mark, ax_verdict verdict)
{
    if (verdict >= AX_VERDICT_BACKFILL) *mark = AX_MARK_CHANGED;
    else if (*mark == AX_MARK_NONE) *mark = AX_MARK_TOUCHED;
}

/* A whole is what its definition or its copies are. */
static ax_mark whole_mark(const maker *m, uint32_t def)
{
    ax_mark mark = m->def_mark[def], copies = m->copy_mark[def];
    return mark == AX_MARK_NONE || copies == AX_MARK_CHANGED ? copies == AX_MARK_NONE ? mark : copies : mark;
}

static void mark_defs(maker *m)
{
    for (uint32_t d = 0; d < m->merge->def_count; d++) {
        if (ax_diff_def_is_gone(m->merge, d)) m->def_mark[d] = AX_MARK_REMOVED;
        else if (ax_diff_def_is_new(m->merge, d)) m->def_mark[d] = AX_MARK_ADDED;
    }
    for (uint32_t i = 0; i < m->diff->change_count; i++) {
        const ax_diff_change *c = &m->diff->changes[i];
        bool counts = ax_diff_rules[c->rule].subject == AX_DIFF_OF_NODE && c->op != AX_DIFF_ADDED &&
                      c->op != AX_DIFF_REMOVED;
        for (uint32_t k = 0; k < c->node_count && counts; k++) {
            note(m, c, c->nodes[k]);
            raise_mark(&(c->copy_count ? m->copy_mark : m->def_mark)[c->nodes[k]],
                       ax_diff_rules[c->rule].verdict);
        }
    }
}

static ax_mark link_mark(const ax_diff_link *l)
{
    if (!l->in_before) return AX_MARK_ADDED;
    if (!l->in_after) return AX_MARK_REMOVED;
    return l->outcome == l->was ? AX_MARK_NONE : AX_MARK_CHANGED;
}

static void count_marks(maker *m)
{
    for (uint32_t d = 0; d < m->merge->def_count; d++) m->out->nodes[whole_mark(m, d)]++;
    for (uint32_t i = 0; i < m->diff->link_count; i++) m->out->edges[link_mark(&m->diff->links[i])]++;
}

/* ---- what is drawn ---- */

/* The group around a definition, in numbers of the merge, or AX_NONE. */
static uint32_t group_of(const ax_diff_merge *m, uint32_t def)
{
    bool is_gone = ax_diff_def_is_gone(m, def);
    const ax_plan *plan = is_gone ? m->before : m->after;
    const ax_def *d = &plan->defs[is_gone ? m->def_before[def] : def];
    uint32_t parent = plan->nodes[d->whole == AX_NONE ? d->first : d->whole].parent;
    if (parent == AX_NONE) return AX_NONE;
    uint32_t group = plan->nodes[parent].def;
    return is_gone ? m->def_of_before[group] : group;
}

/* Keeps what changed, what an edge leads to or from there, and the groups around. */
static void choose_defs(maker *m)
{
    const ax_diff_merge *merge = m->merge;
    bool all = merge->def_count <= AX_DIFF_DRAWN_MAX;
    bool *centre = AX_NEW_N(&m->scratch, bool, merge->def_count + 1);
    for (uint32_t d = 0; d < merge->def_count; d++) {
        centre[d] = whole_mark(m, d) != AX_MARK_NONE;
        m->kept[d] = all || centre[d];
    }
    for (uint32_t i = 0; i < m->diff->link_count; i++) {
        const ax_diff_link *l = &m->diff->links[i];
        uint32_t from = ax_diff_node_def(merge, l->from), to = ax_diff_node_def(merge, l->to);
        if (centre[from] || centre[to] || link_mark(l) != AX_MARK_NONE) m->kept[from] = m->kept[to] = true;
    }
    for (uint32_t d = 0; d < merge->def_count; d++) {
        if (!m->kept[d]) continue;
        for (uint32_t g = group_of(merge, d); g != AX_NONE; g = group_of(merge, g)) m->kept[g] = true;
    }
    for (uint32_t d = 0; d < merge->def_count; d++) m->out->left_out += !m->kept[d];
}

/* ---- definitions and nodes ---- */

static void show_words(maker *m, const ax_plan *plan, const ax_def *def)
{
    ax_buf_clear(&m->text);
    if (def->action == AX_ACTION_RUN) ax_script_source(plan, def, &m->text);
    for (uint32_t i = 0; i < def->argc; i++) {
        if (i) ax_buf_addc(&m->text, ' ');
        ax_expr_source(plan, def, def->argv[i], &m->text);
    }
}

/* A definition whose expressions mean nothing in the union. */
static ax_def without_exprs(maker *m, const ax_plan *plan, const ax_def *def)
{
    ax_def copy = *def;
    show_words(m, plan, def);
    copy.action = m->text.len ? AX_ACTION_RUN : AX_ACTION_NONE;
    copy.script = ax_str_dup(m->mem, ax_buf_str(&m->text));
    copy.bind_count = copy.argc = copy.env_count = copy.output_count = 0;
    copy.cwd = copy.when = NULL;
    return copy;
}

static void add_node(maker *m, uint32_t node)
{
    m->number[node] = m->nodes.len;
    ax_vec_push(&m->scratch, &m->nodes, node);
}

/* True if copies that are gone can stand beside those of the newer version. */
static bool same_keys(const ax_def *a, const ax_def *b)
{
    if (!a->fan_out || !b->fan_out || a->key_count != b->key_count) return false;
    for (uint32_t k = 0; k < a->key_count; k++) {
        if (!ax_str_eq(a->keys[k], b->keys[k])) return false;
    }
    return true;
}

/* Adds the nodes of one version that the union does not have yet: copies, or wholes. */
static uint32_t add_nodes(maker *m, const ax_plan *plan, const ax_def *def, bool wholes)
{
    const ax_diff_merge *merge = m->merge;
    uint32_t first = wholes ? def->whole : def->first, count = wholes ? def->whole_count : def->count,
             added = 0;
    for (uint32_t n = first; n < first + count; n++) {
        uint32_t node = plan == merge->before ? merge->node_of_before[n] : n;
        if (m->number[node] != AX_NONE) continue;
        add_node(m, node);
        added++;
    }
    return added;
}

static void add_def(maker *m, ax_def *defs, uint32_t number)
{
    const ax_diff_merge *merge = m->merge;
    bool is_gone = ax_diff_def_is_gone(merge, number);
    const ax_plan *plan = is_gone ? merge->before : merge->after;
    const ax_def *def = &plan->defs[is_gone ? merge->def_before[number] : number], *old = NULL;
    if (!is_gone && !ax_diff_def_is_new(merge, number)) old = &merge->before->defs[merge->def_before[number]];
    if (old && !same_keys(old, def)) old = NULL;
    ax_def *own = &defs[number];
    *own = is_gone ? without_exprs(m, plan, def) : *def;
    own->first = m->nodes.len;
    own->count = m->kept[number] ? add_nodes(m, plan, def, false) : 0;
    if (m->kept[number] && old) own->count += add_nodes(m, merge->before, old, false);
    own->whole = def->whole == AX_NONE ? AX_NONE : m->nodes.len;
    own->whole_count = 0;
    if (!m->kept[number] || def->whole == AX_NONE) return;
    own->whole_count = add_nodes(m, plan, def, true);
    if (old && old->whole != AX_NONE) own->whole_count += add_nodes(m, merge->before, old, true);
}

static ax_plan_node node_of(const maker *m, uint32_t index)
{
    const ax_diff_merge *merge = m->merge;
    uint32_t node = m->nodes.at[index];
    bool is_gone = ax_diff_node_is_gone(merge, node);
    const ax_plan *plan = is_gone ? merge->before : merge->after;
    ax_plan_node copy = plan->nodes[is_gone ? merge->node_before[node] : node];
    if (is_gone) copy.values += merge->after->value_count;
    copy.def = ax_diff_node_def(merge, node);
    if (copy.parent == AX_NONE) return copy;
    uint32_t parent = is_gone ? merge->node_of_before[copy.parent] : copy.parent;
    copy.parent = m->number[parent];
    return copy;
}

static ax_mark node_mark(const maker *m, uint32_t node)
{
    const ax_diff_merge *merge = m->merge;
    uint32_t def = ax_diff_node_def(merge, node);
    bool is_whole = ax_diff_node_is_gone(merge, node)
                        ? ax_plan_is_whole(merge->before, merge->node_before[node])
                        : ax_plan_is_whole(merge->after, node);
    if (is_whole) return whole_mark(m, def);
    if (ax_diff_node_is_gone(merge, node)) return AX_MARK_REMOVED;
    return ax_diff_node_is_new(merge, node) ? AX_MARK_ADDED : m->def_mark[def];
}

static ax_value *join_values(maker *m)
{
    const ax_plan *a = m->merge->before, *b = m->merge->after;
    ax_value *values = AX_NEW_N(m->mem, ax_value, (size_t)a->value_count + b->value_count + 1);
    for (uint32_t i = 0; i < b->value_count; i++) values[i] = b->values[i];
    for (uint32_t i = 0; i < a->value_count; i++) values[b->value_count + i] = a->values[i];
    return values;
}

static ax_plan_node *make_nodes(maker *m)
{
    const ax_diff_merge *merge = m->merge;
    ax_plan *plan = &m->out->plan;
    ax_def *defs = AX_NEW_N(m->mem, ax_def, merge->def_count + 1);
    for (uint32_t d = 0; d < merge->def_count; d++) add_def(m, defs, d);
    ax_plan_node *nodes = AX_NEW_N(m->mem, ax_plan_node, m->nodes.len + 1);
    ax_mark *marks = AX_NEW_N(m->mem, ax_mark, m->nodes.len + 1);
    ax_str *notes = AX_NEW_N(m->mem, ax_str, m->nodes.len + 1);
    for (uint32_t n = 0; n < m->nodes.len; n++) nodes[n] = node_of(m, n);
    for (uint32_t n = 0; n < m->nodes.len; n++) {
        marks[n] = node_mark(m, m->nodes.at[n]);
        bool framed = nodes[n].parent != AX_NONE && nodes[nodes[n].parent].def == nodes[n].def;
        if (!framed) notes[n] = m->notes[nodes[n].def]; /* else the whole around it says so */
    }
    plan->defs = defs;
    plan->def_count = merge->def_count;
    plan->nodes = nodes;
    plan->node_count = m->nodes.len;
    plan->values = join_values(m);
    plan->value_count = merge->before->value_count + merge->after->value_count;
    m->out->marks.nodes = marks;
    m->out->marks.notes = notes;
    return nodes;
}

/* ---- edges ---- */

/* The nodes of the union that an end of a link stands for: a copy, or those of a definition. */
static void nodes_of_end(const maker *m, uint32_t end, bool tail, uint32_t *first, uint32_t *count)
{
    *count = 1;
    if (end < m->merge->node_count) {
        *first = m->number[end];
        return;
    }
    const ax_def *def = &m->out->plan.defs[end - m->merge->node_count];
    bool wholes = tail && def->whole != AX_NONE;
    *first = wholes ? def->whole : def->first;
    *count = wholes ? def->whole_count : def->count;
}

/* True if two nodes don't stand in different copies of one group. */
static bool may_meet(const ax_plan *plan, uint32_t a, uint32_t b)
{
    uint32_t a_count, b_count, x = ax_diff_values(plan, a, &a_count), y = ax_diff_values(plan, b, &b_count);
    const ax_def *p = &plan->defs[plan->nodes[a].def], *q = &plan->defs[plan->nodes[b].def];
    uint32_t outer_a = ax_plan_outer_keys(plan, a), outer_b = ax_plan_outer_keys(plan, b);
    uint32_t shared = outer_a < outer_b ? outer_a : outer_b;
    for (uint32_t i = 0; i < shared && i < a_count && i < b_count; i++) {
        if (!ax_str_eq(p->keys[i], q->keys[i])) return true;
        if (!ax_value_eq(&plan->values[x + i], &plan->values[y + i])) return false;
    }
    return true;
}

/* True unless only one version has the node and only the other the link. */
static bool has_link(const maker *m, const ax_diff_link *l, uint32_t index)
{
    uint32_t node = m->nodes.at[index];
    return (l->in_before || !ax_diff_node_is_gone(m->merge, node)) &&
           (l->in_after || !ax_diff_node_is_new(m->merge, node));
}

static void add_edges(maker *m, const ax_diff_link *l)
{
    uint32_t from, from_count, to, to_count;
    nodes_of_end(m, l->from, true, &from, &from_count);
    nodes_of_end(m, l->to, false, &to, &to_count);
    if (from == AX_NONE || to == AX_NONE) return;
    drawn_edge e = {.outcome = l->outcome, .mark = link_mark(l), .line = l->line_after};
    if (!e.line) e.line = l->line_before;
    for (e.from = from; e.from < from + from_count; e.from++) {
        if (!has_link(m, l, e.from)) continue;
        for (e.to = to; e.to < to + to_count; e.to++) {
            bool has = has_link(m, l, e.to) && may_meet(&m->out->plan, e.from, e.to);
            if (has) ax_vec_push(&m->scratch, &m->edges, e);
        }
    }
}

static int edge_cmp(const void *a, const void *b)
{
    const drawn_edge *x = a, *y = b;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->outcome < y->outcome ? -1 : x->outcome > y->outcome;
}

/* Gives the plan its edges but those left out, and an order; false if they make a ring. */
static bool index_edges(maker *m, ax_plan_node *nodes, const bool *left_out)
{
    ax_plan *plan = &m->out->plan;
    ax_plan_edge *edges = AX_NEW_N(m->mem, ax_plan_edge, m->edges.len + 1);
    ax_mark *marks = AX_NEW_N(m->mem, ax_mark, m->edges.len + 1);
    plan->edge_count = 0;
    for (uint32_t i = 0; i < m->edges.len; i++) {
        const drawn_edge *e = &m->edges.at[i];
        if (left_out && left_out[i]) continue;
        marks[plan->edge_count] = e->mark;
        edges[plan->edge_count++] = (ax_plan_edge){e->from, e->to, e->line, e->outcome};
    }
    m->out->marks.edges = marks; /* the edges are sorted by `to` already, and the index keeps their order */
    return ax_plan_index(plan, nodes, edges);
}

/* ---- rings ---- */

/* A place for each node of the merge in the order of the newer version: what is gone stands right behind what
 * led to it, but before the groups that hold it. */
typedef struct {
    uint32_t *rank, *limit; /* limit: the smallest rank of a group around it that is still there */
} places;

static uint32_t limit_of(const ax_diff_merge *m, const uint32_t *rank, uint32_t node)
{
    uint32_t limit = UINT32_MAX, parent = m->before->nodes[node].parent;
    for (; parent != AX_NONE; parent = m->before->nodes[parent].parent) {
        uint32_t group = m->node_of_before[parent];
        if (!ax_diff_node_is_gone(m, group) && rank[group] < limit) limit = rank[group];
    }
    return limit;
}

static places find_places(maker *m)
{
    const ax_diff_merge *merge = m->merge;
    const ax_plan *old = merge->before;
    places p = {.rank = AX_NEW_N(&m->scratch, uint32_t, merge->node_count + 1),
                .limit = AX_NEW_N(&m->scratch, uint32_t, merge->node_count + 1)};
    for (uint32_t n = 0; n < merge->after->node_count; n++) {
        p.rank[n] = merge->after->nodes[n].rank;
        p.limit[n] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < old->node_count; i++) {
        uint32_t n = old->order[i], node = merge->node_of_before[n];
        if (!ax_diff_node_is_gone(merge, node)) continue;
        p.limit[node] = limit_of(merge, p.rank, n);
        for (uint32_t e = old->in_at[n]; e < old->in_at[n + 1]; e++) {
            uint32_t above = p.rank[merge->node_of_before[old->edges[e].from]];
            if (p.rank[node] < above && above < p.limit[node]) p.rank[node] = above;
        }
        for (uint32_t k = old->member_at[n]; k < old->member_at[n + 1]; k++) {
            uint32_t member = merge->node_of_before[old->member[k]];
            if (ax_diff_node_is_gone(merge, member) && p.rank[node] < p.rank[member])
                p.rank[node] = p.rank[member];
        }
    }
    return p;
}

/* The edges that are gone and run against that order. */
static const bool *find_backward(maker *m)
{
    const ax_diff_merge *merge = m->merge;
    places p = find_places(m);
    bool *backward = AX_NEW_N(&m->scratch, bool, m->edges.len + 1);
    for (uint32_t i = 0; i < m->edges.len; i++) {
        const drawn_edge *e = &m->edges.at[i];
        uint32_t from = m->nodes.at[e->from], to = m->nodes.at[e->to];
        bool from_gone = ax_diff_node_is_gone(merge, from), to_gone = ax_diff_node_is_gone(merge, to);
        if (e->mark != AX_MARK_REMOVED && !from_gone && !to_gone) continue;
        backward[i] =
            to_gone ? p.rank[from] >= p.limit[to] || p.rank[from] > p.rank[to] : p.rank[from] >= p.rank[to];
        m->out->edges_left_out += backward[i];
    }
    return backward;
}

static void make_edges(maker *m, ax_plan_node *nodes)
{
    for (uint32_t i = 0; i < m->diff->link_count; i++) {
        const ax_diff_link *l = &m->diff->links[i];
        bool drawn =
            m->kept[ax_diff_node_def(m->merge, l->from)] && m->kept[ax_diff_node_def(m->merge, l->to)];
        if (drawn) add_edges(m, l);
    }
    if (m->edges.len) qsort(m->edges.at, m->edges.len, sizeof *m->edges.at, edge_cmp);
    bool is_sound = index_edges(m, nodes, NULL) || index_edges(m, nodes, find_backward(m));
    AX_ASSERT(is_sound);
}

void ax_diff_union_make(ax_arena *mem, const ax_diff *diff, ax_diff_union *out)
{
    const ax_diff_merge *merge = &diff->merge;
    maker m = {.mem = mem, .diff = diff, .merge = merge, .out = out, .text = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    const ax_plan *newest = diff->after ? diff->after : diff->before;
    *out = (ax_diff_union){.plan = *newest};
    out->plan.mem = mem;
    m.kept = AX_NEW_N(&m.scratch, bool, merge->def_count + 1);
    m.copy_mark = AX_NEW_N(&m.scratch, ax_mark, merge->def_count + 1);
    m.def_mark = AX_NEW_N(&m.scratch, ax_mark, merge->def_count + 1);
    m.notes = AX_NEW_N(&m.scratch, ax_str, merge->def_count + 1);
    m.number = AX_NEW_N(&m.scratch, uint32_t, merge->node_count + 1);
    for (uint32_t n = 0; n < merge->node_count; n++) m.number[n] = AX_NONE;
    mark_defs(&m);
    count_marks(&m);
    choose_defs(&m);
    ax_plan_node *nodes = make_nodes(&m);
    make_edges(&m, nodes);
    ax_buf_free(&m.text);
    ax_arena_free(&m.scratch);
}
