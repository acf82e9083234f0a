/* axc.h - what the commands of axc share: the files that operands name, and one file compiled. */
#ifndef AX_TOOLS_AXC_H
#define AX_TOOLS_AXC_H

#include "compiler/axc.h"
#include "compiler/select/select.h"
#include "dsl/base/json_out.h"
#include "dsl/model/due.h"
#include "tools/cli/cmd.h"

extern const ax_program ax_axc; /* the program: its name and its commands */

extern const ax_cmd ax_cmd_validate, ax_cmd_compile, ax_cmd_fmt, ax_cmd_graph, ax_cmd_explain, ax_cmd_cron,
    ax_cmd_list, ax_cmd_plan, ax_cmd_lsp, ax_cmd_diff;

/* ---- files ---- */

typedef struct {
    AX_VEC(const char *) paths; /* as they are shown; "-" is standard input */
    uint32_t unreadable;        /* folders that could not be read; each was shown on cli->msg */
} ax_files;

/* The files that operands name, in their order; none: the working folder. A folder stands for all *.axf
 * files below it, sorted; hidden folders and links to folders are left out, so that loops of links do not
 * matter. AX_NOT_FOUND if nothing is left. */
ax_rc ax_files_find(ax_cli *cli, const ax_strings *operands, ax_files *files, ax_err *err);

/* ---- one file ---- */

typedef struct {
    ax_arena mem;
    ax_sources sources;
    ax_source *source;
    ax_diags diags;
    ax_compiled compiled; /* after ax_unit_compile */
} ax_unit;

/* Reads a file; AX_IO if that fails, whatever the reason. The unit must be freed in any case. */
ax_rc ax_unit_read(ax_unit *unit, const char *path, ax_err *err);
/* Takes a text, which must outlive the unit, as the file of that path; AX_IO if it is too large. */
ax_rc ax_unit_text(ax_unit *unit, ax_str path, ax_str text, ax_err *err);
/* Compiles it; what is wrong is in unit->diags, sorted. */
void ax_unit_compile(ax_unit *unit);
/* Shows the diagnostics for people. */
void ax_unit_show(ax_unit *unit, ax_out *out);
/* Gives everything back. */
void ax_unit_free(ax_unit *unit);
/* Reads and compiles path, shows what is wrong, and finds the workflow: the one of that name, or with name
 * NULL the only one. The failure has been shown if err has no message. */
ax_rc ax_unit_workflow(ax_cli *cli, ax_unit *unit, const char *path, const char *name, ax_plan **plan,
                       ax_err *err);

/* ---- short texts ---- */

/* Shows on cli->msg what is wrong with an expression, with a caret under the place. */
void ax_place_show(ax_cli *cli, ax_severity severity, ax_str text, const ax_text_err *place);
/* The same as {at, length, text, help} for programs. */
void ax_place_json(ax_json *json, const ax_text_err *place);

/* ---- selections ---- */

/* The options --select and --baseline. */
typedef struct {
    ax_cli *cli;
    ax_str text;
    const ax_select *select; /* NULL: nothing is selected, which means everything */
    bool has_baseline;
    AX_VEC(const ax_plan *) baseline;
    AX_VEC(ax_unit *) units; /* that hold it */
} ax_selection;

/* Reads both, which may be NULL. A failure may have been shown already. It must be closed in any case. */
ax_rc ax_selection_open(ax_selection *s, ax_cli *cli, const char *text, const char *baseline, ax_err *err);
/* Fails, having shown what it is, if a term names nothing in any of the plans. */
ax_rc ax_selection_check(const ax_selection *s, const ax_plan *const *plans, uint32_t count, ax_err *err);
/* The selected nodes of a plan, in mem; there must be a selection. */
ax_node_set ax_selection_nodes(const ax_selection *s, const ax_plan *plan, ax_arena *mem);
void ax_selection_close(ax_selection *s);

/* ---- instants ---- */

/* Appends "at 02:00 every day (Europe/Berlin) from 2026-01-01". */
void ax_schedule_words(const ax_schedule *schedule, ax_buf *out);
/* A schedule as {name, cron | every, timezone, start, end, words}. */
void ax_schedule_json(const ax_schedule *schedule, ax_json *json);

/* Shows the next instants of a schedule after a moment, at most `count`: local time, UTC, and what clocks do
 * on that day. Returns how many. */
uint32_t ax_instants_show(ax_cli *cli, const ax_due *due, int64_t after_ms, int64_t count);
/* One instant as {at, local, date, clocks}; the next ones as an array of them. */
void ax_instant_json(ax_json *json, const ax_due *due, int64_t at_ms);
void ax_instants_json(ax_json *json, const ax_due *due, int64_t after_ms, int64_t count);

/* ---- the rest ---- */

/* Writes text to the file, or to cli->out if path is NULL. */
ax_rc ax_result_write(ax_cli *cli, const char *path, ax_str text, ax_err *err);

#endif
