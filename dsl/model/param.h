/* param.h - the parameters of a run as people give them: names and texts, checked against what the workflow
 * declares.
 */
#ifndef AX_MODEL_PARAM_H
#define AX_MODEL_PARAM_H

#include "dsl/base/err.h"
#include "dsl/model/plan.h"

#define AX_PARAM_BYTES_MAX (1u << 20) /* of one that is given */

/* The place of a parameter in plan->params, or AX_NONE. */
uint32_t ax_param_find(const ax_plan *plan, ax_str name);
/* Reads parameters given as name and text and completes them with the defaults of the others, into
 * values[plan->param_count] in mem. AX_INVALID: unknown (with the nearest), given twice, missing, of the
 * wrong type, not allowed. */
ax_rc ax_params_given(const ax_plan *plan, const ax_str *names, const ax_str *texts, uint32_t count,
                      ax_arena *mem, ax_value *values, ax_err *err);

#endif
