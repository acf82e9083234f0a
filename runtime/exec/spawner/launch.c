/* launch.c - from a request to a running command, and a clear word where that is not possible.
 *
 * The program is looked for with the command's own PATH, from its own folder, before anything is forked; then
 * vfork, so that errno of a failed exec comes back through the shared memory.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/exec/spawner/spawner_int.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"
#define ENV_NEW_SLACK 1 /* the NULL at the end */

extern char **environ;

static size_t name_len(const char *entry)
{
    return strcspn(entry, "=");
}

/* The value of a variable in env, or NULL. */
static const char *env_value(char *const *env, const char *name)
{
    size_t len = strlen(name);
    for (; *env; env++)
        if (name_len(*env) == len && memcmp(*env, name, len) == 0) return *env + len + 1;
    return NULL;
}

static bool is_overridden(const char *entry, char *const *own, size_t own_count)
{
    size_t len = name_len(entry);
    for (size_t i = 0; i < own_count; i++)
        if (name_len(own[i]) == len && memcmp(own[i], entry, len) == 0) return true;
    return false;
}

/* Points argv and env into the frame; env is the request's entries, then what they leave of our own
 * environment. False: no memory, or a frame that is not what it says. */
static bool unpack(ax_launch *launch, const ax_wire_request *request)
{
    size_t inherited = 0;
    while (environ[inherited]) inherited++;
    size_t slots = (size_t)request->argc + request->envc + inherited + 2 * ENV_NEW_SLACK;
    char **words =
        mmap(NULL, slots * sizeof *words, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED) return false;

    char *at = (char *)(uintptr_t)(request + 1);
    const char *end = (const char *)request + request->size;
    launch->cwd = at;
    launch->argv = words;
    launch->env = words + request->argc + 1;
    for (size_t i = 0; i < (size_t)request->argc + request->envc; i++) {
        at += strnlen(at, (size_t)(end - at)) + 1;
        if (at >= end) return false;
        if (i < request->argc) launch->argv[i] = at;
        else launch->env[i - request->argc] = at;
    }
    size_t count = request->envc;
    for (size_t i = 0; i < inherited; i++)
        if (!is_overridden(environ[i], launch->env, request->envc)) launch->env[count++] = environ[i];
    return request->argc > 0;
}

static bool is_program(const char *path, bool *found)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    *found = true;
    return access(path, X_OK) == 0;
}

/* Where the program is, as a shell would find it. */
static bool find_program(ax_launch *launch, char *text, size_t text_size)
{
    const char *name = launch->argv[0];
    bool found = false;
    if (strchr(name, '/')) {
        snprintf(launch->program, sizeof launch->program, "%s", name);
        if (strlen(name) < sizeof launch->program && is_program(name, &found)) return true;
    } else {
        const char *path = env_value(launch->env, "PATH");
        for (const char *dir = path ? path : DEFAULT_PATH; name[0];) {
            int len = (int)strcspn(dir, ":");
            int n = snprintf(launch->program, sizeof launch->program, "%.*s%s%s", len, dir, len ? "/" : "./",
                             name);
            if (n > 0 && (size_t)n < sizeof launch->program && is_program(launch->program, &found))
                return true;
            if (!dir[len]) break;
            dir += len + 1;
        }
    }
    ax_text_add(text, text_size, found ? "'%s' is not executable" : "there is no program '%s'", name);
    return false;
}

bool ax_launch_prepare(ax_launch *launch, const ax_wire_request *request, char *text, size_t text_size)
{
    if (!unpack(launch, request)) {
        ax_text_add(text, text_size, "its command could not be read");
        return false;
    }
    if (chdir(launch->cwd) != 0) {
        ax_text_add(text, text_size, "its folder '%s' can't be entered: %s", launch->cwd, strerror(errno));
        return false;
    }
    return find_program(launch, text, text_size);
}

/* What a failed exec means to whoever wrote the command. */
static void explain(int error, const char *program, char *text, size_t text_size)
{
    switch (error) {
    case E2BIG:
        ax_text_add(text, text_size,
                    "its arguments and environment are too large for a process "
                    "(one may have 128 KiB): hand large values over in a file");
        break;
    case ENOEXEC: ax_text_add(text, text_size, "'%s' is no program: it has no '#!' line", program); break;
    case ENOENT:
        ax_text_add(text, text_size, "the interpreter that '%s' names does not exist", program);
        break;
    default: ax_text_add(text, text_size, "'%s' can't be executed: %s", program, strerror(error)); break;
    }
}

/* The vfork and what its child does before exec, alone in a function: the two share this frame. A group, not
 * a session: the spawner's has no terminal anyway, and each new session is a new scheduling group of the
 * kernel, which on a busy machine makes a chain of short tasks two to three times slower. */
static pid_t start_child(const ax_launch *launch, int log_fd, volatile int *error)
{
    sigset_t none;
    sigemptyset(&none);
    pid_t keeper = getpid();
    pid_t pid = vfork();
    if (pid != 0) return pid;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == keeper && dup2(log_fd, STDOUT_FILENO) >= 0 && dup2(log_fd, STDERR_FILENO) >= 0) {
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(launch->program, launch->argv, launch->env);
    }
    *error = errno;
    _exit(127);
}

pid_t ax_launch_start(const ax_launch *launch, int log_fd, bool *passing, char *text, size_t text_size)
{
    volatile int error = 0;
    pid_t pid = start_child(launch, log_fd, &error);
    *passing = false;
    if (pid < 0) {
        *passing = errno == EAGAIN || errno == ENOMEM;
        ax_text_add(text, text_size, "no process could be made for it: %s", strerror(errno));
    } else if (error) {
        *passing = error == ETXTBSY || error == EAGAIN || error == ENOMEM;
        explain(error, launch->program, text, text_size);
        return -1; /* the child is reaped by whoever waits for all of them */
    }
    return pid;
}
