/* scope.c - what a name means where it stands: members of the group around it first, then outward. */
#include "compiler/scope_int.h"

#include "dsl/model/expr.h"

ax_named *ax_scope_value(const ax_flow *f, ax_str name)
{
    uint32_t at = ax_map_get(&f->value_names, name);
    if (at != AX_MAP_NONE) return &f->values.at[at];
    at = ax_map_get(&f->unit->let_names, name);
    return at == AX_MAP_NONE ? NULL : &f->unit->lets.at[at];
}

uint32_t ax_scope_node(const ax_flow *f, uint32_t group, ax_str name)
{
    for (uint32_t g = group; g != AX_NONE; g = f->decls.at[g].parent) {
        uint32_t at = ax_map_get(&f->decls.at[g].members, name);
        if (at != AX_MAP_NONE) return at;
    }
    uint32_t at = ax_map_get(&f->node_names, name);
    return at == AX_MAP_NONE ? AX_NONE : at;
}

/* The expression that a part of a path stands on; NULL for a NAME and for what is no path. */
static const ax_ast_expr *path_base(const ax_ast_expr *e)
{
    if (e->kind == AX_AST_MEMBER) return e->u.member.base;
    return e->kind == AX_AST_INDEX ? e->u.call.base : NULL;
}

bool ax_scope_path(const ax_flow *f, uint32_t group, const ax_ast_expr *expr, ax_path *out)
{
    *out = (ax_path){.decl = AX_NONE, .missing_in = AX_NONE};
    if (expr->kind == AX_AST_NAME) { /* nearly always */
        out->missing = (ax_ast_name){expr->u.name, expr->span};
        out->decl = ax_scope_node(f, group, expr->u.name);
        return true;
    }
    AX_VEC(const ax_ast_expr *) parts = {0};
    for (const ax_ast_expr *e = expr; e; e = path_base(e)) ax_vec_push(f->mem, &parts, e);
    const ax_ast_expr *first = parts.at[parts.len - 1];
    if (first->kind != AX_AST_NAME) return false;

    out->missing = (ax_ast_name){first->u.name, first->span};
    out->decl = ax_scope_node(f, group, first->u.name);
    ax_path_index *indexes = AX_NEW_N(f->mem, ax_path_index, parts.len);
    out->indexes = indexes;
    for (uint32_t i = parts.len - 1; i-- > 0 && out->decl != AX_NONE && !out->rest;) {
        const ax_ast_expr *part = parts.at[i];
        const ax_decl *decl = &f->decls.at[out->decl];
        if (part->kind == AX_AST_INDEX) {
            bool has_index = out->index_count > 0 && indexes[out->index_count - 1].decl == out->decl;
            if (has_index || out->output) out->rest = part;
            else indexes[out->index_count++] = (ax_path_index){out->decl, part};
        } else if (decl->kind == AX_KIND_GROUP) {
            out->missing = part->u.member.name;
            out->missing_in = out->decl;
            uint32_t at = ax_map_get(&decl->members, part->u.member.name.text);
            out->decl = at == AX_MAP_NONE ? AX_NONE : at;
        } else {
            if (out->output) out->rest = part;
            else out->output = part;
        }
    }
    return true;
}

bool ax_scope_is_refused(const ax_unit *unit, ax_str name)
{
    return unit->is_partial || ax_map_get(&unit->refused_names, name) != AX_MAP_NONE;
}

/* Offers a name; false if the budget is used up, so that a file full of wrong names is refused in linear
 * time. */
static bool offer(ax_flow *f, ax_nearest *near, ax_ast_name name)
{
    if (f->unit->near_budget == 0) return false;
    f->unit->near_budget--;
    ax_nearest_offer(near, name.text);
    return true;
}

void ax_scope_nodes_near(ax_flow *f, uint32_t group, bool only, ax_nearest *near)
{
    for (;;) {
        uint32_t i = group == AX_NONE ? 0 : group + 1;
        uint32_t end = group == AX_NONE ? f->decls.len : f->decls.at[group].end;
        while (i < end && offer(f, near, f->decls.at[i].label)) i = f->decls.at[i].end;
        if (only || group == AX_NONE) return;
        group = f->decls.at[group].parent;
    }
}

void ax_scope_values_near(ax_flow *f, uint32_t decl, ax_nearest *near)
{
    uint32_t keys = decl == AX_NONE ? 0 : f->decls.at[decl].key_count, i;
    for (i = 0; i < keys && offer(f, near, f->decls.at[decl].keys[i]->name); i++) {
    }
    for (i = 0; i < f->values.len && offer(f, near, f->values.at[i].block->labels[0].name); i++) {
    }
    for (i = 0; i < f->unit->lets.len && offer(f, near, f->unit->lets.at[i].block->labels[0].name); i++) {
    }
#define X(kind, name, type) ax_nearest_offer(near, AX_LIT(name));
    AX_ROOTS(X)
#undef X
}
