/* test_out.c - streams: colours, control characters, and what becomes of write errors. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/test.h"
#include "tools/cli/out.h"

/* Both ends of a pipe. */
typedef struct {
    int from, to;
    ax_out out;
} pipe_out;

static pipe_out open_pipe(ax_color color)
{
    int ends[2];
    pipe_out p;
    assert_int_equal(pipe(ends), 0);
    p.from = ends[0];
    p.to = ends[1];
    ax_out_init(&p.out, p.to, color);
    return p;
}

/* Flushes and closes, and returns what came out. */
static const char *close_pipe(pipe_out *p)
{
    static char text[4096];
    assert_int_equal(ax_out_flush(&p->out, NULL), AX_OK);
    ssize_t n = read(p->from, text, sizeof text - 1);
    assert_true(n >= 0);
    text[n] = 0;
    close(p->from);
    close(p->to);
    ax_out_free(&p->out);
    return text;
}

static void a_pipe_gets_no_colours_unless_they_are_forced(void **state)
{
    (void)state;
    pipe_out p = open_pipe(AX_COLOR_AUTO);
    ax_out_styled(&p.out, AX_STYLE_RED, AX_LIT("no"));
    assert_string_equal(close_pipe(&p), "no");
    p = open_pipe(AX_COLOR_ALWAYS);
    ax_out_styled(&p.out, AX_STYLE_RED, AX_LIT("yes"));
    ax_out_styled(&p.out, AX_STYLE_PLAIN, AX_LIT("!"));
    assert_string_equal(close_pipe(&p), "\x1b[31myes\x1b[0m!");
}

static void control_characters_do_not_reach_a_terminal(void **state)
{
    (void)state;
    pipe_out p = open_pipe(AX_COLOR_NEVER);
    ax_out_safe(&p.out, AX_LIT("a\x1b[31mb\nc\x7f née"));
    assert_string_equal(close_pipe(&p), "a?[31mb?c? née");
}

static void formatted_text_of_any_length_arrives(void **state)
{
    (void)state;
    int file = open("/dev/null", O_WRONLY);
    ax_out out;
    ax_out_init(&out, file, AX_COLOR_NEVER);
    char *large = malloc(300001);
    memset(large, 'x', 300000);
    large[300000] = 0;
    ax_out_addf(&out, "%s|%d", large, 7);
    assert_int_equal(out.pending.len, 300002);
    assert_memory_equal(out.pending.ptr + 299999, "x|7", 3);
    assert_int_equal(ax_out_flush(&out, NULL), AX_OK);
    free(large);
    ax_out_free(&out);
    close(file);
}

static void a_full_disk_is_an_error_with_its_reason(void **state)
{
    (void)state;
    int file = open("/dev/full", O_WRONLY);
    ax_err err = {0};
    ax_out out;
    ax_out_init(&out, file, AX_COLOR_NEVER);
    ax_out_adds(&out, "lost");
    assert_int_equal(ax_out_flush(&out, &err), AX_IO);
    assert_string_equal(err.text, "can't write to standard output: No space left on device");
    ax_out_adds(&out, "dropped");
    assert_int_equal(ax_out_flush(&out, &err), AX_IO);
    ax_out_free(&out);
    close(file);
}

static void a_reader_that_went_away_is_a_quiet_error(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    pipe_out p = open_pipe(AX_COLOR_NEVER);
    ax_err err = {0};
    close(p.from);
    ax_out_adds(&p.out, "nobody reads this");
    assert_int_equal(ax_out_flush(&p.out, &err), AX_IO);
    assert_string_equal(err.text, "");
    ax_out_free(&p.out);
    close(p.to);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_pipe_gets_no_colours_unless_they_are_forced),
    cmocka_unit_test(control_characters_do_not_reach_a_terminal),
    cmocka_unit_test(formatted_text_of_any_length_arrives),
    cmocka_unit_test(a_full_disk_is_an_error_with_its_reason),
    cmocka_unit_test(a_reader_that_went_away_is_a_quiet_error),
};
RUN_TESTS(tests)
