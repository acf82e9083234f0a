/* names.h - who is declared in a file and where each name is used, for an editor.
 *
 * Made from the tree alone, so a file with errors has what its sound items say. A name is looked for as the
 * compiler looks for it (scope.c): from the block where it stands outward, each space of names by itself. A
 * new kind of block that declares something is one row of names.c.
 */
#ifndef AX_COMPILER_LSP_NAMES_H
#define AX_COMPILER_LSP_NAMES_H

#include "dsl/base/map.h"
#include "dsl/model/schema.h"
#include "dsl/syntax/ast.h"

/* What a name can be looked up as. */
typedef enum {
    AX_SPACE_NONE,
    AX_SPACE_VALUE, /* parameters, also of templates, lets, matrix keys */
    AX_SPACE_NODE,
    AX_SPACE_OUTPUT,
    AX_SPACE_FLOW,
    AX_SPACE_SCHEDULE,
    AX_SPACE_TEMPLATE,
    AX_SPACE_COUNT
} ax_space;

typedef struct {
    ax_kind kind; /* of its block; MATRIX: it is one of the keys */
    ax_space space;
    ax_ast_name name;
    ax_span span;            /* of all that declares it */
    const ax_ast_item *item; /* its block, or the attribute of a matrix key; NULL: a template's parameter */
    uint32_t scope;          /* where it is declared */
    uint32_t inner;          /* what it declares itself, or AX_MAP_NONE */
} ax_symbol;

/* A body with names of its own. */
typedef struct {
    uint32_t parent; /* the scope around it, or AX_MAP_NONE: it is the file */
    uint32_t owner;  /* its symbol, or AX_MAP_NONE */
    uint32_t from;   /* the scope of the template that its owner is made from, or AX_MAP_NONE */
    ax_map names[AX_SPACE_COUNT];
} ax_name_scope;

/* One place where a symbol is named. */
typedef struct {
    ax_span span;
    uint32_t symbol;
    bool is_definition;
} ax_name_use;

typedef struct {
    AX_VEC(ax_symbol) symbols;    /* in the order of the source */
    AX_VEC(ax_name_scope) scopes; /* the first is the file */
    AX_VEC(ax_name_use) uses;     /* in the order of the source */
} ax_names;

/* Reads a tree; everything lives in mem and points into the tree. */
void ax_names_read(ax_arena *mem, const ax_ast_file *file, ax_names *out);
/* The symbol of that name declared in the scope itself or its template, or in it or around it; AX_MAP_NONE if
 * there is none. */
uint32_t ax_names_member(const ax_names *names, uint32_t scope, ax_space space, ax_str name);
uint32_t ax_names_find(const ax_names *names, uint32_t scope, ax_space space, ax_str name);
/* The use that touches an offset, or NULL. */
const ax_name_use *ax_names_at(const ax_names *names, uint32_t offset);
/* The scope of the body of a block of that kind and label declared in `scope`; the same scope if there is
 * none. */
uint32_t ax_names_enter(const ax_names *names, uint32_t scope, ax_kind kind, ax_str label);

#endif
