/* pass_names.c - who is declared: lets, workflows, and in a workflow parameters, nodes, matrix keys, outputs.
 *
 * Names may be used before they are declared, so this pass goes first and looks nothing up. A block whose
 * kind is wrong still declares its label, so that what refers to it is not reported a second time.
 * Parameters, lets and the nodes of one workflow share one space of names; a group has its own for its
 * members.
 */
#include "compiler/body_int.h"
#include "compiler/flow_int.h"
#include "compiler/scope_int.h"
#include "compiler/template_int.h"

static bool is_reserved(ax_str name)
{
    return ax_schema_word(
        "date yesterday tomorrow scheduled_at interval run node attempt item event var secret", name);
}

/* Reports a name that expressions could not tell from a value that every run has. */
static void check_reserved(ax_unit *unit, ax_ast_name name)
{
    if (!is_reserved(name.text)) return;
    ax_diag *d = ax_diag_add(unit->diags, AX_E0208, name.span,
                             "'%.*s' is the name of a value that every run has", AX_STR(name.text));
    ax_diag_help(unit->diags, d, "choose another name");
}

/* A name that expressions use: no '-', which would be read as minus. */
static void check_value_name(ax_unit *unit, ax_ast_name name, const char *what)
{
    check_reserved(unit, name);
    for (size_t i = 0; i < name.text.len; i++) {
        if (name.text.ptr[i] != '-') continue;
        ax_diag *d = ax_diag_add(unit->diags, AX_E0209, name.span, "the name of %s can't hold a '-'", what);
        ax_str better = ax_str_dup(unit->mem, name.text);
        for (size_t k = 0; k < better.len; k++)
            if (better.ptr[k] == '-') ((char *)better.ptr)[k] = '_';
        ax_diag_did_you_mean(unit->diags, d, name.span, better);
        return;
    }
}

static void report_taken(ax_diags *diags, ax_ast_name name, ax_span first)
{
    ax_diag *d = ax_diag_add(diags, AX_E0201, name.span, "the name '%.*s' is taken", AX_STR(name.text));
    ax_diag_note(diags, d, first, "it is defined here");
}

/* The label that names a block; empty if it has none or a string. */
static ax_ast_name block_name(const ax_ast_block *block)
{
    if (block->label_count == 0 || block->labels[0].string) return (ax_ast_name){0};
    return block->labels[0].name;
}

/* Where a name of the workflow itself is defined; nowhere if it is free. */
static ax_span taken_at(const ax_flow *f, ax_str name)
{
    uint32_t at = ax_map_get(&f->value_names, name);
    if (at != AX_MAP_NONE) return f->values.at[at].span;
    at = ax_map_get(&f->node_names, name);
    if (at != AX_MAP_NONE) return f->decls.at[at].label.span;
    at = ax_map_get(&f->unit->let_names, name);
    return at != AX_MAP_NONE ? f->unit->lets.at[at].span : (ax_span){0};
}

static void add_value(ax_flow *f, const ax_ast_block *block, bool is_let)
{
    ax_ast_name name = block_name(block);
    if (name.text.len == 0) return;
    check_value_name(f->unit, name, is_let ? "a let" : "a parameter");
    ax_span first = taken_at(f, name.text);
    if (first.beg) {
        report_taken(f->diags, name, first);
        return;
    }
    ax_map_add(f->mem, &f->value_names, name.text, f->values.len);
    ax_vec_push(f->mem, &f->values, (ax_named){.block = block, .span = name.span, .is_let = is_let});
}

/* Puts the declaration itself behind the levels around it. */
static void add_level(ax_flow *f, uint32_t at)
{
    ax_decl *decl = &f->decls.at[at];
    uint32_t *levels = AX_NEW_N(f->mem, uint32_t, decl->level_count + 1);
    for (uint32_t i = 0; i < decl->level_count; i++) levels[i] = decl->levels[i];
    levels[decl->level_count++] = at;
    decl->levels = levels;
}

/* Where a key that the declaration has already is written; nowhere if it has none of this name. */
static ax_span key_at(const ax_decl *decl, ax_str name)
{
    for (uint32_t k = 0; k < decl->key_count; k++)
        if (ax_str_eq(decl->keys[k]->name.text, name)) return decl->keys[k]->name.span;
    return (ax_span){0};
}

static void add_keys(ax_flow *f, uint32_t at, const ax_ast_body *body)
{
    ax_decl *decl = &f->decls.at[at];
    uint32_t room = decl->key_count + body->count;
    ax_key **keys = AX_NEW_N(f->mem, ax_key *, room < AX_KEYS_MAX ? room : AX_KEYS_MAX);
    for (uint32_t k = 0; k < decl->key_count; k++) keys[k] = decl->keys[k];
    decl->keys = keys;
    for (uint32_t i = 0; i < body->count; i++) {
        if (body->items[i]->kind != AX_ITEM_ATTR) continue;
        const ax_ast_attr *attr = &body->items[i]->u.attr;
        if (attr->path->kind != AX_AST_NAME) continue;
        ax_ast_name name = {attr->path->u.name, attr->path->span};
        check_value_name(f->unit, name, "a matrix key");
        const ax_named *value = ax_scope_value(f, name.text);
        ax_span first = value ? value->span : key_at(decl, name.text);
        if (first.beg) report_taken(f->diags, name, first);
        else if (decl->key_count == AX_KEYS_MAX) {
            ax_diag_add(f->diags, AX_E0314, name.span,
                        "there are more than %u keys in this matrix and those around it", AX_KEYS_MAX);
            return;
        } else {
            ax_key *key = keys[decl->key_count++] = AX_NEW(f->mem, ax_key);
            *key = (ax_key){.name = name, .list = attr->value};
        }
    }
    if (decl->key_count > decl->outer_keys) add_level(f, at);
}

static void add_outputs(ax_flow *f, uint32_t index, uint32_t count)
{
    ax_decl *decl = &f->decls.at[index];
    const ax_ast_block **outputs = AX_NEW_N(f->mem, const ax_ast_block *, count);
    const ax_ast_body *body = decl->block->body;
    for (uint32_t i = 0; i < body->count; i++) {
        if (body->items[i]->kind != AX_ITEM_BLOCK) continue;
        const ax_ast_block *block = &body->items[i]->u.block;
        ax_ast_name name = block_name(block);
        if (!ax_str_is(block->kind.text, "output") || name.text.len == 0) continue;
        check_value_name(f->unit, name, "an output");
        uint32_t known = ax_map_add(f->mem, &decl->members, name.text, decl->output_count);
        if (known != decl->output_count) report_taken(f->diags, name, outputs[known]->labels[0].name.span);
        else outputs[decl->output_count++] = block;
    }
    decl->outputs = outputs;
}

/* What a node declares inside itself, and what it has from the group around it, which was looked at before.
 */
static void add_inner(ax_flow *f, uint32_t index)
{
    ax_decl *decl = &f->decls.at[index];
    if (decl->parent != AX_NONE) {
        const ax_decl *group = &f->decls.at[decl->parent];
        decl->keys = group->keys;
        decl->key_count = decl->outer_keys = group->key_count;
        decl->levels = group->levels;
        decl->level_count = group->level_count;
    }
    const ax_ast_body *body = decl->block->body;
    if (decl->kind != AX_KIND_TASK && decl->kind != AX_KIND_GROUP) return;
    const ax_ast_block *matrix = ax_body_block(body, "matrix");
    if (matrix && matrix->body) add_keys(f, index, matrix->body);
    uint32_t outputs = 0;
    for (uint32_t i = 0; body && i < body->count; i++)
        outputs +=
            body->items[i]->kind == AX_ITEM_BLOCK && ax_str_is(body->items[i]->u.block.kind.text, "output");
    if (outputs > 0 && decl->kind == AX_KIND_TASK) add_outputs(f, index, outputs);
}

/* Adds a node; AX_NONE if its name is missing or taken. */
static uint32_t add_node(ax_flow *f, const ax_ast_item *item, ax_kind kind, uint32_t parent)
{
    const ax_ast_block *block = &item->u.block;
    ax_ast_name name = block_name(block);
    if (name.text.len == 0) return AX_NONE;
    check_reserved(f->unit, name);

    ax_decl *group = parent == AX_NONE ? NULL : &f->decls.at[parent];
    if (!group) {
        ax_span first = taken_at(f, name.text);
        if (first.beg) {
            report_taken(f->diags, name, first);
            return AX_NONE;
        }
    }
    uint32_t index = f->decls.len;
    uint32_t known = ax_map_add(f->mem, group ? &group->members : &f->node_names, name.text, index);
    if (known != index) {
        report_taken(f->diags, name, f->decls.at[known].label.span);
        return AX_NONE;
    }
    ax_str full = name.text;
    if (group) full = ax_str_fmt(f->mem, "%.*s.%.*s", AX_STR(group->name), AX_STR(name.text));
    ax_decl decl = {
        .kind = kind,
        .item = item,
        .block = block,
        .label = name,
        .name = full,
        .parent = parent,
        .depth = group ? group->depth + 1 : 0,
        .whole = AX_NONE,
        .use = ax_template_use_of(f->unit, block),
    };
    if (decl.use == AX_NONE && group) decl.use = group->use;
    ax_vec_push(f->mem, &f->decls, decl);
    return index;
}

/* Everything that a workflow's or a group's body declares. Groups nest no deeper than the syntax allows. */
static void add_body(ax_flow *f, const ax_ast_body *body, uint32_t parent)
{
    for (uint32_t i = 0; body && i < body->count; i++) {
        const ax_ast_item *item = body->items[i];
        if (item->kind != AX_ITEM_BLOCK) continue;
        const ax_ast_block *block = &item->u.block;
        ax_kind kind = ax_schema_kind(parent == AX_NONE ? AX_KIND_WORKFLOW : AX_KIND_GROUP, block->kind.text);
        if (kind == AX_KIND_PARAM || kind == AX_KIND_LET) add_value(f, block, kind == AX_KIND_LET);
        bool is_node = kind == AX_KIND_TASK || kind == AX_KIND_GATE || kind == AX_KIND_GROUP;
        if (!is_node && kind != AX_KIND_COUNT) continue;
        uint32_t index = add_node(f, item, kind, parent);
        if (index == AX_NONE) continue;
        if (kind == AX_KIND_GROUP) add_body(f, block->body, index);
        f->decls.at[index].end = f->decls.len;
    }
}

/* Blocks that may declare a node, so that the list of declarations is made once. */
static uint32_t count_blocks(const ax_ast_body *body)
{
    uint32_t count = 0;
    for (uint32_t i = 0; body && i < body->count; i++) {
        if (body->items[i]->kind != AX_ITEM_BLOCK) continue;
        count++;
        if (ax_str_is(body->items[i]->u.block.kind.text, "group"))
            count += count_blocks(body->items[i]->u.block.body);
    }
    return count;
}

void ax_pass_names(ax_flow *f)
{
    f->decls.cap = count_blocks(f->item->u.block.body);
    f->decls.at = AX_NEW_N(f->mem, ax_decl, f->decls.cap);
    add_body(f, f->item->u.block.body, AX_NONE);
    for (uint32_t i = 0; i < f->decls.len; i++) add_inner(f, i);
}

static void add_file_let(ax_unit *unit, const ax_ast_block *block, ax_ast_name name)
{
    check_value_name(unit, name, "a let");
    uint32_t known = ax_map_add(unit->mem, &unit->let_names, name.text, unit->lets.len);
    if (known != unit->lets.len) report_taken(unit->diags, name, unit->lets.at[known].span);
    else ax_vec_push(unit->mem, &unit->lets, (ax_named){.block = block, .span = name.span, .is_let = true});
}

static void add_flow(ax_unit *unit, const ax_ast_item *item, ax_ast_name name)
{
    uint32_t known = ax_map_add(unit->mem, &unit->flow_names, name.text, unit->flows.len);
    if (known != unit->flows.len) report_taken(unit->diags, name, unit->flows.at[known]->label.span);
    ax_flow *f = AX_NEW(unit->mem, ax_flow);
    *f = (ax_flow){.unit = unit, .mem = unit->mem, .diags = unit->diags, .item = item, .label = name};
    ax_vec_push(unit->mem, &unit->flows, f);
}

void ax_unit_names(ax_unit *unit, const ax_ast_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (file->items[i]->kind != AX_ITEM_BLOCK) continue;
        const ax_ast_block *block = &file->items[i]->u.block;
        ax_ast_name name = block_name(block);
        ax_kind kind = ax_schema_kind(AX_KIND_FILE, block->kind.text);
        if (name.text.len == 0) continue;
        if (kind == AX_KIND_LET) add_file_let(unit, block, name);
        else if (kind == AX_KIND_WORKFLOW) add_flow(unit, file->items[i], name);
        else if (kind != AX_KIND_TEMPLATE) ax_map_add(unit->mem, &unit->refused_names, name.text, i);
    }
}
