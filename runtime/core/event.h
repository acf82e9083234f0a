/* event.h - what can happen to a run, from outside of the engine. */
#ifndef AX_CORE_EVENT_H
#define AX_CORE_EVENT_H

#include "runtime/core/record.h"

typedef enum {
    AX_EVENT_ADMIT,    /* a place in max_active_runs is free: QUEUED goes on */
    AX_EVENT_DISPATCH, /* a worker takes node's READY attempt */
    AX_EVENT_REPORT,   /* a worker says how an attempt ended */
    AX_EVENT_TIMERS,   /* whatever is due at `now` */
    AX_EVENT_CANCEL,   /* a person or a program cancels the run */
    AX_EVENT_PAUSE,    /* a person pauses the run: nothing new is dispatched */
    AX_EVENT_RESUME,   /* lifts that pause, and only that */
    AX_EVENT_RETRY,    /* a person: run this FAILED node again */
    AX_EVENT_SKIP,     /* a person: skip this node (FAILED and open: give it up) */
    AX_EVENT_ACCEPT,   /* a person: count this FAILED node as succeeded */
    AX_EVENT_HOLD,     /* a person: do not begin this node */
    AX_EVENT_RELEASE,  /* lifts that hold */
    AX_EVENT_CONFIRM,  /* a person: yes, try the non-idempotent attempt again */
    AX_EVENT_REJECT,   /* a person: no, do not */
    AX_EVENT_COUNT
} ax_event_kind;

/* How an attempt ended, as its worker saw it. */
typedef struct {
    enum {
        AX_REPORT_EXITED,
        AX_REPORT_SIGNALED,
        AX_REPORT_STOPPED,
        AX_REPORT_LOST,
        AX_REPORT_NOT_STARTED
    } how;
    int32_t exit_code, signal;
    bool unconfirmed;    /* LOST: something of it may still run */
    ax_str message;      /* NOT_STARTED: why; else what a person should know, or "" */
    const ax_str *names; /* outputs that it wrote, as text */
    const ax_str *values;
    uint32_t output_count;
} ax_report;

typedef struct {
    ax_event_kind kind;
    ax_str id;             /* names this event: the same id twice changes nothing the second time */
    ax_str source;         /* for the log */
    ax_str person, reason; /* for commands by a person */
    uint32_t node;         /* where it applies */
    uint32_t attempt; /* REPORT, DISPATCH: the attempt meant; commands: the one that the person saw, or 0 for
                         any */
    ax_report report;
} ax_event;

#endif
