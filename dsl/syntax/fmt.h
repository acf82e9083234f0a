/* fmt.h - the one layout of a file: stable, keeps every comment, never changes what the file means. */
#ifndef AX_SYNTAX_FMT_H
#define AX_SYNTAX_FMT_H

#include "dsl/base/buf.h"
#include "dsl/syntax/ast.h"

/* Appends the formatted text of a tree that is not broken. Formatting the result again gives the same bytes.
 */
void ax_fmt(const ax_ast_file *file, ax_arena *scratch, ax_buf *out);

#endif
