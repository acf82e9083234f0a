/* plan.h - plans for tests of the runtime, built by hand from a line of text: no compiler is involved.
 *
 *   a -> b -> c; a:failed -> d; [b, c] -> e       edges; a name that is new is a task
 *   a policy=pause retry=2 wait=1000              what a node says (see plan.c for all words)
 *   group g = x y                                 a group of these members; a group among them stands before
 *   fan s = 3                                     copies s.0 s.1 s.2, and s for all of them
 *
 * Statements end with `;` or a line end. An edge to a group goes to its roots, to a fan-out to every copy; an
 * edge from one comes from its virtual node, or into a join other than `all` from each copy of a fan-out.
 */
#ifndef AX_TESTS_LIB_PLAN_H
#define AX_TESTS_LIB_PLAN_H

#include "dsl/model/plan.h"

/* The plan that the text describes; fails the test on a text that makes no sense. */
ax_plan *test_plan(ax_arena *mem, const char *text);
/* The node of that name; fails the test if there is none. */
uint32_t test_plan_node(const ax_plan *plan, const char *name);

#endif
