/* utf8.h - the little that AX needs to know about UTF-8. */
#ifndef AX_BASE_UTF8_H
#define AX_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dsl/base/str.h"

/* Decodes the code point at s.ptr[at]; returns its length in bytes (1-4) and stores it in *cp. Returns 0 if
 * the bytes are not valid UTF-8 (overlong, surrogate, truncated, above U+10FFFF). */
size_t ax_utf8_decode(ax_str s, size_t at, uint32_t *cp);
/* Writes cp as UTF-8 into out (at most 4 bytes) and returns the length; 0 if cp is no scalar value. */
size_t ax_utf8_encode(uint32_t cp, char out[4]);
/* The number of code points in s; a byte that is not part of a valid sequence counts as one. */
size_t ax_utf8_count(ax_str s);
/* The offset of the first byte that is not valid UTF-8, or s.len. */
size_t ax_utf8_invalid(ax_str s);
/* The columns that s takes on a terminal: wide East Asian and emoji 2, combining marks 0. */
size_t ax_utf8_width(ax_str s);

#endif
