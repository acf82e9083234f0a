/* buf.c - the growing byte buffer. */
#include "dsl/base/buf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsl/base/assert.h"

char *ax_buf_room(ax_buf *b, size_t more)
{
    if (more > b->max - b->len) {
        b->full = true;
        return NULL;
    }
    size_t need = b->len + more + 1;
    if (need > b->cap) {
        size_t cap = b->cap ? b->cap * 2 : 256;
        if (cap < need) cap = need;
        char *ptr = realloc(b->ptr, cap);
        if (!ptr) ax_out_of_memory();
        b->ptr = ptr;
        b->cap = cap;
    }
    return b->ptr + b->len;
}

void ax_buf_add(ax_buf *b, ax_str s)
{
    /* What was cut off once stays cut off: a shorter piece behind it would make a text that nobody wrote. */
    if (b->full || s.len == 0) return;
    char *to = ax_buf_room(b, s.len);
    if (!to) return;
    memcpy(to, s.ptr, s.len);
    b->len += s.len;
    b->ptr[b->len] = '\0';
}

void ax_buf_adds(ax_buf *b, const char *text)
{
    ax_buf_add(b, ax_str_of(text));
}

void ax_buf_addc(ax_buf *b, char c)
{
    ax_buf_add(b, (ax_str){&c, 1});
}

void ax_buf_addf(ax_buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    AX_ASSERT(len >= 0);
    if (b->full) return;

    char *to = ax_buf_room(b, (size_t)len);
    if (!to) return;
    va_start(args, fmt);
    vsnprintf(to, (size_t)len + 1, fmt, args);
    va_end(args);
    b->len += (size_t)len;
}

void ax_buf_addi(ax_buf *b, int64_t n)
{
    ax_buf_addf(b, "%" PRId64, n);
}

void ax_buf_splice(ax_buf *b, size_t beg, size_t end, ax_str s)
{
    AX_ASSERT(beg <= end && end <= b->len);
    size_t gone = end - beg;
    if (b->full || !ax_buf_room(b, s.len > gone ? s.len - gone : 0)) return;
    memmove(b->ptr + beg + s.len, b->ptr + end, b->len - end);
    if (s.len > 0) memcpy(b->ptr + beg, s.ptr, s.len);
    b->len = b->len - gone + s.len;
    b->ptr[b->len] = '\0';
}

ax_str ax_buf_str(const ax_buf *b)
{
    return (ax_str){b->ptr, b->len};
}

void ax_buf_clear(ax_buf *b)
{
    b->len = 0;
    b->full = false;
    if (b->ptr) b->ptr[0] = '\0';
}

void ax_buf_free(ax_buf *b)
{
    free(b->ptr);
    *b = AX_BUF_INIT(b->max);
}
