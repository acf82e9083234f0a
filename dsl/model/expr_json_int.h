/* expr_json_int.h - constants and expressions in the task-definition document (docs/document.md). */
#ifndef AX_MODEL_EXPR_JSON_INT_H
#define AX_MODEL_EXPR_JSON_INT_H

#include "dsl/base/err.h"
#include "dsl/base/json_out.h"
#include "dsl/base/map.h"
#include "dsl/model/plan.h"

/* Writes a constant: JSON's own types as such, others as {"date": "2026-11-30"}. */
void ax_const_write(const ax_value *v, ax_json *j);
/* Writes an expression of def: a constant, or an array of operator and operands. */
void ax_expr_write(const ax_plan *plan, const ax_def *def, const ax_expr *x, ax_json *j);

/* What names in expressions stand for while a document is read. */
typedef struct {
    ax_arena *mem;
    const ax_plan *plan;
    const ax_def *def;        /* whose expression it is */
    const ax_type *key_types; /* of def's matrix keys */
    const ax_map *def_names, *param_names;
} ax_expr_names;

/* The value of a constant, in mem. AX_INVALID: it is none. */
ax_rc ax_const_read(ax_arena *mem, const ax_value *json, ax_value *out, ax_err *err);
/* The expression, checked like one that is compiled. */
ax_rc ax_expr_read(const ax_expr_names *names, const ax_value *json, ax_expr **out, ax_err *err);

#endif
