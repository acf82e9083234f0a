/* table.h - rows in columns: as wide as their texts, and on a terminal not wider than it.
 *
 *   ax_table t = ax_table_new(&mem, columns, 3);
 *   for each row: ax_table_add(&t, AX_STYLE_PLAIN, text) three times
 *   ax_table_print(&t, &out);
 *
 * Printing empties the table but keeps its widths, so that a long one may be printed in parts. Texts may hold
 * anything: control characters are shown as '?'.
 */
#ifndef AX_CLI_TABLE_H
#define AX_CLI_TABLE_H

#include "dsl/base/vec.h"
#include "tools/cli/out.h"

/* What may go of a text that is too wide for a terminal. */
typedef enum { AX_CUT_NOTHING, AX_CUT_END, AX_CUT_MIDDLE } ax_cut;

typedef struct {
    const char *head; /* upper case */
    bool right;       /* numbers: to the right */
    ax_cut cut;
} ax_column;

typedef struct {
    ax_str text;
    ax_style style;
} ax_cell;

typedef struct {
    ax_arena *mem;
    const ax_column *columns;
    uint32_t count;
    size_t *widths; /* by column */
    bool headed;    /* the head was printed */
    AX_VEC(ax_cell) cells;
} ax_table;

/* An empty table; columns must outlive it. */
ax_table ax_table_new(ax_arena *mem, const ax_column *columns, uint32_t count);
/* The next cell, row after row, from left to right; the text must live until the table is printed. */
void ax_table_add(ax_table *t, ax_style style, ax_str text);
/* Prints the rows that were added, the first time below their heads. */
void ax_table_print(ax_table *t, ax_out *out);

/* The columns of the terminal that the stream is; 0 if it is none. */
size_t ax_out_width(const ax_out *out);

#endif
