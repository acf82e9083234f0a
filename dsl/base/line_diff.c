/* line_diff.c - a unified diff of two texts, line by line.
 *
 * The shortest edit is searched greedily, by how far one gets with d edits along each diagonal (Myers 1986).
 * Its cost grows with the square of the edits, so above EDITS_MAX everything between the common ends counts
 * as replaced.
 */
#include "dsl/base/line_diff.h"

#include <inttypes.h>
#include <string.h>

#include "dsl/base/vec.h"

#define EDITS_MAX 1000
#define CONTEXT 3 /* lines shown around a change */

typedef struct {
    ax_str *at; /* each with its line end, if it has one */
    uint32_t count;
} line_list;

typedef struct {
    ax_arena *mem;
    line_list before, after;
    bool *removed, *added; /* per line of before and after */
} differ;

static line_list split(ax_arena *mem, ax_str text)
{
    AX_VEC(ax_str) lines = {0};
    while (text.len) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) + 1 : text.len;
        ax_vec_push(mem, &lines, ax_str_slice(text, 0, len));
        text = ax_str_slice(text, len, text.len);
    }
    return (line_list){lines.at, lines.len};
}

static bool same(const differ *d, int64_t before, int64_t after)
{
    return ax_str_eq(d->before.at[before], d->after.at[after]);
}

/* ---- the shortest edit ---- */

/* Goes back through the recorded rounds and marks the lines that were removed or added. reach[d] holds,
 * for round d, how many lines of `before` are used on each diagonal from -d to d. */
static void mark_edits(differ *d, int64_t **reach, int64_t rounds, int64_t x, int64_t y, int64_t first)
{
    for (int64_t round = rounds; round > 0; round--) {
        int64_t k = x - y;
        const int64_t *last = reach[round - 1] + (round - 1);
        bool down = k == -round || (k != round && last[k - 1] < last[k + 1]);
        int64_t from_k = down ? k + 1 : k - 1, from_x = last[from_k];
        if (down) d->added[first + from_x - from_k] = true;
        else d->removed[first + from_x] = true;
        x = from_x;
        y = from_x - from_k;
    }
}

/* Compares the lines from `first` up to n and m beyond it; false if that takes too many edits. */
static bool find_edits(differ *d, int64_t first, int64_t n, int64_t m)
{
    int64_t **reach = AX_NEW_N(d->mem, int64_t *, EDITS_MAX + 1);
    for (int64_t round = 0; round <= EDITS_MAX; round++) {
        int64_t *here = AX_NEW_N(d->mem, int64_t, 2 * round + 1) + round;
        const int64_t *last = round ? reach[round - 1] + (round - 1) : NULL;
        reach[round] = here - round;
        for (int64_t k = -round; k <= round; k += 2) {
            int64_t x = 0;
            if (round)
                x = k == -round || (k != round && last[k - 1] < last[k + 1]) ? last[k + 1] : last[k - 1] + 1;
            while (x < n && x - k < m && same(d, first + x, first + x - k)) x++;
            here[k] = x;
            if (x < n || x - k < m) continue;
            mark_edits(d, reach, round, x, x - k, first);
            return true;
        }
    }
    return false;
}

static void compare(differ *d)
{
    int64_t n = d->before.count, m = d->after.count, first = 0;
    while (first < n && first < m && same(d, first, first)) first++;
    while (n > first && m > first && same(d, n - 1, m - 1)) n--, m--;
    if (find_edits(d, first, n - first, m - first)) return;
    for (int64_t i = first; i < n; i++) d->removed[i] = true;
    for (int64_t i = first; i < m; i++) d->added[i] = true;
}

/* ---- writing ---- */

typedef struct {
    uint32_t before, after; /* the next lines of both */
} place;

static void write_line(ax_buf *out, char sign, ax_str line)
{
    ax_buf_addc(out, sign);
    ax_buf_add(out, line);
    if (!line.len || line.ptr[line.len - 1] != '\n') ax_buf_adds(out, "\n\\ No newline at end of file\n");
}

static bool changes_at(const differ *d, place p)
{
    return (p.before < d->before.count && d->removed[p.before]) ||
           (p.after < d->after.count && d->added[p.after]);
}

static bool at_end(const differ *d, place p)
{
    return p.before == d->before.count && p.after == d->after.count;
}

/* Passes one removed or added line, or one that both have; returns its sign. */
static char step(const differ *d, place *p)
{
    if (p->before < d->before.count && d->removed[p->before]) {
        p->before++;
        return '-';
    }
    if (p->after < d->after.count && d->added[p->after]) {
        p->after++;
        return '+';
    }
    p->before++;
    p->after++;
    return ' ';
}

/* The end of the hunk that begins at p: up to CONTEXT common lines behind its last change, if no other
 * follows within twice as many. */
static place hunk_end(const differ *d, place p)
{
    place end = p;
    uint32_t common = 0;
    while (!at_end(d, p) && common <= 2 * CONTEXT) {
        common = step(d, &p) == ' ' ? common + 1 : 0;
        if (common <= CONTEXT) end = p;
    }
    return end;
}

/* "12,3" or "12"; an empty range is named by the line before it. */
static void write_range(ax_buf *out, uint32_t from, uint32_t to)
{
    uint32_t count = to - from;
    ax_buf_addf(out, "%" PRIu32, count ? from + 1 : from);
    if (count != 1) ax_buf_addf(out, ",%" PRIu32, count);
}

static void write_hunk(const differ *d, place from, place to, ax_buf *out)
{
    ax_buf_adds(out, "@@ -");
    write_range(out, from.before, to.before);
    ax_buf_adds(out, " +");
    write_range(out, from.after, to.after);
    ax_buf_adds(out, " @@\n");
    while (from.before < to.before || from.after < to.after) {
        place line = from;
        char sign = step(d, &from);
        write_line(out, sign, sign == '+' ? d->after.at[line.after] : d->before.at[line.before]);
    }
}

void ax_line_diff(ax_arena *scratch, const char *path, ax_str before, ax_str after, ax_buf *out)
{
    differ d = {.mem = scratch, .before = split(scratch, before), .after = split(scratch, after)};
    d.removed = AX_NEW_N(scratch, bool, d.before.count + 1);
    d.added = AX_NEW_N(scratch, bool, d.after.count + 1);
    if (ax_str_eq(before, after)) return;
    compare(&d);
    if (path) ax_buf_addf(out, "--- %s\n+++ %s\n", path, path);
    uint32_t common = 0; /* lines since the last hunk */
    for (place p = {0}; !at_end(&d, p);) {
        if (!changes_at(&d, p)) {
            step(&d, &p);
            common++;
            continue;
        }
        uint32_t context = common < CONTEXT ? common : CONTEXT;
        place from = {p.before - context, p.after - context}, to = hunk_end(&d, p);
        write_hunk(&d, from, to, out);
        p = to;
        common = 0;
    }
}
