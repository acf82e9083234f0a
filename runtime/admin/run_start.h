/* run_start.h - making a run of a plan, and finding the run to go on with. */
#ifndef AX_ADMIN_RUN_START_H
#define AX_ADMIN_RUN_START_H

#include "runtime/store/store.h"

/* What is asked for. Views stay the caller's. */
typedef struct {
    bool has_date;
    int64_t date; /* business date, days since the epoch; else today, where the workflow's schedule is */
    const ax_str *param_names, *param_texts;
    uint32_t param_count;
    ax_str workdir; /* absolute folder in which commands start */
    ax_str origin;  /* who starts it: "cli:anna" */
    uint64_t id;    /* larger than that of any run; 0: the next */
} ax_run_request;

/* Keeps the plan and makes a QUEUED run of it. Without a time zone in the workflow's (first) schedule, dates
 * are UTC's. A run for another day than today is dated as its schedule would date it: the first instant due
 * on that day, or its midnight; its interval goes to the next instant, or the next midnight. AX_INVALID: a
 * parameter is wrong. */
ax_rc ax_run_start(ax_store *store, uint64_t epoch, const ax_plan *plan, const ax_run_request *request,
                   uint64_t *run, ax_err *err);
/* The run with this id, or for 0 the newest that has not ended (of a workflow, unless that is empty).
 * AX_NOT_FOUND: there is none; AX_REFUSED: it has ended. */
ax_rc ax_run_resume(ax_store *store, uint64_t id, ax_str workflow, uint64_t *run, ax_err *err);

#endif
