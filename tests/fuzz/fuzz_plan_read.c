/* fuzz_plan_read.c - any bytes as a task-definition document: refused or read, never a crash; and what was
 * read is written, read and written again to the same bytes. */
#include <stddef.h>
#include <stdint.h>

#include "dsl/base/assert.h"
#include "dsl/model/plan_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_buf once = AX_BUF_INIT(AX_PLAN_BYTES_MAX), again = AX_BUF_INIT(AX_PLAN_BYTES_MAX);
    ax_plan *plan;
    ax_err err = {0};
    if (ax_plan_read(&mem, (ax_str){(const char *)data, size}, &plan, &err) == AX_OK) {
        ax_plan_write(plan, 0, &once);
        AX_ASSERT(ax_plan_read(&mem, ax_buf_str(&once), &plan, &err) == AX_OK);
        ax_plan_write(plan, 0, &again);
        AX_ASSERT(ax_str_eq(ax_buf_str(&once), ax_buf_str(&again)));
    } else {
        AX_ASSERT(err.text[0] != '\0');
    }
    ax_buf_free(&once);
    ax_buf_free(&again);
    ax_arena_free(&mem);
    return 0;
}
