/* fuzz_fmt.c - what parses can be formatted: the meaning and the comments stay, and a second time changes
 * nothing. */
#include <stddef.h>
#include <stdint.h>

#include "dsl/base/assert.h"
#include "dsl/syntax/ast_dump.h"
#include "dsl/syntax/fmt.h"
#include "dsl/syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    ax_buf dump, text; /* the tree and the formatted text */
    const ax_ast_file *file;
} formatted;

/* Parses and formats; false if the text is wrong. */
static bool format(ax_arena *mem, ax_str text, formatted *out)
{
    ax_sources sources = ax_sources_new(mem);
    ax_diags diags = ax_diags_new(mem, &sources);
    ax_source *source;
    ax_err err;
    ax_rc rc = ax_sources_add(&sources, AX_LIT("fuzz.axf"), text, &source, &err);
    AX_ASSERT(rc == AX_OK);
    *out = (formatted){AX_BUF_INIT(64 << 20), AX_BUF_INIT(64 << 20), ax_parse(mem, source, &diags)};
    if (out->file->broken) return false;
    ax_ast_dump(out->file, &out->dump);
    ax_fmt(out->file, mem, &out->text);
    AX_ASSERT(!out->dump.full && !out->text.full);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ax_arena mem = AX_ARENA_INIT;
    formatted once, twice;
    if (format(&mem, (ax_str){(const char *)data, size}, &once)) {
        bool is_sound = format(&mem, ax_buf_str(&once.text), &twice);
        AX_ASSERT(is_sound);
        AX_ASSERT(ax_str_eq(ax_buf_str(&once.dump), ax_buf_str(&twice.dump)));
        AX_ASSERT(ax_str_eq(ax_buf_str(&once.text), ax_buf_str(&twice.text)));
        AX_ASSERT(once.file->comment_count == twice.file->comment_count);
        for (uint32_t i = 0; i < once.file->comment_count; i++) {
            AX_ASSERT(ax_str_eq(once.file->comments[i].text, twice.file->comments[i].text));
        }
        ax_buf_free(&twice.dump);
        ax_buf_free(&twice.text);
    }
    ax_buf_free(&once.dump);
    ax_buf_free(&once.text);
    ax_arena_free(&mem);
    return 0;
}
