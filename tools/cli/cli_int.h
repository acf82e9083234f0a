/* cli_int.h - what the files of this folder share: help, manual page and completion from the rows of a
 * program. */
#ifndef AX_CLI_CLI_INT_H
#define AX_CLI_CLI_INT_H

#include "tools/cli/cmd.h"

#define AX_HELP_WIDTH 79 /* columns of a line of help */

/* Shows the help of one command, or of the program if cmd is NULL. */
void ax_help_show(ax_out *out, const ax_program *program, const ax_cmd *cmd);
/* "axc fmt [--check] [FILE]...", wrapped with a hanging indent; appended. */
void ax_help_usage(const ax_program *program, const ax_cmd *cmd, ax_buf *out);
/* The command's examples, one a line, indented; appended. */
void ax_help_examples(const ax_program *program, const ax_cmd *cmd, ax_buf *out);
/* Appends text wrapped at AX_HELP_WIDTH columns, each line behind `indent` spaces; the first one continues
 * a line that has `at` columns already. Paragraphs are separated by an empty line. */
void ax_help_wrap(ax_buf *out, const char *text, size_t at, size_t indent);
/* Appends the program's manual page (troff, section 1). */
void ax_help_man(const ax_program *program, ax_buf *out);
/* Appends a completion script for bash. */
void ax_help_bash(const ax_program *program, ax_buf *out);

/* Fails because the program has no command of that path: wrong use, with the nearest one as help. */
ax_rc ax_cli_unknown(ax_cli *cli, ax_str path, ax_err *err);

/* The meaning of the exit codes; text of code 1 is the command's own. */
extern const char *const ax_exit_meaning[4];

#endif
