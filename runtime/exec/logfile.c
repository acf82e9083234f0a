/* logfile.c - bounded reads of a log; see logfile.h. */
#include "runtime/exec/logfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dsl/base/utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD"
#define UTF8_MAX 4
#define ESC 0x1b

ax_rc ax_logfile_open(const char *path, int *fd, ax_err *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd >= 0) return AX_OK;
    if (errno == ENOENT) return ax_fail(err, AX_NOT_FOUND, "there is no log at '%s'", path);
    return ax_fail_errno(err, "opening the log '%s'", path);
}

ax_rc ax_logfile_size(int fd, uint64_t *size, ax_err *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return ax_fail_errno(err, "reading a log");
    *size = (uint64_t)st.st_size;
    return AX_OK;
}

ax_rc ax_logfile_read(int fd, uint64_t offset, size_t max, ax_buf *out, ax_err *err)
{
    char *room = max ? ax_buf_room(out, max) : NULL;
    if (!room) return max ? ax_fail(err, AX_INVALID, "%zu bytes of a log do not fit", max) : AX_OK;
    size_t len = 0;
    while (len < max) {
        ssize_t got = pread(fd, room + len, max - len, (off_t)(offset + len));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return ax_fail_errno(err, "reading a log");
        if (got == 0) break;
        len += (size_t)got;
    }
    out->len += len;
    out->ptr[out->len] = '\0';
    return AX_OK;
}

/* Where the last `lines` lines of bytes begin; a line end at the very end opens no line. */
static size_t last_lines(ax_str bytes, uint32_t lines)
{
    size_t at = bytes.len;
    if (at && bytes.ptr[at - 1] == '\n') at--;
    for (uint32_t i = 0; i < lines; i++) {
        const char *end = at ? memrchr(bytes.ptr, '\n', at) : NULL;
        if (!end) return 0;
        at = (size_t)(end - bytes.ptr);
    }
    return lines ? at + 1 : bytes.len;
}

ax_rc ax_logfile_tail(int fd, uint32_t lines, size_t max_bytes, ax_buf *out, uint64_t *offset, ax_err *err)
{
    uint64_t size = 0;
    ax_rc rc = ax_logfile_size(fd, &size, err);
    if (rc) return rc;
    uint64_t from = size > max_bytes ? size - max_bytes : 0;
    size_t kept = out->len;
    rc = ax_logfile_read(fd, from, (size_t)(size - from), out, err);
    if (rc) return rc;
    ax_str bytes = {out->ptr ? out->ptr + kept : "", out->len - kept};
    size_t skip = last_lines(bytes, lines);
    if (from > 0 && skip == 0)
        while (skip < bytes.len && skip < UTF8_MAX && ((unsigned char)bytes.ptr[skip] & 0xC0) == 0x80) skip++;
    if (skip) memmove(out->ptr + kept, out->ptr + kept + skip, bytes.len - skip);
    out->len -= skip;
    *offset = from + skip;
    return AX_OK;
}

size_t ax_logfile_whole(ax_str bytes)
{
    for (size_t back = 1; back < UTF8_MAX && back <= bytes.len; back++) {
        unsigned char c = (unsigned char)bytes.ptr[bytes.len - back];
        if ((c & 0xC0) == 0x80) continue;
        size_t need = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        return need > back ? bytes.len - back : bytes.len;
    }
    return bytes.len;
}

void ax_logfile_text(ax_str bytes, ax_buf *out)
{
    while (bytes.len) {
        size_t valid = ax_utf8_invalid(bytes);
        ax_buf_add(out, ax_str_slice(bytes, 0, valid));
        if (valid == bytes.len) return;
        ax_buf_adds(out, REPLACEMENT);
        bytes = ax_str_slice(bytes, valid + 1, bytes.len);
    }
}

/* Behind the escape sequence at `at`: CSI to its final byte, OSC to BEL or ST, others to the byte that is no
 * intermediate one. */
static size_t skip_escape(ax_str s, size_t at)
{
    unsigned char kind = at + 1 < s.len ? (unsigned char)s.ptr[at + 1] : 0;
    at += 2;
    if (kind == '[') {
        while (at < s.len && ((unsigned char)s.ptr[at] < 0x40 || (unsigned char)s.ptr[at] > 0x7E)) at++;
        return at + 1;
    }
    if (kind == ']') {
        while (at < s.len && s.ptr[at] != '\a' && s.ptr[at] != ESC) at++;
        return at + (at < s.len && s.ptr[at] == ESC ? 2 : 1);
    }
    while (at <= s.len && (unsigned char)s.ptr[at - 1] >= 0x20 && (unsigned char)s.ptr[at - 1] <= 0x2F) at++;
    return at;
}

/* Takes back what was written since the last line end. */
static void take_back_line(ax_buf *out, size_t from)
{
    while (out->len > from && out->ptr[out->len - 1] != '\n') out->len--;
}

void ax_logfile_plain(ax_str bytes, ax_buf *out)
{
    size_t from = out->len;
    for (size_t at = 0; at < bytes.len;) {
        unsigned char c = (unsigned char)bytes.ptr[at];
        uint32_t cp = 0;
        size_t len = ax_utf8_decode(bytes, at, &cp);
        if (c == ESC) {
            at = skip_escape(bytes, at);
            continue;
        }
        bool ends_line = at + 1 == bytes.len || bytes.ptr[at + 1] == '\n';
        if (c == '\r' && !ends_line) take_back_line(out, from);
        if (c == '\t') ax_buf_adds(out, "    ");
        if (len == 0) ax_buf_adds(out, REPLACEMENT);
        if (len && (c == '\n' || (cp >= 0x20 && cp != 0x7F && (cp < 0x80 || cp > 0x9F))))
            ax_buf_add(out, ax_str_slice(bytes, at, at + len));
        at += len ? len : 1;
    }
}
