/* target.h - what the words RUN and NODE of a reading command mean. */
#ifndef AX_TOOLS_TARGET_H
#define AX_TOOLS_TARGET_H

#include "runtime/admin/query.h"
#include "tools/ax/app.h"

typedef struct {
    uint64_t run;
    const char *node; /* NULL: none was named */
} ax_target;

/* Reads the operand RUN, which may be NULL; a word that is no run is wrong use. */
ax_rc ax_target_run(ax_cli *cli, const char *word, uint64_t *run, ax_err *err);
/* Reads the operands [RUN] [NODE], of which either may be NULL: a single word that is no run is a NODE of the
 * newest run. */
ax_rc ax_target_read(ax_cli *cli, const char *first, const char *second, ax_target *out, ax_err *err);

#endif
