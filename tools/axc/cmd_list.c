/* cmd_list.c - `axc list`: the workflows of some files, or their nodes.
 *
 * Files are compiled one after another and forgotten, unless nodes are selected: a name is unknown only if no
 * workflow has it, so then all stay until the last is read.
 */
#include "dsl/model/units.h"
#include "tools/axc/axc.h"
#include "tools/cli/table.h"

#define JSON_BYTES_MAX ((size_t)1 << 30)
#define CELL_BYTES_MAX ((size_t)1 << 20)

typedef struct {
    const char *select, *baseline;
    bool nodes, json;
    ax_strings files;
} list_args;

typedef struct {
    ax_cli *cli;
    const list_args *args;
    ax_selection selection;
    bool by_node;
    AX_VEC(ax_unit *) units; /* kept for the selection */
    AX_VEC(const ax_plan *) plans;
    ax_table table;
    ax_buf json_text, cell;
    ax_json json;
    uint32_t unreadable, errors;
} list;

static const ax_column workflow_columns[] = {
    {.head = "WORKFLOW"},
    {.head = "NODES", .right = true},
    {.head = "SCHEDULE", .cut = true},
    {.head = "TAGS", .cut = true},
    {.head = "OWNER"},
    {.head = "PLACE"},
};
static const ax_column node_columns[] = {
    {.head = "WORKFLOW"},          {.head = "NODE"},  {.head = "KIND"},
    {.head = "TAGS", .cut = true}, {.head = "PLACE"},
};

/* A fan-out as a whole is no node of its own to people. */
static bool is_shown(const ax_plan *plan, uint32_t node)
{
    return !ax_plan_is_whole(plan, node);
}

static uint32_t count_nodes(const ax_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < plan->node_count; n++)
        count += is_shown(plan, n) && ax_plan_kind(plan, n) != AX_NODE_GROUP;
    return count;
}

/* ---- a table ---- */

static void add_cell(list *l, ax_style style)
{
    ax_table_add(&l->table, style, ax_str_dup(&l->cli->mem, ax_buf_str(&l->cell)));
    ax_buf_clear(&l->cell);
}

static void add_text(list *l, ax_style style, ax_str text)
{
    ax_buf_add(&l->cell, text);
    add_cell(l, style);
}

static void add_tags(list *l, const ax_str *tags, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i) ax_buf_adds(&l->cell, ", ");
        ax_buf_add(&l->cell, tags[i]);
    }
    add_cell(l, AX_STYLE_CYAN);
}

static void add_place(list *l, ax_str file, uint32_t line)
{
    ax_buf_add(&l->cell, file);
    ax_buf_addf(&l->cell, ":%u", line);
    add_cell(l, AX_STYLE_DIM);
}

static void show_workflow(list *l, const ax_plan *plan)
{
    add_text(l, AX_STYLE_BOLD, plan->name);
    ax_buf_addf(&l->cell, "%u", count_nodes(plan));
    add_cell(l, AX_STYLE_PLAIN);
    for (uint32_t i = 0; i < plan->schedule_count; i++) {
        if (i) ax_buf_adds(&l->cell, "; ");
        ax_schedule_words(&plan->schedules[i], &l->cell);
    }
    add_cell(l, AX_STYLE_PLAIN);
    add_tags(l, plan->tags, plan->tag_count);
    add_text(l, AX_STYLE_PLAIN, plan->owner);
    add_place(l, plan->file, plan->line);
}

static void show_node(list *l, const ax_plan *plan, uint32_t node)
{
    const ax_def *def = &plan->defs[plan->nodes[node].def];
    add_text(l, AX_STYLE_PLAIN, plan->name);
    add_text(l, AX_STYLE_BOLD, plan->nodes[node].name);
    add_text(l, AX_STYLE_PLAIN, ax_str_of(ax_node_kind_name(def->kind)));
    add_tags(l, def->tags, def->tag_count);
    add_place(l, def->file, def->line);
}

/* ---- JSON ---- */

static void write_str(list *l, const char *key, ax_str text)
{
    if (!text.len) return;
    ax_json_key(&l->json, key);
    ax_json_str(&l->json, text);
}

static void write_int(list *l, const char *key, int64_t n)
{
    ax_json_key(&l->json, key);
    ax_json_int(&l->json, n);
}

static void write_tags(list *l, const ax_str *tags, uint32_t count)
{
    ax_json_key(&l->json, "tags");
    ax_json_arr_flat(&l->json);
    for (uint32_t i = 0; i < count; i++) ax_json_str(&l->json, tags[i]);
    ax_json_end(&l->json);
}

static void write_node(list *l, const ax_plan *plan, uint32_t node)
{
    const ax_plan_node *n = &plan->nodes[node];
    const ax_def *def = &plan->defs[n->def];
    ax_json_obj_flat(&l->json);
    write_str(l, "name", n->name);
    write_str(l, "kind", ax_str_of(ax_node_kind_name(def->kind)));
    write_str(l, "title", def->title);
    uint32_t parent = n->parent;
    if (parent != AX_NONE && !is_shown(plan, parent)) parent = plan->nodes[parent].parent;
    if (parent != AX_NONE) write_str(l, "group", plan->nodes[parent].name);
    write_tags(l, def->tags, def->tag_count);
    write_str(l, "file", def->file);
    write_int(l, "line", def->line);
    ax_json_end(&l->json);
}

static void write_schedules(list *l, const ax_plan *plan)
{
    ax_json_key(&l->json, "schedules");
    ax_json_arr(&l->json);
    for (uint32_t i = 0; i < plan->schedule_count; i++) ax_schedule_json(&plan->schedules[i], &l->json);
    ax_json_end(&l->json);
}

/* ---- workflows and nodes ---- */

static void list_nodes(list *l, const ax_plan *plan, const ax_node_set *set)
{
    for (uint32_t n = 0; n < plan->node_count; n++) {
        if (!is_shown(plan, n) || (set && !ax_node_set_has(set, n))) continue;
        if (l->args->json) write_node(l, plan, n);
        else show_node(l, plan, n);
    }
}

static void list_json(list *l, const ax_plan *plan, const ax_node_set *set)
{
    ax_json_obj(&l->json);
    write_str(l, "name", plan->name);
    write_str(l, "title", plan->title);
    write_str(l, "doc", plan->doc);
    write_str(l, "owner", plan->owner);
    write_tags(l, plan->tags, plan->tag_count);
    write_str(l, "file", plan->file);
    write_int(l, "line", plan->line);
    write_schedules(l, plan);
    write_int(l, "node_count", count_nodes(plan));
    if (l->by_node) {
        ax_json_key(&l->json, "nodes");
        ax_json_arr(&l->json);
        list_nodes(l, plan, set);
        ax_json_end(&l->json);
    }
    ax_json_end(&l->json);
}

static void list_workflow(list *l, const ax_plan *plan)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_node_set set, *chosen = NULL;
    if (l->selection.select) {
        set = ax_selection_nodes(&l->selection, plan, &mem);
        chosen = &set;
    }
    bool left_out = chosen && ax_node_set_size(chosen) == 0;
    if (l->args->json && !left_out) list_json(l, plan, chosen);
    else if (l->by_node && !left_out) list_nodes(l, plan, chosen);
    else if (!left_out) show_workflow(l, plan);
    ax_arena_free(&mem);
}

/* ---- files ---- */

static void list_file(list *l, const char *path)
{
    ax_unit *unit = AX_NEW(&l->cli->mem, ax_unit);
    ax_err err = {0};
    if (ax_unit_read(unit, path, &err)) {
        l->unreadable++;
        ax_cli_show(l->cli, &err);
        ax_unit_free(unit);
        return;
    }
    ax_unit_compile(unit);
    l->errors += unit->diags.errors;
    if (unit->diags.errors) {
        ax_fail(&err, AX_INVALID, "%s has %u error%s", path, unit->diags.errors,
                unit->diags.errors == 1 ? "" : "s");
        ax_err_help(&err, "axc validate %s", path);
        ax_cli_show(l->cli, &err);
    }
    for (uint32_t i = 0; i < unit->compiled.plan_count; i++) {
        if (l->selection.select) ax_vec_push(&l->cli->mem, &l->plans, unit->compiled.plans[i]);
        else list_workflow(l, unit->compiled.plans[i]);
    }
    if (l->selection.select) ax_vec_push(&l->cli->mem, &l->units, unit);
    else ax_unit_free(unit);
}

static ax_rc list_selected(list *l, ax_err *err)
{
    ax_rc rc = ax_selection_check(&l->selection, l->plans.at, l->plans.len, err);
    for (uint32_t i = 0; i < l->plans.len && !rc; i++) list_workflow(l, l->plans.at[i]);
    for (uint32_t i = 0; i < l->units.len; i++) ax_unit_free(l->units.at[i]);
    return rc;
}

static void begin(list *l)
{
    l->by_node = l->args->nodes || l->args->select;
    l->table = l->by_node
                   ? ax_table_new(&l->cli->mem, node_columns, sizeof node_columns / sizeof *node_columns)
                   : ax_table_new(&l->cli->mem, workflow_columns,
                                  sizeof workflow_columns / sizeof *workflow_columns);
    l->json = ax_json_start(&l->json_text, 2);
    ax_json_obj(&l->json);
    ax_json_key(&l->json, "workflows");
    ax_json_arr(&l->json);
}

static void end(list *l)
{
    if (!l->args->json) {
        if (l->table.cells.len) ax_table_print(&l->table, &l->cli->out);
        return;
    }
    ax_json_end(&l->json);
    ax_json_end(&l->json);
    ax_buf_addc(&l->json_text, '\n');
    ax_out_add(&l->cli->out, ax_buf_str(&l->json_text));
}

static ax_rc run(ax_cli *cli, const void *args, ax_err *err)
{
    list l = {.cli = cli,
              .args = args,
              .json_text = AX_BUF_INIT(JSON_BYTES_MAX),
              .cell = AX_BUF_INIT(CELL_BYTES_MAX)};
    ax_files files = {0};
    ax_rc rc = ax_selection_open(&l.selection, cli, l.args->select, l.args->baseline, err);
    if (!rc) rc = ax_files_find(cli, &l.args->files, &files, err);
    if (!rc) {
        l.unreadable = files.unreadable;
        begin(&l);
        for (uint32_t i = 0; i < files.paths.len; i++) list_file(&l, files.paths.at[i]);
        if (l.selection.select) rc = list_selected(&l, err);
        if (!rc) end(&l);
    }
    ax_selection_close(&l.selection);
    ax_buf_free(&l.json_text);
    ax_buf_free(&l.cell);
    if (!rc && l.unreadable) return AX_IO;
    return !rc && l.errors ? ax_cli_failed(err) : rc;
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 's', "select", offsetof(list_args, select), false, "EXPR",
     "only these nodes: names, group.*, tag:x, kind:task, +n, n+2, state:modified, and or not ( )"},
    {AX_OPT_STR, 0, "baseline", offsetof(list_args, baseline), false, "FILE|DIR",
     "what state: compares with: workflow files or compiled documents"},
    {AX_OPT_FLAG, 0, "nodes", offsetof(list_args, nodes), false, NULL, "all nodes, not only the workflows"},
    {AX_OPT_FLAG, 0, "json", offsetof(list_args, json), false, NULL, "as JSON"},
    {AX_OPT_LIST, 0, NULL, offsetof(list_args, files), false, "FILE|DIR",
     "where to look; a folder stands for all *.axf files below it, - for standard input, nothing for the "
     "working folder"},
};
const ax_cmd ax_cmd_list = {
    .path = "list",
    .summary = "list workflows and schedules, or nodes",
    .details =
        "With --select, the selected nodes of all workflows. A name or tag is unknown if no workflow has it.",
    .example = "list\nlist workflows --nodes\nlist --select 'tag:finance and not kind:gate'\n"
               "list daily.axf --select state:modified+ --baseline old.json --json",
    .fails = "a file has an error, or nothing is called as the selection says",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(list_args),
    .run = run,
};
