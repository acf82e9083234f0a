/* test_arena.c - alignment, zeroing, growth in place, reuse after a reset. */
#include "tests/lib/test.h"

#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "dsl/base/arena.h"

static bool is_zero(const void *at, size_t size)
{
    const char *bytes = at;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i]) return false;
    }
    return true;
}

static void memory_is_aligned_and_zero(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    for (size_t size = 1; size < 5000; size += 37) {
        void *at = ax_arena_alloc(&mem, size);
        assert_int_equal((uintptr_t)at % alignof(max_align_t), 0);
        assert_true(is_zero(at, size));
        memset(at, 0xAA, size);
    }
    ax_arena_free(&mem);
}

static void memory_is_zero_again_after_a_reset(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 200; i++) {
            char *at = ax_arena_alloc(&mem, 100);
            assert_true(is_zero(at, 100));
            memset(at, 0xAA, 100);
        }
        ax_arena_reset(&mem);
        assert_int_equal(mem.used, 0);
    }
    ax_arena_free(&mem);
}

static void a_reset_keeps_the_largest_block(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_arena_alloc(&mem, 16);
    char *large = ax_arena_alloc(&mem, 16 << 20);
    ax_arena_alloc(&mem, 1 << 20);
    ax_arena_reset(&mem);
    assert_ptr_equal(ax_arena_alloc(&mem, 16 << 20), large);
    ax_arena_free(&mem);
}

static void the_last_allocation_grows_in_place(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    char *at = ax_arena_alloc(&mem, 10);
    memset(at, 'x', 10);
    assert_ptr_equal(ax_arena_grow(&mem, at, 10, 1000), at);
    assert_int_equal(at[9], 'x');
    assert_true(is_zero(at + 10, 990));
    ax_arena_free(&mem);
}

static void another_allocation_grows_by_moving(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    char *at = ax_arena_alloc(&mem, 10);
    memset(at, 'x', 10);
    char *other = ax_arena_alloc(&mem, 10);
    char *grown = ax_arena_grow(&mem, at, 10, 100);
    assert_ptr_not_equal(grown, at);
    assert_memory_equal(grown, "xxxxxxxxxx", 10);
    assert_true(is_zero(grown + 10, 90));
    assert_true(is_zero(other, 10));
    ax_arena_free(&mem);
}

static void growth_in_place_clears_what_an_earlier_round_left(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    memset(ax_arena_alloc(&mem, 2000), 0xAA, 2000);
    ax_arena_reset(&mem);
    char *at = ax_arena_alloc(&mem, 10);
    assert_ptr_equal(ax_arena_grow(&mem, at, 10, 1500), at);
    assert_true(is_zero(at, 1500));
    ax_arena_free(&mem);
}

static void growing_nothing_allocates(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    assert_non_null(ax_arena_grow(&mem, NULL, 0, 10));
    ax_arena_free(&mem);
    assert_null(mem.blocks);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_is_aligned_and_zero),
    cmocka_unit_test(memory_is_zero_again_after_a_reset),
    cmocka_unit_test(a_reset_keeps_the_largest_block),
    cmocka_unit_test(the_last_allocation_grows_in_place),
    cmocka_unit_test(another_allocation_grows_by_moving),
    cmocka_unit_test(growth_in_place_clears_what_an_earlier_round_left),
    cmocka_unit_test(growing_nothing_allocates),
};

RUN_TESTS(tests)
