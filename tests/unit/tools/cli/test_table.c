/* test_table.c - tables: columns as wide as their texts, and on a terminal not wider than it. */
#include <poll.h>
#include <pty.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "dsl/base/utf8.h"
#include "tests/lib/test.h"
#include "tools/cli/table.h"

static const ax_column columns[] = {
    {.head = "NAME", .cut = AX_CUT_MIDDLE},
    {.head = "N", .right = true},
    {.head = "WHY", .cut = AX_CUT_END},
};

/* A stream whose other end is read: a pipe, or a terminal of so many columns. */
typedef struct {
    int from, to;
    ax_arena mem;
    ax_out out;
    ax_table table;
} sheet;

static void open_sheet(sheet *s, unsigned short width)
{
    *s = (sheet){0};
    int ends[2] = {-1, -1};
    struct winsize size = {.ws_row = 24, .ws_col = width};
    if (width == 0) {
        assert_int_equal(pipe(ends), 0);
    } else {
        struct termios raw = {0};
        cfmakeraw(&raw);
        assert_int_equal(openpty(&ends[0], &ends[1], NULL, &raw, &size), 0);
    }
    s->from = ends[0];
    s->to = ends[1];
    ax_out_init(&s->out, s->to, AX_COLOR_NEVER);
    s->table = ax_table_new(&s->mem, columns, 3);
}

static void add_row(sheet *s, const char *name, const char *n, const char *why)
{
    ax_table_add(&s->table, AX_STYLE_PLAIN, ax_str_of(name));
    ax_table_add(&s->table, AX_STYLE_PLAIN, ax_str_of(n));
    ax_table_add(&s->table, AX_STYLE_PLAIN, ax_str_of(why));
}

/* Prints what was added and compares with everything that came out. */
static void then_prints(sheet *s, const char *want)
{
    char text[4096];
    ax_table_print(&s->table, &s->out);
    assert_int_equal(ax_out_flush(&s->out, NULL), AX_OK);
    size_t len = 0, all = strlen(want);
    struct pollfd ready = {.fd = s->from, .events = POLLIN};
    while (len < all && poll(&ready, 1, 2000) > 0) { /* a terminal may give it in parts */
        ssize_t got = read(s->from, text + len, sizeof text - 1 - len);
        assert_true(got > 0);
        len += (size_t)got;
    }
    text[len] = '\0';
    assert_string_equal(text, want);
}

static void close_sheet(sheet *s)
{
    close(s->from);
    close(s->to);
    ax_out_free(&s->out);
    ax_arena_free(&s->mem);
}

static void columns_are_as_wide_as_their_widest_text(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s, 0);
    add_row(&s, "a", "1", "because");
    add_row(&s, "longer", "22", "");
    then_prints(&s, "NAME     N  WHY\n"
                    "a        1  because\n"
                    "longer  22\n");
    close_sheet(&s);
}

static void wide_characters_take_their_columns(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s, 0);
    add_row(&s, "日本", "1", "x");
    add_row(&s, "née", "2", "y");
    add_row(&s, "plain", "3", "z");
    then_prints(&s, "NAME   N  WHY\n"
                    "日本   1  x\n"
                    "née    2  y\n"
                    "plain  3  z\n");
    close_sheet(&s);
}

static void control_characters_are_shown_as_question_marks(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s, 0);
    add_row(&s, "a\x1b[2J", "1", "two\nlines\x7f");
    then_prints(&s, "NAME   N  WHY\n"
                    "a?[2J  1  two?lines?\n");
    close_sheet(&s);
}

static void a_table_may_be_printed_in_parts(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s, 0);
    add_row(&s, "longer", "1", "x");
    then_prints(&s, "NAME    N  WHY\nlonger  1  x\n");
    add_row(&s, "b", "2", "y");
    then_prints(&s, "b       2  y\n");
    close_sheet(&s);
}

static void an_empty_table_has_its_heads(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s, 0);
    then_prints(&s, "NAME  N  WHY\n");
    close_sheet(&s);
}

static void a_terminal_cuts_names_in_the_middle_and_texts_at_the_end(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s, 45);
    add_row(&s, "transform[\"east\", \"orders\"]", "1", "something above failed: transform");
    then_prints(&s, "NAME                  N  WHY\n"
                    "transform...orders\"]  1  something above f...\n");
    close_sheet(&s);
}

static void no_line_is_wider_than_the_terminal(void **state)
{
    (void)state;
    for (unsigned short width = 40; width < 100; width++) {
        sheet s;
        open_sheet(&s, width);
        char text[4096];
        add_row(&s, "日本日本日本日本日本日本日本日本日本日本日本日本", "12345",
                "ééééééééééééééééééééééééééééééééééééééé");
        add_row(&s, "a", "1", "");
        ax_table_print(&s.table, &s.out);
        assert_int_equal(ax_out_flush(&s.out, NULL), AX_OK);
        ssize_t got = read(s.from, text, sizeof text);
        assert_true(got > 0);
        size_t begin = 0;
        for (size_t i = 0; i < (size_t)got; i++) {
            if (text[i] != '\n') continue;
            ax_str line = {text + begin, i - begin};
            assert_int_equal(ax_utf8_invalid(line), line.len);
            assert_in_range(ax_utf8_width(line), 0, width);
            begin = i + 1;
        }
        close_sheet(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(columns_are_as_wide_as_their_widest_text),
    cmocka_unit_test(wide_characters_take_their_columns),
    cmocka_unit_test(control_characters_are_shown_as_question_marks),
    cmocka_unit_test(a_table_may_be_printed_in_parts),
    cmocka_unit_test(an_empty_table_has_its_heads),
    cmocka_unit_test(a_terminal_cuts_names_in_the_middle_and_texts_at_the_end),
    cmocka_unit_test(no_line_is_wider_than_the_terminal),
};
RUN_TESTS(tests)
