/* target.c - see target.h. */
#include "tools/ax/target.h"

#include <time.h>

ax_rc ax_target_run(ax_cli *cli, const char *word, uint64_t *run, ax_err *err)
{
    ax_rc rc = ax_query_run(ax_app_of(cli)->store, ax_str_of(word), run, err);
    cli->misused = rc == AX_INVALID && word != NULL && !ax_query_is_run(ax_str_of(word));
    return rc;
}

ax_rc ax_target_read(ax_cli *cli, const char *first, const char *second, ax_target *out, ax_err *err)
{
    bool is_node = first != NULL && second == NULL && !ax_query_is_run(ax_str_of(first));
    *out = (ax_target){.node = is_node ? first : second};
    return ax_target_run(cli, is_node ? NULL : first, &out->run, err);
}

void ax_text_moment(int64_t ms, ax_buf *out)
{
    time_t at = (time_t)(ms / 1000);
    struct tm local;
    char text[32];
    if (ms == 0 || localtime_r(&at, &local) == NULL) return;
    if (strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local) > 0) ax_buf_adds(out, text);
}

ax_style ax_text_run_style(ax_run_state state)
{
    static const ax_style styles[AX_RUN_COUNT] = {
        [AX_RUN_RUNNING] = AX_STYLE_BLUE,      [AX_RUN_PAUSED] = AX_STYLE_YELLOW,
        [AX_RUN_CANCELLING] = AX_STYLE_YELLOW, [AX_RUN_ABORTING] = AX_STYLE_RED,
        [AX_RUN_SUCCEEDED] = AX_STYLE_GREEN,   [AX_RUN_FAILED] = AX_STYLE_RED,
        [AX_RUN_CANCELLED] = AX_STYLE_YELLOW,
    };
    return styles[state];
}

ax_str ax_text_take(ax_arena *mem, ax_buf *text)
{
    ax_str copy = ax_str_dup(mem, ax_buf_str(text));
    ax_buf_clear(text);
    return copy;
}

void ax_json_print(ax_cli *cli, ax_buf *json)
{
    ax_buf_addc(json, '\n');
    ax_out_add(&cli->out, ax_buf_str(json));
    ax_buf_free(json);
}
