/* replay.h - the history against the present: what transition_log tells must be what the rows say. */
#ifndef AX_STORE_REPLAY_H
#define AX_STORE_REPLAY_H

#include "runtime/store/store.h"

/* Replays the run's transition_log from its start: every row must be in its machine's table and continue from
 * the state before it, and the end must be the stored states and versions, with nothing missing on either
 * side. AX_INVALID with the first row that does not fit. The run must not be
 * changed meanwhile. For tests and for checking a store. */
ax_rc ax_store_replay(ax_store *store, uint64_t run, ax_err *err);

#endif
