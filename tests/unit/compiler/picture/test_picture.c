/* test_picture.c - whole pictures: what is in the SVG, that sizes hold, and what is refused.
 *
 * That bytes are the same in every process, and that other programs read them, is tested in
 * tests/e2e/axc_graph.sh.
 */
#include "compiler/picture/picture.h"

#include <string.h>

#include "compiler/axc.h"
#include "dsl/base/buf.h"
#include "tests/lib/test.h"

#define PICTURE_MAX ((size_t)64 << 20)

typedef struct {
    ax_rc rc;
    ax_err err;
    ax_buf out;
} drawn;

/* Draws the workflow with this body. */
static drawn draw(const char *body, ax_picture_options options)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_diags diags = ax_diags_new(&mem, &sources);
    ax_compiled compiled;
    ax_source *source;
    drawn d = {.out = AX_BUF_INIT(PICTURE_MAX)};
    ax_str text = ax_str_fmt(&mem, "workflow w {\n%s\n}\n", body);
    assert_int_equal(ax_sources_add(&sources, AX_LIT("w.axf"), text, &source, NULL), AX_OK);
    ax_compile(&mem, source, &diags, &compiled);
    assert_int_equal(diags.errors, 0);
    d.rc = ax_picture(compiled.plans[0], &options, &d.out, &d.err);
    ax_arena_free(&mem);
    return d;
}

static uint32_t count(const drawn *d, const char *what)
{
    uint32_t n = 0;
    for (const char *at = d->out.ptr; (at = strstr(at, what)); at++) n++;
    return n;
}

static void a_drawing_has_every_node_and_edge_once(void **state)
{
    (void)state;
    drawn d =
        draw("task a { run = 'a' failure_policy = branch }\n task b { run = 'b' }\n gate g { join = any }\n"
             "group h { task c { run = 'c' } task d { run = 'd' } }\n"
             "a -> b -> g\n a:failed -> g\n g -> h",
             (ax_picture_options){.format = AX_PICTURE_SVG});
    assert_int_equal(d.rc, AX_OK);
    assert_int_equal(count(&d, "class=\"node task\""), 4);
    assert_int_equal(count(&d, "class=\"node gate\""), 1);
    assert_int_equal(count(&d, "class=\"frame group\""), 1);
    assert_int_equal(count(&d, "class=\"edge succeeded\""), 3);
    assert_int_equal(count(&d, "class=\"edge failed\""), 1);
    assert_int_equal(count(&d, "id=\"node-"), 6);
    assert_int_equal(count(&d, "id=\"node-h.c\""), 1);
    assert_int_equal(count(&d, "data-name=\"h.c\""), 1);
    assert_int_equal(count(&d, "<g"), count(&d, "</g>"));
    ax_buf_free(&d.out);
}

static void themes_differ_in_colours_only(void **state)
{
    (void)state;
    const char *body = "task a { run = 'a' }";
    drawn light = draw(body, (ax_picture_options){.format = AX_PICTURE_SVG});
    drawn dark = draw(body, (ax_picture_options){.format = AX_PICTURE_SVG, .dark = true});
    const char *light_end = strstr(light.out.ptr, "</style>"), *dark_end = strstr(dark.out.ptr, "</style>");
    assert_string_equal(light_end, dark_end);
    assert_string_not_equal(light.out.ptr, dark.out.ptr);
    ax_buf_free(&light.out);
    ax_buf_free(&dark.out);
}

static void a_png_is_a_png(void **state)
{
    (void)state;
    drawn d = draw("task a { run = 'a' }", (ax_picture_options){.format = AX_PICTURE_PNG});
    assert_int_equal(d.rc, AX_OK);
    assert_memory_equal(d.out.ptr, "\x89PNG\r\n\x1a\n", 8);
    ax_buf_free(&d.out);
}

static void an_empty_workflow_has_a_picture(void **state)
{
    (void)state;
    drawn d = draw("doc = 'nothing yet'", (ax_picture_options){.format = AX_PICTURE_SVG});
    assert_int_equal(d.rc, AX_OK);
    assert_int_equal(count(&d, "nothing yet"), 1);
    ax_buf_free(&d.out);
}

/* `tasks` tasks, each with an edge to the next `reach` ones. */
static char *many(ax_arena *mem, int tasks, int reach)
{
    ax_buf body = AX_BUF_INIT(PICTURE_MAX);
    for (int i = 0; i < tasks; i++) ax_buf_addf(&body, "task t%d { run = 'x' }\n", i);
    for (int i = 0; i < tasks; i++) {
        for (int k = i + 1; k <= i + reach && k < tasks; k++) ax_buf_addf(&body, "t%d -> t%d\n", i, k);
    }
    char *text = ax_str_c(mem, ax_buf_str(&body));
    ax_buf_free(&body);
    return text;
}

static void too_many_boxes_or_edges_are_refused_with_advice(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    drawn d = draw(many(&mem, 401, 0), (ax_picture_options){.format = AX_PICTURE_SVG});
    assert_int_equal(d.rc, AX_INVALID);
    assert_string_equal(d.err.text, "workflow 'w' is too large to be drawn: 401 boxes, and the limit is 400");
    assert_non_null(strstr(d.err.help, "groups or a matrix"));
    ax_buf_free(&d.out);
    d = draw(many(&mem, 100, 50), (ax_picture_options){.format = AX_PICTURE_SVG});
    assert_int_equal(d.rc, AX_INVALID);
    assert_non_null(strstr(d.err.text, "edges, and the limit is"));
    ax_buf_free(&d.out);
    d = draw(many(&mem, 3000, 2), (ax_picture_options){.format = AX_PICTURE_DOT});
    assert_int_equal(d.rc, AX_OK);
    ax_buf_free(&d.out);
    ax_arena_free(&mem);
}

static void a_picture_larger_than_its_buffer_is_an_error(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_diags diags = ax_diags_new(&mem, &sources);
    ax_compiled compiled;
    ax_source *source;
    ax_err err = {0};
    ax_buf out = AX_BUF_INIT(1000);
    ax_sources_add(&sources, AX_LIT("w.axf"), AX_LIT("workflow w { task a { run = 'a' } }"), &source, NULL);
    ax_compile(&mem, source, &diags, &compiled);
    assert_int_equal(ax_picture(compiled.plans[0], &(ax_picture_options){0}, &out, &err), AX_INVALID);
    assert_string_equal(err.text, "the picture is larger than 1000 bytes");
    ax_buf_free(&out);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_drawing_has_every_node_and_edge_once),
    cmocka_unit_test(themes_differ_in_colours_only),
    cmocka_unit_test(a_png_is_a_png),
    cmocka_unit_test(an_empty_workflow_has_a_picture),
    cmocka_unit_test(too_many_boxes_or_edges_are_refused_with_advice),
    cmocka_unit_test(a_picture_larger_than_its_buffer_is_an_error),
};
RUN_TESTS(tests)
