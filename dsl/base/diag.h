/* diag.h - diagnostics as records: a permanent code, a place, a message, notes, help.
 *
 * Everything that can be found is reported; nothing below a command prints. Messages are lower case without a
 * full stop, with the user's words in quotes: the fact in the message, the cause in notes, advice in help. A
 * code belongs to one row of diag.def for ever; its page is docs/errors/CODE.md.
 */
#ifndef AX_BASE_DIAG_H
#define AX_BASE_DIAG_H

#include <stdbool.h>

#include "dsl/base/source.h"

typedef enum { AX_ERROR, AX_WARNING } ax_severity;

typedef enum {
#define AX_DIAG(code, severity, slug) AX_##code,
#include "dsl/base/diag.def"
#undef AX_DIAG
    AX_DIAG_COUNT
} ax_diag_code;

#define AX_DIAG_NOTES_MAX 8    /* notes of one diagnostic; more are dropped (a cycle says how many) */
#define AX_DIAGS_SHOWN_MAX 100 /* errors kept, and warnings kept; later ones are only counted */

typedef struct {
    ax_span span; /* nowhere: a note without a place */
    ax_str text;
} ax_diag_note_row;

typedef struct {
    ax_diag_code code;
    ax_span span;
    ax_str text;
    ax_diag_note_row notes[AX_DIAG_NOTES_MAX];
    uint32_t note_count;
    ax_str help;  /* empty: none */
    ax_span edit; /* what `replacement` replaces, for an editor; nowhere: no edit */
    ax_str replacement;
} ax_diag;

typedef struct {
    ax_arena *mem;
    ax_sources *sources;
    AX_VEC(ax_diag *) list;
    uint32_t errors, warnings; /* all that were added, also those not kept; sorting takes repetitions off */
    ax_diag scratch;           /* takes what is only counted */
} ax_diags;

/* An empty collection; records live in mem. */
ax_diags ax_diags_new(ax_arena *mem, ax_sources *sources);
/* Adds one; never NULL (past the limit it is a scratch record that only counts). */
ax_diag *ax_diag_add(ax_diags *diags, ax_diag_code code, ax_span span, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note with its own place. */
void ax_diag_note(ax_diags *diags, ax_diag *d, ax_span span, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Sets the advice. */
void ax_diag_help(ax_diags *diags, ax_diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Sets the advice to "did you mean '…'?" with an edit that replaces span; nothing if nearest is empty. */
void ax_diag_did_you_mean(ax_diags *diags, ax_diag *d, ax_span span, ax_str nearest);
/* Sorts by place and drops repetitions of the same code at the same span. */
void ax_diags_sort(ax_diags *diags);

/* "E0203", "unknown-attribute", AX_ERROR; valid for every code. */
const char *ax_diag_name(ax_diag_code code);
const char *ax_diag_slug(ax_diag_code code);
ax_severity ax_diag_severity(ax_diag_code code);

#endif
