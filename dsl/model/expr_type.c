/* expr_type.c - static types of operators and calls, from the tables of expr_op and expr_fn. */
#include "dsl/model/expr_type.h"

#include "dsl/base/assert.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/expr_op.h"

/* "the condition wants a bool, found an int". */
static ax_rc wants(ax_err *err, const char *who, const char *wanted, const ax_type *found)
{
    ax_buf text = AX_BUF_INIT(256);
    ax_type_article(found, &text);
    ax_fail(err, AX_INVALID, "%s wants %s, found %s", who, wanted, text.ptr);
    ax_buf_free(&text);
    return AX_INVALID;
}

static ax_rc is_missing(ax_err *err)
{
    ax_fail(err, AX_INVALID, "the value may be missing here");
    ax_err_help(err, "say what stands for it: coalesce(value, other)");
    return AX_INVALID;
}

static ax_rc check_bools(const char *who, const ax_type *args, uint32_t count, ax_err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (args[i].nullable) return is_missing(err);
        if (args[i].kind != AX_T_BOOL && args[i].kind != AX_T_ANY) return wants(err, who, "a bool", &args[i]);
    }
    return AX_OK;
}

static bool goes_in(const ax_type *left, const ax_type *right)
{
    if (right->kind == AX_T_ANY) return true;
    if (right->kind == AX_T_LIST) return !right->of || ax_op_equatable(left->kind, right->of->kind);
    return ax_op_find(AX_X_IN, left->kind, right->kind) != NULL;
}

static ax_rc type_of_binary(ax_x_kind kind, const ax_type *left, const ax_type *right, ax_type *out,
                            ax_err *err)
{
    bool equality = kind == AX_X_EQ || kind == AX_X_NE;
    bool order = kind == AX_X_LT || kind == AX_X_LE || kind == AX_X_GT || kind == AX_X_GE;
    if (!equality && (left->nullable || right->nullable)) return is_missing(err);
    if (equality || order || kind == AX_X_IN) {
        bool fits = equality ? ax_op_equatable(left->kind, right->kind)
                    : order  ? ax_op_ordered(left->kind, right->kind)
                             : goes_in(left, right);
        *out = *ax_type_of(AX_T_BOOL, false);
        return fits ? AX_OK : ax_op_mismatch(kind, left, right, err);
    }
    const ax_op_row *row = ax_op_find(kind, left->kind, right->kind);
    if (!row) return ax_op_mismatch(kind, left, right, err);
    bool known = left->kind != AX_T_ANY && right->kind != AX_T_ANY;
    *out = *ax_type_of(known ? row->result : AX_T_ANY, false);
    return AX_OK;
}

static ax_rc type_of_neg(const ax_type *arg, ax_type *out, ax_err *err)
{
    if (arg->nullable) return is_missing(err);
    *out = *arg;
    return ax_op_find(AX_X_NEG, AX_T_NULL, arg->kind) ? AX_OK : ax_op_mismatch(AX_X_NEG, arg, arg, err);
}

static ax_rc type_of_cond(const ax_type *args, ax_type *out, ax_err *err)
{
    ax_rc rc = check_bools("the condition", args, 1, err);
    if (rc || ax_type_join(&args[1], &args[2], out)) return rc;
    ax_buf one = AX_BUF_INIT(256), other = AX_BUF_INIT(256);
    ax_type_article(&args[1], &one);
    ax_type_article(&args[2], &other);
    ax_fail(err, AX_INVALID, "one branch is %s, the other %s", one.ptr, other.ptr);
    ax_buf_free(&one);
    ax_buf_free(&other);
    return AX_INVALID;
}

static void type_of_list(const ax_type *args, uint32_t count, ax_type *out)
{
    *out = *ax_type_of(AX_T_LIST, false);
    if (count == 0) return;
    ax_type of = args[0];
    for (uint32_t i = 1; i < count; i++) {
        if (!ax_type_join(&of, &args[i], &of)) return;
    }
    out->of = ax_type_of(of.kind, of.nullable);
}

static ax_rc type_of_index(const ax_type *base, const ax_type *index, ax_type *out, ax_err *err)
{
    if (base->nullable || index->nullable) return is_missing(err);
    *out = *ax_type_of(AX_T_ANY, false);
    if (base->kind == AX_T_LIST) {
        if (base->of) *out = *base->of;
        bool fits = index->kind == AX_T_INT || index->kind == AX_T_ANY;
        return fits ? AX_OK : wants(err, "the index of a list", "an int", index);
    }
    if (base->kind == AX_T_MAP) {
        bool fits = index->kind == AX_T_STRING || index->kind == AX_T_ANY;
        return fits ? AX_OK : wants(err, "the key of a map", "a string", index);
    }
    return base->kind == AX_T_ANY ? AX_OK : wants(err, "an index", "a list or a map before it", base);
}

static ax_rc type_of_concat(const ax_type *args, uint32_t count, ax_type *out, ax_err *err)
{
    for (uint32_t i = 0; i < count; i++)
        if (args[i].nullable) return is_missing(err);
    *out = *ax_type_of(AX_T_STRING, false);
    return AX_OK;
}

ax_rc ax_type_of_op(ax_x_kind kind, const ax_type *args, uint32_t count, ax_type *out, ax_err *err)
{
    switch (kind) {
    case AX_X_NEG: AX_ASSERT(count == 1); return type_of_neg(&args[0], out, err);
    case AX_X_NOT:
    case AX_X_AND:
    case AX_X_OR:
        AX_ASSERT(count == (kind == AX_X_NOT ? 1 : 2));
        *out = *ax_type_of(AX_T_BOOL, false);
        return check_bools(kind == AX_X_NOT   ? "'not'"
                           : kind == AX_X_AND ? "'and'"
                                              : "'or'",
                           args, count, err);
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
    case AX_X_DIV: AX_ASSERT(count == 2); return type_of_binary(kind, &args[0], &args[1], out, err);
    case AX_X_COND: AX_ASSERT(count == 3); return type_of_cond(args, out, err);
    case AX_X_LIST: type_of_list(args, count, out); return AX_OK;
    case AX_X_INDEX: AX_ASSERT(count == 2); return type_of_index(&args[0], &args[1], out, err);
    case AX_X_CONCAT: return type_of_concat(args, count, out, err);
    case AX_X_CONST:
    case AX_X_ROOT:
    case AX_X_PARAM:
    case AX_X_KEY:
    case AX_X_OUTPUT:
    case AX_X_CALL:
    case AX_X_KIND_COUNT: break;
    }
    AX_UNREACHABLE();
}

/* ---- calls ---- */

static ax_rc check_count(const ax_fn_row *fn, uint32_t count, ax_err *err)
{
    if (count >= fn->args_min && (count <= fn->args_max || fn->args_max == AX_FN_ANY_NUMBER)) return AX_OK;
    ax_fail(err, AX_INVALID, "%s takes %s%u argument%s, found %u", fn->name,
            fn->args_max == AX_FN_ANY_NUMBER ? "at least " : "", fn->args_min, fn->args_min == 1 ? "" : "s",
            count);
    ax_err_help(err, "%s", fn->usage);
    return AX_INVALID;
}

ax_rc ax_type_of_arg(uint32_t fn, uint32_t arg, const ax_type *type, ax_err *err)
{
    const ax_fn_row *row = &ax_fn_rows[fn];
    const ax_fn_param *param = ax_fn_param_at(fn, arg);
    if (type->nullable && !param->nullable) return is_missing(err);
    if (type->kind == AX_T_ANY || type->kind == AX_T_NULL || param->kinds & AX_KINDS_OF(type->kind))
        return AX_OK;
    ax_buf found = AX_BUF_INIT(256);
    ax_type_article(type, &found);
    ax_fail(err, AX_INVALID, "%s does not take %s here", row->name, found.ptr);
    ax_err_help(err, "%s", row->usage);
    ax_buf_free(&found);
    return AX_INVALID;
}

/* What all arguments have in common; null only if all may be, since coalesce takes the first that is not. */
static ax_rc join_args(const ax_fn_row *fn, const ax_type *args, uint32_t count, ax_type *out, ax_err *err)
{
    *out = args[0];
    bool nullable = args[0].nullable;
    for (uint32_t i = 1; i < count; i++) {
        nullable = nullable && args[i].nullable;
        if (!ax_type_join(out, &args[i], out))
            return ax_fail(err, AX_INVALID, "the arguments of %s are not of one type", fn->name);
    }
    out->nullable = nullable;
    return AX_OK;
}

ax_rc ax_type_of_call(uint32_t fn, const ax_type *args, uint32_t count, ax_type *out, ax_err *err)
{
    const ax_fn_row *row = &ax_fn_rows[fn];
    ax_rc rc = check_count(row, count, err);
    for (uint32_t i = 0; !rc && i < count; i++) rc = ax_type_of_arg(fn, i, &args[i], err);
    if (rc) return rc;
    if (row->result == AX_T_ANY) return join_args(row, args, count, out, err);
    *out = *ax_type_of(row->result, false);
    if (row->result == AX_T_LIST) out->of = ax_type_of(row->of, false);
    return AX_OK;
}
