/* value.c - types of values, their comparison and copies. */
#include "dsl/model/value.h"

#include "dsl/base/assert.h"

/* ---- types ---- */

const char *ax_type_name(ax_type_kind kind)
{
    static const char *const names[AX_T_COUNT] = {
#define X(kind, name) [AX_T_##kind] = name,
        AX_TYPES(X)
#undef X
    };
    return names[kind];
}

bool ax_type_named(ax_str name, ax_type_kind *kind)
{
    for (int k = 0; k < AX_T_COUNT; k++) {
        if (!ax_str_is(name, ax_type_name((ax_type_kind)k))) continue;
        *kind = (ax_type_kind)k;
        return true;
    }
    return false;
}

const ax_type *ax_type_of(ax_type_kind kind, bool nullable)
{
    static const ax_type types[AX_T_COUNT][2] = {
#define X(kind, name)                                                                                        \
    [AX_T_##kind] = {{AX_T_##kind, NULL, AX_T_##kind == AX_T_NULL}, {AX_T_##kind, NULL, true}},
        AX_TYPES(X)
#undef X
    };
    return &types[kind][nullable];
}

ax_str ax_type_text(ax_arena *mem, const ax_type *type)
{
    const char *name = ax_type_name(type->kind);
    if (type->kind != AX_T_LIST || !type->of || type->of->kind == AX_T_ANY) return ax_str_of(name);
    ax_str of = ax_type_text(mem, type->of);
    return ax_str_fmt(mem, "%s(%.*s)", name, AX_STR(of));
}

bool ax_type_fits(const ax_type *to, const ax_type *from)
{
    if (to->kind == AX_T_ANY) return true;
    if (from->nullable && !to->nullable) return false;
    if (from->kind == AX_T_ANY || from->kind == AX_T_NULL) return true;
    if (to->kind != from->kind) return to->kind == AX_T_FLOAT && from->kind == AX_T_INT;
    if (to->kind != AX_T_LIST || !to->of || !from->of) return true;
    return ax_type_fits(to->of, from->of);
}

bool ax_type_join(const ax_type *a, const ax_type *b, ax_type *out)
{
    bool nullable = a->nullable || b->nullable;
    if (a->kind == AX_T_NULL || b->kind == AX_T_NULL || a->kind == b->kind) {
        const ax_type *of = a->of ? a->of : b->of;
        ax_type items;
        if (a->of && b->of && a->of != b->of)
            of = ax_type_join(a->of, b->of, &items) ? ax_type_of(items.kind, items.nullable) : NULL;
        *out = (ax_type){a->kind == AX_T_NULL ? b->kind : a->kind, of, nullable};
        return true;
    }
    bool any = a->kind == AX_T_ANY || b->kind == AX_T_ANY;
    bool numbers =
        (a->kind == AX_T_INT && b->kind == AX_T_FLOAT) || (a->kind == AX_T_FLOAT && b->kind == AX_T_INT);
    *out = (ax_type){any ? AX_T_ANY : AX_T_FLOAT, NULL, nullable};
    return any || numbers;
}

ax_type ax_value_type(const ax_value *v)
{
    ax_type type = *ax_type_of(v->kind, false);
    if (v->kind != AX_T_LIST || v->u.list.len == 0) return type;
    ax_type of = ax_value_type(&v->u.list.at[0]);
    for (uint32_t i = 1; i < v->u.list.len; i++) {
        ax_type item = ax_value_type(&v->u.list.at[i]);
        if (!ax_type_join(&of, &item, &of)) return type;
    }
    type.of = ax_type_of(of.kind, of.nullable);
    return type;
}

bool ax_value_fits(const ax_type *type, const ax_value *v)
{
    if (type->kind == AX_T_ANY || (v->kind == AX_T_NULL && type->nullable)) return true;
    if (type->kind != v->kind) return type->kind == AX_T_FLOAT && v->kind == AX_T_INT;
    if (v->kind != AX_T_LIST || !type->of) return true;
    for (uint32_t i = 0; i < v->u.list.len; i++)
        if (!ax_value_fits(type->of, &v->u.list.at[i])) return false;
    return true;
}

bool ax_value_is_shallow(const ax_value *v, uint32_t levels)
{
    bool list = v->kind == AX_T_LIST;
    if (!list && v->kind != AX_T_MAP) return true;
    const ax_value *at = list ? v->u.list.at : v->u.map.at;
    uint32_t len = list ? v->u.list.len : v->u.map.len;
    for (uint32_t i = 0; levels > 0 && i < len; i++)
        if (!ax_value_is_shallow(&at[i], levels - 1)) return false;
    return levels > 0;
}

/* ---- comparison ---- */

static bool is_number(const ax_value *v)
{
    return v->kind == AX_T_INT || v->kind == AX_T_FLOAT;
}

static double as_double(const ax_value *v)
{
    return v->kind == AX_T_INT ? (double)v->u.i : v->u.f;
}

static bool lists_eq(const ax_value *a, const ax_value *b)
{
    if (a->u.list.len != b->u.list.len) return false;
    for (uint32_t i = 0; i < a->u.list.len; i++)
        if (!ax_value_eq(&a->u.list.at[i], &b->u.list.at[i])) return false;
    return true;
}

static bool maps_eq(const ax_value *a, const ax_value *b)
{
    if (a->u.map.len != b->u.map.len) return false;
    for (uint32_t i = 0; i < a->u.map.len; i++) {
        uint32_t at = i; /* the same place, nearly always */
        if (!ax_str_eq(a->u.map.keys[i], b->u.map.keys[i])) at = ax_value_key(b, a->u.map.keys[i]);
        if (at == UINT32_MAX || !ax_value_eq(&a->u.map.at[i], &b->u.map.at[at])) return false;
    }
    return true;
}

uint32_t ax_value_key(const ax_value *map, ax_str key)
{
    for (uint32_t i = 0; i < map->u.map.len; i++)
        if (ax_str_eq(map->u.map.keys[i], key)) return i;
    return UINT32_MAX;
}

bool ax_value_eq(const ax_value *a, const ax_value *b)
{
    if (a->kind != b->kind) return is_number(a) && is_number(b) && as_double(a) == as_double(b);
    switch (a->kind) {
    case AX_T_NULL: return true;
    case AX_T_BOOL: return a->u.b == b->u.b;
    case AX_T_INT:
    case AX_T_DURATION:
    case AX_T_SIZE:
    case AX_T_DATE:
    case AX_T_TIME:
    case AX_T_INSTANT: return a->u.i == b->u.i;
    case AX_T_FLOAT:
    case AX_T_PERCENT: return a->u.f == b->u.f;
    case AX_T_STRING: return ax_str_eq(a->u.s, b->u.s);
    case AX_T_RANGE: return a->u.range.from == b->u.range.from && a->u.range.to == b->u.range.to;
    case AX_T_LIST: return lists_eq(a, b);
    case AX_T_MAP: return maps_eq(a, b);
    case AX_T_ANY:
    case AX_T_COUNT: break;
    }
    AX_UNREACHABLE();
}

int ax_value_cmp(const ax_value *a, const ax_value *b)
{
    if (a->kind != b->kind || a->kind == AX_T_FLOAT || a->kind == AX_T_PERCENT) {
        AX_ASSERT(a->kind == b->kind || (is_number(a) && is_number(b)));
        double x = as_double(a), y = as_double(b);
        return (x > y) - (x < y);
    }
    if (a->kind == AX_T_STRING) return ax_str_cmp(a->u.s, b->u.s);
    AX_ASSERT(a->kind == AX_T_INT || a->kind == AX_T_DURATION || a->kind == AX_T_SIZE ||
              a->kind == AX_T_DATE || a->kind == AX_T_TIME || a->kind == AX_T_INSTANT);
    return (a->u.i > b->u.i) - (a->u.i < b->u.i);
}

/* ---- copies ---- */

static const ax_value *dup_all(ax_arena *mem, const ax_value *from, uint32_t count)
{
    ax_value *copy = AX_NEW_N(mem, ax_value, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = ax_value_dup(mem, &from[i]);
    return copy;
}

ax_value ax_value_dup(ax_arena *mem, const ax_value *v)
{
    ax_value copy = *v;
    if (v->kind == AX_T_STRING) copy.u.s = ax_str_dup(mem, v->u.s);
    if (v->kind == AX_T_LIST) copy.u.list.at = dup_all(mem, v->u.list.at, v->u.list.len);
    if (v->kind == AX_T_MAP) {
        ax_str *keys = AX_NEW_N(mem, ax_str, v->u.map.len);
        for (uint32_t i = 0; i < v->u.map.len; i++) keys[i] = ax_str_dup(mem, v->u.map.keys[i]);
        copy.u.map.keys = keys;
        copy.u.map.at = dup_all(mem, v->u.map.at, v->u.map.len);
    }
    return copy;
}
