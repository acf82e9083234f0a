/* expr_bind.h - what is left of an expression when a part of what it may see is known.
 *
 * For plans and previews: before a run starts, its date and parameters are known and outputs are not. What
 * depends only on known values becomes a constant; the rest keeps its form and can be shown.
 */
#ifndef AX_MODEL_EXPR_BIND_H
#define AX_MODEL_EXPR_BIND_H

#include "dsl/base/err.h"
#include "dsl/model/expr.h"

/* What is known. Outputs never are. */
typedef struct {
    const ax_scope *scope;
    uint32_t roots; /* bit r: ax_root r is; also scope's params and keys, unless NULL */
} ax_known;

/* x with all that is known put in, in mem; it shares what needs no change. `and`, `or` and `if` are decided
 * as soon as what is known decides them. AX_INVALID: a known part has no value (division by zero, …). */
ax_rc ax_expr_bind(const ax_expr *x, const ax_known *known, ax_arena *mem, const ax_expr **out, ax_err *err);

#endif
