/* log_copy.h - the log of one attempt onto an output stream, as it is or as it grows.
 *
 * Bytes go through unchanged, unless a terminal shows them: there, whole lines go out, without the escape
 * sequences and control characters that could steer it.
 */
#ifndef AX_TOOLS_LOG_COPY_H
#define AX_TOOLS_LOG_COPY_H

#include "runtime/exec/proc.h"
#include "runtime/store/store.h"
#include "tools/cli/out.h"

typedef struct {
    ax_out *out;
    const char *folder; /* of the attempt */
    const char *path;   /* of its log */
    const char *status; /* of its keeper's record */
    int fd;             /* -1: not there yet */
    uint64_t offset;    /* what was read */
    ax_buf line;        /* read, but not shown: the beginning of a line, for a terminal */
    bool midline;       /* what was shown last does not end a line */
} ax_log_copy;

/* Prepares copying; root is the folder of attempts, mem keeps the paths. The log need not be there. */
ax_log_copy ax_log_copy_new(ax_arena *mem, const char *root, ax_attempt_key key, ax_out *out);
/* Skips all but the last lines of what is there. AX_NOT_FOUND: there is no log. */
ax_rc ax_log_copy_skip(ax_log_copy *copy, uint32_t lines, ax_err *err);
/* Copies what has come since. AX_NOT_FOUND: there is no log. */
ax_rc ax_log_copy_more(ax_log_copy *copy, ax_err *err);
/* Copies until the attempt has ended: by what the store says, or because its process has. */
ax_rc ax_log_copy_follow(ax_log_copy *copy, ax_store *store, ax_attempt_key key, ax_err *err);
/* Shows a last line that has no end, and gives everything back. */
void ax_log_copy_end(ax_log_copy *copy);

#endif
