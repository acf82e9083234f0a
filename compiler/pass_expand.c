/* pass_expand.c - declarations become nodes: one each, one a copy where a matrix is, and the virtual ones.
 *
 * Nodes stand in the order of the source; the copies of a declaration are contiguous, the last key varying
 * fastest, and the virtual nodes of its own fan-out follow them, one for each copy of the group around it. A
 * member without a matrix of its own has the values of its group's copy.
 */
#include <string.h>

#include "compiler/fan_int.h"

typedef struct {
    ax_flow *f;
    ax_decl *decl;
    uint32_t at; /* of decl */
    ax_buf text;
} expander;

/* Copies of what is around a declaration. */
static uint32_t outer_copies(const ax_flow *f, const ax_decl *decl)
{
    return decl->parent == AX_NONE ? 1 : f->decls.at[decl->parent].copies;
}

/* How many nodes and matrix values there will be; AX_NODES_MAX + 1 nodes stands for more. */
static uint32_t count_nodes(const ax_flow *f, uint32_t *value_count)
{
    uint64_t nodes = 0, values = 0;
    for (uint32_t i = 0; i < f->decls.len; i++) {
        const ax_decl *decl = &f->decls.at[i];
        nodes += decl->copies;
        if (!ax_fan_has_own(decl)) continue;
        nodes += outer_copies(f, decl);
        values += (uint64_t)decl->copies * decl->key_count;
    }
    *value_count = values > UINT32_MAX ? UINT32_MAX : (uint32_t)values;
    return nodes > AX_NODES_MAX || values > UINT32_MAX ? AX_NODES_MAX + 1 : (uint32_t)nodes;
}

/* The node of the group around copy number `outer`, or AX_NONE. */
static uint32_t node_around(const expander *x, uint32_t outer)
{
    uint32_t group = x->decl->parent;
    return group == AX_NONE ? AX_NONE : x->f->decls.at[group].first + outer;
}

/* daily["eu"].sync, in x->text. */
static void write_name(expander *x, uint32_t outer)
{
    uint32_t around = node_around(x, outer);
    ax_buf_clear(&x->text);
    if (around == AX_NONE) ax_buf_add(&x->text, x->decl->name);
    else ax_buf_addf(&x->text, "%.*s.%.*s", AX_STR(x->f->nodes[around].name), AX_STR(x->decl->label.text));
}

/* The name of what is no copy of its own matrix. */
static ax_str plain_name(expander *x, uint32_t outer)
{
    if (x->decl->level_count == 0) return x->decl->name;
    write_name(x, outer);
    return ax_str_dup(x->f->mem, ax_buf_str(&x->text));
}

/* daily["eu"].sync["orders", 3] */
static ax_str copy_name(expander *x, uint32_t outer, const ax_value *own)
{
    write_name(x, outer);
    ax_buf_addc(&x->text, '[');
    for (uint32_t k = 0; k < x->decl->key_count - x->decl->outer_keys; k++) {
        if (k) ax_buf_adds(&x->text, ", ");
        ax_value_source(&own[k], &x->text);
    }
    ax_buf_addc(&x->text, ']');
    return ax_str_dup(x->f->mem, ax_buf_str(&x->text));
}

static void add_node(ax_flow *f, ax_str name, uint32_t def, uint32_t parent, uint32_t values)
{
    f->nodes[f->node_count++] = (ax_plan_node){.name = name, .def = def, .parent = parent, .values = values};
}

/* The copies of a declaration with a matrix, and their wholes. */
static void add_copies(expander *x)
{
    ax_flow *f = x->f;
    ax_decl *decl = x->decl;
    uint32_t outer = outer_copies(f, decl);
    decl->whole = f->node_count + decl->copies;
    for (uint32_t c = 0; c < decl->copies; c++) {
        uint32_t at = c / decl->fan.count, around = node_around(x, at), values = f->plan->value_count;
        ax_value *own = &f->values_of_copies[values];
        if (decl->outer_keys) {
            memcpy(own, &f->values_of_copies[f->nodes[around].values], decl->outer_keys * sizeof *own);
            own += decl->outer_keys;
        }
        ax_fan_values(decl, c % decl->fan.count, own);
        f->plan->value_count += decl->key_count;
        add_node(f, copy_name(x, at, own), x->at, decl->whole + at, values);
    }
    for (uint32_t o = 0; o < outer; o++)
        add_node(f, plain_name(x, o), x->at, node_around(x, o), f->plan->value_count);
    f->defs[x->at].whole = decl->whole;
    f->defs[x->at].whole_count = outer;
}

/* One node for each copy of what is around it. */
static void add_plain(expander *x)
{
    for (uint32_t o = 0; o < x->decl->copies; o++) {
        uint32_t around = node_around(x, o);
        uint32_t values = around == AX_NONE ? x->f->plan->value_count : x->f->nodes[around].values;
        add_node(x->f, plain_name(x, o), x->at, around, values);
    }
}

static void set_keys(ax_flow *f, uint32_t at)
{
    const ax_decl *decl = &f->decls.at[at];
    ax_def *def = &f->defs[at];
    if (decl->is_broken || decl->key_count == 0) return;
    def->fan_out = true;
    def->key_count = decl->key_count;
    if (decl->key_count == decl->outer_keys) {
        def->keys = f->defs[decl->parent].keys;
        return;
    }
    ax_str *keys = AX_NEW_N(f->mem, ax_str, decl->key_count);
    for (uint32_t k = 0; k < decl->key_count; k++) keys[k] = decl->keys[k]->name.text;
    def->keys = keys;
}

void ax_pass_expand(ax_flow *f)
{
    uint32_t value_count = 0, count = count_nodes(f, &value_count);
    if (count > AX_NODES_MAX) {
        ax_diag_add(f->diags, AX_E0408, f->label.span, "workflow '%.*s' has more than %u nodes",
                    AX_STR(f->label.text), AX_NODES_MAX);
        return;
    }
    f->nodes = AX_NEW_N(f->mem, ax_plan_node, count);
    f->values_of_copies = AX_NEW_N(f->mem, ax_value, value_count);
    expander x = {.f = f, .text = AX_BUF_INIT(AX_VALUE_TEXT_MAX)};
    for (x.at = 0; x.at < f->decls.len; x.at++) {
        x.decl = &f->decls.at[x.at];
        x.decl->first = f->node_count;
        set_keys(f, x.at);
        if (ax_fan_has_own(x.decl)) add_copies(&x);
        else add_plain(&x);
        f->defs[x.at].first = x.decl->first;
        f->defs[x.at].count = x.decl->copies;
    }
    ax_buf_free(&x.text);
}
