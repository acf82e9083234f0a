/* expr_int.h - expressions of the source as typed expressions of the plan.
 *
 * NULL and false mean: what is wrong was reported, say nothing more about it.
 */
#ifndef AX_COMPILER_EXPR_INT_H
#define AX_COMPILER_EXPR_INT_H

#include "compiler/flow_int.h"

/* Where an expression stands, and so what it may see. */
typedef struct {
    ax_unit *unit;
    ax_flow *flow;    /* NULL: the top of the file, where only its lets are in sight */
    uint32_t decl;    /* the node it belongs to, or AX_NONE */
    bool is_constant; /* it must be known when compiled: literals and lets only */
} ax_site;

/* The typed form of an expression. */
ax_expr *ax_expr_make(const ax_site *site, const ax_ast_expr *e);
/* The same, and reports a type other than `want` for `what`: the name of an attribute ("timeout"), or words
 * ("the default"). An int where a float is wanted becomes one. */
ax_expr *ax_expr_make_as(const ax_site *site, const ax_ast_expr *e, const ax_type *want, const char *what);
/* The value of an expression that is known when compiled, of type `want`. */
bool ax_expr_value(const ax_site *site, const ax_ast_expr *e, const ax_type *want, const char *what,
                   ax_value *out);
/* Reads the index of sync["orders"] as the place of a copy among those that decl's own matrix makes. */
bool ax_expr_copy(const ax_site *site, uint32_t decl, const ax_ast_expr *index, uint32_t *copy);

/* The value of a let; computes it on first use. False: it has none. */
bool ax_let_value(ax_unit *unit, ax_flow *flow, ax_named *let, ax_value *out);
/* A type as written. */
bool ax_type_make(ax_unit *unit, const ax_ast_type *ast, ax_type *out);

#endif
