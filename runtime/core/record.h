/* record.h - the rows of a run, as they are stored and as the engine changes them. Plain data. All times are
 * ms since the epoch by the store's clock; 0: not yet.
 *
 * A node that has no row is BLOCKED at version 0. Keys are deterministic: (run), (run, node), (run, node,
 * attempt), (run, seq); so the engine needs no allocation of ids, and the same events give the same rows.
 */
#ifndef AX_CORE_RECORD_H
#define AX_CORE_RECORD_H

#include "dsl/base/str.h"
#include "dsl/model/plan.h"
#include "runtime/core/fsm.h"
#include "runtime/core/states.h"

typedef struct {
    uint64_t id;
    ax_str workflow;
    ax_str hash; /* content hash of its plan */
    ax_run_state state;
    uint32_t version; /* counts its transitions */
    uint64_t seq;     /* the last seq of transition_log and outbox that it used */
    int64_t date;     /* business date, days since the epoch */
    int64_t scheduled_at_ms;
    int64_t interval_start_ms, interval_end_ms;
    ax_str params;  /* JSON object: the given parameters and defaults, by name */
    ax_str workdir; /* absolute folder in which commands start */
    ax_str origin;  /* who or what started it: "cli:anna", … */
    bool paused_by_person;
    int64_t created_ms, started_ms, ended_ms;
} ax_run_rec;

typedef struct {
    uint32_t node;
    ax_node_state state;
    uint32_t version; /* counts its changes; 0: no row */
    ax_reason reason;
    uint32_t cause;       /* the node that failed first, for UPSTREAM_FAILED; AX_NONE */
    uint32_t attempt;     /* number of the newest attempt; 0: none */
    uint32_t budget_from; /* attempts before this one do not count against retry.max */
    bool open;            /* FAILED under `pause`, unanswered */
    bool given_up;        /* a person answered "skip" */
    bool held_by_hand, skipped_by_hand, accepted;
    int64_t begun_ms, ended_ms;
} ax_node_rec;

typedef struct {
    uint32_t node, attempt; /* attempt from 1 */
    ax_instance_state state;
    uint32_t version; /* counts its changes */
    ax_reason reason;
    int32_t exit_code; /* with EXIT */
    int32_t signal;    /* with SIGNAL */
    bool unconfirmed;  /* something of it may still run */
    bool skip;         /* its exit code is in skip_on */
    uint32_t retry_of; /* the attempt it follows; 0: none */
    int64_t due_ms;    /* RETRYING: when it is due; RUNNING: when it times out (0: never) */
    int64_t created_ms, ready_ms, started_ms, ended_ms;
    ax_str message; /* what a person should know of its end; "" */
} ax_instance_rec;

typedef struct {
    uint32_t node, attempt;
    uint32_t output; /* index into the definition's outputs */
    ax_str value;    /* text form */
} ax_output_rec;

typedef enum {
    AX_MACHINE_RUN,
    AX_MACHINE_NODE,
    AX_MACHINE_INSTANCE,
    AX_MACHINE_GHOST,
    AX_MACHINE_COUNT
} ax_machine;

/* A row of transition_log. GHOST: a report for an attempt that is no longer current; from and to are its
 * state. */
typedef struct {
    uint64_t run, seq;
    ax_machine machine;
    uint32_t node, attempt;  /* AX_NONE / 0 where they do not apply */
    uint8_t from, event, to; /* of that machine; a creation: from == to and created */
    bool created;
    ax_str event_id;       /* of the event that caused it */
    ax_str source;         /* "engine", "worker", "timer", "MANUAL_OVERRIDE" */
    ax_str person, reason; /* with MANUAL_OVERRIDE */
    ax_str extra;          /* JSON object or "" */
    int64_t at_ms;
} ax_log_rec;

typedef enum {
    AX_EFFECT_START, /* start the attempt's process */
    AX_EFFECT_STOP,  /* interrupt it (TERM, then KILL after kill_after) and report its end */
    AX_EFFECT_COUNT
} ax_effect_kind;

/* A row of outbox: carried out after the commit, at least once; (run, seq) names it. */
typedef struct {
    uint64_t run, seq;
    ax_effect_kind kind;
    uint32_t node, attempt;
} ax_effect;

/* Names of enum values as stored. */
const char *ax_effect_name(ax_effect_kind kind);
const char *ax_machine_name(ax_machine machine);
/* The table of a row's states and events; a ghost's are the instance's. */
const ax_fsm *ax_machine_fsm(ax_machine machine);

#endif
