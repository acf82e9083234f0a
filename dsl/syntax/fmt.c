/* fmt.c - the one layout: entries on lines of their own, blank lines kept one at a time, columns where they
 * help.
 *
 * In braces, entries that stand on consecutive lines and have the same shape are aligned at their `=`, `:` or
 * `{`.
 */
#include "dsl/syntax/fmt.h"

#include "dsl/syntax/fmt_int.h"
#include "dsl/syntax/gram.h"

/* Where an entry may be aligned with its neighbours. */
typedef struct {
    uint32_t at;    /* the token that is aligned; AX_FMT_NONE: none */
    uint32_t width; /* columns in front of it */
    ax_str word;    /* what the entries must begin with, for those that begin with a word of the language */
} shape;

/* Consecutive entries that are aligned with one another. */
typedef struct {
    uint32_t end;   /* the first token behind them */
    uint32_t width; /* of the widest head; 0: they are not aligned */
} alignment;

static ax_str text_of(const ax_fmt_state *f, uint32_t i)
{
    return ax_str_slice(f->text, f->tokens[i].beg, f->tokens[i].end);
}

/* The shape of an entry that stands on one line: `name =`, `kind {`, `kind label =`, `kind label :`. */
static shape shape_of(const ax_fmt_state *f, uint32_t beg, uint32_t end)
{
    shape none = {.at = AX_FMT_NONE};
    uint32_t at = beg + 1;
    bool has_label = at < end && f->tokens[at].kind == AX_YYNAME;
    if (has_label) at++;
    if (at >= end) return none;
    int kind = f->tokens[at].kind;
    bool is_aligned = kind == AX_YYASSIGN || (kind == AX_YYLBRACE && !has_label) ||
                      (kind == AX_YYCOLON && f->tokens[at].is_type);
    if (!is_aligned) return none;
    return (shape){at, ax_fmt_width(f, beg, at), has_label ? text_of(f, beg) : (ax_str){0}};
}

/* True if token i begins the line right below the one before it. */
static bool is_next_line(const ax_fmt_state *f, uint32_t i)
{
    uint32_t before = f->tokens[i - 1].end, lines = 0;
    for (uint32_t c = f->tokens[i].comment; c < ax_fmt_comments_end(f, i); c++) {
        if (f->file->comments[c].own_line) return false;
    }
    for (uint32_t at = before; at < f->tokens[i].beg; at++) lines += f->text.ptr[at] == '\n';
    return lines < 2;
}

static bool fits_line(const ax_fmt_state *f, uint32_t beg, uint32_t end, uint32_t indent, uint32_t gap)
{
    return ax_fmt_is_flat(f, beg, end) && indent + ax_fmt_width(f, beg, end) + gap <= AX_FMT_COLUMNS;
}

/* The run of aligned entries that begins at beg. If one of them would get too long, none is aligned. */
static alignment align_from(const ax_fmt_state *f, uint32_t beg, uint32_t close, uint32_t indent)
{
    shape first = shape_of(f, beg, ax_fmt_entry_end(f, beg, close));
    alignment run = {.end = beg, .width = first.width};
    uint32_t longest = 0; /* columns behind the heads */
    for (uint32_t i = beg; i < close; i = run.end) {
        uint32_t end = ax_fmt_entry_end(f, i, close);
        shape s = shape_of(f, i, end);
        bool is_alike = s.at != AX_FMT_NONE && f->tokens[s.at].kind == f->tokens[first.at].kind &&
                        ax_str_eq(s.word, first.word) && fits_line(f, i, end, indent, 0);
        if (!is_alike || (i > beg && !is_next_line(f, i))) break;
        uint32_t rest = ax_fmt_width(f, i, end) - s.width;
        if (rest > longest) longest = rest;
        if (s.width > run.width) run.width = s.width;
        run.end = end;
    }
    if (run.end == beg) return (alignment){ax_fmt_entry_end(f, beg, close), 0};
    if (indent + run.width + longest > AX_FMT_COLUMNS) run.width = 0;
    return run;
}

void ax_fmt_print_lines(ax_fmt_state *f, uint32_t open, uint32_t indent)
{
    bool is_file = open == AX_FMT_NONE, has_columns = ax_fmt_is_braces(f, open);
    uint32_t close = is_file ? f->count : f->tokens[open].mate;
    uint32_t first = is_file ? 0 : open + 1, inner = is_file ? indent : indent + AX_FMT_INDENT;
    bool has_commas = !has_columns && (f->tokens[open].kind != AX_YYLPAREN || ax_fmt_is_call(f, open));
    alignment run = {.end = first};

    for (uint32_t i = first; i < close;) {
        uint32_t end = ax_fmt_entry_end(f, i, close);
        ax_fmt_entry entry = {i, end, inner, has_commas, AX_FMT_NONE, 0};
        ax_fmt_print_gap(f, i, inner, inner, i == first, false);
        if (has_columns && i >= run.end) run = align_from(f, i, close, inner);
        if (has_columns && run.width) {
            shape s = shape_of(f, i, end);
            entry.gap_at = s.at;
            entry.gap = run.width - s.width;
        }
        ax_fmt_print_entry(f, &entry);
        if (has_commas) ax_fmt_puts(f, ",");
        i = end;
    }
    ax_fmt_print_gap(f, close, inner, indent, close == first, true);
}

void ax_fmt(const ax_ast_file *file, ax_arena *scratch, ax_buf *out)
{
    ax_fmt_state f = {.file = file, .text = file->source->text, .out = out, .start = out->len};
    ax_fmt_tokens(&f, scratch);
    ax_fmt_print_lines(&f, AX_FMT_NONE, 0);
}
