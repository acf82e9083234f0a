/* node.c - the machine of a node in a run, and the one door through which a node's state changes.
 *
 *                 ┌────────────HOLD────────────┐
 *                 ▼                            │
 *     BLOCKED ◀──REOPEN── HELD, SKIPPED ◀──SKIP── BLOCKED, HELD
 *        │                  │                            not begun: computed
 *     ───┴──────UNLOCK──────┴──────────────────────────────────────────
 *                 ▼                                      begun: history
 *              ACTIVE ──SUCCEED──▶ SUCCEEDED ◀──ACCEPT── FAILED
 *               │ │ └───SKIP_SELF─▶ SKIPPED                ▲ │
 *               │ └─────FAIL───────────────────────────────┘ │
 *        CANCEL ▼ ▲──────────────────RETRY───────────────────┘
 *           CANCELLED   (BLOCKED and HELD too, only in a run that drains)
 *
 * What may be relied on: BLOCKED, HELD and SKIPPED before the first attempt are a function of what stands
 * above; a node that has begun is never BLOCKED or HELD again. Whoever stands behind a node hears of every
 * change of its look here.
 */
#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

#define X(name, flags) #name,
static const char *const states[] = {AX_NODE_STATES(X)};
#undef X
#define X(name, flags) flags,
static const uint8_t flags[] = {AX_NODE_STATES(X)};
#undef X
#define X(name) #name,
static const char *const events[] = {AX_NODE_EVENTS(X)};
#undef X

#define ON(from, event, to_, text)                                                                           \
    [AX_NODE_ST_##from][AX_NODE_EV_##event] = {.listed = true, .to = AX_NODE_ST_##to_, .why = text}

/* clang-format off */
static const ax_fsm_row rows[AX_NODE_ST_COUNT][AX_NODE_EV_COUNT] = {
    ON(BLOCKED, UNLOCK,    ACTIVE,    "its join holds, nobody holds it, its `when` is true"),
    ON(BLOCKED, SKIP,      SKIPPED,   "its join, its `when`, `enabled` or a person says so"),
    ON(BLOCKED, HOLD,      HELD,      "a person holds it, or all that is open above waits for one"),
    ON(BLOCKED, CANCEL,    CANCELLED, "the run drains"),
    ON(HELD,    UNLOCK,    ACTIVE,    "its join holds, nobody holds it, its `when` is true"),
    ON(HELD,    SKIP,      SKIPPED,   "its join is decided against it, or a person says so"),
    ON(HELD,    REOPEN,    BLOCKED,   "something above is in motion again, or the person let go"),
    ON(HELD,    CANCEL,    CANCELLED, "the run drains"),
    ON(ACTIVE,  SUCCEED,   SUCCEEDED, "its attempt succeeded; a gate at once"),
    ON(ACTIVE,  SKIP_SELF, SKIPPED,   "its attempt ended with an exit in skip_on"),
    ON(ACTIVE,  FAIL,      FAILED,    "no retry is left, or a person rejected it in a run that goes on"),
    ON(ACTIVE,  CANCEL,    CANCELLED, "the run drains"),
    ON(ACTIVE,  ACCEPT,    SUCCEEDED, "a person: the try in question took effect"),
    ON(FAILED,  RETRY,     ACTIVE,    "a person, while the run lives and the node's join holds"),
    ON(FAILED,  ACCEPT,    SUCCEEDED, "a person; may carry outputs"),
    ON(FAILED,  GIVE_UP,   FAILED,    "a person skips it, or the run drains: no question any more"),
    ON(SKIPPED, UNLOCK,    ACTIVE,    "its join holds after all"),
    ON(SKIPPED, REVISE,    SKIPPED,   "the reason became another one"),
    ON(SKIPPED, HOLD,      HELD,      "what stands above waits for a person"),
    ON(SKIPPED, REOPEN,    BLOCKED,   "something above is in motion again"),
};
/* clang-format on */

const ax_fsm ax_node_fsm = {
    .name = "node",
    .states = states,
    .flags = flags,
    .events = events,
    .state_count = AX_NODE_ST_COUNT,
    .event_count = AX_NODE_EV_COUNT,
    .rows = rows[0],
};

static void put_change(ax_step *s, const ax_node_rec *from, const ax_node_rec *to)
{
    ax_batch *batch = s->batch;
    uint64_t run = s->view->run.id;
    uint32_t *at = &s->view->info[to->node].change_at;
    if (*at < batch->nodes.len && batch->nodes.at[*at].run == run &&
        batch->nodes.at[*at].to.node == to->node) {
        batch->nodes.at[*at].to = *to;
        return;
    }
    *at = batch->nodes.len;
    ax_vec_push(batch->mem, &batch->nodes,
                (ax_node_change){.run = run, .from = from->state, .from_version = from->version, .to = *to});
}

static bool is_waiting(ax_node_state state)
{
    return state == AX_NODE_ST_BLOCKED || state == AX_NODE_ST_HELD || state == AX_NODE_ST_ACTIVE;
}

ax_rc ax_node_apply(ax_step *s, ax_node_rec to, ax_node_event event, ax_err *err)
{
    ax_view *view = s->view;
    ax_node_rec from = view->nodes[to.node];
    uint8_t next;
    ax_rc rc = ax_fsm_next(&ax_node_fsm, from.state, event, &next, err);
    if (rc) return rc;

    AX_ASSERT(!ax_view_is_group(view, to.node));
    AX_IMPLIES(ax_view_has_begun(&from), next != AX_NODE_ST_BLOCKED && next != AX_NODE_ST_HELD);
    uint32_t old_cause = ax_view_cause(view, to.node);
    ax_look old_look = (ax_look)view->info[to.node].look;
    to.state = (ax_node_state)next;
    to.version = from.version + 1;
    if (is_waiting(to.state)) to.ended_ms = 0;
    else if (!to.ended_ms) to.ended_ms = s->now_ms;
    view->nodes[to.node] = to;
    put_change(s, &from, &to);

    const ax_def *def = ax_view_def(view, to.node);
    ax_totals_node(&view->totals, def, &from, -1);
    ax_totals_node(&view->totals, def, &to, 1);
    ax_step_log(s, (ax_log_rec){.machine = AX_MACHINE_NODE,
                                .node = to.node,
                                .attempt = to.attempt,
                                .from = (uint8_t)from.state,
                                .event = (uint8_t)event,
                                .to = next,
                                .extra = ax_step_node_extra(s, &to)});
    view->info[to.node].look = (uint8_t)ax_look_of(&to, def->policy);
    ax_step_look_changed(s, to.node, old_look, old_cause);
    return AX_OK;
}

void ax_node_renumber(ax_step *s, uint32_t node, uint32_t attempt)
{
    ax_node_rec *rec = &s->view->nodes[node];
    AX_ASSERT(rec->state == AX_NODE_ST_ACTIVE && attempt == rec->attempt + 1);
    ax_node_rec from = *rec;
    rec->attempt = attempt;
    rec->version++;
    put_change(s, &from, rec);
}

static ax_node_state group_state(ax_look look, bool begun)
{
    switch (look) {
    case AX_LOOK_MOTION:
    case AX_LOOK_MOTION_FAILED: return begun ? AX_NODE_ST_ACTIVE : AX_NODE_ST_BLOCKED;
    case AX_LOOK_HELD: return AX_NODE_ST_HELD;
    case AX_LOOK_SUCCEEDED: return AX_NODE_ST_SUCCEEDED;
    case AX_LOOK_OPEN:
    case AX_LOOK_FAILED:
    case AX_LOOK_BRANCH: return AX_NODE_ST_FAILED;
    case AX_LOOK_UPSTREAM_FAILED:
    case AX_LOOK_SKIPPED: return AX_NODE_ST_SKIPPED;
    case AX_LOOK_CANCELLED: return AX_NODE_ST_CANCELLED;
    case AX_LOOK_COUNT: break;
    }
    AX_UNREACHABLE();
}

ax_node_rec ax_node_of_group(uint32_t group, ax_look look, int64_t begun_ms, int64_t ended_ms)
{
    ax_node_rec rec = {.node = group, .cause = AX_NONE, .begun_ms = begun_ms};
    rec.state = group_state(look, begun_ms != 0);
    rec.open = look == AX_LOOK_OPEN;
    if (look == AX_LOOK_UPSTREAM_FAILED) rec.reason = AX_REASON_UPSTREAM_FAILED;
    if (look == AX_LOOK_SKIPPED) rec.reason = AX_REASON_NOT_TAKEN;
    if (!is_waiting(rec.state) && !rec.open) rec.ended_ms = ended_ms;
    return rec;
}
