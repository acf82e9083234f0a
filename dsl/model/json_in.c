/* json_in.c - the adapter to jansson: its tree is copied into our values and given back at once. */
#include "dsl/model/json_in.h"

#include <jansson.h>

#include "dsl/base/assert.h"

typedef struct {
    ax_arena *mem;
    ax_err *err;
} reader;

static ax_rc take(const reader *r, const json_t *json, uint32_t depth_left, ax_value *out);

static ax_rc take_list(const reader *r, const json_t *json, uint32_t depth_left, ax_value *out)
{
    uint32_t len = (uint32_t)json_array_size(json);
    ax_value *at = AX_NEW_N(r->mem, ax_value, len);
    *out = (ax_value){.kind = AX_T_LIST, .u.list = {at, len}};
    for (uint32_t i = 0; i < len; i++) {
        ax_rc rc = take(r, json_array_get(json, i), depth_left - 1, &at[i]);
        if (rc) return rc;
    }
    return AX_OK;
}

static ax_rc take_map(const reader *r, json_t *json, uint32_t depth_left, ax_value *out)
{
    uint32_t len = (uint32_t)json_object_size(json), i = 0;
    ax_str *keys = AX_NEW_N(r->mem, ax_str, len);
    ax_value *at = AX_NEW_N(r->mem, ax_value, len);
    *out = (ax_value){.kind = AX_T_MAP, .u.map = {keys, at, len}};
    for (void *entry = json_object_iter(json); entry; entry = json_object_iter_next(json, entry), i++) {
        keys[i] = ax_str_dup(r->mem, ax_str_of(json_object_iter_key(entry)));
        ax_rc rc = take(r, json_object_iter_value(entry), depth_left - 1, &at[i]);
        if (rc) return rc;
    }
    return AX_OK;
}

static ax_rc take(const reader *r, const json_t *json, uint32_t depth_left, ax_value *out)
{
    bool nests = json_is_array(json) || json_is_object(json);
    if (nests && depth_left == 0) return ax_fail(r->err, AX_INVALID, "the JSON is nested too deeply");
    switch (json_typeof(json)) {
    case JSON_NULL: *out = (ax_value){.kind = AX_T_NULL}; return AX_OK;
    case JSON_TRUE:
    case JSON_FALSE: *out = (ax_value){.kind = AX_T_BOOL, .u.b = json_is_true(json)}; return AX_OK;
    case JSON_INTEGER: *out = (ax_value){.kind = AX_T_INT, .u.i = json_integer_value(json)}; return AX_OK;
    case JSON_REAL: *out = (ax_value){.kind = AX_T_FLOAT, .u.f = json_real_value(json)}; return AX_OK;
    case JSON_STRING: {
        ax_str s = {json_string_value(json), json_string_length(json)};
        *out = (ax_value){.kind = AX_T_STRING, .u.s = ax_str_dup(r->mem, s)};
        return AX_OK;
    }
    case JSON_ARRAY: return take_list(r, json, depth_left, out);
    case JSON_OBJECT: return take_map(r, (json_t *)json, depth_left, out); /* iterating changes nothing */
    }
    AX_UNREACHABLE();
}

ax_rc ax_json_read(ax_arena *mem, ax_str text, uint32_t depth_max, ax_value *out, ax_err *err)
{
    json_error_t where;
    json_t *json =
        json_loadb(text.ptr ? text.ptr : "", text.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
    if (!json) return ax_fail(err, AX_INVALID, "no JSON at %d:%d: %s", where.line, where.column, where.text);
    reader r = {mem, err};
    ax_rc rc = take(&r, json, depth_max, out);
    json_decref(json);
    return rc;
}
