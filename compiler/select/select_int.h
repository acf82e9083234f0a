/* select_int.h - an expression in the form in which it is carried out: a program for a stack of sets. */
#ifndef AX_COMPILER_SELECT_SELECT_INT_H
#define AX_COMPILER_SELECT_SELECT_INT_H

#include "compiler/select/select.h"
#include "dsl/base/vec.h"

#define AX_STEPS_ALL UINT32_MAX

/* How a term names nodes. */
typedef enum {
    AX_TERM_NAME,
    AX_TERM_TAG,
    AX_TERM_KIND,
    AX_TERM_GROUP,
    AX_TERM_STATE,
    AX_TERM_COUNT
} ax_term_kind;

typedef enum { AX_STATE_MODIFIED, AX_STATE_NEW, AX_STATE_COUNT } ax_node_change;

typedef struct {
    ax_term_kind kind;
    ax_str value;           /* what stands behind the colon, or the name; without quotes and escapes */
    bool literal;           /* quoted: * and ? are characters */
    uint32_t at, len;       /* of the value, in the text */
    uint32_t up, down;      /* edges to go against and along their direction; 0: none */
    ax_node_kind node_kind; /* KIND */
    ax_node_change change;  /* STATE */
} ax_term;

typedef enum { AX_SEL_TERM, AX_SEL_NOT, AX_SEL_AND, AX_SEL_OR } ax_sel_op;

typedef struct {
    ax_sel_op op;
    ax_term term; /* TERM */
} ax_sel_step;

struct ax_select {
    AX_VEC(ax_sel_step) steps; /* operands before their operator */
    uint32_t stack_max;        /* sets that are alive at once */
};

/* Adds what lies up to `up` edges before and `down` edges behind the nodes of a set. A group lies behind its
 * members and at the same distance. */
void ax_select_walk(const ax_plan *plan, ax_node_set *set, uint32_t up, uint32_t down, ax_arena *mem);
/* Sets the bits of the nodes that are new or modified against a baseline. */
void ax_select_changed(const ax_plan *plan, const ax_plan *baseline, ax_node_change change, ax_node_set *set,
                       ax_arena *mem);

/* The methods' names, "" for a plain name; and the words of `state:`. */
extern const char *const ax_term_names[AX_TERM_COUNT];
extern const char *const ax_change_names[AX_STATE_COUNT];

#endif
