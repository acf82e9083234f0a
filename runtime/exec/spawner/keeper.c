/* keeper.c - one attempt from its folder to the record of its end. A keeper outlives ax and the spawner.
 *
 *   RUNNING      the command runs
 *   LINGERING    it has ended, processes that it left behind get a moment to end by themselves
 *   TERMINATING  TERM was sent, to each descendant once; KILL follows at the deadline
 *   KILLING      KILL is sent until nothing is left
 *
 * Whoever made the folder and its `status` under the lock, and only that one, starts the command; the lock is
 * held until this process ends, so "nobody has the lock" means "nobody keeps it". The end is reported when no
 * descendant exists any more, never before. Signals: TERM and USR1 are the requests to stop and to kill.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/exec/spawner/spawner_int.h"

#define LINGER_MS 500 /* for what a command left behind: by itself, and again after TERM */
#define SWEEP_MS 50   /* how often descendants are looked for while they are being ended */
#define SWEEP_MAX 512 /* children signalled at one look */
#define RETRY_MS 50   /* between tries to make a process */
#define RETRIES_MAX 40
#define NAMED_MAX 4 /* processes left behind that a note names */
#define NEVER INT64_MAX

typedef enum { RUNNING, LINGERING, TERMINATING, KILLING } phase;

typedef struct {
    int root_fd, folder_fd, status_fd, log_fd;
    int64_t kill_after_ms;
    pid_t command; /* 0: it has ended */
    phase phase;
    int64_t deadline_ms, started_ms;
    pid_t termed[SWEEP_MAX]; /* children that had their TERM */
    size_t termed_count;
    sigset_t signals;
    ax_wire_report report;
} keeper;

static int64_t clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Makes ROOT/RUN/NODE.ATTEMPT and opens it. 0, or errno. */
static int make_folder(keeper *k)
{
    char run[32], path[96];
    snprintf(run, sizeof run, "%llu", (unsigned long long)k->report.key.run);
    snprintf(path, sizeof path, "%s/%u.%u", run, k->report.key.node, k->report.key.attempt);
    if (mkdirat(k->root_fd, path, 0777) != 0) {
        if (errno != ENOENT) return errno;
        if (mkdirat(k->root_fd, run, 0777) != 0 && errno != EEXIST) return errno;
        if (mkdirat(k->root_fd, path, 0777) != 0) return errno;
    }
    k->folder_fd = openat(k->root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (k->folder_fd < 0) return errno == ENOENT ? EEXIST : errno;
    return flock(k->folder_fd, LOCK_EX) == 0 ? 0 : errno;
}

static bool write_status(const keeper *k, const char *text)
{
    char record[AX_STATUS_BYTES];
    size_t len = strnlen(text, sizeof record - 1);
    memset(record, ' ', sizeof record);
    memcpy(record, text, len);
    record[sizeof record - 1] = '\n';
    return pwrite(k->status_fd, record, sizeof record, 0) == (ssize_t)sizeof record;
}

/* Makes `status`: from here on, this keeper is the one. 0, or errno; EEXIST: another is, or was. */
static int make_status(keeper *k)
{
    k->status_fd = openat(k->folder_fd, "status", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (k->status_fd < 0) return errno == ENOENT ? EEXIST : errno;
    char text[64];
    snprintf(text, sizeof text, "running %d %lld", (int)getpid(), (long long)clock_ms(CLOCK_REALTIME));
    return write_status(k, text) ? 0 : errno;
}

/* Writes how it ended and reports it. */
static _Noreturn void finish(keeper *k)
{
    ax_wire_report *r = &k->report;
    if (k->status_fd >= 0) {
        char text[AX_STATUS_BYTES];
        snprintf(text, sizeof text, "%s %d %d %lld %lld %lld %s", ax_wire_how_word(r->how), r->exit_code,
                 r->signal, (long long)r->duration_ms, (long long)r->cpu_ms, (long long)r->memory_kib,
                 r->text);
        write_status(k, text);
    }
    send(AX_WIRE_REPORTS, r, offsetof(ax_wire_report, text) + strlen(r->text) + 1, MSG_NOSIGNAL);
    _exit(0);
}

static _Noreturn void finish_unstarted(keeper *k)
{
    k->report.how = AX_WIRE_NOT_STARTED;
    if (k->log_fd >= 0) dprintf(k->log_fd, "ax: not started: %s\n", k->report.text);
    finish(k);
}

static _Noreturn void fail(keeper *k, int error, const char *what)
{
    if (error == EEXIST) {
        k->report.how = AX_WIRE_EXISTS;
        k->status_fd = -1;
        finish(k);
    }
    ax_text_add(k->report.text, sizeof k->report.text, "%s: %s", what, strerror(error));
    finish_unstarted(k);
}

/* Waits for a signal until the deadline; the signal, or 0. */
static int wait_signal(const keeper *k, int64_t wait_ms)
{
    struct timespec wait = {.tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000};
    int sig = sigtimedwait(&k->signals, NULL, wait_ms == NEVER ? NULL : &wait);
    return sig > 0 ? sig : 0;
}

/* Starts the command; what may pass (no process left, a script still being written) is tried again for a
 * while. */
static void start_command(keeper *k, const ax_wire_request *request)
{
    ax_launch launch;
    char *text = k->report.text;
    if (!ax_launch_prepare(&launch, request, text, sizeof k->report.text)) finish_unstarted(k);
    for (int tries = 0;; tries++) {
        bool passing;
        text[0] = '\0';
        k->started_ms = clock_ms(CLOCK_MONOTONIC);
        k->command = ax_launch_start(&launch, k->log_fd, &passing, text, sizeof k->report.text);
        if (k->command > 0) return;
        if (!passing || tries == RETRIES_MAX) finish_unstarted(k);
        int sig = wait_signal(k, RETRY_MS);
        if (sig != SIGTERM && sig != SIGUSR1) continue;
        k->report.how = AX_WIRE_STOPPED;
        finish(k);
    }
}

/* Takes note of how the command itself ended. */
static void note_end(keeper *k, int status)
{
    ax_wire_report *r = &k->report;
    bool stopped = k->phase >= TERMINATING;
    r->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    r->how = stopped ? AX_WIRE_STOPPED : r->signal ? AX_WIRE_SIGNALED : AX_WIRE_EXITED;
    r->duration_ms = clock_ms(CLOCK_MONOTONIC) - k->started_ms;
    k->command = 0;
    if (stopped) return;
    k->phase = LINGERING;
    k->deadline_ms = clock_ms(CLOCK_MONOTONIC) + LINGER_MS;
}

/* Reaps what has ended; false if nothing is left. */
static bool reap(keeper *k)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == k->command) note_end(k, status);
    return pid == 0;
}

static bool had_term(const keeper *k, pid_t pid)
{
    for (size_t i = 0; i < k->termed_count; i++)
        if (k->termed[i] == pid) return true;
    return false;
}

/* Signals every child as the phase asks: TERM once, KILL again and again. */
static void sweep(keeper *k)
{
    pid_t children[SWEEP_MAX];
    size_t count = ax_kin_children(children, SWEEP_MAX);
    if (count == 0 && k->command) children[count++] = k->command; /* a machine without /proc */
    for (size_t i = 0; i < count; i++) {
        if (k->phase == KILLING) {
            ax_kin_signal(children[i], SIGKILL);
        } else if (!had_term(k, children[i])) {
            ax_kin_signal(children[i], SIGTERM);
            if (k->termed_count < SWEEP_MAX) k->termed[k->termed_count++] = children[i];
        }
    }
}

/* Says in the log and in the report which processes had to be ended after their command. */
static void note_left(keeper *k)
{
    pid_t left[SWEEP_MAX];
    size_t count = ax_kin_children(left, SWEEP_MAX);
    char *text = k->report.text;
    const size_t size = sizeof k->report.text;
    if (count == 0) return;
    ax_text_add(text, size, "it left %zu process%s behind, which %s ended: ", count, count == 1 ? "" : "es",
                count == 1 ? "was" : "were");
    for (size_t i = 0; i < count && i < NAMED_MAX; i++) {
        if (i) ax_text_add(text, size, ", ");
        ax_kin_name(left[i], text, size);
    }
    if (count > NAMED_MAX) ax_text_add(text, size, ", ...");
    dprintf(k->log_fd, "ax: %s\n", text);
}

static void enter(keeper *k, phase next, int64_t wait_ms)
{
    if (next <= k->phase) return;
    k->phase = next;
    k->deadline_ms = wait_ms == NEVER ? NEVER : clock_ms(CLOCK_MONOTONIC) + wait_ms;
}

static void pass_deadline(keeper *k)
{
    if (k->phase == LINGERING) {
        note_left(k);
        enter(k, TERMINATING, LINGER_MS);
    } else {
        enter(k, KILLING, NEVER);
    }
}

/* Until nothing of the command exists. */
static void keep(keeper *k)
{
    k->deadline_ms = NEVER;
    while (reap(k)) {
        int64_t now_ms = clock_ms(CLOCK_MONOTONIC);
        if (now_ms >= k->deadline_ms) pass_deadline(k);
        if (k->phase >= TERMINATING) sweep(k);
        int64_t wait_ms = k->deadline_ms == NEVER   ? NEVER
                          : k->deadline_ms > now_ms ? k->deadline_ms - now_ms
                                                    : 0;
        if (k->phase >= TERMINATING && wait_ms > SWEEP_MS) wait_ms = SWEEP_MS;
        int sig = wait_signal(k, wait_ms);
        if (sig == SIGTERM) enter(k, TERMINATING, k->kill_after_ms);
        if (sig == SIGUSR1) enter(k, KILLING, NEVER);
    }
}

_Noreturn void ax_keeper_run(int root_fd, const ax_wire_request *request)
{
    keeper k = {.root_fd = root_fd, .folder_fd = -1, .status_fd = -1, .log_fd = -1};
    k.report.key = request->key;
    k.kill_after_ms = request->kill_after_ms;
    close(AX_WIRE_REQUESTS);
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, "ax-keeper");
    sigemptyset(&k.signals);
    sigaddset(&k.signals, SIGCHLD);
    sigaddset(&k.signals, SIGTERM);
    sigaddset(&k.signals, SIGUSR1);

    int error = make_folder(&k);
    if (!error) error = make_status(&k);
    if (error) fail(&k, error, "its folder can't be made");
    k.log_fd = openat(k.folder_fd, "log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (k.log_fd < 0) fail(&k, errno, "its log can't be made");
    start_command(&k, request);
    keep(&k);

    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    k.report.cpu_ms = (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                      (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
    k.report.memory_kib = usage.ru_maxrss;
    finish(&k);
}
