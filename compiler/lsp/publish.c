/* publish.c - diagnostics of the compiler as those of an editor, and their suggestions as code actions. */
#include "compiler/lsp/lsp_int.h"

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2, TAG_UNNECESSARY = 1 };

static void write_notes(ax_json *j, const ax_doc *doc, const ax_diag *d)
{
    ax_json_key(j, "relatedInformation");
    ax_json_arr(j);
    for (uint32_t i = 0; i < d->note_count; i++) {
        if (d->notes[i].span.beg == 0) continue;
        ax_json_obj(j);
        ax_json_key(j, "location");
        ax_json_obj(j);
        ax_rpc_put(j, "uri", ax_buf_str(&doc->uri));
        ax_doc_range(j, "range", doc, d->notes[i].span);
        ax_json_end(j);
        ax_rpc_put(j, "message", d->notes[i].text);
        ax_json_end(j);
    }
    ax_json_end(j);
}

/* The message with what has no field of its own: notes without a place, and the advice. */
static void write_message(ax_json *j, const ax_diag *d)
{
    ax_buf text = AX_BUF_INIT(AX_LSP_TEXT_BYTES_MAX);
    ax_buf_add(&text, d->text);
    for (uint32_t i = 0; i < d->note_count; i++)
        if (d->notes[i].span.beg == 0) ax_buf_addf(&text, "\n%.*s", AX_STR(d->notes[i].text));
    if (d->help.len > 0) ax_buf_addf(&text, "\n%.*s", AX_STR(d->help));
    ax_rpc_put(j, "message", ax_buf_str(&text));
    ax_buf_free(&text);
}

static void write_diagnostic(ax_json *j, const ax_lsp *s, const ax_doc *doc, const ax_diag *d)
{
    const char *code = ax_diag_name(d->code);
    bool is_error = ax_diag_severity(d->code) == AX_ERROR;
    ax_buf page = AX_BUF_INIT(AX_MESSAGE_BYTES_MAX);
    ax_json_obj(j);
    ax_doc_range(j, "range", doc, d->span);
    ax_rpc_puti(j, "severity", is_error ? SEVERITY_ERROR : SEVERITY_WARNING);
    ax_rpc_puts(j, "code", code);
    ax_json_key(j, "codeDescription");
    ax_json_obj(j);
    ax_buf_addf(&page, "%.*s%s.md", AX_STR(ax_buf_str(&s->pages)), code);
    ax_rpc_put(j, "href", ax_buf_str(&page));
    ax_json_end(j);
    ax_rpc_puts(j, "source", "axc");
    write_message(j, d);
    if (d->code == AX_W0603) {
        ax_json_key(j, "tags");
        ax_json_arr(j);
        ax_json_int(j, TAG_UNNECESSARY);
        ax_json_end(j);
    }
    write_notes(j, doc, d);
    ax_json_end(j);
    ax_buf_free(&page);
}

void ax_lsp_write_diagnostics(ax_lsp *s, ax_doc *doc, ax_json *j)
{
    ax_json_obj(j);
    ax_rpc_put(j, "uri", ax_buf_str(&doc->uri));
    ax_rpc_puti(j, "version", doc->version);
    ax_json_key(j, "diagnostics");
    ax_json_arr(j);
    for (uint32_t i = 0; i < doc->diags.list.len; i++) write_diagnostic(j, s, doc, doc->diags.list.at[i]);
    ax_json_end(j);
    ax_json_end(j);
}

/* ---- suggestions ---- */

static void write_action(ax_json *j, const ax_lsp *s, const ax_doc *doc, const ax_diag *d)
{
    ax_edit edit = {ax_doc_byte(doc, d->edit.beg), ax_doc_byte(doc, d->edit.end), d->replacement};
    ax_buf title = AX_BUF_INIT(AX_LSP_TEXT_BYTES_MAX);
    if (d->replacement.len == 0) ax_buf_adds(&title, "Remove this");
    else ax_buf_addf(&title, "Write '%.*s'", AX_STR(d->replacement));
    ax_json_obj(j);
    ax_rpc_put(j, "title", ax_buf_str(&title));
    ax_rpc_puts(j, "kind", "quickfix");
    ax_json_key(j, "diagnostics");
    ax_json_arr(j);
    write_diagnostic(j, s, doc, d);
    ax_json_end(j);
    ax_rpc_putb(j, "isPreferred", true);
    ax_json_key(j, "edit");
    ax_edits_workspace(j, s, doc, &edit, 1);
    ax_json_end(j);
    ax_buf_free(&title);
}

/* True if the client wants quick fixes: it names no kinds, or this one, or one above it. */
static bool wants_fixes(const ax_value *params)
{
    const ax_value *only = ax_rpc_get(params, "context.only");
    if (!only || only->kind != AX_T_LIST) return true;
    return ax_rpc_has(params, "context.only", "quickfix") || ax_rpc_has(params, "context.only", "");
}

ax_rc ax_lsp_actions(ax_call *c)
{
    ax_place from, to;
    const ax_doc *doc = c->doc;
    if (!ax_rpc_place(c->params, "range.start", &from) || !ax_rpc_place(c->params, "range.end", &to))
        return ax_fail(c->err, AX_INVALID, "there is no range");
    uint32_t beg = ax_lines_offset(&doc->lines, from), end = ax_lines_offset(&doc->lines, to);
    ax_json_arr(c->j);
    for (uint32_t i = 0; i < doc->diags.list.len && wants_fixes(c->params); i++) {
        const ax_diag *d = doc->diags.list.at[i];
        bool touches = ax_doc_byte(doc, d->span.beg) <= end && ax_doc_byte(doc, d->span.end) >= beg;
        if (touches && d->edit.beg != 0) write_action(c->j, c->lsp, doc, d);
    }
    ax_json_end(c->j);
    return AX_OK;
}
