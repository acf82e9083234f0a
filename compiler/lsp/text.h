/* text.h - places in a text as editors count them: lines from 0, and in a line units of an encoding.
 *
 * A line ends with \n, \r\n or \r. A place behind the end of a line or of the text is its end, and one inside
 * a character is the character's beginning: a client that counts wrong can't lead out of the text.
 */
#ifndef AX_COMPILER_LSP_TEXT_H
#define AX_COMPILER_LSP_TEXT_H

#include "dsl/base/str.h"

typedef enum { AX_UNITS_UTF16, AX_UNITS_UTF8, AX_UNITS_UTF32, AX_UNITS_COUNT } ax_units;

typedef struct {
    uint32_t line, unit;
} ax_place;

typedef struct {
    ax_str text;
    ax_units units;
    const uint32_t *starts; /* offsets of the lines' first bytes */
    uint32_t count;         /* at least 1 */
} ax_lines;

/* "utf-16", "utf-8", "utf-32", and back; AX_UNITS_COUNT if there is no such name. */
const char *ax_units_name(ax_units units);
ax_units ax_units_named(ax_str name);

/* Finds the lines of a text; the table lives in mem. */
void ax_lines_read(ax_arena *mem, ax_str text, ax_units units, ax_lines *out);
/* The byte at a place, and the place of a byte. */
uint32_t ax_lines_offset(const ax_lines *lines, ax_place place);
ax_place ax_lines_place(const ax_lines *lines, uint32_t offset);
/* The units that a text takes. */
uint32_t ax_units_count(ax_units units, ax_str text);

#endif
