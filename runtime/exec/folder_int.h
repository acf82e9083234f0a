/* folder_int.h - what the folder of an attempt says: never begun, kept by somebody, ended, lost. */
#ifndef AX_EXEC_FOLDER_INT_H
#define AX_EXEC_FOLDER_INT_H

#include "dsl/base/err.h"
#include "runtime/exec/spawner_wire_int.h"

typedef enum {
    AX_FOLDER_NONE,  /* there is none, and no keeper is just making it */
    AX_FOLDER_KEPT,  /* a keeper holds it; pidfd becomes readable when that one ends */
    AX_FOLDER_ENDED, /* report says how, LOST if its keeper ended without a word */
} ax_folder_state;

typedef struct {
    ax_folder_state state;
    int pidfd;             /* KEPT: the caller's to close */
    ax_wire_report report; /* ENDED */
} ax_folder;

/* Looks at the attempt's folder below root_fd. */
ax_rc ax_folder_look(int root_fd, const ax_wire_key *key, ax_folder *out, ax_err *err);
/* Makes the folder with this end in it, so that the attempt never starts. AX_CONFLICT: there is one now. */
ax_rc ax_folder_mark(int root_fd, const ax_wire_key *key, ax_wire_how how, const char *text, ax_err *err);

#define AX_FOLDER_PATH_MAX 96
/* "RUN/NODE.ATTEMPT" or, with a file, "RUN/NODE.ATTEMPT/FILE". */
void ax_folder_path(const ax_wire_key *key, const char *file, char path[AX_FOLDER_PATH_MAX]);

#endif
