/* fuzz_select.c - any text as a selection over a small workflow: refused with a message at a place inside it,
 * or carried out; and the complement of what it selects is what `not` of it selects.
 */
#include <stddef.h>
#include <stdint.h>

#include "compiler/axc.h"
#include "compiler/select/select.h"
#include "dsl/base/assert.h"
#include "dsl/base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char flow[] = "workflow w { tags = [t]  group g { tags = [u]  task a { run = \"x\" }  task s { "
                           "matrix { k = [\"x\", \"y\"] }\n"
                           "  run = \"x\" }  a -> s }  task b { run = \"x\"  tags = [v] }  gate c { join = "
                           "any }  g -> b -> c\n  a2 -> c\n"
                           "  task a2 { run = \"y\" } }";

static const ax_plan *compiled(ax_arena *mem)
{
    ax_sources sources = ax_sources_new(mem);
    ax_diags diags = ax_diags_new(mem, &sources);
    ax_source *source;
    ax_compiled out = {0};
    AX_ASSERT(ax_sources_add(&sources, AX_LIT("w.axf"), AX_LIT(flow), &source, NULL) == AX_OK);
    ax_compile(mem, source, &diags, &out);
    AX_ASSERT(out.plan_count == 1);
    return out.plans[0];
}

static void check_complement(const ax_plan *plan, ax_str text, const ax_node_set *set, ax_arena *mem)
{
    ax_text_err error;
    ax_node_set rest;
    ax_str negated = ax_str_fmt(mem, "not (%.*s)", AX_STR(text));
    /* A NUL ends the copy, and the parentheses may be one too many. */
    if (negated.len != text.len + 6 || !ax_select_from(mem, negated, plan, plan, &rest, &error)) return;
    for (uint32_t n = 0; n < plan->node_count; n++)
        AX_ASSERT(ax_node_set_has(set, n) != ax_node_set_has(&rest, n));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ax_arena plan_mem;
    static const ax_plan *plan;
    if (!plan) plan = compiled(&plan_mem);
    ax_arena mem = AX_ARENA_INIT;
    ax_str text = {(const char *)data, size};
    ax_node_set set;
    ax_text_err error = {0};
    if (ax_select_from(&mem, text, plan, plan, &set, &error)) {
        AX_ASSERT(ax_node_set_size(&set) <= plan->node_count);
        check_complement(plan, text, &set, &mem);
    } else {
        AX_ASSERT(error.text[0] && error.at <= size && error.len >= 1);
    }
    ax_arena_free(&mem);
    return 0;
}
