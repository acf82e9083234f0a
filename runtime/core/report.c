/* report.c - what a worker says of an attempt's end, as an event of the attempt.
 *
 * A worker repeats a report until it is acknowledged, so one that has been heard changes nothing. An attempt
 * that was given up without its worker's word (`unconfirmed`) may still be heard of: that is kept as a ghost,
 * once.
 */
#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

enum { MESSAGE_BYTES_MAX = 4096 };

static bool in_skip_on(const ax_def *def, int32_t exit_code)
{
    for (uint32_t i = 0; i < def->skip_on_count; i++)
        if (exit_code >= def->skip_on[i].from && exit_code <= def->skip_on[i].to) return true;
    return false;
}

/* The report as an event; reason, exit code and the like go into *to. */
static ax_instance_event event_of(const ax_def *def, const ax_report *report, ax_instance_rec *to)
{
    switch (report->how) {
    case AX_REPORT_EXITED:
        to->exit_code = report->exit_code;
        to->skip = report->exit_code != 0 && in_skip_on(def, report->exit_code);
        if (report->exit_code == 0 || to->skip) return AX_INSTANCE_EV_SUCCESS;
        to->reason = AX_REASON_EXIT;
        return AX_INSTANCE_EV_FAILURE;
    case AX_REPORT_SIGNALED:
        to->signal = report->signal;
        to->reason = AX_REASON_SIGNAL;
        return AX_INSTANCE_EV_FAILURE;
    case AX_REPORT_STOPPED:
        to->signal = report->signal;
        to->reason = AX_REASON_SIGNAL;
        return AX_INSTANCE_EV_STOPPED;
    case AX_REPORT_LOST:
        to->unconfirmed = report->unconfirmed;
        to->reason = AX_REASON_LOST;
        return AX_INSTANCE_EV_LOST;
    case AX_REPORT_NOT_STARTED: to->reason = AX_REASON_START; return AX_INSTANCE_EV_FAILURE;
    }
    AX_UNREACHABLE();
}

/* A late report, or one that was heard before. */
static ax_rc hear_again(ax_step *s, ax_attempt *attempt, const ax_report *report)
{
    if (!attempt->rec.unconfirmed || report->how == AX_REPORT_LOST) return AX_OK;
    ax_instance_rec said = attempt->rec;
    said.unconfirmed = false;
    said.reason = AX_REASON_NONE;
    ax_instance_event event = event_of(ax_view_def(s->view, said.node), report, &said);
    ax_instance_confirm(s, attempt);
    ax_step_log(s, (ax_log_rec){.machine = AX_MACHINE_GHOST,
                                .node = said.node,
                                .attempt = said.attempt,
                                .from = (uint8_t)said.state,
                                .event = (uint8_t)event,
                                .to = (uint8_t)said.state,
                                .extra = ax_step_instance_extra(s, &said)});
    return AX_OK;
}

/* The reason that an end is recorded with: what AX began for a reason of its own keeps that. */
static ax_reason end_reason(ax_instance_state from, ax_instance_event event, ax_reason reported)
{
    if (event == AX_INSTANCE_EV_SUCCESS) return AX_REASON_NONE;
    if (from == AX_INSTANCE_TIMING_OUT) return AX_REASON_TIMEOUT;
    return from == AX_INSTANCE_CANCELLING ? AX_REASON_CANCELLED : reported;
}

/* Outputs that are missing or wrong make a success a failure. */
static ax_instance_event check_outputs(ax_step *s, const ax_report *report, ax_instance_rec *to)
{
    ax_err why = {0};
    ax_str note = {0};
    if (!ax_step_outputs(s, to->node, report, false, &note, &why)) {
        to->message = note.len ? note : to->message;
        return AX_INSTANCE_EV_SUCCESS;
    }
    to->reason = AX_REASON_OUTPUT;
    to->message =
        ax_str_fmt(s->view->mem, "%s%s%.*s", why.text, to->message.len ? ": " : "", AX_STR(to->message));
    return AX_INSTANCE_EV_FAILURE;
}

/* A message of bearable length, cut between two characters. */
static ax_str cut(ax_str message)
{
    if (message.len <= MESSAGE_BYTES_MAX) return message;
    size_t len = MESSAGE_BYTES_MAX;
    while (len > 0 && (message.ptr[len] & 0xc0) == 0x80) len--;
    return ax_str_slice(message, 0, len);
}

ax_rc ax_on_report(ax_step *s, ax_err *err)
{
    const ax_event *event = s->event;
    ax_attempt *attempt = s->view->info[event->node].current;
    while (attempt && attempt->rec.attempt != event->attempt) attempt = attempt->prev;
    if (!attempt) return ax_fail(err, AX_NOT_FOUND, "there is no attempt %u", event->attempt);
    if (ax_fsm_terminal(&ax_instance_fsm, attempt->rec.state)) return hear_again(s, attempt, &event->report);

    ax_instance_rec to = attempt->rec;
    ax_instance_event what = event_of(ax_view_def(s->view, event->node), &event->report, &to);
    /* Nobody of ours asked for it: somebody else ended the process. */
    if (what == AX_INSTANCE_EV_STOPPED && to.state == AX_INSTANCE_RUNNING) what = AX_INSTANCE_EV_FAILURE;
    uint8_t next;
    ax_rc rc = ax_fsm_next(&ax_instance_fsm, to.state, what, &next, err);
    if (rc) return rc;

    to.message = ax_str_dup(s->view->mem, cut(event->report.message));
    if (what == AX_INSTANCE_EV_SUCCESS && !to.skip) what = check_outputs(s, &event->report, &to);
    to.reason = end_reason(to.state, what, to.reason);
    to.due_ms = 0;
    ax_step_instance(s, to, what);
    ax_step_ended(s, event->node);
    return AX_OK;
}
