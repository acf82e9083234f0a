/* cmd_graph.c - `axc graph`: a workflow as a picture. */
#include <string.h>
#include <strings.h>

#include "compiler/picture/picture.h"
#include "tools/axc/axc.h"

#define PICTURE_BYTES_MAX ((size_t)512 << 20)

typedef enum { FORMAT_BY_NAME, FORMAT_SVG, FORMAT_PNG, FORMAT_DOT } graph_format;

typedef struct {
    int format; /* graph_format */
    int dark;   /* place in "light|dark" */
    const char *output, *workflow, *file;
} graph_args;

/* The format that the output's name ends with; SVG for standard output. */
static ax_rc choose_format(ax_cli *cli, const graph_args *a, ax_picture_format *format, ax_err *err)
{
    static const struct {
        const char *suffix;
        ax_picture_format format;
    } suffixes[] = {{".svg", AX_PICTURE_SVG},
                    {".png", AX_PICTURE_PNG},
                    {".dot", AX_PICTURE_DOT},
                    {".gv", AX_PICTURE_DOT}};
    static const ax_picture_format formats[] = {
        [FORMAT_SVG] = AX_PICTURE_SVG, [FORMAT_PNG] = AX_PICTURE_PNG, [FORMAT_DOT] = AX_PICTURE_DOT};
    bool to_stdout = !a->output || strcmp(a->output, "-") == 0;
    *format = a->format == FORMAT_BY_NAME ? AX_PICTURE_SVG : formats[a->format];
    if (a->format != FORMAT_BY_NAME || to_stdout) return AX_OK;
    const char *dot = strrchr(a->output, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++) {
        if (strcasecmp(dot, suffixes[i].suffix) != 0) continue;
        *format = suffixes[i].format;
        return AX_OK;
    }
    ax_cli_misused(cli, err, "'%s' does not say what to write", a->output);
    ax_err_help(err, "let it end in .svg, .png or .dot, or give --format");
    return AX_INVALID;
}

static ax_rc graph(ax_cli *cli, const void *args, ax_err *err)
{
    const graph_args *a = args;
    ax_picture_options options = {.dark = a->dark};
    ax_rc rc = choose_format(cli, a, &options.format, err);
    if (rc) return rc;
    if (!a->output && options.format == AX_PICTURE_PNG && cli->out.terminal) {
        return ax_cli_misused(cli, err, "a PNG can't be shown on a terminal; give -o FILE");
    }
    ax_unit unit;
    ax_plan *plan;
    ax_buf picture = AX_BUF_INIT(PICTURE_BYTES_MAX);
    rc = ax_unit_workflow(cli, &unit, a->file, a->workflow, &plan, err);
    if (!rc) rc = ax_picture(plan, &options, &picture, err);
    if (!rc) rc = ax_result_write(cli, a->output, ax_buf_str(&picture), err);
    ax_buf_free(&picture);
    ax_unit_free(&unit);
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 'o', "output", offsetof(graph_args, output), false, "OUT",
     "the file to write, .svg, .png or .dot; default: SVG to standard output"},
    {AX_OPT_CHOICE, 0, "format", offsetof(graph_args, format), false, "auto|svg|png|dot",
     "what to write; auto: as the name of the output says"},
    {AX_OPT_CHOICE, 0, "theme", offsetof(graph_args, dark), false, "light|dark",
     "for a light or for a dark page"},
    {AX_OPT_STR, 'w', "workflow", offsetof(graph_args, workflow), false, "NAME",
     "which one, if the file has several"},
    {AX_OPT_STR, 0, NULL, offsetof(graph_args, file), true, "FILE",
     "the workflow file, or - for standard input"},
};
const ax_cmd ax_cmd_graph = {
    .path = "graph",
    .summary = "draw a workflow",
    .details = "Large fan-outs are drawn as one box, and groups too if there are very many nodes. In an SVG "
               "each node is a "
               "group with a stable id (node-NAME), classes for its kind, and a tooltip with all about it.",
    .example = "graph daily.axf -o daily.svg\ngraph daily.axf --theme dark -o daily.png\n"
               "graph daily.axf --format dot | dot -Tpdf -o daily.pdf",
    .fails = "the file has an error, no such workflow, or too many nodes for a picture",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(graph_args),
    .run = graph,
};
