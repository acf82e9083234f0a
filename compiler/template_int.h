/* template_int.h - templates: `task x from NAME(a = 2) { … }` becomes a task that says all of it itself.
 *
 * It is done on the tree, before any pass looks at a workflow: the items of the template, with the arguments
 * in the place of its parameters, and those of the node are put together. Places stay those of the text, so
 * what is wrong in a template is shown there, with a note for each use that it is seen through.
 */
#ifndef AX_COMPILER_TEMPLATE_INT_H
#define AX_COMPILER_TEMPLATE_INT_H

#include "compiler/flow_int.h"

/* Arguments in the place of parameters. */
typedef struct {
    ax_unit *unit;
    ax_template *of;            /* NULL: no parameters, everything stays as it is */
    const ax_ast_expr **values; /* of each parameter; NULL: missing, which was reported */
    uint32_t use;               /* index into unit->uses, or AX_NONE */
    uint32_t nesting;           /* templates that are open */
    uint32_t level;             /* blocks around it */
} ax_subst;

/* The expression with arguments in the place of parameters; the same one if it has none. `words`: bare words
 * of an attribute that are none of its values, separated by blanks. */
const ax_ast_expr *ax_subst_expr(const ax_subst *s, const ax_ast_expr *e, const char *words);
/* The same for an item of a block of kind `owner`, but for the items of a block in it. */
ax_ast_item *ax_subst_item(const ax_subst *s, ax_kind owner, ax_ast_item *item);

/* Collects the templates in a body, or at the top of the file, into names. */
void ax_template_add(ax_unit *unit, ax_map *names, ax_ast_item *const *items, uint32_t count);
/* Adds notes to the diagnostics from `first` on that lie in a template: through which uses they are seen,
 * `use` being the innermost. */
void ax_template_note(ax_unit *unit, uint32_t first, uint32_t use);
/* The same for diagnostics that have no such note yet, with the first use of the template. */
void ax_template_note_rest(ax_unit *unit, uint32_t first);
/* The use that made a block, or AX_NONE. */
uint32_t ax_template_use_of(const ax_unit *unit, const ax_ast_block *block);
/* Warns of templates that no node is made from, and of parameters that are not used. */
void ax_template_lint(ax_unit *unit);

#endif
