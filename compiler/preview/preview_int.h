/* preview_int.h - what the files of this folder share. */
#ifndef AX_COMPILER_PREVIEW_PREVIEW_INT_H
#define AX_COMPILER_PREVIEW_PREVIEW_INT_H

#include "compiler/preview/preview.h"

#define AX_PREVIEW_TASK_MS 1000 /* of a task whose duration nobody knows */

/* What an incoming edge comes to. */
typedef enum { AX_EDGE_SATISFIED, AX_EDGE_VOID, AX_EDGE_MAYBE, AX_EDGE_COUNT } ax_preview_edge;

ax_preview_edge ax_preview_edge_of(const ax_preview *p, uint32_t edge);
/* How many edges a node's join waits for; 0: all of them. */
uint32_t ax_preview_join_need(const ax_def *def);

/* Fills wave, start_ms, end_ms and after of every node, and the critical path; fates are known. */
void ax_preview_time(ax_preview *p, ax_arena *mem);

/* Everything that expressions of a node may know before the run. */
ax_scope ax_preview_scope(const ax_preview *p, uint32_t node);
#define AX_PREVIEW_ROOTS                                                                                     \
    (1u << AX_ROOT_DATE | 1u << AX_ROOT_YESTERDAY | 1u << AX_ROOT_TOMORROW | 1u << AX_ROOT_SCHEDULED_AT |    \
     1u << AX_ROOT_INTERVAL_START | 1u << AX_ROOT_INTERVAL_END | 1u << AX_ROOT_NODE_NAME)

#endif
