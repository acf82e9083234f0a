/* test_plan_json.c - the task-definition document: its exact form, the way back, and what is refused. */
#include "tests/lib/test.h"

#include <stdio.h>
#include <string.h>

#include "dsl/base/file.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/plan_json.h"

static ax_arena mem;

static int teardown(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

static ax_str written(const ax_plan *plan, int indent)
{
    ax_buf buf = AX_BUF_INIT(1 << 24);
    ax_plan_write(plan, indent, &buf);
    ax_str copy = ax_str_dup(&mem, ax_buf_str(&buf));
    assert_false(buf.full);
    ax_buf_free(&buf);
    return copy;
}

static ax_plan *read_back(ax_str text)
{
    ax_plan *plan;
    ax_err err;
    if (ax_plan_read(&mem, text, &plan, &err)) fail_msg("%s in %.*s", err.text, AX_STR(text));
    return plan;
}

/* Reads what was written and checks that writing it again gives the same bytes. */
static ax_plan *check_round_trip(const ax_plan *plan)
{
    ax_str once = written(plan, 0);
    ax_plan *again = read_back(once);
    assert_str(written(again, 0), ax_str_c(&mem, once));
    assert_str(written(read_back(written(plan, 2)), 2), ax_str_c(&mem, written(plan, 2)));
    return again;
}

static ax_expr *str_const(const char *text)
{
    return ax_expr_const(&mem, (ax_value){.kind = AX_T_STRING, .u.s = ax_str_of(text)});
}

static ax_expr *whole_const(ax_type_kind kind, int64_t n)
{
    return ax_expr_const(&mem, (ax_value){.kind = kind, .u.i = n});
}

static ax_expr *op(ax_x_kind kind, ax_expr *a, ax_expr *b)
{
    ax_expr *args[] = {a, b}, *out;
    ax_err err;
    if (ax_expr_op(&mem, kind, args, b ? 2 : 1, &out, &err)) fail_msg("%s", err.text);
    return out;
}

/* A definition with every default. */
static ax_def plain_def(const char *name)
{
    return (ax_def){
        .name = ax_str_of(name),
        .kind = AX_NODE_TASK,
        .file = AX_LIT("w.axf"),
        .kill_after_ms = 30000,
        .enabled = true,
        .idempotent = true,
        .whole = AX_NONE,
    };
}

/* ---- the form ---- */

static void a_small_plan_has_this_document(void **state)
{
    (void)state;
    ax_def defs[] = {plain_def("build"), plain_def("done")};
    defs[0].action = AX_ACTION_RUN;
    defs[0].script = AX_LIT("make");
    defs[0].count = 1;
    defs[0].line = 3;
    defs[1].kind = AX_NODE_GATE;
    defs[1].first = 1;
    defs[1].count = 1;
    ax_plan_node nodes[] = {{.name = defs[0].name, .parent = AX_NONE},
                            {.name = defs[1].name, .def = 1, .parent = AX_NONE}};
    ax_plan_edge edges[] = {{.from = 0, .to = 1, .line = 4}};
    ax_schedule schedule = {.cron = AX_LIT("0 2 * * *"), .timezone = AX_LIT("Asia/Shanghai"), .line = 2};
    schedule.window_ms = 86400000;
    schedule.catchup = AX_CATCHUP_LATEST;
    ax_plan plan = {
        .mem = &mem, .name = AX_LIT("w"), .file = AX_LIT("w.axf"), .line = 1, .max_active_runs = 1};
    plan.schedules = &schedule;
    plan.schedule_count = 1;
    plan.defs = defs;
    plan.def_count = 2;
    plan.node_count = 2;
    plan.edge_count = 1;
    assert_true(ax_plan_index(&plan, nodes, edges));
    assert_str(written(&plan, 2),
               "{\n"
               "  \"axVersion\": 1,\n"
               "  \"taskName\": \"w\",\n"
               "  \"source\": {\"file\": \"w.axf\", \"line\": 1},\n"
               "  \"trigger\": {\"type\": \"cron\", \"expression\": \"0 2 * * *\", \"timezone\": "
               "\"Asia/Shanghai\"},\n"
               "  \"schedules\": [\n"
               "    {\"cron\": \"0 2 * * *\", \"timezone\": \"Asia/Shanghai\", \"line\": 2}\n"
               "  ],\n"
               "  \"tasks\": [\n"
               "    {\n"
               "      \"taskName\": \"build\",\n"
               "      \"action\": {\n"
               "        \"type\": \"command\",\n"
               "        \"command\": \"make\"\n"
               "      },\n"
               "      \"source\": {\"line\": 3}\n"
               "    },\n"
               "    {\n"
               "      \"taskName\": \"done\",\n"
               "      \"kind\": \"gate\"\n"
               "    }\n"
               "  ],\n"
               "  \"graph\": {\n"
               "    \"nodes\": [\n"
               "      {\"id\": \"build\"},\n"
               "      {\"id\": \"done\", \"kind\": \"gate\"}\n"
               "    ],\n"
               "    \"edges\": [\n"
               "      {\"from\": \"build\", \"to\": \"done\", \"line\": 4}\n"
               "    ]\n"
               "  }\n"
               "}");
    ax_plan *again = check_round_trip(&plan);
    assert_int_equal(again->schedules[0].window_ms, 86400000);
    assert_int_equal(again->defs[0].shell_count, 3);
    ax_plan_seal(&plan);
    assert_string_equal(plan.hash, again->hash);
    assert_int_equal(strlen(plan.hash), 64);
}

static void an_empty_plan_goes_there_and_back(void **state)
{
    (void)state;
    ax_plan plan = {.mem = &mem, .name = AX_LIT("empty"), .max_active_runs = 1};
    assert_true(ax_plan_index(&plan, NULL, NULL));
    assert_str(written(&plan, 0),
               "{\"axVersion\":1,\"taskName\":\"empty\",\"tasks\":[],\"graph\":{\"nodes\":[],\"edges\":[]}}");
    check_round_trip(&plan);
}

/* ---- everything at once ---- */

/* A task that differs from its defaults in everything, with an expression of every kind. */
static ax_def full_def(void)
{
    static const ax_str words[] = {{"bash", 4}, {"-c", 2}}, keys[] = {{"table", 5}, {"day", 3}};
    static const int64_t waits[] = {500, 60000};
    static const ax_why on[] = {{AX_WHY_EXIT, 75, 75},
                                {AX_WHY_EXIT, 100, 110},
                                {AX_WHY_TIMEOUT, 0, 0},
                                {AX_WHY_LOST, 0, 0},
                                {AX_WHY_ANY, 0, 0}};
    ax_def d = plain_def("sync");
    d.title = AX_LIT("Sync \"all\"");
    d.doc = AX_LIT("Two\nlines.");
    d.tags = words;
    d.tag_count = 2;
    d.action = AX_ACTION_RUN;
    d.script = AX_LIT("echo \"$AX_V1\"\n");
    d.shell = words;
    d.shell_count = 2;
    d.timeout_ms = 1500;
    d.kill_after_ms = 1;
    d.retry =
        (ax_retry){.max = 3, .waits_ms = waits, .wait_count = 2, .jitter = 0.1, .on = on, .on_count = 5};
    d.policy = AX_POLICY_BRANCH;
    d.join = AX_JOIN_AT_LEAST;
    d.join_count = 2;
    d.skip_on = on;
    d.skip_on_count = 2;
    d.finally_ = true;
    d.enabled = false;
    d.idempotent = false;
    d.priority = -5;
    d.keys = keys;
    d.key_count = 2;
    d.fan_out = true;
    d.file = AX_LIT("lib.axf");
    d.line = 9;
    return d;
}

/* Expressions of every kind over parameter 0, key 0 and the output of definition 1. */
static const ax_binding *all_bindings(uint32_t *count)
{
    ax_type int_type = *ax_type_of(AX_T_INT, false), string = *ax_type_of(AX_T_STRING, false);
    ax_expr *rows = ax_expr_output(&mem, 1, 0, int_type, NULL, 0), *region = ax_expr_param(&mem, 0, string);
    ax_expr *key = ax_expr_key(&mem, 0, string), *one = whole_const(AX_T_INT, 1);
    ax_expr *date = ax_expr_root(&mem, AX_ROOT_DATE), *day = whole_const(AX_T_DURATION, 86400000);
    ax_expr *test = op(AX_X_GT, rows, one), *parts[] = {test, region, key}, *cond, *list, *text, *format;
    assert_int_equal(ax_expr_op(&mem, AX_X_COND, parts, 3, &cond, NULL), AX_OK);
    assert_int_equal(ax_expr_op(&mem, AX_X_LIST, parts, 3, &list, NULL), AX_OK);
    assert_int_equal(ax_expr_op(&mem, AX_X_CONCAT, parts, 3, &text, NULL), AX_OK);
    ax_expr *call[] = {date, str_const("%Y")};
    assert_int_equal(ax_expr_call(&mem, ax_fn_find(AX_LIT("format")), call, 2, &format, NULL), AX_OK);
    ax_expr *sum = op(AX_X_ADD, op(AX_X_ADD, rows, one), op(AX_X_ADD, rows, rows));
    ax_expr *const all[] = {
        region,
        key,
        rows,
        date,
        cond,
        list,
        text,
        format,
        sum,
        op(AX_X_SUB, date, day),
        op(AX_X_NEG, rows, NULL),
        op(AX_X_NOT, test, NULL),
        op(AX_X_AND, test, op(AX_X_OR, test, test)),
        op(AX_X_IN, key, list),
        op(AX_X_INDEX, list, one),
        op(AX_X_MUL, rows, rows),
        op(AX_X_DIV, rows, one),
        op(AX_X_EQ, key, region),
        op(AX_X_NE, key, region),
        op(AX_X_LT, rows, one),
        op(AX_X_LE, rows, one),
        op(AX_X_GE, rows, one),
    };
    *count = sizeof all / sizeof *all;
    ax_binding *at = AX_NEW_N(&mem, ax_binding, *count);
    for (uint32_t i = 0; i < *count; i++) at[i] = (ax_binding){ax_str_fmt(&mem, "V%u", i), all[i]};
    return at;
}

/* Parameters of every type, each with a default. */
static const ax_param *all_params(uint32_t *count)
{
    static const ax_value items[] = {{.kind = AX_T_FLOAT, .u.f = 2}, {.kind = AX_T_FLOAT, .u.f = 0.1}};
    static const ax_str keys[] = {{"x", 1}, {"y", 1}};
    const ax_value values[] = {
        {.kind = AX_T_STRING, .u.s = AX_LIT("eu")},
        {.kind = AX_T_BOOL, .u.b = true},
        {.kind = AX_T_INT, .u.i = INT64_MIN},
        {.kind = AX_T_FLOAT, .u.f = 1},
        {.kind = AX_T_DURATION, .u.i = -1500},
        {.kind = AX_T_SIZE, .u.i = 1024},
        {.kind = AX_T_DATE, .u.i = 20787},
        {.kind = AX_T_TIME, .u.i = 440},
        {.kind = AX_T_PERCENT, .u.f = 12.5},
        {.kind = AX_T_INSTANT, .u.i = -1},
        {.kind = AX_T_RANGE, .u.range = {1, 10}},
        {.kind = AX_T_LIST, .u.list = {items, 2}},
        {.kind = AX_T_MAP, .u.map = {keys, items, 2}},
    };
    *count = sizeof values / sizeof *values;
    ax_param *p = AX_NEW_N(&mem, ax_param, *count);
    ax_value *copy = AX_NEW_N(&mem, ax_value, *count);
    for (uint32_t i = 0; i < *count; i++) {
        copy[i] = values[i];
        p[i] = (ax_param){.name = ax_str_fmt(&mem, "p%u", i), .type = {.kind = values[i].kind}};
        p[i].has_default = true;
        p[i].otherwise = values[i];
    }
    p[0].allowed = copy;
    p[0].allowed_count = 1;
    p[0].doc = AX_LIT("where");
    p[2].has_range = true;
    p[2].range_from = INT64_MIN;
    p[11].type.of = ax_type_of(AX_T_FLOAT, false);
    return p;
}

/* The full task, a member of a group, the group, and a definition without copies. */
static const ax_def *full_defs(void)
{
    static const ax_output outputs[] = {{.name = {"rows", 4}, .type = {.kind = AX_T_INT}}};
    ax_def *defs = AX_NEW_N(&mem, ax_def, 4);
    defs[0] = full_def();
    defs[0].env = all_bindings(&defs[0].env_count);
    defs[0].binds = defs[0].env;
    defs[0].bind_count = 1;
    defs[0].when = defs[0].env[11].value;
    defs[0].cwd = defs[0].env[0].value;
    defs[0].count = 2;
    defs[0].whole = 2;
    defs[0].whole_count = 1;
    defs[1] = plain_def("g.make");
    defs[1].action = AX_ACTION_EXEC;
    ax_expr **argv = AX_NEW_N(&mem, ax_expr *, 2);
    argv[0] = str_const("make");
    argv[1] = ax_expr_root(&mem, AX_ROOT_DATE);
    defs[1].argv = argv;
    defs[1].argc = 2;
    ax_output *with_default = AX_NEW_N(&mem, ax_output, 1);
    *with_default = outputs[0];
    with_default->otherwise = whole_const(AX_T_INT, 0);
    defs[1].outputs = with_default;
    defs[1].output_count = 1;
    defs[1].retry.backoff = AX_BACKOFF_EXPONENTIAL;
    defs[1].retry.base_ms = 30000;
    defs[1].retry.factor = 1.5;
    defs[1].retry.cap_ms = 3600000;
    defs[1].first = 3;
    defs[1].count = 1;
    defs[1].join = AX_JOIN_ANY;
    defs[2] = plain_def("g");
    defs[2].kind = AX_NODE_GROUP;
    defs[2].first = 4;
    defs[2].count = 1;
    defs[3] = plain_def("never"); /* a definition without copies */
    defs[3].retry.waits_ms = AX_NEW_N(&mem, int64_t, 1);
    defs[3].retry.wait_count = 1;
    for (uint32_t d = 1; d < 4; d++) defs[d].policy = AX_POLICY_PAUSE;
    return defs;
}

/* Copies with their whole, the group with its member, and edges of every outcome. */
static void add_graph(ax_plan *plan)
{
    ax_value *values = AX_NEW_N(&mem, ax_value, 4);
    values[0] = (ax_value){.kind = AX_T_STRING, .u.s = AX_LIT("a\"b")};
    values[1] = values[3] = (ax_value){.kind = AX_T_DATE, .u.i = 0};
    values[2] = (ax_value){.kind = AX_T_STRING, .u.s = AX_LIT("c")};
    ax_plan_node *nodes = AX_NEW_N(&mem, ax_plan_node, 5);
    nodes[0] = (ax_plan_node){.name = AX_LIT("sync[\"a\\\"b\"]"), .parent = 2};
    nodes[1] = (ax_plan_node){.name = AX_LIT("sync[\"c\"]"), .parent = 2, .values = 2};
    nodes[2] = (ax_plan_node){.name = AX_LIT("sync"), .parent = AX_NONE};
    nodes[3] = (ax_plan_node){.name = AX_LIT("g.make"), .def = 1, .parent = 4};
    nodes[4] = (ax_plan_node){.name = AX_LIT("g"), .def = 2, .parent = AX_NONE};
    ax_plan_edge *edges = AX_NEW_N(&mem, ax_plan_edge, AX_ON_COUNT + 1);
    for (uint32_t e = 0; e < AX_ON_COUNT; e++)
        edges[e] = (ax_plan_edge){.from = 4, .to = e % 2, .outcome = (uint8_t)e, .line = e};

    plan->node_count = 5;
    plan->values = values;
    plan->value_count = 4;
    plan->edge_count = AX_ON_COUNT;
    assert_true(ax_plan_index(plan, nodes, edges));
}

static ax_plan *full_plan(void)
{
    static const ax_schedule schedules[] = {
        {.name = {"often", 5}, .every_ms = 90500, .window_ms = 1, .catchup = AX_CATCHUP_NONE, .line = 5},
        {.cron = {"@daily", 6},
         .timezone = {"UTC", 3},
         .has_start = true,
         .has_end = true,
         .start_day = 0,
         .end_day = 20787,
         .window_ms = 86400000,
         .catchup = AX_CATCHUP_ALL},
    };
    ax_plan *plan = AX_NEW(&mem, ax_plan);
    *plan = (ax_plan){.mem = &mem, .name = AX_LIT("w"), .title = AX_LIT("T"), .doc = AX_LIT("D"), .line = 1};
    plan->owner = AX_LIT("data-platform");
    plan->file = AX_LIT("w.axf");
    plan->policy = AX_POLICY_PAUSE;
    plan->max_active_runs = 4;
    plan->timeout_ms = 7200000;
    plan->defs = full_defs();
    plan->tags = plan->defs[0].tags;
    plan->tag_count = 1;
    plan->params = all_params(&plan->param_count);
    plan->schedules = schedules;
    plan->schedule_count = 2;
    plan->def_count = 4;
    add_graph(plan);
    return plan;
}

static void a_plan_with_everything_goes_there_and_back(void **state)
{
    (void)state;
    const ax_plan *plan = full_plan(), *again = check_round_trip(plan);
    const ax_def *d = &plan->defs[0], *e = &again->defs[0];
    assert_str(e->title, "Sync \"all\"");
    assert_str(e->doc, "Two\nlines.");
    assert_str(e->file, "lib.axf");
    assert_str(again->defs[1].file, "w.axf");
    assert_true(e->timeout_ms == 1500 && e->kill_after_ms == 1 && e->retry.max == 3 &&
                e->retry.waits_ms[0] == 500);
    assert_true(e->retry.jitter == d->retry.jitter && e->retry.on_count == 5 && e->retry.on[1].to == 110);
    assert_true(e->policy == AX_POLICY_BRANCH && e->join == AX_JOIN_AT_LEAST && e->join_count == 2);
    assert_true(e->finally_ && !e->enabled && !e->idempotent && e->priority == -5 && e->skip_on_count == 2);
    assert_true(e->fan_out && e->first == 0 && e->count == 2 && e->whole == 2 && e->shell_count == 2);
    assert_int_equal(again->defs[2].kind, AX_NODE_GROUP);
    assert_int_equal(again->defs[3].count, 0);
    assert_int_equal(again->defs[3].policy, AX_POLICY_PAUSE);
    assert_int_equal(again->nodes[3].parent, 4);
    assert_int_equal(again->nodes[1].values, 2);
    assert_true(ax_value_eq(&again->values[1], &plan->values[1]));
    assert_int_equal(again->schedules[0].every_ms, 90500);
    assert_true(again->schedules[1].has_end && again->schedules[1].end_day == 20787);
    for (uint32_t i = 0; i < plan->param_count; i++) {
        assert_int_equal(again->params[i].type.kind, plan->params[i].type.kind);
        assert_int_equal(again->params[i].otherwise.kind, plan->params[i].otherwise.kind);
        assert_true(ax_value_eq(&again->params[i].otherwise, &plan->params[i].otherwise));
    }
    for (uint32_t i = 0; i < d->env_count; i++) {
        assert_int_equal(e->env[i].value->kind, d->env[i].value->kind);
        assert_int_equal(e->env[i].value->type.kind, d->env[i].value->type.kind);
    }
    for (uint32_t n = 0; n < plan->node_count; n++)
        assert_int_equal(again->nodes[n].rank, plan->nodes[n].rank);
}

static void a_change_changes_the_hash(void **state)
{
    (void)state;
    ax_plan *plan = full_plan();
    ax_plan_seal(plan);
    char before[65];
    memcpy(before, plan->hash, sizeof before);
    ax_plan_seal(plan);
    assert_string_equal(plan->hash, before);
    plan->timeout_ms++;
    ax_plan_seal(plan);
    assert_string_not_equal(plan->hash, before);
}

static void bytes_that_are_no_utf_8_are_replaced_once(void **state)
{
    (void)state;
    ax_plan *plan = full_plan();
    plan->doc = AX_LIT("caf\xe9");
    assert_str(check_round_trip(plan)->doc, "caf\xEF\xBF\xBD");
}

static void the_example_of_the_manual_is_what_is_written(void **state)
{
    (void)state;
    ax_buf page = AX_BUF_INIT(1 << 20);
    ax_err err;
    if (ax_file_read("docs/document.md", &page, &err)) fail_msg("%s", err.text);
    const char *from = strstr(page.ptr, "```json\n"), *to = from ? strstr(from, "\n```\n") : NULL;
    assert_non_null(to);
    ax_str example = {from + 8, (size_t)(to - from) - 8};
    assert_str(written(read_back(example), 2), ax_str_c(&mem, example));
    ax_buf_free(&page);
}

/* ---- what is refused ---- */

#define TASK(more) "{\"taskName\": \"a\"" more "}"
#define DOC_OF(tasks, nodes, edges)                                                                          \
    "{\"axVersion\": 1, \"taskName\": \"w\", \"tasks\": [" tasks "], \"graph\": {\"nodes\": [" nodes         \
    "], \"edges\": [" edges "]}}"
#define ONE(more) DOC_OF(TASK(more), "{\"id\": \"a\"}", "")
#define RUN(more) ONE(", \"action\": {\"type\": \"command\", \"command\": \"x\"" more "}")
#define WHEN(x) ONE(", \"when\": " x)
#define ROOT(more) "{\"axVersion\": 1, \"taskName\": \"w\"" more "}"

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "no JSON at 1:0: unexpected token near end of file"},
    {"[]", "a document is a JSON object"},
    {"{}", "this is no task-definition document of version 1"},
    {"{\"axVersion\": 2, \"taskName\": \"w\"}", "this is no task-definition document of version 1"},
    {"{\"axVersion\": 1}", "key 'taskName' is missing"},
    {"{\"axVersion\": 1, \"taskName\": 5}", "key 'taskName': found int, wanted string"},
    {ROOT(", \"tasks\": 5"), "key 'tasks': found int, wanted list"},
    {ROOT(", \"tasks\": [5]"), "tasks[0]: item 0: found int, wanted an object"},
    {ROOT(", \"tags\": [5]"), "key 'tags': found int, wanted strings"},
    {ROOT(", \"policy\": {\"maxActiveRuns\": 0}"), "key 'maxActiveRuns': 0 is not within 1..4294967295"},
    {ROOT(", \"policy\": {\"failurePolicy\": \"x\"}"), "there is no failure policy 'x'"},
    {ROOT(", \"policy\": {\"timeoutSeconds\": -1}"), "key 'timeoutSeconds' wants a number of seconds"},
    {ROOT(", \"policy\": {\"timeoutSeconds\": 1e300}"), "key 'timeoutSeconds' wants a number of seconds"},
    {ROOT(", \"schedules\": [{}]"), "schedules[0]: a schedule has either 'cron' or 'everySeconds'"},
    {ROOT(", \"schedules\": [{\"cron\": \"x\", \"start\": \"x\"}]"),
     "schedules[0]: key 'start': 'x' is not a date like 2026-11-30"},
    {ROOT(", \"schedules\": [{\"cron\": \"x\", \"catchup\": \"x\"}]"),
     "schedules[0]: there is no catchup 'x'"},
    {ROOT(", \"params\": [{\"name\": \"p\"}]"), "params[0]: key 'type' is missing"},
    {ROOT(", \"params\": [{\"name\": \"p\", \"type\": \"list(x)\"}]"),
     "params[0]: there is no type 'list(x)'"},
    {ROOT(", \"params\": [{\"name\": \"p\", \"type\": \"int\", \"default\": \"x\"}]"),
     "params[0]: the default is not of its type"},
    {ROOT(", \"params\": [{\"name\": \"p\", \"type\": \"int\", \"default\": [1]}]"),
     "params[0]: key 'default': found an array, wanted a constant"},
    {ROOT(", \"params\": [{\"name\": \"p\", \"type\": \"int\", \"default\": {\"x\": 1}}]"),
     "params[0]: key 'default': an object as a constant has one key, the name of a type"},
    {ROOT(", \"params\": [{\"name\": \"p\", \"type\": \"int\", \"allowed\": [true]}]"),
     "params[0]: an allowed value is not of its type"},
    {ROOT(", \"params\": [{\"name\": \"p\", \"type\": \"int\", \"range\": [2, 1]}]"),
     "params[0]: key 'range' wants two ints in order"},
    {ROOT(", \"params\": [{\"name\": \"p\", \"type\": \"int\"}, {\"name\": \"p\", \"type\": \"int\"}]"),
     "params[1]: two parameters are called 'p'"},
    {DOC_OF(TASK("") "," TASK(""), "", ""), "tasks[1]: two tasks are called 'a'"},
    {ONE(", \"kind\": \"x\""), "tasks[0]: there is no kind 'x'"},
    {ONE(", \"enabled\": 1"), "tasks[0]: key 'enabled': found int, wanted bool"},
    {ONE(", \"join\": \"at_least\""), "tasks[0]: there is no join 'at_least'"},
    {ONE(", \"join\": {\"atLeast\": 0}"), "tasks[0]: key 'atLeast': 0 is not within 1..4294967295"},
    {ONE(", \"skipOn\": [\"timeout\"]"), "tasks[0]: key 'skipOn' takes exit codes only"},
    {ONE(", \"skipOn\": [\"exit(x)\"]"), "tasks[0]: key 'skipOn': 'exit(x)' is no condition"},
    {ONE(", \"skipOn\": [\"exit(2..1)\"]"), "tasks[0]: key 'skipOn': 'exit(2..1)' is no condition"},
    {ONE(", \"skipOn\": [\"exit(9999999999)\"]"),
     "tasks[0]: key 'skipOn': 'exit(9999999999)' is no condition"},
    {ONE(", \"skipOn\": [\"exit\"]"), "tasks[0]: key 'skipOn': 'exit' is no condition"},
    {ONE(", \"policy\": {\"jitter\": 2}"), "tasks[0]: key 'jitter': 2 is not within 0..1"},
    {ONE(", \"policy\": {\"jitter\": \"x\"}"), "tasks[0]: key 'jitter': found string, wanted a number"},
    {ONE(", \"policy\": {\"backoff\": 5}"), "tasks[0]: key 'backoff' wants an array or an object"},
    {ONE(", \"policy\": {\"backoff\": [true]}"), "tasks[0]: key 'backoff' wants a number of seconds"},
    {ONE(", \"policy\": {\"backoff\": {\"factor\": 0.5}}"),
     "tasks[0]: key 'factor': 0.5 is not within 1..1e+06"},
    {ONE(", \"outputs\": [{\"name\": \"o\"}]"), "tasks[0]: key 'type' is missing"},
    {ONE(", \"action\": {\"type\": \"http\"}"), "tasks[0]: there is no action 'http'"},
    {ONE(", \"action\": {\"type\": \"command\", \"argv\": []}"), "tasks[0]: key 'argv' is empty"},
    {RUN(", \"bind\": {\"A\": [\"param\", \"x\"]}"), "tasks[0]: key 'bind': there is no parameter 'x'"},
    {WHEN("[]"),
     "tasks[0]: key 'when': an expression is a constant, or an array that begins with an operator"},
    {WHEN("[5]"),
     "tasks[0]: key 'when': an expression is a constant, or an array that begins with an operator"},
    {WHEN("[\"^\", 1]"), "tasks[0]: key 'when': there is no operator '^'"},
    {WHEN("[\"not\", 1, 2]"), "tasks[0]: key 'when': 'not' does not take 2 operands"},
    {WHEN("[\"+\", 1]"), "tasks[0]: key 'when': '+' does not take 1 operands"},
    {WHEN("[\"if\", true]"), "tasks[0]: key 'when': 'if' does not take 1 operands"},
    {WHEN("[\"==\", 1, 2, 3]"), "tasks[0]: key 'when': '==' does not take 3 operands"},
    {WHEN("[\"param\"]"), "tasks[0]: key 'when': 'param' wants a name"},
    {WHEN("[\"root\", \"date\", 1]"), "tasks[0]: key 'when': 'root' takes a name only"},
    {WHEN("[\"root\", \"x\"]"), "tasks[0]: key 'when': there is no root 'x'"},
    {WHEN("[\"key\", \"x\"]"), "tasks[0]: key 'when': there is no matrix key 'x'"},
    {WHEN("[\"call\", \"x\"]"), "tasks[0]: key 'when': there is no function 'x'"},
    {WHEN("[\"call\", \"len\"]"), "tasks[0]: key 'when': len takes 1 argument, found 0"},
    {WHEN("[\"output\", \"x\", \"rows\"]"), "tasks[0]: key 'when': there is no task 'x'"},
    {WHEN("[\"output\", \"a\"]"),
     "tasks[0]: key 'when': an output wants the names of its task and of itself"},
    {WHEN("[\"output\", \"a\", \"rows\"]"), "tasks[0]: key 'when': there is no output 'rows'"},
    {WHEN("[\"+\", 1, \"a\"]"), "tasks[0]: key 'when': cannot add an int and a string"},
    {WHEN("[\"/\", 1, 0]"), "tasks[0]: key 'when': division by zero"},
    {WHEN("{\"date\": 5}"), "tasks[0]: key 'when': a constant of type date wants a string"},
    {WHEN("{\"date\": \"x\"}"), "tasks[0]: key 'when': 'x' is not a date like 2026-11-30"},
    {WHEN("{\"list\": 5}"), "tasks[0]: key 'when': a list constant wants an array"},
    {WHEN("{\"map\": []}"), "tasks[0]: key 'when': a map constant wants an object"},
    {ONE(", \"outputs\": [{\"name\": \"o\", \"type\": \"int\"}], \"when\": [\"output\", \"a\", \"o\", "
         "1]"),
     "tasks[0]: key 'when': a copy of 'a' has 0 keys, found 1"},
    {DOC_OF(TASK(""), "{}", ""), "nodes[0]: key 'id' is missing"},
    {DOC_OF(TASK(""), "{\"id\": \"b\"}", ""), "nodes[0]: key 'id': there is no 'b'"},
    {DOC_OF(TASK(""), "{\"id\": \"b\", \"task\": \"c\"}", ""), "nodes[0]: key 'task': there is no 'c'"},
    {DOC_OF(TASK(""), "{\"id\": \"a\"}, {\"id\": \"a\"}", ""), "nodes[1]: two nodes have the same id"},
    {DOC_OF(TASK(""), "{\"id\": \"a\", \"group\": \"x\"}", ""), "nodes[0]: key 'group': there is no 'x'"},
    {DOC_OF(TASK(""), "{\"id\": \"a\", \"group\": \"a\"}", ""), "nodes[0]: key 'group' names no group"},
    {DOC_OF(TASK(""), "{\"id\": \"a\", \"whole\": true}", ""), "nodes[0]: 'a' has no such whole"},
    {DOC_OF(TASK("") ", {\"taskName\": \"b\"}",
            "{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\", \"task\": \"a\"}", ""),
     "nodes[2]: the copies of 'a' are apart"},
    {DOC_OF(TASK(", \"matrix\": {\"keys\": [\"k\"]}"), "{\"id\": \"a\"}", ""),
     "nodes[0]: key 'matrix' has no 'k'"},
    {DOC_OF(TASK(", \"matrix\": {\"keys\": [\"k\"]}"), "{\"id\": \"a\", \"matrix\": {\"k\": [1]}}", ""),
     "nodes[0]: key 'matrix': found an array, wanted a constant"},
    {DOC_OF(TASK(""), "{\"id\": \"a\"}", "{\"from\": \"a\"}"), "edges[0]: key 'to' is missing"},
    {DOC_OF(TASK(""), "{\"id\": \"a\"}", "{\"from\": \"a\", \"to\": \"b\"}"),
     "edges[0]: key 'to': there is no 'b'"},
    {DOC_OF(TASK(""), "{\"id\": \"a\"}", "{\"from\": \"a\", \"to\": \"a\", \"outcome\": \"x\"}"),
     "edges[0]: there is no outcome 'x'"},
    {DOC_OF(TASK(""), "{\"id\": \"a\"}", "{\"from\": \"a\", \"to\": \"a\", \"line\": -1}"),
     "edges[0]: key 'line': -1 is not within 0..4294967295"},
    {DOC_OF(TASK(""), "{\"id\": \"a\"}", "{\"from\": \"a\", \"to\": \"a\"}"),
     "the graph has a cycle at or before 'a'"},
    {DOC_OF("{\"taskName\": \"g\", \"kind\": \"group\"}", "{\"id\": \"g\", \"group\": \"g\"}", ""),
     "the graph has a cycle at or before 'g'"},
};

static void a_wrong_document_is_refused_with_the_place_and_the_cause(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ax_plan *plan;
        ax_err err = {0};
        assert_int_equal(ax_plan_read(&mem, ax_str_of(refused[i].text), &plan, &err), AX_INVALID);
        if (strcmp(err.text, refused[i].message) != 0)
            fail_msg("%s\n  says     %s\n  expected %s", refused[i].text, err.text, refused[i].message);
        assert_null(plan);
        assert_int_equal(ax_plan_read(&mem, ax_str_of(refused[i].text), &plan, NULL), AX_INVALID);
    }
}

static void unknown_keys_are_nobodys_error(void **state)
{
    (void)state;
    ax_plan *plan =
        read_back(AX_LIT(DOC_OF(TASK(", \"new\": {\"x\": [1]}"), "{\"id\": \"a\", \"x\": 1}", "")));
    assert_str(written(plan, 0), "{\"axVersion\":1,\"taskName\":\"w\",\"tasks\":[{\"taskName\":\"a\"}],"
                                 "\"graph\":{\"nodes\":[{\"id\":\"a\"}],\"edges\":[]}}");
}

static void a_document_cut_anywhere_is_an_error(void **state)
{
    (void)state;
    ax_str text = written(full_plan(), 0);
    for (size_t len = 0; len < text.len; len += 7) {
        ax_plan *plan;
        assert_int_equal(ax_plan_read(&mem, ax_str_slice(text, 0, len), &plan, NULL), AX_INVALID);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, teardown)
static const struct CMUnitTest tests[] = {
    CASE(a_small_plan_has_this_document),
    CASE(an_empty_plan_goes_there_and_back),
    CASE(a_plan_with_everything_goes_there_and_back),
    CASE(a_change_changes_the_hash),
    CASE(bytes_that_are_no_utf_8_are_replaced_once),
    CASE(the_example_of_the_manual_is_what_is_written),
    CASE(a_wrong_document_is_refused_with_the_place_and_the_cause),
    CASE(unknown_keys_are_nobodys_error),
    CASE(a_document_cut_anywhere_is_an_error),
};
RUN_TESTS(tests)
