/* cycle_int.h - rings of nodes that wait for one another, shown edge by edge. */
#ifndef AX_COMPILER_CYCLE_INT_H
#define AX_COMPILER_CYCLE_INT_H

#include "compiler/flow_int.h"

/* Reports one shortest ring of every set of nodes that wait for one another; the plan is indexed. */
void ax_cycle_report(ax_flow *f);

#endif
