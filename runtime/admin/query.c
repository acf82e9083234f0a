/* query.c - see query.h. */
#include "runtime/admin/query.h"

#include <inttypes.h>

#include "dsl/base/nearest.h"
#include "dsl/base/vec.h"
#include "dsl/model/json_in.h"
#include "dsl/model/units.h"

enum { PAGE = 4096, EXTRA_DEPTH_MAX = 8 };

/* ---------------------------------------------------------------------------------------------- runs */

/* A run's number; 0 if the word is none. */
static uint64_t run_number(ax_str word)
{
    uint64_t number = 0;
    if (word.len == 0 || word.len > 18) return 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] < '0' || word.ptr[i] > '9') return 0;
        number = number * 10 + (uint64_t)(word.ptr[i] - '0');
    }
    return number;
}

bool ax_query_is_run(ax_str word)
{
    return ax_str_is(word, "last") || run_number(word) > 0;
}

ax_rc ax_query_run(ax_store *store, ax_str word, uint64_t *run, ax_err *err)
{
    *run = run_number(word);
    if (*run > 0) return AX_OK;
    if (word.len > 0 && !ax_str_is(word, "last")) {
        ax_fail(err, AX_INVALID, "'%.*s' is no run", AX_STR(word));
        ax_err_help(err, "a run is a number, or `last`; `ax runs` lists them");
        return AX_INVALID;
    }
    ax_arena mem = AX_ARENA_INIT;
    ax_run_filter newest = {.limit = 1};
    ax_run_summary *runs;
    uint32_t count = 0;
    ax_rc rc = store->ops->list_runs(store, &newest, &mem, &runs, &count, err);
    if (rc == AX_OK && count == 1) *run = runs[0].run.id;
    if (rc == AX_OK && count == 0) rc = ax_fail(err, AX_NOT_FOUND, "nothing was run here yet");
    ax_arena_free(&mem);
    return rc;
}

void ax_query_counts(const ax_run_summary *run, uint32_t counts[AX_NODE_ST_COUNT])
{
    uint32_t others = 0;
    for (uint32_t state = 0; state < AX_NODE_ST_COUNT; state++) {
        counts[state] = run->by_state[state];
        if (state != AX_NODE_ST_BLOCKED) others += counts[state];
    }
    counts[AX_NODE_ST_BLOCKED] = run->nodes_total > others ? run->nodes_total - others : 0;
}

/* True if somebody has the lease. */
static ax_rc look_driven(ax_store *store, bool *driven, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_lease lease;
    ax_rc rc = store->ops->lease_look(store, &mem, &lease, err);
    *driven = rc == AX_OK && lease.alive;
    ax_arena_free(&mem);
    return rc;
}

static bool is_interrupted(const ax_run_rec *run, bool driven)
{
    return !driven && run->ended_ms == 0 && run->state != AX_RUN_PAUSED;
}

ax_rc ax_query_runs(ax_store *store, const ax_run_filter *filter, ax_arena *mem, ax_query_list *out,
                    ax_err *err)
{
    ax_run_summary *runs = NULL;
    uint32_t count = 0;
    bool driven = false;
    /* The lease is looked at on both sides of the list: its holder may come or go meanwhile. */
    ax_rc rc = look_driven(store, &driven, err);
    if (rc == AX_OK) rc = store->ops->list_runs(store, filter, mem, &runs, &count, err);
    if (rc == AX_OK && !driven) rc = look_driven(store, &driven, err);
    if (rc != AX_OK) return rc;
    bool *interrupted = AX_NEW_N(mem, bool, count);
    for (uint32_t i = 0; i < count; i++) interrupted[i] = is_interrupted(&runs[i].run, driven);
    *out = (ax_query_list){.runs = runs, .interrupted = interrupted, .count = count};
    return AX_OK;
}

ax_rc ax_query_plan(ax_store *store, uint64_t run, ax_arena *mem, ax_plan **out, ax_err *err)
{
    ax_run_filter only = {.before = run + 1, .limit = 1};
    ax_run_summary *runs;
    uint32_t count = 0;
    ax_rc rc = store->ops->list_runs(store, &only, mem, &runs, &count, err);
    if (rc != AX_OK) return rc;
    if (count == 0 || runs[0].run.id != run)
        return ax_fail(err, AX_NOT_FOUND, "there is no run %" PRIu64, run);
    return store->ops->get_plan(store, runs[0].run.hash, mem, out, err);
}

ax_rc ax_query_view(ax_store *store, uint64_t run, ax_arena *mem, ax_view **out, bool *interrupted,
                    ax_err *err)
{
    ax_run_rows rows;
    ax_plan *plan = NULL;
    bool driven = false;
    ax_rc rc = look_driven(store, &driven, err);
    if (rc == AX_OK) rc = store->ops->load_run(store, run, mem, &rows, err);
    if (rc == AX_OK && !driven) rc = look_driven(store, &driven, err);
    if (rc == AX_OK) rc = store->ops->get_plan(store, rows.run.hash, mem, &plan, err);
    if (rc == AX_OK) rc = ax_view_build(mem, plan, &rows, out, err);
    if (rc == AX_OK && interrupted != NULL) *interrupted = is_interrupted(&rows.run, driven);
    return rc;
}

/* --------------------------------------------------------------------------------------------- nodes */

/* True if the node is `above` or somewhere inside of it. */
static bool is_inside(const ax_plan *plan, uint32_t node, uint32_t above)
{
    while (node != above && node != AX_NONE) node = plan->nodes[node].parent;
    return node == above;
}

static ax_rc no_such_node(const ax_plan *plan, ax_str name, ax_err *err)
{
    ax_nearest near = ax_nearest_start(name);
    for (uint32_t n = 0; n < plan->node_count; n++) ax_nearest_offer(&near, plan->nodes[n].name);
    ax_fail(err, AX_NOT_FOUND, "workflow %.*s has no task '%.*s'", AX_STR(plan->name), AX_STR(name));
    if (near.best.len > 0) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near.best));
    return AX_NOT_FOUND;
}

ax_rc ax_query_nodes(const ax_plan *plan, ax_str name, ax_arena *mem, uint32_t **nodes, uint32_t *count,
                     ax_err *err)
{
    uint32_t named = ax_plan_find(plan, name);
    if (named == AX_NONE) return no_such_node(plan, name, err);

    AX_VEC(uint32_t) found = {0};
    if (ax_plan_kind(plan, named) == AX_NODE_GROUP) {
        for (uint32_t n = 0; n < plan->node_count; n++)
            if (ax_plan_kind(plan, n) != AX_NODE_GROUP && is_inside(plan, n, named))
                ax_vec_push(mem, &found, n);
    } else {
        ax_vec_push(mem, &found, named);
    }
    *nodes = found.at;
    *count = found.len;
    return AX_OK;
}

/* ------------------------------------------------------------------------------------------- history */

/* Hands on one page; false when there is nothing to read behind it. */
static bool hand_on(const ax_log_rec *rows, uint32_t count, uint32_t wanted, ax_query_row_fn row, void *ctx)
{
    for (uint32_t i = 0; i < count; i++)
        if (!row(ctx, &rows[i])) return false;
    return count == wanted;
}

ax_rc ax_query_log(ax_store *store, ax_log_filter filter, ax_query_row_fn row, void *ctx, ax_err *err)
{
    ax_arena page = AX_ARENA_INIT;
    uint64_t left = filter.limit > 0 ? filter.limit : UINT64_MAX;
    ax_rc rc = AX_OK;
    for (bool more = true; more && left > 0;) {
        ax_log_rec *rows;
        uint32_t count;
        filter.limit = left < PAGE ? (uint32_t)left : PAGE;
        ax_arena_reset(&page);
        rc = store->ops->read_log(store, &filter, &page, &rows, &count, err);
        if (rc != AX_OK) break;
        more = hand_on(rows, count, filter.limit, row, ctx);
        left -= count;
        if (count > 0) filter.after = rows[count - 1].seq;
    }
    ax_arena_free(&page);
    return rc;
}

/* The string or number under a key of the row's extra, or NULL. */
static const ax_value *extra_of(const ax_value *extra, const char *key)
{
    uint32_t at = ax_value_key(extra, ax_str_of(key));
    return at != UINT32_MAX ? &extra->u.map.at[at] : NULL;
}

/* "exit code 3: what it said", "due in 30s". */
static void add_extra(const ax_log_rec *row, const ax_value *extra, ax_buf *out)
{
    static const char *const details[] = {"exit_code", "signal", "cause"};
    const ax_value *reason = extra_of(extra, "reason"), *message = extra_of(extra, "message");
    const ax_value *due = extra_of(extra, "due_ms");
    size_t start = out->len;
    if (reason && reason->kind == AX_T_STRING && ax_reason_find(reason->u.s) != AX_REASON_COUNT)
        ax_buf_adds(out, ax_reason_text(ax_reason_find(reason->u.s)));
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        const ax_value *detail = extra_of(extra, details[i]);
        if (!detail) continue;
        ax_buf_adds(out, detail->kind == AX_T_STRING ? ": " : " ");
        ax_value_text(detail, out);
    }
    if (due && due->kind == AX_T_INT && due->u.i > row->at_ms) {
        ax_buf_adds(out, "due in ");
        ax_duration_human(due->u.i - row->at_ms, out);
    }
    if (message && out->len > start) ax_buf_adds(out, ": ");
    if (message) ax_value_text(message, out);
}

/* A retry's reason is in the row before, and that of a node which failed or was skipped by its own attempt is
 * in the attempt's: there the table says more. */
static bool extra_says_why(const ax_log_rec *row)
{
    if (row->extra.len == 0) return false;
    if (row->machine == AX_MACHINE_NODE)
        return row->event != AX_NODE_EV_FAIL && row->event != AX_NODE_EV_SKIP_SELF;
    return row->machine != AX_MACHINE_INSTANCE || row->created || row->from != row->to;
}

/* What the table says about the row's transition. */
static const char *table_why(const ax_log_rec *row)
{
    const ax_fsm *fsm = ax_machine_fsm(row->machine);
    if (row->created || row->machine == AX_MACHINE_GHOST) return "";
    const char *why = fsm->rows[row->from * fsm->event_count + row->event].why;
    return why ? why : "";
}

void ax_query_why(const ax_log_rec *row, ax_buf *out)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_value extra = {0};
    bool has_extra = extra_says_why(row) &&
                     ax_json_read(&mem, row->extra, EXTRA_DEPTH_MAX, &extra, NULL) == AX_OK &&
                     extra.kind == AX_T_MAP;
    if (row->person.len > 0) {
        ax_buf_addf(out, "by %.*s", AX_STR(row->person));
        if (row->reason.len > 0) ax_buf_addf(out, ": %.*s", AX_STR(row->reason));
    } else {
        if (row->machine == AX_MACHINE_GHOST) ax_buf_adds(out, "a late report changes nothing: ");
        if (has_extra) add_extra(row, &extra, out);
        else ax_buf_adds(out, table_why(row));
    }
    ax_arena_free(&mem);
}
