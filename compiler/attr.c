/* attr.c - attributes of a block read into a record of the plan.
 *
 * Two tables meet here: the schema says how a value is written, the fields below where it is kept and what
 * bounds it has. A test holds them against each other, so an attribute of the schema can't be forgotten.
 */
#include "compiler/attr_int.h"

#include <stddef.h>
#include <string.h>

#include "compiler/bind_int.h"
#include "dsl/model/expr_fn.h"

/* How a value is kept. */
typedef enum {
    KEEP_TEXT,  /* ax_str */
    KEEP_TEXTS, /* ax_str *, and their number in the uint32_t behind it */
    KEEP_INT64, /* milliseconds */
    KEEP_INT32,
    KEEP_UINT32,
    KEEP_BOOL,
    KEEP_PART,  /* double: 10% is 0.1 */
    KEEP_ENUM,  /* the place of a word in the row's list */
    KEEP_EXPR,  /* ax_expr * */
    KEEP_START, /* a date of a schedule, and that there is one */
    KEEP_END,
    KEEP_SPECIAL,
} keep_kind;

typedef struct {
    uint64_t owners;
    const char *name;
    keep_kind keep;
    size_t at;        /* offset in the record */
    int64_t min, max; /* of numbers; milliseconds of durations; percent; of texts, how many at least */
} field;

#define IN(kind) AX_KIND_BIT(AX_KIND_##kind)
#define NODES (IN(TASK) | IN(GATE) | IN(GROUP) | IN(DEFAULTS))
#define DEF(name_, keep_, member, ...)                                                                       \
    {                                                                                                        \
        NODES, name_, keep_, offsetof(ax_def, member), __VA_ARGS__                                           \
    }
#define FLOW(name_, keep_, member, ...)                                                                      \
    {                                                                                                        \
        IN(WORKFLOW), name_, keep_, offsetof(ax_plan, member), __VA_ARGS__                                   \
    }
#define DUE(name_, keep_, member, ...)                                                                       \
    {                                                                                                        \
        IN(SCHEDULE), name_, keep_, offsetof(ax_schedule, member), __VA_ARGS__                               \
    }
#define RETRY(name_, keep_, member, ...)                                                                     \
    {                                                                                                        \
        IN(RETRY), name_, keep_, offsetof(ax_retry, member), __VA_ARGS__                                     \
    }
#define SPECIAL(owners_, name_)                                                                              \
    {                                                                                                        \
        owners_, name_, KEEP_SPECIAL, 0, 0, 0                                                                \
    }
enum { RETRIES_MAX = 1000000, RUNS_MAX = 1000000 };

_Static_assert(offsetof(ax_def, tag_count) == offsetof(ax_def, tags) + sizeof(void *), "KEEP_TEXTS");
_Static_assert(offsetof(ax_plan, tag_count) == offsetof(ax_plan, tags) + sizeof(void *), "KEEP_TEXTS");
_Static_assert(offsetof(ax_def, shell_count) == offsetof(ax_def, shell) + sizeof(void *), "KEEP_TEXTS");

static const field fields[] = {
    FLOW("title", KEEP_TEXT, title, 0, 0),
    FLOW("doc", KEEP_TEXT, doc, 0, 0),
    FLOW("owner", KEEP_TEXT, owner, 0, 0),
    FLOW("tags", KEEP_TEXTS, tags, 0, 0),
    FLOW("max_active_runs", KEEP_UINT32, max_active_runs, 1, RUNS_MAX),
    FLOW("timeout", KEEP_INT64, timeout_ms, 1, AX_WAIT_MS_MAX),
    FLOW("failure_policy", KEEP_ENUM, policy, 0, 0),
    DUE("cron", KEEP_TEXT, cron, 0, 0),
    DUE("every", KEEP_INT64, every_ms, 1000, AX_WAIT_MS_MAX),
    DUE("timezone", KEEP_TEXT, timezone, 0, 0),
    DUE("start", KEEP_START, start_day, 0, 0),
    DUE("end", KEEP_END, end_day, 0, 0),
    DUE("window", KEEP_INT64, window_ms, 0, AX_WAIT_MS_MAX),
    DUE("catchup", KEEP_ENUM, catchup, 0, 0),
    RETRY("max", KEEP_UINT32, max, 0, RETRIES_MAX),
    RETRY("jitter", KEEP_PART, jitter, 0, 100),
    SPECIAL(IN(RETRY), "backoff"),
    SPECIAL(IN(RETRY), "on"),
    DEF("title", KEEP_TEXT, title, 0, 0),
    DEF("doc", KEEP_TEXT, doc, 0, 0),
    DEF("tags", KEEP_TEXTS, tags, 0, 0),
    SPECIAL(NODES, "run"),
    SPECIAL(NODES, "exec"),
    DEF("shell", KEEP_TEXTS, shell, 1, 0),
    DEF("cwd", KEEP_EXPR, cwd, 0, 0),
    SPECIAL(NODES, "exclude"),
    SPECIAL(NODES, "join"),
    DEF("when", KEEP_EXPR, when, 0, 0),
    DEF("enabled", KEEP_BOOL, enabled, 0, 0),
    DEF("finally", KEEP_BOOL, finally_, 0, 0),
    DEF("priority", KEEP_INT32, priority, INT32_MIN, INT32_MAX),
    DEF("timeout", KEEP_INT64, timeout_ms, 1, AX_WAIT_MS_MAX),
    DEF("kill_after", KEEP_INT64, kill_after_ms, 0, AX_WAIT_MS_MAX),
    DEF("failure_policy", KEEP_ENUM, policy, 0, 0),
    SPECIAL(NODES, "skip_on"),
    DEF("idempotent", KEEP_BOOL, idempotent, 0, 0),
};
static const size_t field_count = sizeof fields / sizeof fields[0];

static const field *field_of(ax_kind kind, const ax_attr_row *row)
{
    for (size_t i = 0; i < field_count; i++)
        if ((fields[i].owners & AX_KIND_BIT(kind)) && strcmp(fields[i].name, row->name) == 0)
            return &fields[i];
    AX_UNREACHABLE();
}

/* ---- keeping ---- */

static void *place_of(const ax_reader *r, const field *f)
{
    return (char *)r->target + f->at;
}

/* Keeps a value whose type and bounds were checked. */
static void keep(const ax_reader *r, const field *f, const ax_attr_row *row, const ax_value *v)
{
    void *at = place_of(r, f);
    switch (f->keep) {
    case KEEP_TEXT: *(ax_str *)at = v->u.s; return;
    case KEEP_INT64: *(int64_t *)at = v->u.i; return;
    case KEEP_INT32: *(int32_t *)at = (int32_t)v->u.i; return;
    case KEEP_UINT32: *(uint32_t *)at = (uint32_t)v->u.i; return;
    case KEEP_BOOL: *(bool *)at = v->u.b; return;
    case KEEP_PART: *(double *)at = v->u.f / 100; return;
    case KEEP_ENUM: {
        int word = ax_word_index(row->type, v->u.s);
        AX_ASSERT(word >= 0);
        memcpy(at, &word, sizeof word);
        return;
    }
    case KEEP_START:
    case KEEP_END: {
        ax_schedule *schedule = r->target;
        *(int64_t *)at = v->u.i;
        if (f->keep == KEEP_START) schedule->has_start = true;
        else schedule->has_end = true;
        return;
    }
    case KEEP_TEXTS: {
        ax_str *texts = AX_NEW_N(r->site.unit->mem, ax_str, v->u.list.len);
        for (uint32_t i = 0; i < v->u.list.len; i++) texts[i] = v->u.list.at[i].u.s;
        *(const ax_str **)at = texts;
        *(uint32_t *)((char *)at + sizeof(void *)) = v->u.list.len;
        return;
    }
    case KEEP_EXPR:
    case KEEP_SPECIAL: break;
    }
    AX_UNREACHABLE();
}

/* `null`: what the language would do if neither the node nor its defaults said anything. */
static void take_away(const ax_reader *r, const field *f)
{
    static const size_t sizes[] = {
        [KEEP_TEXT] = sizeof(ax_str),     [KEEP_TEXTS] = sizeof(void *) + sizeof(uint32_t),
        [KEEP_INT64] = sizeof(int64_t),   [KEEP_INT32] = sizeof(int32_t),
        [KEEP_UINT32] = sizeof(uint32_t), [KEEP_BOOL] = sizeof(bool),
        [KEEP_PART] = sizeof(double),     [KEEP_ENUM] = sizeof(int),
        [KEEP_EXPR] = sizeof(ax_expr *),  [KEEP_START] = sizeof(int64_t),
        [KEEP_END] = sizeof(int64_t),     [KEEP_SPECIAL] = 0,
    };
    memcpy(place_of(r, f), (const char *)r->fallback + f->at, sizes[f->keep]);
}

/* ---- reading ---- */

/* The type that a row names: "duration", "list(string)". */
static ax_type row_type(const ax_attr_row *row)
{
    ax_type type = {0};
    if (strcmp(row->type, "list(string)") == 0)
        return (ax_type){.kind = AX_T_LIST, .of = ax_type_of(AX_T_STRING, false)};
    bool known = ax_type_named(ax_str_of(row->type), &type.kind);
    AX_ASSERT(known);
    return type;
}

/* Checks a value of a field with bounds. */
static bool check_bounds(const ax_reader *r, const field *f, const ax_attr_row *row, const ax_value *v,
                         ax_span span)
{
    ax_diags *diags = r->site.unit->diags;
    if (f->keep == KEEP_TEXTS && v->u.list.len < f->min) {
        ax_diag_add(diags, AX_E0307, span, "'%s' needs at least one word", row->name);
        return false;
    }
    bool has_bounds = f->min != 0 || f->max != 0;
    if (f->keep == KEEP_TEXTS || !has_bounds) return true;

    ax_value bound = *v;
    bool is_percent = v->kind == AX_T_PERCENT;
    bool too_small = is_percent ? v->u.f < (double)f->min : v->u.i < f->min;
    bool too_large = is_percent ? v->u.f > (double)f->max : v->u.i > f->max;
    if (!too_small && !too_large) return true;
    if (is_percent) bound.u.f = (double)(too_small ? f->min : f->max);
    else bound.u.i = too_small ? f->min : f->max;
    ax_buf text = AX_BUF_INIT(128);
    ax_value_source(&bound, &text);
    ax_diag_add(diags, AX_E0307, span, "'%s' must be at %s %.*s", row->name, too_small ? "least" : "most",
                AX_STR(ax_buf_str(&text)));
    ax_buf_free(&text);
    return false;
}

static void report_word(const ax_reader *r, const ax_attr_row *row, ax_str word, ax_span span)
{
    ax_diags *diags = r->site.unit->diags;
    ax_diag *d = ax_diag_add(diags, AX_E0214, span, "'%s' can't be '%.*s'", row->name, AX_STR(word));
    ax_nearest near = ax_nearest_start(word);
    ax_schema_words_near(row->type, &near);
    if (near.best.len > 0) ax_diag_did_you_mean(diags, d, span, near.best);
    else ax_diag_help(diags, d, "it is one of: %s", row->type);
}

/* A bare word, or a text without values where any word may stand. */
static bool read_symbol(const ax_reader *r, const ax_attr_row *row, const ax_ast_expr *e, ax_value *out)
{
    bool is_free = strcmp(row->type, "name") == 0;
    out->kind = AX_T_STRING;
    if (e->kind == AX_AST_NAME) {
        out->u.s = e->u.name;
        if (is_free || ax_schema_word(row->type, e->u.name)) return true;
        report_word(r, row, e->u.name, e->span);
        return false;
    }
    bool is_text = e->kind == AX_AST_STRING && e->u.string.count == 1 && !e->u.string.parts[0].expr;
    if (is_text && is_free) {
        out->u.s = e->u.string.parts[0].text;
        return true;
    }
    ax_diags *diags = r->site.unit->diags;
    ax_diag *d = ax_diag_add(diags, AX_E0214, e->span,
                             is_free ? "'%s' is a name or a plain text" : "'%s' is one bare word", row->name);
    if (is_text && ax_schema_word(row->type, e->u.string.parts[0].text))
        ax_diag_did_you_mean(diags, d, e->span, e->u.string.parts[0].text);
    else if (!is_free) ax_diag_help(diags, d, "it is one of: %s", row->type);
    return false;
}

static bool read_symbols(const ax_reader *r, const ax_attr_row *row, const ax_ast_expr *e, ax_value *out)
{
    if (e->kind != AX_AST_LIST) {
        ax_diag *d =
            ax_diag_add(r->site.unit->diags, AX_E0301, e->span, "'%s' is a list of names", row->name);
        ax_diag_help(r->site.unit->diags, d, "write %s = [%.*s]", row->name,
                     AX_STR(ax_sources_text(r->site.unit->diags->sources, e->span)));
        return false;
    }
    ax_value *items = AX_NEW_N(r->site.unit->mem, ax_value, e->u.list.count);
    bool sound = true;
    for (uint32_t i = 0; i < e->u.list.count; i++)
        sound = read_symbol(r, row, e->u.list.items[i], &items[i]) && sound;
    *out = (ax_value){.kind = AX_T_LIST, .u.list = {items, e->u.list.count}};
    return sound;
}

/* An expression of the run; a constant `when` would be no question. */
static void read_expr(const ax_reader *r, const field *f, const ax_attr_row *row, const ax_ast_expr *e)
{
    ax_type type = row_type(row);
    ax_expr *x = ax_expr_make_as(&r->site, e, &type, row->name);
    if (!x) return;
    if (type.kind == AX_T_BOOL && ax_expr_is_const(x)) {
        ax_diags *diags = r->site.unit->diags;
        ax_diag *d = ax_diag_add(diags, AX_E0306, e->span, "'%s' is always %s", row->name,
                                 x->u.value.u.b ? "true" : "false");
        ax_diag_help(diags, d,
                     x->u.value.u.b ? "leave it out" : "to switch the node off write enabled = false");
        return;
    }
    *(ax_expr **)place_of(r, f) = x;
}

/* exec = ["program", "argument", …]: one argument each, whatever is in it. */
static void read_exec(const ax_reader *r, const ax_ast_expr *e, ax_def *def)
{
    ax_diags *diags = r->site.unit->diags;
    if (e->kind != AX_AST_LIST) {
        ax_diag *d = ax_diag_add(diags, AX_E0301, e->span, "'exec' is a list: a program and its arguments");
        ax_diag_help(diags, d, "write exec = [\"program\", \"argument\"], or run = … for a shell line");
        return;
    }
    def->action = AX_ACTION_EXEC;
    if (e->u.list.count == 0) {
        ax_diag_add(diags, AX_E0505, e->span, "there is nothing to run");
        return;
    }
    ax_expr **argv = AX_NEW_N(r->site.unit->mem, ax_expr *, e->u.list.count);
    for (uint32_t i = 0; i < e->u.list.count; i++) {
        ax_span span = e->u.list.items[i]->span;
        argv[i] = ax_expr_make(&r->site, e->u.list.items[i]);
        if (argv[i] && argv[i]->type.kind == AX_T_NULL)
            ax_diag_add(diags, AX_E0301, span, "an argument can't be null");
    }
    ax_expr *program = argv[0];
    if (program && program->kind == AX_X_CONST && program->type.kind == AX_T_STRING &&
        program->u.value.u.s.len == 0)
        ax_diag_add(diags, AX_E0505, e->u.list.items[0]->span, "the program has no name");
    def->argv = argv;
    def->argc = e->u.list.count;
}

static void read_special(const ax_reader *r, const ax_attr_row *row, const ax_ast_expr *e)
{
    if (r->kind == AX_KIND_RETRY) {
        if (strcmp(row->name, "on") == 0) ax_special_on(r, e, r->target);
        else ax_special_backoff(r, e, r->target);
    } else if (strcmp(row->name, "join") == 0) ax_special_join(r, e, r->target);
    else if (strcmp(row->name, "skip_on") == 0) ax_special_skip_on(r, e, r->target);
    else if (strcmp(row->name, "exec") == 0) read_exec(r, e, r->target);
    else AX_ASSERT(strcmp(row->name, "exclude") == 0); /* was read with the matrix */
}

void ax_attr_read(const ax_reader *r, const ax_attr_row *row, const ax_ast_expr *e)
{
    const field *f = field_of(r->kind, row);
    if (e->kind == AX_AST_NULL && r->kind == AX_KIND_TASK && f->keep != KEEP_SPECIAL) {
        take_away(r, f);
        return;
    }
    ax_value v = {0};
    bool sound = false;
    switch (row->form) {
    case AX_FORM_SYMBOL: sound = read_symbol(r, row, e, &v); break;
    case AX_FORM_SYMBOLS: sound = read_symbols(r, row, e, &v); break;
    case AX_FORM_VALUE: {
        ax_type type = row_type(row);
        sound = ax_expr_value(&r->site, e, &type, row->name, &v) && check_bounds(r, f, row, &v, e->span);
        break;
    }
    case AX_FORM_EXPR: read_expr(r, f, row, e); return;
    case AX_FORM_SPECIAL: read_special(r, row, e); return;
    case AX_FORM_TEMPLATE: AX_UNREACHABLE();
    }
    if (sound) keep(r, f, row, &v);
}

void ax_attr_fallbacks(const ax_reader *r)
{
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        const ax_attr_row *row = &ax_schema_attrs[i];
        bool is_plain = row->form == AX_FORM_SYMBOL || (row->form == AX_FORM_VALUE && row->type[0] != 'l');
        if (!(row->owners & AX_KIND_BIT(r->kind)) || !row->fallback[0] || !is_plain) continue;
        ax_value v = {.kind = AX_T_STRING, .u.s = ax_str_of(row->fallback)};
        if (row->form == AX_FORM_VALUE) {
            ax_type type = row_type(row);
            ax_rc rc = ax_value_parse(r->site.unit->mem, &type, ax_str_of(row->fallback), &v, NULL);
            AX_ASSERT(rc == AX_OK);
        }
        keep(r, field_of(r->kind, row), row, &v);
    }
}
