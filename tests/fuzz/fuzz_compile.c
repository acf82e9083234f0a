/* fuzz_compile.c - any bytes are compiled or refused with clear errors; nothing crashes, hangs or leaks.
 *
 * What must hold: diagnostics render as text and as JSON that a strict parser reads; a plan is written, read
 * and written again as the same bytes; a file without syntax errors is formatted, and formatting that changes
 * nothing.
 */
#include <jansson.h>
#include <stdint.h>

#include "compiler/axc.h"
#include "dsl/base/assert.h"
#include "dsl/base/diag_render.h"
#include "dsl/model/plan_json.h"
#include "dsl/syntax/fmt.h"
#include "dsl/syntax/parse.h"

enum { TEXT_MAX = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_diags(ax_diags *diags)
{
    ax_buf text = AX_BUF_INIT(TEXT_MAX);
    ax_diags_sort(diags);
    ax_diags_text(diags, true, &text);
    ax_buf_clear(&text);
    ax_diags_json(diags, &text);
    json_t *json = json_loadb(text.ptr, text.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    AX_ASSERT(json_array_size(json) == diags->list.len);
    json_decref(json);
    ax_buf_free(&text);
}

static void check_plan(ax_arena *mem, const ax_plan *plan)
{
    ax_buf first = AX_BUF_INIT(TEXT_MAX), second = AX_BUF_INIT(TEXT_MAX);
    ax_plan *back = NULL;
    ax_plan_write(plan, 0, &first);
    AX_ASSERT(ax_plan_read(mem, ax_buf_str(&first), &back, NULL) == AX_OK);
    ax_plan_write(back, 0, &second);
    AX_ASSERT(ax_str_eq(ax_buf_str(&first), ax_buf_str(&second)));
    ax_buf_free(&first);
    ax_buf_free(&second);
}

/* Appends the layout of a text to out; false if the text has errors. */
static bool format(ax_arena *mem, ax_str text, ax_buf *out)
{
    ax_sources sources = ax_sources_new(mem);
    ax_diags diags = ax_diags_new(mem, &sources);
    ax_source *source = NULL;
    AX_ASSERT(ax_sources_add(&sources, AX_LIT("main.axf"), text, &source, NULL) == AX_OK);
    ax_ast_file *file = ax_parse(mem, source, &diags);
    if (diags.errors == 0) ax_fmt(file, mem, out);
    return diags.errors == 0;
}

static void check_format(ax_arena *mem, ax_str text)
{
    ax_buf once = AX_BUF_INIT(TEXT_MAX), twice = AX_BUF_INIT(TEXT_MAX);
    if (format(mem, text, &once)) {
        AX_ASSERT(format(mem, ax_buf_str(&once), &twice));
        AX_ASSERT(ax_str_eq(ax_buf_str(&once), ax_buf_str(&twice)));
    }
    ax_buf_free(&once);
    ax_buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_diags diags = ax_diags_new(&mem, &sources);
    ax_source *source = NULL;
    ax_str text = {(const char *)data, size};
    AX_ASSERT(ax_sources_add(&sources, AX_LIT("main.axf"), text, &source, NULL) == AX_OK);

    ax_compiled compiled = {0};
    ax_compile(&mem, source, &diags, &compiled);
    check_diags(&diags);
    for (uint32_t i = 0; i < compiled.plan_count; i++) check_plan(&mem, compiled.plans[i]);
    check_format(&mem, text);
    ax_arena_free(&mem);
    return 0;
}
