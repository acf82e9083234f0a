/* out.c - buffered writing with one memory for errors; colours as ANSI sequences. */
#include "tools/cli/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dsl/base/assert.h"

#define PENDING_MAX ((size_t)64 << 10) /* bytes held back before they are written */
#define LINE_MAX_BYTES ((size_t)1 << 30)

static const char *const codes[AX_STYLE_COUNT] = {
    [AX_STYLE_PLAIN] = "0",  [AX_STYLE_BOLD] = "1",    [AX_STYLE_DIM] = "2",   [AX_STYLE_RED] = "31",
    [AX_STYLE_GREEN] = "32", [AX_STYLE_YELLOW] = "33", [AX_STYLE_BLUE] = "34", [AX_STYLE_CYAN] = "36",
};

static bool wants_color(const ax_out *out, ax_color color)
{
    if (color != AX_COLOR_AUTO) return color == AX_COLOR_ALWAYS;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return out->terminal && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static void write_pending(ax_out *out)
{
    const char *at = out->pending.ptr;
    size_t left = out->pending.len;
    while (left && !out->error) {
        ssize_t n = write(out->fd, at, left);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            out->error = errno;
            break;
        }
        at += n;
        left -= (size_t)n;
    }
    ax_buf_clear(&out->pending);
}

void ax_out_init(ax_out *out, int fd, ax_color color)
{
    *out = (ax_out){.fd = fd, .terminal = isatty(fd) == 1, .pending = AX_BUF_INIT(LINE_MAX_BYTES)};
    out->color = wants_color(out, color);
}

void ax_out_set_color(ax_out *out, ax_color color)
{
    out->color = wants_color(out, color);
}

void ax_out_add(ax_out *out, ax_str text)
{
    if (out->pending.len + text.len > PENDING_MAX) write_pending(out);
    ax_buf_add(&out->pending, text);
}

void ax_out_adds(ax_out *out, const char *text)
{
    ax_out_add(out, ax_str_of(text));
}

void ax_out_addf(ax_out *out, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, args);
    AX_ASSERT(len >= 0);
    if (out->pending.len + (size_t)len > PENDING_MAX) write_pending(out);
    char *room = ax_buf_room(&out->pending, (size_t)len + 1);
    AX_ASSERT(room);
    vsnprintf(room, (size_t)len + 1, fmt, again);
    out->pending.len += (size_t)len;
    va_end(again);
    va_end(args);
}

void ax_out_styled(ax_out *out, ax_style style, ax_str text)
{
    bool colored = out->color && style != AX_STYLE_PLAIN;
    if (colored) ax_out_addf(out, "\x1b[%sm", codes[style]);
    ax_out_add(out, text);
    if (colored) ax_out_adds(out, "\x1b[0m");
}

void ax_out_safe(ax_out *out, ax_str text)
{
    size_t from = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c >= 0x20 && c != 0x7f) continue;
        ax_out_add(out, ax_str_slice(text, from, i));
        ax_out_adds(out, "?");
        from = i + 1;
    }
    ax_out_add(out, ax_str_slice(text, from, text.len));
}

ax_rc ax_out_flush(ax_out *out, ax_err *err)
{
    write_pending(out);
    if (!out->error) return AX_OK;
    if (out->error == EPIPE) return AX_IO;
    errno = out->error;
    return ax_fail_errno(err, "can't write to standard %s", out->fd == STDERR_FILENO ? "error" : "output");
}

void ax_out_free(ax_out *out)
{
    ax_buf_free(&out->pending);
}
