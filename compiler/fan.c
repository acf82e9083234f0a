/* fan.c - matrices: what they make, and which copies of two declarations belong together. */
#include "compiler/fan_int.h"

#include "compiler/body_int.h"
#include "compiler/expr_int.h"

enum { EXCLUDES_MAX = 1000 };

static const ax_type any_type = {.kind = AX_T_ANY, .nullable = true};

/* ---- keys ---- */

static bool may_be_key(ax_type_kind kind)
{
    return kind != AX_T_NULL && kind != AX_T_LIST && kind != AX_T_MAP && kind != AX_T_RANGE &&
           kind != AX_T_ANY;
}

/* Finds values by the form in which they are written, and refuses one that stands twice. */
static bool index_key(ax_flow *f, ax_key *key, const ax_value *values)
{
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    bool sound = true;
    for (uint32_t i = 0; i < key->count && sound; i++) {
        ax_buf_clear(&text);
        ax_value_source(&values[i], &text);
        ax_str written = ax_str_dup(f->mem, ax_buf_str(&text));
        if (ax_map_add(f->mem, &key->by_text, written, i) == i) continue;
        bool is_list = key->list->kind == AX_AST_LIST && key->list->u.list.count == key->count;
        ax_diag_add(f->diags, AX_E0313, is_list ? key->list->u.list.items[i]->span : key->list->span,
                    "'%.*s' has the value %.*s twice", AX_STR(key->name.text), AX_STR(written));
        sound = false;
    }
    ax_buf_free(&text);
    return sound;
}

static bool read_key(ax_flow *f, ax_key *key)
{
    ax_site site = {.unit = f->unit, .flow = f, .decl = AX_NONE, .is_constant = true};
    ax_value v;
    if (!ax_expr_value(&site, key->list, &any_type, "a matrix", &v)) return false;
    if (v.kind != AX_T_LIST) {
        ax_diag *d = ax_diag_add(f->diags, AX_E0313, key->list->span, "a matrix key has a list of values");
        ax_diag_help(f->diags, d, "write %.*s = [ … ]", AX_STR(key->name.text));
        return false;
    }
    if (v.u.list.len == 0) {
        ax_diag_add(f->diags, AX_E0313, key->list->span, "'%.*s' has no values, so there would be no copies",
                    AX_STR(key->name.text));
        return false;
    }
    key->count = v.u.list.len;
    key->type = ax_value_type(&v.u.list.at[0]);
    bool sound = true;
    for (uint32_t i = 0; i < key->count && sound; i++) {
        ax_type type = ax_value_type(&v.u.list.at[i]);
        sound = may_be_key(type.kind) && ax_type_join(&key->type, &type, &key->type);
    }
    ax_type list = {.kind = AX_T_LIST, .of = &key->type};
    ax_value cast;
    if (!sound || !may_be_key(key->type.kind) || ax_value_cast(f->mem, &list, &v, &cast, NULL) != AX_OK) {
        ax_diag_add(f->diags, AX_E0313, key->list->span, "the values of '%.*s' must be scalars of one type",
                    AX_STR(key->name.text));
        return false;
    }
    key->values = cast.u.list.at;
    return index_key(f, key, key->values);
}

uint32_t ax_fan_key_place(ax_arena *mem, const ax_key *key, const ax_value *value)
{
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    ax_value as_key;
    if (ax_value_cast(mem, &key->type, value, &as_key, NULL) != AX_OK) return AX_NONE;
    ax_value_source(&as_key, &text);
    uint32_t at = ax_map_get(&key->by_text, ax_buf_str(&text));
    ax_buf_free(&text);
    return at == AX_MAP_NONE ? AX_NONE : at;
}

/* ---- combinations ---- */

bool ax_fan_has_own(const ax_decl *decl)
{
    return decl->key_count > decl->outer_keys && !decl->is_broken;
}

void ax_fan_values(const ax_decl *decl, uint32_t own, ax_value *out)
{
    uint32_t combo = decl->fan.combo ? decl->fan.combo[own] : own;
    for (uint32_t k = decl->key_count; k-- > decl->outer_keys;) {
        const ax_key *key = decl->keys[k];
        out[k - decl->outer_keys] = key->values[combo % key->count];
        combo /= key->count;
    }
}

uint32_t ax_fan_copy(const ax_decl *decl, const uint32_t *places)
{
    uint32_t combo = 0;
    for (uint32_t k = decl->outer_keys; k < decl->key_count; k++)
        combo = combo * decl->keys[k]->count + places[k - decl->outer_keys];
    return decl->fan.place ? decl->fan.place[combo] : combo;
}

/* ---- exclude ---- */

/* Reads { key = value } into places of the own keys, AX_NONE: any. */
static bool read_exclude(ax_flow *f, const ax_decl *decl, const ax_ast_expr *e, uint32_t *places)
{
    ax_site site = {.unit = f->unit, .flow = f, .decl = AX_NONE, .is_constant = true};
    uint32_t own = decl->key_count - decl->outer_keys;
    for (uint32_t k = 0; k < own; k++) places[k] = AX_NONE;
    for (uint32_t i = 0; i < e->u.map.count; i++) {
        const ax_ast_entry *entry = &e->u.map.entries[i];
        uint32_t k = 0;
        while (k < own && !ax_str_eq(decl->keys[decl->outer_keys + k]->name.text, entry->key.text)) k++;
        if (entry->key_string || k == own) {
            ax_span at = entry->key_string ? entry->key_string->span : entry->key.span;
            ax_diag *d = ax_diag_add(f->diags, AX_E0313, at, "this is no key of the matrix beside it");
            ax_nearest near = ax_nearest_start(entry->key.text);
            for (k = 0; k < own; k++) ax_nearest_offer(&near, decl->keys[decl->outer_keys + k]->name.text);
            ax_diag_did_you_mean(f->diags, d, at, near.best);
            return false;
        }
        const ax_key *key = decl->keys[decl->outer_keys + k];
        ax_value v;
        if (!ax_expr_value(&site, entry->value, &key->type, "this value", &v)) return false;
        places[k] = ax_fan_key_place(f->mem, key, &v);
        if (places[k] != AX_NONE) continue;
        ax_diag *d = ax_diag_add(f->diags, AX_E0313, entry->value->span, "'%.*s' does not have this value",
                                 AX_STR(key->name.text));
        ax_diag_note(f->diags, d, key->list->span, "its values");
        return false;
    }
    return true;
}

static bool is_excluded(const ax_decl *decl, uint32_t combo, const uint32_t *places)
{
    for (uint32_t k = decl->key_count; k-- > decl->outer_keys;) {
        uint32_t count = decl->keys[k]->count, place = places[k - decl->outer_keys];
        if (place != AX_NONE && place != combo % count) return false;
        combo /= count;
    }
    return true;
}

/* Leaves out what a list of { key = value } says. */
static bool apply_excludes(ax_flow *f, ax_decl *decl, const ax_ast_expr *list)
{
    uint32_t own = decl->key_count - decl->outer_keys, total = decl->fan.count, kept = 0;
    uint32_t *place = AX_NEW_N(f->mem, uint32_t, total), *combo = AX_NEW_N(f->mem, uint32_t, total);
    uint32_t places[AX_KEYS_MAX];
    AX_ASSERT(own <= AX_KEYS_MAX);
    for (uint32_t i = 0; i < list->u.list.count; i++) {
        const ax_ast_expr *e = list->u.list.items[i];
        if (e->kind != AX_AST_MAP || e->u.map.count == 0) {
            ax_diag *d = ax_diag_add(f->diags, AX_E0313, e->span, "what is excluded is { key = value }");
            ax_diag_help(f->diags, d, "write exclude = [{ %.*s = … }]",
                         AX_STR(decl->keys[decl->outer_keys]->name.text));
            return false;
        }
        if (!read_exclude(f, decl, e, places)) return false;
        for (uint32_t c = 0; c < total; c++)
            if (is_excluded(decl, c, places)) place[c] = AX_NONE;
    }
    for (uint32_t c = 0; c < total; c++) {
        if (place[c] == AX_NONE) continue;
        combo[kept] = c;
        place[c] = kept++;
    }
    decl->fan = (ax_fan){.count = kept, .combo = combo, .place = place};
    if (kept > 0) return true;
    ax_diag_add(f->diags, AX_E0313, list->span, "every copy is excluded");
    return false;
}

static bool read_excludes(ax_flow *f, ax_decl *decl)
{
    const ax_ast_expr *list = ax_body_attr(decl->block->body, "exclude");
    if (!list) return true;
    if (list->kind != AX_AST_LIST) {
        ax_diag *d = ax_diag_add(f->diags, AX_E0301, list->span, "'exclude' is a list");
        ax_diag_help(f->diags, d, "write exclude = [%.*s]",
                     AX_STR(ax_sources_text(f->diags->sources, list->span)));
        return false;
    }
    if (decl->key_count == decl->outer_keys) {
        ax_diag_add(f->diags, AX_E0210, list->span, "there is no matrix here to exclude anything from");
        return false;
    }
    if (list->u.list.count > EXCLUDES_MAX) {
        ax_diag_add(f->diags, AX_E0314, list->span, "more than %d things are excluded here", EXCLUDES_MAX);
        return false;
    }
    return apply_excludes(f, decl, list);
}

/* ---- the whole ---- */

static bool read_matrix(ax_flow *f, ax_decl *decl)
{
    uint64_t copies = 1;
    bool sound = true;
    for (uint32_t k = decl->outer_keys; k < decl->key_count; k++) {
        sound = read_key(f, decl->keys[k]) && sound;
        if (copies <= AX_COPIES_MAX) copies *= decl->keys[k]->count;
    }
    if (sound && copies > AX_COPIES_MAX) {
        ax_diag_add(f->diags, AX_E0314, decl->keys[decl->outer_keys]->name.span,
                    "this matrix makes more than %u copies", AX_COPIES_MAX);
        return false;
    }
    if (sound) decl->fan.count = (uint32_t)copies;
    return sound;
}

void ax_fan_read(ax_flow *f, uint32_t at)
{
    ax_decl *decl = &f->decls.at[at];
    const ax_decl *group = decl->parent == AX_NONE ? NULL : &f->decls.at[decl->parent];
    decl->fan.count = 1;
    bool is_sound = read_matrix(f, decl) && read_excludes(f, decl);
    if (!is_sound) decl->fan = (ax_fan){.count = 1};
    decl->is_broken = decl->is_broken || !is_sound || (group && group->is_broken);
    uint64_t copies = (uint64_t)decl->fan.count * (group ? group->copies : 1);
    decl->copies = copies > AX_NODES_MAX ? AX_NODES_MAX + 1 : (uint32_t)copies;
}

/* ---- levels ---- */

uint32_t ax_fan_shared(const ax_flow *f, uint32_t a, uint32_t b)
{
    const ax_decl *left = &f->decls.at[a], *right = &f->decls.at[b];
    uint32_t n = 0;
    while (n < left->level_count && n < right->level_count && left->levels[n] == right->levels[n] &&
           left->levels[n] != a && left->levels[n] != b)
        n++;
    return n;
}

uint32_t ax_fan_level(const ax_decl *decl, uint32_t level)
{
    for (uint32_t i = 0; i < decl->level_count; i++)
        if (decl->levels[i] == level) return i;
    return AX_NONE;
}

uint32_t ax_fan_step(const ax_flow *f, const ax_decl *decl, uint32_t level)
{
    uint32_t step = 1;
    for (uint32_t i = level + 1; i < decl->level_count; i++) step *= f->decls.at[decl->levels[i]].fan.count;
    return step;
}
