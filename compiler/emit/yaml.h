/* yaml.h - the task-definition document as YAML (libyaml), from its JSON form. */
#ifndef AX_COMPILER_EMIT_YAML_H
#define AX_COMPILER_EMIT_YAML_H

#include "dsl/base/buf.h"
#include "dsl/base/err.h"
#include "dsl/model/plan.h"

/* Appends the document of plan as YAML 1.1; reading it gives the same data as the JSON form. */
ax_rc ax_emit_yaml(const ax_plan *plan, ax_buf *out, ax_err *err);

#endif
