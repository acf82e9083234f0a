/* table.c - see table.h. */
#include "tools/cli/table.h"

#include <sys/ioctl.h>

#include "dsl/base/assert.h"
#include "dsl/base/utf8.h"

enum { GAP = 2, CUT_MIN = 12, WIDTH_MIN = 40 };
#define MORE "..."
#define CELL_BYTES_MAX ((size_t)1 << 20)

ax_table ax_table_new(ax_arena *mem, const ax_column *columns, uint32_t count)
{
    ax_table t = {.mem = mem, .columns = columns, .count = count};
    t.widths = AX_NEW_N(mem, size_t, count);
    for (uint32_t i = 0; i < count; i++) t.widths[i] = ax_utf8_width(ax_str_of(columns[i].head));
    return t;
}

void ax_table_add(ax_table *t, ax_style style, ax_str text)
{
    size_t width = ax_utf8_width(text), *column = &t->widths[t->cells.len % t->count];
    if (width > *column) *column = width;
    ax_vec_push(t->mem, &t->cells, (ax_cell){text, style});
}

size_t ax_out_width(const ax_out *out)
{
    struct winsize size = {0};
    if (!out->terminal || ioctl(out->fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 0;
    return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

/* Narrows the columns that may be cut to one width, the largest with which the table fits. */
static void fit(ax_table *t, size_t columns)
{
    size_t fixed = (t->count - 1) * GAP, cap = columns;
    for (uint32_t i = 0; i < t->count; i++) fixed += t->columns[i].cut ? 0 : t->widths[i];
    for (;; cap--) {
        size_t total = fixed;
        for (uint32_t i = 0; i < t->count; i++)
            if (t->columns[i].cut) total += t->widths[i] < cap ? t->widths[i] : cap;
        if (total <= columns || cap <= CUT_MIN) break;
    }
    for (uint32_t i = 0; i < t->count; i++)
        if (t->columns[i].cut && t->widths[i] > cap) t->widths[i] = cap;
}

static bool is_inside_character(ax_str text, size_t at)
{
    return at < text.len && ((unsigned char)text.ptr[at] & 0xc0) == 0x80;
}

/* The longest part from the beginning that takes at most so many columns; and up to the end. */
static ax_str cut_end(ax_str text, size_t width)
{
    size_t len = text.len < 4 * width ? text.len : 4 * width;
    while (len > 0 && (is_inside_character(text, len) || ax_utf8_width(ax_str_slice(text, 0, len)) > width))
        len--;
    return ax_str_slice(text, 0, len);
}

static ax_str cut_beginning(ax_str text, size_t width)
{
    size_t from = text.len < 4 * width ? 0 : text.len - 4 * width;
    while (from < text.len &&
           (is_inside_character(text, from) || ax_utf8_width(ax_str_slice(text, from, text.len)) > width))
        from++;
    return ax_str_slice(text, from, text.len);
}

static void add_spaces(ax_out *out, size_t count)
{
    for (size_t i = 0; i < count; i++) ax_out_adds(out, " ");
}

/* Adds text without what could steer a terminal. */
static void add_safe(ax_buf *out, ax_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        ax_buf_addc(out, c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
}

static void add_cut(ax_buf *out, ax_str text, size_t width, ax_cut cut)
{
    size_t room = width - (sizeof MORE - 1), tail = cut == AX_CUT_MIDDLE ? room / 2 : 0;
    add_safe(out, cut_end(text, room - tail));
    ax_buf_adds(out, MORE);
    if (tail > 0) add_safe(out, cut_beginning(text, tail));
}

static void print_cell(const ax_table *t, ax_out *out, uint32_t column, const ax_cell *cell, bool last)
{
    ax_buf shown = AX_BUF_INIT(CELL_BYTES_MAX);
    size_t room = t->widths[column];
    if (ax_utf8_width(cell->text) > room) add_cut(&shown, cell->text, room, t->columns[column].cut);
    else add_safe(&shown, cell->text);
    size_t width = ax_utf8_width(ax_buf_str(&shown)), pad = width < room ? room - width : 0;
    if (t->columns[column].right) add_spaces(out, pad);
    ax_out_styled(out, cell->style, ax_buf_str(&shown));
    if (!t->columns[column].right && !last) add_spaces(out, pad);
    ax_buf_free(&shown);
}

static void print_row(const ax_table *t, ax_out *out, const ax_cell *cells)
{
    uint32_t used = t->count;
    while (used > 1 && cells[used - 1].text.len == 0) used--;
    for (uint32_t i = 0; i < used; i++) {
        if (i > 0) add_spaces(out, GAP);
        print_cell(t, out, i, &cells[i], i + 1 == used);
    }
    ax_out_adds(out, "\n");
}

void ax_table_print(ax_table *t, ax_out *out)
{
    AX_ASSERT(t->cells.len % t->count == 0);
    size_t columns = ax_out_width(out);
    if (columns > 0) fit(t, columns);
    if (!t->headed) {
        ax_cell *heads = AX_NEW_N(t->mem, ax_cell, t->count);
        for (uint32_t i = 0; i < t->count; i++)
            heads[i] = (ax_cell){ax_str_of(t->columns[i].head), AX_STYLE_DIM};
        print_row(t, out, heads);
        t->headed = true;
    }
    for (uint32_t i = 0; i < t->cells.len; i += t->count) print_row(t, out, &t->cells.at[i]);
    t->cells.len = 0;
}
