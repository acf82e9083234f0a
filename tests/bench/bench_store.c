/* bench_store.c - transitions a second through the store, beside plain SQLite doing the least that the same
 * promise needs: one conditional UPDATE and one log INSERT for each, committed in the same batches with the
 * same durability.
 *
 *   bench_store [FOLDER] [SECONDS]      a line for each batch size, with the ratio of the medians
 *
 * The two are run alternately, because absolute rates on a shared machine say little.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dsl/base/assert.h"
#include "runtime/store/store.h"
#include "tests/lib/tmp.h"

enum { ROWS = 20000, ROUNDS = 5 };

static const char plain_schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE instance (run INTEGER, node INTEGER, attempt INTEGER, state TEXT, version INTEGER,"
    "                       started INTEGER, ended INTEGER, PRIMARY KEY (run, node, attempt)) WITHOUT ROWID;"
    "CREATE TABLE log (run INTEGER, seq INTEGER, node INTEGER, attempt INTEGER, from_state TEXT, event TEXT,"
    "                  to_state TEXT, event_id TEXT, at INTEGER, PRIMARY KEY (run, seq)) WITHOUT ROWID;";

typedef struct {
    sqlite3 *db;
    sqlite3_stmt *begin, *update, *insert, *commit;
    uint64_t turn;
} plain;

typedef struct {
    ax_store *store;
    uint64_t epoch, run, seq, turn;
    ax_arena mem;
    ax_err err;
} ours;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(bool ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "bench_store: %s\n", what);
    abort();
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    must(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, sqlite3_errmsg(db));
    return stmt;
}

static void run_once(sqlite3_stmt *stmt)
{
    must(sqlite3_step(stmt) == SQLITE_DONE, "a plain statement failed");
    sqlite3_reset(stmt);
}

static plain plain_open(const char *path)
{
    plain p = {0};
    must(sqlite3_open(path, &p.db) == SQLITE_OK, "cannot open");
    must(sqlite3_exec(p.db, plain_schema, NULL, NULL, NULL) == SQLITE_OK, "cannot make the tables");
    p.begin = prepare(p.db, "BEGIN IMMEDIATE");
    p.commit = prepare(p.db, "COMMIT");
    p.insert = prepare(p.db, "INSERT INTO log VALUES (1, ?, ?, 1, ?, ?, ?, ?, ?)");
    p.update = prepare(p.db, "UPDATE instance SET state = ?, version = version + 1, started = ? "
                             "WHERE run = 1 AND node = ? AND attempt = 1 AND state = ? AND version = ?");
    sqlite3_stmt *fill = prepare(p.db, "INSERT INTO instance VALUES (1, ?, 1, 'READY', 1, 0, 0)");
    run_once(p.begin);
    for (int i = 0; i < ROWS; i++) {
        sqlite3_bind_int(fill, 1, i);
        run_once(fill);
    }
    run_once(p.commit);
    sqlite3_finalize(fill);
    return p;
}

static const char *const names[] = {"READY", "RUNNING"};

static void plain_batch(plain *p, int size)
{
    run_once(p->begin);
    for (int i = 0; i < size; i++, p->turn++) {
        int row = (int)(p->turn % ROWS), version = (int)(p->turn / ROWS) + 1;
        const char *from = names[(version - 1) % 2], *to = names[version % 2];
        sqlite3_bind_text(p->update, 1, to, -1, SQLITE_STATIC);
        sqlite3_bind_int64(p->update, 2, 1764500000000);
        sqlite3_bind_int(p->update, 3, row);
        sqlite3_bind_text(p->update, 4, from, -1, SQLITE_STATIC);
        sqlite3_bind_int(p->update, 5, version);
        run_once(p->update);
        must(sqlite3_changes(p->db) == 1, "an update hit nothing");
        sqlite3_bind_int64(p->insert, 1, (sqlite3_int64)p->turn);
        sqlite3_bind_int(p->insert, 2, row);
        sqlite3_bind_text(p->insert, 3, from, -1, SQLITE_STATIC);
        sqlite3_bind_text(p->insert, 4, "DISPATCH", -1, SQLITE_STATIC);
        sqlite3_bind_text(p->insert, 5, to, -1, SQLITE_STATIC);
        sqlite3_bind_text(p->insert, 6, "dispatch:1", -1, SQLITE_STATIC);
        sqlite3_bind_int64(p->insert, 7, 1764500000000);
        run_once(p->insert);
    }
    run_once(p->commit);
}

static ax_instance_change change_of(ours *o, uint32_t node, uint32_t version)
{
    ax_instance_state to = version % 2 == 0 ? AX_INSTANCE_RUNNING : AX_INSTANCE_READY;
    ax_instance_state from = version % 2 == 0 ? AX_INSTANCE_READY : AX_INSTANCE_RUNNING;
    return (ax_instance_change){
        .run = o->run,
        .from = from,
        .from_version = version - 1,
        .to = {.node = node, .attempt = 1, .state = to, .version = version, .started_ms = 1764500000000},
    };
}

static ours ours_open(const char *path, ax_plan *plan)
{
    ours o = {0};
    must(ax_sqlite_open(path, AX_STORE_WRITE, &o.store, &o.err) == AX_OK, o.err.text);
    must(o.store->ops->lease_take(o.store, AX_LIT("bench"), 3600000, &o.epoch, &o.err) == AX_OK, o.err.text);
    ax_run_rec run = {.workflow = plan->name, .hash = ax_str_of(plan->hash), .version = 1, .seq = 1};
    must(o.store->ops->create_run(o.store, &run, plan, o.epoch, &o.err) == AX_OK, o.err.text);
    o.run = run.id;
    o.seq = run.seq;
    ax_batch batch = ax_batch_new(&o.mem, o.epoch);
    for (uint32_t node = 0; node < ROWS; node++)
        ax_vec_push(&o.mem, &batch.instances, change_of(&o, node, 1));
    must(o.store->ops->commit(o.store, &batch, &o.err) == AX_OK, o.err.text);
    o.turn = ROWS;
    return o;
}

static void ours_batch(ours *o, int size)
{
    ax_arena_reset(&o->mem);
    ax_batch batch = ax_batch_new(&o->mem, o->epoch);
    for (int i = 0; i < size; i++, o->turn++) {
        ax_instance_change change = change_of(o, (uint32_t)(o->turn % ROWS), (uint32_t)(o->turn / ROWS) + 1);
        ax_log_rec row = {
            .run = o->run,
            .seq = ++o->seq,
            .machine = AX_MACHINE_INSTANCE,
            .node = change.to.node,
            .attempt = 1,
            .from = (uint8_t)change.from,
            .event = AX_INSTANCE_EV_DISPATCH,
            .to = (uint8_t)change.to.state,
            .event_id = AX_LIT("dispatch:1"),
            .source = AX_LIT("engine"),
            .at_ms = 1764500000000,
        };
        ax_vec_push(&o->mem, &batch.instances, change);
        ax_vec_push(&o->mem, &batch.log, row);
    }
    must(o->store->ops->commit(o->store, &batch, &o->err) == AX_OK, o->err.text);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(plain *p, ours *o, int size, double budget)
{
    double rates[2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        for (int which = 0; which < 2; which++) {
            double start = seconds(), now = start;
            long count = 0;
            while (now - start < budget) {
                if (which == 0) plain_batch(p, size);
                else ours_batch(o, size);
                count += size;
                now = seconds();
            }
            rates[which][round] = (double)count / (now - start);
        }
    }
    for (int which = 0; which < 2; which++) qsort(rates[which], ROUNDS, sizeof(double), by_value);
    double yardstick = rates[0][ROUNDS / 2], mine = rates[1][ROUNDS / 2];
    printf("  batch %4d   plain %7.0f/s   store %7.0f/s   ratio %.2f\n", size, yardstick, mine,
           mine / yardstick);
}

int main(int argc, char **argv)
{
    char dir[256], path[300];
    double budget = argc > 2 ? strtod(argv[2], NULL) / ROUNDS / 8 : 0.2;
    if (argc > 1) snprintf(dir, sizeof dir, "%s", argv[1]);
    else test_tmp_make(dir, sizeof dir);

    ax_plan plan = {.name = AX_LIT("bench"), .file = AX_LIT("bench.axf")};
    memset(plan.hash, 'b', 64);
    snprintf(path, sizeof path, "%s/plain.db", dir);
    plain p = plain_open(path);
    snprintf(path, sizeof path, "%s/ax.db", dir);
    ours o = ours_open(path, &plan);
    printf("transitions a second, synchronous=FULL\n");
    for (int size = 1; size <= 1000; size *= 10) measure(&p, &o, size, budget);

    o.store->ops->close(o.store);
    sqlite3_finalize(p.begin);
    sqlite3_finalize(p.update);
    sqlite3_finalize(p.insert);
    sqlite3_finalize(p.commit);
    sqlite3_close(p.db);
    ax_arena_free(&o.mem);
    if (argc <= 1) test_tmp_remove(dir);
    return 0;
}
