/* program.c - the list of axc's commands. */
#include "tools/axc/axc.h"

static const ax_cmd *const cmds[] = {
    &ax_cmd_validate, &ax_cmd_fmt,  &ax_cmd_graph,   &ax_cmd_plan, &ax_cmd_compile, &ax_cmd_list,
    &ax_cmd_cron,     &ax_cmd_diff, &ax_cmd_explain, &ax_cmd_lsp,  &ax_cmd_help,
};

const ax_program ax_axc = {
    .name = "axc",
    .summary = "check, format, draw and compile workflow files",
    .version = AX_VERSION,
    .cmds = cmds,
    .cmd_count = sizeof cmds / sizeof *cmds,
};
