/* test_attr.c - no attribute of the language is left out of the comparison. */
#include <string.h>

#include "compiler/diff/diff_int.h"
#include "dsl/model/schema.h"
#include "tests/lib/test.h"

/* What is compared elsewhere than in the rows of attributes, or has no effect of its own. */
static const char *const elsewhere[] = {
    "cron",    "every",   "timezone", "start", "end", "window", "catchup", /* schedule.c */
    "run",     "exec",                                                     /* command */
    "max",     "backoff", "jitter",   "on",                                /* retry */
    "exclude",                                                             /* copies */
};

static bool is_compared(const char *name)
{
    for (uint32_t i = 0; i < ax_diff_attr_count; i++) {
        if (strcmp(ax_diff_attrs[i].name, name) == 0) return true;
    }
    for (uint32_t i = 0; i < ax_diff_flow_attr_count; i++) {
        if (strcmp(ax_diff_flow_attrs[i].name, name) == 0) return true;
    }
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        if (strcmp(elsewhere[i], name) == 0) return true;
    }
    return false;
}

static void every_attribute_of_the_schema_is_compared(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        bool compared = is_compared(ax_schema_attrs[i].name);
        if (!compared)
            print_error("'%s' is not compared: give it a row in compiler/diff/attr.c\n",
                        ax_schema_attrs[i].name);
        assert_true(compared);
    }
}

static void every_rule_has_a_name_of_its_own_and_a_reason(void **state)
{
    (void)state;
    for (int i = 0; i < AX_RULE_COUNT; i++) {
        assert_true(strlen(ax_diff_rules[i].reason) > 10);
        assert_true(ax_diff_rules[i].verdict > AX_VERDICT_SAME);
        for (int k = 0; k < i; k++) assert_string_not_equal(ax_diff_rules[i].name, ax_diff_rules[k].name);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_attribute_of_the_schema_is_compared),
    cmocka_unit_test(every_rule_has_a_name_of_its_own_and_a_reason),
};
RUN_TESTS(tests)
