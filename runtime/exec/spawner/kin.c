/* kin.c - the processes below a keeper. It is the reaper of its descendants, so whatever loses its parent
 * becomes its own child: signalling children, again and again, reaches everything, and never a stranger with
 * a reused pid.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/exec/spawner/spawner_int.h"

#define CHILDREN_BYTES 16384 /* of the list; what does not fit is found by the next look */

static size_t read_proc(const char *path, char *buf, size_t size)
{
    size_t len = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t got;
        while (len + 1 < size && (got = read(fd, buf + len, size - 1 - len)) > 0) len += (size_t)got;
        close(fd);
    }
    buf[len] = '\0';
    return len;
}

size_t ax_kin_children(pid_t *pids, size_t max)
{
    char list[CHILDREN_BYTES], path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    size_t len = read_proc(path, list, sizeof list), count = 0;
    pid_t pid = 0;
    for (size_t i = 0; i < len && count < max; i++) {
        if (list[i] >= '0' && list[i] <= '9') {
            pid = 10 * pid + (list[i] - '0');
        } else {
            if (pid) pids[count++] = pid;
            pid = 0;
        }
    }
    return count;
}

void ax_kin_signal(pid_t child, int signal)
{
    kill(child, signal);
    kill(-child, signal);
    if (signal != SIGTERM) return;
    kill(child, SIGCONT); /* a stopped process gets a signal only when it goes on */
    kill(-child, SIGCONT);
}

void ax_kin_name(pid_t pid, char *text, size_t text_size)
{
    char path[64], name[64];
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    read_proc(path, name, sizeof name);
    name[strcspn(name, "\n")] = '\0';
    ax_text_add(text, text_size, "%s (%d)", name[0] ? name : "?", (int)pid);
}

void ax_text_add(char *text, size_t size, const char *fmt, ...)
{
    size_t len = strlen(text);
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + len, size - len, fmt, args);
    va_end(args);
}
