/* str.c - comparing, cutting and copying views. */
#include "dsl/base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dsl/base/assert.h"

ax_str ax_str_of(const char *text)
{
    return text ? (ax_str){text, strlen(text)} : (ax_str){0};
}

bool ax_str_eq(ax_str a, ax_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool ax_str_is(ax_str s, const char *text)
{
    return ax_str_eq(s, ax_str_of(text));
}

int ax_str_cmp(ax_str a, ax_str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool ax_str_starts(ax_str s, ax_str prefix)
{
    return s.len >= prefix.len && ax_str_eq(ax_str_slice(s, 0, prefix.len), prefix);
}

bool ax_str_ends(ax_str s, ax_str suffix)
{
    return s.len >= suffix.len && ax_str_eq(ax_str_slice(s, s.len - suffix.len, s.len), suffix);
}

ax_str ax_str_slice(ax_str s, size_t from, size_t to)
{
    if (to > s.len) to = s.len;
    if (from >= to) return (ax_str){0};
    return (ax_str){s.ptr + from, to - from};
}

char *ax_str_c(ax_arena *mem, ax_str s)
{
    char *out = ax_arena_alloc(mem, s.len + 1);
    if (s.len) memcpy(out, s.ptr, s.len);
    return out;
}

ax_str ax_str_dup(ax_arena *mem, ax_str s)
{
    return (ax_str){ax_str_c(mem, s), s.len};
}

ax_str ax_str_vfmt(ax_arena *mem, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    AX_ASSERT(len >= 0);

    char *out = ax_arena_alloc(mem, (size_t)len + 1);
    vsnprintf(out, (size_t)len + 1, fmt, args);
    return (ax_str){out, (size_t)len};
}

ax_str ax_str_fmt(ax_arena *mem, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    ax_str out = ax_str_vfmt(mem, fmt, args);
    va_end(args);
    return out;
}
