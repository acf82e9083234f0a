/* json_out.c - the JSON writer. Commas, line breaks and indents come from a stack of open levels. */
#include "dsl/base/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dsl/base/assert.h"
#include "dsl/base/utf8.h"

ax_json ax_json_start(ax_buf *out, int indent)
{
    return (ax_json){.out = out, .indent = indent};
}

/* True if values of the innermost level stand on lines of their own. */
static bool is_broken(const ax_json *j)
{
    return j->indent > 0 && j->depth > 0 && !j->flat[j->depth - 1];
}

static void new_line(const ax_json *j)
{
    ax_buf_addf(j->out, "\n%*s", j->indent * j->depth, "");
}

/* Writes what stands between the previous item of this level and the next. */
static void separate(ax_json *j)
{
    if (j->depth == 0) return;
    bool *first = &j->first[j->depth - 1];
    if (!*first) ax_buf_adds(j->out, j->indent > 0 && !is_broken(j) ? ", " : ",");
    *first = false;
    if (is_broken(j)) new_line(j);
}

static void before_value(ax_json *j)
{
    AX_IMPLIES(j->depth > 0 && j->open[j->depth - 1] == '{', j->after_key);
    if (!j->after_key) separate(j);
    j->after_key = false;
}

static void open(ax_json *j, char bracket, bool flat)
{
    AX_ASSERT(j->depth < AX_JSON_DEPTH_MAX);
    before_value(j);
    ax_buf_addc(j->out, bracket);
    bool inside_flat = j->depth > 0 && j->flat[j->depth - 1];
    j->open[j->depth] = bracket;
    j->first[j->depth] = true;
    j->flat[j->depth] = flat || inside_flat;
    j->depth++;
}

void ax_json_obj(ax_json *j)
{
    open(j, '{', false);
}

void ax_json_arr(ax_json *j)
{
    open(j, '[', false);
}

void ax_json_obj_flat(ax_json *j)
{
    open(j, '{', true);
}

void ax_json_arr_flat(ax_json *j)
{
    open(j, '[', true);
}

void ax_json_end(ax_json *j)
{
    AX_ASSERT(j->depth > 0 && !j->after_key);
    bool was_broken = is_broken(j) && !j->first[j->depth - 1];
    j->depth--;
    if (was_broken) new_line(j);
    ax_buf_addc(j->out, j->open[j->depth] == '{' ? '}' : ']');
}

/* Writes a character that cannot stand for itself in a string. */
static void add_escaped(ax_buf *out, uint32_t cp)
{
    static const char letters[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\',
    };
    if (letters[cp]) ax_buf_addf(out, "\\%c", letters[cp]);
    else ax_buf_addf(out, "\\u%04x", (unsigned)cp);
}

static void add_string(ax_buf *out, ax_str s)
{
    ax_buf_addc(out, '"');
    size_t plain = 0; /* start of the bytes that are copied as they are */
    for (size_t at = 0; at < s.len;) {
        uint32_t cp = 0;
        size_t len = ax_utf8_decode(s, at, &cp);
        if (len > 1 || (len == 1 && cp >= 0x20 && cp != '"' && cp != '\\')) {
            at += len;
            continue;
        }
        ax_buf_add(out, ax_str_slice(s, plain, at));
        if (len == 0) ax_buf_adds(out, "\xEF\xBF\xBD");
        else add_escaped(out, cp);
        plain = ++at;
    }
    ax_buf_add(out, ax_str_slice(s, plain, s.len));
    ax_buf_addc(out, '"');
}

void ax_json_keys(ax_json *j, ax_str key)
{
    AX_ASSERT(j->depth > 0 && j->open[j->depth - 1] == '{' && !j->after_key);
    separate(j);
    add_string(j->out, key);
    ax_buf_adds(j->out, j->indent > 0 ? ": " : ":");
    j->after_key = true;
}

void ax_json_key(ax_json *j, const char *key)
{
    ax_json_keys(j, ax_str_of(key));
}

void ax_json_str(ax_json *j, ax_str s)
{
    before_value(j);
    add_string(j->out, s);
}

void ax_json_cstr(ax_json *j, const char *s)
{
    ax_json_str(j, ax_str_of(s));
}

void ax_json_raw(ax_json *j, ax_str json)
{
    before_value(j);
    ax_buf_add(j->out, json);
}

void ax_json_int(ax_json *j, int64_t n)
{
    before_value(j);
    ax_buf_addi(j->out, n);
}

void ax_json_num(ax_json *j, double d)
{
    if (!isfinite(d)) {
        ax_json_null(j);
        return;
    }
    /* The shortest text that reads back as the same number; 17 digits always do. */
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, d);
        if (strtod(text, NULL) == d) break;
    }
    ax_json_raw(j, ax_str_of(text));
}

void ax_json_bool(ax_json *j, bool b)
{
    ax_json_raw(j, ax_str_of(b ? "true" : "false"));
}

void ax_json_null(ax_json *j)
{
    ax_json_raw(j, AX_LIT("null"));
}
