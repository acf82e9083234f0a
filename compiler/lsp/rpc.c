/* rpc.c - values of JSON-RPC messages. */
#include "compiler/lsp/rpc_int.h"

#include <string.h>

/* ---- cleaning ---- */

/* The value of the four digits of \uXXXX at text[at]; -1: there are none. */
static int32_t unit_at(ax_str text, size_t at)
{
    int32_t unit = 0;
    if (at + 6 > text.len || text.ptr[at] != '\\' || text.ptr[at + 1] != 'u') return -1;
    for (size_t i = at + 2; i < at + 6; i++) {
        char c = text.ptr[i], lower = (char)(c | 0x20);
        int32_t digit = c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static bool is_high(int32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low(int32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

ax_str ax_rpc_clean(ax_arena *mem, ax_str json)
{
    char *copy = NULL;
    for (size_t at = 0; at < json.len;) {
        const char *slash = memchr(json.ptr + at, '\\', json.len - at);
        if (!slash) break;
        at = (size_t)(slash - json.ptr);
        int32_t unit = unit_at(json, at);
        if (unit < 0) {
            at += 2;
            continue;
        }
        bool is_pair = is_high(unit) && is_low(unit_at(json, at + 6));
        bool is_half = !is_pair && (is_high(unit) || is_low(unit));
        if (unit == 0 || is_half) {
            if (!copy) copy = ax_str_c(mem, json);
            memcpy(copy + at + 2, unit == 0 ? "0001" : "fffd", 4);
        }
        at += is_pair ? 12 : 6;
    }
    return copy ? (ax_str){copy, json.len} : json;
}

/* ---- reading ---- */

const ax_value *ax_rpc_get(const ax_value *v, const char *path)
{
    while (v && *path) {
        size_t len = strcspn(path, ".");
        uint32_t at = v->kind == AX_T_MAP ? ax_value_key(v, (ax_str){path, len}) : UINT32_MAX;
        v = at == UINT32_MAX ? NULL : &v->u.map.at[at];
        path += len + (path[len] == '.');
    }
    return v;
}

ax_str ax_rpc_text(const ax_value *v, const char *path)
{
    v = ax_rpc_get(v, path);
    return v && v->kind == AX_T_STRING ? v->u.s : (ax_str){0};
}

int64_t ax_rpc_int(const ax_value *v, const char *path, int64_t otherwise)
{
    v = ax_rpc_get(v, path);
    return v && v->kind == AX_T_INT ? v->u.i : otherwise;
}

bool ax_rpc_flag(const ax_value *v, const char *path)
{
    v = ax_rpc_get(v, path);
    return v && v->kind == AX_T_BOOL && v->u.b;
}

bool ax_rpc_has(const ax_value *v, const char *path, const char *text)
{
    v = ax_rpc_get(v, path);
    for (uint32_t i = 0; v && v->kind == AX_T_LIST && i < v->u.list.len; i++)
        if (v->u.list.at[i].kind == AX_T_STRING && ax_str_is(v->u.list.at[i].u.s, text)) return true;
    return false;
}

bool ax_rpc_place(const ax_value *v, const char *path, ax_place *out)
{
    v = ax_rpc_get(v, path);
    int64_t line = ax_rpc_int(v, "line", -1), unit = ax_rpc_int(v, "character", -1);
    if (line < 0 || unit < 0) return false;
    *out = (ax_place){line > UINT32_MAX ? UINT32_MAX : (uint32_t)line,
                      unit > UINT32_MAX ? UINT32_MAX : (uint32_t)unit};
    return true;
}

/* ---- writing ---- */

static void write_place(ax_json *j, const char *key, ax_place place)
{
    ax_json_key(j, key);
    ax_json_obj(j);
    ax_rpc_puti(j, "line", place.line);
    ax_rpc_puti(j, "character", place.unit);
    ax_json_end(j);
}

void ax_rpc_range(ax_json *j, const char *key, const ax_lines *lines, uint32_t beg, uint32_t end)
{
    if (key) ax_json_key(j, key);
    ax_json_obj(j);
    write_place(j, "start", ax_lines_place(lines, beg));
    write_place(j, "end", ax_lines_place(lines, end));
    ax_json_end(j);
}

void ax_rpc_put(ax_json *j, const char *key, ax_str text)
{
    ax_json_key(j, key);
    ax_json_str(j, text);
}

void ax_rpc_puts(ax_json *j, const char *key, const char *text)
{
    ax_json_key(j, key);
    ax_json_cstr(j, text);
}

void ax_rpc_puti(ax_json *j, const char *key, int64_t n)
{
    ax_json_key(j, key);
    ax_json_int(j, n);
}

void ax_rpc_putb(ax_json *j, const char *key, bool b)
{
    ax_json_key(j, key);
    ax_json_bool(j, b);
}
