/* cmd_status.c - `ax status`: where a run stands, task by task. */
#include <inttypes.h>

#include "dsl/model/units.h"
#include "runtime/admin/query_json.h"
#include "tools/ax/show_text.h"
#include "tools/ax/target.h"
#include "tools/cli/table.h"

#define FOLD_COPIES 12 /* a fan-out with more copies is one line, and one for each copy that needs a look */
#define TEXT_BYTES_MAX ((size_t)1 << 20)
#define JSON_BYTES_MAX ((size_t)1 << 30)

typedef struct {
    const char *run;
    bool all, json;
} status_args;

typedef struct {
    ax_cli *cli;
    const ax_view *view;
    ax_table table;
    ax_buf text;
    int64_t now_ms;
    bool interrupted;
} status;

/* --------------------------------------------------------------------------------------------- cells */

static ax_str take(status *s)
{
    return ax_text_take(&s->cli->mem, &s->text);
}

/* A node's state; of an active one, what its attempt does. */
static ax_str state_word(const ax_node_rec *rec, const ax_instance_rec *attempt)
{
    static const char *const doing[AX_INSTANCE_COUNT] = {
        [AX_INSTANCE_PENDING] = "pending",     [AX_INSTANCE_READY] = "ready",
        [AX_INSTANCE_RUNNING] = "running",     [AX_INSTANCE_WAITING_APPROVAL] = "asks",
        [AX_INSTANCE_TIMING_OUT] = "stopping", [AX_INSTANCE_CANCELLING] = "stopping",
        [AX_INSTANCE_RETRYING] = "retrying",   [AX_INSTANCE_WAITING_CONFIRM] = "asks",
    };
    const char *word = rec->state == AX_NODE_ST_ACTIVE && attempt != NULL ? doing[attempt->state] : NULL;
    return ax_str_of(word != NULL ? word : ax_text_node_state(rec->state));
}

static void add_why(status *s, const ax_node_rec *rec, const ax_instance_rec *attempt)
{
    ax_buf *text = &s->text;
    bool ran = attempt != NULL && attempt->ended_ms > 0;
    if (rec->state == AX_NODE_ST_SKIPPED && !(ran && attempt->skip)) ax_text_skip(s->view, rec, text);
    else if (rec->accepted) ax_buf_adds(text, "accepted by a person");
    else if (rec->open) ax_buf_adds(text, "waits for an answer; ");
    if (attempt == NULL) return;
    if (attempt->state == AX_INSTANCE_RETRYING && attempt->due_ms > s->now_ms) {
        ax_buf_adds(text, "again in ");
        ax_text_seconds(attempt->due_ms - s->now_ms, text);
    } else if (ran && (rec->state == AX_NODE_ST_FAILED || attempt->skip)) {
        ax_text_end(s->view, attempt, text);
    }
}

/* What a line says of one task's times: its start and how long it took, over all of its attempts. */
static void add_times(status *s, const ax_node_rec *rec, const ax_instance_rec *attempt)
{
    int64_t took_ms = attempt != NULL ? ax_text_took_ms(attempt, s->now_ms) : 0;
    bool started = attempt != NULL && attempt->started_ms > 0;
    if (started) ax_text_clock(attempt->started_ms, &s->text);
    ax_table_add(&s->table, AX_STYLE_PLAIN, take(s));
    if (started) ax_text_duration(took_ms, &s->text);
    ax_table_add(&s->table, rec->state == AX_NODE_ST_ACTIVE ? AX_STYLE_BLUE : AX_STYLE_PLAIN, take(s));
}

static void add_node(status *s, uint32_t node, const char *indent)
{
    const ax_node_rec *rec = ax_view_node(s->view, node);
    const ax_instance_rec *attempt = ax_view_current(s->view, node);
    ax_buf_addf(&s->text, "%s%.*s", indent, AX_STR(ax_view_plan(s->view)->nodes[node].name));
    ax_table_add(&s->table, AX_STYLE_PLAIN, take(s));
    ax_table_add(&s->table, ax_text_node_style(rec->state), state_word(rec, attempt));
    if (rec->attempt > 1) ax_buf_addf(&s->text, "%" PRIu32, rec->attempt);
    ax_table_add(&s->table, AX_STYLE_PLAIN, take(s));
    add_times(s, rec, attempt);
    add_why(s, rec, attempt);
    ax_table_add(&s->table, AX_STYLE_PLAIN, take(s));
}

/* -------------------------------------------------------------------------------------------- folding */

static bool needs_a_look(const ax_node_rec *rec)
{
    return rec->state == AX_NODE_ST_FAILED || rec->state == AX_NODE_ST_ACTIVE ||
           rec->state == AX_NODE_ST_HELD;
}

/* A task with many copies: how many are in each state, and the first few that somebody should look at. The
 * state of all together is that of their whole, if they have just one. */
static void add_folded(status *s, const ax_def *def)
{
    uint32_t counts[AX_NODE_ST_COUNT] = {0}, shown = 0;
    for (uint32_t n = def->first; n < def->first + def->count; n++) counts[ax_view_node(s->view, n)->state]++;
    ax_table_add(&s->table, AX_STYLE_PLAIN, def->name);
    if (def->whole_count == 1) {
        ax_node_state state = ax_view_node(s->view, def->whole)->state;
        ax_table_add(&s->table, ax_text_node_style(state), ax_str_of(ax_text_node_state(state)));
    } else ax_table_add(&s->table, AX_STYLE_PLAIN, AX_LIT(""));
    for (int i = 0; i < 3; i++) ax_table_add(&s->table, AX_STYLE_PLAIN, AX_LIT(""));
    ax_text_counts(counts, &s->text);
    ax_table_add(&s->table, AX_STYLE_PLAIN, take(s));
    for (uint32_t n = def->first; n < def->first + def->count && shown < FOLD_COPIES; n++) {
        if (!needs_a_look(ax_view_node(s->view, n))) continue;
        add_node(s, n, "  ");
        shown++;
    }
}

static void add_nodes(status *s, bool all)
{
    const ax_plan *plan = ax_view_plan(s->view);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        const ax_def *def = &plan->defs[plan->nodes[n].def];
        if (ax_plan_kind(plan, n) == AX_NODE_GROUP) continue;
        bool folded = !all && def->fan_out && def->count > FOLD_COPIES;
        if (!folded) add_node(s, n, "");
        else if (n == def->first) add_folded(s, def);
    }
}

/* ------------------------------------------------------------------------------------------- command */

static void print_head(status *s)
{
    const ax_run_rec *run = ax_view_run(s->view);
    ax_out *out = &s->cli->out;
    ax_buf_addf(&s->text, "%.*s", AX_STR(run->workflow));
    ax_out_styled(out, AX_STYLE_BOLD, take(s));
    ax_buf_addf(&s->text, "  run %" PRIu64 "  for ", run->id);
    ax_date_text(run->date, &s->text);
    ax_buf_adds(&s->text, "  created ");
    ax_text_moment(run->created_ms, &s->text);
    ax_buf_addf(&s->text, " by %.*s", AX_STR(run->origin));
    if (run->params.len > 2) ax_buf_addf(&s->text, "\nparams  %.*s", AX_STR(run->params));
    ax_buf_adds(&s->text, "\n\n");
    ax_out_add(out, take(s));
}

static void print_text(status *s, bool all)
{
    static const ax_column columns[] = {
        {.head = "TASK", .cut = AX_CUT_MIDDLE}, {.head = "STATE"},
        {.head = "TRIES", .right = true},       {.head = "STARTED"},
        {.head = "TOOK", .right = true},        {.head = "WHY", .cut = AX_CUT_END},
    };
    s->table = ax_table_new(&s->cli->mem, columns, sizeof columns / sizeof *columns);
    print_head(s);
    add_nodes(s, all);
    ax_table_print(&s->table, &s->cli->out);
    ax_out_adds(&s->cli->out, "\n");
    ax_text_summary(s->view, ax_app_path(s->cli, "runs"), &s->cli->out);
    if (!s->interrupted) return;
    ax_buf_addf(&s->text, "It was interrupted: `ax run --resume %" PRIu64 "` goes on with it.\n",
                ax_view_run(s->view)->id);
    ax_out_styled(&s->cli->out, AX_STYLE_YELLOW, take(s));
}

static ax_rc run_status(ax_cli *cli, const void *args, ax_err *err)
{
    const status_args *a = args;
    ax_store *store = ax_app_of(cli)->store;
    status s = {.cli = cli, .text = AX_BUF_INIT(a->json ? JSON_BYTES_MAX : TEXT_BYTES_MAX)};
    ax_view *view = NULL;
    uint64_t run;
    ax_rc rc = ax_target_run(cli, a->run, &run, err);
    if (rc == AX_OK) rc = ax_query_view(store, run, &cli->mem, &view, &s.interrupted, err);
    if (rc == AX_OK) rc = store->ops->now_ms(store, &s.now_ms, err);
    if (rc != AX_OK) return rc;

    s.view = view;
    if (a->json) {
        ax_json j = ax_json_start(&s.text, 2);
        ax_query_status_json(view, s.interrupted, &j);
        ax_app_json(cli, &s.text);
    } else {
        print_text(&s, a->all);
    }
    ax_buf_free(&s.text);
    ax_run_state state = ax_view_run(view)->state;
    return state == AX_RUN_FAILED || state == AX_RUN_CANCELLED ? ax_cli_failed(err) : AX_OK;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 0, NULL, offsetof(status_args, run), false, "RUN", "a number, or last (the default)"},
    {AX_OPT_FLAG, 'a', "all", offsetof(status_args, all), false, NULL, "every copy of a large fan-out"},
    {AX_OPT_FLAG, 0, "json", offsetof(status_args, json), false, NULL, "print JSON, with every attempt"},
};
const ax_cmd ax_cmd_status = {
    .path = "status",
    .summary = "show where a run stands, task by task",
    .example = "status\nstatus 12\nstatus last --json",
    .fails = "the run failed or was cancelled, or there is none",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(status_args),
    .needs = AX_NEEDS_STORE,
    .run = run_status,
};
