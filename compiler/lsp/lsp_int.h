/* lsp_int.h - what the server's files share: open documents, and one call of a method.
 *
 * A document is its text; all that is known about the text (lines, tree, diagnostics, names) is made when
 * something asks for it and dropped when the text changes, so it can never be about another text. A method is
 * one function that writes one JSON value; documents and places that do not exist are refused before it.
 */
#ifndef AX_COMPILER_LSP_LSP_INT_H
#define AX_COMPILER_LSP_LSP_INT_H

#include "compiler/axc.h"
#include "compiler/lsp/frames.h"
#include "compiler/lsp/lsp.h"
#include "compiler/lsp/names.h"
#include "compiler/lsp/rpc_int.h"

typedef struct {
    bool is_open;
    bool is_unsaid; /* the client has not been told what is wrong in this text */
    bool is_read;   /* mem and what is below it are about this text */
    ax_buf uri, text;
    int64_t version;

    ax_arena mem;
    ax_lines lines;
    ax_sources sources;
    ax_source *source;
    ax_diags diags;
    ax_compiled compiled;
    ax_names names;
} ax_doc;

/* What the client can do. */
typedef struct {
    ax_units units;
    bool snippets, markdown, versioned_edits;
} ax_lsp_client;

struct ax_lsp {
    ax_arena mem;     /* of docs */
    ax_arena scratch; /* of one message */
    const char *version;
    enum { AX_LSP_NEW, AX_LSP_READY, AX_LSP_SHUT_DOWN } phase;
    bool is_over;
    ax_lsp_client client;
    ax_buf pages;          /* where the pages of the diagnostics are: an address with a slash at its end */
    AX_VEC(ax_doc *) docs; /* closed ones are used again */
    ax_buf value, body;    /* of the message that is being written */
    int64_t now_ms;
};

/* One call of a method. */
typedef struct {
    ax_lsp *lsp;
    const ax_value *params;
    ax_doc *doc; /* read; NULL: the method needs none */
    uint32_t at; /* the byte of the place in it */
    ax_arena *mem;
    ax_json *j; /* takes the result */
    ax_buf *out;
    ax_err *err;
} ax_call;

/* ---- documents (doc.c) ---- */

/* The open document of that name, or NULL. */
ax_doc *ax_doc_find(const ax_lsp *s, ax_str uri);
/* Opens one, or replaces its text if it is open; NULL if there are too many or it is too large. */
ax_doc *ax_doc_open(ax_lsp *s, ax_str uri, ax_str text, int64_t version);
/* Carries out one change of didChange; false if it is none, or the text would get too large. */
bool ax_doc_change(ax_lsp *s, ax_doc *doc, const ax_value *change);
/* Closes it and gives its memory back. */
void ax_doc_close(ax_doc *doc);
/* Compiles the text, if that was not done yet. */
void ax_doc_read(ax_lsp *s, ax_doc *doc);
/* The byte of an offset of the document's source, and back. */
uint32_t ax_doc_byte(const ax_doc *doc, uint32_t offset);
uint32_t ax_doc_offset(const ax_doc *doc, uint32_t byte);
/* "key": the range of a span of the document; without a key the value alone. */
void ax_doc_range(ax_json *j, const char *key, const ax_doc *doc, ax_span span);

/* The name of a symbol at a byte, or NULL. */
const ax_name_use *ax_doc_use(const ax_doc *doc, uint32_t byte);
/* The declaration of a symbol as written, without its body; of a long one only the name. */
ax_str ax_doc_header(ax_arena *mem, const ax_doc *doc, const ax_symbol *symbol);

/* ---- messages (lsp.c) ---- */

/* Sends a notification whose parameters are JSON text. */
void ax_lsp_notify(ax_lsp *s, const char *method, ax_str params, ax_buf *out);
/* Shows the user a message; type: 1 error, 2 warning, 3 info. */
void ax_lsp_show(ax_lsp *s, int type, ax_str text, ax_buf *out);

/* ---- methods: each writes one value, or fails before it writes ---- */

ax_rc ax_lsp_completion(ax_call *c);
ax_rc ax_lsp_hover(ax_call *c);
ax_rc ax_lsp_definition(ax_call *c);
ax_rc ax_lsp_references(ax_call *c);
ax_rc ax_lsp_highlight(ax_call *c);
ax_rc ax_lsp_prepare_rename(ax_call *c);
ax_rc ax_lsp_rename(ax_call *c);
ax_rc ax_lsp_formatting(ax_call *c);
ax_rc ax_lsp_symbols(ax_call *c);
ax_rc ax_lsp_folding(ax_call *c);
ax_rc ax_lsp_actions(ax_call *c);
ax_rc ax_lsp_tokens(ax_call *c);

/* Writes what kinds of token ax_lsp_tokens tells apart. */
void ax_lsp_write_legend(ax_json *j);
/* Writes {uri, version?, diagnostics} of a document. */
void ax_lsp_write_diagnostics(ax_lsp *s, ax_doc *doc, ax_json *j);

/* ---- edits ---- */

/* One replacement of bytes of a document. */
typedef struct {
    uint32_t beg, end;
    ax_str text;
} ax_edit;

/* Writes the array of TextEdits. */
void ax_edits_write(ax_json *j, const ax_doc *doc, const ax_edit *edits, uint32_t count);
/* Writes the WorkspaceEdit of one document, in the form that the client takes. */
void ax_edits_workspace(ax_json *j, const ax_lsp *s, const ax_doc *doc, const ax_edit *edits, uint32_t count);

#endif
