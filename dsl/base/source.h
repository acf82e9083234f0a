/* source.h - the texts of a compilation, and places in them.
 *
 * All sources of one compilation share one space of byte offsets, so a place is 4 bytes and a span 8: offset
 * 0 is nowhere, and each source begins at its `base`. Lines and columns are computed only when something is
 * shown. Columns count code points from 1; a tab is one column; CRLF ends one line; a byte order mark is in
 * no column.
 */
#ifndef AX_BASE_SOURCE_H
#define AX_BASE_SOURCE_H

#include <stdint.h>

#include "dsl/base/err.h"
#include "dsl/base/str.h"
#include "dsl/base/vec.h"

#define AX_SOURCE_BYTES_MAX (512u << 20) /* one file */
#define AX_SOURCES_BYTES_MAX (3u << 30)  /* all files of one compilation */

typedef struct {
    uint32_t beg, end; /* byte offsets in the shared space, end exclusive; 0,0 is nowhere */
} ax_span;

typedef struct {
    ax_str path;         /* as the user gave it; "<stdin>" for standard input */
    ax_str text;         /* the bytes as read */
    uint32_t base;       /* offset of the first byte */
    uint32_t *lines;     /* offsets (from base) of the line starts; built on first use */
    uint32_t line_count; /* 0: not built */
} ax_source;

typedef struct {
    ax_arena *mem;
    AX_VEC(ax_source *) files;
    uint32_t next_base;
} ax_sources;

typedef struct {
    const ax_source *source; /* NULL: nowhere */
    uint32_t line;           /* from 1 */
    uint32_t column;         /* from 1, in code points */
    ax_str line_text;        /* without its line end */
} ax_pos;

/* An empty set whose records live in mem. */
ax_sources ax_sources_new(ax_arena *mem);
/* Adds a text; path and text must outlive the set. AX_INVALID if a limit is passed. */
ax_rc ax_sources_add(ax_sources *set, ax_str path, ax_str text, ax_source **out, ax_err *err);
/* Reads a file ("-": standard input) into the set's arena and adds it. */
ax_rc ax_sources_read(ax_sources *set, const char *path, ax_source **out, ax_err *err);
/* Where an offset is; builds the line table of its file on first use. */
ax_pos ax_sources_pos(const ax_sources *set, uint32_t offset);
/* Only the line of an offset, without the cost of counting a column; 0 for nowhere. */
uint32_t ax_sources_line(const ax_sources *set, uint32_t offset);
/* The bytes under a span. */
ax_str ax_sources_text(const ax_sources *set, ax_span span);
/* The span from the start of a to the end of b. */
ax_span ax_span_join(ax_span a, ax_span b);

#endif
