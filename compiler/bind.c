/* bind.c - a value is never script text: {{ e }} becomes a variable of the process.
 *
 * shell.c says where in the script each value stands; here is what is written there: "$AX_V1" in open text,
 * ${AX_V1} inside "…" and unquoted heredocs. What is constant is spliced, quoted for its place. Where neither
 * is safe it is an error that says how to write it. One expression has one variable, however often it stands.
 */
#include "compiler/bind_int.h"

#include <string.h>

#include "compiler/shell_int.h"

#define SCRIPT_BYTES_MAX (16u << 20)

typedef struct {
    const ax_site *site;
    ax_arena *scratch;
    ax_sh sh;
    ax_buf out;
    ax_map known; /* source text of an expression to its variable */
    AX_VEC(ax_binding) binds;
    bool is_shell;
} binder;

/* ---- what is written ---- */

static void add_raw(binder *b, ax_str text)
{
    ax_buf_add(&b->out, text);
    ax_sh_text(&b->sh, text);
}

static ax_str source_text(const binder *b, ax_span span)
{
    return ax_sources_text(b->site->unit->diags->sources, span);
}

/* The variable of an expression. */
static uint32_t variable_of(binder *b, const ax_ast_expr *e, ax_expr *x)
{
    ax_arena *mem = b->site->unit->mem;
    uint32_t next = b->binds.len, at = ax_map_add(b->scratch, &b->known, source_text(b, e->span), next);
    if (at == next)
        ax_vec_push(mem, &b->binds, (ax_binding){.name = ax_str_fmt(mem, "AX_V%u", next + 1), .value = x});
    return at;
}

static void add_variable(binder *b, const ax_ast_expr *e, ax_expr *x, bool quoted)
{
    uint32_t at = variable_of(b, e, x);
    ax_str name = b->binds.at[at].name;
    if (quoted) ax_buf_addf(&b->out, "${%.*s}", AX_STR(name));
    else ax_buf_addf(&b->out, "\"$%.*s\"", AX_STR(name));
}

static bool is_plain(ax_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!plain && (c == '\0' || !strchr("_./:@%+,-", c))) return false;
    }
    return text.len > 0;
}

/* '…' with each ' written as '\''; `inside`: the quotes around it stand in the script. */
static void add_single(binder *b, ax_str text, bool inside)
{
    if (!inside) ax_buf_addc(&b->out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'') ax_buf_adds(&b->out, "'\\''");
        else ax_buf_addc(&b->out, text.ptr[i]);
    }
    if (!inside) ax_buf_addc(&b->out, '\'');
}

/* The text with a backslash in front of each byte of `special`. */
static void add_escaped(binder *b, ax_str text, const char *special)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr(special, text.ptr[i])) ax_buf_addc(&b->out, '\\');
        ax_buf_addc(&b->out, text.ptr[i]);
    }
}

/* Splices a constant where that is safe; false: it has to be a variable. */
static bool add_constant(binder *b, ax_sh_place place, ax_str text)
{
    bool one_line = !text.len || !memchr(text.ptr, '\n', text.len);
    switch (place) {
    case AX_SH_OPEN:
        if (is_plain(text)) ax_buf_add(&b->out, text);
        else add_single(b, text, false);
        return true;
    case AX_SH_DOUBLE: add_escaped(b, text, "\\\"$`"); return true;
    case AX_SH_SINGLE: add_single(b, text, true); return true;
    case AX_SH_HEREDOC:
        if (one_line) add_escaped(b, text, "\\$`");
        return one_line;
    case AX_SH_HEREDOC_QUOTED:
    case AX_SH_COMMENT:
        if (one_line) ax_buf_add(&b->out, text);
        return one_line;
    case AX_SH_ARITHMETIC:
    case AX_SH_EXPANSION:
    case AX_SH_BACKTICK:
    case AX_SH_HEREDOC_WORD:
        if (is_plain(text)) ax_buf_add(&b->out, text);
        return is_plain(text);
    case AX_SH_ESCAPED:
    case AX_SH_DOLLAR: return false;
    }
    return false;
}

/* ---- what is refused ---- */

static void report_single(binder *b, const ax_ast_part *part)
{
    ax_unit *unit = b->site->unit;
    ax_str src = source_text(b, part->span);
    ax_diag *d =
        ax_diag_add(unit->diags, AX_E0501, part->span, "a value can't stand inside '…' of the shell");
    ax_diag_help(unit->diags, d, "close the quotes around it: '…'%.*s'…'", AX_STR(src));
    d->edit = part->span;
    d->replacement = ax_str_fmt(unit->mem, "'%.*s'", AX_STR(src));
}

static void report_place(binder *b, const ax_ast_part *part, ax_sh_place place)
{
    static const char *const where[] = {
        [AX_SH_HEREDOC_WORD] = "in the word behind <<",
        [AX_SH_ARITHMETIC] = "in arithmetic unless it is an int",
        [AX_SH_EXPANSION] = "inside ${ }",
        [AX_SH_BACKTICK] = "inside ` `",
        [AX_SH_ESCAPED] = "right behind a backslash",
        [AX_SH_DOLLAR] = "right behind a $",
    };
    static const char *const helps[] = {
        [AX_SH_HEREDOC_WORD] = "end the heredoc with a fixed word",
        [AX_SH_ARITHMETIC] = "the shell would compute what the text says; declare it as an int",
        [AX_SH_EXPANSION] = "give it a name first: value={{ … }}",
        [AX_SH_BACKTICK] = "write $( … ) instead of ` `",
        [AX_SH_ESCAPED] = "take the backslash away, or write two for a backslash",
        [AX_SH_DOLLAR] = "a value is written {{ … }} alone, without a $",
    };
    ax_diags *diags = b->site->unit->diags;
    ax_diag *d = ax_diag_add(diags, AX_E0503, part->span, "a value can't stand %s", where[place]);
    ax_diag_help(diags, d, "%s", helps[place]);
}

static void report_inner(binder *b, const ax_ast_part *part)
{
    ax_diags *diags = b->site->unit->diags;
    ax_diag *d = ax_diag_add(diags, AX_W0605, part->span, "this value becomes text that another shell runs");
    ax_diag_help(diags, d, "hand it over as an argument instead: sh -c '… \"$1\" …' sh %.*s",
                 AX_STR(source_text(b, part->span)));
}

/* ---- values ---- */

/* raw(e): the constant itself is script text. */
static bool add_raw_call(binder *b, const ax_ast_expr *e)
{
    if (e->kind != AX_AST_CALL || e->u.call.base->kind != AX_AST_NAME ||
        !ax_str_is(e->u.call.base->u.name, "raw"))
        return false;
    ax_diags *diags = b->site->unit->diags;
    if (e->u.call.count != 1 || e->u.call.args[0].name.text.len > 0) {
        ax_diag_add(diags, AX_E0304, e->span, "raw takes one value");
        return true;
    }
    ax_expr *x = ax_expr_make(b->site, e->u.call.args[0].value);
    ax_str text;
    if (!x) return true;
    if (!ax_expr_is_const(x)) {
        ax_diag *d = ax_diag_add(diags, AX_E0504, e->span, "raw() takes only what the file itself fixes");
        ax_diag_help(diags, d,
                     "leave out raw() to hand the value over safely; splicing a value of the run needs "
                     "unsafe_shell = true, which this version does not support yet");
        return true;
    }
    if (ax_expr_text(x, &(ax_scope){0}, b->site->unit->mem, &text, NULL) == AX_OK) add_raw(b, text);
    return true;
}

static void add_value(binder *b, const ax_ast_part *part)
{
    if (add_raw_call(b, part->expr)) return;
    ax_expr *x = ax_expr_make(b->site, part->expr);
    if (!x) return;
    bool inner = ax_sh_is_inner(&b->sh);
    ax_sh_place place = ax_sh_value(&b->sh);
    ax_str text;
    if (ax_expr_is_const(x) && ax_expr_text(x, &(ax_scope){0}, b->site->unit->mem, &text, NULL) == AX_OK) {
        if (!b->is_shell) ax_buf_add(&b->out, text);
        if (!b->is_shell || add_constant(b, place, text)) return;
    } else if (!b->is_shell) {
        ax_diags *diags = b->site->unit->diags;
        ax_diag *d = ax_diag_add(diags, AX_E0506, part->span,
                                 "a value can't stand in a script that is not for a shell");
        ax_diag_help(diags, d, "hand it over in env { }, or as an argument with exec");
        return;
    }
    bool is_quoted = place == AX_SH_DOUBLE || place == AX_SH_HEREDOC || place == AX_SH_COMMENT ||
                     (place == AX_SH_ARITHMETIC && x->type.kind == AX_T_INT);
    if (place == AX_SH_OPEN || is_quoted) {
        if (inner && place != AX_SH_COMMENT) report_inner(b, part);
        add_variable(b, part->expr, x, is_quoted);
    } else if (place == AX_SH_SINGLE) report_single(b, part);
    else if (place == AX_SH_HEREDOC_QUOTED) {
        ax_diag *d = ax_diag_add(b->site->unit->diags, AX_E0502, part->span,
                                 "a value can't stand in a heredoc whose word is quoted");
        ax_diag_help(b->site->unit->diags, d,
                     "write <<EOF without quotes, and \\$ for each $ that is to stay");
    } else report_place(b, part, place);
}

/* ---- the script ---- */

/* True if the words run a script that a POSIX shell reads. */
static bool runs_shell(const ax_def *def)
{
    if (def->shell_count == 0) return true;
    ax_str program = def->shell[0];
    const char *slash = program.len ? memrchr(program.ptr, '/', program.len) : NULL;
    if (slash) program = ax_str_slice(program, (size_t)(slash - program.ptr) + 1, program.len);
    if (ax_schema_word("env busybox", program) && def->shell_count > 1) program = def->shell[1];
    return ax_schema_word("sh bash dash ash ksh zsh mksh", program);
}

static bool is_blank(ax_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!strchr(" \t\r\n", text.ptr[i])) return false;
    return true;
}

static void set_plain(ax_unit *unit, const ax_ast_expr *e, ax_str script, ax_def *def)
{
    if (is_blank(script)) ax_diag_add(unit->diags, AX_E0505, e->span, "there is nothing to run");
    def->script = script;
}

void ax_bind_script(const ax_site *site, const ax_ast_expr *e, ax_def *def)
{
    ax_unit *unit = site->unit;
    def->action = AX_ACTION_RUN;
    if (e->kind != AX_AST_STRING) {
        ax_value v;
        if (ax_expr_value(site, e, ax_type_of(AX_T_STRING, false), "run", &v)) set_plain(unit, e, v.u.s, def);
        return;
    }
    const ax_ast_part *parts = e->u.string.parts;
    uint32_t count = e->u.string.count;
    if (count == 0 || (count == 1 && !parts[0].expr)) {
        set_plain(unit, e, count ? parts[0].text : (ax_str){0}, def);
        return;
    }
    binder b = {.site = site,
                .scratch = &unit->scratch,
                .sh = ax_sh_start(&unit->scratch),
                .out = AX_BUF_INIT(SCRIPT_BYTES_MAX),
                .is_shell = runs_shell(def)};
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].expr) add_value(&b, &parts[i]);
        else add_raw(&b, parts[i].text);
    }
    if (b.out.full)
        ax_diag_add(unit->diags, AX_E0307, e->span, "this script is larger than %u bytes", SCRIPT_BYTES_MAX);
    def->script = ax_str_dup(unit->mem, ax_buf_str(&b.out));
    def->binds = b.binds.at;
    def->bind_count = b.binds.len;
    ax_buf_free(&b.out);
    ax_arena_reset(&unit->scratch);
}
