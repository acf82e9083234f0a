/* expr_bind.c - see expr_bind.h. Recursion is as deep as the tree, which is bounded (AX_EXPR_DEPTH_MAX). */
#include "dsl/model/expr_bind.h"

typedef struct {
    const ax_known *known;
    ax_arena *mem;
    ax_err *err;
} binder;

static ax_rc bind(const binder *b, const ax_expr *x, ax_expr **out);

/* A leaf that is known becomes its value. */
static ax_rc bind_leaf(const binder *b, const ax_expr *x, ax_expr **out)
{
    ax_value value;
    ax_rc rc = ax_expr_eval(x, b->known->scope, b->mem, &value, b->err);
    if (!rc) *out = ax_expr_const(b->mem, value);
    return rc;
}

/* The same for an operand that may never be looked at: if a part of it has no value, it stays as it is. */
static ax_expr *bind_branch(const binder *b, ax_expr *x)
{
    ax_err ignored;
    const binder quiet = {b->known, b->mem, &ignored};
    ax_expr *out;
    return bind(&quiet, x, &out) ? x : out;
}

static bool is_bool(const ax_expr *x, bool value)
{
    return x->kind == AX_X_CONST && x->u.value.kind == AX_T_BOOL && x->u.value.u.b == value;
}

/* `and` and `or`: the operand that decides, or the one that is left. One that decides only behind an unknown
 * one does not, because that one might have no value. */
static ax_rc bind_logic(const binder *b, const ax_expr *x, ax_expr **out)
{
    bool decides = x->kind == AX_X_OR;
    ax_expr *args[2];
    ax_rc rc = bind(b, x->args[0], &args[0]);
    if (rc) return rc;
    *out = args[0];
    if (is_bool(args[0], decides)) return AX_OK;
    if (is_bool(args[0], !decides)) return bind(b, x->args[1], out);
    args[1] = bind_branch(b, x->args[1]);
    if (is_bool(args[1], !decides)) return AX_OK;
    return ax_expr_op(b->mem, (ax_x_kind)x->kind, args, 2, out, b->err);
}

static ax_rc bind_cond(const binder *b, const ax_expr *x, ax_expr **out)
{
    ax_expr *args[3];
    ax_rc rc = bind(b, x->args[0], &args[0]);
    if (rc) return rc;
    if (is_bool(args[0], true)) return bind(b, x->args[1], out);
    if (is_bool(args[0], false)) return bind(b, x->args[2], out);
    for (uint32_t i = 1; i < 3; i++) args[i] = bind_branch(b, x->args[i]);
    return ax_expr_op(b->mem, AX_X_COND, args, 3, out, b->err);
}

/* A known part of a text, as text, so that it is shown as it will be read. */
static ax_expr *as_text(const binder *b, ax_expr *x)
{
    bool is_value = x->kind == AX_X_CONST && x->u.value.kind != AX_T_STRING && x->u.value.kind != AX_T_NULL;
    if (!is_value) return x;
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    ax_value_text(&x->u.value, &text);
    ax_value value = {.kind = AX_T_STRING, .u.s = ax_str_dup(b->mem, ax_buf_str(&text))};
    bool is_whole = !text.full;
    ax_buf_free(&text);
    return is_whole ? ax_expr_const(b->mem, value) : x;
}

static ax_rc bind_args(const binder *b, const ax_expr *x, ax_expr **out)
{
    ax_expr **args = AX_NEW_N(b->mem, ax_expr *, x->arg_count);
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < x->arg_count && !rc; i++) rc = bind(b, x->args[i], &args[i]);
    if (rc) return rc;
    for (uint32_t i = 0; x->kind == AX_X_CONCAT && i < x->arg_count; i++) args[i] = as_text(b, args[i]);
    if (x->kind == AX_X_CALL) return ax_expr_call(b->mem, x->u.call.fn, args, x->arg_count, out, b->err);
    if (x->kind != AX_X_OUTPUT)
        return ax_expr_op(b->mem, (ax_x_kind)x->kind, args, x->arg_count, out, b->err);
    *out = ax_expr_output(b->mem, x->u.output.def, x->u.output.output, x->type, args, x->arg_count);
    return AX_OK;
}

static ax_rc bind(const binder *b, const ax_expr *x, ax_expr **out)
{
    *out = (ax_expr *)(uintptr_t)x;
    switch ((ax_x_kind)x->kind) {
    case AX_X_CONST: return AX_OK;
    case AX_X_ROOT: return b->known->roots >> x->u.root & 1 ? bind_leaf(b, x, out) : AX_OK;
    case AX_X_PARAM: return b->known->scope->params ? bind_leaf(b, x, out) : AX_OK;
    case AX_X_KEY: return b->known->scope->keys ? bind_leaf(b, x, out) : AX_OK;
    case AX_X_OR:
    case AX_X_AND: return bind_logic(b, x, out);
    case AX_X_COND: return bind_cond(b, x, out);
    case AX_X_OUTPUT:
    case AX_X_NEG:
    case AX_X_NOT:
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
    case AX_X_DIV:
    case AX_X_CALL:
    case AX_X_LIST:
    case AX_X_INDEX:
    case AX_X_CONCAT:
    case AX_X_KIND_COUNT: break;
    }
    return bind_args(b, x, out);
}

ax_rc ax_expr_bind(const ax_expr *x, const ax_known *known, ax_arena *mem, const ax_expr **out, ax_err *err)
{
    const binder b = {known, mem, err};
    ax_expr *bound;
    ax_rc rc = bind(&b, x, &bound);
    if (!rc) *out = bound;
    return rc;
}
