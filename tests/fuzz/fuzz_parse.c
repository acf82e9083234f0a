/* fuzz_parse.c - any bytes: the parse ends, and what it could not read it says. */
#include <stddef.h>
#include <stdint.h>

#include "dsl/base/assert.h"
#include "dsl/base/diag_render.h"
#include "dsl/syntax/ast_dump.h"
#include "dsl/syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Spans of what is reported lie in the text, and can be shown. */
static void check_diags(const ax_source *source, ax_diags *diags, ax_buf *out)
{
    for (uint32_t i = 0; i < diags->list.len; i++) {
        ax_span span = diags->list.at[i]->span;
        AX_ASSERT(span.beg >= source->base && span.end >= span.beg);
        AX_ASSERT(span.end <= source->base + source->text.len);
    }
    ax_diags_sort(diags);
    ax_diags_text(diags, true, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_diags diags = ax_diags_new(&mem, &sources);
    ax_buf out = AX_BUF_INIT(64 << 20);
    ax_source *source;
    ax_err err;
    ax_rc rc =
        ax_sources_add(&sources, AX_LIT("fuzz.axf"), (ax_str){(const char *)data, size}, &source, &err);
    AX_ASSERT(rc == AX_OK);

    const ax_ast_file *file = ax_parse(&mem, source, &diags);
    AX_ASSERT(file->broken == (diags.errors > 0));
    ax_ast_dump(file, &out);
    check_diags(source, &diags, &out);

    diags = ax_diags_new(&mem, &sources);
    const ax_ast_expr *expr = ax_parse_expr(&mem, source, &diags);
    AX_ASSERT((expr == NULL) == (diags.errors > 0));
    check_diags(source, &diags, &out);
    ax_buf_free(&out);
    ax_arena_free(&mem);
    return 0;
}
