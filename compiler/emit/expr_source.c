/* expr_source.c - writes expressions with as few parentheses as the grammar needs.
 *
 * Recursion is bounded: an expression is no deeper than the syntax allows (AX_SYNTAX_DEPTH_MAX).
 */
#include "compiler/emit/expr_source.h"

#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/model/expr_fn.h"

/* How tightly a kind binds, loosest first; a looser operand needs parentheses. */
typedef enum {
    BIND_COND,
    BIND_OR,
    BIND_AND,
    BIND_NOT,
    BIND_COMPARE,
    BIND_ADD,
    BIND_MUL,
    BIND_UNARY,
    BIND_ATOM
} binding;

typedef struct {
    binding binds;
    const char *word; /* of an operator */
} operator_row;

static const operator_row operators[AX_X_KIND_COUNT] = {
    [AX_X_CONST] = {BIND_ATOM, NULL},   [AX_X_ROOT] = {BIND_ATOM, NULL},
    [AX_X_PARAM] = {BIND_ATOM, NULL},   [AX_X_KEY] = {BIND_ATOM, NULL},
    [AX_X_OUTPUT] = {BIND_ATOM, NULL},  [AX_X_NEG] = {BIND_UNARY, "-"},
    [AX_X_NOT] = {BIND_NOT, "not "},    [AX_X_OR] = {BIND_OR, " or "},
    [AX_X_AND] = {BIND_AND, " and "},   [AX_X_EQ] = {BIND_COMPARE, " == "},
    [AX_X_NE] = {BIND_COMPARE, " != "}, [AX_X_LT] = {BIND_COMPARE, " < "},
    [AX_X_LE] = {BIND_COMPARE, " <= "}, [AX_X_GT] = {BIND_COMPARE, " > "},
    [AX_X_GE] = {BIND_COMPARE, " >= "}, [AX_X_IN] = {BIND_COMPARE, " in "},
    [AX_X_ADD] = {BIND_ADD, " + "},     [AX_X_SUB] = {BIND_ADD, " - "},
    [AX_X_MUL] = {BIND_MUL, " * "},     [AX_X_DIV] = {BIND_MUL, " / "},
    [AX_X_COND] = {BIND_COND, NULL},    [AX_X_CALL] = {BIND_ATOM, NULL},
    [AX_X_LIST] = {BIND_ATOM, NULL},    [AX_X_INDEX] = {BIND_ATOM, NULL},
    [AX_X_CONCAT] = {BIND_ATOM, NULL},
};

static const char *const root_names[AX_ROOT_COUNT] = {
#define X(kind, name, type) [AX_ROOT_##kind] = name,
    AX_ROOTS(X)
#undef X
};

typedef struct {
    const ax_plan *plan;
    const ax_def *def;
    ax_buf *out;
} writer;

static void write_expr(const writer *w, const ax_expr *x, binding at_least);

/* Operands from `from` up to, not including, `end`. */
static void write_args(const writer *w, const ax_expr *x, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++) {
        if (i > from) ax_buf_adds(w->out, ", ");
        write_expr(w, x->args[i], BIND_COND);
    }
}

static void write_list(const writer *w, const ax_expr *x, uint32_t from, const char *open, const char *close)
{
    ax_buf_adds(w->out, open);
    write_args(w, x, from, x->arg_count);
    ax_buf_adds(w->out, close);
}

/* daily[region].sync["orders"]: a definition, and the keys of x that choose among its copies at each level.
 * Groups nest no deeper than the syntax allows. */
static void write_producer(const writer *w, const ax_def *def, const ax_expr *x)
{
    const ax_plan *plan = w->plan;
    uint32_t around = plan->nodes[def->first].parent, outer = 0;
    if (around != AX_NONE && &plan->defs[plan->nodes[around].def] == def) around = plan->nodes[around].parent;
    if (around == AX_NONE) ax_buf_add(w->out, def->name);
    else {
        const ax_def *group = &plan->defs[plan->nodes[around].def];
        outer = group->key_count;
        write_producer(w, group, x);
        ax_buf_add(w->out, ax_str_slice(def->name, group->name.len, def->name.len));
    }
    if (x->arg_count <= outer || def->key_count == outer) return;
    ax_buf_addc(w->out, '[');
    write_args(w, x, outer, def->key_count);
    ax_buf_addc(w->out, ']');
}

static void write_output(const writer *w, const ax_expr *x)
{
    const ax_def *producer = &w->plan->defs[x->u.output.def];
    if (x->arg_count) write_producer(w, producer, x);
    else ax_buf_add(w->out, producer->name);
    ax_buf_addc(w->out, '.');
    ax_buf_add(w->out, producer->outputs[x->u.output.output].name);
}

static void write_concat(const writer *w, const ax_expr *x)
{
    ax_buf_addc(w->out, '"');
    for (uint32_t i = 0; i < x->arg_count; i++) {
        const ax_expr *part = x->args[i];
        if (part->kind == AX_X_CONST && part->u.value.kind == AX_T_STRING) {
            ax_buf_add(w->out, part->u.value.u.s);
            continue;
        }
        ax_buf_adds(w->out, "{{ ");
        write_expr(w, part, BIND_COND);
        ax_buf_adds(w->out, " }}");
    }
    ax_buf_addc(w->out, '"');
}

static void write_cond(const writer *w, const ax_expr *x)
{
    write_expr(w, x->args[1], BIND_OR);
    ax_buf_adds(w->out, " if ");
    write_expr(w, x->args[0], BIND_OR);
    ax_buf_adds(w->out, " else ");
    write_expr(w, x->args[2], BIND_COND);
}

static void write_operator(const writer *w, const ax_expr *x)
{
    const operator_row *row = &operators[x->kind];
    if (x->arg_count == 1) {
        ax_buf_adds(w->out, row->word);
        write_expr(w, x->args[0], row->binds);
        return;
    }
    bool chains = row->binds != BIND_COMPARE; /* a < b < c is no expression */
    write_expr(w, x->args[0], chains ? row->binds : row->binds + 1);
    ax_buf_adds(w->out, row->word);
    write_expr(w, x->args[1], row->binds + 1);
}

static void write_bare(const writer *w, const ax_expr *x)
{
    switch ((ax_x_kind)x->kind) {
    case AX_X_CONST: ax_value_source(&x->u.value, w->out); return;
    case AX_X_ROOT: ax_buf_adds(w->out, root_names[x->u.root]); return;
    case AX_X_PARAM: ax_buf_add(w->out, w->plan->params[x->u.index].name); return;
    case AX_X_KEY: ax_buf_add(w->out, w->def->keys[x->u.index]); return;
    case AX_X_OUTPUT: write_output(w, x); return;
    case AX_X_COND: write_cond(w, x); return;
    case AX_X_CONCAT: write_concat(w, x); return;
    case AX_X_LIST: write_list(w, x, 0, "[", "]"); return;
    case AX_X_CALL:
        ax_buf_adds(w->out, ax_fn_rows[x->u.call.fn].name);
        write_list(w, x, 0, "(", ")");
        return;
    case AX_X_INDEX:
        write_expr(w, x->args[0], BIND_ATOM);
        write_list(w, x, 1, "[", "]");
        return;
    case AX_X_NEG:
    case AX_X_NOT:
    case AX_X_OR:
    case AX_X_AND:
    case AX_X_EQ:
    case AX_X_NE:
    case AX_X_LT:
    case AX_X_LE:
    case AX_X_GT:
    case AX_X_GE:
    case AX_X_IN:
    case AX_X_ADD:
    case AX_X_SUB:
    case AX_X_MUL:
    case AX_X_DIV: write_operator(w, x); return;
    case AX_X_KIND_COUNT: break;
    }
    AX_UNREACHABLE();
}

static void write_expr(const writer *w, const ax_expr *x, binding at_least)
{
    bool parens = operators[x->kind].binds < at_least;
    if (parens) ax_buf_addc(w->out, '(');
    write_bare(w, x);
    if (parens) ax_buf_addc(w->out, ')');
}

void ax_expr_source(const ax_plan *plan, const ax_def *def, const ax_expr *x, ax_buf *out)
{
    write_expr(&(writer){plan, def, out}, x, BIND_COND);
}

/* ---- scripts ---- */

/* True if text begins with before, name, after; *len is then their length. */
static bool begins(ax_str text, const char *before, ax_str name, const char *after, size_t *len)
{
    size_t head = strlen(before), tail = strlen(after);
    *len = head + name.len + tail;
    return text.len >= *len && memcmp(text.ptr, before, head) == 0 &&
           memcmp(text.ptr + head, name.ptr, name.len) == 0 &&
           memcmp(text.ptr + head + name.len, after, tail) == 0;
}

/* The bound value whose variable stands at the beginning of text, in one of the two forms that the
 * compiler writes; *len is what it takes. bind_count: none. */
static uint32_t bind_at(const ax_def *def, ax_str text, ax_script_place *place, size_t *len)
{
    if (text.ptr[0] != '"' && text.ptr[0] != '$') return def->bind_count;
    *place = text.ptr[0] == '"' ? AX_SCRIPT_OPEN : AX_SCRIPT_QUOTED;
    for (uint32_t i = 0; i < def->bind_count; i++) {
        ax_str name = def->binds[i].name;
        if (begins(text, "\"$", name, "\"", len) || begins(text, "${", name, "}", len)) return i;
    }
    return def->bind_count;
}

void ax_script_fill(const ax_def *def, ax_script_put put, void *ctx, ax_buf *out)
{
    AX_ASSERT(def->action == AX_ACTION_RUN);
    ax_str rest = def->script;
    while (rest.len) {
        size_t len = 1;
        ax_script_place place;
        uint32_t bind = bind_at(def, rest, &place, &len);
        if (bind < def->bind_count) {
            put(ctx, bind, place, ax_str_slice(rest, 0, len), out);
        } else {
            ax_buf_addc(out, rest.ptr[0]);
            len = 1;
        }
        rest = ax_str_slice(rest, len, rest.len);
    }
}

typedef struct {
    const ax_plan *plan;
    const ax_def *def;
} source_writer;

static void put_source(void *ctx, uint32_t bind, ax_script_place place, ax_str variable, ax_buf *out)
{
    const source_writer *w = ctx;
    (void)place;
    (void)variable;
    ax_buf_adds(out, "{{ ");
    ax_expr_source(w->plan, w->def, w->def->binds[bind].value, out);
    ax_buf_adds(out, " }}");
}

void ax_script_source(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    source_writer w = {plan, def};
    ax_script_fill(def, put_source, &w, out);
}
