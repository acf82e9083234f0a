/* expr.c - expressions of the source as typed expressions of the plan.
 *
 * Names are resolved in the order: matrix keys of the node, parameters and lets, values that every run has,
 * nodes. Typing and folding are the model's (dsl/model/expr.h); here is only what needs names and places. The
 * depth of an expression is limited by the syntax, so recursion over it is.
 */
#include "compiler/expr_int.h"

#include <string.h>

#include "compiler/fan_int.h"
#include "compiler/scope_int.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/expr_type.h"

/* ---- reports ---- */

/* "rows-1" is one name; says how the difference is written if its front part is a name in sight. */
static bool report_minus(const ax_site *site, ax_str name, ax_span span)
{
    for (size_t i = 1; i + 1 < name.len; i++) {
        if (name.ptr[i] != '-') continue;
        ax_str front = ax_str_slice(name, 0, i), back = ax_str_slice(name, i + 1, name.len);
        bool known = site->flow && ax_scope_value(site->flow, front);
        known = known || ax_root_named(front) != AX_ROOT_COUNT || (back.ptr[0] >= '0' && back.ptr[0] <= '9');
        if (!known) continue;
        ax_diag *d = ax_diag_add(site->unit->diags, AX_E0212, span, "there is no '%.*s' here", AX_STR(name));
        ax_str better = ax_str_fmt(site->unit->mem, "%.*s - %.*s", AX_STR(front), AX_STR(back));
        ax_diag_help(site->unit->diags, d, "'-' inside a name is part of it; write '%.*s'", AX_STR(better));
        d->edit = span;
        d->replacement = better;
        return true;
    }
    return false;
}

static ax_expr *report_unknown(const ax_site *site, ax_str name, ax_span span)
{
    ax_diags *diags = site->unit->diags;
    if (ax_scope_is_refused(site->unit, name)) return NULL;
    if (ax_schema_word("item event var secret", name)) {
        ax_diag_add(diags, AX_E0207, span,
                    "'%.*s' is part of the language, but this version of axc does not support it yet",
                    AX_STR(name));
        return NULL;
    }
    if (ax_schema_word("run node interval", name)) {
        ax_diag *d = ax_diag_add(diags, AX_E0317, span, "'%.*s' alone is no value", AX_STR(name));
        ax_diag_help(diags, d, "write run.id, node.name, interval.start or interval.end");
        return NULL;
    }
    if (report_minus(site, name, span)) return NULL;
    ax_diag *d = ax_diag_add(diags, AX_E0212, span, "there is no '%.*s' here", AX_STR(name));
    ax_nearest near = ax_nearest_start(name);
    if (site->flow) ax_scope_values_near(site->flow, site->decl, &near);
    ax_diag_did_you_mean(diags, d, span, near.best);
    return NULL;
}

/* What is no constant stands where the value must be known when compiled. */
static ax_expr *report_not_constant(const ax_site *site, ax_str name, ax_span span)
{
    ax_diag *d =
        ax_diag_add(site->unit->diags, AX_E0305, span, "'%.*s' is known only in a run", AX_STR(name));
    ax_diag_help(site->unit->diags, d, "what is fixed when compiled uses literals and 'let' only");
    return NULL;
}

static ax_str type_text(const ax_site *site, const ax_type *type)
{
    ax_str text = ax_type_text(site->unit->mem, type);
    char first = text.len ? text.ptr[0] : ' ';
    bool vowel = first == 'a' || first == 'e' || first == 'i' || first == 'o' || first == 'u';
    return ax_str_fmt(site->unit->mem, "%s %.*s", vowel ? "an" : "a", AX_STR(text));
}

/* ---- operators ---- */

/* Reports why an operator or call over these operands was refused. */
static ax_expr *report_op(const ax_site *site, const ax_ast_expr *e, bool typed, ax_diag_code code,
                          const ax_err *err)
{
    ax_diag_code why = !typed ? code : AX_E0310;
    ax_diag *d = ax_diag_add(site->unit->diags, why, e->span, "%s", err->text);
    if (err->help[0]) ax_diag_help(site->unit->diags, d, "%s", err->help);
    return NULL;
}

static ax_expr *make_op(const ax_site *site, const ax_ast_expr *e, ax_x_kind kind, ax_expr *const *args,
                        uint32_t count)
{
    ax_expr *out = NULL;
    ax_err err = {0};
    if (ax_expr_op(site->unit->mem, kind, args, count, &out, &err) == AX_OK) return out;

    ax_type *types = AX_NEW_N(site->unit->mem, ax_type, count), ignored;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        types[i] = args[i]->type;
        if (args[i]->depth > depth) depth = args[i]->depth;
    }
    ax_err type_err = {0};
    bool typed = ax_type_of_op(kind, types, count, &ignored, &type_err) == AX_OK;
    if (typed && depth >= AX_EXPR_DEPTH_MAX) {
        ax_diag_add(site->unit->diags, AX_E0319, e->span, "this expression is nested too deeply");
        return NULL;
    }
    return report_op(site, e, typed, AX_E0302, &err);
}

static ax_expr *make_binary(const ax_site *site, const ax_ast_expr *e)
{
    static const ax_x_kind kinds[] = {
        [AX_OP_OR] = AX_X_OR,   [AX_OP_AND] = AX_X_AND,   [AX_OP_EQ] = AX_X_EQ,   [AX_OP_NE] = AX_X_NE,
        [AX_OP_LT] = AX_X_LT,   [AX_OP_LE] = AX_X_LE,     [AX_OP_GT] = AX_X_GT,   [AX_OP_GE] = AX_X_GE,
        [AX_OP_IN] = AX_X_IN,   [AX_OP_NOT_IN] = AX_X_IN, [AX_OP_ADD] = AX_X_ADD, [AX_OP_SUB] = AX_X_SUB,
        [AX_OP_MUL] = AX_X_MUL, [AX_OP_DIV] = AX_X_DIV,
    };
    ax_expr *args[2] = {ax_expr_make(site, e->u.op.a), ax_expr_make(site, e->u.op.b)};
    if (!args[0] || !args[1]) return NULL;
    if (e->op == AX_OP_RANGE) {
        bool ints = args[0]->kind == AX_X_CONST && args[1]->kind == AX_X_CONST &&
                    args[0]->type.kind == AX_T_INT && args[1]->type.kind == AX_T_INT;
        if (!ints) {
            ax_diag_add(site->unit->diags, AX_E0302, e->span, "a range goes from one int to another");
            return NULL;
        }
        ax_value range = {.kind = AX_T_RANGE, .u.range = {args[0]->u.value.u.i, args[1]->u.value.u.i}};
        return ax_expr_const(site->unit->mem, range);
    }
    ax_expr *x = make_op(site, e, kinds[e->op], args, 2);
    return x && e->op == AX_OP_NOT_IN ? make_op(site, e, AX_X_NOT, &x, 1) : x;
}

static ax_expr *make_list(const ax_site *site, const ax_ast_expr *e)
{
    ax_expr **args = AX_NEW_N(site->unit->mem, ax_expr *, e->u.list.count);
    bool sound = true;
    for (uint32_t i = 0; i < e->u.list.count; i++) {
        args[i] = ax_expr_make(site, e->u.list.items[i]);
        sound = sound && args[i];
    }
    return sound ? make_op(site, e, AX_X_LIST, args, e->u.list.count) : NULL;
}

static ax_expr *make_string(const ax_site *site, const ax_ast_expr *e)
{
    uint32_t count = e->u.string.count;
    const ax_ast_part *parts = e->u.string.parts;
    if (count == 1 && !parts[0].expr)
        return ax_expr_const(site->unit->mem, (ax_value){.kind = AX_T_STRING, .u.s = parts[0].text});
    ax_expr **args = AX_NEW_N(site->unit->mem, ax_expr *, count);
    bool sound = true;
    for (uint32_t i = 0; i < count; i++) {
        args[i] = parts[i].expr
                      ? ax_expr_make(site, parts[i].expr)
                      : ax_expr_const(site->unit->mem, (ax_value){.kind = AX_T_STRING, .u.s = parts[i].text});
        sound = sound && args[i];
    }
    return sound ? make_op(site, e, AX_X_CONCAT, args, count) : NULL;
}

/* ---- calls ---- */

static ax_expr *report_function(const ax_site *site, const ax_ast_expr *name)
{
    ax_diags *diags = site->unit->diags;
    if (name->kind != AX_AST_NAME) {
        ax_diag_add(diags, AX_E0303, name->span, "only a function can be called");
        return NULL;
    }
    ax_diag *d =
        ax_diag_add(diags, AX_E0303, name->span, "there is no function '%.*s'", AX_STR(name->u.name));
    if (ax_str_is(name->u.name, "raw")) {
        ax_diag_help(diags, d, "raw() stands alone in the {{ }} of a command");
        return NULL;
    }
    ax_nearest near = ax_nearest_start(name->u.name);
    for (uint32_t i = 0; i < ax_fn_count; i++) ax_nearest_offer(&near, ax_str_of(ax_fn_rows[i].name));
    ax_diag_did_you_mean(diags, d, name->span, near.best);
    return NULL;
}

/* One argument: a bare word where the function takes one of a few, else a value. */
static ax_expr *make_arg(const ax_site *site, uint32_t fn, uint32_t at, const ax_ast_expr *e)
{
    const ax_fn_param *param = ax_fn_param_at(fn, at);
    if (param && param->words && e->kind == AX_AST_NAME)
        return ax_expr_const(site->unit->mem, (ax_value){.kind = AX_T_STRING, .u.s = e->u.name});
    return ax_expr_make(site, e);
}

static ax_expr *make_call(const ax_site *site, const ax_ast_expr *e)
{
    const ax_ast_expr *base = e->u.call.base;
    uint32_t fn = base->kind == AX_AST_NAME ? ax_fn_find(base->u.name) : UINT32_MAX, count = e->u.call.count;
    if (fn == UINT32_MAX) return report_function(site, base);

    ax_expr **args = AX_NEW_N(site->unit->mem, ax_expr *, count);
    bool sound = true;
    for (uint32_t i = 0; i < count; i++) {
        const ax_ast_arg *arg = &e->u.call.args[i];
        if (arg->name.text.len > 0) {
            ax_diag *d = ax_diag_add(site->unit->diags, AX_E0304, arg->name.span,
                                     "arguments of a function have no names");
            ax_diag_help(site->unit->diags, d, "write %s", ax_fn_rows[fn].usage);
            return NULL;
        }
        args[i] = make_arg(site, fn, i, arg->value);
        sound = sound && args[i];
    }
    if (!sound) return NULL;
    ax_expr *out = NULL;
    ax_err err = {0}, type_err = {0};
    if (ax_expr_call(site->unit->mem, fn, args, count, &out, &err) == AX_OK) return out;
    ax_type *types = AX_NEW_N(site->unit->mem, ax_type, count), ignored;
    for (uint32_t i = 0; i < count; i++) types[i] = args[i]->type;
    bool typed = ax_type_of_call(fn, types, count, &ignored, &type_err) == AX_OK;
    return report_op(site, e, typed, AX_E0304, &err);
}

/* ---- names ---- */

static ax_expr *make_named(const ax_site *site, ax_named *named, ax_str name, ax_span span)
{
    named->is_used = true;
    if (named->is_let) {
        ax_value value;
        return ax_let_value(site->unit, site->flow, named, &value) ? ax_expr_const(site->unit->mem, value)
                                                                   : NULL;
    }
    if (named->is_broken) return NULL;
    if (site->is_constant) return report_not_constant(site, name, span);
    return ax_expr_param(site->unit->mem, named->param, site->flow->params.at[named->param].type);
}

static ax_expr *make_root(const ax_site *site, ax_str name, ax_span span)
{
    ax_root root = ax_root_named(name);
    if (root == AX_ROOT_COUNT) return report_unknown(site, name, span);
    if (site->is_constant) return report_not_constant(site, name, span);
    return ax_expr_root(site->unit->mem, root);
}

static ax_expr *report_node(const ax_site *site, uint32_t decl, ax_span span)
{
    const ax_decl *node = &site->flow->decls.at[decl];
    ax_diag *d =
        ax_diag_add(site->unit->diags, AX_E0317, span, "'%.*s' is a node, not a value", AX_STR(node->name));
    ax_str output = node->output_count ? node->outputs[0]->labels[0].name.text : AX_LIT("OUTPUT");
    ax_diag_help(site->unit->diags, d, "a value of it is one of its outputs: %.*s.%.*s",
                 AX_STR(node->label.text), AX_STR(output));
    return NULL;
}

static ax_expr *make_name(const ax_site *site, const ax_ast_expr *e)
{
    ax_flow *f = site->flow;
    ax_str name = e->u.name;
    if (!f) {
        uint32_t at = ax_map_get(&site->unit->let_names, name);
        if (at != AX_MAP_NONE) return make_named(site, &site->unit->lets.at[at], name, e->span);
        return make_root(site, name, e->span);
    }
    const ax_decl *decl = site->decl == AX_NONE ? NULL : &f->decls.at[site->decl];
    for (uint32_t k = 0; decl && k < decl->key_count; k++) {
        if (!ax_str_eq(decl->keys[k]->name.text, name)) continue;
        if (site->is_constant) return report_not_constant(site, name, e->span);
        return decl->is_broken ? NULL : ax_expr_key(site->unit->mem, k, decl->keys[k]->type);
    }
    ax_named *named = ax_scope_value(f, name);
    if (named) return make_named(site, named, name, e->span);
    uint32_t node = ax_scope_node(f, decl ? decl->parent : AX_NONE, name);
    if (node != AX_NONE) return report_node(site, node, e->span);
    return make_root(site, name, e->span);
}

/* ---- copies ---- */

/* "sync[table, region]": how a copy of the declaration is chosen. */
static ax_str index_text(const ax_site *site, const ax_decl *decl)
{
    ax_arena *mem = site->unit->mem;
    ax_str keys = decl->keys[decl->outer_keys]->name.text;
    for (uint32_t k = decl->outer_keys + 1; k < decl->key_count; k++)
        keys = ax_str_fmt(mem, "%.*s, %.*s", AX_STR(keys), AX_STR(decl->keys[k]->name.text));
    return ax_str_fmt(mem, "%.*s[%.*s]", AX_STR(decl->label.text), AX_STR(keys));
}

static bool report_copy(const ax_site *site, const ax_decl *decl, ax_span span, const char *why)
{
    if (site->unit->is_partial) return false;
    ax_diag *d = ax_diag_add(site->unit->diags, AX_E0315, span, "'%.*s' %s", AX_STR(decl->name), why);
    if (decl->key_count > decl->outer_keys)
        ax_diag_help(site->unit->diags, d, "a copy is chosen by the values of its keys: %.*s",
                     AX_STR(index_text(site, decl)));
    return false;
}

/* Checks that the values that one index expression may have are values of the key. */
static bool check_index(const ax_site *site, const ax_decl *decl, const ax_key *key, const ax_expr *x,
                        ax_span span)
{
    const ax_value *values = NULL;
    uint32_t count = 0;
    if (x->kind == AX_X_CONST) {
        values = &x->u.value;
        count = 1;
    } else if (x->kind == AX_X_KEY) {
        values = site->flow->decls.at[site->decl].keys[x->u.index]->values;
        count = site->flow->decls.at[site->decl].keys[x->u.index]->count;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (ax_fan_key_place(site->unit->mem, key, &values[i]) != AX_NONE) continue;
        ax_buf text = AX_BUF_INIT(256);
        ax_value_source(&values[i], &text);
        ax_str why = ax_str_fmt(site->unit->mem, "has no copy for %.*s = %.*s", AX_STR(key->name.text),
                                AX_STR(ax_buf_str(&text)));
        ax_buf_free(&text);
        return report_copy(site, decl, span, ax_str_c(site->unit->mem, why));
    }
    return true;
}

/* The place of the copy that constant keys choose. False: one is not constant, or the copy is excluded. */
static bool copy_of(const ax_site *site, const ax_decl *decl, ax_expr *const *args, uint32_t *copy)
{
    uint32_t places[AX_KEYS_MAX];
    for (uint32_t k = decl->outer_keys; k < decl->key_count; k++) {
        const ax_expr *x = args[k - decl->outer_keys];
        if (x->kind != AX_X_CONST) return false;
        places[k - decl->outer_keys] = ax_fan_key_place(site->unit->mem, decl->keys[k], &x->u.value);
    }
    *copy = ax_fan_copy(decl, places);
    return *copy != AX_NONE;
}

static bool all_const(ax_expr *const *args, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (args[i]->kind != AX_X_CONST) return false;
    return true;
}

/* The index of sync["orders"] as one expression for each of the declaration's own keys, in args. */
static bool make_index(const ax_site *site, uint32_t at, const ax_ast_expr *index, ax_expr **args)
{
    const ax_decl *decl = &site->flow->decls.at[at];
    uint32_t own = decl->key_count - decl->outer_keys, copy;
    if (own == 0) return report_copy(site, decl, index->span, "has no copies to choose from");
    if (index->u.call.count != own)
        return report_copy(site, decl, index->span, "is chosen by as many values as its matrix has keys");
    for (uint32_t k = 0; k < own; k++) {
        const ax_ast_expr *value = index->u.call.args[k].value;
        const ax_key *key = decl->keys[decl->outer_keys + k];
        args[k] = ax_expr_make_as(site, value, &key->type, "this index");
        if (!args[k] || !check_index(site, decl, key, args[k], value->span)) return false;
    }
    if (all_const(args, own) && !copy_of(site, decl, args, &copy))
        return report_copy(site, decl, index->span, "has no such copy: it is excluded");
    return true;
}

bool ax_expr_copy(const ax_site *site, uint32_t decl, const ax_ast_expr *index, uint32_t *copy)
{
    const ax_decl *chosen = &site->flow->decls.at[decl];
    ax_expr *args[AX_KEYS_MAX];
    if (chosen->kind == AX_KIND_COUNT || chosen->is_broken) return false;
    return make_index(site, decl, index, args) && copy_of(site, chosen, args, copy);
}

/* ---- outputs ---- */

static ax_expr *report_output(const ax_site *site, const ax_decl *node, ax_ast_name name)
{
    ax_diags *diags = site->unit->diags;
    if (site->unit->is_partial) return NULL;
    ax_diag *d = ax_diag_add(diags, AX_E0308, name.span, "'%.*s' has no output '%.*s'", AX_STR(node->name),
                             AX_STR(name.text));
    ax_nearest near = ax_nearest_start(name.text);
    for (uint32_t i = 0; i < node->output_count; i++)
        ax_nearest_offer(&near, node->outputs[i]->labels[0].name.text);
    ax_diag_did_you_mean(diags, d, name.span, near.best);
    if (near.best.len == 0)
        ax_diag_help(diags, d, "declare it in the task: output %.*s : string", AX_STR(name.text));
    ax_diag_note(diags, d, node->label.span, "in this %s", ax_schema_kinds[node->kind].name);
    return NULL;
}

/* The first keys of the copies of a producer that an output is read from. */
typedef struct {
    ax_expr **args;
    uint32_t count;
    uint32_t copy, copies; /* the copies that they may mean, by number */
    bool is_fixed;         /* all of the keys are constant */
} output_keys;

/* Adds the keys of one level. False: what is wrong was reported. */
static bool add_level_keys(const ax_site *site, uint32_t producer, uint32_t level, const ax_ast_expr *index,
                           output_keys *out)
{
    const ax_decl *node = &site->flow->decls.at[producer];
    const ax_decl *fan = &site->flow->decls.at[node->levels[level]];
    uint32_t own = fan->key_count - fan->outer_keys, place;
    ax_expr **args = &out->args[out->count];
    if (index && !make_index(site, node->levels[level], index, args)) return false;
    for (uint32_t k = 0; !index && k < own; k++)
        args[k] = ax_expr_key(site->unit->mem, fan->outer_keys + k, fan->keys[fan->outer_keys + k]->type);
    out->count += own;
    out->is_fixed = out->is_fixed && index && copy_of(site, fan, args, &place);
    if (!out->is_fixed) return true;
    out->copies = ax_fan_step(site->flow, node, level);
    out->copy += place * out->copies;
    return true;
}

static const ax_ast_expr *index_of(const ax_path *path, uint32_t decl)
{
    for (uint32_t i = 0; i < path->index_count; i++)
        if (path->indexes[i].decl == decl) return path->indexes[i].expr;
    return NULL;
}

/* The copies that a path reads: at each level those that an index chooses, else the reader's own copy of a
 * group that holds both, else all from there on. */
static bool make_output_keys(const ax_site *site, const ax_path *path, output_keys *out)
{
    ax_flow *f = site->flow;
    const ax_decl *node = &f->decls.at[path->decl], *open = NULL;
    uint32_t shared = ax_fan_shared(f, site->decl, path->decl);
    out->args = AX_NEW_N(f->mem, ax_expr *, node->key_count);
    out->copies = node->copies;
    out->is_fixed = true;
    for (uint32_t i = 0; i < path->index_count; i++) {
        const ax_decl *fan = &f->decls.at[path->indexes[i].decl];
        if (fan->is_broken) return false;
        if (fan->key_count == fan->outer_keys)
            return report_copy(site, fan, path->indexes[i].expr->span, "has no copies to choose from");
    }
    for (uint32_t l = 0; l < node->level_count; l++) {
        const ax_decl *fan = &f->decls.at[node->levels[l]];
        const ax_ast_expr *index = index_of(path, node->levels[l]);
        if (!index && (open || l >= shared)) {
            open = open ? open : fan;
            continue;
        }
        if (open) {
            ax_diag *d = ax_diag_add(f->diags, AX_E0315, index->span,
                                     "of which copy of '%.*s' this is, is open", AX_STR(open->name));
            ax_diag_help(f->diags, d, "choose that as well: %.*s", AX_STR(index_text(site, open)));
            return false;
        }
        if (!add_level_keys(site, path->decl, l, index, out)) return false;
    }
    return true;
}

/* task.output, task["copy"].output */
static ax_expr *make_output(const ax_site *site, const ax_path *path, ax_span span)
{
    ax_flow *f = site->flow;
    const ax_decl *node = &f->decls.at[path->decl];
    if (node->kind == AX_KIND_COUNT || node->is_broken) return NULL;
    ax_ast_name name = path->output->u.member.name;
    uint32_t at = node->kind == AX_KIND_TASK ? ax_map_get(&node->members, name.text) : AX_MAP_NONE;
    if (at == AX_MAP_NONE) return report_output(site, node, name);
    if (site->is_constant)
        return report_not_constant(site, ax_sources_text(site->unit->diags->sources, span), span);
    if (site->decl == AX_NONE) {
        ax_diag_add(f->diags, AX_E0309, span, "an output can be read only in a node that runs after '%.*s'",
                    AX_STR(node->name));
        return NULL;
    }
    ax_type type = f->defs[path->decl].outputs[at].type;
    output_keys keys = {0};
    if (!make_output_keys(site, path, &keys)) return NULL;
    if (keys.count < node->key_count) {
        ax_type *of = AX_NEW(f->mem, ax_type);
        *of = type;
        type = (ax_type){.kind = AX_T_LIST, .of = of};
    }
    ax_vec_push(f->mem, &f->reads, (ax_read){site->decl, path->decl, keys.copy, keys.copies, span});
    return ax_expr_output(f->mem, path->decl, at, type, keys.args, keys.count);
}

/* A part behind a value: a list's item is chosen by an index, and nothing has members. */
static ax_expr *make_part(const ax_site *site, const ax_ast_expr *e)
{
    if (e->kind == AX_AST_INDEX) {
        if (e->u.call.count != 1) {
            ax_diag_add(site->unit->diags, AX_E0304, e->span, "a list has one index");
            return NULL;
        }
        ax_expr *args[2] = {ax_expr_make(site, e->u.call.base), ax_expr_make(site, e->u.call.args[0].value)};
        return args[0] && args[1] ? make_op(site, e, AX_X_INDEX, args, 2) : NULL;
    }
    ax_expr *base = ax_expr_make(site, e->u.member.base);
    if (!base) return NULL;
    ax_diag_add(site->unit->diags, AX_E0317, e->u.member.name.span, "%.*s has no parts with names",
                AX_STR(type_text(site, &base->type)));
    return NULL;
}

/* True if the name alone means a value where the expression stands. */
static bool is_value_name(const ax_site *site, ax_str name)
{
    const ax_decl *decl = site->decl == AX_NONE ? NULL : &site->flow->decls.at[site->decl];
    for (uint32_t k = 0; decl && k < decl->key_count; k++)
        if (ax_str_eq(decl->keys[k]->name.text, name)) return true;
    return ax_scope_value(site->flow, name) || ax_root_named(name) != AX_ROOT_COUNT;
}

/* a.b and a[b]: a value that every run has, an output of a node, or a part of another value. */
static ax_expr *make_path(const ax_site *site, const ax_ast_expr *e)
{
    const ax_ast_expr *base = e->kind == AX_AST_MEMBER ? e->u.member.base : NULL;
    if (base && base->kind == AX_AST_NAME) {
        ax_str full =
            ax_str_fmt(site->unit->mem, "%.*s.%.*s", AX_STR(base->u.name), AX_STR(e->u.member.name.text));
        if (ax_root_named(full) != AX_ROOT_COUNT) return make_root(site, full, e->span);
        if (ax_schema_word("run node interval item event var secret", base->u.name))
            return report_unknown(site, base->u.name, base->span);
    }
    ax_flow *f = site->flow;
    ax_path path;
    uint32_t group = f && site->decl != AX_NONE ? f->decls.at[site->decl].parent : AX_NONE;
    if (!f || !ax_scope_path(f, group, e, &path)) return make_part(site, e);
    if (path.decl == AX_NONE) {
        bool is_value = path.missing_in == AX_NONE && is_value_name(site, path.missing.text);
        if (is_value) return make_part(site, e);
        if (ax_scope_is_refused(f->unit, path.missing.text)) return NULL;
        ax_diag *d = ax_diag_add(f->diags, AX_E0212, path.missing.span, "there is no node '%.*s' here",
                                 AX_STR(path.missing.text));
        ax_nearest near = ax_nearest_start(path.missing.text);
        ax_scope_nodes_near(f, path.missing_in == AX_NONE ? group : path.missing_in,
                            path.missing_in != AX_NONE, &near);
        ax_diag_did_you_mean(f->diags, d, path.missing.span, near.best);
        return NULL;
    }
    if (path.rest) return make_part(site, e);
    return path.output ? make_output(site, &path, e->span) : report_node(site, path.decl, e->span);
}

/* ---- everything ---- */

static ax_expr *make_literal(const ax_site *site, const ax_ast_expr *e)
{
    static const ax_type_kind kinds[] = {
        [AX_AST_INT] = AX_T_INT,           [AX_AST_FLOAT] = AX_T_FLOAT, [AX_AST_PERCENT] = AX_T_PERCENT,
        [AX_AST_DURATION] = AX_T_DURATION, [AX_AST_SIZE] = AX_T_SIZE,   [AX_AST_DATE] = AX_T_DATE,
        [AX_AST_TIME] = AX_T_TIME,         [AX_AST_TRUE] = AX_T_BOOL,   [AX_AST_FALSE] = AX_T_BOOL,
        [AX_AST_NULL] = AX_T_NULL,
    };
    ax_value value = {.kind = kinds[e->kind]};
    if (value.kind == AX_T_BOOL) value.u.b = e->kind == AX_AST_TRUE;
    else if (value.kind == AX_T_FLOAT || value.kind == AX_T_PERCENT) value.u.f = e->u.real;
    else if (value.kind != AX_T_NULL) value.u.i = e->u.number;
    return ax_expr_const(site->unit->mem, value);
}

static ax_expr *make_unary(const ax_site *site, const ax_ast_expr *e)
{
    ax_expr *arg = ax_expr_make(site, e->u.op.a);
    return arg ? make_op(site, e, e->op == AX_OP_NEG ? AX_X_NEG : AX_X_NOT, &arg, 1) : NULL;
}

static ax_expr *make_cond(const ax_site *site, const ax_ast_expr *e)
{
    ax_expr *args[3] = {ax_expr_make(site, e->u.cond.test), ax_expr_make(site, e->u.cond.then),
                        ax_expr_make(site, e->u.cond.other)};
    return args[0] && args[1] && args[2] ? make_op(site, e, AX_X_COND, args, 3) : NULL;
}

ax_expr *ax_expr_make(const ax_site *site, const ax_ast_expr *e)
{
    switch ((ax_ast_kind)e->kind) {
    case AX_AST_NAME: return make_name(site, e);
    case AX_AST_STRING: return make_string(site, e);
    case AX_AST_LIST: return make_list(site, e);
    case AX_AST_UNARY: return make_unary(site, e);
    case AX_AST_BINARY: return make_binary(site, e);
    case AX_AST_COND: return make_cond(site, e);
    case AX_AST_MEMBER:
    case AX_AST_INDEX: return make_path(site, e);
    case AX_AST_CALL: return make_call(site, e);
    case AX_AST_MAP:
        ax_diag_add(site->unit->diags, AX_E0317, e->span, "braces with keys are no value here");
        return NULL;
    case AX_AST_INT:
    case AX_AST_FLOAT:
    case AX_AST_PERCENT:
    case AX_AST_DURATION:
    case AX_AST_SIZE:
    case AX_AST_DATE:
    case AX_AST_TIME:
    case AX_AST_TRUE:
    case AX_AST_FALSE:
    case AX_AST_NULL: return make_literal(site, e);
    }
    return NULL;
}

ax_expr *ax_expr_make_as(const ax_site *site, const ax_ast_expr *e, const ax_type *want, const char *what)
{
    ax_expr *x = ax_expr_make(site, e);
    if (!x) return NULL;
    if (!ax_type_fits(want, &x->type)) {
        bool is_name = !strchr(what, ' ');
        ax_diag *d =
            ax_diag_add(site->unit->diags, AX_E0301, e->span,
                        is_name ? "'%s' must be %.*s, but this is %.*s" : "%s must be %.*s, but this is %.*s",
                        what, AX_STR(type_text(site, want)), AX_STR(type_text(site, &x->type)));
        if (want->kind == AX_T_DURATION && e->kind == AX_AST_INT)
            ax_diag_help(site->unit->diags, d, "a duration has a unit: %llds, %lldm or %lldh",
                         (long long)e->u.number, (long long)e->u.number, (long long)e->u.number);
        return NULL;
    }
    ax_value cast;
    if (x->kind == AX_X_CONST && ax_value_cast(site->unit->mem, want, &x->u.value, &cast, NULL) == AX_OK)
        return ax_expr_const(site->unit->mem, cast);
    return x;
}

bool ax_expr_value(const ax_site *site, const ax_ast_expr *e, const ax_type *want, const char *what,
                   ax_value *out)
{
    ax_site fixed = *site;
    fixed.is_constant = true;
    ax_expr *x = ax_expr_make_as(&fixed, e, want, what);
    if (!x) return false;
    AX_ASSERT(x->kind == AX_X_CONST);
    *out = x->u.value;
    return true;
}
