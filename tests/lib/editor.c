/* editor.c - an editor for tests of the language server. */
#include "tests/lib/editor.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/lsp/frames.h"
#include "dsl/model/json_in.h"
#include "tests/lib/test.h"

enum { OUT_MAX = 256 << 20, TEXT_MAX = 16 << 20, DEPTH_MAX = 512 };

/* ---- messages ---- */

static void take_answers(test_editor *e)
{
    ax_frames frames;
    ax_str text;
    ax_err err;
    ax_frames_init(&frames);
    ax_frames_add(&frames, ax_buf_str(&e->out));
    while (ax_frames_next(&frames, &text) == AX_FRAME_MESSAGE) {
        ax_value v;
        if (ax_json_read(&e->mem, text, DEPTH_MAX, &v, &err))
            fail_msg("the server sent no JSON: %s: %.*s", err.text, AX_STR(text));
        ax_vec_push(&e->mem, &e->sent, v);
    }
    assert_int_equal(frames.at, e->out.len);
    ax_frames_free(&frames);
    ax_buf_clear(&e->out);
}

void send_text(test_editor *e, const char *json)
{
    ax_lsp_message(e->lsp, ax_str_of(json), e->now_ms, &e->out);
    take_answers(e);
}

void wait_for_server(test_editor *e)
{
    ax_lsp_settle(e->lsp, &e->out);
    take_answers(e);
}

void tell(test_editor *e, const char *method, const char *params)
{
    ax_str text =
        ax_str_fmt(&e->mem, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}", method, params);
    send_text(e, text.ptr);
}

const ax_value *ask_with(test_editor *e, const char *method, const char *params)
{
    ax_str text = ax_str_fmt(&e->mem, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"method\":\"%s\",\"params\":%s}",
                             (long long)++e->id, method, params);
    send_text(e, text.ptr);
    assert_true(e->sent.len > 0);
    const ax_value *answer = &e->sent.at[--e->sent.len];
    assert_int_equal(at_path(answer, "id")->u.i, e->id);
    e->error = NULL;
    if (ax_value_key(answer, AX_LIT("error")) == UINT32_MAX) return at_path(answer, "result");
    e->error = ax_str_c(&e->mem, at_path(answer, "error.message")->u.s);
    return NULL;
}

const ax_value *ask(test_editor *e, const char *method, const char *more)
{
    ax_str params = ax_str_fmt(&e->mem,
                               "{\"textDocument\":{\"uri\":\"" TEST_URI
                               "\"},\"position\":{\"line\":%u,\"character\":%u}%s}",
                               e->cursor.line, e->cursor.unit, more);
    return ask_with(e, method, params.ptr);
}

/* ---- the file ---- */

static const char *quoted(test_editor *e, ax_str text)
{
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    ax_json j = ax_json_start(&out, 0);
    ax_json_str(&j, text);
    const char *copy = ax_str_c(&e->mem, ax_buf_str(&out));
    ax_buf_free(&out);
    return copy;
}

/* Takes the cursor out of a text. */
static void set_text(test_editor *e, const char *text)
{
    ax_str all = ax_str_of(text);
    const char *bar = strchr(text, '|');
    size_t at = bar ? (size_t)(bar - text) : all.len;
    ax_lines lines;
    ax_str before = ax_str_slice(all, 0, at), after = ax_str_slice(all, at + (bar != NULL), all.len);
    e->text = ax_str_fmt(&e->mem, "%.*s%.*s", AX_STR(before), AX_STR(after));
    ax_lines_read(&e->mem, e->text, AX_UNITS_UTF16, &lines);
    e->cursor = ax_lines_place(&lines, (uint32_t)at);
}

test_editor *given_editor_with(const char *capabilities, const char *text)
{
    test_editor *e = calloc(1, sizeof *e);
    assert_non_null(e);
    e->out = AX_BUF_INIT(OUT_MAX);
    e->lsp = ax_lsp_new(&e->mem, "test");
    ask_with(e, "initialize", ax_str_fmt(&e->mem, "{\"capabilities\":%s}", capabilities).ptr);
    tell(e, "initialized", "{}");
    if (!text) return e;
    set_text(e, text);
    tell(e, "textDocument/didOpen",
         ax_str_fmt(&e->mem, "{\"textDocument\":{\"uri\":\"" TEST_URI "\",\"version\":1,\"text\":%s}}",
                    quoted(e, e->text))
             .ptr);
    wait_for_server(e);
    return e;
}

test_editor *given_editor(const char *text)
{
    return given_editor_with(TEST_CAPABILITIES, text);
}

void end_editor(test_editor *e)
{
    ax_lsp_free(e->lsp);
    ax_buf_free(&e->out);
    ax_arena_free(&e->mem);
    free(e);
}

void type_text(test_editor *e, const char *text)
{
    set_text(e, text);
    tell(e, "textDocument/didChange",
         ax_str_fmt(&e->mem,
                    "{\"textDocument\":{\"uri\":\"" TEST_URI
                    "\",\"version\":2},\"contentChanges\":[{\"text\":%s}]}",
                    quoted(e, e->text))
             .ptr);
}

/* ---- looking at answers ---- */

static const ax_value *find_path(const ax_value *v, const char *path)
{
    while (v && *path) {
        size_t len = strcspn(path, ".");
        uint32_t at = UINT32_MAX;
        if (v->kind == AX_T_MAP) at = ax_value_key(v, (ax_str){path, len});
        else if (v->kind == AX_T_LIST) at = (uint32_t)strtoul(path, NULL, 10);
        uint32_t count = v->kind == AX_T_MAP ? v->u.map.len : v->kind == AX_T_LIST ? v->u.list.len : 0;
        const ax_value *inner = v->kind == AX_T_MAP ? v->u.map.at : v->u.list.at;
        v = at < count ? &inner[at] : NULL;
        path += len + (path[len] == '.');
    }
    return v;
}

const ax_value *at_path(const ax_value *v, const char *path)
{
    const ax_value *found = find_path(v, path);
    if (!found) fail_msg("there is no '%s'", path);
    return found;
}

static const char *keep(test_editor *e, ax_buf *out)
{
    const char *copy = ax_str_c(&e->mem, ax_buf_str(out));
    ax_buf_free(out);
    return copy;
}

const char *json_of(test_editor *e, const ax_value *v)
{
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    ax_json j = ax_json_start(&out, 0);
    ax_value_json(v, &j);
    return keep(e, &out);
}

const char *labels(test_editor *e, const ax_value *completion)
{
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    const ax_value *items = at_path(completion, "items");
    for (uint32_t i = 0; i < items->u.list.len; i++)
        ax_buf_addf(&out, "%s%.*s", i ? " " : "", AX_STR(at_path(&items->u.list.at[i], "label")->u.s));
    return keep(e, &out);
}

bool offers_label(const ax_value *completion, const char *label)
{
    const ax_value *items = at_path(completion, "items");
    for (uint32_t i = 0; i < items->u.list.len; i++)
        if (ax_str_is(at_path(&items->u.list.at[i], "label")->u.s, label)) return true;
    return false;
}

static void add_range(ax_buf *out, const ax_value *v)
{
    if (find_path(v, "location")) v = at_path(v, "location");
    long long line = (long long)at_path(v, "range.start.line")->u.i;
    long long end = (long long)at_path(v, "range.end.line")->u.i;
    ax_buf_addf(out, "%lld:%lld-", line, (long long)at_path(v, "range.start.character")->u.i);
    if (end != line) ax_buf_addf(out, "%lld:", end);
    ax_buf_addf(out, "%lld", (long long)at_path(v, "range.end.character")->u.i);
}

const char *ranges(test_editor *e, const ax_value *list)
{
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    for (uint32_t i = 0; i < list->u.list.len; i++) {
        const ax_value *v = &list->u.list.at[i], *text = find_path(v, "newText");
        if (i) ax_buf_addc(&out, ' ');
        add_range(&out, v);
        if (text) ax_buf_addf(&out, "=%.*s", AX_STR(text->u.s));
    }
    return keep(e, &out);
}

static uint32_t offset_at(const ax_lines *lines, const ax_value *place)
{
    ax_place p = {(uint32_t)at_path(place, "line")->u.i, (uint32_t)at_path(place, "character")->u.i};
    return ax_lines_offset(lines, p);
}

const char *after_edits(test_editor *e, const ax_value *edits)
{
    ax_lines lines;
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    uint32_t from = 0;
    ax_lines_read(&e->mem, e->text, AX_UNITS_UTF16, &lines);
    for (uint32_t i = 0; i < edits->u.list.len; i++) {
        const ax_value *edit = &edits->u.list.at[i];
        uint32_t beg = offset_at(&lines, at_path(edit, "range.start"));
        assert_true(beg >= from);
        ax_buf_add(&out, ax_str_slice(e->text, from, beg));
        ax_buf_add(&out, at_path(edit, "newText")->u.s);
        from = offset_at(&lines, at_path(edit, "range.end"));
    }
    ax_buf_add(&out, ax_str_slice(e->text, from, e->text.len));
    return keep(e, &out);
}

const char *diagnostics(test_editor *e)
{
    const ax_value *last = NULL;
    ax_buf out = AX_BUF_INIT(TEXT_MAX);
    for (uint32_t i = 0; i < e->sent.len; i++) {
        const ax_value *method = find_path(&e->sent.at[i], "method");
        if (method && ax_str_is(method->u.s, "textDocument/publishDiagnostics")) last = &e->sent.at[i];
    }
    if (!last) fail_msg("no diagnostics were sent");
    const ax_value *list = at_path(last, "params.diagnostics");
    for (uint32_t i = 0; i < list->u.list.len; i++) {
        ax_buf_addf(&out, "%s%.*s ", i ? " " : "", AX_STR(at_path(&list->u.list.at[i], "code")->u.s));
        add_range(&out, &list->u.list.at[i]);
    }
    return keep(e, &out);
}
