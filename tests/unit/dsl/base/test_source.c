/* test_source.c - offsets to files, lines and columns. */
#include "tests/lib/test.h"

#include "dsl/base/source.h"

static ax_arena mem;
static ax_sources set;

static int start(void **state)
{
    (void)state;
    mem = AX_ARENA_INIT;
    set = ax_sources_new(&mem);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

static const ax_source *add(const char *path, ax_str text)
{
    ax_source *source = NULL;
    assert_int_equal(ax_sources_add(&set, ax_str_of(path), text, &source, NULL), AX_OK);
    return source;
}

static void assert_pos(uint32_t offset, uint32_t line, uint32_t column, const char *text)
{
    ax_pos pos = ax_sources_pos(&set, offset);
    assert_non_null(pos.source);
    assert_int_equal(pos.line, line);
    assert_int_equal(pos.column, column);
    assert_str(pos.line_text, text);
    assert_int_equal(ax_sources_line(&set, offset), line);
}

static void places_are_found_in_every_file(void **state)
{
    (void)state;
    uint32_t a = add("a", AX_LIT("one\ntwo\n"))->base;
    uint32_t b = add("b", AX_LIT("three"))->base;
    uint32_t c = add("c", AX_LIT(""))->base;
    assert_pos(a, 1, 1, "one");
    assert_pos(a + 2, 1, 3, "one");
    assert_pos(a + 3, 1, 4, "one");
    assert_pos(a + 4, 2, 1, "two");
    assert_pos(a + 8, 3, 1, "");
    assert_pos(b + 4, 1, 5, "three");
    assert_pos(b + 5, 1, 6, "three");
    assert_pos(c, 1, 1, "");
    assert_str(ax_sources_pos(&set, b).source->path, "b");
}

static void columns_count_code_points(void **state)
{
    (void)state;
    uint32_t a = add("a", AX_LIT("\tgrün = 日本\n"))->base;
    assert_pos(a + 1, 1, 2, "\tgrün = 日本");
    assert_pos(a + 5, 1, 5, "\tgrün = 日本");
    assert_pos(a + 12, 1, 10, "\tgrün = 日本");
}

static void carriage_returns_belong_to_the_line_end(void **state)
{
    (void)state;
    uint32_t a = add("a", AX_LIT("one\r\ntwo\rstill\r\n"))->base;
    assert_pos(a + 3, 1, 4, "one");
    assert_pos(a + 4, 1, 4, "one");
    assert_pos(a + 5, 2, 1, "two\rstill");
}

static void a_byte_order_mark_is_in_no_column(void **state)
{
    (void)state;
    uint32_t a = add("a", AX_LIT("\xEF\xBB\xBFone\n\xEF\xBB\xBFx"))->base;
    assert_pos(a, 1, 1, "one");
    assert_pos(a + 3, 1, 1, "one");
    assert_pos(a + 5, 1, 3, "one");
    assert_pos(a + 10, 2, 2, "\xEF\xBB\xBFx");
}

static void nowhere_has_no_source(void **state)
{
    (void)state;
    add("a", AX_LIT("x"));
    assert_null(ax_sources_pos(&set, 0).source);
    assert_int_equal(ax_sources_line(&set, 0), 0);
    assert_str(ax_sources_text(&set, (ax_span){0, 0}), "");
}

static void spans_give_their_bytes(void **state)
{
    (void)state;
    uint32_t a = add("a", AX_LIT("one two"))->base;
    assert_str(ax_sources_text(&set, (ax_span){a + 4, a + 7}), "two");
    assert_str(ax_sources_text(&set, (ax_span){a + 4, a + 99}), "two");
    assert_str(ax_sources_text(&set, (ax_span){a + 4, a + 4}), "");
}

static void joined_spans_reach_from_first_to_last(void **state)
{
    (void)state;
    ax_span joined = ax_span_join((ax_span){3, 5}, (ax_span){9, 12});
    assert_int_equal(joined.beg, 3);
    assert_int_equal(joined.end, 12);
    assert_int_equal(ax_span_join((ax_span){0, 0}, (ax_span){9, 12}).beg, 9);
    assert_int_equal(ax_span_join((ax_span){3, 5}, (ax_span){0, 0}).end, 5);
}

static void limits_are_errors_that_name_the_file(void **state)
{
    (void)state;
    ax_err err;
    ax_source *source;
    /* Only the length is looked at, so no such text is needed. */
    ax_str huge = {"", (size_t)AX_SOURCE_BYTES_MAX + 1};
    assert_int_equal(ax_sources_add(&set, AX_LIT("huge"), huge, &source, &err), AX_INVALID);
    assert_string_equal(err.text, "huge is larger than 536870912 bytes");
    ax_str large = {"", AX_SOURCE_BYTES_MAX};
    for (int i = 0; i < 5; i++)
        assert_int_equal(ax_sources_add(&set, AX_LIT("l"), large, &source, &err), AX_OK);
    assert_int_equal(ax_sources_add(&set, AX_LIT("last"), large, &source, &err), AX_INVALID);
    assert_string_equal(err.text, "with last, the files are larger than 3221225472 bytes together");
}

static void missing_files_are_named(void **state)
{
    (void)state;
    ax_err err;
    ax_source *source;
    assert_int_equal(ax_sources_read(&set, "/no/such.axf", &source, &err), AX_NOT_FOUND);
    assert_string_equal(err.text, "cannot open /no/such.axf: No such file or directory");
}

#define WITH_SET(test) cmocka_unit_test_setup_teardown(test, start, stop)

static const struct CMUnitTest tests[] = {
    WITH_SET(places_are_found_in_every_file),
    WITH_SET(columns_count_code_points),
    WITH_SET(carriage_returns_belong_to_the_line_end),
    WITH_SET(a_byte_order_mark_is_in_no_column),
    WITH_SET(nowhere_has_no_source),
    WITH_SET(spans_give_their_bytes),
    WITH_SET(joined_spans_reach_from_first_to_last),
    WITH_SET(limits_are_errors_that_name_the_file),
    WITH_SET(missing_files_are_named),
};

RUN_TESTS(tests)
