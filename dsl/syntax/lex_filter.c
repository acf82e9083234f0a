/* lex_filter.c - between scanner and grammar: line ends that mean something, and what is skipped while
 * recovering.
 *
 * A line end becomes EOL behind a token that can end an item, in a block or at the top of the file, unless an
 * operator or an arrow follows. EOL stands once between items, also at the end of the text: the grammar's
 * place to recover. A `[` that touches what it indexes becomes INDEX.
 */
#include "dsl/base/assert.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

ax_token ax_filter_take(ax_parser *p)
{
    ax_scan_next(p);
    ax_token t = p->token;
    bool can_be_indexed =
        p->before.kind == AX_YYNAME || p->before.kind == AX_YYRBRACKET || p->before.kind == AX_YYRPAREN;
    if (t.kind == AX_YYLBRACKET && can_be_indexed && p->before.span.end == t.span.beg) t.kind = AX_YYINDEX;
    p->before = t;
    return t;
}

/* Skips to behind the closer of the token, which opened something. */
static void skip_group(ax_parser *p)
{
    for (uint32_t depth = p->frames.len - 1; p->frames.len > depth;) ax_filter_take(p);
}

/* True if a reserved word is used as the name of an attribute or block: `in = 1`, `if {`. */
static bool is_misused_word(const ax_parser *p, const ax_token *t)
{
    if (!ax_token_is(t->kind, AX_TOKEN_WORD)) return false;
    const char *at = p->source->text.ptr + (t->span.end - p->source->base);
    const char *end = p->source->text.ptr + p->source->text.len;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    return at < end && (*at == '{' || (*at == '=' && !(at + 1 < end && at[1] == '=')));
}

/* What must stand on the line before, and where that is plain from what it is: reported, and taken as if it
 * did. */
static bool is_misplaced(ax_parser *p, const ax_token *before, const ax_token *t)
{
    bool after_assign = before->kind == AX_YYASSIGN;
    bool is_value =
        t->kind == AX_YYLITERAL || t->kind == AX_YYSTR || t->kind == AX_YYSBEG || t->kind == AX_YYLBRACE;
    if (after_assign && is_value) {
        ax_diag *d = ax_diag_add(p->diags, AX_E0116, t->span, "a value begins on the line of its '='");
        ax_diag_note(p->diags, d, before->span, "the '=' is here");
        return true;
    }
    bool after_head = before->kind == AX_YYNAME || before->kind == AX_YYSTR || before->kind == AX_YYSEND ||
                      before->kind == AX_YYRPAREN;
    if (!after_head || t->kind != AX_YYLBRACE || p->is_recovering) return false;
    ax_diag *d = ax_diag_add(p->diags, AX_E0116, t->span, "'{' stands on the line of its block");
    ax_diag_note(p->diags, d, before->span, "behind this");
    return true;
}

/* True if the line end in front of t ends an item. */
static bool ends_line(ax_parser *p, const ax_token *before, const ax_token *t)
{
    if (!t->line_start || p->is_expr || p->last.kind == AX_YYEOL) return false;
    if (t->inside != AX_IN_FILE && t->inside != AX_IN_BRACES) return false;
    if (t->kind == 0) return true;
    if (ax_token_is(t->kind, AX_TOKEN_CONTINUES) && !is_misused_word(p, t)) return false;
    if (p->is_recovering) return true;
    return ax_token_is(before->kind, AX_TOKEN_ENDS) && !is_misplaced(p, before, t);
}

/* ---- going on after an error ---- */

/* If a name begins a line no further right than the line of the item whose ( or [ is still open, it is not
 * part of that item, but the next one: the number of frames in front of it. 0: it is not so. */
static uint32_t frames_before_next(const ax_parser *p, const ax_token *t)
{
    if (!t->line_start || t->kind != AX_YYNAME) return 0;
    uint32_t end = p->frames.len;
    while (end > 0 && p->frames.at[end - 1].span.beg >= t->span.beg) end--;
    uint32_t beg = end;
    while (beg > 0 && p->frames.at[beg - 1].kind != AX_IN_BRACES) beg--;
    return beg < end && t->indent <= p->frames.at[beg].indent ? end : 0;
}

/* Puts t behind the tokens that are held. */
static void hold(ax_parser *p, ax_token t)
{
    AX_ASSERT(p->held_count < sizeof p->held / sizeof *p->held);
    p->held[p->held_count++] = t;
}

bool ax_filter_give_up(ax_parser *p)
{
    if (p->held_count > 0) return false;
    ax_token t = p->last, before = p->prior;
    bool is_next = frames_before_next(p, &t) > 0;
    uint32_t frames = is_next ? frames_before_next(p, &t) : frames_before_next(p, &before);
    if (frames == 0) {
        if (t.kind == AX_YYLBRACE) skip_group(p);
        return false;
    }
    if (!t.diagnosed) ax_scan_report_open(p, &p->frames.at[frames - 1]);
    t.inside = before.inside = ax_scan_drop_brackets(p, frames);
    if (!is_next) hold(p, before);
    hold(p, t);
    p->is_line_due = true;
    p->line_at = p->held[0].span.beg;
    return true;
}

/* Holds the scanner's next token that matters, and says whether a line end goes before it. */
static void hold_next(ax_parser *p)
{
    ax_token before = p->before, t = ax_filter_take(p);
    while (p->is_recovering && t.kind == AX_YYLBRACE) {
        skip_group(p);
        before = p->before;
        t = ax_filter_take(p);
    }
    uint32_t frames = p->is_recovering ? frames_before_next(p, &t) : 0;
    if (frames) t.inside = ax_scan_drop_brackets(p, frames);
    hold(p, t);
    p->is_line_due = ends_line(p, &before, &t);
    p->line_at = before.span.end;
}

/* ---- the stream ---- */

/* The line end in front of the held token. */
static ax_token line_end(const ax_parser *p)
{
    const ax_token *next = &p->held[0];
    return (ax_token){
        .kind = AX_YYEOL,
        .span = {p->line_at, p->line_at},
        .inside = next->inside,
        .diagnosed = next->kind == 0 && next->diagnosed,
    };
}

static ax_token next_token(ax_parser *p)
{
    if (p->held_count == 0) hold_next(p);
    if (p->is_line_due) {
        p->is_line_due = false;
        return line_end(p);
    }
    ax_token t = p->held[0];
    p->held[0] = p->held[1];
    p->held_count--;
    return t;
}

int ax_yylex(AX_YYSTYPE *value, ax_span *span, ax_parser *p)
{
    ax_token t = next_token(p);
    p->prior = p->last;
    p->last = t;
    *span = t.span;
    switch (t.kind) {
    case AX_YYNAME:
    case AX_YYSTEXT: value->text = t.u.text; break;
    case AX_YYLITERAL:
    case AX_YYSTR: value->expr = t.u.expr; break;
    case AX_YYSBEG: value->quote = t.u.quote; break;
    default: break;
    }
    return t.kind;
}
