/* reach.c - does a path of edges lead from one declaration to another?
 *
 * Sixty-four producers are asked about at once: each has a bit, and one walk in topological order hands the
 * bits on along edges, and from members to their group. Producers are taken in that order too and a walk
 * covers only the ranks between its first producer and its last reader, so reads of near nodes cost little
 * and the worst case stays (producers / 64) * (nodes + edges).
 */
#include "compiler/reach_int.h"

#include <stdlib.h>

enum { BITS = 64 };

typedef struct {
    uint32_t rank; /* of the producer's first node in order */
    uint32_t producer, copy, copies;
    uint32_t read; /* index into f->reads */
} query;

typedef struct {
    ax_flow *f;
    uint64_t *bits; /* of each node; all 0 between two lots */
    bool *found;    /* of each read */
} search;

static int compare(const void *left, const void *right)
{
    const query *a = left, *b = right;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->producer != b->producer) return a->producer < b->producer ? -1 : 1;
    if (a->copy != b->copy) return a->copy < b->copy ? -1 : 1;
    if (a->copies != b->copies) return a->copies < b->copies ? -1 : 1;
    return a->read < b->read ? -1 : a->read > b->read;
}

static bool is_same_producer(const query *a, const query *b)
{
    return a->producer == b->producer && a->copy == b->copy && a->copies == b->copies;
}

/* Nodes that follow one another. */
typedef struct {
    uint32_t first, end;
} node_range;

static node_range producer_nodes(const ax_flow *f, const ax_read *read)
{
    uint32_t first = f->decls.at[read->producer].first + read->copy;
    return (node_range){first, first + read->copies};
}

static node_range reader_nodes(const ax_flow *f, const ax_read *read)
{
    const ax_decl *decl = &f->decls.at[read->reader];
    return (node_range){decl->first, decl->first + decl->copies};
}

/* The least rank of some nodes; raises *greatest to the greatest. */
static uint32_t least_rank(const ax_flow *f, node_range nodes, uint32_t *greatest)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t n = nodes.first; n < nodes.end; n++) {
        if (f->nodes[n].rank < least) least = f->nodes[n].rank;
        if (f->nodes[n].rank > *greatest) *greatest = f->nodes[n].rank;
    }
    return least;
}

/* Hands the bits on from rank `first` to rank `last`, and to none behind it. */
static void walk(const search *s, uint32_t first, uint32_t last)
{
    const ax_plan *p = s->f->plan;
    for (uint32_t r = first; r <= last; r++) {
        uint32_t n = p->order[r], group = p->nodes[n].parent;
        if (s->bits[n] == 0) continue;
        for (uint32_t o = p->out_at[n]; o < p->out_at[n + 1]; o++) {
            uint32_t to = p->edges[p->out[o]].to;
            if (p->nodes[to].rank <= last) s->bits[to] |= s->bits[n];
        }
        if (group != AX_NONE && p->nodes[group].rank <= last) s->bits[group] |= s->bits[n];
    }
}

/* True if every copy of the reader has the bit. A reader is not behind itself. */
static bool is_behind(const search *s, const ax_read *read, uint64_t bit)
{
    node_range nodes = reader_nodes(s->f, read);
    if (read->reader == read->producer) return false;
    for (uint32_t n = nodes.first; n < nodes.end; n++)
        if (!(s->bits[n] & bit)) return false;
    return true;
}

/* Answers queries that ask for at most BITS producers. */
static void answer(const search *s, const query *queries, uint32_t count)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ax_read *read = &s->f->reads.at[queries[i].read];
        least_rank(s->f, producer_nodes(s->f, read), &last);
        least_rank(s->f, reader_nodes(s->f, read), &last);
    }
    uint64_t bit = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && !is_same_producer(&queries[i - 1], &queries[i])) bit <<= 1;
        node_range nodes = producer_nodes(s->f, &s->f->reads.at[queries[i].read]);
        if (s->bits[nodes.first] & bit) continue;
        for (uint32_t n = nodes.first; n < nodes.end; n++) s->bits[n] |= bit;
    }
    walk(s, queries[0].rank, last);
    bit = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && !is_same_producer(&queries[i - 1], &queries[i])) bit <<= 1;
        s->found[queries[i].read] = is_behind(s, &s->f->reads.at[queries[i].read], bit);
    }
    for (uint32_t r = queries[0].rank; r <= last; r++) s->bits[s->f->plan->order[r]] = 0;
}

void ax_reach_check(ax_flow *f, void (*missing)(ax_flow *f, const ax_read *read))
{
    uint32_t count = f->reads.len, ignored = 0;
    if (count == 0) return;
    ax_arena mem = AX_ARENA_INIT;
    search s = {
        .f = f, .bits = AX_NEW_N(&mem, uint64_t, f->node_count), .found = AX_NEW_N(&mem, bool, count)};
    query *queries = AX_NEW_N(&mem, query, count);
    for (uint32_t i = 0; i < count; i++) {
        const ax_read *read = &f->reads.at[i];
        queries[i] =
            (query){.producer = read->producer, .copy = read->copy, .copies = read->copies, .read = i};
        queries[i].rank = least_rank(f, producer_nodes(f, read), &ignored);
    }
    qsort(queries, count, sizeof *queries, compare);
    for (uint32_t from = 0, end; from < count; from = end) {
        uint32_t producers = 1;
        for (end = from + 1; end < count; end++)
            if (!is_same_producer(&queries[end - 1], &queries[end]) && ++producers > BITS) break;
        answer(&s, &queries[from], end - from);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!s.found[i]) missing(f, &f->reads.at[i]);
    ax_arena_free(&mem);
}
