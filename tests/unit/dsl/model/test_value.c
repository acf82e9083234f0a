/* test_value.c - types, text forms, source forms, JSON, reading, comparison, copies. */
#include "tests/lib/test.h"

#include <stdlib.h>
#include <string.h>

#include "dsl/model/json_in.h"
#include "dsl/model/units.h"
#include "dsl/model/value.h"

static ax_arena mem;

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

/* ---- builders ---- */

static ax_value whole(ax_type_kind kind, int64_t n)
{
    return (ax_value){.kind = kind, .u.i = n};
}

static ax_value real(ax_type_kind kind, double d)
{
    return (ax_value){.kind = kind, .u.f = d};
}

static ax_value str(const char *text)
{
    return (ax_value){.kind = AX_T_STRING, .u.s = ax_str_of(text)};
}

static ax_value json(const char *text)
{
    ax_value v;
    ax_err err;
    if (ax_json_read(&mem, ax_str_of(text), 64, &v, &err)) fail_msg("%s: %s", text, err.text);
    return v;
}

static ax_type list_of(ax_type_kind kind)
{
    return (ax_type){.kind = AX_T_LIST, .of = ax_type_of(kind, false)};
}

static const char *written(void (*write)(const ax_value *v, ax_buf *out), const ax_value *v)
{
    ax_buf buf = AX_BUF_INIT(4096);
    write(v, &buf);
    const char *text = ax_str_c(&mem, ax_buf_str(&buf));
    ax_buf_free(&buf);
    return text;
}

static const char *as_json(const ax_value *v)
{
    ax_buf buf = AX_BUF_INIT(4096);
    ax_json j = ax_json_start(&buf, 0);
    ax_value_json(v, &j);
    const char *text = ax_str_c(&mem, ax_buf_str(&buf));
    ax_buf_free(&buf);
    return text;
}

/* ---- text forms ---- */

static void every_type_has_a_text_a_source_and_a_json_form(void **state)
{
    (void)state;
    ax_value range = {.kind = AX_T_RANGE, .u.range = {-1, 10}};
    ax_value items[] = {str("a"), whole(AX_T_DATE, 20787)};
    ax_value list = {.kind = AX_T_LIST, .u.list = {items, 2}};
    const ax_str keys[] = {AX_LIT("rows"), AX_LIT("a b")};
    ax_value map = {.kind = AX_T_MAP, .u.map = {keys, items, 2}};
    ax_value empty_map = {.kind = AX_T_MAP};
    const struct {
        ax_value v;
        const char *text, *source, *json;
    } cases[] = {
        {{.kind = AX_T_NULL}, "", "null", "null"},
        {{.kind = AX_T_BOOL, .u.b = true}, "true", "true", "true"},
        {{.kind = AX_T_BOOL}, "false", "false", "false"},
        {whole(AX_T_INT, INT64_MIN), "-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
        {real(AX_T_FLOAT, 0.1), "0.1", "0.1", "0.1"},
        {real(AX_T_FLOAT, 4), "4", "4.0", "4"},
        {real(AX_T_FLOAT, 100000), "100000", "100000.0", "100000"},
        {real(AX_T_FLOAT, -1.0 / 3), "-0.3333333333333333", "-0.3333333333333333", "-0.3333333333333333"},
        {real(AX_T_FLOAT, 1e22), "1e+22", "10000000000000000000000.0", "1e+22"},
        {real(AX_T_FLOAT, 2.5e-7), "2.5e-07", "0.00000025", "2.5e-07"},
        {real(AX_T_PERCENT, 10), "10%", "10%", "\"10%\""},
        {str("a \"b\"\n"), "a \"b\"\n", "\"a \\\"b\\\"\\n\"", "\"a \\\"b\\\"\\n\""},
        {str("{{ x }} {{{ {"), "{{ x }} {{{ {", "\"\\{{ x }} \\{{{ {\"", "\"{{ x }} {{{ {\""},
        {str("caf\u00e9 \x01\\"), "caf\u00e9 \x01\\", "\"caf\u00e9 \\u{1}\\\\\"",
         "\"caf\u00e9 \\u0001\\\\\""},
        {whole(AX_T_DURATION, 90000), "1m30s", "1m30s", "\"1m30s\""},
        {whole(AX_T_SIZE, 1048576), "1MiB", "1MiB", "\"1MiB\""},
        {whole(AX_T_DATE, 20787), "2026-11-30", "2026-11-30", "\"2026-11-30\""},
        {whole(AX_T_TIME, 440), "07:20", "07:20", "\"07:20\""},
        {whole(AX_T_INSTANT, 0), "1970-01-01T00:00:00Z", "\"1970-01-01T00:00:00Z\"",
         "\"1970-01-01T00:00:00Z\""},
        {range, "-1..10", "-1..10", "\"-1..10\""},
        {list, "[\"a\",\"2026-11-30\"]", "[\"a\", 2026-11-30]", "[\"a\",\"2026-11-30\"]"},
        {map, "{\"rows\":\"a\",\"a b\":\"2026-11-30\"}", "{ rows = \"a\", \"a b\" = 2026-11-30 }",
         "{\"rows\":\"a\",\"a b\":\"2026-11-30\"}"},
        {empty_map, "{}", "{}", "{}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(written(ax_value_text, &cases[i].v), cases[i].text);
        assert_string_equal(written(ax_value_source, &cases[i].v), cases[i].source);
        assert_string_equal(as_json(&cases[i].v), cases[i].json);
    }
}

static void scalars_read_back_from_their_text(void **state)
{
    (void)state;
    const ax_value cases[] = {
        {.kind = AX_T_NULL},
        {.kind = AX_T_BOOL, .u.b = true},
        {.kind = AX_T_BOOL},
        whole(AX_T_INT, INT64_MIN),
        whole(AX_T_INT, INT64_MAX),
        real(AX_T_FLOAT, 1.0 / 3),
        real(AX_T_FLOAT, 5e-324),
        real(AX_T_FLOAT, -1.7976931348623157e308),
        real(AX_T_PERCENT, 12.5),
        str(" any text, [even] this"),
        whole(AX_T_DURATION, 5400000),
        whole(AX_T_DURATION, -5400000),
        whole(AX_T_SIZE, 4096),
        whole(AX_T_DATE, AX_DATE_MIN),
        whole(AX_T_TIME, 0),
        whole(AX_T_INSTANT, -1),
        {.kind = AX_T_RANGE, .u.range = {INT64_MIN, INT64_MAX}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_value again;
        ax_str text = ax_str_of(written(ax_value_text, &cases[i]));
        assert_int_equal(ax_value_parse(&mem, ax_type_of(cases[i].kind, false), text, &again, NULL), AX_OK);
        assert_true(ax_value_eq(&cases[i], &again));
    }
}

static void a_float_as_source_reads_back(void **state)
{
    (void)state;
    static const double cases[] = {0,       5e-324, 2.2250738585072014e-308, 1e300, 1.7976931348623157e308,
                                   123.456, 1e-10};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_value v = real(AX_T_FLOAT, cases[i]);
        const char *text = written(ax_value_source, &v);
        assert_null(strchr(text, 'e'));
        assert_true(strtod(text, NULL) == cases[i]);
    }
}

/* ---- reading ---- */

static void what_does_not_fit_says_what_was_expected(void **state)
{
    (void)state;
    static const struct {
        ax_type_kind kind;
        const char *text, *message;
    } cases[] = {
        {AX_T_INT, "12x", "'12x' is not an int like 42"},
        {AX_T_INT, "", "'' is not an int like 42"},
        {AX_T_INT, "-", "'-' is not an int like 42"},
        {AX_T_INT, "9223372036854775808", "'9223372036854775808' is not an int like 42"},
        {AX_T_INT, "-9223372036854775809", "'-9223372036854775809' is not an int like 42"},
        {AX_T_FLOAT, "nan", "'nan' is not a number like 0.5"},
        {AX_T_FLOAT, "0x10", "'0x10' is not a number like 0.5"},
        {AX_T_FLOAT, "1e999", "'1e999' is not a number like 0.5"},
        {AX_T_FLOAT, " 1", "' 1' is not a number like 0.5"},
        {AX_T_BOOL, "yes", "'yes' is not true or false"},
        {AX_T_DATE, "30.11.2026", "'30.11.2026' is not a date like 2026-11-30"},
        {AX_T_DURATION, "5", "'5' is not a duration like 1h30m"},
        {AX_T_DURATION, "--5s", "'--5s' is not a duration like 1h30m"},
        {AX_T_SIZE, "5GBit", "'5GBit' is not a size like 512MB or 4GiB"},
        {AX_T_TIME, "7:20", "'7:20' is not a time like 07:20"},
        {AX_T_PERCENT, "10", "'10' is not a percentage like 10%"},
        {AX_T_PERCENT, "%", "'%' is not a percentage like 10%"},
        {AX_T_RANGE, "10..1", "'10..1' is not a range like 1..10"},
        {AX_T_RANGE, "1...2", "'1...2' is not a range like 1..10"},
        {AX_T_INSTANT, "now", "'now' is not an instant like 2026-11-30T02:00:00Z"},
        {AX_T_NULL, "x", "'x' is not nothing"},
        {AX_T_MAP, "[1]", "'[1]' is not a JSON object"},
        {AX_T_MAP, "{", "no JSON at 1:1: string or '}' expected near end of file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_value v;
        ax_err err;
        assert_int_equal(
            ax_value_parse(&mem, ax_type_of(cases[i].kind, false), ax_str_of(cases[i].text), &v, &err),
            AX_INVALID);
        assert_string_equal(err.text, cases[i].message);
    }
}

static void a_list_is_read_from_json_or_from_commas(void **state)
{
    (void)state;
    static const struct {
        ax_type_kind of;
        const char *text, *json; /* NULL: an error */
    } cases[] = {
        {AX_T_STRING, "eu, us", "[\"eu\",\"us\"]"},
        {AX_T_STRING, "[\"a,b\"]", "[\"a,b\"]"},
        {AX_T_STRING, "", "[]"},
        {AX_T_STRING, "[]", "[]"},
        {AX_T_STRING, "a,,b", "[\"a\",\"\",\"b\"]"},
        {AX_T_INT, "1,2, 3", "[1,2,3]"},
        {AX_T_INT, "[1,2]", "[1,2]"},
        {AX_T_DATE, "2026-11-30,2026-12-01", "[\"2026-11-30\",\"2026-12-01\"]"},
        {AX_T_DATE, "[\"2026-11-30\"]", "[\"2026-11-30\"]"},
        {AX_T_ANY, "[1,\"a\",null]", "[1,\"a\",null]"},
        {AX_T_ANY, "a,b", "[\"a\",\"b\"]"},
        {AX_T_INT, "1,x", NULL},
        {AX_T_INT, "[1,\"x\"]", NULL},
        {AX_T_INT, "[1.5]", NULL},
        {AX_T_INT, "[1", NULL},
        {AX_T_LIST, "1,2", NULL},
        {AX_T_DATE, "[\"tomorrow\"]", NULL},
        {AX_T_STRING, "[1]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_value v;
        ax_type type = list_of(cases[i].of);
        ax_rc rc = ax_value_parse(&mem, &type, ax_str_of(cases[i].text), &v, NULL);
        assert_int_equal(rc, cases[i].json ? AX_OK : AX_INVALID);
        if (!rc) assert_string_equal(as_json(&v), cases[i].json);
        if (!rc) assert_true(ax_value_fits(&type, &v));
    }
}

static void json_is_read_strictly(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",    "{",           "[1,]",     "{\"a\":1,\"a\":2}",    "01",        "nan", "1 2",
        "'a'", "\"\\u0000\"", "\"\xff\"", "99999999999999999999", "[[[[[]]]]]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ax_value v;
        ax_err err;
        assert_int_equal(ax_json_read(&mem, ax_str_of(wrong[i]), 4, &v, &err), AX_INVALID);
        assert_true(strlen(err.text) > 0);
    }
    ax_value v = json("{\"b\": [1, 1.0, true, null, \"x\"], \"a\": {}}");
    assert_string_equal(as_json(&v), "{\"b\":[1,1,true,null,\"x\"],\"a\":{}}");
    assert_int_equal(v.u.map.at[0].u.list.at[0].kind, AX_T_INT);
    assert_int_equal(v.u.map.at[0].u.list.at[1].kind, AX_T_FLOAT);
}

/* ---- types ---- */

static void types_have_names(void **state)
{
    (void)state;
    ax_type ints = list_of(AX_T_INT), nested = {.kind = AX_T_LIST, .of = &ints}, any = list_of(AX_T_ANY);
    assert_str(ax_type_text(&mem, ax_type_of(AX_T_DURATION, false)), "duration");
    assert_str(ax_type_text(&mem, &nested), "list(list(int))");
    assert_str(ax_type_text(&mem, &any), "list");
    ax_type_kind kind;
    assert_true(ax_type_named(AX_LIT("instant"), &kind));
    assert_int_equal(kind, AX_T_INSTANT);
    assert_false(ax_type_named(AX_LIT("number"), &kind));
}

static void a_type_fits_where_every_value_of_it_does(void **state)
{
    (void)state;
    ax_type ints = list_of(AX_T_INT), floats = list_of(AX_T_FLOAT), strings = list_of(AX_T_STRING);
    ax_type list = *ax_type_of(AX_T_LIST, false), any = *ax_type_of(AX_T_ANY, false);
    ax_type i = *ax_type_of(AX_T_INT, false), maybe_i = *ax_type_of(AX_T_INT, true);
    ax_type f = *ax_type_of(AX_T_FLOAT, false), nothing = *ax_type_of(AX_T_NULL, false);
    assert_true(ax_type_fits(&f, &i));
    assert_false(ax_type_fits(&i, &f));
    assert_true(ax_type_fits(&any, &maybe_i));
    assert_true(ax_type_fits(&i, &any));
    assert_false(ax_type_fits(&i, &maybe_i));
    assert_true(ax_type_fits(&maybe_i, &nothing));
    assert_false(ax_type_fits(&i, &nothing));
    assert_true(ax_type_fits(&floats, &ints));
    assert_false(ax_type_fits(&strings, &ints));
    assert_true(ax_type_fits(&strings, &list));
    assert_true(ax_type_fits(&list, &strings));
}

static void types_join_to_the_least_that_holds_both(void **state)
{
    (void)state;
    ax_type i = *ax_type_of(AX_T_INT, false), f = *ax_type_of(AX_T_FLOAT, false),
            s = *ax_type_of(AX_T_STRING, false);
    ax_type nothing = *ax_type_of(AX_T_NULL, false), ints = list_of(AX_T_INT), floats = list_of(AX_T_FLOAT),
            out;
    assert_true(ax_type_join(&i, &f, &out));
    assert_int_equal(out.kind, AX_T_FLOAT);
    assert_true(ax_type_join(&nothing, &s, &out));
    assert_true(out.kind == AX_T_STRING && out.nullable);
    assert_true(ax_type_join(&ints, &floats, &out));
    assert_true(out.kind == AX_T_LIST && out.of->kind == AX_T_FLOAT);
    assert_false(ax_type_join(&i, &s, &out));
    assert_false(ax_type_join(&ints, &i, &out));
}

static void the_type_of_a_list_is_what_its_items_share(void **state)
{
    (void)state;
    static const struct {
        const char *json, *type;
        bool nullable;
    } cases[] = {
        {"[]", "list", false},        {"[1,2]", "list(int)", false},   {"[1,2.5]", "list(float)", false},
        {"[1,\"a\"]", "list", false}, {"[1,null]", "list(int)", true}, {"[[1],[2]]", "list(list)", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_value v = json(cases[i].json);
        ax_type type = ax_value_type(&v);
        assert_str(ax_type_text(&mem, &type), cases[i].type);
        assert_int_equal(type.of && type.of->nullable, cases[i].nullable);
    }
}

static void a_cast_reads_scalars_from_strings_and_floats_from_ints(void **state)
{
    (void)state;
    ax_value v, out, dates = json("[\"2026-11-30\"]"), ints = json("[1,2]"), date = str("2026-11-30");
    ax_type want_dates = list_of(AX_T_DATE), want_floats = list_of(AX_T_FLOAT);
    assert_int_equal(ax_value_cast(&mem, &want_dates, &dates, &out, NULL), AX_OK);
    assert_int_equal(out.u.list.at[0].kind, AX_T_DATE);
    assert_int_equal(ax_value_cast(&mem, &want_floats, &ints, &out, NULL), AX_OK);
    assert_int_equal(out.u.list.at[1].kind, AX_T_FLOAT);
    assert_int_equal(ax_value_cast(&mem, ax_type_of(AX_T_DATE, false), &date, &out, NULL), AX_OK);
    ax_err err;
    v = whole(AX_T_INT, 5);
    assert_int_equal(ax_value_cast(&mem, ax_type_of(AX_T_STRING, false), &v, &out, &err), AX_INVALID);
    assert_string_equal(err.text, "found int, wanted string");
    v = json("1.5");
    assert_int_equal(ax_value_cast(&mem, ax_type_of(AX_T_INT, false), &v, &out, &err), AX_INVALID);
    v = json("null");
    assert_int_equal(ax_value_cast(&mem, ax_type_of(AX_T_INT, false), &v, &out, &err), AX_INVALID);
    assert_int_equal(ax_value_cast(&mem, ax_type_of(AX_T_INT, true), &v, &out, &err), AX_OK);
}

/* ---- comparison and copies ---- */

static void equality_looks_at_values(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        {"1", "1.0", true},
        {"1", "1.5", false},
        {"1", "\"1\"", false},
        {"null", "null", true},
        {"null", "0", false},
        {"true", "true", true},
        {"[1,2]", "[1.0,2]", true},
        {"[1,2]", "[2,1]", false},
        {"[1]", "[1,2]", false},
        {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
        {"{\"a\":1}", "{\"a\":2}", false},
        {"\"a\"", "\"a\"", true},
        {"\"a\"", "\"b\"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_value a = json(cases[i].a), b = json(cases[i].b);
        assert_int_equal(ax_value_eq(&a, &b), cases[i].equal);
        assert_int_equal(ax_value_eq(&b, &a), cases[i].equal);
    }
    ax_value day = whole(AX_T_DATE, 1), size = whole(AX_T_SIZE, 1);
    assert_false(ax_value_eq(&day, &size));
}

static void order_is_that_of_the_type(void **state)
{
    (void)state;
    ax_value a = str("abc"), b = str("abd"), one = whole(AX_T_INT, 1), more = real(AX_T_FLOAT, 1.5);
    ax_value early = whole(AX_T_INSTANT, INT64_MIN), late = whole(AX_T_INSTANT, INT64_MAX);
    assert_true(ax_value_cmp(&a, &b) < 0 && ax_value_cmp(&b, &a) > 0 && ax_value_cmp(&a, &a) == 0);
    assert_true(ax_value_cmp(&one, &more) < 0 && ax_value_cmp(&more, &one) > 0);
    assert_true(ax_value_cmp(&early, &late) < 0);
}

static void a_copy_shares_nothing(void **state)
{
    (void)state;
    ax_arena other = AX_ARENA_INIT;
    char text[] = "{\"k\":[\"v\",{\"x\":1}]}";
    ax_value v, copy;
    assert_int_equal(ax_json_read(&other, ax_str_of(text), 8, &v, NULL), AX_OK);
    copy = ax_value_dup(&mem, &v);
    assert_true(ax_value_eq(&v, &copy));
    ax_arena_free(&other);
    assert_string_equal(as_json(&copy), text);
}

static void nesting_is_counted_in_levels(void **state)
{
    (void)state;
    ax_value flat = json("1"), two = json("[{\"a\":1}]");
    assert_true(ax_value_is_shallow(&flat, 0));
    assert_true(ax_value_is_shallow(&two, 2));
    assert_false(ax_value_is_shallow(&two, 1));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(every_type_has_a_text_a_source_and_a_json_form, teardown),
    cmocka_unit_test_teardown(scalars_read_back_from_their_text, teardown),
    cmocka_unit_test_teardown(a_float_as_source_reads_back, teardown),
    cmocka_unit_test_teardown(what_does_not_fit_says_what_was_expected, teardown),
    cmocka_unit_test_teardown(a_list_is_read_from_json_or_from_commas, teardown),
    cmocka_unit_test_teardown(json_is_read_strictly, teardown),
    cmocka_unit_test_teardown(types_have_names, teardown),
    cmocka_unit_test_teardown(a_type_fits_where_every_value_of_it_does, teardown),
    cmocka_unit_test_teardown(types_join_to_the_least_that_holds_both, teardown),
    cmocka_unit_test_teardown(the_type_of_a_list_is_what_its_items_share, teardown),
    cmocka_unit_test_teardown(a_cast_reads_scalars_from_strings_and_floats_from_ints, teardown),
    cmocka_unit_test_teardown(equality_looks_at_values, teardown),
    cmocka_unit_test_teardown(order_is_that_of_the_type, teardown),
    cmocka_unit_test_teardown(a_copy_shares_nothing, teardown),
    cmocka_unit_test_teardown(nesting_is_counted_in_levels, teardown),
};
RUN_TESTS(tests)
