/* test_layout.c - what holds in every placed scene, whatever the graph: nothing lies on anything else, frames
 * hold what is theirs, links touch both of their ends.
 */
#include <math.h>
#include <stdio.h>

#include "compiler/axc.h"
#include "compiler/picture/layout_int.h"
#include "dsl/base/buf.h"
#include "tests/lib/test.h"

#define SLACK 1.5 /* pixels of rounding in the layout */

typedef struct {
    ax_point min, max;
} area;

static area box_area(const ax_box *b)
{
    return (area){{b->center.x - b->width / 2, b->center.y - b->height / 2},
                  {b->center.x + b->width / 2, b->center.y + b->height / 2}};
}

static area frame_area(const ax_frame *f)
{
    return (area){f->min, f->max};
}

static bool overlap(area a, area b)
{
    return a.min.x < b.max.x - SLACK && b.min.x < a.max.x - SLACK && a.min.y < b.max.y - SLACK &&
           b.min.y < a.max.y - SLACK;
}

static bool within(area inner, area outer)
{
    return inner.min.x > outer.min.x - SLACK && inner.max.x < outer.max.x + SLACK &&
           inner.min.y > outer.min.y - SLACK && inner.max.y < outer.max.y + SLACK;
}

static bool touches(ax_point p, area a)
{
    return p.x > a.min.x - SLACK && p.x < a.max.x + SLACK && p.y > a.min.y - SLACK && p.y < a.max.y + SLACK;
}

static area end_area(const ax_scene *s, ax_end end)
{
    return end.frame == AX_NONE ? box_area(&s->boxes.at[end.box]) : frame_area(&s->frames.at[end.frame]);
}

static bool is_around(const ax_scene *s, uint32_t frame, uint32_t inner)
{
    for (; inner != AX_NONE; inner = s->frames.at[inner].frame) {
        if (inner == frame) return true;
    }
    return false;
}

static void check_boxes(const ax_scene *s)
{
    const area page = {{0, 0}, {s->width, s->height}};
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        area box = box_area(&s->boxes.at[i]);
        assert_true(within(box, page));
        for (uint32_t k = 0; k < i; k++) assert_false(overlap(box, box_area(&s->boxes.at[k])));
        for (uint32_t f = 0; f < s->frames.len; f++) {
            area frame = frame_area(&s->frames.at[f]);
            if (is_around(s, f, s->boxes.at[i].frame)) assert_true(within(box, frame));
            else assert_false(overlap(box, frame));
        }
    }
}

static void check_frames(const ax_scene *s)
{
    for (uint32_t i = 0; i < s->frames.len; i++) {
        area frame = frame_area(&s->frames.at[i]);
        assert_true(frame.max.x - frame.min.x + SLACK > s->frames.at[i].caption.width);
        if (s->frames.at[i].frame != AX_NONE) {
            assert_true(within(frame, frame_area(&s->frames.at[s->frames.at[i].frame])));
        }
        for (uint32_t k = 0; k < i; k++) {
            if (!is_around(s, k, i)) assert_false(overlap(frame, frame_area(&s->frames.at[k])));
        }
    }
}

static void check_links(const ax_scene *s)
{
    for (uint32_t i = 0; i < s->links.len; i++) {
        const ax_link *l = &s->links.at[i];
        if (l->hidden) continue;
        area from = end_area(s, l->from), to = end_area(s, l->to);
        assert_true(l->curve_count >= 4 && l->curve_count % 3 == 1);
        assert_true(touches(l->curve[0], from));
        assert_true(touches(l->tip, to));
        if (s->down) assert_true(from.max.y < to.min.y + SLACK);
        else assert_true(from.max.x < to.min.x + SLACK);
    }
}

static void check_places(const ax_scene *s)
{
    check_boxes(s);
    check_frames(s);
    check_links(s);
}

/* By both layouts, and ours in both directions. */
static void check(const char *body)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_diags diags = ax_diags_new(&mem, &sources);
    ax_compiled compiled;
    ax_source *source;
    ax_scene scene;
    ax_scene_view view = {.boxes_fit = 400, .boxes_max = 5000, .links_max = 50000};
    ax_err err = {0};
    ax_str text = ax_str_fmt(&mem, "workflow w {\n%s\n}\n", body);
    assert_int_equal(ax_sources_add(&sources, AX_LIT("w.axf"), text, &source, NULL), AX_OK);
    ax_compile(&mem, source, &diags, &compiled);
    assert_int_equal(diags.errors, 0);
    ax_scene_make(&scene, &mem, compiled.plans[0], &view);
    assert_int_equal(ax_layout_place(&scene, &err), AX_OK);
    ax_route_links(&scene);
    check_places(&scene);
    for (int down = 0; down < 2; down++) {
        scene.down = down;
        ax_layout_layered(&scene);
        check_places(&scene);
    }
    ax_arena_free(&mem);
}

static void known_shapes_are_sound(void **state)
{
    (void)state;
    check("task a { run = 'a' }");
    check("task a { run = 'a' }\n task b { run = 'b' }");
    check("task a { run = 'a' }\n task s { matrix { t = ['x', 'y', 'z'] } run = 's' }\n task b { run = 'b' "
          "}\n a -> s -> b");
    check("group g { task a { run = 'a' } group h { task b { run = 'b' } task c { run = 'c' } b -> c } }\n"
          "task d { run = 'd' }\n g -> d\n task e { finally = true run = 'e' }");
    check("task a { run = 'a' }\n group g { task b { run = 'b' } task c { run = 'c' } }\n"
          "group h { task d { run = 'd' } task e { run = 'e' } }\n a -> g -> h\n a -> h");
}

static uint32_t draw_number(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Some groups of some tasks, some of them fan-outs, with edges from earlier to later ones. */
static void random_body(uint32_t seed, ax_buf *body)
{
    uint32_t groups = 1 + draw_number(&seed, 4), tasks = 0;
    char names[40][16];
    for (uint32_t g = 0; g < groups; g++) {
        bool is_group = draw_number(&seed, 3) > 0;
        if (is_group) ax_buf_addf(body, "group g%u {\n", g);
        for (uint32_t n = 1 + draw_number(&seed, 6); n > 0; n--, tasks++) {
            bool fan = draw_number(&seed, 4) == 0;
            ax_buf_addf(body, "task t%u { run = 'a command %u' %s }\n", tasks, tasks,
                        fan ? "matrix { k = ['a', 'bb', 'ccc'] }" : "");
            if (is_group) snprintf(names[tasks], sizeof names[tasks], "g%u.t%u", g, tasks);
            else snprintf(names[tasks], sizeof names[tasks], "t%u", tasks);
        }
        if (is_group) ax_buf_adds(body, "}\n");
    }
    for (uint32_t i = 0; i < tasks * 3 / 2 && tasks > 1; i++) {
        uint32_t from = draw_number(&seed, tasks - 1), to = from + 1 + draw_number(&seed, tasks - from - 1);
        ax_buf_addf(body, "%s -> %s\n", names[from], names[to]);
    }
}

static void random_shapes_are_sound(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_buf body = AX_BUF_INIT(1 << 20);
        random_body(seed, &body);
        check(ax_str_c(&mem, ax_buf_str(&body)));
        ax_buf_free(&body);
        ax_arena_free(&mem);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_shapes_are_sound),
    cmocka_unit_test(random_shapes_are_sound),
};
RUN_TESTS(tests)
