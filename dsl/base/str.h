/* str.h - string views: a pointer and a length, owned by somebody else.
 *
 * A view lives as long as what it points into: an arena, a source text, a literal. It is not NUL-terminated;
 * ax_str_c makes a terminated copy where libc needs one.
 */
#ifndef AX_BASE_STR_H
#define AX_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dsl/base/arena.h"

typedef struct {
    const char *ptr;
    size_t len; /* bytes */
} ax_str;

/* A view of a string literal. */
#define AX_LIT(literal) ((ax_str){(literal), sizeof(literal) - 1})
/* The same as the initializer of a static table, where C11 wants no compound literal. */
#define AX_LIT_INIT(literal)                                                                                 \
    {                                                                                                        \
        (literal), sizeof(literal) - 1                                                                       \
    }
/* The two arguments that printf's "%.*s" takes. */
#define AX_STR(s) (int)(s).len, ((s).ptr ? (s).ptr : "")

/* A view of a NUL-terminated string; NULL gives the empty view. */
ax_str ax_str_of(const char *text);
/* True if both have the same bytes. */
bool ax_str_eq(ax_str a, ax_str b);
/* True if s has the bytes of the NUL-terminated text. */
bool ax_str_is(ax_str s, const char *text);
/* Byte order, like memcmp, the shorter first; < 0, 0, > 0. */
int ax_str_cmp(ax_str a, ax_str b);
/* True if s begins with / ends with the given bytes. */
bool ax_str_starts(ax_str s, ax_str prefix);
bool ax_str_ends(ax_str s, ax_str suffix);
/* The part from byte `from` up to (not including) byte `to`; both are clamped to the view. */
ax_str ax_str_slice(ax_str s, size_t from, size_t to);
/* A copy whose bytes live in mem. */
ax_str ax_str_dup(ax_arena *mem, ax_str s);
/* A NUL-terminated copy in mem. */
char *ax_str_c(ax_arena *mem, ax_str s);
/* A formatted string in mem (printf's rules). */
ax_str ax_str_fmt(ax_arena *mem, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same from a started va_list, which it uses up. */
ax_str ax_str_vfmt(ax_arena *mem, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

#endif
