/* test_vec.c - pushing many items keeps all of them. */
#include "tests/lib/test.h"

#include "dsl/base/vec.h"

typedef struct {
    uint32_t a, b;
} pair;

static void pushed_items_stay_in_order(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    AX_VEC(pair) pairs = {0};
    for (uint32_t i = 0; i < 100000; i++) ax_vec_push(&mem, &pairs, (pair){i, ~i});
    assert_int_equal(pairs.len, 100000);
    for (uint32_t i = 0; i < pairs.len; i++) {
        assert_int_equal(pairs.at[i].a, i);
        assert_int_equal(pairs.at[i].b, ~i);
    }
    ax_arena_free(&mem);
}

static void two_vectors_grow_beside_each_other(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    AX_VEC(int) ups = {0};
    AX_VEC(int) downs = {0};
    for (int i = 0; i < 1000; i++) {
        ax_vec_push(&mem, &ups, i);
        ax_vec_push(&mem, &downs, -i);
    }
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(ups.at[i], -downs.at[i]);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pushed_items_stay_in_order),
    cmocka_unit_test(two_vectors_grow_beside_each_other),
};

RUN_TESTS(tests)
