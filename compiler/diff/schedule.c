/* schedule.c - what changed in when a workflow is due: the instants decide, not the texts.
 *
 * Both schedules are walked over the year that comes. The same instants: it was only written another way. The
 * same business dates at other times: what looks at the time or at the interval is another, all else is not.
 * Other dates: some have a run that had none, or none any more.
 */
#include "compiler/diff/diff_int.h"
#include "dsl/model/units.h"

#define YEAR_MS (366 * AX_DAY_MS)
#define WALK_MAX 20000 /* instants of one schedule that are compared */

typedef struct {
    int64_t *instants, *dates; /* dates: each once */
    uint32_t instant_count, date_count;
    int64_t until;            /* the walk ended here: later ones are not known */
    int64_t from_day, to_day; /* dates on which it began and ended; these may be known in part */
} walk;

/* ---- as text ---- */

static void show_date(const char *word, bool has, int64_t day, ax_buf *out)
{
    if (!has) return;
    ax_buf_adds(out, word);
    ax_date_text(day, out);
}

/* "0 2 * * * Europe/Berlin, from 2026-01-01". */
static void show_when(const ax_schedule *s, ax_buf *out)
{
    if (s->cron.len) {
        ax_buf_add(out, s->cron);
    } else {
        ax_buf_adds(out, "every ");
        ax_duration_text(s->every_ms, out);
    }
    if (s->timezone.len) ax_buf_addf(out, " %.*s", AX_STR(s->timezone));
    show_date(", from ", s->has_start, s->start_day, out);
    show_date(", to ", s->has_end, s->end_day, out);
}

/* ---- instants ---- */

static walk walk_year(ax_arena *scratch, const ax_due *due, int64_t at_ms)
{
    walk w = {.instants = AX_NEW_N(scratch, int64_t, WALK_MAX),
              .dates = AX_NEW_N(scratch, int64_t, WALK_MAX),
              .until = at_ms + YEAR_MS};
    for (int64_t at = ax_due_next(due, at_ms); at < w.until; at = ax_due_next(due, at)) {
        if (w.instant_count == WALK_MAX) {
            w.until = at;
            break;
        }
        int64_t date = ax_due_date(due, at);
        w.instants[w.instant_count++] = at;
        if (!w.date_count || w.dates[w.date_count - 1] != date) w.dates[w.date_count++] = date;
    }
    w.from_day = ax_due_date(due, at_ms);
    w.to_day = ax_due_date(due, w.until);
    return w;
}

static bool same_instants(const walk *a, const walk *b)
{
    int64_t until = a->until < b->until ? a->until : b->until;
    uint32_t i = 0;
    while (i < a->instant_count && i < b->instant_count && a->instants[i] == b->instants[i]) i++;
    bool a_done = i == a->instant_count || a->instants[i] >= until;
    bool b_done = i == b->instant_count || b->instants[i] >= until;
    return i > 0 && a_done && b_done;
}

static void note_date(int64_t date, int64_t *list, uint32_t *count)
{
    if (*count < AX_DIFF_NAMED_MAX) list[*count] = date;
    ++*count;
}

/* Which dates come and which go, between the date on which both walks begin and that on which one ends. */
static void compare_dates(const walk *a, const walk *b, ax_diff_schedule *out)
{
    int64_t from = a->from_day > b->from_day ? a->from_day : b->from_day;
    int64_t to = a->to_day < b->to_day ? a->to_day : b->to_day;
    for (uint32_t i = 0, k = 0; i < a->date_count || k < b->date_count;) {
        bool only_a = k == b->date_count || (i < a->date_count && a->dates[i] < b->dates[k]);
        bool only_b = !only_a && (i == a->date_count || b->dates[k] < a->dates[i]);
        int64_t date = only_b ? b->dates[k] : a->dates[i];
        bool counts = date > from && date < to;
        if (only_a && counts) note_date(date, out->dates_go, &out->go_count);
        if (only_b && counts) note_date(date, out->dates_come, &out->come_count);
        i += !only_b;
        k += !only_a;
    }
}

static uint32_t next_instants(const ax_due *due, int64_t at_ms, int64_t *out)
{
    uint32_t count = 0;
    for (int64_t at = ax_due_next(due, at_ms); at != AX_DUE_NEVER && count < AX_DIFF_INSTANTS_MAX;
         at = ax_due_next(due, at))
        out[count++] = at;
    return count;
}

/* ---- who looks at the time ---- */

static bool is_time(const ax_expr *x, const void *ctx)
{
    (void)ctx;
    return x->kind == AX_X_ROOT && (x->u.root == AX_ROOT_SCHEDULED_AT ||
                                    x->u.root == AX_ROOT_INTERVAL_START || x->u.root == AX_ROOT_INTERVAL_END);
}

static bool mark_watchers(ax_differ *d)
{
    bool any = false;
    for (uint32_t i = 0; i < d->after->def_count; i++) {
        if (!ax_diff_expr_any(&d->after->defs[i], is_time, NULL)) continue;
        ax_vec_push(&d->scratch, &d->stale, i);
        any = true;
    }
    return any;
}

/* ---- changes ---- */

typedef struct {
    ax_differ *d;
    AX_VEC(ax_diff_schedule) list;
} schedules;

static ax_diff_schedule entry(schedules *s, const ax_schedule *before, const ax_schedule *after)
{
    ax_differ *d = s->d;
    ax_diff_schedule e = {.name = after ? after->name : before->name, .before = before, .after = after};
    ax_due due;
    if (before && !ax_due_open(d->mem, before, &due, NULL)) {
        e.zone_before = due.zone;
        e.before_count = next_instants(&due, d->at_ms, e.instants_before);
    }
    if (after && !ax_due_open(d->mem, after, &due, NULL)) {
        e.zone_after = due.zone;
        e.after_count = next_instants(&due, d->at_ms, e.instants_after);
    }
    return e;
}

/* The rule of two schedules that are written differently; fills which dates come and go. */
static ax_diff_rule rule_of(ax_differ *d, ax_diff_schedule *e)
{
    const ax_schedule *a = e->before, *b = e->after;
    ax_due before, after;
    bool sound = !ax_due_open(&d->scratch, a, &before, NULL) && !ax_due_open(&d->scratch, b, &after, NULL);
    if (!sound) return AX_RULE_SCHEDULE_DATES;
    ax_arena scratch = AX_ARENA_INIT;
    walk x = walk_year(&scratch, &before, d->at_ms), y = walk_year(&scratch, &after, d->at_ms);
    bool same = same_instants(&x, &y), any = x.instant_count && y.instant_count;
    compare_dates(&x, &y, e);
    ax_arena_free(&scratch);
    bool bounds = a->has_start != b->has_start || (a->has_start && a->start_day != b->start_day) ||
                  a->has_end != b->has_end || (a->has_end && a->end_day != b->end_day);
    if (bounds || !any || e->come_count || e->go_count) return AX_RULE_SCHEDULE_DATES;
    if (same) return AX_RULE_SCHEDULE_SPELLING;
    return mark_watchers(d) ? AX_RULE_SCHEDULE_INTERVALS : AX_RULE_SCHEDULE_TIMES;
}

static void compare_when(schedules *s, const ax_schedule *before, const ax_schedule *after)
{
    ax_differ *d = s->d;
    uint32_t changes = d->changes.len;
    show_when(before, &d->one);
    show_when(after, &d->other);
    ax_differ_compare(d, AX_RULE_SCHEDULE_DATES, after->name, "when");
    if (d->changes.len == changes) return;
    ax_diff_schedule e = entry(s, before, after);
    ax_diff_rule rule = rule_of(d, &e);
    d->changes.at[changes].rule = rule;
    if (rule != AX_RULE_SCHEDULE_SPELLING) ax_vec_push(d->mem, &s->list, e);
}

static void compare(schedules *s, const ax_schedule *before, const ax_schedule *after)
{
    ax_differ *d = s->d;
    uint32_t first = d->changes.len;
    if (!ax_str_eq(before->name, after->name)) {
        ax_diff_change *c = ax_differ_add(d, AX_RULE_SCHEDULE_RENAMED, AX_DIFF_RENAMED, after->name);
        c->was = before->name;
    }
    compare_when(s, before, after);
    ax_duration_text(before->window_ms, &d->one);
    ax_duration_text(after->window_ms, &d->other);
    ax_differ_compare(d, AX_RULE_SCHEDULE_CATCHUP, after->name, "window");
    ax_buf_adds(&d->one, ax_catchup_name(before->catchup));
    ax_buf_adds(&d->other, ax_catchup_name(after->catchup));
    ax_differ_compare(d, AX_RULE_SCHEDULE_CATCHUP, after->name, "catchup");
    for (uint32_t i = first; i < d->changes.len; i++) {
        d->changes.at[i].line_before = before->line;
        d->changes.at[i].line_after = after->line;
    }
}

static void add_odd(schedules *s, const ax_schedule *before, const ax_schedule *after)
{
    ax_differ *d = s->d;
    const ax_schedule *odd = after ? after : before;
    ax_diff_change *c = ax_differ_add(d, after ? AX_RULE_SCHEDULE_ADDED : AX_RULE_SCHEDULE_REMOVED,
                                      after ? AX_DIFF_ADDED : AX_DIFF_REMOVED, odd->name);
    show_when(odd, &d->one);
    *(after ? &c->after : &c->before) = ax_differ_take(d, &d->one);
    *(after ? &c->line_after : &c->line_before) = odd->line;
    ax_vec_push(d->mem, &s->list, entry(s, before, after));
}

static const ax_schedule *named(const ax_plan *plan, ax_str name)
{
    for (uint32_t i = 0; i < plan->schedule_count; i++) {
        if (ax_str_eq(plan->schedules[i].name, name)) return &plan->schedules[i];
    }
    return NULL;
}

/* The only schedule of a plan whose name the other does not have, or NULL. */
static const ax_schedule *only_odd(const ax_plan *plan, const ax_plan *other)
{
    const ax_schedule *odd = NULL;
    for (uint32_t i = 0; i < plan->schedule_count; i++) {
        if (named(other, plan->schedules[i].name)) continue;
        if (odd) return NULL;
        odd = &plan->schedules[i];
    }
    return odd;
}

void ax_diff_schedule_changes(ax_differ *d)
{
    schedules s = {.d = d};
    const ax_schedule *went = only_odd(d->before, d->after), *came = only_odd(d->after, d->before);
    bool renamed = went && came;
    for (uint32_t i = 0; i < d->after->schedule_count; i++) {
        const ax_schedule *after = &d->after->schedules[i], *before = named(d->before, after->name);
        if (renamed && after == came) before = went;
        if (before) compare(&s, before, after);
        else add_odd(&s, NULL, after);
    }
    for (uint32_t i = 0; i < d->before->schedule_count; i++) {
        const ax_schedule *before = &d->before->schedules[i];
        if (!named(d->after, before->name) && !(renamed && before == went)) add_odd(&s, before, NULL);
    }
    d->out->schedules = s.list.at;
    d->out->schedule_count = s.list.len;
}
