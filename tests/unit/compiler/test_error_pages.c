/* test_error_pages.c - each page of docs/errors is right: its wrong example gives exactly its code, its right
 * example gives nothing. Every diagnostic has a page and every page a diagnostic.
 */
#include "tests/lib/test.h"

#include <stdio.h>
#include <string.h>

#include "dsl/base/embed.h"
#include "tests/lib/compiled.h"

/* The n-th ```axf block of a page, or an empty view. */
static ax_str example(const char *page, int n)
{
    const char *at = page, *end = page;
    for (int i = 0; i <= n; i++) {
        at = strstr(end, "```axf\n");
        if (!at) return (ax_str){0};
        at += strlen("```axf\n");
        end = strstr(at, "```");
        assert_non_null(end);
    }
    return (ax_str){at, (size_t)(end - at)};
}

/* The example with the byte that no page can hold: \xE9 stands for it. */
static ax_str with_byte(ax_arena *mem, ax_str text)
{
    const char *at = memmem(text.ptr, text.len, "\\xE9", 4);
    if (!at) return text;
    size_t before = (size_t)(at - text.ptr);
    return ax_str_fmt(mem, "%.*s\xE9%.*s", (int)before, text.ptr, (int)(text.len - before - 4), at + 4);
}

/* Compiles an example; the only diagnostic must be `code` (NULL: there must be none). */
static void check_example(const char *name, ax_str text, const char *code)
{
    ax_arena mem = AX_ARENA_INIT;
    test_compiled *c = given_text(with_byte(&mem, text));
    ax_arena_free(&mem);
    uint32_t count = c->diags.errors + c->diags.warnings;
    bool sound = code ? count == 1 && strcmp(ax_diag_name(c->diags.list.at[0]->code), code) == 0 : count == 0;
    if (!sound) print_error("%s, the %s example:\n", name, code ? "wrong" : "right");
    if (!sound) then_codes(c, code ? code : "");
    end_file(c);
}

static void every_page_shows_its_own_mistake(void **state)
{
    (void)state;
    assert_true(ax_embed_errors.count > 0);
    for (size_t i = 0; i < ax_embed_errors.count; i++) {
        const ax_embed_file *page = &ax_embed_errors.files[i];
        char code[16] = {0};
        assert_int_equal(strlen(page->name), strlen("E0101.md"));
        memcpy(code, page->name, strlen("E0101"));
        check_example(page->name, example(page->text, 0), code);
        check_example(page->name, example(page->text, 1), NULL);
        assert_int_equal(example(page->text, 2).len, 0);
    }
}

static void every_diagnostic_has_a_page_with_its_title(void **state)
{
    (void)state;
    for (ax_diag_code code = 0; code < AX_DIAG_COUNT; code++) {
        char name[32], title[32];
        snprintf(name, sizeof name, "%s.md", ax_diag_name(code));
        snprintf(title, sizeof title, "# %s: ", ax_diag_name(code));
        const char *page = ax_embed_text(&ax_embed_errors, name);
        if (!page) fail_msg("there is no docs/errors/%s", name);
        assert_memory_equal(page, title, strlen(title));
    }
    assert_int_equal(ax_embed_errors.count, AX_DIAG_COUNT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_page_shows_its_own_mistake),
    cmocka_unit_test(every_diagnostic_has_a_page_with_its_title),
};
RUN_TESTS(tests)
