/* look_int.h - how a parent looks, how an edge from it stands, what a join makes of its edges. Pure tables:
 * nothing here knows a run.
 */
#ifndef AX_CORE_LOOK_INT_H
#define AX_CORE_LOOK_INT_H

#include "runtime/core/record.h"

/* How a node looks to what stands behind it: the rows of the edge table. */
typedef enum {
    AX_LOOK_MOTION,          /* BLOCKED or ACTIVE */
    AX_LOOK_HELD,            /* waits for a person */
    AX_LOOK_SUCCEEDED,       /* also accepted, or FAILED under `ignore` */
    AX_LOOK_OPEN,            /* FAILED under `pause`, unanswered */
    AX_LOOK_FAILED,          /* FAILED under `skip`, or given up */
    AX_LOOK_BRANCH,          /* FAILED under `branch` */
    AX_LOOK_UPSTREAM_FAILED, /* SKIPPED because something above failed */
    AX_LOOK_SKIPPED,         /* SKIPPED for any other reason */
    AX_LOOK_MOTION_FAILED,   /* a group in motion of which a member has failed */
    AX_LOOK_CANCELLED,       /* only in a draining run; matters to `finally` nodes alone */
    AX_LOOK_COUNT
} ax_look;

/* How an edge stands. */
typedef enum {
    AX_STAND_UNRESOLVED,
    AX_STAND_HELD,
    AX_STAND_SATISFIED,
    AX_STAND_VOID,
    AX_STAND_DEAD,
    AX_STAND_COUNT
} ax_stand;

/* What a member tells its group; a look may tell several. Also the places of a group's counters. */
typedef enum {
    AX_MEMBER_MOTION,
    AX_MEMBER_HELD,
    AX_MEMBER_FAILED,
    AX_MEMBER_CANCELLED,
    AX_MEMBER_UPSTREAM_FAILED,
    AX_MEMBER_SUCCEEDED,
    AX_MEMBER_COUNT
} ax_member;

typedef enum {
    AX_VERDICT_OPEN, /* not decided */
    AX_VERDICT_HOLDS,
    AX_VERDICT_UPSTREAM_FAILED, /* decided against, because of a dead edge */
    AX_VERDICT_NOT_TAKEN,       /* decided against: every edge is void */
    AX_VERDICT_UNMET,           /* decided against: too few are satisfied */
    AX_VERDICT_COUNT
} ax_verdict;

/* How a task or gate with this row looks. */
ax_look ax_look_of(const ax_node_rec *rec, ax_policy policy);
/* How an edge with this outcome stands when its parent looks so. */
ax_stand ax_look_stand(ax_look look, ax_outcome outcome);
/* What a member that looks so tells its group: bits 1 << ax_member. */
uint8_t ax_look_tells(ax_look look);
/* How a group looks with these counts by ax_member over `members` direct members. */
ax_look ax_look_of_group(const uint32_t *tells, uint32_t members);
/* What the definition's join makes of n edges, counted by ax_stand. */
ax_verdict ax_join_decide(const ax_def *def, const uint32_t *stands, uint32_t n);

#endif
