/* buf.h - a growing byte buffer with a maximum, malloc'd, for text that is built or read.
 *
 * Writing past the maximum sets `full` and drops the rest, so a chain of appends is checked once at its end.
 */
#ifndef AX_BASE_BUF_H
#define AX_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dsl/base/str.h"

typedef struct {
    char *ptr; /* NUL-terminated when len > 0 */
    size_t len, cap;
    size_t max; /* bytes; a buffer is born with one */
    bool full;  /* something did not fit */
} ax_buf;

#define AX_BUF_INIT(max_bytes) ((ax_buf){.max = (max_bytes)})

/* Appends bytes, a C string, one byte, a formatted text, a decimal number. */
void ax_buf_add(ax_buf *b, ax_str s);
void ax_buf_adds(ax_buf *b, const char *text);
void ax_buf_addc(ax_buf *b, char c);
void ax_buf_addf(ax_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ax_buf_addi(ax_buf *b, int64_t n);
/* Replaces the bytes from beg up to end by s, which must not lie in b; nothing if that would pass the
 * maximum.
 */
void ax_buf_splice(ax_buf *b, size_t beg, size_t end, ax_str s);
/* Makes room for `more` bytes behind len and returns the first; NULL if that would pass the maximum. */
char *ax_buf_room(ax_buf *b, size_t more);
/* A view of what is in it; valid until the next append. */
ax_str ax_buf_str(const ax_buf *b);
/* Empties it and keeps its memory; clears `full`. */
void ax_buf_clear(ax_buf *b);
/* Gives its memory back. */
void ax_buf_free(ax_buf *b);

#endif
