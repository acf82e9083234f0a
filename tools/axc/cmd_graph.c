/* cmd_graph.c - `axc graph`: a workflow as a picture. */
#include <string.h>
#include <strings.h>

#include "compiler/picture/picture.h"
#include "tools/axc/durations.h"
#include "tools/axc/focus.h"

#define PICTURE_BYTES_MAX ((size_t)512 << 20)
#define NOTE_BYTES_MAX 4096
#define TASK_MS 1000 /* if nobody says how long tasks take */

typedef enum { FORMAT_BY_NAME, FORMAT_SVG, FORMAT_PNG, FORMAT_DOT, FORMAT_MERMAID, FORMAT_JSON } graph_format;

typedef struct {
    int format;   /* graph_format */
    int dark;     /* place in "light|dark" */
    int collapse; /* ax_collapse */
    bool critical;
    const char *output, *workflow, *file, *select, *baseline, *focus, *durations, *link;
} graph_args;

/* The format that the output's name ends with; SVG for standard output. */
static ax_rc choose_format(ax_cli *cli, const graph_args *a, ax_picture_format *format, ax_err *err)
{
    static const struct {
        const char *suffix;
        ax_picture_format format;
    } suffixes[] = {{".svg", AX_PICTURE_SVG},  {".png", AX_PICTURE_PNG},     {".dot", AX_PICTURE_DOT},
                    {".gv", AX_PICTURE_DOT},   {".mmd", AX_PICTURE_MERMAID}, {".mermaid", AX_PICTURE_MERMAID},
                    {".json", AX_PICTURE_JSON}};
    static const ax_picture_format formats[] = {[FORMAT_SVG] = AX_PICTURE_SVG,
                                                [FORMAT_PNG] = AX_PICTURE_PNG,
                                                [FORMAT_DOT] = AX_PICTURE_DOT,
                                                [FORMAT_MERMAID] = AX_PICTURE_MERMAID,
                                                [FORMAT_JSON] = AX_PICTURE_JSON};
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
    ax_err_help(err, "let it end in .svg, .png, .dot, .mmd or .json, or give --format");
    return AX_INVALID;
}

/* What is in both. */
static ax_node_set common(ax_cli *cli, const ax_node_set *a, const ax_node_set *b)
{
    ax_node_set both = {.node_count = a->node_count};
    both.bits = AX_NEW_N(&cli->mem, uint64_t, a->node_count / 64 + 1);
    for (uint32_t i = 0; i < (a->node_count + 63) / 64; i++) both.bits[i] = a->bits[i] & b->bits[i];
    return both;
}

/* The nodes that --focus and --select leave; the sets live in cli->mem. */
static ax_rc choose_nodes(ax_cli *cli, const graph_args *a, const ax_plan *plan, ax_picture_options *options,
                          ax_err *err)
{
    ax_selection selection;
    ax_focus *focus = AX_NEW(&cli->mem, ax_focus);
    ax_node_set *only = AX_NEW(&cli->mem, ax_node_set);
    ax_rc rc = ax_selection_open(&selection, cli, a->select, a->baseline, err);
    if (!rc) rc = ax_selection_check(&selection, &plan, 1, err);
    if (!rc && a->focus) rc = ax_focus_read(cli, a->focus, plan, focus, err);
    if (!rc && (a->select || a->focus)) {
        *only = a->focus ? focus->all : ax_selection_nodes(&selection, plan, &cli->mem);
        if (a->focus && a->select) {
            ax_node_set selected = ax_selection_nodes(&selection, plan, &cli->mem);
            *only = common(cli, only, &selected);
        }
        options->only = only;
        if (a->focus) options->focus = &focus->center;
    }
    if (options->only && !ax_node_set_size(only))
        rc = ax_fail(err, AX_NOT_FOUND, "no node of workflow '%.*s' is selected", AX_STR(plan->name));
    ax_selection_close(&selection);
    return rc;
}

/* The critical path: by the file's durations, else by the number of tasks. */
static ax_rc choose_durations(ax_cli *cli, const graph_args *a, const ax_plan *plan,
                              ax_picture_options *options, ax_err *err)
{
    if (a->durations) return ax_durations_read(cli, a->durations, plan, &options->durations_ms, err);
    if (!a->critical) return AX_OK;
    int64_t *same = AX_NEW_N(&cli->mem, int64_t, plan->node_count + 1);
    for (uint32_t n = 0; n < plan->node_count; n++) same[n] = TASK_MS;
    options->durations_ms = same;
    return AX_OK;
}

static ax_rc draw(ax_cli *cli, const graph_args *a, const ax_plan *plan, ax_picture_options *options,
                  ax_err *err)
{
    ax_buf picture = AX_BUF_INIT(PICTURE_BYTES_MAX), note = AX_BUF_INIT(NOTE_BYTES_MAX);
    ax_rc rc = choose_nodes(cli, a, plan, options, err);
    if (!rc) rc = choose_durations(cli, a, plan, options, err);
    options->note = &note;
    if (!rc) rc = ax_picture(plan, options, &picture, err);
    if (!rc) rc = ax_result_write(cli, a->output, ax_buf_str(&picture), err);
    if (!rc && note.len) ax_out_addf(&cli->msg, "note: %.*s\n", AX_STR(ax_buf_str(&note)));
    ax_buf_free(&picture);
    ax_buf_free(&note);
    return rc;
}

static ax_rc graph(ax_cli *cli, const void *args, ax_err *err)
{
    const graph_args *a = args;
    ax_picture_options options = {.dark = a->dark,
                                  .collapse = (ax_collapse)a->collapse,
                                  .link = a->link ? ax_str_of(a->link) : (ax_str){0}};
    ax_rc rc = choose_format(cli, a, &options.format, err);
    if (rc) return rc;
    if (!a->output && options.format == AX_PICTURE_PNG && cli->out.terminal) {
        return ax_cli_misused(cli, err, "a PNG can't be shown on a terminal; give -o FILE");
    }
    ax_unit unit;
    ax_plan *plan;
    rc = ax_unit_workflow(cli, &unit, a->file, a->workflow, &plan, err);
    if (!rc) rc = draw(cli, a, plan, &options, err);
    ax_unit_free(&unit);
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 'o', "output", offsetof(graph_args, output), false, "OUT",
     "the file to write, .svg, .png, .dot, .mmd or .json; default: SVG to standard output"},
    {AX_OPT_CHOICE, 0, "format", offsetof(graph_args, format), false, "auto|svg|png|dot|mermaid|json",
     "what to write; auto: as the name of the output says"},
    {AX_OPT_CHOICE, 0, "theme", offsetof(graph_args, dark), false, "light|dark",
     "for a light or for a dark page"},
    {AX_OPT_CHOICE, 0, "collapse", offsetof(graph_args, collapse), false, "auto|none|all",
     "fold groups and fan-outs into one box each: as many as it takes, none, or all"},
    {AX_OPT_STR, 'f', "focus", offsetof(graph_args, focus), false, "NODE",
     "only this node and what is near it: NODE+2 for two edges behind it, NODE-2 before it, NODE±2 both"},
    {AX_OPT_STR, 's', "select", offsetof(graph_args, select), false, "EXPR",
     "only these nodes: 'tag:daily', '+report', 'group:ingest and not kind:gate'"},
    {AX_OPT_STR, 0, "baseline", offsetof(graph_args, baseline), false, "PATH",
     "what state:modified compares with: a file, a folder or a document"},
    {AX_OPT_FLAG, 0, "critical-path", offsetof(graph_args, critical), false, NULL,
     "show the path that takes longest"},
    {AX_OPT_STR, 0, "durations", offsetof(graph_args, durations), false, "FILE",
     "a JSON object of names and seconds, for the critical path; default: 1 for each task"},
    {AX_OPT_STR, 0, "link", offsetof(graph_args, link), false, "URL",
     "make nodes and edges links: '{file}#L{line}' is where the source is, {name} the node"},
    {AX_OPT_STR, 'w', "workflow", offsetof(graph_args, workflow), false, "NAME",
     "which one, if the file has several"},
    {AX_OPT_STR, 0, NULL, offsetof(graph_args, file), true, "FILE",
     "the workflow file, or - for standard input"},
};
const ax_cmd ax_cmd_graph = {
    .path = "graph",
    .summary = "draw a workflow",
    .details =
        "Workflows of any size are drawn. Above 400 boxes fan-outs are folded into one box each, then tasks "
        "with the same edges, then groups; above 5,000, what stands on one level. A note says what was "
        "folded, in the picture and on standard error.\n\n"
        "In an SVG each node is a group with a stable id (node-NAME), classes for its kind, and a tooltip "
        "with all about it. JSON has boxes, frames and links with their places, for programs that draw.",
    .example = "graph daily.axf -o daily.svg\ngraph daily.axf --theme dark -o daily.png\n"
               "graph daily.axf --focus report±2 -o near.svg\n"
               "graph daily.axf --durations last.json -o slow.svg\n"
               "graph daily.axf --link 'https://git.example.org/flows/{file}#L{line}' -o daily.svg\n"
               "graph daily.axf --format mermaid\n"
               "graph daily.axf --format dot | dot -Tpdf -o daily.pdf",
    .fails = "the file has an error, no such workflow or node, or too many nodes for --collapse none",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(graph_args),
    .run = graph,
};
