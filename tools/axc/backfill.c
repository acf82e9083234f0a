/* backfill.c - the runs that a backfill of some business dates would make: every instant of every schedule,
 * from the same walk that the server takes.
 */
#include "dsl/model/tz_text.h"
#include "dsl/model/units.h"
#include "tools/axc/outlook_int.h"
#include "tools/cli/table.h"

#define RUNS_MAX 1000000
#define ROWS_AT_ONCE 1000

typedef struct {
    ax_cli *cli;
    const ax_plan *plan;
    int64_t from, to;
    ax_table table;
    ax_arena mem; /* of the rows that are not printed yet */
    ax_buf text;
    ax_json json;
    bool is_json;
    uint32_t runs;
} backfill;

static void add_cell(backfill *b, ax_style style)
{
    ax_table_add(&b->table, style, ax_str_dup(&b->cli->mem, ax_buf_str(&b->text)));
    ax_buf_clear(&b->text);
}

static void show_run(backfill *b, const ax_schedule *schedule, const ax_due *due,
                     const ax_due_instant *instant)
{
    ax_date_text(instant->date, &b->text);
    add_cell(b, AX_STYLE_BOLD);
    ax_zone_text(due->zone, instant->at_ms, &b->text);
    add_cell(b, AX_STYLE_PLAIN);
    ax_instant_text(instant->at_ms, &b->text);
    add_cell(b, AX_STYLE_PLAIN);
    if (instant->end_ms != AX_DUE_NEVER) ax_duration_text(instant->end_ms - instant->at_ms, &b->text);
    add_cell(b, AX_STYLE_PLAIN);
    ax_buf_add(&b->text, schedule->name);
    add_cell(b, AX_STYLE_DIM);
    if (b->table.cells.len >= ROWS_AT_ONCE * b->table.count) ax_table_print(&b->table, &b->cli->out);
}

static void write_text(backfill *b, const char *key)
{
    ax_json_key(&b->json, key);
    ax_json_str(&b->json, ax_buf_str(&b->text));
    ax_buf_clear(&b->text);
}

static void write_run(backfill *b, const ax_schedule *schedule, const ax_due *due,
                      const ax_due_instant *instant)
{
    ax_json_obj_flat(&b->json);
    ax_date_text(instant->date, &b->text);
    write_text(b, "date");
    ax_instant_text(instant->at_ms, &b->text);
    write_text(b, "scheduled_at");
    ax_zone_iso(due->zone, instant->at_ms, &b->text);
    write_text(b, "local");
    if (instant->end_ms != AX_DUE_NEVER) {
        ax_instant_text(instant->end_ms, &b->text);
        write_text(b, "interval_end");
    }
    if (schedule->name.len) {
        ax_buf_add(&b->text, schedule->name);
        write_text(b, "schedule");
    }
    ax_json_end(&b->json);
}

static ax_rc walk_schedule(backfill *b, const ax_schedule *schedule, ax_err *err)
{
    ax_due due;
    ax_rc rc = ax_due_open(&b->cli->mem, schedule, &due, err);
    if (rc) return rc;
    ax_due_walk walk = ax_due_dates(&due, b->from, b->to);
    for (ax_due_instant instant; ax_due_walk_next(&walk, &instant); b->runs++) {
        if (b->runs == RUNS_MAX)
            return ax_fail(err, AX_INVALID, "these dates have more than %d runs", RUNS_MAX);
        if (b->is_json) write_run(b, schedule, &due, &instant);
        else show_run(b, schedule, &due, &instant);
    }
    return AX_OK;
}

static void begin_json(backfill *b, ax_buf *out)
{
    b->json = ax_json_start(out, 2);
    ax_json_obj(&b->json);
    ax_buf_add(&b->text, b->plan->name);
    write_text(b, "workflow");
    ax_date_text(b->from, &b->text);
    write_text(b, "from");
    ax_date_text(b->to, &b->text);
    write_text(b, "to");
    ax_json_key(&b->json, "runs");
    ax_json_arr(&b->json);
}

static void end_json(backfill *b, ax_buf *out)
{
    ax_json_end(&b->json);
    ax_json_key(&b->json, "count");
    ax_json_int(&b->json, b->runs);
    ax_json_end(&b->json);
    ax_buf_addc(out, '\n');
    ax_out_add(&b->cli->out, ax_buf_str(out));
}

static void end_table(backfill *b)
{
    if (b->table.cells.len) ax_table_print(&b->table, &b->cli->out);
    ax_out_addf(&b->cli->out, "%s%u run%s\n", b->runs ? "\n" : "", b->runs, b->runs == 1 ? "" : "s");
}

ax_rc ax_backfill_show(ax_cli *cli, const ax_plan *plan, int64_t from, int64_t to, bool json, ax_err *err)
{
    static const ax_column columns[] = {
        {.head = "DATE"}, {.head = "LOCAL"}, {.head = "UTC"}, {.head = "INTERVAL"}, {.head = "SCHEDULE"}};
    if (plan->schedule_count == 0)
        return ax_fail(err, AX_INVALID, "workflow '%.*s' has no schedule", AX_STR(plan->name));
    backfill b = {.cli = cli,
                  .plan = plan,
                  .from = from,
                  .to = to,
                  .is_json = json,
                  .text = AX_BUF_INIT(AX_OUTLOOK_BYTES_MAX)};
    ax_buf out = AX_BUF_INIT(AX_OUTLOOK_BYTES_MAX);
    b.table = ax_table_new(&cli->mem, columns, sizeof columns / sizeof *columns);
    if (json) begin_json(&b, &out);
    ax_rc rc = AX_OK;
    for (uint32_t i = 0; i < plan->schedule_count && !rc; i++)
        rc = walk_schedule(&b, &plan->schedules[i], err);
    if (!rc && json) end_json(&b, &out);
    if (!rc && !json) end_table(&b);
    ax_buf_free(&out);
    ax_buf_free(&b.text);
    return rc;
}
