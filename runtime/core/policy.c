/* policy.c - what a failure does to the graph. How its edges stand then is in the tables of look.c. */
#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

void ax_step_fail(ax_step *s, uint32_t node, ax_reason reason)
{
    ax_policy policy = ax_view_def(s->view, node)->policy;
    bool lives = ax_view_lives(s->view);
    ax_node_rec to = s->view->nodes[node];
    to.reason = reason;
    to.open = policy == AX_POLICY_PAUSE && lives;
    ax_step_node(s, to, AX_NODE_EV_FAIL);
    if (policy != AX_POLICY_ABORT || !lives || s->abort) return;
    s->abort = true;
    s->abort_by = node;
}
