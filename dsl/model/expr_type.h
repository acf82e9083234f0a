/* expr_type.h - static types: what an operator or function makes of operands of given types.
 *
 * An operand of type ANY fits everywhere and is looked at when the expression is evaluated. A nullable
 * operand fits only where null has a meaning (==, !=, coalesce, json, a branch of `if`, an item of a list).
 */
#ifndef AX_MODEL_EXPR_TYPE_H
#define AX_MODEL_EXPR_TYPE_H

#include "dsl/base/err.h"
#include "dsl/model/expr.h"

/* The type of `kind` over operands of these types. AX_INVALID: "cannot compare a date with an int". */
ax_rc ax_type_of_op(ax_x_kind kind, const ax_type *args, uint32_t count, ax_type *out, ax_err *err);
/* AX_INVALID if function fn does not take that type as argument `arg`. */
ax_rc ax_type_of_arg(uint32_t fn, uint32_t arg, const ax_type *type, ax_err *err);
/* The type of a call of function fn. AX_INVALID: wrong number or type of arguments. */
ax_rc ax_type_of_call(uint32_t fn, const ax_type *args, uint32_t count, ax_type *out, ax_err *err);

#endif
