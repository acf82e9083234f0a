/* cmd_help.c - `help [COMMAND]...`: help of one command or of the program, its manual page, its
 * completion. */
#include <string.h>

#include "tools/cli/cli_int.h"

#define PAGE_BYTES_MAX ((size_t)4 << 20)

typedef struct {
    ax_strings words;
    bool man, bash;
} help_args;

static ax_rc show_page(ax_cli *cli, void (*write)(const ax_program *, ax_buf *))
{
    ax_buf page = AX_BUF_INIT(PAGE_BYTES_MAX);
    write(cli->program, &page);
    ax_out_add(&cli->out, ax_buf_str(&page));
    ax_buf_free(&page);
    return AX_OK;
}

static ax_rc help(ax_cli *cli, const void *args, ax_err *err)
{
    const help_args *a = args;
    if (a->man) return show_page(cli, ax_help_man);
    if (a->bash) return show_page(cli, ax_help_bash);
    if (!a->words.count) {
        ax_help_show(&cli->out, cli->program, NULL);
        return AX_OK;
    }
    ax_buf path = AX_BUF_INIT(1024);
    for (uint32_t i = 0; i < a->words.count; i++) ax_buf_addf(&path, "%s%s", i ? " " : "", a->words.at[i]);
    const ax_cmd *cmd = ax_program_find(cli->program, ax_buf_str(&path));
    ax_rc rc = AX_OK;
    if (cmd) ax_help_show(&cli->out, cli->program, cmd);
    else rc = ax_cli_unknown(cli, ax_buf_str(&path), err);
    ax_buf_free(&path);
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_FLAG, 0, "man", offsetof(help_args, man), false, NULL, "write the manual page (troff)"},
    {AX_OPT_FLAG, 0, "bash", offsetof(help_args, bash), false, NULL, "write a completion script for bash"},
    {AX_OPT_LIST, 0, NULL, offsetof(help_args, words), false, "COMMAND", "the command; none: the program"},
};
const ax_cmd ax_cmd_help = {
    .path = "help",
    .summary = "say what a command does and takes",
    .example = "help\nhelp help\nhelp --bash >/etc/bash_completion.d/ax",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(help_args),
    .run = help,
};
