/* doc.c - open documents: their text, changes of it, and what is known about it. */
#include <string.h>

#include "compiler/lsp/lsp_int.h"
#include "dsl/base/assert.h"

enum { HEADER_BYTES_MAX = 400 };

ax_doc *ax_doc_find(const ax_lsp *s, ax_str uri)
{
    for (uint32_t i = 0; i < s->docs.len; i++)
        if (s->docs.at[i]->is_open && ax_str_eq(ax_buf_str(&s->docs.at[i]->uri), uri)) return s->docs.at[i];
    return NULL;
}

/* Drops all that is known about the text. */
static void forget(ax_doc *doc)
{
    ax_arena_reset(&doc->mem);
    doc->is_read = false;
    doc->is_unsaid = true;
}

static ax_doc *free_doc(ax_lsp *s)
{
    for (uint32_t i = 0; i < s->docs.len; i++)
        if (!s->docs.at[i]->is_open) return s->docs.at[i];
    if (s->docs.len == AX_LSP_DOCS_MAX) return NULL;
    ax_doc *doc = AX_NEW(&s->mem, ax_doc);
    ax_vec_push(&s->mem, &s->docs, doc);
    return doc;
}

ax_doc *ax_doc_open(ax_lsp *s, ax_str uri, ax_str text, int64_t version)
{
    ax_doc *doc = ax_doc_find(s, uri);
    if (!doc) doc = free_doc(s);
    if (!doc || text.len > AX_LSP_TEXT_BYTES_MAX) return NULL;
    ax_buf_free(&doc->uri);
    ax_buf_free(&doc->text);
    forget(doc);
    doc->is_open = true;
    doc->version = version;
    doc->uri = AX_BUF_INIT(AX_MESSAGE_BYTES_MAX);
    doc->text = AX_BUF_INIT(AX_LSP_TEXT_BYTES_MAX);
    ax_buf_add(&doc->uri, uri);
    ax_buf_add(&doc->text, text);
    return doc;
}

void ax_doc_close(ax_doc *doc)
{
    ax_buf_free(&doc->uri);
    ax_buf_free(&doc->text);
    ax_arena_free(&doc->mem);
    doc->is_open = doc->is_read = false;
}

/* ---- changes ---- */

bool ax_doc_change(ax_lsp *s, ax_doc *doc, const ax_value *change)
{
    ax_place from = {0}, to = {UINT32_MAX, 0};
    const ax_value *text = ax_rpc_get(change, "text"), *range = ax_rpc_get(change, "range");
    if (!text || text->kind != AX_T_STRING) return false;
    if (range && !(ax_rpc_place(range, "start", &from) && ax_rpc_place(range, "end", &to))) return false;
    forget(doc);
    ax_lines lines;
    ax_lines_read(&doc->mem, ax_buf_str(&doc->text), s->client.units, &lines);
    uint32_t beg = ax_lines_offset(&lines, from), end = ax_lines_offset(&lines, to);
    if (beg > end) return false;
    ax_buf_splice(&doc->text, beg, end, text->u.s);
    bool fits = !doc->text.full;
    doc->text.full = false;
    return fits;
}

/* ---- reading ---- */

void ax_doc_read(ax_lsp *s, ax_doc *doc)
{
    if (doc->is_read) return;
    ax_str text = doc->text.len ? ax_buf_str(&doc->text) : AX_LIT("");
    ax_arena_reset(&doc->mem);
    doc->sources = ax_sources_new(&doc->mem);
    doc->diags = ax_diags_new(&doc->mem, &doc->sources);
    ax_rc rc = ax_sources_add(&doc->sources, ax_buf_str(&doc->uri), text, &doc->source, NULL);
    AX_ASSERT(rc == AX_OK);
    ax_compile(&doc->mem, doc->source, &doc->diags, &doc->compiled);
    ax_diags_sort(&doc->diags);
    ax_names_read(&doc->mem, doc->compiled.file, &doc->names);
    ax_lines_read(&doc->mem, text, s->client.units, &doc->lines);
    doc->is_read = true;
}

uint32_t ax_doc_byte(const ax_doc *doc, uint32_t offset)
{
    return offset <= doc->source->base ? 0 : offset - doc->source->base;
}

uint32_t ax_doc_offset(const ax_doc *doc, uint32_t byte)
{
    return doc->source->base + byte;
}

void ax_doc_range(ax_json *j, const char *key, const ax_doc *doc, ax_span span)
{
    ax_rpc_range(j, key, &doc->lines, ax_doc_byte(doc, span.beg), ax_doc_byte(doc, span.end));
}

const ax_name_use *ax_doc_use(const ax_doc *doc, uint32_t byte)
{
    return ax_names_at(&doc->names, ax_doc_offset(doc, byte));
}

ax_str ax_doc_header(ax_arena *mem, const ax_doc *doc, const ax_symbol *symbol)
{
    ax_span span = symbol->span;
    bool is_block = symbol->item && symbol->item->kind == AX_ITEM_BLOCK;
    if (is_block && symbol->item->u.block.body) span.end = symbol->item->u.block.body->span.beg;
    ax_str text = ax_sources_text(&doc->sources, span);
    while (text.len > 0 && strchr(" \t\r\n", text.ptr[text.len - 1])) text.len--;
    if (text.len <= HEADER_BYTES_MAX) return text;
    return ax_str_fmt(mem, "%.*s …", AX_STR(symbol->name.text));
}
