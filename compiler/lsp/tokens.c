/* tokens.c - names coloured by what they mean, which a grammar of regular expressions can't tell. */
#include "compiler/lsp/lsp_int.h"

/* The place of each in `types` is its number in the protocol. */
enum {
    TOKEN_NAMESPACE,
    TOKEN_FUNCTION,
    TOKEN_EVENT,
    TOKEN_PARAMETER,
    TOKEN_VARIABLE,
    TOKEN_PROPERTY,
    TOKEN_CLASS
};
static const char *const types[] = {"namespace", "function", "event", "parameter",
                                    "variable",  "property", "class"};
enum { MODIFIER_DECLARATION = 1, MODIFIER_READONLY = 2 };
static const char *const modifiers[] = {"declaration", "readonly"};

static const uint8_t token_types[AX_KIND_COUNT] = {
    [AX_KIND_WORKFLOW] = TOKEN_NAMESPACE, [AX_KIND_GROUP] = TOKEN_NAMESPACE,
    [AX_KIND_TASK] = TOKEN_FUNCTION,      [AX_KIND_GATE] = TOKEN_EVENT,
    [AX_KIND_SCHEDULE] = TOKEN_EVENT,     [AX_KIND_PARAM] = TOKEN_PARAMETER,
    [AX_KIND_MATRIX] = TOKEN_VARIABLE,    [AX_KIND_LET] = TOKEN_VARIABLE,
    [AX_KIND_OUTPUT] = TOKEN_PROPERTY,    [AX_KIND_TEMPLATE] = TOKEN_CLASS,
};

static void write_names(ax_json *j, const char *key, const char *const *names, size_t count)
{
    ax_json_key(j, key);
    ax_json_arr(j);
    for (size_t i = 0; i < count; i++) ax_json_cstr(j, names[i]);
    ax_json_end(j);
}

void ax_lsp_write_legend(ax_json *j)
{
    ax_json_obj(j);
    ax_json_key(j, "legend");
    ax_json_obj(j);
    write_names(j, "tokenTypes", types, sizeof types / sizeof *types);
    write_names(j, "tokenModifiers", modifiers, sizeof modifiers / sizeof *modifiers);
    ax_json_end(j);
    ax_rpc_putb(j, "full", true);
    ax_json_end(j);
}

ax_rc ax_lsp_tokens(ax_call *c)
{
    const ax_doc *doc = c->doc;
    ax_place last = {0};
    ax_json_obj(c->j);
    ax_json_key(c->j, "data");
    ax_json_arr(c->j);
    for (uint32_t i = 0; i < doc->names.uses.len; i++) {
        const ax_name_use *use = &doc->names.uses.at[i];
        ax_kind kind = doc->names.symbols.at[use->symbol].kind;
        bool is_fixed = kind == AX_KIND_LET || kind == AX_KIND_MATRIX;
        ax_place at = ax_lines_place(&doc->lines, ax_doc_byte(doc, use->span.beg));
        ax_json_int(c->j, at.line - last.line);
        ax_json_int(c->j, at.line == last.line ? at.unit - last.unit : at.unit);
        ax_json_int(c->j, ax_units_count(doc->lines.units, ax_sources_text(&doc->sources, use->span)));
        ax_json_int(c->j, token_types[kind]);
        ax_json_int(c->j,
                    (use->is_definition ? MODIFIER_DECLARATION : 0) | (is_fixed ? MODIFIER_READONLY : 0));
        last = at;
    }
    ax_json_end(c->j);
    ax_json_end(c->j);
    return AX_OK;
}
