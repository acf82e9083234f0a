/* json.c - a comparison for programs: everything, nothing cut. docs/diff.md describes it. */
#include "compiler/diff/diff_int.h"
#include "dsl/base/json_out.h"
#include "dsl/model/tz_text.h"
#include "dsl/model/units.h"

#define VERSION 1

typedef struct {
    ax_json json;
    ax_buf text; /* for what is written next */
} writer;

static void put_str(writer *w, const char *key, ax_str s)
{
    ax_json_key(&w->json, key);
    ax_json_str(&w->json, s);
}

static void put_name(writer *w, const char *key, const char *name)
{
    put_str(w, key, ax_str_of(name));
}

static void put_int(writer *w, const char *key, int64_t n)
{
    ax_json_key(&w->json, key);
    ax_json_int(&w->json, n);
}

/* The text in w->text as the value of key, or the next item of an array; empties it. */
static void put_text(writer *w, const char *key)
{
    if (key) ax_json_key(&w->json, key);
    ax_json_str(&w->json, ax_buf_str(&w->text));
    ax_buf_clear(&w->text);
}

static void put_names(writer *w, const char *key, const ax_diff_names *names)
{
    ax_json_key(&w->json, key);
    ax_json_obj_flat(&w->json);
    put_int(w, "count", names->count);
    ax_json_key(&w->json, "first");
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < names->named; i++) ax_json_str(&w->json, names->first[i]);
    ax_json_end(&w->json);
    ax_json_end(&w->json);
}

static void put_counts(writer *w, const uint32_t counts[AX_VERDICT_COUNT])
{
    for (int v = AX_VERDICT_COUNT - 1; v > AX_VERDICT_SAME; v--)
        put_int(w, ax_verdict_name((ax_verdict)v), counts[v]);
}

/* ---- changes ---- */

static void put_edge(writer *w, const ax_diff_edge *e)
{
    put_str(w, "from", e->from);
    put_str(w, "to", e->to);
    put_name(w, "outcome", ax_outcome_name(e->outcome));
    if (e->was != e->outcome) put_name(w, "outcomeBefore", ax_outcome_name(e->was));
}

static void put_nodes(writer *w, const ax_diff *diff, const ax_diff_change *c)
{
    ax_json_key(&w->json, "nodes");
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < c->node_count; i++)
        ax_json_str(&w->json, ax_diff_def_name(&diff->merge, c->nodes[i]));
    ax_json_end(&w->json);
}

static void put_copies(writer *w, const ax_diff_change *c)
{
    ax_json_key(&w->json, "copies");
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < c->copy_count; i++) ax_json_str(&w->json, c->copies[i]);
    ax_json_end(&w->json);
}

/* Values of an attribute: both keys are there, null is "none". */
static void put_value(writer *w, const char *key, ax_str value)
{
    ax_json_key(&w->json, key);
    if (value.len) ax_json_str(&w->json, value);
    else ax_json_null(&w->json);
}

static void put_change(writer *w, const ax_diff *diff, const ax_diff_change *c)
{
    const ax_diff_rule_row *rule = &ax_diff_rules[c->rule];
    ax_json_obj(&w->json);
    put_name(w, "rule", rule->name);
    put_name(w, "verdict", ax_verdict_name(rule->verdict));
    put_name(w, "subject", ax_diff_subject_name(rule->subject));
    put_name(w, "change", ax_diff_op_name(c->op));
    if (rule->subject == AX_DIFF_OF_EDGE) put_edge(w, &c->edge);
    else if (rule->subject == AX_DIFF_OF_NODE) put_nodes(w, diff, c);
    else put_str(w, "name", c->name);
    if (c->op == AX_DIFF_RENAMED) put_str(w, "was", c->was);
    if (c->attr.len) put_str(w, "attribute", c->attr);
    if (c->attr.len || c->before.len || c->after.len) {
        put_value(w, "before", c->before);
        put_value(w, "after", c->after);
    }
    if (c->copy_count) put_copies(w, c);
    put_name(w, "reason", rule->reason);
    put_names(w, "affects", &c->affects);
    if (c->line_before) put_int(w, "lineBefore", c->line_before);
    if (c->line_after) put_int(w, "lineAfter", c->line_after);
    ax_json_end(&w->json);
}

/* ---- schedules ---- */

static void put_instants(writer *w, const char *key, const ax_zone *zone, const int64_t *at, uint32_t count)
{
    ax_json_key(&w->json, key);
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < count; i++) {
        ax_json_obj_flat(&w->json);
        ax_instant_text(at[i], &w->text);
        put_text(w, "at");
        ax_zone_iso(zone, at[i], &w->text);
        put_text(w, "local");
        ax_json_end(&w->json);
    }
    ax_json_end(&w->json);
}

static void put_days(writer *w, const char *key, const int64_t *days, uint32_t count)
{
    ax_json_key(&w->json, key);
    ax_json_obj_flat(&w->json);
    put_int(w, "count", count);
    ax_json_key(&w->json, "first");
    ax_json_arr_flat(&w->json);
    for (uint32_t i = 0; i < count && i < AX_DIFF_NAMED_MAX; i++) {
        ax_date_text(days[i], &w->text);
        put_text(w, NULL);
    }
    ax_json_end(&w->json);
    ax_json_end(&w->json);
}

static void put_schedule(writer *w, const ax_diff_schedule *s)
{
    ax_json_obj(&w->json);
    put_str(w, "name", s->name);
    put_instants(w, "before", s->zone_before, s->instants_before, s->before_count);
    put_instants(w, "after", s->zone_after, s->instants_after, s->after_count);
    put_days(w, "datesThatCome", s->dates_come, s->come_count);
    put_days(w, "datesThatGo", s->dates_go, s->go_count);
    ax_json_end(&w->json);
}

/* ---- workflows ---- */

static void put_place(writer *w, const char *key, const ax_plan *plan)
{
    ax_json_key(&w->json, key);
    if (!plan) {
        ax_json_null(&w->json);
        return;
    }
    ax_json_obj_flat(&w->json);
    put_str(w, "name", plan->name);
    put_str(w, "file", plan->file);
    put_int(w, "line", plan->line);
    ax_json_end(&w->json);
}

static void put_flow(writer *w, const ax_diff *diff)
{
    ax_json_obj(&w->json);
    put_str(w, "name", diff->after ? diff->after->name : diff->before->name);
    put_name(w, "verdict", ax_verdict_name(diff->verdict));
    put_place(w, "before", diff->before);
    put_place(w, "after", diff->after);
    ax_json_key(&w->json, "changes");
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < diff->change_count; i++) put_change(w, diff, &diff->changes[i]);
    ax_json_end(&w->json);
    put_names(w, "stale", &diff->stale);
    ax_json_key(&w->json, "schedules");
    ax_json_arr(&w->json);
    for (uint32_t i = 0; i < diff->schedule_count; i++) put_schedule(w, &diff->schedules[i]);
    ax_json_end(&w->json);
    ax_json_end(&w->json);
}

void ax_diff_json(const ax_diff_set *set, ax_buf *out)
{
    writer w = {.json = ax_json_start(out, 2), .text = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    ax_json_obj(&w.json);
    put_int(&w, "axDiff", VERSION);
    put_name(&w, "verdict", ax_verdict_name(set->verdict));
    ax_json_key(&w.json, "summary");
    ax_json_obj_flat(&w.json);
    put_counts(&w, set->counts);
    put_int(&w, "workflowsChanged", set->flow_count);
    put_int(&w, "workflowsUnchanged", set->unchanged);
    ax_json_end(&w.json);
    ax_json_key(&w.json, "workflows");
    ax_json_arr(&w.json);
    for (uint32_t i = 0; i < set->flow_count; i++) put_flow(&w, &set->flows[i]);
    ax_json_end(&w.json);
    ax_json_end(&w.json);
    ax_buf_addc(out, '\n');
    ax_buf_free(&w.text);
}
