/* expr.c - building and evaluating expressions.
 *
 * Evaluation recurses as deep as the tree, which its constructors bound (AX_EXPR_DEPTH_MAX). `and`, `or` and
 * `if` look only at what they need.
 */
#include "dsl/model/expr.h"

#include "dsl/base/assert.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/expr_op.h"
#include "dsl/model/expr_type.h"
#include "dsl/model/units.h"

typedef struct {
    const ax_scope *scope;
    ax_arena *mem;
    ax_err *err;
} evaluation;

static ax_rc eval(const evaluation *e, const ax_expr *x, ax_value *out);

/* ---- roots ---- */

static const struct {
    const char *name;
    ax_type_kind type;
} roots[AX_ROOT_COUNT] = {
#define X(kind, name, type) [AX_ROOT_##kind] = {name, AX_T_##type},
    AX_ROOTS(X)
#undef X
};

const char *ax_root_name(ax_root root)
{
    return roots[root].name;
}

ax_root ax_root_named(ax_str name)
{
    int root = 0;
    while (root < AX_ROOT_COUNT && !ax_str_is(name, roots[root].name)) root++;
    return (ax_root)root;
}

static ax_rc eval_root(const evaluation *e, ax_root root, ax_value *out)
{
    const ax_scope *s = e->scope;
    *out = (ax_value){.kind = roots[root].type};
    switch (root) {
    case AX_ROOT_DATE: out->u.i = s->date; break;
    case AX_ROOT_YESTERDAY: out->u.i = s->date - 1; break;
    case AX_ROOT_TOMORROW: out->u.i = s->date + 1; break;
    case AX_ROOT_SCHEDULED_AT: out->u.i = s->scheduled_at; break;
    case AX_ROOT_INTERVAL_START: out->u.i = s->interval_start; break;
    case AX_ROOT_INTERVAL_END: out->u.i = s->interval_end; break;
    case AX_ROOT_RUN_ID: out->u.s = s->run_id; break;
    case AX_ROOT_NODE_NAME: out->u.s = s->node_name; break;
    case AX_ROOT_ATTEMPT: out->u.i = s->attempt; break;
    case AX_ROOT_COUNT: AX_UNREACHABLE();
    }
    if (out->kind == AX_T_DATE && (out->u.i < AX_DATE_MIN || out->u.i > AX_DATE_MAX))
        return ax_fail(e->err, AX_INVALID, "%s is outside the years 1 to 9999", roots[root].name);
    return AX_OK;
}

/* ---- evaluation ---- */

static ax_rc eval_all(const evaluation *e, const ax_expr *x, ax_value **out)
{
    *out = AX_NEW_N(e->mem, ax_value, x->arg_count);
    for (uint32_t i = 0; i < x->arg_count; i++) {
        ax_rc rc = eval(e, x->args[i], &(*out)[i]);
        if (rc) return rc;
    }
    return AX_OK;
}

static ax_rc eval_output(const evaluation *e, const ax_expr *x, ax_value *out)
{
    ax_value *keys;
    ax_rc rc = eval_all(e, x, &keys);
    if (rc) return rc;
    if (e->scope->output(e->scope->ctx, e->mem, x->u.output.def, x->u.output.output, keys, x->arg_count, out))
        return AX_OK;
    ax_buf text = AX_BUF_INIT(512);
    for (uint32_t i = 0; i < x->arg_count; i++) {
        if (i) ax_buf_adds(&text, ", ");
        ax_value_source(&keys[i], &text);
    }
    ax_fail(e->err, AX_INVALID, "there is no copy [%s]", text.ptr ? text.ptr : "");
    ax_buf_free(&text);
    return AX_INVALID;
}

static ax_rc eval_bool(const evaluation *e, const ax_expr *x, bool *out)
{
    ax_value v;
    ax_rc rc = eval(e, x, &v);
    if (rc) return rc;
    if (v.kind != AX_T_BOOL)
        return ax_fail(e->err, AX_INVALID, "found %s, wanted a bool", ax_type_name(v.kind));
    *out = v.u.b;
    return AX_OK;
}

/* `and` stops at the first false, `or` at the first true. */
static ax_rc eval_logic(const evaluation *e, const ax_expr *x, ax_value *out)
{
    bool stop = x->kind == AX_X_OR, b = !stop;
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < x->arg_count && !rc && b != stop; i++) rc = eval_bool(e, x->args[i], &b);
    *out = (ax_value){.kind = AX_T_BOOL, .u.b = b};
    return rc;
}

static ax_rc eval_not(const evaluation *e, const ax_expr *x, ax_value *out)
{
    bool b = false;
    ax_rc rc = eval_bool(e, x->args[0], &b);
    *out = (ax_value){.kind = AX_T_BOOL, .u.b = !b};
    return rc;
}

static ax_rc eval_cond(const evaluation *e, const ax_expr *x, ax_value *out)
{
    bool test = false;
    ax_rc rc = eval_bool(e, x->args[0], &test);
    return rc ? rc : eval(e, x->args[test ? 1 : 2], out);
}

static ax_rc eval_list(const evaluation *e, const ax_expr *x, ax_value *out)
{
    ax_value *items;
    ax_rc rc = eval_all(e, x, &items);
    if (rc) return rc;
    *out = (ax_value){.kind = AX_T_LIST, .u.list = {items, x->arg_count}};
    if (ax_value_is_shallow(out, AX_VALUE_DEPTH_MAX)) return AX_OK;
    return ax_fail(e->err, AX_INVALID, "lists are nested more than %d deep", AX_VALUE_DEPTH_MAX);
}

static ax_rc index_list(const evaluation *e, const ax_value *list, const ax_value *index, ax_value *out)
{
    if (index->kind != AX_T_INT)
        return ax_fail(e->err, AX_INVALID, "the index of a list is an int, not %s",
                       ax_type_name(index->kind));
    if (index->u.i < 0 || index->u.i >= list->u.list.len)
        return ax_fail(e->err, AX_INVALID, "index %lld is out of range: the list has %u item%s",
                       (long long)index->u.i, list->u.list.len, list->u.list.len == 1 ? "" : "s");
    *out = list->u.list.at[index->u.i];
    return AX_OK;
}

static ax_rc index_map(const evaluation *e, const ax_value *map, const ax_value *key, ax_value *out)
{
    if (key->kind != AX_T_STRING)
        return ax_fail(e->err, AX_INVALID, "the key of a map is a string, not %s", ax_type_name(key->kind));
    uint32_t at = ax_value_key(map, key->u.s);
    if (at == UINT32_MAX)
        return ax_fail(e->err, AX_INVALID, "the map has no key '%.*s'",
                       AX_STR(ax_str_slice(key->u.s, 0, 100)));
    *out = map->u.map.at[at];
    return AX_OK;
}

static ax_rc eval_index(const evaluation *e, const ax_expr *x, ax_value *out)
{
    ax_value base, index;
    ax_rc rc = eval(e, x->args[0], &base);
    if (!rc) rc = eval(e, x->args[1], &index);
    if (rc) return rc;
    if (base.kind == AX_T_LIST) return index_list(e, &base, &index, out);
    if (base.kind == AX_T_MAP) return index_map(e, &base, &index, out);
    return ax_fail(e->err, AX_INVALID, "%s has no items", ax_type_name(base.kind));
}

/* Appends the value of x as text; null has none. */
static ax_rc add_text(const evaluation *e, const ax_expr *x, ax_buf *out)
{
    ax_value v;
    ax_rc rc = eval(e, x, &v);
    if (rc) return rc;
    if (v.kind == AX_T_NULL) return ax_fail(e->err, AX_INVALID, "a null where a value is needed");
    ax_value_text(&v, out);
    return out->full ? ax_fail(e->err, AX_INVALID, "the text is longer than 1 MiB") : AX_OK;
}

static ax_rc eval_concat(const evaluation *e, const ax_expr *x, ax_value *out)
{
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < x->arg_count && !rc; i++) rc = add_text(e, x->args[i], &text);
    *out = (ax_value){.kind = AX_T_STRING, .u.s = ax_str_dup(e->mem, ax_buf_str(&text))};
    ax_buf_free(&text);
    return rc;
}

static ax_rc eval_call(const evaluation *e, const ax_expr *x, ax_value *out)
{
    ax_value *args;
    ax_rc rc = eval_all(e, x, &args);
    return rc ? rc : ax_fn_apply(x->u.call.fn, args, x->arg_count, e->mem, out, e->err);
}

static ax_rc eval_operator(const evaluation *e, const ax_expr *x, ax_value *out)
{
    ax_value a = {.kind = AX_T_NULL}, b;
    ax_rc rc = AX_OK;
    if (x->arg_count == 2) rc = eval(e, x->args[0], &a);
    if (!rc) rc = eval(e, x->args[x->arg_count - 1], &b);
    return rc ? rc : ax_op_apply((ax_x_kind)x->kind, &a, &b, e->mem, out, e->err);
}

static ax_rc eval(const evaluation *e, const ax_expr *x, ax_value *out)
{
    switch ((ax_x_kind)x->kind) {
    case AX_X_CONST: *out = x->u.value; return AX_OK;
    case AX_X_ROOT: return eval_root(e, x->u.root, out);
    case AX_X_PARAM: *out = e->scope->params[x->u.index]; return AX_OK;
    case AX_X_KEY: *out = e->scope->keys[x->u.index]; return AX_OK;
    case AX_X_OUTPUT: return eval_output(e, x, out);
    case AX_X_NOT: return eval_not(e, x, out);
    case AX_X_OR:
    case AX_X_AND: return eval_logic(e, x, out);
    case AX_X_NEG:
    case AX_X_EQ:
    case AX_X_NE:
    case AX_X_LT:
    case AX_X_LE:
    case AX_X_GT:
    case AX_X_GE:
    case AX_X_IN:
    case AX_X_ADD:
    case AX_X_SUB:
    case AX_X_MUL:
    case AX_X_DIV: return eval_operator(e, x, out);
    case AX_X_COND: return eval_cond(e, x, out);
    case AX_X_CALL: return eval_call(e, x, out);
    case AX_X_LIST: return eval_list(e, x, out);
    case AX_X_INDEX: return eval_index(e, x, out);
    case AX_X_CONCAT: return eval_concat(e, x, out);
    case AX_X_KIND_COUNT: break;
    }
    AX_UNREACHABLE();
}

ax_rc ax_expr_eval(const ax_expr *x, const ax_scope *scope, ax_arena *mem, ax_value *out, ax_err *err)
{
    evaluation e = {scope, mem, err};
    return eval(&e, x, out);
}

ax_rc ax_expr_text(const ax_expr *x, const ax_scope *scope, ax_arena *mem, ax_str *out, ax_err *err)
{
    evaluation e = {scope, mem, err};
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    ax_rc rc = add_text(&e, x, &text);
    *out = ax_str_dup(mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return rc;
}

bool ax_expr_is_const(const ax_expr *x)
{
    if (x->kind == AX_X_ROOT || x->kind == AX_X_PARAM || x->kind == AX_X_KEY || x->kind == AX_X_OUTPUT)
        return false;
    for (uint32_t i = 0; i < x->arg_count; i++)
        if (!ax_expr_is_const(x->args[i])) return false;
    return true;
}

/* ---- building ---- */

static ax_expr *leaf(ax_arena *mem, ax_x_kind kind, ax_type type)
{
    ax_expr *x = AX_NEW(mem, ax_expr);
    x->kind = (uint8_t)kind;
    x->depth = 1;
    x->type = type;
    return x;
}

ax_expr *ax_expr_const(ax_arena *mem, ax_value value)
{
    ax_expr *x = leaf(mem, AX_X_CONST, ax_value_type(&value));
    x->u.value = value;
    return x;
}

ax_expr *ax_expr_root(ax_arena *mem, ax_root root)
{
    ax_expr *x = leaf(mem, AX_X_ROOT, *ax_type_of(roots[root].type, false));
    x->u.root = root;
    return x;
}

ax_expr *ax_expr_param(ax_arena *mem, uint32_t index, ax_type type)
{
    ax_expr *x = leaf(mem, AX_X_PARAM, type);
    x->u.index = index;
    return x;
}

ax_expr *ax_expr_key(ax_arena *mem, uint32_t index, ax_type type)
{
    ax_expr *x = leaf(mem, AX_X_KEY, type);
    x->u.index = index;
    return x;
}

/* Gives x a copy of its operands and its depth. */
static void set_args(ax_arena *mem, ax_expr *x, ax_expr *const *args, uint32_t count)
{
    ax_expr **copy = AX_NEW_N(mem, ax_expr *, count);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = args[i];
        if (args[i]->depth >= x->depth) x->depth = (uint16_t)(args[i]->depth + 1);
    }
    x->args = copy;
    x->arg_count = count;
}

ax_expr *ax_expr_output(ax_arena *mem, uint32_t def, uint32_t output, ax_type type, ax_expr *const *keys,
                        uint32_t key_count)
{
    ax_expr *x = leaf(mem, AX_X_OUTPUT, type);
    x->u.output.def = def;
    x->u.output.output = output;
    set_args(mem, x, keys, key_count);
    return x;
}

static ax_type *types_of(ax_arena *mem, ax_expr *const *args, uint32_t count)
{
    ax_type *types = AX_NEW_N(mem, ax_type, count);
    for (uint32_t i = 0; i < count; i++) types[i] = args[i]->type;
    return types;
}

/* Checks the depth of a new node, and makes it a constant if its operands are. */
static ax_rc finish(ax_arena *mem, ax_expr *x, ax_expr **out, ax_err *err)
{
    *out = x;
    if (x->depth > AX_EXPR_DEPTH_MAX) return ax_fail(err, AX_INVALID, "the expression is nested too deeply");
    for (uint32_t i = 0; i < x->arg_count; i++)
        if (x->args[i]->kind != AX_X_CONST) return AX_OK;
    ax_scope none = {0};
    ax_value value;
    ax_rc rc = ax_expr_eval(x, &none, mem, &value, err);
    if (!rc) *out = ax_expr_const(mem, value);
    return rc;
}

ax_rc ax_expr_op(ax_arena *mem, ax_x_kind kind, ax_expr *const *args, uint32_t count, ax_expr **out,
                 ax_err *err)
{
    ax_expr *x = leaf(mem, kind, (ax_type){.kind = AX_T_ANY});
    ax_rc rc = ax_type_of_op(kind, types_of(mem, args, count), count, &x->type, err);
    if (rc) return rc;
    set_args(mem, x, args, count);
    return finish(mem, x, out, err);
}

ax_rc ax_expr_call(ax_arena *mem, uint32_t fn, ax_expr *const *args, uint32_t count, ax_expr **out,
                   ax_err *err)
{
    ax_expr *x = leaf(mem, AX_X_CALL, (ax_type){.kind = AX_T_ANY});
    const ax_type *types = types_of(mem, args, count);
    ax_rc rc = ax_type_of_call(fn, types, count, &x->type, err);
    if (rc) return rc;
    const ax_value **consts = AX_NEW_N(mem, const ax_value *, count);
    for (uint32_t i = 0; i < count; i++) consts[i] = args[i]->kind == AX_X_CONST ? &args[i]->u.value : NULL;
    rc = ax_fn_check_consts(fn, consts, types, count, err);
    if (rc) return rc;
    x->u.call.fn = fn;
    set_args(mem, x, args, count);
    return finish(mem, x, out, err);
}
