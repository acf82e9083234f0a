/* store_suite.c - the conformance suite: rows come back as they were written, and what must not happen does
 * not. */
#include "tests/lib/store_suite.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dsl/base/buf.h"
#include "dsl/model/plan_json.h"
#include "tests/lib/test.h"

#define OPS(f) ((f)->store->ops)

static int set_up(void **state)
{
    *state = ax_store_fixture_new(*state);
    return 0;
}

static int tear_down(void **state)
{
    ax_store_fixture_free(*state);
    return 0;
}

static ax_rc commit(ax_store_fixture *f, const ax_batch *batch)
{
    return OPS(f)->commit(f->store, batch, &f->err);
}

static void committed(ax_store_fixture *f, const ax_batch *batch)
{
    if (commit(f, batch) != AX_OK) fail_msg("%s", f->err.text);
}

static void assert_same_str(ax_str got, ax_str want)
{
    assert_int_equal(got.len, want.len);
    if (want.len > 0) assert_memory_equal(got.ptr, want.ptr, want.len);
}

/* -----------------------------------------------------------------------------------------------------
 * builders */

static ax_node_change new_node(uint64_t run, uint32_t node)
{
    return (ax_node_change){
        .run = run,
        .from = AX_NODE_ST_BLOCKED,
        .from_version = 0,
        .to = {.node = node,
               .state = AX_NODE_ST_ACTIVE,
               .version = 1,
               .cause = AX_NONE,
               .attempt = 1,
               .begun_ms = 5},
    };
}

static ax_node_change next_node(const ax_node_change *last, ax_node_state state)
{
    ax_node_change next = *last;
    next.from = last->to.state;
    next.from_version = last->to.version;
    next.to.state = state;
    next.to.version++;
    return next;
}

static ax_instance_change new_instance(uint64_t run, uint32_t node)
{
    return (ax_instance_change){
        .run = run,
        .from = AX_INSTANCE_PENDING,
        .from_version = 0,
        .to = {.node = node, .attempt = 1, .state = AX_INSTANCE_PENDING, .version = 1, .created_ms = 5},
    };
}

static ax_log_rec log_row(uint64_t run, uint64_t seq, uint32_t node)
{
    return (ax_log_rec){
        .run = run,
        .seq = seq,
        .machine = AX_MACHINE_NODE,
        .node = node,
        .from = AX_NODE_ST_BLOCKED,
        .event = AX_NODE_EV_UNLOCK,
        .to = AX_NODE_ST_ACTIVE,
        .event_id = AX_LIT("e"),
        .source = AX_LIT("engine"),
        .at_ms = 7,
    };
}

static ax_run_change next_run(const ax_run_rec *run, ax_run_state state)
{
    ax_run_change next = {.from = run->state, .from_version = run->version, .to = *run};
    next.to.state = state;
    next.to.version++;
    return next;
}

/* -------------------------------------------------------------------------------------------------------
 * fidelity */

static void assert_same_run(const ax_run_rec *got, const ax_run_rec *want)
{
    assert_int_equal(got->id, want->id);
    assert_same_str(got->workflow, want->workflow);
    assert_same_str(got->hash, want->hash);
    assert_int_equal(got->state, want->state);
    assert_int_equal(got->version, want->version);
    assert_int_equal(got->seq, want->seq);
    assert_int_equal(got->date, want->date);
    assert_int_equal(got->scheduled_at_ms, want->scheduled_at_ms);
    assert_int_equal(got->interval_start_ms, want->interval_start_ms);
    assert_int_equal(got->interval_end_ms, want->interval_end_ms);
    assert_same_str(got->params, want->params);
    assert_same_str(got->workdir, want->workdir);
    assert_same_str(got->origin, want->origin);
    assert_int_equal(got->paused_by_person, want->paused_by_person);
    assert_int_equal(got->created_ms, want->created_ms);
    assert_int_equal(got->started_ms, want->started_ms);
    assert_int_equal(got->ended_ms, want->ended_ms);
}

static void a_run_comes_back_as_it_was_created(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = {
        .workflow = ax_hostile(),
        .hash = ax_str_of(f->plan->hash),
        .state = AX_RUN_QUEUED,
        .version = 1,
        .seq = 1,
        .date = -20000,
        .scheduled_at_ms = 11,
        .interval_start_ms = 12,
        .interval_end_ms = 13,
        .params = ax_hostile(),
        .workdir = ax_hostile(),
        .origin = ax_hostile(),
        .paused_by_person = true,
        .created_ms = 14,
        .started_ms = 15,
        .ended_ms = INT64_MAX,
    };
    assert_int_equal(OPS(f)->create_run(f->store, &run, f->plan, f->epoch, &f->err), AX_OK);
    ax_run_rows rows = ax_then_rows(f, run.id);
    assert_same_run(&rows.run, &run);
    assert_int_equal(rows.node_count + rows.instance_count + rows.output_count + rows.effect_count, 0);
}

static void ids_of_runs_ascend_from_one(void **state)
{
    ax_store_fixture *f = *state;
    for (uint64_t id = 1; id <= 3; id++) assert_int_equal(ax_given_run(f).id, id);
}

static void the_changing_fields_of_a_run_come_back(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_run_change change = next_run(&run, AX_RUN_PAUSED);
    change.to.seq = 1ull << 40;
    change.to.paused_by_person = true;
    change.to.started_ms = 21;
    change.to.ended_ms = 22;
    ax_vec_push(&f->mem, &batch.runs, change);
    committed(f, &batch);
    ax_run_rows rows = ax_then_rows(f, run.id);
    assert_same_run(&rows.run, &change.to);
}

static void assert_same_node(const ax_node_rec *got, const ax_node_rec *want)
{
    assert_int_equal(got->node, want->node);
    assert_int_equal(got->state, want->state);
    assert_int_equal(got->version, want->version);
    assert_int_equal(got->reason, want->reason);
    assert_int_equal(got->cause, want->cause);
    assert_int_equal(got->attempt, want->attempt);
    assert_int_equal(got->budget_from, want->budget_from);
    assert_int_equal(got->open, want->open);
    assert_int_equal(got->given_up, want->given_up);
    assert_int_equal(got->held_by_hand, want->held_by_hand);
    assert_int_equal(got->skipped_by_hand, want->skipped_by_hand);
    assert_int_equal(got->accepted, want->accepted);
    assert_int_equal(got->begun_ms, want->begun_ms);
    assert_int_equal(got->ended_ms, want->ended_ms);
}

static void every_field_of_a_node_comes_back(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    /* Each flag alone, so that two of them cannot be mixed up. */
    for (uint32_t flag = 0; flag < 5; flag++) {
        ax_node_change change = {.run = run, .from = AX_NODE_ST_BLOCKED, .from_version = flag};
        change.to = (ax_node_rec){
            .node = 2,
            .state = AX_NODE_ST_BLOCKED,
            .version = flag + 1,
            .reason = AX_REASON_UPSTREAM_FAILED,
            .cause = flag == 0 ? AX_NONE : flag,
            .attempt = 3,
            .budget_from = 4,
            .open = flag == 0,
            .given_up = flag == 1,
            .held_by_hand = flag == 2,
            .skipped_by_hand = flag == 3,
            .accepted = flag == 4,
            .begun_ms = 31,
            .ended_ms = 32,
        };
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_vec_push(&f->mem, &batch.nodes, change);
        committed(f, &batch);
        ax_run_rows rows = ax_then_rows(f, run);
        assert_int_equal(rows.node_count, 1);
        assert_same_node(&rows.nodes[0], &change.to);
    }
}

static void assert_same_instance(const ax_instance_rec *got, const ax_instance_rec *want)
{
    assert_int_equal(got->node, want->node);
    assert_int_equal(got->attempt, want->attempt);
    assert_int_equal(got->state, want->state);
    assert_int_equal(got->version, want->version);
    assert_int_equal(got->reason, want->reason);
    assert_int_equal(got->exit_code, want->exit_code);
    assert_int_equal(got->signal, want->signal);
    assert_int_equal(got->unconfirmed, want->unconfirmed);
    assert_int_equal(got->skip, want->skip);
    assert_int_equal(got->retry_of, want->retry_of);
    assert_int_equal(got->due_ms, want->due_ms);
    assert_int_equal(got->created_ms, want->created_ms);
    assert_int_equal(got->ready_ms, want->ready_ms);
    assert_int_equal(got->started_ms, want->started_ms);
    assert_int_equal(got->ended_ms, want->ended_ms);
    assert_same_str(got->message, want->message);
}

static void every_field_of_an_attempt_comes_back(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    for (uint32_t flag = 0; flag < 2; flag++) {
        ax_instance_change change = {.run = run, .from = AX_INSTANCE_RUNNING, .from_version = flag};
        change.to = (ax_instance_rec){
            .node = 1,
            .attempt = 7,
            .state = AX_INSTANCE_RUNNING,
            .version = flag + 1,
            .reason = AX_REASON_EXIT,
            .exit_code = -255,
            .signal = 9,
            .unconfirmed = flag == 0,
            .skip = flag == 1,
            .retry_of = 6,
            .due_ms = 41,
            .created_ms = 42,
            .ready_ms = 43,
            .started_ms = 44,
            .ended_ms = 45,
            .message = ax_hostile(),
        };
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_vec_push(&f->mem, &batch.instances, change);
        committed(f, &batch);
        ax_run_rows rows = ax_then_rows(f, run);
        assert_int_equal(rows.instance_count, 1);
        assert_same_instance(&rows.instances[0], &change.to);
    }
}

static void rows_come_in_the_order_of_their_keys(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 3; i-- > 0;) {
        ax_vec_push(&f->mem, &batch.nodes, new_node(run, i));
        for (uint32_t attempt = 2; attempt > 0; attempt--) {
            ax_instance_change change = new_instance(run, i);
            change.to.attempt = attempt;
            ax_vec_push(&f->mem, &batch.instances, change);
        }
    }
    committed(f, &batch);
    ax_run_rows rows = ax_then_rows(f, run);
    assert_int_equal(rows.node_count, 3);
    assert_int_equal(rows.instance_count, 6);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(rows.nodes[i].node, i);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(rows.instances[i].node, i / 2);
        assert_int_equal(rows.instances[i].attempt, i % 2 + 1);
    }
}

static void every_state_and_reason_comes_back_by_its_name(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < AX_INSTANCE_COUNT; i++) {
        ax_instance_change change = new_instance(run, i);
        change.to.state = (ax_instance_state)i;
        ax_vec_push(&f->mem, &batch.instances, change);
    }
    for (uint32_t i = 0; i < AX_REASON_COUNT; i++) {
        ax_node_change change = new_node(run, i);
        change.to.state = (ax_node_state)(i % AX_NODE_ST_COUNT);
        change.to.reason = (ax_reason)i;
        ax_vec_push(&f->mem, &batch.nodes, change);
    }
    committed(f, &batch);
    ax_run_rows rows = ax_then_rows(f, run);
    for (uint32_t i = 0; i < AX_INSTANCE_COUNT; i++) assert_int_equal(rows.instances[i].state, i);
    for (uint32_t i = 0; i < AX_REASON_COUNT; i++) {
        assert_int_equal(rows.nodes[i].state, i % AX_NODE_ST_COUNT);
        assert_int_equal(rows.nodes[i].reason, i);
    }
    for (uint32_t i = 0; i < AX_RUN_COUNT; i++) {
        ax_run_rec other = ax_given_run(f);
        batch = ax_batch_new(&f->mem, f->epoch);
        ax_vec_push(&f->mem, &batch.runs, next_run(&other, (ax_run_state)i));
        committed(f, &batch);
        assert_int_equal(ax_then_rows(f, other.id).run.state, i);
    }
}

static void outputs_keep_every_byte(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    enum { LONG = 1 << 20 };
    char *text = ax_arena_alloc(&f->mem, LONG);
    for (uint32_t i = 0; i < LONG; i++) text[i] = (char)(i * 7 + i / 251);
    const ax_str values[] = {ax_hostile(), {0}, {text, LONG}};
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < 3; i++)
        ax_vec_push(&f->mem, &batch.outputs,
                    (ax_output_change){run, {.node = 1, .attempt = 2, .output = i, .value = values[i]}});
    committed(f, &batch);
    ax_run_rows rows = ax_then_rows(f, run);
    assert_int_equal(rows.output_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rows.outputs[i].node, 1);
        assert_int_equal(rows.outputs[i].attempt, 2);
        assert_int_equal(rows.outputs[i].output, i);
        assert_same_str(rows.outputs[i].value, values[i]);
    }
}

/* --------------------------------------------------------------------------------------------------------
 * history */

static uint32_t read_log(ax_store_fixture *f, uint64_t run, uint32_t node, uint64_t after, uint32_t limit,
                         ax_log_rec **out)
{
    uint32_t count;
    ax_rc rc = OPS(f)->read_log(f->store, run, node, after, limit, &f->mem, out, &count, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return count;
}

static void assert_same_log(const ax_log_rec *got, const ax_log_rec *want)
{
    assert_int_equal(got->run, want->run);
    assert_int_equal(got->seq, want->seq);
    assert_int_equal(got->machine, want->machine);
    assert_int_equal(got->node, want->node);
    assert_int_equal(got->attempt, want->attempt);
    assert_int_equal(got->from, want->from);
    assert_int_equal(got->event, want->event);
    assert_int_equal(got->to, want->to);
    assert_int_equal(got->created, want->created);
    assert_same_str(got->event_id, want->event_id);
    assert_same_str(got->source, want->source);
    assert_same_str(got->person, want->person);
    assert_same_str(got->reason, want->reason);
    assert_same_str(got->extra, want->extra);
    assert_int_equal(got->at_ms, want->at_ms);
}

static void a_new_run_has_its_creation_in_the_history(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_log_rec *rows;
    assert_int_equal(read_log(f, run.id, AX_NONE, 0, 10, &rows), 1);
    assert_int_equal(rows[0].seq, run.seq);
    assert_int_equal(rows[0].machine, AX_MACHINE_RUN);
    assert_int_equal(rows[0].node, AX_NONE);
    assert_true(rows[0].created);
    assert_int_equal(rows[0].to, AX_RUN_QUEUED);
    assert_int_equal(rows[0].at_ms, run.created_ms);
}

static void log_rows_of_every_machine_come_back(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    const ax_str hostile = ax_hostile();
    const ax_log_rec rows[] = {
        {run, 2, AX_MACHINE_RUN, AX_NONE, 0, AX_RUN_QUEUED, AX_RUN_EV_ADMIT, AX_RUN_RUNNING, false, hostile,
         hostile, hostile, hostile, hostile, 51},
        {run,
         3,
         AX_MACHINE_NODE,
         2,
         0,
         AX_NODE_ST_FAILED,
         AX_NODE_EV_GIVE_UP,
         AX_NODE_ST_FAILED,
         false,
         {0},
         {0},
         {0},
         {0},
         {0},
         52},
        {run,
         4,
         AX_MACHINE_INSTANCE,
         1,
         3,
         AX_INSTANCE_WAITING_CONFIRM,
         0,
         AX_INSTANCE_WAITING_CONFIRM,
         true,
         {0},
         {0},
         {0},
         {0},
         {0},
         53},
        {run,
         5,
         AX_MACHINE_INSTANCE,
         1,
         3,
         AX_INSTANCE_TIMING_OUT,
         AX_INSTANCE_EV_SUCCESS,
         AX_INSTANCE_SUCCEEDED,
         false,
         {0},
         {0},
         {0},
         {0},
         {0},
         54},
        {run,
         6,
         AX_MACHINE_GHOST,
         1,
         2,
         AX_INSTANCE_FAILED,
         AX_INSTANCE_EV_SUCCESS,
         AX_INSTANCE_FAILED,
         false,
         {0},
         {0},
         {0},
         {0},
         {0},
         55},
    };
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < 5; i++) ax_vec_push(&f->mem, &batch.log, rows[i]);
    committed(f, &batch);
    ax_log_rec *got;
    assert_int_equal(read_log(f, run, AX_NONE, 1, 100, &got), 5);
    for (uint32_t i = 0; i < 5; i++) assert_same_log(&got[i], &rows[i]);
}

static void the_history_is_read_in_pages_and_by_node(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id, other = ax_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 9; i-- > 0;) {
        ax_vec_push(&f->mem, &batch.log, log_row(run, i + 2, i % 3));
        ax_vec_push(&f->mem, &batch.log, log_row(other, i + 2, 0));
    }
    committed(f, &batch);
    ax_log_rec *rows;
    assert_int_equal(read_log(f, run, AX_NONE, 1, 4, &rows), 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(rows[i].seq, i + 2);
    assert_int_equal(read_log(f, run, AX_NONE, rows[3].seq, 100, &rows), 5);
    assert_int_equal(rows[0].seq, 6);
    assert_int_equal(read_log(f, run, 1, 0, 2, &rows), 2);
    assert_int_equal(rows[0].seq, 3);
    assert_int_equal(rows[1].seq, 6);
    assert_int_equal(read_log(f, run, 1, 6, 100, &rows), 1);
    assert_int_equal(rows[0].seq, 9);
    assert_int_equal(read_log(f, 99, AX_NONE, 0, 100, &rows), 0);
}

/* ---------------------------------------------------------------------------------------------------------
 * effects */

static ax_effect effect(uint64_t run, uint64_t seq, ax_effect_kind kind)
{
    return (ax_effect){.run = run, .seq = seq, .kind = kind, .node = (uint32_t)seq % 3, .attempt = 2};
}

static void an_effect_waits_until_it_is_done(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.effects, effect(run, 5, AX_EFFECT_STOP));
    ax_vec_push(&f->mem, &batch.effects, effect(run, 4, AX_EFFECT_START));
    committed(f, &batch);
    ax_run_rows rows = ax_then_rows(f, run);
    assert_int_equal(rows.effect_count, 2);
    assert_int_equal(rows.effects[0].seq, 4);
    assert_int_equal(rows.effects[0].kind, AX_EFFECT_START);
    assert_int_equal(rows.effects[0].run, run);
    assert_int_equal(rows.effects[0].node, 1);
    assert_int_equal(rows.effects[0].attempt, 2);
    assert_int_equal(rows.effects[1].kind, AX_EFFECT_STOP);

    batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.done, effect(run, 4, AX_EFFECT_START));
    committed(f, &batch);
    rows = ax_then_rows(f, run);
    assert_int_equal(rows.effect_count, 1);
    assert_int_equal(rows.effects[0].seq, 5);
}

static void an_effect_may_be_done_twice(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.done, effect(run, 4, AX_EFFECT_START));
    committed(f, &batch);
    committed(f, &batch);
}

static void an_effect_is_not_taken_in_twice(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.effects, effect(run, 4, AX_EFFECT_START));
    committed(f, &batch);
    assert_int_equal(commit(f, &batch), AX_CONFLICT);
    assert_int_equal(ax_then_rows(f, run).effect_count, 1);
}

/* -------------------------------------------------------------------------------------------------------
 * conflicts */

/* A batch with a row of every kind for a new run; the caller breaks one of them. */
static ax_batch full_batch(ax_store_fixture *f, const ax_run_rec *run)
{
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_run_change change = next_run(run, AX_RUN_RUNNING);
    change.to.seq += 2;
    ax_vec_push(&f->mem, &batch.runs, change);
    ax_vec_push(&f->mem, &batch.nodes, new_node(run->id, 0));
    ax_vec_push(&f->mem, &batch.instances, new_instance(run->id, 0));
    ax_vec_push(&f->mem, &batch.outputs,
                (ax_output_change){run->id, {.node = 0, .attempt = 1, .value = AX_LIT("v")}});
    ax_vec_push(&f->mem, &batch.log, log_row(run->id, run->seq + 1, 0));
    ax_vec_push(&f->mem, &batch.effects, effect(run->id, run->seq + 2, AX_EFFECT_START));
    return batch;
}

static void then_nothing_changed(ax_store_fixture *f, const ax_run_rec *run)
{
    ax_run_rows rows = ax_then_rows(f, run->id);
    ax_log_rec *log;
    assert_same_run(&rows.run, run);
    assert_int_equal(rows.node_count + rows.instance_count + rows.output_count + rows.effect_count, 0);
    assert_int_equal(read_log(f, run->id, AX_NONE, 0, 100, &log), 1);
}

/* The batch is refused and changed nothing; and the store works on. */
static void then_conflict(ax_store_fixture *f, const ax_run_rec *run, const ax_batch *batch)
{
    assert_int_equal(commit(f, batch), AX_CONFLICT);
    assert_true(f->err.text[0] != '\0');
    then_nothing_changed(f, run);
    ax_batch good = full_batch(f, run);
    committed(f, &good);
    assert_int_equal(ax_then_rows(f, run->id).node_count, 1);
}

static void a_run_of_another_version_is_a_conflict(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_batch batch = full_batch(f, &run);
    batch.runs.at[0].from_version = 0;
    then_conflict(f, &run, &batch);
}

static void a_run_in_another_state_is_a_conflict(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_batch batch = full_batch(f, &run);
    batch.runs.at[0].from = AX_RUN_PAUSED;
    then_conflict(f, &run, &batch);
}

static void a_run_that_is_not_there_is_a_conflict(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_batch batch = full_batch(f, &run);
    batch.runs.at[0].to.id = 77;
    then_conflict(f, &run, &batch);
}

static void a_node_of_a_run_that_is_not_there_is_a_conflict(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_batch batch = full_batch(f, &run);
    ax_vec_push(&f->mem, &batch.nodes, new_node(77, 0));
    then_conflict(f, &run, &batch);
}

static void a_node_that_is_not_there_is_a_conflict(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_batch batch = full_batch(f, &run);
    ax_node_change first = new_node(run.id, 1);
    ax_vec_push(&f->mem, &batch.nodes, next_node(&first, AX_NODE_ST_SUCCEEDED));
    then_conflict(f, &run, &batch);
}

static void a_log_row_that_is_there_is_a_conflict(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f);
    ax_batch batch = full_batch(f, &run);
    ax_vec_push(&f->mem, &batch.log, log_row(run.id, run.seq, 0));
    then_conflict(f, &run, &batch);
}

static void an_older_epoch_changes_nothing(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rec run = ax_given_run(f), other = run;
    ax_batch batch = full_batch(f, &run);
    batch.epoch = f->epoch - 1;
    then_conflict(f, &run, &batch);
    assert_int_equal(OPS(f)->create_run(f->store, &other, f->plan, f->epoch - 1, &f->err), AX_CONFLICT);
    assert_int_equal(other.id, run.id);
    assert_int_equal(OPS(f)->load_run(f->store, run.id + 1, &f->mem, &(ax_run_rows){0}, &f->err),
                     AX_NOT_FOUND);
}

/* A node and an attempt that are stored, then changed by a batch of which `breaks` spoils one row. */
static void then_a_stale_row_conflicts(ax_store_fixture *f, void (*breaks)(ax_batch *batch))
{
    ax_run_rec run = ax_given_run(f);
    ax_batch first = full_batch(f, &run), second = ax_batch_new(&f->mem, f->epoch);
    committed(f, &first);
    ax_node_change node = next_node(&first.nodes.at[0], AX_NODE_ST_SUCCEEDED);
    ax_instance_change inst = first.instances.at[0];
    inst.from_version = 1;
    inst.to.version = 2;
    inst.to.state = AX_INSTANCE_READY;
    ax_vec_push(&f->mem, &second.nodes, node);
    ax_vec_push(&f->mem, &second.instances, inst);
    breaks(&second);

    assert_int_equal(commit(f, &second), AX_CONFLICT);
    ax_run_rows rows = ax_then_rows(f, run.id);
    assert_same_node(&rows.nodes[0], &first.nodes.at[0].to);
    assert_same_instance(&rows.instances[0], &first.instances.at[0].to);
}

static void wrong_node_version(ax_batch *batch)
{
    batch->nodes.at[0].from_version++;
    batch->nodes.at[0].to.version++;
}

static void wrong_node_state(ax_batch *batch)
{
    batch->nodes.at[0].from = AX_NODE_ST_HELD;
}

static void wrong_attempt_version(ax_batch *batch)
{
    batch->instances.at[0].from_version++;
    batch->instances.at[0].to.version++;
}

static void wrong_attempt_state(ax_batch *batch)
{
    batch->instances.at[0].from = AX_INSTANCE_RUNNING;
}

static void attempt_made_again(ax_batch *batch)
{
    batch->instances.at[0].from_version = 0;
}

static void node_made_again(ax_batch *batch)
{
    batch->nodes.at[0].from_version = 0;
}

static void a_stale_node_or_attempt_is_a_conflict(void **state)
{
    then_a_stale_row_conflicts(*state, wrong_node_version);
    then_a_stale_row_conflicts(*state, wrong_node_state);
    then_a_stale_row_conflicts(*state, wrong_attempt_version);
    then_a_stale_row_conflicts(*state, wrong_attempt_state);
    then_a_stale_row_conflicts(*state, attempt_made_again);
    then_a_stale_row_conflicts(*state, node_made_again);
}

static void an_empty_batch_is_committed(void **state)
{
    ax_store_fixture *f = *state;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    committed(f, &batch);
}

/* -----------------------------------------------------------------------------------------------------------
 * lease */

static ax_rc open_second(ax_store_fixture *f, ax_store **other)
{
    return f->backend->open(f->dir, other, &f->err);
}

static void a_second_scheduler_is_refused_by_name(void **state)
{
    ax_store_fixture *f = *state;
    ax_store *other;
    uint64_t epoch = 0;
    assert_int_equal(open_second(f, &other), AX_OK);
    assert_int_equal(other->ops->lease_take(other, AX_LIT("second"), 60000, &epoch, &f->err), AX_BUSY);
    assert_non_null(strstr(f->err.text, "test"));
    assert_int_equal(epoch, 0);
    ax_given_run(f);
    other->ops->close(other);
}

static void a_released_lease_is_taken_with_a_new_epoch(void **state)
{
    ax_store_fixture *f = *state;
    ax_store *other;
    uint64_t epoch = 0;
    assert_int_equal(open_second(f, &other), AX_OK);
    assert_int_equal(OPS(f)->lease_release(f->store, f->epoch, &f->err), AX_OK);
    assert_int_equal(other->ops->lease_take(other, AX_LIT("second"), 60000, &epoch, &f->err), AX_OK);
    assert_true(epoch > f->epoch);
    assert_int_equal(OPS(f)->lease_renew(f->store, f->epoch, 60000, &f->err), AX_CONFLICT);
    assert_int_equal(OPS(f)->lease_release(f->store, f->epoch, &f->err), AX_CONFLICT);
    assert_int_equal(other->ops->lease_renew(other, epoch, 60000, &f->err), AX_OK);
    other->ops->close(other);
}

static void an_expired_lease_is_taken_and_its_holder_fenced(void **state)
{
    ax_store_fixture *f = *state;
    ax_store *other;
    uint64_t epoch = 0;
    ax_run_rec run = ax_given_run(f);
    assert_int_equal(open_second(f, &other), AX_OK);
    assert_int_equal(OPS(f)->lease_renew(f->store, f->epoch, -1, &f->err), AX_OK);
    assert_int_equal(other->ops->lease_take(other, AX_LIT("second"), 60000, &epoch, &f->err), AX_OK);
    ax_batch batch = full_batch(f, &run);
    assert_int_equal(commit(f, &batch), AX_CONFLICT);
    then_nothing_changed(f, &run);
    batch.epoch = epoch;
    assert_int_equal(other->ops->commit(other, &batch, &f->err), AX_OK);

    /* The fenced one may not take it back while the other lives, though its own lock is still there. */
    uint64_t again = 0;
    assert_int_equal(OPS(f)->lease_take(f->store, AX_LIT("test"), 60000, &again, &f->err), AX_BUSY);
    assert_non_null(strstr(f->err.text, "second"));
    other->ops->close(other);
}

static void the_lease_of_one_that_died_is_taken_at_once(void **state)
{
    ax_store_fixture *f = *state;
    ax_store *other;
    uint64_t epoch = 0;
    assert_int_equal(OPS(f)->lease_release(f->store, f->epoch, &f->err), AX_OK);
    pid_t pid = fork();
    if (pid == 0) {
        ax_rc rc = open_second(f, &other);
        if (rc == AX_OK) rc = other->ops->lease_take(other, AX_LIT("dies"), 3600000, &epoch, &f->err);
        if (rc == AX_OK) kill(getpid(), SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(OPS(f)->lease_take(f->store, AX_LIT("test"), 60000, &epoch, &f->err), AX_OK);
    assert_int_equal(epoch, f->epoch + 2);
}

/* -------------------------------------------------------------------------------------------------- lists
 * and plans */

static uint32_t list(ax_store_fixture *f, ax_run_filter filter, ax_run_summary **out)
{
    uint32_t count;
    ax_rc rc = OPS(f)->list_runs(f->store, &filter, &f->mem, out, &count, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return count;
}

static void runs_are_listed_newest_first(void **state)
{
    ax_store_fixture *f = *state;
    static const char *const tasks[] = {"x"};
    ax_run_summary *runs;
    assert_int_equal(list(f, (ax_run_filter){.limit = 10}, &runs), 0);
    ax_plan *nightly = f->plan, *hourly = ax_plan_of(&f->mem, "hourly", tasks, 1);
    for (int i = 0; i < 6; i++) { /* nightly 1 3 5, hourly 2 4 6; ended: 1 and 2 */
        f->plan = i % 2 == 0 ? nightly : hourly;
        ax_run_rec run = ax_given_run(f);
        if (i > 1) continue;
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_run_change change = next_run(&run, AX_RUN_SUCCEEDED);
        change.to.ended_ms = 9;
        ax_vec_push(&f->mem, &batch.runs, change);
        committed(f, &batch);
    }
    assert_int_equal(list(f, (ax_run_filter){.limit = 4}, &runs), 4);
    assert_int_equal(runs[0].run.id, 6);
    assert_int_equal(runs[0].nodes_total, 1);
    assert_int_equal(runs[1].nodes_total, 3);
    assert_int_equal(runs[3].run.id, 3);
    assert_int_equal(list(f, (ax_run_filter){.limit = 4, .before = 3}, &runs), 2);
    assert_int_equal(runs[0].run.id, 2);
    assert_int_equal(list(f, (ax_run_filter){.limit = 9, .workflow = AX_LIT("hourly")}, &runs), 3);
    assert_int_equal(runs[2].run.id, 2);
    assert_int_equal(list(f, (ax_run_filter){.limit = 9, .unfinished = true}, &runs), 4);
    assert_int_equal(runs[3].run.id, 3);
    assert_int_equal(
        list(f, (ax_run_filter){.limit = 9, .workflow = AX_LIT("nightly"), .unfinished = true}, &runs), 2);
    assert_int_equal(runs[1].run.id, 3);
    assert_int_equal(list(f, (ax_run_filter){.limit = 9, .workflow = AX_LIT("none")}, &runs), 0);
}

static void a_list_counts_the_nodes_in_each_state(void **state)
{
    ax_store_fixture *f = *state;
    uint64_t run = ax_given_run(f).id, other = ax_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < 3; i++) ax_vec_push(&f->mem, &batch.nodes, new_node(run, i));
    ax_vec_push(&f->mem, &batch.nodes, new_node(other, 0));
    committed(f, &batch);
    ax_batch second = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &second.nodes, next_node(&batch.nodes.at[0], AX_NODE_ST_SUCCEEDED));
    ax_vec_push(&f->mem, &second.nodes, next_node(&batch.nodes.at[1], AX_NODE_ST_FAILED));
    committed(f, &second);

    ax_run_summary *runs;
    assert_int_equal(list(f, (ax_run_filter){.limit = 2}, &runs), 2);
    const uint32_t want[AX_NODE_ST_COUNT] = {
        [AX_NODE_ST_ACTIVE] = 1, [AX_NODE_ST_SUCCEEDED] = 1, [AX_NODE_ST_FAILED] = 1};
    for (int i = 0; i < AX_NODE_ST_COUNT; i++) {
        assert_int_equal(runs[1].by_state[i], want[i]);
        assert_int_equal(runs[0].by_state[i], i == AX_NODE_ST_ACTIVE);
    }
}

static void a_plan_is_kept_once_under_its_hash(void **state)
{
    ax_store_fixture *f = *state;
    ax_plan *got = NULL;
    assert_int_equal(OPS(f)->get_plan(f->store, ax_str_of(f->plan->hash), &f->mem, &got, &f->err),
                     AX_NOT_FOUND);
    for (int i = 0; i < 2; i++) assert_int_equal(OPS(f)->put_plan(f->store, f->plan, &f->err), AX_OK);
    assert_int_equal(OPS(f)->get_plan(f->store, ax_str_of(f->plan->hash), &f->mem, &got, &f->err), AX_OK);
    assert_string_equal(got->hash, f->plan->hash);
    assert_int_equal(got->node_count, 3);
    assert_str(got->nodes[2].name, "c");
}

static void a_run_keeps_its_plan(void **state)
{
    ax_store_fixture *f = *state;
    ax_plan *got = NULL;
    ax_run_rec run = ax_given_run(f);
    assert_int_equal(OPS(f)->get_plan(f->store, run.hash, &f->mem, &got, &f->err), AX_OK);
    assert_string_equal(got->hash, f->plan->hash);
}

static void a_run_that_is_not_there_is_not_found(void **state)
{
    ax_store_fixture *f = *state;
    ax_run_rows rows;
    assert_int_equal(OPS(f)->load_run(f->store, 7, &f->mem, &rows, &f->err), AX_NOT_FOUND);
    assert_non_null(strstr(f->err.text, "7"));
}

/* ------------------------------------------------------------------------------------------------------ two
 * at once */

/* Moves the run `turns` times, from whatever it is to the next version, as often as it takes. */
static int move_run(ax_store_fixture *f, ax_store *store, uint64_t run, int turns)
{
    while (turns > 0) {
        ax_run_rows rows;
        ax_arena_reset(&f->mem);
        if (store->ops->load_run(store, run, &f->mem, &rows, &f->err) != AX_OK) return 1;
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_run_change change = next_run(&rows.run, rows.run.state);
        change.to.seq++;
        ax_vec_push(&f->mem, &batch.runs, change);
        ax_vec_push(&f->mem, &batch.log, log_row(run, change.to.seq, 0));
        ax_rc rc = store->ops->commit(store, &batch, &f->err);
        if (rc == AX_OK) turns--;
        else if (rc != AX_CONFLICT && rc != AX_BUSY) return 2;
    }
    return 0;
}

static void two_processes_that_write_lose_nothing(void **state)
{
    ax_store_fixture *f = *state;
    enum { WRITERS = 2, TURNS = 100 };
    ax_run_rec run = ax_given_run(f);
    pid_t pids[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        pids[i] = fork();
        if (pids[i] != 0) continue;
        ax_store *store;
        int code = open_second(f, &store) == AX_OK ? move_run(f, store, run.id, TURNS) : 9;
        _exit(code);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    ax_run_rows rows = ax_then_rows(f, run.id);
    ax_log_rec *log;
    assert_int_equal(rows.run.version, run.version + WRITERS * TURNS);
    assert_int_equal(read_log(f, run.id, AX_NONE, 0, 1000, &log), 1 + WRITERS * TURNS);
}

/* --------------------------------------------------------------------------------------------------------
 * the suite */

int ax_store_suite(const ax_store_backend *backend)
{
#define CASE(function)                                                                                       \
    {                                                                                                        \
        .name = #function, .test_func = function, .setup_func = set_up, .teardown_func = tear_down           \
    }
    struct CMUnitTest tests[] = {
        CASE(a_run_comes_back_as_it_was_created),
        CASE(ids_of_runs_ascend_from_one),
        CASE(the_changing_fields_of_a_run_come_back),
        CASE(every_field_of_a_node_comes_back),
        CASE(every_field_of_an_attempt_comes_back),
        CASE(rows_come_in_the_order_of_their_keys),
        CASE(every_state_and_reason_comes_back_by_its_name),
        CASE(outputs_keep_every_byte),
        CASE(a_new_run_has_its_creation_in_the_history),
        CASE(log_rows_of_every_machine_come_back),
        CASE(the_history_is_read_in_pages_and_by_node),
        CASE(an_effect_waits_until_it_is_done),
        CASE(an_effect_may_be_done_twice),
        CASE(an_effect_is_not_taken_in_twice),
        CASE(a_run_of_another_version_is_a_conflict),
        CASE(a_run_in_another_state_is_a_conflict),
        CASE(a_run_that_is_not_there_is_a_conflict),
        CASE(a_node_of_a_run_that_is_not_there_is_a_conflict),
        CASE(a_node_that_is_not_there_is_a_conflict),
        CASE(a_log_row_that_is_there_is_a_conflict),
        CASE(an_older_epoch_changes_nothing),
        CASE(a_stale_node_or_attempt_is_a_conflict),
        CASE(an_empty_batch_is_committed),
        CASE(a_second_scheduler_is_refused_by_name),
        CASE(a_released_lease_is_taken_with_a_new_epoch),
        CASE(an_expired_lease_is_taken_and_its_holder_fenced),
        CASE(the_lease_of_one_that_died_is_taken_at_once),
        CASE(runs_are_listed_newest_first),
        CASE(a_list_counts_the_nodes_in_each_state),
        CASE(a_plan_is_kept_once_under_its_hash),
        CASE(a_run_keeps_its_plan),
        CASE(a_run_that_is_not_there_is_not_found),
        CASE(two_processes_that_write_lose_nothing),
    };
#undef CASE
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tests[i].initial_state = (void *)(uintptr_t)backend;
    return cmocka_run_group_tests_name(backend->name, tests, NULL, NULL);
}
