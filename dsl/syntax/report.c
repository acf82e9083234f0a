/* report.c - syntax errors in the words of those who write workflows.
 *
 * Of all that could have stood there, a few are named: the bison-made list is exact, but long. What is most
 * likely meant comes first, and "a value" stands for everything that begins one.
 */
#include <stdlib.h>
#include <string.h>

#include "dsl/base/buf.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

enum { WANTED_MAX = 4 }; /* alternatives that are named */

/* The tokens that would have fitted. */
typedef struct {
    const int *kinds;
    int count;
} wanted;

static bool wants(wanted w, int kind)
{
    for (int i = 0; i < w.count; i++) {
        if (w.kinds[i] == kind) return true;
    }
    return false;
}

/* ---- what was wanted ---- */

static bool is_named(wanted w, int kind)
{
    bool is_item_place = wants(w, AX_YYEOL) && wants(w, AX_YYNAME), is_behind_item = wants(w, AX_YYCOMMA);
    if (ax_token_about(kind)->rank == 0) return false;
    if (wants(w, AX_YYLITERAL) && ax_token_is(kind, AX_TOKEN_VALUE)) return kind == AX_YYLITERAL;
    if (!is_item_place) return kind != AX_YYSBEG || !wants(w, AX_YYSTR);
    return kind == AX_YYNAME || kind == AX_YYRBRACE || (kind == AX_YYEOL && is_behind_item) ||
           (kind == 0 && !is_behind_item);
}

static int by_rank(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    int order = ax_token_about(a)->rank - ax_token_about(b)->rank;
    return order ? order : a - b;
}

/* "'=', '{' or a name"; empty if there is nothing worth naming. */
static void name_wanted(wanted w, ax_buf *out)
{
    int named[AX_TOKENS_MAX], count = 0;
    for (int i = 0; i < w.count; i++) {
        if (is_named(w, w.kinds[i])) named[count++] = w.kinds[i];
    }
    qsort(named, (size_t)count, sizeof *named, by_rank);
    if (count > WANTED_MAX) count = WANTED_MAX;
    for (int i = 0; i < count; i++) {
        if (i > 0) ax_buf_adds(out, i + 1 == count ? " or " : ", ");
        ax_buf_adds(out, ax_token_about(named[i])->name);
    }
    if (count == 0 && w.count > 0) ax_buf_adds(out, "an operator");
}

/* ---- what was found ---- */

static void name_found(const ax_parser *p, const ax_token *t, ax_buf *out)
{
    bool is_end = t->kind == AX_YYEOL && p->held_count && p->held[0].kind == 0;
    if (t->kind != AX_YYNAME && t->kind != AX_YYLITERAL) {
        ax_buf_adds(out, ax_token_about(is_end ? 0 : t->kind)->name);
        return;
    }
    ax_buf_addf(out, "'%.*s'", AX_STR(ax_parser_quote(p, t->span)));
}

static bool is_reserved(const ax_parser *p, const ax_token *t)
{
    static const char *const words[] = {"true", "false", "null"};
    if (ax_token_is(t->kind, AX_TOKEN_WORD)) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words && t->kind == AX_YYLITERAL; i++) {
        if (ax_str_is(ax_parser_text(p, t->span), words[i])) return true;
    }
    return false;
}

/* ---- advice ---- */

/* The last byte that is no space in front of the token before the one that did not fit; '\n' if its line
 * begins there. */
static char byte_before_prior(const ax_parser *p)
{
    const char *text = p->source->text.ptr, *at = text + (p->prior.span.beg - p->source->base);
    while (at > text && at[-1] == ' ') at--;
    return at > text ? at[-1] : '\n';
}

static const char *advice(const ax_parser *p, const ax_token *t, wanted w)
{
    int prior = p->prior.kind;
    if (t->kind == AX_YYEQ && wants(w, AX_YYASSIGN)) return "a value is given with one '='";
    if (t->kind == AX_YYASSIGN && prior == AX_YYASSIGN) return "one '=' is enough";
    if (t->kind == AX_YYLBRACE && prior == AX_YYLBRACE) {
        return "{{ }} is for strings: elsewhere the expression itself is written";
    }
    char before = prior == AX_YYNAME ? byte_before_prior(p) : '\n';
    if (t->kind == AX_YYLBRACE && before == '=') return "a block is written without '='";
    if (before >= '0' && before <= '9')
        return "a number and its unit are written together, as in 30m or 4GiB";
    if (prior == AX_YYCOLON && !wants(w, AX_YYLITERAL)) {
        return "an attribute is written name = value; behind ':' an edge has an outcome, as in a:failed -> b";
    }
    if (wants(w, AX_YYARROW) && !wants(w, AX_YYASSIGN))
        return "an edge is written a -> b, an attribute name = value";
    return NULL;
}

/* Says in which bracket it is, if that was opened on another line. */
static void note_bracket(ax_parser *p, ax_diag *d, const ax_token *t)
{
    if (t->inside != AX_IN_BRACKETS && t->inside != AX_IN_PARENS) return;
    uint32_t i = p->frames.len;
    while (i > 0 && p->frames.at[i - 1].span.beg >= t->span.beg) i--;
    if (i == 0) return;
    ax_span open = p->frames.at[i - 1].span;
    ax_str between = ax_parser_text(p, (ax_span){open.beg, t->span.beg});
    if (memchr(between.ptr, '\n', between.len)) {
        ax_diag_note(p->diags, d, open, "inside this '%.*s'", AX_STR(ax_parser_text(p, open)));
    }
}

static void report(ax_parser *p, const ax_token *t, wanted w)
{
    ax_diag *d;
    if (is_reserved(p, t) && wants(w, AX_YYNAME)) {
        d = ax_diag_add(p->diags, AX_E0111, t->span, "'%.*s' is a reserved word",
                        AX_STR(ax_parser_text(p, t->span)));
        ax_diag_help(p->diags, d, "no name can be: and or not in if else true false null");
        return;
    }
    ax_buf found = AX_BUF_INIT(256), alternatives = AX_BUF_INIT(256);
    name_found(p, t, &found);
    name_wanted(w, &alternatives);
    d = ax_diag_add(p->diags, AX_E0110, t->span, "found %.*s, wanted %.*s", AX_STR(ax_buf_str(&found)),
                    AX_STR(ax_buf_str(&alternatives)));
    ax_buf_free(&found);
    ax_buf_free(&alternatives);
    note_bracket(p, d, t);
    const char *help = advice(p, t, w);
    if (help) ax_diag_help(p->diags, d, "%s", help);
}

void ax_report_syntax(ax_parser *p, const int *kinds, int count)
{
    const ax_token t = p->last;
    bool is_reported = ax_filter_give_up(p);
    if (!is_reported && !t.diagnosed) report(p, &t, (wanted){kinds, count});
    p->is_recovering = true;
    p->is_broken = true;
}

void ax_report_recovered(ax_parser *p)
{
    p->is_recovering = false;
}
