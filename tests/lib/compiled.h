/* compiled.h - a source text compiled in a test: given a file, then diagnostics and a plan.
 *
 *   test_compiled *c = given_file("workflow w { task a { run = \"x\" } }");
 *   then_codes(c, "W0601");
 *   assert_str(def_named(c, "a")->script, "x");
 *   end_file(c);
 */
#ifndef AX_TESTS_LIB_COMPILED_H
#define AX_TESTS_LIB_COMPILED_H

#include "compiler/axc.h"

typedef struct {
    ax_arena mem;
    ax_sources sources;
    ax_diags diags;
    ax_compiled out;
} test_compiled;

/* Compiles a copy of the text as a file called main.axf. */
test_compiled *given_file(const char *text);
test_compiled *given_text(ax_str text);
/* The same with `body` inside `workflow w { defaults { timeout = 1m } … }`. */
test_compiled *given_flow(const char *body);
/* Gives it back. */
void end_file(test_compiled *c);

/* Exactly these codes were reported, in the order of their places. */
void then_codes(const test_compiled *c, const char *codes);
/* The first diagnostic says this, word for word. */
void then_message(const test_compiled *c, const char *text);
/* The only plan; fails the test if an error was reported. */
const ax_plan *the_plan(const test_compiled *c);
/* A definition or node of the only plan by name; fails the test if there is none. */
const ax_def *def_named(const test_compiled *c, const char *name);
uint32_t node_named(const test_compiled *c, const char *name);
/* The edges of the only plan: "a->b a->c:failed", by target and then as written. */
void then_edges(const test_compiled *c, const char *edges);

#endif
