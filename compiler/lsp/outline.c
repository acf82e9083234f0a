/* outline.c - a document as a tree of its blocks, and what of it can be folded. */
#include "compiler/lsp/lsp_int.h"

/* Numbers of the protocol's SymbolKind. */
enum { SYMBOL_MODULE = 2, SYMBOL_NAMESPACE, SYMBOL_CLASS = 5, SYMBOL_PROPERTY = 7, SYMBOL_FUNCTION = 12 };
enum { SYMBOL_VARIABLE = 13, SYMBOL_CONSTANT = 14, SYMBOL_OBJECT = 19, SYMBOL_KEY = 20, SYMBOL_EVENT = 24 };

static const uint8_t symbol_kinds[AX_KIND_COUNT] = {
    [AX_KIND_WORKFLOW] = SYMBOL_MODULE, [AX_KIND_GROUP] = SYMBOL_NAMESPACE, [AX_KIND_TASK] = SYMBOL_FUNCTION,
    [AX_KIND_GATE] = SYMBOL_EVENT,      [AX_KIND_PARAM] = SYMBOL_VARIABLE,  [AX_KIND_LET] = SYMBOL_CONSTANT,
    [AX_KIND_OUTPUT] = SYMBOL_PROPERTY, [AX_KIND_MATRIX] = SYMBOL_KEY,      [AX_KIND_SCHEDULE] = SYMBOL_EVENT,
    [AX_KIND_TEMPLATE] = SYMBOL_CLASS,
};

/* ---- outline ---- */

static void write_symbols(ax_json *j, const ax_doc *doc, uint32_t *next, ax_span inside);

static void write_symbol(ax_json *j, const ax_doc *doc, const ax_symbol *symbol, uint32_t *next)
{
    uint8_t kind = symbol_kinds[symbol->kind];
    bool is_key = symbol->kind == AX_KIND_MATRIX;
    ax_json_obj(j);
    ax_rpc_put(j, "name", symbol->name.text);
    ax_rpc_puts(j, "detail", is_key ? "key" : ax_schema_kinds[symbol->kind].name);
    ax_rpc_puti(j, "kind", kind ? kind : SYMBOL_OBJECT);
    ax_doc_range(j, "range", doc, symbol->span);
    ax_doc_range(j, "selectionRange", doc, symbol->name.span);
    ax_json_key(j, "children");
    write_symbols(j, doc, next, symbol->span);
    ax_json_end(j);
}

/* The symbols from *next on that lie in a span; they stand in the order of the source. */
static void write_symbols(ax_json *j, const ax_doc *doc, uint32_t *next, ax_span inside)
{
    ax_json_arr(j);
    while (*next < doc->names.symbols.len) {
        const ax_symbol *symbol = &doc->names.symbols.at[*next];
        if (symbol->span.beg >= inside.end) break;
        ++*next;
        write_symbol(j, doc, symbol, next);
    }
    ax_json_end(j);
}

ax_rc ax_lsp_symbols(ax_call *c)
{
    uint32_t next = 0;
    write_symbols(c->j, c->doc, &next, (ax_span){0, UINT32_MAX});
    return AX_OK;
}

/* ---- folding ---- */

typedef struct {
    ax_json *j;
    const ax_doc *doc;
} folder;

/* A fold from one line to another, which stays visible if `shows_end`. */
static void fold(const folder *f, ax_span span, bool shows_end, const char *kind)
{
    uint32_t beg = ax_lines_place(&f->doc->lines, ax_doc_byte(f->doc, span.beg)).line;
    uint32_t end = ax_lines_place(&f->doc->lines, ax_doc_byte(f->doc, span.end)).line - shows_end;
    if (end <= beg || end == UINT32_MAX) return;
    ax_json_obj(f->j);
    ax_rpc_puti(f->j, "startLine", beg);
    ax_rpc_puti(f->j, "endLine", end);
    if (kind) ax_rpc_puts(f->j, "kind", kind);
    ax_json_end(f->j);
}

static void fold_value(const folder *f, const ax_ast_expr *e)
{
    bool is_long = e && (e->kind == AX_AST_STRING || e->kind == AX_AST_LIST || e->kind == AX_AST_MAP);
    if (is_long) fold(f, e->span, true, NULL);
}

static void fold_items(const folder *f, ax_ast_item *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (items[i]->kind == AX_ITEM_ATTR) fold_value(f, items[i]->u.attr.value);
        if (items[i]->kind != AX_ITEM_BLOCK) continue;
        const ax_ast_block *block = &items[i]->u.block;
        fold_value(f, block->value);
        if (!block->body) continue;
        fold(f, block->body->span, true, NULL);
        fold_items(f, block->body->items, block->body->count);
    }
}

/* Comments on lines of their own, one below the other, fold as one. */
static void fold_comments(const folder *f, const ax_ast_file *file)
{
    for (uint32_t i = 0, end; i < file->comment_count; i = end) {
        end = i + 1;
        if (!file->comments[i].own_line) continue;
        uint32_t line = ax_sources_line(&f->doc->sources, file->comments[i].span.beg);
        while (end < file->comment_count && file->comments[end].own_line &&
               ax_sources_line(&f->doc->sources, file->comments[end].span.beg) == line + (end - i))
            end++;
        ax_span run = {file->comments[i].span.beg, file->comments[end - 1].span.end};
        fold(f, run, false, "comment");
    }
}

ax_rc ax_lsp_folding(ax_call *c)
{
    folder f = {c->j, c->doc};
    const ax_ast_file *file = c->doc->compiled.file;
    ax_json_arr(c->j);
    fold_items(&f, file->items, file->count);
    fold_comments(&f, file);
    ax_json_end(c->j);
    return AX_OK;
}
