/* preview_run.c - which instant the run of a business date is for. */
#include "dsl/model/units.h"

#include "compiler/preview/preview.h"

#define DAY_S (AX_DAY_MS / 1000)

/* Sets the instant from a schedule; false if it is not due on the date. */
static bool take_instant(const ax_due *due, const ax_schedule *schedule, ax_preview_run *run)
{
    ax_due_walk walk = ax_due_dates(due, run->date, run->date);
    ax_due_instant first, other;
    if (!ax_due_walk_next(&walk, &first)) return false;
    run->scheduled_at = run->interval_start = first.at_ms;
    run->interval_end = first.end_ms == AX_DUE_NEVER ? AX_INSTANT_MAX : first.end_ms;
    run->zone = due->zone;
    run->schedule = schedule;
    run->due_count = 1;
    while (ax_due_walk_next(&walk, &other)) run->due_count++;
    return true;
}

ax_rc ax_preview_run_of(const ax_plan *plan, int64_t date, ax_arena *mem, ax_preview_run *out, ax_err *err)
{
    *out = (ax_preview_run){.date = date, .zone = ax_zone_utc()};
    bool has_zone = false;
    for (uint32_t i = 0; i < plan->schedule_count; i++) {
        const ax_schedule *schedule = &plan->schedules[i];
        ax_due due;
        ax_rc rc = ax_due_open(mem, schedule, &due, err);
        if (rc) return rc;
        if (take_instant(&due, schedule, out)) return AX_OK;
        if (!has_zone && schedule->timezone.len) {
            out->zone = due.zone;
            has_zone = true;
        }
    }
    out->scheduled_at = out->interval_start = ax_zone_local(out->zone, date * DAY_S).first * 1000;
    out->interval_end = ax_zone_local(out->zone, (date + 1) * DAY_S).first * 1000;
    return AX_OK;
}
