/* nearest.h - "did you mean": the candidate that is fewest edits away. */
#ifndef AX_BASE_NEAREST_H
#define AX_BASE_NEAREST_H

#include <stddef.h>

#include "dsl/base/str.h"

typedef struct {
    ax_str wanted; /* what the user wrote */
    ax_str best;   /* the nearest so far; empty if none is near enough */
    size_t edits;  /* its distance in half edits */
} ax_nearest;

/* Starts a search; offer candidates in a fixed order, so that the first of equals wins. */
ax_nearest ax_nearest_start(ax_str wanted);
/* Considers one candidate (insertions, deletions, substitutions and swaps; letter case counts half). */
void ax_nearest_offer(ax_nearest *n, ax_str candidate);

#endif
