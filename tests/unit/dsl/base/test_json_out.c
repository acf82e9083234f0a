/* test_json_out.c - layout, escapes, numbers; what is written is read back by another library's parser. */
#include "tests/lib/test.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "dsl/base/json_out.h"
#include "dsl/base/utf8.h"

static ax_buf out;

static int start(void **state)
{
    (void)state;
    out = AX_BUF_INIT(1 << 20);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ax_buf_free(&out);
    return 0;
}

static void write_sample(int indent)
{
    ax_json j = ax_json_start(&out, indent);
    ax_json_obj(&j);
    ax_json_key(&j, "id");
    ax_json_int(&j, 7);
    ax_json_key(&j, "list");
    ax_json_arr(&j);
    ax_json_bool(&j, true);
    ax_json_null(&j);
    ax_json_end(&j);
    ax_json_keys(&j, AX_LIT("flat"));
    ax_json_obj_flat(&j);
    ax_json_key(&j, "a");
    ax_json_arr(&j);
    ax_json_cstr(&j, "x");
    ax_json_raw(&j, AX_LIT("[1]"));
    ax_json_end(&j);
    ax_json_end(&j);
    ax_json_key(&j, "empty");
    ax_json_arr(&j);
    ax_json_end(&j);
    ax_json_end(&j);
}

static void without_indent_all_is_on_one_line(void **state)
{
    (void)state;
    write_sample(0);
    assert_string_equal(out.ptr, "{\"id\":7,\"list\":[true,null],\"flat\":{\"a\":[\"x\",[1]]},\"empty\":[]}");
}

static void flat_levels_stay_on_one_line(void **state)
{
    (void)state;
    write_sample(2);
    assert_string_equal(out.ptr, "{\n"
                                 "  \"id\": 7,\n"
                                 "  \"list\": [\n"
                                 "    true,\n"
                                 "    null\n"
                                 "  ],\n"
                                 "  \"flat\": {\"a\": [\"x\", [1]]},\n"
                                 "  \"empty\": []\n"
                                 "}");
}

static const char *string_of(ax_str s)
{
    ax_buf_clear(&out);
    ax_json j = ax_json_start(&out, 0);
    ax_json_str(&j, s);
    return out.ptr;
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_string_equal(string_of(AX_LIT("")), "\"\"");
    assert_string_equal(string_of(AX_LIT("a\"b\\c/")), "\"a\\\"b\\\\c/\"");
    assert_string_equal(string_of(AX_LIT("\b\t\n\f\r")), "\"\\b\\t\\n\\f\\r\"");
    assert_string_equal(string_of(AX_LIT("\0\x1f\x7f")), "\"\\u0000\\u001f\x7f\"");
    assert_string_equal(string_of(AX_LIT("grün 日本 😀")), "\"grün 日本 😀\"");
}

static void invalid_bytes_become_replacement_characters(void **state)
{
    (void)state;
    assert_string_equal(string_of(AX_LIT("a\xFFz")), "\"a\xEF\xBF\xBDz\"");
    assert_string_equal(string_of(AX_LIT("\xE2\x82")), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void every_code_point_is_read_back(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp += cp < 0x3000 ? 1 : 61) {
        char bytes[4];
        size_t len = ax_utf8_encode(cp, bytes);
        if (len == 0) continue;
        json_error_t error;
        string_of((ax_str){bytes, len});
        json_t *back = json_loadb(out.ptr, out.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
        assert_non_null(back);
        assert_int_equal(json_string_length(back), len);
        assert_memory_equal(json_string_value(back), bytes, len);
        json_decref(back);
    }
}

static const char *number_of(double d)
{
    ax_buf_clear(&out);
    ax_json j = ax_json_start(&out, 0);
    ax_json_num(&j, d);
    return out.ptr;
}

static void numbers_are_short_and_exact(void **state)
{
    (void)state;
    assert_string_equal(number_of(0.1), "0.1");
    assert_string_equal(number_of(5), "5");
    assert_string_equal(number_of(-2.5e-300), "-2.5e-300");
    assert_string_equal(number_of(1.0 / 3), "0.3333333333333333");
    assert_string_equal(number_of(0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(number_of(NAN), "null");
    assert_string_equal(number_of(-INFINITY), "null");
}

static void integers_have_all_their_digits(void **state)
{
    (void)state;
    ax_json j = ax_json_start(&out, 0);
    ax_json_arr(&j);
    ax_json_int(&j, INT64_MIN);
    ax_json_int(&j, INT64_MAX);
    ax_json_end(&j);
    assert_string_equal(out.ptr, "[-9223372036854775808,9223372036854775807]");
}

#define WITH_OUT(test) cmocka_unit_test_setup_teardown(test, start, stop)

static const struct CMUnitTest tests[] = {
    WITH_OUT(without_indent_all_is_on_one_line),
    WITH_OUT(flat_levels_stay_on_one_line),
    WITH_OUT(strings_are_escaped),
    WITH_OUT(invalid_bytes_become_replacement_characters),
    WITH_OUT(every_code_point_is_read_back),
    WITH_OUT(numbers_are_short_and_exact),
    WITH_OUT(integers_have_all_their_digits),
};

RUN_TESTS(tests)
