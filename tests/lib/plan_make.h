/* plan_make.h - plans built by hand, for tests that must not depend on the compiler.
 *
 *   plan_maker m = plan_maker_new(&mem, "daily");
 *   plan_task(&m, "a", "echo a");
 *   plan_task(&m, "b", "echo b")->timeout_ms = 1000;
 *   plan_edge(&m, "a", "b", AX_ON_SUCCEEDED);
 *   const ax_plan *plan = plan_made(&m);
 */
#ifndef AX_TESTS_PLAN_MAKE_H
#define AX_TESTS_PLAN_MAKE_H

#include "dsl/base/vec.h"
#include "dsl/model/plan.h"

typedef struct {
    ax_arena *mem;
    ax_plan *plan;
    uint32_t group; /* what is added becomes a member of this node; AX_NONE: of none */
    AX_VEC(ax_def) defs;
    AX_VEC(ax_plan_node) nodes;
    AX_VEC(ax_plan_edge) edges;
    AX_VEC(ax_value) values;
} plan_maker;

/* An empty plan of that name; everything lives in mem. */
plan_maker plan_maker_new(ax_arena *mem, const char *name);
/* Adds a task with a script, or a gate; the definition may be changed until the next one is added. */
ax_def *plan_task(plan_maker *m, const char *name, const char *script);
ax_def *plan_gate(plan_maker *m, const char *name);
/* Adds a task with one matrix key and its values. */
ax_def *plan_fan_out(plan_maker *m, const char *name, const char *key, const ax_str *values, uint32_t count);
/* Opens a group inside the current one; plan_group_end goes back to what is around it. */
ax_def *plan_group(plan_maker *m, const char *name);
void plan_group_end(plan_maker *m);
/* Adds an edge between nodes by name; to a group or fan-out it must be written per root or copy. */
void plan_edge(plan_maker *m, const char *from, const char *to, ax_outcome outcome);
/* The finished plan. */
ax_plan *plan_made(plan_maker *m);

#endif
