/* complete.c - what may be written at the cursor, from the schema table and the names in sight.
 *
 * The place decides (context.h); each kind of place has one function that offers. The client filters by what
 * is typed; only a list that is too long is filtered here, and said to be incomplete.
 */
#include <ctype.h>
#include <string.h>

#include "compiler/lsp/context_int.h"
#include "compiler/lsp/find_int.h"
#include "compiler/lsp/lsp_int.h"
#include "compiler/lsp/words_int.h"
#include "dsl/model/expr.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/plan.h"

enum { ITEMS_MAX = 1000, NODES_MAX = 200000, NODE_DEPTH_MAX = 200, SNIPPET_BYTES_MAX = 4096 };

/* Numbers of the protocol's CompletionItemKind. */
typedef enum {
    ITEM_FUNCTION = 3,
    ITEM_FIELD = 5,
    ITEM_VARIABLE = 6,
    ITEM_CLASS = 7,
    ITEM_MODULE = 9,
    ITEM_PROPERTY = 10,
    ITEM_VALUE = 12,
    ITEM_KEYWORD = 14,
    ITEM_EVENT = 23,
    ITEM_TYPE = 25,
} item_kind;

typedef struct {
    ax_str label;
    item_kind kind;
    ax_str detail, doc;
    ax_str insert; /* empty: the label */
    bool is_snippet;
} item;

typedef struct {
    const ax_call *call;
    const ax_doc *doc;
    ax_context at;
    AX_VEC(item) items;
} offers;

static void offer(offers *o, item one)
{
    ax_vec_push(o->call->mem, &o->items, one);
}

static ax_str keep(const offers *o, ax_buf *text)
{
    ax_str copy = ax_str_dup(o->call->mem, ax_buf_str(text));
    ax_buf_free(text);
    return copy;
}

/* ---- names ---- */

static void offer_value(offers *o, const ax_symbol *symbol)
{
    ax_str detail = ax_doc_header(o->call->mem, o->doc, symbol);
    offer(o, (item){.label = symbol->name.text, .kind = ITEM_VARIABLE, .detail = detail});
}

static void offer_output(offers *o, ax_str node, const ax_symbol *symbol)
{
    ax_str label = symbol->name.text;
    if (node.len > 0) label = ax_str_fmt(o->call->mem, "%.*s.%.*s", AX_STR(node), AX_STR(label));
    ax_str detail = ax_doc_header(o->call->mem, o->doc, symbol);
    offer(o, (item){.label = label, .kind = ITEM_FIELD, .detail = detail});
}

static void offer_node(offers *o, ax_str name, const ax_symbol *symbol)
{
    bool is_group = symbol->kind == AX_KIND_GROUP;
    const ax_ast_attr *doc = ax_find_attr(symbol->item->u.block.body, "doc");
    offer(o, (item){
                 .label = name,
                 .kind = is_group                       ? ITEM_MODULE
                         : symbol->kind == AX_KIND_GATE ? ITEM_EVENT
                                                        : ITEM_FUNCTION,
                 .detail = ax_str_of(ax_schema_kinds[symbol->kind].name),
                 .doc = doc ? ax_find_text(doc->value) : (ax_str){0},
             });
}

/* The way to a symbol from the scope where it is seen: "ingest.load"; empty if it is not below it. */
static ax_str path_from(const offers *o, uint32_t scope, const ax_symbol *symbol)
{
    const ax_names *names = &o->doc->names;
    ax_str path = symbol->name.text;
    uint32_t s = symbol->scope;
    for (int depth = 0; s != scope && s != AX_MAP_NONE && depth < NODE_DEPTH_MAX; depth++) {
        uint32_t owner = names->scopes.at[s].owner;
        if (owner == AX_MAP_NONE) return (ax_str){0};
        path =
            ax_str_fmt(o->call->mem, "%.*s.%.*s", AX_STR(names->symbols.at[owner].name.text), AX_STR(path));
        s = names->scopes.at[s].parent;
    }
    return s == scope ? path : (ax_str){0};
}

/* The scope of the workflow or template around a place. */
static uint32_t flow_scope(const ax_names *names, uint32_t scope)
{
    while (scope != AX_MAP_NONE) {
        uint32_t owner = names->scopes.at[scope].owner;
        if (owner == AX_MAP_NONE) return AX_MAP_NONE;
        ax_kind kind = names->symbols.at[owner].kind;
        if (kind == AX_KIND_WORKFLOW || kind == AX_KIND_TEMPLATE) return scope;
        scope = names->scopes.at[scope].parent;
    }
    return AX_MAP_NONE;
}

/* Every node or output of the workflow by the shortest way that names it: from the innermost scope that holds
 * it. */
static void offer_all(offers *o, ax_space space)
{
    const ax_names *names = &o->doc->names;
    uint32_t flow = flow_scope(names, o->at.scope);
    for (uint32_t i = 0; flow != AX_MAP_NONE && i < names->symbols.len && i < NODES_MAX; i++) {
        const ax_symbol *symbol = &names->symbols.at[i];
        if (symbol->space != space || flow_scope(names, symbol->scope) != flow) continue;
        ax_str path = {0};
        for (uint32_t s = o->at.scope; s != names->scopes.at[flow].parent && path.len == 0;
             s = names->scopes.at[s].parent)
            path = path_from(o, s, symbol);
        if (space == AX_SPACE_NODE) offer_node(o, path, symbol);
        else if (memchr(path.ptr, '.', path.len))
            offer_output(o, ax_str_slice(path, 0, path.len - symbol->name.text.len - 1), symbol);
    }
}

/* Parameters, lets and matrix keys in sight; only lets where the value must be known when compiled. */
static void offer_values(offers *o, bool only_lets)
{
    const ax_names *names = &o->doc->names;
    for (uint32_t i = 0; i < names->symbols.len; i++) {
        const ax_symbol *symbol = &names->symbols.at[i];
        if (symbol->space != AX_SPACE_VALUE || (only_lets && symbol->kind != AX_KIND_LET)) continue;
        if (ax_names_find(names, o->at.scope, AX_SPACE_VALUE, symbol->name.text) == i) offer_value(o, symbol);
    }
}

static void offer_roots(offers *o, ax_str prefix)
{
    for (ax_root root = 0; root < AX_ROOT_COUNT; root++) {
        ax_str name = ax_str_of(ax_root_name(root));
        const char *doc = ax_word_doc("root", name);
        if (!ax_str_starts(name, prefix)) continue;
        offer(o, (item){.label = ax_str_slice(name, prefix.len, name.len),
                        .kind = ITEM_VALUE,
                        .doc = ax_str_of(doc)});
    }
}

static void offer_functions(offers *o)
{
    for (uint32_t i = 0; i < ax_fn_count; i++)
        offer(o, (item){
                     .label = ax_str_of(ax_fn_rows[i].name),
                     .kind = ITEM_FUNCTION,
                     .detail = ax_str_of(ax_fn_rows[i].usage),
                     .doc = ax_str_of(ax_fn_rows[i].doc),
                     .insert = ax_str_fmt(o->call->mem, "%s($1)", ax_fn_rows[i].name),
                     .is_snippet = true,
                 });
}

static void offer_word(offers *o, ax_str word, const char *of)
{
    offer(o, (item){.label = word, .kind = ITEM_KEYWORD, .doc = ax_str_of(ax_word_doc(of, word))});
}

static void offer_words(offers *o, const char *list, const char *of)
{
    while (*list) {
        size_t len = strcspn(list, " ");
        offer_word(o, (ax_str){list, len}, of);
        list += len + (list[len] == ' ');
    }
}

/* ---- places ---- */

static void offer_expr(offers *o)
{
    offer_values(o, false);
    offer_all(o, AX_SPACE_OUTPUT);
    offer_roots(o, (ax_str){0});
    offer_functions(o);
}

/* Behind a '.': members of a group, outputs of a task, parts of a value that every run has. */
static void offer_members(offers *o)
{
    const ax_names *names = &o->doc->names;
    uint32_t found = ax_names_find(names, o->at.scope, AX_SPACE_NODE, o->at.path[0]);
    for (uint32_t i = 1; i < o->at.path_len && found != AX_MAP_NONE; i++)
        found = ax_names_member(names, names->symbols.at[found].inner, AX_SPACE_NODE, o->at.path[i]);
    if (o->at.path_len == 1) offer_roots(o, ax_str_fmt(o->call->mem, "%.*s.", AX_STR(o->at.path[0])));
    uint32_t inner = found == AX_MAP_NONE ? AX_MAP_NONE : names->symbols.at[found].inner;
    for (uint32_t i = 0; inner != AX_MAP_NONE && i < names->symbols.len; i++) {
        const ax_symbol *symbol = &names->symbols.at[i];
        if (ax_names_member(names, inner, symbol->space, symbol->name.text) != i) continue;
        if (symbol->space == AX_SPACE_NODE) offer_node(o, symbol->name.text, symbol);
        else if (symbol->space == AX_SPACE_OUTPUT && o->at.at != AX_AT_NODE)
            offer_output(o, (ax_str){0}, symbol);
    }
}

/* Templates in sight of the place. */
static void offer_templates(offers *o)
{
    const ax_names *names = &o->doc->names;
    for (uint32_t i = 0; i < names->symbols.len; i++) {
        const ax_symbol *symbol = &names->symbols.at[i];
        if (symbol->space != AX_SPACE_TEMPLATE) continue;
        if (ax_names_find(names, o->at.scope, AX_SPACE_TEMPLATE, symbol->name.text) != i) continue;
        ax_str detail = ax_doc_header(o->call->mem, o->doc, symbol);
        offer(o, (item){.label = symbol->name.text, .kind = ITEM_CLASS, .detail = detail});
    }
}

/* The parameters of the template that a node is made from, and values for them. */
static void offer_arguments(offers *o)
{
    const ax_names *names = &o->doc->names;
    uint32_t found = ax_names_find(names, o->at.scope, AX_SPACE_TEMPLATE, o->at.from);
    for (uint32_t i = 0; found != AX_MAP_NONE && i < names->symbols.len; i++) {
        const ax_symbol *symbol = &names->symbols.at[i];
        if (symbol->item || symbol->scope != names->symbols.at[found].inner) continue;
        offer(o, (item){.label = symbol->name.text,
                        .kind = ITEM_PROPERTY,
                        .detail = ax_doc_header(o->call->mem, o->doc, symbol),
                        .insert = ax_str_fmt(o->call->mem, "%.*s = $1", AX_STR(symbol->name.text)),
                        .is_snippet = true});
    }
    offer_expr(o);
}

static void offer_forms(offers *o, const ax_attr_row *row)
{
    const char *form = row->type;
    for (ax_str one; ax_form_next(&form, &one);) {
        bool is_call = memchr(one.ptr, '(', one.len) != NULL;
        if (is_call) offer(o, (item){.label = one, .kind = ITEM_VALUE});
        else if (isalpha((unsigned char)one.ptr[0])) offer_word(o, one, row->name);
    }
}

static void offer_for_attr(offers *o, const ax_attr_row *row)
{
    bool is_symbol = row->form == AX_FORM_SYMBOL || row->form == AX_FORM_SYMBOLS;
    bool is_free = row->form == AX_FORM_EXPR || strchr(row->type, '"');
    if (row->form == AX_FORM_TEMPLATE) return;
    if (is_symbol) {
        if (strcmp(row->type, "name") != 0) offer_words(o, row->type, row->name);
        return;
    }
    if (strcmp(row->type, "bool") == 0) offer_words(o, "true false", row->name);
    if (row->form == AX_FORM_SPECIAL && !is_free && !o->at.is_nested) offer_forms(o, row);
    if (is_free) offer_expr(o);
    else offer_values(o, true);
}

static void offer_for_value(offers *o)
{
    const ax_attr_row *row = o->at.declares ? NULL : ax_attr_inside(o->at.kind, o->at.attr);
    if (row) offer_for_attr(o, row);
    else if (o->at.kind == AX_KIND_ENV) offer_expr(o);
    else offer_values(o, true);
}

static void offer_types(offers *o)
{
    for (ax_type_kind kind = 0; kind < AX_T_COUNT; kind++) {
        ax_str name = ax_str_of(ax_type_name(kind));
        bool is_list = kind == AX_T_LIST;
        bool is_hidden = kind == AX_T_NULL || kind == AX_T_ANY || kind == AX_T_MAP || kind == AX_T_RANGE;
        if (is_hidden) continue;
        offer(o, (item){
                     .label = name,
                     .kind = ITEM_TYPE,
                     .insert = is_list ? AX_LIT("list(${1:string})") : (ax_str){0},
                     .is_snippet = is_list,
                 });
    }
}

static void offer_outcomes(offers *o)
{
    for (ax_outcome outcome = 0; outcome < AX_ON_COUNT; outcome++)
        offer_word(o, ax_str_of(ax_outcome_name(outcome)), "outcome");
}

/* True if a block of that kind stands in the body already, where it may stand once. */
static bool is_taken(const ax_ast_body *body, ax_kind kind)
{
    for (uint32_t i = 0; body && ax_schema_kinds[kind].label == AX_LABEL_NONE && i < body->count; i++)
        if (body->items[i]->kind == AX_ITEM_BLOCK &&
            ax_str_is(body->items[i]->u.block.kind.text, ax_schema_kinds[kind].name))
            return true;
    return false;
}

static void offer_attr(offers *o, const ax_attr_row *row)
{
    ax_buf values = AX_BUF_INIT(SNIPPET_BYTES_MAX), snippet = AX_BUF_INIT(SNIPPET_BYTES_MAX);
    ax_attr_values(row, &values);
    ax_attr_snippet(row, &snippet);
    offer(o, (item){
                 .label = ax_str_of(row->name),
                 .kind = ITEM_PROPERTY,
                 .detail = keep(o, &values),
                 .doc = ax_str_of(row->doc),
                 .insert = keep(o, &snippet),
                 .is_snippet = true,
             });
}

static void offer_kind(offers *o, ax_kind kind)
{
    ax_buf snippet = AX_BUF_INIT(SNIPPET_BYTES_MAX);
    ax_kind_snippet(kind, &snippet);
    offer(o, (item){
                 .label = ax_str_of(ax_schema_kinds[kind].name),
                 .kind = ITEM_KEYWORD,
                 .detail = AX_LIT("block"),
                 .doc = ax_str_of(ax_schema_kinds[kind].doc),
                 .insert = keep(o, &snippet),
                 .is_snippet = true,
             });
}

static void offer_items(offers *o)
{
    uint64_t owners = ax_kinds_like(o->at.kind);
    if (owners == 0) return;
    ax_found found;
    ax_find(o->call->mem, o->doc->compiled.file, ax_doc_offset(o->doc, o->call->at), &found);
    const ax_ast_body *body = found.block && found.kind == o->at.kind ? found.block->body : NULL;
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        const ax_attr_row *row = &ax_schema_attrs[i];
        bool is_word = ax_str_is(o->at.word, row->name); /* what is being written is no other one */
        bool is_there = !is_word && ax_find_attr(body, row->name);
        if ((row->owners & owners) && !is_there) offer_attr(o, row);
    }
    for (ax_kind kind = 0; kind < AX_KIND_COUNT; kind++)
        if ((ax_schema_kinds[kind].parents & owners) && !is_taken(body, kind)) offer_kind(o, kind);
    ax_body_rule rule = ax_schema_kinds[o->at.kind].body;
    if (rule == AX_BODY_GRAPH || rule == AX_BODY_ANY) offer_all(o, AX_SPACE_NODE);
}

static void offer_here(offers *o)
{
    const ax_value *trigger = ax_rpc_get(o->call->params, "context.triggerCharacter");
    bool by_space = trigger && trigger->kind == AX_T_STRING && ax_str_is(trigger->u.s, " ");
    if (o->at.path_len > 0 && o->at.at != AX_AT_NOTHING) {
        offer_members(o);
        return;
    }
    switch (o->at.at) {
    case AX_AT_NOTHING: break;
    case AX_AT_ITEM:
        if (!by_space) offer_items(o);
        break;
    case AX_AT_VALUE: offer_for_value(o); break;
    case AX_AT_EXPR: offer_expr(o); break;
    case AX_AT_NODE: offer_all(o, AX_SPACE_NODE); break;
    case AX_AT_OUTCOME: offer_outcomes(o); break;
    case AX_AT_TYPE: offer_types(o); break;
    case AX_AT_TEMPLATE: offer_templates(o); break;
    case AX_AT_ARGUMENT: offer_arguments(o); break;
    }
}

/* ---- the answer ---- */

/* True if the letters of the word stand in the label in their order. */
static bool matches(ax_str label, ax_str word)
{
    size_t have = 0;
    for (size_t i = 0; i < label.len && have < word.len; i++)
        have += tolower((unsigned char)label.ptr[i]) == tolower((unsigned char)word.ptr[have]);
    return have == word.len;
}

static void write_item(const offers *o, ax_json *j, uint32_t order, const item *one)
{
    bool is_snippet = one->is_snippet && o->call->lsp->client.snippets;
    ax_json_obj(j);
    ax_rpc_put(j, "label", one->label);
    ax_rpc_puti(j, "kind", one->kind);
    if (one->detail.len > 0) ax_rpc_put(j, "detail", one->detail);
    if (one->doc.len > 0) ax_rpc_put(j, "documentation", one->doc);
    ax_rpc_put(j, "sortText", ax_str_fmt(o->call->mem, "%05u", order));
    ax_json_key(j, "textEdit");
    ax_json_obj(j);
    ax_rpc_range(j, "range", &o->doc->lines, o->call->at - (uint32_t)o->at.word.len, o->call->at);
    ax_rpc_put(j, "newText", is_snippet && one->insert.len > 0 ? one->insert : one->label);
    ax_json_end(j);
    if (is_snippet) ax_rpc_puti(j, "insertTextFormat", 2);
    ax_json_end(j);
}

ax_rc ax_lsp_completion(ax_call *c)
{
    offers o = {.call = c, .doc = c->doc};
    ax_context_read(c->mem, c->doc->source->text, c->at, &c->doc->names, &o.at);
    offer_here(&o);
    bool is_long = o.items.len > ITEMS_MAX;
    uint32_t written = 0;
    ax_json_obj(c->j);
    ax_rpc_putb(c->j, "isIncomplete", is_long);
    ax_json_key(c->j, "items");
    ax_json_arr(c->j);
    for (uint32_t i = 0; i < o.items.len && written < ITEMS_MAX; i++) {
        if (is_long && !matches(o.items.at[i].label, o.at.word)) continue;
        write_item(&o, c->j, written++, &o.items.at[i]);
    }
    ax_json_end(c->j);
    ax_json_end(c->j);
    return AX_OK;
}
