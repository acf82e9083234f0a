/* diag_render.h - diagnostics as text for people or JSON for programs. */
#ifndef AX_BASE_DIAG_RENDER_H
#define AX_BASE_DIAG_RENDER_H

#include "dsl/base/buf.h"
#include "dsl/base/diag.h"

/* Sorted diagnostics as text: "FILE:LINE:COL: error[E0203]: …", the source line with a caret under the exact
 * span, notes, help. `color` adds ANSI colours. Long source lines are cut around the caret. */
void ax_diags_text(ax_diags *diags, bool color, ax_buf *out);
/* The same as a JSON array of objects {code, slug, severity, message, file, line, column, end_line,
 * end_column, notes, help, edit}. */
void ax_diags_json(ax_diags *diags, ax_buf *out);

#endif
