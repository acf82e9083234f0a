/* reach_int.h - does a path of edges lead from one declaration to another? */
#ifndef AX_COMPILER_REACH_INT_H
#define AX_COMPILER_REACH_INT_H

#include "compiler/flow_int.h"

/* Calls `missing` for every read of f->reads whose reader no path of edges reaches from its producer, in the
 * order of the reads. The plan is indexed and has no ring. */
void ax_reach_check(ax_flow *f, void (*missing)(ax_flow *f, const ax_read *read));

#endif
