/* nearest.c - the restricted edit distance (insert, delete, substitute, swap neighbours), counted in halves
 * so that a difference of letter case costs one half.
 *
 * Names longer than WORD_MAX bytes are never compared: nobody mistypes one by two letters and wants it found.
 */
#include "dsl/base/nearest.h"

enum { WORD_MAX = 64, EDIT = 2, CASE_EDIT = 1 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t substitution(char a, char b)
{
    if (a == b) return 0;
    return lower(a) == lower(b) ? CASE_EDIT : EDIT;
}

/* Half edits between two words of at most WORD_MAX bytes; three rows of the usual table are enough. */
static size_t distance(ax_str a, ax_str b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *above = rows[0], *row = rows[1], *top = rows[2];
    for (size_t j = 0; j <= b.len; j++) above[j] = j * EDIT;
    for (size_t i = 1; i <= a.len; i++) {
        row[0] = i * EDIT;
        for (size_t j = 1; j <= b.len; j++) {
            char x = a.ptr[i - 1], y = b.ptr[j - 1];
            size_t best = min(above[j], row[j - 1]) + EDIT;
            best = min(best, above[j - 1] + substitution(x, y));
            bool is_swap = i > 1 && j > 1 && x == b.ptr[j - 2] && y == a.ptr[i - 2] && x != y;
            row[j] = is_swap ? min(best, top[j - 2] + EDIT) : best;
        }
        size_t *spare = top;
        top = above;
        above = row;
        row = spare;
    }
    return above[b.len];
}

/* True if the words differ in letter case only: that is one slip, of the caps-lock key. */
static bool is_same_but_case(ax_str a, ax_str b)
{
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++) {
        if (lower(a.ptr[i]) != lower(b.ptr[i])) return false;
    }
    return !ax_str_eq(a, b);
}

ax_nearest ax_nearest_start(ax_str wanted)
{
    return (ax_nearest){.wanted = wanted};
}

void ax_nearest_offer(ax_nearest *n, ax_str candidate)
{
    if (n->wanted.len > WORD_MAX || candidate.len > WORD_MAX || candidate.len == 0) return;
    /* One edit for every three letters, and never so many that nothing of the word need be left. */
    size_t longer = n->wanted.len > candidate.len ? n->wanted.len : candidate.len;
    size_t edits_max = longer <= 3 ? EDIT : longer / 3 * EDIT;
    size_t edits = is_same_but_case(n->wanted, candidate) ? CASE_EDIT : distance(n->wanted, candidate);
    if (edits > edits_max || edits >= longer * EDIT) return;
    if (n->best.len && edits >= n->edits) return;
    n->best = candidate;
    n->edits = edits;
}
