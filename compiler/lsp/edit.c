/* edit.c - edits of a document as the protocol has them. */
#include "compiler/lsp/lsp_int.h"

void ax_edits_write(ax_json *j, const ax_doc *doc, const ax_edit *edits, uint32_t count)
{
    ax_json_arr(j);
    for (uint32_t i = 0; i < count; i++) {
        ax_json_obj(j);
        ax_rpc_range(j, "range", &doc->lines, edits[i].beg, edits[i].end);
        ax_rpc_put(j, "newText", edits[i].text);
        ax_json_end(j);
    }
    ax_json_end(j);
}

/* {textDocument: {uri, version}, edits}: the client refuses them if the text has changed since. */
static void write_versioned(ax_json *j, const ax_doc *doc, const ax_edit *edits, uint32_t count)
{
    ax_json_key(j, "documentChanges");
    ax_json_arr(j);
    ax_json_obj(j);
    ax_json_key(j, "textDocument");
    ax_json_obj(j);
    ax_rpc_put(j, "uri", ax_buf_str(&doc->uri));
    ax_rpc_puti(j, "version", doc->version);
    ax_json_end(j);
    ax_json_key(j, "edits");
    ax_edits_write(j, doc, edits, count);
    ax_json_end(j);
    ax_json_end(j);
}

void ax_edits_workspace(ax_json *j, const ax_lsp *s, const ax_doc *doc, const ax_edit *edits, uint32_t count)
{
    ax_json_obj(j);
    if (s->client.versioned_edits) write_versioned(j, doc, edits, count);
    else {
        ax_json_key(j, "changes");
        ax_json_obj(j);
        ax_json_keys(j, ax_buf_str(&doc->uri));
        ax_edits_write(j, doc, edits, count);
        ax_json_end(j);
    }
    ax_json_end(j);
}
