/* scope_int.h - what a name means where it stands. */
#ifndef AX_COMPILER_SCOPE_INT_H
#define AX_COMPILER_SCOPE_INT_H

#include "compiler/flow_int.h"

/* An index that chooses copies of a node on a path. */
typedef struct {
    uint32_t decl;
    const ax_ast_expr *expr; /* INDEX */
} ax_path_index;

/* A path that begins with a node: sync["orders"].rows, daily["eu"].load["x"]. */
typedef struct {
    uint32_t decl;       /* the node, or AX_NONE: there is none of this name */
    ax_ast_name missing; /* then: the part of the path that names nothing */
    uint32_t missing_in; /* and the group in which it was looked for, or AX_NONE: all that is in sight */
    const ax_path_index *indexes; /* in order, at most one a node */
    uint32_t index_count;
    const ax_ast_expr *output; /* MEMBER that names an output, or NULL */
    const ax_ast_expr *rest;   /* the first part behind those; NULL: the path ends there */
} ax_path;

/* The parameter or let that name means in f, or NULL. */
ax_named *ax_scope_value(const ax_flow *f, ax_str name);
/* The node that name means inside group (AX_NONE: the workflow), looked for outward; or AX_NONE. */
uint32_t ax_scope_node(const ax_flow *f, uint32_t group, ax_str name);
/* Reads a NAME, MEMBER or INDEX expression as a path inside group. False: it does not begin with a name. */
bool ax_scope_path(const ax_flow *f, uint32_t group, const ax_ast_expr *expr, ax_path *out);
/* True if a name that means nothing may be one that was refused or lost in a syntax error: say nothing about
 * it. */
bool ax_scope_is_refused(const ax_unit *unit, ax_str name);
/* Offers the nodes in sight of group; with `only` just its own members. */
void ax_scope_nodes_near(ax_flow *f, uint32_t group, bool only, ax_nearest *near);
/* Offers parameters, lets, the keys of decl (AX_NONE: none) and the values that every run has. */
void ax_scope_values_near(ax_flow *f, uint32_t decl, ax_nearest *near);

#endif
