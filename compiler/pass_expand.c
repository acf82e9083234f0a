/* pass_expand.c - declarations become nodes: one each, one a copy for a matrix, and the virtual ones.
 *
 * Nodes stand in the order of the source; the copies of a task are contiguous, the last key varying fastest,
 * and the virtual node of the whole follows them.
 */
#include "compiler/flow_int.h"

static bool is_fan_out(const ax_decl *decl)
{
    return decl->key_count > 0 && !decl->is_broken;
}

/* The values of a copy, from its number. */
static void copy_values(const ax_decl *decl, uint32_t copy, ax_value *out)
{
    for (uint32_t k = decl->key_count; k-- > 0;) {
        const ax_key *key = &decl->keys[k];
        out[k] = key->values[copy % key->count];
        copy /= key->count;
    }
}

/* sync["orders", 3] */
static ax_str copy_name(ax_flow *f, const ax_decl *decl, const ax_value *values, ax_buf *scratch)
{
    ax_buf_clear(scratch);
    ax_buf_add(scratch, decl->name);
    ax_buf_addc(scratch, '[');
    for (uint32_t k = 0; k < decl->key_count; k++) {
        if (k) ax_buf_adds(scratch, ", ");
        ax_value_source(&values[k], scratch);
    }
    ax_buf_addc(scratch, ']');
    return ax_str_dup(f->mem, ax_buf_str(scratch));
}

/* How many nodes and matrix values there will be; AX_NODES_MAX + 1 nodes stands for more. */
static uint32_t count_nodes(const ax_flow *f, uint32_t *value_count)
{
    uint64_t nodes = 0, values = 0;
    for (uint32_t i = 0; i < f->decls.len; i++) {
        const ax_decl *decl = &f->decls.at[i];
        nodes += decl->copies + is_fan_out(decl);
        values += is_fan_out(decl) ? (uint64_t)decl->copies * decl->key_count : 0;
    }
    *value_count = values > UINT32_MAX ? UINT32_MAX : (uint32_t)values;
    return nodes > AX_NODES_MAX || values > UINT32_MAX ? AX_NODES_MAX + 1 : (uint32_t)nodes;
}

static void add_copies(ax_flow *f, uint32_t at, uint32_t parent, ax_buf *scratch)
{
    ax_decl *decl = &f->decls.at[at];
    ax_value *values = f->values_of_copies;
    ax_str *keys = AX_NEW_N(f->mem, ax_str, decl->key_count);
    for (uint32_t k = 0; k < decl->key_count; k++) keys[k] = decl->keys[k].name.text;
    f->defs[at].keys = keys;
    f->defs[at].key_count = decl->key_count;
    f->defs[at].fan_out = true;
    decl->whole = f->node_count + decl->copies;
    for (uint32_t c = 0; c < decl->copies; c++) {
        ax_value *own = &values[f->plan->value_count];
        copy_values(decl, c, own);
        f->nodes[f->node_count++] = (ax_plan_node){.name = copy_name(f, decl, own, scratch),
                                                   .def = at,
                                                   .parent = decl->whole,
                                                   .values = f->plan->value_count};
        f->plan->value_count += decl->key_count;
    }
    f->nodes[f->node_count++] =
        (ax_plan_node){.name = decl->name, .def = at, .parent = parent, .values = f->plan->value_count};
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
    ax_buf scratch = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    for (uint32_t i = 0; i < f->decls.len; i++) {
        ax_decl *decl = &f->decls.at[i];
        uint32_t parent = decl->parent == AX_NONE ? AX_NONE : f->decls.at[decl->parent].first;
        decl->first = f->node_count;
        if (is_fan_out(decl)) add_copies(f, i, parent, &scratch);
        else
            f->nodes[f->node_count++] = (ax_plan_node){
                .name = decl->name, .def = i, .parent = parent, .values = f->plan->value_count};
        f->defs[i].first = decl->first;
        f->defs[i].count = decl->copies;
        f->defs[i].whole = decl->whole;
    }
    ax_buf_free(&scratch);
}
