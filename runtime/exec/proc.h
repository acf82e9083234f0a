/* proc.h - running commands on this machine, so that the work outlives whoever started them.
 *
 * A spawner (a small static program, started once, in a session without a terminal) forks a keeper for each
 * attempt. The keeper makes the attempt's folder exclusively, locks it, starts the command in a process group
 * of its own with its output going straight to `log`, waits, ends whatever is left of the command's
 * processes, and writes how it ended to `status`. If this process dies, the keepers go on, and ax_proc_adopt
 * finds them again: a repeated start finds the folder, no result is lost and nothing is started twice.
 *
 * The folder of an attempt: ROOT/RUN/NODE.ATTEMPT/ with `log` (stdout and stderr), `status`, `output`
 * ($AX_OUTPUT).
 */
#ifndef AX_EXEC_PROC_H
#define AX_EXEC_PROC_H

#include "dsl/base/arena.h"
#include "dsl/base/err.h"
#include "runtime/core/event.h"
#include "runtime/core/render.h"

typedef struct ax_proc ax_proc;

typedef struct {
    uint64_t run;
    uint32_t node, attempt;
} ax_attempt_key;

/* How an attempt ended, or that it was found running. */
typedef struct {
    ax_attempt_key key;
    ax_report report; /* outputs are read for an exit code of 0; strings live until the next ax_proc_poll */
    int64_t duration_ms, cpu_ms, memory_kib;
} ax_proc_report;

/* Starts the spawner. root: absolute folder for attempts, made if missing. spawner: path of its program,
 * NULL: beside this program, or in ../libexec/ax. */
ax_rc ax_proc_open(const char *root, const char *spawner, ax_proc **out, ax_err *err);
/* Becomes readable (epoll) when ax_proc_poll has something to do. */
int ax_proc_fd(const ax_proc *proc);
/* Asks for an attempt to be started; how that went comes as a report only if it ended. If its folder exists
 * it is adopted instead. Requests are sent together by ax_proc_flush. */
ax_rc ax_proc_start(ax_proc *proc, ax_attempt_key key, const ax_command *command, ax_err *err);
ax_rc ax_proc_flush(ax_proc *proc, ax_err *err);
/* Interrupts an attempt: TERM to all of its processes, KILL after its kill_after (at once if now). Its report
 * follows. An attempt that never started is marked, so that it never will, and reported STOPPED. */
ax_rc ax_proc_stop(ax_proc *proc, ax_attempt_key key, bool now, ax_err *err);
/* Watches an attempt that an earlier process started; its report follows, at once if it has ended. */
ax_rc ax_proc_adopt(ax_proc *proc, ax_attempt_key key, ax_err *err);
/* True once the attempt has its folder: it began, or was kept from it, and no repetition of its start does
 * anything. */
bool ax_proc_has_begun(const ax_proc *proc, ax_attempt_key key);
/* Takes up to max reports that have come; never blocks. Ends that AX caused are STOPPED. A dead spawner is
 * replaced and its attempts adopted. */
ax_rc ax_proc_poll(ax_proc *proc, ax_proc_report *reports, uint32_t max, uint32_t *count, ax_err *err);
/* Stops watching; what runs goes on. */
void ax_proc_close(ax_proc *proc);

/* ROOT/RUN/NODE.ATTEMPT and a file in it, in mem. */
const char *ax_proc_path(ax_arena *mem, const char *root, ax_attempt_key key, const char *file);

#endif
