/* attempt.c - the life of a node's attempts: begun, submitted, ended, followed by another. */
#include "dsl/base/assert.h"
#include "runtime/core/render.h"
#include "runtime/core/step_int.h"

static const ax_node_event meanings[AX_INSTANCE_COUNT] = {
    [AX_INSTANCE_SUCCEEDED] = AX_NODE_EV_SUCCEED,
    [AX_INSTANCE_FAILED] = AX_NODE_EV_FAIL,
    [AX_INSTANCE_TIMEOUT] = AX_NODE_EV_FAIL,
    [AX_INSTANCE_CANCELLED] = AX_NODE_EV_CANCEL,
};

ax_node_event ax_instance_means(ax_instance_state state)
{
    AX_ASSERT(ax_fsm_terminal(&ax_instance_fsm, state));
    return meanings[state];
}

static ax_instance_rec *current(const ax_step *s, uint32_t node)
{
    AX_ASSERT(s->view->info[node].current);
    return &s->view->info[node].current->rec;
}

static void fail_unrendered(ax_step *s, uint32_t node, const char *why)
{
    ax_instance_rec to = *current(s, node);
    to.reason = AX_REASON_RENDER;
    to.message = ax_str_fmt(s->view->mem, "%s", why);
    ax_step_instance(s, to, AX_INSTANCE_EV_FAILURE);
    ax_step_ended(s, node);
}

void ax_step_submit(ax_step *s, uint32_t node)
{
    ax_instance_rec to = *current(s, node);
    ax_command command;
    ax_err why = {0};
    ax_rc rc = ax_render(s->view, node, to.attempt, &s->scratch, &command, &why);
    ax_arena_reset(&s->scratch);
    if (rc) {
        fail_unrendered(s, node, why.text);
        return;
    }
    to.ready_ms = s->now_ms;
    ax_step_instance(s, to, AX_INSTANCE_EV_SUBMIT);
}

/* A gate has no attempt: it ends in the step in which it begins. */
static void end_gate(ax_step *s, uint32_t node, const char *broken)
{
    if (!broken) {
        ax_step_node(s, s->view->nodes[node], AX_NODE_EV_SUCCEED);
        return;
    }
    s->note = ax_str_fmt(s->batch->mem, "%s", broken);
    ax_step_fail(s, node, AX_REASON_RENDER);
    s->note = AX_LIT("");
}

static void first_attempt(ax_step *s, uint32_t node, uint32_t attempt, const char *broken)
{
    ax_instance_rec rec = {.node = node, .attempt = attempt, .retry_of = attempt - 1};
    ax_instance_create(s, rec, AX_INSTANCE_PENDING);
    if (broken) fail_unrendered(s, node, broken);
    else ax_step_submit(s, node);
}

void ax_step_begin(ax_step *s, uint32_t node, const char *broken)
{
    bool gate = ax_view_def(s->view, node)->kind == AX_NODE_GATE;
    ax_node_rec to = s->view->nodes[node];
    AX_ASSERT(to.attempt == 0);
    to.reason = AX_REASON_NONE;
    to.cause = AX_NONE;
    to.begun_ms = s->now_ms;
    to.attempt = to.budget_from = gate ? 0 : 1;
    ax_step_node(s, to, AX_NODE_EV_UNLOCK);
    if (gate) end_gate(s, node, broken);
    else first_attempt(s, node, 1, broken);
}

ax_rc ax_step_rerun(ax_step *s, uint32_t node, ax_err *err)
{
    ax_node_rec to = s->view->nodes[node];
    bool gate = ax_view_def(s->view, node)->kind == AX_NODE_GATE;
    to.open = to.given_up = false;
    to.reason = AX_REASON_NONE;
    if (!gate) to.budget_from = ++to.attempt;
    ax_rc rc = ax_node_apply(s, to, AX_NODE_EV_RETRY, err);
    if (rc) return rc;
    if (gate) {
        end_gate(s, node, NULL);
        return AX_OK;
    }
    ax_step_instance(s, *current(s, node), AX_INSTANCE_EV_RETRY);
    s->direct = false;
    first_attempt(s, node, to.attempt, NULL);
    return AX_OK;
}

void ax_step_due(ax_step *s, uint32_t node)
{
    ax_instance_rec to = *current(s, node);
    to.due_ms = 0;
    ax_step_instance(s, to, AX_INSTANCE_EV_DUE);
    ax_step_submit(s, node);
}

/* True if the attempt may have had an effect that a second one would have again. */
static bool may_have_acted(const ax_instance_rec *rec)
{
    return rec->started_ms != 0 && rec->reason != AX_REASON_START;
}

/* The next attempt by itself, if there is to be one. */
static bool retry(ax_step *s, uint32_t node)
{
    ax_view *view = s->view;
    const ax_def *def = ax_view_def(view, node);
    ax_instance_rec last = *current(s, node);
    if (!ax_retry_allowed(def, &view->nodes[node], &last)) return false;
    bool asks = !def->idempotent && may_have_acted(&last);
    /* In a run that drains nobody can be asked, and only the work of `finally` nodes is still wanted. */
    if (ax_view_drains(view) && (asks || !def->finally_)) return false;

    int64_t wait_ms = ax_retry_wait_ms(def, view->run.id, &view->nodes[node]);
    ax_instance_rec next = {.node = node, .attempt = last.attempt + 1, .retry_of = last.attempt};
    if (!asks) next.due_ms = s->now_ms + wait_ms;
    ax_step_instance(s, last, AX_INSTANCE_EV_RETRY);
    ax_node_renumber(s, node, next.attempt);
    ax_instance_create(s, next, asks ? AX_INSTANCE_WAITING_CONFIRM : AX_INSTANCE_RETRYING);
    if (!asks && wait_ms == 0) ax_step_due(s, node);
    return true;
}

void ax_step_ended(ax_step *s, uint32_t node)
{
    s->direct = false;
    ax_instance_rec last = *current(s, node);
    ax_node_event event = ax_instance_means(last.state);
    ax_node_rec to = s->view->nodes[node];
    if (event == AX_NODE_EV_FAIL) {
        if (!retry(s, node)) ax_step_fail(s, node, last.reason);
        return;
    }
    if (event == AX_NODE_EV_SUCCEED && last.skip) {
        event = AX_NODE_EV_SKIP_SELF;
        to.reason = AX_REASON_CONDITION_FALSE;
    }
    if (event == AX_NODE_EV_CANCEL) to.reason = AX_REASON_CANCELLED;
    ax_step_node(s, to, event);
}
