/* app.h - what every command of ax shares: the home, its store, and the list of commands.
 *
 * The home is a folder with everything that ax keeps: `ax.db` (the store) and `runs/` (a folder per attempt).
 * It is --home, else $AX_HOME, else `.ax` in the working folder.
 */
#ifndef AX_TOOLS_APP_H
#define AX_TOOLS_APP_H

#include "runtime/store/store.h"
#include "tools/cli/cmd.h"

/* What a command needs before it runs. */
enum {
    AX_NEEDS_NOTHING,
    AX_NEEDS_HOME,  /* app->home */
    AX_NEEDS_STORE, /* and app->store, for reading */
};

/* Options that every command takes. */
typedef struct {
    const char *home;
} ax_globals;

typedef struct {
    const char *home; /* absolute; it need not exist */
    ax_store *store;  /* NULL unless needed; closed at the end, whoever opened it */
} ax_app;

/* The app of a call whose command needs something. */
ax_app *ax_app_of(const ax_cli *cli);
/* A file in the home: "ax.db", "runs". */
const char *ax_app_path(ax_cli *cli, const char *file);
/* Opens the store of the home; WRITE makes the home if it is missing. */
ax_rc ax_app_open_store(ax_cli *cli, ax_store_mode mode, ax_err *err);
/* Writes one JSON document and a line end, and frees it. */
void ax_app_json(ax_cli *cli, ax_buf *json);

extern const ax_cmd ax_cmd_run, ax_cmd_runs, ax_cmd_status, ax_cmd_logs, ax_cmd_history;

#endif
