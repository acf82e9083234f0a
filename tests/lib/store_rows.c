/* store_rows.c - rows for the tests of the store, and how they are compared. */
#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"

ax_node_change test_new_node(uint64_t run, uint32_t node)
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

ax_node_change test_next_node(const ax_node_change *last, ax_node_state state)
{
    ax_node_change next = *last;
    next.from = last->to.state;
    next.from_version = last->to.version;
    next.to.state = state;
    next.to.version++;
    return next;
}

ax_instance_change test_new_instance(uint64_t run, uint32_t node)
{
    return (ax_instance_change){
        .run = run,
        .from = AX_INSTANCE_PENDING,
        .from_version = 0,
        .to = {.node = node, .attempt = 1, .state = AX_INSTANCE_PENDING, .version = 1, .created_ms = 5},
    };
}

ax_log_rec test_new_log(uint64_t run, uint64_t seq, uint32_t node)
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

ax_run_change test_next_run(const ax_run_rec *run, ax_run_state state)
{
    ax_run_change next = {.from = run->state, .from_version = run->version, .to = *run};
    next.to.state = state;
    next.to.version++;
    return next;
}

ax_effect test_new_effect(uint64_t run, uint64_t seq, ax_effect_kind kind)
{
    return (ax_effect){.run = run, .seq = seq, .kind = kind, .node = (uint32_t)seq % 3, .attempt = 2};
}

void test_assert_same_str(ax_str got, ax_str want)
{
    assert_int_equal(got.len, want.len);
    if (want.len > 0) assert_memory_equal(got.ptr, want.ptr, want.len);
}

void test_assert_same_run(const ax_run_rec *got, const ax_run_rec *want)
{
    assert_int_equal(got->id, want->id);
    test_assert_same_str(got->workflow, want->workflow);
    test_assert_same_str(got->hash, want->hash);
    assert_int_equal(got->state, want->state);
    assert_int_equal(got->version, want->version);
    assert_int_equal(got->seq, want->seq);
    assert_int_equal(got->date, want->date);
    assert_int_equal(got->scheduled_at_ms, want->scheduled_at_ms);
    assert_int_equal(got->interval_start_ms, want->interval_start_ms);
    assert_int_equal(got->interval_end_ms, want->interval_end_ms);
    test_assert_same_str(got->params, want->params);
    test_assert_same_str(got->workdir, want->workdir);
    test_assert_same_str(got->origin, want->origin);
    assert_int_equal(got->paused_by_person, want->paused_by_person);
    assert_int_equal(got->created_ms, want->created_ms);
    assert_int_equal(got->started_ms, want->started_ms);
    assert_int_equal(got->ended_ms, want->ended_ms);
}

void test_assert_same_node(const ax_node_rec *got, const ax_node_rec *want)
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

void test_assert_same_instance(const ax_instance_rec *got, const ax_instance_rec *want)
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
    test_assert_same_str(got->message, want->message);
}
