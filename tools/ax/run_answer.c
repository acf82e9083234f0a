/* run_answer.c - see run_answer.h. */
#include "tools/ax/run_answer.h"

#include <string.h>

#include "dsl/base/nearest.h"

/* A word means one event to a node that failed, another to one that asks whether to try again. */
static const struct {
    const char *word;
    ax_event_kind failed, asking;
} words[] = {
    {"retry", AX_EVENT_RETRY, AX_EVENT_CONFIRM},
    {"skip", AX_EVENT_SKIP, AX_EVENT_REJECT},
    {"accept", AX_EVENT_ACCEPT, AX_EVENT_ACCEPT},
    {"release", AX_EVENT_RELEASE, AX_EVENT_RELEASE},
};

static ax_rc read_answer(ax_cli *cli, const ax_view *view, const char *text, ax_event *event, ax_err *err)
{
    const char *equals = strrchr(text, '=');
    if (!equals) return ax_cli_misused(cli, err, "--answer '%s' is not NODE=WORD", text);
    ax_str name = {text, (size_t)(equals - text)};
    const ax_plan *plan = ax_view_plan(view);
    size_t w = 0;
    while (w < sizeof words / sizeof *words && strcmp(words[w].word, equals + 1) != 0) w++;
    if (w == sizeof words / sizeof *words)
        return ax_cli_misused(cli, err, "--answer '%s': the word is retry, skip, accept or release", text);
    event->node = ax_plan_find(plan, name);
    if (event->node == AX_NONE) {
        ax_nearest near = ax_nearest_start(name);
        for (uint32_t i = 0; i < plan->node_count; i++) ax_nearest_offer(&near, plan->nodes[i].name);
        ax_cli_misused(cli, err, "the run has no node '%.*s'", AX_STR(name));
        if (near.best.len) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near.best));
        return AX_INVALID;
    }
    const ax_instance_rec *attempt = ax_view_current(view, event->node);
    bool is_asking = attempt && attempt->state == AX_INSTANCE_WAITING_CONFIRM;
    event->kind = is_asking ? words[w].asking : words[w].failed;
    event->attempt = attempt ? attempt->attempt : 0;
    event->id = ax_str_fmt(&cli->mem, "answer:%u.%u", event->node, event->attempt);
    return AX_OK;
}

ax_rc ax_answers_read(ax_cli *cli, const ax_strings *answers, const char *person, ax_drive_config *config,
                      ax_err *err)
{
    ax_store *store = config->store;
    ax_run_rows rows;
    ax_plan *plan = NULL;
    ax_view *view = NULL;
    if (!answers->count) return AX_OK;
    ax_rc rc = store->ops->load_run(store, config->run, &cli->mem, &rows, err);
    if (!rc) rc = store->ops->get_plan(store, rows.run.hash, &cli->mem, &plan, err);
    if (!rc) rc = ax_view_build(&cli->mem, plan, &rows, &view, err);
    ax_event *events = AX_NEW_N(&cli->mem, ax_event, answers->count);
    for (uint32_t i = 0; i < answers->count && !rc; i++) {
        events[i] = (ax_event){.source = AX_LIT("MANUAL_OVERRIDE"),
                               .person = ax_str_of(person),
                               .reason = AX_LIT("answered on the command line")};
        rc = read_answer(cli, view, answers->at[i], &events[i], err);
    }
    config->commands = events;
    config->command_count = answers->count;
    return rc;
}
