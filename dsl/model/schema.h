/* schema.h - what may stand where: the one table of block kinds and attributes.
 *
 * Checks, "did you mean", defaults, formatter order, completion and the reference page all read these rows; a
 * new attribute is one row of schema.def.
 */
#ifndef AX_MODEL_SCHEMA_H
#define AX_MODEL_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/nearest.h"
#include "dsl/base/str.h"

/* Kinds of block, `FILE` being the top of a file. */
typedef enum {
#define AX_KIND(id, name, parents, label, body, doc) AX_KIND_##id,
#include "dsl/model/schema.def"
    AX_KIND_COUNT
} ax_kind;

/* What a block's label must be. */
typedef enum {
    AX_LABEL_NONE,
    AX_LABEL_NAME,
    AX_LABEL_OPTIONAL, /* a name, or nothing */
    AX_LABEL_ASSIGNED, /* NAME = value */
    AX_LABEL_TYPED,    /* NAME : type, with a constraint and a default if they are wanted */
} ax_label_rule;

/* What a block's body holds. */
typedef enum {
    AX_BODY_NONE,           /* no braces */
    AX_BODY_ITEMS,          /* blocks and attributes of the table */
    AX_BODY_OPTIONAL_ITEMS, /* the same; the braces may be left out */
    AX_BODY_GRAPH,          /* blocks, attributes and edges */
    AX_BODY_KEYS,           /* names that the user chooses: env, matrix */
    AX_BODY_ANY,            /* what the node has that is made from it: template */
} ax_body_rule;

/* How an attribute's value is read. */
typedef enum {
    AX_FORM_SYMBOL,   /* one of the words in `type`, or any bare name if `type` is "name"; never looked up */
    AX_FORM_SYMBOLS,  /* a list of those */
    AX_FORM_VALUE,    /* an expression of the type named in `type`, known when compiled */
    AX_FORM_EXPR,     /* the same, evaluated in the run */
    AX_FORM_TEMPLATE, /* command text with {{ }} */
    AX_FORM_SPECIAL,  /* a shape of its own, read by one function (join, retry.backoff, retry.on, skip_on,
                         exec) */
} ax_form;

typedef struct {
    const char *name;
    uint64_t parents; /* bit per ax_kind it may stand in */
    ax_label_rule label;
    ax_body_rule body;
    const char *doc;
} ax_kind_row;

typedef struct {
    uint64_t owners; /* bit per ax_kind that has it */
    const char *name;
    uint32_t name_bytes;
    ax_form form;
    const char *type;     /* "duration", "bool", "name", "skip pause ignore", … */
    const char *fallback; /* default as written in the language; "" if none */
    const char *doc;
} ax_attr_row;

#define AX_KIND_BIT(kind) (1ull << (kind))

/* The rows, in the order in which they are documented. */
extern const ax_kind_row ax_schema_kinds[AX_KIND_COUNT];
extern const ax_attr_row ax_schema_attrs[];
extern const uint32_t ax_schema_attr_count;

/* The kind with this name that may stand in parent; AX_KIND_COUNT if there is none. */
ax_kind ax_schema_kind(ax_kind parent, ax_str name);
/* The attribute of owner with this name, or NULL. */
const ax_attr_row *ax_schema_attr(ax_kind owner, ax_str name);
/* True if name is an attribute or block of owner in the language, but of a part that is not built yet. */
bool ax_schema_later(ax_kind owner, ax_str name);
/* The kinds in which a block or attribute of this name may stand, as bits (those that are not built yet only
 * if there is no other); 0: it is no word of the language. */
uint64_t ax_schema_homes(ax_str name);
/* Offers every attribute and block that may stand in owner to a "did you mean" search; of two that are
 * equally near, a block is found if a block was wanted. */
void ax_schema_near(ax_kind owner, bool is_block, ax_nearest *near);
/* How the language says what a word of other tools means (needs, retries, command); NULL if it is none. */
const char *ax_schema_foreign(ax_str word);
/* True if word is one of the space-separated words in list. */
bool ax_schema_word(const char *list, ax_str word);
/* Offers each word of list to a "did you mean" search. */
void ax_schema_words_near(const char *list, ax_nearest *near);

#endif
