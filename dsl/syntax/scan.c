/* scan.c - what the scanner's matches mean: tokens, and the stack of what is open.
 *
 * The stack decides everything that a regular expression cannot: whether `}}` ends an expression or closes
 * two braces, what a line end leaves open, which closer is missing. Whatever is open at a place where it
 * cannot go on is reported at its opener and closed with tokens that stand for nothing in the text, so the
 * grammar sees only balanced input.
 */
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"
#include "dsl/syntax/scan_lex.h"

enum { QUOTED_BYTES_MAX = 40 }; /* of the user's text in a message */

/* What closes an open thing. */
static const int closers[] = {
    [AX_IN_BRACES] = AX_YYRBRACE,  [AX_IN_BRACKETS] = AX_YYRBRACKET, [AX_IN_PARENS] = AX_YYRPAREN,
    [AX_IN_EXPR] = AX_YYXEND,      [AX_IN_STRING] = AX_YYSEND,       [AX_IN_BLOCK] = AX_YYSEND,
    [AX_IN_RAW_BLOCK] = AX_YYSEND,
};

static ax_frame *top(const ax_parser *p)
{
    return p->frames.len ? &p->frames.at[p->frames.len - 1] : NULL;
}

ax_inside ax_scan_inside(const ax_parser *p)
{
    return p->frames.len ? top(p)->kind : AX_IN_FILE;
}

static uint32_t offset_of(const ax_parser *p, const char *text)
{
    return p->source->base + (uint32_t)(text - p->buffer);
}

static ax_span span_of(const ax_parser *p, const char *text, int len)
{
    uint32_t beg = offset_of(p, text);
    return (ax_span){beg, beg + (uint32_t)len};
}

/* The source's own bytes; flex's buffer ends with the parse. */
ax_str ax_parser_text(const ax_parser *p, ax_span span)
{
    return (ax_str){p->source->text.ptr + (span.beg - p->source->base), span.end - span.beg};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

ax_str ax_parser_quote(const ax_parser *p, ax_span span)
{
    ax_str text = ax_parser_text(p, span);
    if (text.len <= QUOTED_BYTES_MAX) return text;
    size_t len = QUOTED_BYTES_MAX;
    while (len > 0 && ((unsigned char)text.ptr[len] & 0xC0) == 0x80) len--; /* not inside a character */
    return ax_str_fmt(p->mem, "%.*s…", AX_STR(ax_str_slice(text, 0, len)));
}

/* True if nothing but white space stands before offset on its line. */
static bool is_first_on_line(const ax_parser *p, uint32_t offset)
{
    const char *text = p->source->text.ptr, *at = text + (offset - p->source->base);
    while (at > text && is_blank(at[-1])) at--;
    return at == text || at[-1] == '\n' ||
           (at == text + 3 && ax_str_starts(p->source->text, AX_LIT("\xEF\xBB\xBF")));
}

/* ---- tokens ---- */

static int make(ax_parser *p, ax_span span, int kind)
{
    if (p->line_start) p->indent = span.beg - p->line_beg;
    p->token = (ax_token){
        .kind = kind,
        .span = span,
        .inside = ax_scan_inside(p),
        .indent = p->indent,
        .line_start = p->line_start,
    };
    p->line_start = false;
    return kind;
}

int ax_scan_token(ax_parser *p, const char *text, int len, int kind)
{
    make(p, span_of(p, text, len), kind);
    p->token.u.text = ax_parser_text(p, p->token.span);
    return kind;
}

static int make_expr(ax_parser *p, ax_span span, int kind, ax_ast_expr *expr)
{
    make(p, span, kind);
    p->token.u.expr = expr;
    return kind;
}

int ax_scan_constant(ax_parser *p, const char *text, int len, ax_ast_kind kind)
{
    ax_span span = span_of(p, text, len);
    return make_expr(p, span, AX_YYLITERAL, ax_ast_leaf(p, kind, span));
}

int ax_scan_literal(ax_parser *p, const char *text, int len)
{
    ax_span span = span_of(p, text, len);
    uint32_t errors = p->diags->errors;
    make_expr(p, span, AX_YYLITERAL, ax_literal_make(p, span));
    p->token.diagnosed = p->diags->errors != errors;
    return AX_YYLITERAL;
}

int ax_scan_plain(ax_parser *p, const char *text, int len, ax_quote quote)
{
    ax_span span = span_of(p, text, len), inner = {span.beg + 1, span.end - 1};
    return make_expr(p, span, AX_YYSTR, ax_string_plain(p, span, inner, quote));
}

int ax_scan_comment(ax_parser *p, const char *text, int len)
{
    ax_span span = span_of(p, text, len);
    if (p->line_bound != AX_NO_FRAME) {
        ax_diag_add(p->diags, AX_E0101, (ax_span){span.beg, span.beg + 1},
                    "no comment can stand inside {{ }}");
        return AX_SCAN_AGAIN;
    }
    ax_str comment = ax_parser_text(p, span);
    while (is_blank(comment.ptr[comment.len - 1])) comment.len--;
    span.end = span.beg + (uint32_t)comment.len;
    ax_vec_push(p->mem, &p->comments, (ax_ast_comment){span, comment, is_first_on_line(p, span.beg)});
    return AX_SCAN_AGAIN;
}

bool ax_scan_text(ax_parser *p, const char *text)
{
    uint32_t end = offset_of(p, text);
    if (p->chunk >= end) return false;
    make(p, (ax_span){p->chunk, end}, AX_YYSTEXT);
    p->chunk = end;
    return true;
}

/* ---- what is open ---- */

static int open_span(ax_parser *p, ax_span span, int kind, ax_inside inside)
{
    make(p, span, kind);
    p->token.u.quote = inside == AX_IN_BLOCK       ? AX_QUOTE_BLOCK
                       : inside == AX_IN_RAW_BLOCK ? AX_QUOTE_BLOCK_RAW
                                                   : AX_QUOTE_DOUBLE;
    bool is_line_bound = inside == AX_IN_STRING || inside == AX_IN_EXPR;
    if (is_line_bound && p->line_bound == AX_NO_FRAME) p->line_bound = p->frames.len;
    ax_vec_push(&p->scratch, &p->frames, (ax_frame){inside, span, p->indent});
    p->chunk = span.end;
    return kind;
}

int ax_scan_open(ax_parser *p, const char *text, int len, int kind, ax_inside inside)
{
    return open_span(p, span_of(p, text, len), kind, inside);
}

/* Ends the innermost open thing. */
static int close_span(ax_parser *p, ax_span span, int kind)
{
    make(p, span, kind);
    p->frames.len--;
    if (p->line_bound == p->frames.len) p->line_bound = AX_NO_FRAME;
    p->chunk = span.end; /* where a string around it goes on */
    return kind;
}

/* From now on, what is open above `keep` frames is closed at offset `here`, without anything in the text. */
static void close_down(ax_parser *p, uint32_t keep, uint32_t here)
{
    p->close_to = keep;
    p->here = here;
}

static const char *opener_name(const ax_frame *frame)
{
    static const char *const names[] = {
        [AX_IN_BRACES] = "{",  [AX_IN_BRACKETS] = "[",   [AX_IN_PARENS] = "(",      [AX_IN_EXPR] = "{{",
        [AX_IN_STRING] = "\"", [AX_IN_BLOCK] = "\"\"\"", [AX_IN_RAW_BLOCK] = "'''",
    };
    return names[frame->kind];
}

ax_diag *ax_scan_report_open(ax_parser *p, const ax_frame *frame)
{
    return ax_diag_add(p->diags, AX_E0112, frame->span, "this '%s' is not closed", opener_name(frame));
}

/* A } that stands further left than the line of its { may belong to a block further out. */
static void note_suspect(ax_parser *p, const ax_frame *frame, ax_span closer)
{
    bool is_left = p->line_start && closer.beg - p->line_beg < frame->indent;
    if (is_left && !p->suspect.span.beg) p->suspect = *frame;
}

/* The number of frames up to and with the innermost one of a kind, not looking beyond a string; 0 if there is
 * none. */
static uint32_t find_open(const ax_parser *p, ax_inside inside)
{
    uint32_t lowest = p->frames.len > AX_SYNTAX_DEPTH_MAX ? p->frames.len - AX_SYNTAX_DEPTH_MAX : 0;
    for (uint32_t i = p->frames.len; i-- > lowest;) {
        if (p->frames.at[i].kind == inside) return i + 1;
        if (p->frames.at[i].kind >= AX_IN_EXPR) return 0;
    }
    return 0;
}

/* A closer that is not the one that is due. */
static int close_other(ax_parser *p, ax_span span, ax_inside inside)
{
    const ax_frame *open = top(p);
    uint32_t match = find_open(p, inside);
    if (match) {
        ax_diag *d = ax_scan_report_open(p, open);
        ax_diag_note(p->diags, d, span, "before this '%.*s'", AX_STR(ax_parser_text(p, span)));
        close_down(p, match, span.beg);
        return AX_SCAN_REREAD;
    }
    bool is_single = open && open->kind == AX_IN_EXPR && inside == AX_IN_BRACES; /* } for }} */
    bool is_typo = open && (open->kind == AX_IN_BRACES || inside == AX_IN_BRACES) == is_single;
    ax_diag *d =
        ax_diag_add(p->diags, AX_E0115, span, "this '%.*s' closes nothing", AX_STR(ax_parser_text(p, span)));
    if (!is_typo) return AX_SCAN_AGAIN;
    ax_diag_note(p->diags, d, open->span, "what is open is this '%s'", opener_name(open));
    close_span(p, span, closers[open->kind]);
    p->token.diagnosed = true;
    return p->token.kind;
}

int ax_scan_close(ax_parser *p, const char *text, int len, int kind, ax_inside inside)
{
    ax_span span = span_of(p, text, len);
    if (ax_scan_inside(p) != inside) return close_other(p, span, inside);
    if (inside == AX_IN_BRACES) note_suspect(p, top(p), span);
    return close_span(p, span, kind);
}

ax_inside ax_scan_drop_brackets(ax_parser *p, uint32_t end)
{
    uint32_t beg = end, kept = p->frames.len - end;
    while (beg > 0 && p->frames.at[beg - 1].kind != AX_IN_BRACES) beg--;
    if (kept) memmove(&p->frames.at[beg], &p->frames.at[end], kept * sizeof *p->frames.at);
    if (p->line_bound != AX_NO_FRAME) p->line_bound -= end - beg;
    p->frames.len = beg + kept;
    return beg > 0 ? AX_IN_BRACES : AX_IN_FILE;
}

/* ---- strings over several lines ---- */

int ax_scan_block(ax_parser *p, const char *text, int len)
{
    ax_inside inside = text[0] == '"' ? AX_IN_BLOCK : AX_IN_RAW_BLOCK;
    ax_span span = span_of(p, text, 3);
    int kind = open_span(p, span, AX_YYSBEG, inside);
    p->chunk = span.beg + (uint32_t)len;
    bool is_end = p->chunk - p->source->base == p->source->text.len;
    if (len == 3 && !is_end) {
        ax_diag *d = ax_diag_add(p->diags, AX_E0114, span, "the opening %.3s must end its line", text);
        ax_diag_help(p->diags, d, "begin the text on the next line, or use one quote for a text of one line");
    }
    return kind;
}

int ax_scan_block_end(ax_parser *p, const char *text, int len)
{
    ax_span span = span_of(p, text, len);
    const ax_frame *open = top(p);
    ax_str whole = ax_parser_text(p, (ax_span){open->span.beg, span.beg});
    bool has_lines = memchr(whole.ptr, '\n', whole.len) != NULL; /* if not, its opening was reported */
    if (has_lines && !is_first_on_line(p, span.beg)) {
        ax_diag *d =
            ax_diag_add(p->diags, AX_E0114, span, "the closing %.3s must stand first on its line", text);
        ax_diag_note(p->diags, d, open->span, "the text begins here");
        if (open->kind == AX_IN_BLOCK) {
            ax_diag_help(p->diags, d, "if these quotes belong to the text, write \\\"\"\"");
        }
    }
    return close_span(p, span, AX_YYSEND);
}

/* ---- what must end on its line, or with the text ---- */

static ax_diag *report_string(ax_parser *p, const ax_frame *open)
{
    ax_diag *d = ax_diag_add(p->diags, AX_E0105, open->span, "this string is not closed");
    if (open->kind == AX_IN_STRING) {
        ax_diag_help(p->diags, d,
                     "a \"…\" ends on its line; a text of several lines stands between \"\"\" and \"\"\"");
    } else {
        ax_diag_help(p->diags, d, "close it with %s on a line of its own", opener_name(open));
    }
    return d;
}

int ax_scan_open_raw(ax_parser *p, const char *text, int len)
{
    ax_span span = span_of(p, text, len);
    while (is_blank(text[span.end - span.beg - 1])) span.end--;
    ax_diag *d =
        ax_diag_add(p->diags, AX_E0105, (ax_span){span.beg, span.beg + 1}, "this string is not closed");
    ax_diag_help(p->diags, d, "a '…' ends on its line; a text of several lines stands between ''' and '''");
    ax_span inner = {span.beg + 1, span.end};
    make_expr(p, span, AX_YYSTR, ax_string_plain(p, span, inner, AX_QUOTE_SINGLE));
    p->token.diagnosed = true;
    return AX_YYSTR;
}

/* Reports what is open from frame `first` on and must end on its line: a string, or an expression in one. */
static void report_line_bound(ax_parser *p, uint32_t first)
{
    const ax_frame *open = &p->frames.at[first], *string = NULL;
    if (open->kind == AX_IN_STRING && first + 1 < p->frames.len) string = open++;
    else if (open->kind == AX_IN_EXPR) string = open - 1;
    if (open->kind == AX_IN_STRING) {
        report_string(p, open);
        return;
    }
    ax_diag *d = ax_diag_add(p->diags, AX_E0107, open->span, "this '{{' is not closed on its line");
    ax_diag_note(p->diags, d, string->span, "in this string");
    ax_diag_help(p->diags, d, "close it with '}}'; the characters themselves are written \\{{");
}

bool ax_scan_line_end(ax_parser *p, const char *text)
{
    uint32_t offset = offset_of(p, text), first = p->line_bound;
    if (first != AX_NO_FRAME) {
        report_line_bound(p, first);
        close_down(p, first, offset);
        return true;
    }
    p->line_start = true;
    p->line_beg = offset + 1;
    return false;
}

/* True if a }} follows on the line. What was looked at once is not looked at again. */
static bool has_expr_end(ax_parser *p, uint32_t offset)
{
    ax_str text = p->source->text;
    size_t at = offset - p->source->base;
    if (offset >= p->looked_to) {
        while (at < text.len && text.ptr[at] != '\n' &&
               !ax_str_starts(ax_str_slice(text, at, text.len), AX_LIT("}}")))
            at++;
        p->looked_to = p->source->base + (uint32_t)at;
        p->is_expr_end = at < text.len && text.ptr[at] == '}';
    }
    return p->is_expr_end;
}

bool ax_scan_ends_outer(ax_parser *p, const char *text)
{
    uint32_t offset = offset_of(p, text), first = p->line_bound;
    if (first == AX_NO_FRAME || p->frames.at[first].kind != AX_IN_STRING) return false;
    bool is_behind_operand = ax_scan_inside(p) == AX_IN_EXPR && ax_token_is(p->token.kind, AX_TOKEN_ENDS);
    if (!is_behind_operand || has_expr_end(p, offset)) return false;
    report_line_bound(p, first);
    close_down(p, first + 1, offset);
    return true;
}

static void report_end(ax_parser *p)
{
    const ax_frame *open = top(p);
    if (p->line_bound != AX_NO_FRAME) {
        report_line_bound(p, p->line_bound);
    } else if (open->kind > AX_IN_EXPR) {
        report_string(p, open);
    } else {
        bool is_other = open->kind == AX_IN_BRACES && p->suspect.span.beg;
        ax_scan_report_open(p, is_other ? &p->suspect : open);
    }
}

/* ---- the stream ---- */

void ax_scan_start(ax_parser *p, size_t from)
{
    size_t len = p->source->text.len;
    char *buffer = ax_arena_alloc(&p->scratch, len + 2); /* flex wants two zero bytes at the end */
    if (len) memcpy(buffer, p->source->text.ptr, len);
    /* At a zero byte flex begins its match again: a run of them would cost its square. They were reported,
     * and to the scanner any other control character is the same. */
    for (char *zero = buffer; (zero = memchr(zero, '\0', len - (size_t)(zero - buffer))) != NULL;) *zero = 1;
    p->buffer = buffer;
    p->close_to = AX_NO_FRAME;
    p->line_bound = AX_NO_FRAME;
    p->line_start = true;
    p->line_beg = p->source->base + (uint32_t)from;
    yyscan_t flex;
    int rc = ax_scan_lex_init_extra(p, &flex);
    AX_ASSERT(rc == 0);
    p->flex = flex;
    ax_scan__scan_buffer(buffer + from, len + 2 - from, flex);
}

/* The closer of the innermost open thing, which the text lacks. */
static void close_unasked(ax_parser *p)
{
    close_span(p, (ax_span){p->here, p->here}, closers[ax_scan_inside(p)]);
    p->token.diagnosed = true;
}

/* The end of the text: what is still open is reported and closed first. */
static void next_at_end(ax_parser *p)
{
    uint32_t end = p->source->base + (uint32_t)p->source->text.len;
    if (p->frames.len == 0) {
        make(p, (ax_span){end, end}, 0);
        p->token.line_start = true;
        p->token.diagnosed = p->is_end_known;
        return;
    }
    if (!p->is_end_known) report_end(p);
    p->is_end_known = true;
    close_down(p, 0, end);
    if (ax_scan_inside(p) >= AX_IN_STRING && p->chunk < end) make(p, (ax_span){p->chunk, end}, AX_YYSTEXT);
    else close_unasked(p);
}

static void next(ax_parser *p)
{
    int kind = AX_SCAN_AGAIN;
    while (kind == AX_SCAN_AGAIN) {
        if (p->frames.len > p->close_to) {
            close_unasked(p);
            return;
        }
        p->close_to = AX_NO_FRAME;
        kind = p->at_end ? 0 : ax_scan_lex(p->flex);
    }
    if (kind != 0) return;
    p->at_end = true;
    next_at_end(p);
}

/* Leaves out what the token opened, which is too deep. */
static void skip_deep(ax_parser *p)
{
    ax_diag_add(p->diags, AX_E0113, p->token.span, "more than %d levels of brackets, blocks and strings",
                AX_SYNTAX_DEPTH_MAX);
    while (p->frames.len > AX_SYNTAX_DEPTH_MAX) next(p);
}

void ax_scan_next(ax_parser *p)
{
    next(p);
    while (p->frames.len > AX_SYNTAX_DEPTH_MAX) {
        ax_token opener = p->token;
        skip_deep(p);
        if (opener.kind == AX_YYXBEG) {
            next(p);
            continue;
        }
        opener.kind = AX_YYLITERAL;
        opener.span.end = p->token.span.end;
        opener.diagnosed = true;
        opener.u.expr = ax_ast_leaf(p, AX_AST_NULL, opener.span);
        p->too_deep = opener.span;
        p->token = opener;
    }
}
