/* plan_json.h - the task-definition document: a plan as JSON, and back.
 *
 * Deterministic byte for byte. A superset of the plain form (taskName, trigger, action, policy) with
 * graph.nodes and graph.edges. Reading checks everything: a damaged document is an error, never a crash.
 * write(read(write(p))) equals write(p).
 */
#ifndef AX_MODEL_PLAN_JSON_H
#define AX_MODEL_PLAN_JSON_H

#include "dsl/base/buf.h"
#include "dsl/base/err.h"
#include "dsl/model/plan.h"

#define AX_PLAN_BYTES_MAX ((size_t)1 << 30) /* a document */

/* Appends the document, without a line end; indent 0 is the compact form, whose SHA-256 is the content hash.
 */
void ax_plan_write(const ax_plan *plan, int indent, ax_buf *out);
/* Appends one task definition of the plan, or a changed copy of one, as it stands in the document. */
void ax_plan_write_def(const ax_plan *plan, const ax_def *def, ax_buf *out);
/* Sets plan->hash from the compact form. */
void ax_plan_seal(ax_plan *plan);
/* Reads a document into mem and seals it. */
ax_rc ax_plan_read(ax_arena *mem, ax_str json, ax_plan **out, ax_err *err);

#endif
