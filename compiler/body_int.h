/* body_int.h - finding what a block's body says by its name. */
#ifndef AX_COMPILER_BODY_INT_H
#define AX_COMPILER_BODY_INT_H

#include "dsl/syntax/ast.h"

/* The expression of an attribute, or NULL if the body (which may be NULL) does not have it. */
const ax_ast_expr *ax_body_attr(const ax_ast_body *body, const char *name);
/* The first block of a kind in the body (which may be NULL), or NULL. */
const ax_ast_block *ax_body_block(const ax_ast_body *body, const char *kind);

#endif
