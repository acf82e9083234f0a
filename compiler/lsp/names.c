/* names.c - declarations first, since order never matters; then every place that names one of them. */
#include "compiler/lsp/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/lsp/find_int.h"
#include "dsl/model/expr_fn.h"

#define NONE AX_MAP_NONE

/* What the label of a block declares. */
static const ax_space spaces[AX_KIND_COUNT] = {
    [AX_KIND_LET] = AX_SPACE_VALUE,         [AX_KIND_PARAM] = AX_SPACE_VALUE,
    [AX_KIND_TASK] = AX_SPACE_NODE,         [AX_KIND_GATE] = AX_SPACE_NODE,
    [AX_KIND_GROUP] = AX_SPACE_NODE,        [AX_KIND_OUTPUT] = AX_SPACE_OUTPUT,
    [AX_KIND_WORKFLOW] = AX_SPACE_FLOW,     [AX_KIND_SCHEDULE] = AX_SPACE_SCHEDULE,
    [AX_KIND_TEMPLATE] = AX_SPACE_TEMPLATE,
};

typedef struct {
    ax_arena *mem;
    ax_names *names;
    uint32_t next; /* while uses are read: the next symbol in the order of declaration */
} reader;

/* ---- declarations ---- */

static uint32_t add_scope(reader *r, uint32_t parent, uint32_t owner)
{
    ax_vec_push(r->mem, &r->names->scopes, (ax_name_scope){.parent = parent, .owner = owner, .from = NONE});
    return r->names->scopes.len - 1;
}

static uint32_t add_symbol(reader *r, ax_symbol symbol)
{
    uint32_t at = r->names->symbols.len;
    ax_map_add(r->mem, &r->names->scopes.at[symbol.scope].names[symbol.space], symbol.name.text, at);
    ax_vec_push(r->mem, &r->names->symbols, symbol);
    ax_vec_push(r->mem, &r->names->uses, (ax_name_use){symbol.name.span, at, true});
    return at;
}

static void declare_body(reader *r, ax_kind kind, uint32_t scope, ax_ast_item *const *items, uint32_t count);

static void declare_key(reader *r, uint32_t scope, const ax_ast_item *item)
{
    const ax_ast_expr *path = item->u.attr.path;
    if (path->kind != AX_AST_NAME) return;
    add_symbol(r, (ax_symbol){.kind = AX_KIND_MATRIX,
                              .space = AX_SPACE_VALUE,
                              .name = {path->u.name, path->span},
                              .span = item->span,
                              .item = item,
                              .scope = scope,
                              .inner = NONE});
}

/* The parameters of a template: `a` or `a = 1`. */
static void declare_params(reader *r, uint32_t scope, const ax_ast_block *block)
{
    for (uint32_t i = 0; i < block->arg_count; i++) {
        const ax_ast_arg *arg = &block->args[i];
        bool is_plain = arg->name.text.len == 0;
        if (is_plain && arg->value->kind != AX_AST_NAME) continue;
        ax_ast_name name = is_plain ? (ax_ast_name){arg->value->u.name, arg->value->span} : arg->name;
        add_symbol(r, (ax_symbol){.kind = AX_KIND_PARAM,
                                  .space = AX_SPACE_VALUE,
                                  .name = name,
                                  .span = {name.span.beg, arg->value->span.end},
                                  .scope = scope,
                                  .inner = NONE});
    }
}

/* The name of the template in `task x from NAME(…)`, or NULL. */
static const ax_ast_name *from_name(const ax_ast_block *block)
{
    bool is_from = block->label_count == 3 && ax_str_is(block->labels[1].name.text, "from");
    return is_from && !block->labels[2].string ? &block->labels[2].name : NULL;
}

static void declare_block(reader *r, ax_kind kind, uint32_t scope, const ax_ast_item *item)
{
    const ax_ast_block *block = &item->u.block;
    bool has_name = block->label_count > 0 && !block->labels[0].string;
    if (spaces[kind] != AX_SPACE_NONE && has_name) {
        uint32_t owner = add_symbol(r, (ax_symbol){.kind = kind,
                                                   .space = spaces[kind],
                                                   .name = block->labels[0].name,
                                                   .span = item->span,
                                                   .item = item,
                                                   .scope = scope,
                                                   .inner = NONE});
        if (block->body || from_name(block)) {
            scope = add_scope(r, scope, owner);
            r->names->symbols.at[owner].inner = scope;
        }
        if (kind == AX_KIND_TEMPLATE) declare_params(r, scope, block);
    }
    if (block->body) declare_body(r, kind, scope, block->body->items, block->body->count);
}

static void declare_body(reader *r, ax_kind kind, uint32_t scope, ax_ast_item *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (kind == AX_KIND_MATRIX && items[i]->kind == AX_ITEM_ATTR) declare_key(r, scope, items[i]);
        if (items[i]->kind != AX_ITEM_BLOCK) continue;
        ax_kind inner = ax_kind_inside(kind, items[i]->u.block.kind.text);
        if (inner != AX_KIND_COUNT) declare_block(r, inner, scope, items[i]);
    }
}

/* Finds the templates, which may be declared behind the nodes that are made from them. */
static void find_templates(ax_names *names)
{
    for (uint32_t i = 0; i < names->symbols.len; i++) {
        const ax_symbol *symbol = &names->symbols.at[i];
        bool is_block = symbol->item && symbol->item->kind == AX_ITEM_BLOCK;
        const ax_ast_name *from = is_block ? from_name(&symbol->item->u.block) : NULL;
        uint32_t found = from ? ax_names_find(names, symbol->scope, AX_SPACE_TEMPLATE, from->text) : NONE;
        if (found != NONE) names->scopes.at[symbol->inner].from = names->symbols.at[found].inner;
    }
}

/* ---- looking up ---- */

uint32_t ax_names_member(const ax_names *names, uint32_t scope, ax_space space, ax_str name)
{
    if (scope == NONE) return NONE;
    const ax_name_scope *s = &names->scopes.at[scope];
    uint32_t found = ax_map_get(&s->names[space], name);
    if (found != NONE || s->from == NONE) return found;
    found = ax_map_get(&names->scopes.at[s->from].names[space], name);
    bool is_param = found != NONE && names->symbols.at[found].kind == AX_KIND_PARAM;
    return is_param ? NONE : found; /* which only the template's own text sees */
}

uint32_t ax_names_find(const ax_names *names, uint32_t scope, ax_space space, ax_str name)
{
    for (uint32_t s = scope; s != NONE; s = names->scopes.at[s].parent) {
        uint32_t found = ax_names_member(names, s, space, name);
        if (found != NONE) return found;
    }
    return NONE;
}

uint32_t ax_names_enter(const ax_names *names, uint32_t scope, ax_kind kind, ax_str label)
{
    if (kind >= AX_KIND_COUNT) return scope;
    uint32_t found = ax_names_member(names, scope, spaces[kind], label);
    if (found == NONE || names->symbols.at[found].inner == NONE) return scope;
    return names->symbols.at[found].inner;
}

const ax_name_use *ax_names_at(const ax_names *names, uint32_t offset)
{
    uint32_t low = 0, high = names->uses.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names->uses.at[middle].span.end < offset) low = middle + 1;
        else high = middle;
    }
    if (low == names->uses.len || names->uses.at[low].span.beg > offset) return NULL;
    bool next_begins = low + 1 < names->uses.len && names->uses.at[low + 1].span.beg == offset;
    return &names->uses.at[low + next_begins];
}

/* ---- uses ---- */

static void add_use(reader *r, ax_span span, uint32_t symbol)
{
    if (symbol != NONE) ax_vec_push(r->mem, &r->names->uses, (ax_name_use){span, symbol, false});
}

static void use_expr(reader *r, uint32_t scope, const ax_ast_expr *e);

static void use_args(reader *r, uint32_t scope, const ax_ast_expr *call, uint32_t fn)
{
    for (uint32_t i = 0; i < call->u.call.count; i++) {
        const ax_ast_expr *value = call->u.call.args[i].value;
        const ax_fn_param *param = fn == UINT32_MAX ? NULL : ax_fn_param_at(fn, i);
        bool is_word = param && param->words && value->kind == AX_AST_NAME;
        if (!is_word) use_expr(r, scope, value);
    }
}

/* A name alone: a value, or a node where only a value may stand. */
static void use_name(reader *r, uint32_t scope, const ax_ast_expr *e)
{
    uint32_t found = ax_names_find(r->names, scope, AX_SPACE_VALUE, e->u.name);
    if (found == NONE) found = ax_names_find(r->names, scope, AX_SPACE_NODE, e->u.name);
    add_use(r, e->span, found);
}

/* The part behind a node: a member of a group, or an output of a task. */
static uint32_t use_member(reader *r, uint32_t node, ax_ast_name name)
{
    uint32_t inner = r->names->symbols.at[node].inner;
    uint32_t found = ax_names_member(r->names, inner, AX_SPACE_NODE, name.text);
    if (found == NONE) found = ax_names_member(r->names, inner, AX_SPACE_OUTPUT, name.text);
    add_use(r, name.span, found);
    return found;
}

/* A path in an edge (only_nodes) or an expression: a, a.b, a["x"].b. Returns the symbol that it comes to, or
 * NONE. */
static uint32_t use_path(reader *r, uint32_t scope, const ax_ast_expr *e, bool only_nodes)
{
    if (e->kind == AX_AST_NAME) {
        uint32_t found = ax_names_find(r->names, scope, AX_SPACE_NODE, e->u.name);
        if (found == NONE && !only_nodes) found = ax_names_find(r->names, scope, AX_SPACE_VALUE, e->u.name);
        add_use(r, e->span, found);
        return found;
    }
    if (e->kind == AX_AST_INDEX) {
        uint32_t found = use_path(r, scope, e->u.call.base, only_nodes);
        use_args(r, scope, e, UINT32_MAX);
        return found;
    }
    if (e->kind == AX_AST_MEMBER) {
        uint32_t base = use_path(r, scope, e->u.member.base, only_nodes);
        return base == NONE ? NONE : use_member(r, base, e->u.member.name);
    }
    use_expr(r, scope, e);
    return NONE;
}

static void use_call(reader *r, uint32_t scope, const ax_ast_expr *e)
{
    const ax_ast_expr *base = e->u.call.base;
    uint32_t fn = base->kind == AX_AST_NAME ? ax_fn_find(base->u.name) : UINT32_MAX;
    if (base->kind != AX_AST_NAME) use_expr(r, scope, base);
    use_args(r, scope, e, fn);
}

static void use_expr(reader *r, uint32_t scope, const ax_ast_expr *e)
{
    if (e->kind == AX_AST_NAME) use_name(r, scope, e);
    else if (e->kind == AX_AST_MEMBER || e->kind == AX_AST_INDEX) use_path(r, scope, e, false);
    else if (e->kind == AX_AST_CALL) use_call(r, scope, e);
    else
        for (uint32_t i = 0; i < ax_expr_children(e); i++)
            if (ax_expr_child(e, i)) use_expr(r, scope, ax_expr_child(e, i));
}

/* True if word stands in the text that says how a special shape is written. */
static bool is_form_word(const char *form, ax_str word)
{
    for (const char *at = form; (at = memmem(at, strlen(at), word.ptr, word.len)) != NULL; at++) {
        bool begins = at == form || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        unsigned char next = (unsigned char)at[word.len];
        if (begins && !isalnum(next) && next != '_') return true;
    }
    return false;
}

/* What a shape of its own is made of: a word of it, which is not looked up; { key = value } with the keys of
 * a matrix; or an expression. */
static void use_part(reader *r, uint32_t scope, const ax_attr_row *row, const ax_ast_expr *e)
{
    if (e->kind == AX_AST_NAME && is_form_word(row->type, e->u.name)) return;
    for (uint32_t i = 0; e->kind == AX_AST_MAP && i < e->u.map.count; i++) {
        ax_ast_name key = e->u.map.entries[i].key;
        uint32_t found = ax_names_member(r->names, scope, AX_SPACE_VALUE, key.text);
        if (found != NONE && r->names->symbols.at[found].kind == AX_KIND_MATRIX) add_use(r, key.span, found);
    }
    use_expr(r, scope, e);
}

static void use_special(reader *r, uint32_t scope, const ax_attr_row *row, const ax_ast_expr *e)
{
    if (e->kind != AX_AST_LIST) use_part(r, scope, row, e);
    for (uint32_t i = 0; e->kind == AX_AST_LIST && i < e->u.list.count; i++)
        use_part(r, scope, row, e->u.list.items[i]);
}

static void use_attr(reader *r, ax_kind kind, uint32_t scope, const ax_ast_attr *attr)
{
    const ax_attr_row *row =
        attr->path->kind == AX_AST_NAME ? ax_attr_inside(kind, attr->path->u.name) : NULL;
    if (row && (row->form == AX_FORM_SYMBOL || row->form == AX_FORM_SYMBOLS)) return;
    if (row && row->form == AX_FORM_SPECIAL) use_special(r, scope, row, attr->value);
    else use_expr(r, scope, attr->value);
}

static void use_edge(reader *r, uint32_t scope, const ax_ast_edge *edge)
{
    for (uint32_t i = 0; i < edge->count; i++)
        for (uint32_t k = 0; k < edge->points[i].count; k++)
            use_path(r, scope, edge->points[i].refs[k].path, true);
}

static void use_body(reader *r, ax_kind kind, uint32_t scope, ax_ast_item *const *items, uint32_t count);

/* Passes the symbol that an item declares, and those of its parameters: symbols come by in the order in which
 * they were declared, so none is searched. Returns it, or NULL. */
static const ax_symbol *pass_symbol(reader *r, const ax_ast_item *item)
{
    const ax_names *names = r->names;
    if (r->next == names->symbols.len || names->symbols.at[r->next].item != item) return NULL;
    const ax_symbol *own = &names->symbols.at[r->next++];
    while (r->next < names->symbols.len && !names->symbols.at[r->next].item) r->next++;
    return own;
}

/* from NAME(a = 2): the template, its parameters, and what is given for them. */
static void use_template(reader *r, uint32_t scope, const ax_ast_block *block)
{
    const ax_ast_name *from = from_name(block);
    uint32_t found = from ? ax_names_find(r->names, scope, AX_SPACE_TEMPLATE, from->text) : NONE;
    uint32_t inner = found == NONE ? NONE : r->names->symbols.at[found].inner;
    if (from) add_use(r, from->span, found);
    for (uint32_t i = 0; i < block->arg_count; i++) {
        const ax_ast_arg *arg = &block->args[i];
        if (arg->name.text.len > 0)
            add_use(r, arg->name.span, ax_names_member(r->names, inner, AX_SPACE_VALUE, arg->name.text));
        use_expr(r, scope, arg->value);
    }
}

static void use_block(reader *r, ax_kind kind, uint32_t scope, const ax_ast_item *item)
{
    const ax_ast_block *block = &item->u.block;
    const ax_symbol *own = pass_symbol(r, item);
    uint32_t inner = own && own->inner != NONE ? own->inner : scope;
    if (block->constraint) use_expr(r, scope, block->constraint);
    if (block->value) use_expr(r, scope, block->value);
    if (kind != AX_KIND_TEMPLATE) use_template(r, inner, block);
    for (uint32_t i = 0; i < block->arg_count && kind == AX_KIND_TEMPLATE; i++)
        if (block->args[i].name.text.len > 0) use_expr(r, scope, block->args[i].value);
    if (block->body) use_body(r, kind, inner, block->body->items, block->body->count);
}

static void use_body(reader *r, ax_kind kind, uint32_t scope, ax_ast_item *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const ax_ast_item *item = items[i];
        switch ((ax_item_kind)item->kind) {
        case AX_ITEM_ATTR:
            pass_symbol(r, item);
            use_attr(r, kind, scope, &item->u.attr);
            break;
        case AX_ITEM_BLOCK: use_block(r, ax_kind_inside(kind, item->u.block.kind.text), scope, item); break;
        case AX_ITEM_EDGE: use_edge(r, scope, &item->u.edge); break;
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const ax_name_use *x = a, *y = b;
    return (x->span.beg > y->span.beg) - (x->span.beg < y->span.beg);
}

void ax_names_read(ax_arena *mem, const ax_ast_file *file, ax_names *out)
{
    *out = (ax_names){0};
    reader r = {.mem = mem, .names = out};
    uint32_t top = add_scope(&r, NONE, NONE);
    declare_body(&r, AX_KIND_FILE, top, file->items, file->count);
    find_templates(out);
    use_body(&r, AX_KIND_FILE, top, file->items, file->count);
    if (out->uses.len > 1) qsort(out->uses.at, out->uses.len, sizeof *out->uses.at, by_place);
}
