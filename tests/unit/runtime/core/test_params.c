/* test_params.c - parameters as given, as stored, as read back. */
#include "runtime/core/params_int.h"

#include <string.h>

#include "runtime/core/render.h"
#include "tests/lib/test.h"

enum { REGION, COUNT, DAYS, WHEN, PARAM_COUNT };

static const ax_type string_type = {.kind = AX_T_STRING};
static const ax_type date_type = {.kind = AX_T_DATE};
static const ax_value regions[] = {{.kind = AX_T_STRING, .u.s = {"eu", 2}},
                                   {.kind = AX_T_STRING, .u.s = {"us", 2}}};
static const ax_param params[] = {
    [REGION] = {.name = {"region", 6},
                .type = {.kind = AX_T_STRING},
                .allowed = regions,
                .allowed_count = 2,
                .has_default = true,
                .otherwise = {.kind = AX_T_STRING, .u.s = {"eu", 2}}},
    [COUNT] = {.name = {"count", 5},
               .type = {.kind = AX_T_INT},
               .has_range = true,
               .range_from = 1,
               .range_to = 10},
    [DAYS] = {.name = {"days", 4},
              .type = {.kind = AX_T_LIST, .of = &date_type},
              .has_default = true,
              .otherwise = {.kind = AX_T_LIST}},
    [WHEN] = {.name = {"when", 4},
              .type = {.kind = AX_T_DURATION},
              .has_default = true,
              .otherwise = {.kind = AX_T_DURATION, .u.i = 90000}},
};
static const ax_plan plan = {.name = {"w", 1}, .params = params, .param_count = PARAM_COUNT};

static ax_rc give(ax_arena *mem, const char *name, const char *text, ax_str *json, ax_err *err)
{
    ax_str names[2] = {AX_LIT("count"), ax_str_of(name)}, texts[2] = {AX_LIT("3"), ax_str_of(text)};
    *err = (ax_err){0};
    return ax_params_json(&plan, names, texts, name ? 2 : 1, mem, json, err);
}

static void given_values_and_defaults_make_one_object(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_str json;
    ax_err err;
    assert_int_equal(give(&mem, "region", "us", &json, &err), AX_OK);
    assert_str(json, "{\"region\":\"us\",\"count\":3,\"days\":[],\"when\":\"1m30s\"}");
    ax_arena_free(&mem);
}

static void what_was_stored_is_read_back_as_it_was(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_str json;
    ax_err err;
    ax_value values[PARAM_COUNT];
    assert_int_equal(give(&mem, "days", "2026-11-30,2026-12-01", &json, &err), AX_OK);
    assert_int_equal(ax_params_read(&mem, &plan, json, values, &err), AX_OK);
    assert_str(values[REGION].u.s, "eu");
    assert_int_equal(values[COUNT].u.i, 3);
    assert_int_equal(values[DAYS].u.list.len, 2);
    assert_int_equal(values[DAYS].u.list.at[1].kind, AX_T_DATE);
    assert_int_equal(values[WHEN].u.i, 90000);
    ax_arena_free(&mem);
}

static void a_stored_text_that_looks_like_another_type_stays_text(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_param one = {.name = AX_LIT("p"), .type = string_type};
    ax_plan small = {.name = AX_LIT("w"), .params = &one, .param_count = 1};
    static const char *const texts[] = {"42",   "true", "null", "", "[1]", "it's; \"q\" $(id) \\ \n\t x",
                                        "née ✓"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ax_str name = AX_LIT("p"), text = ax_str_of(texts[i]), json;
        ax_value value;
        assert_int_equal(ax_params_json(&small, &name, &text, 1, &mem, &json, NULL), AX_OK);
        assert_int_equal(ax_params_read(&mem, &small, json, &value, NULL), AX_OK);
        assert_int_equal(value.kind, AX_T_STRING);
        assert_str(value.u.s, texts[i]);
    }
    ax_arena_free(&mem);
}

static void what_is_wrong_is_refused_with_its_name(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_str json;
    ax_err err;
    assert_int_equal(give(&mem, "regoin", "us", &json, &err), AX_INVALID);
    assert_string_equal(err.text, "workflow w has no parameter 'regoin'");
    assert_string_equal(err.help, "did you mean 'region'?");
    assert_int_equal(give(&mem, "region", "mars", &json, &err), AX_INVALID);
    assert_string_equal(err.text, "parameter 'region' cannot be 'mars'");
    assert_string_equal(err.help, "allowed: \"eu\", \"us\"");
    assert_int_equal(give(&mem, "count", "4", &json, &err), AX_INVALID);
    assert_string_equal(err.text, "parameter 'count' is given twice");
    assert_int_equal(give(&mem, "region", "caf\xE9", &json, &err), AX_INVALID);
    assert_string_equal(err.text, "parameter 'region' is not UTF-8");
    assert_int_equal(give(&mem, "when", "soon", &json, &err), AX_INVALID);
    assert_memory_equal(err.text, "parameter 'when': ", 18);
    ax_arena_free(&mem);
}

static void a_value_out_of_range_or_missing_is_refused(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_str json, name = AX_LIT("count"), text = AX_LIT("11");
    ax_err err = {0};
    assert_int_equal(ax_params_json(&plan, &name, &text, 1, &mem, &json, &err), AX_INVALID);
    assert_string_equal(err.help, "allowed: 1..10");
    assert_int_equal(ax_params_json(&plan, NULL, NULL, 0, &mem, &json, &err), AX_INVALID);
    assert_string_equal(err.text, "parameter 'count' is not given and has no default");
    ax_arena_free(&mem);
}

static void stored_parameters_that_are_no_object_are_refused(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_value values[PARAM_COUNT];
    ax_err err = {0};
    assert_int_equal(ax_params_read(&mem, &plan, AX_LIT("[1]"), values, &err), AX_INVALID);
    assert_int_equal(ax_params_read(&mem, &plan, AX_LIT("{\"count\": "), values, &err), AX_INVALID);
    assert_int_equal(ax_params_read(&mem, &plan, AX_LIT("{\"count\": \"many\"}"), values, &err), AX_INVALID);
    assert_int_equal(ax_params_read(&mem, &plan, AX_LIT("{\"other\": 1}"), values, &err), AX_OK);
    assert_int_equal(values[COUNT].kind, AX_T_NULL);
    ax_arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_values_and_defaults_make_one_object),
        cmocka_unit_test(what_was_stored_is_read_back_as_it_was),
        cmocka_unit_test(a_stored_text_that_looks_like_another_type_stays_text),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_name),
        cmocka_unit_test(a_value_out_of_range_or_missing_is_refused),
        cmocka_unit_test(stored_parameters_that_are_no_object_are_refused),
    };
    return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}
