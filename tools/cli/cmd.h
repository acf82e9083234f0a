/* cmd.h - commands and their options as rows of data.
 *
 * A command is one ax_cmd with a table of options; parsing, help, the manual page, completion and "did you
 * mean" all read these rows. Values land in a zeroed struct of the command's own, at the row's offset: there
 * are no globals. A command never prints an error and never exits: it returns an ax_rc, and ax_cli_main does
 * both.
 *
 * Exit codes: 0 done; 1 the thing that was asked about failed; 2 wrong use; 3 the environment failed.
 */
#ifndef AX_CLI_CMD_H
#define AX_CLI_CMD_H

#include "dsl/base/arena.h"
#include "dsl/base/err.h"
#include "tools/cli/out.h"

#define AX_VERSION "0.1.0"

typedef enum { AX_EXIT_OK = 0, AX_EXIT_FAILED = 1, AX_EXIT_USAGE = 2, AX_EXIT_ENVIRONMENT = 3 } ax_exit;

/* The words of a repeatable option or of the last operand; NUL-terminated, they live as long as argv. */
typedef struct {
    const char *const *at;
    uint32_t count;
} ax_strings;

/* What an option takes, and the type of its target. */
typedef enum {
    AX_OPT_FLAG,   /* bool */
    AX_OPT_STR,    /* const char *; NULL if it is not given */
    AX_OPT_INT,    /* int64_t, at least 0 */
    AX_OPT_COUNT,  /* int64_t, at least 1 */
    AX_OPT_LIST,   /* ax_strings, in order; an operand of this kind takes all that is left */
    AX_OPT_CHOICE, /* int: the place of the word in `value`, "auto|always|never"; not given: 0 */
} ax_opt_kind;

/* An option; without letter and name it is an operand, and operands stand in their order. */
typedef struct {
    ax_opt_kind kind;
    char letter;      /* 'o' for -o; 0: none */
    const char *name; /* "output" for --output; NULL: none */
    size_t offset;    /* of its target in the command's struct */
    bool required;
    const char *value; /* what to call its value: "FILE"; NULL for a flag */
    const char *help;  /* lower case, no full stop */
} ax_opt;

typedef struct ax_cli ax_cli;

typedef struct {
    const char *path;    /* "fmt", "node retry" */
    const char *summary; /* lower case, no full stop, fits a line */
    const char *details; /* paragraphs with an empty line between; NULL: the summary says all */
    const char *example; /* one a line, without the program's name; a remark begins with " # " */
    const char *fails;   /* when it ends with code 1; NULL: never */
    const ax_opt *opts;
    uint32_t opt_count;
    size_t args_size; /* of the struct that the options fill */
    unsigned needs;   /* for the program's `open` */
    ax_rc (*run)(ax_cli *cli, const void *args, ax_err *err);
} ax_cmd;

typedef struct {
    const char *name, *summary, *version;
    const ax_cmd *const *cmds; /* in the order of the help */
    uint32_t cmd_count;
    const ax_opt *opts; /* options that every command takes, beside --color, --help and --version */
    uint32_t opt_count;
    size_t args_size;
    ax_rc (*open)(ax_cli *cli, unsigned needs, ax_err *err); /* before a command runs; NULL: nothing to do */
    void (*close)(ax_cli *cli);                              /* after it, also when it or `open` failed */
} ax_program;

/* One call of a program. */
struct ax_cli {
    const ax_program *program;
    const ax_cmd *cmd;
    const void *args;    /* the command's struct, filled */
    const void *globals; /* the program's struct, filled */
    void *app;           /* the program's own, set by its `open` */
    ax_arena mem;        /* until the call ends */
    ax_out out;          /* results */
    ax_out msg;          /* everything else */
    bool help, version;  /* asked for */
    bool misused;        /* the failure is the caller's: exit code 2 */
};

/* Runs the command that argv names and returns the exit code for main. */
int ax_cli_main(const ax_program *program, int argc, char **argv);
/* The middle part, for tests: finds the command and fills cli->args and cli->globals. cli is zeroed but for
 * `program`. AX_INVALID with cli->misused on wrong use. */
ax_rc ax_cli_parse(ax_cli *cli, int argc, char **argv, ax_err *err);
/* The command with this path (words separated by one space), or NULL. */
const ax_cmd *ax_program_find(const ax_program *program, ax_str path);
/* Fails for wrong use that options alone can't tell (two that exclude each other). */
ax_rc ax_cli_misused(ax_cli *cli, ax_err *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Shows an error in the form of all errors, for a command that goes on with other work. Returning AX_IO with
 * no message afterwards gives exit code 3. */
void ax_cli_show(ax_cli *cli, const ax_err *err);
/* Fails with exit code 1 and no message, because the command has shown what is wrong. */
ax_rc ax_cli_failed(ax_err *err);

/* The built-in command `help [COMMAND]...`; programs list it with theirs. */
extern const ax_cmd ax_cmd_help;

#endif
