/* test_diag_render.c - where the caret stands, what is cut, what is never printed. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/base/diag_render.h"

static ax_arena mem;
static ax_sources sources;
static ax_diags diags;
static ax_buf out;
static uint32_t base;

static int start(void **state)
{
    (void)state;
    mem = AX_ARENA_INIT;
    sources = ax_sources_new(&mem);
    diags = ax_diags_new(&mem, &sources);
    out = AX_BUF_INIT(1 << 20);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ax_buf_free(&out);
    ax_arena_free(&mem);
    return 0;
}

static void given_source(ax_str text)
{
    ax_source *source = NULL;
    assert_int_equal(ax_sources_add(&sources, AX_LIT("main.axf"), text, &source, NULL), AX_OK);
    base = source->base;
}

/* A span over the first `word` in the source, or behind all if it is not there. */
static ax_span span_of(const char *word)
{
    ax_str text = sources.files.at[0]->text;
    const char *at = memmem(text.ptr, text.len, word, strlen(word));
    uint32_t beg = base + (uint32_t)(at ? (size_t)(at - text.ptr) : text.len);
    return (ax_span){beg, beg + (uint32_t)(at ? strlen(word) : 0)};
}

static void then_text_is(const char *want)
{
    ax_buf_clear(&out);
    ax_diags_text(&diags, false, &out);
    assert_str(ax_buf_str(&out), want);
}

static void a_diagnostic_shows_line_caret_notes_and_help(void **state)
{
    (void)state;
    given_source(AX_LIT("workflow w {\n  task a {\n    timout = 5m\n  }\n}\n"));
    ax_diag *d = ax_diag_add(&diags, AX_E0203, span_of("timout"), "a task has no attribute 'timout'");
    ax_diag_note(&diags, d, span_of("task"), "in this task");
    ax_diag_note(&diags, d, (ax_span){0, 0}, "a note without a place");
    ax_diag_did_you_mean(&diags, d, d->span, AX_LIT("timeout"));
    then_text_is("main.axf:3:5: error[E0203]: a task has no attribute 'timout'\n"
                 "    3 |     timout = 5m\n"
                 "      |     ^^^^^^\n"
                 "main.axf:2:3: note: in this task\n"
                 "    2 |   task a {\n"
                 "      |   ^^^^\n"
                 "      = note: a note without a place\n"
                 "      = help: did you mean 'timeout'?\n");
}

static void diagnostics_are_separated_by_an_empty_line(void **state)
{
    (void)state;
    given_source(AX_LIT("a b"));
    ax_diag_add(&diags, AX_E0203, span_of("a"), "one");
    ax_diag_add(&diags, AX_W0601, span_of("b"), "two");
    then_text_is("main.axf:1:1: error[E0203]: one\n"
                 "    1 | a b\n"
                 "      | ^\n"
                 "\n"
                 "main.axf:1:3: warning[W0601]: two\n"
                 "    1 | a b\n"
                 "      |   ^\n");
}

static void tabs_stay_tabs_above_the_caret(void **state)
{
    (void)state;
    given_source(AX_LIT("\ta\tbad\n"));
    ax_diag_add(&diags, AX_E0203, span_of("bad"), "m");
    then_text_is("main.axf:1:4: error[E0203]: m\n"
                 "    1 | \ta\tbad\n"
                 "      | \t \t^^^\n");
}

static void wide_characters_take_two_columns(void **state)
{
    (void)state;
    given_source(AX_LIT("\"日本\" e\xCC\x81 語語\n"));
    ax_diag_add(&diags, AX_E0203, span_of("語語"), "m");
    then_text_is("main.axf:1:9: error[E0203]: m\n"
                 "    1 | \"日本\" e\xCC\x81 語語\n"
                 "      |          ^^^^\n");
}

static void an_empty_span_is_one_caret(void **state)
{
    (void)state;
    given_source(AX_LIT("task a {"));
    ax_diag_add(&diags, AX_E0110, span_of("not there"), "the file ends inside a block");
    then_text_is("main.axf:1:9: error[E0110]: the file ends inside a block\n"
                 "    1 | task a {\n"
                 "      |         ^\n");
}

static void a_span_of_several_lines_is_marked_on_its_first(void **state)
{
    (void)state;
    given_source(AX_LIT("run = \"\"\"\n  x\n\"\"\"\n"));
    ax_span span = span_of("\"\"\"");
    span.end += 8;
    ax_diag_add(&diags, AX_E0301, span, "m");
    then_text_is("main.axf:1:7: error[E0301]: m\n"
                 "    1 | run = \"\"\"\n"
                 "      |       ^^^\n");
}

static void a_long_line_is_cut_around_the_caret(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(10000);
    for (int i = 0; i < 1000; i++) ax_buf_adds(&text, i == 500 ? "BAD" : "ü");
    given_source(ax_buf_str(&text));
    ax_diag_add(&diags, AX_E0203, span_of("BAD"), "m");
    ax_diags_text(&diags, false, &out);
    const char *line = strchr(out.ptr, '\n') + 1;
    const char *carets = strchr(line, '\n') + 1;
    ax_str shown = {line, (size_t)(carets - line) - 1};
    assert_memory_equal(line, "    1 | …ü", strlen("    1 | …ü"));
    assert_int_equal(ax_str_ends(shown, AX_LIT("ü…")), 1);
    assert_int_equal(strcspn(carets, "^"), strlen("    1 | ") + 1 + 60);
    assert_non_null(strstr(carets, "^^^\n"));
    ax_buf_free(&text);
}

static void the_end_of_a_long_line_is_shown_in_full(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(10000);
    for (int i = 0; i < 200; i++) ax_buf_addc(&text, '.');
    ax_buf_adds(&text, "BAD");
    given_source(ax_buf_str(&text));
    ax_diag_add(&diags, AX_E0203, span_of("BAD"), "m");
    ax_diags_text(&diags, false, &out);
    const char *line = strchr(out.ptr, '\n') + 1;
    assert_int_equal(strcspn(line, "B"), strlen("    1 | …") + 97);
    ax_buf_free(&text);
}

static void source_text_cannot_drive_the_terminal(void **state)
{
    (void)state;
    given_source(AX_LIT("\033[31m \xE2\x80\xAE \xFF x\n"));
    ax_diag_add(&diags, AX_E0101, span_of("x"), "m\033[0m\n");
    then_text_is("main.axf:1:11: error[E0101]: m\xEF\xBF\xBD[0m\xEF\xBF\xBD\n"
                 "    1 | \xEF\xBF\xBD[31m \xEF\xBF\xBD \xEF\xBF\xBD x\n"
                 "      |           ^\n");
}

static void a_diagnostic_without_a_place_is_one_line(void **state)
{
    (void)state;
    ax_diag_add(&diags, AX_E0401, (ax_span){0, 0}, "m");
    then_text_is("error[E0401]: m\n");
}

static void what_was_not_kept_is_counted_at_the_end(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < AX_DIAGS_SHOWN_MAX + 7; i++) ax_diag_add(&diags, AX_E0401, (ax_span){0, 0}, "m");
    ax_diags_text(&diags, false, &out);
    assert_true(ax_str_ends(ax_buf_str(&out), AX_LIT("error[E0401]: m\n\n7 more are not shown\n")));
}

static void colors_change_nothing_but_colors(void **state)
{
    (void)state;
    given_source(AX_LIT("a"));
    ax_diag *d = ax_diag_add(&diags, AX_E0203, span_of("a"), "m");
    ax_diag_note(&diags, d, span_of("a"), "n");
    ax_diag_help(&diags, d, "h");
    ax_diags_text(&diags, true, &out);
    ax_buf plain = AX_BUF_INIT(1000);
    for (size_t i = 0; i < out.len; i++) {
        if (out.ptr[i] == '\033') i += strcspn(out.ptr + i, "m");
        else ax_buf_addc(&plain, out.ptr[i]);
    }
    assert_true(plain.len < out.len);
    then_text_is(plain.ptr);
    ax_buf_free(&plain);
}

static void json_has_every_place(void **state)
{
    (void)state;
    given_source(AX_LIT("a\nbcd e\n"));
    ax_diag *d = ax_diag_add(&diags, AX_E0203, span_of("bcd"), "say \"what\"");
    ax_diag_note(&diags, d, span_of("e"), "n");
    ax_diag_did_you_mean(&diags, d, d->span, AX_LIT("x"));
    ax_diags_json(&diags, &out);
    assert_str(
        ax_buf_str(&out),
        "[\n"
        "  {\n"
        "    \"code\": \"E0203\",\n"
        "    \"slug\": \"unknown-attribute\",\n"
        "    \"severity\": \"error\",\n"
        "    \"message\": \"say \\\"what\\\"\",\n"
        "    \"file\": \"main.axf\",\n"
        "    \"line\": 2,\n"
        "    \"column\": 1,\n"
        "    \"end_line\": 2,\n"
        "    \"end_column\": 4,\n"
        "    \"notes\": [\n"
        "      {\"message\": \"n\", \"file\": \"main.axf\", \"line\": 2, \"column\": 5, \"end_line\": 2, "
        "\"end_column\": 6}\n"
        "    ],\n"
        "    \"help\": \"did you mean 'x'?\",\n"
        "    \"edit\": {\"file\": \"main.axf\", \"line\": 2, \"column\": 1, \"end_line\": 2, "
        "\"end_column\": 4, \"replacement\": \"x\"}\n"
        "  }\n"
        "]");
}

#define WITH_DIAGS(test) cmocka_unit_test_setup_teardown(test, start, stop)

static const struct CMUnitTest tests[] = {
    WITH_DIAGS(a_diagnostic_shows_line_caret_notes_and_help),
    WITH_DIAGS(diagnostics_are_separated_by_an_empty_line),
    WITH_DIAGS(tabs_stay_tabs_above_the_caret),
    WITH_DIAGS(wide_characters_take_two_columns),
    WITH_DIAGS(an_empty_span_is_one_caret),
    WITH_DIAGS(a_span_of_several_lines_is_marked_on_its_first),
    WITH_DIAGS(a_long_line_is_cut_around_the_caret),
    WITH_DIAGS(the_end_of_a_long_line_is_shown_in_full),
    WITH_DIAGS(source_text_cannot_drive_the_terminal),
    WITH_DIAGS(a_diagnostic_without_a_place_is_one_line),
    WITH_DIAGS(what_was_not_kept_is_counted_at_the_end),
    WITH_DIAGS(colors_change_nothing_but_colors),
    WITH_DIAGS(json_has_every_place),
};

RUN_TESTS(tests)
