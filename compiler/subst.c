/* subst.c - a template's text with arguments in the place of its parameters.
 *
 * Only what has a parameter in it is copied. Symbols, the words of joins and conditions, the names of
 * functions and the nodes of edges are never looked up among the parameters. The depth of an expression stays
 * limited, and so is recursion over it.
 */
#include <string.h>

#include "compiler/template_int.h"

static const ax_ast_expr *subst(const ax_subst *s, const ax_ast_expr *e, const char *words);

static const ax_ast_expr *subst_name(const ax_subst *s, const ax_ast_expr *e, const char *words)
{
    uint32_t at = ax_map_get(&s->of->param_names, e->u.name);
    if (at == AX_MAP_NONE || ax_schema_word(words, e->u.name)) return e;
    s->of->params[at].is_used = true;
    return s->values[at] ? s->values[at] : e;
}

/* Raises the depth of a copy to that of a part; a copy that gets too deep is reported and left out. */
static const ax_ast_expr *settle(const ax_subst *s, ax_ast_expr *copy, const ax_ast_expr *const *parts,
                                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!parts[i] || parts[i]->depth < copy->depth) continue;
        if (parts[i]->depth < AX_SYNTAX_DEPTH_MAX) {
            copy->depth = (uint8_t)(parts[i]->depth + 1);
            continue;
        }
        ax_diag_add(s->unit->diags, AX_E0319, copy->span, "with its arguments this is nested too deeply");
        copy->kind = AX_AST_NULL;
        copy->depth = 1;
        return copy;
    }
    return copy;
}

/* Substitutes in `count` parts; false if none of them changed. */
static bool subst_all(const ax_subst *s, const ax_ast_expr **parts, uint32_t count)
{
    bool changed = false;
    for (uint32_t i = 0; i < count; i++) {
        const ax_ast_expr *part = parts[i] ? subst(s, parts[i], "") : NULL;
        changed = changed || part != parts[i];
        parts[i] = part;
    }
    return changed;
}

static const ax_ast_expr *subst_string(const ax_subst *s, const ax_ast_expr *e)
{
    uint32_t count = e->u.string.count;
    if (count == 1 && !e->u.string.parts[0].expr) return e;
    const ax_ast_expr **exprs = AX_NEW_N(s->unit->mem, const ax_ast_expr *, count);
    for (uint32_t i = 0; i < count; i++) exprs[i] = e->u.string.parts[i].expr;
    if (!subst_all(s, exprs, count)) return e;
    ax_ast_part *parts = AX_NEW_N(s->unit->mem, ax_ast_part, count);
    ax_ast_expr *copy = ax_ast_copy(s->unit->mem, e);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = e->u.string.parts[i];
        parts[i].expr = (ax_ast_expr *)exprs[i];
    }
    copy->u.string.parts = parts;
    return settle(s, copy, exprs, count);
}

static const ax_ast_expr *subst_list(const ax_subst *s, const ax_ast_expr *e, const char *words)
{
    uint32_t count = e->u.list.count;
    ax_ast_expr **items = AX_NEW_N(s->unit->mem, ax_ast_expr *, count);
    bool changed = false;
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (ax_ast_expr *)subst(s, e->u.list.items[i], words);
        changed = changed || items[i] != e->u.list.items[i];
    }
    if (!changed) return e;
    ax_ast_expr *copy = ax_ast_copy(s->unit->mem, e);
    copy->u.list.items = items;
    return settle(s, copy, (const ax_ast_expr *const *)items, count);
}

static const ax_ast_expr *subst_map(const ax_subst *s, const ax_ast_expr *e)
{
    uint32_t count = e->u.map.count;
    const ax_ast_expr **values = AX_NEW_N(s->unit->mem, const ax_ast_expr *, count);
    for (uint32_t i = 0; i < count; i++) values[i] = e->u.map.entries[i].value;
    if (!subst_all(s, values, count)) return e;
    ax_ast_entry *entries = AX_NEW_N(s->unit->mem, ax_ast_entry, count);
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = e->u.map.entries[i];
        entries[i].value = (ax_ast_expr *)values[i];
    }
    ax_ast_expr *copy = ax_ast_copy(s->unit->mem, e);
    copy->u.map.entries = entries;
    return settle(s, copy, values, count);
}

/* INDEX and CALL. The name of a function is none of a parameter. */
static const ax_ast_expr *subst_call(const ax_subst *s, const ax_ast_expr *e)
{
    uint32_t count = e->u.call.count;
    const ax_ast_expr **parts = AX_NEW_N(s->unit->mem, const ax_ast_expr *, count + 1);
    for (uint32_t i = 0; i < count; i++) parts[i] = e->u.call.args[i].value;
    parts[count] = e->kind == AX_AST_INDEX ? e->u.call.base : NULL;
    if (!subst_all(s, parts, count + 1)) return e;
    ax_ast_arg *args = AX_NEW_N(s->unit->mem, ax_ast_arg, count);
    for (uint32_t i = 0; i < count; i++) {
        args[i] = e->u.call.args[i];
        args[i].value = (ax_ast_expr *)parts[i];
    }
    ax_ast_expr *copy = ax_ast_copy(s->unit->mem, e);
    copy->u.call.args = args;
    if (parts[count]) copy->u.call.base = (ax_ast_expr *)parts[count];
    return settle(s, copy, parts, count + 1);
}

/* Operators and members. */
static const ax_ast_expr *subst_operands(const ax_subst *s, const ax_ast_expr *e)
{
    const ax_ast_expr *parts[3] = {NULL};
    if (e->kind == AX_AST_MEMBER) parts[0] = e->u.member.base;
    else if (e->kind == AX_AST_COND) {
        parts[0] = e->u.cond.then;
        parts[1] = e->u.cond.test;
        parts[2] = e->u.cond.other;
    } else {
        parts[0] = e->u.op.a;
        parts[1] = e->kind == AX_AST_BINARY ? e->u.op.b : NULL;
    }
    if (!subst_all(s, parts, 3)) return e;
    ax_ast_expr *copy = ax_ast_copy(s->unit->mem, e);
    if (e->kind == AX_AST_MEMBER) copy->u.member.base = (ax_ast_expr *)parts[0];
    else if (e->kind == AX_AST_COND) {
        copy->u.cond.then = (ax_ast_expr *)parts[0];
        copy->u.cond.test = (ax_ast_expr *)parts[1];
        copy->u.cond.other = (ax_ast_expr *)parts[2];
    } else {
        copy->u.op.a = (ax_ast_expr *)parts[0];
        copy->u.op.b = (ax_ast_expr *)parts[1];
    }
    return settle(s, copy, parts, 3);
}

static const ax_ast_expr *subst(const ax_subst *s, const ax_ast_expr *e, const char *words)
{
    switch ((ax_ast_kind)e->kind) {
    case AX_AST_NAME: return subst_name(s, e, words);
    case AX_AST_STRING: return subst_string(s, e);
    case AX_AST_LIST: return subst_list(s, e, words);
    case AX_AST_MAP: return subst_map(s, e);
    case AX_AST_INDEX:
    case AX_AST_CALL: return subst_call(s, e);
    case AX_AST_UNARY:
    case AX_AST_BINARY:
    case AX_AST_COND:
    case AX_AST_MEMBER: return subst_operands(s, e);
    case AX_AST_INT:
    case AX_AST_FLOAT:
    case AX_AST_PERCENT:
    case AX_AST_DURATION:
    case AX_AST_SIZE:
    case AX_AST_DATE:
    case AX_AST_TIME:
    case AX_AST_TRUE:
    case AX_AST_FALSE:
    case AX_AST_NULL: return e;
    }
    return e;
}

const ax_ast_expr *ax_subst_expr(const ax_subst *s, const ax_ast_expr *e, const char *words)
{
    return s->of && e ? subst(s, e, words) : e;
}

/* ---- items ---- */

static ax_ast_item *subst_attr(const ax_subst *s, ax_kind owner, ax_ast_item *item)
{
    const ax_ast_expr *path = item->u.attr.path;
    const ax_attr_row *row = path->kind == AX_AST_NAME ? ax_schema_attr(owner, path->u.name) : NULL;
    if (row && (row->form == AX_FORM_SYMBOL || row->form == AX_FORM_SYMBOLS)) return item;
    bool has_words = row && (strcmp(row->name, "join") == 0 || strcmp(row->name, "on") == 0);
    const ax_ast_expr *value =
        ax_subst_expr(s, item->u.attr.value, has_words ? "all any strict timeout lost" : "");
    if (value == item->u.attr.value) return item;
    ax_ast_item *copy = ax_ast_item_copy(s->unit->mem, item);
    copy->u.attr.value = (ax_ast_expr *)value;
    return copy;
}

static ax_ast_item *subst_block(const ax_subst *s, ax_ast_item *item)
{
    const ax_ast_block *block = &item->u.block;
    const ax_ast_expr *value = ax_subst_expr(s, block->value, "");
    ax_ast_arg *args = AX_NEW_N(s->unit->mem, ax_ast_arg, block->arg_count);
    bool changed = value != block->value;
    for (uint32_t i = 0; i < block->arg_count; i++) {
        args[i] = block->args[i];
        args[i].value = (ax_ast_expr *)ax_subst_expr(s, block->args[i].value, "");
        changed = changed || args[i].value != block->args[i].value;
    }
    if (!changed) return item;
    ax_ast_item *copy = ax_ast_item_copy(s->unit->mem, item);
    copy->u.block.value = (ax_ast_expr *)value;
    copy->u.block.args = args;
    return copy;
}

/* An edge names nodes; only the values that choose copies may be parameters. */
static const ax_ast_expr *subst_path(const ax_subst *s, const ax_ast_expr *e)
{
    if (e->kind != AX_AST_INDEX && e->kind != AX_AST_MEMBER) return e;
    bool is_index = e->kind == AX_AST_INDEX;
    const ax_ast_expr *old = is_index ? e->u.call.base : e->u.member.base, *base = subst_path(s, old);
    ax_ast_arg *args = AX_NEW_N(s->unit->mem, ax_ast_arg, is_index ? e->u.call.count : 0);
    bool changed = base != old;
    for (uint32_t i = 0; is_index && i < e->u.call.count; i++) {
        args[i] = e->u.call.args[i];
        args[i].value = (ax_ast_expr *)subst(s, e->u.call.args[i].value, "");
        changed = changed || args[i].value != e->u.call.args[i].value;
    }
    if (!changed) return e;
    ax_ast_expr *copy = ax_ast_copy(s->unit->mem, e);
    if (is_index) {
        copy->u.call.base = (ax_ast_expr *)base;
        copy->u.call.args = args;
    } else copy->u.member.base = (ax_ast_expr *)base;
    return copy;
}

static ax_ast_item *subst_edge(const ax_subst *s, ax_ast_item *item)
{
    const ax_ast_edge *edge = &item->u.edge;
    ax_ast_endpoint *points = AX_NEW_N(s->unit->mem, ax_ast_endpoint, edge->count);
    bool changed = false;
    for (uint32_t i = 0; i < edge->count; i++) {
        points[i] = edge->points[i];
        ax_ast_ref *refs = AX_NEW_N(s->unit->mem, ax_ast_ref, points[i].count);
        for (uint32_t k = 0; k < points[i].count; k++) {
            refs[k] = edge->points[i].refs[k];
            refs[k].path = (ax_ast_expr *)subst_path(s, refs[k].path);
            changed = changed || refs[k].path != edge->points[i].refs[k].path;
        }
        points[i].refs = refs;
    }
    if (!changed) return item;
    ax_ast_item *copy = ax_ast_item_copy(s->unit->mem, item);
    copy->u.edge.points = points;
    return copy;
}

ax_ast_item *ax_subst_item(const ax_subst *s, ax_kind owner, ax_ast_item *item)
{
    if (!s->of) return item;
    switch ((ax_item_kind)item->kind) {
    case AX_ITEM_ATTR: return subst_attr(s, owner, item);
    case AX_ITEM_BLOCK: return subst_block(s, item);
    case AX_ITEM_EDGE: return subst_edge(s, item);
    }
    return item;
}
