/* cmd_diff.c - `axc diff`: what changed in meaning between two versions of workflow files.
 *
 * Each side is a file, a folder, a revision in git, or standard input. All of both sides must compile: half a
 * comparison would look like a whole one.
 */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "compiler/diff/diff.h"
#include "dsl/model/units.h"
#include "tools/axc/axc.h"
#include "tools/axc/git.h"

#define RESULT_BYTES_MAX ((size_t)1 << 30)

typedef enum { FORMAT_BY_NAME, FORMAT_TEXT, FORMAT_JSON, FORMAT_MARKDOWN, FORMAT_SVG } diff_format;

typedef struct {
    int format;  /* diff_format */
    int fail_on; /* place in "never|safe|backfill|breaking" */
    int dark;    /* place in "light|dark" */
    const char *workflow, *after, *output, *before_operand, *after_operand;
} diff_args;

/* What one operand stands for. */
typedef struct {
    ax_git_files files; /* with their texts */
    AX_VEC(ax_unit *) units;
    AX_VEC(ax_diff_input) inputs;
} side;

typedef struct {
    ax_cli *cli;
    const diff_args *args;
    diff_format format;
    int64_t at_ms;
    side sides[2];
    uint32_t broken; /* files with an error */
    ax_diff_set set;
} comparison;

/* ---- options ---- */

static ax_rc read_after(comparison *c, ax_err *err)
{
    const char *text = c->args->after;
    struct timespec now;
    int64_t day;
    if (!text) {
        clock_gettime(CLOCK_REALTIME, &now);
        c->at_ms = (int64_t)now.tv_sec * 1000;
        return AX_OK;
    }
    if (ax_instant_parse(ax_str_of(text), &c->at_ms)) return AX_OK;
    if (ax_date_parse(ax_str_of(text), &day)) {
        c->at_ms = day * AX_DAY_MS - 1;
        return AX_OK;
    }
    ax_cli_misused(c->cli, err, "'--after' takes a date or an instant, not '%s'", text);
    ax_err_help(err, "write 2026-11-30, or 2026-11-30T02:00:00Z");
    return AX_INVALID;
}

/* The format that the output's name ends with; text if it says nothing. */
static diff_format format_of(const diff_args *a)
{
    static const struct {
        const char *suffix;
        diff_format format;
    } suffixes[] = {{".json", FORMAT_JSON}, {".md", FORMAT_MARKDOWN}, {".svg", FORMAT_SVG}};
    const char *dot = a->output ? strrchr(a->output, '.') : NULL;
    if (a->format != FORMAT_BY_NAME) return (diff_format)a->format;
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++) {
        if (strcasecmp(dot, suffixes[i].suffix) == 0) return suffixes[i].format;
    }
    return FORMAT_TEXT;
}

/* ---- reading ---- */

static ax_rc add_file(comparison *c, side *s, const char *path, ax_str name, ax_err *err)
{
    ax_unit *unit = AX_NEW(&c->cli->mem, ax_unit);
    ax_vec_push(&c->cli->mem, &s->units, unit);
    ax_rc rc = ax_unit_read(unit, path, err);
    if (rc) return rc;
    ax_git_file file = {.path = unit->source->path, .name = name, .text = unit->source->text};
    ax_vec_push(&c->cli->mem, &s->files, file);
    return AX_OK;
}

/* A path below a folder, without the folder. */
static ax_str below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    if (strncmp(path, folder, len) == 0) path += len;
    while (*path == '/') path++;
    return ax_str_of(path);
}

static ax_rc read_folder(comparison *c, side *s, const char *folder, ax_err *err)
{
    const ax_strings operand = {.at = &folder, .count = 1};
    ax_files files = {0};
    ax_rc rc = ax_files_find(c->cli, &operand, &files, err);
    if (rc) return rc;
    for (uint32_t i = 0; i < files.paths.len && !rc; i++)
        rc = add_file(c, s, files.paths.at[i], below(files.paths.at[i], folder), err);
    return rc || !files.unreadable ? rc : AX_IO;
}

static ax_rc read_revision(comparison *c, side *s, const char *spec, ax_err *err)
{
    ax_rc rc = ax_git_read(&c->cli->mem, spec, &s->files, err);
    for (uint32_t i = 0; i < s->files.len && !rc; i++) {
        ax_unit *unit = AX_NEW(&c->cli->mem, ax_unit);
        ax_vec_push(&c->cli->mem, &s->units, unit);
        rc = ax_unit_text(unit, s->files.at[i].path, s->files.at[i].text, err);
    }
    return rc;
}

/* A file or folder of that name goes before a revision. */
static ax_rc read_side(comparison *c, side *s, const char *operand, ax_err *err)
{
    struct stat st;
    bool exists = strcmp(operand, "-") == 0 || stat(operand, &st) == 0;
    if (!exists && ax_git_is_spec(operand)) return read_revision(c, s, operand, err);
    if (exists && strcmp(operand, "-") != 0 && S_ISDIR(st.st_mode)) return read_folder(c, s, operand, err);
    return add_file(c, s, operand, (ax_str){0}, err);
}

static void compile_side(comparison *c, side *s)
{
    const char *only = c->args->workflow;
    for (uint32_t i = 0; i < s->units.len; i++) {
        ax_unit *unit = s->units.at[i];
        ax_unit_compile(unit);
        if (unit->diags.errors) {
            ax_unit_show(unit, &c->cli->msg);
            c->broken++;
        }
        for (uint32_t k = 0; k < unit->compiled.plan_count; k++) {
            ax_plan *plan = unit->compiled.plans[k];
            if (only && !ax_str_is(plan->name, only)) continue;
            ax_diff_input input = {.plan = plan, .path = s->files.at[i].name};
            ax_vec_push(&c->cli->mem, &s->inputs, input);
        }
    }
}

static ax_rc load(comparison *c, ax_err *err)
{
    const diff_args *a = c->args;
    if (strcmp(a->before_operand, "-") == 0 && strcmp(a->after_operand, "-") == 0)
        return ax_cli_misused(c->cli, err, "only one side can be standard input");
    ax_rc rc = read_side(c, &c->sides[0], a->before_operand, err);
    if (!rc) rc = read_side(c, &c->sides[1], a->after_operand, err);
    if (rc) return rc;
    compile_side(c, &c->sides[0]);
    compile_side(c, &c->sides[1]);
    if (c->broken) return ax_cli_failed(err);
    if (a->workflow && !c->sides[0].inputs.len && !c->sides[1].inputs.len)
        return ax_fail(err, AX_NOT_FOUND, "neither side has a workflow '%s'", a->workflow);
    return AX_OK;
}

/* ---- comparing ---- */

/* True if the files are the same, byte for byte. */
static bool same_texts(const side *a, const side *b)
{
    if (a->files.len != b->files.len) return false;
    for (uint32_t i = 0; i < a->files.len; i++) {
        bool same_name = ax_str_eq(a->files.at[i].name, b->files.at[i].name);
        if (!same_name || !ax_str_eq(a->files.at[i].text, b->files.at[i].text)) return false;
    }
    return true;
}

static void compare(comparison *c)
{
    const side *a = &c->sides[0], *b = &c->sides[1];
    const ax_diff_inputs before = {a->inputs.at, a->inputs.len}, after = {b->inputs.at, b->inputs.len};
    ax_diff_files(&c->cli->mem, &before, &after, c->at_ms, &c->set);
    if (c->set.verdict == AX_VERDICT_SAME && !same_texts(a, b)) c->set.verdict = AX_VERDICT_COSMETIC;
}

/* ---- the result ---- */

static ax_str name_of(const ax_diff *d)
{
    return d->after ? d->after->name : d->before->name;
}

static ax_rc draw(comparison *c, ax_buf *out, ax_err *err)
{
    const ax_diff_set *set = &c->set;
    if (set->flow_count == 1) return ax_diff_svg(&set->flows[0], c->args->dark, out, err);
    ax_buf names = AX_BUF_INIT(sizeof err->help);
    for (uint32_t i = 0; i < set->flow_count; i++)
        ax_buf_addf(&names, "%s%.*s", i ? ", " : "", AX_STR(name_of(&set->flows[i])));
    ax_rc rc = ax_cli_misused(c->cli, err, "several workflows changed, and a picture shows one");
    ax_err_help(err, "say which one with --workflow: %.*s", AX_STR(ax_buf_str(&names)));
    ax_buf_free(&names);
    return rc;
}

static ax_rc deliver(comparison *c, ax_err *err)
{
    ax_buf text = AX_BUF_INIT(RESULT_BYTES_MAX);
    const char *output = c->args->output;
    bool to_file = output && strcmp(output, "-") != 0;
    ax_rc rc = AX_OK;
    if (c->format == FORMAT_SVG && !c->set.flow_count) {
        ax_out_addf(&c->cli->msg, "%s: no picture\n", ax_verdict_words(c->set.verdict));
        return AX_OK;
    }
    switch (c->format) {
    case FORMAT_BY_NAME:
    case FORMAT_TEXT: ax_diff_text(&c->set, !to_file && c->cli->out.color, &text); break;
    case FORMAT_JSON: ax_diff_json(&c->set, &text); break;
    case FORMAT_MARKDOWN: ax_diff_markdown(&c->set, &text); break;
    case FORMAT_SVG: rc = draw(c, &text, err); break;
    }
    if (!rc && text.full) rc = ax_fail(err, AX_IO, "the result is larger than %zu bytes", text.max);
    if (!rc) rc = ax_result_write(c->cli, output, ax_buf_str(&text), err);
    ax_buf_free(&text);
    return rc;
}

static ax_rc judge(const comparison *c, ax_err *err)
{
    static const ax_verdict limits[] = {AX_VERDICT_COUNT, AX_VERDICT_SAFE, AX_VERDICT_BACKFILL,
                                        AX_VERDICT_BREAKING};
    ax_verdict limit = limits[c->args->fail_on];
    if (c->set.verdict < limit) return AX_OK;
    return ax_fail(err, AX_REFUSED, "the verdict is '%s', and --fail-on says '%s'",
                   ax_verdict_name(c->set.verdict), ax_verdict_name(limit));
}

static ax_rc diff(ax_cli *cli, const void *args, ax_err *err)
{
    comparison c = {.cli = cli, .args = args};
    c.format = format_of(c.args);
    ax_rc rc = read_after(&c, err);
    if (!rc) rc = load(&c, err);
    if (!rc) compare(&c);
    if (!rc) rc = deliver(&c, err);
    if (!rc) rc = judge(&c, err);
    for (int i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < c.sides[i].units.len; k++) ax_unit_free(c.sides[i].units.at[k]);
    }
    return rc;
}

static const ax_opt opts[] = {
    {AX_OPT_CHOICE, 0, "format", offsetof(diff_args, format), false, "auto|text|json|markdown|svg",
     "how to show it; auto: as the name of the output says, else text"},
    {AX_OPT_STR, 'o', "output", offsetof(diff_args, output), false, "OUT",
     "the file to write; default: standard output"},
    {AX_OPT_CHOICE, 0, "fail-on", offsetof(diff_args, fail_on), false, "never|safe|backfill|breaking",
     "fail if the verdict is this or worse"},
    {AX_OPT_STR, 'w', "workflow", offsetof(diff_args, workflow), false, "NAME", "compare only this one"},
    {AX_OPT_STR, 0, "after", offsetof(diff_args, after), false, "TIME",
     "a date or an instant (2026-11-30T02:00:00Z) from which the next instants of a changed schedule are "
     "shown; default: now"},
    {AX_OPT_CHOICE, 0, "theme", offsetof(diff_args, dark), false, "light|dark",
     "for a light or for a dark page; only for a picture"},
    {AX_OPT_STR, 0, NULL, offsetof(diff_args, before_operand), true, "BEFORE",
     "a file, a folder, a revision in git as REV:PATH, or - for standard input"},
    {AX_OPT_STR, 0, NULL, offsetof(diff_args, after_operand), true, "AFTER", "the same"},
};
const ax_cmd ax_cmd_diff = {
    .path = "diff",
    .summary = "say what changed in meaning, and what breaks",
    .details =
        "Compares workflows, not texts: attributes by the values that take effect, nodes also if they were "
        "renamed, edges, parameters, schedules by their instants. Each change has a verdict: cosmetic; safe; "
        "needs a backfill, because results of earlier dates are not what this version would make; breaking, "
        "because somebody who relied on it fails. The worst one is the verdict of all.\n\n"
        "Workflows of two folders are paired by name, wherever their files are. In REV:PATH the path is from "
        "the root of the repository, or with ./ from the working folder.",
    .example = "diff daily.axf new/daily.axf\ndiff main:workflows workflows --fail-on breaking\n"
               "diff HEAD:workflows workflows --format markdown -o review.md\n"
               "diff main:daily.axf daily.axf -o change.svg",
    .fails = "a file has an error, no such revision or workflow, or the verdict is what --fail-on names or "
             "worse",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(diff_args),
    .run = diff,
};
