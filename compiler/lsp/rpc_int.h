/* rpc_int.h - values of JSON-RPC messages: reading what a client sent, writing places. */
#ifndef AX_COMPILER_LSP_RPC_INT_H
#define AX_COMPILER_LSP_RPC_INT_H

#include "compiler/lsp/text.h"
#include "dsl/base/json_out.h"
#include "dsl/model/value.h"

#define AX_RPC_DEPTH_MAX 64 /* nesting of a message */

typedef enum {
    AX_RPC_PARSE_ERROR = -32700,
    AX_RPC_INVALID_REQUEST = -32600,
    AX_RPC_METHOD_NOT_FOUND = -32601,
    AX_RPC_INVALID_PARAMS = -32602,
    AX_RPC_INTERNAL_ERROR = -32603,
    AX_RPC_NOT_INITIALIZED = -32002,
    AX_RPC_REQUEST_FAILED = -32803,
} ax_rpc_error;

/* The text with what editors send and a strict reader refuses made harmless, unit for unit: \u0000 becomes
 * \u0001 (just as little allowed in a workflow), half a surrogate pair U+FFFD. Copies only if there is one.
 */
ax_str ax_rpc_clean(ax_arena *mem, ax_str json);

/* What stands at a path of keys ("textDocument.uri") in a value, or NULL; v may be NULL. */
const ax_value *ax_rpc_get(const ax_value *v, const char *path);
/* The same of a kind, or what is given for it. */
ax_str ax_rpc_text(const ax_value *v, const char *path);
int64_t ax_rpc_int(const ax_value *v, const char *path, int64_t otherwise);
bool ax_rpc_flag(const ax_value *v, const char *path);
/* True if there is a list at the path with that text in it. */
bool ax_rpc_has(const ax_value *v, const char *path, const char *text);
/* The place {line, character} at the path; false if there is none. */
bool ax_rpc_place(const ax_value *v, const char *path, ax_place *out);

/* "key": {start, end} of two bytes of a text; without a key the value alone. */
void ax_rpc_range(ax_json *j, const char *key, const ax_lines *lines, uint32_t beg, uint32_t end);
/* A key and its value. */
void ax_rpc_put(ax_json *j, const char *key, ax_str text);
void ax_rpc_puts(ax_json *j, const char *key, const char *text);
void ax_rpc_puti(ax_json *j, const char *key, int64_t n);
void ax_rpc_putb(ax_json *j, const char *key, bool b);

#endif
