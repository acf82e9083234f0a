/* store_suite_rows.c - the conformance suite, first half: rows come back as they were written. */
#include "tests/lib/store_suite.h"
#include <string.h>

#include "tests/lib/test.h"

#define OPS(f) ((f)->store->ops)

/* -------------------------------------------------------------------------------------------- fidelity */

static void a_run_comes_back_as_it_was_created(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = {
        .workflow = test_hostile(),
        .hash = ax_str_of(f->plan->hash),
        .state = AX_RUN_QUEUED,
        .version = 1,
        .seq = 1,
        .date = -20000,
        .scheduled_at_ms = 11,
        .interval_start_ms = 12,
        .interval_end_ms = 13,
        .params = test_hostile(),
        .workdir = test_hostile(),
        .origin = test_hostile(),
        .paused_by_person = true,
        .created_ms = 14,
        .started_ms = 15,
        .ended_ms = INT64_MAX,
    };
    assert_int_equal(OPS(f)->create_run(f->store, &run, f->plan, f->epoch, &f->err), AX_OK);
    ax_run_rows rows = test_then_rows(f, run.id);
    test_assert_same_run(&rows.run, &run);
    assert_int_equal(rows.node_count + rows.instance_count + rows.output_count + rows.effect_count, 0);
}

static void ids_of_runs_ascend_from_one(void **state)
{
    store_fixture *f = *state;
    for (uint64_t id = 1; id <= 3; id++) assert_int_equal(test_given_run(f).id, id);
}

static void ids_go_on_behind_one_that_was_asked_for(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    run.id = 17;
    assert_int_equal(OPS(f)->create_run(f->store, &run, f->plan, f->epoch, &f->err), AX_OK);
    assert_int_equal(run.id, 17);
    assert_int_equal(test_given_run(f).id, 18);
}

static void the_changing_fields_of_a_run_come_back(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_run_change change = test_next_run(&run, AX_RUN_PAUSED);
    change.to.seq = 1ull << 40;
    change.to.paused_by_person = true;
    change.to.started_ms = 21;
    change.to.ended_ms = 22;
    ax_vec_push(&f->mem, &batch.runs, change);
    test_given_commit(f, &batch);
    ax_run_rows rows = test_then_rows(f, run.id);
    test_assert_same_run(&rows.run, &change.to);
}

static void every_field_of_a_node_comes_back(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
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
        test_given_commit(f, &batch);
        ax_run_rows rows = test_then_rows(f, run);
        assert_int_equal(rows.node_count, 1);
        test_assert_same_node(&rows.nodes[0], &change.to);
    }
}

static void every_field_of_an_attempt_comes_back(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
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
            .message = test_hostile(),
        };
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_vec_push(&f->mem, &batch.instances, change);
        test_given_commit(f, &batch);
        ax_run_rows rows = test_then_rows(f, run);
        assert_int_equal(rows.instance_count, 1);
        test_assert_same_instance(&rows.instances[0], &change.to);
    }
}

static void rows_come_in_the_order_of_their_keys(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 3; i-- > 0;) {
        ax_vec_push(&f->mem, &batch.nodes, test_new_node(run, i));
        for (uint32_t attempt = 2; attempt > 0; attempt--) {
            ax_instance_change change = test_new_instance(run, i);
            change.to.attempt = attempt;
            ax_vec_push(&f->mem, &batch.instances, change);
        }
    }
    test_given_commit(f, &batch);
    ax_run_rows rows = test_then_rows(f, run);
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
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < AX_INSTANCE_COUNT; i++) {
        ax_instance_change change = test_new_instance(run, i);
        change.to.state = (ax_instance_state)i;
        ax_vec_push(&f->mem, &batch.instances, change);
    }
    for (uint32_t i = 0; i < AX_REASON_COUNT; i++) {
        ax_node_change change = test_new_node(run, i);
        change.to.state = (ax_node_state)(i % AX_NODE_ST_COUNT);
        change.to.reason = (ax_reason)i;
        ax_vec_push(&f->mem, &batch.nodes, change);
    }
    test_given_commit(f, &batch);
    ax_run_rows rows = test_then_rows(f, run);
    for (uint32_t i = 0; i < AX_INSTANCE_COUNT; i++) assert_int_equal(rows.instances[i].state, i);
    for (uint32_t i = 0; i < AX_REASON_COUNT; i++) {
        assert_int_equal(rows.nodes[i].state, i % AX_NODE_ST_COUNT);
        assert_int_equal(rows.nodes[i].reason, i);
    }
    for (uint32_t i = 0; i < AX_RUN_COUNT; i++) {
        ax_run_rec other = test_given_run(f);
        batch = ax_batch_new(&f->mem, f->epoch);
        ax_vec_push(&f->mem, &batch.runs, test_next_run(&other, (ax_run_state)i));
        test_given_commit(f, &batch);
        assert_int_equal(test_then_rows(f, other.id).run.state, i);
    }
}

static void outputs_keep_every_byte(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
    enum { LONG = 1 << 20 };
    char *text = ax_arena_alloc(&f->mem, LONG);
    for (uint32_t i = 0; i < LONG; i++) text[i] = (char)(i * 7 + i / 251);
    const ax_str values[] = {test_hostile(), {0}, {text, LONG}};
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < 3; i++)
        ax_vec_push(&f->mem, &batch.outputs,
                    (ax_output_change){run, {.node = 1, .attempt = 2, .output = i, .value = values[i]}});
    test_given_commit(f, &batch);
    ax_run_rows rows = test_then_rows(f, run);
    assert_int_equal(rows.output_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rows.outputs[i].node, 1);
        assert_int_equal(rows.outputs[i].attempt, 2);
        assert_int_equal(rows.outputs[i].output, i);
        test_assert_same_str(rows.outputs[i].value, values[i]);
    }
}

/* --------------------------------------------------------------------------------------------- history */

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
    test_assert_same_str(got->event_id, want->event_id);
    test_assert_same_str(got->source, want->source);
    test_assert_same_str(got->person, want->person);
    test_assert_same_str(got->reason, want->reason);
    test_assert_same_str(got->extra, want->extra);
    assert_int_equal(got->at_ms, want->at_ms);
}

static void a_new_run_has_its_creation_in_the_history(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_log_rec *rows;
    assert_int_equal(test_then_log(f, run.id, AX_NONE, 0, 10, &rows), 1);
    assert_int_equal(rows[0].seq, run.seq);
    assert_int_equal(rows[0].machine, AX_MACHINE_RUN);
    assert_int_equal(rows[0].node, AX_NONE);
    assert_true(rows[0].created);
    assert_int_equal(rows[0].to, AX_RUN_QUEUED);
    assert_int_equal(rows[0].at_ms, run.created_ms);
}

static void log_rows_of_every_machine_come_back(void **state)
{
    store_fixture *f = *state;
    static const struct {
        ax_machine machine;
        uint32_t node, attempt;
        uint8_t from, event, to;
        bool created;
    } rows[] = {
        {AX_MACHINE_RUN, AX_NONE, 0, AX_RUN_QUEUED, AX_RUN_EV_ADMIT, AX_RUN_RUNNING, false},
        {AX_MACHINE_NODE, 2, 0, AX_NODE_ST_FAILED, AX_NODE_EV_GIVE_UP, AX_NODE_ST_FAILED, false},
        {AX_MACHINE_INSTANCE, 1, 3, AX_INSTANCE_RETRYING, 0, AX_INSTANCE_RETRYING, true},
        {AX_MACHINE_INSTANCE, 1, 3, AX_INSTANCE_TIMING_OUT, AX_INSTANCE_EV_LOST, AX_INSTANCE_TIMEOUT, false},
        {AX_MACHINE_GHOST, 1, 2, AX_INSTANCE_FAILED, AX_INSTANCE_EV_SUCCESS, AX_INSTANCE_FAILED, false},
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    uint64_t run = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < COUNT; i++) {
        ax_log_rec row = {.run = run, .seq = i + 2, .machine = rows[i].machine, .node = rows[i].node};
        row.attempt = rows[i].attempt;
        row.from = rows[i].from;
        row.event = rows[i].event;
        row.to = rows[i].to;
        row.created = rows[i].created;
        row.at_ms = 50 + i;
        ax_str *texts[] = {&row.event_id, &row.source, &row.person, &row.reason, &row.extra};
        *texts[i] = test_hostile(); /* one in each row, so that no two can be mixed up */
        ax_vec_push(&f->mem, &batch.log, row);
    }
    test_given_commit(f, &batch);
    ax_log_rec *got;
    assert_int_equal(test_then_log(f, run, AX_NONE, 1, 100, &got), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) assert_same_log(&got[i], &batch.log.at[i]);
}

static void the_history_is_read_in_pages_and_by_node(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id, other = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 9; i-- > 0;) {
        ax_vec_push(&f->mem, &batch.log, test_new_log(run, i + 2, i % 3));
        ax_vec_push(&f->mem, &batch.log, test_new_log(other, i + 2, 0));
    }
    test_given_commit(f, &batch);
    ax_log_rec *rows;
    assert_int_equal(test_then_log(f, run, AX_NONE, 1, 4, &rows), 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(rows[i].seq, i + 2);
    assert_int_equal(test_then_log(f, run, AX_NONE, rows[3].seq, 100, &rows), 5);
    assert_int_equal(rows[0].seq, 6);
    assert_int_equal(test_then_log(f, run, 1, 0, 2, &rows), 2);
    assert_int_equal(rows[0].seq, 3);
    assert_int_equal(rows[1].seq, 6);
    assert_int_equal(test_then_log(f, run, 1, 6, 100, &rows), 1);
    assert_int_equal(rows[0].seq, 9);
    assert_int_equal(test_then_log(f, 99, AX_NONE, 0, 100, &rows), 0);
}

/* --------------------------------------------------------------------------------------------- effects */

static void an_effect_waits_until_it_is_done(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.effects, test_new_effect(run, 5, AX_EFFECT_STOP));
    ax_vec_push(&f->mem, &batch.effects, test_new_effect(run, 4, AX_EFFECT_START));
    test_given_commit(f, &batch);
    ax_run_rows rows = test_then_rows(f, run);
    assert_int_equal(rows.effect_count, 2);
    assert_int_equal(rows.effects[0].seq, 4);
    assert_int_equal(rows.effects[0].kind, AX_EFFECT_START);
    assert_int_equal(rows.effects[0].run, run);
    assert_int_equal(rows.effects[0].node, 1);
    assert_int_equal(rows.effects[0].attempt, 2);
    assert_int_equal(rows.effects[1].kind, AX_EFFECT_STOP);

    batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.done, test_new_effect(run, 4, AX_EFFECT_START));
    test_given_commit(f, &batch);
    rows = test_then_rows(f, run);
    assert_int_equal(rows.effect_count, 1);
    assert_int_equal(rows.effects[0].seq, 5);
}

static void an_effect_may_be_done_twice(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.done, test_new_effect(run, 4, AX_EFFECT_START));
    test_given_commit(f, &batch);
    test_given_commit(f, &batch);
}

static void an_effect_is_not_taken_in_twice(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.effects, test_new_effect(run, 4, AX_EFFECT_START));
    test_given_commit(f, &batch);
    assert_int_equal(test_when_commit(f, &batch), AX_CONFLICT);
    assert_int_equal(test_then_rows(f, run).effect_count, 1);
}

/* ------------------------------------------------------------------------------------- lists and plans */

static uint32_t list(store_fixture *f, ax_run_filter filter, ax_run_summary **out)
{
    uint32_t count;
    ax_rc rc = OPS(f)->list_runs(f->store, &filter, &f->mem, out, &count, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    return count;
}

static void runs_are_listed_newest_first(void **state)
{
    store_fixture *f = *state;
    ax_run_summary *runs;
    assert_int_equal(list(f, (ax_run_filter){.limit = 10}, &runs), 0);
    ax_plan *nightly = f->plan, *hourly = test_plan_named(&f->mem, "hourly", "x");
    for (int i = 0; i < 6; i++) { /* nightly 1 3 5, hourly 2 4 6; ended: 1 and 2 */
        f->plan = i % 2 == 0 ? nightly : hourly;
        ax_run_rec run = test_given_run(f);
        if (i > 1) continue;
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_run_change change = test_next_run(&run, AX_RUN_SUCCEEDED);
        change.to.ended_ms = 9;
        ax_vec_push(&f->mem, &batch.runs, change);
        test_given_commit(f, &batch);
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
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id, other = test_given_run(f).id;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < 3; i++) ax_vec_push(&f->mem, &batch.nodes, test_new_node(run, i));
    ax_vec_push(&f->mem, &batch.nodes, test_new_node(other, 0));
    test_given_commit(f, &batch);
    ax_batch second = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &second.nodes, test_next_node(&batch.nodes.at[0], AX_NODE_ST_SUCCEEDED));
    ax_vec_push(&f->mem, &second.nodes, test_next_node(&batch.nodes.at[1], AX_NODE_ST_FAILED));
    test_given_commit(f, &second);

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
    store_fixture *f = *state;
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
    store_fixture *f = *state;
    ax_plan *got = NULL;
    ax_run_rec run = test_given_run(f);
    ax_rc rc = OPS(f)->get_plan(f->store, run.hash, &f->mem, &got, &f->err);
    if (rc != AX_OK) fail_msg("%s", f->err.text);
    assert_string_equal(got->hash, f->plan->hash);
}

static void a_run_that_is_not_there_is_not_found(void **state)
{
    store_fixture *f = *state;
    ax_run_rows rows;
    assert_int_equal(OPS(f)->load_run(f->store, 7, &f->mem, &rows, &f->err), AX_NOT_FOUND);
    assert_non_null(strstr(f->err.text, "7"));
}

/* ------------------------------------------------------------------------------------------- the suite */

int test_suite_rows(const test_backend *backend)
{
    struct CMUnitTest tests[] = {
        CASE(a_run_comes_back_as_it_was_created),
        CASE(ids_of_runs_ascend_from_one),
        CASE(ids_go_on_behind_one_that_was_asked_for),
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
        CASE(runs_are_listed_newest_first),
        CASE(a_list_counts_the_nodes_in_each_state),
        CASE(a_plan_is_kept_once_under_its_hash),
        CASE(a_run_keeps_its_plan),
        CASE(a_run_that_is_not_there_is_not_found),
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tests[i].initial_state = (void *)(uintptr_t)backend;
    return cmocka_run_group_tests_name(backend->name, tests, NULL, NULL);
}
