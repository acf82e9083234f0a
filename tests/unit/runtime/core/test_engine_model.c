/* test_engine_model.c - random small graphs, random events, to the end; everything that must always hold,
 * after each step.
 *
 * Beside the checks of tests/lib/run.h (a recount, a reload, a replay of the log) a second, naive model
 * computes what every node should be from the rows alone, straight from the words of docs/state-machines.md:
 * it shares no table with the engine. AX_SEED=n runs one seed and tells what happens; AX_SEEDS=n runs that
 * many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/view_int.h"
#include "tests/lib/plan.h"
#include "tests/lib/run.h"
#include "tests/lib/test.h"

enum { SEEDS = 8000, EVENTS_MAX = 40, END_STEPS_MAX = 400, UNITS_MAX = 4 };

/* What is being run, for the report of a failure. */
static struct {
    uint64_t seed;
    char plan[2048];
    bool told, failed;
} now;

static int tell_failure(void **state)
{
    (void)state;
    if (now.failed) fprintf(stderr, "AX_SEED=%llu\n%s\n", (unsigned long long)now.seed, now.plan);
    return 0;
}

/* ---- chance ---- */

static uint32_t draw(uint64_t *rng, uint32_t below)
{
    uint64_t x = *rng += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) % below);
}

static bool chance(uint64_t *rng, uint32_t percent)
{
    return draw(rng, 100) < percent;
}

/* ---- graphs ---- */

typedef struct {
    uint64_t *rng;
    ax_buf out;
    bool plain;               /* no `abort`, no order-dependent words */
    char units[UNITS_MAX][8]; /* a name to draw edges to and from */
    char inner[UNITS_MAX][8]; /* a member of it, or the same */
    bool late[UNITS_MAX];     /* `finally` */
    uint32_t unit_count;
} graph;

static void add_words(graph *g, const char *name, bool late)
{
    static const char *const joins[] = {"all", "all", "any", "strict", "at_least:1", "at_least:2"};
    static const char *const policies[] = {"skip", "pause", "ignore", "branch", "abort"};
    static const char *const whens[] = {"yes", "no", "go", "bad"};
    ax_buf_addf(&g->out, "%s join=%s policy=%s", name, joins[draw(g->rng, 6)],
                policies[draw(g->rng, g->plain ? 4 : 5)]);
    if (chance(g->rng, 15)) ax_buf_addf(&g->out, " when=%s", whens[draw(g->rng, 4)]);
    if (chance(g->rng, 8)) ax_buf_adds(&g->out, " enabled=no");
    if (chance(g->rng, 40)) ax_buf_addf(&g->out, " retry=1 wait=%u", chance(g->rng, 50) ? 0 : 500);
    if (chance(g->rng, 25)) ax_buf_adds(&g->out, " idempotent=no");
    if (chance(g->rng, 25)) ax_buf_adds(&g->out, " timeout=1000");
    if (chance(g->rng, 20)) ax_buf_adds(&g->out, " skip_on=9");
    if (chance(g->rng, 5)) ax_buf_adds(&g->out, " run=bad");
    if (chance(g->rng, 15)) ax_buf_adds(&g->out, " gate=yes");
    if (late) ax_buf_adds(&g->out, " finally=yes");
    ax_buf_addc(&g->out, '\n');
}

static void add_unit(graph *g, uint32_t u, bool late)
{
    char *name = g->units[u], *inner = g->inner[u], other[16];
    uint32_t kind = draw(g->rng, 10);
    char letter = (char)('a' + (int)u);
    snprintf(name, sizeof g->units[u], "%c", letter);
    snprintf(inner, sizeof g->inner[u], "%c", letter);
    g->late[u] = late;
    if (kind < 6) {
        add_words(g, name, late);
    } else if (kind < 8) {
        ax_buf_addf(&g->out, "fan %s = 2\n", name);
        snprintf(inner, sizeof g->inner[u], "%c.1", letter);
        add_words(g, name, late);
    } else {
        snprintf(inner, sizeof g->inner[u], "%c1", letter);
        snprintf(other, sizeof other, "%c2", letter);
        ax_buf_addf(&g->out, "group %s = %s %s\n", name, inner, other);
        add_words(g, inner, late);
        add_words(g, other, late);
        if (chance(g->rng, 40)) ax_buf_addf(&g->out, "%s -> %s\n", inner, other);
        if (kind == 9 && chance(g->rng, 50)) {
            ax_buf_addf(&g->out, "group %s0 = %s\n", name, name);
            snprintf(name, sizeof g->units[u], "%c0", letter);
        }
    }
}

static void add_edges(graph *g)
{
    static const char *const outcomes[] = {"", "", ":failed", ":skipped", ":passed", ":done"};
    for (uint32_t to = 1; to < g->unit_count; to++)
        for (uint32_t from = 0; from < to; from++) {
            if (g->late[from] && !g->late[to]) continue;
            const char *outcome = outcomes[draw(g->rng, 6)];
            bool whole = chance(g->rng, 70);
            if (chance(g->rng, 55))
                ax_buf_addf(&g->out, "%s%s -> %s\n", whole ? g->units[from] : g->inner[from], outcome,
                            chance(g->rng, 70) ? g->units[to] : g->inner[to]);
        }
}

static void draw_plan(uint64_t *rng, bool plain)
{
    graph g = {.rng = rng, .out = AX_BUF_INIT(sizeof now.plan - 1), .plain = plain};
    g.unit_count = 1 + draw(rng, UNITS_MAX);
    bool late = false;
    for (uint32_t u = 0; u < g.unit_count; u++) {
        late = late || (u > 0 && chance(rng, 12));
        add_unit(&g, u, late);
    }
    add_edges(&g);
    memcpy(now.plan, g.out.ptr, g.out.len + 1);
    ax_buf_free(&g.out);
}

/* ---- the naive model ---- */

typedef struct {
    bool motion, held, failed, upstream, succeeded, cancelled;
} kinds; /* of all real nodes below a node */

static void look_below(const test_run *r, uint32_t node, kinds *k, uint32_t *count)
{
    const ax_plan *plan = r->plan;
    const ax_node_rec *rec = ax_view_node(r->view, node);
    for (uint32_t i = plan->member_at[node]; i < plan->member_at[node + 1]; i++) {
        ++*count;
        look_below(r, plan->member[i], k, count);
    }
    if (ax_view_is_group(r->view, node)) return;
    ax_policy policy = plan->defs[plan->nodes[node].def].policy;
    bool counts = rec->given_up || (policy != AX_POLICY_IGNORE && policy != AX_POLICY_BRANCH);
    k->motion |= rec->state == AX_NODE_ST_BLOCKED || rec->state == AX_NODE_ST_ACTIVE;
    k->held |= rec->state == AX_NODE_ST_HELD || rec->open;
    k->failed |= rec->state == AX_NODE_ST_FAILED && counts;
    k->succeeded |= rec->state == AX_NODE_ST_SUCCEEDED ||
                    (rec->state == AX_NODE_ST_FAILED && policy == AX_POLICY_IGNORE && !rec->given_up);
    k->upstream |= rec->state == AX_NODE_ST_SKIPPED && rec->reason == AX_REASON_UPSTREAM_FAILED;
    k->cancelled |= rec->state == AX_NODE_ST_CANCELLED;
}

/* 'u', 'h', 's', 'v' or 'd' */
static char naive_edge(const test_run *r, const ax_plan_edge *edge)
{
    kinds k = {0};
    uint32_t members = 0;
    const ax_node_rec *rec = ax_view_node(r->view, edge->from);
    ax_policy policy = r->plan->defs[r->plan->nodes[edge->from].def].policy;
    look_below(r, edge->from, &k, &members);
    bool group = ax_view_is_group(r->view, edge->from);
    bool branch = !group && rec->state == AX_NODE_ST_FAILED && policy == AX_POLICY_BRANCH && !rec->given_up;
    if (k.failed && (k.motion || k.held) && edge->outcome == AX_ON_FAILED) return 's';
    if (k.motion) return 'u';
    if (k.held) return 'h';
    bool failed = k.failed, cancelled = !failed && k.cancelled,
         upstream = !failed && !cancelled && k.upstream;
    bool succeeded = !failed && !cancelled && !upstream && (k.succeeded || (group && members == 0));
    bool bad = failed || cancelled || upstream;
    switch ((ax_outcome)edge->outcome) {
    case AX_ON_SUCCEEDED: return succeeded ? 's' : bad ? 'd' : 'v';
    case AX_ON_FAILED: return failed || branch ? 's' : 'v';
    case AX_ON_SKIPPED: return failed || branch || succeeded || cancelled ? 'v' : 's';
    case AX_ON_PASSED: return bad ? 'd' : branch ? 'v' : 's';
    case AX_ON_DONE: return 's';
    case AX_ON_COUNT: break;
    }
    fail();
    return 0;
}

/* "HOLDS", "WAITS", "HELD", or the reason of the skip. */
static const char *naive_join(const test_run *r, uint32_t node)
{
    uint32_t u = 0, h = 0, s = 0, v = 0, d = 0;
    const ax_plan *plan = r->plan;
    const ax_def *def = &plan->defs[plan->nodes[node].def];
    for (uint32_t e = plan->in_at[node]; e < plan->in_at[node + 1]; e++) {
        char stands = naive_edge(r, &plan->edges[e]);
        u += stands == 'u';
        h += stands == 'h';
        s += stands == 's';
        v += stands == 'v';
        d += stands == 'd';
    }
    uint32_t n = u + h + s + v + d, w = u + h;
    const char *waits = w && !u ? "HELD" : "WAITS";
    if (n == 0) return "HOLDS";
    if (def->join == AX_JOIN_ALL) {
        if (d) return "upstream_failed";
        return w ? waits : s ? "HOLDS" : "not_taken";
    }
    uint32_t need = def->join == AX_JOIN_STRICT ? n : def->join == AX_JOIN_ANY ? 1 : def->join_count;
    if (s >= need) return "HOLDS";
    if (d) return s + w < need ? "upstream_failed" : waits;
    return w ? waits : v == n ? "not_taken" : "join_unmet";
}

static bool others_ended(const test_run *r)
{
    for (uint32_t n = 0; n < r->plan->node_count; n++) {
        const ax_node_rec *rec = ax_view_node(r->view, n);
        if (ax_view_is_group(r->view, n) || r->plan->defs[r->plan->nodes[n].def].finally_) continue;
        if (rec->state <= AX_NODE_ST_ACTIVE || rec->open) return false;
    }
    return true;
}

/* The state that a node which has not begun must have, and why. */
static void expect_computed(const test_run *r, uint32_t node)
{
    const ax_node_rec *rec = ax_view_node(r->view, node);
    const ax_def *def = &r->plan->defs[r->plan->nodes[node].def];
    const char *join = naive_join(r, node), *is = ax_node_fsm.states[rec->state];
    const char *why = ax_reason_name(rec->reason);
    const char *state = "SKIPPED", *reason = join;
    bool drains = ax_view_run(r->view)->state >= AX_RUN_CANCELLING;
    bool by_hand = rec->held_by_hand && !drains;
    if (rec->skipped_by_hand) reason = "by_hand";
    else if (!def->enabled) reason = "disabled";
    else if (strcmp(join, "WAITS") == 0) state = by_hand ? "HELD" : "BLOCKED", reason = "none";
    else if (strcmp(join, "HELD") == 0) state = "HELD", reason = "none";
    else if (strcmp(join, "HOLDS") == 0 && by_hand) state = "HELD", reason = "none";
    else if (strcmp(join, "HOLDS") == 0 && def->finally_ && !others_ended(r))
        state = "BLOCKED", reason = "none";
    else if (strcmp(join, "HOLDS") == 0) reason = "condition_false";
    if (strcmp(is, state) != 0 || strcmp(why, reason) != 0)
        fail_msg("node %.*s is %s:%s, but must be %s:%s", AX_STR(r->plan->nodes[node].name), is, why, state,
                 reason);
}

typedef struct {
    bool begun[32];
    test_run *r;
    uint64_t *rng;
} model;

/* The newest attempt is inside its budget, and has a time only while it waits for one. */
static void check_attempt(const test_run *r, const ax_node_rec *rec)
{
    const ax_instance_rec *last = ax_view_current(r->view, rec->node);
    const ax_def *def = &r->plan->defs[r->plan->nodes[rec->node].def];
    assert_true(rec->attempt - rec->budget_from <= def->retry.max);
    if (last->state != AX_INSTANCE_RETRYING && last->state != AX_INSTANCE_RUNNING)
        assert_int_equal(last->due_ms, 0);
    if (last->state == AX_INSTANCE_TIMEOUT) assert_int_equal(last->reason, AX_REASON_TIMEOUT);
}

/* A run that came to its end by itself failed if a node did whose failure counts. */
static void check_end(const test_run *r)
{
    ax_run_state run = ax_view_run(r->view)->state;
    bool bad = false;
    for (uint32_t n = 0; n < r->plan->node_count; n++) {
        ax_policy policy = r->plan->defs[r->plan->nodes[n].def].policy;
        bool group = ax_view_is_group(r->view, n);
        bool failed = !group && ax_view_node(r->view, n)->state == AX_NODE_ST_FAILED;
        bad |= failed && policy != AX_POLICY_IGNORE && policy != AX_POLICY_BRANCH;
    }
    if (run == AX_RUN_SUCCEEDED) assert_false(bad);
    if (run == AX_RUN_FAILED) assert_true(bad);
}

/* Invariants 1, 2, 8 and 9. */
static void check_nodes(model *m)
{
    test_run *r = m->r;
    ax_run_state run = ax_view_run(r->view)->state;
    bool lives = run == AX_RUN_RUNNING || run == AX_RUN_PAUSED;
    bool drains = run == AX_RUN_CANCELLING || run == AX_RUN_ABORTING;
    for (uint32_t n = 0; n < r->plan->node_count; n++) {
        const ax_node_rec *rec = ax_view_node(r->view, n);
        if (ax_view_is_group(r->view, n)) continue;
        for (uint32_t a = 1; a < rec->attempt; a++)
            assert_true(ax_fsm_terminal(&ax_instance_fsm, ax_view_attempt(r->view, n, a)->state));
        bool begun = rec->begun_ms > 0;
        if (rec->attempt) check_attempt(r, rec);
        if (m->begun[n]) assert_true(rec->state != AX_NODE_ST_BLOCKED && rec->state != AX_NODE_ST_HELD);
        if (m->begun[n]) assert_true(begun);
        if (begun && !m->begun[n] && lives) assert_string_equal(naive_join(r, n), "HOLDS");
        m->begun[n] = begun;
        bool late = r->plan->defs[r->plan->nodes[n].def].finally_;
        if (!begun && (lives || (drains && late))) expect_computed(r, n);
    }
}

/* ---- events ---- */

static void tell(const test_run *r, const ax_event *event, ax_rc rc)
{
    static const char *const kinds_told[AX_EVENT_COUNT] = {"ADMIT", "DISPATCH", "REPORT",  "TIMERS", "CANCEL",
                                                           "PAUSE", "RESUME",   "RETRY",   "SKIP",   "ACCEPT",
                                                           "HOLD",  "RELEASE",  "CONFIRM", "REJECT"};
    if (!now.told) return;
    fprintf(stderr, "%s %.*s.%u", kinds_told[event->kind], AX_STR(r->plan->nodes[event->node].name),
            event->attempt);
    if (event->kind == AX_EVENT_REPORT)
        fprintf(stderr, " how=%d exit=%d", event->report.how, event->report.exit_code);
    fprintf(stderr, " -> %s; run %s:", rc ? r->err.text : "ok",
            ax_run_fsm.states[ax_view_run(r->view)->state]);
    for (uint32_t n = 0; n < r->plan->node_count; n++)
        fprintf(stderr, " %.*s=%s", AX_STR(r->plan->nodes[n].name),
                ax_node_fsm.states[ax_view_node(r->view, n)->state]);
    fputc('\n', stderr);
}

static ax_rc happen(model *m, ax_event event)
{
    event.id = AX_LIT("e");
    ax_rc rc = step(m->r, event);
    tell(m->r, &event, rc);
    check_nodes(m);
    check_end(m->r);
    /* What a retry or a hold does can't change what stands above. */
    if (event.kind == AX_EVENT_RETRY && rc == AX_OK)
        assert_string_equal(naive_join(m->r, event.node), "HOLDS");
    if (event.kind == AX_EVENT_HOLD && rc == AX_OK)
        assert_true(ax_view_node(m->r->view, event.node)->held_by_hand);
    return rc;
}

static ax_report draw_report(uint64_t *rng, ax_instance_state state)
{
    static const int32_t codes[] = {0, 0, 0, 1, 1, 9};
    bool stops = state == AX_INSTANCE_TIMING_OUT || state == AX_INSTANCE_CANCELLING;
    if (stops && chance(rng, 60)) return REPORT_STOPPED;
    switch (draw(rng, 10)) {
    case 0: return REPORT_LOST;
    case 1: return REPORT_KILLED;
    case 2: return stops ? REPORT_STOPPED : REPORT_NOT_STARTED;
    default: return (ax_report){.how = AX_REPORT_EXITED, .exit_code = codes[draw(rng, 6)]};
    }
}

static bool dispatch_next(model *m)
{
    uint32_t node = ax_view_next_ready(m->r->view);
    if (node == AX_NONE) return false;
    const ax_run_rec *run = ax_view_run(m->r->view);
    assert_true(!run->paused_by_person || run->state >= AX_RUN_CANCELLING);
    ax_event event = {.kind = AX_EVENT_DISPATCH, .node = node};
    event.attempt = ax_view_current(m->r->view, node)->attempt;
    assert_int_equal(happen(m, event), AX_OK);
    return true;
}

static bool has_process(ax_instance_state s)
{
    return s == AX_INSTANCE_RUNNING || s == AX_INSTANCE_TIMING_OUT || s == AX_INSTANCE_CANCELLING;
}

/* A report for some attempt that has a process. */
static bool report_some(model *m)
{
    uint32_t count = m->r->plan->node_count, from = draw(m->rng, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = (from + i) % count;
        const ax_instance_rec *rec = ax_view_current(m->r->view, node);
        if (!rec || !has_process(rec->state)) continue;
        ax_event event = {.kind = AX_EVENT_REPORT, .node = node, .attempt = rec->attempt};
        event.report = draw_report(m->rng, rec->state);
        assert_int_equal(happen(m, event), AX_OK);
        return true;
    }
    return false;
}

/* A report that was heard, or is too late: at most one more row in the log, a ghost, and nothing the second
 * time. */
static void report_again(model *m)
{
    uint32_t node = draw(m->rng, m->r->plan->node_count);
    uint32_t attempts = ax_view_node(m->r->view, node)->attempt;
    if (!attempts) return;
    ax_event event = {.kind = AX_EVENT_REPORT, .node = node, .attempt = 1 + draw(m->rng, attempts)};
    event.report.how = AX_REPORT_EXITED;
    if (!ax_fsm_terminal(&ax_instance_fsm, ax_view_attempt(m->r->view, node, event.attempt)->state)) return;
    uint64_t seq = ax_view_run(m->r->view)->seq;
    assert_int_equal(happen(m, event), AX_OK);
    assert_true(ax_view_run(m->r->view)->seq <= seq + 1);
    seq = ax_view_run(m->r->view)->seq;
    assert_int_equal(happen(m, event), AX_OK);
    assert_int_equal(ax_view_run(m->r->view)->seq, seq);
}

static bool time_passes(model *m)
{
    int64_t due_ms = ax_view_next_due(m->r->view);
    if (due_ms == INT64_MAX) return false;
    if (due_ms > m->r->now_ms) m->r->now_ms = due_ms;
    happen(m, (ax_event){.kind = AX_EVENT_TIMERS});
    return true;
}

/* A node that this command could be meant for, from somewhere on; any node if there is none. */
static uint32_t suitable(model *m, ax_event_kind kind)
{
    static const uint32_t wanted[AX_EVENT_COUNT] = {
        [AX_EVENT_RETRY] = 1u << AX_NODE_ST_FAILED,
        [AX_EVENT_SKIP] = 1u << AX_NODE_ST_FAILED | 1u << AX_NODE_ST_BLOCKED | 1u << AX_NODE_ST_HELD,
        [AX_EVENT_ACCEPT] = 1u << AX_NODE_ST_FAILED | 1u << AX_NODE_ST_ACTIVE,
        [AX_EVENT_HOLD] = 1u << AX_NODE_ST_BLOCKED | 1u << AX_NODE_ST_HELD,
        [AX_EVENT_RELEASE] = 1u << AX_NODE_ST_HELD | 1u << AX_NODE_ST_SKIPPED,
        [AX_EVENT_CONFIRM] = 1u << AX_NODE_ST_ACTIVE,
        [AX_EVENT_REJECT] = 1u << AX_NODE_ST_ACTIVE,
    };
    uint32_t count = m->r->plan->node_count, from = draw(m->rng, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = (from + i) % count;
        if (wanted[kind] >> ax_view_node(m->r->view, node)->state & 1) return node;
    }
    return from;
}

static void command(model *m)
{
    static const ax_event_kind commands[] = {
        AX_EVENT_RETRY,   AX_EVENT_RETRY,   AX_EVENT_SKIP,   AX_EVENT_ACCEPT, AX_EVENT_HOLD,
        AX_EVENT_RELEASE, AX_EVENT_CONFIRM, AX_EVENT_REJECT, AX_EVENT_PAUSE,  AX_EVENT_RESUME};
    ax_event event = {.kind = commands[draw(m->rng, 10)]};
    event.node = chance(m->rng, 80) ? suitable(m, event.kind) : draw(m->rng, m->r->plan->node_count);
    happen(m, event);
}

static void something_happens(model *m)
{
    uint32_t what = draw(m->rng, 100);
    m->r->now_ms += draw(m->rng, 3) * 100;
    if (chance(m->rng, 20)) begin_turn(m->r);
    else if (m->r->in_turn && chance(m->rng, 40)) end_turn(m->r);
    if (what < 30) dispatch_next(m);
    else if (what < 60) report_some(m);
    else if (what < 70) time_passes(m);
    else if (what < 75) report_again(m);
    else if (what < 99 || chance(m->rng, 60)) command(m);
    else happen(m, (ax_event){.kind = AX_EVENT_CANCEL});
}

/* Whoever is asked answers. */
static bool answer(model *m)
{
    uint32_t node;
    if (ax_view_run(m->r->view)->paused_by_person && ax_view_run(m->r->view)->state == AX_RUN_PAUSED)
        return happen(m, (ax_event){.kind = AX_EVENT_RESUME}) == AX_OK;
    if (ax_view_questions(m->r->view, &node, 1) == 0) return false;
    const ax_node_rec *rec = ax_view_node(m->r->view, node);
    ax_event_kind kind = rec->state == AX_NODE_ST_HELD     ? AX_EVENT_RELEASE
                         : rec->state == AX_NODE_ST_FAILED ? AX_EVENT_SKIP
                         : chance(m->rng, 50)              ? AX_EVENT_REJECT
                                                           : AX_EVENT_CONFIRM;
    assert_int_equal(happen(m, (ax_event){.kind = kind, .node = node}), AX_OK);
    return true;
}

static void comes_to_an_end(model *m)
{
    for (int i = 0; i < END_STEPS_MAX && !ax_view_ended(m->r->view); i++)
        if (!dispatch_next(m) && !report_some(m) && !time_passes(m)) assert_true(answer(m));
    assert_true(ax_view_ended(m->r->view));
}

static uint64_t seeds(uint64_t *first)
{
    const char *one = getenv("AX_SEED"), *many = getenv("AX_SEEDS");
    *first = one ? strtoull(one, NULL, 10) : 1;
    now.told = one != NULL;
    return one ? 1 : many ? strtoull(many, NULL, 10) : getenv("AX_LONG") ? 40 * SEEDS : SEEDS;
}

/* ---- what was visited ---- */

static bool visited[AX_MACHINE_COUNT][AX_INSTANCE_COUNT][AX_INSTANCE_EV_COUNT];

static void visit(const ax_log_rec *row)
{
    if (!row->created) visited[row->machine][row->from][row->event] = true;
}

/* Rows of the tables that nothing leads to yet: idempotency keys (for which an attempt stays PENDING),
 * questions. */
static bool is_for_later(const ax_fsm *fsm, uint32_t state, uint32_t event)
{
    if (fsm != &ax_instance_fsm) return false;
    if (state == AX_INSTANCE_PENDING && event == AX_INSTANCE_EV_CANCEL) return true;
    return state == AX_INSTANCE_WAITING_APPROVAL || event == AX_INSTANCE_EV_REUSE ||
           event == AX_INSTANCE_EV_ASK;
}

static void expect_all_visited(ax_machine machine)
{
    const ax_fsm *fsm = ax_machine_fsm(machine);
    for (uint32_t s = 0; s < fsm->state_count; s++)
        for (uint32_t e = 0; e < fsm->event_count; e++)
            if (fsm->rows[s * fsm->event_count + e].listed && !is_for_later(fsm, s, e) &&
                !visited[machine][s][e])
                fail_msg("no run came to %s %s", fsm->states[s], fsm->events[e]);
}

static void whatever_happens_the_invariants_hold_and_the_run_ends(void **state)
{
    (void)state;
    uint64_t first, count = seeds(&first);
    for (now.seed = first; now.seed < first + count; now.seed++) {
        uint64_t rng = now.seed;
        now.failed = true;
        draw_plan(&rng, false);
        test_run *r = given_queued_run(now.plan);
        model m = {.r = r, .rng = &rng};
        if (chance(&rng, 2)) happen(&m, (ax_event){.kind = AX_EVENT_CANCEL});
        else happen(&m, (ax_event){.kind = AX_EVENT_ADMIT});
        uint32_t events = draw(&rng, EVENTS_MAX);
        for (uint32_t i = 0; i < events && !ax_view_ended(r->view); i++) something_happens(&m);
        if (r->in_turn) end_turn(r);
        comes_to_an_end(&m);
        each_log_row(r, visit);
        now.failed = false;
        end_run(r);
    }
    if (count < SEEDS) return;
    expect_all_visited(AX_MACHINE_INSTANCE);
    expect_all_visited(AX_MACHINE_NODE);
    expect_all_visited(AX_MACHINE_RUN);
}

/* ---- invariant 12: order ---- */

/* The outcome of an attempt is a matter of node and number alone. */
static ax_report fixed_report(uint64_t seed, uint32_t node, uint32_t attempt)
{
    static const int32_t codes[] = {0, 0, 0, 1, 1, 9};
    uint64_t rng = seed * 1000 + node * 10 + attempt;
    return (ax_report){.how = AX_REPORT_EXITED, .exit_code = codes[draw(&rng, 6)]};
}

static bool report_fixed(model *m)
{
    uint32_t count = m->r->plan->node_count, from = draw(m->rng, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = (from + i) % count;
        const ax_instance_rec *rec = ax_view_current(m->r->view, node);
        if (!rec || rec->state != AX_INSTANCE_RUNNING) continue;
        ax_event event = {.kind = AX_EVENT_REPORT, .node = node, .attempt = rec->attempt};
        event.report = fixed_report(now.seed, node, rec->attempt);
        assert_int_equal(happen(m, event), AX_OK);
        return true;
    }
    return false;
}

/* Failures are skipped and confirmations given, sooner or later. */
static bool answer_fixed(model *m)
{
    uint32_t nodes[32], count = ax_view_questions(m->r->view, nodes, 32);
    if (!count) return false;
    uint32_t node = nodes[draw(m->rng, count)];
    bool failed = ax_view_node(m->r->view, node)->state == AX_NODE_ST_FAILED;
    ax_event event = {.kind = failed ? AX_EVENT_SKIP : AX_EVENT_CONFIRM, .node = node};
    assert_int_equal(happen(m, event), AX_OK);
    return true;
}

static void run_in_some_order(model *m)
{
    happen(m, (ax_event){.kind = AX_EVENT_ADMIT});
    for (int i = 0; i < END_STEPS_MAX && !ax_view_ended(m->r->view); i++) {
        uint32_t what = draw(m->rng, 4);
        bool done = (what == 0 && dispatch_next(m)) || (what == 1 && report_fixed(m)) ||
                    (what == 2 && answer_fixed(m));
        if (!done && !dispatch_next(m) && !report_fixed(m) && !answer_fixed(m) && !time_passes(m)) fail();
    }
    assert_true(ax_view_ended(m->r->view));
}

static void the_end_does_not_depend_on_the_order_of_events(void **state)
{
    (void)state;
    uint64_t first, count = seeds(&first) / 3 + 1;
    for (now.seed = first; now.seed < first + count; now.seed++) {
        uint64_t rng = now.seed * 77;
        now.failed = true;
        draw_plan(&rng, true);
        test_run *one = given_queued_run(now.plan);
        run_in_some_order(&(model){.r = one, .rng = &rng});
        test_run *two = given_queued_run(now.plan);
        run_in_some_order(&(model){.r = two, .rng = &rng});
        assert_int_equal(ax_view_run(one->view)->state, ax_view_run(two->view)->state);
        for (uint32_t n = 0; n < one->plan->node_count; n++) {
            const ax_node_rec *x = ax_view_node(one->view, n), *y = ax_view_node(two->view, n);
            assert_int_equal(x->state, y->state);
            assert_int_equal(x->reason, y->reason);
        }
        now.failed = false;
        end_run(one);
        end_run(two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(whatever_happens_the_invariants_hold_and_the_run_ends, tell_failure),
        cmocka_unit_test_teardown(the_end_does_not_depend_on_the_order_of_events, tell_failure),
    };
    return cmocka_run_group_tests_name("engine_model", tests, NULL, NULL);
}
