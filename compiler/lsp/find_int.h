/* find_int.h - what stands at a place of a tree, and the children of an expression. */
#ifndef AX_COMPILER_LSP_FIND_INT_H
#define AX_COMPILER_LSP_FIND_INT_H

#include "dsl/base/vec.h"
#include "dsl/model/schema.h"
#include "dsl/syntax/ast.h"

/* The kind of a block, and the attribute, with this name in a block of kind `owner`: what the schema has, and
 * in a template what any kind of node has. AX_KIND_COUNT and NULL if there is none; owner may be COUNT. */
ax_kind ax_kind_inside(ax_kind owner, ax_str name);
const ax_attr_row *ax_attr_inside(ax_kind owner, ax_str name);
/* The kinds whose rows a block of that kind has, as bits. */
uint64_t ax_kinds_like(ax_kind kind);

/* How many children an expression has, and one of them; a child may be NULL (text in a string). */
uint32_t ax_expr_children(const ax_ast_expr *e);
const ax_ast_expr *ax_expr_child(const ax_ast_expr *e, uint32_t i);

/* What touches an offset. */
typedef struct {
    ax_kind kind; /* of the innermost block around it; FILE at the top; COUNT: no block of the language */
    const ax_ast_block *block;         /* that block; NULL at the top */
    const ax_ast_item *item;           /* the innermost item, or NULL: it is between items */
    ax_kind item_kind;                 /* of an item that is a block */
    AX_VEC(const ax_ast_expr *) exprs; /* of the item, from the outermost inward */
} ax_found;

/* Finds it; lists live in mem. */
void ax_find(ax_arena *mem, const ax_ast_file *file, uint32_t offset, ax_found *out);
/* The attribute of that name in a body, which may be NULL; NULL if there is none. */
const ax_ast_attr *ax_find_attr(const ax_ast_body *body, const char *name);
/* The text of a string without expressions, or of a name; empty for anything else, and for NULL. */
ax_str ax_find_text(const ax_ast_expr *e);

#endif
