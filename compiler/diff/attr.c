/* attr.c - the attributes of workflows and nodes as rows: how the effective value is written, and which rule
 * a change of it falls under.
 *
 * What has no effect is not written: a backoff without retries, a shell without a script. Sets are sorted.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "compiler/diff/diff_int.h"
#include "compiler/emit/expr_source.h"
#include "dsl/base/assert.h"
#include "dsl/model/units.h"

#define TASK (1u << AX_NODE_TASK)
#define GATE (1u << AX_NODE_GATE)
#define ALL (TASK | GATE | 1u << AX_NODE_GROUP)

/* ---- pieces ---- */

static int str_cmp(const void *a, const void *b)
{
    return ax_str_cmp(*(const ax_str *)a, *(const ax_str *)b);
}

/* Words as a sorted list: "finance, nightly". */
static void show_set(const ax_str *words, uint32_t count, ax_buf *out)
{
    ax_arena scratch = AX_ARENA_INIT;
    ax_str *sorted = AX_NEW_N(&scratch, ax_str, count);
    for (uint32_t i = 0; i < count; i++) sorted[i] = words[i];
    if (count) qsort(sorted, count, sizeof *sorted, str_cmp);
    for (uint32_t i = 0; i < count; i++) {
        if (i && ax_str_eq(sorted[i], sorted[i - 1])) continue;
        if (i) ax_buf_adds(out, ", ");
        ax_buf_add(out, sorted[i]);
    }
    ax_arena_free(&scratch);
}

static void show_bool(bool value, ax_buf *out)
{
    ax_buf_adds(out, value ? "true" : "false");
}

static void show_expr(const ax_plan *plan, const ax_def *def, const ax_expr *x, ax_buf *out)
{
    if (x) ax_expr_source(plan, def, x, out);
}

static int why_cmp(const void *a, const void *b)
{
    const ax_why *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void show_why(const ax_why *why, ax_buf *out)
{
    ax_buf_adds(out, ax_why_name(why->kind));
    if (why->kind != AX_WHY_EXIT) return;
    ax_buf_addf(out, "(%" PRId32, why->from);
    if (why->to != why->from) ax_buf_addf(out, "..%" PRId32, why->to);
    ax_buf_addc(out, ')');
}

/* Conditions, sorted. */
static void show_whys(const ax_why *whys, uint32_t count, ax_buf *out)
{
    ax_arena scratch = AX_ARENA_INIT;
    ax_why *sorted = AX_NEW_N(&scratch, ax_why, count);
    for (uint32_t i = 0; i < count; i++) sorted[i] = whys[i];
    if (count) qsort(sorted, count, sizeof *sorted, why_cmp);
    for (uint32_t i = 0; i < count; i++) {
        if (i && why_cmp(&sorted[i], &sorted[i - 1]) == 0) continue;
        if (i) ax_buf_adds(out, ", ");
        show_why(&sorted[i], out);
    }
    ax_arena_free(&scratch);
}

/* ---- of nodes ---- */

static void show_kind(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    ax_buf_adds(out, ax_node_kind_name(def->kind));
}

static void show_title(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    ax_buf_add(out, def->title);
}

static void show_doc(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    ax_buf_add(out, def->doc);
}

static void show_tags(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    show_set(def->tags, def->tag_count, out);
}

/* A script as it is, arguments one a line. */
static void show_command(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    if (def->action == AX_ACTION_RUN) ax_script_source(plan, def, out);
    for (uint32_t i = 0; i < def->argc; i++) {
        if (i) ax_buf_addc(out, '\n');
        ax_expr_source(plan, def, def->argv[i], out);
    }
}

static void show_shell(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    static const ax_str usual[] = {AX_LIT_INIT("sh"), AX_LIT_INIT("-eu"), AX_LIT_INIT("-c")};
    const ax_str *words = def->shell_count ? def->shell : usual;
    uint32_t count = def->shell_count ? def->shell_count : sizeof usual / sizeof *usual;
    (void)plan;
    for (uint32_t i = 0; i < count && def->action == AX_ACTION_RUN; i++) {
        if (i) ax_buf_addc(out, ' ');
        ax_string_source(words[i], out);
    }
}

static void show_cwd(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    show_expr(plan, def, def->cwd, out);
}

static void key_cwd(const ax_diff_side *side, const ax_def *def, ax_buf *out)
{
    ax_diff_expr_key(side, def, def->cwd, out);
}

static void show_when(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    show_expr(plan, def, def->when, out);
}

static void key_when(const ax_diff_side *side, const ax_def *def, ax_buf *out)
{
    ax_diff_expr_key(side, def, def->when, out);
}

static void show_timeout(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    if (def->timeout_ms) ax_duration_text(def->timeout_ms, out);
}

static void show_kill_after(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    ax_duration_text(def->kill_after_ms, out);
}

/* The waits before the retries there are; the last one repeats. */
static void show_backoff(const ax_retry *r, ax_buf *out)
{
    if (r->backoff == AX_BACKOFF_EXPONENTIAL) {
        ax_buf_adds(out, ", backoff exponential(");
        ax_duration_text(r->base_ms, out);
        ax_buf_adds(out, ", factor = ");
        ax_float_text(r->factor, out);
        if (r->cap_ms) ax_buf_adds(out, ", max = ");
        if (r->cap_ms) ax_duration_text(r->cap_ms, out);
        ax_buf_addc(out, ')');
        return;
    }
    uint32_t count = r->wait_count < r->max ? r->wait_count : r->max;
    while (count > 1 && r->waits_ms[count - 1] == r->waits_ms[count - 2]) count--;
    if (count == 1 && r->waits_ms[0] == 0) count = 0;
    for (uint32_t i = 0; i < count; i++) {
        ax_buf_adds(out, i ? " " : ", backoff ");
        ax_duration_text(r->waits_ms[i], out);
    }
}

static void show_retry(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    const ax_retry *r = &def->retry;
    if (!r->max) return;
    ax_buf_addf(out, "%" PRIu32, r->max);
    show_backoff(r, out);
    if (r->jitter > 0) ax_buf_addf(out, ", jitter %.10g%%", r->jitter * 100);
    bool any = !r->on_count;
    for (uint32_t i = 0; i < r->on_count; i++) any |= r->on[i].kind == AX_WHY_ANY;
    if (any) return;
    ax_buf_adds(out, ", on ");
    show_whys(r->on, r->on_count, out);
}

static void show_policy(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    ax_buf_adds(out, ax_policy_name(def->policy));
}

static void show_join(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    ax_buf_adds(out, ax_join_name(def->join));
    if (def->join == AX_JOIN_AT_LEAST) ax_buf_addf(out, "(%" PRIu32 ")", def->join_count);
}

static void show_skip_on(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    show_whys(def->skip_on, def->skip_on_count, out);
}

static void show_finally(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    show_bool(def->finally_, out);
}

static void show_enabled(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    show_bool(def->enabled, out);
}

static void show_idempotent(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    show_bool(def->idempotent, out);
}

static void show_priority(const ax_plan *plan, const ax_def *def, ax_buf *out)
{
    (void)plan;
    ax_buf_addi(out, def->priority);
}

const ax_diff_attr ax_diff_attrs[] = {
    {"title", ALL, AX_RULE_NODE_TEXT, show_title, NULL},
    {"doc", ALL, AX_RULE_NODE_TEXT, show_doc, NULL},
    {"tags", ALL, AX_RULE_NODE_LABELS, show_tags, NULL},
    {"kind", ALL, AX_RULE_NODE_COMMAND, show_kind, NULL},
    {"command", TASK, AX_RULE_NODE_COMMAND, show_command, ax_diff_command_key},
    {"shell", TASK, AX_RULE_NODE_COMMAND, show_shell, NULL},
    {"cwd", TASK, AX_RULE_NODE_COMMAND, show_cwd, key_cwd},
    {"join", TASK | GATE, AX_RULE_NODE_CONDITION, show_join, NULL},
    {"when", TASK | GATE, AX_RULE_NODE_CONDITION, show_when, key_when},
    {"enabled", ALL, AX_RULE_NODE_CONDITION, show_enabled, NULL},
    {"finally", TASK | GATE, AX_RULE_NODE_CONDITION, show_finally, NULL},
    {"failure_policy", TASK, AX_RULE_NODE_FAILURE, show_policy, NULL},
    {"skip_on", TASK, AX_RULE_NODE_FAILURE, show_skip_on, NULL},
    {"timeout", TASK, AX_RULE_NODE_LIMITS, show_timeout, NULL},
    {"kill_after", TASK, AX_RULE_NODE_LIMITS, show_kill_after, NULL},
    {"retry", TASK, AX_RULE_NODE_LIMITS, show_retry, NULL},
    {"idempotent", TASK, AX_RULE_NODE_LIMITS, show_idempotent, NULL},
    {"priority", TASK, AX_RULE_NODE_LIMITS, show_priority, NULL},
};
const uint32_t ax_diff_attr_count = sizeof ax_diff_attrs / sizeof *ax_diff_attrs;

void ax_diff_def_key(const ax_diff_side *side, const ax_def *def, ax_buf *out)
{
    for (const ax_diff_attr *a = ax_diff_attrs; a < ax_diff_attrs + ax_diff_attr_count; a++) {
        if (!(a->kinds & 1u << def->kind) || a->rule == AX_RULE_NODE_TEXT) continue;
        ax_buf_addc(out, '\n');
        if (a->key) a->key(side, def, out);
        else a->show(side->plan, def, out);
    }
    for (uint32_t i = 0; i < def->env_count; i++) {
        ax_diff_key_text(def->env[i].name, out);
        ax_diff_expr_key(side, def, def->env[i].value, out);
    }
    for (uint32_t i = 0; i < def->output_count; i++) ax_diff_key_text(def->outputs[i].name, out);
    for (uint32_t i = 0; i < def->key_count; i++) ax_diff_key_text(def->keys[i], out);
}

/* ---- of workflows ---- */

static void flow_title(const ax_plan *plan, ax_buf *out)
{
    ax_buf_add(out, plan->title);
}

static void flow_doc(const ax_plan *plan, ax_buf *out)
{
    ax_buf_add(out, plan->doc);
}

static void flow_owner(const ax_plan *plan, ax_buf *out)
{
    ax_buf_add(out, plan->owner);
}

static void flow_tags(const ax_plan *plan, ax_buf *out)
{
    show_set(plan->tags, plan->tag_count, out);
}

static void flow_timeout(const ax_plan *plan, ax_buf *out)
{
    if (plan->timeout_ms) ax_duration_text(plan->timeout_ms, out);
}

static void flow_active(const ax_plan *plan, ax_buf *out)
{
    ax_buf_addf(out, "%" PRIu32, plan->max_active_runs);
}

static void flow_policy(const ax_plan *plan, ax_buf *out)
{
    ax_buf_adds(out, ax_policy_name(plan->policy));
}

const ax_diff_flow_attr ax_diff_flow_attrs[] = {
    {"title", AX_RULE_WORKFLOW_TEXT, flow_title},
    {"doc", AX_RULE_WORKFLOW_TEXT, flow_doc},
    {"owner", AX_RULE_WORKFLOW_LABELS, flow_owner},
    {"tags", AX_RULE_WORKFLOW_LABELS, flow_tags},
    {"timeout", AX_RULE_WORKFLOW_LIMITS, flow_timeout},
    {"max_active_runs", AX_RULE_WORKFLOW_LIMITS, flow_active},
    {"failure_policy", AX_RULE_WORKFLOW_FAILURE, flow_policy},
};
const uint32_t ax_diff_flow_attr_count = sizeof ax_diff_flow_attrs / sizeof *ax_diff_flow_attrs;
