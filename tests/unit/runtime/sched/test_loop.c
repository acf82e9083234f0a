/* test_loop.c - the scheduler's loop over a real store and real processes, with a store in between that fails
 * when a test wants it to.
 */
#include "runtime/sched/loop.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/axc.h"
#include "dsl/model/plan_json.h"
#include "runtime/admin/run_start.h"
#include "tests/lib/exec.h"
#include "tests/lib/test.h"
#include "tests/lib/tmp.h"

#define PATIENCE_MS 60000
#define TTL_MS 30000

/* A store that passes everything on to a real one, but for the next `fail_count` commits. */
typedef struct {
    ax_store base;
    ax_store *real;
    ax_rc fail_rc;
    int fail_count;
    bool lost_lease;
    int commits;
} flaky_store;

typedef struct {
    ax_arena mem;
    test_exec exec;
    flaky_store store;
    ax_loop *loop;
    uint64_t epoch;
    uint32_t places;
    uint32_t running, running_max; /* attempts that have a process, from the log */
    uint32_t rows, refusals, troubles, recoveries;
} fixture;

/* ---- the store between ---- */

#define REAL(s) (((flaky_store *)(s))->real)

static ax_rc now_ms(ax_store *s, int64_t *now, ax_err *err)
{
    return REAL(s)->ops->now_ms(REAL(s), now, err);
}

static ax_rc put_plan(ax_store *s, const ax_plan *plan, ax_err *err)
{
    return REAL(s)->ops->put_plan(REAL(s), plan, err);
}

static ax_rc get_plan(ax_store *s, ax_str hash, ax_arena *mem, ax_plan **out, ax_err *err)
{
    return REAL(s)->ops->get_plan(REAL(s), hash, mem, out, err);
}

static ax_rc create_run(ax_store *s, ax_run_rec *run, const ax_plan *plan, uint64_t epoch, ax_err *err)
{
    return REAL(s)->ops->create_run(REAL(s), run, plan, epoch, err);
}

static ax_rc load_run(ax_store *s, uint64_t run, ax_arena *mem, ax_run_rows *out, ax_err *err)
{
    return REAL(s)->ops->load_run(REAL(s), run, mem, out, err);
}

static ax_rc commit(ax_store *s, const ax_batch *batch, ax_err *err)
{
    flaky_store *f = (flaky_store *)s;
    f->commits++;
    if (f->fail_count <= 0) return f->real->ops->commit(f->real, batch, err);
    f->fail_count--;
    return ax_fail(err, f->fail_rc, "the disk is full");
}

static ax_rc lease_renew(ax_store *s, uint64_t epoch, int64_t ttl_ms, ax_err *err)
{
    flaky_store *f = (flaky_store *)s;
    if (f->lost_lease) return ax_fail(err, AX_CONFLICT, "another scheduler has taken over");
    return f->real->ops->lease_renew(f->real, epoch, ttl_ms, err);
}

static const ax_store_ops flaky_ops = {.name = "flaky",
                                       .now_ms = now_ms,
                                       .put_plan = put_plan,
                                       .get_plan = get_plan,
                                       .create_run = create_run,
                                       .load_run = load_run,
                                       .commit = commit,
                                       .lease_renew = lease_renew};

/* ---- the observer ---- */

static bool has_process(uint8_t state)
{
    return state == AX_INSTANCE_RUNNING || state == AX_INSTANCE_TIMING_OUT || state == AX_INSTANCE_CANCELLING;
}

static void on_committed(void *ctx, const ax_log_rec *rows, uint32_t count)
{
    fixture *f = ctx;
    f->rows += count;
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].machine != AX_MACHINE_INSTANCE) continue;
        if (has_process(rows[i].to) && (rows[i].created || !has_process(rows[i].from))) f->running++;
        if (!has_process(rows[i].to) && !rows[i].created && has_process(rows[i].from)) f->running--;
        if (f->running > f->running_max) f->running_max = f->running;
    }
}

static void on_refused(void *ctx, const ax_event *event, const ax_err *err)
{
    (void)event;
    assert_true(err->text[0]);
    ((fixture *)ctx)->refusals++;
}

static void on_trouble(void *ctx, const ax_err *err, int64_t retry_ms)
{
    fixture *f = ctx;
    if (err) f->troubles++;
    else f->recoveries++;
    assert_true(!err || retry_ms > 0);
}

/* ---- given ---- */

static void open_loop(fixture *f)
{
    const ax_loop_config config = {
        .store = &f->store.base,
        .proc = f->exec.proc,
        .epoch = f->epoch,
        .lease_ttl_ms = TTL_MS,
        .places = f->places,
        .observer = {.ctx = f, .committed = on_committed, .refused = on_refused, .trouble = on_trouble}};
    assert_int_equal(ax_loop_open(&config, &f->loop, NULL), AX_OK);
}

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    char path[600];
    ax_err err = {0};
    test_exec_open(&f->exec);
    snprintf(path, sizeof path, "%s/ax.db", f->exec.root);
    f->store.base.ops = &flaky_ops;
    f->places = 4;
    assert_int_equal(ax_sqlite_open(path, AX_STORE_WRITE, &f->store.real, &err), AX_OK);
    ax_store *real = f->store.real;
    assert_int_equal(real->ops->lease_take(real, AX_LIT("test"), TTL_MS, &f->epoch, &err), AX_OK);
    open_loop(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    ax_loop_close(f->loop);
    f->store.real->ops->close(f->store.real);
    test_exec_close(&f->exec);
    ax_arena_free(&f->mem);
    free(f);
    return 0;
}

/* A run of the workflow with this body, in the loop. */
static uint64_t given_run(fixture *f, const char *body)
{
    ax_sources *sources = AX_NEW(&f->mem, ax_sources);
    *sources = ax_sources_new(&f->mem);
    ax_source *source;
    ax_compiled compiled;
    ax_err err = {0};
    uint64_t run = 0;
    ax_str text = ax_str_fmt(&f->mem, "workflow w {\n defaults { timeout = 1m }\n%s\n}\n", body);
    assert_int_equal(ax_sources_add(sources, AX_LIT("w.axf"), text, &source, &err), AX_OK);
    ax_diags diags = ax_diags_new(&f->mem, sources);
    ax_compile(&f->mem, source, &diags, &compiled);
    assert_int_equal(diags.errors, 0);
    ax_plan_seal(compiled.plans[0]);
    const ax_run_request request = {.workdir = ax_str_of(f->exec.root), .origin = AX_LIT("test")};
    assert_int_equal(ax_run_start(&f->store.base, f->epoch, compiled.plans[0], &request, &run, &err), AX_OK);
    assert_int_equal(ax_loop_add(f->loop, run, &err), AX_OK);
    return run;
}

/* ---- when ---- */

static void turn(fixture *f)
{
    ax_err err = {0};
    assert_int_equal(ax_loop_turn(f->loop, &err), AX_OK);
}

static bool has_ended(fixture *f, uint64_t run)
{
    const ax_view *view = ax_loop_view(f->loop, run);
    return view && ax_view_ended(view);
}

static void when_something_happens(fixture *f)
{
    struct pollfd fd = {.fd = ax_loop_fd(f->loop), .events = POLLIN};
    if (poll(&fd, 1, PATIENCE_MS) == 0) fail_msg("nothing happened");
    turn(f);
}

static void when_it_ends(fixture *f, uint64_t run)
{
    turn(f);
    while (!has_ended(f, run)) when_something_happens(f);
}

static void when_ax_is_started_again(fixture *f)
{
    ax_loop_close(f->loop);
    ax_proc_close(f->exec.proc);
    assert_int_equal(ax_proc_open(f->exec.root, test_spawner(), &f->exec.proc, NULL), AX_OK);
    open_loop(f);
}

static void then_run(fixture *f, uint64_t run, ax_run_state state)
{
    assert_int_equal(ax_view_run(ax_loop_view(f->loop, run))->state, state);
}

/* ---- tests ---- */

static void a_run_goes_to_its_end(void **state)
{
    fixture *f = *state;
    uint64_t run = given_run(f, "task a { run = \"echo a >>effect\" }\n"
                                "task b { run = \"echo b >>effect\" }\n a -> b");
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_SUCCEEDED);
    assert_string_equal(test_root_file(&f->exec, "effect"), "a\nb\n");
}

static void places_are_shared_and_never_exceeded(void **state)
{
    fixture *f = *state;
    const char *body = "task t { matrix { i = [1, 2, 3, 4, 5, 6, 7, 8, 9] }  run = \"true {{ i }}\" }";
    uint64_t one = given_run(f, body), two = given_run(f, body);
    turn(f);
    assert_int_equal(ax_view_places(ax_loop_view(f->loop, one)), 2);
    assert_int_equal(ax_view_places(ax_loop_view(f->loop, two)), 2);
    when_it_ends(f, one);
    when_it_ends(f, two);
    assert_int_equal(f->running_max, 4);
    assert_int_equal(f->running, 0);
}

static void a_full_disk_is_waited_for_and_nothing_is_lost(void **state)
{
    fixture *f = *state;
    uint64_t run = given_run(f, "task a { run = \"echo a >>effect\" }\n"
                                "task b { run = \"echo b >>effect\" }\n a -> b");
    turn(f);
    f->store.fail_rc = AX_IO;
    f->store.fail_count = 3;
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_SUCCEEDED);
    assert_string_equal(test_root_file(&f->exec, "effect"), "a\nb\n");
    assert_int_equal(f->troubles, 1);
    assert_int_equal(f->recoveries, 1);
}

static void a_lost_race_is_decided_anew(void **state)
{
    fixture *f = *state;
    uint64_t run = given_run(f, "task a { run = \"echo a >>effect\" }\n"
                                "task b { run = \"echo b >>effect\" }\n a -> b");
    f->store.fail_rc = AX_CONFLICT;
    f->store.fail_count = 2;
    turn(f);
    f->store.fail_count = 3;
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_SUCCEEDED);
    assert_string_equal(test_root_file(&f->exec, "effect"), "a\nb\n");
    assert_int_equal(f->troubles, 0);
}

static void a_lost_lease_ends_the_loop(void **state)
{
    fixture *f = *state;
    ax_err err = {0};
    given_run(f, "task a { run = \"true\" }");
    f->store.lost_lease = true;
    f->store.fail_rc = AX_CONFLICT;
    f->store.fail_count = 1;
    assert_int_equal(ax_loop_turn(f->loop, &err), AX_CONFLICT);
    assert_string_equal(err.text, "another scheduler has taken over");
}

static void a_command_that_is_refused_is_told(void **state)
{
    fixture *f = *state;
    uint64_t run = given_run(f, "task a { run = \"true\" }");
    turn(f);
    const ax_event retry = {.kind = AX_EVENT_RETRY,
                            .id = AX_LIT("x"),
                            .source = AX_LIT("MANUAL_OVERRIDE"),
                            .person = AX_LIT("anna"),
                            .reason = AX_LIT("because")};
    ax_loop_submit(f->loop, run, &retry);
    turn(f);
    assert_int_equal(f->refusals, 1);
    when_it_ends(f, run);
}

static void a_cancel_waits_until_nothing_runs(void **state)
{
    fixture *f = *state;
    uint64_t run = given_run(f, "task a { run = \"echo $$ >pid; sleep 300 & wait\" }\n"
                                "task b { run = \"echo b >>effect\" }\n a -> b");
    turn(f);
    int pid = test_pid(&f->exec, "pid");
    const ax_event cancel = {.kind = AX_EVENT_CANCEL,
                             .id = AX_LIT("x"),
                             .source = AX_LIT("MANUAL_OVERRIDE"),
                             .person = AX_LIT("anna"),
                             .reason = AX_LIT("because"),
                             .node = AX_NONE};
    ax_loop_submit(f->loop, run, &cancel);
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_CANCELLED);
    assert_false(test_is_alive(pid));
    assert_string_equal(test_root_file(&f->exec, "effect"), "");
}

static void a_kill_does_not_wait_for_kill_after(void **state)
{
    fixture *f = *state;
    uint64_t run =
        given_run(f, "task a { kill_after = 10m  run = \"trap '' TERM; echo $$ >pid; sleep 300\" }");
    turn(f);
    test_pid(&f->exec, "pid");
    assert_int_equal(ax_loop_kill(f->loop, run, NULL), AX_OK);
    when_it_ends(f, run);
    assert_int_equal(f->running, 0);
}

static void what_runs_is_adopted_after_a_restart(void **state)
{
    fixture *f = *state;
    uint64_t run =
        given_run(f, "task a { run = \"echo a >>effect; while [ ! -e go ]; do sleep 0.01; done\" }\n"
                     "task b { run = \"echo b >>effect\" }\n a -> b");
    turn(f);
    test_await_file(&f->exec, "effect");
    when_ax_is_started_again(f);
    assert_int_equal(ax_loop_add(f->loop, run, NULL), AX_OK);
    turn(f);
    char path[600];
    snprintf(path, sizeof path, "%s/go", f->exec.root);
    fclose(fopen(path, "w"));
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_SUCCEEDED);
    assert_string_equal(test_root_file(&f->exec, "effect"), "a\nb\n");
}

static void a_start_that_was_not_carried_out_is_repeated(void **state)
{
    fixture *f = *state;
    uint64_t run = given_run(f, "task a { run = \"echo a >>effect\" }");
    ax_proc *unused = f->exec.proc;
    turn(f); /* committed and sent; the spawner may or may not have begun */
    ax_loop_close(f->loop);
    ax_proc_close(unused);
    assert_int_equal(ax_proc_open(f->exec.root, test_spawner(), &f->exec.proc, NULL), AX_OK);
    open_loop(f);
    assert_int_equal(ax_loop_add(f->loop, run, NULL), AX_OK);
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_SUCCEEDED);
    assert_string_equal(test_root_file(&f->exec, "effect"), "a\n");
}

static void what_was_cancelled_before_it_started_never_starts(void **state)
{
    fixture *f = *state;
    char other[512];
    uint64_t run = given_run(f, "task a { run = \"echo $AX_OUTPUT >>effect; sleep 300\" }");
    turn(f);
    const ax_event cancel = {.kind = AX_EVENT_CANCEL,
                             .id = AX_LIT("x"),
                             .source = AX_LIT("MANUAL_OVERRIDE"),
                             .person = AX_LIT("anna"),
                             .reason = AX_LIT("because"),
                             .node = AX_NONE};
    ax_loop_submit(f->loop, run, &cancel);
    turn(f);
    ax_loop_close(f->loop);
    ax_proc_close(f->exec.proc);
    test_tmp_make(other, sizeof other); /* here, nothing has ever begun */
    assert_int_equal(ax_proc_open(other, test_spawner(), &f->exec.proc, NULL), AX_OK);
    open_loop(f);
    assert_int_equal(ax_loop_add(f->loop, run, NULL), AX_OK);
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_CANCELLED);
    assert_null(strstr(test_root_file(&f->exec, "effect"), other));
    test_tmp_remove(other);
}

static void a_settled_start_whose_folder_is_gone_is_lost(void **state)
{
    fixture *f = *state;
    uint64_t run = given_run(f, "task a { run = \"echo $$ >pid; sleep 300\" }");
    turn(f);
    test_pid(&f->exec, "pid");
    int commits = f->store.commits;
    while (f->store.commits == commits) when_something_happens(f); /* the start is settled */
    ax_err err = {0};
    ax_proc_stop(f->exec.proc, (ax_attempt_key){run, 0, 1}, true, &err);
    test_wait(&f->exec); /* nobody else gets this report */
    char command[700];
    snprintf(command, sizeof command, "%s/%llu/0.1/status", f->exec.root, (unsigned long long)run);
    assert_int_equal(remove(command), 0);
    when_ax_is_started_again(f);
    assert_int_equal(ax_loop_add(f->loop, run, NULL), AX_OK);
    when_it_ends(f, run);
    then_run(f, run, AX_RUN_FAILED);
    assert_int_equal(ax_view_current(ax_loop_view(f->loop, run), 0)->reason, AX_REASON_LOST);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_run_goes_to_its_end),
        TEST(places_are_shared_and_never_exceeded),
        TEST(a_full_disk_is_waited_for_and_nothing_is_lost),
        TEST(a_lost_race_is_decided_anew),
        TEST(a_lost_lease_ends_the_loop),
        TEST(a_command_that_is_refused_is_told),
        TEST(a_cancel_waits_until_nothing_runs),
        TEST(a_kill_does_not_wait_for_kill_after),
        TEST(what_runs_is_adopted_after_a_restart),
        TEST(a_start_that_was_not_carried_out_is_repeated),
        TEST(what_was_cancelled_before_it_started_never_starts),
        TEST(a_settled_start_whose_folder_is_gone_is_lost),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, NULL);
}
