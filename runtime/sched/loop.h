/* loop.h - the scheduler's loop: events in, decisions by the engine, one commit, effects out.
 *
 * One turn: take what arrived (reports of processes, commands, due timers), read `now` from the store, let
 * the engine decide all of it, dispatch READY attempts into free places, persist everything in one
 * transaction, and only then carry out the effects. A turn that lost a race is decided anew from fresh views.
 * What can't be persisted (a full disk, a locked file) is kept and tried again; no report is lost. The loop
 * owns no terminal and no signal: its caller waits for ax_loop_fd beside its own descriptors.
 */
#ifndef AX_SCHED_LOOP_H
#define AX_SCHED_LOOP_H

#include "runtime/core/engine.h"
#include "runtime/exec/proc.h"
#include "runtime/store/store.h"

typedef struct ax_loop ax_loop;

/* Who watches. Everything but ctx may be NULL; what is pointed to lives until the call returns. */
typedef struct {
    void *ctx;
    /* These log rows are durable, and the views show them. */
    void (*committed)(void *ctx, const ax_log_rec *rows, uint32_t count);
    /* A command was not accepted. */
    void (*refused)(void *ctx, const ax_event *event, const ax_err *err);
    /* Something is in the way and is tried again after retry_ms; NULL: that is over. */
    void (*trouble)(void *ctx, const ax_err *err, int64_t retry_ms);
} ax_loop_observer;

typedef struct {
    ax_store *store;
    ax_proc *proc;
    uint64_t epoch; /* of the lease that the caller has taken; the loop renews it */
    int64_t lease_ttl_ms;
    uint32_t places; /* processes at a time */
    ax_loop_observer observer;
} ax_loop_config;

/* store and proc stay the caller's and must outlive the loop. */
ax_rc ax_loop_open(const ax_loop_config *config, ax_loop **out, ax_err *err);
/* Takes a run in hand, new or interrupted: what still runs of it is adopted, what was to be started is. */
ax_rc ax_loop_add(ax_loop *loop, uint64_t run, ax_err *err);
/* The run as it is now; NULL while it can't be loaded. Until the next turn. */
const ax_view *ax_loop_view(const ax_loop *loop, uint64_t run);
/* Hands in a command for a run; copied, decided by the next turn. */
void ax_loop_submit(ax_loop *loop, uint64_t run, const ax_event *event);
/* Kills every process of a run at once; their reports follow. */
ax_rc ax_loop_kill(ax_loop *loop, uint64_t run, ax_err *err);
/* Readable (epoll, poll) when a turn has something to do. */
int ax_loop_fd(const ax_loop *loop);
/* One turn; never waits. err must be there. To be called when the descriptor is readable, and after an add or
 * a submit. AX_CONFLICT: another scheduler has taken over, and this one must not go on. */
ax_rc ax_loop_turn(ax_loop *loop, ax_err *err);
/* What runs goes on without it. */
void ax_loop_close(ax_loop *loop);

#endif
