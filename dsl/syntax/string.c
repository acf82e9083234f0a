/* string.c - from strings as written to their text: escapes, line ends, and the common indent of blocks.
 *
 * A text that needs no change is a view of the source. A bad escape is reported at its bytes and kept as
 * written.
 */
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/buf.h"
#include "dsl/base/utf8.h"
#include "dsl/syntax/parse_int.h"

ax_ast_expr *ax_string_plain(ax_parser *p, ax_span span, ax_span inner, ax_quote quote)
{
    ax_ast_expr *e = ax_ast_leaf(p, AX_AST_STRING, span);
    e->u.string.quote = quote;
    if (inner.end <= inner.beg) return e;
    ax_ast_part *part = AX_NEW(p->mem, ax_ast_part);
    *part = (ax_ast_part){.text = ax_parser_text(p, inner), .span = inner};
    e->u.string.parts = part;
    e->u.string.count = 1;
    return e;
}

/* ---- escapes of "…" ---- */

static void bad_escape(ax_parser *p, ax_span span, const char *help)
{
    ax_str text = ax_parser_text(p, span);
    ax_diag *d = ax_diag_add(p->diags, AX_E0106, span, "'%.*s' is no escape", AX_STR(text));
    ax_diag_help(p->diags, d, "%s", help);
}

/* Decodes \u{…} at raw[at] (the u); returns the bytes it takes from the backslash on, 0 if it is none. */
static size_t decode_unicode(ax_str raw, size_t at, char out[4], size_t *out_len)
{
    uint32_t cp = 0;
    size_t i = at + 1, digits = 0;
    if (i >= raw.len || raw.ptr[i++] != '{') return 0;
    for (; i < raw.len && digits < 6; i++, digits++) {
        char c = raw.ptr[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) break;
        cp = cp * 16 + (uint32_t)digit;
    }
    if (digits == 0 || i >= raw.len || raw.ptr[i] != '}' || cp == 0) return 0;
    *out_len = ax_utf8_encode(cp, out);
    return *out_len ? i + 2 - at : 0;
}

/* Decodes the escape at raw[at] (the backslash) and moves *at behind it. beg is the offset of raw. */
static void decode_escape(ax_parser *p, ax_str raw, uint32_t beg, size_t *at, ax_buf *out)
{
    static const char simple[][2] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'"', '"'}, {'\\', '\\'}};
    size_t start = *at;
    char c = start + 1 < raw.len ? raw.ptr[start + 1] : '\0';
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (simple[i][0] != c) continue;
        ax_buf_addc(out, simple[i][1]);
        *at += 2;
        return;
    }
    if (c == '{' && start + 2 < raw.len && raw.ptr[start + 2] == '{') {
        ax_buf_adds(out, "{{");
        *at += 3;
        return;
    }
    char encoded[4];
    size_t encoded_len = 0, taken = c == 'u' ? decode_unicode(raw, start + 1, encoded, &encoded_len) : 0;
    if (taken) {
        ax_buf_add(out, (ax_str){encoded, encoded_len});
        *at += taken;
        return;
    }
    uint32_t cp;
    size_t len = start + 1 < raw.len ? ax_utf8_decode(raw, start + 1, &cp) : 0;
    ax_span span = {beg + (uint32_t)start, beg + (uint32_t)(start + 1 + len)};
    bool is_last = start + 1 == raw.len; /* the string is not closed, which was reported */
    if (!is_last)
        bad_escape(p, span,
                   c == 'u' ? "a code point is written \\u{20AC}: 1 to 6 hexadecimal digits, not zero"
                            : "there are \\n \\t \\r \\\" \\\\ \\u{…} and \\{{; a backslash itself is \\\\");
    ax_buf_addc(out, '\\');
    *at += 1;
}

static ax_str decode_escapes(ax_parser *p, ax_span span)
{
    ax_str raw = ax_parser_text(p, span);
    if (!memchr(raw.ptr, '\\', raw.len)) return raw;

    ax_buf text = AX_BUF_INIT(raw.len);
    for (size_t at = 0; at < raw.len;) {
        const char *slash = memchr(raw.ptr + at, '\\', raw.len - at);
        size_t next = slash ? (size_t)(slash - raw.ptr) : raw.len;
        ax_buf_add(&text, ax_str_slice(raw, at, next));
        at = next;
        if (slash) decode_escape(p, raw, span.beg, &at, &text);
    }
    ax_str out = ax_str_dup(p->mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return out;
}

/* ---- blocks ---- */

static ax_str leading_blanks(ax_str line)
{
    size_t n = 0;
    while (n < line.len && (line.ptr[n] == ' ' || line.ptr[n] == '\t')) n++;
    return (ax_str){line.ptr, n};
}

/* Takes the next line off *text, without its line end; *has_end: it had one. */
static ax_str take_line(ax_str *text, bool *has_end)
{
    const char *feed = text->len ? memchr(text->ptr, '\n', text->len) : NULL;
    ax_str line = feed ? (ax_str){text->ptr, (size_t)(feed - text->ptr)} : *text;
    *has_end = feed != NULL;
    *text = ax_str_slice(*text, line.len + (feed != NULL), text->len);
    if (feed && ax_str_ends(line, AX_LIT("\r"))) line.len--;
    return line;
}

static ax_str common_prefix(ax_str a, ax_str b)
{
    size_t n = 0;
    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n]) n++;
    return (ax_str){a.ptr, n};
}

ax_str ax_string_indent(ax_str text)
{
    ax_str common = {0}, longest = {0}; /* of lines with something on them; of the others */
    bool has_end = true, is_blank = true;
    while (has_end) {
        ax_str line = take_line(&text, &has_end), blanks = leading_blanks(line);
        if (blanks.len < line.len) {
            common = is_blank ? blanks : common_prefix(common, blanks);
            is_blank = false;
        } else if (blanks.len > longest.len) {
            longest = blanks;
        }
    }
    return is_blank ? longest : common;
}

ax_str ax_string_cut_indent(ax_str line, ax_str indent)
{
    ax_str blanks = leading_blanks(line);
    if (ax_str_starts(line, indent)) return ax_str_slice(line, indent.len, line.len);
    return ax_str_slice(line, blanks.len, line.len);
}

/* Adds text of a block on one line, with the two escapes that """ has. */
static void add_block_text(ax_buf *out, ax_str text, bool is_raw)
{
    for (size_t at = 0; at < text.len; at++) {
        ax_str rest = ax_str_slice(text, at, text.len);
        bool is_escape =
            !is_raw && (ax_str_starts(rest, AX_LIT("\\{{")) || ax_str_starts(rest, AX_LIT("\\\"\"\"")));
        if (!is_escape) ax_buf_addc(out, text.ptr[at]);
    }
}

/* One part of a block's text. at_line: it begins a line; is_last: the closing quotes follow. */
static ax_str block_part(ax_parser *p, ax_span span, ax_str indent, bool at_line, bool is_last, bool is_raw)
{
    ax_str raw = ax_parser_text(p, span);
    ax_buf text = AX_BUF_INIT(raw.len);
    bool has_end = true;
    for (bool is_first = true; has_end; is_first = false) {
        ax_str line = take_line(&raw, &has_end);
        bool is_whole = at_line || !is_first;
        bool is_closing = is_whole && is_last && !has_end && leading_blanks(line).len == line.len;
        if (is_closing) break; /* and the line end before it is no part of the text either */
        if (!is_first) ax_buf_addc(&text, '\n');
        if (is_whole) line = ax_string_cut_indent(line, indent);
        add_block_text(&text, line, is_raw);
    }
    ax_str out = ax_str_dup(p->mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return out;
}

/* ---- a string from its parts ---- */

ax_ast_expr *ax_string_make(ax_parser *p, ax_span span, ax_quote quote, ax_list list)
{
    ax_ast_expr *e = ax_ast_leaf(p, AX_AST_STRING, span);
    ax_ast_part *parts = ax_list_done(p, list, sizeof *parts);
    bool is_block = quote == AX_QUOTE_BLOCK || quote == AX_QUOTE_BLOCK_RAW;
    ax_str indent = {0};
    if (is_block && list.count) {
        indent =
            ax_string_indent(ax_parser_text(p, (ax_span){parts[0].span.beg, parts[list.count - 1].span.end}));
    }

    uint32_t kept = 0;
    for (uint32_t i = 0; i < list.count && e->kind == AX_AST_STRING; i++) {
        ax_ast_part part = parts[i];
        if (part.expr) {
            e = ax_ast_deeper(p, e, part.expr);
        } else if (is_block) {
            part.text =
                block_part(p, part.span, indent, i == 0, i + 1 == list.count, quote == AX_QUOTE_BLOCK_RAW);
        } else {
            part.text = decode_escapes(p, part.span);
        }
        if (part.expr || part.text.len) parts[kept++] = part;
    }
    if (e->kind != AX_AST_STRING) return e;
    e->u.string.quote = quote;
    e->u.string.parts = parts;
    e->u.string.count = kept;
    return e;
}
