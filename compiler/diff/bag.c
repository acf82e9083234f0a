/* bag.c - which of many things are most alike.
 *
 * Things are bags of weighted features; how alike two are is the weight of what they share against that of
 * both (Dice). Only pairs that share a feature that few have are looked at, found through an index of
 * features, so that the cost stays near n log n where comparing all with all would not.
 */
#include <stdlib.h>

#include "compiler/diff/diff_int.h"
#include "dsl/base/hash.h"

#define COMMON 8 /* a feature that more bags have says little and leads to nobody */

typedef struct {
    uint64_t hash;
    uint32_t bag;
} posting;

typedef struct {
    double score;
    uint32_t a, b;
} pair;

void ax_diff_bag_add(ax_arena *mem, ax_diff_bag *bag, ax_str feature, uint32_t weight)
{
    ax_vec_push(mem, &bag->features, (ax_diff_feature){ax_hash(feature), weight});
}

static int feature_cmp(const void *a, const void *b)
{
    const ax_diff_feature *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->weight > y->weight ? -1 : x->weight < y->weight;
}

void ax_diff_bag_close(ax_diff_bag *bag)
{
    ax_diff_feature *f = bag->features.at;
    uint32_t kept = 0;
    if (bag->features.len) qsort(f, bag->features.len, sizeof *f, feature_cmp);
    for (uint32_t i = 0; i < bag->features.len; i++) {
        if (kept && f[kept - 1].hash == f[i].hash) continue;
        f[kept++] = f[i];
    }
    bag->features.len = kept;
    bag->total = 0;
    for (uint32_t i = 0; i < kept; i++) bag->total += f[i].weight;
}

static double alike(const ax_diff_bag *a, const ax_diff_bag *b)
{
    uint64_t shared = 0;
    for (uint32_t i = 0, k = 0; i < a->features.len && k < b->features.len;) {
        const ax_diff_feature *x = &a->features.at[i], *y = &b->features.at[k];
        if (x->hash == y->hash) shared += x->weight < y->weight ? x->weight : y->weight;
        i += x->hash <= y->hash;
        k += x->hash >= y->hash;
    }
    uint64_t total = a->total + b->total;
    return total ? 2.0 * (double)shared / (double)total : 0;
}

static int posting_cmp(const void *a, const void *b)
{
    const posting *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->bag < y->bag ? -1 : x->bag > y->bag;
}

static int pair_cmp(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* The first posting of a feature, or where it would stand. */
static uint32_t find(const posting *at, uint32_t count, uint64_t hash)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (at[middle].hash < hash) low = middle + 1;
        else high = middle;
    }
    return low;
}

typedef struct {
    ax_arena mem;
    const ax_diff_bag *a, *b;
    posting *postings;
    uint32_t posting_count;
    uint32_t *seen; /* bag of b: 1 + the last bag of a that it was compared with */
    AX_VEC(pair) pairs;
} pairing;

static void index_features(pairing *p, uint32_t b_count)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b_count; i++) count += p->b[i].features.len;
    p->postings = AX_NEW_N(&p->mem, posting, count + 1);
    for (uint32_t i = 0; i < b_count; i++) {
        for (uint32_t k = 0; k < p->b[i].features.len; k++)
            p->postings[p->posting_count++] = (posting){p->b[i].features.at[k].hash, i};
    }
    if (count) qsort(p->postings, count, sizeof *p->postings, posting_cmp);
}

static void compare(pairing *p, uint32_t a, uint32_t b)
{
    if (p->seen[b] == a + 1 || p->a[a].family != p->b[b].family) return;
    p->seen[b] = a + 1;
    double score = alike(&p->a[a], &p->b[b]);
    if (score >= AX_DIFF_ALIKE) ax_vec_push(&p->mem, &p->pairs, (pair){score, a, b});
}

static void find_candidates(pairing *p, uint32_t a)
{
    const ax_diff_bag *bag = &p->a[a];
    for (uint32_t i = 0; i < bag->features.len; i++) {
        uint64_t hash = bag->features.at[i].hash;
        uint32_t first = find(p->postings, p->posting_count, hash), end = first;
        while (end < p->posting_count && p->postings[end].hash == hash && end - first <= COMMON) end++;
        if (end - first > COMMON) continue;
        for (uint32_t k = first; k < end; k++) compare(p, a, p->postings[k].bag);
    }
}

uint32_t ax_diff_bag_pair(const ax_diff_bag *a, uint32_t a_count, const ax_diff_bag *b, uint32_t b_count,
                          uint32_t *pair_of_a)
{
    pairing p = {.a = a, .b = b};
    uint32_t found = 0;
    index_features(&p, b_count);
    p.seen = AX_NEW_N(&p.mem, uint32_t, b_count + 1);
    for (uint32_t i = 0; i < a_count; i++) {
        pair_of_a[i] = AX_NONE;
        find_candidates(&p, i);
    }
    if (p.pairs.len) qsort(p.pairs.at, p.pairs.len, sizeof *p.pairs.at, pair_cmp);
    bool *taken = AX_NEW_N(&p.mem, bool, b_count + 1);
    for (uint32_t i = 0; i < p.pairs.len; i++) {
        const pair *best = &p.pairs.at[i];
        if (taken[best->b] || pair_of_a[best->a] != AX_NONE) continue;
        pair_of_a[best->a] = best->b;
        taken[best->b] = true;
        found++;
    }
    ax_arena_free(&p.mem);
    return found;
}
