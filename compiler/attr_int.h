/* attr_int.h - attributes of a block read into a record of the plan. */
#ifndef AX_COMPILER_ATTR_INT_H
#define AX_COMPILER_ATTR_INT_H

#include "compiler/expr_int.h"

#define AX_WAIT_MS_MAX (36500 * INT64_C(86400000)) /* a hundred years: sums of times never overflow */

/* What is read: the items of one block of `kind` into `target`, which is an ax_plan (workflow), ax_schedule,
 * ax_retry or ax_def (everything else). */
typedef struct {
    ax_site site;
    ax_kind kind;
    void *target;
    const void *fallback; /* a record of the same type: what an attribute becomes that is set to null */
} ax_reader;

/* Sets every attribute of the kind to its default of the schema. */
void ax_attr_fallbacks(const ax_reader *r);
/* Reads one attribute, `row` being its row of the schema. `run` is left to the caller: it needs all the
 * others. */
void ax_attr_read(const ax_reader *r, const ax_attr_row *row, const ax_ast_expr *value);
/* Shapes of their own. */
void ax_special_join(const ax_reader *r, const ax_ast_expr *e, ax_def *def);
void ax_special_skip_on(const ax_reader *r, const ax_ast_expr *e, ax_def *def);
void ax_special_on(const ax_reader *r, const ax_ast_expr *e, ax_retry *retry);
void ax_special_backoff(const ax_reader *r, const ax_ast_expr *e, ax_retry *retry);

#endif
