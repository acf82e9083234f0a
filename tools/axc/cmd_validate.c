/* cmd_validate.c - `axc validate`: everything that is wrong in some files, and a line that sums it up. */
#include <inttypes.h>

#include "dsl/base/diag_render.h"
#include "tools/axc/axc.h"

#define REPORT_BYTES_MAX ((size_t)1 << 30)

typedef enum { FORMAT_HUMAN, FORMAT_JSON } report_format;

typedef struct {
    int format; /* report_format */
    bool strict;
    ax_strings files;
} validate_args;

typedef struct {
    ax_cli *cli;
    const validate_args *args;
    ax_buf json_text; /* of FORMAT_JSON */
    ax_json json;
    uint64_t files, workflows, nodes, errors, warnings, unreadable;
} report;

/* Nodes that run or are waited for; a group or a fan-out as a whole is none. */
static uint64_t count_nodes(const ax_plan *plan)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < plan->node_count; i++) count += ax_plan_kind(plan, i) != AX_NODE_GROUP;
    return count;
}

static void write_workflow(report *r, const ax_plan *plan)
{
    ax_json_obj_flat(&r->json);
    ax_json_key(&r->json, "name");
    ax_json_str(&r->json, plan->name);
    ax_json_key(&r->json, "line");
    ax_json_int(&r->json, plan->line);
    ax_json_key(&r->json, "nodes");
    ax_json_int(&r->json, (int64_t)count_nodes(plan));
    ax_json_key(&r->json, "edges");
    ax_json_int(&r->json, plan->edge_count);
    ax_json_end(&r->json);
}

/* The file's diagnostics, with their lines as far to the right as those of the report. */
static void write_diagnostics(report *r, ax_unit *unit)
{
    ax_buf plain = AX_BUF_INIT(REPORT_BYTES_MAX), deep = AX_BUF_INIT(REPORT_BYTES_MAX);
    ax_diags_json(&unit->diags, &plain);
    for (size_t i = 0; i < plain.len; i++) {
        ax_buf_addc(&deep, plain.ptr[i]);
        if (plain.ptr[i] == '\n') ax_buf_adds(&deep, "      ");
    }
    ax_json_raw(&r->json, ax_buf_str(&deep));
    ax_buf_free(&plain);
    ax_buf_free(&deep);
}

static void write_file(report *r, ax_unit *unit)
{
    ax_json_obj(&r->json);
    ax_json_key(&r->json, "file");
    ax_json_str(&r->json, unit->source->path);
    ax_json_key(&r->json, "workflows");
    ax_json_arr(&r->json);
    for (uint32_t i = 0; i < unit->compiled.plan_count; i++) write_workflow(r, unit->compiled.plans[i]);
    ax_json_end(&r->json);
    ax_json_key(&r->json, "diagnostics");
    write_diagnostics(r, unit);
    ax_json_end(&r->json);
}

static void write_unreadable(report *r, const char *path, const ax_err *err)
{
    ax_json_obj(&r->json);
    ax_json_key(&r->json, "file");
    ax_json_cstr(&r->json, path);
    ax_json_key(&r->json, "error");
    ax_json_cstr(&r->json, err->text);
    ax_json_end(&r->json);
}

static void check_file(report *r, const char *path)
{
    ax_unit unit;
    ax_err err = {0};
    r->files++;
    if (ax_unit_read(&unit, path, &err)) {
        r->unreadable++;
        ax_cli_show(r->cli, &err);
        if (r->args->format == FORMAT_JSON) write_unreadable(r, path, &err);
        ax_unit_free(&unit);
        return;
    }
    ax_unit_compile(&unit);
    if (r->args->format == FORMAT_JSON) write_file(r, &unit);
    else ax_unit_show(&unit, &r->cli->msg);
    r->workflows += unit.compiled.plan_count;
    for (uint32_t i = 0; i < unit.compiled.plan_count; i++) r->nodes += count_nodes(unit.compiled.plans[i]);
    r->errors += unit.diags.errors;
    r->warnings += unit.diags.warnings;
    ax_unit_free(&unit);
}

/* ---- the sum ---- */

static void write_count(ax_json *json, const char *key, uint64_t n)
{
    ax_json_key(json, key);
    ax_json_int(json, (int64_t)n);
}

static void end_json(report *r)
{
    ax_json_end(&r->json);
    ax_json_key(&r->json, "summary");
    ax_json_obj(&r->json);
    write_count(&r->json, "files", r->files);
    write_count(&r->json, "unreadable", r->unreadable);
    write_count(&r->json, "workflows", r->workflows);
    write_count(&r->json, "nodes", r->nodes);
    write_count(&r->json, "errors", r->errors);
    write_count(&r->json, "warnings", r->warnings);
    ax_json_end(&r->json);
    ax_json_end(&r->json);
    ax_buf_addc(&r->json_text, '\n');
    ax_out_add(&r->cli->out, ax_buf_str(&r->json_text));
}

/* "3 errors", "1 warning", "no errors". */
static void show_count(ax_out *out, uint64_t n, const char *what, ax_style style)
{
    ax_buf text = AX_BUF_INIT(64);
    if (n) ax_buf_addf(&text, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
    else ax_buf_addf(&text, "no %ss", what);
    ax_out_styled(out, style, ax_buf_str(&text));
    ax_buf_free(&text);
}

/* What a file with an error holds is not known, so nothing is said about workflows if there were none but
 * such files. */
static void show_sum(const report *r)
{
    ax_out *out = &r->cli->out;
    show_count(out, r->files, "file", AX_STYLE_PLAIN);
    if (r->workflows || !(r->errors || r->unreadable)) {
        ax_out_adds(out, ", ");
        show_count(out, r->workflows, "workflow", AX_STYLE_PLAIN);
        ax_out_adds(out, ", ");
        show_count(out, r->nodes, "node", AX_STYLE_PLAIN);
    }
    ax_out_adds(out, ": ");
    show_count(out, r->errors, "error", r->errors ? AX_STYLE_RED : AX_STYLE_GREEN);
    if (r->warnings) {
        ax_out_adds(out, ", ");
        show_count(out, r->warnings, "warning", AX_STYLE_YELLOW);
    }
    if (r->unreadable) ax_out_addf(out, ", %" PRIu64 " not read", r->unreadable);
    ax_out_adds(out, "\n");
}

static ax_rc validate(ax_cli *cli, const void *args, ax_err *err)
{
    report r = {.cli = cli, .args = args, .json_text = AX_BUF_INIT(REPORT_BYTES_MAX)};
    ax_files files = {0};
    ax_rc rc = ax_files_find(cli, &r.args->files, &files, err);
    if (rc) return rc;
    r.unreadable = files.unreadable;
    r.json = ax_json_start(&r.json_text, 2);
    ax_json_obj(&r.json);
    ax_json_key(&r.json, "files");
    ax_json_arr(&r.json);
    for (uint32_t i = 0; i < files.paths.len; i++) check_file(&r, files.paths.at[i]);
    if (r.args->format == FORMAT_JSON) end_json(&r);
    else show_sum(&r);
    ax_buf_free(&r.json_text);
    if (r.unreadable) return AX_IO;
    return r.errors || (r.args->strict && r.warnings) ? ax_cli_failed(err) : AX_OK;
}

static const ax_opt opts[] = {
    {AX_OPT_CHOICE, 0, "format", offsetof(validate_args, format), false, "human|json", "how to report"},
    {AX_OPT_FLAG, 0, "strict", offsetof(validate_args, strict), false, NULL, "warnings fail too"},
    {AX_OPT_LIST, 0, NULL, offsetof(validate_args, files), false, "FILE|DIR",
     "what to check; a folder stands for all *.axf files below it, - for standard input, nothing for the "
     "working folder"},
};
const ax_cmd ax_cmd_validate = {
    .path = "validate",
    .summary = "say everything that is wrong in workflow files",
    .details = "Compiles the files without running anything. Errors and warnings go to standard error, each "
               "with its "
               "place, its code and advice; 'axc explain CODE' says more. The last line, on standard output, "
               "sums up.",
    .example = "validate\nvalidate --strict workflows daily.axf\nvalidate --format json - <daily.axf",
    .fails = "a file has an error (with --strict: or a warning)",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(validate_args),
    .run = validate,
};
