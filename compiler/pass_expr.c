/* pass_expr.c - what the blocks say: attributes, environments and commands, typed and read into definitions.
 *
 * A task begins as a copy of the workflow's `defaults`, which begin as the language's own, so what it says
 * itself wins and a block (retry, env) is merged key by key.
 */
#include "compiler/attr_int.h"
#include "compiler/bind_int.h"
#include "compiler/body_int.h"
#include "compiler/template_int.h"
#include "dsl/model/cron.h"

/* ---- walking a block ---- */

/* The item's attribute in the schema of kind, or NULL if it is something else. */
static const ax_attr_row *attr_row(ax_kind kind, const ax_ast_item *item)
{
    if (item->kind != AX_ITEM_ATTR || item->u.attr.path->kind != AX_AST_NAME) return NULL;
    return ax_schema_attr(kind, item->u.attr.path->u.name);
}

/* Reads all attributes of a body but `run`, which needs the others. */
static void read_attrs(const ax_reader *r, const ax_ast_body *body)
{
    for (uint32_t i = 0; body && i < body->count; i++) {
        const ax_attr_row *row = attr_row(r->kind, body->items[i]);
        if (row && row->form != AX_FORM_TEMPLATE) ax_attr_read(r, row, body->items[i]->u.attr.value);
    }
}

/* ---- env ---- */

static bool check_env_name(ax_unit *unit, ax_str name, ax_span span)
{
    bool sound = name.len > 0 && !(name.ptr[0] >= '0' && name.ptr[0] <= '9');
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        sound =
            sound && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
    }
    if (!sound) {
        ax_diag *d =
            ax_diag_add(unit->diags, AX_E0215, span, "'%.*s' can't be the name of a variable", AX_STR(name));
        ax_diag_help(unit->diags, d, "letters, digits and '_' make a name");
    } else if (ax_str_starts(name, AX_LIT("AX_"))) {
        ax_diag_add(unit->diags, AX_E0215, span, "names that begin with AX_ are set by ax itself");
        return false;
    }
    return sound;
}

/* Puts the entries of an env block over those that are there. */
static void read_env(const ax_site *site, const ax_ast_block *block, const ax_binding **env, uint32_t *count)
{
    if (!block || !block->body) return;
    ax_unit *unit = site->unit;
    ax_map known = {0}, own = {0};
    AX_VEC(ax_binding) merged = {0};
    for (uint32_t i = 0; i < *count; i++) {
        ax_map_add(unit->mem, &known, (*env)[i].name, merged.len);
        ax_vec_push(unit->mem, &merged, (*env)[i]);
    }
    for (uint32_t i = 0; i < block->body->count; i++) {
        const ax_ast_item *item = block->body->items[i];
        if (item->kind != AX_ITEM_ATTR || item->u.attr.path->kind != AX_AST_NAME) continue;
        ax_str name = item->u.attr.path->u.name;
        const ax_ast_expr *e = item->u.attr.value;
        ax_binding entry = {.name = name};
        if (ax_map_add(unit->mem, &own, name, i) != i)
            ax_diag_add(unit->diags, AX_E0205, item->u.attr.path->span, "'%.*s' stands here twice",
                        AX_STR(name));
        if (!check_env_name(unit, name, item->u.attr.path->span)) continue;
        if (e->kind != AX_AST_NULL) {
            entry.value = ax_expr_make(site, e);
            if (!entry.value) continue;
        }
        uint32_t at = ax_map_add(unit->mem, &known, name, merged.len);
        if (at == merged.len) ax_vec_push(unit->mem, &merged, entry);
        else merged.at[at] = entry;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < merged.len; i++)
        if (merged.at[i].value) merged.at[kept++] = merged.at[i];
    *env = merged.at;
    *count = kept;
}

/* ---- workflow ---- */

static void check_cron(ax_flow *f, const ax_ast_expr *e, ax_str text)
{
    ax_cron cron;
    ax_cron_error err = {0};
    if (ax_cron_parse(text, &cron, &err)) {
        if (ax_cron_fires(&cron)) return;
        ax_diag_add(f->diags, AX_E0318, e->span, "no date ever matches this cron expression");
        return;
    }
    ax_span span = e->span;
    bool is_verbatim =
        e->kind == AX_AST_STRING &&
        ax_str_eq(ax_sources_text(f->diags->sources, (ax_span){span.beg + 1, span.end - 1}), text);
    if (is_verbatim) { /* nothing was escaped: columns of the text are columns of the source */
        span.beg += 1 + err.at;
        span.end = span.beg + (err.len ? err.len : 1);
    }
    ax_diag *d = ax_diag_add(f->diags, AX_E0318, span, "%s", err.text);
    if (err.help[0]) ax_diag_help(f->diags, d, "%s", err.help);
}

static void check_zone(ax_flow *f, const ax_ast_expr *e, ax_str name)
{
    const ax_zone *zone;
    ax_err err = {0};
    if (ax_zone_load(f->mem, name, &zone, &err) == AX_OK) return;
    ax_diag *d = ax_diag_add(f->diags, AX_E0318, e->span, "%s", err.text);
    if (err.help[0]) ax_diag_help(f->diags, d, "%s", err.help);
}

/* What must and must not be said together. */
static void check_schedule(ax_flow *f, const ax_ast_block *block, const ax_schedule *s)
{
    const ax_ast_expr *cron = ax_body_attr(block->body, "cron"), *every = ax_body_attr(block->body, "every");
    const ax_ast_expr *zone = ax_body_attr(block->body, "timezone"),
                      *start = ax_body_attr(block->body, "start");
    const ax_ast_expr *end = ax_body_attr(block->body, "end");
    ax_diags *diags = f->diags;
    if (cron && every) {
        ax_diag *d = ax_diag_add(diags, AX_E0211, every->span, "a schedule has either 'cron' or 'every'");
        ax_diag_note(diags, d, cron->span, "'cron' is given here");
    }
    if (block->body->broken) return;
    if (!cron && !every) {
        ax_diag *d = ax_diag_add(diags, AX_E0210, block->kind.span, "this schedule does not say when");
        ax_diag_help(diags, d, "add cron = \"0 2 * * *\", or every = 15m");
    }
    if (cron && !zone) {
        ax_diag *d = ax_diag_add(diags, AX_E0210, block->kind.span, "a cron expression needs a time zone");
        ax_diag_help(diags, d, "add timezone = \"UTC\", or the zone of the people who wait for it");
    }
    if (every && zone && !cron)
        ax_diag_add(diags, AX_E0211, zone->span, "'every' counts real time and has no time zone");
    if (s->has_start && s->has_end && s->end_day < s->start_day && start && end) {
        ax_diag *d = ax_diag_add(diags, AX_E0307, end->span, "this schedule ends before it starts");
        ax_diag_note(diags, d, start->span, "its start");
    }
    if (s->catchup == AX_CATCHUP_ALL && !start)
        ax_diag_add(diags, AX_E0210, block->kind.span, "'catchup = all' needs a 'start'");
}

static void read_schedule(ax_flow *f, const ax_ast_block *block)
{
    if (!block->body) return;
    ax_schedule s = {.line = ax_sources_line(f->diags->sources, block->kind.span.beg)};
    ax_site site = {.unit = f->unit, .flow = f, .decl = AX_NONE};
    ax_reader r = {.site = site, .kind = AX_KIND_SCHEDULE, .target = &s};
    if (block->label_count > 0) s.name = block->labels[0].name.text;
    ax_attr_fallbacks(&r);
    read_attrs(&r, block->body);
    check_schedule(f, block, &s);
    const ax_ast_expr *cron = ax_body_attr(block->body, "cron"),
                      *zone = ax_body_attr(block->body, "timezone");
    if (cron && s.cron.ptr) check_cron(f, cron, s.cron);
    if (zone && s.timezone.ptr) check_zone(f, zone, s.timezone);
    bool is_new = s.name.len == 0 ||
                  ax_map_add(f->mem, &f->schedule_names, s.name, f->schedules.len) == f->schedules.len;
    if (!is_new) {
        ax_span at = block->labels[0].name.span;
        ax_diag_add(f->diags, AX_E0201, at, "the name '%.*s' is taken", AX_STR(s.name));
    }
    ax_vec_push(f->mem, &f->schedules, s);
}

static void read_schedules(ax_flow *f, const ax_ast_body *body)
{
    for (uint32_t i = 0; i < body->count; i++)
        if (body->items[i]->kind == AX_ITEM_BLOCK && ax_str_is(body->items[i]->u.block.kind.text, "schedule"))
            read_schedule(f, &body->items[i]->u.block);
}

/* ---- nodes ---- */

static void read_retry(const ax_reader *task, const ax_ast_block *block, ax_def *def)
{
    if (!block) return;
    ax_reader r = *task;
    r.kind = AX_KIND_RETRY;
    r.target = &def->retry;
    read_attrs(&r, block->body);
}

/* The defaults of all tasks: the language's, then the workflow's. */
static void read_defaults(ax_flow *f, const ax_ast_body *body, ax_def *language)
{
    ax_site site = {.unit = f->unit, .flow = f, .decl = AX_NONE};
    ax_reader r = {.site = site, .kind = AX_KIND_TASK, .target = language, .fallback = language};
    ax_attr_fallbacks(&r);
    language->policy = f->plan->policy;
    read_env(&site, ax_body_block(body, "env"), &language->env, &language->env_count);
    f->defaults = *language;
    const ax_ast_block *block = ax_body_block(body, "defaults");
    if (!block) return;
    r.kind = AX_KIND_DEFAULTS;
    r.target = &f->defaults;
    read_attrs(&r, block->body);
    read_retry(&r, ax_body_block(block->body, "retry"), &f->defaults);
    read_env(&site, ax_body_block(block->body, "env"), &f->defaults.env, &f->defaults.env_count);
}

/* True if the body holds a word that is none of its words: what is missing may be that one, mistyped. */
static bool has_unknown(ax_kind kind, const ax_ast_body *body)
{
    for (uint32_t i = 0; i < body->count; i++) {
        const ax_ast_item *item = body->items[i];
        if (item->kind == AX_ITEM_ATTR && !attr_row(kind, item)) return true;
        if (item->kind == AX_ITEM_BLOCK && ax_schema_kind(kind, item->u.block.kind.text) == AX_KIND_COUNT)
            return true;
    }
    return false;
}

static void read_action(const ax_reader *r, const ax_decl *decl, ax_def *def)
{
    const ax_ast_body *body = decl->block->body;
    const ax_ast_expr *run = ax_body_attr(body, "run"), *exec = ax_body_attr(body, "exec");
    ax_diags *diags = r->site.unit->diags;
    if (run) ax_bind_script(&r->site, run, def);
    if (run && exec) {
        ax_diag *d = ax_diag_add(diags, AX_E0211, exec->span, "a task does one thing: 'run' or 'exec'");
        ax_diag_note(diags, d, run->span, "'run' is given here");
    }
    if (run || exec || !body || body->broken || has_unknown(r->kind, body) || decl->block->label_count > 1)
        return;
    ax_diag *d =
        ax_diag_add(diags, AX_E0210, decl->label.span, "task '%.*s' does nothing", AX_STR(decl->label.text));
    ax_diag_help(diags, d, "add run = \"…\" (a shell line) or exec = [\"program\", \"argument\"]");
}

static void read_node(ax_flow *f, uint32_t at, const ax_def *language)
{
    const ax_decl *decl = &f->decls.at[at];
    ax_def *def = &f->defs[at];
    const ax_output *outputs = def->outputs;
    uint32_t output_count = def->output_count;
    *def = decl->kind == AX_KIND_TASK ? f->defaults : *language;
    def->outputs = outputs;
    def->output_count = output_count;
    def->name = decl->name;
    def->span = decl->item->span;
    def->file = f->unit->source->path;
    def->line = ax_sources_line(f->diags->sources, decl->item->span.beg);
    def->kind = decl->kind == AX_KIND_GROUP  ? AX_NODE_GROUP
                : decl->kind == AX_KIND_GATE ? AX_NODE_GATE
                                             : AX_NODE_TASK;
    if (decl->kind != AX_KIND_TASK) {
        def->env = NULL;
        def->env_count = 0;
        def->policy = AX_POLICY_SKIP;
    }
    ax_site site = {.unit = f->unit, .flow = f, .decl = at};
    ax_reader r = {.site = site, .kind = decl->kind, .target = def, .fallback = language};
    const ax_ast_body *body = decl->block->body;
    if (decl->kind == AX_KIND_COUNT) return;
    read_attrs(&r, body);
    if (decl->parent != AX_NONE && !f->defs[decl->parent].enabled) def->enabled = false;
    if (decl->kind != AX_KIND_TASK) return;
    read_retry(&r, ax_body_block(body, "retry"), def);
    read_env(&site, ax_body_block(body, "env"), &def->env, &def->env_count);
    read_action(&r, decl, def);
}

void ax_pass_expr(ax_flow *f)
{
    const ax_ast_body *body = f->item->u.block.body;
    f->plan = AX_NEW(f->mem, ax_plan);
    if (!body) return;
    ax_reader r = {
        .site = {.unit = f->unit, .flow = f, .decl = AX_NONE}, .kind = AX_KIND_WORKFLOW, .target = f->plan};
    ax_attr_fallbacks(&r);
    read_attrs(&r, body);
    read_schedules(f, body);
    ax_def language = {.whole = AX_NONE};
    read_defaults(f, body, &language);
    for (uint32_t i = 0; i < f->decls.len; i++) {
        uint32_t first = f->diags->list.len;
        read_node(f, i, &language);
        ax_template_note(f->unit, first, f->decls.at[i].use);
    }
}
