/* diff.c - two versions of one workflow: the parts of the comparison in their order, then how far each change
 * reaches, and the verdict.
 */
#include "compiler/diff/diff_int.h"

#include <stdlib.h>

#include "dsl/base/assert.h"

/* A version that is not there. */
static const ax_plan nothing = {.max_active_runs = 1};

/* ---- the list of changes ---- */

ax_diff_change *ax_differ_add(ax_differ *d, ax_diff_rule rule, ax_diff_op op, ax_str name)
{
    ax_vec_push(d->mem, &d->changes, (ax_diff_change){.rule = rule, .op = op, .name = name});
    return &d->changes.at[d->changes.len - 1];
}

void ax_differ_ask(ax_differ *d, uint32_t change, ax_diff_query q)
{
    AX_ASSERT(change < d->changes.len);
    q.change = change;
    ax_vec_push(&d->scratch, &d->queries, q);
}

ax_str ax_differ_take(ax_differ *d, ax_buf *text)
{
    ax_str copy = ax_str_dup(d->mem, ax_buf_str(text));
    ax_buf_clear(text);
    return copy;
}

const uint32_t *ax_differ_keep(ax_differ *d, const uint32_t *at, uint32_t count)
{
    uint32_t *copy = AX_NEW_N(d->mem, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) copy[i] = at[i];
    return copy;
}

void ax_differ_compare(ax_differ *d, ax_diff_rule rule, ax_str name, const char *attr)
{
    if (!ax_str_eq(ax_buf_str(&d->one), ax_buf_str(&d->other))) {
        ax_diff_change *c = ax_differ_add(d, rule, AX_DIFF_CHANGED, name);
        c->attr = ax_str_of(attr);
        c->before = ax_differ_take(d, &d->one);
        c->after = ax_differ_take(d, &d->other);
    }
    ax_buf_clear(&d->one);
    ax_buf_clear(&d->other);
}

/* ---- the workflow itself ---- */

static void flow_changes(ax_differ *d)
{
    if (!ax_str_eq(d->before->name, d->after->name)) {
        ax_diff_change *c = ax_differ_add(d, AX_RULE_WORKFLOW_RENAMED, AX_DIFF_RENAMED, d->after->name);
        c->was = d->before->name;
    }
    for (uint32_t i = 0; i < ax_diff_flow_attr_count; i++) {
        const ax_diff_flow_attr *a = &ax_diff_flow_attrs[i];
        a->show(d->before, &d->one);
        a->show(d->after, &d->other);
        ax_differ_compare(d, a->rule, d->after->name, a->name);
    }
    for (uint32_t i = 0; i < d->changes.len; i++) {
        d->changes.at[i].line_before = d->before->line;
        d->changes.at[i].line_after = d->after->line;
    }
}

static void came_or_went(ax_differ *d, bool came)
{
    const ax_plan *plan = came ? d->after : d->before;
    ax_diff_change *c = ax_differ_add(d, came ? AX_RULE_WORKFLOW_ADDED : AX_RULE_WORKFLOW_REMOVED,
                                      came ? AX_DIFF_ADDED : AX_DIFF_REMOVED, plan->name);
    *(came ? &c->line_after : &c->line_before) = plan->line;
}

/* ---- the end ---- */

bool ax_diff_is_implied(const ax_diff_change *change)
{
    return change->rule == AX_RULE_EDGE_OF_NEW || change->rule == AX_RULE_EDGE_OF_GONE;
}

static void ask_all(ax_differ *d)
{
    const ax_diff_query stale = {.with_seeds = true,
                                 .only_kept = true,
                                 .defs = d->stale.at,
                                 .def_count = d->stale.len,
                                 .out = &d->out->stale};
    for (uint32_t i = 0; i < d->queries.len; i++)
        d->queries.at[i].out = &d->changes.at[d->queries.at[i].change].affects;
    ax_vec_push(&d->scratch, &d->queries, stale);
    ax_diff_reach(&d->out->merge, d->queries.at, d->queries.len);
}

/* The worst first; changes of one verdict stay in their order. */
static void sort_changes(ax_differ *d)
{
    ax_diff *out = d->out;
    ax_diff_change *sorted = AX_NEW_N(d->mem, ax_diff_change, d->changes.len + 1);
    for (int v = AX_VERDICT_COUNT - 1; v >= 0; v--) {
        for (uint32_t i = 0; i < d->changes.len; i++) {
            ax_verdict verdict = ax_diff_rules[d->changes.at[i].rule].verdict;
            if ((int)verdict != v) continue;
            sorted[out->change_count++] = d->changes.at[i];
            out->counts[verdict] += !ax_diff_is_implied(&d->changes.at[i]);
            if (out->verdict < verdict) out->verdict = verdict;
        }
    }
    out->changes = sorted;
}

void ax_diff_plans(ax_arena *mem, const ax_plan *before, const ax_plan *after, int64_t at_ms, ax_diff *out)
{
    AX_ASSERT(before || after);
    *out = (ax_diff){.before = before, .after = after};
    ax_differ d = {.mem = mem,
                   .before = before ? before : &nothing,
                   .after = after ? after : &nothing,
                   .at_ms = at_ms,
                   .out = out,
                   .one = AX_BUF_INIT(AX_DIFF_TEXT_MAX),
                   .other = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    ax_diff_merge_make(mem, d.before, d.after, &out->merge);
    ax_diff_links_make(mem, &out->merge, out);
    if (before && after) {
        flow_changes(&d);
        ax_diff_param_changes(&d);
        ax_diff_schedule_changes(&d);
        ax_diff_node_changes(&d);
        ax_diff_edge_changes(&d);
        ask_all(&d);
    } else {
        came_or_went(&d, after != NULL);
    }
    sort_changes(&d);
    ax_buf_free(&d.one);
    ax_buf_free(&d.other);
    ax_arena_free(&d.scratch);
}
