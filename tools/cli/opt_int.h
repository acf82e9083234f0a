/* opt_int.h - options as rows: reading one from the command line, and what help, manual and completion ask
 * of it. */
#ifndef AX_CLI_OPT_INT_H
#define AX_CLI_OPT_INT_H

#include "tools/cli/cmd.h"

#define AX_OPTS_MAX 64 /* rows of one table */

/* Rows and the struct that they fill. */
typedef struct {
    const ax_opt *rows;
    uint32_t count;
    void *target;
    uint64_t given;    /* bit per row */
    uint32_t operands; /* words taken as operands so far */
} ax_opt_set;

/* The options that every program has. */
extern const ax_opt ax_opt_builtin[];
extern const uint32_t ax_opt_builtin_count;

/* What ax_opt_builtin fills. */
typedef struct {
    int color; /* ax_color */
    bool help, version;
} ax_opt_builtin_args;

/* The command line that is being read. */
typedef struct {
    char **argv;
    int argc, at;
    ax_arena *mem;
    ax_opt_set *sets;
    uint32_t set_count;
} ax_opt_reader;

/* True for a row without letter and name. */
bool ax_opt_is_operand(const ax_opt *opt);
/* "--output FILE", "-j N", "FILE": how it is called in messages; in mem. */
ax_str ax_opt_title(ax_arena *mem, const ax_opt *opt);
/* Reads the option at argv[at] ("--name", "--name=value", "-abc", "-j4") and moves on. AX_INVALID: none of
 * the sets has it, or its value is missing or wrong. */
ax_rc ax_opt_read(ax_opt_reader *r, ax_err *err);
/* Stores the next operand of set. AX_INVALID: there are too many, or it is wrong. */
ax_rc ax_opt_operand(ax_arena *mem, ax_opt_set *set, const char *word, ax_err *err);
/* AX_INVALID if a required option or operand was not given. */
ax_rc ax_opt_complete(ax_arena *mem, const ax_opt_set *set, ax_err *err);

#endif
