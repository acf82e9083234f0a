/* test_lsp.c - the life of a server: what it answers when, documents and their changes, diagnostics. */
#include "tests/lib/test.h"

#include <string.h>

#include "tests/lib/editor.h"

#define WRONG "workflow w { task a { run = \"x\"  timout = 5m } }"

static void change(test_editor *e, const char *changes)
{
    tell(e, "textDocument/didChange",
         ax_str_fmt(&e->mem,
                    "{\"textDocument\":{\"uri\":\"" TEST_URI "\",\"version\":3},\"contentChanges\":%s}",
                    changes)
             .ptr);
}

/* The text as the server has it: what formatting makes of it. */
static const char *server_text(test_editor *e, const char *text)
{
    e->text = ax_str_of(text);
    const ax_value *edits = ask(e, "textDocument/formatting", "");
    assert_non_null(edits);
    return after_edits(e, edits);
}

/* ---- life ---- */

static void nothing_goes_before_initialize(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_buf out = AX_BUF_INIT(1 << 20);
    ax_lsp *s = ax_lsp_new(&mem, "test");
    ax_lsp_message(s, AX_LIT("{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{}}"), 0, &out);
    assert_non_null(strstr(out.ptr, "-32002"));
    ax_buf_clear(&out);
    ax_lsp_message(s, AX_LIT("{\"method\":\"textDocument/didOpen\",\"params\":{}}"), 0, &out);
    ax_lsp_settle(s, &out);
    assert_int_equal(out.len, 0);
    ax_lsp_message(s, AX_LIT("{\"method\":\"exit\"}"), 0, &out);
    assert_true(ax_lsp_is_over(s));
    assert_false(ax_lsp_is_shut_down(s));
    ax_lsp_free(s);
    ax_buf_free(&out);
    ax_arena_free(&mem);
}

static void after_shutdown_only_exit_goes(void **state)
{
    (void)state;
    test_editor *e = given_editor(WRONG);
    assert_non_null(ask_with(e, "shutdown", "null"));
    assert_null(ask(e, "textDocument/hover", ""));
    assert_string_equal(e->error, "the server is shut down");
    tell(e, "exit", "null");
    assert_true(ax_lsp_is_over(e->lsp));
    assert_true(ax_lsp_is_shut_down(e->lsp));
    e->sent.len = 0;
    send_text(e, "{\"id\":9,\"method\":\"initialize\"}");
    assert_int_equal(e->sent.len, 0);
    end_editor(e);
}

static void initialize_goes_once_and_says_what_there_is(void **state)
{
    (void)state;
    test_editor *e =
        given_editor_with("{\"general\":{\"positionEncodings\":[\"utf-7\",\"utf-32\",\"utf-16\"]}}", NULL);
    assert_null(ask_with(e, "initialize", "{}"));
    assert_string_equal(e->error, "the server is initialized already");
    end_editor(e);

    ax_arena mem = AX_ARENA_INIT;
    ax_buf out = AX_BUF_INIT(1 << 20);
    ax_lsp *s = ax_lsp_new(&mem, "1.2.3");
    ax_lsp_message(
        s,
        AX_LIT("{\"id\":\"x\",\"method\":\"initialize\",\"params\":{\"capabilities\":{\"general\":{"
               "\"positionEncodings\":[\"utf-7\",\"utf-8\",\"utf-16\"]}}}}"),
        0, &out);
    assert_non_null(strstr(out.ptr, "\"id\":\"x\""));
    assert_non_null(strstr(out.ptr, "\"positionEncoding\":\"utf-8\""));
    assert_non_null(strstr(out.ptr, "\"version\":\"1.2.3\""));
    assert_non_null(strstr(out.ptr, "\"renameProvider\""));
    ax_lsp_free(s);
    ax_buf_free(&out);
    ax_arena_free(&mem);
}

/* ---- messages that are none ---- */

static void what_is_no_request_is_told_and_survived(void **state)
{
    (void)state;
    static const struct {
        const char *message, *code;
    } cases[] = {
        {"", "-32700"},
        {"nonsense", "-32700"},
        {"{\"id\":1,\"id\":2}", "-32700"},
        {"[]", "-32600"},
        {"{}", "-32600"},
        {"null", "-32600"},
        {"{\"id\":5}", "-32600"},
        {"{\"id\":5,\"method\":7}", "-32600"},
        {"{\"id\":5,\"method\":\"no/such\"}", "-32601"},
        {"{\"id\":5,\"method\":\"textDocument/hover\"}", "-32602"},
        {"{\"id\":5,\"method\":\"textDocument/hover\",\"params\":[1]}", "-32602"},
        {"{\"id\":5,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":\"" TEST_URI
         "\"}}}",
         "-32602"},
        {"{\"id\":5,\"method\":\"textDocument/codeAction\",\"params\":{\"textDocument\":{\"uri\":\"" TEST_URI
         "\"}}}",
         "-32602"},
    };
    test_editor *e = given_editor(WRONG);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        e->sent.len = 0;
        send_text(e, cases[i].message);
        assert_int_equal(e->sent.len, 1);
        assert_string_equal(json_of(e, at_path(&e->sent.at[0], "error.code")), cases[i].code);
    }
    assert_non_null(ask(e, "textDocument/hover", ""));
    end_editor(e);
}

static void what_needs_no_answer_gets_none(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "{\"method\":\"no/such\"}",
        "{\"method\":\"$/cancelRequest\",\"params\":{\"id\":1}}",
        "{\"method\":\"textDocument/hover\"}",
        "{\"id\":1,\"result\":null}",
        "{\"id\":1,\"error\":{}}",
        "{\"method\":\"textDocument/didOpen\"}",
        "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"file:///other\"}}}",
        "{\"method\":\"textDocument/didClose\",\"params\":{\"textDocument\":{\"uri\":\"file:///other\"}}}",
    };
    test_editor *e = given_editor(WRONG);
    e->sent.len = 0;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) send_text(e, messages[i]);
    wait_for_server(e);
    assert_int_equal(e->sent.len, 0);
    end_editor(e);
}

/* ---- documents ---- */

static void a_file_that_is_opened_is_checked(void **state)
{
    (void)state;
    test_editor *e = given_editor(WRONG);
    assert_string_equal(diagnostics(e), "E0203 0:33-39");
    end_editor(e);
}

static void changes_are_carried_out_in_their_order(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w { task a { run = \"x\"  timeout = 5m } }\n");
    change(e, "[{\"range\":{\"start\":{\"line\":0,\"character\":9},\"end\":{\"line\":0,\"character\":10}},"
              "\"text\":\"first\"},"
              "{\"range\":{\"start\":{\"line\":0,\"character\":14},\"end\":{\"line\":0,\"character\":14}},"
              "\"text\":\"_ä\"},"
              "{\"range\":{\"start\":{\"line\":0,\"character\":15},\"end\":{\"line\":0,\"character\":16}},"
              "\"text\":\"x\"}]");
    const char *now = "workflow first_x { task a { run = \"x\"  timeout = 5m } }\n";
    assert_string_equal(server_text(e, now), now);
    wait_for_server(e);
    assert_string_equal(diagnostics(e), "");
    end_editor(e);
}

static void places_are_counted_as_the_client_counts(void **state)
{
    (void)state;
    static const struct {
        const char *units, *want;
    } cases[] = {{"utf-8", "E0203 0:35-41"}, {"utf-16", "E0203 0:32-38"}, {"utf-32", "E0203 0:31-37"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_str able = ax_str_fmt(&mem, "{\"general\":{\"positionEncodings\":[\"%s\"]}}", cases[i].units);
        test_editor *e = given_editor_with(able.ptr, "workflow w { gate a { doc=\"𝄞ä\" timout=1 } }");
        assert_string_equal(diagnostics(e), cases[i].want);
        end_editor(e);
        ax_arena_free(&mem);
    }
}

static void a_change_that_makes_no_sense_ends_the_care_for_the_file(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "[{}]",
        "[7]",
        "[{\"text\":null}]",
        "[{\"range\":{},\"text\":\"\"}]",
        ("[{\"range\":{\"start\":{\"line\":0,\"character\":5},\"end\":{\"line\":0,\"character\":1}},\"text\":"
         "\"\"}]"),
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        test_editor *e = given_editor(WRONG);
        change(e, changes[i]);
        assert_string_equal(diagnostics(e), "");
        assert_null(ask(e, "textDocument/hover", ""));
        assert_string_equal(e->error, "the document '" TEST_URI "' is not open");
        end_editor(e);
    }
}

static void no_changes_change_nothing(void **state)
{
    (void)state;
    test_editor *e = given_editor(WRONG);
    change(e, "[]");
    change(e, "null");
    e->sent.len = 0;
    wait_for_server(e);
    assert_int_equal(e->sent.len, 0);
    assert_non_null(ask(e, "textDocument/hover", ""));
    end_editor(e);
}

static void several_changes_are_checked_once(void **state)
{
    (void)state;
    test_editor *e = given_editor(WRONG);
    e->sent.len = 0;
    for (int i = 0; i < 10; i++) type_text(e, i < 9 ? "workflow" : WRONG " #");
    wait_for_server(e);
    wait_for_server(e);
    assert_int_equal(e->sent.len, 1);
    assert_string_equal(diagnostics(e), "E0203 0:33-39");
    end_editor(e);
}

static void a_file_that_is_closed_has_no_diagnostics(void **state)
{
    (void)state;
    test_editor *e = given_editor(WRONG);
    tell(e, "textDocument/didClose", "{\"textDocument\":{\"uri\":\"" TEST_URI "\"}}");
    assert_string_equal(diagnostics(e), "");
    assert_null(ask(e, "textDocument/hover", ""));
    end_editor(e);
}

static void characters_that_no_text_has_keep_their_place(void **state)
{
    (void)state;
    test_editor *e = given_editor(NULL);
    tell(e, "textDocument/didOpen",
         "{\"textDocument\":{\"uri\":\"" TEST_URI
         "\",\"version\":1,\"text\":\"# \\u0000\\ud800 x\\nzzz = 1\"}}");
    wait_for_server(e);
    assert_string_equal(diagnostics(e), "E0104 0:2-3 E0203 1:0-3");
    end_editor(e);
}

static void there_is_a_limit_to_open_files(void **state)
{
    (void)state;
    test_editor *e = given_editor(NULL);
    for (uint32_t i = 0; i <= AX_LSP_DOCS_MAX; i++)
        tell(e, "textDocument/didOpen",
             ax_str_fmt(&e->mem, "{\"textDocument\":{\"uri\":\"file:///%u\",\"version\":1,\"text\":\"\"}}", i)
                 .ptr);
    assert_int_equal(e->sent.len, 1);
    assert_string_equal(json_of(e, at_path(&e->sent.at[0], "method")), "\"window/showMessage\"");
    tell(e, "textDocument/didClose", "{\"textDocument\":{\"uri\":\"file:///7\"}}");
    e->sent.len = 0;
    tell(e, "textDocument/didOpen",
         "{\"textDocument\":{\"uri\":\"file:///new\",\"version\":1,\"text\":\"\"}}");
    assert_int_equal(e->sent.len, 0);
    end_editor(e);
}

/* ---- diagnostics ---- */

static void notes_and_advice_come_along(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w {\n  gate a { }\n  gate a { }\n}\n");
    const ax_value *d = at_path(&e->sent.at[0], "params.diagnostics.0");
    assert_string_equal(json_of(e, at_path(d, "severity")), "1");
    assert_string_equal(json_of(e, at_path(d, "source")), "\"axc\"");
    assert_string_equal(json_of(e, at_path(d, "codeDescription.href")), "\"axc-explain:/E0201.md\"");
    assert_string_equal(json_of(e, at_path(d, "relatedInformation.0.message")), "\"it is defined here\"");
    assert_string_equal(ranges(e, at_path(d, "relatedInformation")), "1:7-8");
    end_editor(e);
}

static void what_is_unused_is_marked_as_unnecessary(void **state)
{
    (void)state;
    test_editor *e = given_editor("workflow w {\n  let x = 1\n  gate a { }\n}\n");
    assert_string_equal(diagnostics(e), "W0603 1:6-7");
    assert_string_equal(json_of(e, at_path(&e->sent.at[0], "params.diagnostics.0.tags")), "[1]");
    end_editor(e);
}

static void the_pages_of_diagnostics_are_where_the_client_says(void **state)
{
    (void)state;
    test_editor *e = given_editor(NULL);
    ax_lsp_free(e->lsp);
    e->lsp = ax_lsp_new(&e->mem, "test");
    ask_with(
        e, "initialize",
        "{\"capabilities\":{},\"initializationOptions\":{\"errorPages\":\"https://docs.example/errors\"}}");
    tell(e, "textDocument/didOpen",
         "{\"textDocument\":{\"uri\":\"" TEST_URI "\",\"version\":1,\"text\":\"zzz = 1\"}}");
    wait_for_server(e);
    assert_string_equal(json_of(e, at_path(&e->sent.at[0], "params.diagnostics.0.codeDescription.href")),
                        "\"https://docs.example/errors/E0203.md\"");
    end_editor(e);
}

static void the_page_of_a_diagnostic_can_be_asked_for(void **state)
{
    (void)state;
    test_editor *e = given_editor(NULL);
    const ax_value *page = ask_with(e, "axc/explain", "{\"code\":\"E0203\"}");
    assert_true(ax_str_starts(page->u.s, AX_LIT("# E0203")));
    assert_int_equal(ask_with(e, "axc/explain", "{\"code\":\"E9999\"}")->kind, AX_T_NULL);
    assert_int_equal(ask_with(e, "axc/explain", "{}")->kind, AX_T_NULL);
    end_editor(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_goes_before_initialize),
    cmocka_unit_test(after_shutdown_only_exit_goes),
    cmocka_unit_test(initialize_goes_once_and_says_what_there_is),
    cmocka_unit_test(what_is_no_request_is_told_and_survived),
    cmocka_unit_test(what_needs_no_answer_gets_none),
    cmocka_unit_test(a_file_that_is_opened_is_checked),
    cmocka_unit_test(changes_are_carried_out_in_their_order),
    cmocka_unit_test(places_are_counted_as_the_client_counts),
    cmocka_unit_test(a_change_that_makes_no_sense_ends_the_care_for_the_file),
    cmocka_unit_test(no_changes_change_nothing),
    cmocka_unit_test(several_changes_are_checked_once),
    cmocka_unit_test(a_file_that_is_closed_has_no_diagnostics),
    cmocka_unit_test(characters_that_no_text_has_keep_their_place),
    cmocka_unit_test(there_is_a_limit_to_open_files),
    cmocka_unit_test(notes_and_advice_come_along),
    cmocka_unit_test(what_is_unused_is_marked_as_unnecessary),
    cmocka_unit_test(the_pages_of_diagnostics_are_where_the_client_says),
    cmocka_unit_test(the_page_of_a_diagnostic_can_be_asked_for),
};

RUN_TESTS(tests)
