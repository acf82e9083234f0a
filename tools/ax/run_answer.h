/* run_answer.h - answers to what a run asks, from the command line. */
#ifndef AX_TOOLS_RUN_ANSWER_H
#define AX_TOOLS_RUN_ANSWER_H

#include "tools/ax/run_drive.h"
#include "tools/cli/cmd.h"

/* Reads NODE=WORD options against the run in the store into config->commands. Wrong use: no such word, no
 * such node, or a node that does not wait. */
ax_rc ax_answers_read(ax_cli *cli, const ax_strings *answers, const char *person, ax_drive_config *config,
                      ax_err *err);

#endif
