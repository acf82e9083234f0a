/* test_heap.c - the indexed heap beside a plain scan. */
#include "runtime/core/heap_int.h"

#include "tests/lib/test.h"

enum { NODES = 40, STEPS = 20000 };

static bool before(ax_heap_item x, ax_heap_item y)
{
    if (x.a != y.a) return x.a < y.a;
    return x.b != y.b ? x.b < y.b : x.node < y.node;
}

static void it_gives_what_a_scan_gives_whatever_is_put_moved_and_removed(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_heap heap = ax_heap_new(&mem, NODES);
    ax_heap_item items[NODES];
    bool in[NODES] = {0};
    uint32_t rng = 1, count = 0;
    for (int i = 0; i < STEPS; i++) {
        rng = rng * 1664525 + 1013904223;
        uint32_t node = (rng >> 8) % NODES;
        if (rng >> 30 == 0) {
            count -= in[node];
            in[node] = false;
            ax_heap_remove(&heap, node);
        } else {
            count += !in[node];
            in[node] = true;
            items[node] = (ax_heap_item){.a = (rng >> 4) % 7, .b = (rng >> 16) % 5, .node = node};
            ax_heap_put(&mem, &heap, items[node]);
        }
        const ax_heap_item *top = ax_heap_top(&heap);
        assert_int_equal(heap.items.len, count);
        assert_int_equal(top != NULL, count > 0);
        for (uint32_t n = 0; n < NODES; n++) {
            assert_int_equal(ax_heap_has(&heap, n), in[n]);
            if (in[n]) assert_false(before(items[n], *top));
        }
    }
    ax_arena_free(&mem);
}

static void removing_what_is_not_in_it_changes_nothing(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_heap heap = ax_heap_new(&mem, 2);
    ax_heap_remove(&heap, 1);
    ax_heap_put(&mem, &heap, (ax_heap_item){.a = -5, .node = 0});
    ax_heap_remove(&heap, 1);
    assert_int_equal(ax_heap_top(&heap)->node, 0);
    ax_arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_gives_what_a_scan_gives_whatever_is_put_moved_and_removed),
        cmocka_unit_test(removing_what_is_not_in_it_changes_nothing),
    };
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
