/* expr_json.c - constants and expressions to JSON and back.
 *
 * An expression is an array whose first item says what it is; a chain of one binary operator is one array, so
 * that a long sum is not a deep text. Reading goes through the constructors of expr.h: what is read is typed
 * and folded.
 */
#include "dsl/model/expr_json_int.h"

#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/model/expr_fn.h"

/* ---- constants ---- */

/* A float keeps a point or an exponent, so that it is read as a float. */
static void write_float(double d, ax_json *j)
{
    ax_buf text = AX_BUF_INIT(64);
    ax_float_text(d, &text);
    if (!memchr(text.ptr, '.', text.len) && !memchr(text.ptr, 'e', text.len)) ax_buf_adds(&text, ".0");
    ax_json_raw(j, ax_buf_str(&text));
    ax_buf_free(&text);
}

static void write_list(const ax_value *v, ax_json *j)
{
    ax_json_arr_flat(j);
    for (uint32_t i = 0; i < v->u.list.len; i++) ax_const_write(&v->u.list.at[i], j);
    ax_json_end(j);
}

static void write_map(const ax_value *v, ax_json *j)
{
    ax_json_obj_flat(j);
    for (uint32_t i = 0; i < v->u.map.len; i++) {
        ax_json_keys(j, v->u.map.keys[i]);
        ax_const_write(&v->u.map.at[i], j);
    }
    ax_json_end(j);
}

void ax_const_write(const ax_value *v, ax_json *j)
{
    if (v->kind == AX_T_FLOAT) {
        write_float(v->u.f, j);
        return;
    }
    if (v->kind == AX_T_NULL || v->kind == AX_T_BOOL || v->kind == AX_T_INT || v->kind == AX_T_STRING) {
        ax_value_json(v, j);
        return;
    }
    ax_json_obj_flat(j);
    ax_json_key(j, ax_type_name(v->kind));
    if (v->kind == AX_T_LIST) write_list(v, j);
    else if (v->kind == AX_T_MAP) write_map(v, j);
    else ax_value_json(v, j);
    ax_json_end(j);
}

static ax_rc read_const(ax_arena *mem, const ax_value *json, ax_value *out, ax_err *err);

static ax_rc read_list(ax_arena *mem, const ax_value *json, ax_value *out, ax_err *err)
{
    if (json->kind != AX_T_LIST) return ax_fail(err, AX_INVALID, "a list constant wants an array");
    ax_value *items = AX_NEW_N(mem, ax_value, json->u.list.len);
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < json->u.list.len && !rc; i++)
        rc = read_const(mem, &json->u.list.at[i], &items[i], err);
    *out = (ax_value){.kind = AX_T_LIST, .u.list = {items, json->u.list.len}};
    return rc;
}

static ax_rc read_map(ax_arena *mem, const ax_value *json, ax_value *out, ax_err *err)
{
    if (json->kind != AX_T_MAP) return ax_fail(err, AX_INVALID, "a map constant wants an object");
    uint32_t len = json->u.map.len;
    ax_str *keys = AX_NEW_N(mem, ax_str, len);
    ax_value *items = AX_NEW_N(mem, ax_value, len);
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < len && !rc; i++) {
        keys[i] = ax_str_dup(mem, json->u.map.keys[i]);
        rc = read_const(mem, &json->u.map.at[i], &items[i], err);
    }
    *out = (ax_value){.kind = AX_T_MAP, .u.map = {keys, items, len}};
    return rc;
}

/* {"date": "2026-11-30"}. */
static ax_rc read_typed(ax_arena *mem, const ax_value *json, ax_value *out, ax_err *err)
{
    ax_type_kind kind;
    if (json->u.map.len != 1 || !ax_type_named(json->u.map.keys[0], &kind))
        return ax_fail(err, AX_INVALID, "an object as a constant has one key, the name of a type");
    const ax_value *inner = &json->u.map.at[0];
    if (kind == AX_T_LIST) return read_list(mem, inner, out, err);
    if (kind == AX_T_MAP) return read_map(mem, inner, out, err);
    if (inner->kind != AX_T_STRING || kind == AX_T_ANY)
        return ax_fail(err, AX_INVALID, "a constant of type %s wants a string", ax_type_name(kind));
    return ax_value_parse(mem, ax_type_of(kind, false), inner->u.s, out, err);
}

static ax_rc read_const(ax_arena *mem, const ax_value *json, ax_value *out, ax_err *err)
{
    if (json->kind == AX_T_MAP) return read_typed(mem, json, out, err);
    if (json->kind == AX_T_LIST) return ax_fail(err, AX_INVALID, "found an array, wanted a constant");
    *out = ax_value_dup(mem, json);
    return AX_OK;
}

ax_rc ax_const_read(ax_arena *mem, const ax_value *json, ax_value *out, ax_err *err)
{
    ax_rc rc = read_const(mem, json, out, err);
    if (!rc && !ax_value_is_shallow(out, AX_VALUE_DEPTH_MAX))
        rc = ax_fail(err, AX_INVALID, "a constant is nested more than %d deep", AX_VALUE_DEPTH_MAX);
    return rc;
}

/* ---- expressions: writing ---- */

/* How an operator is named in the document; NULL: it has a form of its own. */
static const char *const op_names[AX_X_KIND_COUNT] = {
    [AX_X_NEG] = "neg",   [AX_X_NOT] = "not",     [AX_X_OR] = "or",         [AX_X_AND] = "and",
    [AX_X_EQ] = "==",     [AX_X_NE] = "!=",       [AX_X_LT] = "<",          [AX_X_LE] = "<=",
    [AX_X_GT] = ">",      [AX_X_GE] = ">=",       [AX_X_IN] = "in",         [AX_X_ADD] = "+",
    [AX_X_SUB] = "-",     [AX_X_MUL] = "*",       [AX_X_DIV] = "/",         [AX_X_COND] = "if",
    [AX_X_LIST] = "list", [AX_X_INDEX] = "index", [AX_X_CONCAT] = "concat",
};

/* True if a op b op c is (a op b) op c, written as one array. */
static bool chains(ax_x_kind kind)
{
    return kind == AX_X_ADD || kind == AX_X_SUB || kind == AX_X_MUL || kind == AX_X_DIV || kind == AX_X_AND ||
           kind == AX_X_OR;
}

static void write_operands(const ax_plan *plan, const ax_def *def, const ax_expr *x, ax_json *j)
{
    uint32_t i = 0;
    if (chains((ax_x_kind)x->kind) && x->args[0]->kind == x->kind) {
        write_operands(plan, def, x->args[0], j);
        i = 1;
    }
    for (; i < x->arg_count; i++) ax_expr_write(plan, def, x->args[i], j);
}

/* The first items of the array: what it is, and the names that go with it. */
static void write_head(const ax_plan *plan, const ax_def *def, const ax_expr *x, ax_json *j)
{
    if (x->kind == AX_X_ROOT) {
        ax_json_cstr(j, "root");
        ax_json_cstr(j, ax_root_name(x->u.root));
    } else if (x->kind == AX_X_PARAM) {
        ax_json_cstr(j, "param");
        ax_json_str(j, plan->params[x->u.index].name);
    } else if (x->kind == AX_X_KEY) {
        ax_json_cstr(j, "key");
        ax_json_str(j, def->keys[x->u.index]);
    } else if (x->kind == AX_X_OUTPUT) {
        const ax_def *from = &plan->defs[x->u.output.def];
        ax_json_cstr(j, "output");
        ax_json_str(j, from->name);
        ax_json_str(j, from->outputs[x->u.output.output].name);
    } else if (x->kind == AX_X_CALL) {
        ax_json_cstr(j, "call");
        ax_json_cstr(j, ax_fn_rows[x->u.call.fn].name);
    } else {
        ax_json_cstr(j, op_names[x->kind]);
    }
}

void ax_expr_write(const ax_plan *plan, const ax_def *def, const ax_expr *x, ax_json *j)
{
    if (x->kind == AX_X_CONST) {
        ax_const_write(&x->u.value, j);
        return;
    }
    ax_json_arr_flat(j);
    write_head(plan, def, x, j);
    write_operands(plan, def, x, j);
    ax_json_end(j);
}

/* ---- expressions: reading ---- */

/* An array that is being read: its operator, the name behind it if there is one, and the operands. */
typedef struct {
    const ax_expr_names *names;
    ax_str name;
    ax_expr **args;
    uint32_t count;
} array;

typedef ax_rc (*read_fn)(const array *a, ax_expr **out, ax_err *err);

static ax_rc no_such(const char *what, ax_str name, ax_err *err)
{
    return ax_fail(err, AX_INVALID, "there is no %s '%.*s'", what, AX_STR(ax_str_slice(name, 0, 200)));
}

static ax_rc read_root(const array *a, ax_expr **out, ax_err *err)
{
    ax_root root = ax_root_named(a->name);
    if (root == AX_ROOT_COUNT) return no_such("root", a->name, err);
    *out = ax_expr_root(a->names->mem, root);
    return AX_OK;
}

static ax_rc read_param(const array *a, ax_expr **out, ax_err *err)
{
    uint32_t index = ax_map_get(a->names->param_names, a->name);
    if (index == AX_MAP_NONE) return no_such("parameter", a->name, err);
    *out = ax_expr_param(a->names->mem, index, a->names->plan->params[index].type);
    return AX_OK;
}

static ax_rc read_key(const array *a, ax_expr **out, ax_err *err)
{
    const ax_def *def = a->names->def;
    for (uint32_t i = 0; i < def->key_count; i++) {
        if (!ax_str_eq(def->keys[i], a->name)) continue;
        *out = ax_expr_key(a->names->mem, i, a->names->key_types[i]);
        return AX_OK;
    }
    return no_such("matrix key", a->name, err);
}

/* args[0] is the output's name; keys may follow. */
static ax_rc read_output(const array *a, ax_expr **out, ax_err *err)
{
    uint32_t index = ax_map_get(a->names->def_names, a->name), output = 0;
    if (index == AX_MAP_NONE) return no_such("task", a->name, err);
    const ax_def *def = &a->names->plan->defs[index];
    bool named = a->count > 0 && a->args[0]->kind == AX_X_CONST && a->args[0]->u.value.kind == AX_T_STRING;
    if (!named) return ax_fail(err, AX_INVALID, "an output wants the names of its task and of itself");
    ax_str name = a->args[0]->u.value.u.s;
    while (output < def->output_count && !ax_str_eq(def->outputs[output].name, name)) output++;
    if (output == def->output_count) return no_such("output", name, err);
    uint32_t keys = a->count - 1;
    if (keys > def->key_count)
        return ax_fail(err, AX_INVALID, "a copy of '%.*s' has %u keys, found %u", AX_STR(def->name),
                       def->key_count, keys);
    ax_type type = def->outputs[output].type;
    if (def->fan_out && (keys == 0 || keys < def->key_count))
        type = (ax_type){AX_T_LIST, &def->outputs[output].type, false};
    *out = ax_expr_output(a->names->mem, index, output, type, a->args + 1, keys);
    return AX_OK;
}

static ax_rc read_call(const array *a, ax_expr **out, ax_err *err)
{
    uint32_t fn = ax_fn_find(a->name);
    if (fn == UINT32_MAX) return no_such("function", a->name, err);
    return ax_expr_call(a->names->mem, fn, a->args, a->count, out, err);
}

/* Forms with a name behind their own. */
static const struct {
    const char *head;
    read_fn read;
    bool operands; /* may follow */
} forms[] = {
    {"root", read_root, false},    {"param", read_param, false}, {"key", read_key, false},
    {"output", read_output, true}, {"call", read_call, true},
};
#define FORM_COUNT (sizeof forms / sizeof *forms)

static bool takes(ax_x_kind kind, uint32_t count)
{
    if (kind == AX_X_NEG || kind == AX_X_NOT) return count == 1;
    if (kind == AX_X_COND) return count == 3;
    if (kind == AX_X_LIST || kind == AX_X_CONCAT) return true;
    return chains(kind) ? count >= 2 : count == 2;
}

static ax_rc read_op(const array *a, ax_str head, ax_expr **out, ax_err *err)
{
    int kind = 0;
    while (kind < AX_X_KIND_COUNT && (!op_names[kind] || !ax_str_is(head, op_names[kind]))) kind++;
    if (kind == AX_X_KIND_COUNT) return no_such("operator", head, err);
    if (!takes((ax_x_kind)kind, a->count))
        return ax_fail(err, AX_INVALID, "'%s' does not take %u operands", op_names[kind], a->count);
    if (!chains((ax_x_kind)kind))
        return ax_expr_op(a->names->mem, (ax_x_kind)kind, a->args, a->count, out, err);
    ax_expr *pair[2] = {a->args[0]};
    for (uint32_t i = 1; i < a->count; i++) {
        pair[1] = a->args[i];
        ax_rc rc = ax_expr_op(a->names->mem, (ax_x_kind)kind, pair, 2, &pair[0], err);
        if (rc) return rc;
    }
    *out = pair[0];
    return AX_OK;
}

static ax_rc read_array(const ax_expr_names *names, const ax_value *json, uint32_t depth, ax_expr **out,
                        ax_err *err);

static ax_rc read_any(const ax_expr_names *names, const ax_value *json, uint32_t depth, ax_expr **out,
                      ax_err *err)
{
    if (json->kind == AX_T_LIST) return read_array(names, json, depth, out, err);
    ax_value v;
    ax_rc rc = ax_const_read(names->mem, json, &v, err);
    if (!rc) *out = ax_expr_const(names->mem, v);
    return rc;
}

/* Reads the items of json from `first` on as operands. */
static ax_rc read_operands(array *a, const ax_value *json, uint32_t first, uint32_t depth, ax_err *err)
{
    a->count = json->u.list.len - first;
    a->args = AX_NEW_N(a->names->mem, ax_expr *, a->count);
    for (uint32_t i = 0; i < a->count; i++) {
        ax_rc rc = read_any(a->names, &json->u.list.at[first + i], depth + 1, &a->args[i], err);
        if (rc) return rc;
    }
    return AX_OK;
}

static ax_rc read_array(const ax_expr_names *names, const ax_value *json, uint32_t depth, ax_expr **out,
                        ax_err *err)
{
    const ax_value *items = json->u.list.at;
    if (json->u.list.len == 0 || items[0].kind != AX_T_STRING)
        return ax_fail(err, AX_INVALID,
                       "an expression is a constant, or an array that begins with an operator");
    if (depth > AX_EXPR_DEPTH_MAX) return ax_fail(err, AX_INVALID, "the expression is nested too deeply");
    array a = {.names = names};
    size_t form = 0;
    while (form < FORM_COUNT && !ax_str_is(items[0].u.s, forms[form].head)) form++;
    bool named = form < FORM_COUNT;
    if (named && (json->u.list.len < 2 || items[1].kind != AX_T_STRING))
        return ax_fail(err, AX_INVALID, "'%s' wants a name", forms[form].head);
    if (named && !forms[form].operands && json->u.list.len > 2)
        return ax_fail(err, AX_INVALID, "'%s' takes a name only", forms[form].head);
    ax_rc rc = read_operands(&a, json, named ? 2 : 1, depth, err);
    if (rc) return rc;
    if (!named) return read_op(&a, items[0].u.s, out, err);
    a.name = items[1].u.s;
    return forms[form].read(&a, out, err);
}

ax_rc ax_expr_read(const ax_expr_names *names, const ax_value *json, ax_expr **out, ax_err *err)
{
    return read_any(names, json, 1, out, err);
}
