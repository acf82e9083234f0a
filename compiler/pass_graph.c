/* pass_graph.c - edges as written become edges between nodes.
 *
 * First every arrow is a link between declarations (what `a -> [b, c]` means, whatever a, b and c are); then
 * a link becomes edges: to the roots of a group, to every copy of a fan-out, from the one end of either, and
 * from each copy where the join counts them. The same edge written twice is one. Rings are found by the
 * plan's index and shown by cycle.c.
 */
#include <string.h>

#include "compiler/cycle_int.h"
#include "compiler/expr_int.h"
#include "compiler/fan_int.h"
#include "compiler/scope_int.h"

/* One thing that an endpoint names. */
typedef struct {
    uint32_t decl;
    const uint32_t *at; /* for each level of decl the copy, or AX_NONE; NULL: none is chosen */
    ax_outcome outcome;
    ax_span span;
} end_point;

typedef struct {
    end_point *at;
    uint32_t len;
} end_points;

/* ---- endpoints ---- */

static void report_path(ax_flow *f, uint32_t group, const ax_path *path)
{
    ax_diag *d;
    if (ax_scope_is_refused(f->unit, path->missing.text)) return;
    if (path->missing_in == AX_NONE)
        d = ax_diag_add(f->diags, AX_E0213, path->missing.span, "there is no node '%.*s' here",
                        AX_STR(path->missing.text));
    else
        d = ax_diag_add(f->diags, AX_E0213, path->missing.span, "group '%.*s' has no node '%.*s'",
                        AX_STR(f->decls.at[path->missing_in].name), AX_STR(path->missing.text));
    ax_nearest near = ax_nearest_start(path->missing.text);
    ax_scope_nodes_near(f, path->missing_in == AX_NONE ? group : path->missing_in,
                        path->missing_in != AX_NONE, &near);
    ax_diag_did_you_mean(f->diags, d, path->missing.span, near.best);
}

/* The outcome that a word names; `succeeded` if none is written. */
static bool read_outcome(ax_flow *f, const ax_ast_name *name, ax_outcome *out)
{
    *out = AX_ON_SUCCEEDED;
    if (!name) return true;
    *out = ax_outcome_named(name->text);
    if (*out != AX_ON_COUNT) return true;
    ax_diag *d =
        ax_diag_add(f->diags, AX_E0407, name->span, "there is no outcome '%.*s'", AX_STR(name->text));
    ax_nearest near = ax_nearest_start(name->text);
    for (ax_outcome o = 0; o < AX_ON_COUNT; o++) ax_nearest_offer(&near, ax_str_of(ax_outcome_name(o)));
    ax_diag_did_you_mean(f->diags, d, name->span, near.best);
    if (near.best.len == 0) ax_diag_help(f->diags, d, "it is one of: succeeded failed skipped passed done");
    return false;
}

/* The copies that the indexes of a path choose. */
static bool read_indexes(ax_flow *f, const ax_path *path, end_point *out)
{
    const ax_decl *decl = &f->decls.at[path->decl];
    ax_site site = {.unit = f->unit, .flow = f, .decl = AX_NONE, .is_constant = true};
    if (path->index_count == 0) return true;
    uint32_t *at = AX_NEW_N(f->mem, uint32_t, decl->level_count + 1);
    for (uint32_t l = 0; l < decl->level_count; l++) at[l] = AX_NONE;
    out->at = at;
    for (uint32_t i = 0; i < path->index_count; i++) {
        const ax_path_index *index = &path->indexes[i];
        uint32_t copy;
        if (!ax_expr_copy(&site, index->decl, index->expr, &copy)) return false;
        at[ax_fan_level(decl, index->decl)] = copy;
    }
    return true;
}

static bool read_ref(ax_flow *f, uint32_t group, const ax_ast_ref *ref, const ax_ast_name *bracket,
                     end_point *out)
{
    ax_path path;
    if (!read_outcome(f, ref->outcome ? ref->outcome : bracket, &out->outcome)) return false;
    if (ref->outcome && bracket)
        ax_diag_add(f->diags, AX_E0407, ref->outcome->span, "an outcome stands here and behind the bracket");
    out->span = ref->path->span;
    out->at = NULL;
    if (!ax_scope_path(f, group, ref->path, &path)) return false;
    if (path.decl == AX_NONE) {
        report_path(f, group, &path);
        return false;
    }
    out->decl = path.decl;
    if (path.output || path.rest) {
        ax_diag *d = ax_diag_add(f->diags, AX_E0213, ref->path->span, "an edge goes from node to node");
        ax_diag_help(f->diags, d, "'%.*s' is a node, what follows it is not",
                     AX_STR(f->decls.at[path.decl].name));
        return false;
    }
    return read_indexes(f, &path, out);
}

static end_points read_point(ax_flow *f, ax_arena *scratch, uint32_t group, const ax_ast_endpoint *point)
{
    end_points out = {.at = AX_NEW_N(scratch, end_point, point->count)};
    for (uint32_t i = 0; i < point->count; i++)
        if (read_ref(f, group, &point->refs[i], point->outcome, &out.at[out.len])) out.len++;
    return out;
}

/* Nothing comes behind the last endpoint, so an outcome there would mean nothing. */
static void check_last(ax_flow *f, const ax_ast_endpoint *point)
{
    const ax_ast_name *outcome = point->outcome;
    for (uint32_t i = 0; i < point->count && !outcome; i++) outcome = point->refs[i].outcome;
    if (!outcome) return;
    ax_diag *d = ax_diag_add(f->diags, AX_E0407, outcome->span,
                             "an outcome belongs to the node that an edge comes from");
    ax_diag_help(f->diags, d, "write it in front of the arrow: a:%.*s -> b", AX_STR(outcome->text));
}

/* ---- links ---- */

/* True if a level has a copy chosen in `at`, which may be NULL. */
static bool is_chosen(const uint32_t *at, uint32_t level)
{
    return at && at[level] != AX_NONE;
}

/* True if, at the levels that both have, the same copy may be meant. */
static bool may_meet(const ax_flow *f, const end_point *a, const end_point *b)
{
    const ax_decl *left = &f->decls.at[a->decl], *right = &f->decls.at[b->decl];
    uint32_t levels = left->level_count < right->level_count ? left->level_count : right->level_count;
    for (uint32_t l = 0; l < levels && left->levels[l] == right->levels[l]; l++)
        if (is_chosen(a->at, l) && is_chosen(b->at, l) && a->at[l] != b->at[l]) return false;
    return true;
}

/* True if `inner` is `group` itself or stands in it. */
static bool is_inside(const ax_flow *f, uint32_t inner, uint32_t group)
{
    return inner >= group && inner < f->decls.at[group].end;
}

/* An edge between a group and its own member, or of a node to itself, can never be satisfied. */
static bool is_own_end(ax_flow *f, const end_point *from, const end_point *to)
{
    bool from_group = is_inside(f, to->decl, from->decl), to_group = is_inside(f, from->decl, to->decl);
    if ((!from_group && !to_group) || !may_meet(f, from, to)) return false;
    const ax_decl *a = &f->decls.at[from->decl], *b = &f->decls.at[to->decl];
    ax_diag *d;
    if (from->decl == to->decl)
        d = ax_diag_add(f->diags, AX_E0401, ax_span_join(from->span, to->span), "'%.*s' waits for itself",
                        AX_STR(a->name));
    else {
        const ax_decl *group = from_group ? a : b, *member = from_group ? b : a;
        d = ax_diag_add(f->diags, AX_E0401, ax_span_join(from->span, to->span),
                        "group '%.*s' and its own member '%.*s' wait for each other", AX_STR(group->name),
                        AX_STR(member->name));
        ax_diag_note(f->diags, d, member->label.span, "the group ends when '%.*s' has ended",
                     AX_STR(member->name));
    }
    return true;
}

/* True if the edges of a link reach every copy of `to` from its own copy of what holds both. */
static bool reaches_all(const ax_flow *f, const end_point *from, const end_point *to)
{
    uint32_t shared = ax_fan_shared(f, from->decl, to->decl);
    for (uint32_t l = 0; l < f->decls.at[to->decl].level_count; l++)
        if (is_chosen(to->at, l) || (l < shared && is_chosen(from->at, l))) return false;
    return true;
}

/* Remembers that an edge reaches all of `to` from inside the innermost group that holds both ends. */
static void mark_inner(ax_flow *f, const end_point *from, const end_point *to_end)
{
    if (!reaches_all(f, from, to_end)) return;
    uint32_t to = to_end->decl, a = f->decls.at[from->decl].parent, b = f->decls.at[to].parent;
    while (a != b) { /* the deeper one goes up */
        bool up_a = b == AX_NONE || (a != AX_NONE && f->decls.at[a].depth >= f->decls.at[b].depth);
        if (up_a) a = f->decls.at[a].parent;
        else b = f->decls.at[b].parent;
    }
    if (a == AX_NONE) return;
    uint32_t depth = f->decls.at[a].depth + 1;
    if (depth > f->decls.at[to].inner_depth) f->decls.at[to].inner_depth = depth;
}

static bool add_links(ax_flow *f, const end_points *from, const end_points *to)
{
    if ((uint64_t)from->len * to->len + f->links.len > AX_EDGES_MAX) return false;
    for (uint32_t i = 0; i < from->len; i++)
        for (uint32_t k = 0; k < to->len; k++) {
            const end_point *a = &from->at[i], *b = &to->at[k];
            if (is_own_end(f, a, b)) continue;
            mark_inner(f, a, b);
            ax_vec_push(f->mem, &f->links,
                        (ax_link){.from = a->decl,
                                  .to = b->decl,
                                  .from_at = a->at,
                                  .to_at = b->at,
                                  .outcome = a->outcome,
                                  .span = ax_span_join(a->span, b->span)});
        }
    return true;
}

static void report_too_many(ax_flow *f, ax_span span)
{
    ax_diag *d = ax_diag_add(f->diags, AX_E0408, span, "workflow '%.*s' has more than %u edges",
                             AX_STR(f->label.text), AX_EDGES_MAX);
    ax_diag_help(f->diags, d,
                 "a gate between two large sets needs one edge for each node instead of one for each pair");
}

/* All arrows in a workflow's or a group's body. Groups nest no deeper than the syntax allows. */
static bool read_body(ax_flow *f, ax_arena *scratch, const ax_ast_body *body, uint32_t group)
{
    for (uint32_t i = 0; body && i < body->count; i++) {
        const ax_ast_item *item = body->items[i];
        if (item->kind == AX_ITEM_BLOCK && ax_str_is(item->u.block.kind.text, "group") &&
            item->u.block.label_count) {
            uint32_t inner = ax_scope_node(f, group, item->u.block.labels[0].name.text);
            bool own = inner != AX_NONE && f->decls.at[inner].item == item;
            if (own && !read_body(f, scratch, item->u.block.body, inner)) return false;
        }
        if (item->kind != AX_ITEM_EDGE) continue;
        const ax_ast_edge *edge = &item->u.edge;
        end_points from = read_point(f, scratch, group, &edge->points[0]);
        for (uint32_t p = 1; p < edge->count; p++) {
            end_points to = read_point(f, scratch, group, &edge->points[p]);
            if (!add_links(f, &from, &to)) {
                report_too_many(f, item->span);
                return false;
            }
            from = to;
        }
        check_last(f, &edge->points[edge->count - 1]);
    }
    return true;
}

/* ---- edges between nodes ---- */

/* Something that varies over the edges of a link: a level of one end, or one that both share. */
typedef struct {
    uint32_t count;
    uint32_t from_step, to_step; /* in nodes; 0: that end does not vary with it */
} axis;

/* The edges of a link to one declaration: one for each combination of the places on its axes. */
typedef struct {
    uint32_t from, to; /* the nodes at place 0 of all axes */
    uint32_t axes;
    uint64_t count;
} block;

typedef struct {
    ax_flow *f;
    ax_arena scratch;
    ax_plan_edge *edges;
    uint32_t *links; /* beside them */
    uint32_t len;
    uint32_t *roots_at;     /* for each group, 1 + where its roots begin in `roots`; 0: not computed */
    AX_VEC(uint32_t) roots; /* declarations; each list ends with AX_NONE */
    axis *axes;             /* of one link; room for all that there can be */
} expansion;

/* The first root of a group in x->roots; computed once a group. */
static uint32_t roots_of(expansion *x, uint32_t group)
{
    ax_flow *f = x->f;
    if (x->roots_at[group]) return x->roots_at[group] - 1;
    uint32_t depth = f->decls.at[group].depth, begin = x->roots.len;
    for (uint32_t i = group + 1; i < f->decls.at[group].end;) {
        const ax_decl *decl = &f->decls.at[i];
        if (decl->inner_depth > depth) { /* something inside the group comes before it and all it holds */
            i = decl->end;
            continue;
        }
        if (decl->kind != AX_KIND_GROUP) ax_vec_push(&x->scratch, &x->roots, i);
        i++;
    }
    ax_vec_push(&x->scratch, &x->roots, AX_NONE);
    x->roots_at[group] = begin + 1;
    return begin;
}

static void add_axis(expansion *x, block *b, uint32_t count, uint32_t from_step, uint32_t to_step)
{
    b->count = b->count > AX_EDGES_MAX ? b->count : b->count * count;
    if (count > 1) x->axes[b->axes++] = (axis){count, from_step, to_step};
}

/* The levels of the end that a link comes from, for edges to `to`: without its own matrix if one edge from
 * the whole stands for all of its copies. Sets the first node. */
static uint32_t source_levels(const ax_flow *f, const ax_link *l, uint32_t to, uint32_t *first)
{
    const ax_decl *from = &f->decls.at[l->from];
    bool counts_copies = f->defs[to].join != AX_JOIN_ALL;
    *first = from->first;
    if (from->whole == AX_NONE || counts_copies || is_chosen(l->from_at, from->level_count - 1))
        return from->level_count;
    *first = from->whole;
    return from->level_count - 1;
}

/* The edges of a link to `to`, which is l->to or stands in it. */
static block edges_of(expansion *x, const ax_link *l, uint32_t to)
{
    const ax_flow *f = x->f;
    const ax_decl *a = &f->decls.at[l->from], *b = &f->decls.at[to];
    block out = {.to = b->first, .count = 1};
    uint32_t from_levels = source_levels(f, l, to, &out.from), shared = ax_fan_shared(f, l->from, l->to);
    uint32_t from_step = from_levels < a->level_count ? a->copies / a->fan.count : a->copies;
    uint32_t to_step = b->copies, chosen_levels = f->decls.at[l->to].level_count;
    for (uint32_t i = 0; i < from_levels || i < b->level_count; i++) {
        bool has_from = i < from_levels, has_to = i < b->level_count;
        bool from_chosen = has_from && is_chosen(l->from_at, i);
        bool to_chosen = i < chosen_levels && is_chosen(l->to_at, i);
        uint32_t from_count = has_from ? f->decls.at[a->levels[i]].fan.count : 1;
        uint32_t to_count = has_to ? f->decls.at[b->levels[i]].fan.count : 1;
        from_step /= from_count;
        to_step /= to_count;
        if (from_chosen) out.from += l->from_at[i] * from_step;
        if (to_chosen) out.to += l->to_at[i] * to_step;
        if (i < shared && !from_chosen && !to_chosen) add_axis(x, &out, from_count, from_step, to_step);
        else {
            if (has_from && !from_chosen) add_axis(x, &out, from_count, from_step, 0);
            if (has_to && !to_chosen) add_axis(x, &out, to_count, 0, to_step);
        }
    }
    return out;
}

/* Adds, or only counts, the edges of a link to a declaration that is no group. */
static uint64_t add_to(expansion *x, uint32_t link, uint32_t to, bool count_only)
{
    const ax_link *l = &x->f->links.at[link];
    block b = edges_of(x, l, to);
    if (count_only) return b.count;
    uint32_t line = ax_sources_line(x->f->diags->sources, l->span.beg);
    for (uint32_t i = 0; i < b.count; i++) {
        ax_plan_edge edge = {.from = b.from, .to = b.to, .outcome = (uint8_t)l->outcome, .line = line};
        uint32_t rest = i;
        for (uint32_t k = b.axes; k-- > 0; rest /= x->axes[k].count) {
            edge.from += rest % x->axes[k].count * x->axes[k].from_step;
            edge.to += rest % x->axes[k].count * x->axes[k].to_step;
        }
        x->links[x->len] = link;
        x->edges[x->len++] = edge;
    }
    return 0;
}

/* Adds, or only counts, the edges of all links. */
static uint64_t expand_links(expansion *x, bool count_only)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < x->f->links.len && count <= AX_EDGES_MAX; i++) {
        const ax_link *l = &x->f->links.at[i];
        if (x->f->decls.at[l->to].kind != AX_KIND_GROUP) {
            count += add_to(x, i, l->to, count_only);
            continue;
        }
        for (uint32_t r = roots_of(x, l->to); x->roots.at[r] != AX_NONE; r++)
            count += add_to(x, i, x->roots.at[r], count_only);
    }
    return count;
}

/* Sorts the edges by `to` and leaves out those that stand twice. */
static void keep_edges(expansion *x)
{
    ax_flow *f = x->f;
    uint32_t n = f->node_count, m = x->len;
    ax_arena *scratch = &x->scratch;
    uint32_t *at = AX_NEW_N(scratch, uint32_t, n + 1), *order = AX_NEW_N(scratch, uint32_t, m);
    for (uint32_t e = 0; e < m; e++) at[x->edges[e].to + 1]++;
    for (uint32_t i = 0; i < n; i++) at[i + 1] += at[i];
    for (uint32_t e = 0; e < m; e++) order[at[x->edges[e].to]++] = e;

    uint32_t *seen_to = AX_NEW_N(scratch, uint32_t, n); /* 1 + the node whose edges were last looked at */
    uint8_t *seen = AX_NEW_N(scratch, uint8_t, n);      /* the outcomes that they have from here */
    f->edges = AX_NEW_N(f->mem, ax_plan_edge, m);
    f->edge_links = AX_NEW_N(f->mem, uint32_t, m);
    for (uint32_t i = 0; i < m; i++) {
        const ax_plan_edge *edge = &x->edges[order[i]];
        if (seen_to[edge->from] != edge->to + 1) seen[edge->from] = 0;
        seen_to[edge->from] = edge->to + 1;
        if (seen[edge->from] & (1u << edge->outcome)) continue;
        seen[edge->from] = (uint8_t)(seen[edge->from] | 1u << edge->outcome);
        f->edge_links[f->edge_count] = x->links[order[i]];
        f->edges[f->edge_count++] = *edge;
    }
}

static void check_groups(ax_flow *f)
{
    for (uint32_t i = 0; i < f->decls.len; i++) {
        const ax_decl *decl = &f->decls.at[i];
        const ax_ast_body *body = decl->block->body;
        bool is_whole = body && !body->broken && decl->block->label_count == 1;
        if (decl->kind == AX_KIND_GROUP && decl->end == i + 1 && is_whole)
            ax_diag_add(f->diags, AX_E0409, decl->label.span, "group '%.*s' holds no nodes",
                        AX_STR(decl->name));
    }
}

/* Makes f->edges from f->links. */
static bool make_edges(ax_flow *f)
{
    expansion x = {.f = f};
    x.roots_at = AX_NEW_N(&x.scratch, uint32_t, f->decls.len);
    uint32_t levels = 0;
    for (uint32_t i = 0; i < f->decls.len; i++)
        if (f->decls.at[i].level_count > levels) levels = f->decls.at[i].level_count;
    x.axes = AX_NEW_N(&x.scratch, axis, 2 * levels);
    uint64_t count = expand_links(&x, true);
    if (count > AX_EDGES_MAX) report_too_many(f, f->label.span);
    else {
        x.edges = AX_NEW_N(&x.scratch, ax_plan_edge, count);
        x.links = AX_NEW_N(&x.scratch, uint32_t, count);
        expand_links(&x, false);
        keep_edges(&x);
    }
    ax_arena_free(&x.scratch);
    return count <= AX_EDGES_MAX;
}

void ax_pass_graph(ax_flow *f)
{
    ax_arena scratch = AX_ARENA_INIT;
    check_groups(f);
    bool sound = read_body(f, &scratch, f->item->u.block.body, AX_NONE);
    ax_arena_free(&scratch);
    if (!sound || !make_edges(f)) return;
    f->plan->mem = f->mem;
    f->plan->defs = f->defs;
    f->plan->def_count = f->decls.len;
    f->plan->node_count = f->node_count;
    f->plan->edge_count = f->edge_count;
    if (!ax_plan_index(f->plan, f->nodes, f->edges)) ax_cycle_report(f);
}
