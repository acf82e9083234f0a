/* literal.c - what begins with a digit: numbers, percents, durations, sizes, dates and times.
 *
 * The scanner takes every letter and digit after the first, so a wrong literal is one error here, with the
 * nearest form as its help; and that form's value stands in the tree, so that nothing else is reported about
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/model/units.h"
#include "dsl/syntax/parse_int.h"

enum { TEXT_MAX = 64 }; /* bytes of a literal that a nearest form is looked for */

typedef struct {
    ax_ast_kind kind;
    int64_t number;
    double real;
} literal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t digits_at(ax_str s, size_t at)
{
    size_t n = 0;
    while (at + n < s.len && is_digit(s.ptr[at + n])) n++;
    return n;
}

static bool to_int(ax_str digits, int64_t *n)
{
    *n = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, digits.ptr[i] - '0', n))
            return false;
    }
    return true;
}

/* "0.5", "10" to a double; s has only digits and at most one dot. */
static double to_real(ax_str s)
{
    char text[TEXT_MAX + 1];
    size_t len = s.len < TEXT_MAX ? s.len : TEXT_MAX;
    memcpy(text, s.ptr, len);
    text[len] = '\0';
    return strtod(text, NULL);
}

/* ---- the known forms ---- */

/* 42, 0.5, 10%, 0.5%; false also if it is too large. */
static bool read_number(ax_str s, literal *out)
{
    size_t whole = digits_at(s, 0), at = whole;
    if (at < s.len && s.ptr[at] == '.') {
        size_t fraction = digits_at(s, at + 1);
        if (fraction == 0) return false;
        at += 1 + fraction;
    }
    bool is_percent = at + 1 == s.len && s.ptr[at] == '%';
    if ((at != s.len && !is_percent) || s.len > TEXT_MAX) return false;
    if (is_percent || at > whole) {
        *out = (literal){.kind = is_percent ? AX_AST_PERCENT : AX_AST_FLOAT,
                         .real = to_real(ax_str_slice(s, 0, at))};
        return true;
    }
    out->kind = AX_AST_INT;
    return to_int(s, &out->number);
}

static bool read_literal(ax_str s, literal *out)
{
    static const struct {
        ax_ast_kind kind;
        bool (*parse)(ax_str text, int64_t *value);
    } forms[] = {
        {AX_AST_DURATION, ax_duration_parse},
        {AX_AST_SIZE, ax_size_parse},
        {AX_AST_DATE, ax_date_parse},
        {AX_AST_TIME, ax_time_parse},
    };
    *out = (literal){0};
    if (read_number(s, out)) return true;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        out->kind = forms[i].kind;
        if (forms[i].parse(s, &out->number)) return true;
    }
    return false;
}

/* ---- the nearest form of a wrong one ---- */

/* Words that people write for units, in lower case. */
static const struct {
    const char *word, *unit;
} duration_words[] =
    {
        {"ms", "ms"},     {"msec", "ms"}, {"msecs", "ms"}, {"millis", "ms"}, {"milliseconds", "ms"},
        {"s", "s"},       {"sec", "s"},   {"secs", "s"},   {"second", "s"},  {"seconds", "s"},
        {"m", "m"},       {"mn", "m"},    {"min", "m"},    {"mins", "m"},    {"minute", "m"},
        {"minutes", "m"}, {"h", "h"},     {"hr", "h"},     {"hrs", "h"},     {"hour", "h"},
        {"hours", "h"},   {"d", "d"},     {"day", "d"},    {"days", "d"},    {"w", "w"},
        {"wk", "w"},      {"wks", "w"},   {"week", "w"},   {"weeks", "w"},
},
  size_words[] = {
      {"b", "B"},     {"byte", "B"},  {"bytes", "B"}, {"k", "KB"},    {"kb", "KB"},  {"ki", "KiB"},
      {"kib", "KiB"}, {"mb", "MB"},   {"mi", "MiB"},  {"mib", "MiB"}, {"g", "GB"},   {"gb", "GB"},
      {"gi", "GiB"},  {"gib", "GiB"}, {"t", "TB"},    {"tb", "TB"},   {"ti", "TiB"}, {"tib", "TiB"},
};

static bool is_word(ax_str s, const char *word)
{
    size_t i = 0;
    while (i < s.len && word[i] && lower(s.ptr[i]) == word[i]) i++;
    return i == s.len && !word[i];
}

static const char *duration_unit(ax_str word)
{
    for (size_t i = 0; i < sizeof duration_words / sizeof *duration_words; i++) {
        if (is_word(word, duration_words[i].word)) return duration_words[i].unit;
    }
    return NULL;
}

static const char *size_unit(ax_str word)
{
    if (ax_str_is(word, "M")) return "MB";
    for (size_t i = 0; i < sizeof size_words / sizeof *size_words; i++) {
        if (is_word(word, size_words[i].word)) return size_words[i].unit;
    }
    return NULL;
}

/* The unit that a last number without one has: 1h30 is 1h30m. */
static const char *unit_below(const char *unit)
{
    static const char *const order[] = {"w", "d", "h", "m", "s", "ms"};
    for (size_t i = 0; i + 1 < sizeof order / sizeof *order; i++) {
        if (strcmp(order[i], unit) == 0) return order[i + 1];
    }
    return NULL;
}

/* Adds n of a unit ("1.5" of "h") to *total, which counts ms or bytes. */
static bool add_amount(ax_str n, const char *unit, bool (*parse)(ax_str, int64_t *), int64_t *total)
{
    char one[8] = "1";
    strncat(one, unit, sizeof one - 2);
    int64_t factor;
    bool is_known = parse(ax_str_of(one), &factor);
    AX_ASSERT(is_known);
    double amount = to_real(n) * (double)factor;
    return amount < 9e18 && !__builtin_add_overflow(*total, (int64_t)(amount + 0.5), total);
}

/* Numbers with words behind them, "1.5hours", "90min30sec", as a duration in its written form. */
static bool nearest_duration(ax_str s, ax_buf *out)
{
    const char *unit = NULL;
    int64_t ms = 0;
    size_t pairs = 0, at = 0;
    ax_str number = {0};
    for (; at < s.len; pairs++) {
        size_t start = at;
        while (at < s.len && (is_digit(s.ptr[at]) || s.ptr[at] == '.')) at++;
        number = ax_str_slice(s, start, at);
        start = at;
        while (at < s.len && !is_digit(s.ptr[at])) at++;
        ax_str word = ax_str_slice(s, start, at);
        if (word.len) unit = duration_unit(word);
        else unit = unit ? unit_below(unit) : NULL;
        if (!unit || number.len == 0 || !add_amount(number, unit, ax_duration_parse, &ms)) return false;
    }
    if (pairs == 1 && digits_at(number, 0) == number.len) ax_buf_addf(out, "%.*s%s", AX_STR(number), unit);
    else ax_duration_text(ms, out);
    return true;
}

static bool nearest_size(ax_str s, ax_buf *out)
{
    size_t at = 0;
    while (at < s.len && (is_digit(s.ptr[at]) || s.ptr[at] == '.')) at++;
    ax_str number = ax_str_slice(s, 0, at);
    const char *unit = size_unit(ax_str_slice(s, at, s.len));
    int64_t bytes = 0;
    if (!unit || !add_amount(number, unit, ax_size_parse, &bytes)) return false;
    if (digits_at(number, 0) == number.len) ax_buf_addf(out, "%.*s%s", AX_STR(number), unit);
    else ax_size_text(bytes, out);
    return true;
}

/* 1e3, 0x1F */
static bool nearest_number(ax_str s, ax_buf *out)
{
    char text[TEXT_MAX + 1];
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    char *end;
    double n = strtod(text, &end);
    if (*end || n > 9e15 || n != (double)(int64_t)n) return false;
    ax_buf_addi(out, (int64_t)n);
    return true;
}

/* The fields of "2026-1-5" or "7:20:00": numbers between separators; returns how many, 0 if there is other
 * text. */
static int split_fields(ax_str s, char separator, int fields[3])
{
    int count = 0;
    for (size_t at = 0; count < 3; at++) {
        size_t n = digits_at(s, at);
        if (n == 0 || n > 4) return 0;
        fields[count] = 0;
        for (size_t i = 0; i < n; i++) fields[count] = fields[count] * 10 + (s.ptr[at + i] - '0');
        count++;
        at += n;
        if (at == s.len) return count;
        if (s.ptr[at] != separator) return 0;
    }
    return 0;
}

static bool is_date(ax_str s)
{
    return digits_at(s, 0) == 4 && s.len > 4 && s.ptr[4] == '-';
}

static bool nearest(ax_str s, ax_buf *out)
{
    int f[3];
    if (is_date(s)) {
        size_t len = 5;
        while (len < s.len && (is_digit(s.ptr[len]) || s.ptr[len] == '-')) len++;
        if (split_fields(ax_str_slice(s, 0, len), '-', f) != 3) return false;
        ax_buf_addf(out, "%04d-%02d-%02d", f[0], f[1], f[2]);
        return true;
    }
    if (split_fields(s, ':', f) >= 2) {
        ax_buf_addf(out, "%02d:%02d", f[0], f[1]);
        return true;
    }
    return nearest_size(s, out) || nearest_duration(s, out) || nearest_number(s, out);
}

/* ---- reports ---- */

/* A date or time that is written as one, but does not exist. */
static bool report_impossible(const ax_parser *p, ax_str s, ax_span span, literal *out)
{
    int f[3];
    ax_diag *d;
    if (is_date(s) && s.len == 10 && split_fields(s, '-', f) == 3) {
        *out = (literal){.kind = AX_AST_DATE};
        d = ax_diag_add(p->diags, AX_E0109, span, "there is no date %.*s", AX_STR(s));
        if (f[1] >= 1 && f[1] <= 12 && f[0] >= 1) {
            ax_diag_help(p->diags, d, "%04d-%02d has %d days", f[0], f[1], ax_month_days(f[0], f[1]));
        }
        return true;
    }
    if (s.len == 5 && s.ptr[2] == ':' && split_fields(s, ':', f) == 2) {
        *out = (literal){.kind = AX_AST_TIME};
        d = ax_diag_add(p->diags, AX_E0109, span, "there is no time %.*s", AX_STR(s));
        ax_diag_help(p->diags, d, "times are 00:00 to 23:59");
        return true;
    }
    return false;
}

static void report_unknown(const ax_parser *p, ax_str s, ax_span span, literal *out)
{
    *out = (literal){.kind = AX_AST_INT};
    if (digits_at(s, 0) == s.len) {
        ax_diag *d = ax_diag_add(p->diags, AX_E0108, span, "this number is too large");
        ax_diag_help(p->diags, d, "the largest is 9223372036854775807");
        return;
    }
    ax_diag *d = ax_diag_add(p->diags, AX_E0108, span, "'%.*s' is no number, duration, size, date or time",
                             AX_STR(ax_parser_quote(p, span)));

    char kept[TEXT_MAX];
    size_t len = 0;
    for (size_t i = 0; i < s.len && len < TEXT_MAX; i++) {
        if (s.ptr[i] != '_') kept[len++] = s.ptr[i];
    }
    ax_buf near = AX_BUF_INIT(2 * TEXT_MAX);
    ax_str plain = {kept, len};
    bool is_near = s.len <= TEXT_MAX &&
                   (read_literal(plain, out) ? (ax_buf_add(&near, plain), true) : nearest(plain, &near));
    if (is_near && read_literal(ax_buf_str(&near), out)) {
        ax_diag_did_you_mean(p->diags, d, span, ax_str_dup(p->mem, ax_buf_str(&near)));
    } else {
        *out = (literal){.kind = AX_AST_INT};
        ax_diag_help(p->diags, d,
                     "there are 42 0.5 10%% 30s 1h30m 512MB 4GiB 2026-11-30 07:20; "
                     "other text stands in quotes, and a name begins with a letter or _");
    }
    ax_buf_free(&near);
}

ax_ast_expr *ax_literal_make(ax_parser *p, ax_span span)
{
    ax_str text = ax_parser_text(p, span);
    literal value;
    if (!read_literal(text, &value) && !report_impossible(p, text, span, &value)) {
        report_unknown(p, text, span, &value);
    }
    ax_ast_expr *e = ax_ast_leaf(p, value.kind, span);
    if (value.kind == AX_AST_FLOAT || value.kind == AX_AST_PERCENT) e->u.real = value.real;
    else e->u.number = value.number;
    return e;
}
