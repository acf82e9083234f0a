/* cron_parse.c - the text of a cron expression, field by field, with every error at its column.
 *
 * One table row per field: its range, its names, and which of the day forms (L, W, #) it takes. A range keeps
 * the numbers as they are written until it is expanded, so that 5-7 and fri-sun hold Sunday.
 */
#include "dsl/model/cron.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dsl/base/assert.h"

enum { SECOND, MINUTE, HOUR, DAY, MONTH, WEEKDAY, FIELD_COUNT };

typedef struct {
    const char *name;
    int min, max;
    int written_max;   /* the largest number that may be written (Sunday may be 7) */
    const char *names; /* three letters each, for values from `first_name`; "" if it has none */
    int first_name;
} field_row;

static const field_row fields[FIELD_COUNT] = {
    [SECOND] = {"second", 0, 59, 59, "", 0},
    [MINUTE] = {"minute", 0, 59, 59, "", 0},
    [HOUR] = {"hour", 0, 23, 23, "", 0},
    [DAY] = {"day-of-month", 1, 31, 31, "", 0},
    [MONTH] = {"month", 1, 12, 12, "janfebmaraprmayjunjulaugsepoctnovdec", 1},
    [WEEKDAY] = {"day-of-week", 0, 6, 7, "sunmontuewedthufrisat", 0},
};

static const struct {
    const char *word, *expression;
} macros[] = {
    {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"}, {"@weekly", "0 0 * * 0"},
    {"@daily", "0 0 * * *"},  {"@midnight", "0 0 * * *"}, {"@hourly", "0 * * * *"},
};

typedef struct {
    ax_str text;
    size_t at;  /* next byte */
    size_t end; /* of the field */
    int field;
    ax_cron *cron;
    ax_cron_error *error;
    uint64_t bits; /* of the field so far */
} scan;

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static char peek(const scan *s)
{
    return s->at < s->end ? lower(s->text.ptr[s->at]) : '\0';
}

static bool take(scan *s, char c)
{
    if (peek(s) != c) return false;
    s->at++;
    return true;
}

__attribute__((format(printf, 4, 5))) static bool fail(scan *s, size_t at, size_t len, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    s->error->at = (uint32_t)at;
    s->error->len = (uint32_t)(len > 0 ? len : 1);
    vsnprintf(s->error->text, sizeof s->error->text, fmt, args);
    va_end(args);
    return false;
}

/* Sets the advice of the error that was just reported. */
__attribute__((format(printf, 2, 3))) static bool help(scan *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->error->help, sizeof s->error->help, fmt, args);
    va_end(args);
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number or a name of the field. */
static bool take_value(scan *s, int *out)
{
    const field_row *row = &fields[s->field];
    size_t from = s->at;
    if (is_digit(peek(s))) {
        int n = 0;
        for (; is_digit(peek(s)); s->at++)
            if (n < 100000) n = n * 10 + (s->text.ptr[s->at] - '0');
        if (n < row->min || n > row->written_max)
            return fail(s, from, s->at - from, "the %s field goes from %d to %d", row->name, row->min,
                        row->written_max);
        *out = n;
        return true;
    }
    size_t letters = 0;
    while (peek(s) >= 'a' && peek(s) <= 'z') s->at++, letters++;
    for (int i = 0; letters >= 3 && row->names[3 * i] != '\0'; i++) {
        bool same = true;
        for (size_t k = 0; k < 3; k++)
            same = same && lower(s->text.ptr[from + k]) == row->names[3 * (size_t)i + k];
        if (same && letters == 3) {
            *out = row->first_name + i;
            return true;
        }
    }
    if (letters == 0)
        return fail(s, from, 1,
                    from < s->end ? "the %s field needs a number here" : "the %s field ends too early",
                    row->name);
    fail(s, from, letters, "'%.*s' is no value of the %s field", (int)(letters > 40 ? 40 : letters),
         s->text.ptr + from, row->name);
    if (row->names[0] != '\0')
        help(s, "names are the first three letters: %s", s->field == MONTH ? "jan … dec" : "sun … sat");
    return false;
}

static void add(scan *s, int value)
{
    if (s->field == WEEKDAY && value == 7) value = 0;
    s->bits |= 1ull << value;
}

/* The `/step` behind a range; 1 if there is none. */
static bool take_step(scan *s, int *step)
{
    *step = 1;
    size_t from = s->at;
    if (!take(s, '/')) return true;
    int n = 0;
    for (; is_digit(peek(s)); s->at++)
        if (n < 100000) n = n * 10 + (s->text.ptr[s->at] - '0');
    if (s->at == from + 1) return fail(s, from, 1, "a step needs a number behind '/'");
    if (n == 0) return fail(s, from, s->at - from, "a step of 0 never moves");
    *step = n;
    return true;
}

/* A step over the whole field starts again at the field's edge: worth a word if it does not divide it. */
static void note_uneven(scan *s, size_t from, int step)
{
    const field_row *row = &fields[s->field];
    bool cyclic = s->field == SECOND || s->field == MINUTE || s->field == HOUR;
    if (!cyclic || (row->max + 1) % step == 0 || s->cron->uneven_len > 0) return;
    s->cron->uneven_at = (uint32_t)from;
    s->cron->uneven_len = (uint32_t)(s->at - from);
}

static bool take_range(scan *s)
{
    const field_row *row = &fields[s->field];
    size_t from = s->at;
    int lo = row->min, hi = row->max, step;
    bool star = take(s, '*');
    bool single = false;
    if (!star) {
        if (!take_value(s, &lo)) return false;
        hi = lo;
        single = !take(s, '-');
        if (!single && !take_value(s, &hi)) return false;
        if (!single && s->field == WEEKDAY && hi == 0 && lo > 0) hi = 7; /* fri-sun */
        if (lo > hi) {
            fail(s, from, s->at - from, "the range runs backwards");
            return help(s, "write it as two ranges, from the start and up to the end of the field");
        }
    }
    if (!take_step(s, &step)) return false;
    if (single && step > 1) hi = row->max; /* 14/2: from 14 on */
    if (star) note_uneven(s, from, step);
    for (int v = lo; v <= hi; v += step) add(s, v);
    return true;
}

/* What stands behind an L in the day-of-month field: W, -3, or nothing. */
static bool take_last_form(scan *s, size_t from)
{
    if (take(s, 'w')) {
        s->cron->last_weekday = true;
        return true;
    }
    int n = 0;
    if (take(s, '-')) {
        size_t digits = s->at;
        for (; is_digit(peek(s)); s->at++)
            if (n < 100) n = n * 10 + (s->text.ptr[s->at] - '0');
        if (s->at == digits || n > 30)
            return fail(s, from, s->at - from, "L- needs a number of days from 0 to 30");
    }
    s->cron->from_end |= 1u << n;
    return true;
}

/* L, L-3, LW, 15W in the day-of-month field. *taken: it was one of them. */
static bool take_day_form(scan *s, bool *taken)
{
    size_t from = s->at;
    *taken = true;
    if (take(s, 'l')) return take_last_form(s, from);
    int day = 0;
    size_t digits = s->at;
    while (digits < s->end && is_digit(s->text.ptr[digits])) digits++;
    *taken = digits > s->at && digits < s->end && lower(s->text.ptr[digits]) == 'w';
    if (!*taken) return true;
    if (!take_value(s, &day)) return false;
    take(s, 'w');
    s->cron->near_weekday |= 1u << day;
    return true;
}

/* 5#2 or 5L (friL) in the day-of-week field. */
static bool take_weekday_form(scan *s, bool *taken)
{
    size_t from = s->at;
    size_t word = from;
    while (word < s->end && (is_digit(s->text.ptr[word]) ||
                             (lower(s->text.ptr[word]) >= 'a' && lower(s->text.ptr[word]) <= 'z')))
        word++;
    bool hash = word < s->end && s->text.ptr[word] == '#';
    bool last = word > from + 1 && lower(s->text.ptr[word - 1]) == 'l';
    *taken = hash || last;
    if (!*taken) return true;

    size_t whole = s->end;
    s->end = hash ? word : word - 1;
    int day = 0;
    bool ok = take_value(s, &day) &&
              (s->at == s->end || fail(s, s->at, 1, "the day-of-week field ends a day here"));
    s->end = whole;
    if (!ok) return false;
    s->at++; /* the # or L */
    day %= 7;
    if (last) {
        s->cron->weekday_last |= (uint8_t)(1u << day);
        return true;
    }
    char n = peek(s);
    s->at++;
    if (n < '1' || n > '5' || is_digit(peek(s)))
        return fail(s, from, s->at - from, "a month has at most five of one weekday: # takes 1 to 5");
    s->cron->weekday_nth[day] |= (uint8_t)(1u << (n - '0'));
    return true;
}

static bool take_item(scan *s)
{
    bool taken = false;
    if (s->field == DAY && !take_day_form(s, &taken)) return false;
    if (s->field == WEEKDAY && !take_weekday_form(s, &taken)) return false;
    return taken || take_range(s);
}

static bool parse_field(scan *s)
{
    bool day_field = s->field == DAY || s->field == WEEKDAY;
    bool star = peek(s) == '*';
    if (day_field && s->end - s->at == 1 && peek(s) == '?') {
        star = true;
        s->at++;
        s->bits = s->field == DAY ? 0xfffffffeu : 0x7f;
    } else {
        do {
            if (!take_item(s)) return false;
        } while (take(s, ','));
    }
    if (s->at < s->end) {
        char c = s->text.ptr[s->at];
        return fail(s, s->at, 1,
                    c > ' ' && c < 127 ? "'%c' does not belong into the %s field"
                                       : "this byte (%d) does not belong into the %s field",
                    c, fields[s->field].name);
    }
    ax_cron *cron = s->cron;
    switch (s->field) {
    case SECOND: cron->second = s->bits; break;
    case MINUTE:
        cron->minute = s->bits;
        cron->real_time |= star;
        break;
    case HOUR:
        cron->hour = (uint32_t)s->bits;
        cron->real_time |= star;
        break;
    case DAY:
        cron->day = (uint32_t)s->bits;
        cron->day_star = star;
        break;
    case MONTH: cron->month = (uint32_t)s->bits; break;
    case WEEKDAY:
        cron->weekday = (uint8_t)s->bits;
        cron->weekday_star = star;
        break;
    default: AX_UNREACHABLE();
    }
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Splits at white space into at most `max` words; returns how many there are in all. */
static uint32_t split(ax_str text, size_t begs[], size_t ends[], uint32_t max)
{
    uint32_t n = 0;
    for (size_t i = 0; i < text.len;) {
        while (i < text.len && is_space(text.ptr[i])) i++;
        if (i == text.len) break;
        size_t from = i;
        while (i < text.len && !is_space(text.ptr[i])) i++;
        if (n < max) {
            begs[n] = from;
            ends[n] = i;
        }
        n++;
    }
    return n;
}

static bool parse_macro(scan *s, ax_str text, ax_cron *out)
{
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (ax_str_is(text, macros[i].word))
            return ax_cron_parse(ax_str_of(macros[i].expression), out, s->error);
    fail(s, 0, text.len, "'%.*s' is no schedule", (int)(text.len > 40 ? 40 : text.len), text.ptr);
    return help(s, "there are @yearly, @monthly, @weekly, @daily and @hourly");
}

bool ax_cron_parse(ax_str text, ax_cron *out, ax_cron_error *error)
{
    size_t begs[FIELD_COUNT], ends[FIELD_COUNT];
    memset(error, 0, sizeof *error);
    memset(out, 0, sizeof *out);
    scan s = {.text = text, .cron = out, .error = error};
    uint32_t count = split(text, begs, ends, FIELD_COUNT);
    if (count > 0 && text.ptr[begs[0]] == '@')
        return parse_macro(&s, ax_str_slice(text, begs[0], text.len), out);
    if (count != 5 && count != 6) {
        fail(&s, 0, text.len,
             "a cron expression has five fields (or six, with seconds first), this one has %u", count);
        return help(&s, "minute hour day-of-month month day-of-week, for example \"30 4 * * 1-5\"");
    }
    out->second = 1;
    for (uint32_t i = 0; i < count; i++) {
        s.field = (int)(i + FIELD_COUNT - count);
        s.at = begs[i];
        s.end = ends[i];
        s.bits = 0;
        if (!parse_field(&s)) return false;
    }
    return true;
}
