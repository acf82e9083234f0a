/* command.c - what a person may ask for while a run lives.
 *
 * A command names the attempt that the person saw; if the node has moved on it is refused. One that asks for
 * what is so already changes nothing. Every change is logged as MANUAL_OVERRIDE with the person's name and
 * reason.
 */
#include "dsl/base/assert.h"
#include "runtime/core/render.h"
#include "runtime/core/step_int.h"

static ax_rc refuse_run(const ax_view *view, ax_err *err, const char *command)
{
    return ax_fail(err, AX_REFUSED, "a run that is %s does not accept %s", ax_run_fsm.states[view->run.state],
                   command);
}

/* The node that a command is for, if the run takes commands and the node has not moved on. */
static ax_rc target(ax_step *s, const char *command, ax_node_rec *rec, ax_err *err)
{
    const ax_view *view = s->view;
    if (!ax_view_lives(view)) return refuse_run(view, err, command);
    *rec = view->nodes[s->event->node];
    uint32_t seen = s->event->attempt;
    if (!seen || seen == rec->attempt) return AX_OK;
    return ax_fail(err, AX_REFUSED, "it has moved on: attempt %u was meant, attempt %u is the newest", seen,
                   rec->attempt);
}

static ax_rc refuse_node(const ax_node_rec *rec, ax_err *err, const char *command)
{
    return ax_fail(err, AX_REFUSED, "%s does not accept %s", ax_node_fsm.states[rec->state], command);
}

static bool awaits_confirm(const ax_view *view, uint32_t node)
{
    const ax_instance_rec *rec = ax_view_current(view, node);
    return rec && rec->state == AX_INSTANCE_WAITING_CONFIRM;
}

/* Sets the pause of a person. A run that is PAUSED for another reason goes through RUNNING, so that the log
 * has both. */
static void set_pause(ax_step *s, bool paused)
{
    ax_run_rec to = s->view->run;
    bool was_paused = to.state == AX_RUN_PAUSED;
    to.paused_by_person = paused;
    if (was_paused) ax_step_run(s, to, AX_RUN_EV_RESUME, AX_LIT(""));
    if (!paused) return;
    to = s->view->run;
    to.paused_by_person = true;
    ax_step_run(s, to, AX_RUN_EV_PAUSE, AX_LIT(""));
}

ax_rc ax_on_pause(ax_step *s, ax_err *err)
{
    if (!ax_view_lives(s->view)) return refuse_run(s->view, err, "PAUSE");
    if (!s->view->run.paused_by_person) set_pause(s, true);
    return AX_OK;
}

enum { QUESTIONS_SHOWN_MAX = 8 };

static ax_rc refuse_resume(const ax_view *view, ax_err *err)
{
    uint32_t nodes[QUESTIONS_SHOWN_MAX], count = ax_view_questions(view, nodes, QUESTIONS_SHOWN_MAX);
    ax_buf names = AX_BUF_INIT(sizeof err->text / 2);
    for (uint32_t i = 0; i < count && i < QUESTIONS_SHOWN_MAX; i++)
        ax_buf_addf(&names, "%s%.*s", i ? ", " : "", AX_STR(view->plan->nodes[nodes[i]].name));
    ax_rc rc = ax_fail(err, AX_REFUSED, "nobody paused it: it waits for an answer on %.*s%s",
                       AX_STR(ax_buf_str(&names)), count > QUESTIONS_SHOWN_MAX ? ", …" : "");
    ax_buf_free(&names);
    return rc;
}

ax_rc ax_on_resume(ax_step *s, ax_err *err)
{
    const ax_view *view = s->view;
    if (view->run.state != AX_RUN_PAUSED) return refuse_run(view, err, "RESUME");
    if (!view->run.paused_by_person) return refuse_resume(view, err);
    set_pause(s, false);
    return AX_OK;
}

/* The join of a FAILED node may not hold any more: something above is in motion again. */
static bool join_holds(const ax_view *view, uint32_t node)
{
    const ax_def *def = ax_view_def(view, node);
    if (def->finally_ && !view->finally_begun) return false;
    return ax_join_decide(def, view->info[node].tally, ax_view_in_count(view, node)) == AX_VERDICT_HOLDS;
}

ax_rc ax_on_retry(ax_step *s, ax_err *err)
{
    ax_node_rec rec;
    bool wanted = false;
    ax_rc rc = target(s, "RETRY", &rec, err);
    if (rc) return rc;
    if (rec.state == AX_NODE_ST_FAILED && !join_holds(s->view, rec.node))
        return ax_fail(err, AX_REFUSED, "its join does not hold now");
    if (rec.state == AX_NODE_ST_FAILED && rec.reason == AX_REASON_RENDER) {
        rc = ax_render_when(s->view, rec.node, &s->scratch, &wanted, err);
        if (rc) return rc == AX_INVALID ? AX_REFUSED : rc;
        if (!wanted) return ax_fail(err, AX_REFUSED, "its `when` is false now");
    }
    return ax_step_rerun(s, rec.node, err);
}

ax_rc ax_on_skip(ax_step *s, ax_err *err)
{
    ax_node_rec to;
    ax_rc rc = target(s, "SKIP", &to, err);
    if (rc) return rc;
    if (to.state == AX_NODE_ST_FAILED && to.open) {
        to.open = false;
        to.given_up = true;
        return ax_node_apply(s, to, AX_NODE_EV_GIVE_UP, err);
    }
    to.skipped_by_hand = true;
    to.reason = AX_REASON_BY_HAND;
    return ax_node_apply(s, to, AX_NODE_EV_SKIP, err);
}

ax_rc ax_on_accept(ax_step *s, ax_err *err)
{
    ax_node_rec to;
    ax_rc rc = target(s, "ACCEPT", &to, err);
    if (rc) return rc;
    bool asked = awaits_confirm(s->view, to.node);
    if (to.state != AX_NODE_ST_FAILED && !asked) return refuse_node(&to, err, "ACCEPT");
    rc = ax_step_outputs(s, to.node, &s->event->report, true, NULL, err);
    if (rc) return rc;
    if (asked) {
        ax_instance_rec last = *ax_view_current(s->view, to.node);
        last.reason = AX_REASON_BY_HAND;
        ax_step_instance(s, last, AX_INSTANCE_EV_ACCEPT);
    }
    to.accepted = true;
    to.open = to.given_up = false;
    to.reason = AX_REASON_NONE;
    return ax_node_apply(s, to, AX_NODE_EV_ACCEPT, err);
}

ax_rc ax_on_hold(ax_step *s, ax_err *err)
{
    ax_node_rec to;
    ax_rc rc = target(s, "HOLD", &to, err);
    if (rc) return rc;
    if (to.held_by_hand) return AX_OK;
    if (to.state != AX_NODE_ST_BLOCKED && to.state != AX_NODE_ST_HELD) return refuse_node(&to, err, "HOLD");
    if (to.state == AX_NODE_ST_HELD) ax_step_node(s, to, AX_NODE_EV_REOPEN);
    to = s->view->nodes[to.node];
    to.held_by_hand = true;
    return ax_node_apply(s, to, AX_NODE_EV_HOLD, err);
}

ax_rc ax_on_release(ax_step *s, ax_err *err)
{
    ax_node_rec to;
    ax_rc rc = target(s, "RELEASE", &to, err);
    if (rc) return rc;
    if (!to.held_by_hand || ax_view_has_begun(&to)) return ax_fail(err, AX_REFUSED, "nobody holds it");
    to.held_by_hand = false;
    to.reason = AX_REASON_NONE;
    to.cause = AX_NONE;
    ax_step_node(s, to, AX_NODE_EV_REOPEN);
    ax_step_dirty(s, to.node);
    return AX_OK;
}

static ax_rc question(ax_step *s, const char *command, ax_node_rec *rec, ax_err *err)
{
    ax_rc rc = target(s, command, rec, err);
    if (!rc && !awaits_confirm(s->view, rec->node))
        rc = ax_fail(err, AX_REFUSED, "it asks for no confirmation");
    return rc;
}

ax_rc ax_on_confirm(ax_step *s, ax_err *err)
{
    ax_node_rec rec;
    ax_rc rc = question(s, "CONFIRM", &rec, err);
    if (rc) return rc;
    ax_instance_rec to = *ax_view_current(s->view, rec.node);
    to.due_ms = s->now_ms;
    ax_step_instance(s, to, AX_INSTANCE_EV_CONFIRM);
    s->direct = false;
    ax_step_due(s, rec.node);
    return AX_OK;
}

ax_rc ax_on_reject(ax_step *s, ax_err *err)
{
    ax_node_rec rec;
    ax_rc rc = question(s, "REJECT", &rec, err);
    if (rc) return rc;
    ax_instance_rec to = *ax_view_current(s->view, rec.node);
    const ax_instance_rec *tried = ax_view_attempt(s->view, rec.node, to.retry_of);
    AX_ASSERT(tried);
    to.reason = AX_REASON_REJECTED;
    ax_step_instance(s, to, AX_INSTANCE_EV_REJECT);
    ax_step_fail(s, rec.node, tried->reason);
    return AX_OK;
}
