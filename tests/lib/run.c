/* run.c - the store in memory and the checks behind run.h. */
#include "tests/lib/run.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/core/render.h"
#include "tests/lib/plan.h"
#include "tests/lib/test.h"

const ax_report REPORT_STOPPED = {.how = AX_REPORT_STOPPED, .signal = 15};
const ax_report REPORT_LOST = {.how = AX_REPORT_LOST, .unconfirmed = true};
const ax_report REPORT_KILLED = {.how = AX_REPORT_SIGNALED, .signal = 9};
const ax_report REPORT_NOT_STARTED = {.how = AX_REPORT_NOT_STARTED, .message = {"no such program", 15}};

struct test_store {
    ax_arena mem;
    ax_run_rec run;
    ax_node_rec *nodes; /* by node; version 0: no row */
    AX_VEC(ax_instance_rec) instances;
    AX_VEC(ax_output_rec) outputs;
    AX_VEC(ax_effect) effects;
    AX_VEC(ax_log_rec) log;
    /* What the log says, replayed. */
    ax_run_state run_state;
    uint8_t *node_states;
    AX_VEC(uint8_t) instance_states; /* beside instances */
};

/* ---- the store in memory ---- */

static uint32_t find_instance(const test_store *store, uint32_t node, uint32_t attempt)
{
    for (uint32_t i = store->instances.len; i-- > 0;)
        if (store->instances.at[i].node == node && store->instances.at[i].attempt == attempt) return i;
    return AX_NONE;
}

static ax_str keep(test_store *store, ax_str s)
{
    return ax_str_dup(&store->mem, s);
}

static void store_nodes(test_store *store, const ax_batch *batch)
{
    for (uint32_t i = 0; i < batch->nodes.len; i++) {
        const ax_node_change *c = &batch->nodes.at[i];
        ax_node_rec *row = &store->nodes[c->to.node];
        assert_int_equal(row->version, c->from_version);
        assert_int_equal(row->state, c->from);
        assert_true(c->to.version > c->from_version);
        *row = c->to;
    }
}

static void store_instances(test_store *store, const ax_batch *batch)
{
    for (uint32_t i = 0; i < batch->instances.len; i++) {
        const ax_instance_change *c = &batch->instances.at[i];
        uint32_t at = find_instance(store, c->to.node, c->to.attempt);
        assert_int_equal(at == AX_NONE, c->from_version == 0);
        assert_true(c->to.version > c->from_version);
        if (at == AX_NONE) {
            at = store->instances.len;
            ax_vec_push(&store->mem, &store->instances, c->to);
            ax_vec_push(&store->mem, &store->instance_states, 0);
        } else {
            assert_int_equal(store->instances.at[at].version, c->from_version);
            assert_int_equal(store->instances.at[at].state, c->from);
        }
        store->instances.at[at] = c->to;
        store->instances.at[at].message = keep(store, c->to.message);
    }
}

static void store_rest(test_store *store, const ax_batch *batch)
{
    for (uint32_t i = 0; i < batch->outputs.len; i++) {
        ax_output_rec row = batch->outputs.at[i].row;
        row.value = keep(store, row.value);
        ax_vec_push(&store->mem, &store->outputs, row);
    }
    for (uint32_t i = 0; i < batch->effects.len; i++)
        ax_vec_push(&store->mem, &store->effects, batch->effects.at[i]);
    for (uint32_t i = 0; i < batch->log.len; i++) {
        ax_log_rec row = batch->log.at[i];
        row.extra = keep(store, row.extra);
        row.source = keep(store, row.source);
        row.person = keep(store, row.person);
        row.reason = keep(store, row.reason);
        ax_vec_push(&store->mem, &store->log, row);
    }
}

static uint8_t *replayed_state(test_store *store, const ax_log_rec *row)
{
    if (row->machine == AX_MACHINE_NODE) return &store->node_states[row->node];
    uint32_t at = find_instance(store, row->node, row->attempt);
    assert_int_not_equal(at, AX_NONE);
    return &store->instance_states.at[at];
}

static void replay_row(test_store *store, const ax_log_rec *row)
{
    uint8_t to, run_state = (uint8_t)store->run_state;
    uint8_t *state = row->machine == AX_MACHINE_RUN ? &run_state : replayed_state(store, row);
    if (row->machine == AX_MACHINE_GHOST) return;
    if (row->created) {
        *state = row->to;
        return;
    }
    assert_int_equal(*state, row->from);
    assert_int_equal(ax_fsm_next(ax_machine_fsm(row->machine), row->from, row->event, &to, NULL), AX_OK);
    assert_int_equal(to, row->to);
    *state = to;
    store->run_state = (ax_run_state)run_state;
}

static void replay(test_store *store, const ax_batch *batch)
{
    for (uint32_t i = 0; i < batch->log.len; i++) replay_row(store, &batch->log.at[i]);
    assert_int_equal(store->run_state, store->run.state);
    for (uint32_t i = 0; i < batch->nodes.len; i++) {
        const ax_node_rec *to = &batch->nodes.at[i].to;
        assert_int_equal(store->node_states[to->node], to->state);
    }
    for (uint32_t i = 0; i < batch->instances.len; i++) {
        const ax_instance_rec *to = &batch->instances.at[i].to;
        assert_int_equal(store->instance_states.at[find_instance(store, to->node, to->attempt)], to->state);
    }
}

static void store_batch(test_store *store, const ax_batch *batch)
{
    uint64_t seq = store->run.seq;
    assert_true(batch->runs.len == 1);
    assert_int_equal(batch->runs.at[0].from, store->run.state);
    assert_int_equal(batch->runs.at[0].from_version, store->run.version);
    store->run = batch->runs.at[0].to;
    assert_int_equal(store->run.seq, seq + batch->log.len + batch->effects.len);
    store_nodes(store, batch);
    store_instances(store, batch);
    store_rest(store, batch);
    replay(store, batch);
}

/* ---- checks ---- */

static int by_node_and_attempt(const void *a, const void *b)
{
    const ax_instance_rec *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return x->attempt < y->attempt ? -1 : x->attempt > y->attempt;
}

static ax_run_rows load(test_run *r, ax_arena *mem)
{
    test_store *store = r->store;
    uint32_t count = 0;
    ax_node_rec *nodes = AX_NEW_N(mem, ax_node_rec, r->plan->node_count);
    ax_instance_rec *instances = AX_NEW_N(mem, ax_instance_rec, store->instances.len);
    for (uint32_t n = 0; n < r->plan->node_count; n++)
        if (store->nodes[n].version) nodes[count++] = store->nodes[n];
    if (store->instances.len) {
        memcpy(instances, store->instances.at, store->instances.len * sizeof *instances);
        qsort(instances, store->instances.len, sizeof *instances, by_node_and_attempt);
    }
    return (ax_run_rows){.run = store->run,
                         .nodes = nodes,
                         .node_count = count,
                         .instances = instances,
                         .instance_count = store->instances.len,
                         .outputs = store->outputs.at,
                         .output_count = store->outputs.len};
}

static void check_same_node(const ax_view *a, const ax_view *b, uint32_t node)
{
    const ax_node_rec *x = ax_view_node(a, node), *y = ax_view_node(b, node);
    bool same = x->state == y->state && x->reason == y->reason && x->cause == y->cause &&
                x->open == y->open && x->version == y->version && x->attempt == y->attempt &&
                x->begun_ms == y->begun_ms && x->ended_ms == y->ended_ms && x->budget_from == y->budget_from;
    if (!same)
        fail_msg("node %.*s: %s in the view, %s when loaded anew", AX_STR(ax_view_plan(a)->nodes[node].name),
                 ax_node_fsm.states[x->state], ax_node_fsm.states[y->state]);
}

/* A view built from what is stored is the view that the engine has. */
static void check_loads_the_same(test_run *r)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_run_rows rows = load(r, &mem);
    ax_view *anew = NULL;
    ax_err err = {0};
    if (ax_view_build(&mem, r->plan, &rows, &anew, &err)) fail_msg("loading anew: %s", err.text);
    for (uint32_t n = 0; n < r->plan->node_count; n++) check_same_node(r->view, anew, n);
    assert_int_equal(ax_view_next_ready(r->view), ax_view_next_ready(anew));
    assert_int_equal(ax_view_next_due(r->view), ax_view_next_due(anew));
    assert_int_equal(ax_view_places(r->view), ax_view_places(anew));
    if (ax_view_check(anew, &err)) fail_msg("loaded anew: %s", err.text);
    ax_arena_free(&mem);
}

/* Invariants 4, 7 and 10 of docs/state-machines.md. */
static void check_invariants(const test_run *r)
{
    const uint32_t *counts = ax_view_counts(r->view);
    const ax_run_rec *run = ax_view_run(r->view);
    uint32_t active = counts[AX_NODE_ST_ACTIVE], blocked = counts[AX_NODE_ST_BLOCKED];
    uint32_t questions = ax_view_questions(r->view, NULL, 0);
    bool ended = ax_view_ended(r->view);
    if (run->state == AX_RUN_RUNNING) assert_true(active > 0);
    if (run->state == AX_RUN_PAUSED) assert_true(run->paused_by_person || questions > 0);
    if (run->state == AX_RUN_PAUSED && !active) assert_true(questions > 0);
    if (ended) {
        assert_int_equal(active + blocked + counts[AX_NODE_ST_HELD], 0);
        assert_int_equal(ax_view_places(r->view), 0);
        assert_int_equal(questions, 0);
        assert_int_equal(ax_view_next_due(r->view), INT64_MAX);
        assert_true(run->ended_ms > 0);
    }
    if (run->state == AX_RUN_SUCCEEDED) assert_int_equal(counts[AX_NODE_ST_CANCELLED], 0);
}

/* ---- given, end ---- */

test_run *given_run_of(ax_plan *plan, ax_arena mem, const char *params)
{
    test_run *r = AX_NEW(&mem, test_run);
    r->mem = mem;
    r->plan = plan;
    r->now_ms = 1000000;
    r->store = AX_NEW(&r->mem, test_store);
    r->store->nodes = AX_NEW_N(&r->mem, ax_node_rec, plan->node_count);
    r->store->node_states = AX_NEW_N(&r->mem, uint8_t, plan->node_count);
    ax_run_rows rows = {.run = ax_run_new(plan, r->now_ms)};
    rows.run.id = 7;
    rows.run.params = ax_str_of(params);
    rows.run.workdir = AX_LIT("/work");
    r->store->run = rows.run;
    ax_err err = {0};
    if (ax_view_build(&r->mem, plan, &rows, &r->view, &err)) fail_msg("%s", err.text);
    return r;
}

test_run *given_queued_run(const char *text)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_plan *plan = test_plan(&mem, text);
    plan->mem = NULL;
    return given_run_of(plan, mem, "{}");
}

test_run *given_run(const char *text)
{
    test_run *r = given_queued_run(text);
    when(r, AX_EVENT_ADMIT, NULL);
    return r;
}

void end_run(test_run *r)
{
    ax_arena store = r->store->mem, mem = r->mem;
    ax_arena_free(&store);
    ax_arena_free(&mem);
}

/* ---- when ---- */

void begin_turn(test_run *r)
{
    if (r->in_turn) return;
    r->turn_mem = AX_ARENA_INIT;
    r->turn = ax_batch_new(&r->turn_mem, 1);
    r->in_turn = true;
}

void end_turn(test_run *r)
{
    r->in_turn = false;
    r->effects += r->turn.effects.len;
    r->log_rows += r->turn.log.len;
    if (!r->unchecked) {
        if (!ax_batch_empty(&r->turn)) store_batch(r->store, &r->turn);
        check_loads_the_same(r);
    }
    ax_arena_free(&r->turn_mem);
}

ax_rc step(test_run *r, ax_event event)
{
    bool alone = !r->in_turn;
    begin_turn(r);
    r->err = (ax_err){0};
    uint32_t rows = r->turn.log.len;
    ax_rc rc = ax_engine_step(r->view, &event, r->now_ms, &r->turn, &r->err);
    if (rc) assert_int_equal(r->turn.log.len, rows);
    if (rc && alone) assert_true(ax_batch_empty(&r->turn));
    if (!r->unchecked) {
        ax_err err = {0};
        if (ax_view_check(r->view, &err)) fail_msg("%s", err.text);
        check_invariants(r);
    }
    if (alone) end_turn(r);
    return rc;
}

static ax_event event_for(const test_run *r, ax_event_kind kind, const char *name)
{
    ax_event event = {.kind = kind, .id = AX_LIT("event")};
    if (!name) return event;
    event.node = test_plan_node(r->plan, name);
    event.attempt = ax_view_node(r->view, event.node)->attempt;
    event.person = AX_LIT("anna");
    event.reason = AX_LIT("because");
    return event;
}

void when(test_run *r, ax_event_kind kind, const char *name)
{
    if (step(r, event_for(r, kind, name))) fail_msg("refused: %s", r->err.text);
}

void when_refused(test_run *r, ax_event_kind kind, const char *name, const char *message)
{
    assert_int_not_equal(step(r, event_for(r, kind, name)), AX_OK);
    if (!strstr(r->err.text, message)) fail_msg("refused, but with: %s", r->err.text);
}

void when_starts(test_run *r, const char *name)
{
    when(r, AX_EVENT_DISPATCH, name);
}

void when_late(test_run *r, const char *name, uint32_t attempt, ax_report report)
{
    ax_event event = event_for(r, AX_EVENT_REPORT, name);
    event.attempt = attempt;
    event.report = report;
    if (step(r, event)) fail_msg("refused: %s", r->err.text);
}

void when_reports(test_run *r, const char *name, ax_report report)
{
    const ax_instance_rec *current = ax_view_current(r->view, test_plan_node(r->plan, name));
    if (!current) fail_msg("node %s has not begun", name);
    if (current->state == AX_INSTANCE_READY) when_starts(r, name);
    when_late(r, name, current->attempt, report);
}

void when_exits(test_run *r, const char *name, int32_t exit_code)
{
    when_reports(r, name, (ax_report){.how = AX_REPORT_EXITED, .exit_code = exit_code});
}

void when_passes(test_run *r, int64_t ms)
{
    r->now_ms += ms;
    when(r, AX_EVENT_TIMERS, NULL);
}

/* ---- then ---- */

void then_run(const test_run *r, const char *state)
{
    assert_string_equal(ax_run_fsm.states[ax_view_run(r->view)->state], state);
}

static void check_node(const test_run *r, const char *name, const char *state, const char *reason)
{
    const ax_node_rec *rec = ax_view_node(r->view, test_plan_node(r->plan, name));
    const char *is = ax_node_fsm.states[rec->state], *why = ax_reason_name(rec->reason);
    if (strcmp(is, state) != 0 || (reason && strcmp(why, reason) != 0))
        fail_msg("node %s is %s:%s, wanted %s:%s", name, is, why, state, reason ? reason : "");
}

void then_node(const test_run *r, const char *name, const char *state)
{
    check_node(r, name, state, NULL);
}

void then_nodes(const test_run *r, const char *states)
{
    char text[1024];
    assert_true(strlen(states) < sizeof text);
    memcpy(text, states, strlen(states) + 1);
    char *rest = text;
    for (char *name = strsep(&rest, " "); name; name = strsep(&rest, " ")) {
        if (!*name) continue;
        char *reason = name, *state = strsep(&reason, "=");
        state = reason;
        strsep(&reason, ":");
        assert_non_null(state);
        check_node(r, name, state, reason);
    }
}

void then_attempt(const test_run *r, const char *name, uint32_t attempt, const char *state)
{
    const ax_instance_rec *rec = ax_view_attempt(r->view, test_plan_node(r->plan, name), attempt);
    assert_non_null(rec);
    assert_string_equal(ax_instance_fsm.states[rec->state], state);
}

void then_attempts(const test_run *r, const char *name, uint32_t count)
{
    assert_int_equal(ax_view_node(r->view, test_plan_node(r->plan, name))->attempt, count);
}

void then_cause(const test_run *r, const char *name, const char *cause)
{
    uint32_t is = ax_view_node(r->view, test_plan_node(r->plan, name))->cause;
    assert_int_not_equal(is, AX_NONE);
    assert_str(r->plan->nodes[is].name, cause);
}

uint32_t logged(const test_run *r, const char *name, const char *event)
{
    uint32_t node = name ? test_plan_node(r->plan, name) : AX_NONE, count = 0;
    for (uint32_t i = 0; i < r->store->log.len; i++) {
        const ax_log_rec *row = &r->store->log.at[i];
        const ax_fsm *fsm = ax_machine_fsm(row->machine);
        bool ghost = row->machine == AX_MACHINE_GHOST;
        const char *what = ghost ? "GHOST" : row->created ? "created" : fsm->events[row->event];
        if (row->node == node && strcmp(what, event) == 0) count++;
    }
    return count;
}

void each_log_row(const test_run *r, void (*f)(const ax_log_rec *row))
{
    for (uint32_t i = 0; i < r->store->log.len; i++) f(&r->store->log.at[i]);
}

uint32_t effects(const test_run *r, const char *name, ax_effect_kind kind)
{
    uint32_t node = test_plan_node(r->plan, name), count = 0;
    for (uint32_t i = 0; i < r->store->effects.len; i++)
        if (r->store->effects.at[i].node == node && r->store->effects.at[i].kind == kind) count++;
    return count;
}
