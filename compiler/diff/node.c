/* node.c - what changed in the definitions of nodes: which came, went or were renamed, their attributes by
 * effective value, outputs and copies.
 *
 * The same change of an attribute on several nodes is one change: what `defaults` says is said once.
 */
#include <inttypes.h>

#include "compiler/diff/diff_int.h"
#include "compiler/emit/expr_source.h"
#include "dsl/base/assert.h"

typedef struct {
    ax_differ *d;
    const ax_diff_merge *merge;
    /* What both versions have behind a definition: that came, or behind its new copies; that went, or behind
     * its gone copies. */
    ax_diff_names *came, *went;
    bool *copies_named; /* definition: an edge leads from one of its gone copies to a node that is kept */
} nodes;

/* ---- one definition in both versions ---- */

typedef struct {
    uint32_t number; /* in the merge */
    const ax_def *before, *after;
    ax_diff_side side_before, side_after;
} both;

static both both_of(const nodes *n, uint32_t number)
{
    const ax_diff_merge *m = n->merge;
    return (both){.number = number,
                  .before = &m->before->defs[m->def_before[number]],
                  .after = &m->after->defs[number],
                  .side_before = {m->before, true, m->def_of_before},
                  .side_after = {m->after, true, NULL}};
}

/* A change on one definition. */
static ax_diff_change *add(nodes *n, ax_diff_rule rule, ax_diff_op op, const both *b)
{
    ax_diff_change *c = ax_differ_add(n->d, rule, op, ax_diff_def_name(n->merge, b->number));
    c->nodes = ax_differ_keep(n->d, &b->number, 1);
    c->node_count = 1;
    c->line_before = b->before ? b->before->line : 0;
    c->line_after = b->after ? b->after->line : 0;
    if (ax_diff_rules[rule].verdict == AX_VERDICT_BACKFILL)
        ax_vec_push(&n->d->scratch, &n->d->stale, b->number);
    return c;
}

/* Asks what stands behind the nodes of a change; for one that is gone, in the version that had it. */
static void ask_behind(nodes *n, uint32_t change, bool in_before)
{
    const ax_diff_change *c = &n->d->changes.at[change];
    const ax_diff_query q = {
        .in_before = in_before, .only_kept = in_before, .defs = c->nodes, .def_count = c->node_count};
    ax_differ_ask(n->d, change, q);
}

static uint32_t newest(const nodes *n)
{
    return n->d->changes.len - 1;
}

/* ---- attributes ---- */

/* Adds a change of an attribute whose canonical texts are in d->one and d->other, if they differ: to the
 * change of other nodes that is the same, or as a new one. True if it is new: then the caller says how it is
 * shown. */
static bool differs(nodes *n, ax_diff_rule rule, ax_str attr, const both *b, ax_diff_change **out)
{
    ax_differ *d = n->d;
    bool same = ax_str_eq(ax_buf_str(&d->one), ax_buf_str(&d->other));
    uint32_t index = AX_MAP_NONE;
    if (!same) {
        ax_str whole = ax_str_fmt(&d->scratch, "%d %.*s\n%zu\n%.*s\n%.*s", (int)rule, AX_STR(attr),
                                  d->one.len, AX_STR(ax_buf_str(&d->one)), AX_STR(ax_buf_str(&d->other)));
        index = ax_map_add(&d->scratch, &d->alike, whole, d->changes.len);
    }
    ax_buf_clear(&d->one);
    ax_buf_clear(&d->other);
    if (same) return false;
    ax_vec_push(&d->scratch, &d->joins, (ax_diff_join){index, b->number});
    if (index == d->changes.len) {
        *out = add(n, rule, AX_DIFF_CHANGED, b);
        (*out)->attr = ax_str_dup(d->mem, attr);
        return true;
    }
    if (ax_diff_rules[rule].verdict == AX_VERDICT_BACKFILL) ax_vec_push(&d->scratch, &d->stale, b->number);
    return false;
}

/* True if another change says it: a policy that follows the workflow's, a shell that came or went with its
 * script. */
static bool is_told(const nodes *n, const ax_diff_attr *a, const both *b)
{
    const ax_diff_merge *m = n->merge;
    if (ax_str_is(ax_str_of(a->name), "shell")) return b->before->action != b->after->action;
    return ax_str_is(ax_str_of(a->name), "failure_policy") && m->before->policy != m->after->policy &&
           b->before->policy == m->before->policy && b->after->policy == m->after->policy;
}

static void compare_attrs(nodes *n, const both *b)
{
    ax_differ *d = n->d;
    for (const ax_diff_attr *a = ax_diff_attrs; a < ax_diff_attrs + ax_diff_attr_count; a++) {
        bool has = a->kinds & 1u << b->before->kind && a->kinds & 1u << b->after->kind;
        ax_diff_change *c;
        if (!has || is_told(n, a, b)) continue;
        if (a->key) {
            a->key(&b->side_before, b->before, &d->one);
            a->key(&b->side_after, b->after, &d->other);
        } else {
            a->show(b->side_before.plan, b->before, &d->one);
            a->show(b->side_after.plan, b->after, &d->other);
        }
        if (!differs(n, a->rule, ax_str_of(a->name), b, &c)) continue;
        a->show(b->side_before.plan, b->before, &d->one);
        a->show(b->side_after.plan, b->after, &d->other);
        c->before = ax_differ_take(d, &d->one);
        c->after = ax_differ_take(d, &d->other);
    }
}

static const ax_binding *binding_named(const ax_binding *at, uint32_t count, ax_str name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (ax_str_eq(at[i].name, name)) return &at[i];
    }
    return NULL;
}

static void key_binding(const ax_diff_side *side, const ax_def *def, const ax_binding *x, ax_buf *out)
{
    if (x) ax_diff_expr_key(side, def, x->value, out);
}

static ax_str show_binding(ax_differ *d, const ax_plan *plan, const ax_def *def, const ax_binding *x)
{
    if (x) ax_expr_source(plan, def, x->value, &d->one);
    return ax_differ_take(d, &d->one);
}

static void compare_variable(nodes *n, const both *b, const ax_binding *before, const ax_binding *after)
{
    ax_differ *d = n->d;
    ax_diff_change *c;
    ax_str attr = ax_str_fmt(&d->scratch, "env.%.*s", AX_STR(after ? after->name : before->name));
    key_binding(&b->side_before, b->before, before, &d->one);
    key_binding(&b->side_after, b->after, after, &d->other);
    if (!differs(n, AX_RULE_NODE_COMMAND, attr, b, &c)) return;
    c->before = show_binding(d, b->side_before.plan, b->before, before);
    c->after = show_binding(d, b->side_after.plan, b->after, after);
}

static void compare_env(nodes *n, const both *b)
{
    const ax_def *x = b->before, *y = b->after;
    for (uint32_t i = 0; i < y->env_count; i++)
        compare_variable(n, b, binding_named(x->env, x->env_count, y->env[i].name), &y->env[i]);
    for (uint32_t i = 0; i < x->env_count; i++) {
        if (!binding_named(y->env, y->env_count, x->env[i].name)) compare_variable(n, b, &x->env[i], NULL);
    }
}

/* ---- outputs ---- */

static const ax_output *output_named(const ax_def *def, ax_str name)
{
    for (uint32_t i = 0; i < def->output_count; i++) {
        if (ax_str_eq(def->outputs[i].name, name)) return &def->outputs[i];
    }
    return NULL;
}

/* "int", "int = 0". */
static ax_str show_output(ax_differ *d, const ax_plan *plan, const ax_def *def, const ax_output *o)
{
    ax_buf_add(&d->one, ax_type_text(&d->scratch, &o->type));
    if (o->otherwise) ax_buf_adds(&d->one, " = ");
    if (o->otherwise) ax_expr_source(plan, def, o->otherwise, &d->one);
    return ax_differ_take(d, &d->one);
}

static bool same_default(ax_differ *d, const both *b, const ax_output *before, const ax_output *after)
{
    ax_diff_expr_key(&b->side_before, b->before, before->otherwise, &d->one);
    ax_diff_expr_key(&b->side_after, b->after, after->otherwise, &d->other);
    bool same = ax_str_eq(ax_buf_str(&d->one), ax_buf_str(&d->other));
    ax_buf_clear(&d->one);
    ax_buf_clear(&d->other);
    return same;
}

static void add_output(nodes *n, ax_diff_rule rule, const both *b, const ax_output *before,
                       const ax_output *after)
{
    ax_diff_change *c = add(n, rule, AX_DIFF_CHANGED, b);
    c->attr = ax_str_fmt(n->d->mem, "output %.*s", AX_STR(after ? after->name : before->name));
    if (before) c->before = show_output(n->d, b->side_before.plan, b->before, before);
    if (after) c->after = show_output(n->d, b->side_after.plan, b->after, after);
    ask_behind(n, newest(n), false);
}

static void compare_output(nodes *n, const both *b, const ax_output *before, const ax_output *after)
{
    bool fits = ax_type_fits(&before->type, &after->type), back = ax_type_fits(&after->type, &before->type);
    if (!fits) add_output(n, AX_RULE_OUTPUT_TYPE, b, before, after);
    else if (!back) add_output(n, AX_RULE_OUTPUT_NARROWED, b, before, after);
    if (fits && !same_default(n->d, b, before, after))
        add_output(n, AX_RULE_OUTPUT_DEFAULT, b, before, after);
}

static void compare_outputs(nodes *n, const both *b)
{
    for (uint32_t i = 0; i < b->after->output_count; i++) {
        const ax_output *after = &b->after->outputs[i], *before = output_named(b->before, after->name);
        if (before) compare_output(n, b, before, after);
        else add_output(n, AX_RULE_OUTPUT_ADDED, b, NULL, after);
    }
    for (uint32_t i = 0; i < b->before->output_count; i++) {
        const ax_output *before = &b->before->outputs[i];
        if (!output_named(b->after, before->name)) add_output(n, AX_RULE_OUTPUT_REMOVED, b, before, NULL);
    }
}

/* ---- copies ---- */

static ax_str show_matrix(ax_differ *d, const ax_def *def)
{
    if (!def->fan_out) return (ax_str){0};
    for (uint32_t k = 0; k < def->key_count; k++)
        ax_buf_addf(&d->one, "%s%.*s", k ? ", " : "", AX_STR(def->keys[k]));
    ax_buf_addf(&d->one, ": %" PRIu32 " %s", def->count, def->count == 1 ? "copy" : "copies");
    return ax_differ_take(d, &d->one);
}

/* The copies that only this version has, by name. */
static uint32_t odd_copies(const nodes *n, const ax_def *def, bool in_before, ax_str *out)
{
    const ax_diff_merge *m = n->merge;
    uint32_t count = 0;
    for (uint32_t i = def->first; def->fan_out && i < def->first + def->count; i++) {
        uint32_t node = in_before ? m->node_of_before[i] : i;
        if (in_before ? !ax_diff_node_is_gone(m, node) : !ax_diff_node_is_new(m, node)) continue;
        out[count++] = ax_diff_node_name(m, node);
    }
    return count;
}

static void add_copies(nodes *n, ax_diff_rule rule, const both *b, const ax_str *copies, uint32_t count)
{
    ax_diff_change *c = add(n, rule, AX_DIFF_CHANGED, b);
    c->attr = AX_LIT("matrix");
    c->before = show_matrix(n->d, b->before);
    c->after = show_matrix(n->d, b->after);
    c->copies = copies;
    c->copy_count = count;
    ask_behind(n, newest(n), false);
}

static void compare_copies(nodes *n, const both *b)
{
    ax_str *came = AX_NEW_N(n->d->mem, ax_str, b->after->count + 1);
    ax_str *went = AX_NEW_N(n->d->mem, ax_str, b->before->count + 1);
    uint32_t came_count = odd_copies(n, b->after, false, came);
    uint32_t went_count = odd_copies(n, b->before, true, went);
    bool builds = n->came[b->number].count > 0, built = n->went[b->number].count > 0;
    if (came_count)
        add_copies(n, builds ? AX_RULE_COPIES_INSERTED : AX_RULE_COPIES_ADDED, b, came, came_count);
    if (!went_count) return;
    ax_diff_rule rule = built ? AX_RULE_COPIES_MISSED : AX_RULE_COPIES_REMOVED;
    if (n->copies_named[b->number]) {
        rule = AX_RULE_COPIES_GONE;
        ax_vec_push(&n->d->scratch, &n->d->stale, b->number);
    }
    add_copies(n, rule, b, went, went_count);
}

/* True if all copies that only one version has stand in copies of a group that it alone has too. */
static bool group_says_so(const nodes *n, const ax_plan *plan, const ax_def *def, bool in_before)
{
    const ax_diff_merge *m = n->merge;
    for (uint32_t i = def->first; i < def->first + def->count; i++) {
        uint32_t node = in_before ? m->node_of_before[i] : i, group = plan->nodes[i].parent;
        if (in_before ? !ax_diff_node_is_gone(m, node) : !ax_diff_node_is_new(m, node)) continue;
        if (group != AX_NONE && plan->nodes[group].def == plan->nodes[i].def)
            group = plan->nodes[group].parent;
        if (group == AX_NONE) return false;
        uint32_t around = in_before ? m->node_of_before[group] : group;
        if (in_before ? !ax_diff_node_is_gone(m, around) : !ax_diff_node_is_new(m, around)) return false;
    }
    return true;
}

static bool has_other_copies(const nodes *n, const both *b)
{
    const ax_diff_merge *m = n->merge;
    if (b->before->fan_out != b->after->fan_out || b->before->count != b->after->count) return true;
    for (uint32_t i = 0; i < b->after->count && b->after->fan_out; i++) {
        if (ax_diff_node_is_new(m, b->after->first + i)) return true;
    }
    return false;
}

/* ---- names ---- */

/* The group that a definition stands in, as a number of the merge, or AX_NONE. */
static uint32_t group_of(const ax_plan *plan, const ax_def *def, const uint32_t *numbers)
{
    uint32_t node = def->whole == AX_NONE ? def->first : def->whole, parent = plan->nodes[node].parent;
    if (parent == AX_NONE) return AX_NONE;
    uint32_t group = plan->nodes[parent].def;
    return numbers ? numbers[group] : group;
}

static ax_str local_name(const ax_plan *plan, const ax_def *def)
{
    uint32_t group = group_of(plan, def, NULL);
    return group == AX_NONE ? def->name
                            : ax_str_slice(def->name, plan->defs[group].name.len + 1, def->name.len);
}

/* A member of a group that was renamed keeps the name that it has there. */
static void compare_names(nodes *n, const both *b)
{
    const ax_diff_merge *m = n->merge;
    if (ax_str_eq(b->before->name, b->after->name)) return;
    bool same_group = group_of(m->before, b->before, m->def_of_before) == group_of(m->after, b->after, NULL);
    if (same_group && ax_str_eq(local_name(m->before, b->before), local_name(m->after, b->after))) return;
    add(n, AX_RULE_NODE_RENAMED, AX_DIFF_RENAMED, b)->was = b->before->name;
}

/* ---- what came and what went ---- */

static void add_new(nodes *n, uint32_t number)
{
    const both b = {.number = number, .after = &n->merge->after->defs[number]};
    bool builds = n->came[number].count > 0;
    add(n, builds ? AX_RULE_NODE_INSERTED : AX_RULE_NODE_ADDED, AX_DIFF_ADDED, &b);
    ask_behind(n, newest(n), false);
}

static void add_gone(nodes *n, uint32_t number)
{
    const ax_diff_merge *m = n->merge;
    const both b = {.number = number, .before = &m->before->defs[m->def_before[number]]};
    bool missed = n->went[number].count || b.before->output_count;
    add(n, missed ? AX_RULE_NODE_GONE : AX_RULE_NODE_REMOVED, AX_DIFF_REMOVED, &b);
    ask_behind(n, newest(n), true);
}

/* What waited for a node that is gone was made with it. */
static void mark_orphans(nodes *n)
{
    const ax_diff *out = n->d->out;
    for (uint32_t i = 0; i < out->link_count; i++) {
        const ax_diff_link *l = &out->links[i];
        if (l->in_after || l->outcome == AX_ON_FAILED || l->outcome == AX_ON_SKIPPED) continue;
        if (!ax_diff_node_is_gone(n->merge, l->from) || ax_diff_node_is_gone(n->merge, l->to)) continue;
        uint32_t from = ax_diff_node_def(n->merge, l->from), to = ax_diff_node_def(n->merge, l->to);
        if (ax_diff_def_is_gone(n->merge, from)) ax_vec_push(&n->d->scratch, &n->d->stale, to);
        else n->copies_named[from] = true;
    }
}

/* Finds what stands behind all that came or went, for the rules. */
static void look_behind(nodes *n)
{
    const ax_diff_merge *m = n->merge;
    ax_arena *scratch = &n->d->scratch;
    AX_VEC(ax_diff_query) queries = {0};
    uint32_t *numbers = AX_NEW_N(scratch, uint32_t, m->def_count + 1);
    for (uint32_t i = 0; i < m->def_count; i++) {
        bool is_gone = ax_diff_def_is_gone(m, i), is_new = ax_diff_def_is_new(m, i);
        numbers[i] = i;
        if (!is_gone && !is_new) {
            both b = both_of(n, i);
            if (!has_other_copies(n, &b)) continue;
        }
        ax_diff_query q = {
            .on_success = true, .odd_seeds = true, .only_kept = true, .defs = &numbers[i], .def_count = 1};
        q.out = &n->came[i];
        if (!is_gone) ax_vec_push(scratch, &queries, q);
        q.in_before = true;
        q.out = &n->went[i];
        if (!is_new) ax_vec_push(scratch, &queries, q);
    }
    ax_diff_reach(m, queries.at, queries.len);
}

/* What people read and select by reaches nobody. */
static bool reaches(ax_diff_rule rule)
{
    return rule != AX_RULE_NODE_TEXT && rule != AX_RULE_NODE_LABELS;
}

/* Gives changes of attributes all their nodes, and asks how far they reach. */
static void close_attrs(nodes *n)
{
    ax_differ *d = n->d;
    uint32_t *count = AX_NEW_N(&d->scratch, uint32_t, d->changes.len + 1);
    uint32_t **lists = AX_NEW_N(&d->scratch, uint32_t *, d->changes.len + 1);
    for (uint32_t i = 0; i < d->joins.len; i++) count[d->joins.at[i].change]++;
    for (uint32_t i = 0; i < d->joins.len; i++) {
        uint32_t change = d->joins.at[i].change;
        ax_diff_change *c = &d->changes.at[change];
        if (!lists[change]) {
            c->nodes = lists[change] = AX_NEW_N(d->mem, uint32_t, count[change]);
            c->node_count = 0;
        }
        lists[change][c->node_count++] = d->joins.at[i].def;
        if (c->node_count == count[change] && reaches(c->rule)) ask_behind(n, change, false);
    }
}

void ax_diff_node_changes(ax_differ *d)
{
    nodes n = {.d = d, .merge = &d->out->merge};
    n.came = AX_NEW_N(&d->scratch, ax_diff_names, n.merge->def_count + 1);
    n.went = AX_NEW_N(&d->scratch, ax_diff_names, n.merge->def_count + 1);
    n.copies_named = AX_NEW_N(&d->scratch, bool, n.merge->def_count + 1);
    look_behind(&n);
    mark_orphans(&n);
    for (uint32_t i = 0; i < n.merge->def_count; i++) {
        if (ax_diff_def_is_gone(n.merge, i)) {
            add_gone(&n, i);
            continue;
        }
        if (ax_diff_def_is_new(n.merge, i)) {
            add_new(&n, i);
            continue;
        }
        both b = both_of(&n, i);
        compare_names(&n, &b);
        compare_attrs(&n, &b);
        compare_env(&n, &b);
        compare_outputs(&n, &b);
        bool told = group_says_so(&n, n.merge->before, b.before, true) &&
                    group_says_so(&n, n.merge->after, b.after, false);
        if (has_other_copies(&n, &b) && !told) compare_copies(&n, &b);
    }
    close_attrs(&n);
}
