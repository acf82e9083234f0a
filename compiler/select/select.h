/* select.h - the one grammar in which people choose nodes of a workflow.
 *
 *   sync                 a node; of a fan-out or group, with all its copies or members
 *   ingest.*  load_?     names with * (any text) and ? (one character)
 *   sync["orders"]  'x'  one copy of a fan-out; quotes for any name as it is
 *   tag:x  kind:task     by tag (its own or the workflow's), by kind
 *   group:ingest         the members of a group, with the group
 *   state:modified       what is new or means something else than in a baseline; state:new: what is not in it
 *   +n  n+  2+n  n+2     with all, or at most two edges of, what it needs / what needs it; +n+ is both
 *   a, b   a or b        either;  a and b  both;  not a  the others;  ( ) for grouping
 *
 * `not` binds tighter than `and`, that tighter than `or` and the comma, which are the same. Tags, groups and
 * quoted values may be given as in tag:'x y'. Selecting is linear in nodes and edges for each term, and never
 * recursive over the graph.
 */
#ifndef AX_COMPILER_SELECT_SELECT_H
#define AX_COMPILER_SELECT_SELECT_H

#include "dsl/base/err.h"
#include "dsl/model/plan.h"

#define AX_SELECT_BYTES_MAX (64u << 10) /* of an expression */
#define AX_SELECT_TERMS_MAX 1000u
#define AX_SELECT_DEPTH_MAX 100u /* parentheses inside one another */

/* A set of node ids. */
typedef struct {
    uint64_t *bits; /* one a node */
    uint32_t node_count;
} ax_node_set;

/* True if the node is in it. */
bool ax_node_set_has(const ax_node_set *set, uint32_t node);
/* How many nodes are in it. */
uint32_t ax_node_set_size(const ax_node_set *set);

typedef struct ax_select ax_select; /* an expression that was read; it keeps views into its text */

/* Reads an expression. False: *error says what is wrong with it, and where. */
bool ax_select_parse(ax_arena *mem, ax_str text, const ax_select **out, ax_text_err *error);
/* True if each term names something in at least one of the plans, and a baseline is there if one is needed.
 * False: *error says what there is not (with the nearest that there is), and where. */
bool ax_select_check(const ax_select *select, const ax_plan *const *plans, uint32_t plan_count,
                     bool has_baseline, ax_text_err *error);
/* The nodes that are selected; what a term names and the plan does not have is empty. baseline NULL: nothing
 * is modified. The set lives in mem. */
ax_node_set ax_select_nodes(const ax_select *select, const ax_plan *plan, const ax_plan *baseline,
                            ax_arena *mem);
/* All three for one plan. */
bool ax_select_from(ax_arena *mem, ax_str text, const ax_plan *plan, const ax_plan *baseline,
                    ax_node_set *out, ax_text_err *error);

#endif
