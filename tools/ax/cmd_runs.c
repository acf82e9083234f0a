/* cmd_runs.c - `ax runs`: what ran and what runs, newest first. */
#include <inttypes.h>

#include "runtime/admin/query_json.h"
#include "tools/ax/show_text.h"
#include "tools/ax/target.h"
#include "tools/cli/table.h"

#define LIMIT_DEFAULT 20
#define LIMIT_MAX 100000
#define TEXT_BYTES_MAX ((size_t)1 << 20)
#define JSON_BYTES_MAX ((size_t)1 << 30)

typedef struct {
    const char *workflow;
    int64_t limit, before;
    bool unfinished, json;
} runs_args;

static void print_json(ax_cli *cli, const ax_query_list *list)
{
    ax_buf text = AX_BUF_INIT(JSON_BYTES_MAX);
    ax_json j = ax_json_start(&text, 2);
    ax_json_obj(&j);
    ax_json_key(&j, "runs");
    ax_json_arr(&j);
    for (uint32_t i = 0; i < list->count; i++) ax_query_run_json(&list->runs[i], list->interrupted[i], &j);
    ax_json_end(&j);
    ax_json_end(&j);
    ax_app_json(cli, &text);
}

static void add_run(ax_cli *cli, ax_table *t, const ax_run_summary *sum, bool interrupted, int64_t now_ms)
{
    const ax_run_rec *run = &sum->run;
    uint32_t counts[AX_NODE_ST_COUNT];
    ax_buf text = AX_BUF_INIT(TEXT_BYTES_MAX);
    ax_buf_addf(&text, "%" PRIu64, run->id);
    ax_table_add(t, AX_STYLE_BOLD, ax_text_take(&cli->mem, &text));
    ax_table_add(t, AX_STYLE_PLAIN, run->workflow);
    if (interrupted) ax_table_add(t, AX_STYLE_YELLOW, AX_LIT("interrupted"));
    else ax_table_add(t, ax_text_run_style(run->state), ax_str_of(ax_text_run_state(run->state)));
    ax_text_moment(run->created_ms, &text);
    ax_table_add(t, AX_STYLE_PLAIN, ax_text_take(&cli->mem, &text));
    ax_text_duration((run->ended_ms ? run->ended_ms : now_ms) - run->created_ms, &text);
    ax_table_add(t, run->ended_ms ? AX_STYLE_PLAIN : AX_STYLE_DIM, ax_text_take(&cli->mem, &text));
    ax_query_counts(sum, counts);
    ax_text_counts(counts, &text);
    ax_table_add(t, AX_STYLE_PLAIN, ax_text_take(&cli->mem, &text));
    ax_table_add(t, AX_STYLE_DIM, run->origin);
    ax_buf_free(&text);
}

static ax_rc print_table(ax_cli *cli, const ax_query_list *list, ax_err *err)
{
    static const ax_column columns[] = {
        {.head = "RUN", .right = true},
        {.head = "WORKFLOW", .cut = AX_CUT_END},
        {.head = "STATE"},
        {.head = "CREATED"},
        {.head = "TOOK", .right = true},
        {.head = "TASKS", .cut = AX_CUT_END},
        {.head = "BY", .cut = AX_CUT_END},
    };
    ax_store *store = ax_app_of(cli)->store;
    ax_table t = ax_table_new(&cli->mem, columns, sizeof columns / sizeof *columns);
    int64_t now_ms;
    ax_rc rc = store->ops->now_ms(store, &now_ms, err);
    if (rc != AX_OK) return rc;
    for (uint32_t i = 0; i < list->count; i++) add_run(cli, &t, &list->runs[i], list->interrupted[i], now_ms);
    if (list->count > 0) ax_table_print(&t, &cli->out);
    else ax_out_adds(&cli->msg, "no runs\n");
    return AX_OK;
}

static uint32_t limit_of(int64_t wanted)
{
    if (wanted == 0) return LIMIT_DEFAULT;
    return wanted < LIMIT_MAX ? (uint32_t)wanted : LIMIT_MAX;
}

static ax_rc runs(ax_cli *cli, const void *args, ax_err *err)
{
    const runs_args *a = args;
    ax_run_filter filter = {
        .workflow = ax_str_of(a->workflow),
        .before = (uint64_t)a->before,
        .limit = limit_of(a->limit),
        .unfinished = a->unfinished,
    };
    ax_query_list list;
    ax_rc rc = ax_query_runs(ax_app_of(cli)->store, &filter, &cli->mem, &list, err);
    if (rc != AX_OK) return rc;
    if (!a->json) return print_table(cli, &list, err);
    print_json(cli, &list);
    return AX_OK;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 'w', "workflow", offsetof(runs_args, workflow), false, "NAME", "only runs of this workflow"},
    {AX_OPT_COUNT, 'n', "limit", offsetof(runs_args, limit), false, "N", "at most so many (20)"},
    {AX_OPT_COUNT, 0, "before", offsetof(runs_args, before), false, "RUN", "only runs older than this one"},
    {AX_OPT_FLAG, 'u', "unfinished", offsetof(runs_args, unfinished), false, NULL,
     "only runs that have not ended"},
    {AX_OPT_FLAG, 0, "json", offsetof(runs_args, json), false, NULL, "print JSON"},
};
const ax_cmd ax_cmd_runs = {
    .path = "runs",
    .summary = "list runs, newest first",
    .example = "runs\nruns --unfinished\nruns --workflow nightly --limit 5 --json",
    .fails = "nothing was run in this home yet",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(runs_args),
    .needs = AX_NEEDS_STORE,
    .run = runs,
};
