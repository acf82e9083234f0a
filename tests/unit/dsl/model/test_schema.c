/* test_schema.c - the table of the language is sound, and agrees with the plan's enumerations. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/model/plan.h"
#include "dsl/model/schema.h"

static const ax_attr_row *row_of(ax_kind owner, const char *name)
{
    const ax_attr_row *row = ax_schema_attr(owner, ax_str_of(name));
    assert_non_null(row);
    return row;
}

/* The list of words is that of an enumeration, in its order. */
static void check_words(const char *list, const char *(*name_of)(int value), int count)
{
    char joined[256] = "";
    for (int i = 0; i < count; i++) {
        if (i) strncat(joined, " ", sizeof joined - strlen(joined) - 1);
        strncat(joined, name_of(i), sizeof joined - strlen(joined) - 1);
    }
    assert_string_equal(joined, list);
}

static const char *policy_name(int value)
{
    return ax_policy_name((ax_policy)value);
}

static const char *catchup_name(int value)
{
    return ax_catchup_name((ax_catchup)value);
}

static void words_are_those_of_the_plan(void **state)
{
    (void)state;
    check_words(row_of(AX_KIND_TASK, "failure_policy")->type, policy_name, AX_POLICY_COUNT);
    check_words(row_of(AX_KIND_WORKFLOW, "failure_policy")->type, policy_name, AX_POLICY_COUNT);
    check_words(row_of(AX_KIND_SCHEDULE, "catchup")->type, catchup_name, AX_CATCHUP_COUNT);
}

static void every_row_has_an_owner_and_a_text(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        const ax_attr_row *row = &ax_schema_attrs[i];
        assert_true(row->owners != 0 && row->doc[0] && row->type[0]);
        assert_int_equal(row->name_bytes, strlen(row->name));
        for (ax_kind k = 0; k < AX_KIND_COUNT; k++) {
            if (!(row->owners & AX_KIND_BIT(k))) continue;
            assert_ptr_equal(ax_schema_attr(k, ax_str_of(row->name)), row);
            assert_int_equal(ax_schema_kind(k, ax_str_of(row->name)), AX_KIND_COUNT);
        }
    }
    for (ax_kind k = 0; k < AX_KIND_COUNT; k++) {
        assert_true(ax_schema_kinds[k].doc[0] != '\0');
        assert_true(k == AX_KIND_FILE || ax_schema_kinds[k].parents != 0);
    }
}

static void a_word_is_either_there_or_later(void **state)
{
    (void)state;
    for (ax_kind owner = 0; owner < AX_KIND_COUNT; owner++) {
        for (uint32_t i = 0; i < ax_schema_attr_count; i++)
            if (ax_schema_attrs[i].owners & AX_KIND_BIT(owner))
                assert_false(ax_schema_later(owner, ax_str_of(ax_schema_attrs[i].name)));
        for (ax_kind k = 0; k < AX_KIND_COUNT; k++)
            if (ax_schema_kinds[k].parents & AX_KIND_BIT(owner))
                assert_false(ax_schema_later(owner, ax_str_of(ax_schema_kinds[k].name)));
    }
    assert_true(ax_schema_later(AX_KIND_WORKFLOW, AX_LIT("approval")));
    assert_true(ax_schema_later(AX_KIND_TASK, AX_LIT("http")));
    assert_false(ax_schema_later(AX_KIND_TASK, AX_LIT("htttp")));
}

static void homes_say_where_a_word_belongs(void **state)
{
    (void)state;
    assert_int_equal(ax_schema_homes(AX_LIT("cron")), AX_KIND_BIT(AX_KIND_SCHEDULE));
    assert_int_equal(ax_schema_homes(AX_LIT("task")),
                     AX_KIND_BIT(AX_KIND_WORKFLOW) | AX_KIND_BIT(AX_KIND_GROUP));
    assert_int_equal(ax_schema_homes(AX_LIT("callback")), AX_KIND_BIT(AX_KIND_TASK));
    assert_int_equal(ax_schema_homes(AX_LIT("nonsense")), 0);
}

static void near_words_are_found(void **state)
{
    (void)state;
    ax_nearest near = ax_nearest_start(AX_LIT("timout"));
    ax_schema_near(AX_KIND_TASK, false, &near);
    assert_str(near.best, "timeout");
    near = ax_nearest_start(AX_LIT("taks"));
    ax_schema_near(AX_KIND_WORKFLOW, true, &near);
    assert_str(near.best, "task");
    near = ax_nearest_start(AX_LIT("taks"));
    ax_schema_near(AX_KIND_WORKFLOW, false, &near);
    assert_str(near.best, "tags");
    near = ax_nearest_start(AX_LIT("pauze"));
    ax_schema_words_near("skip pause ignore", &near);
    assert_str(near.best, "pause");
    assert_true(ax_schema_word("skip pause", AX_LIT("pause")));
    assert_false(ax_schema_word("skip pause", AX_LIT("pau")));
    assert_false(ax_schema_word("skip pause", AX_LIT("")));
}

static void a_foreign_word_is_none_of_ours(void **state)
{
    (void)state;
    static const char *const words[] = {
#define AX_FOREIGN(word, help) word,
#include "dsl/model/schema.def"
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_non_null(ax_schema_foreign(ax_str_of(words[i])));
        assert_int_equal(ax_schema_homes(ax_str_of(words[i])), 0);
    }
    assert_null(ax_schema_foreign(AX_LIT("nonsense")));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_are_those_of_the_plan),
    cmocka_unit_test(every_row_has_an_owner_and_a_text),
    cmocka_unit_test(a_word_is_either_there_or_later),
    cmocka_unit_test(homes_say_where_a_word_belongs),
    cmocka_unit_test(near_words_are_found),
    cmocka_unit_test(a_foreign_word_is_none_of_ours),
};
RUN_TESTS(tests)
