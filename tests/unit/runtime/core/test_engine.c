/* test_engine.c - the course of a run: order, joins, skips, groups, the end (O-16, O-18, O-20, O-33). */
#include <stdio.h>

#include "runtime/core/view_int.h"
#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

static void a_chain_runs_in_order_and_succeeds(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c");
    then_nodes(r, "a=ACTIVE b=BLOCKED c=BLOCKED");
    when_exits(r, "a", 0);
    then_nodes(r, "a=SUCCEEDED b=ACTIVE c=BLOCKED");
    when_exits(r, "b", 0);
    when_exits(r, "c", 0);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void a_failure_skips_what_needs_it_and_fails_the_run(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c; a:failed -> d; x -> y");
    when_exits(r, "a", 3);
    then_nodes(r, "a=FAILED:exit b=SKIPPED:upstream_failed c=SKIPPED:upstream_failed d=ACTIVE x=ACTIVE");
    then_cause(r, "c", "a");
    when_exits(r, "d", 0);
    when_exits(r, "x", 0);
    then_run(r, "RUNNING");
    when_exits(r, "y", 0);
    then_run(r, "FAILED");
    end_run(r);
}

static void nothing_begins_before_the_run_is_admitted(void **state)
{
    (void)state;
    test_run *r = given_queued_run("a -> b");
    then_node(r, "a", "BLOCKED");
    assert_int_equal(ax_view_next_ready(r->view), AX_NONE);
    when_refused(r, AX_EVENT_RETRY, "a", "a run that is QUEUED does not accept RETRY");
    when(r, AX_EVENT_ADMIT, NULL);
    then_node(r, "a", "ACTIVE");
    when_refused(r, AX_EVENT_ADMIT, NULL, "RUNNING does not accept ADMIT");
    end_run(r);
}

static void a_node_that_does_not_exist_is_not_found(void **state)
{
    (void)state;
    test_run *r = given_run("fan s = 2; s -> a");
    assert_int_equal(step(r, (ax_event){.kind = AX_EVENT_RETRY, .node = 99}), AX_NOT_FOUND);
    assert_int_equal(step(r, (ax_event){.kind = AX_EVENT_REPORT, .node = 0, .attempt = 2}), AX_NOT_FOUND);
    when_refused(r, AX_EVENT_RETRY, "s", "a group has no state of its own");
    end_run(r);
}

/* ---- case O-16 ---- */

typedef struct {
    const char *join, *mode;
    const char *j_while_c_runs; /* NULL: not looked at */
    const char *j, *run;        /* j "runs": it must begin */
} o16;

/* mode: "c succeeds", "c fails": b has a false `when`; "b fails": instead, c succeeds; "both void": a's
 * `when` too. */
static const o16 o16_rows[] = {
    {"all", "c succeeds", "BLOCKED", "runs", "SUCCEEDED"},
    {"all", "c fails", "BLOCKED", "SKIPPED:upstream_failed", "FAILED"},
    {"all", "b fails", NULL, "SKIPPED:upstream_failed", "FAILED"},
    {"all", "both void", NULL, "SKIPPED:not_taken", "SUCCEEDED"},
    {"strict", "c succeeds", NULL, "SKIPPED:join_unmet", "SUCCEEDED"},
    {"strict", "c fails", NULL, "SKIPPED:upstream_failed", "FAILED"},
    {"strict", "b fails", NULL, "SKIPPED:upstream_failed", "FAILED"},
    {"strict", "both void", NULL, "SKIPPED:not_taken", "SUCCEEDED"},
    {"any", "c succeeds", "BLOCKED", "runs", "SUCCEEDED"},
    {"any", "c fails", "BLOCKED", "SKIPPED:upstream_failed", "FAILED"},
    {"any", "b fails", NULL, "runs", "FAILED"},
    {"any", "both void", NULL, "SKIPPED:not_taken", "SUCCEEDED"},
    {"at_least:2", "c succeeds", NULL, "SKIPPED:join_unmet", "SUCCEEDED"},
    {"at_least:2", "c fails", NULL, "SKIPPED:upstream_failed", "FAILED"},
    {"at_least:2", "b fails", NULL, "SKIPPED:upstream_failed", "FAILED"},
    {"at_least:2", "both void", NULL, "SKIPPED:not_taken", "SUCCEEDED"},
    {"done", "c succeeds", "BLOCKED", "runs", "SUCCEEDED"},
    {"done", "c fails", "BLOCKED", "runs", "FAILED"},
    {"done", "b fails", NULL, "runs", "FAILED"},
    {"done", "both void", NULL, "runs", "SUCCEEDED"},
};

static void play_o16(const o16 *row)
{
    char text[256], want[64];
    bool done = row->join[0] == 'd', b_fails = row->mode[0] == 'b' && row->mode[1] == ' ';
    bool both_void = row->mode[0] == 'b' && !b_fails, c_fails = row->mode[0] == 'c' && row->mode[2] == 'f';
    snprintf(text, sizeof text,
             "s -> [a, b]; a -> c; b -> d; [c%s, d%s] -> j; j join=%s; b when=%s; a when=%s",
             done ? ":done" : "", done ? ":done" : "", done ? "all" : row->join, b_fails ? "yes" : "no",
             both_void ? "no" : "yes");
    test_run *r = given_run(text);
    when_exits(r, "s", 0);
    if (!b_fails) then_nodes(r, "b=SKIPPED:condition_false d=SKIPPED:not_taken");
    if (b_fails) when_exits(r, "b", 1);
    if (!both_void) {
        when_exits(r, "a", 0);
        when_starts(r, "c");
        if (row->j_while_c_runs) then_node(r, "j", row->j_while_c_runs);
        when_exits(r, "c", c_fails);
        when_late(r, "c", 1, (ax_report){.how = AX_REPORT_EXITED, .exit_code = c_fails});
    }
    if (row->j[0] == 'r') {
        then_node(r, "j", "ACTIVE");
        when_exits(r, "j", 0);
    } else {
        snprintf(want, sizeof want, "j=%s", row->j);
        then_nodes(r, want);
    }
    then_run(r, row->run);
    end_run(r);
}

static void a_skip_travels_as_far_as_each_join_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof o16_rows / sizeof *o16_rows; i++) play_o16(&o16_rows[i]);
}

/* ---- cases O-18, O-20 ---- */

static void a_clean_up_leaf_does_not_hide_the_failure_in_the_middle(void **state)
{
    (void)state;
    test_run *r = given_run("start -> work; work:done -> clean");
    when_exits(r, "start", 0);
    when_exits(r, "work", 1);
    when_exits(r, "clean", 0);
    then_run(r, "FAILED");
    end_run(r);

    r = given_run("work policy=ignore; start -> work; work:done -> clean");
    when_exits(r, "start", 0);
    when_exits(r, "work", 1);
    when_exits(r, "clean", 0);
    then_nodes(r, "work=FAILED:exit");
    then_run(r, "SUCCEEDED");
    end_run(r);

    r = given_run("start -> work; work:done -> clean");
    when_exits(r, "start", 0);
    when_exits(r, "work", 0);
    when_exits(r, "clean", 1);
    then_run(r, "FAILED");
    end_run(r);
}

static void what_waits_behind_a_retry_stays_blocked(void **state)
{
    (void)state;
    test_run *r = given_run("a retry=1 wait=2000; a -> b; a:failed -> c");
    when_exits(r, "a", 1);
    then_attempt(r, "a", 1, "FAILED");
    then_attempt(r, "a", 2, "RETRYING");
    then_nodes(r, "a=ACTIVE b=BLOCKED c=BLOCKED");
    assert_int_equal(logged(r, "b", "SKIP") + logged(r, "c", "UNLOCK"), 0);
    when_passes(r, 2000);
    when_exits(r, "a", 0);
    then_nodes(r, "a=SUCCEEDED b=ACTIVE c=SKIPPED:not_taken");
    assert_int_equal(logged(r, "a", "FAIL"), 0);
    end_run(r);
}

/* ---- when, gates, skip_on ---- */

static void a_gate_ends_in_the_step_in_which_it_begins(void **state)
{
    (void)state;
    test_run *r = given_run("g gate=yes; [a, b] -> g; g join=any; g -> c");
    when_exits(r, "b", 0);
    then_nodes(r, "g=SUCCEEDED c=ACTIVE a=ACTIVE");
    then_attempts(r, "g", 0);
    assert_int_equal(logged(r, "g", "UNLOCK") + logged(r, "g", "SUCCEED"), 2);
    end_run(r);
}

static void a_when_without_a_value_fails_the_node_without_a_retry(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b; b when=bad retry=3; b:failed -> c; b -> d");
    when_exits(r, "a", 0);
    then_nodes(r, "b=FAILED:render c=ACTIVE d=SKIPPED:upstream_failed");
    then_attempt(r, "b", 1, "FAILED");
    then_attempts(r, "b", 1);
    when_refused(r, AX_EVENT_RETRY, "b", "'when'");
    end_run(r);
}

static void a_gate_whose_when_has_no_value_fails(void **state)
{
    (void)state;
    test_run *r = given_run("g gate=yes when=bad; g -> a");
    then_nodes(r, "g=FAILED:render a=SKIPPED:upstream_failed");
    then_run(r, "FAILED");
    end_run(r);
}

static void a_when_is_looked_at_anew_when_the_join_comes_to_hold_again(void **state)
{
    (void)state;
    test_run *r = given_run("a policy=ignore outputs=n:int; a -> b; x; b when=no; b:skipped -> c");
    when_exits(r, "a", 1);
    then_nodes(r, "b=SKIPPED:condition_false c=ACTIVE");
    when(r, AX_EVENT_RETRY, "a");
    then_nodes(r, "b=BLOCKED c=ACTIVE");
    when_exits(r, "a", 1);
    then_nodes(r, "b=SKIPPED:condition_false");
    assert_int_equal(logged(r, "b", "SKIP"), 2);
    end_run(r);
}

static void a_disabled_node_is_not_taken_from_the_start(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b -> c; b enabled=no; b:skipped -> d");
    then_nodes(r, "b=SKIPPED:disabled c=SKIPPED:not_taken d=ACTIVE a=ACTIVE");
    end_run(r);
}

static void an_exit_in_skip_on_skips_the_node_for_good(void **state)
{
    (void)state;
    test_run *r = given_run("a skip_on=99 retry=2; a -> b; a:skipped -> c");
    when_exits(r, "a", 99);
    then_attempt(r, "a", 1, "SUCCEEDED");
    then_nodes(r, "a=SKIPPED:condition_false b=SKIPPED:not_taken c=ACTIVE");
    when_exits(r, "c", 0);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

/* ---- groups ---- */

static void a_group_has_one_end_and_its_failure_shows_at_once(void **state)
{
    (void)state;
    test_run *r = given_run("group g = x y z; x -> y; s -> g; g -> after; g:failed -> alarm; g:done -> sum");
    then_nodes(r, "g=BLOCKED x=BLOCKED z=BLOCKED");
    when_exits(r, "s", 0);
    then_nodes(r, "g=ACTIVE x=ACTIVE y=BLOCKED z=ACTIVE");
    when_exits(r, "z", 1);
    then_nodes(r, "g=ACTIVE alarm=ACTIVE after=BLOCKED sum=BLOCKED");
    when_exits(r, "x", 0);
    when_exits(r, "y", 0);
    then_nodes(r, "g=FAILED after=SKIPPED:upstream_failed sum=ACTIVE");
    then_cause(r, "after", "z");
    end_run(r);
}

static void groups_nest(void **state)
{
    (void)state;
    test_run *r = given_run("group i = x y; group o = i z; o -> after");
    when_exits(r, "x", 0);
    when_exits(r, "z", 0);
    then_nodes(r, "i=ACTIVE o=ACTIVE after=BLOCKED");
    when_exits(r, "y", 0);
    then_nodes(r, "i=SUCCEEDED o=SUCCEEDED after=ACTIVE");
    end_run(r);
}

static void a_group_with_an_open_failure_is_open(void **state)
{
    (void)state;
    test_run *r = given_run("group g = x y; x policy=pause; g -> after; g:failed -> alarm");
    when_exits(r, "y", 0);
    when_exits(r, "x", 1);
    then_nodes(r, "g=FAILED alarm=ACTIVE after=HELD");
    when_exits(r, "alarm", 0);
    then_run(r, "PAUSED");
    when(r, AX_EVENT_ACCEPT, "x");
    then_nodes(r, "g=SUCCEEDED after=ACTIVE");
    end_run(r);
}

static void a_fan_out_is_one_edge_for_all_and_many_for_any(void **state)
{
    (void)state;
    test_run *r = given_run("fan s = 3; b join=any; s -> a; s -> b");
    when_exits(r, "s.1", 0);
    then_nodes(r, "a=BLOCKED b=ACTIVE s=ACTIVE");
    when_exits(r, "s.0", 0);
    when_exits(r, "s.2", 0);
    then_nodes(r, "a=ACTIVE s=SUCCEEDED");
    end_run(r);
}

/* ---- order ---- */

static void an_empty_fan_out_has_succeeded_before_anything_runs(void **state)
{
    (void)state;
    test_run *r = given_run("fan s = 0; s -> a; s:failed -> b");
    then_nodes(r, "s=SUCCEEDED a=ACTIVE b=SKIPPED:not_taken");
    end_run(r);
}

static uint32_t take_next(test_run *r)
{
    uint32_t node = ax_view_next_ready(r->view);
    assert_int_equal(step(r, (ax_event){.kind = AX_EVENT_DISPATCH, .node = node, .attempt = 1}), AX_OK);
    return node;
}

static void the_next_to_run_is_by_priority_then_by_when_it_became_ready(void **state)
{
    (void)state;
    test_run *r = given_run("a; b priority=5; s -> c; c priority=5; d");
    when_exits(r, "s", 0); /* c becomes ready later */
    r->now_ms += 10;
    static const char *const order[] = {"b", "c", "a", "d"};
    for (int i = 0; i < 4; i++) assert_str(r->plan->nodes[take_next(r)].name, order[i]);
    assert_int_equal(ax_view_next_ready(r->view), AX_NONE);
    assert_int_equal(ax_view_places(r->view), 4);
    end_run(r);
}

static void a_pause_of_a_person_stops_dispatch_and_nothing_else(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b; c");
    when_starts(r, "a");
    when(r, AX_EVENT_PAUSE, NULL);
    then_run(r, "PAUSED");
    assert_int_equal(ax_view_next_ready(r->view), AX_NONE);
    when_refused(r, AX_EVENT_DISPATCH, "c", "a run that is PAUSED starts nothing");
    when_exits(r, "a", 0);
    then_attempt(r, "b", 1, "READY");
    when(r, AX_EVENT_PAUSE, NULL); /* again: changes nothing */
    when(r, AX_EVENT_RESUME, NULL);
    then_run(r, "RUNNING");
    when_refused(r, AX_EVENT_RESUME, NULL, "a run that is RUNNING does not accept RESUME");
    when_exits(r, "c", 0);
    when(r, AX_EVENT_PAUSE, NULL);
    when_refused(r, AX_EVENT_ADMIT, NULL, "somebody pauses it");
    end_run(r);
}

static void a_paused_run_ends_when_its_last_attempt_does(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    when_starts(r, "a");
    when(r, AX_EVENT_PAUSE, NULL);
    when_exits(r, "a", 0);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

/* ---- case O-33, and seqs ---- */

static void a_skip_travels_a_long_chain_without_recursion(void **state)
{
    (void)state;
    enum { LENGTH = 20000 };
    ax_buf text = AX_BUF_INIT(1 << 20);
    for (int i = 1; i < LENGTH; i++) ax_buf_addf(&text, "n%d -> n%d\n", i - 1, i);
    test_run *r = given_queued_run(text.ptr);
    ax_buf_free(&text);
    r->unchecked = true;
    when(r, AX_EVENT_ADMIT, NULL);
    step(r, (ax_event){.kind = AX_EVENT_DISPATCH, .attempt = 1});
    step(r, (ax_event){.kind = AX_EVENT_REPORT, .attempt = 1, .report = REPORT_KILLED});
    then_run(r, "FAILED");
    assert_int_equal(ax_view_counts(r->view)[AX_NODE_ST_SKIPPED], LENGTH - 1);
    then_cause(r, "n19999", "n0");
    assert_int_equal(ax_view_check(r->view, NULL), AX_OK);
    end_run(r);
}

static void a_step_that_changes_nothing_leaves_the_batch_empty(void **state)
{
    (void)state;
    test_run *r = given_run("a");
    uint64_t seq = ax_view_run(r->view)->seq;
    begin_turn(r);
    when(r, AX_EVENT_TIMERS, NULL);
    when_refused(r, AX_EVENT_RETRY, "a", "ACTIVE does not accept RETRY");
    assert_true(ax_batch_empty(&r->turn));
    end_turn(r);
    assert_int_equal(ax_view_run(r->view)->seq, seq);
    end_run(r);
}

static void a_row_that_moves_several_times_in_a_turn_is_one_change(void **state)
{
    (void)state;
    test_run *r = given_run("a -> b");
    begin_turn(r);
    when_exits(r, "a", 0);
    when_exits(r, "b", 0);
    assert_int_equal(r->turn.runs.len, 1);
    assert_int_equal(r->turn.nodes.len, 2);
    assert_int_equal(r->turn.instances.len, 2);
    assert_int_equal(r->turn.instances.at[0].from, AX_INSTANCE_READY);
    assert_int_equal(r->turn.instances.at[0].to.state, AX_INSTANCE_SUCCEEDED);
    assert_int_equal(r->turn.instances.at[1].from_version, 0);
    end_turn(r);
    then_run(r, "SUCCEEDED");
    end_run(r);
}

static void decide(test_run *r, ax_batch *batch, ax_event_kind kind)
{
    ax_event event = {.kind = kind, .attempt = 1, .report = {.how = AX_REPORT_EXITED}};
    assert_int_equal(ax_engine_step(r->view, &event, r->now_ms, batch, NULL), AX_OK);
}

static void runs_share_a_batch_and_are_not_mixed_up(void **state)
{
    (void)state;
    test_run *runs[2] = {given_run("a -> b"), given_run("a -> b")};
    runs[1]->view->run.id = 8;
    ax_arena mem = AX_ARENA_INIT;
    for (int turn = 0; turn < 2; turn++) {
        ax_batch batch = ax_batch_new(&mem, 1);
        /* In the second turn each run's places in the batch are the other's of the first. */
        for (int i = 0; i < 2; i++)
            decide(runs[i ^ turn], &batch, turn ? AX_EVENT_REPORT : AX_EVENT_DISPATCH);
        assert_int_equal(batch.runs.len, 2);
        assert_int_equal(batch.nodes.len, turn ? 4 : 0);
        assert_int_equal(batch.instances.len, turn ? 4 : 2);
        assert_int_equal(batch.runs.at[0].to.id, turn ? 8 : 7);
        for (uint32_t i = 0; i < batch.instances.len; i++)
            assert_int_equal(batch.instances.at[i].run, (i < batch.instances.len / 2) ^ turn ? 7 : 8);
    }
    ax_arena_free(&mem);
    end_run(runs[0]);
    end_run(runs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_runs_in_order_and_succeeds),
        cmocka_unit_test(a_failure_skips_what_needs_it_and_fails_the_run),
        cmocka_unit_test(nothing_begins_before_the_run_is_admitted),
        cmocka_unit_test(a_node_that_does_not_exist_is_not_found),
        cmocka_unit_test(a_skip_travels_as_far_as_each_join_says),
        cmocka_unit_test(a_clean_up_leaf_does_not_hide_the_failure_in_the_middle),
        cmocka_unit_test(what_waits_behind_a_retry_stays_blocked),
        cmocka_unit_test(a_gate_ends_in_the_step_in_which_it_begins),
        cmocka_unit_test(a_when_without_a_value_fails_the_node_without_a_retry),
        cmocka_unit_test(a_gate_whose_when_has_no_value_fails),
        cmocka_unit_test(a_when_is_looked_at_anew_when_the_join_comes_to_hold_again),
        cmocka_unit_test(a_disabled_node_is_not_taken_from_the_start),
        cmocka_unit_test(an_exit_in_skip_on_skips_the_node_for_good),
        cmocka_unit_test(a_group_has_one_end_and_its_failure_shows_at_once),
        cmocka_unit_test(groups_nest),
        cmocka_unit_test(a_group_with_an_open_failure_is_open),
        cmocka_unit_test(a_fan_out_is_one_edge_for_all_and_many_for_any),
        cmocka_unit_test(an_empty_fan_out_has_succeeded_before_anything_runs),
        cmocka_unit_test(the_next_to_run_is_by_priority_then_by_when_it_became_ready),
        cmocka_unit_test(a_pause_of_a_person_stops_dispatch_and_nothing_else),
        cmocka_unit_test(a_paused_run_ends_when_its_last_attempt_does),
        cmocka_unit_test(a_skip_travels_a_long_chain_without_recursion),
        cmocka_unit_test(a_step_that_changes_nothing_leaves_the_batch_empty),
        cmocka_unit_test(runs_share_a_batch_and_are_not_mixed_up),
        cmocka_unit_test(a_row_that_moves_several_times_in_a_turn_is_one_change),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
