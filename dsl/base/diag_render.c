/* diag_render.c - the one place where diagnostics become text.
 *
 *   main.axf:3:5: error[E0203]: a task has no attribute 'timout'
 *       3 |     timout = 5m
 *         |     ^^^^^^
 *   main.axf:2:3: note: in this task
 *       2 |   task a {
 *         |   ^^^^^^
 *         = help: did you mean 'timeout'?
 *
 * The caret line repeats the tabs of the source line and counts the columns that a terminal uses, so it is
 * under the span whatever stands before it. Source text is untrusted: what could drive a terminal is shown as
 * U+FFFD.
 */
#include "dsl/base/diag_render.h"

#include "dsl/base/json_out.h"
#include "dsl/base/utf8.h"

enum {
    LINE_SHOWN_MAX = 100, /* code points of a source line that are shown */
    CARET_FROM_MAX = 60,  /* code points that are shown before the caret in a longer line */
};

typedef enum { BOLD, RED, YELLOW, CYAN, GREEN, PLAIN } style;

typedef struct {
    ax_diags *diags;
    ax_buf *out;
    bool color;
} renderer;

static void paint(const renderer *r, style s)
{
    static const char *const codes[] = {
        [BOLD] = "\033[1m",    [RED] = "\033[1;31m",   [YELLOW] = "\033[1;33m",
        [CYAN] = "\033[1;36m", [GREEN] = "\033[1;32m", [PLAIN] = "\033[0m",
    };
    if (r->color) ax_buf_adds(r->out, codes[s]);
}

/* True for what must not reach a terminal: control characters and those that reorder text. */
static bool is_unsafe(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || (cp >= 0x202A && cp <= 0x202E) ||
           (cp >= 0x2066 && cp <= 0x2069);
}

/* What is shown for the code point or stray byte at *at, which moves on. */
static ax_str next_glyph(ax_str text, size_t *at)
{
    uint32_t cp = 0;
    size_t len = ax_utf8_decode(text, *at, &cp);
    ax_str glyph = ax_str_slice(text, *at, *at + len);
    *at += len ? len : 1;
    if (len == 0 || (is_unsafe(cp) && cp != '\t')) return AX_LIT("\xEF\xBF\xBD");
    return glyph;
}

static void add_text(const renderer *r, ax_str text)
{
    for (size_t at = 0; at < text.len;) ax_buf_add(r->out, next_glyph(text, &at));
}

/* Moves `at` by up to `count` code points to the left or right within text. */
static size_t step_back(ax_str text, size_t at, size_t count)
{
    while (count-- && at > 0) {
        at--;
        while (at > 0 && ((unsigned char)text.ptr[at] & 0xC0) == 0x80) at--;
    }
    return at;
}

static size_t step_on(ax_str text, size_t at, size_t count)
{
    while (count-- && at < text.len) next_glyph(text, &at);
    return at;
}

/* The part of a line that is shown: all of it, or LINE_SHOWN_MAX code points around the caret. */
static void choose_window(ax_str line, size_t caret, size_t *beg, size_t *end)
{
    *beg = step_back(line, caret, CARET_FROM_MAX);
    *end = step_on(line, *beg, LINE_SHOWN_MAX);
    if (*end == line.len) {
        size_t from = step_back(line, *end, LINE_SHOWN_MAX);
        if (from < *beg) *beg = from;
    }
}

/* Spaces as wide as text, with its tabs kept. */
static void add_blank(const renderer *r, ax_str text)
{
    for (size_t at = 0; at < text.len;) {
        ax_str glyph = next_glyph(text, &at);
        if (ax_str_is(glyph, "\t")) {
            ax_buf_addc(r->out, '\t');
            continue;
        }
        for (size_t w = ax_utf8_width(glyph); w > 0; w--) ax_buf_addc(r->out, ' ');
    }
}

/* Carets as wide as text; at least one. */
static void add_carets(const renderer *r, ax_str text)
{
    size_t width = 0;
    for (size_t at = 0; at < text.len;) width += ax_utf8_width(next_glyph(text, &at));
    for (size_t i = 0; i < (width ? width : 1); i++) ax_buf_addc(r->out, '^');
}

/* The source line of a span and the carets under it. A span of several lines is marked on its first. */
static void add_snippet(const renderer *r, ax_span span, const ax_pos *pos)
{
    ax_str line = pos->line_text;
    const char *place = pos->source->text.ptr + (span.beg - pos->source->base);
    size_t from = place > line.ptr ? (size_t)(place - line.ptr) : 0;
    if (from > line.len) from = line.len;
    size_t to = span.end > span.beg ? from + (span.end - span.beg) : from;
    size_t beg, end;
    choose_window(line, from, &beg, &end);
    if (to > end) to = end;

    const char *head = beg > 0 ? "…" : "";
    ax_buf_addf(r->out, "%5u | %s", pos->line, head);
    add_text(r, ax_str_slice(line, beg, end));
    ax_buf_adds(r->out, end < line.len ? "…\n" : "\n");

    ax_buf_addf(r->out, "%5s | %s", "", *head ? " " : "");
    add_blank(r, ax_str_slice(line, beg, from));
    paint(r, GREEN);
    add_carets(r, ax_str_slice(line, from, to));
    paint(r, PLAIN);
    ax_buf_addc(r->out, '\n');
}

static void add_place(const renderer *r, const ax_pos *pos)
{
    if (!pos->source) return;
    paint(r, BOLD);
    add_text(r, pos->source->path);
    ax_buf_addf(r->out, ":%u:%u: ", pos->line, pos->column);
    paint(r, PLAIN);
}

static void add_note(const renderer *r, const ax_diag_note_row *note)
{
    ax_pos pos = ax_sources_pos(r->diags->sources, note->span.beg);
    if (!pos.source) ax_buf_adds(r->out, "      = ");
    add_place(r, &pos);
    paint(r, CYAN);
    ax_buf_adds(r->out, "note: ");
    paint(r, PLAIN);
    add_text(r, note->text);
    ax_buf_addc(r->out, '\n');
    if (pos.source) add_snippet(r, note->span, &pos);
}

static void add_diag(const renderer *r, const ax_diag *d)
{
    bool is_error = ax_diag_severity(d->code) == AX_ERROR;
    ax_pos pos = ax_sources_pos(r->diags->sources, d->span.beg);
    add_place(r, &pos);
    paint(r, is_error ? RED : YELLOW);
    ax_buf_addf(r->out, "%s[%s]: ", is_error ? "error" : "warning", ax_diag_name(d->code));
    paint(r, PLAIN);
    paint(r, BOLD);
    add_text(r, d->text);
    paint(r, PLAIN);
    ax_buf_addc(r->out, '\n');
    if (pos.source) add_snippet(r, d->span, &pos);

    for (uint32_t i = 0; i < d->note_count; i++) add_note(r, &d->notes[i]);
    if (d->help.len == 0) return;
    ax_buf_adds(r->out, "      = ");
    paint(r, CYAN);
    ax_buf_adds(r->out, "help: ");
    paint(r, PLAIN);
    add_text(r, d->help);
    ax_buf_addc(r->out, '\n');
}

void ax_diags_text(ax_diags *diags, bool color, ax_buf *out)
{
    renderer r = {diags, out, color};
    for (uint32_t i = 0; i < diags->list.len; i++) {
        if (i > 0) ax_buf_addc(out, '\n');
        add_diag(&r, diags->list.at[i]);
    }
    uint32_t hidden = diags->errors + diags->warnings - diags->list.len;
    if (hidden) ax_buf_addf(out, "\n%u more are not shown\n", hidden);
}

static void json_span(ax_json *j, const ax_diags *diags, ax_span span)
{
    ax_pos beg = ax_sources_pos(diags->sources, span.beg);
    ax_pos end = ax_sources_pos(diags->sources, span.end > span.beg ? span.end : span.beg);
    if (!beg.source) return;
    ax_json_key(j, "file");
    ax_json_str(j, beg.source->path);
    ax_json_key(j, "line");
    ax_json_int(j, beg.line);
    ax_json_key(j, "column");
    ax_json_int(j, beg.column);
    ax_json_key(j, "end_line");
    ax_json_int(j, end.line);
    ax_json_key(j, "end_column");
    ax_json_int(j, end.column);
}

static void json_text(ax_json *j, const char *key, ax_str text)
{
    ax_json_key(j, key);
    ax_json_str(j, text);
}

static void json_diag(ax_json *j, const ax_diags *diags, const ax_diag *d)
{
    ax_json_obj(j);
    json_text(j, "code", ax_str_of(ax_diag_name(d->code)));
    json_text(j, "slug", ax_str_of(ax_diag_slug(d->code)));
    json_text(j, "severity", ax_str_of(ax_diag_severity(d->code) == AX_ERROR ? "error" : "warning"));
    json_text(j, "message", d->text);
    json_span(j, diags, d->span);
    ax_json_key(j, "notes");
    ax_json_arr(j);
    for (uint32_t i = 0; i < d->note_count; i++) {
        ax_json_obj_flat(j);
        json_text(j, "message", d->notes[i].text);
        json_span(j, diags, d->notes[i].span);
        ax_json_end(j);
    }
    ax_json_end(j);
    if (d->help.len) json_text(j, "help", d->help);
    if (d->edit.beg) {
        ax_json_key(j, "edit");
        ax_json_obj_flat(j);
        json_span(j, diags, d->edit);
        json_text(j, "replacement", d->replacement);
        ax_json_end(j);
    }
    ax_json_end(j);
}

void ax_diags_json(ax_diags *diags, ax_buf *out)
{
    ax_json j = ax_json_start(out, 2);
    ax_json_arr(&j);
    for (uint32_t i = 0; i < diags->list.len; i++) json_diag(&j, diags, diags->list.at[i]);
    ax_json_end(&j);
}
