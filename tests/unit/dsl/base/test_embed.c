/* test_embed.c - texts of the tree arrive in the program byte for byte. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/base/buf.h"
#include "dsl/base/embed.h"
#include "dsl/base/file.h"

static void an_unknown_name_is_not_found(void **state)
{
    (void)state;
    assert_null(ax_embed_text(&ax_embed_errors, "no such page"));
}

static void pages_are_the_files_of_the_tree(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    for (size_t i = 0; i < ax_embed_errors.count; i++) {
        const ax_embed_file *file = &ax_embed_errors.files[i];
        ax_buf text = AX_BUF_INIT(1 << 20);
        char *path = ax_str_c(&mem, ax_str_fmt(&mem, "docs/errors/%s", file->name));
        assert_int_equal(ax_file_read(path, &text, NULL), AX_OK);
        assert_str(ax_buf_str(&text), file->text);
        assert_ptr_equal(ax_embed_text(&ax_embed_errors, file->name), file->text);
        ax_buf_free(&text);
    }
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_unknown_name_is_not_found),
    cmocka_unit_test(pages_are_the_files_of_the_tree),
};

RUN_TESTS(tests)
