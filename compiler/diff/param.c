/* param.c - what changed in the values that a run is started with. */
#include <inttypes.h>

#include "compiler/diff/diff_int.h"

#define RANGE_LISTED_MAX 1000 /* a range that is compared with a list value by value */

/* ---- what is allowed ---- */

static bool allows(const ax_param *p, const ax_value *v)
{
    if (p->has_range) return v->kind == AX_T_INT && v->u.i >= p->range_from && v->u.i <= p->range_to;
    for (uint32_t i = 0; i < p->allowed_count; i++) {
        if (ax_value_eq(&p->allowed[i], v)) return true;
    }
    return !p->allowed_count;
}

/* True if `before` takes a value that `after` does not, whatever their types. */
static bool takes_more(const ax_param *before, const ax_param *after)
{
    if (!after->has_range && !after->allowed_count) return false;
    if (before->has_range && after->has_range)
        return before->range_from < after->range_from || before->range_to > after->range_to;
    if (before->has_range) {
        if ((uint64_t)before->range_to - (uint64_t)before->range_from > RANGE_LISTED_MAX) return true;
        for (int64_t i = before->range_from; i <= before->range_to; i++) {
            if (!allows(after, &(ax_value){.kind = AX_T_INT, .u.i = i})) return true;
        }
        return false;
    }
    for (uint32_t i = 0; i < before->allowed_count; i++) {
        if (!allows(after, &before->allowed[i])) return true;
    }
    return !before->allowed_count;
}

static void show_allowed(const ax_param *p, ax_buf *out)
{
    if (p->has_range) ax_buf_addf(out, "%" PRId64 "..%" PRId64, p->range_from, p->range_to);
    if (!p->allowed_count) return;
    ax_buf_addc(out, '[');
    for (uint32_t i = 0; i < p->allowed_count; i++) {
        if (i) ax_buf_adds(out, ", ");
        ax_value_source(&p->allowed[i], out);
    }
    ax_buf_addc(out, ']');
}

static void show_type(const ax_param *p, ax_buf *out)
{
    ax_arena scratch = AX_ARENA_INIT;
    ax_buf_add(out, ax_type_text(&scratch, &p->type));
    ax_arena_free(&scratch);
}

/* "string in ["eu", "us"] = "eu"": the whole of it. */
static void show(const ax_param *p, ax_buf *out)
{
    show_type(p, out);
    if (p->has_range || p->allowed_count) {
        ax_buf_adds(out, " in ");
        show_allowed(p, out);
    }
    if (p->has_default) {
        ax_buf_adds(out, " = ");
        ax_value_source(&p->otherwise, out);
    }
}

/* ---- who uses it ---- */

static bool is_param(const ax_expr *x, const void *index)
{
    return x->kind == AX_X_PARAM && x->u.index == *(const uint32_t *)index;
}

/* The definitions of `after` that use it; how many. */
static uint32_t users_of(const ax_differ *d, uint32_t index, uint32_t *users)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->after->def_count; i++) {
        if (ax_diff_expr_any(&d->after->defs[i], is_param, &index)) users[count++] = i;
    }
    return count;
}

/* ---- one that both have ---- */

static void compare_types(ax_differ *d, const ax_param *before, const ax_param *after)
{
    bool fits = ax_type_fits(&after->type, &before->type);
    show_type(before, &d->one);
    show_type(after, &d->other);
    ax_differ_compare(d, fits ? AX_RULE_PARAM_WIDENED : AX_RULE_PARAM_NARROWED, after->name, "type");
}

static void compare_allowed(ax_differ *d, const ax_param *before, const ax_param *after)
{
    bool narrower = takes_more(before, after), wider = takes_more(after, before);
    if (!narrower && !wider) return;
    show_allowed(before, &d->one);
    show_allowed(after, &d->other);
    ax_differ_compare(d, narrower ? AX_RULE_PARAM_NARROWED : AX_RULE_PARAM_WIDENED, after->name, "allowed");
}

static void compare_defaults(ax_differ *d, const ax_param *before, const ax_param *after)
{
    ax_diff_rule rule = AX_RULE_PARAM_DEFAULT;
    uint32_t users = 0, *list = AX_NEW_N(&d->scratch, uint32_t, d->after->def_count + 1);
    if (before->has_default) ax_value_source(&before->otherwise, &d->one);
    if (after->has_default) ax_value_source(&after->otherwise, &d->other);
    if (before->has_default != after->has_default) {
        rule = after->has_default ? AX_RULE_PARAM_OPTIONAL : AX_RULE_PARAM_REQUIRED;
    } else if (!ax_str_eq(ax_buf_str(&d->one), ax_buf_str(&d->other))) {
        users = users_of(d, (uint32_t)(after - d->after->params), list);
        if (!users) rule = AX_RULE_PARAM_DEFAULT_UNUSED;
    }
    uint32_t changes = d->changes.len;
    ax_differ_compare(d, rule, after->name, "default");
    if (d->changes.len == changes || rule != AX_RULE_PARAM_DEFAULT) return;
    const ax_diff_query behind = {.with_seeds = true, .defs = list, .def_count = users};
    ax_differ_ask(d, changes, behind);
    for (uint32_t i = 0; i < users; i++) ax_vec_push(&d->scratch, &d->stale, list[i]);
}

static void compare(ax_differ *d, const ax_param *before, const ax_param *after)
{
    compare_types(d, before, after);
    compare_allowed(d, before, after);
    compare_defaults(d, before, after);
    ax_buf_add(&d->one, before->doc);
    ax_buf_add(&d->other, after->doc);
    ax_differ_compare(d, AX_RULE_PARAM_TEXT, after->name, "doc");
}

static const ax_param *named(const ax_plan *plan, ax_str name)
{
    for (uint32_t i = 0; i < plan->param_count; i++) {
        if (ax_str_eq(plan->params[i].name, name)) return &plan->params[i];
    }
    return NULL;
}

void ax_diff_param_changes(ax_differ *d)
{
    for (uint32_t i = 0; i < d->after->param_count; i++) {
        const ax_param *after = &d->after->params[i], *before = named(d->before, after->name);
        if (before) {
            compare(d, before, after);
            continue;
        }
        ax_diff_rule rule = after->has_default ? AX_RULE_PARAM_ADDED : AX_RULE_PARAM_ADDED_REQUIRED;
        ax_diff_change *c = ax_differ_add(d, rule, AX_DIFF_ADDED, after->name);
        show(after, &d->one);
        c->after = ax_differ_take(d, &d->one);
    }
    for (uint32_t i = 0; i < d->before->param_count; i++) {
        const ax_param *before = &d->before->params[i];
        if (named(d->after, before->name)) continue;
        ax_diff_change *c = ax_differ_add(d, AX_RULE_PARAM_REMOVED, AX_DIFF_REMOVED, before->name);
        show(before, &d->one);
        c->before = ax_differ_take(d, &d->one);
    }
}
