/* timer.c - whatever is due: waits that are over, attempts and runs whose time is over. */
#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

static void time_out(ax_step *s, uint32_t node)
{
    ax_instance_rec to = s->view->info[node].current->rec;
    to.due_ms = 0;
    ax_step_instance(s, to, AX_INSTANCE_EV_TIMEOUT);
    ax_step_effect(s, AX_EFFECT_STOP, node, to.attempt);
}

ax_rc ax_on_timers(ax_step *s, ax_err *err)
{
    ax_view *view = s->view;
    (void)err;
    for (const ax_heap_item *top = ax_heap_top(&view->timers); top && top->a <= s->now_ms;
         top = ax_heap_top(&view->timers)) {
        uint32_t node = top->node;
        s->direct = true;
        if (node == view->plan->node_count) {
            ax_step_run(s, view->run, AX_RUN_EV_ABORT, AX_LIT("{\"reason\":\"timeout\"}"));
            ax_step_drain(s);
        } else if (view->info[node].current->rec.state == AX_INSTANCE_RETRYING) {
            ax_step_due(s, node);
        } else {
            time_out(s, node);
        }
    }
    return AX_OK;
}
