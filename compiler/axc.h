/* axc.h - the compiler as a library: from a source text to plans and diagnostics.
 *
 * Deterministic: the same texts give the same plans, byte for byte. It reads no clock, no environment, no
 * network.
 */
#ifndef AX_COMPILER_AXC_H
#define AX_COMPILER_AXC_H

#include "dsl/base/diag.h"
#include "dsl/model/plan.h"
#include "dsl/syntax/ast.h"

typedef struct {
    const ax_ast_file *file;
    ax_plan *
        *plans; /* one a workflow, in source order; also those with errors are missing, never half built */
    uint32_t plan_count;
} ax_compiled;

/* Compiles one source. Plans live in mem and keep views into the source's text. All that is wrong is in
 * diags; a workflow with an error in it has no plan. Plans are not sealed: their hash is made when it is
 * needed. */
void ax_compile(ax_arena *mem, const ax_source *source, ax_diags *diags, ax_compiled *out);

#endif
