/* value_text.c - values as text for commands, as source for the language, and as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dsl/base/assert.h"
#include "dsl/base/utf8.h"
#include "dsl/model/units.h"
#include "dsl/model/value.h"

#define DECIMALS_MAX 343 /* the smallest double has as many before its 17 digits end */

/* Digits and a point, with the fewest decimals that read back. */
static void add_decimal(double d, int decimals, ax_buf *out)
{
    char text[DECIMALS_MAX + 320];
    for (; decimals <= DECIMALS_MAX; decimals++) {
        snprintf(text, sizeof text, "%.*f", decimals, d);
        if (strtod(text, NULL) == d) break;
    }
    ax_buf_adds(out, text);
}

void ax_float_text(double d, ax_buf *out)
{
    if (d == 0 || (fabs(d) >= 1e-4 && fabs(d) < 1e15)) {
        add_decimal(d, 0, out);
        return;
    }
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, d);
        if (strtod(text, NULL) == d) break;
    }
    ax_buf_adds(out, text);
}

/* Lists and maps as text are compact JSON. */
static void add_json(const ax_value *v, ax_buf *out)
{
    ax_json j = ax_json_start(out, 0);
    ax_value_json(v, &j);
}

void ax_value_text(const ax_value *v, ax_buf *out)
{
    switch (v->kind) {
    case AX_T_NULL: return;
    case AX_T_BOOL: ax_buf_adds(out, v->u.b ? "true" : "false"); return;
    case AX_T_INT: ax_buf_addi(out, v->u.i); return;
    case AX_T_FLOAT: ax_float_text(v->u.f, out); return;
    case AX_T_STRING: ax_buf_add(out, v->u.s); return;
    case AX_T_DURATION: ax_duration_text(v->u.i, out); return;
    case AX_T_SIZE: ax_size_text(v->u.i, out); return;
    case AX_T_DATE: ax_date_text(v->u.i, out); return;
    case AX_T_TIME: ax_time_text(v->u.i, out); return;
    case AX_T_INSTANT: ax_instant_text(v->u.i, out); return;
    case AX_T_PERCENT:
        ax_float_text(v->u.f, out);
        ax_buf_addc(out, '%');
        return;
    case AX_T_RANGE:
        ax_buf_addi(out, v->u.range.from);
        ax_buf_adds(out, "..");
        ax_buf_addi(out, v->u.range.to);
        return;
    case AX_T_LIST:
    case AX_T_MAP: add_json(v, out); return;
    case AX_T_ANY:
    case AX_T_COUNT: break;
    }
    AX_UNREACHABLE();
}

void ax_value_json(const ax_value *v, ax_json *j)
{
    if (v->kind == AX_T_NULL) ax_json_null(j);
    else if (v->kind == AX_T_BOOL) ax_json_bool(j, v->u.b);
    else if (v->kind == AX_T_INT) ax_json_int(j, v->u.i);
    else if (v->kind == AX_T_FLOAT) ax_json_num(j, v->u.f);
    else if (v->kind == AX_T_STRING) ax_json_str(j, v->u.s);
    else if (v->kind == AX_T_LIST) {
        ax_json_arr_flat(j);
        for (uint32_t i = 0; i < v->u.list.len; i++) ax_value_json(&v->u.list.at[i], j);
        ax_json_end(j);
    } else if (v->kind == AX_T_MAP) {
        ax_json_obj_flat(j);
        for (uint32_t i = 0; i < v->u.map.len; i++) {
            ax_json_keys(j, v->u.map.keys[i]);
            ax_value_json(&v->u.map.at[i], j);
        }
        ax_json_end(j);
    } else {
        ax_buf text = AX_BUF_INIT(64);
        ax_value_text(v, &text);
        ax_json_str(j, ax_buf_str(&text));
        ax_buf_free(&text);
    }
}

/* ---- source ---- */

/* Writes one character of a "…" string; `next` is the byte behind it, or 0. */
static void add_source_char(uint32_t cp, char next, ax_str raw, ax_buf *out)
{
    if (cp == '\n') ax_buf_adds(out, "\\n");
    else if (cp == '\t') ax_buf_adds(out, "\\t");
    else if (cp == '\r') ax_buf_adds(out, "\\r");
    else if (cp == '"' || cp == '\\') ax_buf_addf(out, "\\%c", (char)cp);
    else if (cp == '{' && next == '{') ax_buf_adds(out, "\\{");
    else if (cp < 0x20 || cp == 0x7f) ax_buf_addf(out, "\\u{%x}", (unsigned)cp);
    else ax_buf_add(out, raw);
}

void ax_string_source(ax_str s, ax_buf *out)
{
    ax_buf_addc(out, '"');
    for (size_t at = 0; at < s.len;) {
        uint32_t cp;
        size_t len = ax_utf8_decode(s, at, &cp);
        if (len == 0) {
            cp = (unsigned char)s.ptr[at];
            len = 1;
        }
        char next = at + 1 < s.len ? s.ptr[at + 1] : '\0';
        add_source_char(cp, next, ax_str_slice(s, at, at + len), out);
        /* A \{{ takes both braces, so that a third does not begin a new one. */
        if (cp == '{' && next == '{') {
            ax_buf_addc(out, '{');
            len = 2;
        }
        at += len;
    }
    ax_buf_addc(out, '"');
}

static bool is_name(ax_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return s.len > 0;
}

static void add_key(ax_str key, ax_buf *out)
{
    if (is_name(key)) ax_buf_add(out, key);
    else ax_string_source(key, out);
}

void ax_value_source(const ax_value *v, ax_buf *out)
{
    if (v->kind == AX_T_NULL) ax_buf_adds(out, "null");
    else if (v->kind == AX_T_STRING) ax_string_source(v->u.s, out);
    else if (v->kind == AX_T_FLOAT) add_decimal(v->u.f, 1, out);
    else if (v->kind == AX_T_PERCENT) {
        add_decimal(v->u.f, 0, out);
        ax_buf_addc(out, '%');
    } else if (v->kind == AX_T_LIST) {
        ax_buf_addc(out, '[');
        for (uint32_t i = 0; i < v->u.list.len; i++) {
            if (i) ax_buf_adds(out, ", ");
            ax_value_source(&v->u.list.at[i], out);
        }
        ax_buf_addc(out, ']');
    } else if (v->kind == AX_T_MAP) {
        ax_buf_addc(out, '{');
        for (uint32_t i = 0; i < v->u.map.len; i++) {
            ax_buf_adds(out, i ? ", " : " ");
            add_key(v->u.map.keys[i], out);
            ax_buf_adds(out, " = ");
            ax_value_source(&v->u.map.at[i], out);
        }
        ax_buf_adds(out, v->u.map.len ? " }" : "}");
    } else if (v->kind == AX_T_INSTANT) {
        ax_buf_addc(out, '"'); /* no literal: it is read from its text form */
        ax_value_text(v, out);
        ax_buf_addc(out, '"');
    } else {
        ax_value_text(v, out);
    }
}
