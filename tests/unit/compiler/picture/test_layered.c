/* test_layered.c - our own layout beside graphviz', and what holds for its sheets. */
#include <math.h>
#include <string.h>

#include "compiler/axc.h"
#include "compiler/picture/layered_int.h"
#include "compiler/picture/layout_int.h"
#include "dsl/base/buf.h"
#include "tests/lib/test.h"

#define SAMPLES 10
#define BODY_MAX ((size_t)4 << 20)

typedef struct {
    ax_arena mem;
    ax_sources sources;
    ax_diags diags;
    ax_compiled compiled;
    ax_scene scene;
} fixture;

static void given(fixture *f, ax_buf *body)
{
    ax_source *source;
    ax_scene_view view = {.collapse = AX_COLLAPSE_NONE};
    *f = (fixture){.mem = AX_ARENA_INIT};
    f->sources = ax_sources_new(&f->mem);
    f->diags = ax_diags_new(&f->mem, &f->sources);
    ax_str text = ax_str_fmt(&f->mem, "workflow w {\n%.*s\n}\n", AX_STR(ax_buf_str(body)));
    ax_buf_free(body);
    assert_int_equal(ax_sources_add(&f->sources, AX_LIT("w.axf"), text, &source, NULL), AX_OK);
    ax_compile(&f->mem, source, &f->diags, &f->compiled);
    assert_int_equal(f->diags.errors, 0);
    ax_scene_make(&f->scene, &f->mem, f->compiled.plans[0], &view);
}

static uint32_t draw_number(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Layers of `width` tasks, each with one to two edges from near ones above, and some from further above. */
static void layers(ax_buf *body, uint32_t seed, uint32_t width, uint32_t depth)
{
    for (uint32_t t = 0; t < width * depth; t++) ax_buf_addf(body, "task t%u { run = 'x' }\n", t);
    for (uint32_t t = width; t < width * depth; t++) {
        uint32_t layer = t / width, first = t % width, edges = 1 + draw_number(&seed, 2), before = UINT32_MAX;
        for (uint32_t k = 0; k < edges; k++) {
            uint32_t up = draw_number(&seed, 7) == 0 && layer > 2 ? 2 + draw_number(&seed, layer - 1) : 1;
            uint32_t at = (first + width - 1 + draw_number(&seed, 3)) % width;
            uint32_t from = (layer - (up > layer ? layer : up)) * width + at;
            if (from != before) ax_buf_addf(body, "t%u -> t%u\n", from, t);
            before = from;
        }
    }
}

/* ---- measures ---- */

typedef struct {
    double crossings, length;
} quality;

static ax_point on_curve(const ax_point *p, double t)
{
    double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, e = t * t * t;
    return (ax_point){a * p[0].x + b * p[1].x + c * p[2].x + e * p[3].x,
                      a * p[0].y + b * p[1].y + c * p[2].y + e * p[3].y};
}

static bool cross(const ax_point *a, const ax_point *b)
{
    double dx = a[1].x - a[0].x, dy = a[1].y - a[0].y, ex = b[1].x - b[0].x, ey = b[1].y - b[0].y;
    double s0 = dx * (b[0].y - a[0].y) - dy * (b[0].x - a[0].x),
           s1 = dx * (b[1].y - a[0].y) - dy * (b[1].x - a[0].x);
    double t0 = ex * (a[0].y - b[0].y) - ey * (a[0].x - b[0].x),
           t1 = ex * (a[1].y - b[0].y) - ey * (a[1].x - b[0].x);
    return ((s0 > 0) != (s1 > 0)) && ((t0 > 0) != (t1 > 0));
}

/* Crossings of the drawn curves, apart from those of links that begin or end together; and their length. */
static quality measure(fixture *f)
{
    const ax_scene *s = &f->scene;
    quality q = {0, 0};
    ax_point **lines = AX_NEW_N(&f->mem, ax_point *, s->links.len);
    uint32_t *counts = AX_NEW_N(&f->mem, uint32_t, s->links.len);
    for (uint32_t i = 0; i < s->links.len; i++) {
        const ax_link *l = &s->links.at[i];
        counts[i] = (l->curve_count - 1) / 3 * SAMPLES + 1;
        lines[i] = AX_NEW_N(&f->mem, ax_point, counts[i]);
        for (uint32_t k = 0; k < counts[i]; k++) {
            uint32_t piece = k / SAMPLES - (k + 1 == counts[i]);
            lines[i][k] = on_curve(l->curve + 3 * piece, (k - piece * SAMPLES) / (double)SAMPLES);
            if (k) q.length += hypot(lines[i][k].x - lines[i][k - 1].x, lines[i][k].y - lines[i][k - 1].y);
        }
    }
    for (uint32_t i = 0; i < s->links.len; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const ax_link *a = &s->links.at[i], *b = &s->links.at[j];
            if (a->from.box == b->from.box || a->to.box == b->to.box) continue;
            for (uint32_t k = 0; k + 1 < counts[i]; k++)
                for (uint32_t m = 0; m + 1 < counts[j]; m++) q.crossings += cross(lines[i] + k, lines[j] + m);
        }
    }
    return q;
}

static void ours_is_not_much_worse_than_graphviz(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{10, 10}, {12, 16}, {15, 20}};
    for (uint32_t i = 0; i < 3; i++) {
        fixture f;
        ax_buf body = AX_BUF_INIT(BODY_MAX);
        ax_err err = {0};
        layers(&body, 7 + i, sizes[i][0], sizes[i][1]);
        given(&f, &body);
        assert_int_equal(ax_layout_place(&f.scene, &err), AX_OK);
        quality theirs = measure(&f);
        ax_layout_layered(&f.scene);
        quality ours = measure(&f);
        print_message("%u boxes: crossings %.0f, graphviz %.0f; length %.0f, graphviz %.0f\n",
                      f.scene.boxes.len, ours.crossings, theirs.crossings, ours.length, theirs.length);
        assert_true(ours.crossings <= 1.5 * theirs.crossings + 5);
        assert_true(ours.length <= 1.5 * theirs.length);
        ax_arena_free(&f.mem);
    }
}

static void the_same_scene_gets_the_same_places(void **state)
{
    (void)state;
    fixture a, b;
    ax_buf body = AX_BUF_INIT(BODY_MAX), again = AX_BUF_INIT(BODY_MAX);
    layers(&body, 3, 30, 30);
    layers(&again, 3, 30, 30);
    given(&a, &body);
    given(&b, &again);
    ax_layout_layered(&b.scene); /* nothing is kept from one layout to the next */
    ax_layout_layered(&a.scene);
    ax_layout_layered(&b.scene);
    for (uint32_t i = 0; i < a.scene.boxes.len; i++)
        assert_memory_equal(&a.scene.boxes.at[i].center, &b.scene.boxes.at[i].center, sizeof(ax_point));
    for (uint32_t i = 0; i < a.scene.links.len; i++) {
        const ax_link *x = &a.scene.links.at[i], *y = &b.scene.links.at[i];
        assert_int_equal(x->curve_count, y->curve_count);
        assert_memory_equal(x->curve, y->curve, sizeof *x->curve * x->curve_count);
    }
    ax_arena_free(&a.mem);
    ax_arena_free(&b.mem);
}

/* No curve runs through a box that it does not touch. */
static void links_go_around_boxes(void **state)
{
    (void)state;
    fixture f;
    ax_buf body = AX_BUF_INIT(BODY_MAX);
    layers(&body, 11, 12, 14);
    given(&f, &body);
    ax_layout_layered(&f.scene);
    for (uint32_t i = 0; i < f.scene.links.len; i++) {
        const ax_link *l = &f.scene.links.at[i];
        for (uint32_t k = 0; k < (l->curve_count - 1) / 3 * SAMPLES; k++) {
            ax_point p = on_curve(l->curve + 3 * (k / SAMPLES), k % SAMPLES / (double)SAMPLES);
            for (uint32_t b = 0; b < f.scene.boxes.len; b++) {
                const ax_box *box = &f.scene.boxes.at[b];
                bool inside = fabs(p.x - box->center.x) < box->width / 2 - 1 &&
                              fabs(p.y - box->center.y) < box->height / 2 - 1;
                assert_false(inside && b != l->from.box && b != l->to.box);
            }
        }
    }
    ax_arena_free(&f.mem);
}

static void a_tree_has_no_crossings(void **state)
{
    (void)state;
    fixture f;
    ax_buf body = AX_BUF_INIT(BODY_MAX);
    for (uint32_t t = 0; t < 200; t++) ax_buf_addf(&body, "task t%u { run = 'x' }\n", t);
    for (uint32_t t = 1; t < 200; t++) ax_buf_addf(&body, "t%u -> t%u\n", (t - 1) / 3, t);
    given(&f, &body);
    ax_layout_layered(&f.scene);
    assert_true(measure(&f).crossings < 1);
    ax_arena_free(&f.mem);
}

static void links_between_frames_that_go_round_reach_their_ends_from_outside(void **state)
{
    (void)state;
    fixture f;
    ax_buf body = AX_BUF_INIT(BODY_MAX);
    ax_buf_adds(&body, "group g { task a { run = 'x' } task b { run = 'x' } }\n task x { run = 'x' }\n"
                       "group h { group i { task c { run = 'x' } task d { run = 'x' } } }\n"
                       "g.a -> x -> g.b -> h.i.c\n h.i.d -> x");
    given(&f, &body);
    ax_layout_layered(&f.scene);
    for (uint32_t i = 0; i < f.scene.links.len; i++) {
        const ax_link *l = &f.scene.links.at[i];
        if (l->hidden) continue;
        const ax_box *from = &f.scene.boxes.at[l->from.box], *to = &f.scene.boxes.at[l->to.box];
        ax_point start = l->curve[0], end = l->curve[l->curve_count - 1];
        assert_true(fabs(fabs(start.y - from->center.y) - from->height / 2) < 1);
        assert_true(fabs(fabs(l->tip.y - to->center.y) - to->height / 2) < 1);
        assert_true(fabs(end.y - to->center.y) > to->height / 2 + 5);
        assert_true(fabs(l->curve[1].y - from->center.y) > from->height / 2);
    }
    ax_arena_free(&f.mem);
}

/* ---- sheets ---- */

static ax_sheet sheet_of(ax_arena *mem, uint32_t vertices, const uint32_t (*arcs)[2], uint32_t count)
{
    ax_sheet s = {.mem = mem, .vertex_count = vertices, .arc_count = count};
    s.vertices = AX_NEW_N(mem, ax_vertex, vertices + 1);
    s.arcs = AX_NEW_N(mem, ax_arc, count + 1);
    for (uint32_t v = 0; v < vertices; v++) s.vertices[v] = (ax_vertex){.width = 80, .height = 40};
    for (uint32_t a = 0; a < count; a++) s.arcs[a] = (ax_arc){.from = arcs[a][0], .to = arcs[a][1]};
    return s;
}

static void arcs_of_a_cycle_are_turned_around(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    const uint32_t arcs[][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}};
    ax_sheet s = sheet_of(&mem, 4, arcs, 4);
    ax_sheet_rank(&s);
    for (uint32_t a = 0; a < 4; a++)
        assert_true(s.vertices[s.arcs[a].from].layer < s.vertices[s.arcs[a].to].layer);
    assert_true(s.arcs[2].reversed);
    assert_int_equal(s.arcs[0].reversed + s.arcs[1].reversed + s.arcs[3].reversed, 0);
    ax_arena_free(&mem);
}

static void a_vertex_stands_near_what_it_leads_to(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    const uint32_t arcs[][2] = {{0, 1}, {1, 2}, {2, 3}, {4, 3}};
    ax_sheet s = sheet_of(&mem, 5, arcs, 4);
    ax_sheet_rank(&s);
    assert_int_equal(s.vertices[3].layer, 3);
    assert_int_equal(s.vertices[4].layer, 2);
    ax_arena_free(&mem);
}

static void long_arcs_from_one_vertex_share_their_dummies(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    const uint32_t arcs[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}, {0, 3}};
    ax_sheet s = sheet_of(&mem, 5, arcs, 6);
    ax_sheet_rank(&s);
    ax_sheet_split(&s);
    assert_int_equal(s.vertex_count, 5 + 3);
    assert_int_equal(s.arcs[4].dummy, s.arcs[5].dummy);
    assert_int_equal(s.arcs[4].dummy_count, 3);
    assert_int_equal(s.arcs[5].dummy_count, 2);
    ax_arena_free(&mem);
}

static void crossings_that_can_be_undone_are_undone(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    const uint32_t arcs[][2] = {{0, 5}, {1, 4}, {2, 3}, {0, 4}, {1, 3}};
    ax_sheet s = sheet_of(&mem, 6, arcs, 5);
    ax_sheet_rank(&s);
    ax_sheet_split(&s);
    ax_sheet_order(&s);
    assert_int_equal(ax_sheet_crossings(&s), 0);
    ax_sheet_place(&s);
    for (uint32_t l = 0; l < s.layer_count; l++)
        for (uint32_t i = s.layer_at[l] + 1; i < s.layer_at[l + 1]; i++)
            assert_true(s.vertices[s.order[i]].x - s.vertices[s.order[i - 1]].x > 80);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ours_is_not_much_worse_than_graphviz),
    cmocka_unit_test(the_same_scene_gets_the_same_places),
    cmocka_unit_test(links_go_around_boxes),
    cmocka_unit_test(a_tree_has_no_crossings),
    cmocka_unit_test(links_between_frames_that_go_round_reach_their_ends_from_outside),
    cmocka_unit_test(arcs_of_a_cycle_are_turned_around),
    cmocka_unit_test(a_vertex_stands_near_what_it_leads_to),
    cmocka_unit_test(long_arcs_from_one_vertex_share_their_dummies),
    cmocka_unit_test(crossings_that_can_be_undone_are_undone),
};
RUN_TESTS(tests)
