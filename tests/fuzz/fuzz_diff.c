/* fuzz_diff.c - any two workflows are compared; nothing crashes, hangs or leaks.
 *
 * The input is two files with a NUL between them. What must hold: a file has no change to itself nor to its
 * own layout; what came one way went the other way; every format is written, JSON that a strict parser reads
 * among them; both versions make a scene.
 */
#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "compiler/axc.h"
#include "compiler/diff/union_int.h"
#include "dsl/base/assert.h"
#include "dsl/syntax/fmt.h"
#include "dsl/syntax/parse.h"

enum { TEXT_MAX = 64 << 20, INPUTS_MAX = 100 };

#define NOW INT64_C(1796000000000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    ax_diff_input at[INPUTS_MAX];
    uint32_t count;
} inputs;

static ax_source *add_source(ax_sources *sources, ax_str text)
{
    ax_source *source = NULL;
    AX_ASSERT(ax_sources_add(sources, AX_LIT("main.axf"), text, &source, NULL) == AX_OK);
    return source;
}

/* The plans of a text; false if it has errors. */
static bool compile(ax_arena *mem, ax_str text, inputs *out)
{
    ax_sources *sources = AX_NEW(mem, ax_sources);
    *sources = ax_sources_new(mem);
    ax_diags diags = ax_diags_new(mem, sources);
    ax_compiled compiled = {0};
    ax_compile(mem, add_source(sources, text), &diags, &compiled);
    out->count = 0;
    for (uint32_t i = 0; i < compiled.plan_count && out->count < INPUTS_MAX; i++)
        out->at[out->count++] = (ax_diff_input){.plan = compiled.plans[i]};
    return diags.errors == 0;
}

static ax_diff_set compare(ax_arena *mem, const inputs *a, const inputs *b)
{
    ax_diff_set set;
    ax_diff_files(mem, &(ax_diff_inputs){a->at, a->count}, &(ax_diff_inputs){b->at, b->count}, NOW, &set);
    return set;
}

static ax_str formatted(ax_arena *mem, ax_str text)
{
    ax_sources sources = ax_sources_new(mem);
    ax_diags diags = ax_diags_new(mem, &sources);
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    ax_fmt(ax_parse(mem, add_source(&sources, text), &diags), mem, &out);
    ax_str copy = ax_str_dup(mem, ax_buf_str(&out));
    ax_buf_free(&out);
    return copy;
}

static void check_same(ax_arena *mem, const inputs *a, ax_str text)
{
    inputs layout;
    AX_ASSERT(compare(mem, a, a).verdict == AX_VERDICT_SAME);
    AX_ASSERT(compile(mem, formatted(mem, text), &layout));
    AX_ASSERT(compare(mem, a, &layout).verdict == AX_VERDICT_SAME);
}

static void check_formats(const ax_diff_set *set)
{
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    ax_diff_text(set, true, &out);
    ax_diff_markdown(set, &out);
    ax_buf_clear(&out);
    ax_diff_json(set, &out);
    json_t *json = json_loadb(out.ptr, out.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    AX_ASSERT(json_array_size(json_object_get(json, "workflows")) == set->flow_count);
    json_decref(json);
    ax_buf_free(&out);
}

static void check_scenes(const ax_diff_set *set)
{
    for (uint32_t i = 0; i < set->flow_count; i++) {
        ax_arena mem = AX_ARENA_INIT;
        ax_diff_union both;
        ax_diff_union_make(&mem, &set->flows[i], &both);
        AX_ASSERT(both.plan.node_count == 0 || both.plan.order[both.plan.node_count - 1] != AX_NONE);
        ax_arena_free(&mem);
    }
}

/* What came from a to b goes from b to a. */
static void check_mirror(const ax_diff_set *there, const ax_diff_set *back)
{
    uint32_t came = 0, went = 0, back_came = 0, back_went = 0;
    for (uint32_t i = 0; i < there->flow_count; i++) {
        came += !there->flows[i].before;
        went += !there->flows[i].after;
    }
    for (uint32_t i = 0; i < back->flow_count; i++) {
        back_came += !back->flows[i].before;
        back_went += !back->flows[i].after;
    }
    AX_ASSERT(there->unchanged == back->unchanged);
    AX_ASSERT(came == back_went && went == back_came);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *gap = size ? memchr(data, 0, size) : NULL;
    size_t first = gap ? (size_t)(gap - data) : size;
    ax_str before = {(const char *)data, first},
           after = ax_str_slice((ax_str){(const char *)data, size}, first + 1, size);
    ax_arena mem = AX_ARENA_INIT;
    inputs a, b;
    bool sound = compile(&mem, before, &a);
    if (sound) check_same(&mem, &a, before);
    if (sound && compile(&mem, after, &b)) {
        ax_diff_set there = compare(&mem, &a, &b), back = compare(&mem, &b, &a);
        check_formats(&there);
        check_formats(&back);
        check_scenes(&there);
        check_scenes(&back);
        check_mirror(&there, &back);
    }
    ax_arena_free(&mem);
    return 0;
}
