/* cmd_cron.c - `axc cron`: what a cron expression means, when it fires next, and what a change of clocks does
 * to it.
 */
#include <string.h>
#include <time.h>

#include "dsl/model/cron_change.h"
#include "dsl/model/cron_words.h"
#include "dsl/model/units.h"
#include "tools/axc/axc.h"

#define NEXT_DEFAULT 5
#define NEXT_MAX 100000
#define CHANGES_MAX 2 /* that are looked at */
#define CHANGE_REACH_S (400 * 86400)
#define WORDS_BYTES_MAX ((size_t)64 << 10)
#define JSON_BYTES_MAX ((size_t)256 << 20)

typedef struct {
    const char *timezone, *after;
    int64_t next;
    bool json;
    ax_strings expressions;
} cron_args;

typedef struct {
    ax_cli *cli;
    const cron_args *args;
    ax_str zone_name;
    const ax_zone *zone;
    int64_t after_ms;
    int64_t next;
    bool shown; /* at least one */
} context;

/* ---- options ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* An instant, or a date: then its beginning in the zone belongs to what comes after. */
static ax_rc read_after(context *c, ax_err *err)
{
    const char *text = c->args->after;
    int64_t day;
    if (!text) {
        c->after_ms = now_ms();
        return AX_OK;
    }
    if (ax_instant_parse(ax_str_of(text), &c->after_ms)) return AX_OK;
    if (ax_date_parse(ax_str_of(text), &day)) {
        c->after_ms = ax_zone_local(c->zone, day * (AX_DAY_MS / 1000)).first * 1000 - 1;
        return AX_OK;
    }
    ax_cli_misused(c->cli, err, "'--after' takes a date or an instant, not '%s'", text);
    ax_err_help(err, "write 2026-11-30, or 2026-11-30T02:00:00Z");
    return AX_INVALID;
}

/* Without quotes the shell makes an expression into words, and * into names of files. */
static ax_rc check_quotes(const context *c, ax_err *err)
{
    const ax_strings *words = &c->args->expressions;
    if (words->count < 2) return AX_OK;
    ax_str whole = {0};
    for (uint32_t i = 0; i < words->count; i++) {
        const char *word = words->at[i];
        if (word[0] == '@' || strchr(word, ' ')) return AX_OK;
        whole = ax_str_fmt(&c->cli->mem, "%.*s%s%s", AX_STR(whole), i ? " " : "", word);
    }
    ax_cron cron;
    ax_text_err error;
    ax_cli_misused(c->cli, err, "the expression is %u arguments, not one", words->count);
    bool is_it = ax_cron_parse(whole, &cron, &error);
    ax_err_help(err, "quote it: axc cron '%.*s'", AX_STR(is_it ? whole : AX_LIT("30 4 * * 1-5")));
    return AX_INVALID;
}

static ax_rc open_context(context *c, ax_err *err)
{
    c->zone = ax_zone_utc();
    c->zone_name = c->args->timezone ? ax_str_of(c->args->timezone) : AX_LIT("UTC");
    c->next = c->args->next ? c->args->next : NEXT_DEFAULT;
    ax_rc rc = check_quotes(c, err);
    if (!rc && c->args->timezone) rc = ax_zone_load(&c->cli->mem, c->zone_name, &c->zone, err);
    if (!rc) rc = read_after(c, err);
    if (!rc && c->next > NEXT_MAX) rc = ax_cli_misused(c->cli, err, "'--next' is at most %d", NEXT_MAX);
    return rc;
}

/* ---- for people ---- */

static void show_changes(const context *c, const ax_due *due)
{
    ax_out *out = &c->cli->out;
    ax_buf text = AX_BUF_INIT(WORDS_BYTES_MAX);
    ax_cron_change change = {.at = c->after_ms / 1000};
    for (int i = 0; i < CHANGES_MAX; i++) {
        bool found = ax_cron_change_next(&due->cron, &due->cron_rules, change.at, &change);
        if (!found || change.at - c->after_ms / 1000 > CHANGE_REACH_S) break;
        if (i == 0) ax_out_adds(out, "\n");
        ax_date_text((change.from - 1) / (AX_DAY_MS / 1000), &text);
        ax_buf_adds(&text, "  ");
        ax_cron_change_words(&change, &text);
        ax_buf_addc(&text, '\n');
        ax_out_add(out, ax_buf_str(&text));
        ax_buf_clear(&text);
    }
    ax_buf_free(&text);
}

static void show(context *c, ax_str expression, const ax_due *due, ax_str words)
{
    ax_out *out = &c->cli->out;
    if (c->args->expressions.count > 1) {
        ax_out_adds(out, c->shown ? "\n" : "");
        ax_out_styled(out, AX_STYLE_DIM, expression);
        ax_out_adds(out, "\n");
    }
    c->shown = true;
    ax_out_styled(out, AX_STYLE_BOLD, words);
    ax_out_adds(out, " (");
    ax_out_add(out, c->zone_name);
    ax_out_adds(out, ")\n");
    if (!ax_cron_fires(&due->cron)) return;
    ax_out_adds(out, "\n");
    if (ax_instants_show(c->cli, due, c->after_ms, c->next) == 0) ax_out_adds(out, "no instant is left\n");
    show_changes(c, due);
}

/* ---- for programs ---- */

static void write_common(const context *c, ax_json *json, ax_str expression)
{
    ax_json_key(json, "expression");
    ax_json_str(json, expression);
    ax_json_key(json, "timezone");
    ax_json_str(json, c->zone_name);
}

static void write(const context *c, ax_json *json, ax_str expression, const ax_due *due, ax_str words)
{
    ax_text_err notes[AX_CRON_NOTES_MAX];
    uint32_t count = ax_cron_notes(&due->cron, expression, notes);
    ax_json_obj(json);
    write_common(c, json, expression);
    ax_json_key(json, "words");
    ax_json_str(json, words);
    ax_json_key(json, "fires");
    ax_json_bool(json, ax_cron_fires(&due->cron));
    ax_json_key(json, "real_time");
    ax_json_bool(json, due->cron.real_time);
    ax_json_key(json, "warnings");
    ax_json_arr(json);
    for (uint32_t i = 0; i < count; i++) ax_place_json(json, &notes[i]);
    ax_json_end(json);
    ax_json_key(json, "next");
    ax_instants_json(json, due, c->after_ms, c->next);
    ax_json_end(json);
}

static void write_error(const context *c, ax_json *json, ax_str expression, const ax_text_err *error)
{
    ax_json_obj(json);
    write_common(c, json, expression);
    ax_json_key(json, "error");
    ax_place_json(json, error);
    ax_json_end(json);
}

/* ---- one expression ---- */

/* True if the expression is sound and fires. */
static bool explain(context *c, ax_json *json, ax_str expression)
{
    ax_text_err error = {0}, notes[AX_CRON_NOTES_MAX];
    ax_err ignored;
    ax_due due;
    ax_cron cron;
    if (!ax_cron_parse(expression, &cron, &error)) {
        if (c->args->json) write_error(c, json, expression, &error);
        else ax_place_show(c->cli, AX_ERROR, expression, &error);
        return false;
    }
    const ax_schedule schedule = {.cron = expression, .timezone = c->zone_name};
    if (ax_due_open(&c->cli->mem, &schedule, &due, &ignored)) return false;
    ax_buf words = AX_BUF_INIT(WORDS_BYTES_MAX);
    ax_cron_words(&cron, &words);
    if (c->args->json) {
        write(c, json, expression, &due, ax_buf_str(&words));
    } else {
        show(c, expression, &due, ax_buf_str(&words));
        uint32_t count = ax_cron_notes(&cron, expression, notes);
        for (uint32_t i = 0; i < count; i++) ax_place_show(c->cli, AX_WARNING, expression, &notes[i]);
    }
    ax_buf_free(&words);
    return ax_cron_fires(&cron);
}

static ax_rc cron(ax_cli *cli, const void *args, ax_err *err)
{
    context c = {.cli = cli, .args = args};
    ax_rc rc = open_context(&c, err);
    if (rc) return rc;
    ax_buf text = AX_BUF_INIT(JSON_BYTES_MAX);
    bool good = true;
    for (uint32_t i = 0; i < c.args->expressions.count; i++) {
        ax_json json = ax_json_start(&text, 2);
        good &= explain(&c, &json, ax_str_of(c.args->expressions.at[i]));
        if (!c.args->json) continue;
        ax_buf_addc(&text, '\n');
        ax_out_add(&cli->out, ax_buf_str(&text));
        ax_buf_clear(&text);
    }
    ax_buf_free(&text);
    return good ? AX_OK : ax_cli_failed(err);
}

static const ax_opt opts[] = {
    {AX_OPT_STR, 'z', "timezone", offsetof(cron_args, timezone), false, "ZONE",
     "an IANA zone, such as Europe/Berlin; default: UTC"},
    {AX_OPT_STR, 0, "after", offsetof(cron_args, after), false, "TIME",
     "a date or an instant (2026-11-30T02:00:00Z) to look from; default: now"},
    {AX_OPT_COUNT, 'n', "next", offsetof(cron_args, next), false, "COUNT", "how many instants; default: 5"},
    {AX_OPT_FLAG, 0, "json", offsetof(cron_args, json), false, NULL, "one JSON object for each expression"},
    {AX_OPT_LIST, 0, NULL, offsetof(cron_args, expressions), true, "EXPR",
     "a cron expression, as one argument: five fields, six with seconds first, or @daily and the like"},
};
const ax_cmd ax_cmd_cron = {
    .path = "cron",
    .summary = "say when a cron expression fires, and when next",
    .details =
        "The next instants are shown in local time and in UTC, with a remark on days on which clocks "
        "change, followed by what the next changes of clocks do to the expression. A step that does not "
        "divide its field, two day fields and a date that never comes are warned of.\n\n"
        "A wall time that does not exist fires once, right after the gap; one that exists twice fires "
        "the first time. A minute or hour field that starts with '*' follows real time.",
    .example = "cron '30 2 * * 1-5'\ncron '0 2 * * *' -z America/New_York --after 2026-03-06 -n 4\n"
               "cron '*/15 9-17 * * 1-5' --json",
    .fails = "an expression is wrong, or never fires",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(cron_args),
    .run = cron,
};
