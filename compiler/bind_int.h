/* bind_int.h - the command text of a task: a script with variables where values stood. */
#ifndef AX_COMPILER_BIND_INT_H
#define AX_COMPILER_BIND_INT_H

#include "compiler/expr_int.h"

/* Reads `run = "…"` into def: its script, and a variable of the process for each value in it. def->shell is
 * set. */
void ax_bind_script(const ax_site *site, const ax_ast_expr *e, ax_def *def);

#endif
