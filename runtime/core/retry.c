/* retry.c - whether a failed attempt is followed by another, and when.
 *
 * `retry { max }` counts retries. Attempts before `budget_from` belong to an older budget: a person's retry
 * starts a new one. Jitter comes from a hash of run, node and attempt, so the same events give the same
 * times.
 */
#include <math.h>

#include "dsl/base/assert.h"
#include "runtime/core/step_int.h"

#define WAIT_MS_MAX (INT64_C(366) * 86400000) /* a year: nobody waits longer */

static bool why_matches(const ax_why *why, const ax_instance_rec *rec)
{
    switch (why->kind) {
    case AX_WHY_ANY: return true;
    case AX_WHY_TIMEOUT: return rec->reason == AX_REASON_TIMEOUT;
    case AX_WHY_LOST: return rec->reason == AX_REASON_LOST;
    case AX_WHY_EXIT:
        return rec->reason == AX_REASON_EXIT && rec->exit_code >= why->from && rec->exit_code <= why->to;
    case AX_WHY_COUNT: break;
    }
    AX_UNREACHABLE();
}

/* Retries that the current budget has spent. */
static uint32_t spent(const ax_node_rec *node)
{
    AX_ASSERT(node->budget_from >= 1 && node->attempt >= node->budget_from);
    return node->attempt - node->budget_from;
}

bool ax_retry_allowed(const ax_def *def, const ax_node_rec *node, const ax_instance_rec *attempt)
{
    bool by_itself = attempt->reason == AX_REASON_EXIT || attempt->reason == AX_REASON_SIGNAL ||
                     attempt->reason == AX_REASON_TIMEOUT || attempt->reason == AX_REASON_LOST ||
                     attempt->reason == AX_REASON_START || attempt->reason == AX_REASON_OUTPUT;
    if (!by_itself || spent(node) >= def->retry.max) return false;
    for (uint32_t i = 0; i < def->retry.on_count; i++)
        if (why_matches(&def->retry.on[i], attempt)) return true;
    return def->retry.on_count == 0;
}

/* A number in [0, 1) that depends on all three (the finalizer of splitmix64). */
static double draw(uint64_t run, uint32_t node, uint32_t attempt)
{
    uint64_t x = run * UINT64_C(0x9e3779b97f4a7c15) + ((uint64_t)node << 32 | attempt);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-53;
}

static double plain_wait_ms(const ax_retry *retry, uint32_t retries)
{
    if (retry->backoff == AX_BACKOFF_LIST) {
        if (retry->wait_count == 0) return 0;
        return (double)retry->waits_ms[retries < retry->wait_count ? retries : retry->wait_count - 1];
    }
    double wait_ms = (double)retry->base_ms * pow(retry->factor, retries);
    return retry->cap_ms && wait_ms > (double)retry->cap_ms ? (double)retry->cap_ms : wait_ms;
}

int64_t ax_retry_wait_ms(const ax_def *def, uint64_t run, const ax_node_rec *node)
{
    double wait_ms = plain_wait_ms(&def->retry, spent(node));
    wait_ms *= 1 + def->retry.jitter * draw(run, node->node, node->attempt);
    return wait_ms < (double)WAIT_MS_MAX ? (int64_t)wait_ms : WAIT_MS_MAX;
}
