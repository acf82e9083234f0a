/* text_check.c - one pass over the bytes before the scanner: UTF-8, control characters, misplaced marks.
 *
 * What is found is reported at its place, whatever it stands in; the scanner then takes such bytes for
 * blanks, or for text inside strings and comments. Characters that reorder text on a screen count as control
 * characters: a workflow must run what its reviewer saw.
 */
#include <string.h>

#include "dsl/base/utf8.h"
#include "dsl/syntax/parse_int.h"

#define MARK 0xFEFF

/* True if the eight bytes are all plain ASCII, no control characters. */
static bool is_plain(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint64_t below_space = (word - ones * 0x20) & ~word;
    uint64_t is_del = word ^ (ones * 0x7F);
    uint64_t del = (is_del - ones) & ~is_del;
    return ((word | below_space | del) & highs) == 0;
}

static bool is_control(uint32_t cp)
{
    if (cp == '\t' || cp == '\n') return false;
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || (cp >= 0x202A && cp <= 0x202E) ||
           (cp >= 0x2066 && cp <= 0x2069);
}

/* The bytes from `at` on that cannot be read as UTF-8, as one span. */
static size_t invalid_run(ax_str text, size_t at)
{
    uint32_t cp;
    size_t n = 1;
    while (at + n < text.len && ax_utf8_decode(text, at + n, &cp) == 0) n++;
    return n;
}

/* The control characters from `at` on, as one span. */
static size_t control_run(ax_str text, size_t at)
{
    uint32_t cp;
    size_t n = 0, len;
    while ((len = ax_utf8_decode(text, at + n, &cp)) > 0 && is_control(cp)) n += len;
    return n;
}

static ax_span span_at(const ax_parser *p, size_t at, size_t len)
{
    uint32_t beg = p->source->base + (uint32_t)at;
    return (ax_span){beg, beg + (uint32_t)len};
}

/* Checks the character at text[at] and returns its length. */
static size_t check_one(const ax_parser *p, ax_str text, size_t at)
{
    uint32_t cp;
    size_t len = ax_utf8_decode(text, at, &cp);
    if (len == 0) {
        len = invalid_run(text, at);
        ax_diag *d = ax_diag_add(p->diags, AX_E0102, span_at(p, at, len), "these bytes are not valid UTF-8");
        ax_diag_help(p->diags, d, "save the file as UTF-8");
    } else if (cp == MARK && at > 0) {
        ax_diag *d =
            ax_diag_add(p->diags, AX_E0103, span_at(p, at, len), "a byte-order mark inside the text");
        ax_diag_help(p->diags, d, "remove it: it may stand only at the start of a file");
    } else if (cp == '\r' && at + 1 < text.len && text.ptr[at + 1] == '\n') {
        return 2;
    } else if (is_control(cp)) {
        len = control_run(text, at);
        ax_diag *d = ax_diag_add(p->diags, AX_E0104, span_at(p, at, len), "the control character U+%04X", cp);
        if (cp) ax_diag_help(p->diags, d, "remove it; in a \"…\" string write \\u{%X}", cp);
    }
    return len;
}

bool ax_text_check(const ax_parser *p)
{
    ax_str text = p->source->text;
    if (ax_str_starts(text, AX_LIT("\xFF\xFE")) || ax_str_starts(text, AX_LIT("\xFE\xFF"))) {
        ax_diag *d = ax_diag_add(p->diags, AX_E0102, span_at(p, 0, 2), "this text is UTF-16");
        ax_diag_help(p->diags, d, "save the file as UTF-8");
        return false;
    }
    for (size_t at = 0; at < text.len;) {
        if (at + 8 <= text.len && is_plain(text.ptr + at)) at += 8;
        else if ((unsigned char)(text.ptr[at] - 0x20) < 0x5F || text.ptr[at] == '\n') at++;
        else at += check_one(p, text, at);
    }
    return true;
}
