/* outbox.c - effects of committed decisions: carried out at least once, and settled when nothing would be
 * lost.
 *
 * A start is settled once its attempt's folder exists (whoever repeats it then finds that folder) or the
 * attempt has ended; a stop, when its attempt has ended. Most attempts end before anyone looks, so settling
 * costs no commit of its own. Knows the outbox and ax_proc; decides nothing about states.
 */
#include "dsl/base/assert.h"
#include "runtime/sched/loop_int.h"

#define SETTLE_AFTER_MS 100 /* a start younger than this is not looked at */

static bool is_live(const ax_loop_run *run, const ax_effect *e)
{
    const ax_instance_rec *rec = ax_view_attempt(run->view, e->node, e->attempt);
    return rec && !ax_fsm_terminal(&ax_instance_fsm, rec->state);
}

static ax_attempt_key key_of(const ax_effect *e)
{
    return (ax_attempt_key){.run = e->run, .node = e->node, .attempt = e->attempt};
}

static ax_pending *find_pending(ax_loop_run *run, uint64_t seq)
{
    for (uint32_t i = 0; i < run->pending.len; i++)
        if (run->pending.at[i].effect.seq == seq) return &run->pending.at[i];
    return NULL;
}

void ax_outbox_load(ax_loop *loop, ax_loop_run *run, const ax_run_rows *rows)
{
    uint32_t old_count = run->pending.len;
    for (uint32_t i = 0; i < rows->effect_count; i++)
        if (!find_pending(run, rows->effects[i].seq))
            ax_vec_push(&loop->mem, &run->pending, (ax_pending){.effect = rows->effects[i]});
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->pending.len; i++) {
        bool is_stored = i >= old_count;
        for (uint32_t j = 0; j < rows->effect_count && !is_stored; j++)
            is_stored = rows->effects[j].seq == run->pending.at[i].effect.seq;
        if (is_stored) run->pending.at[kept++] = run->pending.at[i];
    }
    run->pending.len = kept;
}

void ax_outbox_add(ax_loop *loop, const ax_batch *batch)
{
    for (uint32_t i = 0; i < batch->effects.len; i++) {
        ax_loop_run *run = ax_loop_find(loop, batch->effects.at[i].run);
        AX_ASSERT(run);
        ax_vec_push(&loop->mem, &run->pending, (ax_pending){.effect = batch->effects.at[i]});
    }
}

/* A start that has not begun when it is looked at is looked at again after as long. */
static bool settles(const ax_loop *loop, const ax_loop_run *run, ax_pending *p)
{
    if (!is_live(run, &p->effect)) return true;
    if (p->effect.kind != AX_EFFECT_START || !p->is_sent || loop->now_ms - p->since_ms < SETTLE_AFTER_MS)
        return false;
    p->since_ms = loop->now_ms;
    return ax_proc_has_begun(loop->config.proc, key_of(&p->effect));
}

void ax_outbox_settle(ax_loop *loop, ax_batch *batch)
{
    for (uint32_t i = 0; i < loop->runs.len; i++) {
        ax_loop_run *run = loop->runs.at[i];
        for (uint32_t j = 0; j < run->pending.len; j++)
            if (settles(loop, run, &run->pending.at[j]))
                ax_vec_push(batch->mem, &batch->done, run->pending.at[j].effect);
    }
}

void ax_outbox_forget(ax_loop *loop, const ax_batch *batch)
{
    for (uint32_t i = 0; i < batch->done.len; i++) {
        ax_loop_run *run = ax_loop_find(loop, batch->done.at[i].run);
        ax_pending *p = run ? find_pending(run, batch->done.at[i].seq) : NULL;
        AX_ASSERT(p);
        *p = run->pending.at[--run->pending.len];
    }
}

/* Starts the process of an attempt. A command that can't be rendered is reported as one that can't be
 * started. */
static ax_rc carry_out_start(ax_loop *loop, ax_loop_run *run, const ax_effect *e, ax_err *err)
{
    ax_command command;
    ax_rc rc = ax_render(run->view, e->node, e->attempt, &loop->turn_mem, &command, err);
    if (!rc) return ax_proc_start(loop->config.proc, key_of(e), &command, err);
    if (rc != AX_INVALID) return rc;
    ax_event event = {.kind = AX_EVENT_REPORT,
                      .id = ax_str_fmt(&loop->inbox_mem, "render:%u.%u", e->node, e->attempt),
                      .source = AX_LIT("worker"),
                      .node = e->node,
                      .attempt = e->attempt};
    event.report.how = AX_REPORT_NOT_STARTED;
    event.report.message = ax_str_dup(&loop->inbox_mem, ax_str_of(err->text));
    ax_loop_arrive(loop, run, &event);
    return AX_OK;
}

static ax_rc carry_out(ax_loop *loop, ax_loop_run *run, const ax_effect *e, ax_err *err)
{
    if (!is_live(run, e)) return AX_OK;
    if (e->kind == AX_EFFECT_START) {
        /* One that is to be stopped is not started for it: its stop keeps it from ever starting. */
        bool must_run = ax_view_attempt(run->view, e->node, e->attempt)->state == AX_INSTANCE_RUNNING;
        return must_run ? carry_out_start(loop, run, e, err) : AX_OK;
    }
    return ax_proc_stop(loop->config.proc, key_of(e), false, err);
}

ax_rc ax_outbox_carry_out(ax_loop *loop, ax_err *err)
{
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < loop->runs.len && !rc; i++) {
        ax_loop_run *run = loop->runs.at[i];
        for (uint32_t j = 0; j < run->pending.len && run->view && !rc; j++) {
            ax_pending *p = &run->pending.at[j];
            if (p->is_sent) continue;
            rc = carry_out(loop, run, &p->effect, err);
            p->is_sent = rc == AX_OK;
            p->since_ms = loop->now_ms;
        }
    }
    ax_rc flushed = ax_proc_flush(loop->config.proc, rc ? NULL : err);
    return rc ? rc : flushed;
}

static bool has_pending_start(const ax_loop_run *run, const ax_effect *live)
{
    for (uint32_t i = 0; i < run->pending.len; i++) {
        const ax_effect *e = &run->pending.at[i].effect;
        if (e->kind == AX_EFFECT_START && e->node == live->node && e->attempt == live->attempt) return true;
    }
    return false;
}

/* The next node from *node on whose attempt has a process; false if there is none. */
static bool next_process(const ax_loop_run *run, uint32_t *node, ax_effect *live)
{
    for (; *node < run->plan->node_count; ++*node) {
        const ax_instance_rec *rec = ax_view_current(run->view, *node);
        if (!rec || !ax_instance_has_process(rec->state)) continue;
        *live = (ax_effect){.run = run->id, .node = *node, .attempt = rec->attempt};
        ++*node;
        return true;
    }
    return false;
}

ax_rc ax_outbox_adopt(ax_loop *loop, ax_loop_run *run, ax_err *err)
{
    ax_effect live;
    ax_rc rc = AX_OK;
    for (uint32_t node = 0; !rc && next_process(run, &node, &live);)
        if (!has_pending_start(run, &live)) rc = ax_proc_adopt(loop->config.proc, key_of(&live), err);
    run->is_adopted = rc == AX_OK;
    return rc;
}

ax_rc ax_outbox_kill(ax_loop *loop, ax_loop_run *run, ax_err *err)
{
    ax_effect live;
    ax_rc rc = AX_OK;
    for (uint32_t node = 0; !rc && next_process(run, &node, &live);)
        rc = ax_proc_stop(loop->config.proc, key_of(&live), true, err);
    return rc;
}

int64_t ax_outbox_due(const ax_loop *loop)
{
    int64_t due_ms = INT64_MAX;
    for (uint32_t i = 0; i < loop->runs.len; i++) {
        const ax_loop_run *run = loop->runs.at[i];
        for (uint32_t j = 0; j < run->pending.len; j++) {
            const ax_pending *p = &run->pending.at[j];
            int64_t at_ms = p->since_ms + SETTLE_AFTER_MS;
            if (p->effect.kind == AX_EFFECT_START && p->is_sent && at_ms < due_ms) due_ms = at_ms;
        }
    }
    return due_ms;
}
