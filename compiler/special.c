/* special.c - attributes with a shape of their own: join, skip_on, retry.on, retry.backoff.
 *
 * Their words are symbols (any, timeout) and forms that look like calls (exit(75), at_least(2)); neither is
 * looked up.
 */
#include "compiler/attr_int.h"

enum { EXIT_CODE_MAX = 255 };

static const ax_type int_type = {.kind = AX_T_INT};
static const ax_type float_type = {.kind = AX_T_FLOAT};
static const ax_type duration_type = {.kind = AX_T_DURATION};
static const ax_type any_type = {.kind = AX_T_ANY};

static void report_form(const ax_reader *r, const ax_ast_expr *e, const char *name, const char *words,
                        const char *forms)
{
    ax_diags *diags = r->site.unit->diags;
    ax_str text = ax_sources_text(diags->sources, e->span);
    ax_diag *d = ax_diag_add(diags, AX_E0214, e->span, "'%s' can't be '%.*s'", name, AX_STR(text));
    ax_nearest near = ax_nearest_start(text);
    if (e->kind == AX_AST_NAME) ax_schema_words_near(words, &near);
    if (near.best.len > 0) ax_diag_did_you_mean(diags, d, e->span, near.best);
    else ax_diag_help(diags, d, "it is one of: %s", forms);
}

/* The arguments of NAME(…), or NULL if e is no such form. */
static const ax_ast_arg *form_args(const ax_ast_expr *e, const char *name, uint32_t *count)
{
    if (e->kind != AX_AST_CALL || e->u.call.base->kind != AX_AST_NAME) return NULL;
    if (!ax_str_is(e->u.call.base->u.name, name)) return NULL;
    *count = e->u.call.count;
    return e->u.call.args;
}

static bool one_argument(const ax_reader *r, const ax_ast_expr *e, const ax_ast_arg *args, uint32_t count)
{
    if (count == 1 && args[0].name.text.len == 0) return true;
    ax_diag_add(r->site.unit->diags, AX_E0304, e->span, "'%.*s' takes one value",
                AX_STR(e->u.call.base->u.name));
    return false;
}

static bool is_word(const ax_ast_expr *e, const char *word)
{
    return e->kind == AX_AST_NAME && ax_str_is(e->u.name, word);
}

void ax_special_join(const ax_reader *r, const ax_ast_expr *e, ax_def *def)
{
    uint32_t count = 0;
    const ax_ast_arg *args = form_args(e, "at_least", &count);
    def->join_count = 0;
    if (is_word(e, "all")) def->join = AX_JOIN_ALL;
    else if (is_word(e, "any")) def->join = AX_JOIN_ANY;
    else if (is_word(e, "strict")) def->join = AX_JOIN_STRICT;
    else if (args && one_argument(r, e, args, count)) {
        ax_value v;
        if (!ax_expr_value(&r->site, args[0].value, &int_type, "the number of edges", &v)) return;
        if (v.u.i < 1 || v.u.i > UINT32_MAX) {
            ax_diag_add(r->site.unit->diags, AX_E0307, args[0].value->span,
                        "at_least needs a number from 1 on");
            return;
        }
        def->join = AX_JOIN_AT_LEAST;
        def->join_count = (uint32_t)v.u.i;
    } else if (!args) report_form(r, e, "join", "all any strict", "all, any, strict, at_least(2)");
}

/* exit(75) or exit(100..110) */
static bool read_exit(const ax_reader *r, const ax_ast_expr *e, ax_why *why)
{
    uint32_t count = 0;
    const ax_ast_arg *args = form_args(e, "exit", &count);
    if (!one_argument(r, e, args, count)) return false;
    ax_value v;
    const ax_ast_expr *value = args[0].value;
    if (!ax_expr_value(&r->site, value, &any_type, "an exit code", &v)) return false;
    if (v.kind != AX_T_INT && v.kind != AX_T_RANGE) {
        ax_diag_add(r->site.unit->diags, AX_E0301, value->span,
                    "an exit code must be an int or a range, as in 100..110");
        return false;
    }
    int64_t from = v.kind == AX_T_INT ? v.u.i : v.u.range.from,
            to = v.kind == AX_T_INT ? v.u.i : v.u.range.to;
    if (from < 1 || to > EXIT_CODE_MAX || from > to) {
        ax_diag_add(r->site.unit->diags, AX_E0307, value->span, "exit codes of failures are 1 to %d",
                    EXIT_CODE_MAX);
        return false;
    }
    *why = (ax_why){.kind = AX_WHY_EXIT, .from = (int32_t)from, .to = (int32_t)to};
    return true;
}

/* One end of an attempt. */
static bool read_why(const ax_reader *r, const ax_ast_expr *e, const char *name, const char *words,
                     ax_why *why)
{
    static const char *const kinds[] = {
        [AX_WHY_TIMEOUT] = "timeout", [AX_WHY_LOST] = "lost", [AX_WHY_ANY] = "any"};
    uint32_t count = 0;
    if (form_args(e, "exit", &count)) return read_exit(r, e, why);
    if (form_args(e, "http", &count)) {
        ax_diag_add(r->site.unit->diags, AX_E0207, e->span,
                    "'http' is part of the language, but this version of axc does not support it yet");
        return false;
    }
    for (int k = AX_WHY_TIMEOUT; k <= AX_WHY_ANY; k++) {
        if (!is_word(e, kinds[k]) || !ax_schema_word(words, e->u.name)) continue;
        *why = (ax_why){.kind = (ax_why_kind)k};
        return true;
    }
    report_form(r, e, name, words,
                words[0] ? "exit(75), exit(100..110), timeout, lost, any" : "exit(99), exit(100..110)");
    return false;
}

static const ax_why *read_whys(const ax_reader *r, const ax_ast_expr *e, const char *name, const char *words,
                               uint32_t *count)
{
    *count = 0;
    if (e->kind != AX_AST_LIST) {
        ax_diag *d = ax_diag_add(r->site.unit->diags, AX_E0301, e->span, "'%s' is a list", name);
        ax_diag_help(r->site.unit->diags, d, "write %s = [%.*s]", name,
                     AX_STR(ax_sources_text(r->site.unit->diags->sources, e->span)));
        return NULL;
    }
    ax_why *whys = AX_NEW_N(r->site.unit->mem, ax_why, e->u.list.count);
    for (uint32_t i = 0; i < e->u.list.count; i++)
        if (read_why(r, e->u.list.items[i], name, words, &whys[*count])) ++*count;
    return whys;
}

void ax_special_skip_on(const ax_reader *r, const ax_ast_expr *e, ax_def *def)
{
    def->skip_on = read_whys(r, e, "skip_on", "", &def->skip_on_count);
}

void ax_special_on(const ax_reader *r, const ax_ast_expr *e, ax_retry *retry)
{
    retry->on = read_whys(r, e, "on", "timeout lost any", &retry->on_count);
    if (e->kind == AX_AST_LIST && e->u.list.count == 0)
        ax_diag_add(r->site.unit->diags, AX_E0307, e->span,
                    "with an empty list nothing would be tried again");
}

/* ---- backoff ---- */

static bool check_wait(const ax_reader *r, ax_span span, int64_t ms, int64_t min_ms)
{
    if (ms >= min_ms && ms <= AX_WAIT_MS_MAX) return true;
    const char *why = ms < 0        ? "a wait can't be negative"
                      : ms < min_ms ? "this wait must be longer than nothing"
                                    : "this wait is longer than a hundred years";
    ax_diag_add(r->site.unit->diags, AX_E0307, span, "%s", why);
    return false;
}

/* One argument of exponential(…), positional or by name. */
static bool read_exponential_arg(const ax_reader *r, const ax_ast_arg *arg, bool first, ax_retry *retry)
{
    ax_value v;
    bool is_max = ax_str_is(arg->name.text, "max");
    if (first || is_max) {
        if (!ax_expr_value(&r->site, arg->value, &duration_type, first ? "the first wait" : "max", &v))
            return false;
        if (!check_wait(r, arg->value->span, v.u.i, 1)) return false;
        *(first ? &retry->base_ms : &retry->cap_ms) = v.u.i;
        return true;
    }
    if (!ax_str_is(arg->name.text, "factor")) {
        ax_diag *d = ax_diag_add(r->site.unit->diags, AX_E0304, arg->value->span,
                                 "exponential takes a first wait, 'factor' and 'max'");
        ax_diag_help(r->site.unit->diags, d, "write exponential(30s, factor = 2, max = 1h)");
        return false;
    }
    if (!ax_expr_value(&r->site, arg->value, &float_type, "factor", &v)) return false;
    retry->factor = v.u.f;
    if (v.u.f >= 1 && v.u.f <= 1000) return true;
    ax_diag_add(r->site.unit->diags, AX_E0307, arg->value->span, "'factor' must be 1 to 1000");
    return false;
}

static void read_exponential(const ax_reader *r, const ax_ast_expr *e, const ax_ast_arg *args, uint32_t count,
                             ax_retry *retry)
{
    if (count == 0 || args[0].name.text.len > 0) {
        ax_diag *d =
            ax_diag_add(r->site.unit->diags, AX_E0304, e->span, "exponential begins with the first wait");
        ax_diag_help(r->site.unit->diags, d, "write exponential(30s, factor = 2, max = 1h)");
        return;
    }
    *retry = (ax_retry){.max = retry->max,
                        .jitter = retry->jitter,
                        .on = retry->on,
                        .on_count = retry->on_count,
                        .backoff = AX_BACKOFF_EXPONENTIAL,
                        .factor = 2};
    for (uint32_t i = 0; i < count; i++)
        if (!read_exponential_arg(r, &args[i], i == 0, retry)) return;
    if (retry->cap_ms && retry->cap_ms < retry->base_ms)
        ax_diag_add(r->site.unit->diags, AX_E0307, e->span, "'max' is shorter than the first wait");
}

void ax_special_backoff(const ax_reader *r, const ax_ast_expr *e, ax_retry *retry)
{
    uint32_t count = 0;
    const ax_ast_arg *args = form_args(e, "exponential", &count);
    if (args || (e->kind == AX_AST_CALL && e->u.call.base->kind == AX_AST_NAME &&
                 ax_str_is(e->u.call.base->u.name, "exponential"))) {
        read_exponential(r, e, args, count, retry);
        return;
    }
    ax_value v;
    if (!ax_expr_value(&r->site, e, &any_type, "backoff", &v)) return;
    const ax_value *waits = v.kind == AX_T_LIST ? v.u.list.at : &v;
    uint32_t wait_count = v.kind == AX_T_LIST ? v.u.list.len : 1;
    int64_t *waits_ms = AX_NEW_N(r->site.unit->mem, int64_t, wait_count);
    for (uint32_t i = 0; i < wait_count; i++) {
        if (waits[i].kind != AX_T_DURATION) {
            ax_diag *d = ax_diag_add(r->site.unit->diags, AX_E0301, e->span,
                                     "'backoff' must be a duration or a list of durations");
            ax_diag_help(r->site.unit->diags, d,
                         "write 30s, [30s, 5m] or exponential(30s, factor = 2, max = 1h)");
            return;
        }
        waits_ms[i] = waits[i].u.i;
        if (!check_wait(r, e->span, waits_ms[i], 0)) return;
    }
    *retry = (ax_retry){.max = retry->max,
                        .jitter = retry->jitter,
                        .on = retry->on,
                        .on_count = retry->on_count,
                        .backoff = AX_BACKOFF_LIST,
                        .waits_ms = waits_ms,
                        .wait_count = wait_count};
}
