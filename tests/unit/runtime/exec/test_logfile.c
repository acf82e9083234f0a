/* test_logfile.c - parts of logs that hold any bytes, and are of any size. */
#include "runtime/exec/logfile.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/test.h"
#include "tests/lib/tmp.h"

/* An open file with this content. */
static int log_with(ax_str bytes)
{
    char folder[512], path[600];
    test_tmp_make(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/log", folder);
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes.ptr, bytes.len), bytes.len);
    test_tmp_remove(folder);
    return fd;
}

static void assert_tail(ax_str bytes, uint32_t lines, size_t max, const char *want, uint64_t want_at)
{
    int fd = log_with(bytes);
    ax_buf out = AX_BUF_INIT(1 << 20);
    uint64_t at = 0;
    ax_buf_adds(&out, "before:");
    assert_int_equal(ax_logfile_tail(fd, lines, max, &out, &at, NULL), AX_OK);
    assert_str(ax_str_slice(ax_buf_str(&out), 7, out.len), want);
    assert_int_equal(at, want_at);
    ax_buf_free(&out);
    close(fd);
}

static void the_tail_is_the_last_lines(void **state)
{
    (void)state;
    const ax_str text = AX_LIT("one\ntwo\nthree\n");
    assert_tail(text, 1, 100, "three\n", 8);
    assert_tail(text, 2, 100, "two\nthree\n", 4);
    assert_tail(text, 9, 100, "one\ntwo\nthree\n", 0);
    assert_tail(text, 0, 100, "", 14);
    assert_tail(AX_LIT("one\nno line end"), 1, 100, "no line end", 4);
    assert_tail(AX_LIT("a\n\n"), 1, 100, "\n", 2);
    assert_tail(AX_LIT(""), 5, 100, "", 0);
}

static void a_huge_line_is_cut_at_a_character(void **state)
{
    (void)state;
    assert_tail(AX_LIT("xxxx\xE2\x82\xACyz"), 3, 4, "yz", 7);
    assert_tail(AX_LIT("xxxx\xE2\x82\xACyz"), 3, 5, "\xE2\x82\xACyz", 4);
    assert_tail(AX_LIT("aaaa\nbb\n"), 3, 6, "aa\nbb\n", 2);
}

static void a_range_ends_where_the_log_ends(void **state)
{
    (void)state;
    int fd = log_with(AX_LIT("0123456789"));
    ax_buf out = AX_BUF_INIT(100);
    assert_int_equal(ax_logfile_read(fd, 4, 3, &out, NULL), AX_OK);
    assert_str(ax_buf_str(&out), "456");
    assert_int_equal(ax_logfile_read(fd, 8, 50, &out, NULL), AX_OK);
    assert_str(ax_buf_str(&out), "45689");
    assert_int_equal(ax_logfile_read(fd, 800, 50, &out, NULL), AX_OK);
    assert_int_equal(out.len, 5);
    ax_buf_free(&out);
    close(fd);
}

static void a_follower_never_cuts_a_character(void **state)
{
    (void)state;
    const char *text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    static const size_t whole[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (size_t len = 0; len <= 10; len++)
        assert_int_equal(ax_logfile_whole((ax_str){text, len}), whole[len]);
    assert_int_equal(ax_logfile_whole(AX_LIT("\x80\x80\x80\x80")), 4);
}

static void assert_text(void (*convert)(ax_str, ax_buf *), ax_str bytes, const char *want)
{
    ax_buf out = AX_BUF_INIT(1 << 16);
    convert(bytes, &out);
    assert_str(ax_buf_str(&out), want);
    ax_buf_free(&out);
}

static void bad_bytes_become_replacement_characters(void **state)
{
    (void)state;
    assert_text(ax_logfile_text, AX_LIT("one\n\200\377x"), "one\n\xEF\xBF\xBD\xEF\xBF\xBDx");
    assert_text(ax_logfile_text, AX_LIT("h\xC3\xA9"), "h\xC3\xA9");
}

static void nothing_in_a_log_steers_the_terminal(void **state)
{
    (void)state;
    assert_text(ax_logfile_plain, AX_LIT("\033[31mred\033[0m \033]0;title\a\033(Bend\n"), "red end\n");
    assert_text(ax_logfile_plain, AX_LIT("10%\r20%\r\n30%\r40%"), "20%\n40%");
    assert_text(ax_logfile_plain, AX_LIT("a\tb\a\b\x7F\n"), "a    b\n");
    assert_text(ax_logfile_plain,
                AX_LIT("\xC2\x9B"
                       "31mred"),
                "31mred");
    assert_text(ax_logfile_plain, AX_LIT("cut \033["), "cut ");
    assert_text(ax_logfile_plain, AX_LIT("\377"), "\xEF\xBF\xBD");
}

static void a_missing_log_is_not_found(void **state)
{
    (void)state;
    int fd;
    ax_err err = {0};
    assert_int_equal(ax_logfile_open("/no/such/log", &fd, &err), AX_NOT_FOUND);
    assert_string_equal(err.text, "there is no log at '/no/such/log'");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_tail_is_the_last_lines),
    cmocka_unit_test(a_huge_line_is_cut_at_a_character),
    cmocka_unit_test(a_range_ends_where_the_log_ends),
    cmocka_unit_test(a_follower_never_cuts_a_character),
    cmocka_unit_test(bad_bytes_become_replacement_characters),
    cmocka_unit_test(nothing_in_a_log_steers_the_terminal),
    cmocka_unit_test(a_missing_log_is_not_found),
};
RUN_TESTS(tests)
