/* diff.h - what changed in meaning between two versions of a workflow, as data.
 *
 * Plans are compared, not texts: attributes by their effective values (what `defaults` and the language say
 * is applied), nodes by name or, if they were renamed, by what they are and what stands around them, edges as
 * a person would draw them (one for all copies of a fan-out). Order, layout, comments and lines are no
 * change. Each change carries the rule that it falls under (rules.def), and with it a verdict and a reason,
 * and how many nodes stand behind it.
 *
 * Pure but for time zones, which are loaded from the system; the moment from which instants are shown is an
 * argument. Deterministic. Cost: O(n log n) in nodes and edges; how far a change reaches is found for 64
 * changes at once.
 */
#ifndef AX_COMPILER_DIFF_DIFF_H
#define AX_COMPILER_DIFF_DIFF_H

#include "dsl/base/buf.h"
#include "dsl/model/due.h"
#include "dsl/model/plan.h"

#define AX_DIFF_NAMED_MAX 5     /* names that stand for many */
#define AX_DIFF_INSTANTS_MAX 10 /* of a schedule, before and after */

typedef enum {
    AX_VERDICT_SAME, /* nothing changed */
    AX_VERDICT_COSMETIC,
    AX_VERDICT_SAFE,
    AX_VERDICT_BACKFILL,
    AX_VERDICT_BREAKING,
    AX_VERDICT_COUNT
} ax_verdict;

typedef enum {
    AX_DIFF_ADDED,
    AX_DIFF_REMOVED,
    AX_DIFF_CHANGED,
    AX_DIFF_RENAMED,
    AX_DIFF_OP_COUNT
} ax_diff_op;

typedef enum {
    AX_DIFF_OF_WORKFLOW,
    AX_DIFF_OF_PARAM,
    AX_DIFF_OF_SCHEDULE,
    AX_DIFF_OF_NODE,
    AX_DIFF_OF_EDGE,
    AX_DIFF_OF_COUNT
} ax_diff_subject;

typedef enum {
#define AX_DIFF_RULE(id, name, subject, verdict, reason) AX_RULE_##id,
#include "compiler/diff/rules.def"
#undef AX_DIFF_RULE
    AX_RULE_COUNT
} ax_diff_rule;

typedef struct {
    const char *name; /* for programs: "param-required" */
    ax_diff_subject subject;
    ax_verdict verdict;
    const char *reason; /* lower case, no full stop */
} ax_diff_rule_row;

extern const ax_diff_rule_row ax_diff_rules[AX_RULE_COUNT];

/* Some of many names. */
typedef struct {
    uint32_t count;
    ax_str first[AX_DIFF_NAMED_MAX]; /* in topological order */
    uint32_t named;
} ax_diff_names;

/* An edge; one from or to a fan-out as a whole carries its name. */
typedef struct {
    ax_str from, to;
    ax_outcome outcome, was; /* both the same, unless the edge has another outcome than before */
} ax_diff_edge;

/* One thing that changed; the same change of an attribute on several nodes is one. */
typedef struct {
    ax_diff_rule rule;
    ax_diff_op op;
    ax_str name;          /* what: a workflow, parameter, schedule; the first of `nodes`; empty for an edge */
    ax_str was;           /* RENAMED: the old name */
    ax_str attr;          /* "timeout", "env.HOME", "output rows"; empty: it as a whole */
    ax_str before, after; /* as they would be written; empty: there was or is none */
    const uint32_t *nodes; /* definitions of the merge */
    uint32_t node_count;
    const ax_str *copies; /* matrix: the copies that came or went */
    uint32_t copy_count;
    ax_diff_edge edge;
    ax_diff_names affects;            /* definitions behind it in the graph (a fan-out counts once) */
    uint32_t line_before, line_after; /* 0: not there */
} ax_diff_change;

/* Both versions of a graph as one. Definitions and nodes of `after` keep their numbers, what is only in
 * `before` follows them; AX_NONE where one is missing. */
typedef struct {
    const ax_plan *before, *after;
    uint32_t def_count, node_count;
    uint32_t *def_of_before, *node_of_before; /* numbers of `before` to those of the merge */
    uint32_t *def_before, *node_before;       /* and back */
} ax_diff_merge;

/* An edge of the merge. An end is a definition, as node_count + its number, for all of its copies; or a node,
 * for one copy alone. */
typedef struct {
    uint32_t from, to;
    uint8_t outcome, was; /* ax_outcome; of before, if it is there */
    bool in_before, in_after;
    uint32_t line_before, line_after;
} ax_diff_link;

/* A schedule that came, went or changed. */
typedef struct {
    ax_str name;
    const ax_schedule *before, *after; /* NULL: not there */
    const ax_zone *zone_before, *zone_after;
    int64_t instants_before[AX_DIFF_INSTANTS_MAX], instants_after[AX_DIFF_INSTANTS_MAX];
    uint32_t before_count, after_count;
    int64_t dates_come[AX_DIFF_NAMED_MAX], dates_go[AX_DIFF_NAMED_MAX]; /* days since the epoch */
    uint32_t come_count, go_count; /* within a year before and after; more than AX_DIFF_NAMED_MAX are named
                                      only by count */
} ax_diff_schedule;

/* Two versions of one workflow. */
typedef struct {
    const ax_plan *before, *after; /* NULL: it was added or removed */
    ax_verdict verdict;
    const ax_diff_change *changes; /* the worst first, then in the order of the file */
    uint32_t change_count;
    uint32_t counts[AX_VERDICT_COUNT]; /* changes by verdict, but those that are implied */
    ax_diff_names
        stale; /* definitions that were there and whose earlier results this version would not make */
    const ax_diff_schedule *schedules;
    uint32_t schedule_count;
    ax_diff_merge merge;
    const ax_diff_link *links;
    uint32_t link_count;
    /* The links of definition d, by their places: into[into_at[d] … into_at[d + 1]), and so out_of. */
    const uint32_t *into_at, *into, *out_of_at, *out_of;
} ax_diff;

/* Compares two versions of a workflow; one of them may be NULL. Instants are looked for after at_ms. The
 * result lives in mem and keeps views into both plans. */
void ax_diff_plans(ax_arena *mem, const ax_plan *before, const ax_plan *after, int64_t at_ms, ax_diff *out);

/* True if a change is told by that of its node (an edge of one that came or went): it is not counted, and
 * people need no line for it. */
bool ax_diff_is_implied(const ax_diff_change *change);
/* The name of a definition of the merge, by its newer version. */
ax_str ax_diff_def_name(const ax_diff_merge *merge, uint32_t def);

/* "cosmetic", "safe", "backfill", "breaking", "same": a word for programs. */
const char *ax_verdict_name(ax_verdict verdict);
/* "needs a backfill": the words for people. */
const char *ax_verdict_words(ax_verdict verdict);
/* "added", "node": words for programs. */
const char *ax_diff_op_name(ax_diff_op op);
const char *ax_diff_subject_name(ax_diff_subject subject);

/* ---- all workflows of two sets of files ---- */

/* A workflow and the path of its file relative to what was asked for; empty for a file of its own. */
typedef struct {
    const ax_plan *plan;
    ax_str path;
} ax_diff_input;

typedef struct {
    const ax_diff_input *at;
    uint32_t count;
} ax_diff_inputs;

typedef struct {
    const ax_diff *flows; /* those that changed, the worst first, then by name */
    uint32_t flow_count;
    uint32_t unchanged;
    ax_verdict verdict;
    uint32_t counts[AX_VERDICT_COUNT]; /* changes by verdict, but those that are implied */
    int64_t at_ms;
} ax_diff_set;

/* Pairs workflows by name, and by path where a name stands several times; what is left is paired if it is
 * the same under another name. Then compares each pair. */
void ax_diff_files(ax_arena *mem, const ax_diff_inputs *before, const ax_diff_inputs *after, int64_t at_ms,
                   ax_diff_set *out);

/* ---- how it is shown ---- */

/* Appends it for a terminal; color adds ANSI colours. */
void ax_diff_text(const ax_diff_set *set, bool color, ax_buf *out);
/* Appends it as one JSON object (docs/diff.md). */
void ax_diff_json(const ax_diff_set *set, ax_buf *out);
/* Appends it as Markdown for a comment on a review. */
void ax_diff_markdown(const ax_diff_set *set, ax_buf *out);
/* Appends a picture of both versions as one graph: what was added, removed and changed is marked. Of a large
 * workflow only what changed and what stands beside it is drawn. Fails as ax_picture does; one picture a
 * process. */
ax_rc ax_diff_svg(const ax_diff *diff, bool dark, ax_buf *out, ax_err *err);

#endif
