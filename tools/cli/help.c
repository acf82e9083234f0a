/* help.c - a program's and a command's help, from their rows. */
#include "tools/cli/cli_int.h"

#include <string.h>

#include "dsl/base/utf8.h"
#include "tools/cli/opt_int.h"

#define HELP_BYTES_MAX ((size_t)1 << 20)
#define OPTION_COLUMN 26 /* where the explanations begin */

const char *const ax_exit_meaning[4] = {
    [AX_EXIT_OK] = "done",
    [AX_EXIT_FAILED] = "what was asked about failed",
    [AX_EXIT_USAGE] = "wrong use: an unknown option, a missing operand",
    [AX_EXIT_ENVIRONMENT] = "the environment failed: an unreadable file, a full disk",
};

static void spaces(ax_buf *out, size_t count)
{
    while (count--) ax_buf_addc(out, ' ');
}

void ax_help_wrap(ax_buf *out, const char *text, size_t at, size_t indent)
{
    bool first = true;
    while (*text) {
        size_t gap = strspn(text, " \n");
        bool paragraph = memmem(text, gap, "\n\n", 2) != NULL;
        text += gap;
        size_t len = strcspn(text, " \n");
        if (!len) break;
        size_t width = ax_utf8_width((ax_str){text, len});
        if (!first && (paragraph || at + 1 + width > AX_HELP_WIDTH)) {
            ax_buf_adds(out, paragraph ? "\n\n" : "\n");
            spaces(out, indent);
            at = indent;
        } else if (!first) {
            ax_buf_addc(out, ' ');
            at++;
        } else if (at < indent) {
            spaces(out, indent - at);
            at = indent;
        }
        ax_buf_add(out, (ax_str){text, len});
        at += width;
        text += len;
        first = false;
    }
    ax_buf_addc(out, '\n');
}

/* ---- usage ---- */

static void usage_option(const ax_opt *opt, ax_buf *word)
{
    ax_buf_adds(word, opt->required ? "" : "[");
    if (ax_opt_is_operand(opt)) {
        ax_buf_adds(word, opt->value);
    } else {
        if (opt->name) ax_buf_addf(word, "--%s", opt->name);
        else ax_buf_addf(word, "-%c", opt->letter);
        if (opt->value) ax_buf_addf(word, "=%s", opt->value);
    }
    ax_buf_adds(word, opt->required ? "" : "]");
    if (opt->kind == AX_OPT_LIST) ax_buf_adds(word, "...");
}

void ax_help_usage(const ax_program *program, const ax_cmd *cmd, ax_buf *out)
{
    ax_buf words = AX_BUF_INIT(HELP_BYTES_MAX);
    ax_buf_addf(out, "%s %s", program->name, cmd->path);
    for (int operands = 0; operands < 2; operands++) {
        for (uint32_t i = 0; i < cmd->opt_count; i++) {
            if (ax_opt_is_operand(&cmd->opts[i]) != operands) continue;
            ax_buf_addc(&words, ' ');
            usage_option(&cmd->opts[i], &words);
        }
    }
    if (words.len) {
        size_t indent = strlen(program->name) + 1 + strlen(cmd->path) + 3; /* behind "  axc fmt " */
        ax_buf_addc(out, ' ');
        ax_help_wrap(out, words.ptr, indent, indent);
    } else {
        ax_buf_addc(out, '\n');
    }
    ax_buf_free(&words);
}

void ax_help_examples(const ax_program *program, const ax_cmd *cmd, ax_buf *out)
{
    for (const char *line = cmd->example; *line;) {
        size_t len = strcspn(line, "\n");
        ax_buf_addf(out, "  %s %.*s\n", program->name, (int)len, line);
        line += len + (line[len] == '\n');
    }
}

/* ---- sections ---- */

static void heading(ax_out *out, const char *text)
{
    ax_out_adds(out, "\n");
    ax_out_styled(out, AX_STYLE_BOLD, ax_str_of(text));
    ax_out_adds(out, "\n");
}

/* "  name            explanation", wrapped. */
static void entry(ax_out *out, ax_str name, const char *text)
{
    ax_buf line = AX_BUF_INIT(HELP_BYTES_MAX);
    ax_buf_adds(&line, "  ");
    ax_buf_add(&line, name);
    size_t at = 2 + ax_utf8_width(name);
    if (at + 2 > OPTION_COLUMN) {
        ax_buf_addc(&line, '\n');
        at = 0;
    }
    ax_help_wrap(&line, text, at, OPTION_COLUMN);
    ax_out_add(out, ax_buf_str(&line));
    ax_buf_free(&line);
}

static void option_entry(ax_out *out, const ax_opt *opt)
{
    ax_buf name = AX_BUF_INIT(1024);
    if (ax_opt_is_operand(opt)) {
        ax_buf_addf(&name, "%s", opt->value);
    } else {
        if (opt->letter) ax_buf_addf(&name, "-%c", opt->letter);
        else ax_buf_adds(&name, "  ");
        if (opt->name) ax_buf_addf(&name, "%s --%s", opt->letter ? "," : " ", opt->name);
        if (opt->value) ax_buf_addf(&name, " %s", opt->value);
    }
    entry(out, ax_buf_str(&name), opt->help);
    ax_buf_free(&name);
}

static void option_entries(ax_out *out, const ax_opt *opts, uint32_t count, bool operands)
{
    for (uint32_t i = 0; i < count; i++) {
        if (ax_opt_is_operand(&opts[i]) == operands) option_entry(out, &opts[i]);
    }
}

static void options_section(ax_out *out, const ax_program *program, const ax_cmd *cmd)
{
    heading(out, "Options");
    if (cmd) option_entries(out, cmd->opts, cmd->opt_count, false);
    option_entries(out, program->opts, program->opt_count, false);
    option_entries(out, ax_opt_builtin, ax_opt_builtin_count, false);
}

static void exits_section(ax_out *out, const ax_cmd *cmd)
{
    heading(out, "Exit codes");
    for (int code = AX_EXIT_OK; code <= AX_EXIT_ENVIRONMENT; code++) {
        const char *meaning = code == AX_EXIT_FAILED && cmd ? cmd->fails : ax_exit_meaning[code];
        char digit = (char)('0' + code);
        if (meaning) entry(out, (ax_str){&digit, 1}, meaning);
    }
}

/* ---- help ---- */

static void show_command(ax_out *out, const ax_program *program, const ax_cmd *cmd)
{
    ax_buf text = AX_BUF_INIT(HELP_BYTES_MAX);
    ax_out_addf(out, "%s %s - %s\n", program->name, cmd->path, cmd->summary);
    heading(out, "Usage");
    ax_buf_adds(&text, "  ");
    ax_help_usage(program, cmd, &text);
    if (cmd->details) {
        ax_buf_addc(&text, '\n');
        ax_help_wrap(&text, cmd->details, 0, 0);
    }
    ax_out_add(out, ax_buf_str(&text));
    ax_buf_free(&text);

    bool has_operands = false;
    for (uint32_t i = 0; i < cmd->opt_count; i++) has_operands |= ax_opt_is_operand(&cmd->opts[i]);
    if (has_operands) {
        heading(out, "Operands");
        option_entries(out, cmd->opts, cmd->opt_count, true);
    }
    options_section(out, program, cmd);
    exits_section(out, cmd);
    heading(out, "Examples");
    text = AX_BUF_INIT(HELP_BYTES_MAX);
    ax_help_examples(program, cmd, &text);
    ax_out_add(out, ax_buf_str(&text));
    ax_buf_free(&text);
}

static void show_program(ax_out *out, const ax_program *program)
{
    ax_out_addf(out, "%s - %s\n", program->name, program->summary);
    heading(out, "Usage");
    ax_out_addf(out, "  %s COMMAND [OPTION]... [OPERAND]...\n", program->name);
    heading(out, "Commands");
    for (uint32_t i = 0; i < program->cmd_count; i++) {
        entry(out, ax_str_of(program->cmds[i]->path), program->cmds[i]->summary);
    }
    options_section(out, program, NULL);
    exits_section(out, NULL);
    ax_out_addf(out, "\n'%s help COMMAND' says all about one command.\n", program->name);
}

void ax_help_show(ax_out *out, const ax_program *program, const ax_cmd *cmd)
{
    if (cmd) show_command(out, program, cmd);
    else show_program(out, program);
}
