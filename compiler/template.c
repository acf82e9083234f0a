/* template.c - templates: nodes that are made from them, before any pass looks at a workflow.
 *
 * What the node says wins over what the template says, blocks are merged item by item, `key = null` takes
 * away what the template says. Templates nest; one that would need itself is refused with the chain. Blocks
 * nest no deeper than the syntax allows, also with what templates add, and so does recursion over them.
 */
#include "compiler/template_int.h"

#include <string.h>

enum { NESTING_MAX = 32, USES_MAX = 1000000 };

/* ---- declarations ---- */

static void add_params(ax_unit *unit, ax_template *t)
{
    const ax_ast_block *block = t->block;
    t->params = AX_NEW_N(unit->mem, ax_template_param, block->arg_count);
    for (uint32_t i = 0; i < block->arg_count; i++) {
        const ax_ast_arg *arg = &block->args[i];
        bool has_default = arg->name.text.len > 0;
        ax_ast_name name = arg->name;
        if (!has_default && arg->value->kind == AX_AST_NAME)
            name = (ax_ast_name){arg->value->u.name, arg->value->span};
        if (name.text.len == 0) {
            ax_diag *d =
                ax_diag_add(unit->diags, AX_E0209, arg->value->span, "this is no name of a parameter");
            ax_diag_help(unit->diags, d, "write template %.*s(a, b = 1) { … }", AX_STR(t->name.text));
            continue;
        }
        uint32_t known = ax_map_add(unit->mem, &t->param_names, name.text, t->param_count);
        if (known != t->param_count) {
            ax_diag *d =
                ax_diag_add(unit->diags, AX_E0201, name.span, "the name '%.*s' is taken", AX_STR(name.text));
            ax_diag_note(unit->diags, d, t->params[known].name.span, "it is defined here");
            continue;
        }
        t->params[t->param_count++] =
            (ax_template_param){.name = name, .otherwise = has_default ? arg->value : NULL};
    }
}

void ax_template_add(ax_unit *unit, ax_map *names, ax_ast_item *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const ax_ast_block *block = &items[i]->u.block;
        bool is_template = items[i]->kind == AX_ITEM_BLOCK && ax_str_is(block->kind.text, "template") &&
                           block->label_count == 1 && !block->labels[0].string;
        if (!is_template) continue;
        ax_template *t = AX_NEW(unit->mem, ax_template);
        *t = (ax_template){.block = block, .name = block->labels[0].name, .span = items[i]->span};
        uint32_t known = ax_map_get(&unit->template_names, t->name.text), at = unit->templates.len;
        if (known == AX_MAP_NONE) known = ax_map_add(unit->mem, names, t->name.text, at);
        if (known != at) {
            ax_diag *d = ax_diag_add(unit->diags, AX_E0201, t->name.span, "the name '%.*s' is taken",
                                     AX_STR(t->name.text));
            ax_diag_note(unit->diags, d, unit->templates.at[known]->name.span, "it is defined here");
            continue;
        }
        add_params(unit, t);
        ax_vec_push(unit->mem, &unit->templates, t);
    }
}

/* ---- which use made what ---- */

/* The bytes of a block's address, as a key. */
static ax_str block_key(ax_arena *mem, const ax_ast_block *block)
{
    const ax_ast_block **at = AX_NEW(mem, const ax_ast_block *);
    *at = block;
    return (ax_str){(const char *)at, sizeof *at};
}

uint32_t ax_template_use_of(const ax_unit *unit, const ax_ast_block *block)
{
    if (unit->uses.len == 0) return AX_NONE;
    uint32_t use = ax_map_get(&unit->use_of_block, (ax_str){(const char *)&block, sizeof block});
    return use == AX_MAP_NONE ? AX_NONE : use;
}

static bool is_in(ax_span span, const ax_template *t)
{
    return span.beg >= t->span.beg && span.end <= t->span.end && span.beg > 0;
}

static void add_notes(ax_unit *unit, ax_diag *d, uint32_t use)
{
    for (; use != AX_NONE; use = unit->uses.at[use].around) {
        const ax_use *u = &unit->uses.at[use];
        ax_diag_note(unit->diags, d, u->span, "in this use of template '%.*s'", AX_STR(u->of->name.text));
    }
}

void ax_template_note(ax_unit *unit, uint32_t first, uint32_t use)
{
    for (uint32_t i = first; use != AX_NONE && i < unit->diags->list.len; i++) {
        ax_diag *d = unit->diags->list.at[i];
        uint32_t u = use;
        while (u != AX_NONE && !is_in(d->span, unit->uses.at[u].of)) u = unit->uses.at[u].around;
        add_notes(unit, d, u);
    }
}

/* True if one of the notes of a diagnostic is a use. */
static bool has_use(const ax_diag *d)
{
    for (uint32_t n = 0; n < d->note_count; n++)
        if (ax_str_starts(d->notes[n].text, AX_LIT("in this use of template"))) return true;
    return false;
}

void ax_template_note_rest(ax_unit *unit, uint32_t first)
{
    for (uint32_t i = first; unit->uses.len > 0 && i < unit->diags->list.len; i++) {
        ax_diag *d = unit->diags->list.at[i];
        if (has_use(d)) continue;
        for (uint32_t t = 0; t < unit->templates.len; t++)
            if (unit->templates.at[t]->is_used && is_in(d->span, unit->templates.at[t]))
                add_notes(unit, d, unit->templates.at[t]->first_use);
    }
}

/* ---- merging ---- */

/* What an item says something about, among the items of one body; empty: an edge, which stands for itself. A
 * task has one action, whichever it is. */
static ax_str item_key(ax_unit *unit, ax_kind kind, const ax_ast_item *item)
{
    if (item->kind == AX_ITEM_ATTR && item->u.attr.path->kind == AX_AST_NAME) {
        ax_str name = item->u.attr.path->u.name;
        return kind == AX_KIND_TASK && ax_str_is(name, "exec") ? AX_LIT("run") : name;
    }
    if (item->kind != AX_ITEM_BLOCK) return (ax_str){0};
    const ax_ast_block *block = &item->u.block;
    ax_str label = block->label_count ? block->labels[0].name.text : (ax_str){0};
    bool is_node = ax_schema_word("task gate group", block->kind.text);
    return ax_str_fmt(unit->mem, "%.*s %.*s", AX_STR(is_node ? AX_LIT("node") : block->kind.text),
                      AX_STR(label));
}

/* True if `key = null` only takes away what the template says: the attribute has no null of its own. */
static bool only_removes(ax_kind kind, const ax_ast_item *item)
{
    if (item->kind != AX_ITEM_ATTR || item->u.attr.value->kind != AX_AST_NULL) return false;
    if (kind == AX_KIND_ENV || item->u.attr.path->kind != AX_AST_NAME) return false;
    const ax_attr_row *row = ax_schema_attr(kind, item->u.attr.path->u.name);
    bool has_null = row && row->form != AX_FORM_SPECIAL && row->form != AX_FORM_TEMPLATE;
    return kind != AX_KIND_TASK || !has_null;
}

static ax_ast_body *merge(ax_unit *unit, ax_kind kind, const ax_ast_body *base, const ax_ast_body *own,
                          ax_span span);

/* The node's block over the template's. */
static ax_ast_item *merge_blocks(ax_unit *unit, ax_kind owner, const ax_ast_item *base,
                                 const ax_ast_item *own)
{
    ax_ast_item *item = ax_ast_item_copy(unit->mem, own);
    ax_ast_block *block = &item->u.block;
    const ax_ast_block *old = &base->u.block;
    if (!block->type) block->type = old->type;
    if (!block->constraint) block->constraint = old->constraint;
    if (!block->value) block->value = old->value;
    ax_kind kind = ax_schema_kind(owner, block->kind.text);
    if (block->body && old->body && kind != AX_KIND_COUNT)
        block->body = merge(unit, kind, old->body, block->body, block->body->span);
    else if (!block->body) block->body = old->body;
    uint32_t use = ax_template_use_of(unit, &own->u.block);
    if (use == AX_NONE) use = ax_template_use_of(unit, old);
    if (use != AX_NONE) ax_map_add(unit->mem, &unit->use_of_block, block_key(unit->mem, block), use);
    return item;
}

static ax_ast_body *merge(ax_unit *unit, ax_kind kind, const ax_ast_body *base, const ax_ast_body *own,
                          ax_span span)
{
    uint32_t own_count = own ? own->count : 0, base_count = base ? base->count : 0;
    ax_ast_body *body = AX_NEW(unit->mem, ax_ast_body);
    *body = (ax_ast_body){.items = AX_NEW_N(unit->mem, ax_ast_item *, own_count + base_count),
                          .broken = (own && own->broken) || (base && base->broken),
                          .span = span};
    ax_map said = {0};
    ax_ast_item **overs = AX_NEW_N(unit->mem, ax_ast_item *, own_count);
    for (uint32_t i = 0; i < own_count; i++) {
        ax_str key = item_key(unit, kind, own->items[i]);
        overs[i] = own->items[i];
        if (key.len) ax_map_add(unit->mem, &said, key, i);
    }
    for (uint32_t i = 0; i < base_count; i++) {
        ax_str key = own_count ? item_key(unit, kind, base->items[i]) : (ax_str){0};
        uint32_t at = key.len ? ax_map_get(&said, key) : AX_MAP_NONE;
        if (at == AX_MAP_NONE) body->items[body->count++] = base->items[i];
        else if (base->items[i]->kind == AX_ITEM_BLOCK && overs[at]->kind == AX_ITEM_BLOCK)
            overs[at] = merge_blocks(unit, kind, base->items[i], overs[at]);
    }
    for (uint32_t i = 0; i < own_count; i++)
        if (!base || !only_removes(kind, overs[i])) body->items[body->count++] = overs[i];
    return body;
}

/* ---- uses ---- */

static ax_template *find_template(ax_flow *f, ax_ast_name name)
{
    ax_unit *unit = f->unit;
    uint32_t at = ax_map_get(&f->template_names, name.text);
    if (at == AX_MAP_NONE) at = ax_map_get(&unit->template_names, name.text);
    if (at != AX_MAP_NONE) return unit->templates.at[at];
    if (unit->is_partial) return NULL;
    ax_diag *d =
        ax_diag_add(unit->diags, AX_E0212, name.span, "there is no template '%.*s' here", AX_STR(name.text));
    ax_nearest near = ax_nearest_start(name.text);
    for (uint32_t i = 0; i < unit->templates.len; i++)
        ax_nearest_offer(&near, unit->templates.at[i]->name.text);
    ax_diag_did_you_mean(unit->diags, d, name.span, near.best);
    return NULL;
}

/* Reports a template that is needed to make itself, with the uses that lead there. */
static void report_cycle(ax_unit *unit, const ax_template *t, ax_span span, uint32_t around)
{
    ax_diag *d =
        ax_diag_add(unit->diags, AX_E0216, span, "template '%.*s' would need itself", AX_STR(t->name.text));
    add_notes(unit, d, around);
}

static bool check_use(ax_unit *unit, const ax_subst *s, const ax_template *t, ax_span span)
{
    if (t->is_open) {
        report_cycle(unit, t, span, s->use);
        return false;
    }
    if (s->nesting < NESTING_MAX && unit->uses.len < USES_MAX) return true;
    if (s->nesting == NESTING_MAX)
        ax_diag_add(unit->diags, AX_E0113, span, "templates are nested more than %d deep", NESTING_MAX);
    else ax_diag_add(unit->diags, AX_E0408, span, "more than %d nodes are made from templates", USES_MAX);
    return false;
}

/* The value of each parameter: the argument, else its default. */
static const ax_ast_expr **bind_arguments(ax_unit *unit, ax_template *t, const ax_ast_block *block)
{
    const ax_ast_expr **values = AX_NEW_N(unit->mem, const ax_ast_expr *, t->param_count);
    for (uint32_t i = 0; i < block->arg_count; i++) {
        const ax_ast_arg *arg = &block->args[i];
        ax_span span = arg->name.text.len ? arg->name.span : arg->value->span;
        uint32_t at = arg->name.text.len ? ax_map_get(&t->param_names, arg->name.text) : AX_MAP_NONE;
        if (at != AX_MAP_NONE && !values[at]) {
            values[at] = arg->value;
            continue;
        }
        const char *why = !arg->name.text.len ? "arguments of a template have names"
                          : at == AX_MAP_NONE ? "the template has no such parameter"
                                              : "this argument stands here twice";
        ax_diag *d = ax_diag_add(unit->diags, AX_E0304, span, "%s", why);
        ax_nearest near = ax_nearest_start(arg->name.text);
        for (uint32_t p = 0; p < t->param_count && at == AX_MAP_NONE; p++)
            ax_nearest_offer(&near, t->params[p].name.text);
        if (arg->name.text.len) ax_diag_did_you_mean(unit->diags, d, span, near.best);
        ax_diag_note(unit->diags, d, t->name.span, "the template");
    }
    for (uint32_t p = 0; p < t->param_count; p++) {
        if (!values[p]) values[p] = t->params[p].otherwise;
        if (values[p]) continue;
        ax_map_add(unit->mem, &unit->refused_names, t->params[p].name.text,
                   p); /* its uses are no new mistake */
        ax_diag *d =
            ax_diag_add(unit->diags, AX_E0304, block->labels[2].name.span, "template '%.*s' needs '%.*s'",
                        AX_STR(t->name.text), AX_STR(t->params[p].name.text));
        ax_diag_note(unit->diags, d, t->params[p].name.span, "this parameter has no default");
    }
    return values;
}

static ax_ast_body *expand_body(ax_flow *f, const ax_subst *s, ax_kind kind, ax_ast_body *body);

/* `task x from NAME(…) { … }` as `task x { … }`; unchanged if that can't be. */
static ax_ast_item *expand_use(ax_flow *f, const ax_subst *s, ax_kind kind, ax_ast_item *item)
{
    ax_unit *unit = f->unit;
    const ax_ast_block *block = &item->u.block;
    ax_template *t = find_template(f, block->labels[2].name);
    if (!t) return item;
    ax_span span = ax_span_join(block->labels[1].name.span, block->labels[2].name.span);
    if (!check_use(unit, s, t, span)) return item;

    ax_subst inner = {
        .unit = unit, .of = t, .use = unit->uses.len, .nesting = s->nesting + 1, .level = s->level};
    if (!t->is_used) t->first_use = inner.use;
    t->is_used = true;
    ax_vec_push(unit->mem, &unit->uses, (ax_use){.of = t, .span = span, .around = s->use});
    inner.values = bind_arguments(unit, t, block);
    t->is_open = true;
    ax_ast_body *base = expand_body(f, &inner, kind, t->block->body);
    t->is_open = false;

    ax_ast_item *made = ax_ast_item_copy(unit->mem, item);
    made->u.block.label_count = 1;
    made->u.block.has_args = false;
    made->u.block.arg_count = 0;
    made->u.block.body = merge(unit, kind, base, block->body, block->body ? block->body->span : item->span);
    ax_map_add(unit->mem, &unit->use_of_block, block_key(unit->mem, &made->u.block), inner.use);
    return made;
}

static bool is_use(ax_kind kind, const ax_ast_block *block)
{
    return (kind == AX_KIND_TASK || kind == AX_KIND_GATE || kind == AX_KIND_GROUP) &&
           block->label_count == 3 && ax_str_is(block->labels[1].name.text, "from") &&
           !block->labels[2].string;
}

static ax_ast_item *expand_block(ax_flow *f, const ax_subst *s, ax_kind owner, ax_ast_item *item)
{
    ax_kind kind = ax_schema_kind(owner, item->u.block.kind.text);
    bool may_change = s->of || kind == AX_KIND_GROUP || is_use(kind, &item->u.block);
    if (kind == AX_KIND_COUNT || !may_change) return item;
    if (s->level == AX_SYNTAX_DEPTH_MAX) {
        ax_diag_add(f->diags, AX_E0113, item->u.block.kind.span,
                    "with templates, blocks are nested more than %d deep", AX_SYNTAX_DEPTH_MAX);
        return item;
    }
    ax_ast_item *out = ax_subst_item(s, owner, item);
    ax_subst inside = *s;
    inside.level++;
    ax_ast_body *body = expand_body(f, &inside, kind, out->u.block.body);
    if (body != out->u.block.body) {
        if (out == item) out = ax_ast_item_copy(f->mem, item);
        out->u.block.body = body;
    }
    return is_use(kind, &out->u.block) ? expand_use(f, &inside, kind, out) : out;
}

/* The body with arguments for parameters and nodes made from templates; the same one if it has neither. */
static ax_ast_body *expand_body(ax_flow *f, const ax_subst *s, ax_kind kind, ax_ast_body *body)
{
    if (!body) return NULL;
    ax_ast_body *copy = NULL;
    for (uint32_t i = 0; i < body->count; i++) {
        ax_ast_item *item = body->items[i];
        ax_ast_item *out =
            item->kind == AX_ITEM_BLOCK ? expand_block(f, s, kind, item) : ax_subst_item(s, kind, item);
        if (out == item && !copy) continue;
        if (!copy) {
            copy = AX_NEW(f->mem, ax_ast_body);
            *copy = *body;
            copy->items = AX_NEW_N(f->mem, ax_ast_item *, body->count);
            memcpy(copy->items, body->items, body->count * sizeof *copy->items);
        }
        copy->items[i] = out;
    }
    return copy ? copy : body;
}

void ax_pass_templates(ax_flow *f)
{
    ax_ast_body *body = f->item->u.block.body;
    if (!body) return;
    ax_template_add(f->unit, &f->template_names, body->items, body->count);
    ax_subst s = {.unit = f->unit, .use = AX_NONE};
    ax_ast_body *expanded = expand_body(f, &s, AX_KIND_WORKFLOW, body);
    if (expanded == body) return;
    ax_ast_item *item = ax_ast_item_copy(f->mem, f->item);
    item->u.block.body = expanded;
    f->item = item;
}

void ax_template_lint(ax_unit *unit)
{
    for (uint32_t i = 0; i < unit->templates.len; i++) {
        const ax_template *t = unit->templates.at[i];
        if (!t->is_used)
            ax_diag_add(unit->diags, AX_W0603, t->name.span, "template '%.*s' is never used",
                        AX_STR(t->name.text));
        for (uint32_t p = 0; t->is_used && p < t->param_count; p++) {
            if (t->params[p].is_used) continue;
            ax_diag_add(unit->diags, AX_W0603, t->params[p].name.span,
                        "template parameter '%.*s' is never used", AX_STR(t->params[p].name.text));
        }
    }
}
