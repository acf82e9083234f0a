/* loop_int.h - the loop's state, shared by its parts: turns (loop.c) and effects (outbox.c). */
#ifndef AX_SCHED_LOOP_INT_H
#define AX_SCHED_LOOP_INT_H

#include "runtime/sched/loop.h"

/* An outbox row that is in the store. */
typedef struct {
    ax_effect effect;
    bool is_sent;     /* handed to ax_proc */
    int64_t since_ms; /* when it was sent, or looked at last, by the store's clock */
} ax_pending;

/* A run in hand. */
typedef struct {
    uint64_t id;
    ax_arena plan_mem, mem;
    ax_plan *plan;
    ax_view *view;   /* NULL: to be loaded anew */
    bool is_adopted; /* attempts of an earlier process were looked for */
    AX_VEC(ax_pending) pending;
} ax_loop_run;

/* What arrived and is not yet durable. */
typedef struct {
    ax_loop_run *run;
    ax_event event;
} ax_arrival;

struct ax_loop {
    ax_arena mem; /* holds this struct and its arrays */
    ax_loop_config config;
    int epoll_fd, timer_fd;
    AX_VEC(ax_loop_run *) runs; /* views point into them, so they stay where they are */
    ax_arena inbox_mem, turn_mem;
    AX_VEC(ax_arrival) inbox;
    int64_t now_ms;      /* of this turn, by the store's clock */
    int64_t renew_at_ms; /* these two by the machine's monotonic clock */
    int64_t retry_at_ms; /* no commit before; 0: at once */
    int64_t retry_wait_ms;
    char trouble[sizeof(((ax_err *)0)->text)]; /* what the observer was told last; "": nothing is wrong */
};

/* The run with this id that is in hand, or NULL. */
ax_loop_run *ax_loop_find(const ax_loop *loop, uint64_t id);
/* Adds an arrival; the event's strings must live in loop->inbox_mem. */
void ax_loop_arrive(ax_loop *loop, ax_loop_run *run, const ax_event *event);

/* outbox.c */

/* Takes over the run's outbox as loaded; what was already handed on is remembered. */
void ax_outbox_load(ax_loop *loop, ax_loop_run *run, const ax_run_rows *rows);
/* Adds the effects of a committed batch. */
void ax_outbox_add(ax_loop *loop, const ax_batch *batch);
/* Adds to batch->done what needs no repetition: its attempt has ended, or has begun and is known to have. */
void ax_outbox_settle(ax_loop *loop, ax_batch *batch);
/* Forgets what a committed batch has settled. */
void ax_outbox_forget(ax_loop *loop, const ax_batch *batch);
/* Hands on whatever was not yet handed on. */
ax_rc ax_outbox_carry_out(ax_loop *loop, ax_err *err);
/* Adopts live attempts of an earlier process whose start is not to be repeated. */
ax_rc ax_outbox_adopt(ax_loop *loop, ax_loop_run *run, ax_err *err);
/* Kills the processes of all attempts that have one. */
ax_rc ax_outbox_kill(ax_loop *loop, ax_loop_run *run, ax_err *err);
/* When ax_outbox_settle has something to look at, by the store's clock; INT64_MAX: never. */
int64_t ax_outbox_due(const ax_loop *loop);

#endif
