/* expr_op.h - the binary operators and negation: one table of what goes together, used for types and for
 * values. */
#ifndef AX_MODEL_EXPR_OP_H
#define AX_MODEL_EXPR_OP_H

#include "dsl/model/expr.h"

/* Computes a op b (negation: a is NULL); both are of the kinds in the row. */
typedef ax_rc (*ax_op_eval)(const ax_value *a, const ax_value *b, ax_arena *mem, ax_value *out, ax_err *err);

typedef struct {
    ax_x_kind op;
    ax_type_kind left; /* negation: NULL */
    ax_type_kind right;
    ax_type_kind result;
    ax_op_eval eval;
} ax_op_row;

/* The row for operands of these kinds, or NULL. ANY finds a row that takes the other operand. */
const ax_op_row *ax_op_find(ax_x_kind op, ax_type_kind left, ax_type_kind right);
/* True if == has a meaning for the two kinds; ANY and null go with everything. */
bool ax_op_equatable(ax_type_kind left, ax_type_kind right);
/* True if < has a meaning for the two kinds; ANY goes with every ordered kind. */
bool ax_op_ordered(ax_type_kind left, ax_type_kind right);
/* a op b for every operator with two operands but `and` and `or`; for negation a is NULL. AX_INVALID: wrong
 * kinds, null, overflow, division by zero. */
ax_rc ax_op_apply(ax_x_kind op, const ax_value *a, const ax_value *b, ax_arena *mem, ax_value *out,
                  ax_err *err);
/* Fills err with why the types do not go together ("cannot add a date and an int") and what to do. */
ax_rc ax_op_mismatch(ax_x_kind op, const ax_type *left, const ax_type *right, ax_err *err);
/* "an int", "a list(string)". */
void ax_type_article(const ax_type *type, ax_buf *out);

#endif
