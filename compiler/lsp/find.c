/* find.c - down the tree to a place. The syntax limits its depth, so recursion is fine. */
#include "compiler/lsp/find_int.h"

uint64_t ax_kinds_like(ax_kind kind)
{
    uint64_t nodes = 0;
    if (kind == AX_KIND_COUNT) return 0;
    if (ax_schema_kinds[kind].body != AX_BODY_ANY) return AX_KIND_BIT(kind);
    for (ax_kind k = 0; k < AX_KIND_COUNT; k++)
        if (ax_schema_kinds[k].parents & AX_KIND_BIT(AX_KIND_GROUP)) nodes |= AX_KIND_BIT(k);
    return nodes;
}

ax_kind ax_kind_inside(ax_kind owner, ax_str name)
{
    uint64_t owners = ax_kinds_like(owner);
    for (ax_kind k = 0; k < AX_KIND_COUNT; k++)
        if ((owners & ax_schema_kinds[k].parents) && ax_str_is(name, ax_schema_kinds[k].name)) return k;
    return AX_KIND_COUNT;
}

const ax_attr_row *ax_attr_inside(ax_kind owner, ax_str name)
{
    uint64_t owners = ax_kinds_like(owner);
    const ax_attr_row *row = NULL;
    for (ax_kind k = 0; k < AX_KIND_COUNT && !row; k++)
        if (owners & AX_KIND_BIT(k)) row = ax_schema_attr(k, name);
    return row;
}

uint32_t ax_expr_children(const ax_ast_expr *e)
{
    switch ((ax_ast_kind)e->kind) {
    case AX_AST_STRING: return e->u.string.count;
    case AX_AST_LIST: return e->u.list.count;
    case AX_AST_MAP: return e->u.map.count;
    case AX_AST_UNARY:
    case AX_AST_MEMBER: return 1;
    case AX_AST_BINARY: return 2;
    case AX_AST_COND: return 3;
    case AX_AST_INDEX:
    case AX_AST_CALL: return e->u.call.count + 1;
    case AX_AST_NAME:
    case AX_AST_INT:
    case AX_AST_FLOAT:
    case AX_AST_PERCENT:
    case AX_AST_DURATION:
    case AX_AST_SIZE:
    case AX_AST_DATE:
    case AX_AST_TIME:
    case AX_AST_TRUE:
    case AX_AST_FALSE:
    case AX_AST_NULL: return 0;
    }
    return 0;
}

const ax_ast_expr *ax_expr_child(const ax_ast_expr *e, uint32_t i)
{
    switch (e->kind) {
    case AX_AST_STRING: return e->u.string.parts[i].expr;
    case AX_AST_LIST: return e->u.list.items[i];
    case AX_AST_MAP: return e->u.map.entries[i].value;
    case AX_AST_MEMBER: return e->u.member.base;
    case AX_AST_UNARY:
    case AX_AST_BINARY: return i == 0 ? e->u.op.a : e->u.op.b;
    case AX_AST_COND: return i == 0 ? e->u.cond.then : i == 1 ? e->u.cond.test : e->u.cond.other;
    default: return i == 0 ? e->u.call.base : e->u.call.args[i - 1].value;
    }
}

static bool touches(ax_span span, uint32_t offset)
{
    return span.beg <= offset && offset <= span.end;
}

static void find_expr(ax_arena *mem, const ax_ast_expr *e, uint32_t offset, ax_found *out)
{
    while (e && touches(e->span, offset)) {
        ax_vec_push(mem, &out->exprs, e);
        const ax_ast_expr *inner = NULL;
        for (uint32_t i = 0; i < ax_expr_children(e) && !inner; i++) {
            const ax_ast_expr *child = ax_expr_child(e, i);
            if (child && touches(child->span, offset)) inner = child;
        }
        e = inner;
    }
}

static void find_in_item(ax_arena *mem, const ax_ast_item *item, uint32_t offset, ax_found *out)
{
    if (item->kind == AX_ITEM_ATTR) find_expr(mem, item->u.attr.value, offset, out);
    if (item->kind == AX_ITEM_BLOCK) {
        find_expr(mem, item->u.block.constraint, offset, out);
        find_expr(mem, item->u.block.value, offset, out);
        for (uint32_t i = 0; i < item->u.block.arg_count; i++)
            find_expr(mem, item->u.block.args[i].value, offset, out);
    }
    for (uint32_t i = 0; item->kind == AX_ITEM_EDGE && i < item->u.edge.count; i++)
        for (uint32_t k = 0; k < item->u.edge.points[i].count; k++)
            find_expr(mem, item->u.edge.points[i].refs[k].path, offset, out);
}

/* The last item that touches the offset: of two that touch one another the one that begins there. */
static const ax_ast_item *item_at(ax_ast_item *const *items, uint32_t count, uint32_t offset)
{
    const ax_ast_item *found = NULL;
    for (uint32_t i = 0; i < count && items[i]->span.beg <= offset; i++)
        if (touches(items[i]->span, offset)) found = items[i];
    return found;
}

void ax_find(ax_arena *mem, const ax_ast_file *file, uint32_t offset, ax_found *out)
{
    *out = (ax_found){.kind = AX_KIND_FILE, .item_kind = AX_KIND_COUNT};
    const ax_ast_item *item = item_at(file->items, file->count, offset);
    while (item && item->kind == AX_ITEM_BLOCK) {
        const ax_ast_body *body = item->u.block.body;
        out->item_kind = ax_kind_inside(out->kind, item->u.block.kind.text);
        if (!body || offset <= body->span.beg || offset >= body->span.end) break;
        out->kind = out->item_kind;
        out->block = &item->u.block;
        item = item_at(body->items, body->count, offset);
    }
    out->item = item;
    if (item) find_in_item(mem, item, offset, out);
}

const ax_ast_attr *ax_find_attr(const ax_ast_body *body, const char *name)
{
    for (uint32_t i = 0; body && i < body->count; i++) {
        const ax_ast_attr *attr = &body->items[i]->u.attr;
        bool is_named = body->items[i]->kind == AX_ITEM_ATTR && attr->path->kind == AX_AST_NAME;
        if (is_named && ax_str_is(attr->path->u.name, name)) return attr;
    }
    return NULL;
}

ax_str ax_find_text(const ax_ast_expr *e)
{
    if (e && e->kind == AX_AST_NAME) return e->u.name;
    if (!e || e->kind != AX_AST_STRING || e->u.string.count != 1) return (ax_str){0};
    return e->u.string.parts[0].text;
}
