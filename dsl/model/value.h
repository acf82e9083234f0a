/* value.h - the values of a workflow, their types, and their forms as text and JSON.
 *
 * A value is plain data; strings, lists and maps point into an arena. Text forms are the ones a command sees:
 * dates 2026-11-30, times 07:20, instants 2026-11-30T02:00:00Z, durations and sizes as they would be written
 * in the language, booleans true/false, floats in the shortest form that reads back, lists and maps as JSON,
 * null as "".
 */
#ifndef AX_MODEL_VALUE_H
#define AX_MODEL_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/buf.h"
#include "dsl/base/err.h"
#include "dsl/base/json_out.h"
#include "dsl/base/str.h"

/* kind, and the name it has in the language */
#define AX_TYPES(X)                                                                                          \
    X(NULL, "null")                                                                                          \
    X(BOOL, "bool")                                                                                          \
    X(INT, "int")                                                                                            \
    X(FLOAT, "float")                                                                                        \
    X(STRING, "string")                                                                                      \
    X(DURATION, "duration")                                                                                  \
    X(SIZE, "size")                                                                                          \
    X(DATE, "date")                                                                                          \
    X(TIME, "time")                                                                                          \
    X(PERCENT, "percent")                                                                                    \
    X(INSTANT, "instant")                                                                                    \
    X(RANGE, "range")                                                                                        \
    X(LIST, "list")                                                                                          \
    X(MAP, "map")                                                                                            \
    X(ANY, "any")

typedef enum {
#define X(kind, name) AX_T_##kind,
    AX_TYPES(X)
#undef X
        AX_T_COUNT
} ax_type_kind;

/* A type; `of` is a list's element type (NULL or ANY: not known). ANY is only ever the type of an expression.
 */
typedef struct ax_type {
    ax_type_kind kind;
    const struct ax_type *of;
    bool nullable; /* the value may be null */
} ax_type;

typedef struct ax_value {
    ax_type_kind kind; /* never ANY */
    union {
        bool b;
        int64_t i; /* INT; DURATION, INSTANT ms (since the epoch); SIZE bytes; DATE days since the epoch; TIME
                      minutes */
        double f;  /* FLOAT; PERCENT: 10.0 is 10% */
        ax_str s;
        struct {
            int64_t from, to;
        } range; /* both inclusive */
        struct {
            const struct ax_value *at;
            uint32_t len;
        } list;
        struct {
            const ax_str *keys;
            const struct ax_value *at;
            uint32_t len;
        } map; /* in source order */
    } u;
} ax_value;

#define AX_VALUE_DEPTH_MAX 32        /* lists and maps inside one another */
#define AX_VALUE_TEXT_MAX (1u << 20) /* bytes of one computed text */

/* "int", "string": the language's name of a kind, and back; false if there is no such kind. */
const char *ax_type_name(ax_type_kind kind);
bool ax_type_named(ax_str name, ax_type_kind *kind);
/* The type of that kind alone (of a list: of anything); it lives for ever. */
const ax_type *ax_type_of(ax_type_kind kind, bool nullable);
/* The language's name of a type: "int", "list(string)". */
ax_str ax_type_text(ax_arena *mem, const ax_type *type);
/* True if a value of type `from` may stand where `to` is wanted (int for float, anything for any, …). */
bool ax_type_fits(const ax_type *to, const ax_type *from);
/* The least type that values of both have (null makes it nullable, int and float are float); false: there is
 * none. */
bool ax_type_join(const ax_type *a, const ax_type *b, ax_type *out);
/* The type of a value (inside a list one level deep: items that are lists are lists of anything). */
ax_type ax_value_type(const ax_value *v);
/* True if the value itself, with all its items, is one of that type; an int is also a float. */
bool ax_value_fits(const ax_type *type, const ax_value *v);

/* True if lists and maps in v are nested at most so many levels deep. */
bool ax_value_is_shallow(const ax_value *v, uint32_t levels);

/* Appends the text form. */
void ax_value_text(const ax_value *v, ax_buf *out);
/* Appends a float in the shortest form that reads back; whole ones have no point. */
void ax_float_text(double d, ax_buf *out);
/* Appends the string as a "…" literal of the language. */
void ax_string_source(ax_str s, ax_buf *out);
/* Appends the form in which the value would be written in a workflow file (strings quoted). */
void ax_value_source(const ax_value *v, ax_buf *out);
/* Writes the value as JSON: numbers, booleans, null and strings as such, all other scalars as their text
 * form. */
void ax_value_json(const ax_value *v, ax_json *j);
/* Reads the text form of a value of the given type (--param, $AX_OUTPUT); AX_INVALID says what was expected.
 * Lists are JSON arrays, or comma-separated for lists of scalars. */
ax_rc ax_value_parse(ax_arena *mem, const ax_type *type, ax_str text, ax_value *out, ax_err *err);

/* The value as one of the given type: ints become floats, strings are read as the scalar wanted (JSON has no
 * dates), also inside lists. Shares what needs no change. AX_INVALID: it is none. */
ax_rc ax_value_cast(ax_arena *mem, const ax_type *type, const ax_value *v, ax_value *out, ax_err *err);

/* The index of key in a map, or UINT32_MAX. Linear. */
uint32_t ax_value_key(const ax_value *map, ax_str key);
/* True if both are the same value (1 equals 1.0; maps in any order). */
bool ax_value_eq(const ax_value *a, const ax_value *b);
/* Order of two values of one ordered type; < 0, 0, > 0. Asserts that they are comparable. */
int ax_value_cmp(const ax_value *a, const ax_value *b);
/* A deep copy in mem. */
ax_value ax_value_dup(ax_arena *mem, const ax_value *v);

#endif
