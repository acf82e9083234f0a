/* preview.h - what a run would be, before it starts: for which instant, in which order, with which commands.
 *
 * It is the run in which every task succeeds, and in which nobody intervenes. What depends on outputs is not
 * known, and said so; everything else is what the run will do: the same dates, the same values, the rules of
 * docs/state-machines.md.
 */
#ifndef AX_COMPILER_PREVIEW_PREVIEW_H
#define AX_COMPILER_PREVIEW_PREVIEW_H

#include "dsl/base/err.h"
#include "dsl/model/due.h"
#include "dsl/model/expr_bind.h"
#include "dsl/model/plan.h"

/* ---- the run of a date ---- */

typedef struct {
    int64_t date;                                       /* days since the epoch */
    int64_t scheduled_at, interval_start, interval_end; /* ms since the epoch */
    const ax_zone *zone;                                /* of the date */
    const ax_schedule *schedule; /* whose instant it is; NULL: none is due, it is the whole day */
    uint32_t due_count;          /* instants of that schedule on the date */
} ax_preview_run;

/* The run of a business date: the first instant of the first schedule that is due on it, else the date from
 * midnight to midnight in the zone of the first schedule that has one. Zones live in mem. AX_INVALID: a
 * schedule is broken. */
ax_rc ax_preview_run_of(const ax_plan *plan, int64_t date, ax_arena *mem, ax_preview_run *out, ax_err *err);

/* ---- the graph ---- */

typedef enum {
    AX_FATE_RUNS,
    AX_FATE_MAYBE,   /* outputs decide */
    AX_FATE_SKIPPED, /* unless something fails */
    AX_FATE_COUNT
} ax_fate;

typedef enum {
    AX_WHY_NOT_NONE,
    AX_WHY_NOT_CONDITION, /* its `when` is false */
    AX_WHY_NOT_DISABLED,  /* enabled = false */
    AX_WHY_NOT_TAKEN,     /* no edge to it is satisfied */
    AX_WHY_NOT_UNMET,     /* fewer edges than its join asks for */
    AX_WHY_NOT_COUNT
} ax_why_not;

typedef struct {
    ax_fate fate;
    ax_why_not why;      /* SKIPPED */
    uint32_t edge;       /* NOT_TAKEN, UNMET: the first edge to it that is not satisfied; else AX_NONE */
    const ax_expr *when; /* what is left to be known of its `when`; NULL: nothing */
    ax_str problem;      /* its `when` has no value: the message; then it fails */
    uint32_t wave;       /* in which it begins, from 1 */
    int64_t start_ms, end_ms;
    uint32_t after; /* the node whose end lets it begin; AX_NONE: the start of the run does */
} ax_preview_node;

typedef struct {
    const ax_plan *plan;
    const ax_value *params; /* by index */
    const ax_preview_run *run;
    const int64_t *durations_ms; /* by node, of tasks; NULL: 1 s each */
} ax_preview_input;

typedef struct {
    ax_preview_input in;
    ax_preview_node *nodes; /* by node */
    uint32_t wave_count;
    int64_t length_ms;        /* until the last node ends */
    const uint32_t *critical; /* the tasks that length comes from, in order */
    uint32_t critical_count;
} ax_preview;

/* The preview of a run, in mem. Linear in nodes and edges, but for joins that count (n log n in their edges).
 */
void ax_preview_make(const ax_preview_input *in, ax_arena *mem, ax_preview *out);

/* "skipped", "maybe"; "condition_false", "not_taken": words for programs. */
const char *ax_fate_name(ax_fate fate);
const char *ax_why_not_name(ax_why_not why);

/* ---- commands ---- */

/* A value, or what it will be computed from. */
typedef struct {
    ax_str name;
    ax_str text; /* known: the value; else a template: "{{ build.rows }} rows" */
    bool known;
} ax_preview_value;

typedef struct {
    ax_str script;                 /* RUN: with values in their place; where that can't be exact, ${AX_V1} */
    const ax_preview_value *binds; /* RUN: the variables of the script */
    const bool *bind_is_named;     /* it still stands in the script by name */
    uint32_t bind_count;
    const ax_preview_value *argv; /* EXEC; names are empty */
    uint32_t argc;
    const ax_preview_value *env; /* what the workflow file says, in order */
    uint32_t env_count;
    bool has_cwd;
    ax_preview_value cwd;
} ax_preview_command;

/* The command of a task. AX_INVALID: something that is known has no value; the attempt would fail. */
ax_rc ax_preview_command_of(const ax_preview *preview, uint32_t node, ax_arena *mem, ax_preview_command *out,
                            ax_err *err);
/* Appends text as one word of a shell, quoted if it must be. */
void ax_preview_word(ax_str text, ax_buf *out);

#endif
