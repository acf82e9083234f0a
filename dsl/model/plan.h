/* plan.h - the compiled workflow: what compiler and runtime both believe.
 *
 * Task definitions (what a source node says, once for all its copies) and the graph (one entry a node) in
 * compact arrays; edges in CSR form both ways. The plan is immutable once built, lives in one arena, and is
 * the only thing that passes from compiler to runtime. Its serialised form is the task-definition document
 * (plan_json.h), named by its content hash.
 *
 * Fan-out: the copies of a definition are contiguous node ids, in matrix order (the last key varies fastest).
 * A group, and a fan-out as a whole, is one virtual node of kind GROUP whose end is computed from its
 * members. An edge to a group is compiled to its roots, an edge to a fan-out to every copy; an edge *from*
 * either is one edge from its virtual node, except into a join any, at_least or strict, which counts a
 * fan-out's copies one by one.
 * A group with a matrix is copied whole: each copy is a GROUP node, and each member has a copy in each of
 * them. The keys of a member are those of the groups around it, outermost first, then its own; copies with
 * equal first keys are contiguous, and a fan-out in it has one whole for each copy of the group. An edge
 * between two members of a group stays inside its copies.
 */
#ifndef AX_MODEL_PLAN_H
#define AX_MODEL_PLAN_H

#include "dsl/base/source.h"
#include "dsl/model/expr.h"
#include "dsl/model/value.h"

#define AX_NONE UINT32_MAX      /* no node, no definition */
#define AX_NODES_MAX (4u << 20) /* nodes of one plan; more is a diagnostic */
#define AX_EDGES_MAX (8u << 20)

typedef enum { AX_NODE_TASK, AX_NODE_GATE, AX_NODE_GROUP, AX_NODE_KIND_COUNT } ax_node_kind;

typedef enum {
    AX_ON_SUCCEEDED,
    AX_ON_FAILED,
    AX_ON_SKIPPED,
    AX_ON_PASSED,
    AX_ON_DONE,
    AX_ON_COUNT
} ax_outcome;

typedef enum { AX_JOIN_ALL, AX_JOIN_ANY, AX_JOIN_AT_LEAST, AX_JOIN_STRICT, AX_JOIN_COUNT } ax_join;

typedef enum {
    AX_POLICY_SKIP,
    AX_POLICY_PAUSE,
    AX_POLICY_IGNORE,
    AX_POLICY_BRANCH,
    AX_POLICY_ABORT,
    AX_POLICY_COUNT
} ax_policy;

/* One condition of retry.on or skip_on. */
typedef enum { AX_WHY_EXIT, AX_WHY_TIMEOUT, AX_WHY_LOST, AX_WHY_ANY, AX_WHY_COUNT } ax_why_kind;
typedef struct {
    ax_why_kind kind;
    int32_t from, to; /* EXIT: exit codes, inclusive */
} ax_why;

typedef enum { AX_BACKOFF_LIST, AX_BACKOFF_EXPONENTIAL } ax_backoff_kind;

typedef struct {
    uint32_t max; /* retries after the first attempt */
    ax_backoff_kind backoff;
    const int64_t *waits_ms; /* LIST: the last one repeats; empty: at once */
    uint32_t wait_count;
    int64_t base_ms, cap_ms; /* EXPONENTIAL; cap 0: none */
    double factor;
    double jitter;    /* part of the wait, 0.1 is 10%; the delay is drawn from [wait, wait * (1 + jitter)] */
    const ax_why *on; /* empty: any */
    uint32_t on_count;
} ax_retry;

typedef enum { AX_ACTION_NONE, AX_ACTION_RUN, AX_ACTION_EXEC } ax_action_kind;

/* name=value for a process: an env entry, or a value bound into a script (AX_V1, …). */
typedef struct {
    ax_str name;
    ax_expr *value;
} ax_binding;

typedef struct {
    ax_str name;
    ax_type type;
    ax_expr *otherwise; /* its default; NULL: none */
} ax_output;

/* What a source node says. */
typedef struct {
    ax_str name;       /* qualified: "ingest.orders" */
    ax_str title, doc; /* empty: none */
    ax_node_kind kind;
    ax_span span; /* of the whole block, in the sources it was compiled from; nowhere when read back */
    ax_str file;
    uint32_t line; /* kept in the document */

    ax_action_kind action;
    ax_str script;           /* RUN: with bound values as variables */
    const ax_binding *binds; /* RUN: the variables of the script */
    uint32_t bind_count;
    ax_expr *const *argv; /* EXEC */
    uint32_t argc;
    const ax_str *shell; /* RUN: the words before the script; default sh -eu -c */
    uint32_t shell_count;
    const ax_binding *env; /* workflow's, defaults' and own, merged; in order */
    uint32_t env_count;
    ax_expr *cwd; /* NULL: the folder of the run */

    int64_t timeout_ms; /* 0: none */
    int64_t kill_after_ms;
    ax_retry retry;
    ax_policy policy;
    ax_join join;
    uint32_t join_count;   /* AT_LEAST: how many */
    ax_expr *when;         /* NULL: always */
    const ax_why *skip_on; /* EXIT only */
    uint32_t skip_on_count;
    bool finally_;
    bool enabled;
    bool idempotent;
    int32_t priority; /* larger first */

    const ax_output *outputs;
    uint32_t output_count;
    const ax_str *keys; /* matrix keys, in order: of the groups around it, then its own */
    uint32_t key_count;
    const ax_str *tags;
    uint32_t tag_count;
    bool fan_out;          /* it, or a group around it, has a matrix, be it of one copy */
    uint32_t first, count; /* its node ids: first … first + count - 1 */
    uint32_t whole;        /* virtual node of its own fan-out as a whole, or AX_NONE */
    uint32_t whole_count;  /* one for each copy of the group around it, contiguous */
} ax_def;

/* A node: one copy of a definition. */
typedef struct {
    ax_str name; /* sync["orders"]; unique, stable */
    uint32_t def;
    uint32_t parent; /* the GROUP node it is a direct member of, or AX_NONE */
    uint32_t values; /* where its matrix values begin in plan.values */
    uint32_t rank;   /* place in topological order; members come before their group */
} ax_plan_node;

typedef struct {
    uint32_t from, to;
    uint32_t line;   /* where it is written, in the file of the workflow */
    uint8_t outcome; /* ax_outcome */
} ax_plan_edge;

typedef struct {
    ax_str name;
    ax_type type;
    const ax_value *allowed; /* `in [...]`; empty: any */
    uint32_t allowed_count;
    bool has_range; /* `in 1..10` */
    int64_t range_from, range_to;
    bool has_default;
    ax_value otherwise;
    ax_str doc;
} ax_param;

typedef enum { AX_CATCHUP_NONE, AX_CATCHUP_LATEST, AX_CATCHUP_ALL, AX_CATCHUP_COUNT } ax_catchup;

/* When the workflow is due. Checked when compiled; firing is the server's. */
typedef struct {
    ax_str name; /* empty: the only one */
    ax_str cron; /* empty: every_ms is set */
    int64_t every_ms;
    ax_str timezone; /* empty for `every` */
    bool has_start, has_end;
    int64_t start_day, end_day; /* dates, days since the epoch */
    int64_t window_ms;
    ax_catchup catchup;
    uint32_t line;
} ax_schedule;

typedef struct ax_plan {
    ax_arena *mem;
    ax_str name, title, doc, owner;
    ax_str file;
    uint32_t line;
    ax_policy policy;
    uint32_t max_active_runs;
    int64_t timeout_ms; /* of a run; 0: none */
    const ax_str *tags;
    uint32_t tag_count;
    const ax_param *params;
    uint32_t param_count;
    const ax_schedule *schedules;
    uint32_t schedule_count;

    const ax_def *defs;
    uint32_t def_count;
    const ax_plan_node *nodes;
    uint32_t node_count;
    const ax_value *values; /* matrix values of all copies */
    uint32_t value_count;

    const ax_plan_edge *edges; /* sorted by `to`, then by order in the source */
    uint32_t edge_count;
    const uint32_t *in_at;     /* node_count + 1: its edges are edges[in_at[n] … in_at[n + 1]) */
    const uint32_t *out_at;    /* node_count + 1: into out */
    const uint32_t *out;       /* edge indices, by `from` */
    const uint32_t *member_at; /* node_count + 1: into member; empty but for GROUP nodes */
    const uint32_t *member;    /* node ids of direct members */
    const uint32_t *order;     /* node ids in topological order: order[rank] */

    char hash[65]; /* content hash of the document, hex; "" until plan_json has written or read it */
} ax_plan;

/* The node with this name, or AX_NONE. Linear; for people's input (a map is built by whoever asks often). */
uint32_t ax_plan_find(const ax_plan *plan, ax_str name);
/* True if the node is a fan-out as a whole. */
bool ax_plan_is_whole(const ax_plan *plan, uint32_t node);
/* How many keys of the node's definition are those of groups around it. */
uint32_t ax_plan_outer_keys(const ax_plan *plan, uint32_t node);
/* What the node is: its definition's kind, or GROUP for the whole of a fan-out. */
ax_node_kind ax_plan_kind(const ax_plan *plan, uint32_t node);

/* Names of enum values as the language has them ("succeeded", "at_least", "pause", ...), and back; the _COUNT
 * value if there is no such name. */
const char *ax_node_kind_name(ax_node_kind kind);
const char *ax_outcome_name(ax_outcome outcome);
const char *ax_join_name(ax_join join);
const char *ax_policy_name(ax_policy policy);
const char *ax_catchup_name(ax_catchup catchup);
const char *ax_why_name(ax_why_kind kind);
ax_node_kind ax_node_kind_named(ax_str name);
ax_outcome ax_outcome_named(ax_str name);
ax_join ax_join_named(ax_str name);
ax_policy ax_policy_named(ax_str name);
ax_catchup ax_catchup_named(ax_str name);
ax_why_kind ax_why_named(ax_str name);

/* Builds in_at, out_at, out, member_at, member, order and every rank from nodes and edges, in O(nodes +
 * edges) and without recursion. Before: node_count, edge_count and nodes' `parent` are set, all indices
 * valid. Sorts `edges` and makes both arrays the plan's. False if there is a cycle: order then holds only the
 * nodes that are neither on nor behind one, padded with AX_NONE, which is also the rank of the others. */
bool ax_plan_index(ax_plan *plan, ax_plan_node *nodes, ax_plan_edge *edges);

#endif
