/* plan_make.c - appends definitions, nodes and edges, and indexes them at the end. */
#include "tests/lib/plan_make.h"

#include "dsl/base/assert.h"

plan_maker plan_maker_new(ax_arena *mem, const char *name)
{
    plan_maker m = {.mem = mem, .plan = AX_NEW(mem, ax_plan), .group = AX_NONE};
    *m.plan = (ax_plan){
        .mem = mem, .name = ax_str_of(name), .file = AX_LIT("test.axf"), .line = 1, .max_active_runs = 1};
    return m;
}

static uint32_t add_node(plan_maker *m, ax_str name, uint32_t def, uint32_t parent)
{
    ax_plan_node node = {.name = name, .def = def, .parent = parent, .values = m->values.len};
    ax_vec_push(m->mem, &m->nodes, node);
    return m->nodes.len - 1;
}

static ax_def *add_def(plan_maker *m, const char *name, ax_node_kind kind)
{
    ax_def def = {.name = ax_str_of(name),
                  .kind = kind,
                  .file = m->plan->file,
                  .line = m->defs.len + 2,
                  .enabled = true,
                  .idempotent = true,
                  .kill_after_ms = 30000,
                  .whole = AX_NONE,
                  .first = m->nodes.len,
                  .count = 1};
    ax_vec_push(m->mem, &m->defs, def);
    return &m->defs.at[m->defs.len - 1];
}

static void run_script(plan_maker *m, ax_def *def, const char *script)
{
    static const ax_str shell[] = {{"sh", 2}, {"-eu", 3}, {"-c", 2}};
    (void)m;
    def->action = AX_ACTION_RUN;
    def->script = ax_str_of(script);
    def->shell = shell;
    def->shell_count = 3;
}

ax_def *plan_task(plan_maker *m, const char *name, const char *script)
{
    ax_def *def = add_def(m, name, AX_NODE_TASK);
    run_script(m, def, script);
    add_node(m, def->name, m->defs.len - 1, m->group);
    return def;
}

ax_def *plan_gate(plan_maker *m, const char *name)
{
    ax_def *def = add_def(m, name, AX_NODE_GATE);
    add_node(m, def->name, m->defs.len - 1, m->group);
    return def;
}

ax_def *plan_fan_out(plan_maker *m, const char *name, const char *key, const ax_str *values, uint32_t count)
{
    ax_def *def = add_def(m, name, AX_NODE_TASK);
    ax_str *keys = AX_NEW(m->mem, ax_str);
    ax_buf text = AX_BUF_INIT(1 << 20);
    keys[0] = ax_str_of(key);
    run_script(m, def, "sync \"$AX_V1\"");
    def->keys = keys;
    def->key_count = 1;
    def->fan_out = true;
    def->count = count;
    def->whole = m->nodes.len + count;
    for (uint32_t i = 0; i < count; i++) {
        ax_value value = {.kind = AX_T_STRING, .u.s = values[i]};
        ax_buf_clear(&text);
        ax_buf_addf(&text, "%s[", name);
        ax_value_source(&value, &text);
        ax_buf_addc(&text, ']');
        add_node(m, ax_str_dup(m->mem, ax_buf_str(&text)), m->defs.len - 1, def->whole);
        ax_vec_push(m->mem, &m->values, value);
    }
    add_node(m, def->name, m->defs.len - 1, m->group);
    ax_buf_free(&text);
    return def;
}

ax_def *plan_group(plan_maker *m, const char *name)
{
    ax_def *def = add_def(m, name, AX_NODE_GROUP);
    m->group = add_node(m, def->name, m->defs.len - 1, m->group);
    return def;
}

void plan_group_end(plan_maker *m)
{
    m->group = m->nodes.at[m->group].parent;
}

static uint32_t find(const plan_maker *m, const char *name)
{
    for (uint32_t i = 0; i < m->nodes.len; i++) {
        if (ax_str_is(m->nodes.at[i].name, name)) return i;
    }
    AX_UNREACHABLE();
}

void plan_edge(plan_maker *m, const char *from, const char *to, ax_outcome outcome)
{
    ax_plan_edge edge = {
        .from = find(m, from), .to = find(m, to), .line = m->edges.len + 100, .outcome = (uint8_t)outcome};
    ax_vec_push(m->mem, &m->edges, edge);
}

ax_plan *plan_made(plan_maker *m)
{
    ax_plan *p = m->plan;
    p->defs = m->defs.at;
    p->def_count = m->defs.len;
    p->nodes = m->nodes.at;
    p->node_count = m->nodes.len;
    p->edges = m->edges.at;
    p->edge_count = m->edges.len;
    p->values = m->values.at;
    p->value_count = m->values.len;
    AX_ASSERT(ax_plan_index(p, m->nodes.at, m->edges.at));
    return p;
}
