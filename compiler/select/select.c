/* select.c - carrying a selection out on a plan, and saying which of its terms name nothing.
 *
 * A pattern is matched without backtracking over more than its last star, so a name costs at most its length
 * times that of the pattern.
 */
#include <stdio.h>
#include <string.h>

#include "compiler/select/select_int.h"
#include "dsl/base/assert.h"
#include "dsl/base/nearest.h"

#define WORD_BITS 64u

/* ---- sets ---- */

static size_t word_count(const ax_plan *plan)
{
    return (plan->node_count + WORD_BITS - 1) / WORD_BITS;
}

bool ax_node_set_has(const ax_node_set *set, uint32_t node)
{
    AX_ASSERT(node < set->node_count);
    return set->bits[node / WORD_BITS] >> (node % WORD_BITS) & 1;
}

uint32_t ax_node_set_size(const ax_node_set *set)
{
    uint32_t size = 0;
    for (size_t i = 0; i < (set->node_count + WORD_BITS - 1) / WORD_BITS; i++)
        size += (uint32_t)__builtin_popcountll(set->bits[i]);
    return size;
}

static void add_node(ax_node_set *set, uint32_t node)
{
    set->bits[node / WORD_BITS] |= UINT64_C(1) << (node % WORD_BITS);
}

/* ---- names ---- */

static bool has_wildcard(const ax_term *term)
{
    return !term->literal &&
           (memchr(term->value.ptr, '*', term->value.len) || memchr(term->value.ptr, '?', term->value.len));
}

/* True if name is of the form of pattern: `*` is any text, `?` one byte of it. */
static bool matches(ax_str pattern, ax_str name)
{
    size_t p = 0, n = 0, star = SIZE_MAX, from = 0;
    while (n < name.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            from = n;
        } else if (p < pattern.len && (pattern.ptr[p] == '?' || pattern.ptr[p] == name.ptr[n])) {
            p++;
            n++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*') p++;
    return p == pattern.len;
}

static bool fits(const ax_term *term, ax_str name)
{
    return has_wildcard(term) ? matches(term->value, name) : ax_str_eq(term->value, name);
}

/* ---- terms ---- */

static bool has_tag(const ax_term *term, const ax_str *tags, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (fits(term, tags[i])) return true;
    return false;
}

static bool is_group(const ax_plan *plan, uint32_t node)
{
    return plan->defs[plan->nodes[node].def].kind == AX_NODE_GROUP;
}

/* True if the term itself names the node; tags of definitions are looked up in `tagged`. */
static bool names_node(const ax_term *term, const ax_plan *plan, uint32_t node, const bool *tagged)
{
    const ax_plan_node *n = &plan->nodes[node];
    const ax_def *def = &plan->defs[n->def];
    switch (term->kind) {
    case AX_TERM_NAME: return fits(term, n->name) || fits(term, def->name);
    case AX_TERM_TAG: return tagged[n->def];
    case AX_TERM_KIND: return def->kind == term->node_kind && !ax_plan_is_whole(plan, node);
    case AX_TERM_GROUP: return is_group(plan, node) && fits(term, n->name);
    case AX_TERM_STATE:
    case AX_TERM_COUNT: break;
    }
    AX_UNREACHABLE();
}

/* Which definitions a tag names: their own tags or the workflow's. */
static bool *find_tagged(const ax_term *term, const ax_plan *plan, ax_arena *mem)
{
    bool *tagged = AX_NEW_N(mem, bool, plan->def_count);
    bool all = has_tag(term, plan->tags, plan->tag_count);
    for (uint32_t i = 0; i < plan->def_count; i++)
        tagged[i] = all || has_tag(term, plan->defs[i].tags, plan->defs[i].tag_count);
    return tagged;
}

/* Adds the members of groups and the copies of fan-outs that are in the set: those come after what they are
 * members of when the topological order is gone through backwards. */
static void add_members(const ax_plan *plan, ax_node_set *set)
{
    for (uint32_t rank = plan->node_count; rank-- > 0;) {
        uint32_t node = plan->order[rank];
        if (!ax_node_set_has(set, node)) continue;
        for (uint32_t m = plan->member_at[node]; m < plan->member_at[node + 1]; m++)
            add_node(set, plan->member[m]);
    }
}

static void select_term(const ax_term *term, const ax_plan *plan, const ax_plan *baseline, ax_node_set *set,
                        ax_arena *mem)
{
    memset(set->bits, 0, word_count(plan) * sizeof *set->bits);
    if (term->kind == AX_TERM_STATE) {
        if (baseline) ax_select_changed(plan, baseline, term->change, set, mem);
    } else {
        const bool *tagged = term->kind == AX_TERM_TAG ? find_tagged(term, plan, mem) : NULL;
        for (uint32_t n = 0; n < plan->node_count; n++)
            if (names_node(term, plan, n, tagged)) add_node(set, n);
    }
    if (term->kind != AX_TERM_KIND && term->kind != AX_TERM_STATE) add_members(plan, set);
    if (term->up || term->down) ax_select_walk(plan, set, term->up, term->down, mem);
}

/* ---- the whole ---- */

static void combine(ax_sel_op op, ax_node_set *a, const ax_node_set *b, size_t words)
{
    for (size_t i = 0; i < words; i++)
        a->bits[i] = op == AX_SEL_AND ? a->bits[i] & b->bits[i] : a->bits[i] | b->bits[i];
}

static void negate(ax_node_set *set, size_t words)
{
    for (size_t i = 0; i < words; i++) set->bits[i] = ~set->bits[i];
    uint32_t used = set->node_count % WORD_BITS;
    if (used) set->bits[words - 1] &= (UINT64_C(1) << used) - 1;
}

ax_node_set ax_select_nodes(const ax_select *select, const ax_plan *plan, const ax_plan *baseline,
                            ax_arena *mem)
{
    size_t words = word_count(plan);
    ax_node_set *stack = AX_NEW_N(mem, ax_node_set, select->stack_max);
    for (uint32_t i = 0; i < select->stack_max; i++)
        stack[i] = (ax_node_set){AX_NEW_N(mem, uint64_t, words), plan->node_count};
    ax_arena scratch = AX_ARENA_INIT;
    uint32_t top = 0;
    for (uint32_t i = 0; i < select->steps.len; i++) {
        const ax_sel_step *step = &select->steps.at[i];
        if (step->op == AX_SEL_TERM) {
            select_term(&step->term, plan, baseline, &stack[top++], &scratch);
            ax_arena_reset(&scratch);
        } else if (step->op == AX_SEL_NOT) {
            negate(&stack[top - 1], words);
        } else {
            top--;
            combine(step->op, &stack[top - 1], &stack[top], words);
        }
    }
    ax_arena_free(&scratch);
    AX_ASSERT(top == 1);
    return stack[0];
}

/* ---- what is not there ---- */

static bool plan_has(const ax_term *term, const ax_plan *plan)
{
    if (term->kind == AX_TERM_TAG) {
        if (has_tag(term, plan->tags, plan->tag_count)) return true;
        for (uint32_t i = 0; i < plan->def_count; i++)
            if (has_tag(term, plan->defs[i].tags, plan->defs[i].tag_count)) return true;
        return false;
    }
    for (uint32_t n = 0; n < plan->node_count; n++)
        if (names_node(term, plan, n, NULL)) return true;
    return false;
}

static void offer(const ax_term *term, const ax_plan *plan, ax_nearest *near)
{
    if (term->kind == AX_TERM_TAG) {
        for (uint32_t t = 0; t < plan->tag_count; t++) ax_nearest_offer(near, plan->tags[t]);
        for (uint32_t i = 0; i < plan->def_count; i++)
            for (uint32_t t = 0; t < plan->defs[i].tag_count; t++)
                ax_nearest_offer(near, plan->defs[i].tags[t]);
        return;
    }
    for (uint32_t n = 0; n < plan->node_count; n++)
        if (term->kind == AX_TERM_NAME || is_group(plan, n)) ax_nearest_offer(near, plan->nodes[n].name);
}

static bool refuse(const ax_term *term, const ax_plan *const *plans, uint32_t count, ax_text_err *error)
{
    static const char *const nouns[AX_TERM_COUNT] = {
        [AX_TERM_NAME] = "node", [AX_TERM_TAG] = "tag", [AX_TERM_GROUP] = "group"};
    ax_str shown = ax_str_slice(term->value, 0, 80);
    *error = (ax_text_err){.at = term->at, .len = term->len};
    if (has_wildcard(term)) {
        snprintf(error->text, sizeof error->text, "no %s is called '%.*s'", nouns[term->kind], AX_STR(shown));
        return false;
    }
    snprintf(error->text, sizeof error->text, "there is no %s '%.*s'", nouns[term->kind], AX_STR(shown));
    ax_nearest near = ax_nearest_start(term->value);
    for (uint32_t i = 0; i < count; i++) offer(term, plans[i], &near);
    if (near.best.len)
        snprintf(error->help, sizeof error->help, "did you mean '%.*s'?",
                 AX_STR(ax_str_slice(near.best, 0, 80)));
    return false;
}

static bool check_term(const ax_term *term, const ax_plan *const *plans, uint32_t count, bool has_baseline,
                       ax_text_err *error)
{
    if (term->kind == AX_TERM_KIND) return true;
    if (term->kind == AX_TERM_STATE) {
        if (has_baseline) return true;
        *error = (ax_text_err){.at = term->at, .len = term->len};
        snprintf(error->text, sizeof error->text, "'state:%s' needs a baseline to compare with",
                 ax_change_names[term->change]);
        snprintf(error->help, sizeof error->help, "name the workflow as it was with --baseline");
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (plan_has(term, plans[i])) return true;
    return refuse(term, plans, count, error);
}

bool ax_select_check(const ax_select *select, const ax_plan *const *plans, uint32_t plan_count,
                     bool has_baseline, ax_text_err *error)
{
    for (uint32_t i = 0; i < select->steps.len; i++) {
        const ax_sel_step *step = &select->steps.at[i];
        if (step->op == AX_SEL_TERM && !check_term(&step->term, plans, plan_count, has_baseline, error))
            return false;
    }
    return true;
}

bool ax_select_from(ax_arena *mem, ax_str text, const ax_plan *plan, const ax_plan *baseline,
                    ax_node_set *out, ax_text_err *error)
{
    const ax_select *select;
    if (!ax_select_parse(mem, text, &select, error)) return false;
    if (!ax_select_check(select, &plan, 1, baseline != NULL, error)) return false;
    *out = ax_select_nodes(select, plan, baseline, mem);
    return true;
}
