/* hover.c - what a word under the cursor is: from the schema, from its declaration, from the calendar. */
#include <string.h>

#include "compiler/lsp/find_int.h"
#include "compiler/lsp/lsp_int.h"
#include "compiler/lsp/words_int.h"
#include "dsl/model/cron_words.h"
#include "dsl/model/due.h"
#include "dsl/model/expr.h"
#include "dsl/model/expr_fn.h"
#include "dsl/model/units.h"

enum { INSTANTS_SHOWN = 5, HOVER_BYTES_MAX = 64 << 10 };

typedef struct {
    const ax_call *call;
    const ax_doc *doc;
    uint32_t at; /* offset in the source */
    ax_buf text;
    ax_span span; /* what it is about */
} hover;

/* ---- text ---- */

static void add_code(hover *h, ax_str code)
{
    if (h->call->lsp->client.markdown) ax_buf_addf(&h->text, "```axf\n%.*s\n```\n", AX_STR(code));
    else ax_buf_addf(&h->text, "%.*s\n", AX_STR(code));
}

/* A paragraph; plain text has the same words. */
static void add_line(hover *h, const char *what, ax_str text)
{
    if (text.len > 0) ax_buf_addf(&h->text, "\n%s%.*s\n", what, AX_STR(text));
}

static bool is_on(const hover *h, ax_span span)
{
    return span.beg <= h->at && h->at <= span.end;
}

/* ---- symbols ---- */

/* "task ingest.sync", for what is declared in something with a name. */
static ax_str owner_text(const hover *h, const ax_symbol *symbol)
{
    const ax_names *names = &h->doc->names;
    uint32_t owner = names->scopes.at[symbol->scope].owner;
    if (owner == AX_MAP_NONE) return (ax_str){0};
    const ax_symbol *in = &names->symbols.at[owner];
    ax_str name = in->name.text;
    for (uint32_t s = in->scope; names->scopes.at[s].owner != AX_MAP_NONE; s = names->scopes.at[s].parent) {
        const ax_symbol *around = &names->symbols.at[names->scopes.at[s].owner];
        if (around->kind != AX_KIND_GROUP) break;
        name = ax_str_fmt(h->call->mem, "%.*s.%.*s", AX_STR(around->name.text), AX_STR(name));
    }
    return ax_str_fmt(h->call->mem, "%s %.*s", ax_schema_kinds[in->kind].name, AX_STR(name));
}

static void add_symbol(hover *h, const ax_symbol *symbol)
{
    add_code(h, ax_doc_header(h->call->mem, h->doc, symbol));
    if (symbol->item && symbol->item->kind == AX_ITEM_BLOCK) {
        const ax_ast_attr *title = ax_find_attr(symbol->item->u.block.body, "title");
        const ax_ast_attr *doc = ax_find_attr(symbol->item->u.block.body, "doc");
        if (title) add_line(h, "", ax_find_text(title->value));
        if (doc) add_line(h, "", ax_find_text(doc->value));
    }
    const char *what = symbol->kind == AX_KIND_MATRIX ? "A matrix key of "
                       : !symbol->item                ? "A parameter of "
                                                      : "In ";
    add_line(h, what, owner_text(h, symbol));
}

/* ---- words of the schema ---- */

static void add_kind(hover *h, ax_kind kind)
{
    ax_buf attrs = AX_BUF_INIT(HOVER_BYTES_MAX), blocks = AX_BUF_INIT(HOVER_BYTES_MAX);
    for (uint32_t i = 0; i < ax_schema_attr_count; i++)
        if (ax_schema_attrs[i].owners & AX_KIND_BIT(kind))
            ax_buf_addf(&attrs, "%s%s", attrs.len ? ", " : "", ax_schema_attrs[i].name);
    for (uint32_t k = 0; k < AX_KIND_COUNT; k++)
        if (ax_schema_kinds[k].parents & AX_KIND_BIT(kind))
            ax_buf_addf(&blocks, "%s%s", blocks.len ? ", " : "", ax_schema_kinds[k].name);
    add_code(h, ax_str_of(ax_schema_kinds[kind].name));
    add_line(h, "", ax_str_of(ax_schema_kinds[kind].doc));
    add_line(h, "Attributes: ", ax_buf_str(&attrs));
    add_line(h, "Blocks: ", ax_buf_str(&blocks));
    ax_buf_free(&attrs);
    ax_buf_free(&blocks);
}

static void add_attr(hover *h, const ax_attr_row *row)
{
    ax_buf values = AX_BUF_INIT(HOVER_BYTES_MAX);
    ax_attr_values(row, &values);
    add_code(h, ax_str_fmt(h->call->mem, "%s = %.*s", row->name, AX_STR(ax_buf_str(&values))));
    add_line(h, "", ax_str_of(row->doc));
    add_line(h, "Default: ", ax_str_of(row->fallback));
    ax_buf_free(&values);
}

static void add_word(hover *h, const char *of, ax_str word, ax_span span)
{
    const char *doc = ax_word_doc(of, word);
    if (!doc) return;
    h->span = span;
    add_code(h, word);
    add_line(h, "", ax_str_of(doc));
}

/* ---- schedules ---- */

static bool read_date(const ax_ast_body *body, const char *name, int64_t *day)
{
    const ax_ast_attr *attr = ax_find_attr(body, name);
    if (!attr || attr->value->kind != AX_AST_DATE) return false;
    *day = attr->value->u.number;
    return true;
}

/* "Mon 2026-11-30 02:00 +01:00" */
static void add_local(ax_buf *out, const ax_zone *zone, int64_t at_ms)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    int32_t offset = ax_zone_offset(zone, at_ms / 1000), minutes = (offset < 0 ? -offset : offset) / 60;
    int64_t local = at_ms + (int64_t)offset * 1000, day = local / AX_DAY_MS - (local % AX_DAY_MS < 0);
    ax_buf_addf(out, "%s ", days[((day % 7) + 7) % 7]);
    ax_date_text(day, out);
    ax_buf_addc(out, ' ');
    ax_time_text((local - day * AX_DAY_MS) / 60000, out);
    ax_buf_addf(out, " %c%02d:%02d", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

static void add_instants(hover *h, const ax_schedule *schedule)
{
    ax_due due;
    if (ax_due_open(h->call->mem, schedule, &due, NULL)) return;
    int64_t at = ax_due_next(&due, h->call->lsp->now_ms);
    if (at != AX_DUE_NEVER) ax_buf_adds(&h->text, "\nNext:\n\n");
    for (int i = 0; i < INSTANTS_SHOWN && at != AX_DUE_NEVER; i++, at = ax_due_next(&due, at)) {
        ax_buf_adds(&h->text, "- ");
        add_local(&h->text, due.zone, at);
        ax_buf_adds(&h->text, " (");
        ax_instant_text(at, &h->text);
        ax_buf_adds(&h->text, ")\n");
    }
}

/* The expression of a schedule in words, what to beware of, and when it fires next. */
static void add_cron(hover *h, const ax_ast_block *block, const ax_ast_expr *e)
{
    ax_cron cron;
    ax_cron_error error, notes[AX_CRON_NOTES_MAX];
    ax_str text = ax_find_text(e);
    if (!ax_cron_parse(text, &cron, &error)) return;
    h->span = e->span;
    ax_cron_words(&cron, &h->text);
    ax_buf_addc(&h->text, '\n');
    uint32_t count = ax_cron_notes(&cron, text, notes);
    for (uint32_t i = 0; i < count; i++) add_line(h, "Note: ", ax_str_of(notes[i].text));
    const ax_ast_attr *zone = ax_find_attr(block->body, "timezone");
    ax_schedule schedule = {.cron = text};
    schedule.has_start = read_date(block->body, "start", &schedule.start_day);
    schedule.has_end = read_date(block->body, "end", &schedule.end_day);
    if (!zone) return;
    schedule.timezone = ax_find_text(zone->value);
    add_instants(h, &schedule);
}

/* ---- expressions ---- */

static void add_function(hover *h, const ax_ast_expr *name)
{
    uint32_t fn = ax_fn_find(name->u.name);
    if (fn == UINT32_MAX) return;
    h->span = name->span;
    add_code(h, ax_str_of(ax_fn_rows[fn].usage));
    add_line(h, "", ax_str_of(ax_fn_rows[fn].doc));
}

/* A value that every run has. */
static void add_root(hover *h, const ax_ast_expr *e)
{
    ax_str name = ax_sources_text(&h->doc->sources, e->span);
    const char *doc = ax_word_doc("root", name);
    ax_root root = ax_root_named(name);
    if (!doc || root == AX_ROOT_COUNT) return;
    ax_type type = ax_expr_root(h->call->mem, root)->type;
    h->span = e->span;
    add_code(h, ax_str_fmt(h->call->mem, "%.*s : %s", AX_STR(name), ax_type_name(type.kind)));
    add_line(h, "", ax_str_of(doc));
}

/* A name that is no symbol: a function that is called, or a value that every run has. */
static void add_expr(hover *h, const ax_found *found)
{
    uint32_t last = found->exprs.len - 1;
    const ax_ast_expr *e = found->exprs.at[last], *around = last > 0 ? found->exprs.at[last - 1] : NULL;
    if (around && e->kind == AX_AST_NAME && around->kind == AX_AST_CALL && around->u.call.base == e) {
        add_function(h, e);
        return;
    }
    if (around && e->kind == AX_AST_NAME && around->kind == AX_AST_MEMBER) e = around;
    if (e->kind == AX_AST_NAME || e->kind == AX_AST_MEMBER) add_root(h, e);
}

static void add_value(hover *h, const ax_found *found, const ax_ast_attr *attr)
{
    bool has_name = attr->path->kind == AX_AST_NAME;
    const ax_attr_row *row = has_name ? ax_attr_inside(found->kind, attr->path->u.name) : NULL;
    const ax_ast_expr *e = found->exprs.at[found->exprs.len - 1];
    if (row && found->kind == AX_KIND_SCHEDULE && strcmp(row->name, "cron") == 0)
        add_cron(h, found->block, attr->value);
    else if (row && e->kind == AX_AST_NAME) add_word(h, row->name, e->u.name, e->span);
    if (h->text.len == 0) add_expr(h, found);
}

/* ---- all ---- */

static void add_outcome(hover *h, const ax_ast_name *outcome)
{
    if (outcome && is_on(h, outcome->span)) add_word(h, "outcome", outcome->text, outcome->span);
}

static void add_edge(hover *h, const ax_ast_edge *edge)
{
    for (uint32_t i = 0; i < edge->count; i++) {
        add_outcome(h, edge->points[i].outcome);
        for (uint32_t k = 0; k < edge->points[i].count; k++) add_outcome(h, edge->points[i].refs[k].outcome);
    }
}

static void add_item(hover *h, const ax_found *found)
{
    const ax_ast_item *item = found->item;
    if (item->kind == AX_ITEM_EDGE) add_edge(h, &item->u.edge);
    if (item->kind == AX_ITEM_BLOCK && is_on(h, item->u.block.kind.span) &&
        found->item_kind != AX_KIND_COUNT) {
        h->span = item->u.block.kind.span;
        add_kind(h, found->item_kind);
        return;
    }
    if (item->kind == AX_ITEM_ATTR && is_on(h, item->u.attr.path->span) &&
        item->u.attr.path->kind == AX_AST_NAME) {
        const ax_attr_row *row = ax_attr_inside(found->kind, item->u.attr.path->u.name);
        h->span = item->u.attr.path->span;
        if (row) add_attr(h, row);
        return;
    }
    if (found->exprs.len == 0) return;
    if (item->kind == AX_ITEM_ATTR) add_value(h, found, &item->u.attr);
    else add_expr(h, found);
}

ax_rc ax_lsp_hover(ax_call *c)
{
    hover h = {.call = c, .doc = c->doc, .at = ax_doc_offset(c->doc, c->at)};
    h.text = AX_BUF_INIT(HOVER_BYTES_MAX);
    const ax_name_use *use = ax_doc_use(c->doc, c->at);
    if (use) {
        h.span = use->span;
        add_symbol(&h, &c->doc->names.symbols.at[use->symbol]);
    } else {
        ax_found found;
        ax_find(c->mem, c->doc->compiled.file, h.at, &found);
        if (found.item) add_item(&h, &found);
    }
    if (h.text.len == 0) ax_json_null(c->j);
    else {
        ax_json_obj(c->j);
        ax_json_key(c->j, "contents");
        ax_json_obj(c->j);
        ax_rpc_puts(c->j, "kind", c->lsp->client.markdown ? "markdown" : "plaintext");
        ax_rpc_put(c->j, "value", ax_buf_str(&h.text));
        ax_json_end(c->j);
        ax_doc_range(c->j, "range", c->doc, h.span);
        ax_json_end(c->j);
    }
    ax_buf_free(&h.text);
    return AX_OK;
}
