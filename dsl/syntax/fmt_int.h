/* fmt_int.h - what the formatter's files share: a text as tokens that know their place on one endless line.
 *
 * The formatter prints the source's own tokens, each once and in order, so nothing can be lost or changed;
 * the tree only says where items begin. Commas are not among the tokens: an entry of a group is marked at its
 * first token, and the layout puts commas where it wants them. A range of tokens can stand on one line unless
 * a break in it is forced: by a comment, by a string of several lines, or by braces that stand on several
 * lines in the source.
 */
#ifndef AX_SYNTAX_FMT_INT_H
#define AX_SYNTAX_FMT_INT_H

#include "dsl/base/buf.h"
#include "dsl/syntax/ast.h"

#define AX_FMT_COLUMNS 100 /* what an entry on one line may take */
#define AX_FMT_INDENT 2
#define AX_FMT_NONE UINT32_MAX

typedef struct {
    uint32_t beg, end; /* bytes in the source's text */
    uint32_t group;    /* the opener that it stands in; AX_FMT_NONE: the file itself */
    uint32_t mate;     /* opener: its closer; others: AX_FMT_NONE */
    uint32_t comment;  /* the first comment behind the token before it */
    uint32_t column;   /* where it stands if the whole text is on one line */
    uint32_t width;    /* columns */
    uint32_t breaks;   /* forced breaks in front of it, its own gap not counted */
    int16_t kind;      /* of gram.h */
    bool starts;       /* the first of an entry */
    bool is_type;      /* the `:` or `(` of a type */
    bool is_forced;    /* braces or a string on several lines */
} ax_fmt_token;

typedef struct {
    const ax_ast_file *file;
    ax_str text;
    ax_fmt_token *tokens; /* one more than count: the end of the text */
    uint32_t count;
    ax_buf *out;
    size_t start;    /* length of out before the first byte */
    uint32_t column; /* where the next byte goes */
} ax_fmt_state;

/* The tokens of the file, in mem, with all that is known of them. */
void ax_fmt_tokens(ax_fmt_state *f, ax_arena *mem);
/* What stands between token i and the one before it on one line: "", " ", "  " or ", ". */
const char *ax_fmt_space(const ax_fmt_state *f, uint32_t i);
/* One past the last comment in front of token i, whose first is tokens[i].comment; and whether there is one.
 */
uint32_t ax_fmt_comments_end(const ax_fmt_state *f, uint32_t i);
bool ax_fmt_has_comment(const ax_fmt_state *f, uint32_t i);
/* True if tokens beg to end (exclusive) can stand on one line. */
bool ax_fmt_is_flat(const ax_fmt_state *f, uint32_t beg, uint32_t end);
/* The columns that they take there. */
uint32_t ax_fmt_width(const ax_fmt_state *f, uint32_t beg, uint32_t end);
/* The token behind i, or behind the group that i opens. */
uint32_t ax_fmt_next(const ax_fmt_state *f, uint32_t i);
/* One past the last token of the entry that begins at beg, in a group that ends at close. */
uint32_t ax_fmt_entry_end(const ax_fmt_state *f, uint32_t beg, uint32_t close);
/* True if token i opens braces; also for the file itself (AX_FMT_NONE). */
bool ax_fmt_is_braces(const ax_fmt_state *f, uint32_t i);
/* True if token i is a `(` that calls: a comma may stand behind its last entry. */
bool ax_fmt_is_call(const ax_fmt_state *f, uint32_t i);

/* Prints the entry beg to end (exclusive) at `indent`, where the output is. tail: columns that follow on its
 * last line. gap_at, gap: more spaces in front of that token, to align it with others; AX_FMT_NONE: none. */
typedef struct {
    uint32_t beg, end, indent, tail, gap_at, gap;
} ax_fmt_entry;
void ax_fmt_print_entry(ax_fmt_state *f, const ax_fmt_entry *entry);
/* Prints the entries of a group, each on lines of its own, up to the line of its closer. */
void ax_fmt_print_lines(ax_fmt_state *f, uint32_t open, uint32_t indent);
/* Prints the comments in front of token i, and goes to the line where it stands. indent: of the comments,
 * own_indent: of the token. is_first: what opens the group stands before; is_last: what closes it follows. */
void ax_fmt_print_gap(ax_fmt_state *f, uint32_t i, uint32_t indent, uint32_t own_indent, bool is_first,
                      bool is_last);
void ax_fmt_put(ax_fmt_state *f, ax_str text);
void ax_fmt_puts(ax_fmt_state *f, const char *text);
void ax_fmt_spaces(ax_fmt_state *f, uint32_t n);

#endif
