/* file.h - whole files, safely: bounded reads and writes that are complete or not there. */
#ifndef AX_BASE_FILE_H
#define AX_BASE_FILE_H

#include "dsl/base/buf.h"
#include "dsl/base/err.h"

/* Appends the file's bytes to out; "-" is standard input. AX_NOT_FOUND, AX_INVALID (a directory, larger than
 * out->max) or AX_IO with the path in the message. */
ax_rc ax_file_read(const char *path, ax_buf *out, ax_err *err);
/* Replaces the file by text through a temporary file beside it and rename; keeps an existing file's mode
 * bits. */
ax_rc ax_file_write(const char *path, ax_str text, ax_err *err);
/* mkdir -p with mode 0777 less the umask. */
ax_rc ax_dir_make(const char *path, ax_err *err);

#endif
