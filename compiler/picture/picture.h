/* picture.h - a plan as a picture: nodes by kind, edges by outcome, groups as clusters, a stable id for each.
 *
 * Deterministic bytes for one plan and one set of options. One picture per process: the layout library keeps
 * state between layouts (docs/decisions).
 */
#ifndef AX_COMPILER_PICTURE_PICTURE_H
#define AX_COMPILER_PICTURE_PICTURE_H

#include "compiler/select/select.h"
#include "dsl/base/buf.h"
#include "dsl/base/err.h"
#include "dsl/model/plan.h"

typedef enum {
    AX_PICTURE_SVG,
    AX_PICTURE_PNG,
    AX_PICTURE_DOT,
    AX_PICTURE_MERMAID,
    AX_PICTURE_JSON /* boxes, frames and links with their places */
} ax_picture_format;

/* What is folded into one box: as much as it takes to fit, nothing, or every group and fan-out. */
typedef enum { AX_COLLAPSE_AUTO, AX_COLLAPSE_NONE, AX_COLLAPSE_ALL } ax_collapse;

typedef struct {
    ax_picture_format format;
    bool dark; /* colours for a dark page */
    ax_collapse collapse;
    const ax_node_set *only;     /* nothing else is drawn; NULL: all is */
    const ax_node_set *focus;    /* they get a ring; NULL: none */
    const int64_t *durations_ms; /* by node: the critical path is shown; NULL: it is not */
    ax_str link;  /* where a node's source is, with {file}, {line} and {name}; empty: no links */
    ax_buf *note; /* gets, in words, what was folded or left out; NULL: nobody asks */
} ax_picture_options;

/* Appends the picture. AX_INVALID: more than anybody could look at is left (the message says the limit and
 * what to do); AX_IO: the library or an optional part of it failed. */
ax_rc ax_picture(const ax_plan *plan, const ax_picture_options *options, ax_buf *out, ax_err *err);

#endif
