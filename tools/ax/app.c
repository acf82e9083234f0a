/* app.c - see app.h. */
#include "tools/ax/app.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dsl/base/file.h"

ax_app *ax_app_of(const ax_cli *cli)
{
    return cli->app;
}

const char *ax_app_path(ax_cli *cli, const char *file)
{
    return ax_str_fmt(&cli->mem, "%s/%s", ax_app_of(cli)->home, file).ptr;
}

ax_rc ax_app_open_store(ax_cli *cli, ax_store_mode mode, ax_err *err)
{
    ax_app *app = ax_app_of(cli);
    ax_rc rc = mode == AX_STORE_WRITE ? ax_dir_make(app->home, err) : AX_OK;
    if (!rc) rc = ax_sqlite_open(ax_app_path(cli, "ax.db"), mode, &app->store, err);
    if (rc == AX_NOT_FOUND) {
        ax_fail(err, rc, "nothing was run here yet: there is no store in '%s'", app->home);
        ax_err_help(err, "name another home with --home, or start something with `ax run FILE`");
    }
    return rc;
}

void ax_app_json(ax_cli *cli, ax_buf *json)
{
    ax_buf_addc(json, '\n');
    ax_out_add(&cli->out, ax_buf_str(json));
    ax_buf_free(json);
}
