/* compiled.c - a source text compiled in a test. */
#include "tests/lib/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "dsl/base/diag_render.h"
#include "tests/lib/test.h"

test_compiled *given_text(ax_str text)
{
    test_compiled *c = calloc(1, sizeof *c);
    assert_non_null(c);
    ax_source *source;
    c->sources = ax_sources_new(&c->mem);
    c->diags = ax_diags_new(&c->mem, &c->sources);
    text = ax_str_dup(&c->mem, text);
    assert_int_equal(ax_sources_add(&c->sources, AX_LIT("main.axf"), text, &source, NULL), AX_OK);
    ax_compile(&c->mem, source, &c->diags, &c->out);
    ax_diags_sort(&c->diags);
    return c;
}

test_compiled *given_file(const char *text)
{
    return given_text(ax_str_of(text));
}

test_compiled *given_flow(const char *body)
{
    ax_buf text = AX_BUF_INIT(1 << 20);
    ax_buf_addf(&text, "workflow w {\n  defaults { timeout = 1m }\n%s\n}\n", body);
    test_compiled *c = given_text(ax_buf_str(&text));
    ax_buf_free(&text);
    return c;
}

void end_file(test_compiled *c)
{
    ax_arena_free(&c->mem);
    free(c);
}

/* Fails the test with everything that was reported. */
static void fail_with_diags(const test_compiled *c)
{
    ax_buf text = AX_BUF_INIT(1 << 20);
    ax_diags diags = c->diags;
    ax_diags_text(&diags, false, &text);
    print_error("%s\n", text.len ? text.ptr : "(nothing was reported)");
    ax_buf_free(&text);
    fail();
}

void then_codes(const test_compiled *c, const char *codes)
{
    ax_buf got = AX_BUF_INIT(1 << 16);
    for (uint32_t i = 0; i < c->diags.list.len; i++)
        ax_buf_addf(&got, "%s%s", i ? " " : "", ax_diag_name(c->diags.list.at[i]->code));
    bool same = ax_str_is(ax_buf_str(&got), codes);
    ax_buf_free(&got);
    if (same) return;
    print_error("wanted: %s\n", codes);
    fail_with_diags(c);
}

void then_message(const test_compiled *c, const char *text)
{
    assert_true(c->diags.list.len > 0);
    assert_str(c->diags.list.at[0]->text, text);
}

const ax_plan *the_plan(const test_compiled *c)
{
    if (c->diags.errors > 0 || c->out.plan_count != 1) fail_with_diags(c);
    return c->out.plans[0];
}

const ax_def *def_named(const test_compiled *c, const char *name)
{
    const ax_plan *plan = the_plan(c);
    for (uint32_t i = 0; i < plan->def_count; i++)
        if (ax_str_is(plan->defs[i].name, name)) return &plan->defs[i];
    fail_msg("there is no task '%s'", name);
    return NULL;
}

uint32_t node_named(const test_compiled *c, const char *name)
{
    uint32_t node = ax_plan_find(the_plan(c), ax_str_of(name));
    if (node == AX_NONE) fail_msg("there is no node '%s'", name);
    return node;
}

void then_edges(const test_compiled *c, const char *edges)
{
    const ax_plan *plan = the_plan(c);
    ax_buf got = AX_BUF_INIT(1 << 16);
    for (uint32_t e = 0; e < plan->edge_count; e++) {
        const ax_plan_edge *edge = &plan->edges[e];
        ax_buf_addf(&got, "%s%.*s->%.*s", e ? " " : "", AX_STR(plan->nodes[edge->from].name),
                    AX_STR(plan->nodes[edge->to].name));
        if (edge->outcome != AX_ON_SUCCEEDED) ax_buf_addf(&got, ":%s", ax_outcome_name(edge->outcome));
    }
    bool same = ax_str_is(ax_buf_str(&got), edges);
    if (!same) print_error("wanted: %s\nfound:  %.*s\n", edges, AX_STR(ax_buf_str(&got)));
    ax_buf_free(&got);
    assert_true(same);
}
