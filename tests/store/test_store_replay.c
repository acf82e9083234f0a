/* test_store_replay.c - what the engine decides, stored and replayed: the history gives the stored states;
 * and a history or a state that somebody changed is found out.
 */
#include <string.h>

#include "runtime/core/engine.h"
#include "runtime/store/replay.h"
#include "runtime/store/sqlite_int.h"
#include "tests/lib/plan.h"
#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"

/* One event, decided on a view that was loaded for it, and committed. */
static void step(store_fixture *f, uint64_t run, ax_event event, int64_t now_ms)
{
    ax_run_rows rows = test_then_rows(f, run);
    ax_view *view;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    event.id = AX_LIT("e");
    event.source = AX_LIT("test");
    if (ax_view_build(&f->mem, f->plan, &rows, &view, &f->err) != AX_OK) fail_msg("%s", f->err.text);
    if (ax_engine_step(view, &event, now_ms, &batch, &f->err) != AX_OK) fail_msg("%s", f->err.text);
    test_given_commit(f, &batch);
}

static void dispatch(store_fixture *f, uint64_t run, const char *node, uint32_t attempt, int64_t now_ms)
{
    step(f, run,
         (ax_event){.kind = AX_EVENT_DISPATCH, .node = test_plan_node(f->plan, node), .attempt = attempt},
         now_ms);
}

static void report(store_fixture *f, uint64_t run, const char *node, uint32_t attempt, int32_t exit_code)
{
    ax_event event = {.kind = AX_EVENT_REPORT, .node = test_plan_node(f->plan, node), .attempt = attempt};
    event.report = (ax_report){.how = AX_REPORT_EXITED, .exit_code = exit_code};
    step(f, run, event, 5000);
}

/* A run with a retry, a late report, a failure above that skips, and a person's command. */
static uint64_t given_history(store_fixture *f)
{
    f->plan = test_plan_named(&f->mem, "w", "a -> b; c; a retry=1");
    ax_run_rec rec = ax_run_new(f->plan, 1000);
    rec.params = AX_LIT("{}");
    assert_int_equal(f->store->ops->create_run(f->store, &rec, f->plan, f->epoch, &f->err), AX_OK);
    uint64_t run = rec.id;
    step(f, run, (ax_event){.kind = AX_EVENT_ADMIT, .node = AX_NONE}, 2000);
    dispatch(f, run, "a", 1, 3000);
    report(f, run, "a", 1, 1);
    step(f, run, (ax_event){.kind = AX_EVENT_TIMERS, .node = AX_NONE}, 1000000);
    dispatch(f, run, "a", 2, 1000001);
    report(f, run, "a", 1, 0);
    dispatch(f, run, "c", 1, 1000002);
    report(f, run, "a", 2, 1);
    ax_event accept = {
        .kind = AX_EVENT_ACCEPT, .node = test_plan_node(f->plan, "a"), .person = AX_LIT("anna")};
    accept.reason = AX_LIT("looked at it");
    step(f, run, accept, 1000003);
    dispatch(f, run, "b", 1, 1000004);
    report(f, run, "c", 1, 0);
    report(f, run, "b", 1, 0);
    return run;
}

static void replayed(store_fixture *f, uint64_t run)
{
    if (ax_store_replay(f->store, run, &f->err) != AX_OK) fail_msg("%s", f->err.text);
}

static void the_history_gives_the_stored_states(void **state)
{
    store_fixture *f = *state;
    uint64_t run = given_history(f);
    replayed(f, run);
    assert_int_equal(test_then_rows(f, run).run.state, AX_RUN_SUCCEEDED);
}

static void a_new_run_replays(void **state)
{
    store_fixture *f = *state;
    replayed(f, test_given_run(f).id);
}

static void a_run_that_is_not_there_cannot_be_replayed(void **state)
{
    store_fixture *f = *state;
    assert_int_equal(ax_store_replay(f->store, 7, &f->err), AX_NOT_FOUND);
}

static void every_change_of_the_rows_is_found_out(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE run SET state = 'FAILED'",
        "UPDATE run SET version = version + 1",
        "UPDATE run SET seq = 3",
        "UPDATE node SET state = 'FAILED' WHERE node = 1",
        "UPDATE node SET version = 1 WHERE node = 1",
        "DELETE FROM node WHERE node = 1",
        "UPDATE node SET node = 17 WHERE node = 1",
        "UPDATE instance SET state = 'TIMEOUT' WHERE node = 1",
        "UPDATE instance SET version = 1 WHERE node = 1",
        "DELETE FROM instance WHERE node = 1",
        "UPDATE instance SET attempt = 3 WHERE attempt = 2",
        "DELETE FROM transition_log WHERE seq = 1",
        "DELETE FROM transition_log WHERE seq = (SELECT max(seq) FROM transition_log)",
        "DELETE FROM transition_log WHERE from_state IS NULL AND attempt = 2",
        "UPDATE transition_log SET to_state = 'FAILED' WHERE to_state = 'ACTIVE'",
        "UPDATE transition_log SET event = 'CANCEL' WHERE event = 'SUCCESS' AND machine = 'instance'",
        "UPDATE transition_log SET node = NULL WHERE machine = 'node'",
        "UPDATE transition_log SET from_state = NULL, event = NULL WHERE event = 'ADMIT'",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        store_fixture *f = store_fixture_new(&test_sqlite);
        sqlite3 *db = ((ax_sqlite *)f->store)->db;
        uint64_t run = given_history(f);
        assert_int_equal(sqlite3_exec(db, changes[i], NULL, NULL, NULL), SQLITE_OK);
        if (sqlite3_changes(db) == 0) fail_msg("changes nothing: %s", changes[i]);
        if (ax_store_replay(f->store, run, &f->err) != AX_INVALID) fail_msg("not found out: %s", changes[i]);
        store_fixture_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_history_gives_the_stored_states),
        CASE(a_new_run_replays),
        CASE(a_run_that_is_not_there_cannot_be_replayed),
        cmocka_unit_test(every_change_of_the_rows_is_found_out),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
