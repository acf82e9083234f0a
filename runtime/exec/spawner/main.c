/* main.c - ax-spawner: forks a keeper for every START request that ax sends, and says which keepers were
 * killed.
 *
 *   ax-spawner VERSION ROOT      with requests on descriptor 3 and reports on 4; started by ax only
 *
 * It never runs a command itself and never waits for one. It is kept small because a fork costs what it maps.
 * When ax is gone (end of file) it handles what it was sent and ends; its keepers go on. Signals of a
 * terminal do not reach it: it has its own session, and blocks them.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/exec/spawner/spawner_int.h"

#define READ_BYTES 65536
#define IDLE_BYTES (256u << 10) /* an empty buffer larger than this is given back */
#define FORK_TRIES 40
#define FORK_WAIT_MS 50

typedef struct {
    pid_t pid;
    ax_wire_key key;
} child;

typedef struct {
    int root_fd, signal_fd;
    char *buf; /* requests as they came */
    size_t buf_cap, begin, end;
    child *children;
    size_t child_cap, child_count;
} spawner;

/* A larger mapping with the old one's content, or NULL. */
static void *grow(void *old, size_t old_size, size_t new_size)
{
    void *p = old ? mremap(old, old_size, new_size, MREMAP_MAYMOVE)
                  : mmap(NULL, new_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void report(const ax_wire_key *key, ax_wire_how how, const char *text)
{
    ax_wire_report r = {.key = *key, .how = how};
    ax_text_add(r.text, sizeof r.text, "%s", text);
    send(AX_WIRE_REPORTS, &r, offsetof(ax_wire_report, text) + strlen(r.text) + 1, MSG_NOSIGNAL);
}

/* Forgets keepers that have ended. One that did not end by itself has said nothing: ax is told. */
static void reap(spawner *s)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        size_t i = 0;
        while (i < s->child_count && s->children[i].pid != pid) i++;
        if (i == s->child_count) continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) report(&s->children[i].key, AX_WIRE_DIED, "");
        s->children[i] = s->children[--s->child_count];
    }
}

/* A fork that waits for better times if the machine has no process left; -1 if they do not come. */
static pid_t fork_patiently(spawner *s)
{
    for (int i = 0; i < FORK_TRIES; i++) {
        pid_t pid = fork();
        if (pid >= 0) return pid;
        nanosleep(&(struct timespec){.tv_nsec = FORK_WAIT_MS * 1000000L}, NULL);
        reap(s);
    }
    return -1;
}

static void start(spawner *s, const ax_wire_request *request)
{
    if (s->child_count == s->child_cap) {
        size_t cap = s->child_cap ? 2 * s->child_cap : 4096 / sizeof(child);
        child *larger = grow(s->children, s->child_cap * sizeof(child), cap * sizeof(child));
        if (!larger) {
            report(&request->key, AX_WIRE_NOT_STARTED, "the spawner is out of memory");
            return;
        }
        s->children = larger;
        s->child_cap = cap;
    }
    pid_t pid = fork_patiently(s);
    if (pid == 0) ax_keeper_run(s->root_fd, request);
    if (pid > 0) {
        s->children[s->child_count++] = (child){.pid = pid, .key = request->key};
        return;
    }
    char text[128] = "";
    ax_text_add(text, sizeof text, "no process could be made for it: %s", strerror(errno));
    report(&request->key, AX_WIRE_NOT_STARTED, text);
}

/* A keeper that is not there has ended, and its report is on its way. */
static void stop(spawner *s, const ax_wire_request *request)
{
    const ax_wire_key *key = &request->key;
    for (size_t i = 0; i < s->child_count; i++) {
        const child *c = &s->children[i];
        if (c->key.run == key->run && c->key.node == key->node && c->key.attempt == key->attempt)
            kill(c->pid, request->verb == AX_WIRE_KILL ? SIGUSR1 : SIGTERM);
    }
}

/* Handles every whole frame. */
static bool handle_requests(spawner *s)
{
    while (s->end - s->begin >= sizeof(ax_wire_request)) {
        const ax_wire_request *request = (const ax_wire_request *)(const void *)(s->buf + s->begin);
        if (request->size < sizeof *request || request->size > AX_WIRE_FRAME_MAX || request->size % 8 != 0)
            return false;
        if (s->end - s->begin < request->size) break;
        if (request->verb == AX_WIRE_START) start(s, request);
        else stop(s, request);
        s->begin += request->size;
    }
    if (s->begin == s->end) s->begin = s->end = 0;
    return true;
}

/* Room for READ_BYTES behind the data, which moves to the front first. */
static bool make_room(spawner *s)
{
    if (s->begin) {
        memmove(s->buf, s->buf + s->begin, s->end - s->begin);
        s->end -= s->begin;
        s->begin = 0;
    }
    size_t cap = s->buf_cap;
    if (cap - s->end < READ_BYTES) cap = cap ? 2 * cap : 2 * READ_BYTES;
    if (s->end == 0 && cap > IDLE_BYTES) cap = IDLE_BYTES;
    if (cap == s->buf_cap) return true;
    char *moved = grow(s->buf, s->buf_cap, cap);
    if (!moved) return false;
    s->buf = moved;
    s->buf_cap = cap;
    return true;
}

/* False: ax is gone, or nothing sensible can come from it any more. */
static bool read_requests(spawner *s)
{
    if (!make_room(s)) return false;
    ssize_t got = read(AX_WIRE_REQUESTS, s->buf + s->end, s->buf_cap - s->end);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    s->end += (size_t)got;
    return got > 0 && handle_requests(s);
}

static void serve(spawner *s)
{
    struct pollfd fds[] = {{.fd = AX_WIRE_REQUESTS, .events = POLLIN},
                           {.fd = s->signal_fd, .events = POLLIN}};
    for (;;) {
        if (poll(fds, 2, -1) < 0) continue;
        if (fds[1].revents) {
            struct signalfd_siginfo info;
            (void)!read(s->signal_fd, &info, sizeof info);
            reap(s);
        }
        if (fds[0].revents && !read_requests(s)) return;
    }
}

/* Blocked signals stay pending in a keeper until it waits for them; nothing is ignored, so commands inherit
 * defaults. */
static bool set_signals(spawner *s)
{
    for (int sig = 1; sig < NSIG; sig++) signal(sig, SIG_DFL);
    sigset_t blocked, ends;
    sigemptyset(&blocked);
    const int signals[] = {SIGCHLD, SIGTERM, SIGUSR1, SIGINT, SIGHUP, SIGQUIT, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&blocked, signals[i]);
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    s->signal_fd = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    return sigprocmask(SIG_SETMASK, &blocked, NULL) == 0 && s->signal_fd >= 0;
}

int main(int argc, char **argv)
{
    if (argc != 3 || strcmp(argv[1], AX_WIRE_VERSION) != 0) return 64;
    spawner s = {.root_fd = -1};
    close_range(AX_WIRE_REPORTS + 1, ~0U, 0);
    if (fcntl(AX_WIRE_REQUESTS, F_SETFD, FD_CLOEXEC) != 0 || fcntl(AX_WIRE_REPORTS, F_SETFD, FD_CLOEXEC) != 0)
        return 64;
    s.root_fd = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s.root_fd < 0 || !set_signals(&s)) return 71;
    serve(&s);
    return 0;
}
