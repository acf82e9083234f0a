/* show.c - the words that text and Markdown have in common. */
#include "compiler/diff/show_int.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/diff/diff_int.h"
#include "dsl/base/line_diff.h"
#include "dsl/model/units.h"

#define VALUE_BYTES_SHORT 60 /* of both values together on one line */

char ax_diff_show_sign(ax_diff_op op)
{
    static const char signs[AX_DIFF_OP_COUNT] = {
        [AX_DIFF_ADDED] = '+', [AX_DIFF_REMOVED] = '-', [AX_DIFF_CHANGED] = '~', [AX_DIFF_RENAMED] = '>'};
    return signs[op];
}

void ax_diff_show_number(uint32_t n, const char *one, const char *many, ax_buf *out)
{
    ax_buf_addf(out, "%" PRIu32 " %s", n, n == 1 ? one : many);
}

/* Goes on after `shown` names: " and 3 more". */
static void show_rest(uint32_t shown, uint32_t count, ax_buf *out)
{
    if (count > shown) ax_buf_addf(out, " and %" PRIu32 " more", count - shown);
}

void ax_diff_show_names(const ax_diff_names *names, ax_buf *out)
{
    for (uint32_t i = 0; i < names->named; i++) {
        if (i) ax_buf_adds(out, ", ");
        ax_buf_add(out, names->first[i]);
    }
    show_rest(names->named, names->count, out);
}

static uint32_t at_most(uint32_t count)
{
    return count < AX_DIFF_NAMED_MAX ? count : AX_DIFF_NAMED_MAX;
}

void ax_diff_show_schedule_name(ax_str name, ax_buf *out)
{
    ax_buf_adds(out, name.len ? "schedule " : "the schedule");
    ax_buf_add(out, name);
}

static void show_edge(const ax_diff_edge *e, ax_buf *out)
{
    ax_buf_add(out, e->from);
    if (e->outcome != AX_ON_SUCCEEDED && e->outcome == e->was)
        ax_buf_addf(out, ":%s", ax_outcome_name(e->outcome));
    ax_buf_addf(out, " -> %.*s", AX_STR(e->to));
}

void ax_diff_show_subject(const ax_diff *diff, const ax_diff_change *c, ax_buf *out)
{
    switch (ax_diff_rules[c->rule].subject) {
    case AX_DIFF_OF_WORKFLOW: ax_buf_adds(out, "the workflow"); return;
    case AX_DIFF_OF_PARAM: ax_buf_addf(out, "param %.*s", AX_STR(c->name)); return;
    case AX_DIFF_OF_SCHEDULE: ax_diff_show_schedule_name(c->name, out); return;
    case AX_DIFF_OF_EDGE: show_edge(&c->edge, out); return;
    case AX_DIFF_OF_NODE:
    case AX_DIFF_OF_COUNT: break;
    }
    uint32_t shown = at_most(c->node_count);
    for (uint32_t i = 0; i < shown; i++) {
        if (i) ax_buf_adds(out, ", ");
        ax_buf_add(out, ax_diff_def_name(&diff->merge, c->nodes[i]));
    }
    show_rest(shown, c->node_count, out);
}

/* ---- values ---- */

bool ax_diff_has_lines(const ax_diff_change *c)
{
    if (c->op != AX_DIFF_CHANGED || !c->attr.len || c->copy_count) return false;
    bool several = (c->before.len && memchr(c->before.ptr, '\n', c->before.len)) ||
                   (c->after.len && memchr(c->after.ptr, '\n', c->after.len));
    return several || ax_str_is(c->attr, "command") || c->before.len + c->after.len > VALUE_BYTES_SHORT;
}

static void show_value(ax_str value, ax_buf *out)
{
    if (value.len) ax_buf_add(out, value);
    else ax_buf_adds(out, "none");
}

static void show_copies(const ax_diff_change *c, ax_buf *out)
{
    bool came = c->rule == AX_RULE_COPIES_ADDED || c->rule == AX_RULE_COPIES_INSERTED;
    uint32_t shown = at_most(c->copy_count);
    ax_buf_adds(out, came ? "new " : "gone ");
    for (uint32_t i = 0; i < shown; i++) {
        if (i) ax_buf_adds(out, ", ");
        ax_buf_add(out, c->copies[i]);
    }
    show_rest(shown, c->copy_count, out);
}

/* What stands beside a node that came or went: " behind a, b and before c". */
static void show_side(const ax_diff *diff, uint32_t def, bool before, bool *any, ax_buf *out)
{
    const uint32_t *at = before ? diff->into_at : diff->out_of_at;
    const uint32_t *list = before ? diff->into : diff->out_of;
    uint32_t count = 0;
    for (uint32_t i = at[def]; i < at[def + 1]; i++) {
        const ax_diff_link *l = &diff->links[list[i]];
        uint32_t other = before ? l->from : l->to;
        if (ax_diff_def_is_gone(&diff->merge, def) ? !l->in_before : !l->in_after) continue;
        if (count++ >= AX_DIFF_NAMED_MAX) continue;
        if (count == 1) ax_buf_addf(out, "%s%s ", *any ? ", " : "", before ? "behind" : "before");
        else ax_buf_adds(out, ", ");
        ax_buf_add(out, ax_diff_node_name(&diff->merge, other));
        if (before && l->outcome != AX_ON_SUCCEEDED)
            ax_buf_addf(out, ":%s", ax_outcome_name((ax_outcome)l->outcome));
    }
    show_rest(AX_DIFF_NAMED_MAX, count, out);
    *any |= count > 0;
}

static bool is_node_alone(const ax_diff_change *c)
{
    return ax_diff_rules[c->rule].subject == AX_DIFF_OF_NODE &&
           (c->op == AX_DIFF_ADDED || c->op == AX_DIFF_REMOVED);
}

void ax_diff_show_values(const ax_diff *diff, const ax_diff_change *c, ax_buf *out)
{
    bool any = false;
    if (is_node_alone(c)) {
        show_side(diff, c->nodes[0], true, &any, out);
        show_side(diff, c->nodes[0], false, &any, out);
        return;
    }
    if (c->op == AX_DIFF_RENAMED) {
        ax_buf_adds(out, c->was.len ? "renamed from " : "it has a name now");
        ax_buf_add(out, c->was);
        return;
    }
    if (ax_diff_rules[c->rule].subject == AX_DIFF_OF_EDGE) {
        if (c->edge.outcome != c->edge.was)
            ax_buf_addf(out, "%s → %s", ax_outcome_name(c->edge.was), ax_outcome_name(c->edge.outcome));
        return;
    }
    bool is_when = ax_diff_rules[c->rule].subject == AX_DIFF_OF_SCHEDULE && ax_str_is(c->attr, "when");
    if (!is_when) ax_buf_add(out, c->attr);
    if (ax_diff_has_lines(c)) return;
    if (c->attr.len && !is_when) ax_buf_adds(out, " ");
    if (c->op == AX_DIFF_CHANGED) {
        if (!c->copy_count || !ax_str_eq(c->before, c->after)) {
            show_value(c->before, out);
            ax_buf_adds(out, " → ");
        }
        show_value(c->after, out);
        if (c->copy_count) ax_buf_adds(out, "; ");
        if (c->copy_count) show_copies(c, out);
        return;
    }
    ax_buf_add(out, c->op == AX_DIFF_ADDED ? c->after : c->before);
}

/* A text as whole lines, so that a missing line end is no difference. */
static ax_str as_lines(ax_arena *mem, ax_str text)
{
    bool whole = !text.len || text.ptr[text.len - 1] == '\n';
    return whole ? text : ax_str_fmt(mem, "%.*s\n", AX_STR(text));
}

void ax_diff_show_lines(const ax_diff_change *c, ax_buf *out)
{
    ax_arena scratch = AX_ARENA_INIT;
    ax_buf hunks = AX_BUF_INIT(AX_DIFF_TEXT_MAX);
    ax_line_diff(&scratch, NULL, as_lines(&scratch, c->before), as_lines(&scratch, c->after), &hunks);
    ax_str rest = ax_buf_str(&hunks);
    for (bool first = true; rest.len; first = false) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) + 1 : rest.len;
        if (rest.ptr[0] != '@') ax_buf_add(out, ax_str_slice(rest, 0, len));
        else if (!first) ax_buf_adds(out, "⋮\n");
        rest = ax_str_slice(rest, len, rest.len);
    }
    ax_buf_free(&hunks);
    ax_arena_free(&scratch);
}

/* ---- dates ---- */

static void show_schedule(const ax_schedule *s, ax_buf *out)
{
    if (s->cron.len) ax_buf_add(out, s->cron);
    else ax_buf_adds(out, "every ");
    if (!s->cron.len) ax_duration_text(s->every_ms, out);
    if (s->timezone.len) ax_buf_addf(out, " %.*s", AX_STR(s->timezone));
    if (s->has_start) ax_buf_adds(out, " since ");
    if (s->has_start) ax_date_text(s->start_day, out);
}

void ax_diff_show_dates(const ax_diff *diff, ax_buf *out)
{
    const ax_plan *plan = diff->before;
    if (!plan || !plan->schedule_count) {
        ax_buf_adds(out, "every earlier run");
        return;
    }
    ax_buf_adds(out, "all earlier dates of ");
    for (uint32_t i = 0; i < plan->schedule_count; i++) {
        if (i) ax_buf_adds(out, ", ");
        show_schedule(&plan->schedules[i], out);
    }
}

static void show_days(const char *verb, const int64_t *days, uint32_t count, ax_buf *out)
{
    ax_diff_show_number(count, "date", "dates", out);
    ax_buf_addf(out, " %s%s: ", verb, count == 1 ? "s" : "");
    for (uint32_t i = 0; i < at_most(count); i++) {
        if (i) ax_buf_adds(out, ", ");
        ax_date_text(days[i], out);
    }
    if (count > AX_DIFF_NAMED_MAX) ax_buf_adds(out, ", …");
}

void ax_diff_show_calendar(const ax_diff_schedule *s, ax_buf *out)
{
    if (!s->come_count && !s->go_count) return;
    ax_buf_adds(out, "within a year ");
    if (s->come_count) show_days("come", s->dates_come, s->come_count, out);
    if (s->come_count && s->go_count) ax_buf_adds(out, "; ");
    if (s->go_count) show_days("go", s->dates_go, s->go_count, out);
}

void ax_diff_show_counts(const uint32_t counts[AX_VERDICT_COUNT], ax_buf *out)
{
    uint32_t kinds = 0, all = 0;
    for (int v = AX_VERDICT_COSMETIC; v < AX_VERDICT_COUNT; v++) {
        kinds += counts[v] > 0;
        all += counts[v];
    }
    if (kinds < 2) {
        ax_diff_show_number(all, "change", "changes", out);
        return;
    }
    bool any = false;
    for (int v = AX_VERDICT_COUNT - 1; v > AX_VERDICT_SAME; v--) {
        if (!counts[v]) continue;
        bool needs = v == AX_VERDICT_BACKFILL;
        ax_buf_addf(out, "%s%" PRIu32 " ", any ? ", " : "", counts[v]);
        ax_buf_adds(out, needs && counts[v] > 1 ? "need a backfill" : ax_verdict_words((ax_verdict)v));
        any = true;
    }
}
