/* test_names.c - who is declared, and what each name means where it stands. */
#include "tests/lib/test.h"

#include <string.h>

#include "compiler/lsp/names.h"
#include "tests/lib/parsed.h"

/* Every use in the order of the source: "name=LINE", the line where it is declared; a declaration is "name".
 */
static void then_uses(const char *text, const char *want)
{
    parsed *p = parsed_file(ax_str_of(text));
    ax_names names;
    ax_buf got = AX_BUF_INIT(1 << 16);
    ax_names_read(&p->mem, p->file, &names);
    for (uint32_t i = 0; i < names.uses.len; i++) {
        const ax_name_use *use = &names.uses.at[i];
        const ax_symbol *symbol = &names.symbols.at[use->symbol];
        ax_buf_addf(&got, "%s%.*s", i ? " " : "", AX_STR(ax_sources_text(&p->sources, use->span)));
        if (!use->is_definition)
            ax_buf_addf(&got, "=%u", ax_sources_line(&p->sources, symbol->name.span.beg));
    }
    assert_str(ax_buf_str(&got), want);
    ax_buf_free(&got);
    parsed_free(p);
}

static void names_may_be_used_before_they_are_declared(void **state)
{
    (void)state;
    then_uses(
        "workflow w {\n  a -> b\n  task a { run = x }\n  task b { run = x }\n  let x = y\n}\nlet y = 1\n",
        "w a=3 b=4 a x=5 b x=5 x y=7 y");
}

static void expressions_in_texts_are_read(void **state)
{
    (void)state;
    then_uses(
        "workflow w {\n  param p : int = 1\n  task a {\n    output o : int\n    run = \"\"\"\n      {{ p }} "
        "{{ \"{{ p }}\" }}\n    \"\"\"\n  }\n  task b { exec = [\"x\", \"{{ a.o }}\", p] }\n}\n",
        "w p a o p=2 p=2 b a=3 o=4 p=2");
}

static void a_matrix_key_hides_nothing_outside_its_task(void **state)
{
    (void)state;
    then_uses("let k = 1\nworkflow w {\n  task a {\n    matrix { k = [k] }\n    run = \"{{ k }}\"\n  }\n"
              "  task b { run = \"{{ k }}\" }\n  a[\"x\"] -> b\n}\n",
              "k w a k k=4 k=4 b k=1 a=3 b=7");
}

static void members_of_a_group_are_found_inside_and_by_path(void **state)
{
    (void)state;
    then_uses(
        "workflow w {\n  task a { run = \"\" }\n  group g {\n    task a { output o : int }\n    task b { "
        "when = "
        "a.o > 0 }\n    a -> b\n  }\n  g.a:failed -> a\n  task c { when = g.a.o > 0 and g[\"x\"].b }\n}\n",
        "w a g a o b a=4 o=4 a=4 b=5 g=3 a=4 a=2 c g=3 a=4 o=4 g=3 b=5");
}

static void words_of_a_shape_are_no_names(void **state)
{
    (void)state;
    then_uses("workflow w {\n  let all = 1\n  let timeout = 2\n  let n = 3\n  task a {\n    join = all\n"
              "    failure_policy = skip\n    tags = [n]\n    timeout = n\n"
              "    retry { on = [timeout, exit(n)]  backoff = [n, 5m] }\n  }\n"
              "  gate g { join = at_least(n) }\n}\n",
              "w all timeout n a n=4 n=4 n=4 g n=4");
    then_uses("workflow w {\n  let month = 1\n  task a { when = start_of(date, month) == month }\n}\n",
              "w month a month=2");
}

static void excluded_copies_are_named_by_their_keys(void **state)
{
    (void)state;
    then_uses("workflow w {\n  let x = 1\n  task a {\n    matrix { k = [x] }\n    exclude = [{ k = x, x = 2 "
              "}]\n  }\n}\n",
              "w x a k x=2 k=4 x=2");
}

static void the_first_of_two_declarations_is_meant(void **state)
{
    (void)state;
    then_uses("workflow w {\n  let x = 1\n  let x = 2\n  task a { when = x }\n}\n", "w x x a x=2");
}

static void unknown_names_and_blocks_are_passed_over(void **state)
{
    (void)state;
    then_uses(
        "workflow w {\n  let x = 1\n  zzz y { q = x  task t { } }\n  task a { when = nix + x.y.z }\n}\n",
        "w x x=2 a x=2");
}

static void templates_have_parameters_and_members(void **state)
{
    (void)state;
    then_uses(
        "workflow w {\n  task x from t(b = b, c = y)\n  let y = 1\n  group g from p(a = 1) { task l { } }\n"
        "  g.l -> x\n  g.m -> x\n  task r { when = x.o > 0 }\n}\n"
        "template t(b,\n  c = d) {\n  run = \"{{ b }}{{ c }}\"\n  output o : int\n}\nlet d = 1\n"
        "template p(a) {\n  task l from t(b = a) { }\n  task m { retry { max = a } }\n  l -> m\n}\n",
        "w x t=9 b=9 c=10 y=3 y g p=15 a=15 l g=4 l=4 x=2 g=4 m=17 x=2 r x=2 o=12 "
        "t b c d=14 b=9 c=10 o d p a l t=9 b=9 a=15 m a=15 l=16 m=17");
}

static void the_parameters_of_a_template_are_seen_in_it_alone(void **state)
{
    (void)state;
    then_uses("template t(a) {\n  matrix { k = [a] }\n}\nworkflow w {\n  task x from t(a = a) { run = \"{{ a "
              "}}{{ k }}\" }\n"
              "}\n",
              "t a k a=1 w x t=1 a=1 k=2");
}

static void a_template_that_needs_itself_or_none_is_survived(void **state)
{
    (void)state;
    then_uses(
        "template t(a) {\n  group g from t(a = a) { x -> y }\n}\nworkflow w {\n  task x from nix(a = 1)\n}\n",
        "t a g t=1 a=1 a=1 w x");
}

static void a_broken_file_has_its_sound_items(void **state)
{
    (void)state;
    then_uses(
        "workflow w {\n  let x = = 1\n  task a { run = \"{{ x }}\" }\n  task b { run = }\n  a -> b\n}\n",
        "w a b a=3 b=4");
}

static void a_place_belongs_to_the_name_that_touches_it(void **state)
{
    (void)state;
    parsed *p = parsed_file(AX_LIT("workflow w { a -> b  task a { }  task b { } }"));
    ax_names names;
    ax_names_read(&p->mem, p->file, &names);
    uint32_t a = p->source->base + 13;
    assert_int_equal(ax_names_at(&names, a)->span.beg, a);
    assert_int_equal(ax_names_at(&names, a + 1)->span.beg, a);
    assert_null(ax_names_at(&names, a + 2));
    assert_null(ax_names_at(&names, a - 1));
    assert_null(ax_names_at(&names, p->source->base));
    assert_int_equal(ax_names_at(&names, a + 5)->span.beg, a + 5);
    parsed_free(p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_may_be_used_before_they_are_declared),
    cmocka_unit_test(expressions_in_texts_are_read),
    cmocka_unit_test(a_matrix_key_hides_nothing_outside_its_task),
    cmocka_unit_test(members_of_a_group_are_found_inside_and_by_path),
    cmocka_unit_test(words_of_a_shape_are_no_names),
    cmocka_unit_test(excluded_copies_are_named_by_their_keys),
    cmocka_unit_test(the_first_of_two_declarations_is_meant),
    cmocka_unit_test(unknown_names_and_blocks_are_passed_over),
    cmocka_unit_test(templates_have_parameters_and_members),
    cmocka_unit_test(the_parameters_of_a_template_are_seen_in_it_alone),
    cmocka_unit_test(a_template_that_needs_itself_or_none_is_survived),
    cmocka_unit_test(a_broken_file_has_its_sound_items),
    cmocka_unit_test(a_place_belongs_to_the_name_that_touches_it),
};

RUN_TESTS(tests)
