/* proc.c - ax's side of the spawner: what is watched, what was asked, what has ended.
 *
 * An attempt is watched in a slot from start (or adoption) to its report. As long as the spawner that it was
 * given to lives, its report comes from its keeper or, if that was killed, from the spawner. Of everything
 * else the keeper's pidfd says when to look at its folder. The frame of a start is kept until the report, so
 * a new spawner can be given what the old one had not yet done; doing so twice is harmless, since only one
 * keeper can make the folder.
 */
#include "runtime/exec/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dsl/base/assert.h"
#include "dsl/base/file.h"
#include "dsl/base/vec.h"
#include "runtime/exec/folder_int.h"
#include "runtime/exec/output.h"

#define OUT_BYTES_MAX ((size_t)1 << 30)   /* requests not yet taken by the spawner */
#define FRAME_KEPT_MAX ((size_t)64 << 10) /* an idle slot's buffer larger than this is given back */
#define FIRST_FREE_FD 10                  /* the spawner's descriptors are below */
#define EVENTS_MAX 64
#define NEVER_AGAIN "stopped before it started"

extern char **environ;

typedef struct {
    bool is_used;
    ax_wire_key key;
    int pidfd;                /* -1: its keeper is the present spawner's child */
    ax_buf frame;             /* how to start it again; empty: it was adopted */
    bool is_asked, is_killed; /* TERM, KILL was asked for */
} watch;

struct ax_proc {
    ax_arena mem; /* holds this struct too */
    char root[PATH_MAX], program[PATH_MAX];
    int root_fd, epoll_fd, wake_fd;
    int request_fd; /* -1: there is no spawner */
    int report_fd, report_write_fd;
    pid_t spawner;
    struct rlimit files; /* as we were given it: commands get this one */
    ax_buf out;          /* frames, from out_at on not yet sent */
    size_t out_at;
    bool is_waiting; /* for room in the request socket */
    AX_VEC(watch) watches;
    AX_VEC(uint32_t) free_slots;
    AX_VEC(ax_wire_report) ready; /* reports not yet handed out, oldest first from ready_at */
    uint32_t ready_at;
    ax_arena report_mem; /* strings of the last poll */
};

/* Tags of epoll events: slots of watches, and these. */
#define TAG_REPORTS UINT64_MAX
#define TAG_REQUESTS (UINT64_MAX - 1)
#define TAG_WAKE (UINT64_MAX - 2)

static ax_rc epoll_set(ax_proc *p, int op, int fd, uint32_t events, uint64_t tag, ax_err *err)
{
    struct epoll_event ev = {.events = events, .data.u64 = tag};
    return epoll_ctl(p->epoll_fd, op, fd, &ev) == 0 ? AX_OK : ax_fail_errno(err, "watching a descriptor");
}

/* Closes a descriptor that epoll may watch. */
static void close_watched(ax_proc *p, int *fd)
{
    if (*fd < 0) return;
    epoll_ctl(p->epoll_fd, EPOLL_CTL_DEL, *fd, NULL);
    close(*fd);
    *fd = -1;
}

/* Makes ax_proc_fd readable: there are reports that no socket will announce. */
static void wake(ax_proc *p)
{
    uint64_t one = 1;
    (void)!write(p->wake_fd, &one, sizeof one);
}

static void push_ready(ax_proc *p, const ax_wire_report *report)
{
    ax_vec_push(&p->mem, &p->ready, *report);
    wake(p);
}

/* ---- watches ---- */

static bool same_key(const ax_wire_key *a, const ax_wire_key *b)
{
    return a->run == b->run && a->node == b->node && a->attempt == b->attempt;
}

static watch *find_watch(ax_proc *p, const ax_wire_key *key)
{
    for (uint32_t i = 0; i < p->watches.len; i++)
        if (p->watches.at[i].is_used && same_key(&p->watches.at[i].key, key)) return &p->watches.at[i];
    return NULL;
}

static watch *add_watch(ax_proc *p, const ax_wire_key *key)
{
    if (!p->free_slots.len) {
        ax_vec_push(&p->mem, &p->watches, (watch){.frame = AX_BUF_INIT(AX_WIRE_FRAME_MAX)});
        ax_vec_push(&p->mem, &p->free_slots, p->watches.len - 1);
    }
    uint32_t slot = p->free_slots.at[--p->free_slots.len];
    watch *w = &p->watches.at[slot];
    AX_ASSERT(!w->is_used && !w->frame.len);
    w->is_used = true;
    w->key = *key;
    w->key.slot = slot;
    w->pidfd = -1;
    w->is_asked = w->is_killed = false;
    return w;
}

static void drop_watch(ax_proc *p, watch *w)
{
    close_watched(p, &w->pidfd);
    if (w->frame.cap > FRAME_KEPT_MAX) ax_buf_free(&w->frame);
    else ax_buf_clear(&w->frame);
    w->is_used = false;
    ax_vec_push(&p->mem, &p->free_slots, w->key.slot);
}

/* ---- requests ---- */

static void queue_frame(ax_proc *p, ax_str frame)
{
    if (p->out_at == p->out.len) {
        ax_buf_clear(&p->out);
        p->out_at = 0;
    }
    ax_buf_add(&p->out, frame);
}

static void add_string(ax_buf *frame, ax_str s)
{
    ax_buf_add(frame, s);
    ax_buf_addc(frame, '\0');
}

/* Builds the START frame of a command; false if it is larger than any command may be. */
static bool build_frame(const ax_proc *p, const ax_wire_key *key, const ax_command *command, ax_buf *frame)
{
    char path[AX_FOLDER_PATH_MAX];
    ax_folder_path(key, "output", path);
    ax_wire_request head = {.verb = AX_WIRE_START,
                            .key = *key,
                            .argc = command->argc,
                            .envc = command->env_count + 1,
                            .kill_after_ms = command->kill_after_ms};
    ax_buf_add(frame, (ax_str){(const char *)&head, sizeof head});
    add_string(frame, command->cwd);
    for (uint32_t i = 0; i < command->argc; i++) add_string(frame, command->argv[i]);
    for (uint32_t i = 0; i < command->env_count; i++) add_string(frame, command->env[i]);
    ax_buf_addf(frame, "AX_OUTPUT=%s/%s", p->root, path);
    ax_buf_addc(frame, '\0');
    do ax_buf_addc(frame, '\0');
    while (frame->len % 8 != 0);
    if (frame->full) return false;
    head.size = (uint32_t)frame->len;
    memcpy(frame->ptr, &head, sizeof head);
    return true;
}

static void queue_stop(ax_proc *p, const watch *w)
{
    ax_wire_request head = {
        .size = sizeof head, .verb = w->is_killed ? AX_WIRE_KILL : AX_WIRE_TERM, .key = w->key};
    queue_frame(p, (ax_str){(const char *)&head, sizeof head});
}

ax_rc ax_proc_flush(ax_proc *p, ax_err *err)
{
    while (p->request_fd >= 0 && p->out_at < p->out.len) {
        ssize_t sent =
            send(p->request_fd, p->out.ptr + p->out_at, p->out.len - p->out_at, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) break; /* full: goes on when there is room; broken: the poll sees it */
        p->out_at += (size_t)sent;
    }
    bool must_wait = p->out_at < p->out.len;
    if (p->request_fd < 0 || must_wait == p->is_waiting) return AX_OK;
    p->is_waiting = must_wait;
    return epoll_set(p, EPOLL_CTL_MOD, p->request_fd, must_wait ? EPOLLOUT : 0, TAG_REQUESTS, err);
}

/* ---- adoption ---- */

static void send_stop(ax_proc *p, const watch *w)
{
    if (w->pidfd < 0) queue_stop(p, w);
    else pidfd_send_signal(w->pidfd, w->is_killed ? SIGUSR1 : SIGTERM, NULL, 0);
}

/* Makes it certain that an attempt without a folder never starts, and reports it so. */
static ax_rc mark(ax_proc *p, watch *w, ax_wire_how how, const char *text, ax_err *err)
{
    ax_wire_report report = {.key = w->key, .how = how};
    snprintf(report.text, sizeof report.text, "%s", text);
    ax_rc rc = ax_folder_mark(p->root_fd, &w->key, how, text, err);
    if (rc) return rc;
    push_ready(p, &report);
    return AX_OK;
}

/* Looks at the folder of a watched attempt and goes on from there. */
static ax_rc adopt(ax_proc *p, watch *w, ax_err *err)
{
    ax_folder folder;
    close_watched(p, &w->pidfd);
    ax_rc rc = ax_folder_look(p->root_fd, &w->key, &folder, err);
    if (rc) return rc;
    if (folder.state == AX_FOLDER_ENDED) {
        push_ready(p, &folder.report);
        return AX_OK;
    }
    if (folder.state == AX_FOLDER_KEPT) {
        w->pidfd = folder.pidfd;
        if (w->is_asked) send_stop(p, w);
        return epoll_set(p, EPOLL_CTL_ADD, w->pidfd, EPOLLIN, w->key.slot, err);
    }
    if (!w->is_asked && w->frame.len) {
        queue_frame(p, ax_buf_str(&w->frame));
        return ax_proc_flush(p, err);
    }
    rc = w->is_asked ? mark(p, w, AX_WIRE_STOPPED, NEVER_AGAIN, err)
                     : mark(p, w, AX_WIRE_LOST, "nothing is left of it", err);
    return rc == AX_CONFLICT ? adopt(p, w, err) : rc;
}

/* ---- spawner ---- */

static ax_rc find_program(ax_proc *p, const char *spawner, ax_err *err)
{
    if (spawner) {
        snprintf(p->program, sizeof p->program, "%s", spawner);
    } else {
        char self[PATH_MAX / 2];
        ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
        if (len < 0) return ax_fail_errno(err, "finding ax-spawner");
        self[len] = '\0';
        *strrchr(self, '/') = '\0';
        snprintf(p->program, sizeof p->program, "%s/ax-spawner", self);
        if (access(p->program, X_OK) != 0)
            snprintf(p->program, sizeof p->program, "%s/../libexec/ax/ax-spawner", self);
    }
    if (access(p->program, X_OK) == 0) return AX_OK;
    ax_fail_errno(err, "the program ax-spawner is missing ('%s')", p->program);
    ax_err_help(err, "install ax whole, or build it with `make`");
    return AX_IO;
}

/* A descriptor that is not in the way of the ones that the spawner gets. */
static int out_of_the_way(int fd)
{
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    close(fd);
    return moved;
}

static ax_rc spawn(ax_proc *p, int request_end, ax_err *err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);
    posix_spawn_file_actions_adddup2(&actions, request_end, AX_WIRE_REQUESTS);
    posix_spawn_file_actions_adddup2(&actions, p->report_write_fd, AX_WIRE_REPORTS);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID);
    char version[] = AX_WIRE_VERSION, name[] = "ax-spawner";
    char *argv[] = {name, version, p->root, NULL};
    int error = posix_spawn(&p->spawner, p->program, &actions, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    if (!error) prlimit(p->spawner, RLIMIT_NOFILE, &p->files, NULL);
    errno = error;
    return error ? ax_fail_errno(err, "starting '%s'", p->program) : AX_OK;
}

static ax_rc start_spawner(ax_proc *p, ax_err *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return ax_fail_errno(err, "making a socket for the spawner");
    p->request_fd = ends[0];
    int request_end = out_of_the_way(ends[1]);
    ax_rc rc = spawn(p, request_end, err);
    close(request_end);
    ax_buf_clear(&p->out);
    p->out_at = 0;
    p->is_waiting = false;
    if (!rc) rc = epoll_set(p, EPOLL_CTL_ADD, p->request_fd, 0, TAG_REQUESTS, err);
    if (rc) close_watched(p, &p->request_fd);
    return rc;
}

/* Takes leave of a spawner that is gone; an error if another one would fare no better. */
static ax_rc bury_spawner(ax_proc *p, ax_err *err)
{
    int status = 0;
    close_watched(p, &p->request_fd);
    while (waitpid(p->spawner, &status, 0) < 0 && errno == EINTR) continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 0) return AX_OK;
    ax_fail(err, AX_IO, "the program '%s' does not work (exit code %d)", p->program, WEXITSTATUS(status));
    ax_err_help(err, "it must be of the same build as ax: install both again");
    return AX_IO;
}

/* A new spawner; what the old one had is looked up, and given to the new one where it had not begun. */
static ax_rc replace_spawner(ax_proc *p, ax_err *err)
{
    ax_rc rc = p->request_fd >= 0 ? bury_spawner(p, err) : AX_OK;
    if (!rc) rc = start_spawner(p, err);
    for (uint32_t i = 0; i < p->watches.len && !rc; i++) {
        watch *w = &p->watches.at[i];
        if (w->is_used && w->pidfd < 0) rc = adopt(p, w, err);
    }
    return rc;
}

/* ---- reports ---- */

static void set_outputs(ax_proc *p, const ax_wire_key *key, ax_report *report)
{
    char path[AX_FOLDER_PATH_MAX];
    ax_output_list list;
    ax_err err = {0};
    ax_folder_path(key, "output", path);
    if (ax_output_read(p->root_fd, path, &p->report_mem, &list, &err)) {
        report->message = ax_str_dup(&p->report_mem, ax_str_of(err.text));
        return;
    }
    report->names = list.names;
    report->values = list.values;
    report->output_count = list.count;
}

static ax_proc_report translate(ax_proc *p, const ax_wire_report *wire)
{
    static const uint8_t hows[AX_WIRE_HOW_COUNT] = {
        [AX_WIRE_EXITED] = AX_REPORT_EXITED,   [AX_WIRE_SIGNALED] = AX_REPORT_SIGNALED,
        [AX_WIRE_STOPPED] = AX_REPORT_STOPPED, [AX_WIRE_NOT_STARTED] = AX_REPORT_NOT_STARTED,
        [AX_WIRE_LOST] = AX_REPORT_LOST,
    };
    AX_ASSERT(wire->how > AX_WIRE_RUNNING && wire->how <= AX_WIRE_LOST);
    ax_proc_report r = {.key = {wire->key.run, wire->key.node, wire->key.attempt},
                        .duration_ms = wire->duration_ms,
                        .cpu_ms = wire->cpu_ms,
                        .memory_kib = wire->memory_kib};
    r.report.how = hows[wire->how];
    r.report.exit_code = wire->exit_code;
    r.report.signal = wire->signal;
    r.report.unconfirmed = wire->unconfirmed != 0;
    r.report.message = ax_str_dup(&p->report_mem, ax_str_of(wire->text));
    if (wire->how == AX_WIRE_EXITED && wire->exit_code == 0) set_outputs(p, &wire->key, &r.report);
    return r;
}

/* The watch that a report belongs to; NULL: its attempt's end was handed out before. */
static watch *watch_of(ax_proc *p, const ax_wire_report *wire)
{
    if (wire->key.slot >= p->watches.len) return NULL;
    watch *w = &p->watches.at[wire->key.slot];
    return w->is_used && same_key(&w->key, &wire->key) ? w : NULL;
}

/* Hands out an end, once. */
static bool take_report(ax_proc *p, const ax_wire_report *wire, ax_proc_report *out)
{
    watch *w = watch_of(p, wire);
    if (!w) return false;
    *out = translate(p, wire);
    drop_watch(p, w);
    return true;
}

/* The next packet in the report socket; false if there is none. */
static bool receive(ax_proc *p, ax_wire_report *wire)
{
    for (;;) {
        ssize_t got = recv(p->report_fd, wire, sizeof *wire, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got <= (ssize_t)offsetof(ax_wire_report, text)) return false;
        wire->text[sizeof wire->text - 1] = '\0';
        return true;
    }
}

/* The folder says more than the packet: another keeper has it, or its keeper was killed. */
static ax_rc look_again(ax_proc *p, const ax_wire_report *wire, ax_err *err)
{
    watch *w = watch_of(p, wire);
    return w && w->pidfd < 0 ? adopt(p, w, err) : AX_OK;
}

static ax_rc handle_events(ax_proc *p, ax_err *err)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(p->epoll_fd, events, EVENTS_MAX, 0);
    bool is_gone = p->request_fd < 0;
    ax_rc rc = AX_OK;
    for (int i = 0; i < count && !rc; i++) {
        uint64_t tag = events[i].data.u64, wakes;
        if (tag == TAG_WAKE) (void)!read(p->wake_fd, &wakes, sizeof wakes);
        if (tag == TAG_REQUESTS && events[i].events & (EPOLLHUP | EPOLLERR)) is_gone = true;
        if (tag == TAG_REQUESTS && !is_gone) rc = ax_proc_flush(p, err);
        if (tag < p->watches.len && p->watches.at[tag].pidfd >= 0) rc = adopt(p, &p->watches.at[tag], err);
    }
    return is_gone && !rc ? replace_spawner(p, err) : rc;
}

ax_rc ax_proc_poll(ax_proc *p, ax_proc_report *reports, uint32_t max, uint32_t *count, ax_err *err)
{
    ax_wire_report wire;
    *count = 0;
    ax_arena_reset(&p->report_mem);
    ax_rc rc = handle_events(p, err);
    while (*count < max && !rc && receive(p, &wire)) {
        if (wire.how == AX_WIRE_EXISTS || wire.how == AX_WIRE_DIED) rc = look_again(p, &wire, err);
        else if (take_report(p, &wire, &reports[*count])) ++*count;
    }
    while (*count < max && p->ready_at < p->ready.len)
        if (take_report(p, &p->ready.at[p->ready_at++], &reports[*count])) ++*count;
    if (p->ready_at < p->ready.len) wake(p);
    else p->ready.len = p->ready_at = 0;
    return *count ? AX_OK : rc;
}

/* ---- the rest ---- */

static ax_wire_key wire_key(ax_attempt_key key)
{
    return (ax_wire_key){.run = key.run, .node = key.node, .attempt = key.attempt};
}

ax_rc ax_proc_start(ax_proc *p, ax_attempt_key key, const ax_command *command, ax_err *err)
{
    (void)err;
    AX_ASSERT(command->argc > 0);
    ax_wire_key wire = wire_key(key);
    if (find_watch(p, &wire)) return AX_OK;
    watch *w = add_watch(p, &wire);
    if (build_frame(p, &w->key, command, &w->frame)) {
        queue_frame(p, ax_buf_str(&w->frame));
        return AX_OK;
    }
    ax_wire_report report = {.key = w->key, .how = AX_WIRE_NOT_STARTED};
    snprintf(report.text, sizeof report.text,
             "its arguments and environment are too large for a process: "
             "hand large values over in a file");
    push_ready(p, &report);
    return AX_OK;
}

ax_rc ax_proc_stop(ax_proc *p, ax_attempt_key key, bool now, ax_err *err)
{
    ax_wire_key wire = wire_key(key);
    watch *w = find_watch(p, &wire);
    bool is_known = w != NULL;
    if (!is_known) w = add_watch(p, &wire);
    w->is_asked = true;
    w->is_killed = w->is_killed || now;
    if (!is_known) return adopt(p, w, err);
    send_stop(p, w);
    return ax_proc_flush(p, err);
}

ax_rc ax_proc_adopt(ax_proc *p, ax_attempt_key key, ax_err *err)
{
    ax_wire_key wire = wire_key(key);
    if (find_watch(p, &wire)) return AX_OK;
    return adopt(p, add_watch(p, &wire), err);
}

bool ax_proc_has_begun(const ax_proc *p, ax_attempt_key key)
{
    char path[AX_FOLDER_PATH_MAX];
    ax_wire_key wire = wire_key(key);
    ax_folder_path(&wire, "status", path);
    return faccessat(p->root_fd, path, F_OK, 0) == 0;
}

/* Each adopted attempt takes a descriptor. What is raised here is not passed on. */
static void raise_file_limit(ax_proc *p)
{
    if (getrlimit(RLIMIT_NOFILE, &p->files) != 0) return;
    struct rlimit raised = {.rlim_cur = p->files.rlim_max, .rlim_max = p->files.rlim_max};
    setrlimit(RLIMIT_NOFILE, &raised);
}

static ax_rc open_parts(ax_proc *p, const char *root, const char *spawner, ax_err *err)
{
    int ends[2];
    if (root[0] != '/' || strlen(root) >= sizeof p->root)
        return ax_fail(err, AX_INVALID, "the folder for attempts is not an absolute path: '%s'", root);
    memcpy(p->root, root, strlen(root) + 1);
    ax_rc rc = find_program(p, spawner, err);
    if (!rc) rc = ax_dir_make(root, err);
    if (rc) return rc;
    p->root_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    p->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    p->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (p->root_fd < 0 || p->epoll_fd < 0 || p->wake_fd < 0) return ax_fail_errno(err, "opening '%s'", root);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return ax_fail_errno(err, "making a socket for the spawner");
    p->report_fd = ends[0];
    p->report_write_fd = out_of_the_way(ends[1]);
    rc = epoll_set(p, EPOLL_CTL_ADD, p->report_fd, EPOLLIN, TAG_REPORTS, err);
    if (!rc) rc = epoll_set(p, EPOLL_CTL_ADD, p->wake_fd, EPOLLIN, TAG_WAKE, err);
    raise_file_limit(p);
    return rc ? rc : start_spawner(p, err);
}

ax_rc ax_proc_open(const char *root, const char *spawner, ax_proc **out, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_proc *p = AX_NEW(&mem, ax_proc);
    p->mem = mem;
    p->root_fd = p->epoll_fd = p->wake_fd = p->request_fd = p->report_fd = p->report_write_fd = -1;
    p->out = AX_BUF_INIT(OUT_BYTES_MAX);
    ax_rc rc = open_parts(p, root, spawner, err);
    if (rc) {
        ax_proc_close(p);
        p = NULL;
    }
    *out = p;
    return rc;
}

int ax_proc_fd(const ax_proc *p)
{
    return p->epoll_fd;
}

void ax_proc_close(ax_proc *p)
{
    if (!p) return;
    for (uint32_t i = 0; i < p->watches.len; i++) {
        if (p->watches.at[i].is_used) close_watched(p, &p->watches.at[i].pidfd);
        ax_buf_free(&p->watches.at[i].frame);
    }
    if (p->request_fd >= 0) {
        close_watched(p, &p->request_fd);
        while (waitpid(p->spawner, NULL, 0) < 0 && errno == EINTR) continue;
    }
    const int fds[] = {p->report_fd, p->report_write_fd, p->wake_fd, p->epoll_fd, p->root_fd};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0) close(fds[i]);
    ax_buf_free(&p->out);
    ax_arena_free(&p->report_mem);
    ax_arena mem = p->mem;
    ax_arena_free(&mem);
}

const char *ax_proc_path(ax_arena *mem, const char *root, ax_attempt_key key, const char *file)
{
    char path[AX_FOLDER_PATH_MAX];
    ax_wire_key wire = wire_key(key);
    ax_folder_path(&wire, file, path);
    return ax_str_fmt(mem, "%s/%s", root, path).ptr;
}
