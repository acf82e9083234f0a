/* expr_fn.h - the functions of the language: one table with their types and evaluators. */
#ifndef AX_MODEL_EXPR_FN_H
#define AX_MODEL_EXPR_FN_H

#include "dsl/base/err.h"
#include "dsl/model/value.h"

#define AX_FN_PARAMS_MAX 3
#define AX_FN_ANY_NUMBER UINT8_MAX /* of arguments: the last parameter repeats */

/* A set of kinds. */
typedef uint32_t ax_kinds;
#define AX_KINDS_OF(kind) ((ax_kinds)1 << (kind))
#define AX_KINDS_ALL (~(ax_kinds)0)

typedef struct {
    ax_kinds kinds;    /* of value it takes */
    bool nullable;     /* null is one of them */
    const char *words; /* "month week year": it takes one of these bare words, as a string; NULL: a value */
} ax_fn_param;

/* Computes the value of one call; args are of the kinds in the table. */
typedef ax_rc (*ax_fn_eval)(const ax_value *args, uint32_t count, ax_arena *mem, ax_value *out, ax_err *err);

/* Checks what can be known when compiled: args[i] is NULL where it is not constant. */
typedef ax_rc (*ax_fn_check)(const ax_value *const *args, const ax_type *types, ax_err *err);

typedef struct {
    const char *name;
    const char *usage; /* "add(date, count, unit)" */
    const char *doc;   /* one line */
    ax_fn_param params[AX_FN_PARAMS_MAX];
    uint8_t args_min, args_max;
    ax_type_kind result; /* ANY: what all arguments have in common */
    ax_type_kind of;     /* result LIST: of its items */
    ax_fn_eval eval;
    ax_fn_check check; /* of constant arguments, beyond words; NULL: none */
} ax_fn_row;

extern const ax_fn_row ax_fn_rows[];
extern const uint32_t ax_fn_count;

/* The index of the function, or UINT32_MAX. */
uint32_t ax_fn_find(ax_str name);
/* What parameter `arg` of fn takes (the last one repeats). */
const ax_fn_param *ax_fn_param_at(uint32_t fn, uint32_t arg);
/* The place of word in a blank-separated list of words; -1: it is not in it. */
int ax_word_index(const char *words, ax_str word);
/* Computes a call: checks number and kinds of the arguments, which may come from outside, then evaluates. */
ax_rc ax_fn_apply(uint32_t fn, const ax_value *args, uint32_t count, ax_arena *mem, ax_value *out,
                  ax_err *err);
/* Checks what can be known of a call when it is compiled: words and formats. args[i] is NULL where it is not
 * constant; the types must fit already. */
ax_rc ax_fn_check_consts(uint32_t fn, const ax_value *const *args, const ax_type *types, uint32_t count,
                         ax_err *err);

#endif
