/* expr.h - typed expressions as the compiler leaves them and the runtime evaluates them.
 *
 * Names are resolved: a parameter is its index, an output its task and place. Evaluation is pure: no clock,
 * no environment, bounded work. Constant parts are folded as the tree is built. An expression is made only by
 * the functions here, so it is always typed; values are checked again when it is evaluated, because outputs
 * come from outside.
 */
#ifndef AX_MODEL_EXPR_H
#define AX_MODEL_EXPR_H

#include "dsl/base/err.h"
#include "dsl/model/value.h"

#define AX_EXPR_DEPTH_MAX 256 /* operators inside one another; deeper ones are AX_INVALID */

typedef enum {
    AX_X_CONST,  /* u.value */
    AX_X_ROOT,   /* u.root */
    AX_X_PARAM,  /* u.index: of plan.params */
    AX_X_KEY,    /* u.index: of the task's matrix keys */
    AX_X_OUTPUT, /* u.output */
    AX_X_NEG,
    AX_X_NOT,
    AX_X_OR,
    AX_X_AND,
    AX_X_EQ,
    AX_X_NE,
    AX_X_LT,
    AX_X_LE,
    AX_X_GT,
    AX_X_GE,
    AX_X_IN,
    AX_X_ADD,
    AX_X_SUB,
    AX_X_MUL,
    AX_X_DIV,
    AX_X_COND,   /* args: test, then, else */
    AX_X_CALL,   /* u.call */
    AX_X_LIST,   /* args: the items */
    AX_X_INDEX,  /* args: list or map, index */
    AX_X_CONCAT, /* args: parts, joined as text */
    AX_X_KIND_COUNT
} ax_x_kind;

/* Values that every run has: kind, name in the language, type. */
#define AX_ROOTS(X)                                                                                          \
    X(DATE, "date", DATE)                                                                                    \
    X(YESTERDAY, "yesterday", DATE)                                                                          \
    X(TOMORROW, "tomorrow", DATE)                                                                            \
    X(SCHEDULED_AT, "scheduled_at", INSTANT)                                                                 \
    X(INTERVAL_START, "interval.start", INSTANT)                                                             \
    X(INTERVAL_END, "interval.end", INSTANT)                                                                 \
    X(RUN_ID, "run.id", STRING) X(NODE_NAME, "node.name", STRING) X(ATTEMPT, "attempt", INT)

typedef enum {
#define X(kind, name, type) AX_ROOT_##kind,
    AX_ROOTS(X)
#undef X
        AX_ROOT_COUNT
} ax_root;

typedef struct ax_expr {
    uint8_t kind;   /* ax_x_kind */
    uint16_t depth; /* 1 for a leaf */
    ax_type type;
    struct ax_expr *const *args; /* operands */
    uint32_t arg_count;
    union {
        ax_value value;
        ax_root root;
        uint32_t index;
        struct {
            uint32_t def, output;
        } output; /* args: the first keys of the copies that are meant; all keys: one copy */
        struct {
            uint32_t fn;
        } call; /* index into the function table of expr_fn.h */
    } u;
} ax_expr;

/* What an expression may see. The pointers stay the caller's. */
typedef struct {
    const ax_value *params;                             /* by index */
    const ax_value *keys;                               /* the node's own matrix values, by index */
    int64_t date;                                       /* the business date, days since the epoch */
    int64_t scheduled_at, interval_start, interval_end; /* ms since the epoch */
    ax_str run_id, node_name;
    int64_t attempt; /* from 1 */
    /* Stores the value of an output: of the copy with these keys, of the only copy of what has no keys, or,
     * with fewer keys than it has, of all copies that begin with them as a list. A producer that did not run
     * gives null. False: there is no such copy. */
    bool (*output)(void *ctx, ax_arena *mem, uint32_t def, uint32_t output, const ax_value *keys,
                   uint32_t key_count, ax_value *value);
    void *ctx;
} ax_scope;

/* Leaves. The type of an output that may be missing is nullable; that of several copies is a list. */
ax_expr *ax_expr_const(ax_arena *mem, ax_value value);
ax_expr *ax_expr_root(ax_arena *mem, ax_root root);
ax_expr *ax_expr_param(ax_arena *mem, uint32_t index, ax_type type);
ax_expr *ax_expr_key(ax_arena *mem, uint32_t index, ax_type type);
ax_expr *ax_expr_output(ax_arena *mem, uint32_t def, uint32_t output, ax_type type, ax_expr *const *keys,
                        uint32_t key_count);
/* Operators (NEG ... CONCAT, but CALL) over a copy of args; all are binary but NEG, NOT (1), COND (3), LIST
 * and CONCAT (any number). Typed by expr_type.h, and a constant if all operands are. AX_INVALID: the types do
 * not go together, a constant has no value, or the tree is too deep; the message says which. */
ax_rc ax_expr_op(ax_arena *mem, ax_x_kind kind, ax_expr *const *args, uint32_t count, ax_expr **out,
                 ax_err *err);
/* The same for a call of a function of expr_fn.h; a word that it takes (month) is a string constant. */
ax_rc ax_expr_call(ax_arena *mem, uint32_t fn, ax_expr *const *args, uint32_t count, ax_expr **out,
                   ax_err *err);

/* The name of a root in the language; AX_ROOT_COUNT if there is none with that name. */
const char *ax_root_name(ax_root root);
ax_root ax_root_named(ax_str name);

/* The value of x in scope, in mem. AX_INVALID: it has none (division by zero, overflow, null where a value is
 * needed, index out of range); the message says which. */
ax_rc ax_expr_eval(const ax_expr *x, const ax_scope *scope, ax_arena *mem, ax_value *out, ax_err *err);
/* The same as text (the form a command sees). */
ax_rc ax_expr_text(const ax_expr *x, const ax_scope *scope, ax_arena *mem, ax_str *out, ax_err *err);
/* True if x needs nothing from a run. */
bool ax_expr_is_const(const ax_expr *x);

#endif
