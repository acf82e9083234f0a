/* query_json.c - see query_json.h. */
#include "runtime/admin/query_json.h"

#include "dsl/model/units.h"
#include "runtime/admin/query.h"

static void add_int(ax_json *j, const char *key, int64_t value)
{
    ax_json_key(j, key);
    ax_json_int(j, value);
}

/* A time, or a number that is not 0. */
static void add_set(ax_json *j, const char *key, int64_t value)
{
    if (value != 0) add_int(j, key, value);
}

static void add_text(ax_json *j, const char *key, ax_str value)
{
    if (value.len == 0) return;
    ax_json_key(j, key);
    ax_json_str(j, value);
}

static void add_name(ax_json *j, const char *key, const char *value)
{
    ax_json_key(j, key);
    ax_json_cstr(j, value);
}

static void add_flag(ax_json *j, const char *key, bool value)
{
    if (!value) return;
    ax_json_key(j, key);
    ax_json_bool(j, true);
}

static void add_reason(ax_json *j, ax_reason reason)
{
    if (reason != AX_REASON_NONE) add_name(j, "reason", ax_reason_name(reason));
}

/* ---------------------------------------------------------------------------------------------- runs */

static void add_date(ax_json *j, const char *key, int64_t days)
{
    ax_buf text = AX_BUF_INIT(64);
    ax_date_text(days, &text);
    add_text(j, key, ax_buf_str(&text));
    ax_buf_free(&text);
}

/* The fields of a run, into an object that is open. */
static void add_run(ax_json *j, const ax_run_rec *run, bool interrupted, uint32_t total,
                    const uint32_t *by_state)
{
    add_int(j, "run", (int64_t)run->id);
    add_text(j, "workflow", run->workflow);
    add_text(j, "version", run->hash);
    add_name(j, "state", ax_run_fsm.states[run->state]);
    add_date(j, "date", run->date);
    add_set(j, "scheduled_at_ms", run->scheduled_at_ms);
    add_set(j, "interval_start_ms", run->interval_start_ms);
    add_set(j, "interval_end_ms", run->interval_end_ms);
    add_set(j, "created_ms", run->created_ms);
    add_set(j, "started_ms", run->started_ms);
    add_set(j, "ended_ms", run->ended_ms);
    add_text(j, "origin", run->origin);
    if (run->params.len > 0) {
        ax_json_key(j, "params");
        ax_json_raw(j, run->params);
    }
    add_text(j, "workdir", run->workdir);
    add_flag(j, "paused_by_person", run->paused_by_person);
    add_flag(j, "interrupted", interrupted);
    add_int(j, "nodes_total", total);
    ax_json_key(j, "counts");
    ax_json_obj_flat(j);
    for (uint32_t state = 0; state < AX_NODE_ST_COUNT; state++)
        if (by_state[state] > 0) add_int(j, ax_node_fsm.states[state], by_state[state]);
    ax_json_end(j);
}

void ax_query_run_json(const ax_run_summary *run, bool interrupted, ax_json *j)
{
    uint32_t counts[AX_NODE_ST_COUNT];
    ax_query_counts(run, counts);
    ax_json_obj(j);
    add_run(j, &run->run, interrupted, run->nodes_total, counts);
    ax_json_end(j);
}

/* --------------------------------------------------------------------------------------------- nodes */

static void add_attempt(ax_json *j, const ax_instance_rec *rec)
{
    ax_json_obj_flat(j);
    add_int(j, "attempt", rec->attempt);
    add_name(j, "state", ax_instance_fsm.states[rec->state]);
    add_reason(j, rec->reason);
    if (rec->reason == AX_REASON_EXIT) add_int(j, "exit_code", rec->exit_code);
    if (rec->reason == AX_REASON_SIGNAL) add_int(j, "signal", rec->signal);
    add_flag(j, "unconfirmed", rec->unconfirmed);
    add_text(j, "message", rec->message);
    add_set(j, "created_ms", rec->created_ms);
    add_set(j, "ready_ms", rec->ready_ms);
    add_set(j, "started_ms", rec->started_ms);
    add_set(j, "ended_ms", rec->ended_ms);
    if (rec->ended_ms == 0) add_set(j, "due_ms", rec->due_ms);
    ax_json_end(j);
}

static void add_attempts(ax_json *j, const ax_view *view, const ax_node_rec *rec)
{
    if (rec->attempt == 0) return;
    ax_json_key(j, "attempts");
    ax_json_arr(j);
    for (uint32_t attempt = 1; attempt <= rec->attempt; attempt++) {
        const ax_instance_rec *inst = ax_view_attempt(view, rec->node, attempt);
        if (inst != NULL) add_attempt(j, inst);
    }
    ax_json_end(j);
}

static void add_outputs(ax_json *j, const ax_view *view, uint32_t node)
{
    const ax_plan *plan = ax_view_plan(view);
    const ax_def *def = &plan->defs[plan->nodes[node].def];
    bool any = false;
    for (uint32_t i = 0; i < def->output_count; i++) {
        const ax_value *value = ax_view_output(view, node, i);
        if (value == NULL) continue;
        if (!any) {
            ax_json_key(j, "outputs");
            ax_json_obj(j);
            any = true;
        }
        ax_json_keys(j, def->outputs[i].name);
        ax_value_json(value, j);
    }
    if (any) ax_json_end(j);
}

static void add_node(ax_json *j, const ax_view *view, uint32_t node)
{
    const ax_plan *plan = ax_view_plan(view);
    const ax_node_rec *rec = ax_view_node(view, node);
    ax_json_obj(j);
    add_text(j, "name", plan->nodes[node].name);
    add_name(j, "kind", ax_node_kind_name(ax_plan_kind(plan, node)));
    add_name(j, "state", ax_node_fsm.states[rec->state]);
    add_reason(j, rec->reason);
    if (rec->cause != AX_NONE) add_text(j, "cause", plan->nodes[rec->cause].name);
    add_set(j, "begun_ms", rec->begun_ms);
    add_set(j, "ended_ms", rec->ended_ms);
    add_flag(j, "open", rec->open);
    add_flag(j, "given_up", rec->given_up);
    add_flag(j, "accepted", rec->accepted);
    if (ax_plan_kind(plan, node) == AX_NODE_TASK) {
        add_attempts(j, view, rec);
        add_outputs(j, view, node);
    }
    ax_json_end(j);
}

static void add_questions(ax_json *j, const ax_view *view)
{
    uint32_t count = ax_view_questions(view, NULL, 0);
    if (count == 0 || ax_view_ended(view)) return;
    ax_arena mem = AX_ARENA_INIT;
    uint32_t *nodes = AX_NEW_N(&mem, uint32_t, count);
    ax_view_questions(view, nodes, count);
    ax_json_key(j, "waits_for");
    ax_json_arr(j);
    for (uint32_t i = 0; i < count; i++) ax_json_str(j, ax_view_plan(view)->nodes[nodes[i]].name);
    ax_json_end(j);
    ax_arena_free(&mem);
}

void ax_query_status_json(const ax_view *view, bool interrupted, ax_json *j)
{
    const ax_plan *plan = ax_view_plan(view);
    const uint32_t *counts = ax_view_counts(view);
    uint32_t total = 0;
    for (uint32_t state = 0; state < AX_NODE_ST_COUNT; state++) total += counts[state];
    ax_json_obj(j);
    add_run(j, ax_view_run(view), interrupted, total, counts);
    add_questions(j, view);
    ax_json_key(j, "nodes");
    ax_json_arr(j);
    for (uint32_t node = 0; node < plan->node_count; node++) add_node(j, view, node);
    ax_json_end(j);
    ax_json_end(j);
}

/* ------------------------------------------------------------------------------------------- history */

void ax_query_log_json(const ax_plan *plan, const ax_log_rec *row, ax_json *j)
{
    const ax_fsm *fsm = ax_machine_fsm(row->machine);
    ax_json_obj_flat(j);
    add_int(j, "run", (int64_t)row->run);
    add_int(j, "seq", (int64_t)row->seq);
    add_int(j, "at_ms", row->at_ms);
    add_name(j, "machine", ax_machine_name(row->machine));
    if (row->node < plan->node_count) add_text(j, "node", plan->nodes[row->node].name);
    add_set(j, "attempt", row->attempt);
    if (!row->created) {
        add_name(j, "from", fsm->states[row->from]);
        add_name(j, "event", fsm->events[row->event]);
    }
    add_name(j, "to", fsm->states[row->to]);
    add_text(j, "source", row->source);
    add_text(j, "event_id", row->event_id);
    add_text(j, "person", row->person);
    add_text(j, "reason", row->reason);
    if (row->extra.len > 0) {
        ax_json_key(j, "extra");
        ax_json_raw(j, row->extra);
    }
    ax_json_end(j);
}
