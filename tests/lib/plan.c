/* plan.c - the little language of plan.h.
 *
 * Words of a node: join=all|any|strict|at_least:2 policy=skip|pause|ignore|branch|abort retry=2 wait=1000
 * jitter=50 on=timeout,lost,exit:75 timeout=5000 idempotent=no enabled=no finally=yes gate=yes priority=5
 * skip_on=99 when=yes|no|bad|go (`go` is the run's bool parameter; `bad` has no value)
 * outputs=rows:int,path:string run=bad (a command that can't be rendered) run=once (nor a second time)
 * after=NODE.OUTPUT (a command that needs this output)
 */
#include "tests/lib/plan.h"

#include <stdlib.h>
#include <string.h>

#include "dsl/base/map.h"
#include "tests/lib/test.h"

typedef struct {
    ax_arena *mem;
    ax_plan *plan;
    AX_VEC(ax_def) defs;
    AX_VEC(ax_plan_node) nodes;
    AX_VEC(ax_plan_edge) edges;
    ax_map by_name;
} builder;

static ax_expr *new_expr(ax_arena *mem, ax_x_kind kind, ax_type_kind type)
{
    ax_expr *x = AX_NEW(mem, ax_expr);
    x->kind = (uint8_t)kind;
    x->type.kind = type;
    return x;
}

static ax_expr *constant(ax_arena *mem, ax_value value)
{
    ax_expr *x = new_expr(mem, AX_X_CONST, value.kind);
    x->u.value = value;
    return x;
}

static ax_value int_value(int64_t n)
{
    return (ax_value){.kind = AX_T_INT, .u.i = n};
}

/* 1 / 0 */
static ax_expr *no_value(ax_arena *mem)
{
    ax_expr **args = AX_NEW_N(mem, ax_expr *, 2);
    args[0] = constant(mem, int_value(1));
    args[1] = constant(mem, int_value(0));
    ax_expr *x = new_expr(mem, AX_X_DIV, AX_T_INT);
    x->args = args;
    x->arg_count = 2;
    return x;
}

/* 1 / (2 - attempt) */
static ax_expr *only_once(ax_arena *mem)
{
    ax_expr **difference = AX_NEW_N(mem, ax_expr *, 2), *x = no_value(mem);
    difference[0] = constant(mem, int_value(2));
    difference[1] = new_expr(mem, AX_X_ROOT, AX_T_INT);
    difference[1]->u.root = AX_ROOT_ATTEMPT;
    ax_expr *divisor = x->args[1];
    *divisor = (ax_expr){.kind = AX_X_SUB, .type = {.kind = AX_T_INT}, .args = difference, .arg_count = 2};
    return x;
}

static uint32_t add_node(builder *b, ax_str name, uint32_t def)
{
    uint32_t id = b->nodes.len;
    ax_plan_node node = {.name = name, .def = def, .parent = AX_NONE};
    ax_vec_push(b->mem, &b->nodes, node);
    assert_int_equal(ax_map_add(b->mem, &b->by_name, name, id), id);
    return id;
}

static uint32_t add_def(builder *b, ax_str name, ax_node_kind kind)
{
    ax_def def = {.name = name,
                  .kind = kind,
                  .action = AX_ACTION_RUN,
                  .script = AX_LIT("true"),
                  .enabled = true,
                  .idempotent = true,
                  .count = 1,
                  .whole = AX_NONE};
    ax_vec_push(b->mem, &b->defs, def);
    return b->defs.len - 1;
}

static uint32_t node_named(builder *b, ax_str name)
{
    uint32_t id = ax_map_get(&b->by_name, name);
    if (id != AX_MAP_NONE) return id;
    uint32_t def = add_def(b, name, AX_NODE_TASK);
    b->defs.at[def].first = b->nodes.len;
    return add_node(b, name, def);
}

static ax_str trim(ax_str s)
{
    while (s.len && strchr(" \t\n", s.ptr[0])) s = ax_str_slice(s, 1, s.len);
    while (s.len && strchr(" \t\n", s.ptr[s.len - 1])) s.len--;
    return s;
}

/* Cuts the part before the first of the separator's characters off *rest and returns it trimmed. */
static ax_str cut(ax_str *rest, const char *separators)
{
    size_t end = 0;
    while (end < rest->len && !strchr(separators, rest->ptr[end])) end++;
    ax_str part = trim(ax_str_slice(*rest, 0, end));
    *rest = trim(ax_str_slice(*rest, end + 1, rest->len));
    return part;
}

static int64_t number(builder *b, ax_str text)
{
    return strtoll(ax_str_c(b->mem, text), NULL, 10);
}

static uint32_t word_of(const char *(*name)(uint32_t), uint32_t count, ax_str word)
{
    for (uint32_t i = 0; i < count; i++)
        if (ax_str_is(word, name(i))) return i;
    fail_msg("'%.*s' is no such word", AX_STR(word));
    return 0;
}

static const char *policy_word(uint32_t i)
{
    return ax_policy_name((ax_policy)i);
}

static const char *outcome_word(uint32_t i)
{
    return ax_outcome_name((ax_outcome)i);
}

static const char *join_word(uint32_t i)
{
    return ax_join_name((ax_join)i);
}

static void set_join(builder *b, ax_def *def, ax_str value)
{
    def->join = (ax_join)word_of(join_word, AX_JOIN_COUNT, cut(&value, ":"));
    if (value.len) def->join_count = (uint32_t)number(b, value);
}

static void set_on(builder *b, ax_def *def, ax_str value)
{
    AX_VEC(ax_why) on = {0};
    while (value.len) {
        ax_str item = cut(&value, ",");
        ax_str kind = cut(&item, ":");
        ax_why why = {.kind = ax_str_is(kind, "timeout") ? AX_WHY_TIMEOUT
                              : ax_str_is(kind, "lost")  ? AX_WHY_LOST
                              : ax_str_is(kind, "exit")  ? AX_WHY_EXIT
                                                         : AX_WHY_ANY};
        why.from = why.to = (int32_t)number(b, item);
        ax_vec_push(b->mem, &on, why);
    }
    def->retry.on = on.at;
    def->retry.on_count = on.len;
}

static void set_when(builder *b, ax_def *def, ax_str value)
{
    if (ax_str_is(value, "bad")) def->when = no_value(b->mem);
    else if (ax_str_is(value, "go")) def->when = new_expr(b->mem, AX_X_PARAM, AX_T_BOOL);
    else def->when = constant(b->mem, (ax_value){.kind = AX_T_BOOL, .u.b = ax_str_is(value, "yes")});
}

static void set_outputs(builder *b, ax_def *def, ax_str value)
{
    AX_VEC(ax_output) outputs = {0};
    while (value.len) {
        ax_str item = cut(&value, ",");
        ax_output output = {.name = cut(&item, ":")};
        ax_str type = cut(&item, "=");
        output.type.kind = ax_str_is(type, "int") ? AX_T_INT : AX_T_STRING;
        if (item.len) output.otherwise = constant(b->mem, int_value(number(b, item)));
        ax_vec_push(b->mem, &outputs, output);
    }
    def->outputs = outputs.at;
    def->output_count = outputs.len;
}

static void set_env(builder *b, ax_def *def, ax_expr *value)
{
    ax_binding *env = AX_NEW(b->mem, ax_binding);
    *env = (ax_binding){.name = AX_LIT("X"), .value = value};
    def->env = env;
    def->env_count = 1;
}

static void set_after(builder *b, uint32_t def, ax_str value)
{
    uint32_t producer = node_named(b, cut(&value, ".")), from = b->nodes.at[producer].def;
    ax_expr *x = new_expr(b->mem, AX_X_OUTPUT, AX_T_INT);
    x->u.output.def = from;
    for (uint32_t o = 0; o < b->defs.at[from].output_count; o++)
        if (ax_str_eq(b->defs.at[from].outputs[o].name, value)) x->u.output.output = o;
    set_env(b, &b->defs.at[def], x);
}

static void set_wait(builder *b, ax_def *def, ax_str value)
{
    int64_t *wait_ms = AX_NEW(b->mem, int64_t);
    *wait_ms = number(b, value);
    def->retry.waits_ms = wait_ms;
    def->retry.wait_count = 1;
}

static void set_skip_on(builder *b, ax_def *def, ax_str value)
{
    ax_why *why = AX_NEW(b->mem, ax_why);
    *why = (ax_why){.kind = AX_WHY_EXIT, .from = (int32_t)number(b, value), .to = (int32_t)number(b, value)};
    def->skip_on = why;
    def->skip_on_count = 1;
}

static void set_word(builder *b, uint32_t def_id, ax_str key, ax_str value)
{
    ax_def *def = &b->defs.at[def_id];
    if (ax_str_is(key, "after")) set_after(b, def_id, value);
    else if (ax_str_is(key, "join")) set_join(b, def, value);
    else if (ax_str_is(key, "policy")) def->policy = (ax_policy)word_of(policy_word, AX_POLICY_COUNT, value);
    else if (ax_str_is(key, "retry")) def->retry.max = (uint32_t)number(b, value);
    else if (ax_str_is(key, "wait")) set_wait(b, def, value);
    else if (ax_str_is(key, "jitter")) def->retry.jitter = (double)number(b, value) / 100;
    else if (ax_str_is(key, "on")) set_on(b, def, value);
    else if (ax_str_is(key, "timeout")) def->timeout_ms = number(b, value);
    else if (ax_str_is(key, "idempotent")) def->idempotent = !ax_str_is(value, "no");
    else if (ax_str_is(key, "enabled")) def->enabled = !ax_str_is(value, "no");
    else if (ax_str_is(key, "finally")) def->finally_ = true;
    else if (ax_str_is(key, "gate")) def->kind = AX_NODE_GATE;
    else if (ax_str_is(key, "priority")) def->priority = (int32_t)number(b, value);
    else if (ax_str_is(key, "skip_on")) set_skip_on(b, def, value);
    else if (ax_str_is(key, "when")) set_when(b, def, value);
    else if (ax_str_is(key, "outputs")) set_outputs(b, def, value);
    else if (ax_str_is(key, "run"))
        set_env(b, def, ax_str_is(value, "once") ? only_once(b->mem) : no_value(b->mem));
    else fail_msg("a node has no '%.*s'", AX_STR(key));
}

static void read_words(builder *b, ax_str rest)
{
    uint32_t node = node_named(b, cut(&rest, " "));
    while (rest.len) {
        ax_str value = cut(&rest, " ");
        ax_str key = cut(&value, "=");
        set_word(b, b->nodes.at[node].def, key, value);
    }
}

static void read_group(builder *b, ax_str rest)
{
    ax_str name = cut(&rest, "=");
    uint32_t def = add_def(b, name, AX_NODE_GROUP);
    b->defs.at[def].first = b->nodes.len;
    uint32_t group = add_node(b, name, def);
    while (rest.len) {
        uint32_t member = node_named(b, cut(&rest, " "));
        b->nodes.at[member].parent = group;
    }
}

static void read_fan(builder *b, ax_str rest)
{
    ax_str name = cut(&rest, "=");
    uint32_t def = add_def(b, name, AX_NODE_TASK), count = (uint32_t)number(b, rest);
    ax_str *key = AX_NEW(b->mem, ax_str);
    *key = AX_LIT("k");
    b->defs.at[def].fan_out = true;
    b->defs.at[def].keys = key;
    b->defs.at[def].key_count = 1;
    b->defs.at[def].first = b->nodes.len;
    b->defs.at[def].count = count;
    b->defs.at[def].whole = b->nodes.len + count;
    b->defs.at[def].whole_count = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t copy = add_node(b, ax_str_fmt(b->mem, "%.*s.%u", AX_STR(name), i), def);
        b->nodes.at[copy].parent = b->nodes.len + count - 1 - i;
        b->nodes.at[copy].values = i;
    }
    add_node(b, name, def);
}

static bool is_virtual(const builder *b, uint32_t node)
{
    const ax_def *def = &b->defs.at[b->nodes.at[node].def];
    return def->kind == AX_NODE_GROUP || def->whole == node;
}

static bool is_inside(const builder *b, uint32_t node, uint32_t group)
{
    while (node != AX_NONE && node != group) node = b->nodes.at[node].parent;
    return node == group;
}

static void add_edge(builder *b, uint32_t from, ax_outcome outcome, uint32_t to)
{
    ax_plan_edge edge = {.from = from, .to = to, .outcome = (uint8_t)outcome};
    ax_vec_push(b->mem, &b->edges, edge);
}

/* An edge between real or virtual nodes as it is written; groups at its end are opened later. */
static void write_edge(builder *b, uint32_t from, ax_outcome outcome, uint32_t to)
{
    const ax_def *def = &b->defs.at[b->nodes.at[from].def];
    bool counts_copies = def->whole == from && b->defs.at[b->nodes.at[to].def].join != AX_JOIN_ALL;
    if (!counts_copies) {
        add_edge(b, from, outcome, to);
        return;
    }
    for (uint32_t i = 0; i < def->count; i++) add_edge(b, def->first + i, outcome, to);
}

static bool is_root_of(const builder *b, uint32_t node, uint32_t group)
{
    for (uint32_t e = 0; e < b->edges.len; e++)
        if (is_inside(b, b->edges.at[e].to, node) && is_inside(b, b->edges.at[e].from, group)) return false;
    return true;
}

/* Replaces edges that end at a virtual node by edges to its roots; what they give may be virtual again. */
static void open_ends(builder *b)
{
    for (uint32_t e = 0; e < b->edges.len; e++) {
        ax_plan_edge edge = b->edges.at[e];
        if (!is_virtual(b, edge.to)) continue;
        b->edges.at[e--] = b->edges.at[--b->edges.len];
        for (uint32_t m = 0; m < b->nodes.len; m++)
            if (b->nodes.at[m].parent == edge.to && is_root_of(b, m, edge.to))
                add_edge(b, edge.from, (ax_outcome)edge.outcome, m);
    }
}

typedef struct {
    uint32_t node;
    ax_outcome outcome;
} end;

static uint32_t read_ends(builder *b, ax_str text, end *ends, uint32_t max)
{
    uint32_t count = 0;
    if (ax_str_starts(text, AX_LIT("["))) text = ax_str_slice(text, 1, text.len - 1);
    while (text.len && count < max) {
        ax_str item = cut(&text, ",");
        end e = {.node = node_named(b, cut(&item, ":"))};
        if (item.len) e.outcome = (ax_outcome)word_of(outcome_word, AX_ON_COUNT, item);
        ends[count++] = e;
    }
    return count;
}

static void read_edges(builder *b, ax_str rest)
{
    enum { ENDS_MAX = 16 };
    end from[ENDS_MAX], to[ENDS_MAX];
    uint32_t from_count = 0;
    while (rest.len) {
        size_t at = 0;
        while (at + 1 < rest.len && !(rest.ptr[at] == '-' && rest.ptr[at + 1] == '>')) at++;
        bool last = at + 1 >= rest.len;
        uint32_t to_count = read_ends(b, trim(ax_str_slice(rest, 0, last ? rest.len : at)), to, ENDS_MAX);
        for (uint32_t f = 0; f < from_count; f++)
            for (uint32_t t = 0; t < to_count; t++) write_edge(b, from[f].node, from[f].outcome, to[t].node);
        memcpy(from, to, sizeof from);
        from_count = to_count;
        rest = last ? (ax_str){0} : trim(ax_str_slice(rest, at + 2, rest.len));
    }
}

static bool has_arrow(ax_str s)
{
    for (size_t i = 0; i + 1 < s.len; i++)
        if (s.ptr[i] == '-' && s.ptr[i + 1] == '>') return true;
    return false;
}

/* Edges are read last: what they mean depends on the joins and groups. */
static void read_all(builder *b, const char *text, bool edges)
{
    ax_str rest = trim(ax_str_dup(b->mem, ax_str_of(text)));
    while (rest.len) {
        ax_str line = cut(&rest, ";\n");
        if (!line.len || has_arrow(line) != edges) continue;
        ax_str words = line, first = cut(&words, " ");
        if (edges) read_edges(b, line);
        else if (ax_str_is(first, "group")) read_group(b, words);
        else if (ax_str_is(first, "fan")) read_fan(b, words);
        else read_words(b, line);
    }
}

static void add_go(builder *b)
{
    ax_param *go = AX_NEW(b->mem, ax_param);
    go->name = AX_LIT("go");
    go->type.kind = AX_T_BOOL;
    go->has_default = true;
    go->otherwise = (ax_value){.kind = AX_T_BOOL, .u.b = false};
    b->plan->params = go;
    b->plan->param_count = 1;
}

ax_plan *test_plan(ax_arena *mem, const char *text)
{
    builder b = {.mem = mem, .plan = AX_NEW(mem, ax_plan)};
    b.plan->mem = mem;
    b.plan->name = AX_LIT("w");
    read_all(&b, text, false);
    read_all(&b, text, true);
    open_ends(&b);
    add_go(&b);
    ax_value *values = AX_NEW_N(mem, ax_value, b.nodes.len);
    for (uint32_t i = 0; i < b.nodes.len; i++) values[i] = int_value(i);
    b.plan->values = values;
    b.plan->value_count = b.nodes.len;
    b.plan->defs = b.defs.at;
    b.plan->def_count = b.defs.len;
    b.plan->node_count = b.nodes.len;
    b.plan->edge_count = b.edges.len;
    assert_true(ax_plan_index(b.plan, b.nodes.at, b.edges.at));
    return b.plan;
}

uint32_t test_plan_node(const ax_plan *plan, const char *name)
{
    uint32_t node = ax_plan_find(plan, ax_str_of(name));
    if (node == AX_NONE) fail_msg("the plan has no node '%s'", name);
    return node;
}
