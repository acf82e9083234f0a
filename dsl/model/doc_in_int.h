/* doc_in_int.h - typed access to a parsed document, with one error for all.
 *
 * After the first error every accessor gives its default, so that a reader asks for what it needs and looks
 * at `rc` once. Unknown keys are nobody's error. Results live in the reader's arena.
 */
#ifndef AX_MODEL_DOC_IN_INT_H
#define AX_MODEL_DOC_IN_INT_H

#include "dsl/base/err.h"
#include "dsl/base/map.h"
#include "dsl/model/plan.h"

typedef struct {
    ax_arena *mem;     /* of what is read */
    ax_arena *scratch; /* of the parsed text and of maps */
    ax_plan *plan;
    ax_def *defs;                              /* the plan's */
    ax_map def_names, node_names, param_names; /* to indices */
    ax_rc rc;
    ax_err *err;
} ax_doc;

/* Records an error, if it is the first. */
void ax_doc_fail(ax_doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Records rc as an error whose message is in d->err already; puts "key 'KEY': " before it. */
void ax_doc_failed(ax_doc *d, ax_rc rc, const char *key);

/* The value of a key; NULL: it is not there. */
const ax_value *ax_doc_at(const ax_value *object, const char *key);
/* The same, if it is of the kind (LIST, MAP); another kind is an error, and NULL. */
const ax_value *ax_doc_kind_at(ax_doc *d, const ax_value *object, const char *key, ax_type_kind kind);
/* Item i of a list, if it is an object; else an error, and NULL. */
const ax_value *ax_doc_object(ax_doc *d, const ax_value *list, uint32_t i);
/* "" if the key is not there. */
ax_str ax_doc_str(ax_doc *d, const ax_value *object, const char *key);
/* The same, but it must be there and not empty. */
ax_str ax_doc_name(ax_doc *d, const ax_value *object, const char *key);
bool ax_doc_bool(ax_doc *d, const ax_value *object, const char *key, bool otherwise);
int64_t ax_doc_int(ax_doc *d, const ax_value *object, const char *key, const int64_t range[2],
                   int64_t otherwise);
double ax_doc_number(ax_doc *d, const ax_value *object, const char *key, const double range[2],
                     double otherwise);
/* Seconds, possibly with decimals, as milliseconds. */
int64_t ax_doc_seconds(ax_doc *d, const ax_value *object, const char *key, int64_t otherwise);
int64_t ax_doc_seconds_of(ax_doc *d, const ax_value *v, const char *key);
/* A line of a source; 0 if the key is not there. */
uint32_t ax_doc_line(ax_doc *d, const ax_value *object);
/* A list of strings. */
const ax_str *ax_doc_words(ax_doc *d, const ax_value *object, const char *key, uint32_t *count);
/* The type that "type" names. */
ax_type ax_doc_type(ax_doc *d, const ax_value *object);

#define AX_DOC_U32 ((const int64_t[]){0, UINT32_MAX})

/* plan_read_task.c: everything of definition `index` that needs no other one; its outputs, keys and policies.
 */
void ax_doc_def(ax_doc *d, const ax_value *object, uint32_t index, ax_def *def);
/* Its expressions, when all definitions, parameters and copies are known. */
void ax_doc_def_exprs(ax_doc *d, const ax_value *object, ax_def *def);

#endif
