/* cmd_logs.c - `ax logs`: what tasks wrote. */
#include <inttypes.h>
#include <unistd.h>

#include "dsl/base/json_out.h"
#include "dsl/base/vec.h"
#include "runtime/exec/logfile.h"
#include "tools/ax/log_copy.h"
#include "tools/ax/show_text.h"
#include "tools/ax/target.h"
#include "tools/cli/table.h"

#define JSON_BYTES_MAX ((size_t)1 << 30)
#define JSON_LOG_BYTES_MAX ((size_t)1 << 20) /* of each log; the end of it */
#define NAMES_MAX 5                          /* in a message */

typedef struct {
    const char *first, *second;
    int64_t attempt, tail;
    bool follow, json;
} logs_args;

typedef struct {
    ax_cli *cli;
    const logs_args *args;
    const ax_view *view;
    AX_VEC(uint32_t) nodes; /* whose logs are wanted */
    bool titled;            /* each log has a line above it */
    uint32_t titles;        /* lines of this kind so far */
} logs;

static ax_attempt_key key_of(const logs *l, uint32_t node)
{
    uint32_t newest = ax_view_node(l->view, node)->attempt;
    uint32_t attempt = l->args->attempt > 0 ? (uint32_t)l->args->attempt : newest;
    return (ax_attempt_key){.run = ax_view_run(l->view)->id, .node = node, .attempt = attempt};
}

static ax_str name_of(const logs *l, uint32_t node)
{
    return ax_view_plan(l->view)->nodes[node].name;
}

static uint32_t tail_of(const logs *l)
{
    return l->args->tail > 0 && l->args->tail < UINT32_MAX ? (uint32_t)l->args->tail : UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------ choosing */

/* Adds every task that is in this state. */
static void choose_by_state(logs *l, ax_node_state state)
{
    const ax_plan *plan = ax_view_plan(l->view);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        const ax_node_rec *rec = ax_view_node(l->view, n);
        if (ax_plan_kind(plan, n) == AX_NODE_TASK && rec->state == state && rec->attempt > 0)
            ax_vec_push(&l->cli->mem, &l->nodes, n);
    }
}

static ax_rc choose(logs *l, const char *node, ax_err *err)
{
    uint32_t *nodes, count;
    if (node == NULL) {
        choose_by_state(l, l->args->follow ? AX_NODE_ST_ACTIVE : AX_NODE_ST_FAILED);
        return AX_OK;
    }
    ax_rc rc = ax_query_nodes(ax_view_plan(l->view), ax_str_of(node), &l->cli->mem, &nodes, &count, err);
    for (uint32_t i = 0; rc == AX_OK && i < count; i++) ax_vec_push(&l->cli->mem, &l->nodes, nodes[i]);
    return rc;
}

/* The attempt that was asked for must have been made. */
static ax_rc check_attempt(logs *l, uint32_t node, ax_err *err)
{
    uint32_t newest = ax_view_node(l->view, node)->attempt;
    ax_str name = name_of(l, node);
    if (newest == 0) return ax_fail(err, AX_NOT_FOUND, "'%.*s' has not begun: there is no log", AX_STR(name));
    if (l->args->attempt <= newest) return AX_OK;
    return ax_fail(err, AX_NOT_FOUND, "'%.*s' has %" PRIu32 " attempt%s", AX_STR(name), newest,
                   newest == 1 ? "" : "s");
}

/* ------------------------------------------------------------------------------------------- showing */

static void print_title(logs *l, ax_attempt_key key)
{
    const ax_instance_rec *rec = ax_view_attempt(l->view, key.node, key.attempt);
    ax_buf text = AX_BUF_INIT(1 << 16);
    if (l->titles++ > 0) ax_out_adds(&l->cli->out, "\n");
    ax_buf_addf(&text, "==> %.*s #%" PRIu32, AX_STR(name_of(l, key.node)), key.attempt);
    if (rec != NULL && rec->ended_ms > 0 && rec->reason != AX_REASON_NONE) {
        ax_buf_adds(&text, ": ");
        ax_text_end(l->view, rec, &text);
    }
    ax_buf_adds(&text, " <==");
    ax_out_styled(&l->cli->out, AX_STYLE_BOLD, ax_text_take(&l->cli->mem, &text));
    ax_out_adds(&l->cli->out, "\n");
    ax_buf_free(&text);
}

static ax_rc print_log(logs *l, uint32_t node, ax_err *err)
{
    ax_store *store = ax_app_of(l->cli)->store;
    ax_attempt_key key = key_of(l, node);
    ax_log_copy copy = ax_log_copy_new(&l->cli->mem, ax_app_path(l->cli, "runs"), key, &l->cli->out);
    ax_rc rc = check_attempt(l, node, err);
    if (rc == AX_OK && l->titled) print_title(l, key);
    if (rc == AX_OK && l->args->tail > 0) rc = ax_log_copy_skip(&copy, tail_of(l), err);
    if (rc == AX_NOT_FOUND && l->args->follow && ax_view_node(l->view, node)->attempt > 0) rc = AX_OK;
    if (rc == AX_OK)
        rc = l->args->follow ? ax_log_copy_follow(&copy, store, key, err) : ax_log_copy_more(&copy, err);
    ax_log_copy_end(&copy);
    return rc;
}

/* Every log that is there; that one of many is missing is said and passed over, unless all are. */
static ax_rc print_logs(logs *l, ax_err *err)
{
    if (l->nodes.len == 1) return print_log(l, l->nodes.at[0], err);
    for (uint32_t i = 0; i < l->nodes.len; i++) {
        ax_err why = {0};
        ax_rc rc = print_log(l, l->nodes.at[i], &why);
        if (rc == AX_NOT_FOUND) ax_out_addf(&l->cli->msg, "%s\n", why.text);
        else if (rc != AX_OK) {
            *err = why;
            return rc;
        }
    }
    return l->titles > 0 ? AX_OK : ax_cli_failed(err);
}

/* Nobody failed: which logs there are. */
static ax_rc list_logs(logs *l)
{
    static const ax_column columns[] = {
        {.head = "TASK", .cut = AX_CUT_MIDDLE}, {.head = "STATE"}, {.head = "TRIES", .right = true}};
    const ax_plan *plan = ax_view_plan(l->view);
    ax_table t = ax_table_new(&l->cli->mem, columns, sizeof columns / sizeof *columns);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        const ax_node_rec *rec = ax_view_node(l->view, n);
        if (ax_plan_kind(plan, n) != AX_NODE_TASK || rec->attempt == 0) continue;
        ax_table_add(&t, AX_STYLE_PLAIN, plan->nodes[n].name);
        ax_table_add(&t, ax_text_node_style(rec->state), ax_str_of(ax_text_node_state(rec->state)));
        ax_table_add(&t, AX_STYLE_PLAIN, ax_str_fmt(&l->cli->mem, "%" PRIu32, rec->attempt));
    }
    ax_out_addf(&l->cli->msg, "nothing failed in run %" PRIu64 "; `ax logs %" PRIu64 " TASK` shows one of\n",
                ax_view_run(l->view)->id, ax_view_run(l->view)->id);
    ax_out_flush(&l->cli->msg, NULL);
    ax_table_print(&t, &l->cli->out);
    return AX_OK;
}

/* ---------------------------------------------------------------------------------------------- JSON */

static ax_rc add_json(logs *l, uint32_t node, ax_json *j, ax_err *err)
{
    ax_attempt_key key = key_of(l, node);
    const char *path = ax_proc_path(&l->cli->mem, ax_app_path(l->cli, "runs"), key, "log");
    ax_buf bytes = AX_BUF_INIT(JSON_LOG_BYTES_MAX + 1);
    uint64_t offset = 0;
    int fd = -1;
    ax_rc rc = ax_logfile_open(path, &fd, err);
    if (rc == AX_OK) rc = ax_logfile_tail(fd, tail_of(l), JSON_LOG_BYTES_MAX, &bytes, &offset, err);
    if (rc == AX_OK) {
        ax_json_obj(j);
        ax_json_key(j, "node");
        ax_json_str(j, name_of(l, node));
        ax_json_key(j, "attempt");
        ax_json_int(j, key.attempt);
        ax_json_key(j, "path");
        ax_json_cstr(j, path);
        ax_json_key(j, "offset");
        ax_json_int(j, (int64_t)offset);
        ax_json_key(j, "text");
        ax_json_str(j, ax_buf_str(&bytes));
        ax_json_end(j);
    }
    if (fd >= 0) close(fd);
    ax_buf_free(&bytes);
    return rc == AX_NOT_FOUND ? AX_OK : rc;
}

static ax_rc print_json(logs *l, ax_err *err)
{
    ax_buf text = AX_BUF_INIT(JSON_BYTES_MAX);
    ax_json j = ax_json_start(&text, 2);
    ax_rc rc = AX_OK;
    ax_json_obj(&j);
    ax_json_key(&j, "run");
    ax_json_int(&j, (int64_t)ax_view_run(l->view)->id);
    ax_json_key(&j, "logs");
    ax_json_arr(&j);
    for (uint32_t i = 0; i < l->nodes.len && rc == AX_OK; i++) rc = add_json(l, l->nodes.at[i], &j, err);
    ax_json_end(&j);
    ax_json_end(&j);
    if (rc == AX_OK) ax_app_json(l->cli, &text);
    else ax_buf_free(&text);
    return rc;
}

/* ------------------------------------------------------------------------------------------- command */

/* Following is for one log. */
static ax_rc check_follow(logs *l, ax_err *err)
{
    if (l->nodes.len == 1) return AX_OK;
    if (l->nodes.len == 0) return ax_fail(err, AX_NOT_FOUND, "nothing is running: name a task");
    ax_str names = {0};
    for (uint32_t i = 0; i < l->nodes.len && i < NAMES_MAX; i++)
        names = ax_str_fmt(&l->cli->mem, "%.*s%s%.*s", AX_STR(names), i > 0 ? ", " : "",
                           AX_STR(name_of(l, l->nodes.at[i])));
    return ax_cli_misused(l->cli, err, "-f follows one task: name one of %.*s%s", AX_STR(names),
                          l->nodes.len > NAMES_MAX ? ", ..." : "");
}

static ax_rc run_logs(ax_cli *cli, const void *args, ax_err *err)
{
    logs l = {.cli = cli, .args = args};
    ax_view *view = NULL;
    ax_target target;
    if (l.args->follow && l.args->json) return ax_cli_misused(cli, err, "-f and --json exclude each other");
    ax_rc rc = ax_target_read(cli, l.args->first, l.args->second, &target, err);
    if (rc == AX_OK) rc = ax_query_view(ax_app_of(cli)->store, target.run, &cli->mem, &view, NULL, err);
    if (rc != AX_OK) return rc;

    l.view = view;
    rc = choose(&l, target.node, err);
    if (rc == AX_OK && l.args->follow) rc = check_follow(&l, err);
    if (rc != AX_OK) return rc;
    if (l.args->json) return print_json(&l, err);
    l.titled = l.nodes.len > 1 || (target.node == NULL && !l.args->follow);
    return l.nodes.len > 0 ? print_logs(&l, err) : list_logs(&l);
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 0, NULL, offsetof(logs_args, first), false, "RUN", "a number, or last (the default)"},
    {AX_OPT_STR, 0, NULL, offsetof(logs_args, second), false, "NODE",
     "a task, a fan-out or a group; nothing: all that failed"},
    {AX_OPT_FLAG, 'f', "follow", offsetof(logs_args, follow), false, NULL,
     "show what comes, until the attempt has ended"},
    {AX_OPT_COUNT, 0, "attempt", offsetof(logs_args, attempt), false, "N", "of this attempt (the newest)"},
    {AX_OPT_COUNT, 'n', "tail", offsetof(logs_args, tail), false, "N", "only the last N lines"},
    {AX_OPT_FLAG, 0, "json", offsetof(logs_args, json), false, NULL,
     "print JSON: the end of each log, as text"},
};
const ax_cmd ax_cmd_logs = {
    .path = "logs",
    .summary = "show what tasks wrote",
    .details =
        "A file or a pipe gets the bytes as they were written; on a terminal, escape sequences are left out.",
    .example = "logs\nlogs 12 load\nlogs load --tail 50\nlogs -f load\nlogs 12 load --attempt 1",
    .fails = "there is no such run, task or log",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(logs_args),
    .needs = AX_NEEDS_STORE,
    .run = run_logs,
};
