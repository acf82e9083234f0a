/* context_int.h - what may be written at a place of a text that is being written.
 *
 * The text is broken where somebody types, so the tree does not help: only the tokens in front of the place
 * are looked at, by a small machine that knows the two shapes of the language and edges.
 */
#ifndef AX_COMPILER_LSP_CONTEXT_INT_H
#define AX_COMPILER_LSP_CONTEXT_INT_H

#include "compiler/lsp/names.h"

typedef enum {
    AX_AT_NOTHING,  /* in a comment, in the text of a string, behind a label */
    AX_AT_ITEM,     /* an attribute, a block, or the beginning of an edge */
    AX_AT_VALUE,    /* of `attr`, or of what `attr` declares */
    AX_AT_EXPR,     /* in {{ }} */
    AX_AT_NODE,     /* in an edge */
    AX_AT_OUTCOME,  /* behind a node's ':' */
    AX_AT_TYPE,     /* behind the ':' of a declaration */
    AX_AT_TEMPLATE, /* behind `from` */
    AX_AT_ARGUMENT, /* in ( ) behind it: a parameter, or a value */
} ax_at;

typedef struct {
    ax_at at;
    ax_kind kind;       /* of the block around it; COUNT: a block that the language does not have */
    uint32_t scope;     /* whose names are in sight */
    ax_str attr;        /* VALUE: the first word of the item */
    bool declares;      /* VALUE: the item has a label, as in `let x =` */
    bool is_nested;     /* VALUE: inside ( ) */
    bool is_edge;       /* EXPR and others: the item is an edge */
    ax_str from;        /* ARGUMENT: the template */
    const ax_str *path; /* the names in front of a last '.', from the first on */
    uint32_t path_len;  /* 0: no '.' */
    ax_str word;        /* what of the word is there already */
} ax_context;

/* Reads the text up to byte `end`. */
void ax_context_read(ax_arena *mem, ax_str text, uint32_t end, const ax_names *names, ax_context *out);

#endif
