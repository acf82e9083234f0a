/* run_start.c - see run_start.h. What a run's dates are is decided here and nowhere else. */
#include "runtime/admin/run_start.h"

#include <inttypes.h>

#include "dsl/model/cron.h"
#include "dsl/model/tz.h"
#include "dsl/model/units.h"
#include "runtime/core/engine.h"
#include "runtime/core/render.h"

#define DAY_S 86400

/* Days since the epoch that hold a local second. */
static int64_t day_of(int64_t local_s)
{
    return local_s / DAY_S - (local_s % DAY_S < 0 ? 1 : 0);
}

static int64_t midnight(const ax_zone *zone, int64_t day)
{
    return ax_zone_local(zone, day * DAY_S).first;
}

/* The schedule that dates runs: the first with a cron expression, or NULL. */
static const ax_schedule *dating_schedule(const ax_plan *plan)
{
    for (uint32_t i = 0; i < plan->schedule_count; i++)
        if (plan->schedules[i].cron.len) return &plan->schedules[i];
    return NULL;
}

/* Sets the instant and the interval of a run for run->date; now_s if that is today. */
static void set_instants(const ax_schedule *schedule, const ax_zone *zone, int64_t now_s, ax_run_rec *run)
{
    int64_t from_s = midnight(zone, run->date), to_s = midnight(zone, run->date + 1);
    int64_t at_s = from_s, next_s = to_s;
    ax_cron cron;
    ax_cron_error error;
    if (schedule && ax_cron_parse(schedule->cron, &cron, &error)) {
        const ax_cron_rules rules = {.zone = zone};
        int64_t due_s = ax_cron_next(&cron, &rules, from_s - 1);
        if (due_s < to_s) {
            at_s = due_s;
            next_s = ax_cron_next(&cron, &rules, due_s);
        }
    }
    if (day_of(now_s + ax_zone_offset(zone, now_s)) == run->date) at_s = now_s;
    run->scheduled_at_ms = at_s * 1000;
    run->interval_start_ms = run->scheduled_at_ms;
    run->interval_end_ms = next_s > at_s && next_s != AX_CRON_NEVER ? next_s * 1000 : to_s * 1000;
}

static ax_rc set_dates(const ax_plan *plan, const ax_run_request *request, ax_run_rec *run, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    const ax_schedule *schedule = dating_schedule(plan);
    const ax_zone *zone = ax_zone_utc();
    int64_t now_s = run->created_ms / 1000;
    ax_rc rc = AX_OK;
    if (schedule && schedule->timezone.len) rc = ax_zone_load(&mem, schedule->timezone, &zone, err);
    if (!rc) {
        run->date = request->has_date ? request->date : day_of(now_s + ax_zone_offset(zone, now_s));
        set_instants(schedule, zone, now_s, run);
    }
    ax_arena_free(&mem);
    return rc;
}

ax_rc ax_run_start(ax_store *store, uint64_t epoch, const ax_plan *plan, const ax_run_request *request,
                   uint64_t *run, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    int64_t now_ms = 0;
    ax_run_rec rec = {0};
    ax_str params = {0};
    ax_rc rc = ax_params_json(plan, request->param_names, request->param_texts, request->param_count, &mem,
                              &params, err);
    if (!rc) rc = store->ops->now_ms(store, &now_ms, err);
    if (!rc) {
        rec = ax_run_new(plan, now_ms);
        rec.id = request->id;
        rec.params = params;
        rec.workdir = request->workdir;
        rec.origin = request->origin;
        rc = set_dates(plan, request, &rec, err);
    }
    if (!rc) rc = store->ops->put_plan(store, plan, err);
    if (!rc) rc = store->ops->create_run(store, &rec, plan, epoch, err);
    if (!rc) *run = rec.id;
    ax_arena_free(&mem);
    return rc;
}

static ax_rc find_run(ax_store *store, uint64_t id, ax_str workflow, ax_arena *mem, ax_run_summary **found,
                      ax_err *err)
{
    uint32_t count = 0;
    const ax_run_filter filter = {
        .workflow = workflow, .before = id ? id + 1 : 0, .limit = 1, .unfinished = id == 0};
    ax_rc rc = store->ops->list_runs(store, &filter, mem, found, &count, err);
    if (rc) return rc;
    if (id && (count == 0 || (*found)->run.id != id))
        return ax_fail(err, AX_NOT_FOUND, "there is no run %" PRIu64, id);
    if (count == 0) return ax_fail(err, AX_NOT_FOUND, "there is no run that has not ended");
    return AX_OK;
}

ax_rc ax_run_resume(ax_store *store, uint64_t id, ax_str workflow, uint64_t *run, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_run_summary *found = NULL;
    ax_rc rc = find_run(store, id, workflow, &mem, &found, err);
    if (!rc && ax_fsm_terminal(&ax_run_fsm, found->run.state))
        rc =
            ax_fail(err, AX_REFUSED, "run %" PRIu64 " has ended: nothing of it is left to do", found->run.id);
    if (!rc) *run = found->run.id;
    ax_arena_free(&mem);
    return rc;
}
