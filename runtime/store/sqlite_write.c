/* sqlite_write.c - what changes a run: keeping a plan, creating a run, committing a batch.
 *
 * Each is one transaction. A batch is checked row by row: an update that does not hit exactly one row, or an
 * insert of a key that is there already, means that somebody else was faster; everything is rolled back and
 * the answer is AX_CONFLICT. The writer's epoch is checked inside of the same transaction.
 */
#include "dsl/base/assert.h"
#include "dsl/model/plan_json.h"
#include "runtime/store/sqlite_int.h"

/* ---------------------------------------------------------------------------------------- plan and run */

static ax_rc write_failed(ax_sqlite *s, int code, ax_err *err)
{
    return code == SQLITE_OK ? AX_OK : ax_sqlite_fail(s, code, "cannot write to", err);
}

static ax_rc insert_plan(ax_sqlite *s, const ax_plan *plan, ax_err *err)
{
    ax_buf document = AX_BUF_INIT(AX_PLAN_BYTES_MAX);
    int64_t now_ms;
    ax_rc rc = ax_sqlite_now_ms(&s->base, &now_ms, err);
    if (rc != AX_OK) return rc;
    ax_plan_write(plan, 0, &document);
    if (document.full) {
        rc = ax_fail(err, AX_INVALID, "the document of %.*s is too large to store", AX_STR(plan->name));
    } else {
        ax_sql q = ax_sql_start(s, AX_SQL_plan_put);
        ax_sql_name(&q, plan->hash);
        ax_sql_text(&q, plan->name);
        ax_sql_text(&q, ax_buf_str(&document));
        ax_sql_int(&q, now_ms);
        rc = write_failed(s, ax_sql_run(&q, NULL), err);
    }
    ax_buf_free(&document);
    return rc;
}

/* Inside of a write: keeps the plan's document unless it is there. */
static ax_rc keep_plan(ax_sqlite *s, const ax_plan *plan, ax_err *err)
{
    AX_ASSERT(plan->hash[0] != '\0');
    ax_sql q = ax_sql_start(s, AX_SQL_plan_has);
    ax_sql_name(&q, plan->hash);
    bool there = ax_sql_row(&q);
    int code = ax_sql_end(&q);
    if (code != SQLITE_OK) return ax_sqlite_fail(s, code, "cannot read", err);
    return there ? AX_OK : insert_plan(s, plan, err);
}

ax_rc ax_sqlite_put_plan(ax_store *store, const ax_plan *plan, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    ax_rc rc = ax_sqlite_begin(s, err);
    if (rc != AX_OK) return rc;
    return ax_sqlite_finish(s, keep_plan(s, plan, err), err);
}

static uint32_t nodes_total(const ax_plan *plan)
{
    uint32_t total = 0;
    for (uint32_t n = 0; n < plan->node_count; n++) total += ax_plan_kind(plan, n) != AX_NODE_GROUP;
    return total;
}

static ax_rc insert_run(ax_sqlite *s, const ax_run_rec *run, uint32_t nodes, uint64_t *id, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_run_insert);
    ax_sql_uint(&q, run->id);
    ax_sql_text(&q, run->workflow);
    ax_sql_text(&q, run->hash);
    ax_sql_name(&q, ax_run_fsm.states[run->state]);
    ax_sql_uint(&q, run->version);
    ax_sql_uint(&q, run->seq);
    ax_sql_int(&q, run->date);
    ax_sql_int(&q, run->scheduled_at_ms);
    ax_sql_int(&q, run->interval_start_ms);
    ax_sql_int(&q, run->interval_end_ms);
    ax_sql_text(&q, run->params);
    ax_sql_text(&q, run->workdir);
    ax_sql_text(&q, run->origin);
    ax_sql_int(&q, run->paused_by_person);
    ax_sql_int(&q, run->created_ms);
    ax_sql_int(&q, run->started_ms);
    ax_sql_int(&q, run->ended_ms);
    ax_sql_int(&q, nodes);
    if (ax_sql_row(&q)) *id = ax_sql_get_u64(&q);
    return write_failed(s, ax_sql_end(&q), err);
}

/* ------------------------------------------------------------------------------------- rows of a batch */

/* The code of a statement that must have changed one row. */
static ax_rc changed_one(ax_sql *q, const char *what, uint64_t run, uint32_t node, ax_err *err)
{
    ax_sqlite *s = q->s;
    int changes;
    int code = ax_sql_run(q, &changes);
    bool clash = code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_UNIQUE;
    if (code != SQLITE_OK && !clash) return ax_sqlite_fail(s, code, "cannot write to", err);
    if (code == SQLITE_OK && changes == 1) return AX_OK;
    if (node == AX_NONE)
        return ax_fail(err, AX_CONFLICT, "the %s of run %llu was changed by somebody else", what,
                       (unsigned long long)run);
    return ax_fail(err, AX_CONFLICT, "the %s of run %llu, node %u was changed by somebody else", what,
                   (unsigned long long)run, node);
}

static ax_rc write_log(ax_sqlite *s, const ax_log_rec *row, ax_err *err)
{
    const ax_fsm *fsm = ax_machine_fsm(row->machine);
    ax_sql q = ax_sql_start(s, AX_SQL_log_insert);
    ax_sql_uint(&q, row->run);
    ax_sql_uint(&q, row->seq);
    ax_sql_name(&q, ax_machine_name(row->machine));
    ax_sql_node(&q, row->node);
    ax_sql_uint(&q, row->attempt);
    if (row->created) {
        AX_ASSERT(row->from == row->to);
        ax_sql_null(&q);
        ax_sql_null(&q);
    } else {
        ax_sql_name(&q, fsm->states[row->from]);
        ax_sql_name(&q, fsm->events[row->event]);
    }
    ax_sql_name(&q, fsm->states[row->to]);
    ax_sql_text(&q, row->event_id);
    ax_sql_text(&q, row->source);
    ax_sql_text(&q, row->person);
    ax_sql_text(&q, row->reason);
    ax_sql_text(&q, row->extra);
    ax_sql_int(&q, row->at_ms);
    return changed_one(&q, "history", row->run, AX_NONE, err);
}

static ax_rc write_run(ax_sqlite *s, const ax_run_change *change, ax_err *err)
{
    const ax_run_rec *to = &change->to;
    AX_ASSERT(to->version >= change->from_version);
    ax_sql q = ax_sql_start(s, AX_SQL_run_update);
    ax_sql_name(&q, ax_run_fsm.states[to->state]);
    ax_sql_uint(&q, to->version);
    ax_sql_uint(&q, to->seq);
    ax_sql_int(&q, to->paused_by_person);
    ax_sql_int(&q, to->started_ms);
    ax_sql_int(&q, to->ended_ms);
    ax_sql_uint(&q, to->id);
    ax_sql_name(&q, ax_run_fsm.states[change->from]);
    ax_sql_uint(&q, change->from_version);
    return changed_one(&q, "state", to->id, AX_NONE, err);
}

static ax_rc write_node(ax_sqlite *s, const ax_node_change *change, ax_err *err)
{
    const ax_node_rec *to = &change->to;
    bool is_new = change->from_version == 0;
    AX_ASSERT(to->version > change->from_version);
    ax_sql q = ax_sql_start(s, is_new ? AX_SQL_node_insert : AX_SQL_node_update);
    ax_sql_name(&q, ax_node_fsm.states[to->state]);
    ax_sql_uint(&q, to->version);
    ax_sql_name(&q, ax_reason_name(to->reason));
    ax_sql_node(&q, to->cause);
    ax_sql_uint(&q, to->attempt);
    ax_sql_uint(&q, to->budget_from);
    ax_sql_int(&q, to->open);
    ax_sql_int(&q, to->given_up);
    ax_sql_int(&q, to->held_by_hand);
    ax_sql_int(&q, to->skipped_by_hand);
    ax_sql_int(&q, to->accepted);
    ax_sql_int(&q, to->begun_ms);
    ax_sql_int(&q, to->ended_ms);
    ax_sql_uint(&q, change->run);
    ax_sql_uint(&q, to->node);
    if (!is_new) {
        ax_sql_name(&q, ax_node_fsm.states[change->from]);
        ax_sql_uint(&q, change->from_version);
    }
    return changed_one(&q, "state", change->run, to->node, err);
}

static ax_rc write_instance(ax_sqlite *s, const ax_instance_change *change, ax_err *err)
{
    const ax_instance_rec *to = &change->to;
    bool is_new = change->from_version == 0;
    AX_ASSERT(to->version > change->from_version);
    ax_sql q = ax_sql_start(s, is_new ? AX_SQL_instance_insert : AX_SQL_instance_update);
    ax_sql_name(&q, ax_instance_fsm.states[to->state]);
    ax_sql_uint(&q, to->version);
    ax_sql_name(&q, ax_reason_name(to->reason));
    ax_sql_int(&q, to->exit_code);
    ax_sql_int(&q, to->signal);
    ax_sql_int(&q, to->unconfirmed);
    ax_sql_int(&q, to->skip);
    ax_sql_uint(&q, to->retry_of);
    ax_sql_int(&q, to->due_ms);
    ax_sql_int(&q, to->created_ms);
    ax_sql_int(&q, to->ready_ms);
    ax_sql_int(&q, to->started_ms);
    ax_sql_int(&q, to->ended_ms);
    ax_sql_text(&q, to->message);
    ax_sql_uint(&q, change->run);
    ax_sql_uint(&q, to->node);
    ax_sql_uint(&q, to->attempt);
    if (!is_new) {
        ax_sql_name(&q, ax_instance_fsm.states[change->from]);
        ax_sql_uint(&q, change->from_version);
    }
    return changed_one(&q, "attempt", change->run, to->node, err);
}

static ax_rc write_output(ax_sqlite *s, const ax_output_change *change, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_output_insert);
    ax_sql_uint(&q, change->run);
    ax_sql_uint(&q, change->row.node);
    ax_sql_uint(&q, change->row.attempt);
    ax_sql_uint(&q, change->row.output);
    ax_sql_text(&q, change->row.value);
    return changed_one(&q, "output", change->run, change->row.node, err);
}

static ax_rc write_effect(ax_sqlite *s, const ax_effect *effect, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_effect_insert);
    ax_sql_uint(&q, effect->run);
    ax_sql_uint(&q, effect->seq);
    ax_sql_name(&q, ax_effect_name(effect->kind));
    ax_sql_uint(&q, effect->node);
    ax_sql_uint(&q, effect->attempt);
    return changed_one(&q, "outbox", effect->run, effect->node, err);
}

/* Whether the row is there or not: an effect may be reported done twice. */
static ax_rc delete_effect(ax_sqlite *s, const ax_effect *effect, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_effect_delete);
    ax_sql_uint(&q, effect->run);
    ax_sql_uint(&q, effect->seq);
    return write_failed(s, ax_sql_run(&q, NULL), err);
}

/* -------------------------------------------------------------------------------------- the operations */

/* Adds to the run's counters what the node changes from `first` to `end` make of them. */
static ax_rc count_nodes(ax_sqlite *s, const ax_node_change *first, const ax_node_change *end, ax_err *err)
{
    int64_t delta[AX_NODE_ST_COUNT] = {0};
    for (const ax_node_change *c = first; c < end; c++) {
        if (c->from_version > 0) delta[c->from]--;
        delta[c->to.state]++;
    }
    ax_sql q = ax_sql_start(s, AX_SQL_run_count);
    for (int state = 0; state < AX_NODE_ST_COUNT; state++) ax_sql_int(&q, delta[state]);
    ax_sql_uint(&q, first->run);
    return changed_one(&q, "state", first->run, AX_NONE, err);
}

static ax_rc write_nodes(ax_sqlite *s, const ax_batch *batch, ax_err *err)
{
    ax_rc rc = AX_OK;
    uint32_t first = 0; /* of the run that is being counted */
    for (uint32_t i = 0; i < batch->nodes.len && rc == AX_OK; i++) {
        rc = write_node(s, &batch->nodes.at[i], err);
        bool last = i + 1 == batch->nodes.len || batch->nodes.at[i + 1].run != batch->nodes.at[i].run;
        if (rc != AX_OK || !last) continue;
        rc = count_nodes(s, &batch->nodes.at[first], &batch->nodes.at[i + 1], err);
        first = i + 1;
    }
    return rc;
}

static ax_rc write_batch(ax_sqlite *s, const ax_batch *batch, ax_err *err)
{
    ax_rc rc = ax_sqlite_guard(s, batch->epoch, err);
    for (uint32_t i = 0; i < batch->runs.len && rc == AX_OK; i++) rc = write_run(s, &batch->runs.at[i], err);
    if (rc == AX_OK) rc = write_nodes(s, batch, err);
    for (uint32_t i = 0; i < batch->instances.len && rc == AX_OK; i++)
        rc = write_instance(s, &batch->instances.at[i], err);
    for (uint32_t i = 0; i < batch->outputs.len && rc == AX_OK; i++)
        rc = write_output(s, &batch->outputs.at[i], err);
    for (uint32_t i = 0; i < batch->log.len && rc == AX_OK; i++) rc = write_log(s, &batch->log.at[i], err);
    for (uint32_t i = 0; i < batch->effects.len && rc == AX_OK; i++)
        rc = write_effect(s, &batch->effects.at[i], err);
    for (uint32_t i = 0; i < batch->done.len && rc == AX_OK; i++)
        rc = delete_effect(s, &batch->done.at[i], err);
    return rc;
}

ax_rc ax_sqlite_commit(ax_store *store, const ax_batch *batch, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    ax_rc rc = ax_sqlite_begin(s, err);
    if (rc != AX_OK) return rc;
    return ax_sqlite_finish(s, write_batch(s, batch, err), err);
}

static ax_rc write_new_run(ax_sqlite *s, ax_run_rec *run, const ax_plan *plan, uint64_t epoch, ax_err *err)
{
    ax_rc rc = ax_sqlite_guard(s, epoch, err);
    if (rc == AX_OK) rc = keep_plan(s, plan, err);
    if (rc == AX_OK) rc = insert_run(s, run, nodes_total(plan), &run->id, err);
    if (rc != AX_OK) return rc;
    ax_log_rec created = {
        .run = run->id,
        .seq = run->seq,
        .machine = AX_MACHINE_RUN,
        .node = AX_NONE,
        .from = (uint8_t)run->state,
        .to = (uint8_t)run->state,
        .created = true,
        .event_id = AX_LIT("create"),
        .source = AX_LIT("engine"),
        .at_ms = run->created_ms,
    };
    return write_log(s, &created, err);
}

ax_rc ax_sqlite_create_run(ax_store *store, ax_run_rec *run, const ax_plan *plan, uint64_t epoch, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    AX_ASSERT(run->state == AX_RUN_QUEUED && run->seq > 0);
    ax_rc rc = ax_sqlite_begin(s, err);
    if (rc != AX_OK) return rc;
    ax_run_rec made = *run;
    rc = ax_sqlite_finish(s, write_new_run(s, &made, plan, epoch, err), err);
    if (rc == AX_OK) *run = made;
    return rc;
}
