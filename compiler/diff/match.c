/* match.c - which definition of one version is which of the other.
 *
 * The same name is the same definition. What is left over on both sides was renamed if it is alike: what it
 * runs, its outputs and keys, its place in a group, and what stands before and behind it. The neighbours only
 * count as the same when they are known to be, so it goes in rounds: each round knows more neighbours. At
 * last, definitions that are the same in everything, equally many on both sides, go by their order.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "compiler/diff/diff_int.h"
#include "dsl/base/hash.h"
#include "dsl/base/map.h"

#define ROUNDS_MAX 8

/* How much of a definition each of its sides is. */
enum {
    OF_COMMAND = 40,
    OF_WORDS = 60,
    OF_PLACE = 25,
    OF_NAME = 15,
    OF_OUTPUT = 5,
    OF_MATRIX = 15,
    OF_ENV = 3
};

typedef struct {
    ax_arena mem;    /* of all rounds */
    ax_arena *round; /* of one */
    const ax_plan *plans[2];
    uint32_t *pairs[2];            /* definition to that of the other side, or AX_NONE */
    uint32_t *left[2], *bag_of[2]; /* those without a pair; definition to its place there */
    uint32_t left_count[2];
    ax_buf text;
} matcher;

static void add(matcher *m, ax_diff_bag *bag, uint32_t weight)
{
    ax_diff_bag_add(m->round, bag, ax_buf_str(&m->text), weight ? weight : 1);
    ax_buf_clear(&m->text);
}

/* The part of a name behind the last dot. */
static ax_str local_name(ax_str name)
{
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != '.') at--;
    return ax_str_slice(name, at, name.len);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t word_end(ax_str text, size_t at)
{
    while (at < text.len && !is_blank(text.ptr[at])) at++;
    return at;
}

static void add_words(matcher *m, ax_diff_bag *bag, ax_str text)
{
    uint32_t words = 0;
    for (int measure = 1; measure >= 0; measure--) {
        for (size_t at = 0, end; at < text.len; at = end) {
            while (at < text.len && is_blank(text.ptr[at])) at++;
            end = word_end(text, at);
            if (end == at) break;
            words += (uint32_t)measure;
            if (measure) continue;
            ax_buf_addc(&m->text, 'w');
            ax_buf_add(&m->text, ax_str_slice(text, at, end));
            add(m, bag, OF_WORDS / words);
        }
    }
}

static void add_command(matcher *m, ax_diff_bag *bag, const ax_plan *plan, const ax_def *def)
{
    const ax_diff_side side = {.plan = plan};
    if (def->action == AX_ACTION_NONE) return;
    ax_buf_addc(&m->text, 'c');
    ax_diff_command_key(&side, def, &m->text);
    add(m, bag, OF_COMMAND);
    if (def->action == AX_ACTION_RUN) {
        add_words(m, bag, def->script);
        return;
    }
    for (uint32_t i = 0; i < def->argc; i++) {
        ax_buf_addc(&m->text, 'w');
        ax_diff_expr_key(&side, def, def->argv[i], &m->text);
        add(m, bag, OF_WORDS / def->argc);
    }
}

static void add_parts(matcher *m, ax_diff_bag *bag, const ax_plan *plan, const ax_def *def)
{
    for (uint32_t i = 0; i < def->output_count; i++) {
        ax_buf_addf(&m->text, "o%.*s", AX_STR(def->outputs[i].name));
        add(m, bag, OF_OUTPUT);
    }
    for (uint32_t i = 0; i < def->env_count; i++) {
        ax_buf_addf(&m->text, "e%.*s", AX_STR(def->env[i].name));
        ax_diff_expr_key(&(ax_diff_side){.plan = plan}, def, def->env[i].value, &m->text);
        add(m, bag, OF_ENV);
    }
    if (!def->key_count) return;
    ax_buf_addc(&m->text, 'k');
    for (uint32_t i = 0; i < def->key_count; i++) ax_diff_key_text(def->keys[i], &m->text);
    ax_buf_addf(&m->text, "%" PRIu32, def->count);
    add(m, bag, OF_MATRIX);
}

/* A definition as seen from both sides: by the number of its pair, or not at all. */
static bool write_known(matcher *m, int side, uint32_t def)
{
    uint32_t after = side ? def : m->pairs[0][def];
    bool known = side ? m->pairs[1][def] != AX_NONE : after != AX_NONE;
    if (known) ax_buf_addf(&m->text, "%" PRIu32, after);
    return known;
}

/* ---- neighbours ---- */

/* One definition beside another. */
typedef struct {
    uint32_t def, other;
    uint32_t outcome;
} neighbour;

typedef struct {
    AX_VEC(neighbour) at;
} neighbours;

static int neighbour_cmp(const void *a, const void *b)
{
    const neighbour *x = a, *y = b;
    if (x->def != y->def) return x->def < y->def ? -1 : 1;
    if (x->other != y->other) return x->other < y->other ? -1 : 1;
    return x->outcome < y->outcome ? -1 : x->outcome > y->outcome;
}

/* What stands before (or behind) those without a pair, each once, sorted. */
static void collect(matcher *m, int side, bool before, neighbours *out)
{
    const ax_plan *plan = m->plans[side];
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        const ax_plan_edge *e = &plan->edges[i];
        uint32_t from = plan->nodes[e->from].def, to = plan->nodes[e->to].def;
        neighbour n = {before ? to : from, before ? from : to, e->outcome};
        if (m->pairs[side][n.def] == AX_NONE) ax_vec_push(m->round, &out->at, n);
    }
    if (out->at.len) qsort(out->at.at, out->at.len, sizeof *out->at.at, neighbour_cmp);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->at.len; i++) {
        bool again = kept && neighbour_cmp(&out->at.at[kept - 1], &out->at.at[i]) == 0;
        if (!again) out->at.at[kept++] = out->at.at[i];
    }
    out->at.len = kept;
}

static void add_neighbours(matcher *m, int side, bool before, ax_diff_bag *bags)
{
    neighbours list = {0};
    bool *has = AX_NEW_N(m->round, bool, m->plans[side]->def_count + 1);
    collect(m, side, before, &list);
    for (uint32_t i = 0, end; i < list.at.len; i = end) {
        uint32_t def = list.at.at[i].def;
        for (end = i; end < list.at.len && list.at.at[end].def == def;) end++;
        has[def] = true;
        for (uint32_t k = i; k < end; k++) {
            ax_buf_addf(&m->text, "%c%" PRIu32 " ", before ? '<' : '>', list.at.at[k].outcome);
            if (write_known(m, side, list.at.at[k].other))
                add(m, &bags[m->bag_of[side][def]], OF_PLACE / (end - i));
            else ax_buf_clear(&m->text);
        }
    }
    for (uint32_t i = 0; i < m->left_count[side]; i++) {
        if (has[m->left[side][i]]) continue;
        ax_buf_addf(&m->text, "%c none", before ? '<' : '>');
        add(m, &bags[i], OF_PLACE);
    }
}

/* A group is what it holds, and a member stands in its group. */
static void add_members(matcher *m, int side, ax_diff_bag *bags)
{
    const ax_plan *plan = m->plans[side];
    for (uint32_t d = 0; d < plan->def_count; d++) {
        uint32_t node = plan->defs[d].whole == AX_NONE ? plan->defs[d].first : plan->defs[d].whole;
        uint32_t parent = plan->nodes[node].parent, group = parent == AX_NONE ? 0 : plan->nodes[parent].def;
        if (parent == AX_NONE) continue;
        if (m->pairs[side][group] == AX_NONE) {
            ax_buf_addc(&m->text, 'm');
            if (!write_known(m, side, d)) ax_buf_add(&m->text, local_name(plan->defs[d].name));
            add(m, &bags[m->bag_of[side][group]], OF_WORDS);
        }
        if (m->pairs[side][d] != AX_NONE) continue;
        ax_buf_addc(&m->text, 'g');
        if (write_known(m, side, group)) add(m, &bags[m->bag_of[side][d]], OF_NAME);
        else ax_buf_clear(&m->text);
    }
}

/* ---- rounds ---- */

static ax_diff_bag *make_bags(matcher *m, int side)
{
    const ax_plan *plan = m->plans[side];
    ax_diff_bag *bags = AX_NEW_N(m->round, ax_diff_bag, m->left_count[side] + 1);
    for (uint32_t i = 0; i < m->left_count[side]; i++) {
        const ax_def *def = &plan->defs[m->left[side][i]];
        bags[i].family = def->kind;
        ax_buf_addf(&m->text, "n%.*s", AX_STR(local_name(def->name)));
        add(m, &bags[i], OF_NAME);
        add_command(m, &bags[i], plan, def);
        add_parts(m, &bags[i], plan, def);
    }
    add_neighbours(m, side, true, bags);
    add_neighbours(m, side, false, bags);
    add_members(m, side, bags);
    for (uint32_t i = 0; i < m->left_count[side]; i++) ax_diff_bag_close(&bags[i]);
    return bags;
}

static void find_left(matcher *m)
{
    for (int side = 0; side < 2; side++) {
        m->left_count[side] = 0;
        for (uint32_t d = 0; d < m->plans[side]->def_count; d++) {
            if (m->pairs[side][d] != AX_NONE) continue;
            m->bag_of[side][d] = m->left_count[side];
            m->left[side][m->left_count[side]++] = d;
        }
    }
}

static void join(matcher *m, uint32_t before, uint32_t after)
{
    m->pairs[0][before] = after;
    m->pairs[1][after] = before;
}

/* Pairs what is most alike; false if nothing was. */
static bool run_round(matcher *m)
{
    find_left(m);
    if (!m->left_count[0] || !m->left_count[1]) return false;
    ax_arena round = AX_ARENA_INIT;
    m->round = &round;
    ax_diff_bag *before = make_bags(m, 0), *after = make_bags(m, 1);
    uint32_t *pairs = AX_NEW_N(&round, uint32_t, m->left_count[0]);
    uint32_t found = ax_diff_bag_pair(before, m->left_count[0], after, m->left_count[1], pairs);
    for (uint32_t i = 0; i < m->left_count[0]; i++) {
        if (pairs[i] != AX_NONE) join(m, m->left[0][i], m->left[1][pairs[i]]);
    }
    ax_arena_free(&round);
    return found > 0;
}

/* ---- what is the same in everything ---- */

typedef struct {
    uint64_t hash;
    uint32_t def;
} twin;

static int twin_cmp(const void *a, const void *b)
{
    const twin *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->def < y->def ? -1 : x->def > y->def;
}

/* Tasks without a pair by the hash of all they say; a gate or group says nothing. */
static twin *find_twins(matcher *m, int side, uint32_t *count)
{
    twin *twins = AX_NEW_N(&m->mem, twin, m->left_count[side] + 1);
    *count = 0;
    for (uint32_t i = 0; i < m->left_count[side]; i++) {
        const ax_def *def = &m->plans[side]->defs[m->left[side][i]];
        if (def->kind != AX_NODE_TASK) continue;
        ax_diff_def_key(&(ax_diff_side){.plan = m->plans[side]}, def, &m->text);
        twins[(*count)++] = (twin){ax_hash(ax_buf_str(&m->text)), m->left[side][i]};
        ax_buf_clear(&m->text);
    }
    if (*count) qsort(twins, *count, sizeof *twins, twin_cmp);
    return twins;
}

static uint32_t run_of(const twin *twins, uint32_t count, uint32_t first)
{
    uint32_t end = first;
    while (end < count && twins[end].hash == twins[first].hash) end++;
    return end;
}

static void pair_twins(matcher *m)
{
    uint32_t before_count, after_count;
    find_left(m);
    const twin *before = find_twins(m, 0, &before_count), *after = find_twins(m, 1, &after_count);
    for (uint32_t i = 0, k = 0; i < before_count && k < after_count;) {
        if (before[i].hash != after[k].hash) {
            bool first = before[i].hash < after[k].hash;
            i += first;
            k += !first;
            continue;
        }
        uint32_t i_end = run_of(before, before_count, i), k_end = run_of(after, after_count, k);
        for (uint32_t n = 0; i_end - i == k_end - k && n < i_end - i; n++)
            join(m, before[i + n].def, after[k + n].def);
        i = i_end;
        k = k_end;
    }
}

static void pair_names(matcher *m)
{
    ax_map names = {0};
    for (uint32_t d = 0; d < m->plans[1]->def_count; d++)
        ax_map_add(&m->mem, &names, m->plans[1]->defs[d].name, d);
    for (uint32_t d = 0; d < m->plans[0]->def_count; d++) {
        uint32_t same = ax_map_get(&names, m->plans[0]->defs[d].name);
        if (same != AX_MAP_NONE) join(m, d, same);
    }
}

uint32_t *ax_diff_match(ax_arena *mem, const ax_plan *before, const ax_plan *after)
{
    matcher m = {.plans = {before, after}, .text = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    for (int side = 0; side < 2; side++) {
        uint32_t count = m.plans[side]->def_count;
        m.pairs[side] = AX_NEW_N(side ? &m.mem : mem, uint32_t, count + 1);
        m.left[side] = AX_NEW_N(&m.mem, uint32_t, count + 1);
        m.bag_of[side] = AX_NEW_N(&m.mem, uint32_t, count + 1);
        for (uint32_t d = 0; d < count; d++) m.pairs[side][d] = AX_NONE;
    }
    pair_names(&m);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        if (!run_round(&m)) break;
    }
    pair_twins(&m);
    ax_buf_free(&m.text);
    ax_arena_free(&m.mem);
    return m.pairs[0];
}
