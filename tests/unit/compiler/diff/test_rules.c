/* test_rules.c - the page of the rules says what the table says. */
#include <string.h>

#include "compiler/diff/diff.h"
#include "dsl/base/file.h"
#include "tests/lib/test.h"

static void the_page_has_each_rule_with_its_verdict_and_reason(void **state)
{
    (void)state;
    ax_buf page = AX_BUF_INIT(1 << 20), row = AX_BUF_INIT(1 << 12);
    uint32_t rows = 0;
    assert_int_equal(ax_file_read("docs/diff.md", &page, NULL), AX_OK);
    for (int i = 0; i < AX_RULE_COUNT; i++) {
        const ax_diff_rule_row *r = &ax_diff_rules[i];
        ax_buf_clear(&row);
        ax_buf_addf(&row, "\n| `%s` | %s | %s |\n", r->name, ax_verdict_name(r->verdict), r->reason);
        bool found = strstr(page.ptr, row.ptr) != NULL;
        if (!found) print_error("docs/diff.md has no row%s", row.ptr);
        assert_true(found);
    }
    for (const char *at = strstr(page.ptr, "\n| rule |"); at[1] == '|'; at = strchr(at + 1, '\n')) rows++;
    assert_int_equal(rows, AX_RULE_COUNT + 2); /* with the head */
    ax_buf_free(&page);
    ax_buf_free(&row);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_page_has_each_rule_with_its_verdict_and_reason),
};
RUN_TESTS(tests)
