/* pass_schema.c - what may stand where: every block, attribute and edge against the schema table.
 *
 * The only place that refuses a word because of where it stands; the passes after it skip what the table does
 * not have. Values are not looked at here.
 */
#include "compiler/template_int.h"

enum { ATTRS_MAX = 64 };
_Static_assert(AX_KIND_COUNT <= 64, "owners are bits of 64");

/* "a task", "an output", "retry": what stands once in its place needs no article. */
static ax_str kind_text(ax_arena *mem, ax_kind kind)
{
    const char *name = ax_schema_kinds[kind].name;
    if (ax_schema_kinds[kind].label == AX_LABEL_NONE && kind != AX_KIND_FILE) return ax_str_of(name);
    bool is_vowel = name[0] == 'a' || name[0] == 'e' || name[0] == 'i' || name[0] == 'o' || name[0] == 'u';
    return ax_str_fmt(mem, "%s %s", is_vowel ? "an" : "a", name);
}

/* "a gate or a group": the kinds in a set. */
static ax_str kinds_text(ax_arena *mem, uint64_t kinds)
{
    ax_str text = {0};
    for (ax_kind k = 0; k < AX_KIND_COUNT; k++) {
        if (!(kinds & AX_KIND_BIT(k))) continue;
        ax_str kind = kind_text(mem, k);
        text = text.len == 0 ? kind : ax_str_fmt(mem, "%.*s or %.*s", AX_STR(text), AX_STR(kind));
    }
    return text;
}

static void report_unknown(ax_unit *unit, ax_kind owner, ax_ast_name name, bool is_block)
{
    ax_diags *diags = unit->diags;
    ax_str in = kind_text(unit->mem, owner);
    if (ax_schema_later(owner, name.text)) {
        ax_diag_add(diags, AX_E0207, name.span,
                    "'%.*s' is part of the language, but this version of axc does not support it yet",
                    AX_STR(name.text));
        return;
    }
    uint64_t homes = ax_schema_homes(name.text);
    if (homes) {
        ax_diag *d = ax_diag_add(diags, AX_E0204, name.span, "'%.*s' can't stand in %.*s", AX_STR(name.text),
                                 AX_STR(in));
        ax_diag_help(diags, d, "it belongs in %.*s", AX_STR(kinds_text(unit->mem, homes)));
        return;
    }
    ax_diag *d = ax_diag_add(diags, is_block ? AX_E0202 : AX_E0203, name.span, "%.*s has no %s '%.*s'",
                             AX_STR(in), is_block ? "block" : "attribute", AX_STR(name.text));
    const char *foreign = ax_schema_foreign(name.text);
    if (foreign) {
        ax_diag_help(diags, d, "%s", foreign);
        return;
    }
    ax_nearest near = ax_nearest_start(name.text);
    ax_schema_near(owner, is_block, &near);
    ax_diag_did_you_mean(diags, d, name.span, near.best);
}

static void report_repeated(ax_unit *unit, ax_ast_name name, ax_span first)
{
    ax_diag *d = ax_diag_add(unit->diags, AX_E0205, name.span, "'%.*s' stands here twice", AX_STR(name.text));
    ax_diag_note(unit->diags, d, first, "also defined here");
}

/* The help of "retry = 3": how the block is written. */
static ax_str block_example(ax_unit *unit, ax_kind kind, const ax_ast_attr *attr)
{
    const char *name = ax_schema_kinds[kind].name;
    if (kind == AX_KIND_RETRY && attr->value->kind == AX_AST_INT)
        return ax_str_fmt(unit->mem, "%s { max = %lld }", name, (long long)attr->value->u.number);
    return ax_str_fmt(unit->mem, ax_schema_kinds[kind].label == AX_LABEL_NONE ? "%s { … }" : "%s NAME { … }",
                      name);
}

static void check_attr(ax_unit *unit, ax_kind owner, const ax_ast_attr *attr, ax_span *seen)
{
    if (attr->path->kind != AX_AST_NAME) {
        ax_diag *d =
            ax_diag_add(unit->diags, AX_E0203, attr->path->span, "an attribute here is one plain name");
        if (attr->path->kind == AX_AST_MEMBER)
            ax_diag_help(unit->diags, d, "write the part in front of the '.' as a block: name { … }");
        return;
    }
    ax_ast_name name = {attr->path->u.name, attr->path->span};
    const ax_attr_row *row = ax_schema_attr(owner, name.text);
    if (row) {
        ax_span *first = &seen[row - ax_schema_attrs];
        if (first->beg) report_repeated(unit, name, *first);
        else *first = name.span;
        return;
    }
    ax_kind kind = ax_schema_kind(owner, name.text);
    if (kind == AX_KIND_COUNT) {
        report_unknown(unit, owner, name, false);
        return;
    }
    ax_diag *d = ax_diag_add(unit->diags, AX_E0206, name.span, "'%.*s' is a block, not an attribute",
                             AX_STR(name.text));
    ax_diag_help(unit->diags, d, "write %.*s", AX_STR(block_example(unit, kind, attr)));
}

/* The keys of a block whose names the user chooses. */
static void check_keys(ax_unit *unit, ax_kind owner, const ax_ast_body *body)
{
    for (uint32_t i = 0; i < body->count; i++) {
        const ax_ast_item *item = body->items[i];
        if (item->kind == AX_ITEM_ATTR && item->u.attr.path->kind == AX_AST_NAME) continue;
        ax_span at = item->kind == AX_ITEM_ATTR ? item->u.attr.path->span : item->span;
        ax_diag_add(unit->diags, AX_E0204, at, "'%s' holds only lines of the form NAME = value",
                    ax_schema_kinds[owner].name);
    }
}

static bool report_heading(ax_unit *unit, ax_span at, const char *what, const char *name, const char *how)
{
    ax_diag *d = ax_diag_add(unit->diags, AX_E0209, at, "%s", what);
    ax_diag_help(unit->diags, d, "write %s%s", name, how);
    return false;
}

static const char *heading_form(ax_kind kind)
{
    static const char *const forms[] = {
        [AX_LABEL_NONE] = " { … }",          [AX_LABEL_NAME] = " NAME { … }",
        [AX_LABEL_OPTIONAL] = " NAME { … }", [AX_LABEL_ASSIGNED] = " NAME = value",
        [AX_LABEL_TYPED] = " NAME : type",
    };
    return forms[ax_schema_kinds[kind].label];
}

/* What stands between a block's kind and its braces. */
static bool check_heading(ax_unit *unit, ax_kind kind, const ax_ast_block *block)
{
    const ax_kind_row *row = &ax_schema_kinds[kind];
    const char *form = heading_form(kind);
    uint32_t wanted = row->label == AX_LABEL_NONE ? 0 : 1;
    if (block->label_count > wanted && ax_schema_later(kind, block->labels[wanted].name.text)) {
        report_unknown(unit, kind, block->labels[wanted].name, false);
        return false;
    }
    bool is_node = kind == AX_KIND_TASK || kind == AX_KIND_GATE || kind == AX_KIND_GROUP;
    if (is_node && block->label_count == 3 && ax_str_is(block->labels[1].name.text, "from"))
        return true; /* what is wrong with its template was reported */
    bool may_miss = row->label == AX_LABEL_OPTIONAL;
    if (block->label_count > wanted)
        return report_heading(unit, block->labels[wanted].name.span,
                              wanted ? "one name is enough here" : "this block has no name", row->name, form);
    if (block->label_count < wanted && !may_miss)
        return report_heading(unit, block->kind.span, "a name is missing here", row->name, form);
    if (block->label_count == 1 && block->labels[0].string)
        return report_heading(unit, block->labels[0].name.span, "this is a name, not a text", row->name,
                              form);

    bool is_typed = row->label == AX_LABEL_TYPED;
    bool has_value = is_typed || row->label == AX_LABEL_ASSIGNED;
    if (block->has_args && kind != AX_KIND_TEMPLATE)
        return report_heading(unit, block->kind.span, "arguments can't stand here", row->name, form);
    if (is_typed && !block->type)
        return report_heading(unit, block->kind.span, "its type is missing", row->name, form);
    if (!is_typed && block->type)
        return report_heading(unit, block->type->name.span, "a type can't stand here", row->name, form);
    if (block->constraint && kind != AX_KIND_PARAM)
        return report_heading(unit, block->constraint->span, "only a parameter has a set of allowed values",
                              row->name, form);
    if (!has_value && block->value)
        return report_heading(unit, block->value->span, "a value can't stand here", row->name, form);
    if (row->label == AX_LABEL_ASSIGNED && !block->value)
        return report_heading(unit, block->kind.span, "its value is missing", row->name, form);
    if (row->body == AX_BODY_NONE && block->body)
        return report_heading(unit, block->body->span, "braces can't stand here", row->name, form);
    if (row->body != AX_BODY_NONE && row->body != AX_BODY_OPTIONAL_ITEMS && !block->body)
        return report_heading(unit, block->kind.span, "its braces are missing", row->name, form);
    return true;
}

static void check_items(ax_unit *unit, ax_kind owner, ax_ast_item *const *items, uint32_t count);

static void check_block(ax_unit *unit, ax_kind owner, const ax_ast_block *block, ax_span *seen)
{
    ax_kind kind = ax_schema_kind(owner, block->kind.text);
    if (kind == AX_KIND_COUNT) {
        if (!ax_schema_attr(owner, block->kind.text)) {
            report_unknown(unit, owner, block->kind, true);
            return;
        }
        ax_diag *d = ax_diag_add(unit->diags, AX_E0206, block->kind.span,
                                 "'%.*s' is an attribute, not a block", AX_STR(block->kind.text));
        ax_diag_help(unit->diags, d, "write %.*s = …", AX_STR(block->kind.text));
        return;
    }
    ax_label_rule label = ax_schema_kinds[kind].label;
    bool is_sound = check_heading(unit, kind, block);
    bool is_single = label == AX_LABEL_NONE || (label == AX_LABEL_OPTIONAL && block->label_count == 0);
    bool once = is_sound && is_single;
    if (once && seen[kind].beg) report_repeated(unit, block->kind, seen[kind]);
    if (once) seen[kind] = block->kind.span;
    if (!block->body) return;
    if (ax_schema_kinds[kind].body == AX_BODY_KEYS) check_keys(unit, kind, block->body);
    else if (ax_schema_kinds[kind].body != AX_BODY_NONE && ax_schema_kinds[kind].body != AX_BODY_ANY)
        check_items(unit, kind, block->body->items, block->body->count);
}

/* The items of one body. Blocks nest no deeper than the syntax allows. */
static void check_items(ax_unit *unit, ax_kind owner, ax_ast_item *const *items, uint32_t count)
{
    ax_span seen_attrs[ATTRS_MAX] = {0}, seen_blocks[AX_KIND_COUNT] = {0};
    for (uint32_t i = 0; i < count; i++) {
        switch ((ax_item_kind)items[i]->kind) {
        case AX_ITEM_ATTR: check_attr(unit, owner, &items[i]->u.attr, seen_attrs); break;
        case AX_ITEM_BLOCK: {
            uint32_t first = unit->diags->list.len;
            check_block(unit, owner, &items[i]->u.block, seen_blocks);
            ax_template_note(unit, first, ax_template_use_of(unit, &items[i]->u.block));
            break;
        }
        case AX_ITEM_EDGE:
            if (ax_schema_kinds[owner].body == AX_BODY_GRAPH) break;
            ax_diag *d = ax_diag_add(unit->diags, AX_E0204, items[i]->span, "an edge can't stand in %.*s",
                                     AX_STR(kind_text(unit->mem, owner)));
            ax_diag_help(unit->diags, d, "it belongs in a workflow or a group");
            break;
        }
    }
}

void ax_pass_schema(ax_flow *f)
{
    ax_span seen[AX_KIND_COUNT] = {0};
    check_block(f->unit, AX_KIND_FILE, &f->item->u.block, seen);
}

void ax_unit_schema(ax_unit *unit, const ax_ast_file *file)
{
    AX_ASSERT(ax_schema_attr_count <= ATTRS_MAX);
    ax_ast_item **others = AX_NEW_N(unit->mem, ax_ast_item *, file->count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->count; i++) {
        bool is_flow = file->items[i]->kind == AX_ITEM_BLOCK &&
                       ax_str_is(file->items[i]->u.block.kind.text, "workflow") &&
                       file->items[i]->u.block.label_count > 0;
        if (!is_flow) others[count++] = file->items[i];
    }
    check_items(unit, AX_KIND_FILE, others, count);
}
