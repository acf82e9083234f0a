/* text.c - lines of a text, and bytes counted in units of an encoding. */
#include "compiler/lsp/text.h"

#include <string.h>

#include "dsl/base/utf8.h"
#include "dsl/base/vec.h"

static const char *const names[AX_UNITS_COUNT] = {
    [AX_UNITS_UTF16] = "utf-16",
    [AX_UNITS_UTF8] = "utf-8",
    [AX_UNITS_UTF32] = "utf-32",
};

const char *ax_units_name(ax_units units)
{
    return names[units];
}

ax_units ax_units_named(ax_str name)
{
    ax_units units = 0;
    while (units < AX_UNITS_COUNT && !ax_str_is(name, names[units])) units++;
    return units;
}

void ax_lines_read(ax_arena *mem, ax_str text, ax_units units, ax_lines *out)
{
    AX_VEC(uint32_t) starts = {0};
    ax_vec_push(mem, &starts, 0);
    bool has_cr = text.len > 0 && memchr(text.ptr, '\r', text.len);
    for (size_t at = 0; at < text.len; at++) {
        if (!has_cr) {
            const char *end = memchr(text.ptr + at, '\n', text.len - at);
            if (!end) break;
            at = (size_t)(end - text.ptr);
        }
        bool is_crlf = text.ptr[at] == '\r' && at + 1 < text.len && text.ptr[at + 1] == '\n';
        if (is_crlf || (text.ptr[at] != '\n' && text.ptr[at] != '\r')) continue;
        ax_vec_push(mem, &starts, (uint32_t)at + 1);
    }
    *out = (ax_lines){text, units, starts.at, starts.len};
}

/* The bytes and the units of the character at text[at]. */
static size_t measure(ax_units units, ax_str text, size_t at, uint32_t *count)
{
    uint32_t cp;
    size_t len = ax_utf8_decode(text, at, &cp);
    if (len == 0) len = 1;
    *count = units == AX_UNITS_UTF8 ? (uint32_t)len : units == AX_UNITS_UTF16 && len == 4 ? 2 : 1;
    return len;
}

uint32_t ax_units_count(ax_units units, ax_str text)
{
    uint32_t total = 0, one;
    if (units == AX_UNITS_UTF8) return (uint32_t)text.len;
    for (size_t at = 0; at < text.len; total += one) at += measure(units, text, at, &one);
    return total;
}

/* Where the text of a line ends, in front of its line end. */
static uint32_t line_end(const ax_lines *lines, uint32_t line)
{
    uint32_t end = line + 1 < lines->count ? lines->starts[line + 1] : (uint32_t)lines->text.len;
    bool is_last = line + 1 == lines->count;
    const char *text = lines->text.ptr;
    if (is_last) return end;
    end--;
    return end > lines->starts[line] && text[end] == '\n' && text[end - 1] == '\r' ? end - 1 : end;
}

uint32_t ax_lines_offset(const ax_lines *lines, ax_place place)
{
    if (place.line >= lines->count) return (uint32_t)lines->text.len;
    uint32_t at = lines->starts[place.line], end = line_end(lines, place.line), units = 0, one;
    while (at < end) {
        size_t len = measure(lines->units, lines->text, at, &one);
        if (units + one > place.unit) break;
        units += one;
        at += (uint32_t)len;
    }
    return at;
}

ax_place ax_lines_place(const ax_lines *lines, uint32_t offset)
{
    uint32_t low = 0, high = lines->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (lines->starts[middle] <= offset) low = middle;
        else high = middle;
    }
    ax_str before = ax_str_slice(lines->text, lines->starts[low], offset);
    return (ax_place){low, ax_units_count(lines->units, before)};
}
