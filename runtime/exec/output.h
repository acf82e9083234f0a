/* output.h - what a command wrote to $AX_OUTPUT: `name=value` lines, or for several lines
 *
 *   name<<END
 *   first line
 *   second line
 *   END
 *
 * A name that comes twice has its last value. Empty lines mean nothing.
 */
#ifndef AX_EXEC_OUTPUT_H
#define AX_EXEC_OUTPUT_H

#include "dsl/base/arena.h"
#include "dsl/base/err.h"
#include "dsl/base/str.h"

#define AX_OUTPUT_VALUE_MAX ((size_t)64 << 10) /* bytes of one value */
#define AX_OUTPUT_FILE_MAX ((size_t)1 << 20)

typedef struct {
    const ax_str *names, *values;
    uint32_t count;
} ax_output_list;

/* Parses the file's text; the result points into mem and text. AX_INVALID: the message has the line and what
 * is wrong with it. */
ax_rc ax_output_parse(ax_str text, ax_arena *mem, ax_output_list *out, ax_err *err);
/* Reads and parses the file at path below the folder root_fd; none is an empty list. */
ax_rc ax_output_read(int root_fd, const char *path, ax_arena *mem, ax_output_list *out, ax_err *err);

#endif
