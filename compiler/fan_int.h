/* fan_int.h - matrices: what they make, and which copies of two declarations belong together.
 *
 * A declaration has a level for each matrix around it and for its own; the number of a copy is its places at
 * those levels, the last level varying fastest. Two declarations share the levels of the groups that hold
 * both: there, copies go in pairs unless one is chosen.
 */
#ifndef AX_COMPILER_FAN_INT_H
#define AX_COMPILER_FAN_INT_H

#include "compiler/flow_int.h"

/* Reads the declaration's own matrix and exclude; sets its fan and the number of its copies. Those of the
 * groups around it are known. */
void ax_fan_read(ax_flow *f, uint32_t decl);

/* True if it has a sound matrix of its own. */
bool ax_fan_has_own(const ax_decl *decl);
/* The values of a combination of its own keys, by number of the copy among its own. */
void ax_fan_values(const ax_decl *decl, uint32_t own, ax_value *out);
/* The place of a value among those of a key; AX_NONE: it is none of them. */
uint32_t ax_fan_key_place(ax_arena *mem, const ax_key *key, const ax_value *value);
/* The copy for places of its own keys, or AX_NONE: it is excluded. */
uint32_t ax_fan_copy(const ax_decl *decl, const uint32_t *places);

/* How many of the first levels of both are of groups that hold both. */
uint32_t ax_fan_shared(const ax_flow *f, uint32_t a, uint32_t b);
/* The number of a level among those of a declaration, or AX_NONE. */
uint32_t ax_fan_level(const ax_decl *decl, uint32_t level);
/* How many copies of decl there are for each place at a level: the step of that level in numbers of copies.
 */
uint32_t ax_fan_step(const ax_flow *f, const ax_decl *decl, uint32_t level);

#endif
