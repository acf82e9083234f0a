/* test_lexemes.c - tokens of texts, sound or not. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/base/buf.h"
#include "dsl/syntax/lexemes.h"

/* The tokens as "kind:text", with "/" in front of the first of a line but the first. Closers that the text
 * lacks have no text. */
static void then_lexemes(const char *text, const char *want)
{
    static const char *const names[] = {
        [AX_LEXEME_END] = "end",     [AX_LEXEME_NAME] = "name",   [AX_LEXEME_WORD] = "word",
        [AX_LEXEME_LITERAL] = "lit", [AX_LEXEME_STRING] = "str",  [AX_LEXEME_TEXT] = "text",
        [AX_LEXEME_OPEN] = "open",   [AX_LEXEME_CLOSE] = "close", [AX_LEXEME_SIGN] = "sign",
    };
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_source *source;
    ax_lexemes lexemes;
    ax_buf got = AX_BUF_INIT(1 << 16);
    assert_int_equal(ax_sources_add(&sources, AX_LIT("x"), ax_str_of(text), &source, NULL), AX_OK);
    ax_lexemes_read(&mem, source, &lexemes);
    for (uint32_t i = 0; i < lexemes.count; i++) {
        const ax_lexeme *t = &lexemes.at[i];
        ax_buf_addf(&got, "%s%s%s:%.*s", i ? " " : "", i && t->line_start ? "/" : "", names[t->kind],
                    AX_STR(ax_sources_text(&sources, t->span)));
    }
    assert_int_equal(lexemes.at[lexemes.count].kind, AX_LEXEME_END);
    for (uint32_t i = 0; i < lexemes.comment_count; i++)
        ax_buf_addf(&got, " %.*s", AX_STR(lexemes.comments[i].text));
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    ax_arena_free(&mem);
}

static void a_text_is_its_tokens(void **state)
{
    (void)state;
    then_lexemes("", "");
    then_lexemes("task a {\n x = 5m # c\n}", "name:task name:a open:{ /name:x sign:= lit:5m /close:} # c");
    then_lexemes("a -> b:failed", "name:a sign:-> name:b sign:: name:failed");
    then_lexemes("not a[1] in (b)", "word:not name:a open:[ lit:1 close:] word:in open:( name:b close:)");
}

static void strings_are_whole_or_in_pieces(void **state)
{
    (void)state;
    then_lexemes("\"x\" 'y'", "str:\"x\" str:'y'");
    then_lexemes("\"x{{ a }}y\"", "open:\" text:x open:{{ name:a close:}} text:y close:\"");
}

static void what_is_open_at_the_end_is_closed_by_nothing(void **state)
{
    (void)state;
    then_lexemes("a { b [", "name:a open:{ name:b open:[ close: close:");
    then_lexemes("\"x {{ a", "open:\" text:x  open:{{ name:a close: close:");
}

static void wrong_bytes_are_passed_over(void **state)
{
    (void)state;
    then_lexemes("a \x01 \x80 b", "name:a name:b");
    then_lexemes("\xFF\xFE", "");
    then_lexemes("\xEF\xBB\xBF"
                 "a",
                 "name:a");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_text_is_its_tokens),
    cmocka_unit_test(strings_are_whole_or_in_pieces),
    cmocka_unit_test(what_is_open_at_the_end_is_closed_by_nothing),
    cmocka_unit_test(wrong_bytes_are_passed_over),
};

RUN_TESTS(tests)
