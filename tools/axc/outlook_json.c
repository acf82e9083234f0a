/* outlook_json.c - what a run would be, for programs. */
#include "compiler/emit/expr_source.h"
#include "dsl/model/units.h"
#include "tools/axc/outlook_int.h"

typedef struct {
    ax_outlook *o;
    ax_json json;
    ax_arena mem; /* of one node */
    ax_buf text;
} writer;

static const ax_def *def_of(const ax_outlook *o, uint32_t node)
{
    return &o->plan->defs[o->plan->nodes[node].def];
}

static void put_str(writer *w, const char *key, ax_str text)
{
    ax_json_key(&w->json, key);
    ax_json_str(&w->json, text);
}

static void put_text(writer *w, const char *key)
{
    put_str(w, key, ax_buf_str(&w->text));
    ax_buf_clear(&w->text);
}

static void put_int(writer *w, const char *key, int64_t n)
{
    ax_json_key(&w->json, key);
    ax_json_int(&w->json, n);
}

static void put_seconds(writer *w, const char *key, int64_t ms)
{
    ax_json_key(&w->json, key);
    ax_json_num(&w->json, (double)ms / 1000);
}

static void put_instant(writer *w, const char *key, int64_t at_ms)
{
    ax_instant_text(at_ms, &w->text);
    put_text(w, key);
}

static void put_whys(writer *w, const char *key, const ax_why *whys, uint32_t count)
{
    ax_json_key(&w->json, key);
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < count; i++) {
        ax_outlook_whys(&whys[i], 1, &w->text);
        ax_json_str(&w->json, ax_buf_str(&w->text));
        ax_buf_clear(&w->text);
    }
    ax_json_end(&w->json);
}

/* ---- the run ---- */

static void write_run(writer *w)
{
    const ax_preview_run *run = &w->o->run;
    put_str(w, "workflow", w->o->plan->name);
    put_str(w, "file", w->o->plan->file);
    ax_date_text(run->date, &w->text);
    put_text(w, "date");
    ax_json_key(&w->json, "due");
    ax_json_bool(&w->json, run->schedule != NULL);
    if (run->schedule && run->schedule->name.len) put_str(w, "schedule", run->schedule->name);
    put_int(w, "instants_of_date", run->due_count);
    put_instant(w, "scheduled_at", run->scheduled_at);
    put_instant(w, "interval_end", run->interval_end);
    ax_json_key(&w->json, "parameters");
    ax_json_obj_flat(&w->json);
    for (uint32_t i = 0; i < w->o->plan->param_count; i++) {
        ax_json_keys(&w->json, w->o->plan->params[i].name);
        ax_value_json(&w->o->params[i], &w->json);
    }
    ax_json_end(&w->json);
}

/* ---- commands ---- */

/* {"value": "…"} or, if it is not known, {"template": "{{ build.rows }}"}. */
static void write_value(writer *w, const ax_preview_value *value)
{
    ax_json_obj_flat(&w->json);
    put_str(w, value->known ? "value" : "template", value->text);
    ax_json_end(&w->json);
}

static void write_values(writer *w, const char *key, const ax_preview_value *values, uint32_t count)
{
    if (count == 0) return;
    ax_json_key(&w->json, key);
    ax_json_obj(&w->json);
    for (uint32_t i = 0; i < count; i++) {
        ax_json_keys(&w->json, values[i].name);
        write_value(w, &values[i]);
    }
    ax_json_end(&w->json);
}

static void write_problem(writer *w, ax_str problem)
{
    w->o->problems++;
    put_str(w, "problem", problem);
}

static void write_command(writer *w, uint32_t node)
{
    const ax_def *def = def_of(w->o, node);
    ax_preview_command c;
    ax_err why = {0};
    if (def->action == AX_ACTION_NONE) return;
    if (ax_preview_command_of(&w->o->preview, node, &w->mem, &c, &why)) {
        write_problem(w, ax_str_of(why.text));
        return;
    }
    if (def->action == AX_ACTION_RUN) {
        put_str(w, "command", c.script);
        write_values(w, "bind", c.binds, c.bind_count);
    } else {
        ax_json_key(&w->json, "argv");
        ax_json_arr(&w->json);
        for (uint32_t i = 0; i < c.argc; i++) write_value(w, &c.argv[i]);
        ax_json_end(&w->json);
    }
    write_values(w, "env", c.env, c.env_count);
    if (!c.has_cwd) return;
    ax_json_key(&w->json, "cwd");
    write_value(w, &c.cwd);
}

static void write_policy(writer *w, const ax_def *def)
{
    if (def->timeout_ms) put_seconds(w, "timeout", def->timeout_ms);
    if (def->retry.max) {
        ax_json_key(&w->json, "retry");
        ax_json_obj_flat(&w->json);
        put_int(w, "max", def->retry.max);
        if (def->retry.on_count) put_whys(w, "on", def->retry.on, def->retry.on_count);
        ax_json_end(&w->json);
    }
    if (def->skip_on_count) put_whys(w, "skip_on", def->skip_on, def->skip_on_count);
    put_str(w, "failure_policy", ax_str_of(ax_policy_name(def->policy)));
}

/* ---- nodes ---- */

static void write_fate(writer *w, uint32_t node)
{
    const ax_preview_node *n = &w->o->preview.nodes[node];
    ax_str cause = ax_outlook_cause(w->o, node);
    put_str(w, "fate", ax_str_of(ax_fate_name(n->fate)));
    if (n->fate == AX_FATE_SKIPPED) put_str(w, "reason", ax_str_of(ax_why_not_name(n->why)));
    if (cause.len) put_str(w, "missing", cause);
    if (n->when) {
        ax_expr_source(w->o->plan, def_of(w->o, node), n->when, &w->text);
        put_text(w, "when");
    }
    if (n->problem.len) write_problem(w, n->problem);
    if (n->fate == AX_FATE_SKIPPED) return;
    put_int(w, "wave", n->wave);
    put_seconds(w, "start", n->start_ms);
    put_seconds(w, "end", n->end_ms);
}

static void write_node(writer *w, uint32_t node)
{
    const ax_def *def = def_of(w->o, node);
    ax_json_obj(&w->json);
    put_str(w, "name", w->o->plan->nodes[node].name);
    put_str(w, "kind", ax_str_of(ax_node_kind_name(def->kind)));
    write_fate(w, node);
    if (def->kind == AX_NODE_TASK) {
        write_command(w, node);
        write_policy(w, def);
    }
    ax_json_end(&w->json);
    ax_arena_reset(&w->mem);
}

static void write_nodes(writer *w)
{
    ax_json_key(&w->json, "nodes");
    ax_json_arr(&w->json);
    for (uint32_t rank = 0; rank < w->o->plan->node_count; rank++) {
        uint32_t node = w->o->plan->order[rank];
        if (ax_outlook_has(w->o, node)) write_node(w, node);
    }
    ax_json_end(&w->json);
}

static void write_critical(writer *w)
{
    const ax_preview *p = &w->o->preview;
    put_int(w, "waves", p->wave_count);
    ax_json_key(&w->json, "critical_path");
    ax_json_obj(&w->json);
    put_seconds(w, "seconds", p->length_ms);
    ax_json_key(&w->json, "nodes");
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < p->critical_count; i++)
        ax_json_str(&w->json, w->o->plan->nodes[p->critical[i]].name);
    ax_json_end(&w->json);
    ax_json_end(&w->json);
}

static ax_rc write_schedules(writer *w, ax_err *err)
{
    const ax_plan *plan = w->o->plan;
    ax_rc rc = AX_OK;
    ax_json_key(&w->json, "schedules");
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < plan->schedule_count && !rc; i++) {
        ax_due due;
        rc = ax_due_open(&w->o->cli->mem, &plan->schedules[i], &due, err);
        if (rc) break;
        ax_json_obj(&w->json);
        ax_json_key(&w->json, "schedule");
        ax_schedule_json(&plan->schedules[i], &w->json);
        ax_json_key(&w->json, "next");
        ax_instants_json(&w->json, &due, ax_outlook_before(w->o, &due), AX_OUTLOOK_NEXT);
        ax_json_end(&w->json);
    }
    ax_json_end(&w->json);
    return rc;
}

ax_rc ax_outlook_json(ax_outlook *o, ax_err *err)
{
    ax_buf out = AX_BUF_INIT(AX_OUTLOOK_BYTES_MAX);
    writer w = {.o = o, .json = ax_json_start(&out, 2), .text = AX_BUF_INIT(AX_OUTLOOK_BYTES_MAX)};
    ax_json_obj(&w.json);
    write_run(&w);
    write_nodes(&w);
    write_critical(&w);
    ax_rc rc = write_schedules(&w, err);
    ax_json_end(&w.json);
    ax_buf_addc(&out, '\n');
    if (!rc && out.full) rc = ax_fail(err, AX_INVALID, "the plan is larger than %zu bytes", out.max);
    if (!rc) ax_out_add(&o->cli->out, ax_buf_str(&out));
    ax_buf_free(&out);
    ax_buf_free(&w.text);
    ax_arena_free(&w.mem);
    return rc;
}
