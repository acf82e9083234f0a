/* utf8.c - decoding, encoding, counting and measuring UTF-8.
 *
 * Widths are from two short tables of ranges (after Unicode's East Asian Width and general categories): exact
 * for the scripts that people write comments in, approximate elsewhere, and only ever used to place a caret.
 */
#include "dsl/base/utf8.h"

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

size_t ax_utf8_decode(ax_str s, size_t at, uint32_t *cp)
{
    if (at >= s.len) return 0;
    const char *p = s.ptr + at;
    unsigned char lead = (unsigned char)*p;
    if (lead < 0x80) {
        *cp = lead;
        return 1;
    }
    /* The smallest code point that needs this many bytes; below it the sequence is overlong. */
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || len > s.len - at) return 0;

    uint32_t value = lead & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if (!is_continuation(p[i])) return 0;
        value = value << 6 | ((unsigned char)p[i] & 0x3F);
    }
    bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < smallest[len] || value > 0x10FFFF || is_surrogate) return 0;
    *cp = value;
    return len;
}

size_t ax_utf8_encode(uint32_t cp, char out[4])
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF)) return 0;
    size_t len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (cp & 0x3F));
        cp >>= 6;
    }
    out[0] = (char)((0xF00u >> len & 0xF0) | cp);
    return len;
}

size_t ax_utf8_count(ax_str s)
{
    size_t count = 0;
    for (size_t at = 0; at < s.len; count++) {
        uint32_t cp;
        size_t len = ax_utf8_decode(s, at, &cp);
        at += len ? len : 1;
    }
    return count;
}

size_t ax_utf8_invalid(ax_str s)
{
    size_t at = 0;
    while (at < s.len) {
        uint32_t cp;
        size_t len = ax_utf8_decode(s, at, &cp);
        if (len == 0) return at;
        at += len;
    }
    return s.len;
}

typedef struct {
    uint32_t first, last;
} range;

static const range combining[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489},   {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5},   {0x0610, 0x061A},   {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC},
    {0x06DF, 0x06E4},   {0x06E7, 0x06E8},   {0x06EA, 0x06ED}, {0x0900, 0x0902}, {0x093A, 0x093A},
    {0x093C, 0x093C},   {0x0941, 0x0948},   {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},
    {0x0E47, 0x0E4E},   {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E},
    {0x2060, 0x2064},   {0x20D0, 0x20F0},   {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
    {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
};

static const range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF}, {0x1B000, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
    {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7}, {0x1F6DD, 0x1F6DF},
    {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB}, {0x1F7F0, 0x1F7F0}, {0x1F90C, 0x1F93A},
    {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF6}, {0x20000, 0x3FFFD},
};

static bool is_in(const range *ranges, size_t count, uint32_t cp)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].last < cp) low = middle + 1;
        else high = middle;
    }
    return low < count && ranges[low].first <= cp;
}

static size_t width_of(uint32_t cp)
{
    if (cp < 0x300) return 1;
    if (is_in(combining, sizeof combining / sizeof *combining, cp)) return 0;
    return is_in(wide, sizeof wide / sizeof *wide, cp) ? 2 : 1;
}

size_t ax_utf8_width(ax_str s)
{
    size_t width = 0;
    for (size_t at = 0; at < s.len;) {
        uint32_t cp;
        size_t len = ax_utf8_decode(s, at, &cp);
        width += len ? width_of(cp) : 1;
        at += len ? len : 1;
    }
    return width;
}
