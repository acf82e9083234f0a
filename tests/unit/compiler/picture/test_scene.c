/* test_scene.c - which boxes, frames and links a workflow has, after folding and lifting. */
#include "compiler/axc.h"
#include "compiler/picture/scene_int.h"
#include "dsl/base/buf.h"
#include "tests/lib/test.h"

#define BOXES_MAX 400

typedef struct {
    ax_arena mem;
    ax_sources sources;
    ax_diags diags;
    ax_compiled compiled;
    ax_scene scene;
} fixture;

/* The scene of the workflow with this body. */
static fixture *scene_of(const char *body, uint32_t boxes_max)
{
    static fixture f;
    f = (fixture){.mem = AX_ARENA_INIT};
    ax_source *source;
    f.sources = ax_sources_new(&f.mem);
    f.diags = ax_diags_new(&f.mem, &f.sources);
    ax_str text = ax_str_fmt(&f.mem, "workflow w {\n%s\n}\n", body);
    assert_int_equal(ax_sources_add(&f.sources, AX_LIT("w.axf"), text, &source, NULL), AX_OK);
    ax_compile(&f.mem, source, &f.diags, &f.compiled);
    assert_int_equal(f.diags.errors, 0);
    ax_scene_view view = {.boxes_fit = boxes_max, .boxes_max = 5000, .links_max = 50000};
    ax_scene_make(&f.scene, &f.mem, f.compiled.plans[0], &view);
    return &f;
}

static uint32_t count_links(const ax_scene *s, bool hidden)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->links.len; i++) count += s->links.at[i].hidden == hidden;
    return count;
}

static const ax_box *box_titled(const ax_scene *s, const char *title)
{
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        if (ax_str_is(s->boxes.at[i].caption.title, title)) return &s->boxes.at[i];
    }
    fail_msg("no box '%s'", title);
    return NULL;
}

static bool has_chip(const ax_caption *c, const char *text)
{
    for (uint32_t i = 0; i < c->chip_count; i++) {
        if (ax_str_is(c->chips[i].text, text)) return true;
    }
    return false;
}

static void done(fixture *f)
{
    ax_arena_free(&f->mem);
}

static void a_small_fan_out_is_a_frame_with_its_copies(void **state)
{
    (void)state;
    fixture *f =
        scene_of("task a { run = 'a' }\n task s { matrix { t = ['x', 'y', 'z'] } run = 's {{ t }}' }\n"
                 "task b { run = 'b' }\n a -> s -> b",
                 BOXES_MAX);
    assert_int_equal(f->scene.boxes.len, 5);
    assert_int_equal(f->scene.frames.len, 1);
    assert_str(f->scene.frames.at[0].caption.title, "s × 3");
    assert_true(box_titled(&f->scene, "y")->frame == 0);
    assert_int_equal(count_links(&f->scene, false), 2); /* both lifted to the frame */
    done(f);
}

static void a_large_fan_out_is_one_box(void **state)
{
    (void)state;
    fixture *f = scene_of(
        "task a { run = 'a' }\n task s { matrix { a = [1, 2, 3, 4, 5]  b = ['x', 'y', 'z'] } run = 's' }\n"
        "task b { run = 'b' }\n a -> s -> b",
        BOXES_MAX);
    assert_int_equal(f->scene.boxes.len, 3);
    assert_int_equal(f->scene.frames.len, 0);
    assert_int_equal(box_titled(&f->scene, "s × 15")->kind, AX_BOX_STACK);
    assert_int_equal(f->scene.links.len, 2);
    done(f);
}

static void groups_nest_and_take_links_as_a_whole(void **state)
{
    (void)state;
    fixture *f = scene_of("task a { run = 'a' }\n"
                          "group g { task p { run = 'p' }\n task q { run = 'q' }\n"
                          "  group h { task r { run = 'r' }\n task t { run = 't' } } }\n"
                          "task b { run = 'b' }\n a -> g -> b",
                          BOXES_MAX);
    assert_int_equal(f->scene.boxes.len, 6);
    assert_int_equal(f->scene.frames.len, 2);
    assert_int_equal(f->scene.frames.at[1].frame, 0);
    assert_int_equal(count_links(&f->scene, false), 2);
    assert_true(f->scene.links.at[0].to.frame == 0 || f->scene.links.at[1].to.frame == 0);
    /* b stands behind every end of g, a before every beginning */
    assert_int_equal(count_links(&f->scene, true), 6);
    done(f);
}

static void a_link_to_one_of_many_stays_a_link_to_that_one(void **state)
{
    (void)state;
    fixture *f = scene_of(
        "task a { run = 'a' }\n task s { matrix { t = ['x', 'y'] } run = 's' }\n a -> s[\"y\"]", BOXES_MAX);
    assert_int_equal(count_links(&f->scene, false), 1);
    assert_int_equal(f->scene.links.at[0].to.frame, AX_NONE);
    done(f);
}

static void outcomes_of_one_pair_are_links_of_their_own(void **state)
{
    (void)state;
    fixture *f = scene_of("task a { failure_policy = branch run = 'a' }\n task b { join = any run = 'b' }\n"
                          "a -> b\n a:failed -> b",
                          BOXES_MAX);
    assert_int_equal(count_links(&f->scene, false), 2);
    assert_true(f->scene.links.at[0].outcome != f->scene.links.at[1].outcome);
    assert_true(has_chip(&box_titled(&f->scene, "b")->caption, "any of 2"));
    done(f);
}

static void what_is_too_much_folds_fan_outs_then_groups(void **state)
{
    (void)state;
    const char *body =
        "group g { task s { matrix { t = ['x', 'y', 'z'] } run = 's' }\n task u { run = 'u' } }\n"
        "task b { run = 'b' }\n g -> b";
    fixture *f = scene_of(body, 5);
    assert_int_equal(f->scene.boxes.len, 5);
    done(f);
    f = scene_of(body, 4);
    assert_int_equal(f->scene.boxes.len, 3);
    assert_int_equal(f->scene.frames.len, 1);
    done(f);
    f = scene_of(body, 2);
    assert_int_equal(f->scene.boxes.len, 2);
    assert_int_equal(f->scene.frames.len, 0);
    assert_str(box_titled(&f->scene, "g")->caption.detail, "2 nodes");
    done(f);
}

static void what_runs_finally_has_a_frame_at_the_end(void **state)
{
    (void)state;
    fixture *f = scene_of("task a { run = 'a' }\n task b { run = 'b' }\n a -> b\n"
                          "task clean { finally = true run = 'rm' }",
                          BOXES_MAX);
    assert_int_equal(f->scene.frames.len, 1);
    assert_str(f->scene.frames.at[0].caption.title, "finally");
    assert_int_equal(count_links(&f->scene, true), 1);
    done(f);
}

static void what_most_tasks_say_is_said_once(void **state)
{
    (void)state;
    fixture *f = scene_of(
        "defaults { timeout = 5m  retry { max = 2 } }\n"
        "task a { run = 'a' }\n task b { run = 'b' }\n task c { run = 'c' timeout = 1h retry { max = 0 } }\n",
        BOXES_MAX);
    assert_str(f->scene.subtitle, "unless said: 2 retries, timeout 5m");
    assert_int_equal(box_titled(&f->scene, "a")->caption.chip_count, 0);
    const ax_caption *c = &box_titled(&f->scene, "c")->caption;
    assert_true(has_chip(c, "no retry") && has_chip(c, "timeout 1h"));
    done(f);
}

static void a_box_says_what_runs_in_the_words_of_the_file(void **state)
{
    (void)state;
    fixture *f = scene_of("param n : int = 3\n"
                          "task a { run = \"\"\"\n  # a comment\n  set -x\n  go --date {{ date }} \"{{ n "
                          "}}\"\n  more\n  \"\"\" }\n"
                          "task e { exec = ['ls', '-l', \"{{ date }}\"] when = n > 2 and not (n == 5) }",
                          BOXES_MAX);
    assert_str(box_titled(&f->scene, "a")->caption.detail, "go --date {{ date }} \"{{ n }}\"");
    assert_str(box_titled(&f->scene, "e")->caption.detail, "ls -l {{ date }}");
    assert_true(has_chip(&box_titled(&f->scene, "e")->caption, "when n > 2 and not n == 5") ||
                has_chip(&box_titled(&f->scene, "e")->caption, "when n > 2 and not (n == 5)"));
    done(f);
}

static void ids_are_stable_and_tell_all_names_apart(void **state)
{
    (void)state;
    fixture *f = scene_of("group g { task a-b { run = 'a' } }\n"
                          "task s { matrix { t = ['x y', 'x_y', \"x\\ny\", 'née'] } run = 's' }",
                          BOXES_MAX);
    const ax_plan *plan = f->scene.plan;
    assert_str(ax_scene_id(&f->mem, plan, ax_plan_find(plan, AX_LIT("g.a-b"))), "node-g.a-b");
    for (uint32_t i = 0; i < plan->node_count; i++) {
        ax_str id = ax_scene_id(&f->mem, plan, i);
        for (size_t k = 0; k < id.len; k++)
            assert_true(id.ptr[k] > ' ' && id.ptr[k] <= '~' && id.ptr[k] != '"');
        for (uint32_t other = 0; other < i; other++) {
            assert_false(ax_str_eq(id, ax_scene_id(&f->mem, plan, other)));
        }
    }
    done(f);
}

static void a_chain_flows_down_and_a_fan_to_the_right(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_buf chain = AX_BUF_INIT(100000), fan = AX_BUF_INIT(100000);
    for (int i = 0; i < 30; i++) {
        ax_buf_addf(&chain, "task t%d { run = 'x' }\n", i);
        ax_buf_addf(&fan, "task t%d { run = 'x' }\n", i);
        if (i) ax_buf_addf(&chain, "t%d -> t%d\n", i - 1, i);
        if (i) ax_buf_addf(&fan, "t0 -> t%d\n", i);
    }
    fixture *f = scene_of(ax_str_c(&mem, ax_buf_str(&chain)), BOXES_MAX);
    assert_true(f->scene.down);
    done(f);
    f = scene_of(ax_str_c(&mem, ax_buf_str(&fan)), BOXES_MAX);
    assert_false(f->scene.down);
    done(f);
    ax_buf_free(&chain);
    ax_buf_free(&fan);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_small_fan_out_is_a_frame_with_its_copies),
    cmocka_unit_test(a_large_fan_out_is_one_box),
    cmocka_unit_test(groups_nest_and_take_links_as_a_whole),
    cmocka_unit_test(a_link_to_one_of_many_stays_a_link_to_that_one),
    cmocka_unit_test(outcomes_of_one_pair_are_links_of_their_own),
    cmocka_unit_test(what_is_too_much_folds_fan_outs_then_groups),
    cmocka_unit_test(what_runs_finally_has_a_frame_at_the_end),
    cmocka_unit_test(what_most_tasks_say_is_said_once),
    cmocka_unit_test(a_box_says_what_runs_in_the_words_of_the_file),
    cmocka_unit_test(ids_are_stable_and_tell_all_names_apart),
    cmocka_unit_test(a_chain_flows_down_and_a_fan_to_the_right),
};
RUN_TESTS(tests)
