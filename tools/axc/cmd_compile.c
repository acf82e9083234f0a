/* cmd_compile.c - `axc compile`: the task-definition document of one workflow. */
#include "compiler/emit/yaml.h"
#include "dsl/model/plan_json.h"
#include "tools/axc/axc.h"

typedef enum { EMIT_JSON, EMIT_YAML } emit_format;

typedef struct {
    int emit; /* emit_format */
    const char *output, *workflow, *file;
} compile_args;

static ax_rc write_document(ax_cli *cli, const compile_args *a, const ax_plan *plan, ax_err *err)
{
    ax_buf text = AX_BUF_INIT(AX_PLAN_BYTES_MAX);
    ax_rc rc = AX_OK;
    if (a->emit == EMIT_YAML) {
        rc = ax_emit_yaml(plan, &text, err);
    } else {
        ax_plan_write(plan, 2, &text);
        ax_buf_addc(&text, '\n');
    }
    if (!rc && text.full) rc = ax_fail(err, AX_INVALID, "the document is larger than %zu bytes", text.max);
    if (!rc) rc = ax_result_write(cli, a->output, ax_buf_str(&text), err);
    ax_buf_free(&text);
    return rc;
}

static ax_rc compile(ax_cli *cli, const void *args, ax_err *err)
{
    const compile_args *a = args;
    ax_unit unit;
    ax_plan *plan;
    ax_rc rc = ax_unit_workflow(cli, &unit, a->file, a->workflow, &plan, err);
    if (!rc) rc = write_document(cli, a, plan, err);
    ax_unit_free(&unit);
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_CHOICE, 0, "emit", offsetof(compile_args, emit), false, "json|yaml", "the form of the document"},
    {AX_OPT_STR, 'o', "output", offsetof(compile_args, output), false, "OUT",
     "the file to write; default: "
     "standard output"},
    {AX_OPT_STR, 'w', "workflow", offsetof(compile_args, workflow), false, "NAME",
     "which one, if the file has several"},
    {AX_OPT_STR, 0, NULL, offsetof(compile_args, file), true, "FILE",
     "the workflow file, or - for standard input"},
};
const ax_cmd ax_cmd_compile = {
    .path = "compile",
    .summary = "write the task-definition document of a workflow",
    .details = "The document holds the task definitions and the graph, with every matrix and group written "
               "out, the file "
               "and line of each node, and a content hash. The same file gives the same bytes.",
    .example = "compile daily.axf\ncompile daily.axf --emit yaml -o daily.yaml",
    .fails = "the file has an error, or no such workflow",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(compile_args),
    .run = compile,
};
