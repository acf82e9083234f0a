/* fuzz_cron.c - any bytes as a cron expression: refused at a place inside the text, or it has words, notes
 * and firings that move forward and back, around a moment that the first bytes choose.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/model/cron_change.h"
#include "dsl/model/cron_words.h"

#define WORDS_BYTES_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_search(const ax_cron *cron, const ax_cron_rules *rules, int64_t moment)
{
    int64_t next = ax_cron_next(cron, rules, moment);
    ax_cron_change change;
    if (!ax_cron_fires(cron)) AX_ASSERT(next == AX_CRON_NEVER);
    if (next == AX_CRON_NEVER) return;
    AX_ASSERT(next > moment && ax_cron_next(cron, rules, next - 1) == next);
    AX_ASSERT(ax_cron_prev(cron, rules, next + 1) == next);
    int64_t shown = next + ax_zone_offset(rules->zone, next), wall = ax_cron_wall(cron, rules, next);
    AX_ASSERT(wall <= shown && shown - wall < AX_CRON_NOT_DST);
    if (!ax_cron_change_near(cron, rules, next, &change)) return;
    ax_buf words = AX_BUF_INIT(WORDS_BYTES_MAX);
    ax_cron_firing_words(&change, rules, next, &words);
    ax_cron_change_words(&change, &words);
    AX_ASSERT(words.len && !words.full);
    ax_buf_free(&words);
}

static void check_words(const ax_cron *cron, ax_str text)
{
    ax_text_err notes[AX_CRON_NOTES_MAX];
    uint32_t count = ax_cron_notes(cron, text, notes);
    AX_ASSERT(count <= AX_CRON_NOTES_MAX);
    for (uint32_t i = 0; i < count; i++)
        AX_ASSERT(notes[i].text[0] && notes[i].at + notes[i].len <= text.len);
    ax_buf words = AX_BUF_INIT(WORDS_BYTES_MAX);
    ax_cron_words(cron, &words);
    AX_ASSERT(words.len && !words.full);
    ax_buf_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ax_arena mem;
    static const ax_zone *zone;
    if (!zone) AX_ASSERT(ax_zone_load(&mem, AX_LIT("America/New_York"), &zone, NULL) == AX_OK);
    int32_t moment = 0;
    if (size < sizeof moment) return 0;
    memcpy(&moment, data, sizeof moment);
    ax_str text = {(const char *)data + sizeof moment, size - sizeof moment};
    ax_cron cron;
    ax_text_err error;
    if (!ax_cron_parse(text, &cron, &error)) {
        AX_ASSERT(error.text[0] && error.at <= text.len && error.len >= 1);
        return 0;
    }
    const ax_cron_rules rules = {.zone = zone};
    check_words(&cron, text);
    check_search(&cron, &rules, moment);
    return 0;
}
