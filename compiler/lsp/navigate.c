/* navigate.c - where a name is defined and used. */
#include "compiler/lsp/lsp_int.h"

enum { HIGHLIGHT_READ = 2, HIGHLIGHT_WRITE = 3 };

static void write_location(ax_call *c, ax_span span)
{
    ax_json_obj(c->j);
    ax_rpc_put(c->j, "uri", ax_buf_str(&c->doc->uri));
    ax_doc_range(c->j, "range", c->doc, span);
    ax_json_end(c->j);
}

ax_rc ax_lsp_definition(ax_call *c)
{
    const ax_name_use *use = ax_doc_use(c->doc, c->at);
    if (use) write_location(c, c->doc->names.symbols.at[use->symbol].name.span);
    else ax_json_null(c->j);
    return AX_OK;
}

ax_rc ax_lsp_references(ax_call *c)
{
    const ax_name_use *here = ax_doc_use(c->doc, c->at);
    const ax_names *names = &c->doc->names;
    bool with_definition = ax_rpc_flag(c->params, "context.includeDeclaration");
    ax_json_arr(c->j);
    for (uint32_t i = 0; here && i < names->uses.len; i++) {
        const ax_name_use *use = &names->uses.at[i];
        if (use->symbol != here->symbol || (use->is_definition && !with_definition)) continue;
        write_location(c, use->span);
    }
    ax_json_end(c->j);
    return AX_OK;
}

ax_rc ax_lsp_highlight(ax_call *c)
{
    const ax_name_use *here = ax_doc_use(c->doc, c->at);
    const ax_names *names = &c->doc->names;
    ax_json_arr(c->j);
    for (uint32_t i = 0; here && i < names->uses.len; i++) {
        const ax_name_use *use = &names->uses.at[i];
        if (use->symbol != here->symbol) continue;
        ax_json_obj(c->j);
        ax_doc_range(c->j, "range", c->doc, use->span);
        ax_rpc_puti(c->j, "kind", use->is_definition ? HIGHLIGHT_WRITE : HIGHLIGHT_READ);
        ax_json_end(c->j);
    }
    ax_json_end(c->j);
    return AX_OK;
}
