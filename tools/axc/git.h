/* git.h - files of a revision, read through git. Nothing is checked out, and no shell is involved. */
#ifndef AX_TOOLS_AXC_GIT_H
#define AX_TOOLS_AXC_GIT_H

#include "dsl/base/err.h"
#include "dsl/base/str.h"
#include "dsl/base/vec.h"

typedef struct {
    ax_str path; /* as it is shown: "HEAD:workflows/daily.axf" */
    ax_str name; /* relative to what was asked for; empty if that is a file itself */
    ax_str text;
} ax_git_file;

typedef AX_VEC(ax_git_file) ax_git_files;

/* True if an operand has the form REV:PATH. */
bool ax_git_is_spec(const char *operand);
/* Reads REV:PATH: a file, or all *.axf files below a folder, sorted, hidden folders and links left out. PATH
 * is from the root of the repository, or with ./ in front from the working folder; an empty REV is the index.
 * AX_NOT_FOUND: there is no such revision or path; AX_IO: git is missing, fails, or this is no repository. */
ax_rc ax_git_read(ax_arena *mem, const char *spec, ax_git_files *out, ax_err *err);

#endif
