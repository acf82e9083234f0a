/* json_in.h - reads JSON texts as values: outputs, parameters, documents. */
#ifndef AX_MODEL_JSON_IN_H
#define AX_MODEL_JSON_IN_H

#include "dsl/base/err.h"
#include "dsl/model/value.h"

/* Reads one JSON text into mem: null, booleans, ints, floats, strings, lists and maps. Strict: AX_INVALID
 * with line and column for what is no JSON, a key that stands twice, a number out of range, a NUL character,
 * or nesting deeper than depth_max. */
ax_rc ax_json_read(ax_arena *mem, ax_str text, uint32_t depth_max, ax_value *out, ax_err *err);

#endif
