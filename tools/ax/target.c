/* target.c - see target.h. */
#include "tools/ax/target.h"

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
