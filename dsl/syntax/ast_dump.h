/* ast_dump.h - a tree as text without places: two texts mean the same if their dumps are equal. */
#ifndef AX_SYNTAX_AST_DUMP_H
#define AX_SYNTAX_AST_DUMP_H

#include "dsl/base/buf.h"
#include "dsl/syntax/ast.h"

/* Appends the items, one a line, blocks indented. Spans and comments are left out. */
void ax_ast_dump(const ax_ast_file *file, ax_buf *out);
/* Appends one expression in prefix form: (+ a (call f b)). */
void ax_ast_dump_expr(const ax_ast_expr *e, ax_buf *out);

#endif
