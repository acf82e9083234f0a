/* cron_change.c - see cron_change.h. */
#include "dsl/model/cron_change.h"

#include "dsl/base/assert.h"
#include "dsl/model/units.h"

#define DAY_S 86400

static int64_t day_of(int64_t wall)
{
    return wall / DAY_S - (wall % DAY_S < 0);
}

static ax_change_effect effect_of_gap(const ax_cron *cron, const ax_cron_rules *rules, int64_t jump)
{
    if (jump >= AX_CRON_NOT_DST) return AX_CHANGE_NEVER_WAS;
    if (cron->real_time) return AX_CHANGE_LEFT_OUT;
    return rules->gap == AX_GAP_SKIP ? AX_CHANGE_SKIPPED : AX_CHANGE_SHIFTED;
}

static ax_change_effect effect_of_overlap(const ax_cron *cron, const ax_cron_rules *rules)
{
    static const ax_change_effect effects[] = {[AX_FOLD_FIRST] = AX_CHANGE_FIRST,
                                               [AX_FOLD_SECOND] = AX_CHANGE_SECOND,
                                               [AX_FOLD_BOTH] = AX_CHANGE_BOTH};
    return cron->real_time ? AX_CHANGE_BOTH : effects[rules->fold];
}

/* The change at the end of a segment. */
static ax_cron_change change_at(const ax_cron *cron, const ax_cron_rules *rules, const ax_zone_segment *seg)
{
    /* In UTC every wall time is there once: the search for firings is one for wall times. */
    const ax_cron_rules plain = {.zone = ax_zone_utc()};
    ax_cron_change c = {.at = seg->end, .from = seg->end + seg->offset, .to = seg->end + seg->after};
    int64_t low = c.from < c.to ? c.from : c.to, high = c.from < c.to ? c.to : c.from;
    c.wall = ax_cron_next(cron, &plain, low - 1);
    if (c.wall >= high) c.effect = AX_CHANGE_UNTOUCHED;
    else if (c.to > c.from) c.effect = effect_of_gap(cron, rules, c.to - c.from);
    else c.effect = effect_of_overlap(cron, rules);
    return c;
}

bool ax_cron_change_next(const ax_cron *cron, const ax_cron_rules *rules, int64_t after, ax_cron_change *out)
{
    ax_zone_segment seg = ax_zone_at(rules->zone, after);
    while (seg.end != INT64_MAX && seg.after == seg.offset) seg = ax_zone_at(rules->zone, seg.end);
    if (seg.end == INT64_MAX) return false;
    *out = change_at(cron, rules, &seg);
    return true;
}

bool ax_cron_change_near(const ax_cron *cron, const ax_cron_rules *rules, int64_t at, ax_cron_change *out)
{
    int64_t day = day_of(ax_cron_wall(cron, rules, at));
    ax_zone_segment seg = ax_zone_at(rules->zone, at);
    if (seg.beg != INT64_MIN && seg.before != seg.offset) {
        ax_zone_segment before = ax_zone_at(rules->zone, seg.beg - 1);
        *out = change_at(cron, rules, &before);
        if (day_of(out->to) == day || day_of(out->from) == day) return true;
    }
    if (seg.end == INT64_MAX || seg.after == seg.offset) return false;
    *out = change_at(cron, rules, &seg);
    return day_of(out->to) == day || day_of(out->from) == day;
}

const char *ax_change_effect_name(ax_change_effect effect)
{
    static const char *const names[AX_CHANGE_COUNT] = {
        [AX_CHANGE_UNTOUCHED] = "untouched", [AX_CHANGE_SHIFTED] = "shifted", [AX_CHANGE_SKIPPED] = "skipped",
        [AX_CHANGE_LEFT_OUT] = "left_out",   [AX_CHANGE_FIRST] = "first",     [AX_CHANGE_SECOND] = "second",
        [AX_CHANGE_NEVER_WAS] = "never_was", [AX_CHANGE_BOTH] = "both",
    };
    AX_ASSERT(effect < AX_CHANGE_COUNT);
    return names[effect];
}

/* ---- words ---- */

/* "02:30", with the date in front if it is another one than `day`. */
static void add_wall(ax_buf *out, int64_t wall, int64_t day)
{
    int64_t of_day = wall - day_of(wall) * DAY_S;
    if (day_of(wall) != day) {
        ax_date_text(day_of(wall), out);
        ax_buf_addc(out, ' ');
    }
    ax_buf_addf(out, "%02d:%02d", (int)(of_day / 3600), (int)(of_day / 60 % 60));
    if (of_day % 60) ax_buf_addf(out, ":%02d", (int)(of_day % 60));
}

/* The day of which times need no date. */
static int64_t day_of_change(const ax_cron_change *c)
{
    return day_of(c->from < c->to ? c->from : c->to);
}

static void add_clocks(ax_buf *out, const ax_cron_change *c)
{
    int64_t day = day_of_change(c);
    ax_buf_adds(out, "clocks go from ");
    add_wall(out, c->from, day);
    ax_buf_adds(out, " to ");
    add_wall(out, c->to, day);
}

void ax_cron_change_words(const ax_cron_change *change, ax_buf *out)
{
    int64_t day = day_of_change(change);
    add_clocks(out, change);
    ax_buf_adds(out, ": ");
    if (change->effect == AX_CHANGE_UNTOUCHED) {
        ax_buf_adds(out, "no firing is touched");
        return;
    }
    add_wall(out, change->wall, day);
    switch (change->effect) {
    case AX_CHANGE_SHIFTED:
        ax_buf_adds(out, " does not exist, it fires at ");
        add_wall(out, change->to, day);
        return;
    case AX_CHANGE_SKIPPED: ax_buf_adds(out, " does not exist, it does not fire"); return;
    case AX_CHANGE_LEFT_OUT:
        ax_buf_adds(out, " does not exist; it follows real time and goes on without it");
        return;
    case AX_CHANGE_NEVER_WAS: ax_buf_adds(out, " never was: so large a jump is no daylight saving"); return;
    case AX_CHANGE_FIRST: ax_buf_adds(out, " comes twice, it fires the first time"); return;
    case AX_CHANGE_SECOND: ax_buf_adds(out, " comes twice, it fires the second time"); return;
    case AX_CHANGE_BOTH: ax_buf_adds(out, " comes twice, it fires both times"); return;
    case AX_CHANGE_UNTOUCHED:
    case AX_CHANGE_COUNT: break;
    }
    AX_UNREACHABLE();
}

void ax_cron_firing_words(const ax_cron_change *change, const ax_cron_rules *rules, int64_t at, ax_buf *out)
{
    int64_t shown = at + ax_zone_offset(rules->zone, at);
    if (change->effect == AX_CHANGE_SHIFTED && at == change->at) {
        ax_buf_adds(out, "instead of ");
        add_wall(out, change->wall, day_of(shown));
        ax_buf_adds(out, ", which does not exist: ");
        add_clocks(out, change);
        return;
    }
    if (change->to < change->from && shown >= change->to && shown < change->from) {
        add_wall(out, shown, day_of(shown));
        ax_buf_adds(out, at < change->at ? " for the first time of two: " : " for the second time: ");
    }
    add_clocks(out, change);
}
