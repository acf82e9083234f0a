/* fmt_entry.c - how one entry is laid out: on one line if it can be, else broken at its groups and operators.
 *
 * What is decided here depends on the tokens, the comments between them, and the line ends inside braces, and
 * all of these come out as they went in: so a second pass decides the same.
 */
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/utf8.h"
#include "dsl/syntax/fmt_int.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

void ax_fmt_put(ax_fmt_state *f, ax_str text)
{
    ax_buf_add(f->out, text);
    f->column += (uint32_t)ax_utf8_width(text);
}

void ax_fmt_puts(ax_fmt_state *f, const char *text)
{
    ax_fmt_put(f, ax_str_of(text));
}

void ax_fmt_spaces(ax_fmt_state *f, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) ax_buf_addc(f->out, ' ');
    f->column += n;
}

static void new_line(ax_fmt_state *f, uint32_t indent)
{
    if (f->out->len > f->start) ax_buf_addc(f->out, '\n');
    f->column = 0;
    ax_fmt_spaces(f, indent);
}

/* ---- gaps ---- */

/* True if a blank line stands between two bytes of the source. */
static bool has_blank_line(const ax_fmt_state *f, uint32_t beg, uint32_t end)
{
    const char *first = memchr(f->text.ptr + beg, '\n', end - beg);
    if (!first) return false;
    uint32_t next = (uint32_t)(first - f->text.ptr) + 1;
    return memchr(f->text.ptr + next, '\n', end - next) != NULL;
}

void ax_fmt_print_gap(ax_fmt_state *f, uint32_t i, uint32_t indent, uint32_t own_indent, bool is_first,
                      bool is_last)
{
    uint32_t before = i ? f->tokens[i - 1].end : 0, base = f->file->source->base;
    bool is_line_open = i > 0;
    for (uint32_t c = f->tokens[i].comment; c < ax_fmt_comments_end(f, i); c++) {
        const ax_ast_comment *comment = &f->file->comments[c];
        uint32_t beg = comment->span.beg - base;
        if (!comment->own_line && is_line_open) {
            ax_fmt_puts(f, "  ");
        } else {
            if (!is_first && has_blank_line(f, before, beg)) ax_buf_addc(f->out, '\n');
            new_line(f, indent);
        }
        ax_fmt_put(f, comment->text);
        before = comment->span.end - base;
        is_line_open = is_first = false;
    }
    if (!is_first && !is_last && has_blank_line(f, before, f->tokens[i].beg)) ax_buf_addc(f->out, '\n');
    new_line(f, own_indent);
}

/* ---- tokens ---- */

static ax_str text_of(const ax_fmt_state *f, uint32_t i)
{
    return ax_str_slice(f->text, f->tokens[i].beg, f->tokens[i].end);
}

/* Takes the next line off *text, without its line end. */
static ax_str take_line(ax_str *text)
{
    const char *feed = text->len ? memchr(text->ptr, '\n', text->len) : NULL;
    ax_str line = feed ? (ax_str){text->ptr, (size_t)(feed - text->ptr)} : *text;
    *text = ax_str_slice(*text, line.len + (feed != NULL), text->len);
    if (feed && ax_str_ends(line, AX_LIT("\r"))) line.len--;
    return line;
}

static size_t blanks_of(ax_str line)
{
    size_t n = 0;
    while (n < line.len && (line.ptr[n] == ' ' || line.ptr[n] == '\t')) n++;
    return n;
}

/* A block moves as a whole: the indent that all its lines have is no part of its text. The text goes one
 * level further in than its entry, the closing quotes to the entry's own. */
static void put_block(ax_fmt_state *f, ax_str text, uint32_t indent)
{
    ax_fmt_put(f, ax_str_slice(text, 0, 3));
    take_line(&text);
    const char *feed = memrchr(text.ptr, '\n', text.len);
    ax_str common = feed ? ax_string_indent((ax_str){text.ptr, (size_t)(feed - text.ptr)}) : (ax_str){0};
    for (bool is_last = false; !is_last;) {
        is_last = memchr(text.ptr, '\n', text.len) == NULL;
        ax_str line = take_line(&text);
        if (is_last) line = ax_str_slice(line, blanks_of(line), line.len);
        bool is_empty = !is_last && line.len == blanks_of(line) && !ax_str_starts(line, common);
        ax_str rest = is_last ? line : ax_string_cut_indent(line, common);
        new_line(f, is_last ? indent : is_empty || rest.len == 0 ? 0 : indent + AX_FMT_INDENT);
        ax_fmt_put(f, rest);
    }
}

static void put_token(ax_fmt_state *f, uint32_t i, uint32_t indent)
{
    bool is_block = f->tokens[i].kind == AX_YYSTR && f->tokens[i].is_forced;
    if (is_block) put_block(f, text_of(f, i), indent);
    else ax_fmt_put(f, text_of(f, i));
}

static void put_flat(ax_fmt_state *f, uint32_t beg, uint32_t end, uint32_t gap_at, uint32_t gap)
{
    for (uint32_t i = beg; i < end; i++) {
        if (i > beg) ax_fmt_puts(f, ax_fmt_space(f, i));
        if (i == gap_at) ax_fmt_spaces(f, gap);
        ax_fmt_put(f, text_of(f, i));
    }
}

/* ---- breaking an entry ---- */

static bool is_group(const ax_fmt_state *f, uint32_t i)
{
    return f->tokens[i].mate != AX_FMT_NONE;
}

/* The columns from token `from` to the next place where the entry may break: behind the next opener, or its
 * end. */
static uint32_t run_width(const ax_fmt_state *f, uint32_t from, uint32_t end, uint32_t tail)
{
    uint32_t i = from;
    while (i < end && !is_group(f, i) && !(i > from && ax_fmt_has_comment(f, i))) i++;
    if (i == from) return 0;
    return ax_fmt_width(f, from, i) + (i == end ? tail : 0);
}

/* The columns that the entry takes before its first group that does not stand on one line anyway. Braces do
 * not count as one line: whether they do may depend on what is decided here. */
static uint32_t head_width(const ax_fmt_state *f, const ax_fmt_entry *e)
{
    uint32_t i = e->beg;
    while (i < e->end) {
        bool is_open = is_group(f, i) && (ax_fmt_is_braces(f, i) || !ax_fmt_is_flat(f, i, ax_fmt_next(f, i)));
        if (is_open || f->tokens[i].is_forced) return ax_fmt_width(f, e->beg, i + 1);
        i = ax_fmt_next(f, i);
    }
    return ax_fmt_width(f, e->beg, e->end) + e->tail;
}

static bool has_operator(const ax_fmt_state *f, const ax_fmt_entry *e, int kind)
{
    for (uint32_t i = e->beg; i < e->end; i = ax_fmt_next(f, i)) {
        if (f->tokens[i].kind == kind) return true;
    }
    return false;
}

/* The operator in front of which a long entry is broken: the loosest that it has; 0 for none. */
static int break_operator(const ax_fmt_state *f, const ax_fmt_entry *e)
{
    static const int order[] = {AX_YYARROW, AX_YYELSE, AX_YYOR, AX_YYAND, AX_YYPLUS};
    if (e->indent + head_width(f, e) <= AX_FMT_COLUMNS) return 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (has_operator(f, e, order[i])) return order[i];
    }
    return 0;
}

/* Prints the group that token i opens. more: the columns that must follow on the line of its closer. */
static void put_group(ax_fmt_state *f, uint32_t i, uint32_t indent, uint32_t more)
{
    uint32_t close = f->tokens[i].mate;
    bool fits =
        ax_fmt_is_flat(f, i, close + 1) && f->column + ax_fmt_width(f, i, close + 1) + more <= AX_FMT_COLUMNS;
    if (fits) {
        put_flat(f, i, close + 1, AX_FMT_NONE, 0);
        return;
    }
    ax_fmt_put(f, text_of(f, i));
    ax_fmt_print_lines(f, i, indent);
    ax_fmt_put(f, text_of(f, close));
}

static void put_broken(ax_fmt_state *f, const ax_fmt_entry *e)
{
    int operator= break_operator(f, e);
    uint32_t inner = e->indent + AX_FMT_INDENT;
    for (uint32_t i = e->beg; i < e->end; i = ax_fmt_next(f, i)) {
        if (i > e->beg && ax_fmt_has_comment(f, i)) {
            ax_fmt_print_gap(f, i, inner, inner, true, true);
        } else if (i > e->beg && f->tokens[i].kind == operator) {
            new_line(f, inner);
        } else if (i > e->beg) {
            ax_fmt_puts(f, ax_fmt_space(f, i));
        }
        if (is_group(f, i)) {
            uint32_t next = ax_fmt_next(f, i);
            uint32_t more =
                next < e->end && f->tokens[next].kind == operator? 0 : run_width(f, next, e->end, e->tail);
            put_group(f, i, e->indent, next < e->end ? more : e->tail);
        } else {
            put_token(f, i, e->indent);
        }
    }
}

void ax_fmt_print_entry(ax_fmt_state *f, const ax_fmt_entry *e)
{
    bool fits = ax_fmt_is_flat(f, e->beg, e->end) &&
                f->column + ax_fmt_width(f, e->beg, e->end) + e->tail <= AX_FMT_COLUMNS;
    if (fits) put_flat(f, e->beg, e->end, e->gap_at, e->gap);
    else put_broken(f, e);
}
