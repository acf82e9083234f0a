/* line_diff.h - a unified diff of two texts, line by line. */
#ifndef AX_BASE_LINE_DIFF_H
#define AX_BASE_LINE_DIFF_H

#include "dsl/base/buf.h"

/* Appends a unified diff with three lines of context under the name of the file (NULL: only the hunks);
 * nothing if the texts are the same. What it needs on the way lives in scratch. */
void ax_line_diff(ax_arena *scratch, const char *path, ax_str before, ax_str after, ax_buf *out);

#endif
