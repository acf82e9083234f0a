/* test_look.c - the tables of edges, groups and joins, cell by cell as docs/state-machines.md has them. */
#include "runtime/core/look_int.h"

#include <string.h>

#include "tests/lib/test.h"

#define U AX_STAND_UNRESOLVED
#define H AX_STAND_HELD
#define S AX_STAND_SATISFIED
#define V AX_STAND_VOID
#define D AX_STAND_DEAD

static void expect_edges(const ax_node_rec *parent, ax_policy policy, const ax_stand want[AX_ON_COUNT])
{
    ax_look look = ax_look_of(parent, policy);
    for (int o = 0; o < AX_ON_COUNT; o++) assert_int_equal(ax_look_stand(look, (ax_outcome)o), want[o]);
}

#define EDGES(policy, want, ...)                                                                             \
    expect_edges(&(ax_node_rec){__VA_ARGS__}, AX_POLICY_##policy, (const ax_stand[])want)
#define FIVE(a, b, c, d, e)                                                                                  \
    {                                                                                                        \
        a, b, c, d, e                                                                                        \
    }

static void a_parent_in_motion_resolves_nothing(void **state)
{
    (void)state;
    EDGES(SKIP, FIVE(U, U, U, U, U), .state = AX_NODE_ST_BLOCKED);
    EDGES(PAUSE, FIVE(U, U, U, U, U), .state = AX_NODE_ST_ACTIVE);
}

static void a_held_parent_holds_every_edge(void **state)
{
    (void)state;
    EDGES(SKIP, FIVE(H, H, H, H, H), .state = AX_NODE_ST_HELD);
}

static void success_and_an_ignored_failure_look_the_same(void **state)
{
    (void)state;
    EDGES(SKIP, FIVE(S, V, V, S, S), .state = AX_NODE_ST_SUCCEEDED);
    EDGES(PAUSE, FIVE(S, V, V, S, S), .state = AX_NODE_ST_SUCCEEDED, .accepted = true);
    EDGES(IGNORE, FIVE(S, V, V, S, S), .state = AX_NODE_ST_FAILED);
}

static void an_open_failure_satisfies_only_its_failed_edge(void **state)
{
    (void)state;
    EDGES(PAUSE, FIVE(H, S, H, H, H), .state = AX_NODE_ST_FAILED, .open = true);
}

static void a_failure_kills_success_edges_and_satisfies_failed_and_done(void **state)
{
    (void)state;
    EDGES(SKIP, FIVE(D, S, V, D, S), .state = AX_NODE_ST_FAILED);
    EDGES(PAUSE, FIVE(D, S, V, D, S), .state = AX_NODE_ST_FAILED, .given_up = true);
    EDGES(ABORT, FIVE(D, S, V, D, S), .state = AX_NODE_ST_FAILED);
}

static void a_failure_under_branch_is_a_path(void **state)
{
    (void)state;
    EDGES(BRANCH, FIVE(V, S, V, V, S), .state = AX_NODE_ST_FAILED);
}

static void only_upstream_failed_goes_on_as_dead(void **state)
{
    (void)state;
    EDGES(SKIP, FIVE(D, V, S, D, S), .state = AX_NODE_ST_SKIPPED, .reason = AX_REASON_UPSTREAM_FAILED);
    static const ax_reason others[] = {AX_REASON_NOT_TAKEN, AX_REASON_JOIN_UNMET, AX_REASON_CONDITION_FALSE,
                                       AX_REASON_DISABLED, AX_REASON_BY_HAND};
    for (int i = 0; i < 5; i++)
        EDGES(SKIP, FIVE(V, V, S, S, S), .state = AX_NODE_ST_SKIPPED, .reason = others[i]);
}

/* ---- groups ---- */

static ax_look group_of(const ax_look *members, uint32_t count)
{
    uint32_t told[AX_MEMBER_COUNT] = {0};
    for (uint32_t i = 0; i < count; i++)
        for (int m = 0; m < AX_MEMBER_COUNT; m++) told[m] += ax_look_tells(members[i]) >> m & 1;
    return ax_look_of_group(told, count);
}

#define GROUP(...)                                                                                           \
    group_of((const ax_look[]){__VA_ARGS__}, sizeof((const ax_look[]){__VA_ARGS__}) / sizeof(ax_look))

static void a_group_in_motion_shows_that_a_member_failed(void **state)
{
    (void)state;
    assert_int_equal(GROUP(AX_LOOK_MOTION, AX_LOOK_SUCCEEDED), AX_LOOK_MOTION);
    assert_int_equal(GROUP(AX_LOOK_MOTION, AX_LOOK_HELD), AX_LOOK_MOTION);
    assert_int_equal(GROUP(AX_LOOK_MOTION, AX_LOOK_FAILED), AX_LOOK_MOTION_FAILED);
    assert_int_equal(GROUP(AX_LOOK_MOTION, AX_LOOK_OPEN), AX_LOOK_MOTION_FAILED);
    assert_int_equal(GROUP(AX_LOOK_MOTION_FAILED, AX_LOOK_SUCCEEDED), AX_LOOK_MOTION_FAILED);
    assert_int_equal(GROUP(AX_LOOK_MOTION, AX_LOOK_BRANCH), AX_LOOK_MOTION);
}

static void a_group_is_held_until_its_questions_are_answered(void **state)
{
    (void)state;
    assert_int_equal(GROUP(AX_LOOK_HELD, AX_LOOK_SUCCEEDED), AX_LOOK_HELD);
    assert_int_equal(GROUP(AX_LOOK_HELD, AX_LOOK_FAILED), AX_LOOK_OPEN);
    assert_int_equal(GROUP(AX_LOOK_OPEN, AX_LOOK_UPSTREAM_FAILED), AX_LOOK_OPEN);
}

static void a_group_ends_as_the_worst_of_its_members(void **state)
{
    (void)state;
    assert_int_equal(GROUP(AX_LOOK_FAILED, AX_LOOK_SUCCEEDED, AX_LOOK_UPSTREAM_FAILED), AX_LOOK_FAILED);
    assert_int_equal(GROUP(AX_LOOK_UPSTREAM_FAILED, AX_LOOK_SUCCEEDED), AX_LOOK_UPSTREAM_FAILED);
    assert_int_equal(GROUP(AX_LOOK_SKIPPED, AX_LOOK_SUCCEEDED, AX_LOOK_BRANCH), AX_LOOK_SUCCEEDED);
    assert_int_equal(GROUP(AX_LOOK_SKIPPED, AX_LOOK_BRANCH), AX_LOOK_SKIPPED);
    assert_int_equal(GROUP(AX_LOOK_CANCELLED, AX_LOOK_SUCCEEDED), AX_LOOK_CANCELLED);
    assert_int_equal(GROUP(AX_LOOK_CANCELLED, AX_LOOK_FAILED), AX_LOOK_FAILED);
}

static void a_group_without_members_has_succeeded(void **state)
{
    (void)state;
    assert_int_equal(ax_look_of_group((uint32_t[AX_MEMBER_COUNT]){0}, 0), AX_LOOK_SUCCEEDED);
}

/* ---- joins ---- */

/* The verdict on edges written as letters: u h s v d. */
static ax_verdict verdict(ax_join join, uint32_t count, const char *edges)
{
    uint32_t stands[AX_STAND_COUNT] = {0};
    for (const char *e = edges; *e; e++) stands[strchr("uhsvd", *e) - "uhsvd"]++;
    return ax_join_decide(&(ax_def){.join = join, .join_count = count}, stands, (uint32_t)strlen(edges));
}

static void a_root_unlocks_at_once(void **state)
{
    (void)state;
    for (int j = 0; j < AX_JOIN_COUNT; j++) assert_int_equal(verdict((ax_join)j, 1, ""), AX_VERDICT_HOLDS);
}

static void all_wants_one_satisfied_and_none_dead(void **state)
{
    (void)state;
    assert_int_equal(verdict(AX_JOIN_ALL, 0, "ss"), AX_VERDICT_HOLDS);
    assert_int_equal(verdict(AX_JOIN_ALL, 0, "sv"), AX_VERDICT_HOLDS);
    assert_int_equal(verdict(AX_JOIN_ALL, 0, "vv"), AX_VERDICT_NOT_TAKEN);
    assert_int_equal(verdict(AX_JOIN_ALL, 0, "su"), AX_VERDICT_OPEN);
    assert_int_equal(verdict(AX_JOIN_ALL, 0, "sh"), AX_VERDICT_OPEN);
    assert_int_equal(verdict(AX_JOIN_ALL, 0, "du"), AX_VERDICT_UPSTREAM_FAILED);
    assert_int_equal(verdict(AX_JOIN_ALL, 0, "dsv"), AX_VERDICT_UPSTREAM_FAILED);
}

static void any_begins_with_the_first_and_gives_up_with_the_last(void **state)
{
    (void)state;
    assert_int_equal(verdict(AX_JOIN_ANY, 0, "su"), AX_VERDICT_HOLDS);
    assert_int_equal(verdict(AX_JOIN_ANY, 0, "sd"), AX_VERDICT_HOLDS);
    assert_int_equal(verdict(AX_JOIN_ANY, 0, "du"), AX_VERDICT_OPEN);
    assert_int_equal(verdict(AX_JOIN_ANY, 0, "dv"), AX_VERDICT_UPSTREAM_FAILED);
    assert_int_equal(verdict(AX_JOIN_ANY, 0, "vv"), AX_VERDICT_NOT_TAKEN);
    assert_int_equal(verdict(AX_JOIN_ANY, 0, "vu"), AX_VERDICT_OPEN);
}

static void strict_wants_every_edge_satisfied(void **state)
{
    (void)state;
    assert_int_equal(verdict(AX_JOIN_STRICT, 0, "ss"), AX_VERDICT_HOLDS);
    assert_int_equal(verdict(AX_JOIN_STRICT, 0, "sv"), AX_VERDICT_UNMET);
    assert_int_equal(verdict(AX_JOIN_STRICT, 0, "vv"), AX_VERDICT_NOT_TAKEN);
    assert_int_equal(verdict(AX_JOIN_STRICT, 0, "du"), AX_VERDICT_UPSTREAM_FAILED);
    assert_int_equal(verdict(AX_JOIN_STRICT, 0, "vu"), AX_VERDICT_OPEN);
}

static void at_least_counts(void **state)
{
    (void)state;
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "ssu"), AX_VERDICT_HOLDS);
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "suv"), AX_VERDICT_OPEN);
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "svv"), AX_VERDICT_UNMET);
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "sdu"), AX_VERDICT_OPEN);
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "dvu"), AX_VERDICT_UPSTREAM_FAILED);
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "vvv"), AX_VERDICT_NOT_TAKEN);
}

static void without_a_dead_edge_only_the_last_one_decides_against(void **state)
{
    (void)state;
    /* Two of three are void: at_least(2) can't hold, but the third may still be dead, which is another
     * reason. */
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "vvu"), AX_VERDICT_OPEN);
    assert_int_equal(verdict(AX_JOIN_AT_LEAST, 2, "vvd"), AX_VERDICT_UPSTREAM_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parent_in_motion_resolves_nothing),
        cmocka_unit_test(a_held_parent_holds_every_edge),
        cmocka_unit_test(success_and_an_ignored_failure_look_the_same),
        cmocka_unit_test(an_open_failure_satisfies_only_its_failed_edge),
        cmocka_unit_test(a_failure_kills_success_edges_and_satisfies_failed_and_done),
        cmocka_unit_test(a_failure_under_branch_is_a_path),
        cmocka_unit_test(only_upstream_failed_goes_on_as_dead),
        cmocka_unit_test(a_group_in_motion_shows_that_a_member_failed),
        cmocka_unit_test(a_group_is_held_until_its_questions_are_answered),
        cmocka_unit_test(a_group_ends_as_the_worst_of_its_members),
        cmocka_unit_test(a_group_without_members_has_succeeded),
        cmocka_unit_test(a_root_unlocks_at_once),
        cmocka_unit_test(all_wants_one_satisfied_and_none_dead),
        cmocka_unit_test(any_begins_with_the_first_and_gives_up_with_the_last),
        cmocka_unit_test(strict_wants_every_edge_satisfied),
        cmocka_unit_test(at_least_counts),
        cmocka_unit_test(without_a_dead_edge_only_the_last_one_decides_against),
    };
    return cmocka_run_group_tests_name("look", tests, NULL, NULL);
}
