/* value_parse.c - values from their text forms: --param, $AX_OUTPUT. */
#include <math.h>
#include <stdlib.h>

#include "dsl/base/assert.h"
#include "dsl/base/vec.h"
#include "dsl/model/json_in.h"
#include "dsl/model/units.h"
#include "dsl/model/value.h"

#define NUMBER_BYTES_MAX 400 /* the longest text of a float is shorter */

/* Digits with an optional minus, and nothing else. */
static bool parse_int(ax_str s, int64_t *n)
{
    bool negative = s.len > 0 && s.ptr[0] == '-';
    *n = 0;
    for (size_t i = negative; i < s.len; i++) {
        int digit = s.ptr[i] - '0';
        if (digit < 0 || digit > 9) return false;
        if (__builtin_mul_overflow(*n, 10, n)) return false;
        if (__builtin_add_overflow(*n, negative ? -digit : digit, n)) return false;
    }
    return s.len > (size_t)negative;
}

static bool parse_float(ax_str s, double *d)
{
    char text[NUMBER_BYTES_MAX + 1];
    if (s.len == 0 || s.len > NUMBER_BYTES_MAX) return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        /* strtod alone would also take hexadecimal, "nan", "infinity" and leading blanks. */
        if ((c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E') return false;
        text[i] = c;
    }
    text[s.len] = '\0';
    char *end;
    *d = strtod(text, &end);
    return *end == '\0' && isfinite(*d);
}

static bool parse_bool(ax_str s, bool *b)
{
    *b = ax_str_is(s, "true");
    return *b || ax_str_is(s, "false");
}

static bool parse_percent(ax_str s, double *d)
{
    return ax_str_ends(s, AX_LIT("%")) && parse_float(ax_str_slice(s, 0, s.len - 1), d);
}

/* A duration computed by an expression may be below zero; a written one has no sign. */
static bool parse_duration(ax_str s, int64_t *ms)
{
    bool negative = ax_str_starts(s, AX_LIT("-"));
    if (!ax_duration_parse(ax_str_slice(s, negative, s.len), ms)) return false;
    if (negative) *ms = -*ms;
    return true;
}

static bool parse_range(ax_str s, int64_t *from, int64_t *to)
{
    for (size_t i = 0; i + 1 < s.len; i++) {
        if (s.ptr[i] != '.' || s.ptr[i + 1] != '.') continue;
        return parse_int(ax_str_slice(s, 0, i), from) && parse_int(ax_str_slice(s, i + 2, s.len), to) &&
               *from <= *to;
    }
    return false;
}

/* True if text is the form of a scalar of v->kind; fills v. */
static bool parse_scalar(ax_str text, ax_value *v)
{
    switch (v->kind) {
    case AX_T_BOOL: return parse_bool(text, &v->u.b);
    case AX_T_INT: return parse_int(text, &v->u.i);
    case AX_T_FLOAT: return parse_float(text, &v->u.f);
    case AX_T_PERCENT: return parse_percent(text, &v->u.f);
    case AX_T_DURATION: return parse_duration(text, &v->u.i);
    case AX_T_SIZE: return ax_size_parse(text, &v->u.i);
    case AX_T_DATE: return ax_date_parse(text, &v->u.i);
    case AX_T_TIME: return ax_time_parse(text, &v->u.i);
    case AX_T_INSTANT: return ax_instant_parse(text, &v->u.i);
    case AX_T_RANGE: return parse_range(text, &v->u.range.from, &v->u.range.to);
    case AX_T_NULL: return text.len == 0;
    case AX_T_STRING:
    case AX_T_LIST:
    case AX_T_MAP:
    case AX_T_ANY:
    case AX_T_COUNT: break;
    }
    AX_UNREACHABLE();
}

/* How a scalar of that kind is written, for messages. */
static const char *form_of(ax_type_kind kind)
{
    static const char *const forms[AX_T_COUNT] = {
        [AX_T_NULL] = "nothing",
        [AX_T_BOOL] = "true or false",
        [AX_T_INT] = "an int like 42",
        [AX_T_FLOAT] = "a number like 0.5",
        [AX_T_PERCENT] = "a percentage like 10%",
        [AX_T_DURATION] = "a duration like 1h30m",
        [AX_T_SIZE] = "a size like 512MB or 4GiB",
        [AX_T_DATE] = "a date like 2026-11-30",
        [AX_T_TIME] = "a time like 07:20",
        [AX_T_INSTANT] = "an instant like 2026-11-30T02:00:00Z",
        [AX_T_RANGE] = "a range like 1..10",
    };
    return forms[kind];
}

static ax_rc wrong(ax_err *err, ax_str text, const char *wanted)
{
    ax_str shown = ax_str_slice(text, 0, 100);
    return ax_fail(err, AX_INVALID, "'%.*s%s' is not %s", AX_STR(shown), shown.len < text.len ? "..." : "",
                   wanted);
}

ax_rc ax_value_cast(ax_arena *mem, const ax_type *type, const ax_value *v, ax_value *out, ax_err *err)
{
    if (type->kind == AX_T_LIST && v->kind == AX_T_LIST) {
        ax_value *items = AX_NEW_N(mem, ax_value, v->u.list.len);
        for (uint32_t i = 0; i < v->u.list.len; i++) {
            items[i] = v->u.list.at[i];
            ax_rc rc = type->of ? ax_value_cast(mem, type->of, &items[i], &items[i], err) : AX_OK;
            if (rc) return rc;
        }
        *out = (ax_value){.kind = AX_T_LIST, .u.list = {items, v->u.list.len}};
        return AX_OK;
    }
    if (type->kind == AX_T_FLOAT && v->kind == AX_T_INT) {
        *out = (ax_value){.kind = AX_T_FLOAT, .u.f = (double)v->u.i};
        return AX_OK;
    }
    *out = *v;
    if (ax_value_fits(type, v)) return AX_OK;
    if (v->kind == AX_T_STRING && form_of(type->kind)) return ax_value_parse(mem, type, v->u.s, out, err);
    ax_str wanted = ax_type_text(mem, type);
    return ax_fail(err, AX_INVALID, "found %s, wanted %.*s", ax_type_name(v->kind), AX_STR(wanted));
}

/* A JSON array or object; its scalars are read as the type says. */
static ax_rc parse_json(ax_arena *mem, const ax_type *type, ax_str text, ax_value *out, ax_err *err)
{
    ax_value json;
    ax_rc rc = ax_json_read(mem, text, AX_VALUE_DEPTH_MAX, &json, err);
    if (!rc && json.kind != type->kind && type->kind != AX_T_ANY)
        rc = wrong(err, text, type->kind == AX_T_LIST ? "a JSON array" : "a JSON object");
    if (!rc) rc = ax_value_cast(mem, type, &json, out, err);
    return rc;
}

/* "a,b": scalars between commas; blanks around them belong to nobody. */
static ax_rc parse_commas(ax_arena *mem, const ax_type *of, ax_str text, ax_value *out, ax_err *err)
{
    AX_VEC(ax_value) items = {0};
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != ',') end++;
        size_t from = at, to = end;
        while (from < to && text.ptr[from] == ' ') from++;
        while (to > from && text.ptr[to - 1] == ' ') to--;
        ax_value item;
        ax_rc rc = ax_value_parse(mem, of, ax_str_slice(text, from, to), &item, err);
        if (rc) return rc;
        ax_vec_push(mem, &items, item);
        at = end + 1;
    }
    *out = (ax_value){.kind = AX_T_LIST, .u.list = {items.at, items.len}};
    return AX_OK;
}

ax_rc ax_value_parse(ax_arena *mem, const ax_type *type, ax_str text, ax_value *out, ax_err *err)
{
    *out = (ax_value){.kind = type->kind};
    if (type->kind == AX_T_STRING) {
        out->u.s = ax_str_dup(mem, text);
        return AX_OK;
    }
    if (type->kind == AX_T_LIST && !ax_str_starts(text, AX_LIT("["))) {
        const ax_type *of =
            type->of && type->of->kind != AX_T_ANY ? type->of : ax_type_of(AX_T_STRING, false);
        if (of->kind == AX_T_LIST || of->kind == AX_T_MAP) return wrong(err, text, "a JSON array");
        return parse_commas(mem, of, text, out, err);
    }
    if (!form_of(type->kind)) return parse_json(mem, type, text, out, err);
    return parse_scalar(text, out) ? AX_OK : wrong(err, text, form_of(type->kind));
}
