/* test_nearest.c - what is near enough to be proposed, and what is not. */
#include "tests/lib/test.h"

#include "dsl/base/nearest.h"

/* The best of candidates, which end with an empty string. */
static ax_str best(const char *wanted, const char *const candidates[])
{
    ax_nearest n = ax_nearest_start(ax_str_of(wanted));
    for (size_t i = 0; candidates[i][0]; i++) ax_nearest_offer(&n, ax_str_of(candidates[i]));
    return n.best;
}

static const char *const attributes[] = {"run",  "exec", "env",    "timeout", "retry",
                                         "join", "when", "output", ""};

static void each_kind_of_slip_is_forgiven(void **state)
{
    (void)state;
    assert_str(best("timout", attributes), "timeout");
    assert_str(best("timeoout", attributes), "timeout");
    assert_str(best("timeput", attributes), "timeout");
    assert_str(best("tiemout", attributes), "timeout");
    assert_str(best("TIMEOUT", attributes), "timeout");
    assert_str(best("rerty", attributes), "retry");
}

static void what_is_far_is_not_proposed(void **state)
{
    (void)state;
    assert_str(best("deadline", attributes), "");
    assert_str(best("xyz", attributes), "");
    assert_str(best("", attributes), "");
    assert_str(best("q", attributes), "");
}

static void case_costs_less_than_another_letter(void **state)
{
    (void)state;
    static const char *const names[] = {"jain", "Join", ""};
    assert_str(best("join", names), "Join");
}

static void the_first_of_equals_wins(void **state)
{
    (void)state;
    static const char *const names[] = {"task_1", "task_2", ""};
    assert_str(best("task_3", names), "task_1");
}

static void very_long_words_are_left_alone(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a_name_that_is_so_long_that_nobody_would_ever_want_to_type_it_by_hand_even_once", ""};
    assert_str(best("a_name_that_is_so_long_that_nobody_would_ever_want_to_type_it_by_hand_even_onc", names),
               "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_kind_of_slip_is_forgiven),       cmocka_unit_test(what_is_far_is_not_proposed),
    cmocka_unit_test(case_costs_less_than_another_letter), cmocka_unit_test(the_first_of_equals_wins),
    cmocka_unit_test(very_long_words_are_left_alone),
};

RUN_TESTS(tests)
