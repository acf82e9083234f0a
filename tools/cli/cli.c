/* cli.c - one call of a program: finds the command, reads its options, runs it, shows what went wrong, and
 * says so with the exit code.
 */
#include "tools/cli/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dsl/base/assert.h"
#include "dsl/base/nearest.h"
#include "tools/cli/cli_int.h"
#include "tools/cli/opt_int.h"

#define PATH_WORDS_MAX 3 /* of a command */

/* ---- finding the command ---- */

const ax_cmd *ax_program_find(const ax_program *program, ax_str path)
{
    for (uint32_t i = 0; i < program->cmd_count; i++) {
        if (ax_str_is(path, program->cmds[i]->path)) return program->cmds[i];
    }
    return NULL;
}

ax_rc ax_cli_unknown(ax_cli *cli, ax_str path, ax_err *err)
{
    const ax_program *p = cli->program;
    ax_nearest near = ax_nearest_start(path);
    ax_buf below = AX_BUF_INIT(4096); /* "ax node" alone: the commands that begin so */
    for (uint32_t i = 0; i < p->cmd_count; i++) {
        ax_str known = ax_str_of(p->cmds[i]->path);
        ax_nearest_offer(&near, known);
        bool begins = ax_str_starts(known, path) && known.len > path.len && known.ptr[path.len] == ' ';
        if (begins) ax_buf_addf(&below, "%s'%s %s'", below.len ? ", " : "", p->name, known.ptr);
    }
    ax_rc rc;
    if (below.len) {
        rc = ax_cli_misused(cli, err, "'%s %.*s' is not a whole command", p->name, AX_STR(path));
        ax_err_help(err, "it goes on: %.*s", AX_STR(ax_buf_str(&below)));
    } else {
        rc = ax_cli_misused(cli, err, "there is no command '%.*s'", AX_STR(path));
        if (near.best.len) ax_err_help(err, "did you mean '%s %.*s'?", p->name, AX_STR(near.best));
    }
    ax_buf_free(&below);
    return rc;
}

/* True if word is the first one of a longer path. */
static bool begins_path(const ax_program *program, const char *word)
{
    size_t len = strlen(word);
    for (uint32_t i = 0; i < program->cmd_count; i++) {
        const char *path = program->cmds[i]->path;
        if (strncmp(path, word, len) == 0 && path[len] == ' ') return true;
    }
    return false;
}

/* Names what the user may have meant as the command: one word, or two if the first begins a longer path. */
static ax_rc unknown_words(ax_cli *cli, const ax_opt_reader *r, ax_err *err)
{
    const char *first = r->argv[r->at], *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : NULL;
    bool two = next && next[0] != '-' && begins_path(cli->program, first);
    return ax_cli_unknown(cli, two ? ax_str_fmt(r->mem, "%s %s", first, next) : ax_str_of(first), err);
}

/* Takes the words of the longest path that fits. */
static ax_rc find_command(ax_cli *cli, ax_opt_reader *r, ax_err *err)
{
    ax_buf path = AX_BUF_INIT(256);
    int taken = 0;
    for (int words = 1; words <= PATH_WORDS_MAX && r->at + words <= r->argc; words++) {
        ax_buf_addf(&path, "%s%s", words > 1 ? " " : "", r->argv[r->at + words - 1]);
        const ax_cmd *cmd = path.full ? NULL : ax_program_find(cli->program, ax_buf_str(&path));
        if (!cmd) continue;
        cli->cmd = cmd;
        taken = words;
    }
    ax_buf_free(&path);
    if (!taken) return unknown_words(cli, r, err);
    r->at += taken;
    return AX_OK;
}

/* ---- reading the command line ---- */

enum { SET_BUILTIN, SET_PROGRAM, SET_COMMAND, SET_COUNT };

static void *target_new(ax_arena *mem, size_t size)
{
    return ax_arena_alloc(mem, size ? size : 1);
}

static ax_rc read_words(ax_cli *cli, ax_opt_reader *r, ax_err *err)
{
    bool options_ended = false;
    while (r->at < r->argc) {
        const char *word = r->argv[r->at];
        ax_rc rc;
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
            r->at++;
            continue;
        }
        if (!options_ended && word[0] == '-' && word[1]) {
            rc = ax_opt_read(r, err);
        } else if (cli->cmd) {
            r->at++;
            rc = ax_opt_operand(r->mem, &r->sets[SET_COMMAND], word, err);
        } else {
            rc = find_command(cli, r, err);
            if (rc) return rc;
            ax_opt_set *set = &r->sets[SET_COMMAND];
            AX_ASSERT(cli->cmd->opt_count <= AX_OPTS_MAX);
            *set = (ax_opt_set){.rows = cli->cmd->opts, .count = cli->cmd->opt_count};
            cli->args = set->target = target_new(r->mem, cli->cmd->args_size);
            r->set_count = SET_COUNT;
        }
        if (rc) return rc;
    }
    return AX_OK;
}

ax_rc ax_cli_parse(ax_cli *cli, int argc, char **argv, ax_err *err)
{
    const ax_program *p = cli->program;
    ax_opt_builtin_args builtin = {0};
    ax_opt_set sets[SET_COUNT] = {
        [SET_BUILTIN] = {.rows = ax_opt_builtin, .count = ax_opt_builtin_count, .target = &builtin},
        [SET_PROGRAM] = {.rows = p->opts,
                         .count = p->opt_count,
                         .target = target_new(&cli->mem, p->args_size)},
    };
    ax_opt_reader reader = {.argv = argv,
                            .argc = argc,
                            .at = argc ? 1 : 0,
                            .mem = &cli->mem,
                            .sets = sets,
                            .set_count = SET_COMMAND};
    cli->globals = sets[SET_PROGRAM].target;

    ax_rc rc = read_words(cli, &reader, err);
    cli->help = builtin.help;
    cli->version = builtin.version;
    ax_out_set_color(&cli->out, (ax_color)builtin.color);
    ax_out_set_color(&cli->msg, (ax_color)builtin.color);
    if (cli->help || cli->version) return AX_OK;
    if (!rc && !cli->cmd) rc = ax_fail(err, AX_INVALID, "a command is missing");
    if (!rc) rc = ax_opt_complete(&cli->mem, &sets[SET_PROGRAM], err);
    if (!rc) rc = ax_opt_complete(&cli->mem, &sets[SET_COMMAND], err);
    cli->misused = rc != AX_OK;
    return rc;
}

ax_rc ax_cli_misused(ax_cli *cli, ax_err *err, const char *fmt, ...)
{
    char text[sizeof err->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    cli->misused = true;
    return ax_fail(err, AX_INVALID, "%s", text);
}

ax_rc ax_cli_failed(ax_err *err)
{
    *err = (ax_err){0};
    return AX_INVALID;
}

/* ---- running ---- */

static ax_rc run(ax_cli *cli, int argc, char **argv, ax_err *err)
{
    const ax_program *p = cli->program;
    ax_rc rc = ax_cli_parse(cli, argc, argv, err);
    if (rc) return rc;
    if (cli->version) {
        ax_out_addf(&cli->out, "%s %s\n", p->name, p->version);
        return AX_OK;
    }
    if (cli->help) {
        ax_help_show(&cli->out, p, cli->cmd);
        return AX_OK;
    }
    rc = p->open ? p->open(cli, cli->cmd->needs, err) : AX_OK;
    if (!rc) rc = cli->cmd->run(cli, cli->args, err);
    if (p->close) p->close(cli);
    return rc;
}

void ax_cli_show(ax_cli *cli, const ax_err *err)
{
    ax_out *msg = &cli->msg;
    if (err->text[0]) {
        ax_out_styled(msg, AX_STYLE_RED, ax_str_of(cli->program->name));
        ax_out_styled(msg, AX_STYLE_RED, AX_LIT(": "));
        ax_out_safe(msg, ax_str_of(err->text));
        ax_out_adds(msg, "\n");
    }
    if (err->help[0]) {
        ax_out_styled(msg, AX_STYLE_CYAN, AX_LIT("help: "));
        ax_out_safe(msg, ax_str_of(err->help));
        ax_out_adds(msg, "\n");
    }
}

static void show_error(ax_cli *cli, const ax_err *err)
{
    ax_cli_show(cli, err);
    if (!cli->misused) return;
    const char *space = cli->cmd ? " " : "", *path = cli->cmd ? cli->cmd->path : "";
    ax_out_addf(&cli->msg, "Try '%s%s%s --help'.\n", cli->program->name, space, path);
}

static ax_exit exit_code(const ax_cli *cli, ax_rc rc)
{
    if (rc == AX_OK) return AX_EXIT_OK;
    if (cli->misused) return AX_EXIT_USAGE;
    return rc == AX_IO || rc == AX_BUSY ? AX_EXIT_ENVIRONMENT : AX_EXIT_FAILED;
}

/* A closed standard stream must not become the next file that is opened. Its place is held by something
 * that can't be read or written as that stream would be, so that using it is an error and not an accident. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
        int held = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        AX_ASSERT(held == fd || held < 0);
    }
}

int ax_cli_main(const ax_program *program, int argc, char **argv)
{
    hold_standard_streams();
    /* A reader that goes away is an error of write(), not the end of the process. */
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);

    ax_cli cli = {.program = program, .mem = AX_ARENA_INIT};
    ax_out_init(&cli.out, STDOUT_FILENO, AX_COLOR_AUTO);
    ax_out_init(&cli.msg, STDERR_FILENO, AX_COLOR_AUTO);

    ax_err err = {0}, flush_err = {0};
    ax_rc rc = run(&cli, argc, argv, &err);
    ax_out_flush(&cli.msg, NULL); /* on a terminal, what was said on the way stands before the results */
    ax_rc flush_rc = ax_out_flush(&cli.out, &flush_err);
    if (rc) show_error(&cli, &err);
    bool told = rc && strcmp(err.text, flush_err.text) == 0;
    if (flush_rc && !told) show_error(&cli, &flush_err);
    ax_exit code = flush_rc ? AX_EXIT_ENVIRONMENT : exit_code(&cli, rc);
    ax_out_flush(&cli.msg, NULL);

    ax_out_free(&cli.out);
    ax_out_free(&cli.msg);
    ax_arena_free(&cli.mem);
    return (int)code;
}
