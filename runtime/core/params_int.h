/* params_int.h - a run's parameters, read back from its row. */
#ifndef AX_CORE_PARAMS_INT_H
#define AX_CORE_PARAMS_INT_H

#include "dsl/base/err.h"
#include "dsl/model/plan.h"

/* Reads the JSON object of ax_params_json into values, by index of plan->params; one that it lacks has its
 * default, or is null. Values live in mem. AX_INVALID: it is no such object. */
ax_rc ax_params_read(ax_arena *mem, const ax_plan *plan, ax_str json, ax_value *values, ax_err *err);

#endif
