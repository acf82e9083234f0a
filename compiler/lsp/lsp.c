/* lsp.c - one message: what it asks for, whether it may be asked now, and its one answer.
 *
 * NEW takes only `initialize`, READY everything, SHUT_DOWN only `exit`. What a request needs (an open
 * document, a place in it) is looked up here from its row, so a method never sees a document that is not
 * there.
 */
#include "compiler/lsp/lsp.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/lsp/lsp_int.h"
#include "dsl/base/embed.h"
#include "dsl/model/json_in.h"

#define KEPT_BYTES_MAX ((size_t)1 << 20) /* of memory kept from one message to the next */

typedef enum { NEEDS_NOTHING, NEEDS_TEXT, NEEDS_DOC, NEEDS_PLACE } need;

typedef struct {
    const char *method;
    need needs; /* TEXT: an open document; DOC: also compiled; PLACE: also a place in it */
    ax_rc (*run)(ax_call *c);
} method_row;

/* ---- life ---- */

ax_lsp *ax_lsp_new(ax_arena *mem, const char *version)
{
    ax_lsp *s = AX_NEW(mem, ax_lsp);
    *s = (ax_lsp){
        .version = version,
        .pages = AX_BUF_INIT(KEPT_BYTES_MAX),
        .value = AX_BUF_INIT(AX_MESSAGE_BYTES_MAX),
        .body = AX_BUF_INIT(AX_MESSAGE_BYTES_MAX),
    };
    ax_buf_adds(&s->pages, "axc-explain:/");
    return s;
}

void ax_lsp_free(ax_lsp *s)
{
    for (uint32_t i = 0; i < s->docs.len; i++)
        if (s->docs.at[i]->is_open) ax_doc_close(s->docs.at[i]);
    ax_buf_free(&s->pages);
    ax_buf_free(&s->value);
    ax_buf_free(&s->body);
    ax_arena_free(&s->scratch);
    ax_arena_free(&s->mem);
}

bool ax_lsp_is_over(const ax_lsp *s)
{
    return s->is_over;
}

bool ax_lsp_is_shut_down(const ax_lsp *s)
{
    return s->phase == AX_LSP_SHUT_DOWN;
}

/* ---- sending ---- */

/* Begins a message in s->body. */
static ax_json begin(ax_lsp *s)
{
    ax_buf_clear(&s->body);
    ax_json j = ax_json_start(&s->body, 0);
    ax_json_obj(&j);
    ax_rpc_puts(&j, "jsonrpc", "2.0");
    return j;
}

static void deliver(ax_lsp *s, ax_json *j, ax_buf *out)
{
    ax_json_end(j);
    ax_frame_write(ax_buf_str(&s->body), out);
}

void ax_lsp_notify(ax_lsp *s, const char *method, ax_str params, ax_buf *out)
{
    ax_json j = begin(s);
    ax_rpc_puts(&j, "method", method);
    ax_json_key(&j, "params");
    ax_json_raw(&j, params);
    deliver(s, &j, out);
}

void ax_lsp_show(ax_lsp *s, int type, ax_str text, ax_buf *out)
{
    ax_json j = begin(s);
    ax_rpc_puts(&j, "method", "window/showMessage");
    ax_json_key(&j, "params");
    ax_json_obj(&j);
    ax_rpc_puti(&j, "type", type);
    ax_rpc_put(&j, "message", text);
    ax_json_end(&j);
    deliver(s, &j, out);
}

static void write_id(ax_json *j, const ax_value *id)
{
    ax_json_key(j, "id");
    if (id) ax_value_json(id, j);
    else ax_json_null(j);
}

static void send_error(ax_lsp *s, const ax_value *id, ax_rpc_error code, ax_str text, ax_buf *out)
{
    ax_json j = begin(s);
    write_id(&j, id);
    ax_json_key(&j, "error");
    ax_json_obj(&j);
    ax_rpc_puti(&j, "code", code);
    ax_rpc_put(&j, "message", text);
    ax_json_end(&j);
    deliver(s, &j, out);
}

/* Sends what is in s->value as the answer. */
static void send_result(ax_lsp *s, const ax_value *id, ax_buf *out)
{
    ax_json j = begin(s);
    write_id(&j, id);
    ax_json_key(&j, "result");
    ax_json_raw(&j, ax_buf_str(&s->value));
    if (s->value.full || s->body.full)
        send_error(s, id, AX_RPC_INTERNAL_ERROR, AX_LIT("the answer is larger than 64 MiB"), out);
    else deliver(s, &j, out);
}

void ax_lsp_refuse(ax_lsp *s, ax_str what, ax_buf *out)
{
    send_error(s, NULL, AX_RPC_PARSE_ERROR, what, out);
}

/* ---- beginning and end ---- */

static ax_units choose_units(const ax_value *params)
{
    const ax_value *wanted = ax_rpc_get(params, "capabilities.general.positionEncodings");
    for (uint32_t i = 0; wanted && wanted->kind == AX_T_LIST && i < wanted->u.list.len; i++) {
        const ax_value *one = &wanted->u.list.at[i];
        ax_units units = one->kind == AX_T_STRING ? ax_units_named(one->u.s) : AX_UNITS_COUNT;
        if (units != AX_UNITS_COUNT) return units;
    }
    return AX_UNITS_UTF16;
}

static void read_client(ax_lsp *s, const ax_value *params)
{
    const ax_value *text = ax_rpc_get(params, "capabilities.textDocument");
    s->client = (ax_lsp_client){
        .units = choose_units(params),
        .snippets = ax_rpc_flag(text, "completion.completionItem.snippetSupport"),
        .markdown = ax_rpc_has(text, "hover.contentFormat", "markdown"),
        .versioned_edits = ax_rpc_flag(params, "capabilities.workspace.workspaceEdit.documentChanges"),
    };
    ax_str pages = ax_rpc_text(params, "initializationOptions.errorPages");
    if (pages.len > 0) {
        ax_buf_clear(&s->pages);
        ax_buf_add(&s->pages, pages);
        if (!ax_str_ends(pages, AX_LIT("/"))) ax_buf_addc(&s->pages, '/');
    }
}

static void write_words(ax_json *j, const char *key, const char *const *words)
{
    ax_json_key(j, key);
    ax_json_arr(j);
    for (; *words; words++) ax_json_cstr(j, *words);
    ax_json_end(j);
}

static void write_capabilities(ax_json *j, const ax_lsp *s)
{
    static const char *const plain[] = {
        "hoverProvider",
        "definitionProvider",
        "referencesProvider",
        "documentSymbolProvider",
        "documentHighlightProvider",
        "foldingRangeProvider",
        "documentFormattingProvider",
    };
    static const char *const triggers[] = {".", ":", ">", "=", "{", " ", NULL};
    static const char *const actions[] = {"quickfix", NULL};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) ax_rpc_putb(j, plain[i], true);
    ax_rpc_puts(j, "positionEncoding", ax_units_name(s->client.units));
    ax_json_key(j, "textDocumentSync");
    ax_json_obj(j);
    ax_rpc_putb(j, "openClose", true);
    ax_rpc_puti(j, "change", 2);
    ax_json_end(j);
    ax_json_key(j, "completionProvider");
    ax_json_obj(j);
    write_words(j, "triggerCharacters", triggers);
    ax_json_end(j);
    ax_json_key(j, "renameProvider");
    ax_json_obj(j);
    ax_rpc_putb(j, "prepareProvider", true);
    ax_json_end(j);
    ax_json_key(j, "codeActionProvider");
    ax_json_obj(j);
    write_words(j, "codeActionKinds", actions);
    ax_json_end(j);
    ax_json_key(j, "semanticTokensProvider");
    ax_lsp_write_legend(j);
}

static ax_rc initialize(ax_call *c)
{
    ax_lsp *s = c->lsp;
    if (s->phase != AX_LSP_NEW) return ax_fail(c->err, AX_REFUSED, "the server is initialized already");
    read_client(s, c->params);
    s->phase = AX_LSP_READY;
    ax_json_obj(c->j);
    ax_json_key(c->j, "capabilities");
    ax_json_obj(c->j);
    write_capabilities(c->j, s);
    ax_json_end(c->j);
    ax_json_key(c->j, "serverInfo");
    ax_json_obj(c->j);
    ax_rpc_puts(c->j, "name", "axc");
    ax_rpc_puts(c->j, "version", s->version);
    ax_json_end(c->j);
    ax_json_end(c->j);
    return AX_OK;
}

static ax_rc shut_down(ax_call *c)
{
    c->lsp->phase = AX_LSP_SHUT_DOWN;
    ax_json_null(c->j);
    return AX_OK;
}

static ax_rc end(ax_call *c)
{
    c->lsp->is_over = true;
    ax_json_null(c->j);
    return AX_OK;
}

/* ---- documents ---- */

/* Tells the user that a document is not looked after any more. */
static void give_up(ax_call *c, ax_str uri)
{
    ax_str text = ax_str_fmt(c->mem,
                             "axc does not check %.*s: it is too large, there are too many documents, "
                             "or a change of it was not understood",
                             AX_STR(uri));
    ax_lsp_show(c->lsp, 2, text, c->out);
}

static ax_rc did_open(ax_call *c)
{
    ax_json_null(c->j);
    const ax_value *item = ax_rpc_get(c->params, "textDocument");
    ax_str uri = ax_rpc_text(item, "uri"), text = ax_rpc_text(item, "text");
    if (uri.len == 0) return AX_OK;
    if (!ax_doc_open(c->lsp, uri, text, ax_rpc_int(item, "version", 0))) give_up(c, uri);
    return AX_OK;
}

static void forget_diagnostics(ax_call *c, ax_str uri)
{
    ax_buf params = AX_BUF_INIT(AX_MESSAGE_BYTES_MAX);
    ax_json j = ax_json_start(&params, 0);
    ax_json_obj(&j);
    ax_rpc_put(&j, "uri", uri);
    ax_json_key(&j, "diagnostics");
    ax_json_arr(&j);
    ax_json_end(&j);
    ax_json_end(&j);
    ax_lsp_notify(c->lsp, "textDocument/publishDiagnostics", ax_buf_str(&params), c->out);
    ax_buf_free(&params);
}

static ax_rc did_close(ax_call *c)
{
    ax_json_null(c->j);
    forget_diagnostics(c, ax_buf_str(&c->doc->uri));
    ax_doc_close(c->doc);
    return AX_OK;
}

static ax_rc did_change(ax_call *c)
{
    ax_json_null(c->j);
    const ax_value *changes = ax_rpc_get(c->params, "contentChanges");
    uint32_t count = changes && changes->kind == AX_T_LIST ? changes->u.list.len : 0;
    c->doc->version = ax_rpc_int(c->params, "textDocument.version", c->doc->version);
    for (uint32_t i = 0; i < count; i++) {
        if (ax_doc_change(c->lsp, c->doc, &changes->u.list.at[i])) continue;
        give_up(c, ax_buf_str(&c->doc->uri));
        return did_close(c);
    }
    return AX_OK;
}

void ax_lsp_settle(ax_lsp *s, ax_buf *out)
{
    for (uint32_t i = 0; i < s->docs.len; i++) {
        ax_doc *doc = s->docs.at[i];
        if (s->phase != AX_LSP_READY || !doc->is_open || !doc->is_unsaid) continue;
        ax_buf_clear(&s->value);
        ax_json j = ax_json_start(&s->value, 0);
        ax_doc_read(s, doc);
        ax_lsp_write_diagnostics(s, doc, &j);
        ax_lsp_notify(s, "textDocument/publishDiagnostics", ax_buf_str(&s->value), out);
        doc->is_unsaid = false;
    }
}

/* ---- pages ---- */

/* {code} to the page of the diagnostic: a request of ours, for clients that show it. */
static ax_rc explain(ax_call *c)
{
    ax_str name = ax_str_fmt(c->mem, "%.*s.md", AX_STR(ax_rpc_text(c->params, "code")));
    const char *page = ax_embed_text(&ax_embed_errors, name.ptr);
    if (page) ax_json_cstr(c->j, page);
    else ax_json_null(c->j);
    return AX_OK;
}

/* ---- one message ---- */

static const method_row methods[] = {
    {"initialize", NEEDS_NOTHING, initialize},
    {"shutdown", NEEDS_NOTHING, shut_down},
    {"exit", NEEDS_NOTHING, end},
    {"textDocument/didOpen", NEEDS_NOTHING, did_open},
    {"textDocument/didChange", NEEDS_TEXT, did_change},
    {"textDocument/didClose", NEEDS_TEXT, did_close},
    {"textDocument/completion", NEEDS_PLACE, ax_lsp_completion},
    {"textDocument/hover", NEEDS_PLACE, ax_lsp_hover},
    {"textDocument/definition", NEEDS_PLACE, ax_lsp_definition},
    {"textDocument/references", NEEDS_PLACE, ax_lsp_references},
    {"textDocument/documentHighlight", NEEDS_PLACE, ax_lsp_highlight},
    {"textDocument/prepareRename", NEEDS_PLACE, ax_lsp_prepare_rename},
    {"textDocument/rename", NEEDS_PLACE, ax_lsp_rename},
    {"textDocument/formatting", NEEDS_DOC, ax_lsp_formatting},
    {"textDocument/documentSymbol", NEEDS_DOC, ax_lsp_symbols},
    {"textDocument/foldingRange", NEEDS_DOC, ax_lsp_folding},
    {"textDocument/codeAction", NEEDS_DOC, ax_lsp_actions},
    {"textDocument/semanticTokens/full", NEEDS_DOC, ax_lsp_tokens},
    {"axc/explain", NEEDS_NOTHING, explain},
};

static const method_row *find_method(ax_str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (ax_str_is(name, methods[i].method)) return &methods[i];
    return NULL;
}

/* Finds what the method needs. */
static ax_rc prepare(ax_call *c, need needs)
{
    ax_place place;
    ax_str uri = ax_rpc_text(c->params, "textDocument.uri");
    if (needs == NEEDS_NOTHING) return AX_OK;
    c->doc = ax_doc_find(c->lsp, uri);
    if (!c->doc) return ax_fail(c->err, AX_INVALID, "the document '%.*s' is not open", AX_STR(uri));
    if (needs >= NEEDS_DOC) ax_doc_read(c->lsp, c->doc);
    if (needs < NEEDS_PLACE) return AX_OK;
    if (!ax_rpc_place(c->params, "position", &place))
        return ax_fail(c->err, AX_INVALID, "there is no position");
    c->at = ax_lines_offset(&c->doc->lines, place);
    return AX_OK;
}

static ax_rpc_error error_code(ax_rc rc)
{
    return rc == AX_INVALID ? AX_RPC_INVALID_PARAMS : AX_RPC_REQUEST_FAILED;
}

/* Runs a method; what it says is sent if it has an id. */
static void call(ax_lsp *s, const method_row *row, const ax_value *message, ax_buf *out)
{
    ax_err err = {0};
    ax_buf_clear(&s->value);
    ax_json j = ax_json_start(&s->value, 0);
    ax_call c = {
        .lsp = s,
        .params = ax_rpc_get(message, "params"),
        .mem = &s->scratch,
        .j = &j,
        .out = out,
        .err = &err,
    };
    ax_rc rc = prepare(&c, row->needs);
    if (!rc) rc = row->run(&c);
    const ax_value *id = ax_rpc_get(message, "id");
    if (id && rc) send_error(s, id, error_code(rc), ax_str_of(err.text), out);
    else if (id) send_result(s, id, out);
}

static void take(ax_lsp *s, const ax_value *message, ax_buf *out)
{
    const ax_value *id = ax_rpc_get(message, "id");
    ax_str method = ax_rpc_text(message, "method");
    bool is_answer = ax_rpc_get(message, "result") || ax_rpc_get(message, "error");
    if (method.len == 0) {
        if (!is_answer) send_error(s, id, AX_RPC_INVALID_REQUEST, AX_LIT("this is no request"), out);
        return;
    }
    const method_row *row = find_method(method);
    bool is_end = row && row->run == end, is_start = row && row->run == initialize;
    if (s->phase == AX_LSP_NEW && !is_end && !is_start) {
        if (id) send_error(s, id, AX_RPC_NOT_INITIALIZED, AX_LIT("send 'initialize' first"), out);
    } else if (s->phase == AX_LSP_SHUT_DOWN && !is_end) {
        if (id) send_error(s, id, AX_RPC_INVALID_REQUEST, AX_LIT("the server is shut down"), out);
    } else if (row) call(s, row, message, out);
    else if (id) {
        ax_str text = ax_str_fmt(&s->scratch, "there is no method '%.*s'", AX_STR(method));
        send_error(s, id, AX_RPC_METHOD_NOT_FOUND, text, out);
    }
}

/* Gives back what one large message took. */
static void shrink(ax_lsp *s)
{
    if (s->scratch.used > KEPT_BYTES_MAX) ax_arena_free(&s->scratch);
    else ax_arena_reset(&s->scratch);
    if (s->value.cap > KEPT_BYTES_MAX) ax_buf_free(&s->value);
    if (s->body.cap > KEPT_BYTES_MAX) ax_buf_free(&s->body);
}

void ax_lsp_message(ax_lsp *s, ax_str text, int64_t now_ms, ax_buf *out)
{
    if (s->is_over) return;
    ax_err err = {0};
    ax_value message;
    s->now_ms = now_ms;
    ax_str json = ax_rpc_clean(&s->scratch, text);
    if (ax_json_read(&s->scratch, json, AX_RPC_DEPTH_MAX, &message, &err))
        send_error(s, NULL, AX_RPC_PARSE_ERROR, ax_str_of(err.text), out);
    else take(s, &message, out);
    shrink(s);
}
