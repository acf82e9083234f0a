/* show.h - how `ax run` shows a run: a live region on a terminal, plain lines elsewhere, JSON lines for
 * programs.
 *
 * One vtable, three ways. A way gets the run's view and the log rows of each commit, and writes to one
 * stream; it changes nothing. Output of tasks never passes here: it is in their logs, of which failures show
 * the end.
 */
#ifndef AX_TOOLS_SHOW_H
#define AX_TOOLS_SHOW_H

#include "runtime/core/view.h"
#include "tools/cli/out.h"

typedef struct ax_show ax_show;

typedef struct {
    const char *name;
    /* The run is in hand, new or resumed. */
    void (*begin)(ax_show *show, const ax_view *view);
    /* These rows are durable, and the view shows them. */
    void (*rows)(ax_show *show, const ax_view *view, const ax_log_rec *rows, uint32_t count);
    /* Something that a person should know. */
    void (*note)(ax_show *show, ax_style style, const char *text);
    /* Draws what changed; returns in how many ms it wants to be called again, -1: not before something
     * happens. */
    int (*tick)(ax_show *show, const ax_view *view);
    /* The terminal has another size. */
    void (*resized)(ax_show *show);
    /* Nothing more will happen: the run has ended, waits for a person, or is left. */
    void (*end)(ax_show *show, const ax_view *view);
} ax_show_ops;

struct ax_show {
    const ax_show_ops *ops;
    ax_out *out;
    const char *root; /* folder of attempts */
    ax_arena *mem;    /* for as long as it is shown */
};

/* Each in show->mem. */
ax_show *ax_show_plain(ax_arena *mem, ax_out *out, const char *root);
ax_show *ax_show_live(ax_arena *mem, ax_out *out, const char *root);
ax_show *ax_show_json(ax_arena *mem, ax_out *out, const char *root);

#endif
