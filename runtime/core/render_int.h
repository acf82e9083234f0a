/* render_int.h - what expressions of a node may see. */
#ifndef AX_CORE_RENDER_INT_H
#define AX_CORE_RENDER_INT_H

#include "runtime/core/view.h"

/* The scope of a node's attempt; it points into the view. */
ax_scope ax_render_scope(const ax_view *view, uint32_t node, uint32_t attempt);

#endif
