/* frames.h - from a stream of bytes to messages: "Content-Length: 42\r\n\r\n" and as many bytes.
 *
 * Bytes may arrive in any pieces. A header that is none, or a message that is too large, is told once and
 * passed over: the next sound message is found again.
 */
#ifndef AX_COMPILER_LSP_FRAMES_H
#define AX_COMPILER_LSP_FRAMES_H

#include "dsl/base/buf.h"

#define AX_MESSAGE_BYTES_MAX ((size_t)64 << 20) /* of one message */

typedef struct {
    ax_buf bytes;    /* what came and is not yet taken */
    size_t at;       /* up to here it is taken */
    uint64_t skip;   /* bytes of a refused message that are still to come */
    bool is_garbage; /* looking for the next header */
} ax_frames;

typedef enum {
    AX_FRAME_NONE,    /* more bytes are needed */
    AX_FRAME_MESSAGE, /* `out` is its text */
    AX_FRAME_BAD,     /* `out` says what was passed over */
} ax_frame_kind;

/* An empty stream. */
void ax_frames_init(ax_frames *f);
/* Appends what was read; the last message is gone. */
void ax_frames_add(ax_frames *f, ax_str bytes);
/* Takes the next message; `out` is valid until the next call of any function here. */
ax_frame_kind ax_frames_next(ax_frames *f, ax_str *out);
/* Gives its memory back. */
void ax_frames_free(ax_frames *f);

/* Appends a message with its header. */
void ax_frame_write(ax_str message, ax_buf *out);

#endif
