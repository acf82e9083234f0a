/* text.c - widths without fonts: advance widths of a wide sans-serif, so that text fits whatever font
 * shows it. */
#include "compiler/picture/text_int.h"

#include "dsl/base/utf8.h"

#define CODE_EM 0.61  /* advance of a monospaced font */
#define OTHER_EM 0.64 /* of one terminal column of anything but ASCII; two columns are an em and more */
#define BOLD_FACTOR 1.11
#define TAIL_SHARE 0.45 /* of the room, when the middle is cut out */

/* Hundredths of an em, from ' ' to '~'. */
static const unsigned char ascii_width[95] = {
    32, 40, 46, 84, 64, 95, 78, 28, 39,  39, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 77, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 39, 34, 39, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
};

static double char_width(ax_str c, ax_face face, double size)
{
    double em;
    if (c.len == 1 && c.ptr[0] >= ' ' && c.ptr[0] <= '~') {
        em = face == AX_FACE_CODE ? CODE_EM : ascii_width[c.ptr[0] - ' '] / 100.0;
    } else {
        em = OTHER_EM * (double)ax_utf8_width(c);
    }
    return em * size * (face == AX_FACE_BOLD ? BOLD_FACTOR : 1);
}

/* The bytes of the character at `at`; an invalid byte is one. */
static ax_str char_at(ax_str s, size_t at)
{
    uint32_t cp;
    size_t len = ax_utf8_decode(s, at, &cp);
    return ax_str_slice(s, at, at + (len ? len : 1));
}

double ax_text_width(ax_str s, ax_face face, double size)
{
    double width = 0;
    for (size_t i = 0; i < s.len;) {
        ax_str c = char_at(s, i);
        width += char_width(c, face, size);
        i += c.len;
    }
    return width;
}

/* The longest beginning of s that is no wider than `room`. */
static ax_str head_of(ax_str s, ax_face face, double size, double room)
{
    double at = 0;
    for (size_t i = 0; i < s.len;) {
        ax_str c = char_at(s, i);
        at += char_width(c, face, size);
        if (at > room) return ax_str_slice(s, 0, i);
        i += c.len;
    }
    return s;
}

/* The start of the character that ends before byte `end`. */
static size_t step_back(ax_str s, size_t end)
{
    size_t at = end - 1;
    while (at > 0 && end - at < 4 && ((unsigned char)s.ptr[at] & 0xc0) == 0x80) at--;
    return char_at(s, at).len == end - at ? at : end - 1;
}

/* The longest end of s that is no wider than `room`. */
static ax_str tail_of(ax_str s, ax_face face, double size, double room)
{
    double at = 0;
    size_t from = s.len;
    while (from > 0) {
        size_t before = step_back(s, from);
        at += char_width(ax_str_slice(s, before, from), face, size);
        if (at > room) break;
        from = before;
    }
    return ax_str_slice(s, from, s.len);
}

ax_str ax_text_cut(ax_arena *mem, ax_str s, const ax_cut *cut)
{
    const ax_str dots = AX_LIT("…");
    if (head_of(s, cut->face, cut->size, cut->width).len == s.len) return s;
    double room = cut->width - char_width(dots, cut->face, cut->size);
    ax_str tail = cut->middle ? tail_of(s, cut->face, cut->size, room * TAIL_SHARE) : (ax_str){0};
    ax_str head = head_of(s, cut->face, cut->size, room - ax_text_width(tail, cut->face, cut->size));
    return ax_str_fmt(mem, "%.*s%s%.*s", AX_STR(head), dots.ptr, AX_STR(tail));
}

/* What XML 1.0 allows: no control characters but tab and line ends, no noncharacters. */
static bool is_xml_char(uint32_t cp)
{
    if (cp < 0x20) return cp == '\t' || cp == '\n' || cp == '\r';
    return cp != 0xfffe && cp != 0xffff;
}

static const char *xml_entity(uint32_t cp)
{
    switch (cp) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: return NULL;
    }
}

void ax_text_xml(ax_buf *out, ax_str s)
{
    for (size_t i = 0; i < s.len;) {
        uint32_t cp;
        size_t len = ax_utf8_decode(s, i, &cp);
        if (!len || !is_xml_char(cp)) ax_buf_adds(out, "\xef\xbf\xbd");
        else if (xml_entity(cp)) ax_buf_adds(out, xml_entity(cp));
        else ax_buf_add(out, ax_str_slice(s, i, i + len));
        i += len ? len : 1;
    }
}
