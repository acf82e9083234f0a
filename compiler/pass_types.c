/* pass_types.c - what names are worth and of what type: lets, parameters, outputs, matrix keys.
 *
 * After this pass every expression can be typed, in any order. A let is computed when it is first used, so
 * lets may stand in any order; a ring of them is found because the first one is still open.
 */
#include <string.h>

#include "compiler/expr_int.h"
#include "compiler/fan_int.h"
#include "compiler/scope_int.h"
#include "compiler/template_int.h"

static const ax_type any_type = {.kind = AX_T_ANY, .nullable = true};

/* ---- lets ---- */

bool ax_let_value(ax_unit *unit, ax_flow *flow, ax_named *let, ax_value *out)
{
    if (let->state == AX_LET_OPEN) {
        ax_diag *d = ax_diag_add(unit->diags, AX_E0316, let->span, "'%.*s' needs its own value",
                                 AX_STR(let->block->labels[0].name.text));
        ax_diag_note(unit->diags, d, let->block->value->span, "through this");
        let->is_broken = true;
        return false;
    }
    if (let->state == AX_LET_NEW) {
        let->state = AX_LET_OPEN;
        bool own = flow && let >= flow->values.at && let < flow->values.at + flow->values.len;
        ax_site site = {.unit = unit, .flow = own ? flow : NULL, .decl = AX_NONE, .is_constant = true};
        bool sound = false;
        if (!let->block->value) sound = false;
        else if (unit->let_depth == AX_LET_CHAIN_MAX)
            ax_diag_add(unit->diags, AX_E0319, let->block->value->span,
                        "more than %u lets need one another here", AX_LET_CHAIN_MAX);
        else {
            unit->let_depth++;
            sound = ax_expr_value(&site, let->block->value, &any_type, "a let", &let->value);
            unit->let_depth--;
        }
        if (!sound) let->is_broken = true;
        let->state = AX_LET_DONE;
    }
    *out = let->value;
    return !let->is_broken;
}

void ax_unit_types(ax_unit *unit)
{
    ax_value ignored;
    for (uint32_t i = 0; i < unit->lets.len; i++) ax_let_value(unit, NULL, &unit->lets.at[i], &ignored);
}

/* ---- types ---- */

static bool may_be_written(ax_type_kind kind)
{
    return kind != AX_T_NULL && kind != AX_T_ANY && kind != AX_T_MAP && kind != AX_T_RANGE;
}

bool ax_type_make(ax_unit *unit, const ax_ast_type *ast, ax_type *out)
{
    *out = (ax_type){0};
    bool known = ax_type_named(ast->name.text, &out->kind) && may_be_written(out->kind);
    if (!known) {
        ax_diag *d = ax_diag_add(unit->diags, AX_E0311, ast->name.span, "there is no type '%.*s'",
                                 AX_STR(ast->name.text));
        ax_nearest near = ax_nearest_start(ast->name.text);
        for (ax_type_kind k = 0; k < AX_T_COUNT; k++)
            if (may_be_written(k)) ax_nearest_offer(&near, ax_str_of(ax_type_name(k)));
        ax_diag_did_you_mean(unit->diags, d, ast->name.span, near.best);
        return false;
    }
    if ((out->kind == AX_T_LIST) != (ast->of != NULL)) {
        ax_diag *d =
            ax_diag_add(unit->diags, AX_E0311, ast->name.span,
                        ast->of ? "'%.*s' holds no other type" : "'%.*s' needs the type of its items",
                        AX_STR(ast->name.text));
        ax_diag_help(unit->diags, d, "write list(string), for example");
        return false;
    }
    if (!ast->of) return true;
    ax_type *of = AX_NEW(unit->mem, ax_type);
    out->of = of;
    return ax_type_make(unit, ast->of, of);
}

/* ---- parameters ---- */

static bool is_allowed(const ax_param *p, const ax_value *v)
{
    if (p->has_range) {
        if (v->kind == AX_T_INT) return v->u.i >= p->range_from && v->u.i <= p->range_to;
        return v->u.f >= (double)p->range_from && v->u.f <= (double)p->range_to;
    }
    for (uint32_t i = 0; i < p->allowed_count; i++)
        if (ax_value_eq(&p->allowed[i], v)) return true;
    return p->allowed_count == 0;
}

/* `in ["eu", "us"]` or `in 1..10`. */
static bool read_constraint(const ax_site *site, const ax_ast_expr *e, ax_param *p)
{
    ax_value v;
    if (!ax_expr_value(site, e, &any_type, "the allowed values", &v)) return false;
    bool is_number = p->type.kind == AX_T_INT || p->type.kind == AX_T_FLOAT;
    if (v.kind == AX_T_RANGE && is_number && v.u.range.from <= v.u.range.to) {
        p->has_range = true;
        p->range_from = v.u.range.from;
        p->range_to = v.u.range.to;
        return true;
    }
    if (v.kind == AX_T_RANGE && is_number) {
        ax_diag_add(site->unit->diags, AX_E0307, e->span, "this range is empty");
        return false;
    }
    ax_type list = {.kind = AX_T_LIST, .of = &p->type};
    ax_value cast;
    if (v.kind != AX_T_LIST || v.u.list.len == 0 || !ax_value_fits(&list, &v) ||
        ax_value_cast(site->unit->mem, &list, &v, &cast, NULL) != AX_OK) {
        ax_diag *d =
            ax_diag_add(site->unit->diags, AX_E0301, e->span, "the allowed values must be a list of %.*s",
                        AX_STR(ax_type_text(site->unit->mem, &p->type)));
        if (is_number) ax_diag_help(site->unit->diags, d, "or a range, as in 1..10");
        return false;
    }
    p->allowed = cast.u.list.at;
    p->allowed_count = cast.u.list.len;
    return true;
}

static void read_doc(const ax_site *site, const ax_ast_body *body, ax_param *p)
{
    for (uint32_t i = 0; body && i < body->count; i++) {
        if (body->items[i]->kind != AX_ITEM_ATTR) continue;
        const ax_ast_attr *attr = &body->items[i]->u.attr;
        ax_value v;
        if (attr->path->kind != AX_AST_NAME || !ax_str_is(attr->path->u.name, "doc")) continue;
        if (ax_expr_value(site, attr->value, ax_type_of(AX_T_STRING, false), "doc", &v)) p->doc = v.u.s;
    }
}

static bool read_param(ax_flow *f, const ax_ast_block *block, ax_param *p)
{
    ax_site site = {.unit = f->unit, .flow = f, .decl = AX_NONE, .is_constant = true};
    p->name = block->labels[0].name.text;
    read_doc(&site, block->body, p);
    if (!block->type || !ax_type_make(f->unit, block->type, &p->type)) return false;
    if (block->constraint && !read_constraint(&site, block->constraint, p)) return false;
    if (!block->value) return true;
    if (!ax_expr_value(&site, block->value, &p->type, "the default", &p->otherwise)) return true;
    p->has_default = true;
    if (is_allowed(p, &p->otherwise)) return true;
    ax_diag *d =
        ax_diag_add(f->diags, AX_E0312, block->value->span, "the default is none of the allowed values");
    ax_diag_note(f->diags, d, block->constraint->span, "these are allowed");
    return true;
}

/* ---- outputs ---- */

static void read_outputs(ax_flow *f, uint32_t at)
{
    ax_decl *decl = &f->decls.at[at];
    ax_site site = {.unit = f->unit, .flow = f, .decl = AX_NONE, .is_constant = true};
    ax_output *outputs = AX_NEW_N(f->mem, ax_output, decl->output_count);
    for (uint32_t i = 0; i < decl->output_count; i++) {
        const ax_ast_block *block = decl->outputs[i];
        ax_output *out = &outputs[i];
        ax_value v;
        out->name = block->labels[0].name.text;
        if (!block->type || !ax_type_make(f->unit, block->type, &out->type)) decl->is_broken = true;
        else if (block->value && ax_expr_value(&site, block->value, &out->type, "the default", &v))
            out->otherwise = ax_expr_const(f->mem, v);
    }
    f->defs[at].outputs = outputs;
    f->defs[at].output_count = decl->output_count;
}

void ax_pass_types(ax_flow *f)
{
    for (uint32_t i = 0; i < f->values.len; i++) {
        ax_named *named = &f->values.at[i];
        ax_value ignored;
        if (named->is_let) {
            ax_let_value(f->unit, f, named, &ignored);
            continue;
        }
        ax_param param = {0};
        named->is_broken = !read_param(f, named->block, &param);
        named->param = f->params.len;
        ax_vec_push(f->mem, &f->params, param);
    }
    f->defs = AX_NEW_N(f->mem, ax_def, f->decls.len);
    for (uint32_t i = 0; i < f->decls.len; i++) {
        uint32_t first = f->diags->list.len;
        ax_fan_read(f, i);
        if (f->decls.at[i].output_count > 0) read_outputs(f, i);
        ax_template_note(f->unit, first, f->decls.at[i].use);
    }
}
