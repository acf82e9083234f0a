/* show_json.c - each transition as one line of JSON, and a last line that says where the run stands. */
#include "dsl/base/json_out.h"
#include "runtime/admin/query_json.h"
#include "tools/ax/show.h"
#include "tools/ax/show_text.h"

#define LINE_BYTES_MAX ((size_t)1 << 20)
#define QUESTIONS_MAX 100

typedef struct {
    ax_show base;
    ax_buf line;
} json_show;

static ax_json begin_line(json_show *s)
{
    ax_buf_clear(&s->line);
    ax_json j = ax_json_start(&s->line, 0);
    ax_json_obj(&j);
    return j;
}

static void end_line(json_show *s, ax_json *j)
{
    ax_json_end(j);
    ax_out_add(s->base.out, ax_buf_str(&s->line));
    ax_out_adds(s->base.out, "\n");
}

static void add_str(ax_json *j, const char *key, ax_str value)
{
    if (!value.len) return;
    ax_json_key(j, key);
    ax_json_str(j, value);
}

static void add_row(json_show *s, const ax_view *view, const ax_log_rec *row)
{
    ax_buf_clear(&s->line);
    ax_json j = ax_json_start(&s->line, 0);
    ax_query_log_json(ax_view_plan(view), row, &j);
    ax_out_add(s->base.out, ax_buf_str(&s->line));
    ax_out_adds(s->base.out, "\n");
}

static void begin(ax_show *show, const ax_view *view)
{
    (void)show;
    (void)view;
}

static void rows(ax_show *show, const ax_view *view, const ax_log_rec *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) add_row((json_show *)show, view, &rows[i]);
    ax_out_flush(show->out, NULL);
}

static void note(ax_show *show, ax_style style, const char *text)
{
    json_show *s = (json_show *)show;
    ax_json j = begin_line(s);
    (void)style;
    add_str(&j, "note", ax_str_of(text));
    end_line(s, &j);
    ax_out_flush(show->out, NULL);
}

static int tick(ax_show *show, const ax_view *view)
{
    (void)show;
    (void)view;
    return -1;
}

static void resized(ax_show *show)
{
    (void)show;
}

/* The nodes that wait for a person. */
static void add_questions(ax_json *j, const ax_view *view)
{
    uint32_t nodes[QUESTIONS_MAX];
    uint32_t count = ax_view_ended(view) ? 0 : ax_view_questions(view, nodes, QUESTIONS_MAX);
    if (!count) return;
    ax_json_key(j, "waits_for");
    ax_json_arr(j);
    for (uint32_t i = 0; i < count && i < QUESTIONS_MAX; i++)
        ax_json_str(j, ax_view_plan(view)->nodes[nodes[i]].name);
    ax_json_end(j);
}

static void end(ax_show *show, const ax_view *view)
{
    json_show *s = (json_show *)show;
    const ax_run_rec *run = ax_view_run(view);
    const uint32_t *counts = ax_view_counts(view);
    ax_json j = begin_line(s);
    ax_json_key(&j, "run");
    ax_json_int(&j, (int64_t)run->id);
    add_str(&j, "workflow", run->workflow);
    add_str(&j, "state", ax_str_of(ax_run_fsm.states[run->state]));
    ax_json_key(&j, "counts");
    ax_json_obj(&j);
    for (uint32_t i = 0; i < AX_NODE_ST_COUNT; i++) {
        ax_json_key(&j, ax_node_fsm.states[i]);
        ax_json_int(&j, counts[i]);
    }
    ax_json_end(&j);
    add_questions(&j, view);
    end_line(s, &j);
    ax_buf_free(&s->line);
}

ax_show *ax_show_json(ax_arena *mem, ax_out *out, const char *root)
{
    static const ax_show_ops ops = {"json", begin, rows, note, tick, resized, end};
    json_show *s = AX_NEW(mem, json_show);
    s->base = (ax_show){.ops = &ops, .out = out, .root = root, .mem = mem};
    s->line = AX_BUF_INIT(LINE_BYTES_MAX);
    return &s->base;
}
