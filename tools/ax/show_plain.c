/* show_plain.c - a line for each start and each end, for logs and pipes; at the end a summary. */
#include <inttypes.h>

#include "dsl/model/units.h"
#include "tools/ax/show.h"
#include "tools/ax/show_text.h"

#define LINE_BYTES_MAX ((size_t)64 << 10)
#define UNTOUCHED_MAX 20 /* nodes that one commit ends before they begin and that get a line each */

typedef struct {
    ax_show base;
    ax_buf line;
} plain;

/* Begins a line about a node. */
static void begin_line(plain *p, const ax_view *view, const ax_log_rec *row)
{
    ax_buf_clear(&p->line);
    ax_text_clock(row->at_ms, &p->line);
    ax_buf_addf(&p->line, " %.*s", AX_STR(ax_view_plan(view)->nodes[row->node].name));
}

static void end_line(plain *p)
{
    ax_out_safe(p->base.out, ax_buf_str(&p->line));
    ax_out_adds(p->base.out, "\n");
}

static void add_duration(plain *p, const char *before, int64_t ms)
{
    ax_buf_adds(&p->line, before);
    ax_text_duration(ms, &p->line);
}

/* When an attempt that was made at at_ms begins; the commit that made it may hold its start, too. */
static void add_wait(plain *p, const ax_instance_rec *rec, int64_t at_ms)
{
    int64_t until_ms = rec->state == AX_INSTANCE_RETRYING ? rec->due_ms : at_ms;
    if (until_ms > at_ms) add_duration(p, "; again in ", until_ms - at_ms);
    else ax_buf_adds(&p->line, "; again at once");
}

/* An attempt starts, is being stopped, or is followed by another one. */
static void instance_row(plain *p, const ax_view *view, const ax_log_rec *row)
{
    const ax_instance_rec *rec = ax_view_attempt(view, row->node, row->attempt);
    const ax_instance_rec *before =
        row->attempt > 1 ? ax_view_attempt(view, row->node, row->attempt - 1) : NULL;
    begin_line(p, view, row);
    if (row->created && row->to == AX_INSTANCE_RETRYING && before) {
        ax_buf_adds(&p->line, " failed: ");
        ax_text_end(view, before, &p->line);
        add_wait(p, rec, row->at_ms);
    } else if (row->created && row->to == AX_INSTANCE_WAITING_CONFIRM && before) {
        ax_buf_adds(&p->line, " failed: ");
        ax_text_end(view, before, &p->line);
        ax_buf_adds(&p->line, "; it may not be safe to run again, so a person is asked");
    } else if (!row->created && row->event == AX_INSTANCE_EV_DISPATCH) {
        ax_buf_adds(&p->line, " started");
        if (row->attempt > 1) ax_buf_addf(&p->line, ", try %u", row->attempt);
    } else if (!row->created && row->event == AX_INSTANCE_EV_TIMEOUT) {
        ax_buf_adds(&p->line, " has run out of time and is being stopped");
    } else {
        return;
    }
    end_line(p);
}

static void node_row(plain *p, const ax_view *view, const ax_log_rec *row)
{
    const ax_node_rec *rec = ax_view_node(view, row->node);
    const ax_instance_rec *attempt = ax_view_current(view, row->node);
    if (row->to == row->from || row->to == AX_NODE_ST_ACTIVE || row->to == AX_NODE_ST_BLOCKED) return;
    begin_line(p, view, row);
    ax_buf_addf(&p->line, " %s", ax_text_node_state(row->to));
    switch ((ax_node_event)row->event) {
    case AX_NODE_EV_SUCCEED:
        if (attempt) add_duration(p, " in ", ax_text_took_ms(attempt, row->at_ms));
        break;
    case AX_NODE_EV_SKIP_SELF:
    case AX_NODE_EV_FAIL:
        ax_buf_adds(&p->line, ": ");
        if (attempt) ax_text_end(view, attempt, &p->line);
        if (attempt && attempt->attempt > 1) ax_buf_addf(&p->line, ", after %u tries", attempt->attempt);
        break;
    case AX_NODE_EV_SKIP:
        ax_buf_adds(&p->line, ": ");
        ax_text_skip(view, rec, &p->line);
        break;
    case AX_NODE_EV_ACCEPT: ax_buf_adds(&p->line, ": accepted by a person"); break;
    case AX_NODE_EV_UNLOCK:
    case AX_NODE_EV_REVISE:
    case AX_NODE_EV_HOLD:
    case AX_NODE_EV_REOPEN:
    case AX_NODE_EV_CANCEL:
    case AX_NODE_EV_RETRY:
    case AX_NODE_EV_GIVE_UP:
    case AX_NODE_EV_COUNT: break;
    }
    end_line(p);
}

/* True for an end of a node that has never begun: it is skipped or cancelled. */
static bool is_untouched(const ax_view *view, const ax_log_rec *row)
{
    return row->machine == AX_MACHINE_NODE && row->to != row->from &&
           (row->to == AX_NODE_ST_SKIPPED || row->to == AX_NODE_ST_CANCELLED) &&
           ax_view_node(view, row->node)->attempt == 0;
}

/* What one event did to more nodes than anybody reads, as one line a state. */
static void add_untouched(plain *p, const ax_log_rec *last, const uint32_t *by_state)
{
    for (uint32_t state = 0; state < AX_NODE_ST_COUNT; state++) {
        if (!by_state[state]) continue;
        ax_buf_clear(&p->line);
        ax_text_clock(last->at_ms, &p->line);
        ax_buf_addf(&p->line, " %u nodes %s before they began", by_state[state],
                    ax_text_node_state((ax_node_state)state));
        end_line(p);
    }
}

/* Of a run that is resumed, also where it stands. */
static void begin(ax_show *show, const ax_view *view)
{
    plain *p = (plain *)show;
    const ax_run_rec *run = ax_view_run(view);
    const uint32_t *counts = ax_view_counts(view);
    bool has_begun = false;
    for (uint32_t state = 0; state < AX_NODE_ST_COUNT; state++)
        has_begun |= state != AX_NODE_ST_BLOCKED && counts[state] > 0;
    ax_buf_clear(&p->line);
    ax_buf_addf(&p->line, "run %" PRIu64 " of %.*s for ", run->id, AX_STR(run->workflow));
    ax_date_text(run->date, &p->line);
    if (has_begun) {
        ax_buf_adds(&p->line, ", resumed: ");
        ax_text_counts(counts, &p->line);
    }
    end_line(p);
    ax_out_flush(show->out, NULL);
}

static void rows(ax_show *show, const ax_view *view, const ax_log_rec *rows, uint32_t count)
{
    plain *p = (plain *)show;
    uint32_t by_state[AX_NODE_ST_COUNT] = {0}, untouched = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_untouched(view, &rows[i])) continue;
        by_state[rows[i].to]++;
        untouched++;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].machine == AX_MACHINE_INSTANCE) instance_row(p, view, &rows[i]);
        if (rows[i].machine == AX_MACHINE_NODE &&
            !(untouched > UNTOUCHED_MAX && is_untouched(view, &rows[i])))
            node_row(p, view, &rows[i]);
    }
    if (untouched > UNTOUCHED_MAX) add_untouched(p, &rows[count - 1], by_state);
    ax_out_flush(show->out, NULL);
}

static void note(ax_show *show, ax_style style, const char *text)
{
    ax_out_styled(show->out, style, ax_str_of(text));
    ax_out_adds(show->out, "\n");
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

static void end(ax_show *show, const ax_view *view)
{
    ax_text_summary(view, show->root, show->out);
    ax_buf_free(&((plain *)show)->line);
}

ax_show *ax_show_plain(ax_arena *mem, ax_out *out, const char *root)
{
    static const ax_show_ops ops = {"plain", begin, rows, note, tick, resized, end};
    plain *p = AX_NEW(mem, plain);
    p->base = (ax_show){.ops = &ops, .out = out, .root = root, .mem = mem};
    p->line = AX_BUF_INIT(LINE_BYTES_MAX);
    return &p->base;
}
