/* cmd_explain.c - `axc explain`: the page of a diagnostic, built in from docs/errors. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dsl/base/diag.h"
#include "dsl/base/embed.h"
#include "dsl/base/nearest.h"
#include "tools/axc/axc.h"

typedef struct {
    const char *code;
} explain_args;

static const char *page_of(ax_diag_code code)
{
    char name[32];
    snprintf(name, sizeof name, "%s.md", ax_diag_name(code));
    return ax_embed_text(&ax_embed_errors, name);
}

/* The code of that name or slug, letters in any case; AX_DIAG_COUNT if there is none. */
static ax_diag_code find_code(const char *word)
{
    for (int i = 0; i < AX_DIAG_COUNT; i++) {
        ax_diag_code code = (ax_diag_code)i;
        if (strcasecmp(word, ax_diag_name(code)) == 0 || strcasecmp(word, ax_diag_slug(code)) == 0)
            return code;
    }
    return AX_DIAG_COUNT;
}

static void list_codes(ax_out *out)
{
    for (int i = 0; i < AX_DIAG_COUNT; i++) {
        ax_diag_code code = (ax_diag_code)i;
        bool is_error = ax_diag_severity(code) == AX_ERROR;
        ax_out_styled(out, is_error ? AX_STYLE_RED : AX_STYLE_YELLOW, ax_str_of(ax_diag_name(code)));
        ax_out_addf(out, "  %s\n", ax_diag_slug(code));
    }
}

/* ---- a page on a terminal ---- */

/* Text with `code` and **strong** parts. */
static void show_inline(ax_out *out, ax_str line)
{
    while (line.len) {
        const char *tick = memchr(line.ptr, '`', line.len);
        size_t before = tick ? (size_t)(tick - line.ptr) : line.len;
        const char *end = tick ? memchr(tick + 1, '`', line.len - before - 1) : NULL;
        if (!end) {
            ax_out_add(out, line);
            return;
        }
        size_t after = (size_t)(end - line.ptr);
        ax_out_add(out, ax_str_slice(line, 0, before));
        ax_out_styled(out, AX_STYLE_CYAN, ax_str_slice(line, before + 1, after));
        line = ax_str_slice(line, after + 1, line.len);
    }
}

static void show_line(ax_out *out, ax_str line, bool *in_code)
{
    bool is_fence = ax_str_starts(line, AX_LIT("```"));
    if (is_fence) {
        *in_code = !*in_code;
        return;
    }
    if (*in_code) {
        ax_out_adds(out, "    ");
        ax_out_styled(out, AX_STYLE_GREEN, line);
    } else if (line.len && line.ptr[0] == '#') {
        while (line.len && (line.ptr[0] == '#' || line.ptr[0] == ' ')) line = ax_str_slice(line, 1, line.len);
        ax_out_styled(out, AX_STYLE_BOLD, line);
    } else {
        show_inline(out, line);
    }
    ax_out_adds(out, "\n");
}

static void show_page(ax_out *out, const char *page)
{
    bool in_code = false;
    if (!out->color) {
        ax_out_adds(out, page);
        return;
    }
    while (*page) {
        size_t len = strcspn(page, "\n");
        show_line(out, (ax_str){page, len}, &in_code);
        page += len + (page[len] == '\n');
    }
}

/* Codes are compared in upper case, as they are written. */
static ax_rc unknown_code(const char *word, ax_err *err)
{
    char upper[32];
    size_t len = 0;
    for (; word[len] && len + 1 < sizeof upper; len++) upper[len] = (char)toupper((unsigned char)word[len]);
    ax_nearest code = ax_nearest_start((ax_str){upper, len}), slug = ax_nearest_start(ax_str_of(word));
    for (int i = 0; i < AX_DIAG_COUNT; i++) {
        ax_nearest_offer(&code, ax_str_of(ax_diag_name((ax_diag_code)i)));
        ax_nearest_offer(&slug, ax_str_of(ax_diag_slug((ax_diag_code)i)));
    }
    ax_str near = slug.best.len ? slug.best : code.best;
    ax_rc rc = ax_fail(err, AX_NOT_FOUND, "there is no diagnostic '%s'", word);
    if (near.len) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near));
    else ax_err_help(err, "'axc explain' lists all");
    return rc;
}

static ax_rc explain(ax_cli *cli, const void *args, ax_err *err)
{
    const explain_args *a = args;
    if (!a->code) {
        list_codes(&cli->out);
        return AX_OK;
    }
    ax_diag_code code = find_code(a->code);
    if (code == AX_DIAG_COUNT) return unknown_code(a->code, err);
    const char *page = page_of(code);
    if (!page) return ax_fail(err, AX_NOT_FOUND, "'%s' has no page", ax_diag_name(code));
    show_page(&cli->out, page);
    return AX_OK;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 0, NULL, offsetof(explain_args, code), false, "CODE",
     "a code (E0203) or its name (unknown-attribute); nothing: list all"},
};
const ax_cmd ax_cmd_explain = {
    .path = "explain",
    .summary = "explain the code of an error or a warning",
    .details = "Each page says what the diagnostic means and shows a wrong and a right example.",
    .example = "explain E0203\nexplain unknown-attribute\nexplain",
    .fails = "there is no such code",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(explain_args),
    .run = explain,
};
