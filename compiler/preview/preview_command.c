/* preview_command.c - the command of a task as it would run, with what is known in its place.
 *
 * The compiler has put "$AX_V1" into open text and ${AX_V1} inside quotes. A known value takes the place of
 * the first as a quoted word, and of the second if it has no character that means something there; else the
 * name of the variable stays, so that what is shown can be run and does the same. What is not known is shown
 * as it is written in the file, {{ build.rows }}.
 */
#include <string.h>

#include "compiler/emit/expr_source.h"
#include "compiler/preview/preview_int.h"
#include "dsl/base/assert.h"

#define SHOWN_BYTES_MAX ((size_t)32 << 20)

typedef struct {
    const ax_preview *p;
    const ax_def *def;
    ax_known known;
    ax_arena *mem;
    ax_err *err;
} renderer;

/* ---- values ---- */

static void add_template(const renderer *r, const ax_expr *x, ax_buf *out)
{
    if (x->kind == AX_X_CONST && x->u.value.kind == AX_T_STRING) {
        ax_buf_add(out, x->u.value.u.s);
    } else if (x->kind == AX_X_CONCAT) {
        for (uint32_t i = 0; i < x->arg_count; i++) add_template(r, x->args[i], out);
    } else {
        ax_buf_adds(out, "{{ ");
        ax_expr_source(r->p->in.plan, r->def, x, out);
        ax_buf_adds(out, " }}");
    }
}

static ax_rc value_of(const renderer *r, ax_str name, const ax_expr *x, ax_preview_value *out)
{
    const ax_expr *left;
    ax_rc rc = ax_expr_bind(x, &r->known, r->mem, &left, r->err);
    *out = (ax_preview_value){.name = name};
    if (rc) return rc;
    if (left->kind == AX_X_CONST) {
        out->known = true;
        return ax_expr_text(left, r->known.scope, r->mem, &out->text, r->err);
    }
    ax_buf text = AX_BUF_INIT(SHOWN_BYTES_MAX);
    add_template(r, left, &text);
    out->text = ax_str_dup(r->mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return AX_OK;
}

static ax_rc values_of(const renderer *r, const ax_binding *bindings, uint32_t count,
                       const ax_preview_value **out)
{
    ax_preview_value *values = AX_NEW_N(r->mem, ax_preview_value, count);
    *out = values;
    for (uint32_t i = 0; i < count; i++) {
        ax_rc rc = value_of(r, bindings[i].name, bindings[i].value, &values[i]);
        if (!rc) continue;
        ax_err_prefix(r->err, "'%.*s'", AX_STR(bindings[i].name));
        return rc;
    }
    return AX_OK;
}

/* ---- words ---- */

static bool has_any(ax_str text, const char *special)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\0' || strchr(special, text.ptr[i])) return true;
    return false;
}

static bool is_plain(ax_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!plain && (c == '\0' || !strchr("_./:@%+,-=", c))) return false;
    }
    return text.len > 0;
}

void ax_preview_word(ax_str text, ax_buf *out)
{
    if (is_plain(text)) {
        ax_buf_add(out, text);
        return;
    }
    ax_buf_addc(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'') ax_buf_adds(out, "'\\''");
        else ax_buf_addc(out, text.ptr[i]);
    }
    ax_buf_addc(out, '\'');
}

/* ---- scripts ---- */

typedef struct {
    const ax_preview_value *values;
    bool *named;
} script_filler;

/* ax_script_put: what stands in the place of a variable. */
static void put_value(void *ctx, uint32_t bind, ax_script_place place, ax_str variable, ax_buf *out)
{
    const script_filler *f = ctx;
    const ax_preview_value *value = &f->values[bind];
    if (!value->known) {
        ax_buf_add(out, value->text);
    } else if (place == AX_SCRIPT_OPEN) {
        ax_preview_word(value->text, out);
    } else if (!has_any(value->text, "\"$`\\\n")) {
        ax_buf_add(out, value->text);
    } else {
        ax_buf_add(out, variable);
        f->named[bind] = true;
    }
}

static ax_rc render_script(const renderer *r, ax_preview_command *out)
{
    const ax_def *def = r->def;
    ax_rc rc = values_of(r, def->binds, def->bind_count, &out->binds);
    if (rc) return rc;
    script_filler filler = {out->binds, AX_NEW_N(r->mem, bool, def->bind_count)};
    ax_buf script = AX_BUF_INIT(SHOWN_BYTES_MAX);
    ax_script_fill(def, put_value, &filler, &script);
    out->script = ax_str_dup(r->mem, ax_buf_str(&script));
    out->bind_count = def->bind_count;
    out->bind_is_named = filler.named;
    ax_buf_free(&script);
    return AX_OK;
}

static ax_rc render_argv(const renderer *r, ax_preview_command *out)
{
    ax_preview_value *argv = AX_NEW_N(r->mem, ax_preview_value, r->def->argc);
    out->argv = argv;
    out->argc = r->def->argc;
    for (uint32_t i = 0; i < r->def->argc; i++) {
        ax_rc rc = value_of(r, (ax_str){0}, r->def->argv[i], &argv[i]);
        if (!rc) continue;
        ax_err_prefix(r->err, "argument %u", i + 1);
        return rc;
    }
    return AX_OK;
}

ax_rc ax_preview_command_of(const ax_preview *preview, uint32_t node, ax_arena *mem, ax_preview_command *out,
                            ax_err *err)
{
    const ax_def *def = &preview->in.plan->defs[preview->in.plan->nodes[node].def];
    AX_ASSERT(def->action != AX_ACTION_NONE);
    ax_scope scope = ax_preview_scope(preview, node);
    renderer r = {.p = preview, .def = def, .known = {&scope, AX_PREVIEW_ROOTS}, .mem = mem, .err = err};
    *out = (ax_preview_command){.env_count = def->env_count, .has_cwd = def->cwd != NULL};
    ax_rc rc = def->action == AX_ACTION_RUN ? render_script(&r, out) : render_argv(&r, out);
    if (!rc) rc = values_of(&r, def->env, def->env_count, &out->env);
    if (!rc && def->cwd) rc = value_of(&r, AX_LIT("cwd"), def->cwd, &out->cwd);
    return rc;
}
