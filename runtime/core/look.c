/* look.c - the tables of parents, edges, groups and joins, as they are printed in docs/state-machines.md. */
#include "runtime/core/look_int.h"

#include "dsl/base/assert.h"

#define U AX_STAND_UNRESOLVED
#define H AX_STAND_HELD
#define S AX_STAND_SATISFIED
#define V AX_STAND_VOID
#define D AX_STAND_DEAD

/* In the order of ax_outcome:                succeeded failed skipped passed done */
static const uint8_t stands[AX_LOOK_COUNT][AX_ON_COUNT] = {
    [AX_LOOK_MOTION] = {U, U, U, U, U},          [AX_LOOK_HELD] = {H, H, H, H, H},
    [AX_LOOK_SUCCEEDED] = {S, V, V, S, S},       [AX_LOOK_OPEN] = {H, S, H, H, H},
    [AX_LOOK_FAILED] = {D, S, V, D, S},          [AX_LOOK_BRANCH] = {V, S, V, V, S},
    [AX_LOOK_UPSTREAM_FAILED] = {D, V, S, D, S}, [AX_LOOK_SKIPPED] = {V, V, S, S, S},
    [AX_LOOK_MOTION_FAILED] = {U, S, U, U, U},   [AX_LOOK_CANCELLED] = {D, V, V, D, S},
};
_Static_assert(AX_ON_SUCCEEDED == 0 && AX_ON_FAILED == 1 && AX_ON_SKIPPED == 2 && AX_ON_PASSED == 3 &&
                   AX_ON_DONE == 4 && AX_ON_COUNT == 5,
               "the columns above are in the order of ax_outcome");

#undef U
#undef H
#undef S
#undef V
#undef D

#define TELLS(member) (1u << AX_MEMBER_##member)

static const uint8_t tells[AX_LOOK_COUNT] = {
    [AX_LOOK_MOTION] = TELLS(MOTION),
    [AX_LOOK_HELD] = TELLS(HELD),
    [AX_LOOK_SUCCEEDED] = TELLS(SUCCEEDED),
    [AX_LOOK_OPEN] = TELLS(HELD) | TELLS(FAILED),
    [AX_LOOK_FAILED] = TELLS(FAILED),
    [AX_LOOK_BRANCH] = 0,
    [AX_LOOK_UPSTREAM_FAILED] = TELLS(UPSTREAM_FAILED),
    [AX_LOOK_SKIPPED] = 0,
    [AX_LOOK_MOTION_FAILED] = TELLS(MOTION) | TELLS(FAILED),
    [AX_LOOK_CANCELLED] = TELLS(CANCELLED),
};

static ax_look failed_look(const ax_node_rec *rec, ax_policy policy)
{
    if (rec->open) return AX_LOOK_OPEN;
    if (rec->given_up) return AX_LOOK_FAILED;
    switch (policy) {
    case AX_POLICY_IGNORE: return AX_LOOK_SUCCEEDED;
    case AX_POLICY_BRANCH: return AX_LOOK_BRANCH;
    case AX_POLICY_SKIP:
    case AX_POLICY_PAUSE:
    case AX_POLICY_ABORT: return AX_LOOK_FAILED;
    case AX_POLICY_COUNT: break;
    }
    AX_UNREACHABLE();
}

ax_look ax_look_of(const ax_node_rec *rec, ax_policy policy)
{
    switch (rec->state) {
    case AX_NODE_ST_BLOCKED:
    case AX_NODE_ST_ACTIVE: return AX_LOOK_MOTION;
    case AX_NODE_ST_HELD: return AX_LOOK_HELD;
    case AX_NODE_ST_SUCCEEDED: return AX_LOOK_SUCCEEDED;
    case AX_NODE_ST_FAILED: return failed_look(rec, policy);
    case AX_NODE_ST_SKIPPED:
        return rec->reason == AX_REASON_UPSTREAM_FAILED ? AX_LOOK_UPSTREAM_FAILED : AX_LOOK_SKIPPED;
    case AX_NODE_ST_CANCELLED: return AX_LOOK_CANCELLED;
    case AX_NODE_ST_COUNT: break;
    }
    AX_UNREACHABLE();
}

ax_stand ax_look_stand(ax_look look, ax_outcome outcome)
{
    AX_ASSERT(look < AX_LOOK_COUNT);
    AX_ASSERT(outcome < AX_ON_COUNT);
    return (ax_stand)stands[look][outcome];
}

uint8_t ax_look_tells(ax_look look)
{
    AX_ASSERT(look < AX_LOOK_COUNT);
    return tells[look];
}

ax_look ax_look_of_group(const uint32_t *told, uint32_t members)
{
    bool failed = told[AX_MEMBER_FAILED] > 0;
    if (members == 0) return AX_LOOK_SUCCEEDED;
    if (told[AX_MEMBER_MOTION]) return failed ? AX_LOOK_MOTION_FAILED : AX_LOOK_MOTION;
    if (told[AX_MEMBER_HELD]) return failed ? AX_LOOK_OPEN : AX_LOOK_HELD;
    if (failed) return AX_LOOK_FAILED;
    if (told[AX_MEMBER_CANCELLED]) return AX_LOOK_CANCELLED;
    if (told[AX_MEMBER_UPSTREAM_FAILED]) return AX_LOOK_UPSTREAM_FAILED;
    return told[AX_MEMBER_SUCCEEDED] ? AX_LOOK_SUCCEEDED : AX_LOOK_SKIPPED;
}

static ax_verdict decide_all(const uint32_t *stand, uint32_t waiting)
{
    if (stand[AX_STAND_DEAD]) return AX_VERDICT_UPSTREAM_FAILED;
    if (waiting) return AX_VERDICT_OPEN;
    return stand[AX_STAND_SATISFIED] ? AX_VERDICT_HOLDS : AX_VERDICT_NOT_TAKEN;
}

ax_verdict ax_join_decide(const ax_def *def, const uint32_t *stand, uint32_t n)
{
    uint32_t waiting = stand[AX_STAND_UNRESOLVED] + stand[AX_STAND_HELD];
    AX_ASSERT(waiting + stand[AX_STAND_SATISFIED] + stand[AX_STAND_VOID] + stand[AX_STAND_DEAD] == n);
    if (n == 0) return AX_VERDICT_HOLDS;
    if (def->join == AX_JOIN_ALL) return decide_all(stand, waiting);

    uint32_t need = def->join == AX_JOIN_STRICT ? n : def->join == AX_JOIN_ANY ? 1 : def->join_count;
    uint32_t satisfied = stand[AX_STAND_SATISFIED];
    if (satisfied >= need) return AX_VERDICT_HOLDS;
    /* Without a dead edge only the last one decides against it: else the order of events would matter. */
    if (stand[AX_STAND_DEAD])
        return satisfied + waiting < need ? AX_VERDICT_UPSTREAM_FAILED : AX_VERDICT_OPEN;
    if (waiting) return AX_VERDICT_OPEN;
    return stand[AX_STAND_VOID] == n ? AX_VERDICT_NOT_TAKEN : AX_VERDICT_UNMET;
}
