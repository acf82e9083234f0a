/* spawner_int.h - the parts of ax-spawner: its loop (main.c), a keeper (keeper.c), the start of a command
 * (launch.c), and the descendants of a process (kin.c). Static, single-threaded, without allocation but mmap.
 */
#ifndef AX_EXEC_SPAWNER_INT_H
#define AX_EXEC_SPAWNER_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "runtime/exec/spawner_wire_int.h"

/* keeper.c: what a forked child does with its request; never returns. */
_Noreturn void ax_keeper_run(int root_fd, const ax_wire_request *request);

/* launch.c: the command of a request, ready for execve. */
typedef struct {
    const char *cwd;
    char **argv;
    char **env;
    char program[4096]; /* path for execve */
} ax_launch;

/* Unpacks a START request, goes to its folder, merges the environments and finds the program. False: the
 * command can not be started; text says why. */
bool ax_launch_prepare(ax_launch *launch, const ax_wire_request *request, char *text, size_t text_size);
/* Starts it in a process group of its own with its output to log_fd; it dies with this process. The pid, or
 * -1: text says why, and *passing is true if another try may go better. */
pid_t ax_launch_start(const ax_launch *launch, int log_fd, bool *passing, char *text, size_t text_size);

/* kin.c: the children of this process, up to max; 0 if there are none (or there is no /proc). */
size_t ax_kin_children(pid_t *pids, size_t max);
/* Sends a signal to a child, and to the group that it leads, if any. */
void ax_kin_signal(pid_t child, int signal);
/* Appends "NAME (PID)" to text. */
void ax_kin_name(pid_t pid, char *text, size_t text_size);

/* Appends a formatted text to a NUL-terminated one and cuts what does not fit. */
void ax_text_add(char *text, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
