/* view_int.h - what a view holds.
 *
 * Rows as stored, and what is computed from them: looks, edge counts, group ends, queues, totals. Everything
 * computed is kept up to date by the doors (ax_node_apply, ax_instance_apply), and ax_view_check recomputes
 * it all to compare.
 */
#ifndef AX_CORE_VIEW_INT_H
#define AX_CORE_VIEW_INT_H

#include "runtime/core/heap_int.h"
#include "runtime/core/look_int.h"
#include "runtime/core/view.h"

typedef struct ax_attempt {
    ax_instance_rec rec;
    struct ax_attempt *prev; /* the attempt before it, or NULL */
    uint32_t change_at;      /* where its change stands in the batch, if it has one there */
} ax_attempt;

enum { AX_TALLY_COUNT = AX_MEMBER_COUNT };
_Static_assert((int)AX_STAND_COUNT <= (int)AX_TALLY_COUNT, "one array serves edges and members");

typedef struct {
    uint32_t tally[AX_TALLY_COUNT]; /* incoming edges by ax_stand; of a group, members by ax_member */
    uint32_t cause_at;              /* SKIPPED, UPSTREAM_FAILED: the dead edge that its cause came by */
    uint32_t change_at;             /* where its change stands in the batch, if it has one there */
    uint8_t look;                   /* ax_look */
    ax_attempt *current;
    ax_value *outputs; /* by index, of its last success; NULL: none */
} ax_node_info;

/* Totals over tasks and gates; "ordinary" is all but `finally` nodes. */
typedef struct {
    uint32_t by_state[AX_NODE_ST_COUNT];
    uint32_t unended; /* ordinary and BLOCKED, HELD or ACTIVE */
    uint32_t open;    /* FAILED and open, of all */
    uint32_t ordinary_open;
    uint32_t bad;      /* FAILED, but not under `ignore` or `branch` */
    uint32_t places;   /* attempts that have a process */
    uint32_t confirms; /* attempts in WAITING_CONFIRM */
} ax_totals;

struct ax_view {
    ax_arena *mem;
    const ax_plan *plan;
    ax_run_rec run;
    uint32_t run_change_at;
    ax_node_rec *nodes;
    ax_node_info *info;
    ax_totals totals;
    ax_heap dirty;        /* nodes to look at again, by rank */
    ax_heap ready;        /* READY attempts: priority, then when they became ready */
    ax_heap timers;       /* by due time; the run's own timeout as node `node_count` */
    bool finally_begun;   /* every ordinary node has ended and nothing is open */
    uint32_t *finally_at; /* the `finally` nodes */
    uint32_t finally_count;
    ax_value *params; /* by index */
    ax_str run_id;    /* as text */
};

/* The definition of a node. */
static inline const ax_def *ax_view_def(const ax_view *view, uint32_t node)
{
    return &view->plan->defs[view->plan->nodes[node].def];
}

/* True for a GROUP, or a fan-out as a whole: a virtual node without a row. */
static inline bool ax_view_is_group(const ax_view *view, uint32_t node)
{
    return ax_plan_kind(view->plan, node) == AX_NODE_GROUP;
}

/* True if the node's state is history; until then it is computed. */
static inline bool ax_view_has_begun(const ax_node_rec *rec)
{
    return rec->attempt > 0 || (rec->state != AX_NODE_ST_BLOCKED && rec->state != AX_NODE_ST_HELD &&
                                rec->state != AX_NODE_ST_SKIPPED);
}

/* How many edges end at a node. */
static inline uint32_t ax_view_in_count(const ax_view *view, uint32_t node)
{
    return view->plan->in_at[node + 1] - view->plan->in_at[node];
}

/* True if the run is RUNNING or PAUSED: nodes are resolved and commands taken. */
static inline bool ax_view_lives(const ax_view *view)
{
    return view->run.state == AX_RUN_RUNNING || view->run.state == AX_RUN_PAUSED;
}

/* True if the run is CANCELLING or ABORTING: nothing new begins but `finally` nodes. */
static inline bool ax_view_drains(const ax_view *view)
{
    return view->run.state == AX_RUN_CANCELLING || view->run.state == AX_RUN_ABORTING;
}

/* True if this node is resolved now: in a run that lives, and `finally` nodes in one that drains. */
static inline bool ax_view_resolves(const ax_view *view, uint32_t node)
{
    return ax_view_lives(view) || (ax_view_drains(view) && ax_view_def(view, node)->finally_);
}

/* The failed node that makes edges from this one dead; AX_NONE if none does. */
uint32_t ax_view_cause(const ax_view *view, uint32_t node);
/* Adds a node's row to the totals, or takes it out again (by: +1, -1). */
void ax_totals_node(ax_totals *totals, const ax_def *def, const ax_node_rec *rec, int by);
/* The same for its current attempt. */
void ax_totals_instance(ax_totals *totals, const ax_instance_rec *rec, int by);
/* The place of a READY attempt, and of an attempt's timer, in the queues. */
ax_heap_item ax_view_ready_item(const ax_view *view, const ax_instance_rec *rec);
/* True if the attempt has a timer. */
bool ax_view_is_timed(const ax_instance_rec *rec);
/* The row of a group, computed from its counts, and once it has ended from its members' rows. Its look is in
 * *look. */
ax_node_rec ax_view_group_rec(const ax_view *view, uint32_t group, ax_look *look);
/* node.c: the row of a group that looks so; ended_ms is taken if it has ended. */
ax_node_rec ax_node_of_group(uint32_t group, ax_look look, int64_t begun_ms, int64_t ended_ms);
/* True if `finally` nodes may begin. */
bool ax_view_finally_due(const ax_view *view);

/* check.c: counts looks, edges, groups and totals from the rows. */
void ax_view_recount(ax_view *view);
/* Compares every row with what it should say; AX_INVALID with the first that differs. */
ax_rc ax_view_check_rows(const ax_view *view, ax_err *err);

/* What the row of a node that has not begun should say. */
typedef enum {
    AX_TARGET_BLOCKED,
    AX_TARGET_HELD,
    AX_TARGET_SKIPPED,
    AX_TARGET_UNLOCK,
    AX_TARGET_COUNT
} ax_target;

/* The state of a node that has not begun as a function of its edges, its join and what a person said. `when`
 * is looked at only by who unlocks it: as long as the join holds, a node SKIPPED with CONDITION_FALSE stays
 * so. *reason is set for SKIPPED. */
ax_target ax_view_target(const ax_view *view, uint32_t node, ax_reason *reason);

#endif
