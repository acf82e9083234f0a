/* test_navigate.c - definition, references, highlights. */
#include "tests/lib/test.h"

#include "tests/lib/editor.h"

#define FLOW                                                                                                 \
    "workflow w {\n"                                                                                         \
    "  task build {\n"                                                                                       \
    "    output rows : int\n"                                                                                \
    "    run = \"x\"\n"                                                                                      \
    "  }\n"                                                                                                  \
    "  task publish { run = \"{{ %s }}\" }\n"                                                                \
    "  build:failed -> publish\n"                                                                            \
    "}\n"

static test_editor *given_flow_with(const char *expr)
{
    ax_arena mem = AX_ARENA_INIT;
    test_editor *e = given_editor(ax_str_fmt(&mem, FLOW, expr).ptr);
    ax_arena_free(&mem);
    return e;
}

static void a_name_leads_to_its_declaration(void **state)
{
    (void)state;
    test_editor *e = given_flow_with("bu|ild.rows");
    const ax_value *place = ask(e, "textDocument/definition", "");
    assert_string_equal(json_of(e, at_path(place, "uri")), "\"" TEST_URI "\"");
    assert_string_equal(json_of(e, at_path(place, "range")),
                        "{\"start\":{\"line\":1,\"character\":7},\"end\":{\"line\":1,\"character\":12}}");
    end_editor(e);
    e = given_flow_with("build.row|s");
    place = ask(e, "textDocument/definition", "");
    assert_string_equal(json_of(e, at_path(place, "range.start")), "{\"line\":2,\"character\":11}");
    end_editor(e);
}

static void all_uses_are_found_with_or_without_the_declaration(void **state)
{
    (void)state;
    test_editor *e = given_flow_with("|build.rows");
    const char *with = ",\"context\":{\"includeDeclaration\":true}";
    assert_string_equal(ranges(e, ask(e, "textDocument/references", with)), "1:7-12 5:27-32 6:2-7");
    assert_string_equal(ranges(e, ask(e, "textDocument/references", "")), "5:27-32 6:2-7");
    assert_string_equal(json_of(e, at_path(ask(e, "textDocument/documentHighlight", ""), "0.kind")), "3");
    assert_string_equal(ranges(e, ask(e, "textDocument/documentHighlight", "")), "1:7-12 5:27-32 6:2-7");
    end_editor(e);
}

static void what_is_no_name_leads_nowhere(void **state)
{
    (void)state;
    test_editor *e = given_flow_with("da|te");
    assert_int_equal(ask(e, "textDocument/definition", "")->kind, AX_T_NULL);
    assert_string_equal(json_of(e, ask(e, "textDocument/references", "")), "[]");
    assert_string_equal(json_of(e, ask(e, "textDocument/documentHighlight", "")), "[]");
    end_editor(e);
}

static void the_declaration_is_found_from_itself(void **state)
{
    (void)state;
    test_editor *e = given_editor("let |x = 1\nlet y = x\n");
    assert_string_equal(ranges(e, ask(e, "textDocument/references", "")), "1:8-9");
    end_editor(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_name_leads_to_its_declaration),
    cmocka_unit_test(all_uses_are_found_with_or_without_the_declaration),
    cmocka_unit_test(what_is_no_name_leads_nowhere),
    cmocka_unit_test(the_declaration_is_found_from_itself),
};

RUN_TESTS(tests)
