/* pipeline.c - the passes as rows with prerequisites, and the one loop that runs them.
 *
 * A pass that reported an error has failed, and one that stands on it is not run for that workflow, so that
 * one mistake is not reported again in other words. Passes that do not stand on each other all report.
 */
#include "compiler/flow_int.h"
#include "dsl/syntax/parse.h"

#define NEAR_BUDGET 1000000u

enum { SCHEMA, NAMES, TYPES, EXPR, EXPAND, GRAPH, OUTCOMES, LINT, LOWER, PASS_COUNT };
#define BIT(pass) (1u << (pass))
#define WHOLE_TEXT (1u << PASS_COUNT) /* the file has no syntax error: what is missing is not there */
#define ALL_BEFORE(pass) ((BIT(pass) - 1) | WHOLE_TEXT)

typedef struct {
    const char *name;
    void (*run)(ax_flow *f);
    unsigned needs; /* what must not have failed */
} pass_row;

static const pass_row passes[PASS_COUNT] = {
    [SCHEMA] = {"schema", ax_pass_schema, 0},
    [NAMES] = {"names", ax_pass_names, 0},
    [TYPES] = {"types", ax_pass_types, 0},
    [EXPR] = {"expr", ax_pass_expr, 0},
    [EXPAND] = {"expand", ax_pass_expand, 0},
    [GRAPH] = {"graph", ax_pass_graph, BIT(EXPAND) | WHOLE_TEXT},
    [OUTCOMES] = {"outcomes", ax_pass_outcomes, ALL_BEFORE(OUTCOMES)},
    [LINT] = {"lint", ax_pass_lint, ALL_BEFORE(OUTCOMES)},
    [LOWER] = {"lower", ax_pass_lower, ALL_BEFORE(LINT)},
};

static void run_passes(ax_flow *f)
{
    if (f->unit->is_partial) f->failed |= WHOLE_TEXT;
    for (int p = 0; p < PASS_COUNT; p++) {
        uint32_t errors = f->diags->errors;
        if (f->failed & passes[p].needs) f->failed |= BIT(p);
        else passes[p].run(f);
        if (f->diags->errors > errors) f->failed |= BIT(p);
    }
}

void ax_compile(ax_arena *mem, const ax_source *source, ax_diags *diags, ax_compiled *out)
{
    uint32_t errors = diags->errors;
    ax_unit unit = {.mem = mem, .diags = diags, .source = source, .near_budget = NEAR_BUDGET};
    *out = (ax_compiled){.file = ax_parse(mem, source, diags)};
    unit.is_partial = out->file->broken;
    ax_unit_schema(&unit, out->file);
    ax_unit_names(&unit, out->file);
    ax_unit_types(&unit);
    bool sound = diags->errors == errors;

    out->plans = AX_NEW_N(mem, ax_plan *, unit.flows.len);
    for (uint32_t i = 0; i < unit.flows.len; i++) {
        ax_flow *f = unit.flows.at[i];
        run_passes(f);
        if (sound && !(f->failed & BIT(LOWER))) out->plans[out->plan_count++] = f->plan;
    }
    ax_arena_free(&unit.scratch);
}
