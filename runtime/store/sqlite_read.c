/* sqlite_read.c - rows back from the file. What was stored by name is looked up again; a name that is in no
 * list means that the file was changed by hand or is damaged, and is an error, never a guess.
 */
#include "dsl/base/assert.h"
#include "dsl/base/vec.h"
#include "dsl/model/plan_json.h"
#include "runtime/store/sqlite_int.h"

/* ----------------------------------------------------------------------------------------------- names */

/* Reading rows: the first name that is unknown fails the whole. */
typedef struct {
    ax_sql *q;
    ax_arena *mem;
    ax_err *err;
    ax_rc rc;
} reader;

static uint32_t unknown(reader *r, const char *what, ax_str name)
{
    if (r->rc != AX_OK) return 0;
    r->rc = ax_fail(r->err, AX_INVALID, "%s is damaged: there is no %s '%.*s'", r->q->s->path, what,
                    AX_STR(name));
    return 0;
}

static uint32_t read_state(reader *r, const ax_fsm *fsm)
{
    ax_str name = ax_sql_peek_text(r->q);
    uint32_t state = ax_fsm_state(fsm, name);
    return state != UINT32_MAX ? state : unknown(r, "state", name);
}

static uint32_t read_event(reader *r, const ax_fsm *fsm)
{
    ax_str name = ax_sql_peek_text(r->q);
    uint32_t event = ax_fsm_event(fsm, name);
    return event != UINT32_MAX ? event : unknown(r, "event", name);
}

static ax_reason read_reason(reader *r)
{
    ax_str name = ax_sql_peek_text(r->q);
    ax_reason reason = ax_reason_find(name);
    return reason != AX_REASON_COUNT ? reason : (ax_reason)unknown(r, "reason", name);
}

/* The enum value below count whose name is the next column. */
static uint32_t read_named(reader *r, const char *what, const char *(*name_of)(uint32_t), uint32_t count)
{
    ax_str name = ax_sql_peek_text(r->q);
    for (uint32_t i = 0; i < count; i++)
        if (ax_str_is(name, name_of(i))) return i;
    return unknown(r, what, name);
}

static const char *machine_name(uint32_t i)
{
    return ax_machine_name((ax_machine)i);
}

static const char *effect_name(uint32_t i)
{
    return ax_effect_name((ax_effect_kind)i);
}

static ax_rc finish(reader *r)
{
    int code = ax_sql_end(r->q);
    if (code != SQLITE_OK) return ax_sqlite_fail(r->q->s, code, "cannot read", r->err);
    return r->rc;
}

/* ------------------------------------------------------------------------------------------------ rows */

static ax_run_summary read_run_row(reader *r)
{
    ax_sql *q = r->q;
    ax_run_summary sum = {0};
    ax_run_rec *run = &sum.run;
    run->id = ax_sql_get_u64(q);
    run->workflow = ax_sql_get_text(q, r->mem);
    run->hash = ax_sql_get_text(q, r->mem);
    run->state = (ax_run_state)read_state(r, &ax_run_fsm);
    run->version = ax_sql_get_u32(q);
    run->seq = ax_sql_get_u64(q);
    run->date = ax_sql_get_int(q);
    run->scheduled_at_ms = ax_sql_get_int(q);
    run->interval_start_ms = ax_sql_get_int(q);
    run->interval_end_ms = ax_sql_get_int(q);
    run->params = ax_sql_get_text(q, r->mem);
    run->workdir = ax_sql_get_text(q, r->mem);
    run->origin = ax_sql_get_text(q, r->mem);
    run->paused_by_person = ax_sql_get_bool(q);
    run->created_ms = ax_sql_get_int(q);
    run->started_ms = ax_sql_get_int(q);
    run->ended_ms = ax_sql_get_int(q);
    sum.nodes_total = ax_sql_get_u32(q);
    for (int state = 0; state < AX_NODE_ST_COUNT; state++) sum.by_state[state] = ax_sql_get_u32(q);
    return sum;
}

static ax_node_rec read_node_row(reader *r)
{
    ax_sql *q = r->q;
    ax_node_rec node = {0};
    node.state = (ax_node_state)read_state(r, &ax_node_fsm);
    node.version = ax_sql_get_u32(q);
    node.reason = read_reason(r);
    node.cause = ax_sql_get_node(q);
    node.attempt = ax_sql_get_u32(q);
    node.budget_from = ax_sql_get_u32(q);
    node.open = ax_sql_get_bool(q);
    node.given_up = ax_sql_get_bool(q);
    node.held_by_hand = ax_sql_get_bool(q);
    node.skipped_by_hand = ax_sql_get_bool(q);
    node.accepted = ax_sql_get_bool(q);
    node.begun_ms = ax_sql_get_int(q);
    node.ended_ms = ax_sql_get_int(q);
    node.node = ax_sql_get_u32(q);
    return node;
}

static ax_instance_rec read_instance_row(reader *r)
{
    ax_sql *q = r->q;
    ax_instance_rec inst = {0};
    inst.state = (ax_instance_state)read_state(r, &ax_instance_fsm);
    inst.version = ax_sql_get_u32(q);
    inst.reason = read_reason(r);
    inst.exit_code = (int32_t)ax_sql_get_int(q);
    inst.signal = (int32_t)ax_sql_get_int(q);
    inst.unconfirmed = ax_sql_get_bool(q);
    inst.skip = ax_sql_get_bool(q);
    inst.retry_of = ax_sql_get_u32(q);
    inst.due_ms = ax_sql_get_int(q);
    inst.created_ms = ax_sql_get_int(q);
    inst.ready_ms = ax_sql_get_int(q);
    inst.started_ms = ax_sql_get_int(q);
    inst.ended_ms = ax_sql_get_int(q);
    inst.message = ax_sql_get_text(q, r->mem);
    inst.node = ax_sql_get_u32(q);
    inst.attempt = ax_sql_get_u32(q);
    return inst;
}

static ax_log_rec read_log_row(reader *r)
{
    ax_sql *q = r->q;
    ax_log_rec row = {0};
    row.run = ax_sql_get_u64(q);
    row.seq = ax_sql_get_u64(q);
    row.machine = (ax_machine)read_named(r, "machine", machine_name, AX_MACHINE_COUNT);
    row.node = ax_sql_get_node(q);
    row.attempt = ax_sql_get_u32(q);
    const ax_fsm *fsm = ax_machine_fsm(row.machine);
    row.created = ax_sql_is_null(q);
    if (row.created) q->next += 2;
    else {
        row.from = (uint8_t)read_state(r, fsm);
        row.event = (uint8_t)read_event(r, fsm);
    }
    row.to = (uint8_t)read_state(r, fsm);
    if (row.created) row.from = row.to;
    row.event_id = ax_sql_get_text(q, r->mem);
    row.source = ax_sql_get_text(q, r->mem);
    row.person = ax_sql_get_text(q, r->mem);
    row.reason = ax_sql_get_text(q, r->mem);
    row.extra = ax_sql_get_text(q, r->mem);
    row.at_ms = ax_sql_get_int(q);
    return row;
}

static ax_output_rec read_output_row(reader *r)
{
    ax_output_rec row = {0};
    row.node = ax_sql_get_u32(r->q);
    row.attempt = ax_sql_get_u32(r->q);
    row.output = ax_sql_get_u32(r->q);
    row.value = ax_sql_get_text(r->q, r->mem);
    return row;
}

static ax_effect read_effect_row(reader *r)
{
    ax_effect row = {0};
    row.run = ax_sql_get_u64(r->q);
    row.seq = ax_sql_get_u64(r->q);
    row.kind = (ax_effect_kind)read_named(r, "effect", effect_name, AX_EFFECT_COUNT);
    row.node = ax_sql_get_u32(r->q);
    row.attempt = ax_sql_get_u32(r->q);
    return row;
}

/* --------------------------------------------------------------------------------- whole run, in parts */

/* Defines load_<noun>s, which reads all rows of that kind that a run has. */
#define LOAD(noun, T)                                                                                        \
    static ax_rc load_##noun##s(ax_sqlite *s, ax_arena *mem, ax_run_rows *out, ax_err *err)                  \
    {                                                                                                        \
        ax_sql q = ax_sql_start(s, AX_SQL_##noun##_list);                                                    \
        reader r = {.q = &q, .mem = mem, .err = err};                                                        \
        AX_VEC(T) all = {0};                                                                                 \
        ax_sql_uint(&q, out->run.id);                                                                        \
        while (r.rc == AX_OK && ax_sql_row(&q)) ax_vec_push(mem, &all, read_##noun##_row(&r));               \
        out->noun##s = all.at;                                                                               \
        out->noun##_count = all.len;                                                                         \
        return finish(&r);                                                                                   \
    }

LOAD(node, ax_node_rec)
LOAD(instance, ax_instance_rec)
LOAD(output, ax_output_rec)
LOAD(effect, ax_effect)

static ax_rc get_run(ax_sqlite *s, uint64_t id, ax_arena *mem, ax_run_summary *out, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_run_get);
    reader r = {.q = &q, .mem = mem, .err = err};
    ax_sql_uint(&q, id);
    bool found = ax_sql_row(&q);
    if (found) *out = read_run_row(&r);
    ax_rc rc = finish(&r);
    if (rc == AX_OK && !found)
        return ax_fail(err, AX_NOT_FOUND, "there is no run %llu", (unsigned long long)id);
    return rc;
}

/* Several statements see one state of the file only inside of a transaction. */
static ax_rc begin_read(ax_sqlite *s, ax_err *err)
{
    ax_sql q = ax_sql_start(s, AX_SQL_begin_read);
    int code = ax_sql_run(&q, NULL);
    return code == SQLITE_OK ? AX_OK : ax_sqlite_fail(s, code, "cannot read", err);
}

/* -------------------------------------------------------------------------------------- the operations */

ax_rc ax_sqlite_load_run(ax_store *store, uint64_t run, ax_arena *mem, ax_run_rows *out, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    ax_run_summary sum = {0};
    *out = (ax_run_rows){0};
    ax_rc rc = begin_read(s, err);
    if (rc != AX_OK) return rc;
    rc = get_run(s, run, mem, &sum, err);
    out->run = sum.run;
    if (rc == AX_OK) rc = load_nodes(s, mem, out, err);
    if (rc == AX_OK) rc = load_instances(s, mem, out, err);
    if (rc == AX_OK) rc = load_outputs(s, mem, out, err);
    if (rc == AX_OK) rc = load_effects(s, mem, out, err);
    return ax_sqlite_finish(s, rc, err);
}

static ax_sql start_list(ax_sqlite *s, const ax_run_filter *filter)
{
    bool all = filter->workflow.len == 0;
    ax_sql_id id =
        all ? (filter->unfinished ? AX_SQL_run_list_unfinished : AX_SQL_run_list)
            : (filter->unfinished ? AX_SQL_run_list_workflow_unfinished : AX_SQL_run_list_workflow);
    ax_sql q = ax_sql_start(s, id);
    if (!all) ax_sql_text(&q, filter->workflow);
    ax_sql_uint(&q, filter->before != 0 ? filter->before : INT64_MAX);
    ax_sql_uint(&q, filter->limit);
    return q;
}

ax_rc ax_sqlite_list_runs(ax_store *store, const ax_run_filter *filter, ax_arena *mem, ax_run_summary **out,
                          uint32_t *count, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    AX_VEC(ax_run_summary) all = {0};
    ax_rc rc = begin_read(s, err);
    if (rc != AX_OK) return rc;
    ax_sql q = start_list(s, filter);
    while (rc == AX_OK && ax_sql_row(&q)) {
        ax_run_summary sum = {0};
        rc = get_run(s, ax_sql_get_u64(&q), mem, &sum, err);
        ax_vec_push(mem, &all, sum);
    }
    int code = ax_sql_end(&q);
    if (rc == AX_OK && code != SQLITE_OK) rc = ax_sqlite_fail(s, code, "cannot read", err);
    *out = all.at;
    *count = all.len;
    return ax_sqlite_finish(s, rc, err);
}

ax_rc ax_sqlite_read_log(ax_store *store, const ax_log_filter *filter, ax_arena *mem, ax_log_rec **out,
                         uint32_t *count, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    AX_VEC(ax_log_rec) all = {0};
    bool of_node = filter->node != AX_NONE;
    ax_sql q = ax_sql_start(s, of_node ? AX_SQL_log_list_node : AX_SQL_log_list);
    reader r = {.q = &q, .mem = mem, .err = err};
    ax_sql_uint(&q, filter->run);
    ax_sql_uint(&q, filter->after);
    if (of_node) ax_sql_uint(&q, filter->node);
    ax_sql_uint(&q, filter->limit);
    while (r.rc == AX_OK && ax_sql_row(&q)) ax_vec_push(mem, &all, read_log_row(&r));
    *out = all.at;
    *count = all.len;
    return finish(&r);
}

ax_rc ax_sqlite_get_plan(ax_store *store, ax_str hash, ax_arena *mem, ax_plan **out, ax_err *err)
{
    ax_sqlite *s = (ax_sqlite *)store;
    ax_sql q = ax_sql_start(s, AX_SQL_plan_get);
    ax_sql_text(&q, hash);
    bool found = ax_sql_row(&q);
    ax_rc rc = AX_OK;
    if (found) rc = ax_plan_read(mem, ax_sql_get_text(&q, mem), out, err);
    int code = ax_sql_end(&q);
    if (code != SQLITE_OK) return ax_sqlite_fail(s, code, "cannot read", err);
    if (!found) return ax_fail(err, AX_NOT_FOUND, "%s has no workflow version %.*s", s->path, AX_STR(hash));
    if (rc == AX_OK && !ax_str_is(hash, (*out)->hash))
        return ax_fail(err, AX_INVALID, "%s is damaged: a document does not have its hash", s->path);
    return rc;
}
