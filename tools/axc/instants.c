/* instants.c - the instants of a schedule as a table and as JSON: local time and UTC, and a remark where
 * clocks change.
 */
#include "dsl/model/cron_change.h"
#include "dsl/model/cron_words.h"
#include "dsl/model/tz_text.h"
#include "dsl/model/units.h"
#include "tools/axc/axc.h"
#include "tools/cli/table.h"

enum { SECOND_MS = 1000, REMARK_BYTES_MAX = 512, SCHEDULE_BYTES_MAX = 64 << 10 };

/* The change of clocks on the day of an instant; only a cron expression minds it. */
static bool change_of(const ax_due *due, int64_t at_ms, ax_cron_change *change)
{
    return !due->every_ms && ax_cron_change_near(&due->cron, &due->cron_rules, at_ms / SECOND_MS, change);
}

static ax_str taken(ax_arena *mem, ax_buf *text)
{
    ax_str copy = ax_str_dup(mem, ax_buf_str(text));
    ax_buf_clear(text);
    return copy;
}

/* ---- schedules ---- */

/* A value that is the buffer's text, and empties it. */
static void write_text(ax_json *json, const char *key, ax_buf *text)
{
    ax_json_key(json, key);
    ax_json_str(json, ax_buf_str(text));
    ax_buf_clear(text);
}

void ax_schedule_words(const ax_schedule *schedule, ax_buf *out)
{
    ax_cron cron;
    ax_text_err error;
    if (schedule->name.len) {
        ax_buf_add(out, schedule->name);
        ax_buf_adds(out, ": ");
    }
    if (schedule->cron.len && ax_cron_parse(schedule->cron, &cron, &error)) {
        ax_cron_words(&cron, out);
    } else {
        ax_buf_adds(out, "every ");
        ax_duration_text(schedule->every_ms, out);
    }
    if (schedule->timezone.len) ax_buf_addf(out, " (%.*s)", AX_STR(schedule->timezone));
    if (schedule->has_start) {
        ax_buf_adds(out, ", from ");
        ax_date_text(schedule->start_day, out);
    }
    if (schedule->has_end) {
        ax_buf_adds(out, ", until ");
        ax_date_text(schedule->end_day, out);
    }
}

static void write_schedule(ax_json *json, const ax_schedule *s, ax_buf *text)
{
    if (s->name.len) {
        ax_json_key(json, "name");
        ax_json_str(json, s->name);
    }
    if (s->cron.len) ax_buf_add(text, s->cron);
    else ax_duration_text(s->every_ms, text);
    write_text(json, s->cron.len ? "cron" : "every", text);
    if (s->timezone.len) {
        ax_json_key(json, "timezone");
        ax_json_str(json, s->timezone);
    }
    if (s->has_start) {
        ax_date_text(s->start_day, text);
        write_text(json, "start", text);
    }
    if (s->has_end) {
        ax_date_text(s->end_day, text);
        write_text(json, "end", text);
    }
}

void ax_schedule_json(const ax_schedule *schedule, ax_json *json)
{
    ax_buf text = AX_BUF_INIT(SCHEDULE_BYTES_MAX);
    ax_schedule nameless = *schedule;
    nameless.name = (ax_str){0};
    ax_json_obj_flat(json);
    write_schedule(json, schedule, &text);
    ax_schedule_words(&nameless, &text);
    write_text(json, "words", &text);
    ax_json_end(json);
    ax_buf_free(&text);
}

/* ---- instants ---- */

uint32_t ax_instants_show(ax_cli *cli, const ax_due *due, int64_t after_ms, int64_t count)
{
    static const ax_column columns[] = {{.head = "LOCAL"}, {.head = "UTC"}, {.head = "CLOCKS"}};
    ax_table table = ax_table_new(&cli->mem, columns, sizeof columns / sizeof *columns);
    ax_buf text = AX_BUF_INIT(REMARK_BYTES_MAX);
    uint32_t shown = 0;
    int64_t at = ax_due_next(due, after_ms);
    for (; at != AX_DUE_NEVER && shown < count; at = ax_due_next(due, at), shown++) {
        ax_cron_change change;
        ax_zone_text(due->zone, at, &text);
        ax_table_add(&table, AX_STYLE_PLAIN, taken(&cli->mem, &text));
        ax_instant_text(at, &text);
        ax_table_add(&table, AX_STYLE_PLAIN, taken(&cli->mem, &text));
        if (change_of(due, at, &change))
            ax_cron_firing_words(&change, &due->cron_rules, at / SECOND_MS, &text);
        ax_table_add(&table, AX_STYLE_YELLOW, taken(&cli->mem, &text));
    }
    if (shown) ax_table_print(&table, &cli->out);
    ax_buf_free(&text);
    return shown;
}

void ax_instant_json(ax_json *json, const ax_due *due, int64_t at_ms)
{
    ax_buf text = AX_BUF_INIT(REMARK_BYTES_MAX);
    ax_cron_change change;
    ax_json_obj_flat(json);
    ax_instant_text(at_ms, &text);
    write_text(json, "at", &text);
    ax_zone_iso(due->zone, at_ms, &text);
    write_text(json, "local", &text);
    ax_date_text(ax_due_date(due, at_ms), &text);
    write_text(json, "date", &text);
    if (change_of(due, at_ms, &change)) {
        ax_cron_firing_words(&change, &due->cron_rules, at_ms / SECOND_MS, &text);
        write_text(json, "clocks", &text);
    }
    ax_json_end(json);
    ax_buf_free(&text);
}

void ax_instants_json(ax_json *json, const ax_due *due, int64_t after_ms, int64_t count)
{
    int64_t at = ax_due_next(due, after_ms);
    ax_json_arr(json);
    for (; at != AX_DUE_NEVER && count > 0; at = ax_due_next(due, at), count--)
        ax_instant_json(json, due, at);
    ax_json_end(json);
}
