/* schema.c - the rows of schema.def as tables, and the questions that are asked of them.
 *
 * Lookups walk the table: it is short, and a row is refused by its length before its bytes are compared.
 */
#include "dsl/model/schema.h"

#include <string.h>

#define IN(kind) AX_KIND_BIT(AX_KIND_##kind)

const ax_kind_row ax_schema_kinds[AX_KIND_COUNT] = {
#define AX_KIND(id, name_, parents_, label_, body_, doc_)                                                    \
    [AX_KIND_##id] = {.name = name_,                                                                         \
                      .parents = parents_,                                                                   \
                      .label = AX_LABEL_##label_,                                                            \
                      .body = AX_BODY_##body_,                                                               \
                      .doc = doc_},
#include "dsl/model/schema.def"
};

const ax_attr_row ax_schema_attrs[] = {
#define AX_ATTR(owners_, name_, form_, type_, fallback_, doc_)                                               \
    {.owners = owners_,                                                                                      \
     .name = name_,                                                                                          \
     .name_bytes = sizeof name_ - 1,                                                                         \
     .form = AX_FORM_##form_,                                                                                \
     .type = type_,                                                                                          \
     .fallback = fallback_,                                                                                  \
     .doc = doc_},
#include "dsl/model/schema.def"
};
const uint32_t ax_schema_attr_count = sizeof ax_schema_attrs / sizeof ax_schema_attrs[0];

typedef struct {
    uint64_t owners;
    const char *name;
} later_row;

static const later_row later_rows[] = {
#define AX_LATER(owners_, name_) {.owners = owners_, .name = name_},
#include "dsl/model/schema.def"
};
static const uint32_t later_count = sizeof later_rows / sizeof later_rows[0];

ax_kind ax_schema_kind(ax_kind parent, ax_str name)
{
    for (uint32_t k = 0; k < AX_KIND_COUNT; k++)
        if ((ax_schema_kinds[k].parents & AX_KIND_BIT(parent)) && ax_str_is(name, ax_schema_kinds[k].name))
            return (ax_kind)k;
    return AX_KIND_COUNT;
}

const ax_attr_row *ax_schema_attr(ax_kind owner, ax_str name)
{
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        const ax_attr_row *row = &ax_schema_attrs[i];
        if (row->name_bytes == name.len && (row->owners & AX_KIND_BIT(owner)) &&
            memcmp(row->name, name.ptr, name.len) == 0)
            return row;
    }
    return NULL;
}

bool ax_schema_later(ax_kind owner, ax_str name)
{
    for (uint32_t i = 0; i < later_count; i++)
        if ((later_rows[i].owners & AX_KIND_BIT(owner)) && ax_str_is(name, later_rows[i].name)) return true;
    return false;
}

uint64_t ax_schema_homes(ax_str name)
{
    uint64_t homes = 0;
    for (uint32_t k = 0; k < AX_KIND_COUNT; k++)
        if (ax_str_is(name, ax_schema_kinds[k].name)) homes |= ax_schema_kinds[k].parents;
    for (uint32_t i = 0; i < ax_schema_attr_count; i++)
        if (ax_str_is(name, ax_schema_attrs[i].name)) homes |= ax_schema_attrs[i].owners;
    if (homes) return homes;
    for (uint32_t i = 0; i < later_count; i++)
        if (ax_str_is(name, later_rows[i].name)) homes |= later_rows[i].owners;
    return homes;
}

static void offer_kinds(ax_kind owner, ax_nearest *near)
{
    for (uint32_t k = 0; k < AX_KIND_COUNT; k++)
        if (ax_schema_kinds[k].parents & AX_KIND_BIT(owner))
            ax_nearest_offer(near, ax_str_of(ax_schema_kinds[k].name));
}

void ax_schema_near(ax_kind owner, bool is_block, ax_nearest *near)
{
    if (is_block) offer_kinds(owner, near); /* the first of equals wins */
    for (uint32_t i = 0; i < ax_schema_attr_count; i++)
        if (ax_schema_attrs[i].owners & AX_KIND_BIT(owner))
            ax_nearest_offer(near, ax_str_of(ax_schema_attrs[i].name));
    if (!is_block) offer_kinds(owner, near);
}

const char *ax_schema_foreign(ax_str word)
{
    static const struct {
        const char *word, *help;
    } rows[] = {
#define AX_FOREIGN(word_, help_) {.word = word_, .help = help_},
#include "dsl/model/schema.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (ax_str_is(word, rows[i].word)) return rows[i].help;
    return NULL;
}

/* The next word of list from *at on, which is moved behind it; empty at the end. */
static ax_str next_word(const char *list, size_t *at)
{
    while (list[*at] == ' ') ++*at;
    size_t from = *at;
    while (list[*at] != '\0' && list[*at] != ' ') ++*at;
    return (ax_str){list + from, *at - from};
}

bool ax_schema_word(const char *list, ax_str word)
{
    size_t at = 0;
    for (ax_str w = next_word(list, &at); w.len > 0; w = next_word(list, &at))
        if (ax_str_eq(w, word)) return true;
    return false;
}

void ax_schema_words_near(const char *list, ax_nearest *near)
{
    size_t at = 0;
    for (ax_str w = next_word(list, &at); w.len > 0; w = next_word(list, &at)) ax_nearest_offer(near, w);
}
