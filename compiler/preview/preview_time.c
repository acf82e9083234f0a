/* preview_time.c - when each node of a preview begins: in waves, and by durations; and the critical path.
 *
 * Nothing but edges makes a node wait: places, pools and retries are not counted. A node that is skipped
 * takes no time, and neither do gates and groups; but what stands behind a skipped node still waits until it
 * is known to be skipped. Nodes that run at the end (`finally`) begin when all others have ended.
 */
#include <stdlib.h>

#include "compiler/preview/preview_int.h"

typedef struct {
    const ax_preview *p;
    const int64_t *durations; /* NULL: the same for each task */
    int64_t task;             /* that duration */
    int64_t *start, *end;
    uint32_t *after;
    int64_t rest; /* when all that is not `finally` has ended */
} timeline;

typedef struct {
    int64_t end;
    uint32_t node;
} ending;

static const ax_def *def_of(const timeline *t, uint32_t node)
{
    const ax_plan *plan = t->p->in.plan;
    return &plan->defs[plan->nodes[node].def];
}

static bool is_group(const timeline *t, uint32_t node)
{
    return ax_plan_kind(t->p->in.plan, node) == AX_NODE_GROUP;
}

static bool is_task(const timeline *t, uint32_t node)
{
    return ax_plan_kind(t->p->in.plan, node) == AX_NODE_TASK;
}

/* Later ends win, and of equals the first. */
static void wait_for(timeline *t, uint32_t node, int64_t end, uint32_t parent)
{
    if (t->after[node] != AX_NONE && end <= t->start[node]) return;
    t->start[node] = end;
    t->after[node] = parent;
}

static int ending_cmp(const void *a, const void *b)
{
    const ending *x = a, *y = b;
    if (x->end != y->end) return x->end < y->end ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* A join that holds as soon as `need` edges do: the need-th of those that can. */
static void wait_for_some(timeline *t, uint32_t node, uint32_t need, ax_arena *scratch)
{
    const ax_plan *plan = t->p->in.plan;
    uint32_t first = plan->in_at[node], last = plan->in_at[node + 1], count = 0;
    ending *ends = AX_NEW_N(scratch, ending, last - first + 1);
    for (uint32_t e = first; e < last; e++) {
        if (ax_preview_edge_of(t->p, e) == AX_EDGE_VOID) continue;
        uint32_t from = plan->edges[e].from;
        ends[count++] = (ending){t->end[from], from};
    }
    if (count == 0) return;
    qsort(ends, count, sizeof *ends, ending_cmp);
    const ending *last_needed = &ends[(need < count ? need : count) - 1];
    wait_for(t, node, last_needed->end, last_needed->node);
}

static void place_node(timeline *t, uint32_t node, ax_arena *scratch)
{
    const ax_plan *plan = t->p->in.plan;
    uint32_t need = ax_preview_join_need(def_of(t, node));
    bool is_skipped = t->p->nodes[node].fate == AX_FATE_SKIPPED;
    if (need && !is_skipped) {
        wait_for_some(t, node, need, scratch);
        ax_arena_reset(scratch);
    } else {
        for (uint32_t e = plan->in_at[node]; e < plan->in_at[node + 1]; e++)
            wait_for(t, node, t->end[plan->edges[e].from], plan->edges[e].from);
    }
    if (def_of(t, node)->finally_ && t->rest > t->start[node]) {
        t->start[node] = t->rest;
        t->after[node] = AX_NONE;
    }
    int64_t duration = t->durations ? t->durations[node] : t->task;
    t->end[node] = t->start[node] + (is_task(t, node) && !is_skipped ? duration : 0);
}

static void place_group(timeline *t, uint32_t node)
{
    const ax_plan *plan = t->p->in.plan;
    for (uint32_t m = plan->member_at[node]; m < plan->member_at[node + 1]; m++) {
        uint32_t member = plan->member[m];
        if (t->after[node] == AX_NONE || t->end[member] > t->end[node]) {
            t->end[node] = t->end[member];
            t->after[node] = member;
        }
        bool is_first = m == plan->member_at[node] || t->start[member] < t->start[node];
        if (is_first) t->start[node] = t->start[member];
    }
}

/* Places groups, and the nodes that begin at the end or those that do not; returns when the last one ends. */
static int64_t place_some(timeline *t, bool at_end, ax_arena *scratch)
{
    const ax_plan *plan = t->p->in.plan;
    int64_t last = 0;
    for (uint32_t rank = 0; rank < plan->node_count; rank++) {
        uint32_t node = plan->order[rank];
        if (is_group(t, node)) place_group(t, node);
        else if (def_of(t, node)->finally_ == at_end) place_node(t, node, scratch);
        if (t->end[node] > last) last = t->end[node];
    }
    return last;
}

static void place_all(timeline *t)
{
    ax_arena scratch = AX_ARENA_INIT;
    for (uint32_t n = 0; n < t->p->in.plan->node_count; n++) t->after[n] = AX_NONE;
    t->rest = place_some(t, false, &scratch);
    place_some(t, true, &scratch);
    ax_arena_free(&scratch);
}

static timeline new_timeline(const ax_preview *p, const int64_t *durations, int64_t task, ax_arena *mem)
{
    uint32_t n = p->in.plan->node_count;
    return (timeline){.p = p,
                      .durations = durations,
                      .task = task,
                      .start = AX_NEW_N(mem, int64_t, n),
                      .end = AX_NEW_N(mem, int64_t, n),
                      .after = AX_NEW_N(mem, uint32_t, n)};
}

/* What the start of a node that begins at the end waited for: the last of the others. */
static uint32_t last_of_rest(const timeline *t)
{
    const ax_plan *plan = t->p->in.plan;
    uint32_t last = AX_NONE;
    for (uint32_t n = 0; n < plan->node_count; n++) {
        if (!is_task(t, n) || def_of(t, n)->finally_) continue;
        if (last == AX_NONE || t->end[n] > t->end[last]) last = n;
    }
    return last;
}

/* From the last node that ends back to the start. */
static void find_critical(ax_preview *p, const timeline *t, ax_arena *mem)
{
    uint32_t last = AX_NONE, rest = AX_NONE, count = 0;
    for (uint32_t n = 0; n < p->in.plan->node_count; n++) {
        if (!is_task(t, n) || p->nodes[n].fate == AX_FATE_SKIPPED) continue;
        if (last == AX_NONE || t->end[n] > t->end[last]) last = n;
    }
    p->length_ms = last == AX_NONE ? 0 : t->end[last];
    uint32_t *path = AX_NEW_N(mem, uint32_t, p->in.plan->node_count + 1);
    for (uint32_t n = last; n != AX_NONE;) {
        bool took_time = is_task(t, n) && p->nodes[n].fate != AX_FATE_SKIPPED;
        if (took_time) path[count++] = n;
        uint32_t before = t->after[n];
        if (before == AX_NONE && t->start[n] > 0 && rest == AX_NONE) before = rest = last_of_rest(t);
        n = before;
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t other = path[i];
        path[i] = path[count - 1 - i];
        path[count - 1 - i] = other;
    }
    p->critical = path;
    p->critical_count = count;
}

void ax_preview_time(ax_preview *p, ax_arena *mem)
{
    const ax_plan *plan = p->in.plan;
    timeline waves = new_timeline(p, NULL, 1, mem);
    timeline times = new_timeline(p, p->in.durations_ms, AX_PREVIEW_TASK_MS, mem);
    place_all(&waves);
    place_all(&times);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        ax_preview_node *node = &p->nodes[n];
        node->wave = (uint32_t)waves.start[n] + 1;
        node->start_ms = times.start[n];
        node->end_ms = times.end[n];
        node->after = times.after[n];
        bool is_shown = node->fate != AX_FATE_SKIPPED && !is_group(&waves, n);
        if (is_shown && node->wave > p->wave_count) p->wave_count = node->wave;
    }
    find_critical(p, &times, mem);
}
