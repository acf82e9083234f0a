/* expr_op.c - what the operators compute, as a table of operand kinds.
 *
 * Ints stay ints but in a division, which is exact: 7 / 2 is 3.5. Dates take durations of whole days only.
 */
#include "dsl/model/expr_op.h"

#include <math.h>
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/model/units.h"

/* ---- results ---- */

static ax_rc too_large(ax_type_kind kind, ax_err *err)
{
    return ax_fail(err, AX_INVALID, "the result is too large for %s %s", kind == AX_T_INT ? "an" : "a",
                   ax_type_name(kind));
}

static ax_rc give_bool(bool b, ax_value *out)
{
    *out = (ax_value){.kind = AX_T_BOOL, .u.b = b};
    return AX_OK;
}

/* A whole number of that kind, if it did not overflow and the kind has such values. */
static ax_rc give_whole(ax_type_kind kind, bool overflow, int64_t n, ax_value *out, ax_err *err)
{
    /* The least duration has no text form without its sign. */
    if (overflow || (kind == AX_T_DURATION && n == INT64_MIN)) return too_large(kind, err);
    if (kind == AX_T_SIZE && n < 0) return ax_fail(err, AX_INVALID, "the result is a size below zero");
    if (kind == AX_T_DATE && (n < AX_DATE_MIN || n > AX_DATE_MAX))
        return ax_fail(err, AX_INVALID, "the result is outside the years 1 to 9999");
    if (kind == AX_T_INSTANT && (n < AX_INSTANT_MIN || n > AX_INSTANT_MAX))
        return ax_fail(err, AX_INVALID, "the result is outside the years 1 to 9999");
    *out = (ax_value){.kind = kind, .u.i = n};
    return AX_OK;
}

static ax_rc give_float(double d, ax_value *out, ax_err *err)
{
    if (!isfinite(d)) return too_large(AX_T_FLOAT, err);
    *out = (ax_value){.kind = AX_T_FLOAT, .u.f = d};
    return AX_OK;
}

/* The number nearest to d as a whole number of that kind. */
static ax_rc give_rounded(ax_type_kind kind, double d, ax_value *out, ax_err *err)
{
    bool fits = d > -0x1p63 && d < 0x1p63;
    return give_whole(kind, !fits, fits ? (int64_t)llround(d) : 0, out, err);
}

static double number(const ax_value *v)
{
    return v->kind == AX_T_FLOAT ? v->u.f : (double)v->u.i;
}

/* ---- evaluators: whole, where both operands and the result are of one kind; then what mixes kinds ---- */

#define EVAL(name)                                                                                           \
    static ax_rc name(const ax_value *a, const ax_value *b, ax_arena *mem, ax_value *out, ax_err *err)

EVAL(add_whole)
{
    (void)mem;
    int64_t n = 0;
    bool overflow = __builtin_add_overflow(a->u.i, b->u.i, &n);
    return give_whole(a->kind, overflow, n, out, err);
}

EVAL(sub_whole)
{
    (void)mem;
    int64_t n = 0;
    bool overflow = __builtin_sub_overflow(a->u.i, b->u.i, &n);
    return give_whole(a->kind, overflow, n, out, err);
}

/* int * int, and a quantity times an int in either order. */
EVAL(mul_whole)
{
    (void)mem;
    int64_t n = 0;
    bool overflow = __builtin_mul_overflow(a->u.i, b->u.i, &n);
    return give_whole(a->kind == AX_T_INT ? b->kind : a->kind, overflow, n, out, err);
}

EVAL(add_float)
{
    (void)mem;
    return give_float(number(a) + number(b), out, err);
}

EVAL(sub_float)
{
    (void)mem;
    return give_float(number(a) - number(b), out, err);
}

EVAL(mul_float)
{
    (void)mem;
    return give_float(number(a) * number(b), out, err);
}

/* Numbers, and the ratio of two durations or sizes. */
EVAL(div_float)
{
    (void)mem;
    if (number(b) == 0) return ax_fail(err, AX_INVALID, "division by zero");
    return give_float(number(a) / number(b), out, err);
}

/* A quantity times or by a number, rounded to its own smallest unit. */
EVAL(mul_quantity)
{
    (void)mem;
    bool first = a->kind != AX_T_FLOAT;
    return give_rounded(first ? a->kind : b->kind, number(a) * number(b), out, err);
}

EVAL(div_quantity)
{
    (void)mem;
    if (number(b) == 0) return ax_fail(err, AX_INVALID, "division by zero");
    if (b->kind == AX_T_FLOAT) return give_rounded(a->kind, number(a) / b->u.f, out, err);
    if (b->u.i == -1)
        return give_whole(a->kind, a->u.i == INT64_MIN, a->u.i == INT64_MIN ? 0 : -a->u.i, out, err);
    return give_whole(a->kind, false, a->u.i / b->u.i, out, err);
}

EVAL(neg_whole)
{
    (void)a, (void)mem;
    int64_t n = 0;
    bool overflow = __builtin_sub_overflow((int64_t)0, b->u.i, &n);
    return give_whole(b->kind, overflow, n, out, err);
}

EVAL(neg_float)
{
    (void)a, (void)mem;
    return give_float(-b->u.f, out, err);
}

EVAL(add_string)
{
    size_t len = a->u.s.len + b->u.s.len;
    if (len > AX_VALUE_TEXT_MAX) return ax_fail(err, AX_INVALID, "the text is longer than 1 MiB");
    char *text = AX_NEW_N(mem, char, len + 1);
    if (a->u.s.len) memcpy(text, a->u.s.ptr, a->u.s.len);
    if (b->u.s.len) memcpy(text + a->u.s.len, b->u.s.ptr, b->u.s.len);
    *out = (ax_value){.kind = AX_T_STRING, .u.s = {text, len}};
    return AX_OK;
}

/* Moves a date by a duration, forward or back. */
static ax_rc move_date(const ax_value *date, int64_t ms, int sign, ax_value *out, ax_err *err)
{
    if (ms % AX_DAY_MS) {
        ax_fail(err, AX_INVALID, "a date takes durations of whole days only");
        ax_err_help(err, "scheduled_at has a time of day");
        return AX_INVALID;
    }
    int64_t days = 0;
    bool overflow = __builtin_add_overflow(date->u.i, sign * (ms / AX_DAY_MS), &days);
    return give_whole(AX_T_DATE, overflow, days, out, err);
}

EVAL(add_date)
{
    (void)mem;
    return a->kind == AX_T_DATE ? move_date(a, b->u.i, 1, out, err) : move_date(b, a->u.i, 1, out, err);
}

EVAL(sub_date_duration)
{
    (void)mem;
    return move_date(a, b->u.i, -1, out, err);
}

EVAL(sub_dates)
{
    (void)mem;
    int64_t ms = 0;
    bool overflow = __builtin_mul_overflow(a->u.i - b->u.i, AX_DAY_MS, &ms);
    return give_whole(AX_T_DURATION, overflow, ms, out, err);
}

EVAL(add_instant)
{
    (void)mem;
    int64_t n = 0;
    bool overflow = __builtin_add_overflow(a->u.i, b->u.i, &n);
    return give_whole(AX_T_INSTANT, overflow, n, out, err);
}

EVAL(sub_instants)
{
    (void)mem;
    int64_t n = 0;
    bool overflow = __builtin_sub_overflow(a->u.i, b->u.i, &n);
    return give_whole(AX_T_DURATION, overflow, n, out, err);
}

EVAL(in_range)
{
    (void)mem, (void)err;
    return give_bool(a->u.i >= b->u.range.from && a->u.i <= b->u.range.to, out);
}

/* ---- the table ---- */

#define ROW(op, left, right, result, eval)                                                                   \
    {                                                                                                        \
        AX_X_##op, AX_T_##left, AX_T_##right, AX_T_##result, eval                                            \
    }
static const ax_op_row rows[] = {
    ROW(ADD, INT, INT, INT, add_whole),
    ROW(ADD, INT, FLOAT, FLOAT, add_float),
    ROW(ADD, FLOAT, INT, FLOAT, add_float),
    ROW(ADD, FLOAT, FLOAT, FLOAT, add_float),
    ROW(ADD, STRING, STRING, STRING, add_string),
    ROW(ADD, DURATION, DURATION, DURATION, add_whole),
    ROW(ADD, SIZE, SIZE, SIZE, add_whole),
    ROW(ADD, DATE, DURATION, DATE, add_date),
    ROW(ADD, DURATION, DATE, DATE, add_date),
    ROW(ADD, INSTANT, DURATION, INSTANT, add_instant),
    ROW(ADD, DURATION, INSTANT, INSTANT, add_instant),

    ROW(SUB, INT, INT, INT, sub_whole),
    ROW(SUB, INT, FLOAT, FLOAT, sub_float),
    ROW(SUB, FLOAT, INT, FLOAT, sub_float),
    ROW(SUB, FLOAT, FLOAT, FLOAT, sub_float),
    ROW(SUB, DURATION, DURATION, DURATION, sub_whole),
    ROW(SUB, SIZE, SIZE, SIZE, sub_whole),
    ROW(SUB, DATE, DURATION, DATE, sub_date_duration),
    ROW(SUB, DATE, DATE, DURATION, sub_dates),
    ROW(SUB, INSTANT, DURATION, INSTANT, sub_whole),
    ROW(SUB, INSTANT, INSTANT, DURATION, sub_instants),

    ROW(MUL, INT, INT, INT, mul_whole),
    ROW(MUL, INT, FLOAT, FLOAT, mul_float),
    ROW(MUL, FLOAT, INT, FLOAT, mul_float),
    ROW(MUL, FLOAT, FLOAT, FLOAT, mul_float),
    ROW(MUL, DURATION, INT, DURATION, mul_whole),
    ROW(MUL, INT, DURATION, DURATION, mul_whole),
    ROW(MUL, DURATION, FLOAT, DURATION, mul_quantity),
    ROW(MUL, FLOAT, DURATION, DURATION, mul_quantity),
    ROW(MUL, SIZE, INT, SIZE, mul_whole),
    ROW(MUL, INT, SIZE, SIZE, mul_whole),
    ROW(MUL, SIZE, FLOAT, SIZE, mul_quantity),
    ROW(MUL, FLOAT, SIZE, SIZE, mul_quantity),

    ROW(DIV, INT, INT, FLOAT, div_float),
    ROW(DIV, INT, FLOAT, FLOAT, div_float),
    ROW(DIV, FLOAT, INT, FLOAT, div_float),
    ROW(DIV, FLOAT, FLOAT, FLOAT, div_float),
    ROW(DIV, DURATION, INT, DURATION, div_quantity),
    ROW(DIV, DURATION, FLOAT, DURATION, div_quantity),
    ROW(DIV, DURATION, DURATION, FLOAT, div_float),
    ROW(DIV, SIZE, INT, SIZE, div_quantity),
    ROW(DIV, SIZE, FLOAT, SIZE, div_quantity),
    ROW(DIV, SIZE, SIZE, FLOAT, div_float),

    ROW(NEG, NULL, INT, INT, neg_whole),
    ROW(NEG, NULL, FLOAT, FLOAT, neg_float),
    ROW(NEG, NULL, DURATION, DURATION, neg_whole),

    ROW(IN, INT, RANGE, BOOL, in_range),
};
#undef ROW
#define ROW_COUNT (sizeof rows / sizeof *rows)

const ax_op_row *ax_op_find(ax_x_kind op, ax_type_kind left, ax_type_kind right)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].op != op) continue;
        if (left != AX_T_ANY && rows[i].left != left) continue;
        if (right != AX_T_ANY && rows[i].right != right) continue;
        return &rows[i];
    }
    return NULL;
}

/* ---- comparisons ---- */

static bool is_number(ax_type_kind kind)
{
    return kind == AX_T_INT || kind == AX_T_FLOAT;
}

static bool is_same(ax_type_kind left, ax_type_kind right)
{
    return left == right || (is_number(left) && is_number(right));
}

bool ax_op_equatable(ax_type_kind left, ax_type_kind right)
{
    return is_same(left, right) || left == AX_T_ANY || right == AX_T_ANY || left == AX_T_NULL ||
           right == AX_T_NULL;
}

bool ax_op_ordered(ax_type_kind left, ax_type_kind right)
{
    static const bool ordered[AX_T_COUNT] = {
        [AX_T_INT] = true,     [AX_T_FLOAT] = true, [AX_T_STRING] = true, [AX_T_DURATION] = true,
        [AX_T_SIZE] = true,    [AX_T_DATE] = true,  [AX_T_TIME] = true,   [AX_T_PERCENT] = true,
        [AX_T_INSTANT] = true, [AX_T_ANY] = true,
    };
    bool any = left == AX_T_ANY || right == AX_T_ANY;
    return ordered[left] && ordered[right] && (any || is_same(left, right));
}

static ax_rc compare(ax_x_kind op, const ax_value *a, const ax_value *b, ax_value *out)
{
    int order = ax_value_cmp(a, b);
    bool holds = op == AX_X_LT   ? order < 0
                 : op == AX_X_LE ? order <= 0
                 : op == AX_X_GT ? order > 0
                                 : order >= 0;
    return give_bool(holds, out);
}

static ax_rc find_in_list(const ax_value *a, const ax_value *list, ax_value *out)
{
    for (uint32_t i = 0; i < list->u.list.len; i++)
        if (ax_value_eq(a, &list->u.list.at[i])) return give_bool(true, out);
    return give_bool(false, out);
}

ax_rc ax_op_apply(ax_x_kind op, const ax_value *a, const ax_value *b, ax_arena *mem, ax_value *out,
                  ax_err *err)
{
    static const ax_value nothing = {.kind = AX_T_NULL};
    bool negation = op == AX_X_NEG;
    if (negation) a = &nothing;
    if (op == AX_X_EQ || op == AX_X_NE) {
        if (ax_op_equatable(a->kind, b->kind)) return give_bool(ax_value_eq(a, b) == (op == AX_X_EQ), out);
    } else if ((!negation && a->kind == AX_T_NULL) || b->kind == AX_T_NULL) {
        return ax_fail(err, AX_INVALID, "a null where a value is needed");
    } else if (op == AX_X_LT || op == AX_X_LE || op == AX_X_GT || op == AX_X_GE) {
        if (ax_op_ordered(a->kind, b->kind)) return compare(op, a, b, out);
    } else if (op == AX_X_IN && b->kind == AX_T_LIST) {
        return find_in_list(a, b, out);
    } else {
        const ax_op_row *row = ax_op_find(op, a->kind, b->kind);
        if (row) return row->eval(a, b, mem, out, err);
    }
    ax_type left = ax_value_type(a), right = ax_value_type(b);
    return ax_op_mismatch(op, &left, &right, err);
}

/* ---- messages ---- */

void ax_type_article(const ax_type *type, ax_buf *out)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_str name = ax_type_text(&mem, type);
    if (type->kind != AX_T_NULL) ax_buf_adds(out, memchr("aeiou", name.ptr[0], 5) ? "an " : "a ");
    ax_buf_add(out, name);
    ax_arena_free(&mem);
}

typedef struct {
    const char *before, *between;
    bool swapped; /* the right operand is named first */
} wording;

static const wording wordings[AX_X_KIND_COUNT] = {
    [AX_X_ADD] = {"add", "and", false},     [AX_X_SUB] = {"subtract", "from", true},
    [AX_X_MUL] = {"multiply", "by", false}, [AX_X_DIV] = {"divide", "by", false},
    [AX_X_EQ] = {"compare", "with", false}, [AX_X_NE] = {"compare", "with", false},
    [AX_X_LT] = {"compare", "with", false}, [AX_X_LE] = {"compare", "with", false},
    [AX_X_GT] = {"compare", "with", false}, [AX_X_GE] = {"compare", "with", false},
    [AX_X_IN] = {"look for", "in", false},  [AX_X_NEG] = {"negate", "", true},
};

static bool either_is(const ax_type *left, const ax_type *right, ax_type_kind kind)
{
    return left->kind == kind || right->kind == kind;
}

static const char *advice(ax_x_kind op, const ax_type *left, const ax_type *right)
{
    if ((op == AX_X_ADD || op == AX_X_SUB) && either_is(left, right, AX_T_INT)) {
        if (either_is(left, right, AX_T_DATE)) return "write days with their unit: date - 1d";
        if (either_is(left, right, AX_T_DURATION)) return "give the number a unit: 30s";
    }
    if (op == AX_X_ADD && either_is(left, right, AX_T_STRING)) return "put values into text with {{ }}";
    if (op == AX_X_IN) return "the right side is a list, or a range with an int on the left";
    return NULL;
}

ax_rc ax_op_mismatch(ax_x_kind op, const ax_type *left, const ax_type *right, ax_err *err)
{
    const wording *w = &wordings[op];
    ax_buf first = AX_BUF_INIT(256), second = AX_BUF_INIT(256);
    ax_type_article(w->swapped ? right : left, &first);
    if (op != AX_X_NEG) ax_type_article(w->swapped ? left : right, &second);
    ax_fail(err, AX_INVALID, "cannot %s %s%s%s%s%s", w->before, first.ptr, *w->between ? " " : "", w->between,
            second.len ? " " : "", second.len ? second.ptr : "");
    const char *help = advice(op, left, right);
    if (help) ax_err_help(err, "%s", help);
    ax_buf_free(&first);
    ax_buf_free(&second);
    return AX_INVALID;
}
