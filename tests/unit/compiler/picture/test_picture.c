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

/* A picture of many tasks, and what its note says. */
static void then_note(char *body, ax_picture_options options, ax_rc rc, const char *words)
{
    ax_buf note = AX_BUF_INIT(4096);
    options.note = &note;
    drawn d = draw(body, options);
    assert_int_equal(d.rc, rc);
    if (words) assert_non_null(strstr(ax_buf_str(&note).ptr, words));
    else assert_int_equal(note.len, 0);
    ax_buf_free(&d.out);
    ax_buf_free(&note);
}

static void large_workflows_are_drawn_and_say_what_was_folded(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    const ax_picture_options svg = {.format = AX_PICTURE_SVG};
    then_note(many(&mem, 401, 1), svg, AX_OK, NULL);
    then_note(many(&mem, 401, 0), svg, AX_OK, "folded: 1 set of tasks with the same edges (401 nodes)");
    then_note(many(&mem, 100, 50), svg, AX_OK, NULL);
    then_note(many(&mem, 5200, 2), svg, AX_OK, "sets of nodes of neighbouring levels (5200 nodes)");
    then_note(many(&mem, 401, 0), (ax_picture_options){.collapse = AX_COLLAPSE_NONE}, AX_OK, NULL);
    then_note(many(&mem, 50001, 0), (ax_picture_options){.collapse = AX_COLLAPSE_NONE}, AX_INVALID, NULL);
    then_note(many(&mem, 50001, 0), svg, AX_OK, "folded: 1 set");
    ax_arena_free(&mem);
}

static const char *const grouped =
    "task a { run = 'a' }\n group g { task b { run = 'b' } task c { run = 'c' } }\n"
    "task m { matrix { v = ['x', 'y'] } run = 'm' }\n a -> g -> m";

static void collapse_all_folds_groups_and_small_fan_outs(void **state)
{
    (void)state;
    drawn d = draw(grouped, (ax_picture_options){.collapse = AX_COLLAPSE_ALL});
    assert_int_equal(count(&d, "class=\"node group\""), 1);
    assert_int_equal(count(&d, "class=\"node stack\""), 1);
    assert_int_equal(count(&d, "class=\"frame"), 0);
    assert_int_equal(count(&d, "class=\"edge"), 2);
    ax_buf_free(&d.out);
}

static void links_lead_to_the_line_and_are_encoded(void **state)
{
    (void)state;
    drawn d = draw(grouped, (ax_picture_options){.link = AX_LIT("https://x/{file}?a&b={name}#L{line}{")});
    assert_int_equal(count(&d, "<a href=\"https://x/w.axf?a&amp;b=a#L2{\" target=\"_top\"><g id=\"node-a\""),
                     1);
    assert_int_equal(count(&d, "b=m%5B%22x%22%5D#L4{"), 1);
    assert_int_equal(count(&d, "<a "), count(&d, "</a>"));
    ax_buf_free(&d.out);
}

static void the_critical_path_has_its_nodes_and_edges(void **state)
{
    (void)state;
    const char *body =
        "task a { run = 'a' failure_policy = branch }\n task b { run = 'b' }\n task c { run = 'c' }\n"
        "task d { run = 'd' }\n task e { run = 'e' }\n a -> b -> d\n a -> c -> d\n a:failed -> e";
    const int64_t ms[] = {1000, 2000, 3000, 1000, 90000};
    drawn d = draw(body, (ax_picture_options){.durations_ms = ms});
    assert_int_equal(count(&d, "class=\"node task critical\""), 3);
    assert_int_equal(count(&d, "class=\"edge succeeded critical\""), 2);
    assert_int_equal(count(&d, "critical path 5.0s"), 1);
    ax_buf_free(&d.out);
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
    cmocka_unit_test(large_workflows_are_drawn_and_say_what_was_folded),
    cmocka_unit_test(collapse_all_folds_groups_and_small_fan_outs),
    cmocka_unit_test(links_lead_to_the_line_and_are_encoded),
    cmocka_unit_test(the_critical_path_has_its_nodes_and_edges),
    cmocka_unit_test(a_picture_larger_than_its_buffer_is_an_error),
};
RUN_TESTS(tests)
