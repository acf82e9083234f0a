/* set.c - all workflows of two sets of files: which is which, and each pair compared.
 *
 * A name is the same workflow, wherever its file is. Where a name stands several times, the path decides
 * first, then the order. What is left over was renamed if most of its nodes are the same.
 */
#include <stdlib.h>

#include "compiler/diff/diff_int.h"

typedef struct {
    ax_arena scratch;
    const ax_diff_inputs *sides[2];
    uint32_t *pair_of_before; /* index in after, or AX_NONE */
    bool *taken;              /* of after */
    ax_buf text;
} pairing;

static void pair(pairing *p, uint32_t before, uint32_t after)
{
    p->pair_of_before[before] = after;
    p->taken[after] = true;
}

/* ---- by name ---- */

static int name_cmp(const ax_diff_input *x, const ax_diff_input *y, bool with_path)
{
    int order = ax_str_cmp(x->plan->name, y->plan->name);
    return order || !with_path ? order : ax_str_cmp(x->path, y->path);
}

/* An input, for sorting. */
typedef struct {
    const ax_diff_input *input;
    uint32_t index;
} place;

static int place_cmp(const void *a, const void *b)
{
    const place *x = a, *y = b;
    int order = name_cmp(x->input, y->input, true);
    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

/* Those without a pair, by name, path and order. */
static place *sorted(pairing *p, int side, uint32_t *count)
{
    place *places = AX_NEW_N(&p->scratch, place, p->sides[side]->count + 1);
    *count = 0;
    for (uint32_t i = 0; i < p->sides[side]->count; i++) {
        bool has_pair = side ? p->taken[i] : p->pair_of_before[i] != AX_NONE;
        if (!has_pair) places[(*count)++] = (place){&p->sides[side]->at[i], i};
    }
    if (*count) qsort(places, *count, sizeof *places, place_cmp);
    return places;
}

static void pair_names(pairing *p, bool with_path)
{
    uint32_t a_count, b_count;
    const place *a = sorted(p, 0, &a_count), *b = sorted(p, 1, &b_count);
    for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
        int order = name_cmp(a[i].input, b[k].input, with_path);
        if (order == 0) pair(p, a[i].index, b[k].index);
        i += order <= 0;
        k += order >= 0;
    }
}

/* ---- by what it is ---- */

static ax_diff_bag bag_of(pairing *p, const ax_plan *plan)
{
    ax_diff_bag bag = {0};
    for (uint32_t i = 0; i < plan->def_count; i++) {
        ax_diff_key_text(plan->defs[i].name, &p->text);
        ax_diff_def_key(&(ax_diff_side){.plan = plan}, &plan->defs[i], &p->text);
        ax_diff_bag_add(&p->scratch, &bag, ax_buf_str(&p->text), 1);
        ax_buf_clear(&p->text);
    }
    ax_diff_bag_close(&bag);
    return bag;
}

static void pair_alike(pairing *p)
{
    uint32_t counts[2], *pairs;
    ax_diff_bag *bags[2];
    place *places[2];
    for (int side = 0; side < 2; side++) {
        places[side] = sorted(p, side, &counts[side]);
        bags[side] = AX_NEW_N(&p->scratch, ax_diff_bag, counts[side] + 1);
    }
    if (!counts[0] || !counts[1]) return;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < counts[side]; i++) bags[side][i] = bag_of(p, places[side][i].input->plan);
    }
    pairs = AX_NEW_N(&p->scratch, uint32_t, counts[0]);
    ax_diff_bag_pair(bags[0], counts[0], bags[1], counts[1], pairs);
    for (uint32_t i = 0; i < counts[0]; i++) {
        if (pairs[i] != AX_NONE) pair(p, places[0][i].index, places[1][pairs[i]].index);
    }
}

/* ---- comparing ---- */

typedef struct {
    ax_diff *flows;
    ax_diff_set *set;
    ax_arena *mem;
} comparison;

static void compare(comparison *c, const ax_plan *before, const ax_plan *after)
{
    ax_diff *diff = &c->flows[c->set->flow_count];
    ax_diff_plans(c->mem, before, after, c->set->at_ms, diff);
    if (!diff->change_count) {
        c->set->unchanged++;
        return;
    }
    c->set->flow_count++;
    if (c->set->verdict < diff->verdict) c->set->verdict = diff->verdict;
    for (int v = 0; v < AX_VERDICT_COUNT; v++) c->set->counts[v] += diff->counts[v];
}

static const ax_plan *newest(const ax_diff *d)
{
    return d->after ? d->after : d->before;
}

static int flow_cmp(const void *a, const void *b)
{
    const ax_diff *x = a, *y = b;
    if (x->verdict != y->verdict) return x->verdict > y->verdict ? -1 : 1;
    int order = ax_str_cmp(newest(x)->name, newest(y)->name);
    if (order) return order;
    order = ax_str_cmp(newest(x)->file, newest(y)->file);
    return order ? order : newest(x)->line < newest(y)->line ? -1 : newest(x)->line > newest(y)->line;
}

void ax_diff_files(ax_arena *mem, const ax_diff_inputs *before, const ax_diff_inputs *after, int64_t at_ms,
                   ax_diff_set *out)
{
    pairing p = {.sides = {before, after}, .text = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    *out = (ax_diff_set){.at_ms = at_ms};
    p.pair_of_before = AX_NEW_N(&p.scratch, uint32_t, before->count + 1);
    p.taken = AX_NEW_N(&p.scratch, bool, after->count + 1);
    for (uint32_t i = 0; i < before->count; i++) p.pair_of_before[i] = AX_NONE;
    pair_names(&p, true);
    pair_names(&p, false);
    pair_alike(&p);
    comparison c = {
        .flows = AX_NEW_N(mem, ax_diff, (size_t)before->count + after->count + 1), .set = out, .mem = mem};
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t same = p.pair_of_before[i];
        compare(&c, before->at[i].plan, same == AX_NONE ? NULL : after->at[same].plan);
    }
    for (uint32_t i = 0; i < after->count; i++) {
        if (!p.taken[i]) compare(&c, NULL, after->at[i].plan);
    }
    if (out->flow_count) qsort(c.flows, out->flow_count, sizeof *c.flows, flow_cmp);
    out->flows = c.flows;
    ax_buf_free(&p.text);
    ax_arena_free(&p.scratch);
}
