/* render.h - the command of an attempt: expressions evaluated, nothing spliced into a script.
 *
 * Pure. The same attempt always renders to the same command, so it is rendered once to check it (SUBMIT) and
 * again where it is started, and nothing of it is stored.
 */
#ifndef AX_CORE_RENDER_H
#define AX_CORE_RENDER_H

#include "runtime/core/view.h"

typedef struct {
    const ax_str *argv; /* at least one word */
    uint32_t argc;
    const ax_str *env; /* "NAME=value", added to the executor's environment */
    uint32_t env_count;
    ax_str cwd; /* absolute */
    int64_t kill_after_ms;
} ax_command;

/* The command of a node's attempt, in mem. AX_INVALID: an expression has no value; the message says which.
 * The environment has AX_RUN_ID, AX_WORKFLOW, AX_NODE, AX_ATTEMPT, AX_DATE, AX_REQUEST_ID, the bound values,
 * and what the workflow's `env` says. */
ax_rc ax_render(const ax_view *view, uint32_t node, uint32_t attempt, ax_arena *mem, ax_command *out,
                ax_err *err);
/* The value of a node's `when` (true if it has none). */
ax_rc ax_render_when(const ax_view *view, uint32_t node, ax_arena *scratch, bool *out, ax_err *err);

/* Parameters as given (name=text pairs) checked against the plan and completed with its defaults: a JSON
 * object in mem. AX_INVALID: unknown (with the nearest), missing, wrong type, not allowed. */
ax_rc ax_params_json(const ax_plan *plan, const ax_str *names, const ax_str *texts, uint32_t count,
                     ax_arena *mem, ax_str *json, ax_err *err);

#endif
