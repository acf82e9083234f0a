/* diff_int.h - what the parts of the comparison share: canonical texts, pairing by similarity, the list of
 * changes that is being built, and reach in the graph.
 */
#ifndef AX_DIFF_DIFF_INT_H
#define AX_DIFF_DIFF_INT_H

#include "compiler/diff/diff.h"
#include "dsl/base/map.h"
#include "dsl/base/vec.h"

#define AX_DIFF_TEXT_MAX ((size_t)1 << 30) /* bytes of one value as text */

/* ---- canonical texts: equal if and only if the meaning is (key.c) ---- */

/* A plan, and what its definitions are in the merge. While that is not known, all producers of outputs look
 * alike. */
typedef struct {
    const ax_plan *plan;
    bool is_known;
    const uint32_t *defs; /* numbers in the merge; NULL: the same as in the plan */
} ax_diff_side;

/* Appends the canonical text of an expression of def; NULL is a text of its own. */
void ax_diff_expr_key(const ax_diff_side *side, const ax_def *def, const ax_expr *x, ax_buf *out);
/* Appends that of what def runs. */
void ax_diff_command_key(const ax_diff_side *side, const ax_def *def, ax_buf *out);
/* Appends a text with its length in front, so that texts behind each other can't be taken for others. */
void ax_diff_key_text(ax_str text, ax_buf *out);

/* Calls visit for each expression in def, and what is inside it, until it returns true; then true. */
bool ax_diff_expr_any(const ax_def *def, bool (*visit)(const ax_expr *x, const void *ctx), const void *ctx);

/* ---- attributes by their effective values (attr.c) ---- */

typedef struct {
    const char *name;
    unsigned kinds; /* bit per ax_node_kind that has it */
    ax_diff_rule rule;
    void (*show)(const ax_plan *plan, const ax_def *def, ax_buf *out);     /* for people; nothing: not set */
    void (*key)(const ax_diff_side *side, const ax_def *def, ax_buf *out); /* NULL: what is shown */
} ax_diff_attr;

extern const ax_diff_attr ax_diff_attrs[];
extern const uint32_t ax_diff_attr_count;

typedef struct {
    const char *name;
    ax_diff_rule rule;
    void (*show)(const ax_plan *plan, ax_buf *out);
} ax_diff_flow_attr;

extern const ax_diff_flow_attr ax_diff_flow_attrs[];
extern const uint32_t ax_diff_flow_attr_count;

/* Appends the canonical text of all attributes of def but its name, title and doc. */
void ax_diff_def_key(const ax_diff_side *side, const ax_def *def, ax_buf *out);

/* ---- pairing what is alike (bag.c) ---- */

typedef struct {
    uint64_t hash;
    uint32_t weight;
} ax_diff_feature;

/* What something is made of: features, after ax_diff_bag_close sorted and each once. */
typedef struct {
    AX_VEC(ax_diff_feature) features;
    uint64_t total;  /* of the weights */
    uint32_t family; /* only bags of one family are alike */
} ax_diff_bag;

void ax_diff_bag_add(ax_arena *mem, ax_diff_bag *bag, ax_str feature, uint32_t weight);
void ax_diff_bag_close(ax_diff_bag *bag);
/* Pairs each bag of a with the one of b that is most alike, if at least AX_DIFF_ALIKE of both is the same:
 * pair_of_a[i] is the index in b or AX_NONE. Deterministic; the best pairs come first. Returns how many. */
uint32_t ax_diff_bag_pair(const ax_diff_bag *a, uint32_t a_count, const ax_diff_bag *b, uint32_t b_count,
                          uint32_t *pair_of_a);

#define AX_DIFF_ALIKE 0.6 /* of 1 */

/* ---- definitions and nodes of both versions (match.c, merge.c, link.c) ---- */

/* Finds for each definition of `before` that of `after`, or AX_NONE; the array lives in mem. */
uint32_t *ax_diff_match(ax_arena *mem, const ax_plan *before, const ax_plan *after);
/* Where the values of a node begin in plan->values, and how many there are: the whole of a fan-out has those
 * of the groups around it. */
uint32_t ax_diff_values(const ax_plan *plan, uint32_t node, uint32_t *count);
/* Makes the merge, and the links of out from it. */
void ax_diff_merge_make(ax_arena *mem, const ax_plan *before, const ax_plan *after, ax_diff_merge *out);
void ax_diff_links_make(ax_arena *mem, const ax_diff_merge *merge, ax_diff *out);

/* True if only the newer / only the older version has it: a definition of the merge; a node of it, or the
 * end of a link. */
static inline bool ax_diff_def_is_new(const ax_diff_merge *m, uint32_t def)
{
    return m->def_before[def] == AX_NONE;
}
static inline bool ax_diff_def_is_gone(const ax_diff_merge *m, uint32_t def)
{
    return def >= m->after->def_count;
}
bool ax_diff_node_is_new(const ax_diff_merge *m, uint32_t node);
bool ax_diff_node_is_gone(const ax_diff_merge *m, uint32_t node);
/* The definition of the merge that a node of it belongs to, and its name; also of the end of a link. */
uint32_t ax_diff_node_def(const ax_diff_merge *m, uint32_t node);
ax_str ax_diff_node_name(const ax_diff_merge *m, uint32_t node);

/* ---- reach in the graph (reach.c) ---- */

typedef struct {
    bool in_before;       /* in which version of the graph */
    bool on_success;      /* only along edges that a success may satisfy */
    bool with_seeds;      /* the seeds count too */
    bool odd_seeds;       /* only nodes of the seeds that the other version does not have */
    bool only_kept;       /* count only nodes that both versions have */
    const uint32_t *defs; /* of the merge; those that the version does not have are passed over */
    uint32_t def_count;
    ax_diff_names *out;
    uint32_t change; /* of the differ: which one it is about */
} ax_diff_query;

/* Answers all queries: which definitions stand behind the seeds. Groups are passed through, not counted. */
void ax_diff_reach(const ax_diff_merge *merge, const ax_diff_query *queries, uint32_t count);

/* ---- the list of changes (diff.c) ---- */

/* A definition of the merge has a change, given by its place in the list. */
typedef struct {
    uint32_t change, def;
} ax_diff_join;

typedef struct {
    ax_arena *mem;
    ax_arena scratch;
    const ax_plan *before, *after;
    int64_t at_ms;
    ax_diff *out;
    AX_VEC(ax_diff_change) changes;
    AX_VEC(ax_diff_query) queries; /* how far changes reach; asked when all are known */
    AX_VEC(uint32_t) stale;        /* definitions of the merge whose earlier results are others now */
    ax_map alike;                  /* changes of attributes by their text */
    AX_VEC(ax_diff_join) joins;    /* which nodes have them */
    ax_buf one, other;             /* for texts that are compared; empty between uses */
} ax_differ;

/* Appends a change; the pointer is valid until the next one. */
ax_diff_change *ax_differ_add(ax_differ *d, ax_diff_rule rule, ax_diff_op op, ax_str name);
/* Asks how far a change reaches, by its place in the list. q needs no out and no change. */
void ax_differ_ask(ax_differ *d, uint32_t change, ax_diff_query q);
/* The bytes of a buffer, kept in d->mem; the buffer is emptied. */
ax_str ax_differ_take(ax_differ *d, ax_buf *text);
/* Numbers, kept in d->mem. */
const uint32_t *ax_differ_keep(ax_differ *d, const uint32_t *at, uint32_t count);
/* If the shown texts in d->one and d->other differ, appends a change of an attribute of the workflow, a
 * parameter or a schedule; empties both. */
void ax_differ_compare(ax_differ *d, ax_diff_rule rule, ax_str name, const char *attr);

/* The parts of a comparison, each adding its changes. */
void ax_diff_param_changes(ax_differ *d);
void ax_diff_schedule_changes(ax_differ *d);
void ax_diff_node_changes(ax_differ *d);
void ax_diff_edge_changes(ax_differ *d);

#endif
