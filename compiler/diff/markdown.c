/* markdown.c - a comparison as a comment on a review: a line that sums up, a table, details folded away.
 *
 * GitHub's and GitLab's dialect. What comes from files can't break out of its place: in tables and lines the
 * characters that mean something are escaped, and a fence is longer than any in the text.
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/diff/diff_int.h"
#include "compiler/diff/show_int.h"
#include "dsl/model/tz_text.h"

#define CELL_BYTES_MAX 200 /* of what a file says in one cell of a table */
#define ROWS_MAX 60        /* of a table; a comment has a limit, and nobody reads more */

typedef struct {
    ax_buf *out;
    ax_buf piece; /* for what is escaped before it is written */
} writer;

static const char *const verdict_signs[AX_VERDICT_COUNT] = {[AX_VERDICT_SAME] = "⚪",
                                                            [AX_VERDICT_COSMETIC] = "⚪",
                                                            [AX_VERDICT_SAFE] = "🟢",
                                                            [AX_VERDICT_BACKFILL] = "🟠",
                                                            [AX_VERDICT_BREAKING] = "🔴"};

/* The largest beginning of a text that ends between two characters. */
static ax_str cut(ax_str s, size_t max)
{
    if (s.len <= max) return s;
    while (max > 0 && ((unsigned char)s.ptr[max] & 0xc0) == 0x80) max--;
    return ax_str_slice(s, 0, max);
}

static void add_escaped(ax_buf *out, ax_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == '<') ax_buf_adds(out, "&lt;");
        else if (c == '&') ax_buf_adds(out, "&amp;");
        else if (c < 0x20 || c == 0x7f) ax_buf_addc(out, ' ');
        else if (strchr("\\`*_[]|>#~!@", c)) ax_buf_addf(out, "\\%c", c);
        else ax_buf_addc(out, (char)c);
    }
}

/* Writes what was put into w->piece, cut and escaped, and empties it. */
static void flush(writer *w)
{
    ax_str all = ax_buf_str(&w->piece), shown = cut(all, CELL_BYTES_MAX);
    add_escaped(w->out, shown);
    if (shown.len < all.len) ax_buf_adds(w->out, "…");
    ax_buf_clear(&w->piece);
}

/* ---- the table of changes ---- */

static void write_row(writer *w, const ax_diff *diff, const ax_diff_change *c)
{
    const ax_diff_rule_row *rule = &ax_diff_rules[c->rule];
    ax_buf_addf(w->out, "| %s %s | **", verdict_signs[rule->verdict], ax_verdict_words(rule->verdict));
    ax_diff_show_subject(diff, c, &w->piece);
    flush(w);
    ax_buf_addf(w->out, "** %s",
                c->op == AX_DIFF_CHANGED || c->op == AX_DIFF_RENAMED ? "" : ax_diff_op_name(c->op));
    ax_diff_show_values(diff, c, &w->piece);
    if (w->piece.len && (c->op == AX_DIFF_ADDED || c->op == AX_DIFF_REMOVED)) ax_buf_adds(w->out, ": ");
    flush(w);
    ax_buf_addf(w->out, " | %s | ", rule->reason);
    if (c->affects.count) {
        ax_diff_show_number(c->affects.count, "node", "nodes", &w->piece);
        ax_buf_adds(&w->piece, ": ");
        ax_diff_show_names(&c->affects, &w->piece);
    } else {
        ax_buf_adds(&w->piece, "–");
    }
    flush(w);
    ax_buf_adds(w->out, " |\n");
}

static void write_table(writer *w, const ax_diff *diff)
{
    uint32_t rows = 0, left = 0;
    ax_buf_adds(w->out, "\n| verdict | what | why | affects |\n|---|---|---|---|\n");
    for (uint32_t i = 0; i < diff->change_count; i++) {
        if (ax_diff_is_implied(&diff->changes[i])) continue;
        if (rows++ < ROWS_MAX) write_row(w, diff, &diff->changes[i]);
        else left++;
    }
    if (left) ax_buf_addf(w->out, "| | … and %" PRIu32 " more | | |\n", left);
}

/* ---- details ---- */

static size_t longest_fence(ax_str text)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

static void write_fence(writer *w, size_t length, const char *word)
{
    for (size_t i = 0; i < length; i++) ax_buf_addc(w->out, '`');
    ax_buf_addf(w->out, "%s\n", word);
}

static void write_lines(writer *w, const ax_diff *diff, const ax_diff_change *c)
{
    ax_buf lines = AX_BUF_INIT(AX_DIFF_TEXT_MAX);
    ax_diff_show_lines(c, &lines);
    size_t longest = longest_fence(ax_buf_str(&lines)), fence = longest < 3 ? 3 : longest + 1;
    ax_buf_adds(w->out, "\n<details><summary>");
    ax_diff_show_subject(diff, c, &w->piece);
    ax_buf_addf(&w->piece, ": %.*s", AX_STR(c->attr));
    flush(w);
    ax_buf_adds(w->out, "</summary>\n\n");
    write_fence(w, fence, "diff");
    for (size_t i = 0; i < lines.len; i++) {
        unsigned char byte = (unsigned char)lines.ptr[i];
        bool is_control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
        ax_buf_addc(w->out, is_control ? '?' : lines.ptr[i]);
    }
    write_fence(w, fence, "");
    ax_buf_adds(w->out, "\n</details>\n");
    ax_buf_free(&lines);
}

static void write_instant(writer *w, const ax_zone *zone, const int64_t *list, uint32_t count, uint32_t i)
{
    if (i < count) ax_zone_text(zone, list[i], w->out);
    else if (i == 0) ax_buf_adds(w->out, "never");
}

static void write_schedule(writer *w, const ax_diff_schedule *s)
{
    uint32_t rows = s->before_count > s->after_count ? s->before_count : s->after_count;
    ax_buf_adds(w->out, "\n<details><summary>Next instants of ");
    ax_diff_show_schedule_name(s->name, &w->piece);
    flush(w);
    ax_buf_adds(w->out, "</summary>\n\n| before | after |\n|---|---|\n");
    for (uint32_t i = 0; i < rows || i == 0; i++) {
        ax_buf_adds(w->out, "| ");
        write_instant(w, s->zone_before, s->instants_before, s->before_count, i);
        ax_buf_adds(w->out, " | ");
        write_instant(w, s->zone_after, s->instants_after, s->after_count, i);
        ax_buf_adds(w->out, " |\n");
    }
    ax_diff_show_calendar(s, &w->piece);
    if (w->piece.len) ax_buf_addc(w->out, '\n');
    bool any = w->piece.len > 0;
    flush(w);
    ax_buf_adds(w->out, any ? "\n\n</details>\n" : "\n</details>\n");
}

/* ---- workflows ---- */

static void write_flow(writer *w, const ax_diff *diff)
{
    ax_buf_addf(w->out, "\n#### %s ", verdict_signs[diff->verdict]);
    ax_buf_add(&w->piece, diff->after ? diff->after->name : diff->before->name);
    flush(w);
    ax_buf_addf(w->out, ": %s\n", ax_verdict_words(diff->verdict));
    write_table(w, diff);
    if (diff->stale.count) {
        ax_buf_adds(w->out, "\n**Stale:** ");
        ax_diff_show_names(&diff->stale, &w->piece);
        ax_buf_adds(&w->piece, ", for ");
        ax_diff_show_dates(diff, &w->piece);
        flush(w);
        ax_buf_adds(w->out, ".\n");
    }
    uint32_t shown = 0;
    for (uint32_t i = 0; i < diff->change_count && shown < ROWS_MAX; i++) {
        if (!ax_diff_has_lines(&diff->changes[i])) continue;
        write_lines(w, diff, &diff->changes[i]);
        shown++;
    }
    for (uint32_t i = 0; i < diff->schedule_count; i++) write_schedule(w, &diff->schedules[i]);
}

void ax_diff_markdown(const ax_diff_set *set, ax_buf *out)
{
    writer w = {.out = out, .piece = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    ax_buf_addf(out, "### %s Workflows: %s\n\n", verdict_signs[set->verdict], ax_verdict_words(set->verdict));
    if (set->flow_count) {
        ax_diff_show_number(set->flow_count, "workflow changed", "workflows changed", out);
        ax_buf_adds(out, ": ");
        ax_diff_show_counts(set->counts, out);
        ax_buf_adds(out, ".\n");
    } else {
        bool cosmetic = set->verdict == AX_VERDICT_COSMETIC;
        ax_buf_adds(out, cosmetic ? "Only layout, comments or order changed.\n" : "Nothing changed.\n");
    }
    for (uint32_t i = 0; i < set->flow_count; i++) write_flow(&w, &set->flows[i]);
    ax_buf_free(&w.piece);
}
