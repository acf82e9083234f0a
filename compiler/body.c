/* body.c - finding what a block's body says by its name. */
#include "compiler/body_int.h"

const ax_ast_expr *ax_body_attr(const ax_ast_body *body, const char *name)
{
    for (uint32_t i = 0; body && i < body->count; i++) {
        const ax_ast_item *item = body->items[i];
        if (item->kind == AX_ITEM_ATTR && item->u.attr.path->kind == AX_AST_NAME &&
            ax_str_is(item->u.attr.path->u.name, name))
            return item->u.attr.value;
    }
    return NULL;
}

const ax_ast_block *ax_body_block(const ax_ast_body *body, const char *kind)
{
    for (uint32_t i = 0; body && i < body->count; i++)
        if (body->items[i]->kind == AX_ITEM_BLOCK && ax_str_is(body->items[i]->u.block.kind.text, kind))
            return &body->items[i]->u.block;
    return NULL;
}
