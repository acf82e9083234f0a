/* picture.h - a plan as a picture: nodes by kind, edges by outcome, groups as clusters, a stable id for each.
 *
 * Deterministic bytes for one plan and one set of options. One picture per process for SVG and PNG: the
 * layout library keeps state between layouts (docs/decisions).
 */
#ifndef AX_COMPILER_PICTURE_PICTURE_H
#define AX_COMPILER_PICTURE_PICTURE_H

#include "dsl/base/buf.h"
#include "dsl/base/err.h"
#include "dsl/model/plan.h"

typedef enum { AX_PICTURE_SVG, AX_PICTURE_PNG, AX_PICTURE_DOT } ax_picture_format;

typedef struct {
    ax_picture_format format;
    bool dark; /* colours for a dark page */
} ax_picture_options;

/* Appends the picture. AX_INVALID: more nodes than the layout is fit for (the message says the limit and
 * what to do); AX_IO: the library or an optional part of it failed. */
ax_rc ax_picture(const ax_plan *plan, const ax_picture_options *options, ax_buf *out, ax_err *err);

#endif
