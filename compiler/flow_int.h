/* flow_int.h - what the passes share: one compilation (ax_unit) and one workflow in it (ax_flow).
 *
 * The tree is read, never changed; what a pass learns goes into these records, and the passes after it read
 * it there. Declarations stand in the order of the source, so the members of a group are a contiguous range
 * behind it. Everything lives in unit->mem.
 */
#ifndef AX_COMPILER_FLOW_INT_H
#define AX_COMPILER_FLOW_INT_H

#include "compiler/axc.h"
#include "dsl/base/assert.h"
#include "dsl/base/map.h"
#include "dsl/model/schema.h"

#define AX_KEYS_MAX 64u       /* keys of one matrix */
#define AX_COPIES_MAX 100000u /* copies that one matrix may make */
#define AX_LET_CHAIN_MAX 100u /* lets of which each needs the next */

typedef struct ax_flow ax_flow;

/* A parameter or a let. */
typedef struct {
    const ax_ast_block *block;
    ax_span span; /* of its name */
    bool is_let;
    bool is_broken; /* what is wrong with it was reported: its uses are not checked */
    bool is_used;
    enum { AX_LET_NEW, AX_LET_OPEN, AX_LET_DONE } state;
    ax_value value; /* of a let */
    uint32_t param; /* index into flow->params */
} ax_named;

typedef struct {
    ax_ast_name name;
    const ax_ast_expr *otherwise; /* its default; NULL: none */
    bool is_used;
} ax_template_param;

typedef struct {
    const ax_ast_block *block;
    ax_ast_name name;
    ax_span span; /* of the whole block */
    ax_template_param *params;
    uint32_t param_count;
    ax_map param_names;
    bool is_open; /* a node is being made from it */
    bool is_used;
    uint32_t first_use; /* index into unit->uses */
} ax_template;

/* A node that is made from a template. */
typedef struct {
    const ax_template *of;
    ax_span span;    /* from NAME */
    uint32_t around; /* the use of the template in whose text it stands, or AX_NONE */
} ax_use;

/* One matrix key of a task or group. */
typedef struct {
    ax_ast_name name;
    const ax_ast_expr *list; /* as written */
    ax_type type;
    const ax_value *values;
    uint32_t count;
    ax_map by_text; /* written form of a value to its place */
} ax_key;

/* What a matrix makes of its own block: combinations of its keys by number, the last key varying fastest,
 * less those that are excluded. */
typedef struct {
    uint32_t count;        /* copies in each copy of what is around it; 1 without a matrix */
    const uint32_t *combo; /* of each copy; NULL: none is excluded, copy and combination are the same */
    const uint32_t *place; /* of each combination: its copy, or AX_NONE */
} ax_fan;

/* A task, gate or group as declared. */
typedef struct {
    ax_kind kind; /* AX_KIND_COUNT: a block that is refused; uses of it are not checked */
    const ax_ast_item *item;
    const ax_ast_block *block; /* of item */
    ax_ast_name label;
    ax_str name;            /* qualified: ingest.orders */
    uint32_t parent;        /* the group it stands in, or AX_NONE */
    uint32_t depth;         /* groups around it */
    uint32_t end;           /* one past its last member, all levels */
    uint32_t use;           /* the use of a template that made it, or AX_NONE */
    ax_map members;         /* of a group: label to declaration; of a task: name of an output to its place */
    ax_key *const *keys;    /* that it may use: of the groups around it, outermost first, then its own */
    uint32_t key_count;     /* of all */
    uint32_t outer_keys;    /* of the groups around it */
    const uint32_t *levels; /* what fans out around it, and itself: declarations, outermost first */
    uint32_t level_count;
    ax_fan fan;
    const ax_ast_block **outputs;
    uint32_t output_count;
    bool is_broken;  /* its matrix or outputs are wrong, so what refers to them is not checked */
    uint32_t copies; /* nodes that it makes, without the virtual ones; AX_NODES_MAX + 1 stands for more */
    uint32_t first;  /* its first node */
    uint32_t whole;  /* virtual node of its own fan-out, or AX_NONE */
    uint32_t inner_depth; /* 1 + depth of the innermost group from inside which an edge comes to all of it */
} ax_decl;

/* An edge as written, between declarations. */
typedef struct {
    uint32_t from, to;               /* declarations */
    const uint32_t *from_at, *to_at; /* for each of its levels the copy, or AX_NONE; NULL: none is chosen */
    ax_outcome outcome;
    ax_span span; /* from the one endpoint to the other */
} ax_link;

/* An expression of `reader` that reads an output of `producer`. */
typedef struct {
    uint32_t reader, producer; /* declarations */
    uint32_t copy, copies;     /* of the producer: those that it may read, by number */
    ax_span span;
} ax_read;

/* One compilation. */
typedef struct {
    ax_arena *mem;
    ax_arena scratch; /* for one function; empty between two */
    ax_diags *diags;
    const ax_source *source;
    bool is_partial;      /* a syntax error left something out: what is missing may be there */
    uint32_t near_budget; /* names that may still be compared for a "did you mean" */
    uint32_t let_depth;   /* lets that are being computed */
    ax_map let_names;
    AX_VEC(ax_named) lets;
    ax_map flow_names;
    AX_VEC(ax_flow *) flows;
    ax_map template_names;           /* of the file; a workflow has its own */
    AX_VEC(ax_template *) templates; /* of the file and all workflows */
    AX_VEC(ax_use) uses;
    ax_map use_of_block;  /* address of a block to its use */
    ax_map refused_names; /* of blocks at the top of the file that are refused: their uses are not checked */
} ax_unit;

/* One workflow. */
struct ax_flow {
    ax_unit *unit;
    ax_arena *mem;
    ax_diags *diags;
    const ax_ast_item *item;
    ax_ast_name label;
    unsigned failed; /* bit per pass that reported an error or did not run */

    ax_map template_names;
    ax_map value_names;
    AX_VEC(ax_named) values; /* parameters and lets */
    ax_map node_names;       /* of the workflow itself; a group has its own */
    AX_VEC(ax_decl) decls;
    AX_VEC(ax_param) params;
    AX_VEC(ax_schedule) schedules;
    ax_map schedule_names;
    AX_VEC(ax_link) links;
    AX_VEC(ax_read) reads;

    ax_def *defs;    /* one a declaration, same index */
    ax_def defaults; /* what a task begins with */
    ax_plan *plan;

    ax_plan_node *nodes;
    uint32_t node_count;
    ax_value *values_of_copies; /* plan->value_count of them are set */
    ax_plan_edge *edges;        /* between nodes, by `to` and then as written */
    uint32_t edge_count;
    uint32_t *edge_links; /* for each edge, the link that it comes from */
};

/* The passes, in their order; each reports what is wrong with the workflow. */
void ax_pass_templates(ax_flow *f);
void ax_pass_schema(ax_flow *f);
void ax_pass_names(ax_flow *f);
void ax_pass_types(ax_flow *f);
void ax_pass_expr(ax_flow *f);
void ax_pass_expand(ax_flow *f);
void ax_pass_graph(ax_flow *f);
void ax_pass_outcomes(ax_flow *f);
void ax_pass_lint(ax_flow *f);
void ax_pass_lower(ax_flow *f);

/* What stands at the top of the file: collects its lets and workflows. */
void ax_unit_names(ax_unit *unit, const ax_ast_file *file);
/* Checks the items at the top of the file against the schema. */
void ax_unit_schema(ax_unit *unit, const ax_ast_file *file);
/* Computes the lets of the file. */
void ax_unit_types(ax_unit *unit);

#endif
