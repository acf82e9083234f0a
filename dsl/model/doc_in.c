/* doc_in.c - typed access to a parsed document. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "dsl/model/doc_in_int.h"

#define EXACT_MS_MAX 9007199254740992.0 /* a double holds every whole number up to here */

void ax_doc_fail(ax_doc *d, const char *fmt, ...)
{
    if (d->rc) return;
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    d->rc = ax_fail(d->err, AX_INVALID, "%s", text);
}

void ax_doc_failed(ax_doc *d, ax_rc rc, const char *key)
{
    if (d->rc || !rc) return;
    d->rc = rc;
    ax_err_prefix(d->err, "key '%s'", key);
}

static void wrong_kind(ax_doc *d, const char *key, const char *wanted, const ax_value *found)
{
    ax_doc_fail(d, "key '%s': found %s, wanted %s", key, ax_type_name(found->kind), wanted);
}

const ax_value *ax_doc_at(const ax_value *object, const char *key)
{
    uint32_t at = ax_value_key(object, ax_str_of(key));
    return at == UINT32_MAX ? NULL : &object->u.map.at[at];
}

const ax_value *ax_doc_kind_at(ax_doc *d, const ax_value *object, const char *key, ax_type_kind kind)
{
    const ax_value *v = ax_doc_at(object, key);
    if (!v || v->kind == kind) return v;
    wrong_kind(d, key, ax_type_name(kind), v);
    return NULL;
}

const ax_value *ax_doc_object(ax_doc *d, const ax_value *list, uint32_t i)
{
    if (list->u.list.at[i].kind == AX_T_MAP) return &list->u.list.at[i];
    ax_doc_fail(d, "item %u: found %s, wanted an object", i, ax_type_name(list->u.list.at[i].kind));
    return NULL;
}

ax_str ax_doc_str(ax_doc *d, const ax_value *object, const char *key)
{
    const ax_value *v = ax_doc_kind_at(d, object, key, AX_T_STRING);
    return v ? ax_str_dup(d->mem, v->u.s) : (ax_str){0};
}

ax_str ax_doc_name(ax_doc *d, const ax_value *object, const char *key)
{
    ax_str s = ax_doc_str(d, object, key);
    if (s.len == 0) ax_doc_fail(d, "key '%s' is missing", key);
    return s;
}

bool ax_doc_bool(ax_doc *d, const ax_value *object, const char *key, bool otherwise)
{
    const ax_value *v = ax_doc_kind_at(d, object, key, AX_T_BOOL);
    return v ? v->u.b : otherwise;
}

int64_t ax_doc_int(ax_doc *d, const ax_value *object, const char *key, const int64_t range[2],
                   int64_t otherwise)
{
    const ax_value *v = ax_doc_kind_at(d, object, key, AX_T_INT);
    if (!v) return otherwise;
    if (v->u.i >= range[0] && v->u.i <= range[1]) return v->u.i;
    ax_doc_fail(d, "key '%s': %lld is not within %lld..%lld", key, (long long)v->u.i, (long long)range[0],
                (long long)range[1]);
    return otherwise;
}

double ax_doc_number(ax_doc *d, const ax_value *object, const char *key, const double range[2],
                     double otherwise)
{
    const ax_value *v = ax_doc_at(object, key);
    if (!v) return otherwise;
    if (v->kind != AX_T_INT && v->kind != AX_T_FLOAT) {
        wrong_kind(d, key, "a number", v);
        return otherwise;
    }
    double number = v->kind == AX_T_INT ? (double)v->u.i : v->u.f;
    if (number >= range[0] && number <= range[1]) return number;
    ax_doc_fail(d, "key '%s': %g is not within %g..%g", key, number, range[0], range[1]);
    return otherwise;
}

int64_t ax_doc_seconds_of(ax_doc *d, const ax_value *v, const char *key)
{
    int64_t ms = 0;
    bool fits = false;
    if (v->kind == AX_T_INT) fits = v->u.i >= 0 && !__builtin_mul_overflow(v->u.i, 1000, &ms);
    if (v->kind == AX_T_FLOAT) fits = v->u.f >= 0 && v->u.f * 1000 <= EXACT_MS_MAX;
    if (fits && v->kind == AX_T_FLOAT) ms = (int64_t)llround(v->u.f * 1000);
    if (fits) return ms;
    ax_doc_fail(d, "key '%s' wants a number of seconds", key);
    return 0;
}

int64_t ax_doc_seconds(ax_doc *d, const ax_value *object, const char *key, int64_t otherwise)
{
    const ax_value *v = ax_doc_at(object, key);
    return v ? ax_doc_seconds_of(d, v, key) : otherwise;
}

uint32_t ax_doc_line(ax_doc *d, const ax_value *object)
{
    return (uint32_t)ax_doc_int(d, object, "line", AX_DOC_U32, 0);
}

const ax_str *ax_doc_words(ax_doc *d, const ax_value *object, const char *key, uint32_t *count)
{
    const ax_value *list = ax_doc_kind_at(d, object, key, AX_T_LIST);
    *count = 0;
    if (!list) return NULL;
    ax_str *words = AX_NEW_N(d->mem, ax_str, list->u.list.len);
    for (uint32_t i = 0; i < list->u.list.len; i++) {
        const ax_value *word = &list->u.list.at[i];
        if (word->kind != AX_T_STRING) {
            wrong_kind(d, key, "strings", word);
            return NULL;
        }
        words[i] = ax_str_dup(d->mem, word->u.s);
    }
    *count = list->u.list.len;
    return words;
}

ax_type ax_doc_type(ax_doc *d, const ax_value *object)
{
    ax_str text = ax_doc_name(d, object, "type"), inner = text;
    int depth = 0;
    while (ax_str_starts(inner, AX_LIT("list(")) && ax_str_ends(inner, AX_LIT(")")) &&
           depth < AX_VALUE_DEPTH_MAX) {
        inner = ax_str_slice(inner, 5, inner.len - 1);
        depth++;
    }
    ax_type type = {.kind = AX_T_ANY};
    if (!d->rc && !ax_type_named(inner, &type.kind))
        ax_doc_fail(d, "there is no type '%.*s'", AX_STR(ax_str_slice(text, 0, 100)));
    for (; depth > 0; depth--) {
        ax_type *of = AX_NEW(d->mem, ax_type);
        *of = type;
        type = (ax_type){.kind = AX_T_LIST, .of = of};
    }
    return type;
}
