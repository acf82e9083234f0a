/* cmd_fmt.c - `axc fmt`: brings files into the one layout, or says which are not in it. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dsl/base/file.h"
#include "dsl/base/line_diff.h"
#include "dsl/syntax/fmt.h"
#include "dsl/syntax/parse.h"
#include "tools/axc/axc.h"

#define TEXT_BYTES_MAX ((size_t)1 << 30)

typedef struct {
    bool check, diff;
    ax_strings files;
} fmt_args;

typedef struct {
    ax_cli *cli;
    const fmt_args *args;
    uint32_t changed, broken, unreadable;
} run_state;

/* Replaces the file that a path leads to, also through links. */
static ax_rc rewrite(const char *path, ax_str text, ax_err *err)
{
    char real[PATH_MAX];
    if (!realpath(path, real)) return ax_fail_errno(err, "can't find '%s'", path);
    return ax_file_write(real, text, err);
}

static ax_rc deliver(run_state *s, ax_unit *unit, const char *path, ax_str text, ax_err *err)
{
    ax_out *out = &s->cli->out;
    bool is_stdin = strcmp(path, "-") == 0, same = ax_str_eq(unit->source->text, text);
    bool only_tell = s->args->check || s->args->diff;
    if (is_stdin && !only_tell) ax_out_add(out, text);
    if (same) return AX_OK;
    s->changed++;
    if (s->args->diff) {
        ax_buf diff = AX_BUF_INIT(TEXT_BYTES_MAX);
        ax_line_diff(&unit->mem, path, unit->source->text, text, &diff);
        ax_out_add(out, ax_buf_str(&diff));
        ax_buf_free(&diff);
    }
    if (is_stdin && !only_tell) return AX_OK;
    if (!s->args->diff) ax_out_addf(out, "%s\n", path);
    return only_tell ? AX_OK : rewrite(path, text, err);
}

static ax_rc format_file(run_state *s, ax_unit *unit, const char *path, ax_err *err)
{
    ax_rc rc = ax_unit_read(unit, path, err);
    if (rc) return rc;
    const ax_ast_file *file = ax_parse(&unit->mem, unit->source, &unit->diags);
    ax_diags_sort(&unit->diags);
    if (file->broken || unit->diags.errors) {
        s->broken++;
        ax_unit_show(unit, &s->cli->msg);
        return AX_OK;
    }
    ax_buf text = AX_BUF_INIT(TEXT_BYTES_MAX);
    ax_fmt(file, &unit->mem, &text);
    rc = text.full ? ax_fail(err, AX_IO, "%s is too large to be formatted", path)
                   : deliver(s, unit, path, ax_buf_str(&text), err);
    ax_buf_free(&text);
    return rc;
}

static ax_rc fmt(ax_cli *cli, const void *args, ax_err *err)
{
    run_state s = {.cli = cli, .args = args};
    ax_files files = {0};
    ax_rc rc = ax_files_find(cli, &s.args->files, &files, err);
    if (rc) return rc;
    s.unreadable = files.unreadable;
    for (uint32_t i = 0; i < files.paths.len; i++) {
        ax_unit unit;
        ax_err file_err = {0};
        if (format_file(&s, &unit, files.paths.at[i], &file_err)) {
            ax_cli_show(cli, &file_err);
            s.unreadable++;
        }
        ax_unit_free(&unit);
    }
    if (s.unreadable) return AX_IO;
    return s.broken || (s.args->check && s.changed) ? ax_cli_failed(err) : AX_OK;
}

static const ax_opt opts[] = {
    {AX_OPT_FLAG, 0, "check", offsetof(fmt_args, check), false, NULL,
     "write nothing; name the files that are in another layout, and fail if there is one"},
    {AX_OPT_FLAG, 0, "diff", offsetof(fmt_args, diff), false, NULL, "write nothing; show what would change"},
    {AX_OPT_LIST, 0, NULL, offsetof(fmt_args, files), false, "FILE|DIR",
     "what to format; a folder stands for all *.axf files below it, - for standard input to standard output, "
     "nothing for the working folder"},
};
const ax_cmd ax_cmd_fmt = {
    .path = "fmt",
    .summary = "bring workflow files into the one layout",
    .details = "Rewrites the files in place and names those that changed. Every comment is kept, and what a "
               "file means "
               "never changes. A file with a syntax error is left as it is.",
    .example = "fmt\nfmt --check workflows\nfmt --diff daily.axf\nfmt - <daily.axf",
    .fails = "a file has a syntax error (with --check: or is in another layout)",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(fmt_args),
    .run = fmt,
};
