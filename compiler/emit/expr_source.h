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

/* Where a variable of a bound value stands in a script. */
typedef enum {
    AX_SCRIPT_OPEN,   /* "$AX_V1": a word of its own or a part of one */
    AX_SCRIPT_QUOTED, /* ${AX_V1}: inside "…" or a heredoc */
} ax_script_place;
/* Appends what is to stand there instead of the variable of def->binds[bind]. */
typedef void (*ax_script_put)(void *ctx, uint32_t bind, ax_script_place place, ax_str variable, ax_buf *out);
/* Appends the script of a RUN action with each of those variables replaced by what `put` says. */
void ax_script_fill(const ax_def *def, ax_script_put put, void *ctx, ax_buf *out);

#endif
