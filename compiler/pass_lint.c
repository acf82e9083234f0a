/* pass_lint.c - what is allowed but seldom meant. Every report is a warning; each says what to write instead.
 */
#include "compiler/flow_int.h"

/* ---- no timeout ---- */

static void check_timeouts(ax_flow *f)
{
    uint32_t count = 0, first = AX_NONE;
    for (uint32_t i = 0; i < f->decls.len; i++) {
        if (f->decls.at[i].kind != AX_KIND_TASK || f->defs[i].timeout_ms > 0) continue;
        if (count++ == 0) first = i;
    }
    if (count == 0 || f->plan->timeout_ms > 0) return;
    const ax_decl *decl = &f->decls.at[first];
    ax_diag *d;
    if (count == 1)
        d = ax_diag_add(f->diags, AX_W0601, decl->label.span, "'%.*s' has no timeout: it may hang for ever",
                        AX_STR(decl->name));
    else
        d = ax_diag_add(f->diags, AX_W0601, decl->label.span,
                        "'%.*s' and %u other tasks have no timeout: they may hang for ever",
                        AX_STR(decl->name), count - 1);
    ax_diag_help(f->diags, d, "write defaults { timeout = 1h } for all tasks of the workflow");
}

/* ---- names that differ in case ---- */

static ax_str lower(ax_arena *mem, ax_str name)
{
    char *out = ax_str_c(mem, name);
    for (size_t i = 0; i < name.len; i++)
        if (out[i] >= 'A' && out[i] <= 'Z') out[i] = (char)(out[i] - 'A' + 'a');
    return (ax_str){out, name.len};
}

typedef struct {
    ax_str name;
    ax_span span;
} named_thing;

/* The nodes of all levels by their whole names, then parameters and lets. */
static named_thing thing_at(const ax_flow *f, uint32_t i)
{
    if (i < f->decls.len) return (named_thing){f->decls.at[i].name, f->decls.at[i].label.span};
    const ax_named *named = &f->values.at[i - f->decls.len];
    return (named_thing){named->block->labels[0].name.text, named->span};
}

static void check_case(ax_flow *f)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_map known = {0};
    for (uint32_t i = 0; i < f->decls.len + f->values.len; i++) {
        named_thing thing = thing_at(f, i);
        uint32_t at = ax_map_add(&mem, &known, lower(&mem, thing.name), i);
        if (at == i) continue;
        named_thing first = thing_at(f, at);
        ax_diag *d = ax_diag_add(f->diags, AX_W0602, thing.span, "'%.*s' and '%.*s' differ only in case",
                                 AX_STR(thing.name), AX_STR(first.name));
        ax_diag_note(f->diags, d, first.span, "the other one");
    }
    ax_arena_free(&mem);
}

/* ---- unused ---- */

static void check_unused(ax_flow *f)
{
    for (uint32_t i = 0; i < f->values.len; i++) {
        const ax_named *named = &f->values.at[i];
        if (named->is_used) continue;
        ax_diag_add(f->diags, AX_W0603, named->span, "%s '%.*s' is never used",
                    named->is_let ? "let" : "parameter", AX_STR(named->block->labels[0].name.text));
    }
}

/* ---- retries of what must not run twice ---- */

static void check_retries(ax_flow *f)
{
    for (uint32_t i = 0; i < f->decls.len; i++) {
        const ax_decl *decl = &f->decls.at[i];
        if (decl->kind != AX_KIND_TASK || f->defs[i].idempotent || f->defs[i].retry.max == 0) continue;
        ax_diag *d = ax_diag_add(f->diags, AX_W0604, decl->label.span,
                                 "'%.*s' is not idempotent, so each of its %u retries waits for a person",
                                 AX_STR(decl->name), f->defs[i].retry.max);
        ax_diag_help(f->diags, d, "write retry { max = 0 } to fail at once");
    }
}

void ax_pass_lint(ax_flow *f)
{
    check_timeouts(f);
    check_case(f);
    check_unused(f);
    check_retries(f);
}
