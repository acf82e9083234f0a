/* cmd_history.c - `ax history`: the transition log of a run as a timeline. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "runtime/admin/query_json.h"
#include "tools/ax/show_text.h"
#include "tools/ax/target.h"
#include "tools/cli/table.h"

#define BLOCK 2000 /* rows that are measured and printed together */
#define TEXT_BYTES_MAX ((size_t)1 << 20)
#define JSON_BYTES_MAX ((size_t)1 << 30)

typedef struct {
    const char *first, *second;
    bool json;
} history_args;

/* A listing in progress. */
typedef struct {
    ax_cli *cli;
    const ax_plan *plan;
    const bool *wanted; /* by node; NULL: every row */
    ax_arena mem;       /* texts of the block */
    ax_table table;
    ax_json json;
    ax_buf text;
    char day[16];    /* that the rows are of */
    int64_t last_ms; /* time of the row before; 0: none */
    uint64_t rows;
} history;

static bool is_wanted(const history *h, const ax_log_rec *row)
{
    return h->wanted == NULL || (row->node < h->plan->node_count && h->wanted[row->node]);
}

/* ---------------------------------------------------------------------------------------------- text */

/* The local time of day, with milliseconds. */
static void add_time(history *h, const ax_log_rec *row)
{
    ax_text_clock(row->at_ms, &h->text);
    ax_buf_addf(&h->text, ".%03d", (int)(row->at_ms % 1000));
    ax_table_add(&h->table, AX_STYLE_PLAIN, ax_text_take(&h->mem, &h->text));
}

static void add_delta(history *h, const ax_log_rec *row)
{
    int64_t delta_ms = row->at_ms - h->last_ms;
    if (h->last_ms > 0 && delta_ms > 0) {
        ax_buf_addc(&h->text, '+');
        ax_text_duration(delta_ms, &h->text);
    }
    h->last_ms = row->at_ms;
    ax_table_add(&h->table, AX_STYLE_DIM, ax_text_take(&h->mem, &h->text));
}

static void add_subject(history *h, const ax_log_rec *row)
{
    bool of_attempt = row->machine == AX_MACHINE_INSTANCE || row->machine == AX_MACHINE_GHOST;
    if (row->node >= h->plan->node_count) ax_buf_adds(&h->text, "(run)");
    else ax_buf_add(&h->text, h->plan->nodes[row->node].name);
    if (of_attempt) ax_buf_addf(&h->text, " #%" PRIu32, row->attempt);
    ax_table_add(&h->table, of_attempt ? AX_STYLE_PLAIN : AX_STYLE_BOLD, ax_text_take(&h->mem, &h->text));
}

static ax_style move_style(const ax_log_rec *row)
{
    static const ax_style instance_styles[AX_INSTANCE_COUNT] = {
        [AX_INSTANCE_RUNNING] = AX_STYLE_BLUE,     [AX_INSTANCE_SUCCEEDED] = AX_STYLE_GREEN,
        [AX_INSTANCE_FAILED] = AX_STYLE_RED,       [AX_INSTANCE_TIMEOUT] = AX_STYLE_RED,
        [AX_INSTANCE_CANCELLED] = AX_STYLE_YELLOW, [AX_INSTANCE_WAITING_CONFIRM] = AX_STYLE_YELLOW,
    };
    if (row->machine == AX_MACHINE_RUN) return ax_text_run_style((ax_run_state)row->to);
    if (row->machine == AX_MACHINE_NODE) return ax_text_node_style((ax_node_state)row->to);
    return row->machine == AX_MACHINE_GHOST ? AX_STYLE_DIM : instance_styles[row->to];
}

static void add_move(history *h, const ax_log_rec *row)
{
    const ax_fsm *fsm = ax_machine_fsm(row->machine);
    if (row->created) ax_buf_addf(&h->text, "new: %s", fsm->states[row->to]);
    else if (row->from == row->to) ax_buf_addf(&h->text, "still %s", fsm->states[row->to]);
    else ax_buf_addf(&h->text, "%s -> %s", fsm->states[row->from], fsm->states[row->to]);
    ax_table_add(&h->table, move_style(row), ax_text_take(&h->mem, &h->text));
    ax_table_add(&h->table, AX_STYLE_PLAIN, ax_str_of(row->created ? "" : fsm->events[row->event]));
}

static void print_block(history *h)
{
    ax_table_print(&h->table, &h->cli->out);
    ax_arena_reset(&h->mem);
}

/* The date stands above the first row, and where a new day begins. */
static void show_day(history *h, int64_t ms)
{
    char day[sizeof h->day];
    time_t at = (time_t)(ms / 1000);
    struct tm local;
    if (localtime_r(&at, &local) == NULL || strftime(day, sizeof day, "%Y-%m-%d", &local) == 0) return;
    if (strcmp(day, h->day) == 0) return;
    if (h->rows > 0) print_block(h);
    memcpy(h->day, day, sizeof day);
    ax_out_styled(&h->cli->out, AX_STYLE_BOLD, ax_str_of(day));
    ax_out_adds(&h->cli->out, "\n");
}

static bool show_row(void *ctx, const ax_log_rec *row)
{
    history *h = ctx;
    if (!is_wanted(h, row)) return true;
    show_day(h, row->at_ms);
    add_time(h, row);
    add_delta(h, row);
    add_subject(h, row);
    add_move(h, row);
    ax_query_why(row, &h->text);
    ax_table_add(&h->table, AX_STYLE_PLAIN, ax_text_take(&h->mem, &h->text));
    if (++h->rows % BLOCK == 0) print_block(h);
    return h->cli->out.error == 0;
}

static ax_rc show(history *h, const ax_log_filter *filter, ax_err *err)
{
    static const ax_column columns[] = {
        {.head = "TIME"},
        {.head = "LATER", .right = true},
        {.head = "WHAT", .cut = AX_CUT_MIDDLE},
        {.head = "STATE"},
        {.head = "EVENT"},
        {.head = "WHY", .cut = AX_CUT_END},
    };
    h->table = ax_table_new(&h->cli->mem, columns, sizeof columns / sizeof *columns);
    ax_rc rc = ax_query_log(ax_app_of(h->cli)->store, *filter, show_row, h, err);
    if (rc == AX_OK && h->rows > 0) print_block(h);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- JSON */

/* What is written of the document goes out at once: a history may be long. */
static void pass_on(history *h)
{
    ax_out_add(&h->cli->out, ax_buf_str(&h->text));
    ax_buf_clear(&h->text);
}

static bool print_row(void *ctx, const ax_log_rec *row)
{
    history *h = ctx;
    if (!is_wanted(h, row)) return true;
    ax_query_log_json(h->plan, row, &h->json);
    pass_on(h);
    return h->cli->out.error == 0;
}

static ax_rc print_json(history *h, const ax_log_filter *filter, ax_err *err)
{
    h->json = ax_json_start(&h->text, 2);
    ax_json_obj(&h->json);
    ax_json_key(&h->json, "run");
    ax_json_int(&h->json, (int64_t)filter->run);
    ax_json_key(&h->json, "workflow");
    ax_json_str(&h->json, h->plan->name);
    ax_json_key(&h->json, "rows");
    ax_json_arr(&h->json);
    ax_rc rc = ax_query_log(ax_app_of(h->cli)->store, *filter, print_row, h, err);
    ax_json_end(&h->json);
    ax_json_end(&h->json);
    ax_buf_addc(&h->text, '\n');
    if (rc == AX_OK) pass_on(h);
    return rc;
}

/* ------------------------------------------------------------------------------------------- command */

/* One node, or the copies of a fan-out and the tasks of a group, or the run and everything in it. */
static ax_rc choose_nodes(history *h, const char *name, ax_log_filter *filter, ax_err *err)
{
    uint32_t *nodes, count;
    if (name == NULL) return AX_OK;
    ax_rc rc = ax_query_nodes(h->plan, ax_str_of(name), &h->cli->mem, &nodes, &count, err);
    if (rc != AX_OK) return rc;
    if (count == 1) {
        filter->node = nodes[0];
        return AX_OK;
    }
    bool *wanted = AX_NEW_N(&h->cli->mem, bool, h->plan->node_count);
    for (uint32_t i = 0; i < count; i++) wanted[nodes[i]] = true;
    h->wanted = wanted;
    return AX_OK;
}

static ax_rc run_history(ax_cli *cli, const void *args, ax_err *err)
{
    const history_args *a = args;
    ax_plan *plan = NULL;
    ax_target target;
    ax_rc rc = ax_target_read(cli, a->first, a->second, &target, err);
    if (rc == AX_OK) rc = ax_query_plan(ax_app_of(cli)->store, target.run, &cli->mem, &plan, err);
    if (rc != AX_OK) return rc;

    history h = {.cli = cli, .plan = plan, .text = AX_BUF_INIT(JSON_BYTES_MAX)};
    ax_log_filter filter = {.run = target.run, .node = AX_NONE};
    rc = choose_nodes(&h, target.node, &filter, err);
    if (rc == AX_OK) rc = a->json ? print_json(&h, &filter, err) : show(&h, &filter, err);
    ax_arena_free(&h.mem);
    ax_buf_free(&h.text);
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 0, NULL, offsetof(history_args, first), false, "RUN", "a number, or last (the default)"},
    {AX_OPT_STR, 0, NULL, offsetof(history_args, second), false, "NODE", "only this task"},
    {AX_OPT_FLAG, 0, "json", offsetof(history_args, json), false, NULL, "print JSON"},
};
const ax_cmd ax_cmd_history = {
    .path = "history",
    .summary = "show every change of state in a run",
    .details =
        "A line for each transition, in the order in which they happened: when, how much later than the one "
        "before, what, from which state to which, by which event, and why. A task's line is in bold, its "
        "attempts (#1, #2) are not.",
    .example = "history\nhistory 12\nhistory 12 load\nhistory last --json",
    .fails = "there is no such run or task",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(history_args),
    .needs = AX_NEEDS_STORE,
    .run = run_history,
};
