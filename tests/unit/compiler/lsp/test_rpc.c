/* test_rpc.c - values of messages. */
#include "tests/lib/test.h"

#include "compiler/lsp/rpc_int.h"
#include "dsl/model/json_in.h"

static void then_clean(const char *json, const char *want)
{
    ax_arena mem = AX_ARENA_INIT;
    assert_str(ax_rpc_clean(&mem, ax_str_of(json)), want);
    ax_arena_free(&mem);
}

static void what_a_strict_reader_refuses_is_replaced_unit_for_unit(void **state)
{
    (void)state;
    then_clean("\"a\\u0000b\"", "\"a\\u0001b\"");
    then_clean("\"\\ud800\"", "\"\\ufffd\"");
    then_clean("\"\\uDC00x\"", "\"\\ufffdx\"");
    then_clean("\"\\ud800\\ud800\\udc00\"", "\"\\ufffd\\ud800\\udc00\"");
}

static void what_is_sound_stays(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "{}", "\"\\\\u0000\"", "\"\\ud834\\udd1e\"", "\"\\n\\\"\"", "\"\\u00e4\"", "\\", "\\u", "\\u12",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_str text = ax_str_of(texts[i]);
        assert_ptr_equal(ax_rpc_clean(&mem, text).ptr, text.ptr);
        ax_arena_free(&mem);
    }
}

static void paths_of_keys_are_followed_as_far_as_they_go(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_value v;
    ax_place place = {0};
    ax_str json = AX_LIT("{\"a\":{\"b\":{\"line\":3,\"character\":5000000000},\"s\":\"x\",\"t\":true,"
                         "\"l\":[1,\"x\"]},\"n\":7}");
    assert_int_equal(ax_json_read(&mem, json, 10, &v, NULL), AX_OK);
    assert_int_equal(ax_rpc_int(&v, "n", 0), 7);
    assert_int_equal(ax_rpc_int(&v, "n.m", -1), -1);
    assert_int_equal(ax_rpc_int(NULL, "n", -1), -1);
    assert_str(ax_rpc_text(&v, "a.s"), "x");
    assert_str(ax_rpc_text(&v, "a.t"), "");
    assert_true(ax_rpc_flag(&v, "a.t"));
    assert_false(ax_rpc_flag(&v, "a.s"));
    assert_true(ax_rpc_has(&v, "a.l", "x"));
    assert_false(ax_rpc_has(&v, "a.l", "y"));
    assert_true(ax_rpc_place(&v, "a.b", &place));
    assert_int_equal(place.line, 3);
    assert_int_equal(place.unit, UINT32_MAX);
    assert_false(ax_rpc_place(&v, "a", &place));
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_a_strict_reader_refuses_is_replaced_unit_for_unit),
    cmocka_unit_test(what_is_sound_stays),
    cmocka_unit_test(paths_of_keys_are_followed_as_far_as_they_go),
};

RUN_TESTS(tests)
