/* expr_source.h - an expression of a plan as it would be written in a workflow file, for pictures and
 * reports. */
#ifndef AX_COMPILER_EMIT_EXPR_SOURCE_H
#define AX_COMPILER_EMIT_EXPR_SOURCE_H

#include "dsl/base/buf.h"
#include "dsl/model/plan.h"

/* Appends x, an expression of def (whose matrix keys it may name). Constants that the compiler folded stay
 * folded. */
void ax_expr_source(const ax_plan *plan, const ax_def *def, const ax_expr *x, ax_buf *out);
/* Appends the script of a RUN action with {{ expression }} where the compiler has put the variable of a
 * bound value. */
void ax_script_source(const ax_plan *plan, const ax_def *def, ax_buf *out);

#endif
