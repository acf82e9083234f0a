/* render.c - what a command is in this run: every expression evaluated, every value one argument or one
 * variable. */
#include "runtime/core/render.h"

#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/model/units.h"
#include "runtime/core/render_int.h"
#include "runtime/core/view_int.h"

enum {
    VALUE_BYTES_MAX = 64 << 10,       /* of a value in a command; larger ones go by file */
    WORD_BYTES_MAX = (128 << 10) - 1, /* of one argument or variable, as Linux has it */
    ENV_OWN = 6,
};

/* True if the matrix values of a copy begin with these. */
static bool has_keys(const ax_view *view, uint32_t copy, const ax_value *keys, uint32_t key_count)
{
    const ax_value *own = view->plan->values + view->plan->nodes[copy].values;
    for (uint32_t k = 0; k < key_count; k++)
        if (!ax_value_eq(&own[k], &keys[k])) return false;
    return true;
}

/* The copies of a definition that begin with these matrix values: from *first on, as many as returned. They
 * are contiguous. */
static uint32_t find_copies(const ax_view *view, const ax_def *def, const ax_value *keys, uint32_t key_count,
                            uint32_t *first)
{
    uint32_t end = def->first + def->count;
    AX_ASSERT(key_count <= def->key_count);
    *first = def->first;
    if (key_count == 0) return def->count;
    while (*first < end && !has_keys(view, *first, keys, key_count)) ++*first;
    uint32_t last = *first;
    while (last < end && has_keys(view, last, keys, key_count)) last++;
    return last - *first;
}

static ax_value output_of(const ax_view *view, uint32_t node, uint32_t output)
{
    const ax_value *value = ax_view_output(view, node, output);
    return value ? *value : (ax_value){.kind = AX_T_NULL};
}

/* ax_scope.output: of one copy, or of several as a list. */
static bool find_output(void *ctx, ax_arena *mem, uint32_t def_id, uint32_t output, const ax_value *keys,
                        uint32_t key_count, ax_value *value)
{
    const ax_view *view = ctx;
    const ax_def *def = &view->plan->defs[def_id];
    uint32_t first, count = find_copies(view, def, keys, key_count, &first);
    if (count == 0) return false;
    if (!def->fan_out || (key_count && key_count == def->key_count)) {
        *value = output_of(view, first, output);
        return true;
    }
    ax_value *items = AX_NEW_N(mem, ax_value, count);
    for (uint32_t i = 0; i < count; i++) items[i] = output_of(view, first + i, output);
    *value = (ax_value){.kind = AX_T_LIST, .u.list = {items, count}};
    return true;
}

ax_scope ax_render_scope(const ax_view *view, uint32_t node, uint32_t attempt)
{
    const ax_plan_node *at = &view->plan->nodes[node];
    return (ax_scope){
        .params = view->params,
        .keys = view->plan->values ? view->plan->values + at->values : NULL,
        .date = view->run.date,
        .scheduled_at = view->run.scheduled_at_ms,
        .interval_start = view->run.interval_start_ms,
        .interval_end = view->run.interval_end_ms,
        .run_id = view->run_id,
        .node_name = at->name,
        .attempt = attempt,
        .output = find_output,
        .ctx = (void *)(uintptr_t)view,
    };
}

typedef struct {
    const ax_view *view;
    ax_scope scope;
    ax_arena *mem;
    ax_err *err;
} renderer;

/* The value of x as one word of a command. */
static ax_rc word(renderer *r, const ax_expr *x, ax_str *out)
{
    ax_rc rc = ax_expr_text(x, &r->scope, r->mem, out, r->err);
    if (rc) return rc;
    if (out->len && memchr(out->ptr, '\0', out->len))
        return ax_fail(r->err, AX_INVALID, "a value has a NUL character");
    if (out->len > VALUE_BYTES_MAX && !ax_expr_is_const(x)) {
        rc = ax_fail(r->err, AX_INVALID, "a value is %zu bytes long", out->len);
        ax_err_help(r->err, "values over 64 KiB go by file(...)");
        return rc;
    }
    if (out->len > WORD_BYTES_MAX)
        return ax_fail(r->err, AX_INVALID, "an argument is %zu bytes long", out->len);
    return AX_OK;
}

static ax_rc bind(renderer *r, const ax_binding *binding, ax_str *out)
{
    ax_str value;
    ax_rc rc = word(r, binding->value, &value);
    if (rc) {
        ax_err_prefix(r->err, "'%.*s'", AX_STR(binding->name));
        return rc;
    }
    *out = ax_str_fmt(r->mem, "%.*s=%.*s", AX_STR(binding->name), AX_STR(value));
    return AX_OK;
}

static uint32_t own_env(const renderer *r, ax_str *env)
{
    const ax_run_rec *run = &r->view->run;
    ax_buf date = AX_BUF_INIT(32);
    ax_date_text(run->date, &date);
    uint32_t n = 0;
    env[n++] = ax_str_fmt(r->mem, "AX_RUN_ID=%.*s", AX_STR(r->scope.run_id));
    env[n++] = ax_str_fmt(r->mem, "AX_WORKFLOW=%.*s", AX_STR(run->workflow));
    env[n++] = ax_str_fmt(r->mem, "AX_NODE=%.*s", AX_STR(r->scope.node_name));
    env[n++] = ax_str_fmt(r->mem, "AX_ATTEMPT=%lld", (long long)r->scope.attempt);
    env[n++] = ax_str_fmt(r->mem, "AX_DATE=%.*s", AX_STR(ax_buf_str(&date)));
    ax_buf_free(&date);
    return n;
}

static ax_rc render_env(renderer *r, const ax_def *def, uint32_t node, ax_command *out)
{
    ax_str *env = AX_NEW_N(r->mem, ax_str, ENV_OWN + def->bind_count + def->env_count);
    uint32_t n = own_env(r, env);
    env[n++] = ax_str_fmt(r->mem, "AX_REQUEST_ID=%.*s.%u.%lld", AX_STR(r->scope.run_id), node,
                          (long long)r->scope.attempt);
    AX_ASSERT(n == ENV_OWN);
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < def->env_count && !rc; i++) rc = bind(r, &def->env[i], &env[n++]);
    for (uint32_t i = 0; i < def->bind_count && !rc; i++) rc = bind(r, &def->binds[i], &env[n++]);
    out->env = env;
    out->env_count = n;
    return rc;
}

static const ax_str shell_default[] = {{"sh", 2}, {"-eu", 3}, {"-c", 2}};

static ax_rc render_script(renderer *r, const ax_def *def, ax_command *out)
{
    const ax_str *shell = def->shell_count ? def->shell : shell_default;
    uint32_t words = def->shell_count ? def->shell_count : sizeof shell_default / sizeof *shell_default;
    if (def->script.len > WORD_BYTES_MAX)
        return ax_fail(r->err, AX_INVALID, "the script is %zu bytes long: keep it in a file",
                       def->script.len);
    ax_str *argv = AX_NEW_N(r->mem, ax_str, words + 1);
    memcpy(argv, shell, words * sizeof *argv);
    argv[words] = def->script;
    out->argv = argv;
    out->argc = words + 1;
    return AX_OK;
}

static ax_rc render_argv(renderer *r, const ax_def *def, ax_command *out)
{
    ax_str *argv = AX_NEW_N(r->mem, ax_str, def->argc);
    out->argv = argv;
    out->argc = def->argc;
    for (uint32_t i = 0; i < def->argc; i++) {
        ax_rc rc = word(r, def->argv[i], &argv[i]);
        if (rc) {
            ax_err_prefix(r->err, "argument %u", i + 1);
            return rc;
        }
    }
    return AX_OK;
}

static ax_rc render_cwd(renderer *r, const ax_def *def, ax_command *out)
{
    out->cwd = r->view->run.workdir;
    if (!def->cwd) return AX_OK;
    ax_str folder;
    ax_rc rc = word(r, def->cwd, &folder);
    if (rc) {
        ax_err_prefix(r->err, "'cwd'");
        return rc;
    }
    out->cwd = ax_str_starts(folder, AX_LIT("/"))
                   ? folder
                   : ax_str_fmt(r->mem, "%.*s/%.*s", AX_STR(out->cwd), AX_STR(folder));
    return AX_OK;
}

ax_rc ax_render(const ax_view *view, uint32_t node, uint32_t attempt, ax_arena *mem, ax_command *out,
                ax_err *err)
{
    const ax_def *def = ax_view_def(view, node);
    AX_ASSERT(def->action != AX_ACTION_NONE);
    renderer r = {.view = view, .scope = ax_render_scope(view, node, attempt), .mem = mem, .err = err};
    *out = (ax_command){.kill_after_ms = def->kill_after_ms};
    ax_rc rc = def->action == AX_ACTION_RUN ? render_script(&r, def, out) : render_argv(&r, def, out);
    if (!rc) rc = render_env(&r, def, node, out);
    if (!rc) rc = render_cwd(&r, def, out);
    return rc;
}

ax_rc ax_render_when(const ax_view *view, uint32_t node, ax_arena *scratch, bool *out, ax_err *err)
{
    const ax_def *def = ax_view_def(view, node);
    *out = true;
    if (!def->when) return AX_OK;
    ax_scope scope = ax_render_scope(view, node, 1);
    ax_value value;
    ax_rc rc = ax_expr_eval(def->when, &scope, scratch, &value, err);
    if (!rc && value.kind != AX_T_BOOL) rc = ax_fail(err, AX_INVALID, "it is no bool");
    if (rc) {
        ax_err_prefix(err, "'when'");
        return rc;
    }
    *out = value.u.b;
    return AX_OK;
}
