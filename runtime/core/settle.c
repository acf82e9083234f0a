/* settle.c - after an event: everything that follows, until nothing does, and then the state of the run.
 *
 * The states RUNNING and PAUSED and the ends of a run are computed here from totals alone, never by asking
 * node by node.
 */
#include "dsl/base/assert.h"
#include "dsl/base/json_out.h"
#include "runtime/core/step_int.h"

static ax_str cause_extra(ax_step *s, uint32_t node)
{
    ax_buf text = AX_BUF_INIT(16 << 20);
    ax_json j = ax_json_start(&text, 0);
    ax_json_obj(&j);
    ax_json_key(&j, "cause");
    ax_json_str(&j, s->view->plan->nodes[node].name);
    ax_json_end(&j);
    ax_str out = ax_str_dup(s->batch->mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return out;
}

static void abort_run(ax_step *s)
{
    s->abort = false;
    if (!ax_view_lives(s->view)) return; /* its time was over in the same step */
    ax_step_run(s, s->view->run, AX_RUN_EV_ABORT, cause_extra(s, s->abort_by));
    ax_step_drain(s);
}

/* Whether `finally` nodes may begin depends on all others at once: when that changes, each is looked at
 * again. */
static bool turn_finally(ax_step *s)
{
    ax_view *view = s->view;
    bool due = ax_view_finally_due(view);
    if (due == view->finally_begun) return false;
    view->finally_begun = due;
    for (uint32_t i = 0; i < view->finally_count; i++)
        if (!ax_view_has_begun(&view->nodes[view->finally_at[i]])) ax_step_dirty(s, view->finally_at[i]);
    return true;
}

/* The event that the totals call for; AX_RUN_EV_COUNT: none. */
static ax_run_event run_event(const ax_view *view)
{
    const ax_totals *totals = &view->totals;
    uint32_t active = totals->by_state[AX_NODE_ST_ACTIVE], held = totals->by_state[AX_NODE_ST_HELD];
    bool waits = totals->open || held;
    bool ended = !active && !waits && !totals->by_state[AX_NODE_ST_BLOCKED];
    if (ax_view_drains(view)) return ended ? AX_RUN_EV_DRAINED : AX_RUN_EV_COUNT;
    if (!ax_view_lives(view)) return AX_RUN_EV_COUNT;
    if (ended) return totals->bad ? AX_RUN_EV_FAIL : AX_RUN_EV_SUCCEED;

    bool pause = view->run.paused_by_person || (!active && waits);
    AX_IMPLIES(!active, waits);
    if (pause == (view->run.state == AX_RUN_PAUSED)) return AX_RUN_EV_COUNT;
    return pause ? AX_RUN_EV_PAUSE : AX_RUN_EV_RESUME;
}

void ax_step_settle(ax_step *s)
{
    s->direct = false;
    do {
        ax_step_propagate(s);
        while (s->abort) {
            abort_run(s);
            ax_step_propagate(s);
        }
    } while (turn_finally(s));

    ax_run_event event = run_event(s->view);
    if (event != AX_RUN_EV_COUNT) ax_step_run(s, s->view->run, event, AX_LIT(""));
    ax_step_put_run(s);
}
