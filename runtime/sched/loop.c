/* loop.c - the turns of the scheduler's loop; see loop.h.
 *
 * What arrived stays in the inbox until a commit holds it, so a turn may be decided any number of times. A
 * view is changed only by the engine, and thrown away whenever what it decided was not committed.
 */
#include "runtime/sched/loop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "dsl/base/assert.h"
#include "runtime/sched/loop_int.h"

#define REPORTS_MAX 256       /* taken at a time */
#define CONFLICT_TRIES_MAX 10 /* in one turn */
#define RETRY_MIN_MS 100
#define RETRY_MAX_MS 5000
#define SLEEP_MAX_MS 60000 /* then timers are looked at again: the store's clock may have been set */

/* A command that the engine refused in the turn that is now being decided. */
typedef struct {
    const ax_event *event;
    ax_err err;
} refusal;

typedef struct {
    ax_batch batch;
    AX_VEC(refusal) refusals;
} decision;

static int64_t monotonic_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

ax_loop_run *ax_loop_find(const ax_loop *loop, uint64_t id)
{
    for (uint32_t i = 0; i < loop->runs.len; i++)
        if (loop->runs.at[i]->id == id) return loop->runs.at[i];
    return NULL;
}

/* ---- arrivals ---- */

void ax_loop_arrive(ax_loop *loop, ax_loop_run *run, const ax_event *event)
{
    ax_vec_push(&loop->mem, &loop->inbox, (ax_arrival){.run = run, .event = *event});
}

static const ax_str *dup_strings(ax_arena *mem, const ax_str *from, uint32_t count)
{
    ax_str *to = count ? AX_NEW_N(mem, ax_str, count) : NULL;
    for (uint32_t i = 0; i < count; i++) to[i] = ax_str_dup(mem, from[i]);
    return to;
}

static void report_arrives(ax_loop *loop, const ax_proc_report *r)
{
    ax_loop_run *run = ax_loop_find(loop, r->key.run);
    if (!run) return;
    ax_arena *mem = &loop->inbox_mem;
    ax_event event = {.kind = AX_EVENT_REPORT,
                      .id = ax_str_fmt(mem, "report:%u.%u", r->key.node, r->key.attempt),
                      .source = AX_LIT("worker"),
                      .node = r->key.node,
                      .attempt = r->key.attempt,
                      .report = r->report};
    event.report.message = ax_str_dup(mem, r->report.message);
    event.report.names = dup_strings(mem, r->report.names, r->report.output_count);
    event.report.values = dup_strings(mem, r->report.values, r->report.output_count);
    ax_loop_arrive(loop, run, &event);
}

static ax_rc gather(ax_loop *loop, ax_err *err)
{
    ax_proc_report reports[REPORTS_MAX];
    uint32_t count = 0;
    ax_rc rc = ax_proc_poll(loop->config.proc, reports, REPORTS_MAX, &count, err);
    for (uint32_t i = 0; i < count; i++) report_arrives(loop, &reports[i]);
    return rc;
}

void ax_loop_submit(ax_loop *loop, uint64_t run_id, const ax_event *event)
{
    ax_loop_run *run = ax_loop_find(loop, run_id);
    AX_ASSERT(run && event->report.output_count == 0);
    ax_arena *mem = &loop->inbox_mem;
    ax_event copy = *event;
    copy.id = ax_str_dup(mem, event->id);
    copy.source = ax_str_dup(mem, event->source);
    copy.person = ax_str_dup(mem, event->person);
    copy.reason = ax_str_dup(mem, event->reason);
    copy.report.message = ax_str_dup(mem, event->report.message);
    ax_loop_arrive(loop, run, &copy);
}

/* ---- views ---- */

static void drop_view(ax_loop_run *run)
{
    run->view = NULL;
    ax_arena_reset(&run->mem);
}

static ax_rc load_run(ax_loop *loop, ax_loop_run *run, ax_err *err)
{
    ax_store *s = loop->config.store;
    ax_run_rows rows;
    ax_rc rc = s->ops->load_run(s, run->id, &run->mem, &rows, err);
    if (!rc && !run->plan) rc = s->ops->get_plan(s, rows.run.hash, &run->plan_mem, &run->plan, err);
    if (!rc) rc = ax_view_build(&run->mem, run->plan, &rows, &run->view, err);
    if (rc) {
        ax_err_prefix(err, "loading run %llu", (unsigned long long)run->id);
        drop_view(run);
        return rc;
    }
    ax_outbox_load(loop, run, &rows);
    return run->is_adopted ? AX_OK : ax_outbox_adopt(loop, run, err);
}

static ax_rc load_views(ax_loop *loop, ax_err *err)
{
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < loop->runs.len && !rc; i++)
        if (!loop->runs.at[i]->view) rc = load_run(loop, loop->runs.at[i], err);
    return rc;
}

static void drop_views(ax_loop *loop)
{
    for (uint32_t i = 0; i < loop->runs.len; i++) drop_view(loop->runs.at[i]);
}

/* ---- deciding ---- */

static void step(ax_loop *loop, ax_loop_run *run, const ax_event *event, decision *d)
{
    ax_err err = {0};
    if (ax_engine_step(run->view, event, loop->now_ms, &d->batch, &err) == AX_OK) return;
    ax_vec_push(&loop->turn_mem, &d->refusals, (refusal){.event = event, .err = err});
}

static void step_of_our_own(ax_loop *loop, ax_loop_run *run, ax_event_kind kind, uint32_t node, decision *d)
{
    static const struct {
        const char *id, *source;
    } words[AX_EVENT_COUNT] = {
        [AX_EVENT_ADMIT] = {"admit", "scheduler"},
        [AX_EVENT_DISPATCH] = {"dispatch", "scheduler"},
        [AX_EVENT_TIMERS] = {"timer", "timer"},
    };
    uint32_t attempt = node == AX_NONE ? 0 : ax_view_current(run->view, node)->attempt;
    char id[64];
    if (node == AX_NONE) snprintf(id, sizeof id, "%s:%lld", words[kind].id, (long long)loop->now_ms);
    else snprintf(id, sizeof id, "%s:%u.%u", words[kind].id, node, attempt);
    ax_event *event = AX_NEW(&loop->turn_mem, ax_event);
    *event = (ax_event){.kind = kind,
                        .id = ax_str_dup(&loop->turn_mem, ax_str_of(id)),
                        .source = ax_str_of(words[kind].source),
                        .node = node,
                        .attempt = attempt};
    step(loop, run, event, d);
}

/* Fills free places, a run at a time in turn, so that no run keeps another from its share. */
static void dispatch(ax_loop *loop, decision *d)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < loop->runs.len; i++) used += ax_view_places(loop->runs.at[i]->view);
    for (bool any = true; any && used < loop->config.places;) {
        any = false;
        for (uint32_t i = 0; i < loop->runs.len && used < loop->config.places; i++) {
            ax_loop_run *run = loop->runs.at[i];
            uint32_t node = ax_view_next_ready(run->view);
            if (node == AX_NONE) continue;
            uint32_t refused = d->refusals.len;
            step_of_our_own(loop, run, AX_EVENT_DISPATCH, node, d);
            AX_ASSERT(d->refusals.len == refused);
            used++;
            any = true;
        }
    }
}

static void decide(ax_loop *loop, decision *d)
{
    for (uint32_t i = 0; i < loop->runs.len; i++)
        if (ax_view_run(loop->runs.at[i]->view)->state == AX_RUN_QUEUED)
            step_of_our_own(loop, loop->runs.at[i], AX_EVENT_ADMIT, AX_NONE, d);
    for (uint32_t i = 0; i < loop->inbox.len; i++)
        step(loop, loop->inbox.at[i].run, &loop->inbox.at[i].event, d);
    for (uint32_t i = 0; i < loop->runs.len; i++)
        if (ax_view_next_due(loop->runs.at[i]->view) <= loop->now_ms)
            step_of_our_own(loop, loop->runs.at[i], AX_EVENT_TIMERS, AX_NONE, d);
    dispatch(loop, d);
    ax_outbox_settle(loop, &d->batch);
}

/* ---- turns ---- */

static void tell_trouble(ax_loop *loop, const ax_err *err, int64_t retry_ms)
{
    const ax_loop_observer *o = &loop->config.observer;
    const char *text = err ? err->text : "";
    if (strcmp(loop->trouble, text) == 0) return;
    snprintf(loop->trouble, sizeof loop->trouble, "%s", text);
    if (o->trouble) o->trouble(o->ctx, err, retry_ms);
}

/* Waits longer each time, up to RETRY_MAX_MS. */
static void back_off(ax_loop *loop, const ax_err *err)
{
    int64_t wait_ms = loop->retry_wait_ms ? 2 * loop->retry_wait_ms : RETRY_MIN_MS;
    loop->retry_wait_ms = wait_ms < RETRY_MAX_MS ? wait_ms : RETRY_MAX_MS;
    loop->retry_at_ms = monotonic_ms() + loop->retry_wait_ms;
    tell_trouble(loop, err, loop->retry_wait_ms);
}

static void settle_turn(ax_loop *loop, const decision *d)
{
    const ax_loop_observer *o = &loop->config.observer;
    ax_outbox_forget(loop, &d->batch);
    ax_outbox_add(loop, &d->batch);
    if (o->committed && d->batch.log.len) o->committed(o->ctx, d->batch.log.at, d->batch.log.len);
    for (uint32_t i = 0; i < d->refusals.len; i++)
        if (o->refused) o->refused(o->ctx, d->refusals.at[i].event, &d->refusals.at[i].err);
    loop->inbox.len = 0;
    ax_arena_reset(&loop->inbox_mem);
}

/* Decides and persists what has arrived. AX_CONFLICT: somebody else changed a run meanwhile. */
static ax_rc decide_and_commit(ax_loop *loop, ax_err *err)
{
    ax_store *s = loop->config.store;
    ax_arena_reset(&loop->turn_mem);
    ax_rc rc = load_views(loop, err);
    if (!rc) rc = s->ops->now_ms(s, &loop->now_ms, err);
    if (rc) return rc;
    decision d = {.batch = ax_batch_new(&loop->turn_mem, loop->config.epoch)};
    decide(loop, &d);
    if (!ax_batch_empty(&d.batch)) rc = s->ops->commit(s, &d.batch, err);
    if (rc) drop_views(loop);
    else settle_turn(loop, &d);
    return rc;
}

static ax_rc renew_lease(ax_loop *loop, ax_err *err)
{
    ax_store *s = loop->config.store;
    int64_t now_ms = monotonic_ms();
    if (now_ms < loop->renew_at_ms) return AX_OK;
    ax_rc rc = s->ops->lease_renew(s, loop->config.epoch, loop->config.lease_ttl_ms, err);
    if (!rc) loop->renew_at_ms = now_ms + loop->config.lease_ttl_ms / 3;
    return rc;
}

static ax_rc persist(ax_loop *loop, ax_err *err)
{
    ax_rc rc = AX_CONFLICT;
    for (int tries = 0; tries < CONFLICT_TRIES_MAX && rc == AX_CONFLICT; tries++) {
        if (tries) loop->renew_at_ms = 0; /* was it the lease that is lost? */
        rc = renew_lease(loop, err);
        if (rc) return rc;
        rc = decide_and_commit(loop, err);
    }
    return rc == AX_CONFLICT ? AX_BUSY : rc;
}

/* Sets the timer for what is to be done without anything arriving. */
static void arm(ax_loop *loop)
{
    int64_t wait_ms = loop->renew_at_ms - monotonic_ms();
    if (wait_ms > SLEEP_MAX_MS) wait_ms = SLEEP_MAX_MS;
    if (loop->retry_at_ms) {
        wait_ms = loop->retry_at_ms - monotonic_ms();
    } else {
        int64_t due_ms = loop->inbox.len ? loop->now_ms : ax_outbox_due(loop);
        for (uint32_t i = 0; i < loop->runs.len; i++) {
            int64_t next_ms =
                loop->runs.at[i]->view ? ax_view_next_due(loop->runs.at[i]->view) : loop->now_ms;
            if (next_ms < due_ms) due_ms = next_ms;
        }
        if (due_ms - loop->now_ms < wait_ms) wait_ms = due_ms - loop->now_ms;
    }
    struct itimerspec at = {.it_value = {.tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000}};
    if (wait_ms <= 0) at.it_value = (struct timespec){.tv_nsec = 1};
    timerfd_settime(loop->timer_fd, 0, &at, NULL);
}

ax_rc ax_loop_turn(ax_loop *loop, ax_err *err)
{
    uint64_t expirations;
    ax_err other = {0};
    (void)!read(loop->timer_fd, &expirations, sizeof expirations);
    ax_rc gathered = gather(loop, &other);
    if (loop->retry_at_ms > monotonic_ms() && !loop->inbox.len) {
        arm(loop);
        return AX_OK;
    }
    /* Processes that can't be started or seen are no reason not to persist what is known. */
    ax_rc rc = persist(loop, err);
    if (rc == AX_CONFLICT) return rc;
    if (!rc) rc = ax_outbox_carry_out(loop, err);
    if (rc || gathered) {
        back_off(loop, rc ? err : &other);
    } else {
        loop->retry_at_ms = loop->retry_wait_ms = 0;
        tell_trouble(loop, NULL, 0);
    }
    arm(loop);
    return AX_OK;
}

/* ---- the rest ---- */

ax_rc ax_loop_kill(ax_loop *loop, uint64_t run_id, ax_err *err)
{
    ax_loop_run *run = ax_loop_find(loop, run_id);
    return run->view ? ax_outbox_kill(loop, run, err) : AX_OK;
}

ax_rc ax_loop_add(ax_loop *loop, uint64_t id, ax_err *err)
{
    AX_ASSERT(!ax_loop_find(loop, id));
    ax_loop_run *run = AX_NEW(&loop->mem, ax_loop_run);
    run->id = id;
    ax_rc rc = load_run(loop, run, err);
    if (rc) {
        ax_arena_free(&run->plan_mem);
        ax_arena_free(&run->mem);
        return rc;
    }
    ax_vec_push(&loop->mem, &loop->runs, run);
    return AX_OK;
}

const ax_view *ax_loop_view(const ax_loop *loop, uint64_t run_id)
{
    const ax_loop_run *run = ax_loop_find(loop, run_id);
    return run ? run->view : NULL;
}

int ax_loop_fd(const ax_loop *loop)
{
    return loop->epoll_fd;
}

ax_rc ax_loop_open(const ax_loop_config *config, ax_loop **out, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_loop *loop = AX_NEW(&mem, ax_loop);
    loop->mem = mem;
    loop->config = *config;
    loop->renew_at_ms = monotonic_ms() + config->lease_ttl_ms / 3;
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    loop->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    struct epoll_event ev = {.events = EPOLLIN};
    if (loop->epoll_fd >= 0 && loop->timer_fd >= 0 &&
        epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, loop->timer_fd, &ev) == 0 &&
        epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, ax_proc_fd(config->proc), &ev) == 0) {
        *out = loop;
        return AX_OK;
    }
    ax_fail_errno(err, "opening the scheduler's loop");
    ax_loop_close(loop);
    return AX_IO;
}

void ax_loop_close(ax_loop *loop)
{
    if (!loop) return;
    for (uint32_t i = 0; i < loop->runs.len; i++) {
        ax_arena_free(&loop->runs.at[i]->plan_mem);
        ax_arena_free(&loop->runs.at[i]->mem);
    }
    if (loop->timer_fd >= 0) close(loop->timer_fd);
    if (loop->epoll_fd >= 0) close(loop->epoll_fd);
    ax_arena_free(&loop->inbox_mem);
    ax_arena_free(&loop->turn_mem);
    ax_arena mem = loop->mem;
    ax_arena_free(&mem);
}
