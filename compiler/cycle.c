/* cycle.c - rings of nodes that wait for one another.
 *
 * Tarjan's components with a stack of its own, so that a ring of a million nodes needs no deep recursion;
 * then in each component the shortest ring through its first node, so that what is shown is short. Only nodes
 * that the plan's index could not order are looked at. A group waits for its members, so membership is a step
 * of a ring like an edge.
 */
#include "compiler/cycle_int.h"

#define STEPS_NAMED_MAX 8u /* nodes of a ring that the message lists */

typedef struct {
    ax_flow *f;
    ax_arena mem;
    uint32_t *index, *low; /* Tarjan's numbers; index 0: not visited */
    uint32_t *component;   /* of each node, from 1; 0: not known yet */
    uint32_t *next;        /* successors of each node that were looked at */
    AX_VEC(uint32_t) path; /* nodes that are being visited, outermost first */
    AX_VEC(uint32_t) open; /* visited, component not known */
    uint32_t visited, components;
} search;

/* Successor number i of a node: what its edges go to, then the group that waits for it; AX_NONE behind the
 * last. */
static uint32_t successor(const ax_flow *f, uint32_t node, uint32_t i)
{
    const ax_plan *p = f->plan;
    uint32_t edges = p->out_at[node + 1] - p->out_at[node];
    if (i < edges) return p->edges[p->out[p->out_at[node] + i]].to;
    return i == edges ? p->nodes[node].parent : AX_NONE;
}

static void enter(search *s, uint32_t node)
{
    s->index[node] = s->low[node] = ++s->visited;
    ax_vec_push(&s->mem, &s->path, node);
    ax_vec_push(&s->mem, &s->open, node);
}

/* All successors of the node on top of the path were visited. */
static void leave(search *s, uint32_t node)
{
    s->path.len--;
    if (s->path.len > 0) {
        uint32_t above = s->path.at[s->path.len - 1];
        if (s->low[node] < s->low[above]) s->low[above] = s->low[node];
    }
    if (s->low[node] != s->index[node]) return;
    s->components++;
    uint32_t member;
    do {
        member = s->open.at[--s->open.len];
        s->component[member] = s->components;
    } while (member != node);
}

static void visit(search *s, uint32_t root)
{
    enter(s, root);
    while (s->path.len > 0) {
        uint32_t node = s->path.at[s->path.len - 1], to = successor(s->f, node, s->next[node]);
        if (to == AX_NONE) {
            leave(s, node);
            continue;
        }
        s->next[node]++;
        if (s->index[to] == 0) enter(s, to);
        else if (s->component[to] == 0 && s->index[to] < s->low[node]) s->low[node] = s->index[to];
    }
}

/* The shortest ring through `start` inside its component, by breadth; the nodes in order, `start` first.
 * Empty: there is none. */
static uint32_t *shortest_ring(search *s, uint32_t start, uint32_t *from, uint32_t *length)
{
    AX_VEC(uint32_t) queue = {0};
    ax_vec_push(&s->mem, &queue, start);
    uint32_t last = AX_NONE;
    for (uint32_t head = 0; head < queue.len && last == AX_NONE; head++) {
        uint32_t node = queue.at[head];
        for (uint32_t i = 0, to; (to = successor(s->f, node, i)) != AX_NONE && last == AX_NONE; i++) {
            if (to == start) last = node;
            else if (s->component[to] == s->component[start] && from[to] == AX_NONE) {
                from[to] = node;
                ax_vec_push(&s->mem, &queue, to);
            }
        }
    }
    *length = 0;
    if (last == AX_NONE) return NULL;
    for (uint32_t n = last; n != start; n = from[n]) ++*length;
    uint32_t *ring = AX_NEW_N(&s->mem, uint32_t, ++*length), at = *length;
    for (uint32_t n = last; n != start; n = from[n]) ring[--at] = n;
    ring[0] = start;
    return ring;
}

/* The edge between two nodes, or AX_NONE: the second is the group of the first. */
static uint32_t edge_between(const ax_flow *f, uint32_t from, uint32_t to)
{
    const ax_plan *p = f->plan;
    for (uint32_t o = p->out_at[from]; o < p->out_at[from + 1]; o++)
        if (p->edges[p->out[o]].to == to) return p->out[o];
    return AX_NONE;
}

static ax_str ring_text(ax_flow *f, const uint32_t *ring, uint32_t length)
{
    ax_str text = f->nodes[ring[0]].name;
    for (uint32_t i = 1; i < length && i < STEPS_NAMED_MAX; i++)
        text = ax_str_fmt(f->mem, "%.*s -> %.*s", AX_STR(text), AX_STR(f->nodes[ring[i]].name));
    if (length > STEPS_NAMED_MAX) text = ax_str_fmt(f->mem, "%.*s -> … (%u nodes)", AX_STR(text), length);
    return ax_str_fmt(f->mem, "%.*s -> %.*s", AX_STR(text), AX_STR(f->nodes[ring[0]].name));
}

static void report_ring(ax_flow *f, const uint32_t *ring, uint32_t length)
{
    ax_span first = {0};
    for (uint32_t i = 0; i < length && first.beg == 0; i++) {
        uint32_t edge = edge_between(f, ring[i], ring[(i + 1) % length]);
        if (edge != AX_NONE) first = f->links.at[f->edge_links[edge]].span;
    }
    ax_diag *d = ax_diag_add(f->diags, AX_E0401, first, "these nodes wait for one another: %.*s",
                             AX_STR(ring_text(f, ring, length)));
    uint32_t shown = length > AX_DIAG_NOTES_MAX ? AX_DIAG_NOTES_MAX - 1 : length;
    for (uint32_t i = 0; i < shown; i++) {
        uint32_t from = ring[i], to = ring[(i + 1) % length], edge = edge_between(f, from, to);
        ax_str a = f->nodes[from].name, b = f->nodes[to].name;
        if (edge != AX_NONE)
            ax_diag_note(f->diags, d, f->links.at[f->edge_links[edge]].span, "'%.*s' waits for '%.*s'",
                         AX_STR(b), AX_STR(a));
        else
            ax_diag_note(f->diags, d, f->decls.at[f->nodes[from].def].label.span,
                         "'%.*s' ends when its member '%.*s' has ended", AX_STR(b), AX_STR(a));
    }
    if (shown < length) ax_diag_note(f->diags, d, (ax_span){0}, "and %u more edges", length - shown);
}

void ax_cycle_report(ax_flow *f)
{
    uint32_t n = f->node_count;
    search s = {.f = f, .mem = AX_ARENA_INIT};
    s.index = AX_NEW_N(&s.mem, uint32_t, n);
    s.low = AX_NEW_N(&s.mem, uint32_t, n);
    s.component = AX_NEW_N(&s.mem, uint32_t, n);
    s.next = AX_NEW_N(&s.mem, uint32_t, n);
    uint32_t *from = AX_NEW_N(&s.mem, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        from[i] = AX_NONE;
        if (f->nodes[i].rank == AX_NONE && s.index[i] == 0) visit(&s, i);
    }
    bool *shown = AX_NEW_N(&s.mem, bool, s.components + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (s.component[i] == 0 || shown[s.component[i]]) continue;
        uint32_t length, *ring = shortest_ring(&s, i, from, &length);
        shown[s.component[i]] = true;
        if (ring) report_ring(f, ring, length);
    }
    ax_arena_free(&s.mem);
}
