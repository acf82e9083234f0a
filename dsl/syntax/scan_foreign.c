/* scan_foreign.c - characters that mean nothing in AX, but something elsewhere: other languages' operators,
 * full-width and typographic forms. Each is one report that says what to write, and is then taken as what was
 * meant.
 */
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/utf8.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

/* What people write, and what it is in AX; kind 0: nothing, it is left out. */
static const struct {
    const char *text;
    int kind;
    const char *instead;
    const char *help;
} signs[] = {
    {"&&", AX_YYAND, "and", NULL},
    {"||", AX_YYOR, "or", NULL},
    {"!", AX_YYNOT, "not", NULL},
    {"=>", AX_YYARROW, "->", NULL},
    {"\xE2\x86\x92", AX_YYARROW, "->", NULL},
    {"\xE2\x87\x92", AX_YYARROW, "->", NULL},
    {"\xE2\x89\xA0", AX_YYNE, "!=", NULL},
    {"\xE2\x89\xA4", AX_YYLE, "<=", NULL},
    {"\xE2\x89\xA5", AX_YYGE, ">=", NULL},
    {"\xE2\x80\xA6", AX_YYDOTS, "..", NULL},
    {"\xE2\x80\x93", AX_YYMINUS, "-", NULL},
    {"\xE2\x80\x94", AX_YYMINUS, "-", NULL},
    {"::", AX_YYCOLON, ":", NULL},
    {";", 0, NULL, "nothing stands between items; remove it"},
    {"$", 0, NULL, "a value is written by its name, in a string as {{ name }}"},
    {"%", 0, NULL, "a percentage is written 10%, without white space"},
    {"`", 0, NULL, "strings stand in \"…\" or '…'"},
    {"\\", 0, NULL, "lines need no backslash to go on"},
    {"\xC2\xA0", 0, NULL, "it looks like a space and is none: write a space"},
    {"\xE3\x80\x80", 0, NULL, "it looks like a space and is none: write a space"},
};

/* ASCII characters that have a full-width form; inside: what a bracket opens or closes. */
static const struct {
    char c;
    bool closes;
    int kind;
    ax_inside inside;
} wide_forms[] = {
    {'=', false, AX_YYASSIGN, AX_IN_FILE},      {':', false, AX_YYCOLON, AX_IN_FILE},
    {',', false, AX_YYCOMMA, AX_IN_FILE},       {'.', false, AX_YYDOT, AX_IN_FILE},
    {'+', false, AX_YYPLUS, AX_IN_FILE},        {'-', false, AX_YYMINUS, AX_IN_FILE},
    {'<', false, AX_YYLT, AX_IN_FILE},          {'>', false, AX_YYGT, AX_IN_FILE},
    {'{', false, AX_YYLBRACE, AX_IN_BRACES},    {'[', false, AX_YYLBRACKET, AX_IN_BRACKETS},
    {'(', false, AX_YYLPAREN, AX_IN_PARENS},    {'}', true, AX_YYRBRACE, AX_IN_BRACES},
    {']', true, AX_YYRBRACKET, AX_IN_BRACKETS}, {')', true, AX_YYRPAREN, AX_IN_PARENS},
};

static void suggest(const ax_parser *p, ax_diag *d, ax_span span, ax_str instead)
{
    ax_diag_help(p->diags, d, "write '%.*s'", AX_STR(instead));
    d->edit = span;
    d->replacement = instead;
}

static int found_sign(ax_parser *p, const char *text, int len, ax_span span, ax_str found)
{
    ax_diag *d = ax_diag_add(p->diags, AX_E0101, span, "'%.*s' means nothing here", AX_STR(found));
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!ax_str_is(found, signs[i].text)) continue;
        if (signs[i].instead) suggest(p, d, span, ax_str_of(signs[i].instead));
        else ax_diag_help(p->diags, d, "%s", signs[i].help);
        return signs[i].kind ? ax_scan_token(p, text, len, signs[i].kind) : AX_SCAN_AGAIN;
    }
    return AX_SCAN_AGAIN;
}

/* U+FF01 … U+FF5E are the full-width forms of ! … ~. */
static int found_wide(ax_parser *p, const char *text, int len, ax_span span, uint32_t cp)
{
    char c = (char)(cp - 0xFF01 + '!');
    ax_str narrow = ax_str_dup(p->mem, (ax_str){&c, 1});
    ax_diag *d = ax_diag_add(p->diags, AX_E0101, span, "this is the full-width form of '%c'", c);
    suggest(p, d, span, narrow);
    for (size_t i = 0; i < sizeof wide_forms / sizeof *wide_forms; i++) {
        int kind = wide_forms[i].kind;
        if (wide_forms[i].c != c) continue;
        if (wide_forms[i].closes) return ax_scan_close(p, text, len, kind, wide_forms[i].inside);
        if (wide_forms[i].inside) return ax_scan_open(p, text, len, kind, wide_forms[i].inside);
        return ax_scan_token(p, text, len, kind);
    }
    return AX_SCAN_AGAIN;
}

/* A text between quotes that are none here: \"text\" in an expression, or typographic ones; `mark` is how
 * many bytes one of them has. */
static int found_quotes(ax_parser *p, const char *text, int len, ax_span span, uint32_t mark)
{
    bool is_escaped = text[0] == '\\';
    ax_diag *d = ax_diag_add(p->diags, AX_E0101, (ax_span){span.beg, span.beg + mark},
                             "%s quotes around a string", is_escaped ? "escaped" : "typographic");
    ax_diag_help(p->diags, d, is_escaped ? "quotes need no backslash here" : "write \" or '");
    int kind = ax_scan_token(p, text, len, AX_YYSTR);
    p->token.u.expr = ax_string_plain(p, span, (ax_span){span.beg + mark, span.end - mark}, AX_QUOTE_SINGLE);
    return kind;
}

/* A word that would be a name but for letters outside ASCII. */
static int found_word(ax_parser *p, const char *text, int len, ax_span span)
{
    ax_diag *d = ax_diag_add(p->diags, AX_E0101, span, "'%.*s' is no name", AX_STR(ax_parser_quote(p, span)));
    ax_diag_help(p->diags, d,
                 "names have ASCII letters, digits, _ and inner -; title = \"…\" may show any text");
    return ax_scan_token(p, text, len, AX_YYNAME);
}

int ax_scan_foreign(ax_parser *p, const char *text, int len)
{
    uint32_t beg = p->source->base + (uint32_t)(text - p->buffer), cp;
    ax_span span = {beg, beg + (uint32_t)len};
    ax_str found = ax_parser_text(p, span);
    size_t first = ax_utf8_decode(found, 0, &cp);
    bool is_quote = cp >= 0x2018 && cp <= 0x201E, is_one = first == found.len;
    if (is_quote && !is_one) return found_quotes(p, text, len, span, 3);
    if (cp == '\\' && !is_one) return found_quotes(p, text, len, span, 2);
    if (cp >= 0xFF01 && cp <= 0xFF5E && is_one) return found_wide(p, text, len, span, cp);
    if (!is_one && found.len > 2) return found_word(p, text, len, span);
    return found_sign(p, text, len, span, found);
}
