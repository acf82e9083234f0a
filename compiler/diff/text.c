/* text.c - a comparison for a terminal: the worst first, each change with its reason and how far it reaches.
 *
 * Texts of the files are untrusted: what could drive a terminal is shown as '?'.
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/diff/diff_int.h"
#include "compiler/diff/show_int.h"
#include "dsl/base/utf8.h"
#include "dsl/model/tz_text.h"

#define COLUMN_GAP 3 /* blanks between two columns */

typedef enum { PLAIN, BOLD, DIM, RED, GREEN, YELLOW, BLUE } style;

typedef struct {
    ax_buf *out;
    bool color;
    ax_buf piece; /* for what is made safe before it is written */
} writer;

static const style verdict_style[AX_VERDICT_COUNT] = {[AX_VERDICT_SAME] = GREEN,
                                                      [AX_VERDICT_COSMETIC] = DIM,
                                                      [AX_VERDICT_SAFE] = GREEN,
                                                      [AX_VERDICT_BACKFILL] = YELLOW,
                                                      [AX_VERDICT_BREAKING] = RED};
static const style op_style[AX_DIFF_OP_COUNT] = {
    [AX_DIFF_ADDED] = GREEN, [AX_DIFF_REMOVED] = RED, [AX_DIFF_CHANGED] = YELLOW, [AX_DIFF_RENAMED] = BLUE};

static void paint(const writer *w, style s)
{
    static const char *const codes[] = {"0", "1", "2", "31", "32", "33", "34"};
    if (w->color) ax_buf_addf(w->out, "\033[%sm", codes[s]);
}

static bool is_unsafe(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || (cp >= 0x202a && cp <= 0x202e) ||
           (cp >= 0x2066 && cp <= 0x2069);
}

static void add_safe(const writer *w, ax_str text)
{
    for (size_t at = 0; at < text.len;) {
        uint32_t cp = 0;
        size_t len = ax_utf8_decode(text, at, &cp);
        if (!len || (is_unsafe(cp) && cp != '\t')) ax_buf_addc(w->out, '?');
        else ax_buf_add(w->out, ax_str_slice(text, at, at + len));
        at += len ? len : 1;
    }
}

/* Writes what was put into w->piece, safely and in a style, and empties it. */
static void flush(writer *w, style s)
{
    if (s != PLAIN) paint(w, s);
    add_safe(w, ax_buf_str(&w->piece));
    if (s != PLAIN) paint(w, PLAIN);
    ax_buf_clear(&w->piece);
}

/* ---- changes ---- */

/* A diff of lines below its change; the sign alone says which is which where there are no colours. */
static void write_lines(writer *w, const ax_diff_change *c)
{
    ax_buf lines = AX_BUF_INIT(AX_DIFF_TEXT_MAX);
    ax_diff_show_lines(c, &lines);
    for (ax_str rest = ax_buf_str(&lines); rest.len;) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        ax_buf_adds(w->out, "        ");
        ax_buf_add(&w->piece, ax_str_slice(rest, 0, len));
        flush(w, rest.ptr[0] == '+' ? GREEN : rest.ptr[0] == '-' ? RED : DIM);
        ax_buf_addc(w->out, '\n');
        rest = ax_str_slice(rest, len + 1, rest.len);
    }
    ax_buf_free(&lines);
}

static void write_change(writer *w, const ax_diff *diff, const ax_diff_change *c)
{
    ax_buf_adds(w->out, "    ");
    ax_buf_addc(&w->piece, ax_diff_show_sign(c->op));
    flush(w, op_style[c->op]);
    ax_buf_addc(w->out, ' ');
    ax_diff_show_subject(diff, c, &w->piece);
    flush(w, BOLD);
    ax_diff_show_values(diff, c, &w->piece);
    if (w->piece.len) ax_buf_adds(w->out, "  ");
    flush(w, PLAIN);
    ax_buf_addc(w->out, '\n');
    if (ax_diff_has_lines(c)) write_lines(w, c);
    ax_buf_addf(&w->piece, "      %s", ax_diff_rules[c->rule].reason);
    flush(w, DIM);
    ax_buf_addc(w->out, '\n');
    if (!c->affects.count) return;
    ax_buf_adds(&w->piece, "      affects ");
    ax_diff_show_number(c->affects.count, "node", "nodes", &w->piece);
    ax_buf_adds(&w->piece, ": ");
    ax_diff_show_names(&c->affects, &w->piece);
    flush(w, DIM);
    ax_buf_addc(w->out, '\n');
}

static void write_changes(writer *w, const ax_diff *diff)
{
    int last = -1;
    for (uint32_t i = 0; i < diff->change_count; i++) {
        const ax_diff_change *c = &diff->changes[i];
        ax_verdict verdict = ax_diff_rules[c->rule].verdict;
        if (ax_diff_is_implied(c)) continue;
        if ((int)verdict != last) {
            ax_buf_adds(w->out, "\n  ");
            ax_buf_adds(&w->piece, ax_verdict_words(verdict));
            flush(w, verdict_style[verdict]);
            ax_buf_addc(w->out, '\n');
        }
        last = (int)verdict;
        write_change(w, diff, c);
    }
}

/* ---- schedules ---- */

static void write_instant(writer *w, const ax_zone *zone, const int64_t *list, uint32_t count, uint32_t i)
{
    if (i < count) ax_zone_text(zone, list[i], &w->piece);
    else if (i == 0) ax_buf_adds(&w->piece, "never");
}

static bool has(const int64_t *list, uint32_t count, int64_t at)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == at) return true;
    }
    return false;
}

/* The style of the i-th instant of a list: plain if the other version has it too. */
static style instant_style(const int64_t *list, uint32_t count, uint32_t i, const int64_t *other,
                           uint32_t other_count, style odd)
{
    return i < count && !has(other, other_count, list[i]) ? odd : PLAIN;
}

static void write_schedule(writer *w, const ax_diff_schedule *s)
{
    uint32_t rows = s->before_count > s->after_count ? s->before_count : s->after_count;
    size_t width = sizeof "before" - 1;
    for (uint32_t i = 0; i < s->before_count; i++) {
        ax_zone_text(s->zone_before, s->instants_before[i], &w->piece);
        if (width < w->piece.len) width = w->piece.len;
        ax_buf_clear(&w->piece);
    }
    ax_buf_adds(w->out, "\n  ");
    ax_buf_adds(&w->piece, "next instants of ");
    ax_diff_show_schedule_name(s->name, &w->piece);
    flush(w, BOLD);
    ax_buf_addf(w->out, "\n    %-*s%*safter\n", (int)width, "before", COLUMN_GAP, "");
    for (uint32_t i = 0; i < rows || i == 0; i++) {
        ax_buf_adds(w->out, "    ");
        write_instant(w, s->zone_before, s->instants_before, s->before_count, i);
        int gap = (int)(width - w->piece.len) + COLUMN_GAP;
        flush(w,
              instant_style(s->instants_before, s->before_count, i, s->instants_after, s->after_count, RED));
        write_instant(w, s->zone_after, s->instants_after, s->after_count, i);
        if (w->piece.len) ax_buf_addf(w->out, "%*s", gap, "");
        flush(w, instant_style(s->instants_after, s->after_count, i, s->instants_before, s->before_count,
                               GREEN));
        ax_buf_addc(w->out, '\n');
    }
    ax_diff_show_calendar(s, &w->piece);
    if (!w->piece.len) return;
    ax_buf_adds(w->out, "    ");
    flush(w, PLAIN);
    ax_buf_addc(w->out, '\n');
}

/* ---- workflows ---- */

static void write_place(writer *w, const ax_diff *diff)
{
    const ax_plan *a = diff->before, *b = diff->after;
    if (a) ax_buf_addf(&w->piece, "%.*s:%" PRIu32, AX_STR(a->file), a->line);
    if (a && b) ax_buf_adds(&w->piece, " → ");
    if (b) ax_buf_addf(&w->piece, "%.*s:%" PRIu32, AX_STR(b->file), b->line);
    flush(w, DIM);
    ax_buf_addc(w->out, '\n');
}

static void write_stale(writer *w, const ax_diff *diff)
{
    if (!diff->stale.count) return;
    ax_buf_adds(w->out, "\n  ");
    ax_buf_adds(&w->piece, "stale ");
    flush(w, YELLOW);
    ax_diff_show_names(&diff->stale, &w->piece);
    ax_buf_adds(&w->piece, ", for ");
    ax_diff_show_dates(diff, &w->piece);
    flush(w, PLAIN);
    ax_buf_addc(w->out, '\n');
}

static void write_flow(writer *w, const ax_diff *diff)
{
    ax_buf_add(&w->piece, diff->after ? diff->after->name : diff->before->name);
    flush(w, BOLD);
    ax_buf_adds(w->out, ": ");
    ax_buf_adds(&w->piece, ax_verdict_words(diff->verdict));
    flush(w, verdict_style[diff->verdict]);
    ax_buf_adds(w->out, "  ");
    write_place(w, diff);
    write_changes(w, diff);
    write_stale(w, diff);
    for (uint32_t i = 0; i < diff->schedule_count; i++) write_schedule(w, &diff->schedules[i]);
    ax_buf_addc(w->out, '\n');
}

void ax_diff_text(const ax_diff_set *set, bool color, ax_buf *out)
{
    writer w = {.out = out, .color = color, .piece = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    for (uint32_t i = 0; i < set->flow_count; i++) write_flow(&w, &set->flows[i]);
    ax_buf_adds(&w.piece, ax_verdict_words(set->verdict));
    flush(&w, verdict_style[set->verdict]);
    if (set->flow_count) {
        ax_buf_adds(out, ": ");
        ax_diff_show_counts(set->counts, out);
    } else if (set->verdict == AX_VERDICT_COSMETIC) {
        ax_buf_adds(out, ": only layout, comments or order");
    }
    if (set->flow_count && set->unchanged) {
        ax_buf_adds(out, "; ");
        ax_diff_show_number(set->unchanged, "workflow is", "workflows are", out);
        ax_buf_adds(out, " as before");
    }
    ax_buf_addc(out, '\n');
    ax_buf_free(&w.piece);
}
