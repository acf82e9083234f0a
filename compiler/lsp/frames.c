/* frames.c - headers and lengths of messages, and the way back after what is none. */
#include "compiler/lsp/frames.h"

#include <string.h>
#include <strings.h>

#include "dsl/base/assert.h"

#define HEADER_BYTES_MAX ((size_t)4096)
#define LENGTH_DIGITS_MAX 18
#define BYTES_MAX (AX_MESSAGE_BYTES_MAX + HEADER_BYTES_MAX + ((size_t)1 << 20))

static const ax_str field = AX_LIT_INIT("Content-Length:");

void ax_frames_init(ax_frames *f)
{
    *f = (ax_frames){.bytes = AX_BUF_INIT(BYTES_MAX)};
}

void ax_frames_free(ax_frames *f)
{
    ax_buf_free(&f->bytes);
}

/* Moves what is not taken to the front. */
static void close_gap(ax_frames *f)
{
    size_t left = f->bytes.len - f->at;
    if (f->at > 0 && left > 0) memmove(f->bytes.ptr, f->bytes.ptr + f->at, left);
    f->bytes.len = left;
    f->at = 0;
}

void ax_frames_add(ax_frames *f, ax_str bytes)
{
    size_t gone = f->skip < bytes.len ? (size_t)f->skip : bytes.len;
    f->skip -= gone;
    close_gap(f);
    ax_buf_add(&f->bytes, ax_str_slice(bytes, gone, bytes.len));
    AX_ASSERT(!f->bytes.full);
}

static ax_str rest(const ax_frames *f)
{
    return ax_str_slice(ax_buf_str(&f->bytes), f->at, f->bytes.len);
}

/* The place of the field in text in any case of its letters; text.len if it is not there. */
static size_t find_field(ax_str text)
{
    for (size_t at = 0; at + field.len <= text.len; at++) {
        bool may_be = (text.ptr[at] | 0x20) == 'c';
        if (may_be && strncasecmp(text.ptr + at, field.ptr, field.len) == 0) return at;
    }
    return text.len;
}

/* The length of a header with the empty line behind it; 0: its end has not come. */
static size_t header_len(ax_str text)
{
    const char *end = memmem(text.ptr ? text.ptr : "", text.len, "\r\n\r\n", 4);
    return end ? (size_t)(end - text.ptr) + 4 : 0;
}

/* Reads the number of the field; false if there is none. */
static bool read_length(ax_str header, uint64_t *length)
{
    size_t at = find_field(header), digits = 0;
    if (at == header.len) return false;
    at += field.len;
    while (at < header.len && (header.ptr[at] == ' ' || header.ptr[at] == '\t')) at++;
    *length = 0;
    for (; at < header.len && header.ptr[at] >= '0' && header.ptr[at] <= '9'; at++, digits++) {
        if (digits == LENGTH_DIGITS_MAX) return false;
        *length = *length * 10 + (uint64_t)(header.ptr[at] - '0');
    }
    return digits > 0 && at < header.len && header.ptr[at] == '\r';
}

/* Passes over bytes that begin no message: up to the next field, or all but what may be its beginning. */
static ax_frame_kind pass_garbage(ax_frames *f, ax_str *out)
{
    bool is_told = f->is_garbage;
    ax_str text = rest(f);
    size_t from = is_told ? 0 : 1, found = find_field(ax_str_slice(text, from, text.len)) + from;
    bool is_there = found < text.len;
    if (is_there) f->at += found;
    else if (text.len >= field.len) f->at += text.len - field.len + 1;
    f->is_garbage = !is_there;
    *out = AX_LIT("there are bytes without a header 'Content-Length: N'");
    if (!is_told) return AX_FRAME_BAD;
    return is_there ? ax_frames_next(f, out) : AX_FRAME_NONE;
}

static ax_frame_kind skip_message(ax_frames *f, uint64_t length, ax_str *out)
{
    size_t left = f->bytes.len - f->at;
    size_t gone = length < left ? (size_t)length : left;
    f->at += gone;
    f->skip = length - gone;
    *out = AX_LIT("a message is too large: 64 MiB are allowed");
    return AX_FRAME_BAD;
}

ax_frame_kind ax_frames_next(ax_frames *f, ax_str *out)
{
    uint64_t length;
    ax_str text = rest(f);
    if (text.len == 0) return AX_FRAME_NONE;
    if (f->is_garbage) return pass_garbage(f, out);
    size_t header = header_len(ax_str_slice(text, 0, HEADER_BYTES_MAX));
    if (header == 0) return text.len < HEADER_BYTES_MAX ? AX_FRAME_NONE : pass_garbage(f, out);
    if (!read_length(ax_str_slice(text, 0, header), &length)) return pass_garbage(f, out);
    if (length > AX_MESSAGE_BYTES_MAX) {
        f->at += header;
        return skip_message(f, length, out);
    }
    if (text.len - header < length) return AX_FRAME_NONE;
    f->at += header + (size_t)length;
    *out = ax_str_slice(text, header, header + (size_t)length);
    return AX_FRAME_MESSAGE;
}

void ax_frame_write(ax_str message, ax_buf *out)
{
    ax_buf_addf(out, "Content-Length: %zu\r\n\r\n", message.len);
    ax_buf_add(out, message);
}
