/* main.c - ax: runs workflows, and shows what ran. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/ax/app.h"

#define AX_VERSION "0.1.0"

static const ax_cmd *const cmds[] = {&ax_cmd_run,  &ax_cmd_runs,    &ax_cmd_status,
                                     &ax_cmd_logs, &ax_cmd_history, &ax_cmd_help};

static const ax_opt opts[] = {
    {.kind = AX_OPT_STR,
     .name = "home",
     .offset = offsetof(ax_globals, home),
     .value = "DIR",
     .help = "where ax keeps its store and logs (default: $AX_HOME, else .ax)"},
};

/* Sets app->home to an absolute path. */
static ax_rc find_home(ax_cli *cli, ax_app *app, ax_err *err)
{
    const char *home = ((const ax_globals *)cli->globals)->home;
    if (!home) home = getenv("AX_HOME");
    if (!home || !*home) home = ".ax";
    if (*home == '/') {
        app->home = home;
        return AX_OK;
    }
    char cwd[PATH_MAX];
    if (!getcwd(cwd, sizeof cwd)) return ax_fail_errno(err, "the working folder can't be found");
    app->home = ax_str_fmt(&cli->mem, "%s/%s", cwd, home).ptr;
    return AX_OK;
}

static ax_rc open_app(ax_cli *cli, unsigned needs, ax_err *err)
{
    ax_app *app = AX_NEW(&cli->mem, ax_app);
    cli->app = app;
    ax_rc rc = needs >= AX_NEEDS_HOME ? find_home(cli, app, err) : AX_OK;
    if (!rc && needs >= AX_NEEDS_STORE) rc = ax_app_open_store(cli, AX_STORE_READ, err);
    return rc;
}

static void close_app(ax_cli *cli)
{
    ax_app *app = ax_app_of(cli);
    if (app && app->store) app->store->ops->close(app->store);
}

static const ax_program program = {
    .name = "ax",
    .summary = "runs workflows, and shows what ran",
    .version = AX_VERSION,
    .cmds = cmds,
    .cmd_count = sizeof cmds / sizeof *cmds,
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(ax_globals),
    .open = open_app,
    .close = close_app,
};

int main(int argc, char **argv)
{
    return ax_cli_main(&program, argc, argv);
}
