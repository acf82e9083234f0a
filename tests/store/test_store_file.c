/* test_store_file.c - the store as a file: whose it is, who else uses it, and what happens when the disk, the
 * machine or a person gets in the way.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dsl/base/file.h"
#include "runtime/store/sqlite_int.h"
#include "tests/lib/store_suite.h"
#include "tests/lib/test.h"
#include "tests/lib/tmp.h"

static const char *path_in(store_fixture *f, const char *file)
{
    return ax_str_c(&f->mem, ax_str_fmt(&f->mem, "%s/%s", f->dir, file));
}

static ax_rc open_as(store_fixture *f, const char *file, ax_store_mode mode, ax_store **out)
{
    return ax_sqlite_open(path_in(f, file), mode, out, &f->err);
}

static void write_file(store_fixture *f, const char *file, ax_str text)
{
    assert_int_equal(ax_file_write(path_in(f, file), text, &f->err), AX_OK);
}

static void exec_in(store_fixture *f, const char *file, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path_in(f, file), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static uint32_t count_runs(ax_store *store)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_run_filter filter = {.limit = 100};
    ax_run_summary *runs;
    uint32_t count = UINT32_MAX;
    if (store->ops->list_runs(store, &filter, &mem, &runs, &count, NULL) != AX_OK) count = UINT32_MAX;
    ax_arena_free(&mem);
    return count;
}

/* The exit code of `body` in a process of its own, as nobody if the tests run as root. */
static int as_somebody_else(store_fixture *f, int (*body)(store_fixture *f))
{
    pid_t pid = fork();
    if (pid == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(99);
        _exit(body(f));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ---------------------------------------------------------------------------------------- whose file it is
 */

static void a_reader_finds_no_store_where_there_is_none(void **state)
{
    store_fixture *f = *state;
    ax_store *store;
    assert_int_equal(open_as(f, "none.db", AX_STORE_READ, &store), AX_NOT_FOUND);
    assert_int_equal(open_as(f, "no/such/folder.db", AX_STORE_READ, &store), AX_NOT_FOUND);
    assert_int_equal(access(path_in(f, "none.db"), F_OK), -1);
}

static void an_empty_file_becomes_a_store(void **state)
{
    store_fixture *f = *state;
    ax_store *store;
    write_file(f, "empty.db", AX_LIT(""));
    assert_int_equal(open_as(f, "empty.db", AX_STORE_READ, &store), AX_NOT_FOUND);
    assert_int_equal(open_as(f, "empty.db", AX_STORE_WRITE, &store), AX_OK);
    assert_int_equal(count_runs(store), 0);
    store->ops->close(store);
}

static void a_file_that_is_no_database_is_left_alone(void **state)
{
    store_fixture *f = *state;
    ax_store *store;
    char text[5000];
    memset(text, 'x', sizeof text);
    write_file(f, "letter.txt", (ax_str){text, sizeof text});
    for (int mode = AX_STORE_READ; mode <= AX_STORE_WRITE; mode++) {
        assert_int_equal(open_as(f, "letter.txt", (ax_store_mode)mode, &store), AX_INVALID);
        assert_non_null(strstr(f->err.text, "letter.txt"));
        assert_true(f->err.help[0] != '\0');
    }
    ax_buf now = AX_BUF_INIT(10000);
    assert_int_equal(ax_file_read(path_in(f, "letter.txt"), &now, &f->err), AX_OK);
    test_assert_same_str(ax_buf_str(&now), (ax_str){text, sizeof text});
    ax_buf_free(&now);
}

static void a_database_of_another_program_is_left_alone(void **state)
{
    store_fixture *f = *state;
    ax_store *store;
    ax_buf before = AX_BUF_INIT(1 << 20), after = AX_BUF_INIT(1 << 20);
    exec_in(f, "other.db", "CREATE TABLE run (id INTEGER PRIMARY KEY); INSERT INTO run VALUES (7)");
    assert_int_equal(ax_file_read(path_in(f, "other.db"), &before, &f->err), AX_OK);
    for (int mode = AX_STORE_READ; mode <= AX_STORE_WRITE; mode++) {
        assert_int_equal(open_as(f, "other.db", (ax_store_mode)mode, &store), AX_INVALID);
        assert_non_null(strstr(f->err.text, "another program"));
    }
    assert_int_equal(ax_file_read(path_in(f, "other.db"), &after, &f->err), AX_OK);
    test_assert_same_str(ax_buf_str(&after), ax_buf_str(&before));
    ax_buf_free(&before);
    ax_buf_free(&after);
}

static void a_newer_schema_is_refused(void **state)
{
    store_fixture *f = *state;
    ax_store *store;
    exec_in(f, "ax.db", "PRAGMA user_version = 9999");
    for (int mode = AX_STORE_READ; mode <= AX_STORE_WRITE; mode++) {
        assert_int_equal(open_as(f, "ax.db", (ax_store_mode)mode, &store), AX_INVALID);
        assert_non_null(strstr(f->err.text, "newer"));
    }
}

static void a_path_with_odd_characters_works(void **state)
{
    store_fixture *f = *state;
    ax_store *store;
    const char *name = "a b?mode=ro&x#y%41\xc3\xa4.db";
    assert_int_equal(open_as(f, name, AX_STORE_WRITE, &store), AX_OK);
    store->ops->close(store);
    assert_int_equal(access(path_in(f, name), F_OK), 0);
    assert_int_equal(open_as(f, name, AX_STORE_READ, &store), AX_OK);
    store->ops->close(store);
}

/* -------------------------------------------------------------------------------------- damage and limits */

static void a_damaged_file_is_an_error_and_no_crash(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    for (uint32_t i = 0; i < 2000; i++) ax_vec_push(&f->mem, &batch.nodes, test_new_node(run.id, i));
    test_given_commit(f, &batch);
    assert_int_equal(f->store->ops->lease_release(f->store, f->epoch, &f->err), AX_OK);
    f->store->ops->close(f->store);

    ax_buf file = AX_BUF_INIT(1 << 24);
    assert_int_equal(ax_file_read(path_in(f, "ax.db"), &file, &f->err), AX_OK);
    uint32_t pages = (uint32_t)(file.len / 4096), refused = 0;
    for (uint32_t page = 1; page < pages; page++) { /* page 0 is the schema */
        ax_store *store;
        ax_str text = ax_str_dup(&f->mem, ax_buf_str(&file));
        memset((char *)(uintptr_t)text.ptr + page * 4096, 0xa5, 4096);
        write_file(f, "bad.db", text);
        ax_rc rc = open_as(f, "bad.db", AX_STORE_READ, &store);
        if (rc == AX_OK) {
            ax_run_rows rows;
            rc = store->ops->load_run(store, run.id, &f->mem, &rows, &f->err);
            store->ops->close(store);
        }
        assert_true(rc == AX_OK || rc == AX_INVALID);
        refused += rc == AX_INVALID;
    }
    assert_true(refused > pages / 2);
    ax_buf_free(&file);
    assert_int_equal(test_sqlite.open(f->dir, &f->store, &f->err), AX_OK);
}

static void a_name_that_is_in_no_list_is_an_error(void **state)
{
    store_fixture *f = *state;
    uint64_t run = test_given_run(f).id;
    exec_in(f, "ax.db", "PRAGMA ignore_check_constraints = 1; UPDATE run SET state = 'LIMBO'");
    ax_run_rows rows;
    assert_int_equal(f->store->ops->load_run(f->store, run, &f->mem, &rows, &f->err), AX_INVALID);
    assert_non_null(strstr(f->err.text, "LIMBO"));
    exec_in(f, "ax.db", "UPDATE run SET state = 'QUEUED'");
    test_then_rows(f, run);
}

/* A batch that does not fit into little space. */
static ax_batch large_batch(store_fixture *f, const ax_run_rec *run)
{
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    enum { BYTES = 1 << 20 };
    ax_str value = {ax_arena_alloc(&f->mem, BYTES), BYTES};
    ax_vec_push(&f->mem, &batch.runs, test_next_run(run, AX_RUN_RUNNING));
    ax_vec_push(&f->mem, &batch.nodes, test_new_node(run->id, 0));
    ax_vec_push(&f->mem, &batch.outputs, (ax_output_change){run->id, {.attempt = 1, .value = value}});
    return batch;
}

static void then_only_that_failed(store_fixture *f, const ax_run_rec *run, const ax_batch *batch)
{
    assert_true(f->err.help[0] != '\0');
    ax_run_rows rows = test_then_rows(f, run->id);
    test_assert_same_run(&rows.run, run);
    assert_int_equal(rows.node_count + rows.output_count, 0);
    test_given_run(f);
    (void)batch;
}

static void a_full_disk_changes_nothing_and_passes(void **state)
{
    store_fixture *f = *state;
    ax_sqlite *s = (ax_sqlite *)f->store;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = large_batch(f, &run);
    sqlite3_exec(s->db, "PRAGMA max_page_count = 60", NULL, NULL, NULL);
    assert_int_equal(test_when_commit(f, &batch), AX_IO);
    assert_non_null(strstr(f->err.text, "full"));
    then_only_that_failed(f, &run, &batch);
    sqlite3_exec(s->db, "PRAGMA max_page_count = 1000000", NULL, NULL, NULL);
    test_given_commit(f, &batch);
    assert_int_equal(test_then_rows(f, run.id).output_count, 1);
}

static void a_write_that_fails_changes_nothing_and_passes(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = large_batch(f, &run);
    struct rlimit all, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    little = all;
    little.rlim_cur = 512 << 10;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    ax_rc rc = test_when_commit(f, &batch);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rc, AX_IO);
    then_only_that_failed(f, &run, &batch);
    test_given_commit(f, &batch);
    assert_int_equal(test_then_rows(f, run.id).output_count, 1);
}

/* ------------------------------------------------------------------------------------------- who may do what
 */

static int reads_one_run_but_writes_none(store_fixture *f)
{
    ax_store *store;
    if (open_as(f, "ax.db", AX_STORE_WRITE, &store) != AX_IO) return 1;
    if (open_as(f, "ax.db", AX_STORE_READ, &store) != AX_OK) return 2;
    uint32_t count = count_runs(store);
    store->ops->close(store);
    return count == 1 ? 0 : 3;
}

static void protect(store_fixture *f, bool on)
{
    static const char *const files[] = {"ax.db", "ax.db-wal", "ax.db-shm"};
    for (int i = 0; i < 3; i++) chmod(path_in(f, files[i]), on ? 0444 : 0644);
    chmod(f->dir, on ? 0555 : 0755);
}

static void a_closed_store_in_a_read_only_folder_can_be_read(void **state)
{
    store_fixture *f = *state;
    test_given_run(f);
    f->store->ops->close(f->store);
    assert_int_equal(access(path_in(f, "ax.db-wal"), F_OK), -1);
    protect(f, true);
    assert_int_equal(as_somebody_else(f, reads_one_run_but_writes_none), 0);
    protect(f, false);
    assert_int_equal(test_sqlite.open(f->dir, &f->store, &f->err), AX_OK);
}

static void a_store_in_use_can_be_read_by_one_who_may_not_write(void **state)
{
    store_fixture *f = *state;
    test_given_run(f);
    assert_int_equal(access(path_in(f, "ax.db-wal"), F_OK), 0);
    protect(f, true);
    assert_int_equal(as_somebody_else(f, reads_one_run_but_writes_none), 0);
    protect(f, false);
    test_given_run(f);
}

static void a_reader_sees_each_commit_and_stops_nobody(void **state)
{
    store_fixture *f = *state;
    ax_store *reader;
    assert_int_equal(open_as(f, "ax.db", AX_STORE_READ, &reader), AX_OK);
    for (uint32_t runs = 0; runs < 3; runs++) {
        ax_sqlite *s = (ax_sqlite *)f->store;
        assert_int_equal(ax_sqlite_begin(s, &f->err), AX_OK);
        assert_int_equal(count_runs(reader), runs);
        assert_int_equal(ax_sqlite_finish(s, AX_OK, &f->err), AX_OK);
        test_given_run(f);
    }
    uint64_t epoch;
    assert_int_not_equal(reader->ops->lease_take(reader, AX_LIT("r"), 1, &epoch, &f->err), AX_OK);
    reader->ops->close(reader);
}

static void a_locked_store_is_busy_and_works_afterwards(void **state)
{
    store_fixture *f = *state;
    ax_store *other;
    ax_run_rec run = test_given_run(f);
    assert_int_equal(test_sqlite.open(f->dir, &other, &f->err), AX_OK);
    assert_int_equal(ax_sqlite_begin((ax_sqlite *)other, &f->err), AX_OK);
    sqlite3_busy_timeout(((ax_sqlite *)f->store)->db, 0);
    ax_batch batch = large_batch(f, &run);
    assert_int_equal(test_when_commit(f, &batch), AX_BUSY);
    assert_int_equal(ax_sqlite_finish((ax_sqlite *)other, AX_OK, &f->err), AX_OK);
    test_given_commit(f, &batch);
    other->ops->close(other);
}

static void a_writer_waits_until_another_has_written(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    int fds[2];
    char byte;
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0) { /* somebody who takes their time */
        ax_store *other;
        if (test_sqlite.open(f->dir, &other, &f->err) != AX_OK) _exit(1);
        if (ax_sqlite_begin((ax_sqlite *)other, &f->err) != AX_OK || write(fds[1], "x", 1) != 1) _exit(2);
        poll(NULL, 0, 100); /* so that the commit below begins meanwhile; it must succeed whenever it does */
        _exit(ax_sqlite_finish((ax_sqlite *)other, AX_OK, &f->err) == AX_OK ? 0 : 3);
    }
    assert_int_equal(read(fds[0], &byte, 1), 1);
    ax_batch batch = large_batch(f, &run);
    test_given_commit(f, &batch);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(fds[0]);
    close(fds[1]);
}

static void a_missing_lease_row_is_made_again_with_a_higher_epoch(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    exec_in(f, "ax.db", "DELETE FROM lease");
    ax_batch batch = large_batch(f, &run);
    assert_int_equal(test_when_commit(f, &batch), AX_CONFLICT);
    uint64_t old = f->epoch;
    assert_int_equal(f->store->ops->lease_take(f->store, AX_LIT("t"), 60000, &f->epoch, &f->err), AX_OK);
    assert_true(f->epoch > old);
    batch.epoch = f->epoch;
    test_given_commit(f, &batch);
}

/* --------------------------------------------------------------------------------------------------- kill -9
 */

/* Commits turn after turn, each a run change with ten log rows, and says so on fd; never returns. */
static void commit_for_ever(store_fixture *f, ax_run_rec run, int fd)
{
    for (;;) {
        ax_arena_reset(&f->mem);
        ax_batch batch = ax_batch_new(&f->mem, f->epoch);
        ax_run_change change = test_next_run(&run, AX_RUN_QUEUED);
        change.to.seq += 10;
        for (uint32_t i = 1; i <= 10; i++)
            ax_vec_push(&f->mem, &batch.log, test_new_log(run.id, run.seq + i, i));
        ax_vec_push(&f->mem, &batch.runs, change);
        if (test_when_commit(f, &batch) != AX_OK || write(fd, "x", 1) != 1) _exit(1);
        run = change.to;
    }
}

static void killed_at_any_moment_every_commit_is_whole(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    assert_int_equal(f->store->ops->lease_release(f->store, f->epoch, &f->err), AX_OK);
    f->store->ops->close(f->store);
    uint32_t known = run.version;
    for (int kill_after = 1; kill_after <= 20; kill_after++) {
        int fds[2];
        assert_int_equal(pipe(fds), 0);
        pid_t pid = fork();
        if (pid == 0) {
            if (test_sqlite.open(f->dir, &f->store, &f->err) != AX_OK) _exit(1);
            ax_rc rc = f->store->ops->lease_take(f->store, AX_LIT("w"), 60000, &f->epoch, &f->err);
            if (rc == AX_OK) commit_for_ever(f, run, fds[1]);
            _exit(1);
        }
        close(fds[1]);
        char byte;
        for (int i = 0; i < kill_after && read(fds[0], &byte, 1) == 1; i++) known++;
        kill(pid, SIGKILL);
        while (read(fds[0], &byte, 1) == 1) known++;
        close(fds[0]);
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status));

        /* What was said is there; at most one commit more, and whole. */
        assert_int_equal(test_sqlite.open(f->dir, &f->store, &f->err), AX_OK);
        ax_run_rows rows = test_then_rows(f, run.id);
        assert_in_range(rows.run.version, known, known + 1);
        ax_log_rec *log;
        assert_int_equal(test_then_log(f, run.id, AX_NONE, 0, 1000000, &log), rows.run.seq);
        assert_int_equal(rows.run.seq, 1 + 10 * (uint64_t)(rows.run.version - 1));
        known = rows.run.version;
        run.version = rows.run.version;
        run.seq = rows.run.seq;
        f->store->ops->close(f->store);
    }
    assert_int_equal(test_sqlite.open(f->dir, &f->store, &f->err), AX_OK);
}

/* ------------------------------------------------------------------------------------------ schema and SQL
 */

/* The names in single quotes in the CHECK of the table's column `state` are those of the machine, in order.
 */
static void assert_states(store_fixture *f, const char *table, const ax_fsm *fsm)
{
    sqlite3_stmt *stmt;
    sqlite3 *db = ((ax_sqlite *)f->store)->db;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE name = ?", -1, &stmt, NULL),
                     SQLITE_OK);
    sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    const char *at = strstr((const char *)sqlite3_column_text(stmt, 0), "CHECK");
    assert_non_null(at);
    const char *end = strchr(at, ')');
    for (uint32_t i = 0; i < fsm->state_count; i++) {
        const char *open = strchr(at, '\'');
        assert_true(open != NULL && open < end);
        const char *close = strchr(open + 1, '\'');
        assert_str(((ax_str){open + 1, (size_t)(close - open - 1)}), fsm->states[i]);
        at = close + 1;
    }
    at = strchr(at, '\'');
    assert_true(at == NULL || at > end);
    sqlite3_finalize(stmt);
}

static void the_schema_lists_the_states_of_the_machines(void **state)
{
    assert_states(*state, "run", &ax_run_fsm);
    assert_states(*state, "node", &ax_node_fsm);
    assert_states(*state, "instance", &ax_instance_fsm);
}

static void the_counters_of_a_run_are_named_as_the_states_of_nodes(void **state)
{
    store_fixture *f = *state;
    ax_sqlite *s = (ax_sqlite *)f->store;
    ax_sql q = ax_sql_start(s, AX_SQL_run_get);
    int first = sqlite3_column_count(q.stmt) - AX_NODE_ST_COUNT;
    for (int i = 0; i < AX_NODE_ST_COUNT; i++)
        assert_int_equal(strcasecmp(sqlite3_column_name(q.stmt, first + i), ax_node_fsm.states[i]), 0);
    ax_sql_end(&q);
}

static void a_person_can_read_the_names_of_nodes(void **state)
{
    store_fixture *f = *state;
    ax_run_rec run = test_given_run(f);
    ax_batch batch = ax_batch_new(&f->mem, f->epoch);
    ax_vec_push(&f->mem, &batch.nodes, test_new_node(run.id, 2));
    test_given_commit(f, &batch);
    sqlite3_stmt *stmt;
    const char *sql = "SELECT name, state FROM named_node WHERE run = 1";
    assert_int_equal(sqlite3_prepare_v2(((ax_sqlite *)f->store)->db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(stmt, 0), "c");
    assert_string_equal((const char *)sqlite3_column_text(stmt, 1), "ACTIVE");
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static void parameters_are_numbered_in_order(void **state)
{
    store_fixture *f = *state;
    for (int id = 0; id < AX_SQL_COUNT; id++) {
        ax_sql q = ax_sql_start((ax_sqlite *)f->store, (ax_sql_id)id);
        assert_int_equal(q.rc, SQLITE_OK);
        for (int i = 1; i <= sqlite3_bind_parameter_count(q.stmt); i++) {
            char want[16];
            snprintf(want, sizeof want, "$%d", i);
            assert_string_equal(sqlite3_bind_parameter_name(q.stmt, i), want);
        }
        ax_sql_end(&q);
    }
}

static void no_statement_reads_a_whole_table(void **state)
{
    store_fixture *f = *state;
    ax_sqlite *s = (ax_sqlite *)f->store;
    for (int id = 0; id < AX_SQL_COUNT; id++) {
        ax_sql q = ax_sql_start(s, (ax_sql_id)id);
        const char *explain =
            ax_str_c(&f->mem, ax_str_fmt(&f->mem, "EXPLAIN QUERY PLAN %s", sqlite3_sql(q.stmt)));
        ax_sql_end(&q);
        sqlite3_stmt *stmt = NULL;
        assert_int_equal(sqlite3_prepare_v2(s->db, explain, -1, &stmt, NULL), SQLITE_OK);
        while (sqlite3_step(stmt) == SQLITE_ROW) {
            const char *detail = (const char *)sqlite3_column_text(stmt, 3);
            if (strncmp(detail, "SEARCH", 6) != 0) fail_msg("%s: %s", explain, detail);
        }
        sqlite3_finalize(stmt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_reader_finds_no_store_where_there_is_none),
        CASE(an_empty_file_becomes_a_store),
        CASE(a_file_that_is_no_database_is_left_alone),
        CASE(a_database_of_another_program_is_left_alone),
        CASE(a_newer_schema_is_refused),
        CASE(a_path_with_odd_characters_works),
        CASE(a_damaged_file_is_an_error_and_no_crash),
        CASE(a_name_that_is_in_no_list_is_an_error),
        CASE(a_full_disk_changes_nothing_and_passes),
        CASE(a_write_that_fails_changes_nothing_and_passes),
        CASE(a_closed_store_in_a_read_only_folder_can_be_read),
        CASE(a_store_in_use_can_be_read_by_one_who_may_not_write),
        CASE(a_reader_sees_each_commit_and_stops_nobody),
        CASE(a_locked_store_is_busy_and_works_afterwards),
        CASE(a_writer_waits_until_another_has_written),
        CASE(a_missing_lease_row_is_made_again_with_a_higher_epoch),
        CASE(killed_at_any_moment_every_commit_is_whole),
        CASE(the_schema_lists_the_states_of_the_machines),
        CASE(the_counters_of_a_run_are_named_as_the_states_of_nodes),
        CASE(a_person_can_read_the_names_of_nodes),
        CASE(parameters_are_numbered_in_order),
        CASE(no_statement_reads_a_whole_table),
    };
    return cmocka_run_group_tests_name("store file", tests, NULL, NULL);
}
