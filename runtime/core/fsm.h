/* fsm.h - a state machine as data: states, events, and one total two-dimensional table.
 *
 * A cell that is not listed is refused with both names ("READY does not accept SUCCESS"); order means nothing
 * and there are no wildcards. The same struct is dumped as documentation, graphviz and JSON, and walked by
 * one test.
 */
#ifndef AX_CORE_FSM_H
#define AX_CORE_FSM_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/buf.h"
#include "dsl/base/err.h"

enum { AX_ST_INITIAL = 1, AX_ST_TERMINAL = 2 }; /* flags of a state */

typedef struct {
    bool listed;
    uint8_t to;
    const char *why; /* one phrase for the reader of a table or a history */
} ax_fsm_row;

typedef struct {
    const char *name;
    const char *const *states;
    const uint8_t *flags; /* by state */
    const char *const *events;
    uint32_t state_count, event_count;
    const ax_fsm_row *rows; /* state_count x event_count */
} ax_fsm;

extern const ax_fsm ax_instance_fsm, ax_node_fsm, ax_run_fsm;

/* The state that `event` leads to from `state`. AX_REFUSED with both names if the table has no such cell. */
ax_rc ax_fsm_next(const ax_fsm *fsm, uint32_t state, uint32_t event, uint8_t *to, ax_err *err);
/* The state or event with this name; UINT32_MAX if there is none. */
uint32_t ax_fsm_state(const ax_fsm *fsm, ax_str name);
uint32_t ax_fsm_event(const ax_fsm *fsm, ax_str name);
/* True if the state is never left. */
bool ax_fsm_terminal(const ax_fsm *fsm, uint32_t state);
/* The machine as text: a line a cell ("READY DISPATCH RUNNING why"), in table order; or as a graphviz
 * digraph. */
void ax_fsm_dump(const ax_fsm *fsm, ax_buf *out);
void ax_fsm_dot(const ax_fsm *fsm, ax_buf *out);

#endif
