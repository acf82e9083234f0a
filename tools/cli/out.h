/* out.h - one output stream of a command: buffered, with colours or not, and with a memory for write errors.
 *
 * Results go to standard output, everything else to standard error. A stream remembers the first error (a
 * full disk, a closed pipe) and drops what comes later, so that a command checks once, at its end.
 */
#ifndef AX_CLI_OUT_H
#define AX_CLI_OUT_H

#include "dsl/base/buf.h"
#include "dsl/base/err.h"

typedef enum { AX_COLOR_AUTO, AX_COLOR_ALWAYS, AX_COLOR_NEVER } ax_color;

typedef enum {
    AX_STYLE_PLAIN,
    AX_STYLE_BOLD,
    AX_STYLE_DIM,
    AX_STYLE_RED,
    AX_STYLE_GREEN,
    AX_STYLE_YELLOW,
    AX_STYLE_BLUE,
    AX_STYLE_CYAN,
    AX_STYLE_COUNT
} ax_style;

typedef struct {
    int fd;
    bool terminal; /* somebody looks at it */
    bool color;
    int error; /* errno of the first write that failed; 0: none */
    ax_buf pending;
} ax_out;

/* A stream onto fd, which stays the caller's. AUTO: colours on a terminal, unless NO_COLOR is set or TERM
 * is dumb. */
void ax_out_init(ax_out *out, int fd, ax_color color);
/* Changes the choice of colours. */
void ax_out_set_color(ax_out *out, ax_color color);
/* Adds text. */
void ax_out_add(ax_out *out, ax_str text);
void ax_out_adds(ax_out *out, const char *text);
void ax_out_addf(ax_out *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds text in a style, plain if the stream has no colours. */
void ax_out_styled(ax_out *out, ax_style style, ax_str text);
/* Adds text that may come from anywhere: control characters, which could steer a terminal, become '?'. */
void ax_out_safe(ax_out *out, ax_str text);
/* Writes what is pending. AX_IO with the stream's first error; a reader that went away (EPIPE) has no
 * message. */
ax_rc ax_out_flush(ax_out *out, ax_err *err);
/* Gives the buffer back without writing. */
void ax_out_free(ax_out *out);

#endif
