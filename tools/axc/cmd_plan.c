/* cmd_plan.c - `axc plan`: what a run of a date would do, or which runs a backfill would make. */
#include <string.h>

#include "dsl/base/nearest.h"
#include "dsl/model/param.h"
#include "dsl/model/units.h"
#include "tools/axc/durations.h"
#include "tools/axc/outlook_int.h"

typedef struct {
    const char *date, *from, *to, *workflow, *select, *baseline, *durations, *file;
    ax_strings params;
    bool json;
} plan_args;

/* ---- options ---- */

static ax_rc read_date(ax_cli *cli, const char *option, const char *text, int64_t *day, ax_err *err)
{
    if (ax_date_parse(ax_str_of(text), day)) return AX_OK;
    ax_cli_misused(cli, err, "'--%s' takes a date, not '%s'", option, text);
    ax_err_help(err, "write it as 2026-11-30");
    return AX_INVALID;
}

static ax_rc check_options(ax_cli *cli, const plan_args *a, ax_err *err)
{
    bool is_backfill = a->from || a->to;
    if (is_backfill && a->date)
        return ax_cli_misused(cli, err, "'--date' does not go with '--from' and '--to'");
    if (is_backfill && !(a->from && a->to))
        return ax_cli_misused(cli, err, "'--from' and '--to' go together");
    if (is_backfill && (a->select || a->durations || a->params.count))
        return ax_cli_misused(cli, err, "'--from' and '--to' show runs, not what they do");
    if (is_backfill || a->date) return AX_OK;
    ax_cli_misused(cli, err, "the date is missing");
    ax_err_help(err, "give --date 2026-11-30, or --from and --to for the runs of a backfill");
    return AX_INVALID;
}

static ax_rc read_params(ax_cli *cli, const plan_args *a, const ax_plan *plan, ax_value *values, ax_err *err)
{
    uint32_t count = a->params.count;
    ax_str *names = AX_NEW_N(&cli->mem, ax_str, count), *texts = AX_NEW_N(&cli->mem, ax_str, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = a->params.at[i], *equals = strchr(text, '=');
        if (!equals) return ax_cli_misused(cli, err, "--param '%s' is not NAME=VALUE", text);
        names[i] = (ax_str){text, (size_t)(equals - text)};
        texts[i] = ax_str_of(equals + 1);
    }
    return ax_params_given(plan, names, texts, count, &cli->mem, values, err);
}

/* ---- the command ---- */

static ax_rc foresee(ax_cli *cli, const plan_args *a, const ax_plan *plan, ax_outlook *o, ax_err *err)
{
    int64_t date = 0;
    ax_value *params = AX_NEW_N(&cli->mem, ax_value, plan->param_count);
    ax_preview_input in = {.plan = plan, .params = params, .run = &o->run};
    ax_rc rc = read_date(cli, "date", a->date, &date, err);
    if (!rc) rc = read_params(cli, a, plan, params, err);
    if (!rc) rc = ax_preview_run_of(plan, date, &cli->mem, &o->run, err);
    if (!rc && a->durations) rc = ax_durations_read(cli, a->durations, plan, &in.durations_ms, err);
    if (rc) return rc;
    o->params = params;
    o->has_durations = a->durations != NULL;
    ax_preview_make(&in, &cli->mem, &o->preview);
    return AX_OK;
}

static ax_rc show_outlook(ax_cli *cli, const plan_args *a, const ax_plan *plan, ax_err *err)
{
    ax_outlook o = {.cli = cli, .plan = plan};
    ax_selection selection;
    ax_node_set chosen;
    ax_rc rc = ax_selection_open(&selection, cli, a->select, a->baseline, err);
    if (!rc) rc = ax_selection_check(&selection, &plan, 1, err);
    if (!rc) rc = foresee(cli, a, plan, &o, err);
    if (!rc && selection.select) {
        chosen = ax_selection_nodes(&selection, plan, &cli->mem);
        o.chosen = &chosen;
    }
    if (!rc) rc = a->json ? ax_outlook_json(&o, err) : ax_outlook_show(&o, err);
    ax_selection_close(&selection);
    return !rc && o.problems ? ax_cli_failed(err) : rc;
}

static ax_rc show_backfill(ax_cli *cli, const plan_args *a, const ax_plan *plan, ax_err *err)
{
    int64_t from = 0, to = 0;
    ax_rc rc = read_date(cli, "from", a->from, &from, err);
    if (!rc) rc = read_date(cli, "to", a->to, &to, err);
    if (!rc && from > to) rc = ax_cli_misused(cli, err, "%s is later than %s", a->from, a->to);
    return rc ? rc : ax_backfill_show(cli, plan, from, to, a->json, err);
}

static ax_rc plan(ax_cli *cli, const void *args, ax_err *err)
{
    const plan_args *a = args;
    ax_rc rc = check_options(cli, a, err);
    if (rc) return rc;
    ax_unit unit;
    ax_plan *p;
    rc = ax_unit_workflow(cli, &unit, a->file, a->workflow, &p, err);
    if (!rc) rc = a->from ? show_backfill(cli, a, p, err) : show_outlook(cli, a, p, err);
    ax_unit_free(&unit);
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 'd', "date", offsetof(plan_args, date), false, "DATE", "the business date of the run"},
    {AX_OPT_LIST, 'p', "param", offsetof(plan_args, params), false, "NAME=VALUE", "a parameter; repeatable"},
    {AX_OPT_STR, 0, "from", offsetof(plan_args, from), false, "DATE",
     "with --to: the runs of a backfill of these business dates, both inclusive"},
    {AX_OPT_STR, 0, "to", offsetof(plan_args, to), false, "DATE", "the last date of the backfill"},
    {AX_OPT_STR, 's', "select", offsetof(plan_args, select), false, "EXPR",
     "show only these nodes: names, group.*, tag:x, kind:task, +n, n+2, state:modified, and or not ( )"},
    {AX_OPT_STR, 0, "baseline", offsetof(plan_args, baseline), false, "FILE|DIR",
     "what state: compares with: workflow files or compiled documents"},
    {AX_OPT_STR, 0, "durations", offsetof(plan_args, durations), false, "FILE",
     "a JSON object of names and seconds, for the critical path; default: 1 for each task"},
    {AX_OPT_FLAG, 0, "json", offsetof(plan_args, json), false, NULL, "as JSON"},
    {AX_OPT_STR, 'w', "workflow", offsetof(plan_args, workflow), false, "NAME",
     "which one, if the file has several"},
    {AX_OPT_STR, 0, NULL, offsetof(plan_args, file), true, "FILE",
     "the workflow file, or - for standard input"},
};
const ax_cmd ax_cmd_plan = {
    .path = "plan",
    .summary = "show what a run would do, without running anything",
    .details = "The run in which everything succeeds: its instant and interval, and in waves what can begin "
               "together, with the commands as they would run. Known values stand in their place, outputs of "
               "tasks as they are written. Then what is skipped and why, the critical path, and the next 10 "
               "instants of each schedule.\n\n"
               "With --from and --to, the runs that a backfill of these dates would make.",
    .example = "plan daily.axf --date 2026-11-30\nplan daily.axf -d 2026-11-30 -p region=us -s '+publish'\n"
               "plan daily.axf --from 2026-10-24 --to 2026-10-26\n"
               "plan daily.axf -d 2026-11-30 --durations last.json --json",
    .fails = "the file has an error, or a command has no value for this date and these parameters",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(plan_args),
    .run = plan,
};
