/* pass_outcomes.c - what can never happen in a run of this graph, and what is read before it is there.
 *
 * Everything reported here is certain: a person may skip, retry or accept any node, and policies are as
 * written. A node can never run if fewer of its edges can be satisfied than its join needs; what stands
 * behind it by success or failure can't either, but only the first cause is reported.
 */
#include "compiler/flow_int.h"
#include "compiler/reach_int.h"

static ax_span edge_span(const ax_flow *f, uint32_t edge)
{
    return f->links.at[f->edge_links[edge]].span;
}

static const ax_def *def_of(const ax_flow *f, uint32_t node)
{
    return &f->defs[f->nodes[node].def];
}

static bool is_virtual(const ax_flow *f, uint32_t node)
{
    return ax_plan_kind(f->plan, node) == AX_NODE_GROUP;
}

/* ---- reads ---- */

static void report_read(ax_flow *f, const ax_read *read)
{
    ax_str reader = f->decls.at[read->reader].name, producer = f->decls.at[read->producer].name;
    if (read->reader == read->producer) {
        ax_diag_add(f->diags, AX_E0309, read->span,
                    "'%.*s' can't read its own output: it is there only at its end", AX_STR(reader));
        return;
    }
    ax_diag *d = ax_diag_add(f->diags, AX_E0309, read->span,
                             "'%.*s' reads an output of '%.*s', but no path of edges leads from there to it",
                             AX_STR(reader), AX_STR(producer));
    ax_diag_help(f->diags, d, "add %.*s -> %.*s", AX_STR(producer), AX_STR(reader));
}

/* ---- joins ---- */

/* Reports two edges from one node of which at most one is ever satisfied, where the join asks for both. */
static bool check_contradiction(ax_flow *f, uint32_t first, uint32_t second)
{
    static const bool excludes[AX_ON_COUNT][AX_ON_COUNT] = {
        [AX_ON_SUCCEEDED] = {[AX_ON_FAILED] = true, [AX_ON_SKIPPED] = true},
        [AX_ON_FAILED] = {[AX_ON_SUCCEEDED] = true, [AX_ON_SKIPPED] = true, [AX_ON_PASSED] = true},
        [AX_ON_SKIPPED] = {[AX_ON_SUCCEEDED] = true, [AX_ON_FAILED] = true},
        [AX_ON_PASSED] = {[AX_ON_FAILED] = true},
    };
    const ax_plan_edge *a = &f->edges[first], *b = &f->edges[second];
    if (!excludes[a->outcome][b->outcome]) return false;
    ax_diag *d =
        ax_diag_add(f->diags, AX_E0402, edge_span(f, second), "'%.*s' can't be both '%s' and '%s'",
                    AX_STR(f->nodes[a->from].name), ax_outcome_name(a->outcome), ax_outcome_name(b->outcome));
    ax_diag_note(f->diags, d, edge_span(f, first), "'%.*s' also waits for this",
                 AX_STR(f->nodes[a->to].name));
    ax_diag_help(f->diags, d, "one of them is enough: write join = any, or one edge with ':done'");
    return true;
}

/* Contradictions among the edges of a node; `last_edge` holds for each node its last edge that was looked at.
 */
static void check_pairs(ax_flow *f, uint32_t node, uint32_t *last_edge)
{
    ax_join join = def_of(f, node)->join;
    if (join != AX_JOIN_ALL && join != AX_JOIN_STRICT) return;
    for (uint32_t e = f->plan->in_at[node]; e < f->plan->in_at[node + 1]; e++) {
        uint32_t *last = &last_edge[f->edges[e].from];
        bool same_pair = *last != AX_NONE && f->edges[*last].to == node;
        if (same_pair && check_contradiction(f, *last, e)) return;
        *last = e;
    }
}

static bool check_join_count(ax_flow *f, uint32_t node)
{
    const ax_def *def = def_of(f, node);
    uint32_t edges = f->plan->in_at[node + 1] - f->plan->in_at[node];
    if (def->join != AX_JOIN_AT_LEAST || edges == 0 || def->join_count <= edges) return true;
    ax_diag_add(f->diags, AX_E0403, f->decls.at[f->nodes[node].def].label.span,
                "'%.*s' waits for at least %u edges, but has %u", AX_STR(f->nodes[node].name),
                def->join_count, edges);
    return false;
}

/* ---- nodes that can never run ---- */

typedef struct {
    ax_flow *f;
    bool *never;    /* the node can't unlock */
    bool *can_fail; /* the node may end FAILED in a way that a `:failed` edge sees */
} outcomes;

/* Why an edge can never be satisfied; NULL: it can. */
static const char *dead_reason(const outcomes *o, uint32_t edge)
{
    const ax_plan_edge *e = &o->f->edges[edge];
    bool waits_for_end = e->outcome == AX_ON_SUCCEEDED || e->outcome == AX_ON_FAILED;
    if (o->never[e->from] && waits_for_end) return "can never run";
    if (e->outcome != AX_ON_FAILED || o->can_fail[e->from]) return NULL;
    const ax_def *def = def_of(o->f, e->from);
    if (is_virtual(o->f, e->from))
        return def->policy == AX_POLICY_BRANCH ? "as a whole has no failure: under failure_policy = branch "
                                                 "only an edge from a copy sees it"
                                               : "has no member whose failure it would show";
    if (def->kind == AX_NODE_GATE) return "is a gate, and a gate never fails";
    return def->policy == AX_POLICY_IGNORE
               ? "has failure_policy = ignore, so its failure counts as success"
               : "has failure_policy = abort, so nothing starts after its failure";
}

static void report_never(const outcomes *o, uint32_t node, uint32_t dead_edge, const char *why)
{
    ax_flow *f = o->f;
    const ax_plan_edge *e = &f->edges[dead_edge];
    ax_diag *d = ax_diag_add(f->diags, AX_E0404, f->decls.at[f->nodes[node].def].label.span,
                             "'%.*s' can never run", AX_STR(f->nodes[node].name));
    ax_diag_note(f->diags, d, edge_span(f, dead_edge), "this edge is never satisfied: '%.*s' %s",
                 AX_STR(f->nodes[e->from].name), why);
}

/* Looks at one node, all in front of it being known. */
static void follow(outcomes *o, uint32_t node)
{
    ax_flow *f = o->f;
    const ax_def *def = def_of(f, node);
    const ax_plan *p = f->plan;
    if (is_virtual(f, node)) {
        o->never[node] = p->member_at[node] < p->member_at[node + 1];
        for (uint32_t m = p->member_at[node]; m < p->member_at[node + 1]; m++) {
            if (!o->never[p->member[m]]) o->never[node] = false;
            uint32_t member = p->member[m];
            bool shows = is_virtual(f, member) || def_of(f, member)->policy != AX_POLICY_BRANCH;
            if (o->can_fail[member] && shows) o->can_fail[node] = true;
        }
        return;
    }
    uint32_t first = p->in_at[node], end = p->in_at[node + 1], possible = 0, dead = AX_NONE;
    const char *why = NULL;
    bool is_first_cause = false;
    for (uint32_t e = first; e < end; e++) {
        const char *reason = dead_reason(o, e);
        if (!reason) possible++;
        else if (!is_first_cause) {
            is_first_cause = !o->never[f->edges[e].from];
            dead = e;
            why = reason;
        }
    }
    uint32_t need = def->join == AX_JOIN_STRICT     ? end - first
                    : def->join == AX_JOIN_AT_LEAST ? def->join_count
                                                    : 1;
    bool too_large = def->join == AX_JOIN_AT_LEAST && need > end - first;
    o->never[node] = end > first && possible < need;
    if (o->never[node] && is_first_cause && !too_large) report_never(o, node, dead, why);
    bool seen = def->policy != AX_POLICY_IGNORE && def->policy != AX_POLICY_ABORT;
    o->can_fail[node] = !o->never[node] && def->kind == AX_NODE_TASK && seen;
}

static void check_never(ax_flow *f)
{
    ax_arena mem = AX_ARENA_INIT;
    outcomes o = {.f = f,
                  .never = AX_NEW_N(&mem, bool, f->node_count),
                  .can_fail = AX_NEW_N(&mem, bool, f->node_count)};
    for (uint32_t r = 0; r < f->node_count; r++) follow(&o, f->plan->order[r]);
    ax_arena_free(&mem);
}

/* ---- policies and finally ---- */

static bool has_failure_edge(const ax_flow *f, uint32_t node)
{
    for (uint32_t o = f->plan->out_at[node]; o < f->plan->out_at[node + 1]; o++) {
        uint8_t outcome = f->edges[f->plan->out[o]].outcome;
        if (outcome == AX_ON_FAILED || outcome == AX_ON_DONE) return true;
    }
    return false;
}

/* A failure that is one of the expected ends needs something that expects it. */
static void check_branch(ax_flow *f, uint32_t at)
{
    const ax_decl *decl = &f->decls.at[at];
    if (decl->kind != AX_KIND_TASK || f->defs[at].policy != AX_POLICY_BRANCH) return;
    uint32_t wholes = f->defs[at].whole_count;
    for (uint32_t n = decl->first; n < decl->first + decl->copies + wholes; n++) /* the wholes stand behind */
        if (has_failure_edge(f, n)) return;
    ax_diag *d =
        ax_diag_add(f->diags, AX_E0405, decl->label.span,
                    "'%.*s' has failure_policy = branch, but no edge for its failure", AX_STR(decl->name));
    ax_diag_help(f->diags, d, "add %.*s:failed -> …, or choose another policy", AX_STR(decl->label.text));
}

/* True if the node, or what it waits for, ends only after everything else has. */
static void mark_finally(const ax_flow *f, bool *late)
{
    for (uint32_t r = 0; r < f->node_count; r++) {
        uint32_t n = f->plan->order[r], group = f->nodes[n].parent;
        if (!is_virtual(f, n)) late[n] = def_of(f, n)->finally_;
        if (late[n] && group != AX_NONE) late[group] = true;
    }
}

static void check_finally(ax_flow *f)
{
    ax_arena mem = AX_ARENA_INIT;
    bool *late = AX_NEW_N(&mem, bool, f->node_count);
    mark_finally(f, late);
    for (uint32_t e = 0; e < f->edge_count; e++) {
        uint32_t from = f->edges[e].from, to = f->edges[e].to;
        if (!late[from] || late[to]) continue;
        ax_diag *d = ax_diag_add(f->diags, AX_E0406, edge_span(f, e),
                                 "'%.*s' runs when all others have ended, so '%.*s' can't wait for it",
                                 AX_STR(f->nodes[from].name), AX_STR(f->nodes[to].name));
        ax_diag_help(f->diags, d, "give '%.*s' finally = true as well, or take the edge away",
                     AX_STR(f->nodes[to].name));
    }
    ax_arena_free(&mem);
}

void ax_pass_outcomes(ax_flow *f)
{
    ax_reach_check(f, report_read);
    ax_arena mem = AX_ARENA_INIT;
    uint32_t *last_edge = AX_NEW_N(&mem, uint32_t, f->node_count);
    for (uint32_t n = 0; n < f->node_count; n++) last_edge[n] = AX_NONE;
    for (uint32_t n = 0; n < f->node_count; n++) {
        if (is_virtual(f, n)) continue;
        check_pairs(f, n, last_edge);
        check_join_count(f, n);
    }
    ax_arena_free(&mem);
    check_never(f);
    for (uint32_t i = 0; i < f->decls.len; i++) check_branch(f, i);
    check_finally(f);
}
