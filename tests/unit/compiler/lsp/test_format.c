/* test_format.c - the layout as edits: few, and what they come to is what `axc fmt` writes. */
#include "tests/lib/test.h"

#include <stdio.h>

#include "dsl/base/file.h"
#include "tests/lib/editor.h"
#include "tests/lib/parsed.h"

static const ax_value *format(test_editor *e)
{
    return ask(e, "textDocument/formatting", ",\"options\":{\"tabSize\":8,\"insertSpaces\":false}");
}

/* The edits, and that they give the formatter's text. */
static void then_edits(const char *text, const char *want)
{
    test_editor *e = given_editor(text);
    parsed *p = parsed_file(e->text);
    const ax_value *edits = format(e);
    assert_non_null(edits);
    if (want) assert_string_equal(ranges(e, edits), want);
    assert_str(parsed_fmt(p), after_edits(e, edits));
    parsed_free(p);
    end_editor(e);
}

static void what_is_in_the_layout_has_no_edits(void **state)
{
    (void)state;
    then_edits("workflow w {\n  gate a { }\n}\n", "");
    then_edits("", "");
}

static void an_edit_is_only_what_differs(void **state)
{
    (void)state;
    then_edits("workflow w {\n    gate a { }\n}\n", "1:2-4=");
    then_edits("workflow  w {\n  gate a {}\n}\n", "0:9-10= 1:10-10= ");
    then_edits("workflow w {\n  tags = [a,b]\n}\n", "1:12-12= ");
    then_edits("\xEF\xBB\xBFlet x = 1\n", "0:0-1=");
    then_edits("let x = 1\r\nlet y = 2\r\n", NULL);
    then_edits("workflow w { task a { run = \"\"\"\n x\n   y\n \"\"\" } }", NULL);
    then_edits("# comment\n\n\n\nlet x={a=1,b=[1,2,],}", NULL);
    then_edits("workflow w{task a{run=\"x  ,  y {{ a+b }}\"}a->b,}", NULL);
}

static void every_example_is_formatted_as_the_formatter_does(void **state)
{
    (void)state;
    static const char *const names[] = {"hello", "nightly_report", "repair"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        ax_buf text = AX_BUF_INIT(1 << 20), loose = AX_BUF_INIT(1 << 20);
        snprintf(path, sizeof path, "examples/workflows/%s.axf", names[i]);
        assert_int_equal(ax_file_read(path, &text, NULL), AX_OK);
        for (size_t k = 0; k < text.len; k++) { /* every line begins with a tab more */
            ax_buf_addc(&loose, text.ptr[k] == '|' ? '_' : text.ptr[k]);
            if (text.ptr[k] == '\n') ax_buf_addc(&loose, '\t');
        }
        then_edits(loose.ptr, NULL);
        ax_buf_free(&text);
        ax_buf_free(&loose);
    }
}

static void a_broken_file_is_left_alone(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w { = }");
    assert_null(format(e));
    assert_string_equal(e->error, "a file with a syntax error is not formatted");
    end_editor(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_in_the_layout_has_no_edits),
    cmocka_unit_test(an_edit_is_only_what_differs),
    cmocka_unit_test(every_example_is_formatted_as_the_formatter_does),
    cmocka_unit_test(a_broken_file_is_left_alone),
};

RUN_TESTS(tests)
