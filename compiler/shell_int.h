/* shell_int.h - follows the quoting of a shell script, so that it is known where in it a value would stand.
 *
 * It reads a script piece by piece and keeps a stack of what is open: quotes, $( ), ( ), case, $(( )), ${ },
 * ` `, comments, heredocs. It knows the common ground of POSIX sh and bash; it runs and expands nothing.
 * Where the two differ it takes the reading in which more is refused.
 */
#ifndef AX_COMPILER_SHELL_INT_H
#define AX_COMPILER_SHELL_INT_H

#include <stdbool.h>

#include "dsl/base/str.h"
#include "dsl/base/vec.h"

/* Where the next byte would stand. */
typedef enum {
    AX_SH_OPEN,           /* outside all quotes */
    AX_SH_DOUBLE,         /* "…" */
    AX_SH_SINGLE,         /* '…' or $'…' */
    AX_SH_HEREDOC,        /* the text of <<EOF */
    AX_SH_HEREDOC_QUOTED, /* the text of <<'EOF' */
    AX_SH_HEREDOC_WORD,   /* the word behind << */
    AX_SH_COMMENT,
    AX_SH_ARITHMETIC, /* $(( … )), (( … )) */
    AX_SH_EXPANSION,  /* ${ … } */
    AX_SH_BACKTICK,   /* ` … ` */
    AX_SH_ESCAPED,    /* right behind a backslash */
    AX_SH_DOLLAR,     /* right behind a $ */
} ax_sh_place;

typedef struct ax_sh_frame ax_sh_frame;
typedef struct ax_sh_heredoc ax_sh_heredoc;

typedef struct {
    ax_arena *mem;
    AX_VEC(ax_sh_frame) frames;    /* what is open, outermost first */
    AX_VEC(ax_sh_heredoc) waiting; /* heredocs whose text begins at the next line end */
    char last[2];                  /* operator bytes that wait for the next byte: \ $ $( < << ( */
    uint32_t backticks;            /* frames that are ` ` */
} ax_sh;

/* At the beginning of a script. */
ax_sh ax_sh_start(ax_arena *mem);
/* Reads the next piece of the script. */
void ax_sh_text(ax_sh *sh, ax_str text);
/* Where a value would stand that comes next; reads on as if a piece of a word stood there. */
ax_sh_place ax_sh_value(ax_sh *sh);
/* True if what comes next is part of a text that another shell runs: eval, sh -c, ssh. */
bool ax_sh_is_inner(const ax_sh *sh);

#endif
