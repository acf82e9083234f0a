/* fsm.c - looks a transition up, and shows a table as text or picture.
 *
 * The tables themselves stand in instance.c, node.c and run.c, each beside the one function that changes its
 * states.
 */
#include "runtime/core/fsm.h"

#include "dsl/base/assert.h"

static const ax_fsm_row *cell(const ax_fsm *fsm, uint32_t state, uint32_t event)
{
    AX_ASSERT(state < fsm->state_count);
    AX_ASSERT(event < fsm->event_count);
    return &fsm->rows[state * fsm->event_count + event];
}

ax_rc ax_fsm_next(const ax_fsm *fsm, uint32_t state, uint32_t event, uint8_t *to, ax_err *err)
{
    const ax_fsm_row *row = cell(fsm, state, event);
    if (!row->listed)
        return ax_fail(err, AX_REFUSED, "%s does not accept %s", fsm->states[state], fsm->events[event]);
    *to = row->to;
    return AX_OK;
}

static uint32_t named(const char *const *names, uint32_t count, ax_str name)
{
    for (uint32_t i = 0; i < count; i++)
        if (ax_str_is(name, names[i])) return i;
    return UINT32_MAX;
}

uint32_t ax_fsm_state(const ax_fsm *fsm, ax_str name)
{
    return named(fsm->states, fsm->state_count, name);
}

uint32_t ax_fsm_event(const ax_fsm *fsm, ax_str name)
{
    return named(fsm->events, fsm->event_count, name);
}

bool ax_fsm_terminal(const ax_fsm *fsm, uint32_t state)
{
    AX_ASSERT(state < fsm->state_count);
    return fsm->flags[state] & AX_ST_TERMINAL;
}

void ax_fsm_dump(const ax_fsm *fsm, ax_buf *out)
{
    for (uint32_t s = 0; s < fsm->state_count; s++)
        for (uint32_t e = 0; e < fsm->event_count; e++) {
            const ax_fsm_row *row = cell(fsm, s, e);
            if (!row->listed) continue;
            ax_buf_addf(out, "%s %s %s %s\n", fsm->states[s], fsm->events[e], fsm->states[row->to], row->why);
        }
}

void ax_fsm_dot(const ax_fsm *fsm, ax_buf *out)
{
    ax_buf_addf(out, "digraph %s {\n    rankdir=LR\n    node [shape=box, style=rounded]\n", fsm->name);
    for (uint32_t s = 0; s < fsm->state_count; s++) {
        const char *border = fsm->flags[s] & AX_ST_TERMINAL ? ", peripheries=2" : "";
        const char *weight = fsm->flags[s] & AX_ST_INITIAL ? ", penwidth=2" : "";
        ax_buf_addf(out, "    %s [label=\"%s\"%s%s]\n", fsm->states[s], fsm->states[s], border, weight);
    }
    for (uint32_t s = 0; s < fsm->state_count; s++)
        for (uint32_t e = 0; e < fsm->event_count; e++) {
            const ax_fsm_row *row = cell(fsm, s, e);
            if (!row->listed) continue;
            ax_buf_addf(out, "    %s -> %s [label=\"%s\"]\n", fsm->states[s], fsm->states[row->to],
                        fsm->events[e]);
        }
    ax_buf_adds(out, "}\n");
}
