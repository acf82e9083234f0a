/* drain.c - a run that is cancelled or aborted begins nothing but its `finally` nodes, and stops what lives.
 *
 * `finally` nodes are spared: they are the clean-up that was promised for this case. Only one that waits for
 * a person's confirmation is cancelled, for in a run that drains nobody can answer. Open questions are
 * withdrawn.
 */
#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

static void stop_attempt(ax_step *s, uint32_t node)
{
    ax_instance_rec to = s->view->info[node].current->rec;
    bool runs = to.state == AX_INSTANCE_RUNNING || to.state == AX_INSTANCE_WAITING_APPROVAL;
    to.due_ms = 0;
    if (!ax_instance_has_process(to.state)) to.reason = AX_REASON_CANCELLED;
    ax_step_instance(s, to, AX_INSTANCE_EV_CANCEL);
    if (runs) ax_step_effect(s, AX_EFFECT_STOP, node, to.attempt);
    if (!ax_instance_has_process(s->view->info[node].current->rec.state)) ax_step_ended(s, node);
}

static void drain_node(ax_step *s, uint32_t node, bool never_began)
{
    ax_view *view = s->view;
    ax_node_rec to = view->nodes[node];
    bool spared = ax_view_def(view, node)->finally_ && !never_began;
    switch (to.state) {
    case AX_NODE_ST_BLOCKED:
    case AX_NODE_ST_HELD:
        if (spared) {
            ax_step_dirty(s, node);
            return;
        }
        to.reason = AX_REASON_CANCELLED;
        ax_step_node(s, to, AX_NODE_EV_CANCEL);
        return;
    case AX_NODE_ST_ACTIVE:
        if (!spared || view->info[node].current->rec.state == AX_INSTANCE_WAITING_CONFIRM)
            stop_attempt(s, node);
        return;
    case AX_NODE_ST_FAILED:
        if (!to.open) return;
        to.open = false;
        ax_step_node(s, to, AX_NODE_EV_GIVE_UP);
        return;
    case AX_NODE_ST_SUCCEEDED:
    case AX_NODE_ST_SKIPPED:
    case AX_NODE_ST_CANCELLED: return;
    case AX_NODE_ST_COUNT: break;
    }
    AX_UNREACHABLE();
}

void ax_step_drain(ax_step *s)
{
    ax_view *view = s->view;
    AX_ASSERT(ax_view_drains(view));
    bool never_began = view->run.started_ms == 0;
    s->direct = false;
    for (uint32_t rank = 0; rank < view->plan->node_count; rank++) {
        uint32_t node = view->plan->order[rank];
        if (!ax_view_is_group(view, node)) drain_node(s, node, never_began);
    }
}

ax_rc ax_on_cancel(ax_step *s, ax_err *err)
{
    ax_run_rec to = s->view->run;
    if (to.state == AX_RUN_CANCELLING || to.state == AX_RUN_CANCELLED) return AX_OK;
    ax_rc rc = ax_run_apply(s, to, AX_RUN_EV_CANCEL, AX_LIT(""), err);
    if (!rc) ax_step_drain(s);
    return rc;
}
