/* test_expr.c - operators over every kind of operand, laziness, lists, outputs, limits.
 *
 * Expressions and values are written as in the task-definition document: ["+", 1, {"duration": "1h"}]. A
 * binary case is tried three ways that must agree: as constants that are folded, over parameters of known
 * type, and over parameters whose type is known only in the run.
 */
#include "tests/lib/test.h"

#include <stdio.h>
#include <string.h>

#include "dsl/model/expr.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/expr_json_int.h"
#include "dsl/model/json_in.h"

static ax_arena mem;
static ax_param params[3];
static ax_value param_values[3];
static ax_map param_names, def_names;
static ax_def defs[2];
static ax_plan plan;

static int setup(void **state)
{
    (void)state;
    static const ax_str names[] = {{"a", 1}, {"b", 1}, {"c", 1}}, keys[] = {{"table", 5}};
    static const ax_output outputs[] = {{.name = {"rows", 4}, .type = {.kind = AX_T_INT}}};
    mem = AX_ARENA_INIT;
    param_names = def_names = (ax_map){0};
    for (uint32_t i = 0; i < 3; i++) ax_map_add(&mem, &param_names, names[i], i);
    for (uint32_t i = 0; i < 3; i++) params[i] = (ax_param){.name = names[i], .type = {.kind = AX_T_ANY}};
    defs[0] = (ax_def){.name = AX_LIT("sync"), .keys = keys, .key_count = 1, .fan_out = true};
    defs[0].outputs = outputs;
    defs[0].output_count = 1;
    ax_map_add(&mem, &def_names, defs[0].name, 0);
    plan = (ax_plan){.params = params, .param_count = 3, .defs = defs, .def_count = 1};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

/* The outputs of sync: 7 rows for "orders", null for "users", no other copy. */
static bool output_of(void *ctx, ax_arena *arena, uint32_t def, uint32_t output, const ax_value *keys,
                      uint32_t count, ax_value *value)
{
    (void)ctx;
    assert_true(def == 0 && output == 0);
    ax_value *all = AX_NEW_N(arena, ax_value, 2);
    all[0] = (ax_value){.kind = AX_T_INT, .u.i = 7};
    *value = count ? all[0] : (ax_value){.kind = AX_T_LIST, .u.list = {all, 2}};
    if (count && ax_str_is(keys[0].u.s, "users")) *value = all[1];
    return count == 0 || ax_str_is(keys[0].u.s, "orders") || ax_str_is(keys[0].u.s, "users");
}

static ax_value json(const char *text)
{
    ax_value v;
    ax_err err;
    if (ax_json_read(&mem, ax_str_of(text), 600, &v, &err)) fail_msg("%s: %s", text, err.text);
    return v;
}

static ax_value constant(const char *text)
{
    ax_value form = json(text), v;
    ax_err err;
    if (ax_const_read(&mem, &form, &v, &err)) fail_msg("%s: %s", text, err.text);
    return v;
}

static ax_rc build(const char *text, ax_expr **x, ax_err *err)
{
    static const ax_type key_types[] = {{.kind = AX_T_STRING}};
    ax_value form = json(text);
    ax_expr_names names = {&mem, &plan, &defs[0], key_types, &def_names, &param_names};
    return ax_expr_read(&names, &form, x, err);
}

/* The value of an expression as it stands in a document, or the message of the error that it ends in. */
static const char *result(const char *text)
{
    ax_value table = {.kind = AX_T_STRING, .u.s = AX_LIT("orders")}, v;
    ax_scope scope = {
        .params = param_values,
        .keys = &table,
        .date = 20787,
        .scheduled_at = INT64_C(1796004000000),
        .interval_start = INT64_C(1796004000000),
        .interval_end = INT64_C(1796090400000),
        .run_id = AX_LIT("r1"),
        .node_name = AX_LIT("sync[\"orders\"]"),
        .attempt = 2,
        .output = output_of,
    };
    ax_err err;
    ax_expr *x;
    if (build(text, &x, &err) || ax_expr_eval(x, &scope, &mem, &v, &err))
        return ax_str_c(&mem, ax_str_of(err.text));
    ax_buf buf = AX_BUF_INIT(1 << 22);
    ax_json j = ax_json_start(&buf, 0);
    ax_const_write(&v, &j);
    const char *copy = ax_str_c(&mem, ax_buf_str(&buf));
    ax_buf_free(&buf);
    return copy;
}

static void expect(const char *text, const char *want)
{
    const char *got = result(text);
    if (strcmp(got, want) != 0) fail_msg("%s\n  gives   %s\n  expected %s", text, got, want);
}

/* ---- operators ---- */

typedef struct {
    const char *op, *a, *b;
    const char *want; /* value, or message */
} binary;

static void try_binary(const binary *c)
{
    char text[512];
    snprintf(text, sizeof text, "[\"%s\", %s, %s]", c->op, c->a, c->b);
    expect(text, c->want);
    param_values[0] = constant(c->a);
    param_values[1] = constant(c->b);
    snprintf(text, sizeof text, "[\"%s\", [\"param\", \"a\"], [\"param\", \"b\"]]", c->op);
    params[0].type = ax_value_type(&param_values[0]);
    params[1].type = ax_value_type(&param_values[1]);
    expect(text, c->want);
    params[0].type = params[1].type = *ax_type_of(AX_T_ANY, false);
    expect(text, c->want);
}

#define TRY_ALL(cases)                                                                                       \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) try_binary(&(cases)[i])

#define DATE "{\"date\": \"2026-11-30\"}"
#define INSTANT "{\"instant\": \"2026-11-30T02:00:00Z\"}"
#define HOUR "{\"duration\": \"1h\"}"
#define DAY "{\"duration\": \"1d\"}"
#define KIB "{\"size\": \"1KiB\"}"
#define RANGE "{\"range\": \"1..10\"}"
#define LIST "{\"list\": [1, 2]}"

static void sums(void **state)
{
    (void)state;
    static const binary cases[] = {
        {"+", "1", "2", "3"},
        {"+", "1", "0.5", "1.5"},
        {"+", "0.5", "1", "1.5"},
        {"+", "0.5", "0.5", "1.0"},
        {"+", "\"a\"", "\"b\"", "\"ab\""},
        {"+", "\"\"", "\"\"", "\"\""},
        {"+", HOUR, DAY, "{\"duration\":\"1d1h\"}"},
        {"+", KIB, KIB, "{\"size\":\"2KiB\"}"},
        {"+", DATE, DAY, "{\"date\":\"2026-12-01\"}"},
        {"+", DAY, DATE, "{\"date\":\"2026-12-01\"}"},
        {"+", INSTANT, HOUR, "{\"instant\":\"2026-11-30T03:00:00Z\"}"},
        {"+", HOUR, INSTANT, "{\"instant\":\"2026-11-30T03:00:00Z\"}"},
        {"+", DATE, HOUR, "a date takes durations of whole days only"},
        {"+", "9223372036854775807", "1", "the result is too large for an int"},
        {"+", "1e308", "1e308", "the result is too large for a float"},
        {"+", "{\"date\": \"9999-12-31\"}", DAY, "the result is outside the years 1 to 9999"},
        {"+", "{\"instant\": \"9999-12-31T23:59:59Z\"}", HOUR, "the result is outside the years 1 to 9999"},
        {"+", DATE, "1", "cannot add a date and an int"},
        {"+", DATE, DATE, "cannot add a date and a date"},
        {"+", "\"a\"", "1", "cannot add a string and an int"},
        {"+", "true", "1", "cannot add a bool and an int"},
        {"+", LIST, "1", "cannot add a list(int) and an int"},
        {"+", HOUR, KIB, "cannot add a duration and a size"},
        {"+", "{\"time\": \"07:20\"}", HOUR, "cannot add a time and a duration"},
    };
    TRY_ALL(cases);
}

static void differences(void **state)
{
    (void)state;
    static const binary cases[] = {
        {"-", "1", "2", "-1"},
        {"-", "1", "0.5", "0.5"},
        {"-", "0.5", "1", "-0.5"},
        {"-", "0.5", "0.5", "0.0"},
        {"-", HOUR, DAY, "{\"duration\":\"-23h\"}"},
        {"-", KIB, KIB, "{\"size\":\"0B\"}"},
        {"-", DATE, DAY, "{\"date\":\"2026-11-29\"}"},
        {"-", DATE, "{\"date\": \"2026-12-02\"}", "{\"duration\":\"-2d\"}"},
        {"-", INSTANT, HOUR, "{\"instant\":\"2026-11-30T01:00:00Z\"}"},
        {"-", INSTANT, INSTANT, "{\"duration\":\"0s\"}"},
        {"-", DATE, HOUR, "a date takes durations of whole days only"},
        {"-", "-9223372036854775808", "1", "the result is too large for an int"},
        {"-", "{\"size\": \"1B\"}", KIB, "the result is a size below zero"},
        {"-", "{\"date\": \"0001-01-01\"}", DAY, "the result is outside the years 1 to 9999"},
        {"-", DATE, "1", "cannot subtract an int from a date"},
        {"-", HOUR, DATE, "cannot subtract a date from a duration"},
        {"-", "\"a\"", "\"b\"", "cannot subtract a string from a string"},
    };
    TRY_ALL(cases);
}

static void products_and_quotients(void **state)
{
    (void)state;
    static const binary cases[] = {
        {"*", "6", "7", "42"},
        {"*", "6", "0.5", "3.0"},
        {"*", "0.5", "6", "3.0"},
        {"*", "0.5", "0.5", "0.25"},
        {"*", HOUR, "2", "{\"duration\":\"2h\"}"},
        {"*", "2", HOUR, "{\"duration\":\"2h\"}"},
        {"*", HOUR, "0.5", "{\"duration\":\"30m\"}"},
        {"*", "0.5", HOUR, "{\"duration\":\"30m\"}"},
        {"*", KIB, "3", "{\"size\":\"3KiB\"}"},
        {"*", "3", KIB, "{\"size\":\"3KiB\"}"},
        {"*", KIB, "0.5", "{\"size\":\"512B\"}"},
        {"*", "0.5", KIB, "{\"size\":\"512B\"}"},
        {"*", "9223372036854775807", "2", "the result is too large for an int"},
        {"*", "1e308", "10", "the result is too large for a float"},
        {"*", HOUR, "1e300", "the result is too large for a duration"},
        {"*", "-1", KIB, "the result is a size below zero"},
        {"*", HOUR, HOUR, "cannot multiply a duration by a duration"},
        {"*", "\"a\"", "3", "cannot multiply a string by an int"},
        {"/", "7", "2", "3.5"},
        {"/", "6", "3", "2.0"},
        {"/", "1.0", "4", "0.25"},
        {"/", "1", "0.5", "2.0"},
        {"/", "1.0", "0.5", "2.0"},
        {"/", HOUR, "4", "{\"duration\":\"15m\"}"},
        {"/", HOUR, "0.5", "{\"duration\":\"2h\"}"},
        {"/", HOUR, DAY, "0.041666666666666664"},
        {"/", KIB, "4", "{\"size\":\"256B\"}"},
        {"/", KIB, "0.5", "{\"size\":\"2KiB\"}"},
        {"/", KIB, KIB, "1.0"},
        {"/", HOUR, "-1", "{\"duration\":\"-1h\"}"},
        {"/", "1", "0", "division by zero"},
        {"/", "1.0", "0.0", "division by zero"},
        {"/", HOUR, "0", "division by zero"},
        {"/", KIB, "0.0", "division by zero"},
        {"/", KIB, "{\"size\": \"0B\"}", "division by zero"},
        {"/", "4", HOUR, "cannot divide an int by a duration"},
        {"/", DATE, "2", "cannot divide a date by an int"},
    };
    TRY_ALL(cases);
}

static void comparisons(void **state)
{
    (void)state;
    static const binary cases[] = {
        {"==", "1", "1.0", "true"},
        {"!=", "1", "1.0", "false"},
        {"==", "\"a\"", "\"a\"", "true"},
        {"==", "true", "false", "false"},
        {"==", LIST, "{\"list\": [1.0, 2]}", "true"},
        {"==", "{\"map\": {\"a\": 1}}", "{\"map\": {\"a\": 1}}", "true"},
        {"==", RANGE, RANGE, "true"},
        {"==", "null", "null", "true"},
        {"==", "null", "1", "false"},
        {"!=", DATE, "null", "true"},
        {"==", DATE, "\"2026-11-30\"", "cannot compare a date with a string"},
        {"==", DATE, "1", "cannot compare a date with an int"},
        {"!=", HOUR, KIB, "cannot compare a duration with a size"},
        {"<", "1", "2", "true"},
        {"<", "2", "1.5", "false"},
        {"<=", "2.0", "2", "true"},
        {">", "\"b\"", "\"a\"", "true"},
        {">=", HOUR, DAY, "false"},
        {"<", KIB, "{\"size\": \"1MB\"}", "true"},
        {"<", DATE, "{\"date\": \"2026-12-01\"}", "true"},
        {">", "{\"time\": \"07:20\"}", "{\"time\": \"07:19\"}", "true"},
        {">=", "{\"percent\": \"10%\"}", "{\"percent\": \"10%\"}", "true"},
        {"<", INSTANT, "{\"instant\": \"2026-11-30T02:00:00.001Z\"}", "true"},
        {"<", "true", "false", "cannot compare a bool with a bool"},
        {"<", LIST, LIST, "cannot compare a list(int) with a list(int)"},
        {"<", DATE, INSTANT, "cannot compare a date with an instant"},
        {"<", RANGE, "1", "cannot compare a range with an int"},
        {"in", "2", LIST, "true"},
        {"in", "3", LIST, "false"},
        {"in", "2.0", LIST, "true"},
        {"in", "\"a\"", "{\"list\": []}", "false"},
        {"in", DATE, "{\"list\": [{\"date\": \"2026-11-30\"}]}", "true"},
        {"in", "1", RANGE, "true"},
        {"in", "10", RANGE, "true"},
        {"in", "11", RANGE, "false"},
        {"in", "0", RANGE, "false"},
        {"in", "1.0", RANGE, "cannot look for a float in a range"},
        {"in", "\"a\"", RANGE, "cannot look for a string in a range"},
        {"in", "\"a\"", "\"abc\"", "cannot look for a string in a string"},
    };
    TRY_ALL(cases);
}

static void an_item_of_another_type_is_in_no_list(void **state)
{
    (void)state;
    expect("[\"in\", \"a\", " LIST "]", "cannot look for a string in a list(int)");
    param_values[0] = constant("\"a\"");
    param_values[1] = constant(LIST);
    expect("[\"in\", [\"param\", \"a\"], [\"param\", \"b\"]]", "false");
}

static void unary_operators(void **state)
{
    (void)state;
    expect("[\"neg\", 5]", "-5");
    expect("[\"neg\", 0.5]", "-0.5");
    expect("[\"neg\", " HOUR "]", "{\"duration\":\"-1h\"}");
    expect("[\"neg\", -9223372036854775808]", "the result is too large for an int");
    expect("[\"neg\", \"a\"]", "cannot negate a string");
    expect("[\"neg\", " KIB "]", "cannot negate a size");
    expect("[\"not\", true]", "false");
    expect("[\"not\", 1]", "'not' wants a bool, found an int");
    param_values[0] = constant("\"a\"");
    expect("[\"neg\", [\"param\", \"a\"]]", "cannot negate a string");
    expect("[\"not\", [\"param\", \"a\"]]", "found string, wanted a bool");
}

static void a_mismatch_says_what_to_write(void **state)
{
    (void)state;
    ax_expr *x;
    ax_err err;
    assert_int_equal(build("[\"-\", " DATE ", 1]", &x, &err), AX_INVALID);
    assert_string_equal(err.help, "write days with their unit: date - 1d");
    assert_int_equal(build("[\"+\", " HOUR ", 1]", &x, &err), AX_INVALID);
    assert_string_equal(err.help, "give the number a unit: 30s");
    assert_int_equal(build("[\"+\", 1, \"a\"]", &x, &err), AX_INVALID);
    assert_string_equal(err.help, "put values into text with {{ }}");
    assert_int_equal(build("[\"*\", 1, \"a\"]", &x, &err), AX_INVALID);
    assert_string_equal(err.help, "");
}

/* ---- null ---- */

static void null_goes_only_where_it_has_a_meaning(void **state)
{
    (void)state;
    static const char *const null_is_wrong[] = {
        "[\"+\", [\"param\", \"a\"], 1]",          "[\"<\", 1, [\"param\", \"a\"]]",
        "[\"in\", [\"param\", \"a\"], " LIST "]",  "[\"neg\", [\"param\", \"a\"]]",
        "[\"concat\", \"x\", [\"param\", \"a\"]]",
    };
    for (size_t i = 0; i < sizeof null_is_wrong / sizeof *null_is_wrong; i++) {
        param_values[0] = constant("null");
        params[0].type = *ax_type_of(AX_T_ANY, false);
        expect(null_is_wrong[i], "a null where a value is needed");
        params[0].type = *ax_type_of(AX_T_INT, true);
        expect(null_is_wrong[i], "the value may be missing here");
    }
    expect("[\"==\", [\"param\", \"a\"], null]", "true");
    expect("[\"if\", true, [\"param\", \"a\"], 1]", "null");
    expect("[\"list\", [\"param\", \"a\"]]", "{\"list\":[null]}");
    expect("[\"call\", \"coalesce\", [\"param\", \"a\"], 5]", "5");
    expect("[\"call\", \"json\", [\"param\", \"a\"]]", "\"null\"");
    expect("[\"and\", [\"==\", [\"param\", \"a\"], 1], true]", "false");
}

/* ---- what looks only at what it needs ---- */

static void logic_stops_where_it_is_decided(void **state)
{
    (void)state;
    param_values[0] = constant("0");
    param_values[1] = constant("true");
    param_values[2] = constant("false");
#define BOOM "[\">\", [\"/\", 1, [\"param\", \"a\"]], 0]"
    expect("[\"or\", [\"param\", \"b\"], " BOOM "]", "true");
    expect("[\"and\", [\"param\", \"c\"], " BOOM "]", "false");
    expect("[\"or\", [\"param\", \"c\"], " BOOM "]", "division by zero");
    expect("[\"and\", [\"param\", \"b\"], " BOOM "]", "division by zero");
    expect("[\"if\", [\"param\", \"b\"], 1, [\"/\", 1, [\"param\", \"a\"]]]", "1");
    expect("[\"if\", [\"param\", \"c\"], 1, [\"/\", 1, [\"param\", \"a\"]]]", "division by zero");
    expect("[\"and\", true, true, false]", "false");
    expect("[\"or\", 1, true]", "'or' wants a bool, found an int");
    expect("[\"if\", 1, 2, 3]", "the condition wants a bool, found an int");
    expect("[\"if\", true, 1, \"a\"]", "one branch is an int, the other a string");
    expect("[\"if\", [\"param\", \"a\"], 1, 2]", "found int, wanted a bool");
}

/* ---- lists, indices, text ---- */

static void an_index_must_be_there(void **state)
{
    (void)state;
    param_values[0] = constant(LIST);
    param_values[1] = constant("{\"map\": {\"x\": 5}}");
    expect("[\"index\", [\"param\", \"a\"], 1]", "2");
    expect("[\"index\", [\"param\", \"a\"], 2]", "index 2 is out of range: the list has 2 items");
    expect("[\"index\", [\"param\", \"a\"], -1]", "index -1 is out of range: the list has 2 items");
    expect("[\"index\", [\"param\", \"a\"], \"x\"]", "the index of a list is an int, not string");
    expect("[\"index\", [\"param\", \"b\"], \"x\"]", "5");
    expect("[\"index\", [\"param\", \"b\"], \"y\"]", "the map has no key 'y'");
    expect("[\"index\", [\"param\", \"b\"], 1]", "the key of a map is a string, not int");
    expect("[\"index\", " LIST ", \"x\"]", "the index of a list wants an int, found a string");
    expect("[\"index\", {\"map\": {}}, 1]", "the key of a map wants a string, found an int");
    expect("[\"index\", 5, 1]", "an index wants a list or a map before it, found an int");
    param_values[0] = constant("5");
    expect("[\"index\", [\"param\", \"a\"], 1]", "int has no items");
    expect("[\"index\", {\"list\": [7]}, 0]", "7");
}

static void text_is_joined_from_any_values(void **state)
{
    (void)state;
    param_values[0] = constant(LIST);
    expect("[\"concat\", \"d=\", " DATE ", \" \", 1.0, \" \", [\"param\", \"a\"], \" \", true]",
           "\"d=2026-11-30 1 [1,2] true\"");
    expect("[\"concat\"]", "\"\"");
    expect("[\"list\", 1, \"a\", " DATE "]", "{\"list\":[1,\"a\",{\"date\":\"2026-11-30\"}]}");
}

/* ---- leaves ---- */

static void roots_and_names_have_their_values(void **state)
{
    (void)state;
    param_values[1] = constant("\"eu\"");
    expect("[\"root\", \"date\"]", "{\"date\":\"2026-11-30\"}");
    expect("[\"root\", \"yesterday\"]", "{\"date\":\"2026-11-29\"}");
    expect("[\"root\", \"tomorrow\"]", "{\"date\":\"2026-12-01\"}");
    expect("[\"root\", \"scheduled_at\"]", "{\"instant\":\"2026-11-30T02:00:00Z\"}");
    expect("[\"root\", \"interval.start\"]", "{\"instant\":\"2026-11-30T02:00:00Z\"}");
    expect("[\"root\", \"interval.end\"]", "{\"instant\":\"2026-12-01T02:00:00Z\"}");
    expect("[\"root\", \"run.id\"]", "\"r1\"");
    expect("[\"root\", \"node.name\"]", "\"sync[\\\"orders\\\"]\"");
    expect("[\"root\", \"attempt\"]", "2");
    expect("[\"param\", \"b\"]", "\"eu\"");
    expect("[\"key\", \"table\"]", "\"orders\"");
    assert_int_equal(ax_root_named(AX_LIT("now")), AX_ROOT_COUNT);
}

static void outputs_are_asked_of_the_scope(void **state)
{
    (void)state;
    expect("[\"output\", \"sync\", \"rows\"]", "{\"list\":[7,null]}");
    expect("[\"output\", \"sync\", \"rows\", \"orders\"]", "7");
    expect("[\"output\", \"sync\", \"rows\", [\"key\", \"table\"]]", "7");
    expect("[\"output\", \"sync\", \"rows\", \"users\"]", "null");
    expect("[\"output\", \"sync\", \"rows\", \"nobody\"]", "there is no copy [\"nobody\"]");
    expect("[\"+\", [\"output\", \"sync\", \"rows\", \"users\"], 1]", "a null where a value is needed");
    expect("[\"call\", \"join\", [\"output\", \"sync\", \"rows\"], \"+\"]", "\"7\"");
}

static void only_what_needs_no_run_is_constant(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool constant;
    } cases[] = {
        {"5", true},
        {"[\"+\", 1, 2]", true},
        {"[\"call\", \"upper\", \"a\"]", true},
        {"[\"root\", \"date\"]", false},
        {"[\"key\", \"table\"]", false},
        {"[\"param\", \"a\"]", false},
        {"[\"output\", \"sync\", \"rows\"]", false},
        {"[\"list\", 1, [\"list\", [\"param\", \"a\"]]]", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_expr *x;
        assert_int_equal(build(cases[i].text, &x, NULL), AX_OK);
        assert_int_equal(ax_expr_is_const(x), cases[i].constant);
        if (cases[i].constant) assert_int_equal(x->kind, AX_X_CONST);
    }
}

static void the_text_of_an_expression_is_what_a_command_sees(void **state)
{
    (void)state;
    ax_expr *x;
    ax_str text;
    ax_scope scope = {.date = 20787};
    ax_err err;
    assert_int_equal(build("[\"-\", [\"root\", \"date\"], " DAY "]", &x, NULL), AX_OK);
    assert_int_equal(ax_expr_text(x, &scope, &mem, &text, NULL), AX_OK);
    assert_str(text, "2026-11-29");
    assert_int_equal(ax_expr_text(ax_expr_const(&mem, constant("null")), &scope, &mem, &text, &err),
                     AX_INVALID);
    assert_string_equal(err.text, "a null where a value is needed");
}

/* ---- limits ---- */

/* count times open, then the middle, then count times close. */
static const char *nested(const char *open, uint32_t count, const char *middle, const char *close)
{
    ax_buf buf = AX_BUF_INIT(1 << 20);
    for (uint32_t i = 0; i < count; i++) ax_buf_adds(&buf, open);
    ax_buf_adds(&buf, middle);
    for (uint32_t i = 0; i < count; i++) ax_buf_adds(&buf, close);
    const char *text = ax_str_c(&mem, ax_buf_str(&buf));
    ax_buf_free(&buf);
    return text;
}

static void depth_is_limited(void **state)
{
    (void)state;
    param_values[0] = constant("1");
    expect(nested("[\"+\",1,", 200, "[\"param\",\"a\"]", "]"), "201");
    expect(nested("[\"+\",1,", 256, "[\"param\",\"a\"]", "]"), "the expression is nested too deeply");
    expect(nested("[\"list\",", 33, "[\"param\",\"a\"]", "]"), "lists are nested more than 32 deep");
    expect(nested("[\"list\",", 33, "1", "]"), "lists are nested more than 32 deep");
    assert_true(ax_str_starts(ax_str_of(result(nested("[\"list\",", 32, "1", "]"))), AX_LIT("{\"list\"")));
}

static void a_long_chain_is_a_deep_tree(void **state)
{
    (void)state;
    ax_buf buf = AX_BUF_INIT(1 << 20);
    ax_buf_adds(&buf, "[\"+\",[\"param\",\"a\"]");
    for (int i = 0; i < 256; i++) ax_buf_adds(&buf, ",1");
    ax_buf_adds(&buf, "]");
    expect(buf.ptr, "the expression is nested too deeply");
    ax_buf_free(&buf);
}

static void computed_text_is_bounded(void **state)
{
    (void)state;
    ax_buf buf = AX_BUF_INIT(1 << 22);
    ax_buf_addc(&buf, '"');
    for (int i = 0; i < 600000; i++) ax_buf_addc(&buf, 'x');
    ax_buf_addc(&buf, '"');
    param_values[0] = constant(buf.ptr);
    ax_buf_free(&buf);
    static const char *const cases[] = {
        "[\"+\", [\"param\", \"a\"], [\"param\", \"a\"]]",
        "[\"concat\", [\"param\", \"a\"], [\"param\", \"a\"]]",
        "[\"call\", \"replace\", [\"param\", \"a\"], \"x\", \"yy\"]",
        "[\"call\", \"join\", [\"list\", [\"param\", \"a\"], [\"param\", \"a\"]], \"\"]",
        "[\"call\", \"json\", [\"list\", [\"param\", \"a\"], [\"param\", \"a\"]]]",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(cases[i], "the text is longer than 1 MiB");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    CASE(sums),
    CASE(differences),
    CASE(products_and_quotients),
    CASE(comparisons),
    CASE(an_item_of_another_type_is_in_no_list),
    CASE(unary_operators),
    CASE(a_mismatch_says_what_to_write),
    CASE(null_goes_only_where_it_has_a_meaning),
    CASE(logic_stops_where_it_is_decided),
    CASE(an_index_must_be_there),
    CASE(text_is_joined_from_any_values),
    CASE(roots_and_names_have_their_values),
    CASE(outputs_are_asked_of_the_scope),
    CASE(only_what_needs_no_run_is_constant),
    CASE(the_text_of_an_expression_is_what_a_command_sees),
    CASE(depth_is_limited),
    CASE(a_long_chain_is_a_deep_tree),
    CASE(computed_text_is_bounded),
};
RUN_TESTS(tests)
