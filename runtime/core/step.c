/* step.c - what the doors share: log rows, effects, and the run's own row, which carries the last seq. */
#include "runtime/core/step_int.h"

#include "dsl/base/assert.h"
#include "dsl/base/json_out.h"

enum { EXTRA_BYTES_MAX = 16 << 20 }; /* names may be long, and every byte of one may be escaped */

void ax_step_log(ax_step *s, ax_log_rec row)
{
    row.run = s->view->run.id;
    row.seq = ++s->view->run.seq;
    row.event_id = s->event_id;
    row.source = s->direct ? s->who.source : AX_LIT("engine");
    row.person = s->direct ? s->who.person : AX_LIT("");
    row.reason = s->direct ? s->who.reason : AX_LIT("");
    row.at_ms = s->now_ms;
    ax_vec_push(s->batch->mem, &s->batch->log, row);
}

void ax_step_effect(ax_step *s, ax_effect_kind kind, uint32_t node, uint32_t attempt)
{
    ax_vec_push(s->batch->mem, &s->batch->effects,
                (ax_effect){.run = s->view->run.id,
                            .seq = ++s->view->run.seq,
                            .kind = kind,
                            .node = node,
                            .attempt = attempt});
}

void ax_step_put_run(ax_step *s)
{
    ax_view *view = s->view;
    ax_batch *batch = s->batch;
    uint32_t at = view->run_change_at;
    if (at < batch->runs.len && batch->runs.at[at].to.id == view->run.id) {
        batch->runs.at[at].to = view->run;
        return;
    }
    view->run_change_at = batch->runs.len;
    ax_vec_push(batch->mem, &batch->runs,
                (ax_run_change){.from = view->run.state, .from_version = view->run.version, .to = view->run});
}

static ax_str finish(ax_step *s, ax_json *j, ax_buf *text)
{
    ax_json_end(j);
    ax_str out = ax_str_dup(s->batch->mem, ax_buf_str(text));
    ax_buf_free(text);
    return out;
}

ax_str ax_step_instance_extra(ax_step *s, const ax_instance_rec *rec)
{
    bool waits = rec->state == AX_INSTANCE_RETRYING;
    if (!waits && (rec->reason == AX_REASON_NONE || !rec->ended_ms)) return AX_LIT("");
    ax_buf text = AX_BUF_INIT(EXTRA_BYTES_MAX);
    ax_json j = ax_json_start(&text, 0);
    ax_json_obj(&j);
    if (waits) {
        ax_json_key(&j, "due_ms");
        ax_json_int(&j, rec->due_ms);
        return finish(s, &j, &text);
    }
    ax_json_key(&j, "reason");
    ax_json_cstr(&j, ax_reason_name(rec->reason));
    if (rec->reason == AX_REASON_EXIT) {
        ax_json_key(&j, "exit_code");
        ax_json_int(&j, rec->exit_code);
    }
    if (rec->reason == AX_REASON_SIGNAL) {
        ax_json_key(&j, "signal");
        ax_json_int(&j, rec->signal);
    }
    if (rec->unconfirmed) {
        ax_json_key(&j, "unconfirmed");
        ax_json_bool(&j, true);
    }
    if (rec->message.len) {
        ax_json_key(&j, "message");
        ax_json_str(&j, rec->message);
    }
    return finish(s, &j, &text);
}

ax_str ax_step_node_extra(ax_step *s, const ax_node_rec *rec)
{
    if (rec->reason == AX_REASON_NONE) return AX_LIT("");
    ax_buf text = AX_BUF_INIT(EXTRA_BYTES_MAX);
    ax_json j = ax_json_start(&text, 0);
    ax_json_obj(&j);
    ax_json_key(&j, "reason");
    ax_json_cstr(&j, ax_reason_name(rec->reason));
    if (rec->cause != AX_NONE) {
        ax_json_key(&j, "cause");
        ax_json_str(&j, s->view->plan->nodes[rec->cause].name);
    }
    if (s->note.len) {
        ax_json_key(&j, "message");
        ax_json_str(&j, s->note);
    }
    return finish(s, &j, &text);
}

void ax_step_instance(ax_step *s, ax_instance_rec to, ax_instance_event event)
{
    ax_rc rc = ax_instance_apply(s, to, event, NULL);
    AX_ASSERT(rc == AX_OK);
}

void ax_step_node(ax_step *s, ax_node_rec to, ax_node_event event)
{
    ax_rc rc = ax_node_apply(s, to, event, NULL);
    AX_ASSERT(rc == AX_OK);
}

void ax_step_run(ax_step *s, ax_run_rec to, ax_run_event event, ax_str extra)
{
    ax_rc rc = ax_run_apply(s, to, event, extra, NULL);
    AX_ASSERT(rc == AX_OK);
}
