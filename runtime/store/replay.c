/* replay.c - replays a run's history and compares its end with the stored rows.
 *
 * The log is read in pages, so that a long history needs no memory; what is kept is one state and one version
 * for the run, for each node and for each attempt.
 */
#include "runtime/store/replay.h"

#include <inttypes.h>
#include <stdio.h>

#include "dsl/base/assert.h"
#include "dsl/base/vec.h"

enum { PAGE = 4096 };

/* Where a machine stands. */
typedef struct {
    uint8_t state;
    uint32_t version; /* how many rows moved it, its creation included */
} place;

typedef struct {
    place itself;
    AX_VEC(place) attempts; /* attempt n at n - 1 */
} node_places;

typedef struct {
    ax_store *store;
    uint64_t run;
    ax_arena mem; /* what is kept */
    place run_place;
    AX_VEC(node_places) nodes;
    uint64_t last_seq;
    ax_err *err;
} replay;

static node_places *node_at(replay *r, uint32_t node)
{
    while (r->nodes.len <= node)
        ax_vec_push(&r->mem, &r->nodes, (node_places){.itself = {AX_NODE_ST_BLOCKED, 0}});
    return &r->nodes.at[node];
}

static ax_rc unfit(replay *r, const ax_log_rec *row, const char *why)
{
    return ax_fail(r->err, AX_INVALID, "run %" PRIu64 ", history row %" PRIu64 ": %s", r->run, row->seq, why);
}

/* The place that the row is about; a new one if it tells of a creation. */
static ax_rc find_place(replay *r, const ax_log_rec *row, place **out)
{
    switch (row->machine) {
    case AX_MACHINE_RUN: *out = &r->run_place; break;
    case AX_MACHINE_NODE:
        if (row->node >= AX_NODES_MAX) return unfit(r, row, "it names no node");
        *out = &node_at(r, row->node)->itself;
        break;
    case AX_MACHINE_INSTANCE:
    case AX_MACHINE_GHOST:
        if (row->node >= AX_NODES_MAX || row->attempt == 0) return unfit(r, row, "it names no attempt");
        node_places *node = node_at(r, row->node);
        if (row->created && row->attempt == node->attempts.len + 1)
            ax_vec_push(&r->mem, &node->attempts, (place){0});
        if (row->attempt > node->attempts.len) return unfit(r, row, "its attempt was never created");
        *out = &node->attempts.at[row->attempt - 1];
        break;
    case AX_MACHINE_COUNT: AX_UNREACHABLE();
    }
    return AX_OK;
}

static ax_rc create(replay *r, const ax_log_rec *row, place *at)
{
    const ax_fsm *fsm = ax_machine_fsm(row->machine);
    if (at->version > 0 || row->machine == AX_MACHINE_NODE) return unfit(r, row, "it creates what is there");
    if ((fsm->flags[row->to] & AX_ST_INITIAL) == 0) return unfit(r, row, "nothing is created in that state");
    *at = (place){.state = row->to, .version = 1};
    return AX_OK;
}

static ax_rc apply(replay *r, const ax_log_rec *row)
{
    place *at = NULL;
    uint8_t to;
    if (row->run != r->run || row->seq <= r->last_seq) return unfit(r, row, "it is out of order");
    r->last_seq = row->seq;
    ax_rc rc = find_place(r, row, &at);
    if (rc != AX_OK) return rc;
    if (row->machine == AX_MACHINE_GHOST) return AX_OK; /* it changes nothing */
    if (row->created) return create(r, row, at);

    const ax_fsm *fsm = ax_machine_fsm(row->machine);
    if (at->version == 0 && row->machine == AX_MACHINE_RUN) return unfit(r, row, "the run was never created");
    if (row->from != at->state)
        return ax_fail(r->err, AX_INVALID,
                       "run %" PRIu64 ", history row %" PRIu64 ": a %s goes on from %s, but it was %s",
                       r->run, row->seq, fsm->name, fsm->states[row->from], fsm->states[at->state]);
    rc = ax_fsm_next(fsm, row->from, row->event, &to, r->err);
    if (rc == AX_REFUSED) {
        ax_err_prefix(r->err, "run %" PRIu64 ", history row %" PRIu64, r->run, row->seq);
        return AX_INVALID;
    }
    if (to != row->to) return unfit(r, row, "its event leads to another state");
    at->state = to;
    at->version++;
    return AX_OK;
}

static ax_rc apply_all(replay *r)
{
    ax_arena page = AX_ARENA_INIT;
    ax_rc rc = AX_OK;
    uint32_t count = PAGE;
    while (rc == AX_OK && count == PAGE) {
        ax_log_filter filter = {.run = r->run, .node = AX_NONE, .after = r->last_seq, .limit = PAGE};
        ax_log_rec *rows = NULL;
        ax_arena_reset(&page);
        rc = r->store->ops->read_log(r->store, &filter, &page, &rows, &count, r->err);
        for (uint32_t i = 0; i < count && rc == AX_OK; i++) rc = apply(r, &rows[i]);
    }
    ax_arena_free(&page);
    return rc;
}

/* One machine: its stored state and version against where the history ended. A node's or attempt's row may
 * have changed without a transition (it has a newer attempt), so its version may be ahead; a run's may not.
 */
static ax_rc compare(replay *r, const ax_fsm *fsm, const char *name, place stored, place told)
{
    bool follows = stored.version == told.version || (stored.version > told.version && fsm != &ax_run_fsm);
    bool same = stored.version == 0 || stored.state == told.state;
    if (follows && same) return AX_OK;
    return ax_fail(r->err, AX_INVALID,
                   "run %" PRIu64 "%s: stored is %s at version %" PRIu32 ", the history tells %s at %" PRIu32,
                   r->run, name, fsm->states[stored.state], stored.version, fsm->states[told.state],
                   told.version);
}

static ax_rc compare_node(replay *r, uint32_t node, place stored)
{
    char name[32];
    snprintf(name, sizeof name, ", node %" PRIu32, node);
    return compare(r, &ax_node_fsm, name, stored, node_at(r, node)->itself);
}

static ax_rc compare_nodes(replay *r, const ax_run_rows *rows)
{
    ax_rc rc = AX_OK;
    uint32_t next = 0; /* the first node that has not been compared */
    for (uint32_t i = 0; i < rows->node_count && rc == AX_OK; i++) {
        const ax_node_rec *row = &rows->nodes[i];
        if (row->node >= AX_NODES_MAX)
            return ax_fail(r->err, AX_INVALID, "run %" PRIu64 ": no plan has a node %" PRIu32, r->run,
                           row->node);
        for (; next < row->node && rc == AX_OK; next++) rc = compare_node(r, next, (place){0});
        if (rc == AX_OK) rc = compare_node(r, row->node, (place){(uint8_t)row->state, row->version});
        next = row->node + 1;
    }
    for (; next < r->nodes.len && rc == AX_OK; next++) rc = compare_node(r, next, (place){0});
    return rc;
}

static ax_rc compare_attempts(replay *r, const ax_run_rows *rows)
{
    ax_rc rc = AX_OK;
    uint32_t told = 0;
    for (uint32_t n = 0; n < r->nodes.len; n++) told += r->nodes.at[n].attempts.len;
    if (told != rows->instance_count)
        return ax_fail(r->err, AX_INVALID,
                       "run %" PRIu64 ": stored are %" PRIu32 " attempts, the history tells of %" PRIu32,
                       r->run, rows->instance_count, told);
    for (uint32_t i = 0; i < rows->instance_count && rc == AX_OK; i++) {
        const ax_instance_rec *row = &rows->instances[i];
        const node_places *node = node_at(r, row->node);
        place none = {0};
        place at = row->attempt - 1 < node->attempts.len ? node->attempts.at[row->attempt - 1] : none;
        char name[48];
        snprintf(name, sizeof name, ", node %" PRIu32 ", attempt %" PRIu32, row->node, row->attempt);
        rc = compare(r, &ax_instance_fsm, name, (place){(uint8_t)row->state, row->version}, at);
    }
    return rc;
}

ax_rc ax_store_replay(ax_store *store, uint64_t run, ax_err *err)
{
    replay r = {.store = store, .run = run, .err = err};
    ax_run_rows rows;
    ax_rc rc = store->ops->load_run(store, run, &r.mem, &rows, err);
    if (rc == AX_OK) rc = apply_all(&r);
    if (rc == AX_OK)
        rc = compare(&r, &ax_run_fsm, "", (place){(uint8_t)rows.run.state, rows.run.version}, r.run_place);
    if (rc == AX_OK && rows.run.seq < r.last_seq)
        rc = ax_fail(err, AX_INVALID, "run %" PRIu64 ": its history has rows beyond its last number", run);
    if (rc == AX_OK) rc = compare_nodes(&r, &rows);
    if (rc == AX_OK) rc = compare_attempts(&r, &rows);
    ax_arena_free(&r.mem);
    return rc;
}
