/* plan_read_task.c - one task definition of the document. */
#include <math.h>

#include "dsl/model/doc_in_int.h"
#include "dsl/model/expr_json_int.h"
#include "dsl/model/plan_doc_int.h"

#define FACTOR_MAX 1e6

/* ---- policy ---- */

/* "exit(75)", "exit(100..110)", "timeout". */
static void read_why(ax_doc *d, ax_str text, const char *key, ax_why *why)
{
    *why = (ax_why){.kind = ax_why_named(text)};
    if (why->kind != AX_WHY_COUNT && why->kind != AX_WHY_EXIT) return;
    ax_value one, range;
    bool is_exit = ax_str_starts(text, AX_LIT("exit(")) && ax_str_ends(text, AX_LIT(")"));
    ax_str codes = is_exit ? ax_str_slice(text, 5, text.len - 1) : (ax_str){0};
    if (ax_value_parse(d->scratch, ax_type_of(AX_T_INT, false), codes, &one, NULL) == AX_OK)
        range = (ax_value){.kind = AX_T_RANGE, .u.range = {one.u.i, one.u.i}};
    else if (ax_value_parse(d->scratch, ax_type_of(AX_T_RANGE, false), codes, &range, NULL) != AX_OK)
        is_exit = false;
    if (!is_exit || range.u.range.from < INT32_MIN || range.u.range.to > INT32_MAX) {
        ax_doc_fail(d, "key '%s': '%.*s' is no condition", key, AX_STR(ax_str_slice(text, 0, 100)));
        return;
    }
    *why = (ax_why){AX_WHY_EXIT, (int32_t)range.u.range.from, (int32_t)range.u.range.to};
}

static const ax_why *read_whys(ax_doc *d, const ax_value *object, const char *key, uint32_t *count)
{
    const ax_str *words = ax_doc_words(d, object, key, count);
    ax_why *whys = AX_NEW_N(d->mem, ax_why, *count);
    for (uint32_t i = 0; i < *count && !d->rc; i++) read_why(d, words[i], key, &whys[i]);
    return whys;
}

static void read_exponential(ax_doc *d, const ax_value *object, ax_retry *r)
{
    r->backoff = AX_BACKOFF_EXPONENTIAL;
    r->base_ms = ax_doc_seconds(d, object, "baseSeconds", 0);
    r->factor = ax_doc_number(d, object, "factor", (const double[]){1, FACTOR_MAX}, AX_DOC_FACTOR);
    r->cap_ms = ax_doc_seconds(d, object, "maxSeconds", 0);
}

static void read_backoff(ax_doc *d, const ax_value *policy, ax_retry *r)
{
    const ax_value *backoff = ax_doc_at(policy, "backoff"),
                   *interval = ax_doc_at(policy, "retryIntervalSeconds");
    if (backoff && backoff->kind == AX_T_MAP) {
        read_exponential(d, backoff, r);
        return;
    }
    if (backoff && backoff->kind != AX_T_LIST) {
        ax_doc_fail(d, "key 'backoff' wants an array or an object");
        return;
    }
    const ax_value *waits = backoff ? backoff->u.list.at : interval;
    r->wait_count = backoff ? backoff->u.list.len : interval ? 1 : 0;
    int64_t *waits_ms = AX_NEW_N(d->mem, int64_t, r->wait_count);
    for (uint32_t i = 0; i < r->wait_count; i++) waits_ms[i] = ax_doc_seconds_of(d, &waits[i], "backoff");
    r->waits_ms = waits_ms;
}

static void read_policy(ax_doc *d, const ax_value *object, ax_def *def)
{
    static const ax_value none = {.kind = AX_T_MAP};
    const ax_value *p = ax_doc_kind_at(d, object, "policy", AX_T_MAP);
    if (!p) p = &none;
    def->retry.max = (uint32_t)ax_doc_int(d, p, "maxRetries", AX_DOC_U32, 0);
    read_backoff(d, p, &def->retry);
    def->retry.jitter = ax_doc_number(d, p, "jitter", (const double[]){0, 1}, 0);
    def->retry.on = read_whys(d, p, "retryOn", &def->retry.on_count);
    def->timeout_ms = ax_doc_seconds(d, p, "timeoutSeconds", 0);
    def->kill_after_ms = ax_doc_seconds(d, p, "killAfterSeconds", AX_DOC_KILL_AFTER_MS);
    def->idempotent = ax_doc_bool(d, p, "idempotent", true);
    def->priority = (int32_t)ax_doc_int(d, p, "priority", (const int64_t[]){INT32_MIN, INT32_MAX}, 0);
    def->policy = d->plan->policy;
    ax_str name = ax_doc_str(d, p, "failurePolicy");
    if (name.len) def->policy = ax_policy_named(name);
    if (def->policy == AX_POLICY_COUNT) ax_doc_fail(d, "there is no failure policy '%.*s'", AX_STR(name));
}

static void read_join(ax_doc *d, const ax_value *object, ax_def *def)
{
    const ax_value *join = ax_doc_at(object, "join");
    def->join = AX_JOIN_ALL;
    if (!join) return;
    if (join->kind == AX_T_MAP) {
        def->join = AX_JOIN_AT_LEAST;
        def->join_count = (uint32_t)ax_doc_int(d, join, "atLeast", (const int64_t[]){1, UINT32_MAX}, 1);
        return;
    }
    ax_str name = ax_doc_str(d, object, "join");
    def->join = ax_join_named(name);
    if (def->join == AX_JOIN_COUNT || def->join == AX_JOIN_AT_LEAST)
        ax_doc_fail(d, "there is no join '%.*s'", AX_STR(ax_str_slice(name, 0, 100)));
}

/* ---- the rest without expressions ---- */

static void read_outputs(ax_doc *d, const ax_value *object, ax_def *def)
{
    const ax_value *list = ax_doc_kind_at(d, object, "outputs", AX_T_LIST);
    if (!list) return;
    ax_output *outputs = AX_NEW_N(d->mem, ax_output, list->u.list.len);
    for (uint32_t i = 0; i < list->u.list.len; i++) {
        const ax_value *o = ax_doc_object(d, list, i);
        if (!o) return;
        outputs[i].name = ax_doc_name(d, o, "name");
        outputs[i].type = ax_doc_type(d, o);
    }
    def->outputs = outputs;
    def->output_count = list->u.list.len;
}

static void read_action(ax_doc *d, const ax_value *object, ax_def *def)
{
    const ax_value *action = ax_doc_kind_at(d, object, "action", AX_T_MAP);
    if (!action) return;
    ax_str type = ax_doc_name(d, action, "type");
    if (!ax_str_is(type, "command"))
        ax_doc_fail(d, "there is no action '%.*s'", AX_STR(ax_str_slice(type, 0, 100)));
    def->action = ax_doc_at(action, "argv") ? AX_ACTION_EXEC : AX_ACTION_RUN;
    if (def->action == AX_ACTION_EXEC) return;
    def->script = ax_doc_str(d, action, "command");
    def->shell = ax_doc_words(d, action, "shell", &def->shell_count);
    if (def->shell_count) return;
    def->shell = ax_doc_shell;
    def->shell_count = AX_DOC_SHELL_COUNT;
}

void ax_doc_def(ax_doc *d, const ax_value *object, uint32_t index, ax_def *def)
{
    static const ax_value none = {.kind = AX_T_MAP};
    *def = (ax_def){.kind = AX_NODE_TASK, .whole = AX_NONE};
    def->name = ax_doc_name(d, object, "taskName");
    if (ax_map_add(d->scratch, &d->def_names, def->name, index) != index)
        ax_doc_fail(d, "two tasks are called '%.*s'", AX_STR(ax_str_slice(def->name, 0, 200)));
    ax_str kind = ax_doc_str(d, object, "kind");
    if (kind.len) def->kind = ax_node_kind_named(kind);
    if (def->kind == AX_NODE_KIND_COUNT)
        ax_doc_fail(d, "there is no kind '%.*s'", AX_STR(ax_str_slice(kind, 0, 100)));
    def->title = ax_doc_str(d, object, "title");
    def->doc = ax_doc_str(d, object, "description");
    def->tags = ax_doc_words(d, object, "tags", &def->tag_count);
    read_action(d, object, def);
    read_policy(d, object, def);
    read_join(d, object, def);
    def->skip_on = read_whys(d, object, "skipOn", &def->skip_on_count);
    for (uint32_t i = 0; i < def->skip_on_count; i++)
        if (def->skip_on[i].kind != AX_WHY_EXIT) ax_doc_fail(d, "key 'skipOn' takes exit codes only");
    def->finally_ = ax_doc_bool(d, object, "finally", false);
    def->enabled = ax_doc_bool(d, object, "enabled", true);
    read_outputs(d, object, def);
    const ax_value *matrix = ax_doc_kind_at(d, object, "matrix", AX_T_MAP);
    def->keys = ax_doc_words(d, matrix ? matrix : &none, "keys", &def->key_count);
    def->fan_out = ax_doc_bool(d, object, "fanOut", def->key_count > 0);
    const ax_value *source = ax_doc_kind_at(d, object, "source", AX_T_MAP);
    def->file = ax_doc_str(d, source ? source : &none, "file");
    if (def->file.len == 0) def->file = d->plan->file;
    def->line = ax_doc_line(d, source ? source : &none);
}

/* ---- expressions ---- */

static ax_expr *expr_of(ax_doc *d, const ax_expr_names *names, const ax_value *json, const char *key)
{
    ax_expr *x = NULL;
    if (!d->rc) ax_doc_failed(d, ax_expr_read(names, json, &x, d->err), key);
    return x;
}

static ax_expr *expr_at(ax_doc *d, const ax_expr_names *names, const ax_value *object, const char *key)
{
    const ax_value *json = ax_doc_at(object, key);
    return json ? expr_of(d, names, json, key) : NULL;
}

static const ax_binding *bindings_at(ax_doc *d, const ax_expr_names *names, const ax_value *object,
                                     const char *key, uint32_t *count)
{
    const ax_value *map = ax_doc_kind_at(d, object, key, AX_T_MAP);
    *count = map ? map->u.map.len : 0;
    ax_binding *all = AX_NEW_N(d->mem, ax_binding, *count);
    for (uint32_t i = 0; i < *count; i++) {
        all[i].name = ax_str_dup(d->mem, map->u.map.keys[i]);
        all[i].value = expr_of(d, names, &map->u.map.at[i], key);
    }
    return all;
}

static void read_argv(ax_doc *d, const ax_expr_names *names, const ax_value *action, ax_def *def)
{
    const ax_value *list = ax_doc_kind_at(d, action, "argv", AX_T_LIST);
    if (!list) return;
    if (list->u.list.len == 0) ax_doc_fail(d, "key 'argv' is empty");
    ax_expr **argv = AX_NEW_N(d->mem, ax_expr *, list->u.list.len);
    for (uint32_t i = 0; i < list->u.list.len; i++) argv[i] = expr_of(d, names, &list->u.list.at[i], "argv");
    def->argv = argv;
    def->argc = list->u.list.len;
}

/* What the values of each matrix key have in common, over all copies. */
static const ax_type *key_types(const ax_doc *d, const ax_def *def)
{
    if (def->key_count == 0) return NULL;
    ax_type *types = AX_NEW_N(d->scratch, ax_type, def->key_count);
    for (uint32_t k = 0; k < def->key_count; k++) types[k] = *ax_type_of(AX_T_ANY, false);
    for (uint32_t i = 0; i < def->count; i++) {
        const ax_value *values = d->plan->values + d->plan->nodes[def->first + i].values;
        for (uint32_t k = 0; k < def->key_count; k++) {
            ax_type type = ax_value_type(&values[k]);
            if (i == 0) types[k] = type;
            else if (!ax_type_join(&types[k], &type, &types[k])) types[k] = *ax_type_of(AX_T_ANY, false);
        }
    }
    return types;
}

static void read_output_defaults(ax_doc *d, const ax_expr_names *names, const ax_value *object,
                                 const ax_def *def)
{
    const ax_value *list = ax_doc_at(object, "outputs");
    ax_output *outputs = (ax_output *)def->outputs; /* ours: read_outputs made them */
    for (uint32_t i = 0; i < def->output_count; i++)
        outputs[i].otherwise = expr_at(d, names, &list->u.list.at[i], "default");
}

void ax_doc_def_exprs(ax_doc *d, const ax_value *object, ax_def *def)
{
    ax_expr_names names = {d->mem, d->plan, def, key_types(d, def), &d->def_names, &d->param_names};
    const ax_value *action = ax_doc_at(object, "action");
    if (def->action == AX_ACTION_EXEC) read_argv(d, &names, action, def);
    if (def->action == AX_ACTION_RUN) def->binds = bindings_at(d, &names, action, "bind", &def->bind_count);
    def->env = bindings_at(d, &names, object, "env", &def->env_count);
    def->cwd = expr_at(d, &names, object, "cwd");
    def->when = expr_at(d, &names, object, "when");
    read_output_defaults(d, &names, object, def);
}
