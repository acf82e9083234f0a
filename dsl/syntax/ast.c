/* ast.c - the builders: from the grammar's pieces to nodes in the tree's arena.
 *
 * A node is as large as its kind needs. Lists are collected on a stack of the parser and copied once, when
 * their length is known, so the tree holds no slack. Every expression knows its depth, and none gets deeper
 * than AX_SYNTAX_DEPTH_MAX: what walks a tree may recurse.
 */
#include "dsl/syntax/ast.h"

#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/syntax/parse_int.h"

/* ---- lists ---- */

static uint32_t words_of(size_t size)
{
    AX_ASSERT(size % sizeof(uint64_t) == 0);
    return (uint32_t)(size / sizeof(uint64_t));
}

ax_list ax_list_new(const ax_parser *p)
{
    return (ax_list){.at = p->stack.len};
}

void ax_list_push(ax_parser *p, ax_list *list, const void *record, size_t size)
{
    uint32_t words = words_of(size);
    p->stack.len = list->at + list->count * words;
    while (p->stack.cap - p->stack.len < words) {
        p->stack.at = ax_vec_grow(&p->scratch, p->stack.at, p->stack.len, &p->stack.cap, sizeof *p->stack.at);
    }
    memcpy(p->stack.at + p->stack.len, record, size);
    p->stack.len += words;
    list->count++;
}

void *ax_list_done(ax_parser *p, ax_list list, size_t size)
{
    p->stack.len = list.at;
    if (list.count == 0) return NULL;
    void *records = ax_arena_alloc(p->mem, list.count * size);
    memcpy(records, p->stack.at + list.at, list.count * size);
    return records;
}

/* ---- expressions ---- */

#define SIZE_WITH(member) (offsetof(ax_ast_expr, u) + sizeof(((ax_ast_expr *)0)->u.member))

static const size_t expr_sizes[] = {
    [AX_AST_NAME] = SIZE_WITH(name),    [AX_AST_STRING] = SIZE_WITH(string),
    [AX_AST_INT] = SIZE_WITH(number),   [AX_AST_FLOAT] = SIZE_WITH(real),
    [AX_AST_PERCENT] = SIZE_WITH(real), [AX_AST_DURATION] = SIZE_WITH(number),
    [AX_AST_SIZE] = SIZE_WITH(number),  [AX_AST_DATE] = SIZE_WITH(number),
    [AX_AST_TIME] = SIZE_WITH(number),  [AX_AST_TRUE] = SIZE_WITH(number),
    [AX_AST_FALSE] = SIZE_WITH(number), [AX_AST_NULL] = SIZE_WITH(number),
    [AX_AST_LIST] = SIZE_WITH(list),    [AX_AST_MAP] = SIZE_WITH(map),
    [AX_AST_UNARY] = SIZE_WITH(op),     [AX_AST_BINARY] = SIZE_WITH(op),
    [AX_AST_COND] = SIZE_WITH(cond),    [AX_AST_MEMBER] = SIZE_WITH(member),
    [AX_AST_INDEX] = SIZE_WITH(call),   [AX_AST_CALL] = SIZE_WITH(call),
};

ax_ast_expr *ax_ast_leaf(ax_parser *p, ax_ast_kind kind, ax_span span)
{
    ax_ast_expr *e = ax_arena_alloc(p->mem, expr_sizes[kind]);
    e->kind = (uint8_t)kind;
    e->depth = 1;
    e->span = span;
    return e;
}

ax_ast_expr *ax_ast_deeper(ax_parser *p, ax_ast_expr *e, const ax_ast_expr *below)
{
    if (e->depth > below->depth) return e;
    if (below->depth < AX_SYNTAX_DEPTH_MAX) {
        e->depth = (uint8_t)(below->depth + 1);
        return e;
    }
    bool is_part_of_reported = p->too_deep.beg >= e->span.beg && p->too_deep.end <= e->span.end;
    if (!is_part_of_reported) {
        ax_diag *d = ax_diag_add(p->diags, AX_E0113, e->span, "this expression has more than %d levels",
                                 AX_SYNTAX_DEPTH_MAX);
        ax_diag_help(p->diags, d, "give a part of it a name with 'let'");
    }
    p->too_deep = e->span;
    return ax_ast_leaf(p, AX_AST_NULL, e->span);
}

ax_ast_expr *ax_ast_name_expr(ax_parser *p, ax_span span, ax_str text)
{
    ax_ast_expr *e = ax_ast_leaf(p, AX_AST_NAME, span);
    e->u.name = text;
    return e;
}

ax_ast_expr *ax_ast_list(ax_parser *p, ax_span span, ax_list items)
{
    ax_ast_expr *e = ax_ast_leaf(p, AX_AST_LIST, span);
    ax_ast_expr **all = ax_list_done(p, items, sizeof *all);
    e->u.list.items = all;
    e->u.list.count = items.count;
    for (uint32_t i = 0; i < items.count && e->kind == AX_AST_LIST; i++) e = ax_ast_deeper(p, e, all[i]);
    return e;
}

ax_ast_expr *ax_ast_map(ax_parser *p, ax_span span, ax_list entries)
{
    ax_ast_expr *e = ax_ast_leaf(p, AX_AST_MAP, span);
    ax_ast_entry *all = ax_list_done(p, entries, sizeof *all);
    e->u.map.entries = all;
    e->u.map.count = entries.count;
    for (uint32_t i = 0; i < entries.count && e->kind == AX_AST_MAP; i++) {
        e = ax_ast_deeper(p, e, all[i].value);
        if (e->kind == AX_AST_MAP && all[i].key_string) e = ax_ast_deeper(p, e, all[i].key_string);
    }
    return e;
}

ax_ast_expr *ax_ast_binary(ax_parser *p, ax_ast_op op, ax_span span, ax_ast_expr *a, ax_ast_expr *b)
{
    ax_ast_expr *e = ax_ast_leaf(p, AX_AST_BINARY, span);
    e->op = (uint8_t)op;
    e->u.op.a = a;
    e->u.op.b = b;
    return ax_ast_deeper(p, e, a->depth > b->depth ? a : b);
}

ax_ast_expr *ax_ast_unary(ax_parser *p, ax_ast_op op, uint32_t end, ax_list spans, ax_ast_expr *a)
{
    const ax_span *at = ax_list_done(p, spans, sizeof *at);
    for (uint32_t i = spans.count; i-- > 0;) {
        ax_ast_expr *e = ax_ast_leaf(p, AX_AST_UNARY, (ax_span){at[i].beg, end});
        e->op = (uint8_t)op;
        e->u.op.a = a;
        a = ax_ast_deeper(p, e, a);
    }
    return a;
}

ax_ast_expr *ax_ast_cond(ax_parser *p, uint32_t end, ax_list branches, ax_ast_expr *other)
{
    const ax_branch *all = ax_list_done(p, branches, sizeof *all);
    for (uint32_t i = branches.count; i-- > 0;) {
        ax_ast_expr *then = all[i].then, *test = all[i].test;
        ax_ast_expr *e = ax_ast_leaf(p, AX_AST_COND, (ax_span){all[i].span.beg, end});
        e->u.cond.then = then;
        e->u.cond.test = test;
        e->u.cond.other = other;
        const ax_ast_expr *deepest = then->depth > test->depth ? then : test;
        other = ax_ast_deeper(p, e, deepest->depth > other->depth ? deepest : other);
    }
    return other;
}

ax_ast_expr *ax_ast_member(ax_parser *p, ax_span span, ax_ast_expr *base, ax_ast_name name)
{
    ax_ast_expr *e = ax_ast_leaf(p, AX_AST_MEMBER, span);
    e->u.member.base = base;
    e->u.member.name = name;
    return ax_ast_deeper(p, e, base);
}

ax_ast_expr *ax_ast_apply(ax_parser *p, ax_ast_kind kind, ax_span span, ax_ast_expr *base, ax_list args)
{
    ax_ast_expr *e = ax_ast_leaf(p, kind, span);
    ax_ast_arg *all = ax_list_done(p, args, sizeof *all);
    e->u.call.base = base;
    e->u.call.args = all;
    e->u.call.count = args.count;
    e = ax_ast_deeper(p, e, base);
    for (uint32_t i = 0; i < args.count && e->kind == kind; i++) e = ax_ast_deeper(p, e, all[i].value);
    return e;
}

/* ---- items ---- */

ax_ast_name *ax_ast_name_new(ax_parser *p, ax_span span, ax_str text)
{
    ax_ast_name *name = AX_NEW(p->mem, ax_ast_name);
    *name = (ax_ast_name){text, span};
    return name;
}

ax_ast_label ax_ast_label_of(ax_span span, ax_str name, ax_ast_expr *string)
{
    if (string && string->kind == AX_AST_STRING && string->u.string.count == 1) {
        name = string->u.string.parts[0].text; /* empty for an expression */
    }
    return (ax_ast_label){{name, span}, string};
}

ax_ast_type *ax_ast_type_new(ax_parser *p, ax_span span, ax_str name, const ax_ast_type *of)
{
    ax_ast_type *type = AX_NEW(p->mem, ax_ast_type);
    *type = (ax_ast_type){{name, span}, of};
    return type;
}

ax_ast_body *ax_ast_body_new(ax_parser *p, ax_span span, ax_list items)
{
    ax_ast_body *body = AX_NEW(p->mem, ax_ast_body);
    *body = (ax_ast_body){
        .items = ax_list_done(p, items, sizeof *body->items),
        .count = items.count,
        .broken = items.broken,
        .span = span,
    };
    return body;
}

ax_ast_endpoint ax_ast_endpoint_of(ax_parser *p, ax_span span, ax_list refs, const ax_ast_name *outcome)
{
    return (ax_ast_endpoint){
        .refs = ax_list_done(p, refs, sizeof(ax_ast_ref)),
        .count = refs.count,
        .outcome = outcome,
        .span = span,
    };
}

static ax_ast_item *new_item(ax_parser *p, ax_item_kind kind, ax_span span, size_t size)
{
    ax_ast_item *item = ax_arena_alloc(p->mem, offsetof(ax_ast_item, u) + size);
    item->kind = (uint8_t)kind;
    item->span = span;
    return item;
}

ax_ast_item *ax_ast_attr_new(ax_parser *p, ax_span span, ax_ast_expr *path, ax_ast_expr *value)
{
    ax_ast_item *item = new_item(p, AX_ITEM_ATTR, span, sizeof item->u.attr);
    item->u.attr = (ax_ast_attr){path, value};
    return item;
}

ax_ast_item *ax_ast_edge_new(ax_parser *p, ax_span span, ax_list points)
{
    ax_ast_item *item = new_item(p, AX_ITEM_EDGE, span, sizeof item->u.edge);
    item->u.edge.count = points.count;
    item->u.edge.points = ax_list_done(p, points, sizeof(ax_ast_endpoint));
    return item;
}

ax_ast_item *ax_ast_block_new(ax_parser *p, ax_span kind_span, ax_str kind, ax_list labels)
{
    ax_ast_item *item = new_item(p, AX_ITEM_BLOCK, kind_span, sizeof item->u.block);
    item->u.block.kind = (ax_ast_name){kind, kind_span};
    item->u.block.label_count = labels.count;
    item->u.block.labels = ax_list_done(p, labels, sizeof(ax_ast_label));
    return item;
}

void ax_ast_block_args(ax_parser *p, ax_ast_item *item, ax_list args)
{
    item->u.block.has_args = true;
    item->u.block.arg_count = args.count;
    item->u.block.args = ax_list_done(p, args, sizeof(ax_ast_arg));
}

void ax_ast_block_type(ax_ast_item *item, const ax_ast_type *type, ax_ast_expr *constraint,
                       ax_ast_expr *value)
{
    item->u.block.type = type;
    item->u.block.constraint = constraint;
    item->u.block.value = value;
}

void ax_ast_block_end(ax_ast_item *item, ax_span span, ax_ast_body *body)
{
    item->span = span;
    item->u.block.body = body;
}

/* ---- copies ---- */

ax_ast_expr *ax_ast_copy(ax_arena *mem, const ax_ast_expr *e)
{
    ax_ast_expr *copy = ax_arena_alloc(mem, expr_sizes[e->kind]);
    memcpy(copy, e, expr_sizes[e->kind]);
    return copy;
}

ax_ast_item *ax_ast_item_copy(ax_arena *mem, const ax_ast_item *item)
{
    static const size_t sizes[] = {
        [AX_ITEM_ATTR] = sizeof item->u.attr,
        [AX_ITEM_BLOCK] = sizeof item->u.block,
        [AX_ITEM_EDGE] = sizeof item->u.edge,
    };
    size_t size = offsetof(ax_ast_item, u) + sizes[item->kind];
    ax_ast_item *copy = ax_arena_alloc(mem, size);
    memcpy(copy, item, size);
    return copy;
}
