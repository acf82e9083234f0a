/* parse.h - from a source text to its tree. */
#ifndef AX_SYNTAX_PARSE_H
#define AX_SYNTAX_PARSE_H

#include "dsl/base/diag.h"
#include "dsl/syntax/ast.h"

/* Parses one source of diags->sources. The tree lives in mem and points into the source's text. Never NULL:
 * what could not be read is missing, and the reasons are in diags. */
ax_ast_file *ax_parse(ax_arena *mem, const ax_source *source, ax_diags *diags);
/* Parses one expression (the whole text); NULL if it is none, with the reasons in diags. */
ax_ast_expr *ax_parse_expr(ax_arena *mem, const ax_source *source, ax_diags *diags);

#endif
