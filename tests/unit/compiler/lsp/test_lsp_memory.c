/* test_lsp_memory.c - a server that is used all day takes no more memory in the evening than in the morning.
 */
#include "tests/lib/test.h"

#include <malloc.h>
#include <string.h>

#include "compiler/lsp/lsp.h"

enum { TASKS = 200, EDITS = 2000, WARM_UP = 200, GROWTH_BYTES_MAX = 256 << 10 };

/* AddressSanitizer's count of the bytes in use, where it is linked. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t bytes_in_use(void)
{
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    return mallinfo2().uordblks;
}

static void send(ax_lsp *s, ax_buf *out, const char *method, const char *params)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_str text = ax_str_fmt(&mem, "{\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);
    ax_buf_clear(out);
    ax_lsp_message(s, text, 0, out);
    assert_null(strstr(out->ptr, "\"error\""));
    ax_arena_free(&mem);
}

static void open_file(ax_lsp *s, ax_buf *out)
{
    ax_buf params = AX_BUF_INIT(1 << 20);
    ax_buf_adds(&params, "{\"textDocument\":{\"uri\":\"f\",\"version\":1,\"text\":\"workflow w {\\n");
    for (int i = 0; i < TASKS; i++) {
        ax_buf_addf(&params, "  task t%d { run = \\\"x {{ date }}\\\" }\\n", i);
        if (i > 0) ax_buf_addf(&params, "  t%d -> t%d\\n", i - 1, i);
    }
    ax_buf_adds(&params, "}\\n\"}}");
    send(s, out, "textDocument/didOpen", params.ptr);
    ax_buf_free(&params);
}

/* Types a character in the middle, or takes it away, and asks about the file as an editor would. */
static void edit(ax_lsp *s, ax_buf *out, int i)
{
    static const char *const changes[] = {
        "{\"textDocument\":{\"uri\":\"f\",\"version\":2},\"contentChanges\":[{\"range\":{\"start\":{\"line\":"
        "90,"
        "\"character\":2},\"end\":{\"line\":90,\"character\":2}},\"text\":\"x\"}]}",
        "{\"textDocument\":{\"uri\":\"f\",\"version\":3},\"contentChanges\":[{\"range\":{\"start\":{\"line\":"
        "90,"
        "\"character\":2},\"end\":{\"line\":90,\"character\":3}},\"text\":\"\"}]}",
    };
    const char *place = "{\"textDocument\":{\"uri\":\"f\"},\"position\":{\"line\":40,\"character\":4}}";
    send(s, out, "textDocument/didChange", changes[i % 2]);
    ax_lsp_settle(s, out);
    send(s, out, "textDocument/completion", place);
    send(s, out, "textDocument/hover", place);
    send(s, out, "textDocument/documentSymbol", place);
    send(s, out, "textDocument/semanticTokens/full", place);
}

static void two_thousand_edits_take_no_more_memory(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_buf out = AX_BUF_INIT(64 << 20);
    ax_lsp *s = ax_lsp_new(&mem, "test");
    send(s, &out, "initialize", "{\"capabilities\":{}}");
    open_file(s, &out);
    size_t before = 0;
    for (int i = 0; i < EDITS; i++) {
        if (i == WARM_UP) before = bytes_in_use();
        edit(s, &out, i);
    }
    size_t after = bytes_in_use();
    if (after > before + GROWTH_BYTES_MAX) fail_msg("%zu bytes became %zu", before, after);
    ax_lsp_free(s);
    ax_buf_free(&out);
    ax_arena_free(&mem);
}

static void files_that_are_closed_give_their_memory_back(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_buf out = AX_BUF_INIT(64 << 20);
    ax_lsp *s = ax_lsp_new(&mem, "test");
    send(s, &out, "initialize", "{\"capabilities\":{}}");
    size_t before = 0;
    for (int i = 0; i < 100; i++) {
        if (i == 10) before = bytes_in_use();
        open_file(s, &out);
        ax_lsp_settle(s, &out);
        send(s, &out, "textDocument/didClose", "{\"textDocument\":{\"uri\":\"f\"}}");
    }
    size_t after = bytes_in_use();
    if (after > before + GROWTH_BYTES_MAX) fail_msg("%zu bytes became %zu", before, after);
    ax_lsp_free(s);
    ax_buf_free(&out);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_thousand_edits_take_no_more_memory),
    cmocka_unit_test(files_that_are_closed_give_their_memory_back),
};

RUN_TESTS(tests)
