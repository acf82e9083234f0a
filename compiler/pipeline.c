/* pipeline.c - the passes as rows with prerequisites, and the one loop that runs them.
 *
 * A pass that reported an error has failed, and one that stands on it is not run for that workflow, so that
 * one mistake is not reported again in other words. Passes that do not stand on each other all report.
 */
#include "compiler/flow_int.h"
#include "compiler/template_int.h"
#include "dsl/syntax/parse.h"

#define NEAR_BUDGET 1000000u

enum { TEMPLATES, SCHEMA, NAMES, TYPES, EXPR, EXPAND, GRAPH, OUTCOMES, LINT, LOWER, PASS_COUNT };
#define BIT(pass) (1u << (pass))
#define WHOLE_TEXT (1u << PASS_COUNT) /* the file has no syntax error: what is missing is not there */
#define ALL_BEFORE(pass) ((BIT(pass) - 1) | WHOLE_TEXT)

typedef struct {
    const char *name;
    void (*run)(ax_flow *f);
    unsigned needs; /* what must not have failed */
} pass_row;

static const pass_row passes[PASS_COUNT] = {
    [TEMPLATES] = {"templates", ax_pass_templates, 0},
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

/* What the file declares for its workflows and none of them uses. */
static void lint_file(ax_unit *unit)
{
    ax_template_lint(unit);
    for (uint32_t i = 0; i < unit->lets.len; i++) {
        const ax_named *let = &unit->lets.at[i];
        if (!let->is_used)
            ax_diag_add(unit->diags, AX_W0603, let->span, "let '%.*s' is never used",
                        AX_STR(let->block->labels[0].name.text));
    }
}

void ax_compile(ax_arena *mem, const ax_source *source, ax_diags *diags, ax_compiled *out)
{
    uint32_t errors = diags->errors, first = diags->list.len;
    ax_unit unit = {.mem = mem, .diags = diags, .source = source, .near_budget = NEAR_BUDGET};
    *out = (ax_compiled){.file = ax_parse(mem, source, diags)};
    unit.is_partial = out->file->broken;
    ax_unit_schema(&unit, out->file);
    ax_unit_names(&unit, out->file);
    ax_unit_types(&unit);
    ax_template_add(&unit, &unit.template_names, out->file->items, out->file->count);
    bool sound = diags->errors == errors;

    out->plans = AX_NEW_N(mem, ax_plan *, unit.flows.len);
    for (uint32_t i = 0; i < unit.flows.len; i++) {
        ax_flow *f = unit.flows.at[i];
        run_passes(f);
        if (sound && !(f->failed & BIT(LOWER))) out->plans[out->plan_count++] = f->plan;
    }
    ax_template_note_rest(&unit, first);
    if (unit.flows.len > 0 && diags->errors == errors) lint_file(&unit);
    ax_arena_free(&unit.scratch);
}
