/* cmd_run.c - `ax run`: compiles a workflow file, makes a run of it (or takes an interrupted one up again),
 * and drives it to its end in this process.
 */
#include <inttypes.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compiler/axc.h"
#include "dsl/base/diag_render.h"
#include "dsl/base/nearest.h"
#include "dsl/model/plan_json.h"
#include "dsl/model/units.h"
#include "runtime/admin/run_start.h"
#include "tools/ax/app.h"
#include "tools/ax/run_answer.h"
#include "tools/ax/run_drive.h"

#define LEASE_TTL_MS 30000
#define LEASE_TRIES 10
#define LEASE_WAIT_NS 20000000L
#define PLACES_MIN 4 /* if nobody says how many */
#define PLACES_MAX 10000
#define UNFINISHED_MAX 3 /* runs that a note names */
#define DIAGS_BYTES_MAX ((size_t)16 << 20)

typedef struct {
    const char *file; /* with --resume: a run, or NULL */
    const char *workflow, *date, *dir;
    ax_strings params, answers;
    int64_t places;
    bool resume, json, plain;
} run_args;

/* ---- what to run ---- */

static ax_rc show_diags(ax_cli *cli, ax_diags *diags, ax_err *err)
{
    ax_buf text = AX_BUF_INIT(DIAGS_BYTES_MAX);
    ax_diags_sort(diags);
    ax_diags_text(diags, cli->msg.color, &text);
    ax_out_add(&cli->msg, ax_buf_str(&text));
    ax_buf_free(&text);
    return diags->errors ? ax_cli_failed(err) : AX_OK;
}

/* The plan that --workflow names, or the only one. */
static ax_rc choose_plan(ax_cli *cli, const ax_compiled *compiled, const char *name, ax_plan **plan,
                         ax_err *err)
{
    ax_nearest near = ax_nearest_start(ax_str_of(name));
    ax_str names = {0};
    for (uint32_t i = 0; i < compiled->plan_count; i++) {
        *plan = compiled->plans[i];
        if (name ? ax_str_is((*plan)->name, name) : compiled->plan_count == 1) return AX_OK;
        ax_nearest_offer(&near, (*plan)->name);
        names = ax_str_fmt(&cli->mem, "%.*s%s%.*s", AX_STR(names), i ? ", " : "", AX_STR((*plan)->name));
    }
    if (compiled->plan_count == 0) return ax_fail(err, AX_INVALID, "the file has no workflow");
    if (!name) {
        ax_cli_misused(cli, err, "the file has %u workflows: choose one with --workflow",
                       compiled->plan_count);
        ax_err_help(err, "it has %.*s", AX_STR(names));
        return AX_INVALID;
    }
    ax_cli_misused(cli, err, "the file has no workflow '%s'", name);
    if (near.best.len) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near.best));
    else ax_err_help(err, "it has %.*s", AX_STR(names));
    return AX_INVALID;
}

static ax_rc compile(ax_cli *cli, const run_args *args, ax_plan **plan, ax_err *err)
{
    ax_sources *sources = AX_NEW(&cli->mem, ax_sources);
    ax_source *source;
    ax_compiled compiled = {0};
    *sources = ax_sources_new(&cli->mem);
    ax_diags diags = ax_diags_new(&cli->mem, sources);
    if (ax_sources_read(sources, args->file, &source, err))
        return AX_IO; /* whatever it was: the environment */
    ax_compile(&cli->mem, source, &diags, &compiled);
    ax_rc rc = show_diags(cli, &diags, err);
    if (!rc) rc = choose_plan(cli, &compiled, args->workflow, plan, err);
    if (!rc) ax_plan_seal(*plan);
    return rc;
}

/* NAME=VALUE options into two arrays. */
static ax_rc split_params(ax_cli *cli, const run_args *args, ax_run_request *request, ax_err *err)
{
    uint32_t count = args->params.count;
    ax_str *names = AX_NEW_N(&cli->mem, ax_str, count + 1), *texts = AX_NEW_N(&cli->mem, ax_str, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = args->params.at[i], *equals = strchr(text, '=');
        if (!equals) return ax_cli_misused(cli, err, "--param '%s' is not NAME=VALUE", text);
        names[i] = (ax_str){text, (size_t)(equals - text)};
        texts[i] = ax_str_of(equals + 1);
    }
    request->param_names = names;
    request->param_texts = texts;
    request->param_count = count;
    return AX_OK;
}

/* The folder in which commands start: --dir, else the one that the workflow's file is in. */
static ax_rc find_workdir(ax_cli *cli, const run_args *args, ax_str *workdir, ax_err *err)
{
    char path[PATH_MAX];
    const char *slash = strrchr(args->file, '/');
    const char *dir = args->dir ? args->dir : ".";
    if (!args->dir && slash) dir = ax_str_fmt(&cli->mem, "%.*s/", (int)(slash - args->file), args->file).ptr;
    if (!realpath(dir, path)) return ax_fail_errno(err, "the folder '%s' can't be used", dir);
    *workdir = ax_str_dup(&cli->mem, ax_str_of(path));
    return AX_OK;
}

static const char *user_name(void)
{
    const struct passwd *user = getpwuid(geteuid());
    return user ? user->pw_name : "unknown";
}

/* Says which runs were interrupted or wait: somebody who starts a new one may have forgotten them. */
static ax_rc note_unfinished(ax_cli *cli, uint64_t started, ax_err *err)
{
    ax_store *store = ax_app_of(cli)->store;
    const ax_run_filter filter = {.before = started, .limit = UNFINISHED_MAX, .unfinished = true};
    ax_run_summary *runs = NULL;
    uint32_t count = 0;
    ax_rc rc = store->ops->list_runs(store, &filter, &cli->mem, &runs, &count, err);
    for (uint32_t i = 0; i < count && !rc; i++) {
        ax_out_styled(&cli->msg, AX_STYLE_YELLOW, AX_LIT("note: "));
        ax_out_addf(&cli->msg,
                    "run %" PRIu64 " of %.*s has not ended; `ax run --resume %" PRIu64 "` goes on with it\n",
                    runs[i].run.id, AX_STR(runs[i].run.workflow), runs[i].run.id);
    }
    return rc;
}

/* The first run's number whose folder is free: a store that was deleted, or restored from a backup, gives
 * numbers again, and the attempts of an older run must not pass for those of a new one. */
static ax_rc choose_id(ax_cli *cli, uint64_t *id, ax_err *err)
{
    ax_store *store = ax_app_of(cli)->store;
    const ax_run_filter newest = {.limit = 1};
    ax_run_summary *found = NULL;
    uint32_t count = 0;
    ax_rc rc = store->ops->list_runs(store, &newest, &cli->mem, &found, &count, err);
    if (rc) return rc;
    *id = count ? found->run.id + 1 : 1;
    while (access(ax_app_path(cli, ax_str_fmt(&cli->mem, "runs/%" PRIu64, *id).ptr), F_OK) == 0) ++*id;
    return AX_OK;
}

static ax_rc start_run(ax_cli *cli, const run_args *args, uint64_t epoch, uint64_t *run, ax_err *err)
{
    ax_plan *plan = NULL;
    ax_run_request request = {.origin = ax_str_fmt(&cli->mem, "cli:%s", user_name())};
    ax_rc rc = AX_OK;
    if (args->date && !ax_date_parse(ax_str_of(args->date), &request.date))
        return ax_cli_misused(cli, err, "--date '%s' is no date: write it like 2026-11-30", args->date);
    request.has_date = args->date != NULL;
    if (!rc) rc = split_params(cli, args, &request, err);
    if (!rc) rc = find_workdir(cli, args, &request.workdir, err);
    if (!rc) rc = compile(cli, args, &plan, err);
    if (!rc) rc = choose_id(cli, &request.id, err);
    if (!rc) rc = ax_run_start(ax_app_of(cli)->store, epoch, plan, &request, run, err);
    return rc ? rc : note_unfinished(cli, *run, err);
}

static ax_rc resume_run(ax_cli *cli, const run_args *args, uint64_t *run, ax_err *err)
{
    uint64_t id = 0;
    if (args->file) {
        char *end;
        id = strtoull(args->file, &end, 10);
        if (*end || id == 0)
            return ax_cli_misused(cli, err, "with --resume, '%s' must be the number of a run", args->file);
    }
    return ax_run_resume(ax_app_of(cli)->store, id, ax_str_of(args->workflow), run, err);
}

/* ---- running it ---- */

static ax_rc take_lease(ax_cli *cli, uint64_t *epoch, ax_err *err)
{
    ax_store *store = ax_app_of(cli)->store;
    char host[HOST_NAME_MAX + 1] = "this machine";
    gethostname(host, sizeof host - 1);
    ax_str holder = ax_str_fmt(&cli->mem, "ax run, process %d on %s", (int)getpid(), host);
    /* Of an ax that was killed while it started its spawner, that one has the lock until its exec. */
    ax_rc rc = AX_BUSY;
    for (int tries = 0; tries < LEASE_TRIES && rc == AX_BUSY; tries++) {
        if (tries) nanosleep(&(struct timespec){.tv_nsec = LEASE_WAIT_NS}, NULL);
        rc = store->ops->lease_take(store, holder, LEASE_TTL_MS, epoch, err);
    }
    if (rc == AX_BUSY) ax_err_help(err, "wait for its end or stop it, or use another home with --home");
    return rc;
}

static ax_show *choose_show(ax_cli *cli, const run_args *args, const char *root)
{
    if (args->json) return ax_show_json(&cli->mem, &cli->out, root);
    const char *term = getenv("TERM");
    bool can_redraw = cli->out.terminal && term && *term && strcmp(term, "dumb") != 0;
    if (args->plain || !can_redraw) return ax_show_plain(&cli->mem, &cli->out, root);
    return ax_show_live(&cli->mem, &cli->out, root);
}

static uint32_t choose_places(const run_args *args)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t places = args->places ? args->places : cpus > PLACES_MIN ? cpus : PLACES_MIN;
    return (uint32_t)(places < PLACES_MAX ? places : PLACES_MAX);
}

static ax_rc drive(ax_cli *cli, const run_args *args, ax_proc *proc, uint64_t epoch, uint64_t run,
                   ax_err *err)
{
    const char *root = ax_app_path(cli, "runs");
    ax_drive_end end = AX_DRIVE_LEFT;
    ax_drive_config config = {.store = ax_app_of(cli)->store,
                              .proc = proc,
                              .epoch = epoch,
                              .lease_ttl_ms = LEASE_TTL_MS,
                              .places = choose_places(args),
                              .run = run,
                              .show = choose_show(cli, args, root)};
    ax_rc rc = ax_answers_read(cli, &args->answers, user_name(), &config, err);
    if (!rc) rc = ax_drive(&config, &end, err);
    return rc || end == AX_DRIVE_SUCCEEDED ? rc : ax_cli_failed(err);
}

static ax_rc run(ax_cli *cli, const void *raw, ax_err *err)
{
    const run_args *args = raw;
    uint64_t epoch = 0, id = 0;
    ax_proc *proc = NULL;
    if (!args->resume && !args->file) return ax_cli_misused(cli, err, "a workflow file is missing");
    if (!args->resume && args->answers.count)
        return ax_cli_misused(cli, err, "--answer is for a run that waits: add --resume");
    ax_rc rc = ax_app_open_store(cli, AX_STORE_WRITE, err);
    if (!rc) rc = take_lease(cli, &epoch, err);
    if (rc) return rc;
    /* Before there is a run: without a process for it, none is made. */
    rc = ax_proc_open(ax_app_path(cli, "runs"), NULL, &proc, err);
    if (!rc) rc = args->resume ? resume_run(cli, args, &id, err) : start_run(cli, args, epoch, &id, err);
    ax_out_flush(&cli->msg, NULL);
    if (!rc) rc = drive(cli, args, proc, epoch, id, err);
    ax_proc_close(proc);
    ax_app_of(cli)->store->ops->lease_release(ax_app_of(cli)->store, epoch, NULL);
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 0, NULL, offsetof(run_args, file), false, "FILE",
     "the workflow file; with --resume a run's number"},
    {AX_OPT_STR, 'w', "workflow", offsetof(run_args, workflow), false, "NAME",
     "which workflow, if the file has several"},
    {AX_OPT_STR, 'd', "date", offsetof(run_args, date), false, "DATE", "the business date (default: today)"},
    {AX_OPT_LIST, 'p', "param", offsetof(run_args, params), false, "NAME=VALUE", "a parameter; repeatable"},
    {AX_OPT_COUNT, 'j', "jobs", offsetof(run_args, places), false, "N",
     "tasks at a time (default: one a CPU, at least 4)"},
    {AX_OPT_STR, 'C', "dir", offsetof(run_args, dir), false, "DIR",
     "where commands start (default: the file's folder)"},
    {AX_OPT_FLAG, 0, "resume", offsetof(run_args, resume), false, NULL,
     "take up an interrupted or waiting run again"},
    {AX_OPT_LIST, 0, "answer", offsetof(run_args, answers), false, "NODE=WORD",
     "with --resume: answer retry, skip, accept or release for a node that waits; repeatable"},
    {AX_OPT_FLAG, 0, "plain", offsetof(run_args, plain), false, NULL, "lines instead of a live view"},
    {AX_OPT_FLAG, 0, "json", offsetof(run_args, json), false, NULL, "each transition as a line of JSON"},
};

const ax_cmd ax_cmd_run = {
    .path = "run",
    .summary = "run a workflow here, now, and show how it goes",
    .details =
        "Tasks run as processes of their own, with a log each, and outlive ax: after a crash, or when "
        "the terminal is "
        "closed, `ax run --resume` goes on where the run was, adopts what still runs, and starts "
        "nothing twice.\n\n"
        "Ctrl-C (or SIGTERM) cancels the run and waits until nothing of it runs any more; a second one "
        "kills; a third one leaves what does not end, as SIGHUP does at once, for --resume.\n\n"
        "If a node waits for a person (failure_policy = pause), ax says so and ends with 1; answer "
        "with --answer.",
    .example = "run examples/workflows/hello.axf\n"
               "run report.axf --date 2026-11-30 --param region=eu -j 8\n"
               "run --resume  # the newest run that has not ended\n"
               "run --resume 12 --answer build=retry",
    .fails = "the run failed, was cancelled, or waits for a person",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(run_args),
    .needs = AX_NEEDS_HOME,
    .run = run,
};
