/* lsp.h - a language server as a function: a message in, messages out.
 *
 * It keeps the texts of the open documents and nothing else; it reads no clock, opens no file and never
 * waits, so tests and a fuzzer drive it like an editor does (frames.h makes messages of bytes). Whatever a
 * client sends, it answers or ignores it; a request always gets exactly one answer.
 */
#ifndef AX_COMPILER_LSP_LSP_H
#define AX_COMPILER_LSP_LSP_H

#include "dsl/base/buf.h"

#define AX_LSP_DOCS_MAX 1024u                    /* open documents */
#define AX_LSP_TEXT_BYTES_MAX ((size_t)16 << 20) /* one document */

typedef struct ax_lsp ax_lsp;

/* A server before its first message; it lives in mem and must be freed before it. `version` is shown to the
 * client and must outlive it. */
ax_lsp *ax_lsp_new(ax_arena *mem, const char *version);
/* Gives the documents back. */
void ax_lsp_free(ax_lsp *s);

/* Takes one message (JSON text) and appends what is to be sent, with headers, to out. now_ms is the time, for
 * what is shown of schedules. */
void ax_lsp_message(ax_lsp *s, ax_str message, int64_t now_ms, ax_buf *out);
/* Tells the client of input that is no message. */
void ax_lsp_refuse(ax_lsp *s, ax_str what, ax_buf *out);
/* Appends the diagnostics of documents that changed. To be called when no more input waits, so that several
 * changes in a row are compiled once. */
void ax_lsp_settle(ax_lsp *s, ax_buf *out);
/* True after `exit`: what comes later is ignored. */
bool ax_lsp_is_over(const ax_lsp *s);
/* True if the client asked for the end before (`shutdown`): the program ends with 0, else with 1. */
bool ax_lsp_is_shut_down(const ax_lsp *s);

#endif
