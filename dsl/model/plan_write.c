/* plan_write.c - a plan as the task-definition document (docs/document.md).
 *
 * Keys have a fixed order and what equals its default is left out, so that equal plans are equal bytes and
 * ten thousand copies stay small. plan_read.c knows the same defaults (plan_doc_int.h).
 */
#include "dsl/base/assert.h"
#include "dsl/base/hash.h"
#include "dsl/model/expr_json_int.h"
#include "dsl/model/plan_doc_int.h"
#include "dsl/model/plan_json.h"

typedef struct {
    const ax_plan *plan;
    ax_json json;
} writer;

/* ---- keys with values that may be left out ---- */

static void put_str(writer *w, const char *key, ax_str s)
{
    if (s.len == 0) return;
    ax_json_key(&w->json, key);
    ax_json_str(&w->json, s);
}

static void put_name(writer *w, const char *key, const char *name)
{
    ax_json_key(&w->json, key);
    ax_json_cstr(&w->json, name);
}

static void put_int(writer *w, const char *key, int64_t n, int64_t otherwise)
{
    if (n == otherwise) return;
    ax_json_key(&w->json, key);
    ax_json_int(&w->json, n);
}

static void put_bool(writer *w, const char *key, bool b, bool otherwise)
{
    if (b == otherwise) return;
    ax_json_key(&w->json, key);
    ax_json_bool(&w->json, b);
}

static void put_number(writer *w, const char *key, double d, double otherwise)
{
    if (d == otherwise) return;
    ax_json_key(&w->json, key);
    ax_json_num(&w->json, d);
}

/* Milliseconds as seconds, with the decimals they need. */
static void add_seconds(writer *w, int64_t ms)
{
    AX_ASSERT(ms >= 0);
    ax_buf text = AX_BUF_INIT(64);
    ax_buf_addi(&text, ms / 1000);
    if (ms % 1000) {
        ax_buf_addf(&text, ".%03d", (int)(ms % 1000));
        while (text.ptr[text.len - 1] == '0') text.len--;
    }
    ax_json_raw(&w->json, ax_buf_str(&text));
    ax_buf_free(&text);
}

static void put_seconds(writer *w, const char *key, int64_t ms, int64_t otherwise)
{
    if (ms == otherwise) return;
    ax_json_key(&w->json, key);
    add_seconds(w, ms);
}

static void put_words(writer *w, const char *key, const ax_str *words, uint32_t count)
{
    if (count == 0) return;
    ax_json_key(&w->json, key);
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < count; i++) ax_json_str(&w->json, words[i]);
    ax_json_end(&w->json);
}

static void put_expr(writer *w, const char *key, const ax_def *def, const ax_expr *x)
{
    if (!x) return;
    ax_json_key(&w->json, key);
    ax_expr_write(w->plan, def, x, &w->json);
}

static void put_date(writer *w, const char *key, bool present, int64_t days)
{
    if (!present) return;
    ax_json_key(&w->json, key);
    ax_value_json(&(ax_value){.kind = AX_T_DATE, .u.i = days}, &w->json);
}

static void put_type(writer *w, const ax_type *type)
{
    ax_arena scratch = AX_ARENA_INIT;
    put_str(w, "type", ax_type_text(&scratch, type));
    ax_arena_free(&scratch);
}

/* Conditions in the language's form: "exit(75)", "exit(100..110)", "timeout". */
static void put_whys(writer *w, const char *key, const ax_why *whys, uint32_t count)
{
    if (count == 0) return;
    ax_json_key(&w->json, key);
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < count; i++) {
        ax_buf text = AX_BUF_INIT(64);
        ax_buf_adds(&text, ax_why_name(whys[i].kind));
        if (whys[i].kind == AX_WHY_EXIT) {
            ax_buf_addf(&text, "(%d", (int)whys[i].from);
            if (whys[i].to != whys[i].from) ax_buf_addf(&text, "..%d", (int)whys[i].to);
            ax_buf_addc(&text, ')');
        }
        ax_json_str(&w->json, ax_buf_str(&text));
        ax_buf_free(&text);
    }
    ax_json_end(&w->json);
}

/* ---- schedules and parameters ---- */

/* The plain form of the first schedule, for readers that know only that. */
static void put_trigger(writer *w)
{
    if (w->plan->schedule_count == 0) return;
    const ax_schedule *s = &w->plan->schedules[0];
    ax_json_key(&w->json, "trigger");
    ax_json_obj_flat(&w->json);
    put_name(w, "type", s->cron.len ? "cron" : "interval");
    put_str(w, "expression", s->cron);
    put_seconds(w, "everySeconds", s->every_ms, 0);
    put_str(w, "timezone", s->timezone);
    ax_json_end(&w->json);
}

static void put_schedules(writer *w)
{
    if (w->plan->schedule_count == 0) return;
    ax_json_key(&w->json, "schedules");
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < w->plan->schedule_count; i++) {
        const ax_schedule *s = &w->plan->schedules[i];
        ax_json_obj_flat(&w->json);
        put_str(w, "name", s->name);
        put_str(w, "cron", s->cron);
        put_seconds(w, "everySeconds", s->every_ms, 0);
        put_str(w, "timezone", s->timezone);
        put_date(w, "start", s->has_start, s->start_day);
        put_date(w, "end", s->has_end, s->end_day);
        put_seconds(w, "windowSeconds", s->window_ms, AX_DOC_WINDOW_MS);
        if (s->catchup != AX_CATCHUP_LATEST) put_name(w, "catchup", ax_catchup_name(s->catchup));
        put_int(w, "line", s->line, 0);
        ax_json_end(&w->json);
    }
    ax_json_end(&w->json);
}

static void put_param(writer *w, const ax_param *p)
{
    ax_json_obj_flat(&w->json);
    put_str(w, "name", p->name);
    put_type(w, &p->type);
    if (p->allowed_count) {
        ax_json_key(&w->json, "allowed");
        ax_json_arr_flat(&w->json);
        for (uint32_t i = 0; i < p->allowed_count; i++) ax_const_write(&p->allowed[i], &w->json);
        ax_json_end(&w->json);
    }
    if (p->has_range) {
        ax_json_key(&w->json, "range");
        ax_json_arr_flat(&w->json);
        ax_json_int(&w->json, p->range_from);
        ax_json_int(&w->json, p->range_to);
        ax_json_end(&w->json);
    }
    if (p->has_default) {
        ax_json_key(&w->json, "default");
        ax_const_write(&p->otherwise, &w->json);
    }
    put_str(w, "description", p->doc);
    ax_json_end(&w->json);
}

static void put_params(writer *w)
{
    if (w->plan->param_count == 0) return;
    ax_json_key(&w->json, "params");
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < w->plan->param_count; i++) put_param(w, &w->plan->params[i]);
    ax_json_end(&w->json);
}

/* ---- task definitions ---- */

static void put_bindings(writer *w, const char *key, const ax_def *def, const ax_binding *at, uint32_t count)
{
    if (count == 0) return;
    ax_json_key(&w->json, key);
    ax_json_obj(&w->json);
    for (uint32_t i = 0; i < count; i++) {
        ax_json_keys(&w->json, at[i].name);
        ax_expr_write(w->plan, def, at[i].value, &w->json);
    }
    ax_json_end(&w->json);
}

static void put_argv(writer *w, const ax_def *def)
{
    ax_json_key(&w->json, "argv");
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < def->argc; i++) ax_expr_write(w->plan, def, def->argv[i], &w->json);
    ax_json_end(&w->json);
}

static void put_action(writer *w, const ax_def *def)
{
    if (def->action == AX_ACTION_NONE) return;
    ax_json_key(&w->json, "action");
    ax_json_obj(&w->json);
    put_name(w, "type", "command");
    if (def->action == AX_ACTION_EXEC) {
        put_argv(w, def);
    } else {
        ax_json_key(&w->json, "command");
        ax_json_str(&w->json, def->script);
        if (!ax_doc_is_default_shell(def->shell, def->shell_count))
            put_words(w, "shell", def->shell, def->shell_count);
        put_bindings(w, "bind", def, def->binds, def->bind_count);
    }
    ax_json_end(&w->json);
}

static void put_backoff(writer *w, const ax_retry *r)
{
    if (r->backoff == AX_BACKOFF_EXPONENTIAL) {
        ax_json_key(&w->json, "backoff");
        ax_json_obj_flat(&w->json);
        ax_json_key(&w->json, "baseSeconds");
        add_seconds(w, r->base_ms);
        put_number(w, "factor", r->factor, AX_DOC_FACTOR);
        put_seconds(w, "maxSeconds", r->cap_ms, 0);
        ax_json_end(&w->json);
    } else if (r->wait_count == 1) {
        ax_json_key(&w->json, "retryIntervalSeconds");
        add_seconds(w, r->waits_ms[0]);
    } else if (r->wait_count > 1) {
        ax_json_key(&w->json, "backoff");
        ax_json_arr_flat(&w->json);
        for (uint32_t i = 0; i < r->wait_count; i++) add_seconds(w, r->waits_ms[i]);
        ax_json_end(&w->json);
    }
}

/* True if something of the policy differs from its default. */
static bool has_policy(const ax_plan *plan, const ax_def *def)
{
    const ax_retry *r = &def->retry;
    bool retries =
        r->max || r->backoff == AX_BACKOFF_EXPONENTIAL || r->wait_count || r->jitter != 0 || r->on_count;
    bool times = def->timeout_ms || def->kill_after_ms != AX_DOC_KILL_AFTER_MS;
    return retries || times || def->policy != plan->policy || !def->idempotent || def->priority;
}

static void put_policy(writer *w, const ax_def *def)
{
    if (!has_policy(w->plan, def)) return;
    ax_json_key(&w->json, "policy");
    ax_json_obj(&w->json);
    put_int(w, "maxRetries", def->retry.max, 0);
    put_backoff(w, &def->retry);
    put_number(w, "jitter", def->retry.jitter, 0);
    put_whys(w, "retryOn", def->retry.on, def->retry.on_count);
    put_seconds(w, "timeoutSeconds", def->timeout_ms, 0);
    put_seconds(w, "killAfterSeconds", def->kill_after_ms, AX_DOC_KILL_AFTER_MS);
    if (def->policy != w->plan->policy) put_name(w, "failurePolicy", ax_policy_name(def->policy));
    put_bool(w, "idempotent", def->idempotent, true);
    put_int(w, "priority", def->priority, 0);
    ax_json_end(&w->json);
}

static void put_join(writer *w, const ax_def *def)
{
    if (def->join == AX_JOIN_ALL) return;
    ax_json_key(&w->json, "join");
    if (def->join != AX_JOIN_AT_LEAST) {
        ax_json_cstr(&w->json, ax_join_name(def->join));
        return;
    }
    ax_json_obj_flat(&w->json);
    ax_json_key(&w->json, "atLeast");
    ax_json_int(&w->json, def->join_count);
    ax_json_end(&w->json);
}

static void put_outputs(writer *w, const ax_def *def)
{
    if (def->output_count == 0) return;
    ax_json_key(&w->json, "outputs");
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < def->output_count; i++) {
        ax_json_obj_flat(&w->json);
        put_str(w, "name", def->outputs[i].name);
        put_type(w, &def->outputs[i].type);
        put_expr(w, "default", def, def->outputs[i].otherwise);
        ax_json_end(&w->json);
    }
    ax_json_end(&w->json);
}

static void put_matrix(writer *w, const ax_def *def)
{
    if (def->key_count) {
        ax_json_key(&w->json, "matrix");
        ax_json_obj_flat(&w->json);
        put_words(w, "keys", def->keys, def->key_count);
        ax_json_end(&w->json);
    }
    put_bool(w, "fanOut", def->fan_out, def->key_count > 0);
}

static void put_source(writer *w, ax_str file, uint32_t line)
{
    if (file.len == 0 && line == 0) return;
    ax_json_key(&w->json, "source");
    ax_json_obj_flat(&w->json);
    put_str(w, "file", file);
    put_int(w, "line", line, 0);
    ax_json_end(&w->json);
}

static void put_def(writer *w, const ax_def *def)
{
    ax_json_obj(&w->json);
    ax_json_key(&w->json, "taskName");
    ax_json_str(&w->json, def->name);
    if (def->kind != AX_NODE_TASK) put_name(w, "kind", ax_node_kind_name(def->kind));
    put_str(w, "title", def->title);
    put_str(w, "description", def->doc);
    put_words(w, "tags", def->tags, def->tag_count);
    put_action(w, def);
    put_bindings(w, "env", def, def->env, def->env_count);
    put_expr(w, "cwd", def, def->cwd);
    put_policy(w, def);
    put_join(w, def);
    put_expr(w, "when", def, def->when);
    put_whys(w, "skipOn", def->skip_on, def->skip_on_count);
    put_bool(w, "finally", def->finally_, false);
    put_bool(w, "enabled", def->enabled, true);
    put_outputs(w, def);
    put_matrix(w, def);
    put_source(w, ax_str_eq(def->file, w->plan->file) ? (ax_str){0} : def->file, def->line);
    ax_json_end(&w->json);
}

/* ---- graph ---- */

static void put_node(writer *w, uint32_t id)
{
    const ax_plan_node *node = &w->plan->nodes[id];
    const ax_def *def = &w->plan->defs[node->def];
    ax_node_kind kind = ax_plan_kind(w->plan, id);
    ax_json_obj_flat(&w->json);
    ax_json_key(&w->json, "id");
    ax_json_str(&w->json, node->name);
    if (!ax_str_eq(def->name, node->name)) put_str(w, "task", def->name);
    if (kind != AX_NODE_TASK) put_name(w, "kind", ax_node_kind_name(kind));
    if (node->parent != AX_NONE) put_str(w, "group", w->plan->nodes[node->parent].name);
    bool is_whole = ax_plan_is_whole(w->plan, id);
    put_bool(w, "whole", is_whole, false);
    if (def->key_count && !is_whole) {
        ax_json_key(&w->json, "matrix");
        ax_json_obj_flat(&w->json);
        for (uint32_t k = 0; k < def->key_count; k++) {
            ax_json_keys(&w->json, def->keys[k]);
            ax_const_write(&w->plan->values[node->values + k], &w->json);
        }
        ax_json_end(&w->json);
    }
    ax_json_end(&w->json);
}

static void put_edge(writer *w, const ax_plan_edge *edge)
{
    ax_json_obj_flat(&w->json);
    ax_json_key(&w->json, "from");
    ax_json_str(&w->json, w->plan->nodes[edge->from].name);
    ax_json_key(&w->json, "to");
    ax_json_str(&w->json, w->plan->nodes[edge->to].name);
    if (edge->outcome != AX_ON_SUCCEEDED) put_name(w, "outcome", ax_outcome_name((ax_outcome)edge->outcome));
    put_int(w, "line", edge->line, 0);
    ax_json_end(&w->json);
}

static void put_graph(writer *w)
{
    ax_json_key(&w->json, "graph");
    ax_json_obj(&w->json);
    ax_json_key(&w->json, "nodes");
    ax_json_arr(&w->json);
    for (uint32_t n = 0; n < w->plan->node_count; n++) put_node(w, n);
    ax_json_end(&w->json);
    ax_json_key(&w->json, "edges");
    ax_json_arr(&w->json);
    for (uint32_t e = 0; e < w->plan->edge_count; e++) put_edge(w, &w->plan->edges[e]);
    ax_json_end(&w->json);
    ax_json_end(&w->json);
}

/* ---- the whole ---- */

static void put_run_policy(writer *w)
{
    const ax_plan *p = w->plan;
    if (p->policy == AX_POLICY_SKIP && p->max_active_runs == 1 && p->timeout_ms == 0) return;
    ax_json_key(&w->json, "policy");
    ax_json_obj_flat(&w->json);
    if (p->policy != AX_POLICY_SKIP) put_name(w, "failurePolicy", ax_policy_name(p->policy));
    put_int(w, "maxActiveRuns", p->max_active_runs, 1);
    put_seconds(w, "timeoutSeconds", p->timeout_ms, 0);
    ax_json_end(&w->json);
}

void ax_plan_write(const ax_plan *plan, int indent, ax_buf *out)
{
    writer w = {plan, ax_json_start(out, indent)};
    ax_json_obj(&w.json);
    put_int(&w, "axVersion", AX_DOC_VERSION, 0);
    ax_json_key(&w.json, "taskName");
    ax_json_str(&w.json, plan->name);
    put_str(&w, "title", plan->title);
    put_str(&w, "description", plan->doc);
    put_str(&w, "owner", plan->owner);
    put_words(&w, "tags", plan->tags, plan->tag_count);
    put_source(&w, plan->file, plan->line);
    put_trigger(&w);
    put_schedules(&w);
    put_params(&w);
    put_run_policy(&w);
    ax_json_key(&w.json, "tasks");
    ax_json_arr(&w.json);
    for (uint32_t d = 0; d < plan->def_count; d++) put_def(&w, &plan->defs[d]);
    ax_json_end(&w.json);
    put_graph(&w);
    ax_json_end(&w.json);
}

void ax_plan_write_def(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    writer w = {plan, ax_json_start(out, 0)};
    put_def(&w, def);
}

void ax_plan_seal(ax_plan *plan)
{
    ax_buf text = AX_BUF_INIT(AX_PLAN_BYTES_MAX);
    ax_plan_write(plan, 0, &text);
    ax_sha256_hex(ax_buf_str(&text), plan->hash);
    ax_buf_free(&text);
}
