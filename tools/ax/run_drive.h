/* run_drive.h - one run from where it stands to its end, with the loop, the terminal's signals and a way to
 * show it. */
#ifndef AX_TOOLS_RUN_DRIVE_H
#define AX_TOOLS_RUN_DRIVE_H

#include "runtime/sched/loop.h"
#include "tools/ax/show.h"

typedef struct {
    ax_store *store;
    ax_proc *proc;
    uint64_t epoch;
    int64_t lease_ttl_ms;
    uint32_t places;
    uint64_t run;
    ax_show *show;
    const ax_event *commands; /* decided before anything else */
    uint32_t command_count;
} ax_drive_config;

typedef enum {
    AX_DRIVE_SUCCEEDED,
    AX_DRIVE_FAILED, /* or cancelled */
    AX_DRIVE_WAITS,  /* for a person: nothing happens without an answer */
    AX_DRIVE_LEFT,   /* what runs goes on, and can be taken up again */
} ax_drive_end;

/* Drives the run. SIGINT and SIGTERM cancel it, a second one kills what runs, a third one leaves it, as
 * SIGHUP does. */
ax_rc ax_drive(const ax_drive_config *config, ax_drive_end *end, ax_err *err);

#endif
