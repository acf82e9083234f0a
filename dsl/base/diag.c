/* diag.c - collecting diagnostics.
 *
 * Errors and warnings have a limit each, so that a flood of warnings hides no error.
 */
#include "dsl/base/diag.h"

#include <stdarg.h>
#include <stdlib.h>

#include "dsl/base/assert.h"

typedef struct {
    const char *name, *slug;
    ax_severity severity;
} diag_row;

static const diag_row rows[AX_DIAG_COUNT] = {
#define AX_DIAG(code, severity, slug) [AX_##code] = {#code, slug, severity},
#include "dsl/base/diag.def"
#undef AX_DIAG
};

ax_diags ax_diags_new(ax_arena *mem, ax_sources *sources)
{
    return (ax_diags){.mem = mem, .sources = sources};
}

ax_diag *ax_diag_add(ax_diags *diags, ax_diag_code code, ax_span span, const char *fmt, ...)
{
    uint32_t *count = ax_diag_severity(code) == AX_ERROR ? &diags->errors : &diags->warnings;
    if ((*count)++ >= AX_DIAGS_SHOWN_MAX) {
        diags->scratch = (ax_diag){.code = code, .span = span};
        return &diags->scratch;
    }
    ax_diag *d = AX_NEW(diags->mem, ax_diag);
    d->code = code;
    d->span = span;
    va_list args;
    va_start(args, fmt);
    d->text = ax_str_vfmt(diags->mem, fmt, args);
    va_end(args);
    ax_vec_push(diags->mem, &diags->list, d);
    return d;
}

void ax_diag_note(ax_diags *diags, ax_diag *d, ax_span span, const char *fmt, ...)
{
    if (d == &diags->scratch || d->note_count == AX_DIAG_NOTES_MAX) return;
    va_list args;
    va_start(args, fmt);
    d->notes[d->note_count++] = (ax_diag_note_row){span, ax_str_vfmt(diags->mem, fmt, args)};
    va_end(args);
}

void ax_diag_help(ax_diags *diags, ax_diag *d, const char *fmt, ...)
{
    if (d == &diags->scratch) return;
    va_list args;
    va_start(args, fmt);
    d->help = ax_str_vfmt(diags->mem, fmt, args);
    va_end(args);
}

void ax_diag_did_you_mean(ax_diags *diags, ax_diag *d, ax_span span, ax_str nearest)
{
    if (nearest.len == 0) return;
    ax_diag_help(diags, d, "did you mean '%.*s'?", AX_STR(nearest));
    d->edit = span;
    d->replacement = nearest;
}

/* By place, then code, then text: an order that does not depend on who reported first. */
static int compare(const void *left, const void *right)
{
    const ax_diag *a = *(ax_diag *const *)left, *b = *(ax_diag *const *)right;
    if (a->span.beg != b->span.beg) return a->span.beg < b->span.beg ? -1 : 1;
    if (a->span.end != b->span.end) return a->span.end < b->span.end ? -1 : 1;
    if (a->code != b->code) return a->code < b->code ? -1 : 1;
    return ax_str_cmp(a->text, b->text);
}

static bool is_repetition(const ax_diag *a, const ax_diag *b)
{
    return a->code == b->code && a->span.beg == b->span.beg && a->span.end == b->span.end;
}

void ax_diags_sort(ax_diags *diags)
{
    if (diags->list.len == 0) return;
    qsort(diags->list.at, diags->list.len, sizeof *diags->list.at, compare);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < diags->list.len; i++) {
        ax_diag *d = diags->list.at[i];
        if (!is_repetition(diags->list.at[kept - 1], d)) diags->list.at[kept++] = d;
        else if (ax_diag_severity(d->code) == AX_ERROR) diags->errors--;
        else diags->warnings--;
    }
    diags->list.len = kept;
}

static const diag_row *row(ax_diag_code code)
{
    AX_ASSERT(code < AX_DIAG_COUNT);
    return &rows[code];
}

const char *ax_diag_name(ax_diag_code code)
{
    return row(code)->name;
}

const char *ax_diag_slug(ax_diag_code code)
{
    return row(code)->slug;
}

ax_severity ax_diag_severity(ax_diag_code code)
{
    return row(code)->severity;
}
