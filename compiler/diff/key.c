/* key.c - canonical texts of expressions and commands: equal texts, equal meaning.
 *
 * What is written for people is no key: it leaves out quotes and folds what looks alike. Here every part has
 * its kind and length in front. Names stand for parameters and keys, and numbers of the merge for producers
 * of outputs, so that a renamed node changes nothing in who reads from it.
 */
#include <inttypes.h>

#include "compiler/diff/diff_int.h"
#include "dsl/base/assert.h"

void ax_diff_key_text(ax_str text, ax_buf *out)
{
    ax_buf_addf(out, "%zu:", text.len);
    ax_buf_add(out, text);
}

static void add_value(const ax_value *v, ax_buf *out)
{
    ax_buf_addf(out, "%s ", ax_type_name(v->kind));
    ax_value_source(v, out);
}

static void add_output(const ax_diff_side *side, const ax_expr *x, ax_buf *out)
{
    uint32_t def = x->u.output.def;
    if (side->is_known) ax_buf_addf(out, "%" PRIu32, side->defs ? side->defs[def] : def);
    ax_diff_key_text(side->plan->defs[def].outputs[x->u.output.output].name, out);
}

static void add_leaf(const ax_diff_side *side, const ax_def *def, const ax_expr *x, ax_buf *out)
{
    const ax_plan *plan = side->plan;
    switch ((ax_x_kind)x->kind) {
    case AX_X_CONST: add_value(&x->u.value, out); return;
    case AX_X_ROOT: ax_buf_adds(out, ax_root_name(x->u.root)); return;
    case AX_X_PARAM: ax_diff_key_text(plan->params[x->u.index].name, out); return;
    case AX_X_KEY: ax_diff_key_text(def->keys[x->u.index], out); return;
    case AX_X_OUTPUT: add_output(side, x, out); return;
    case AX_X_CALL: ax_buf_addf(out, "%" PRIu32, x->u.call.fn); return;
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
    case AX_X_DIV:
    case AX_X_COND:
    case AX_X_LIST:
    case AX_X_INDEX:
    case AX_X_CONCAT: return;
    case AX_X_KIND_COUNT: break;
    }
    AX_UNREACHABLE();
}

/* No deeper than AX_EXPR_DEPTH_MAX. */
void ax_diff_expr_key(const ax_diff_side *side, const ax_def *def, const ax_expr *x, ax_buf *out)
{
    if (!x) {
        ax_buf_addc(out, '-');
        return;
    }
    ax_buf_addf(out, "(%d ", (int)x->kind);
    add_leaf(side, def, x, out);
    for (uint32_t i = 0; i < x->arg_count; i++) ax_diff_expr_key(side, def, x->args[i], out);
    ax_buf_addc(out, ')');
}

void ax_diff_command_key(const ax_diff_side *side, const ax_def *def, ax_buf *out)
{
    ax_buf_addf(out, "%d", (int)def->action);
    ax_diff_key_text(def->script, out);
    for (uint32_t i = 0; i < def->bind_count; i++) {
        ax_diff_key_text(def->binds[i].name, out);
        ax_diff_expr_key(side, def, def->binds[i].value, out);
    }
    for (uint32_t i = 0; i < def->argc; i++) ax_diff_expr_key(side, def, def->argv[i], out);
}

/* ---- looking for something in all expressions ---- */

typedef struct {
    bool (*visit)(const ax_expr *x, const void *ctx);
    const void *ctx;
} visitor;

static bool any(const visitor *v, const ax_expr *x)
{
    if (!x) return false;
    if (v->visit(x, v->ctx)) return true;
    for (uint32_t i = 0; i < x->arg_count; i++) {
        if (any(v, x->args[i])) return true;
    }
    return false;
}

static bool any_bound(const visitor *v, const ax_binding *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (any(v, at[i].value)) return true;
    }
    return false;
}

bool ax_diff_expr_any(const ax_def *def, bool (*visit)(const ax_expr *x, const void *ctx), const void *ctx)
{
    const visitor v = {visit, ctx};
    if (any_bound(&v, def->binds, def->bind_count) || any_bound(&v, def->env, def->env_count)) return true;
    for (uint32_t i = 0; i < def->argc; i++) {
        if (any(&v, def->argv[i])) return true;
    }
    for (uint32_t i = 0; i < def->output_count; i++) {
        if (any(&v, def->outputs[i].otherwise)) return true;
    }
    return any(&v, def->cwd) || any(&v, def->when);
}
