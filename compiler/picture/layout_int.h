/* layout_int.h - places for a scene; the one door to the layout library. */
#ifndef AX_PICTURE_LAYOUT_INT_H
#define AX_PICTURE_LAYOUT_INT_H

#include "compiler/picture/draw_int.h"

/* Places boxes, frames and links. AX_IO if the library fails. Once a process: it keeps state between
 * layouts. */
ax_rc ax_layout_place(ax_scene *scene, ax_err *err);
/* The same by our own means (layered.c), for scenes of any size; links get their curves too. */
void ax_layout_layered(ax_scene *scene);
/* Turns a scene that the library placed so that layers go in the order of the plan, and gives plain curves to
 * links with a clear way. */
void ax_route_links(ax_scene *scene);
/* Appends as PNG what an xdot text draws on a page of that size. AX_IO if the library's renderer is not
 * installed. */
ax_rc ax_layout_png(ax_str xdot, ax_point size, ax_buf *out, ax_err *err);

#endif
