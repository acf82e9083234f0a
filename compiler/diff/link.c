/* link.c - the edges of both versions as one list, as a person would draw them.
 *
 * An edge that all copies of a fan-out have is one edge of its definition, on either end: so a copy more or
 * less changes no edge, and neither does a join that counts copies one by one.
 */
#include <stdlib.h>

#include "compiler/diff/diff_int.h"

/* An end of an edge in one version: a copy of a fan-out by its node, or, behind all nodes, a definition. */
typedef struct {
    uint32_t point, def;
} end_point;

typedef struct {
    end_point from, to;
    uint32_t line;
    uint8_t outcome;
} edge;

typedef struct {
    const ax_plan *plan;
    edge *at;
    uint32_t count;
} edge_list;

static end_point end_of(const ax_plan *plan, uint32_t node)
{
    uint32_t def = plan->nodes[node].def;
    return (end_point){plan->defs[def].fan_out ? node : plan->node_count + def, def};
}

static int number_cmp(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int edge_cmp(const edge *x, const edge *y)
{
    int order = number_cmp(x->from.point, y->from.point);
    if (!order) order = number_cmp(x->to.point, y->to.point);
    return order ? order : number_cmp(x->outcome, y->outcome);
}

static int by_ends(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    int order = edge_cmp(x, y);
    return order ? order : number_cmp(x->line, y->line);
}

/* These orders keep all edges side by side that differ only in the copy at one end. */
static int by_copies_from(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    int order = number_cmp(x->to.point, y->to.point);
    if (!order) order = number_cmp(x->outcome, y->outcome);
    if (!order) order = number_cmp(x->from.def, y->from.def);
    return order ? order : by_ends(a, b);
}

static int by_copies_to(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    int order = number_cmp(x->from.point, y->from.point);
    if (!order) order = number_cmp(x->outcome, y->outcome);
    if (!order) order = number_cmp(x->to.def, y->to.def);
    return order ? order : by_ends(a, b);
}

static end_point *end_at(edge *e, bool tails)
{
    return tails ? &e->from : &e->to;
}

static bool same_but_copy(edge *x, edge *y, bool tails)
{
    return x->outcome == y->outcome && end_at(x, !tails)->point == end_at(y, !tails)->point &&
           end_at(x, tails)->def == end_at(y, tails)->def;
}

/* True if the edges i … end - 1, which differ only in the copy, have all copies, or the whole. */
static bool covers(edge_list *l, uint32_t i, uint32_t end, bool tails)
{
    const ax_def *def = &l->plan->defs[end_at(&l->at[i], tails)->def];
    uint32_t copies = 0, wholes = 0;
    for (uint32_t k = i; k < end && def->fan_out; k++) {
        uint32_t node = end_at(&l->at[k], tails)->point;
        if (node >= def->first && node < def->first + def->count) copies++;
        else wholes++;
    }
    return copies == def->count || (wholes && wholes == def->whole_count);
}

/* Puts one edge of the definition in place of edges of all its copies. */
static void lift(edge_list *l, bool tails)
{
    uint32_t kept = 0;
    if (l->count) qsort(l->at, l->count, sizeof *l->at, tails ? by_copies_from : by_copies_to);
    for (uint32_t i = 0, end; i < l->count; i = end) {
        for (end = i + 1; end < l->count && same_but_copy(&l->at[i], &l->at[end], tails);) end++;
        if (covers(l, i, end, tails)) {
            edge whole = l->at[i];
            end_at(&whole, tails)->point = l->plan->node_count + end_at(&whole, tails)->def;
            l->at[kept++] = whole;
            continue;
        }
        for (uint32_t k = i; k < end; k++) l->at[kept++] = l->at[k];
    }
    l->count = kept;
}

/* ---- within copies of a group ---- */

static int by_defs(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    int order = number_cmp(x->from.def, y->from.def);
    if (!order) order = number_cmp(x->to.def, y->to.def);
    if (!order) order = number_cmp(x->outcome, y->outcome);
    return order ? order : by_ends(a, b);
}

static bool same_defs(const edge *x, const edge *y)
{
    return x->from.def == y->from.def && x->to.def == y->to.def && x->outcome == y->outcome;
}

/* True if both ends are nodes in the same copy of a group. */
static bool is_inner(const ax_plan *plan, const edge *e)
{
    if (e->from.point >= plan->node_count || e->to.point >= plan->node_count) return false;
    uint32_t a_count, a = ax_diff_values(plan, e->from.point, &a_count);
    uint32_t b_count, b = ax_diff_values(plan, e->to.point, &b_count);
    const ax_str *x = plan->defs[e->from.def].keys, *y = plan->defs[e->to.def].keys;
    uint32_t same = 0;
    while (same < a_count && same < b_count && ax_str_eq(x[same], y[same])) same++;
    for (uint32_t i = 0; i < same; i++) {
        if (!ax_value_eq(&plan->values[a + i], &plan->values[b + i])) return false;
    }
    return same > 0;
}

/* True if the edges i … end - 1 between two definitions go from all copies (or wholes) of one to all of the
 * other, each inside its copy of a group. */
static bool is_parallel(const edge_list *l, uint32_t i, uint32_t end)
{
    const ax_def *from = &l->plan->defs[l->at[i].from.def], *to = &l->plan->defs[l->at[i].to.def];
    uint32_t sources = 0, targets = end - i;
    for (uint32_t k = i; k < end; k++) {
        if (!is_inner(l->plan, &l->at[k])) return false;
        sources += k == i || l->at[k].from.point != l->at[k - 1].from.point;
    }
    return targets == to->count && (sources == from->count || sources == from->whole_count);
}

/* What is the same in each copy of a group is one edge between the definitions. */
static void lift_inner(edge_list *l)
{
    uint32_t kept = 0;
    if (l->count) qsort(l->at, l->count, sizeof *l->at, by_defs);
    for (uint32_t i = 0, end; i < l->count; i = end) {
        for (end = i + 1; end < l->count && same_defs(&l->at[i], &l->at[end]);) end++;
        if (is_parallel(l, i, end)) {
            edge whole = l->at[i];
            whole.from.point = l->plan->node_count + whole.from.def;
            whole.to.point = l->plan->node_count + whole.to.def;
            l->at[kept++] = whole;
            continue;
        }
        for (uint32_t k = i; k < end; k++) l->at[kept++] = l->at[k];
    }
    l->count = kept;
}

/* An end in the numbers of the merge. */
static uint32_t merged(const ax_diff_merge *m, const ax_plan *plan, end_point e)
{
    bool is_before = plan == m->before;
    if (e.point < plan->node_count) return is_before ? m->node_of_before[e.point] : e.point;
    return m->node_count + (is_before ? m->def_of_before[e.def] : e.def);
}

static edge_list read_edges(ax_arena *scratch, const ax_diff_merge *m, const ax_plan *plan)
{
    edge_list l = {.plan = plan, .at = AX_NEW_N(scratch, edge, plan->edge_count + 1)};
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        const ax_plan_edge *e = &plan->edges[i];
        l.at[l.count++] = (edge){end_of(plan, e->from), end_of(plan, e->to), e->line, e->outcome};
    }
    lift(&l, true);
    lift(&l, false);
    lift_inner(&l);
    for (uint32_t i = 0; i < l.count; i++) {
        l.at[i].from.point = merged(m, plan, l.at[i].from);
        l.at[i].to.point = merged(m, plan, l.at[i].to);
    }
    if (l.count) qsort(l.at, l.count, sizeof *l.at, by_ends);
    return l;
}

/* Both lists, sorted, as one. */
static ax_diff_link *merge_edges(ax_arena *mem, const edge_list *a, const edge_list *b, uint32_t *count)
{
    ax_diff_link *links = AX_NEW_N(mem, ax_diff_link, (size_t)a->count + b->count + 1);
    uint32_t i = 0, k = 0;
    *count = 0;
    while (i < a->count || k < b->count) {
        int order = i == a->count ? 1 : k == b->count ? -1 : edge_cmp(&a->at[i], &b->at[k]);
        const edge *e = order <= 0 ? &a->at[i] : &b->at[k];
        ax_diff_link link = {
            .from = e->from.point, .to = e->to.point, .outcome = e->outcome, .was = e->outcome};
        if (order <= 0) {
            link.in_before = true;
            link.line_before = a->at[i++].line;
        }
        if (order >= 0) {
            link.in_after = true;
            link.line_after = b->at[k++].line;
        }
        links[(*count)++] = link;
    }
    return links;
}

/* An edge that went and one that came between the same nodes are one with another outcome. */
static uint32_t join_outcomes(ax_diff_link *links, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && links[end].from == links[i].from && links[end].to == links[i].to;) end++;
        for (uint32_t k = i, gone = i; k < end; k++) {
            if (links[k].in_before) continue;
            while (gone < end && (links[gone].in_after || !links[gone].in_before)) gone++;
            if (gone == end) break;
            links[k].in_before = true;
            links[k].was = links[gone].outcome;
            links[k].line_before = links[gone].line_before;
            links[gone].in_before = links[gone].in_after = false;
        }
        for (uint32_t k = i; k < end; k++) {
            if (links[k].in_before || links[k].in_after) links[kept++] = links[k];
        }
    }
    return kept;
}

/* Puts the places of all links in the order of the definitions at one end. */
static void index_links(ax_arena *mem, const ax_diff_merge *m, const ax_diff *d, bool tails,
                        const uint32_t **at, const uint32_t **list)
{
    uint32_t *from = AX_NEW_N(mem, uint32_t, m->def_count + 2),
             *places = AX_NEW_N(mem, uint32_t, d->link_count + 1);
    for (uint32_t i = 0; i < d->link_count; i++)
        from[ax_diff_node_def(m, tails ? d->links[i].from : d->links[i].to) + 2]++;
    for (uint32_t def = 0; def < m->def_count; def++) from[def + 2] += from[def + 1];
    for (uint32_t i = 0; i < d->link_count; i++)
        places[from[ax_diff_node_def(m, tails ? d->links[i].from : d->links[i].to) + 1]++] = i;
    *at = from;
    *list = places;
}

void ax_diff_links_make(ax_arena *mem, const ax_diff_merge *merge, ax_diff *out)
{
    ax_arena scratch = AX_ARENA_INIT;
    edge_list a = read_edges(&scratch, merge, merge->before), b = read_edges(&scratch, merge, merge->after);
    uint32_t count;
    ax_diff_link *links = merge_edges(mem, &a, &b, &count);
    out->links = links;
    out->link_count = join_outcomes(links, count);
    index_links(mem, merge, out, true, &out->out_of_at, &out->out_of);
    index_links(mem, merge, out, false, &out->into_at, &out->into);
    ax_arena_free(&scratch);
}
