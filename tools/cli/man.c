/* man.c - a program's manual page and its completion script, from the same rows as its help. */
#include <string.h>

#include "tools/cli/cli_int.h"
#include "tools/cli/opt_int.h"

/* ---- manual page ---- */

/* Text for troff: no line begins with a control character, backslashes and hyphens are themselves. */
static void roff(ax_buf *out, const char *text)
{
    if (*text == '.' || *text == '\'') ax_buf_adds(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\') ax_buf_adds(out, "\\e");
        else if (*text == '-') ax_buf_adds(out, "\\-");
        else ax_buf_addc(out, *text);
    }
}

/* Paragraphs, an empty line between them. */
static void roff_text(ax_buf *out, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        char line[1024];
        size_t kept = len < sizeof line ? len : sizeof line - 1;
        memcpy(line, text, kept);
        line[kept] = 0;
        if (len) {
            roff(out, line);
            ax_buf_addc(out, '\n');
        } else {
            ax_buf_adds(out, ".PP\n");
        }
        text += len + (text[len] == '\n');
    }
}

static void roff_options(ax_buf *out, const ax_opt *opts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const ax_opt *o = &opts[i];
        ax_buf_adds(out, ".TP\n");
        if (ax_opt_is_operand(o)) {
            ax_buf_addf(out, ".I %s\n", o->value);
        } else {
            ax_buf_adds(out, ".B ");
            if (o->letter) ax_buf_addf(out, "\\-%c", o->letter);
            if (o->letter && o->name) ax_buf_adds(out, ", ");
            if (o->name) {
                ax_buf_adds(out, "\\-\\-");
                roff(out, o->name);
            }
            if (o->value) ax_buf_addf(out, "\\fR \\fI%s\\fR", o->value);
            ax_buf_addc(out, '\n');
        }
        roff_text(out, o->help);
        ax_buf_addc(out, '\n');
    }
}

static void roff_command(const ax_program *program, const ax_cmd *cmd, ax_buf *out)
{
    ax_buf usage = AX_BUF_INIT(AX_OPTS_MAX * 1024);
    ax_help_usage(program, cmd, &usage);
    ax_buf_addf(out, ".SS %s %s\n", program->name, cmd->path);
    roff_text(out, cmd->summary);
    ax_buf_adds(out, "\n.PP\n.nf\n");
    roff_text(out, usage.ptr);
    ax_buf_adds(out, ".fi\n");
    ax_buf_free(&usage);
    if (cmd->details) {
        ax_buf_adds(out, ".PP\n");
        roff_text(out, cmd->details);
        ax_buf_addc(out, '\n');
    }
    roff_options(out, cmd->opts, cmd->opt_count);
    if (cmd->fails) {
        ax_buf_adds(out, ".PP\nEnds with code 1 if ");
        roff(out, cmd->fails);
        ax_buf_adds(out, ".\n");
    }
    ax_buf example = AX_BUF_INIT(64 << 10);
    ax_help_examples(program, cmd, &example);
    ax_buf_adds(out, ".PP\nExamples:\n.PP\n.nf\n.RS\n");
    roff_text(out, example.ptr);
    ax_buf_adds(out, ".RE\n.fi\n");
    ax_buf_free(&example);
}

void ax_help_man(const ax_program *program, ax_buf *out)
{
    ax_buf_addf(out, ".TH %s 1 \"\" \"%s %s\"\n.SH NAME\n%s \\- ", program->name, program->name,
                program->version, program->name);
    roff(out, program->summary);
    ax_buf_addf(out, "\n.SH SYNOPSIS\n.B %s\n.I COMMAND\n[OPTION]... [OPERAND]...\n.SH COMMANDS\n",
                program->name);
    for (uint32_t i = 0; i < program->cmd_count; i++) roff_command(program, program->cmds[i], out);
    ax_buf_adds(out, ".SH OPTIONS\nEvery command takes these.\n");
    roff_options(out, program->opts, program->opt_count);
    roff_options(out, ax_opt_builtin, ax_opt_builtin_count);
    ax_buf_adds(out, ".SH EXIT STATUS\n");
    for (int code = AX_EXIT_OK; code <= AX_EXIT_ENVIRONMENT; code++) {
        ax_buf_addf(out, ".TP\n.B %d\n%s\n", code, ax_exit_meaning[code]);
    }
}

/* ---- completion ---- */

static void bash_options(ax_buf *out, const ax_opt *opts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (opts[i].name) ax_buf_addf(out, " --%s", opts[i].name);
    }
}

/* Words that may follow a choice option: "--color) words='auto always never' ;;". */
static void bash_choices(ax_buf *out, const ax_opt *opts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (opts[i].kind != AX_OPT_CHOICE) continue;
        ax_buf_addf(out, "    --%s) words='", opts[i].name);
        for (const char *c = opts[i].value; *c; c++) ax_buf_addc(out, *c == '|' ? ' ' : *c);
        ax_buf_adds(out, "' ;;\n");
    }
}

static void bash_command(const ax_program *program, const ax_cmd *cmd, ax_buf *out)
{
    ax_buf_addf(out, "        *:-*:'%s '*) words='", cmd->path);
    bash_options(out, cmd->opts, cmd->opt_count);
    bash_options(out, program->opts, program->opt_count);
    bash_options(out, ax_opt_builtin, ax_opt_builtin_count);
    ax_buf_adds(out, "' ;;\n");
}

void ax_help_bash(const ax_program *program, ax_buf *out)
{
    const char *name = program->name;
    ax_buf_addf(out, "# Completion of %s for bash.\n_%s_complete()\n{\n", name, name);
    ax_buf_adds(out, "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
                     "    case $before in\n");
    for (uint32_t i = 0; i < program->cmd_count; i++) {
        bash_choices(out, program->cmds[i]->opts, program->cmds[i]->opt_count);
    }
    bash_choices(out, ax_opt_builtin, ax_opt_builtin_count);
    ax_buf_adds(out,
                "    *)\n        case \"$COMP_CWORD:$word:${COMP_WORDS[*]:1} \" in\n        1:*) words='");
    for (uint32_t i = 0; i < program->cmd_count; i++) {
        ax_buf_addf(out, "%s%s", i ? " " : "", program->cmds[i]->path);
    }
    ax_buf_adds(out, "' ;;\n");
    for (uint32_t i = 0; i < program->cmd_count; i++) bash_command(program, program->cmds[i], out);
    ax_buf_addf(out,
                "        esac ;;\n    esac\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
                "complete -o default -F _%s_complete %s\n",
                name, name);
}
