/* store_suite_rules.c - the conformance suite, second half: what must not happen does not: no half commit, no
 * lost update, no second scheduler. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"

#define OPS(f) ((f)->store->ops)

/* ------------------------------------------------------------------------------------------- conflicts */

/* A batch with a row of every kind for a new run; the caller breaks one of them. */
static ax_batch full_batch(store_fixture *f, const ax_run_rec *run)
{
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_run_change change = test_next_run(run, AX_RUN_RUNNING);
    change.to.seq += 2;
    ax_vec_push(&f->mem, &batch.runs, change);
    ax_vec_push(&f->mem, &batch.nodes, test_new_node(run->id, 0));
    ax_vec_push(&f->mem, &batch.instances, test_new_instance(run->id, 0));
    ax_vec_push(&f->mem, &batch.outputs,
                (ax_output_change){run->id, {.node = 0, .attempt = 1, .value = AX_LIT("v")}});
    ax_vec_push(&f->mem, &batch.log, test_new_log(run->id, run->seq + 1, 0));
    ax_vec_push(&f->mem, &batch.effects, test_new_effect(run->id, run->seq + 2, AX_EFFECT_START));
    return batch;
}

static void then_nothing_changed(store_fixture *f, const ax_run_rec *run)
{
    ax_run_rows rows = test_then_rows(f, run->id);
    ax_log_rec *log;
    test_assert_same_run(&rows.run, run);
    assert_int_equal(rows.node_count + rows.instance_count + rows.output_count + rows.effect_count, 0);
    assert_int_equal(test_then_log(f, run->id, AX_NONE, 0, 100, &log), 1);
}

/* The batch is refused and changed nothing; and the store works on. */
static void then_conflict(store_fixture *f, const ax_run_rec *run, const ax_batch *batch)
{
    assert_int_equal(test_when_commit(f, batch), AX_CONFLICT);
    assert_true(f->err.text[0] != '\0');
    then_nothing_changed(f, run);
    ax_batch good = full_batch(f, run);
    test_given_commit(f, &good);
    assert_int_equal(test_then_rows(f, run->id).node_count, 1);
}

static void a_run_of_another_version_is_a_conflict(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = full_batch(f, &run);
    batch.runs.at[0].from_version = 0;
    then_conflict(f, &run, &batch);
}

static void a_run_in_another_state_is_a_conflict(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = full_batch(f, &run);
    batch.runs.at[0].from = AX_RUN_PAUSED;
    then_conflict(f, &run, &batch);
}

static void a_run_that_is_not_there_is_a_conflict(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = full_batch(f, &run);
    batch.runs.at[0].to.id = 77;
    then_conflict(f, &run, &batch);
}

static void a_node_of_a_run_that_is_not_there_is_a_conflict(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = full_batch(f, &run);
    ax_vec_push(&f->mem, &batch.nodes, test_new_node(77, 0));
    then_conflict(f, &run, &batch);
}

static void a_node_that_is_not_there_is_a_conflict(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = full_batch(f, &run);
    ax_node_change first = test_new_node(run.id, 1);
    ax_vec_push(&f->mem, &batch.nodes, test_next_node(&first, AX_NODE_ST_SUCCEEDED));
    then_conflict(f, &run, &batch);
}

static void a_log_row_that_is_there_is_a_conflict(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = full_batch(f, &run);
    ax_vec_push(&f->mem, &batch.log, test_new_log(run.id, run.seq, 0));
    then_conflict(f, &run, &batch);
}

static void an_older_epoch_changes_nothing(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f), other = run;
    ax_batch batch = full_batch(f, &run);
    batch.epoch = f->epoch - 1;
    then_conflict(f, &run, &batch);
    assert_int_equal(OPS(f)->create_run(f->store, &other, f->plan, f->epoch - 1, &f->err), AX_CONFLICT);
    assert_int_equal(other.id, run.id);
    assert_int_equal(OPS(f)->load_run(f->store, run.id + 1, &f->mem, &(ax_run_rows){0}, &f->err),
                     AX_NOT_FOUND);
}

/* A node and an attempt that are stored, then changed by a batch of which `breaks` spoils one row. */
static void then_a_stale_row_conflicts(store_fixture *f, void (*breaks)(ax_batch *batch))
{
    ax_run_rec run = test_given_run(f);
    ax_batch first = full_batch(f, &run), second = ax_batch_new(&f->mem, f->epoch);
    test_given_commit(f, &first);
    ax_node_change node = test_next_node(&first.nodes.at[0], AX_NODE_ST_SUCCEEDED);
    ax_instance_change inst = first.instances.at[0];
    inst.from_version = 1;
    inst.to.version = 2;
    inst.to.state = AX_INSTANCE_READY;
    ax_vec_push(&f->mem, &second.nodes, node);
    ax_vec_push(&f->mem, &second.instances, inst);
    breaks(&second);

    assert_int_equal(test_when_commit(f, &second), AX_CONFLICT);
    ax_run_rows rows = test_then_rows(f, run.id);
    test_assert_same_node(&rows.nodes[0], &first.nodes.at[0].to);
    test_assert_same_instance(&rows.instances[0], &first.instances.at[0].to);
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
    store_fixture *f = *state;
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    test_given_commit(f, &batch);
}

/* ----------------------------------------------------------------------------------------------- lease */

static ax_rc open_second(store_fixture *f, ax_store **other)
{
    return f->backend->open(f->dir, other, &f->err);
}

static void a_second_scheduler_is_refused_by_name(void **state)
{
    store_fixture *f = *state;
    ax_store *other;
    uint64_t epoch = 0;
    assert_int_equal(open_second(f, &other), AX_OK);
    assert_int_equal(other->ops->lease_take(other, AX_LIT("second"), 60000, &epoch, &f->err), AX_BUSY);
    assert_non_null(strstr(f->err.text, "test"));
    assert_int_equal(epoch, 0);
    test_given_run(f);
    other->ops->close(other);
}

static bool is_alive(store_fixture *f, ax_store *store, const char *holder)
{
    ax_lease lease;
    if (store->ops->lease_look(store, &f->mem, &lease, &f->err) != AX_OK) fail_msg("%s", f->err.text);
    assert_str(lease.holder, holder);
    return lease.alive;
}

static void anybody_can_see_who_has_the_lease(void **state)
{
    store_fixture *f = *state;
    ax_store *other;
    assert_int_equal(open_second(f, &other), AX_OK);
    assert_true(is_alive(f, f->store, "test"));
    assert_true(is_alive(f, other, "test"));
    assert_int_equal(OPS(f)->lease_release(f->store, f->epoch, &f->err), AX_OK);
    assert_false(is_alive(f, f->store, ""));
    assert_false(is_alive(f, other, ""));
    other->ops->close(other);
}

static void a_released_lease_is_taken_with_a_new_epoch(void **state)
{
    store_fixture *f = *state;
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
    store_fixture *f = *state;
    ax_store *other;
    uint64_t epoch = 0;
    ax_run_rec run = test_given_run(f);
    assert_int_equal(open_second(f, &other), AX_OK);
    assert_int_equal(OPS(f)->lease_renew(f->store, f->epoch, -1, &f->err), AX_OK);
    assert_int_equal(other->ops->lease_take(other, AX_LIT("second"), 60000, &epoch, &f->err), AX_OK);
    ax_batch batch = full_batch(f, &run);
    assert_int_equal(test_when_commit(f, &batch), AX_CONFLICT);
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
    store_fixture *f = *state;
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
    assert_false(is_alive(f, f->store, "dies"));
    assert_int_equal(OPS(f)->lease_take(f->store, AX_LIT("test"), 60000, &epoch, &f->err), AX_OK);
    assert_int_equal(epoch, f->epoch + 2);
}

/* ----------------------------------------------------------------------------------------- two at once */

/* Moves the run `turns` times, from whatever it is to the next version, as often as it takes. */
static int move_run(store_fixture *f, ax_store *store, uint64_t run, int turns)
{
    while (turns > 0) {
        ax_run_rows rows;
        ax_arena_reset(&f->mem);
        if (store->ops->load_run(store, run, &f->mem, &rows, &f->err) != AX_OK) return 1;
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_run_change change = test_next_run(&rows.run, rows.run.state);
        change.to.seq++;
        ax_vec_push(&f->mem, &batch.runs, change);
        ax_vec_push(&f->mem, &batch.log, test_new_log(run, change.to.seq, 0));
        ax_rc rc = store->ops->commit(store, &batch, &f->err);
        if (rc == AX_OK) turns--;
        else if (rc != AX_CONFLICT && rc != AX_BUSY) return 2;
    }
    return 0;
}

static void two_processes_that_write_lose_nothing(void **state)
{
    store_fixture *f = *state;
    enum { WRITERS = 2, TURNS = 100 };
    ax_run_rec run = test_given_run(f);
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
    ax_run_rows rows = test_then_rows(f, run.id);
    ax_log_rec *log;
    assert_int_equal(rows.run.version, run.version + WRITERS * TURNS);
    assert_int_equal(test_then_log(f, run.id, AX_NONE, 0, 1000, &log), 1 + WRITERS * TURNS);
}

/* ------------------------------------------------------------------------------------------- the suite */

int test_suite_rules(const test_backend *backend)
{
    struct CMUnitTest tests[] = {
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
        CASE(anybody_can_see_who_has_the_lease),
        CASE(a_released_lease_is_taken_with_a_new_epoch),
        CASE(an_expired_lease_is_taken_and_its_holder_fenced),
        CASE(the_lease_of_one_that_died_is_taken_at_once),
        CASE(two_processes_that_write_lose_nothing),
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tests[i].initial_state = (void *)(uintptr_t)backend;
    return cmocka_run_group_tests_name(backend->name, tests, NULL, NULL);
}
