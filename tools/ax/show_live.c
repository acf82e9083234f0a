/* show_live.c - the run on a terminal: a small region that is redrawn, and above it, for good, what failed.
 *
 *   nightly_report  2026-11-30  run 12                                1m23s
 *   ████████████████████████░░░░░░░░░░░░  23/40  2 running · 1 failed
 *   ▸ ingest.sync["orders"]                                             12s
 *   ↻ ingest.sync["users"]  try 2, exit code 75                       in 4s
 *
 * A redraw goes up over the lines drawn last and writes each anew, as one write. Lines are cut to the
 * terminal's width, so that a line drawn is a line taken; after a change of size, what the old lines take is
 * computed. Drawn at most ten times a second, when something changed or a second has passed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "dsl/base/utf8.h"
#include "dsl/model/units.h"
#include "tools/ax/show.h"
#include "tools/ax/show_text.h"
#include "tools/ax/show_track.h"

#define DRAW_MS 100
#define SECOND_MS 1000
#define ROWS_MAX 64    /* of the region */
#define COLUMNS_MIN 20 /* narrower terminals are treated as if they had so many */
#define BAR_MAX 40
#define FAILURES_MAX 20 /* shown with the end of their log; the bar counts all */
#define FRAME_BYTES_MAX ((size_t)1 << 20)

/* Symbols, for UTF-8 terminals and others. */
typedef struct {
    const char *full, *empty, *running, *waiting, *failed, *dot, *more;
} symbols;

static const symbols symbols_utf8 = {"█", "░", "▸", "↻", "✗", " · ", "…"};
static const symbols symbols_ascii = {"#", ".", ">", "~", "x", ", ", "..."};

typedef struct {
    ax_show base;
    const symbols *sym;
    ax_track track;
    unsigned columns, rows;
    size_t widths[ROWS_MAX]; /* of the lines drawn last */
    unsigned drawn;          /* how many there are */
    bool is_dirty;
    int64_t drawn_at_ms; /* monotonic */
    unsigned failures;   /* printed above the region */
    ax_buf left, right;  /* of the line that is being drawn */
} live;

static int64_t clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void measure(live *l)
{
    struct winsize size = {0};
    ioctl(l->base.out->fd, TIOCGWINSZ, &size);
    l->columns = size.ws_col ? size.ws_col : 80;
    if (l->columns < COLUMNS_MIN) l->columns = COLUMNS_MIN;
    l->rows = size.ws_row ? size.ws_row : 24;
}

/* ---- drawing ---- */

/* Takes the cursor to the first line of the region. */
static void go_up(live *l)
{
    size_t up = 0;
    for (unsigned i = 0; i < l->drawn; i++)
        up += l->widths[i] > l->columns ? (l->widths[i] + l->columns - 1) / l->columns : 1;
    if (up) ax_out_addf(l->base.out, "\x1b[%zuA", up);
    ax_out_adds(l->base.out, "\r");
    l->drawn = 0;
}

/* Takes the region away; what is written next stays. */
static void clear_region(live *l)
{
    go_up(l);
    ax_out_adds(l->base.out, "\x1b[J");
}

/* The longest beginning of text that takes at most `columns`. */
static ax_str fit(ax_str text, size_t columns)
{
    size_t at = 0, width = 0;
    while (at < text.len) {
        uint32_t cp;
        size_t len = ax_utf8_decode(text, at, &cp);
        if (len == 0) len = 1;
        width += ax_utf8_width(ax_str_slice(text, at, at + len));
        if (width > columns) break;
        at += len;
    }
    return ax_str_slice(text, 0, at);
}

/* Draws one line: `left` in its style after a prefix of so many columns, `right` at the terminal's right
 * edge. */
static void draw_line(live *l, ax_style style, size_t prefix)
{
    ax_str right = ax_buf_str(&l->right), left = ax_buf_str(&l->left);
    size_t right_width = ax_utf8_width(right), left_width = ax_utf8_width(left);
    size_t columns = l->columns - 1;
    size_t room = columns > prefix + right_width + 1 ? columns - prefix - right_width - 1 : 0;
    if (left_width > room) {
        size_t more = ax_utf8_width(ax_str_of(l->sym->more));
        left = fit(left, room > more ? room - more : 0);
        ax_out_styled(l->base.out, style, left);
        ax_out_adds(l->base.out, l->sym->more);
        left_width = ax_utf8_width(left) + more;
    } else {
        ax_out_styled(l->base.out, style, left);
    }
    size_t gap = right.len && room >= left_width ? room - left_width + 1 : 0;
    if (right.len) ax_out_addf(l->base.out, "%*s", (int)gap, "");
    ax_out_styled(l->base.out, AX_STYLE_DIM, right);
    ax_out_adds(l->base.out, "\x1b[K\n");
    if (l->drawn < ROWS_MAX)
        l->widths[l->drawn++] = prefix + left_width + gap + (right.len ? right_width : 0);
    ax_buf_clear(&l->left);
    ax_buf_clear(&l->right);
}

static void draw_header(live *l, const ax_run_rec *run, int64_t now_ms)
{
    ax_buf_addf(&l->left, "%.*s  ", AX_STR(run->workflow));
    ax_date_text(run->date, &l->left);
    ax_buf_addf(&l->left, "  run %" PRIu64, run->id);
    if (run->state != AX_RUN_RUNNING) ax_buf_addf(&l->left, "  %s", ax_text_run_state(run->state));
    ax_text_seconds(now_ms - run->created_ms, &l->right);
    draw_line(l, AX_STYLE_BOLD, 0);
}

/* Draws the bar's cells from `from` up to `upto` of `total` nodes; returns where it got. */
static size_t add_stretch(live *l, ax_style style, uint64_t upto, uint64_t total, size_t width, size_t from)
{
    size_t to = total ? (size_t)(upto * width / total) : 0;
    ax_buf cells = AX_BUF_INIT(4 * BAR_MAX + 8);
    for (size_t i = from; i < to; i++)
        ax_buf_adds(&cells, style == AX_STYLE_DIM ? l->sym->empty : l->sym->full);
    ax_out_styled(l->base.out, style, ax_buf_str(&cells));
    ax_buf_free(&cells);
    return to > from ? to : from;
}

static void draw_bar(live *l, const ax_view *view)
{
    static const ax_node_state order[] = {AX_NODE_ST_SUCCEEDED, AX_NODE_ST_SKIPPED, AX_NODE_ST_FAILED,
                                          AX_NODE_ST_CANCELLED};
    static const ax_style styles[] = {AX_STYLE_GREEN, AX_STYLE_BLUE, AX_STYLE_RED, AX_STYLE_YELLOW};
    const uint32_t *counts = ax_view_counts(view);
    uint64_t total = 0, upto = 0;
    size_t width = l->columns / 2 < BAR_MAX ? l->columns / 2 : BAR_MAX, at = 0;
    for (uint32_t i = 0; i < AX_NODE_ST_COUNT; i++) total += counts[i];
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        upto += counts[order[i]];
        at = add_stretch(l, styles[i], upto, total, width, at);
    }
    add_stretch(l, AX_STYLE_DIM, total, total, width, at);
    ax_buf_addf(&l->left, "  %" PRIu64 "/%" PRIu64, upto, total);
    const char *gap = "  ";
    const struct {
        uint32_t count;
        const char *word;
    } parts[] = {{l->track.running.len, "running"},     {l->track.waiting.len, "to try again"},
                 {counts[AX_NODE_ST_FAILED], "failed"}, {counts[AX_NODE_ST_SKIPPED], "skipped"},
                 {counts[AX_NODE_ST_HELD], "held"},     {counts[AX_NODE_ST_CANCELLED], "cancelled"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].count) continue;
        ax_buf_addf(&l->left, "%s%u %s", gap, parts[i].count, parts[i].word);
        gap = l->sym->dot;
    }
    draw_line(l, AX_STYLE_PLAIN, width);
}

/* Begins a line with a symbol and two columns of margin. */
static size_t draw_symbol(live *l, ax_style style, const char *symbol)
{
    ax_out_adds(l->base.out, "  ");
    ax_out_styled(l->base.out, style, ax_str_of(symbol));
    ax_out_adds(l->base.out, " ");
    return 3 + ax_utf8_width(ax_str_of(symbol));
}

static void draw_running(live *l, const ax_view *view, uint32_t node, int64_t now_ms)
{
    const ax_instance_rec *rec = ax_view_current(view, node);
    bool stops = rec->state == AX_INSTANCE_TIMING_OUT || rec->state == AX_INSTANCE_CANCELLING;
    size_t prefix = draw_symbol(l, stops ? AX_STYLE_YELLOW : AX_STYLE_BLUE, l->sym->running);
    ax_buf_addf(&l->left, "%.*s", AX_STR(ax_view_plan(view)->nodes[node].name));
    if (rec->attempt > 1) ax_buf_addf(&l->left, "  try %u", rec->attempt);
    if (rec->state == AX_INSTANCE_TIMING_OUT) ax_buf_adds(&l->left, "  out of time, being stopped");
    if (rec->state == AX_INSTANCE_CANCELLING) ax_buf_adds(&l->left, "  being stopped");
    ax_text_seconds(ax_text_took_ms(rec, now_ms), &l->right);
    draw_line(l, AX_STYLE_PLAIN, prefix);
}

static void draw_waiting(live *l, const ax_view *view, uint32_t node, int64_t now_ms)
{
    const ax_instance_rec *rec = ax_view_current(view, node);
    const ax_instance_rec *before = rec->attempt > 1 ? ax_view_attempt(view, node, rec->attempt - 1) : NULL;
    size_t prefix = draw_symbol(l, AX_STYLE_YELLOW, l->sym->waiting);
    ax_buf_addf(&l->left, "%.*s  try %u after ", AX_STR(ax_view_plan(view)->nodes[node].name), rec->attempt);
    if (before) ax_text_end(view, before, &l->left);
    if (rec->state == AX_INSTANCE_RETRYING) {
        ax_buf_adds(&l->right, "in ");
        int64_t wait_ms = rec->due_ms > now_ms ? rec->due_ms - now_ms : 0;
        ax_text_seconds(wait_ms + SECOND_MS - 1, &l->right);
    } else {
        ax_buf_adds(&l->right, "a person is asked");
    }
    draw_line(l, AX_STYLE_PLAIN, prefix);
}

/* As many of both lists as fit, and how many do not. */
static void draw_lists(live *l, const ax_view *view, int64_t now_ms)
{
    uint32_t room = l->rows > 6 ? l->rows - 5 : 1, shown = 0;
    if (room > ROWS_MAX - 4) room = ROWS_MAX - 4;
    uint32_t total = l->track.running.len + l->track.waiting.len;
    for (uint32_t i = 0; i < l->track.running.len && shown < room; i++, shown++)
        draw_running(l, view, l->track.running.at[i], now_ms);
    for (uint32_t i = 0; i < l->track.waiting.len && shown < room; i++, shown++)
        draw_waiting(l, view, l->track.waiting.at[i], now_ms);
    if (total == shown) return;
    ax_buf_addf(&l->left, "    and %u more", total - shown);
    draw_line(l, AX_STYLE_DIM, 0);
}

static void draw(live *l, const ax_view *view)
{
    int64_t now_ms = clock_ms(CLOCK_REALTIME);
    go_up(l);
    draw_header(l, ax_view_run(view), now_ms);
    draw_bar(l, view);
    draw_lists(l, view, now_ms);
    ax_out_adds(l->base.out, "\x1b[J");
    ax_out_flush(l->base.out, NULL);
    l->is_dirty = false;
    l->drawn_at_ms = clock_ms(CLOCK_MONOTONIC);
}

/* ---- events ---- */

/* What failed, for good, above the region: name, why, the end of its log. */
static void print_failure(live *l, const ax_view *view, uint32_t node)
{
    const ax_instance_rec *rec = ax_view_current(view, node);
    ax_buf text = AX_BUF_INIT(FRAME_BYTES_MAX);
    if (l->failures++ >= FAILURES_MAX) return;
    clear_region(l);
    ax_out_styled(l->base.out, AX_STYLE_RED, ax_str_of(l->sym->failed));
    ax_out_addf(l->base.out, " %.*s", AX_STR(ax_view_plan(view)->nodes[node].name));
    if (rec) {
        ax_buf_adds(&text, ": ");
        ax_text_end(view, rec, &text);
        if (rec->attempt > 1) ax_buf_addf(&text, ", after %u tries", rec->attempt);
        ax_out_safe(l->base.out, ax_buf_str(&text));
        ax_out_adds(l->base.out, "\n");
        ax_buf_clear(&text);
        ax_text_tail(l->base.root, ax_view_run(view)->id, rec, "  | ", &text);
        ax_out_styled(l->base.out, AX_STYLE_DIM, ax_buf_str(&text));
    } else {
        ax_out_adds(l->base.out, "\n");
    }
    ax_buf_free(&text);
}

static void begin(ax_show *show, const ax_view *view)
{
    live *l = (live *)show;
    measure(l);
    l->track = ax_track_new(show->mem, view);
    draw(l, view);
}

static void rows(ax_show *show, const ax_view *view, const ax_log_rec *rows, uint32_t count)
{
    live *l = (live *)show;
    for (uint32_t i = 0; i < count; i++) {
        ax_track_row(&l->track, &rows[i]);
        if (rows[i].machine == AX_MACHINE_NODE && rows[i].event == AX_NODE_EV_FAIL)
            print_failure(l, view, rows[i].node);
    }
    l->is_dirty = true;
}

static void note(ax_show *show, ax_style style, const char *text)
{
    live *l = (live *)show;
    clear_region(l);
    ax_out_styled(show->out, style, ax_str_of(text));
    ax_out_adds(show->out, "\n");
    l->is_dirty = true;
    l->drawn_at_ms = 0;
}

static int tick(ax_show *show, const ax_view *view)
{
    live *l = (live *)show;
    int64_t since_ms = clock_ms(CLOCK_MONOTONIC) - l->drawn_at_ms;
    int64_t wait_ms = (l->is_dirty ? DRAW_MS : SECOND_MS) - since_ms;
    if (wait_ms > 0) return (int)wait_ms;
    draw(l, view);
    return SECOND_MS;
}

static void resized(ax_show *show)
{
    live *l = (live *)show;
    measure(l);
    l->is_dirty = true;
}

static void end(ax_show *show, const ax_view *view)
{
    live *l = (live *)show;
    clear_region(l);
    ax_text_summary(view, NULL, show->out);
    ax_out_flush(show->out, NULL);
    ax_buf_free(&l->left);
    ax_buf_free(&l->right);
}

/* True if the locale says that the terminal takes UTF-8. */
static bool is_utf8(void)
{
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

ax_show *ax_show_live(ax_arena *mem, ax_out *out, const char *root)
{
    static const ax_show_ops ops = {"live", begin, rows, note, tick, resized, end};
    live *l = AX_NEW(mem, live);
    l->base = (ax_show){.ops = &ops, .out = out, .root = root, .mem = mem};
    l->sym = is_utf8() ? &symbols_utf8 : &symbols_ascii;
    l->left = l->right = AX_BUF_INIT(FRAME_BYTES_MAX);
    return &l->base;
}
