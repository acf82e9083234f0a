/* logfile.h - reading the log of an attempt, which may hold any bytes, be of any size, and still grow.
 *
 * Offsets and sizes are bytes of the stored file; nothing here reads more than it was asked for.
 */
#ifndef AX_EXEC_LOGFILE_H
#define AX_EXEC_LOGFILE_H

#include "dsl/base/buf.h"
#include "dsl/base/err.h"

/* Opens a log for reading; AX_NOT_FOUND if there is none. */
ax_rc ax_logfile_open(const char *path, int *fd, ax_err *err);
/* Its size now. */
ax_rc ax_logfile_size(int fd, uint64_t *size, ax_err *err);
/* Appends up to max bytes from offset on; fewer, or none, where it ends now. */
ax_rc ax_logfile_read(int fd, uint64_t offset, size_t max, ax_buf *out, ax_err *err);
/* Appends the last `lines` lines, but never more than max_bytes (then from a character's first byte on);
 * *offset is where they begin. Reading on at *offset + the appended bytes misses nothing. */
ax_rc ax_logfile_tail(int fd, uint32_t lines, size_t max_bytes, ax_buf *out, uint64_t *offset, ax_err *err);

/* How many leading bytes do not end in the middle of a UTF-8 character: what a follower shows now; the rest
 * waits for what comes. */
size_t ax_logfile_whole(ax_str bytes);
/* Appends bytes as valid UTF-8: what is none becomes U+FFFD. */
void ax_logfile_text(ax_str bytes, ax_buf *out);
/* The same for a part of a screen: escape sequences and control characters go, a tab is 4 spaces; line ends
 * stay, and a carriage return takes back its line. */
void ax_logfile_plain(ax_str bytes, ax_buf *out);

#endif
