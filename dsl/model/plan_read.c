/* plan_read.c - the task-definition document back to a plan.
 *
 * Nothing in a document is believed: every name is looked up, every number is within its range, every
 * expression is typed as if it were compiled, and the graph is indexed anew. Definitions are read in two
 * steps, since expressions name outputs of any of them and take the types of matrix keys from the nodes.
 */
#include "dsl/model/doc_in_int.h"
#include "dsl/model/expr_json_int.h"
#include "dsl/model/json_in.h"
#include "dsl/model/plan_doc_int.h"
#include "dsl/model/plan_json.h"

/* Levels of a document: those around an expression, the expression, a value in it. */
#define DOC_DEPTH_MAX (16 + AX_EXPR_DEPTH_MAX + 2 * AX_VALUE_DEPTH_MAX)

/* The list at a key, "" if it is not there; more items than max are an error. */
static const ax_value *list_at(ax_doc *d, const ax_value *object, const char *key, uint32_t max)
{
    static const ax_value empty = {.kind = AX_T_LIST};
    const ax_value *list = ax_doc_kind_at(d, object, key, AX_T_LIST);
    if (list && list->u.list.len > max) ax_doc_fail(d, "key '%s' has more than %u items", key, max);
    return list && !d->rc ? list : &empty;
}

/* ---- parameters and schedules ---- */

static ax_value const_of(ax_doc *d, const ax_value *json, const char *key)
{
    ax_value v = {.kind = AX_T_NULL};
    if (!d->rc) ax_doc_failed(d, ax_const_read(d->mem, json, &v, d->err), key);
    return v;
}

static void read_param_values(ax_doc *d, const ax_value *object, ax_param *p)
{
    const ax_value *allowed = list_at(d, object, "allowed", UINT32_MAX),
                   *otherwise = ax_doc_at(object, "default");
    ax_value *values = AX_NEW_N(d->mem, ax_value, allowed->u.list.len);
    for (uint32_t i = 0; i < allowed->u.list.len && !d->rc; i++) {
        values[i] = const_of(d, &allowed->u.list.at[i], "allowed");
        if (!ax_value_fits(&p->type, &values[i])) ax_doc_fail(d, "an allowed value is not of its type");
    }
    p->allowed = values;
    p->allowed_count = allowed->u.list.len;
    p->has_default = otherwise != NULL;
    if (otherwise) p->otherwise = const_of(d, otherwise, "default");
    if (otherwise && !ax_value_fits(&p->type, &p->otherwise))
        ax_doc_fail(d, "the default is not of its type");
}

static void read_param(ax_doc *d, const ax_value *object, uint32_t index, ax_param *p)
{
    p->name = ax_doc_name(d, object, "name");
    if (ax_map_add(d->scratch, &d->param_names, p->name, index) != index)
        ax_doc_fail(d, "two parameters are called '%.*s'", AX_STR(ax_str_slice(p->name, 0, 200)));
    p->type = ax_doc_type(d, object);
    p->doc = ax_doc_str(d, object, "description");
    read_param_values(d, object, p);
    const ax_value *range = ax_doc_kind_at(d, object, "range", AX_T_LIST);
    if (!range) return;
    const ax_value *ends = range->u.list.at;
    p->has_range = range->u.list.len == 2 && ends[0].kind == AX_T_INT && ends[1].kind == AX_T_INT &&
                   ends[0].u.i <= ends[1].u.i;
    if (!p->has_range) {
        ax_doc_fail(d, "key 'range' wants two ints in order");
        return;
    }
    p->range_from = ends[0].u.i;
    p->range_to = ends[1].u.i;
}

static void read_params(ax_doc *d, const ax_value *root)
{
    const ax_value *list = list_at(d, root, "params", UINT32_MAX);
    ax_param *params = AX_NEW_N(d->mem, ax_param, list->u.list.len);
    for (uint32_t i = 0; i < list->u.list.len && !d->rc; i++) {
        const ax_value *object = ax_doc_object(d, list, i);
        if (object) read_param(d, object, i, &params[i]);
        if (d->rc) ax_err_prefix(d->err, "params[%u]", i);
    }
    d->plan->params = params;
    d->plan->param_count = list->u.list.len;
}

static int64_t date_at(ax_doc *d, const ax_value *object, const char *key, bool *present)
{
    ax_value date = {.kind = AX_T_DATE};
    ax_str text = ax_doc_str(d, object, key);
    *present = text.len > 0;
    if (text.len && !d->rc)
        ax_doc_failed(d, ax_value_parse(d->mem, ax_type_of(AX_T_DATE, false), text, &date, d->err), key);
    return date.u.i;
}

static void read_schedule(ax_doc *d, const ax_value *object, ax_schedule *s)
{
    s->name = ax_doc_str(d, object, "name");
    s->cron = ax_doc_str(d, object, "cron");
    s->every_ms = ax_doc_seconds(d, object, "everySeconds", 0);
    s->timezone = ax_doc_str(d, object, "timezone");
    s->start_day = date_at(d, object, "start", &s->has_start);
    s->end_day = date_at(d, object, "end", &s->has_end);
    s->window_ms = ax_doc_seconds(d, object, "windowSeconds", AX_DOC_WINDOW_MS);
    s->line = ax_doc_line(d, object);
    ax_str catchup = ax_doc_str(d, object, "catchup");
    s->catchup = catchup.len ? ax_catchup_named(catchup) : AX_CATCHUP_LATEST;
    if (s->catchup == AX_CATCHUP_COUNT) ax_doc_fail(d, "there is no catchup '%.*s'", AX_STR(catchup));
    if ((s->cron.len > 0) == (s->every_ms > 0))
        ax_doc_fail(d, "a schedule has either 'cron' or 'everySeconds'");
}

static void read_schedules(ax_doc *d, const ax_value *root)
{
    const ax_value *list = list_at(d, root, "schedules", UINT32_MAX);
    ax_schedule *schedules = AX_NEW_N(d->mem, ax_schedule, list->u.list.len);
    for (uint32_t i = 0; i < list->u.list.len && !d->rc; i++) {
        const ax_value *object = ax_doc_object(d, list, i);
        if (object) read_schedule(d, object, &schedules[i]);
        if (d->rc) ax_err_prefix(d->err, "schedules[%u]", i);
    }
    d->plan->schedules = schedules;
    d->plan->schedule_count = list->u.list.len;
}

/* ---- graph ---- */

/* The number that a name stands for in map. */
static uint32_t index_at(ax_doc *d, const ax_value *object, const char *key, const ax_map *map)
{
    const ax_value *name = ax_doc_kind_at(d, object, key, AX_T_STRING);
    uint32_t index = name ? ax_map_get(map, name->u.s) : AX_MAP_NONE;
    if (name && index == AX_MAP_NONE)
        ax_doc_fail(d, "key '%s': there is no '%.*s'", key, AX_STR(ax_str_slice(name->u.s, 0, 200)));
    if (!name) ax_doc_fail(d, "key '%s' is missing", key);
    return index;
}

/* Makes node `id` the next whole of def or the next of its copies, which must follow one another. */
static void add_copy(ax_doc *d, ax_def *def, uint32_t id, bool whole)
{
    if (whole) {
        if (def->whole == AX_NONE) def->whole = id;
        if (def->whole + def->whole_count != id || !def->fan_out)
            ax_doc_fail(d, "'%.*s' has no such whole", AX_STR(def->name));
        def->whole_count++;
        return;
    }
    if (def->count == 0) def->first = id;
    if (def->first + def->count != id) ax_doc_fail(d, "the copies of '%.*s' are apart", AX_STR(def->name));
    def->count++;
}

typedef AX_VEC(ax_value) value_list;

static void read_values(ax_doc *d, const ax_value *object, const ax_def *def, value_list *values)
{
    const ax_value *matrix = ax_doc_kind_at(d, object, "matrix", AX_T_MAP);
    for (uint32_t k = 0; k < def->key_count && !d->rc; k++) {
        uint32_t at = matrix ? ax_value_key(matrix, def->keys[k]) : UINT32_MAX;
        if (at == UINT32_MAX)
            ax_doc_fail(d, "key 'matrix' has no '%.*s'", AX_STR(ax_str_slice(def->keys[k], 0, 200)));
        else ax_vec_push(d->mem, values, const_of(d, &matrix->u.map.at[at], "matrix"));
    }
}

static void read_node(ax_doc *d, const ax_value *object, uint32_t id, ax_plan_node *node, value_list *values)
{
    node->name = ax_doc_name(d, object, "id");
    node->parent = AX_NONE;
    node->values = values->len;
    if (ax_map_add(d->scratch, &d->node_names, node->name, id) != id)
        ax_doc_fail(d, "two nodes have the same id");
    uint32_t def = index_at(d, object, ax_doc_at(object, "task") ? "task" : "id", &d->def_names);
    bool whole = ax_doc_bool(d, object, "whole", false);
    if (d->rc) return;
    node->def = def;
    add_copy(d, &d->defs[def], id, whole);
    if (!whole) read_values(d, object, &d->plan->defs[def], values);
}

static void read_parent(ax_doc *d, const ax_value *object, ax_plan_node *node)
{
    if (!ax_doc_at(object, "group")) return;
    uint32_t parent = index_at(d, object, "group", &d->node_names);
    if (d->rc) return;
    if (ax_plan_kind(d->plan, parent) != AX_NODE_GROUP) ax_doc_fail(d, "key 'group' names no group");
    node->parent = parent;
}

static ax_plan_node *read_nodes(ax_doc *d, const ax_value *graph)
{
    const ax_value *list = list_at(d, graph, "nodes", AX_NODES_MAX);
    ax_plan_node *nodes = AX_NEW_N(d->mem, ax_plan_node, list->u.list.len);
    value_list values = {0};
    d->plan->nodes = nodes;
    d->plan->node_count = list->u.list.len;
    for (uint32_t i = 0; i < list->u.list.len && !d->rc; i++) {
        const ax_value *object = ax_doc_object(d, list, i);
        if (object) read_node(d, object, i, &nodes[i], &values);
        if (d->rc) ax_err_prefix(d->err, "nodes[%u]", i);
    }
    for (uint32_t i = 0; i < list->u.list.len && !d->rc; i++) {
        read_parent(d, &list->u.list.at[i], &nodes[i]);
        if (d->rc) ax_err_prefix(d->err, "nodes[%u]", i);
    }
    d->plan->values = values.at;
    d->plan->value_count = values.len;
    return nodes;
}

static void read_edge(ax_doc *d, const ax_value *object, ax_plan_edge *edge)
{
    ax_str outcome = ax_doc_str(d, object, "outcome");
    ax_outcome on = outcome.len ? ax_outcome_named(outcome) : AX_ON_SUCCEEDED;
    if (on == AX_ON_COUNT)
        ax_doc_fail(d, "there is no outcome '%.*s'", AX_STR(ax_str_slice(outcome, 0, 100)));
    edge->from = index_at(d, object, "from", &d->node_names);
    edge->to = index_at(d, object, "to", &d->node_names);
    edge->outcome = (uint8_t)on;
    edge->line = ax_doc_line(d, object);
}

static ax_plan_edge *read_edges(ax_doc *d, const ax_value *graph)
{
    const ax_value *list = list_at(d, graph, "edges", AX_EDGES_MAX);
    ax_plan_edge *edges = AX_NEW_N(d->mem, ax_plan_edge, list->u.list.len);
    for (uint32_t i = 0; i < list->u.list.len && !d->rc; i++) {
        const ax_value *object = ax_doc_object(d, list, i);
        if (object) read_edge(d, object, &edges[i]);
        if (d->rc) ax_err_prefix(d->err, "edges[%u]", i);
    }
    d->plan->edge_count = list->u.list.len;
    return edges;
}

static void index_graph(ax_doc *d, ax_plan_node *nodes, ax_plan_edge *edges)
{
    if (d->rc || ax_plan_index(d->plan, nodes, edges)) return;
    uint32_t n = 0;
    while (nodes[n].rank != AX_NONE) n++;
    ax_doc_fail(d, "the graph has a cycle at or before '%.*s'", AX_STR(ax_str_slice(nodes[n].name, 0, 200)));
}

/* ---- the whole ---- */

static void read_root(ax_doc *d, const ax_value *root)
{
    static const ax_value none = {.kind = AX_T_MAP};
    ax_plan *p = d->plan;
    if (ax_doc_int(d, root, "axVersion", (const int64_t[]){INT64_MIN, INT64_MAX}, 0) != AX_DOC_VERSION)
        ax_doc_fail(d, "this is no task-definition document of version %d", AX_DOC_VERSION);
    p->name = ax_doc_name(d, root, "taskName");
    p->title = ax_doc_str(d, root, "title");
    p->doc = ax_doc_str(d, root, "description");
    p->owner = ax_doc_str(d, root, "owner");
    p->tags = ax_doc_words(d, root, "tags", &p->tag_count);
    const ax_value *source = ax_doc_kind_at(d, root, "source", AX_T_MAP);
    p->file = ax_doc_str(d, source ? source : &none, "file");
    p->line = ax_doc_line(d, source ? source : &none);
    const ax_value *policy = ax_doc_kind_at(d, root, "policy", AX_T_MAP);
    if (!policy) policy = &none;
    ax_str failure = ax_doc_str(d, policy, "failurePolicy");
    p->policy = failure.len ? ax_policy_named(failure) : AX_POLICY_SKIP;
    if (p->policy == AX_POLICY_COUNT) ax_doc_fail(d, "there is no failure policy '%.*s'", AX_STR(failure));
    p->max_active_runs =
        (uint32_t)ax_doc_int(d, policy, "maxActiveRuns", (const int64_t[]){1, UINT32_MAX}, 1);
    p->timeout_ms = ax_doc_seconds(d, policy, "timeoutSeconds", 0);
}

static void read_defs(ax_doc *d, const ax_value *list)
{
    d->defs = AX_NEW_N(d->mem, ax_def, list->u.list.len);
    d->plan->defs = d->defs;
    d->plan->def_count = list->u.list.len;
    for (uint32_t i = 0; i < list->u.list.len && !d->rc; i++) {
        const ax_value *object = ax_doc_object(d, list, i);
        if (object) ax_doc_def(d, object, i, &d->defs[i]);
        if (d->rc) ax_err_prefix(d->err, "tasks[%u]", i);
    }
}

static void read_exprs(ax_doc *d, const ax_value *list)
{
    for (uint32_t i = 0; i < list->u.list.len && !d->rc; i++) {
        ax_doc_def_exprs(d, &list->u.list.at[i], &d->defs[i]);
        if (d->rc) ax_err_prefix(d->err, "tasks[%u]", i);
    }
}

static void read_document(ax_doc *d, const ax_value *root)
{
    static const ax_value none = {.kind = AX_T_MAP};
    if (root->kind != AX_T_MAP) {
        ax_doc_fail(d, "a document is a JSON object");
        return;
    }
    read_root(d, root);
    read_schedules(d, root);
    read_params(d, root);
    const ax_value *tasks = list_at(d, root, "tasks", AX_NODES_MAX);
    const ax_value *graph = ax_doc_kind_at(d, root, "graph", AX_T_MAP);
    read_defs(d, tasks);
    ax_plan_node *nodes = read_nodes(d, graph ? graph : &none);
    ax_plan_edge *edges = read_edges(d, graph ? graph : &none);
    read_exprs(d, tasks);
    index_graph(d, nodes, edges);
}

ax_rc ax_plan_read(ax_arena *mem, ax_str json, ax_plan **out, ax_err *err)
{
    if (json.len > AX_PLAN_BYTES_MAX) return ax_fail(err, AX_INVALID, "the document is larger than 1 GiB");
    ax_arena scratch = AX_ARENA_INIT;
    ax_err local = {0};
    ax_doc d = {.mem = mem, .scratch = &scratch, .err = err ? err : &local};
    d.plan = AX_NEW(mem, ax_plan);
    d.plan->mem = mem;
    ax_value root;
    d.rc = ax_json_read(&scratch, json, DOC_DEPTH_MAX, &root, d.err);
    if (!d.rc) read_document(&d, &root);
    ax_arena_free(&scratch);
    if (!d.rc) ax_plan_seal(d.plan);
    *out = d.rc ? NULL : d.plan;
    return d.rc;
}
