/* embed.c - finds a built-in text by its name. */
#include "dsl/base/embed.h"

#include <string.h>

const char *ax_embed_text(const ax_embed *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->files[i].name, name) == 0) return set->files[i].text;
    }
    return NULL;
}
