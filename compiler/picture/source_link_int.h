/* source_link_int.h - links from a picture to the lines of source that it shows. */
#ifndef AX_PICTURE_SOURCE_LINK_INT_H
#define AX_PICTURE_SOURCE_LINK_INT_H

#include "dsl/base/arena.h"
#include "dsl/base/str.h"

/* The template with {file}, {line} and {name} replaced, in mem; what URLs don't hold is %XX in them. Empty
 * for an empty template, and if it would be longer than 64 KiB. */
ax_str ax_source_link(ax_arena *mem, ax_str template, ax_str file, uint32_t line, ax_str name);

#endif
