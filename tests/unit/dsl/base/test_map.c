/* test_map.c - many keys, keys that exist, the empty key. */
#include "tests/lib/test.h"

#include "dsl/base/map.h"

static void a_hundred_thousand_keys_are_found(void **state)
{
    (void)state;
    enum { KEYS = 100000 };
    ax_arena mem = AX_ARENA_INIT;
    ax_map map = {0};
    for (uint32_t i = 0; i < KEYS; i++) ax_map_add(&mem, &map, ax_str_fmt(&mem, "node_%u", i), i);
    assert_int_equal(map.count, KEYS);
    for (uint32_t i = 0; i < KEYS; i++) {
        assert_int_equal(ax_map_get(&map, ax_str_fmt(&mem, "node_%u", i)), i);
    }
    assert_int_equal(ax_map_get(&map, AX_LIT("node_100000")), AX_MAP_NONE);
    ax_arena_free(&mem);
}

static void adding_a_known_key_changes_nothing(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_map map = {0};
    assert_int_equal(ax_map_add(&mem, &map, AX_LIT("a"), 1), 1);
    assert_int_equal(ax_map_add(&mem, &map, AX_LIT("a"), 2), 1);
    assert_int_equal(map.count, 1);
    ax_arena_free(&mem);
}

static void setting_replaces(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_map map = {0};
    ax_map_set(&mem, &map, AX_LIT("a"), 1);
    ax_map_set(&mem, &map, AX_LIT("a"), 2);
    assert_int_equal(ax_map_get(&map, AX_LIT("a")), 2);
    assert_int_equal(map.count, 1);
    ax_arena_free(&mem);
}

static void an_empty_map_has_no_keys(void **state)
{
    (void)state;
    ax_map map = {0};
    assert_int_equal(ax_map_get(&map, AX_LIT("a")), AX_MAP_NONE);
}

static void the_empty_key_is_a_key(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_map map = {0};
    ax_map_add(&mem, &map, AX_LIT("a"), 1);
    assert_int_equal(ax_map_get(&map, (ax_str){0}), AX_MAP_NONE);
    ax_map_add(&mem, &map, AX_LIT(""), 0);
    assert_int_equal(ax_map_get(&map, (ax_str){0}), 0);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_hundred_thousand_keys_are_found),
    cmocka_unit_test(adding_a_known_key_changes_nothing),
    cmocka_unit_test(setting_replaces),
    cmocka_unit_test(an_empty_map_has_no_keys),
    cmocka_unit_test(the_empty_key_is_a_key),
};

RUN_TESTS(tests)
