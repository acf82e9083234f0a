/* test_line_diff.c - the unified diff: known ones, and for random texts that applying it gives the other
 * text. */
#include <stdlib.h>
#include <string.h>

#include "dsl/base/line_diff.h"
#include "tests/lib/test.h"

#define TEXT_MAX ((size_t)1 << 20)

static ax_str diff(ax_arena *mem, ax_str before, ax_str after)
{
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    ax_line_diff(mem, "f", before, after, &out);
    ax_str text = ax_str_dup(mem, ax_buf_str(&out));
    ax_buf_free(&out);
    return text;
}

static void gives(const char *before, const char *after, const char *want)
{
    ax_arena mem = AX_ARENA_INIT;
    assert_str(diff(&mem, ax_str_of(before), ax_str_of(after)), want);
    ax_arena_free(&mem);
}

static void without_a_path_there_are_only_hunks(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    ax_line_diff(&mem, NULL, AX_LIT("a\n"), AX_LIT("b\n"), &out);
    assert_str(ax_buf_str(&out), "@@ -1 +1 @@\n-a\n+b\n");
    ax_buf_free(&out);
    ax_arena_free(&mem);
}

static void equal_texts_have_no_diff(void **state)
{
    (void)state;
    gives("", "", "");
    gives("a\nb\n", "a\nb\n", "");
}

static void a_change_stands_between_three_lines_of_context(void **state)
{
    (void)state;
    gives("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
          "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

static void far_changes_are_hunks_of_their_own(void **state)
{
    (void)state;
    gives("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
          "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

static void near_changes_share_a_hunk(void **state)
{
    (void)state;
    gives("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
          "--- f\n+++ f\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
}

static void empty_ranges_and_missing_line_ends_are_written_as_patch_reads_them(void **state)
{
    (void)state;
    gives("", "a\n", "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
    gives("a\n", "", "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n");
    gives("a", "a\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

/* ---- random texts ---- */

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static ax_str random_text(ax_arena *mem, uint32_t *seed, uint32_t lines)
{
    ax_buf text = AX_BUF_INIT(TEXT_MAX);
    for (uint32_t i = 0; i < lines; i++) ax_buf_addf(&text, "%u\n", draw(seed, 6));
    ax_str s = ax_str_dup(mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return s;
}

/* Replays a diff on `before`: common and removed lines must stand there, added ones are put in. */
static ax_str apply(ax_arena *mem, ax_str before, ax_str patch)
{
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    const char *at = before.ptr, *end = at + before.len;
    unsigned long line = 1;
    for (const char *p = patch.ptr, *stop = p + patch.len, *next; p < stop; p = next) {
        next = (const char *)memchr(p, '\n', (size_t)(stop - p)) + 1;
        size_t len = (size_t)(next - p);
        if (p[0] == '@') {
            char *comma;
            unsigned long from = strtoul(p + 4, &comma, 10);
            bool empty = strncmp(comma, ",0", 2) == 0;
            for (unsigned long first = from + empty; line < first; line++) {
                const char *line_end = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
                ax_buf_add(&out, (ax_str){at, (size_t)(line_end - at)});
                at = line_end;
            }
        } else if (p[0] == '+' && p[1] != '+') {
            ax_buf_add(&out, (ax_str){p + 1, len - 1});
        } else if ((p[0] == ' ' || p[0] == '-') && p[1] != '-') {
            assert_memory_equal(at, p + 1, len - 1);
            if (p[0] == ' ') ax_buf_add(&out, (ax_str){p + 1, len - 1});
            at += len - 1;
            line++;
        }
    }
    ax_buf_add(&out, (ax_str){at, (size_t)(end - at)});
    ax_str s = ax_str_dup(mem, ax_buf_str(&out));
    ax_buf_free(&out);
    return s;
}

static void applying_a_diff_gives_the_other_text(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_str before = random_text(&mem, &seed, draw(&seed, 40)),
               after = random_text(&mem, &seed, draw(&seed, 40));
        ax_str patch = diff(&mem, before, after);
        assert_true(ax_str_eq(apply(&mem, before, patch), after));
        ax_arena_free(&mem);
    }
}

static void texts_with_nothing_in_common_are_replaced_whole(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_buf before = AX_BUF_INIT(TEXT_MAX), after = AX_BUF_INIT(TEXT_MAX);
    for (int i = 0; i < 5000; i++) {
        ax_buf_addf(&before, "a%d\n", i);
        ax_buf_addf(&after, "b%d\n", i);
    }
    ax_str patch = diff(&mem, ax_buf_str(&before), ax_buf_str(&after));
    assert_true(ax_str_eq(apply(&mem, ax_buf_str(&before), patch), ax_buf_str(&after)));
    ax_buf_free(&before);
    ax_buf_free(&after);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_a_path_there_are_only_hunks),
    cmocka_unit_test(equal_texts_have_no_diff),
    cmocka_unit_test(a_change_stands_between_three_lines_of_context),
    cmocka_unit_test(far_changes_are_hunks_of_their_own),
    cmocka_unit_test(near_changes_share_a_hunk),
    cmocka_unit_test(empty_ranges_and_missing_line_ends_are_written_as_patch_reads_them),
    cmocka_unit_test(applying_a_diff_gives_the_other_text),
    cmocka_unit_test(texts_with_nothing_in_common_are_replaced_whole),
};
RUN_TESTS(tests)
