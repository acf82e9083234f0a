/* fuzz_lsp.c - any bytes on the input of the language server: framing, messages, documents.
 *
 * Input that begins with a header is fed as it is, in two pieces. Any other is taken as a text that is
 * opened, edited at places that its own bytes choose, and asked all that an editor asks. What must hold:
 * nothing crashes, hangs or leaks; everything that is sent is a frame of strict JSON; each request has one
 * answer.
 */
#include <stdint.h>
#include <stdio.h>

#include "compiler/lsp/frames.h"
#include "compiler/lsp/lsp.h"
#include "dsl/base/assert.h"
#include "dsl/base/json_out.h"
#include "dsl/model/json_in.h"

enum { OUT_MAX = 256 << 20, DEPTH_MAX = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads what was sent and empties out; returns the number of answers. */
static int take_sent(ax_buf *out)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_frames frames;
    ax_str text;
    ax_err err;
    int answers = 0;
    ax_frames_init(&frames);
    ax_frames_add(&frames, ax_buf_str(out));
    while (ax_frames_next(&frames, &text) == AX_FRAME_MESSAGE) {
        ax_value v;
        AX_ASSERT(ax_json_read(&mem, text, DEPTH_MAX, &v, &err) == AX_OK);
        AX_ASSERT(v.kind == AX_T_MAP);
        answers += ax_value_key(&v, AX_LIT("id")) != UINT32_MAX;
        ax_arena_reset(&mem);
    }
    AX_ASSERT(frames.at == out->len);
    ax_frames_free(&frames);
    ax_arena_free(&mem);
    ax_buf_clear(out);
    return answers;
}

/* ---- bytes ---- */

static void feed(ax_lsp *s, ax_frames *frames, ax_str bytes, ax_buf *out)
{
    ax_str text;
    ax_frames_add(frames, bytes);
    for (ax_frame_kind kind; (kind = ax_frames_next(frames, &text)) != AX_FRAME_NONE;) {
        if (kind == AX_FRAME_MESSAGE) ax_lsp_message(s, text, 0, out);
        else ax_lsp_refuse(s, text, out);
        take_sent(out);
    }
}

static void feed_bytes(ax_lsp *s, ax_str bytes, ax_buf *out)
{
    ax_frames frames;
    size_t half = bytes.len / 2;
    ax_frames_init(&frames);
    feed(s, &frames, ax_str_slice(bytes, 0, half), out);
    feed(s, &frames, ax_str_slice(bytes, half, bytes.len), out);
    ax_lsp_settle(s, out);
    take_sent(out);
    ax_frames_free(&frames);
}

/* ---- texts ---- */

/* Sends a request about a place, with more parameters. */
static void ask(ax_lsp *s, const char *method, unsigned line, unsigned unit, const char *more, ax_buf *out)
{
    ax_buf text = AX_BUF_INIT(1 << 16);
    ax_buf_addf(&text,
                "{\"id\":1,\"method\":\"textDocument/%s\",\"params\":{\"textDocument\":{\"uri\":\"f\"},"
                "\"position\":{\"line\":%u,\"character\":%u}%s}}",
                method, line, unit, more);
    ax_lsp_message(s, ax_buf_str(&text), 0, out);
    AX_ASSERT(take_sent(out) == 1);
    ax_buf_free(&text);
}

static void ask_all(ax_lsp *s, unsigned line, unsigned unit, ax_buf *out)
{
    static const char *const methods[] = {
        "completion",    "hover",          "definition",   "references", "documentHighlight",
        "prepareRename", "documentSymbol", "foldingRange", "formatting", "semanticTokens/full",
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) ask(s, methods[i], line, unit, "", out);
    ask(s, "rename", line, unit, ",\"newName\":\"renamed\"", out);
    ask(s, "codeAction", line, unit,
        ",\"range\":{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":99,\"character\":0}}", out);
}

static void open_text(ax_lsp *s, ax_str text, ax_buf *out)
{
    ax_buf message = AX_BUF_INIT(OUT_MAX);
    ax_json j = ax_json_start(&message, 0);
    ax_json_obj(&j);
    ax_json_key(&j, "method");
    ax_json_cstr(&j, "textDocument/didOpen");
    ax_json_key(&j, "params");
    ax_json_obj(&j);
    ax_json_key(&j, "textDocument");
    ax_json_obj(&j);
    ax_json_key(&j, "uri");
    ax_json_cstr(&j, "f");
    ax_json_key(&j, "text");
    ax_json_str(&j, text);
    for (int i = 0; i < 3; i++) ax_json_end(&j);
    ax_lsp_message(s, ax_buf_str(&message), 0, out);
    ax_buf_free(&message);
}

static void change(ax_lsp *s, const uint8_t *at, ax_buf *out)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"f\"},"
             "\"contentChanges\":[{\"range\":{\"start\":{\"line\":%u,\"character\":%u},\"end\":{\"line\":%u,"
             "\"character\":%u}},\"text\":\"%s\"}]}}",
             at[0] % 32u, at[1] % 64u, at[0] % 32u + (at[2] & 1), at[1] % 64u + at[3] % 8u,
             (at[2] & 2) ? "{{ a." : "");
    ax_lsp_message(s, ax_str_of(text), 0, out);
}

static void edit_text(ax_lsp *s, const uint8_t *data, size_t size, ax_buf *out)
{
    open_text(s, (ax_str){(const char *)data, size}, out);
    for (size_t at = 0; at + 4 <= size && at < 8; at += 4) {
        ax_lsp_settle(s, out);
        take_sent(out);
        ask_all(s, data[at] % 32u, data[at + 1] % 64u, out);
        change(s, data + at, out);
    }
    ax_lsp_settle(s, out);
    take_sent(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_buf out = AX_BUF_INIT(OUT_MAX);
    ax_lsp *s = ax_lsp_new(&mem, "fuzz");
    ax_str bytes = {(const char *)data, size};
    bool is_text = !ax_str_starts(bytes, AX_LIT("Content-Length:"));
    ax_lsp_message(s, AX_LIT("{\"id\":0,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}"), 0,
                   &out);
    AX_ASSERT(take_sent(&out) == 1);
    if (is_text) edit_text(s, data, size, &out);
    else feed_bytes(s, bytes, &out);
    ax_lsp_free(s);
    ax_buf_free(&out);
    ax_arena_free(&mem);
    return 0;
}
