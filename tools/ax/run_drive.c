/* run_drive.c - see run_drive.h. Waits for the loop, for signals and for the next redraw, and decides nothing
 * about states: it hands in commands and reads the view.
 */
#include "tools/ax/run_drive.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

typedef struct {
    const ax_drive_config *config;
    ax_loop *loop;
    int signal_fd;
    unsigned stops; /* how often the user asked for the end */
    bool is_left;
    bool has_begun; /* the show has */
} drive;

static void on_committed(void *ctx, const ax_log_rec *rows, uint32_t count)
{
    drive *d = ctx;
    const ax_view *view = ax_loop_view(d->loop, d->config->run);
    d->config->show->ops->rows(d->config->show, view, rows, count);
}

static void on_refused(void *ctx, const ax_event *event, const ax_err *err)
{
    drive *d = ctx;
    char text[sizeof err->text + 64];
    snprintf(text, sizeof text, "%s: %s", event->person.len ? "not accepted" : "unexpected", err->text);
    d->config->show->ops->note(d->config->show, AX_STYLE_YELLOW, text);
}

static void on_trouble(void *ctx, const ax_err *err, int64_t retry_ms)
{
    drive *d = ctx;
    char text[sizeof err->text + 64];
    (void)retry_ms;
    if (err) snprintf(text, sizeof text, "%s; trying again", err->text);
    else snprintf(text, sizeof text, "the trouble is over");
    d->config->show->ops->note(d->config->show, err ? AX_STYLE_RED : AX_STYLE_GREEN, text);
}

/* First: cancel, with confirmation that nothing runs any more. Then: kill. Then: leave, should even that not
 * end. */
static ax_rc stop(drive *d, ax_err *err)
{
    ax_show *show = d->config->show;
    static const ax_event cancel = {.kind = AX_EVENT_CANCEL,
                                    .id = {"interrupt", sizeof "interrupt" - 1},
                                    .source = {"MANUAL_OVERRIDE", sizeof "MANUAL_OVERRIDE" - 1},
                                    .person = {"terminal", sizeof "terminal" - 1},
                                    .reason = {"interrupted", sizeof "interrupted" - 1},
                                    .node = AX_NONE};
    switch (d->stops++) {
    case 0:
        show->ops->note(show, AX_STYLE_YELLOW, "stopping what runs; again to kill it at once");
        ax_loop_submit(d->loop, d->config->run, &cancel);
        return AX_OK;
    case 1:
        show->ops->note(show, AX_STYLE_RED, "killing what runs; again to leave it as it is");
        return ax_loop_kill(d->loop, d->config->run, err);
    default:
        show->ops->note(show, AX_STYLE_RED, "left as it is: `ax run --resume` goes on with it");
        d->is_left = true;
        return AX_OK;
    }
}

static ax_rc take_signals(drive *d, ax_err *err)
{
    struct signalfd_siginfo info;
    ax_rc rc = AX_OK;
    while (!rc && read(d->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGWINCH) d->config->show->ops->resized(d->config->show);
        else if (info.ssi_signo == SIGHUP) d->is_left = true;
        else rc = stop(d, err);
    }
    return rc;
}

/* Nothing happens any more without an answer. */
static bool waits(const ax_view *view)
{
    return ax_view_places(view) == 0 && ax_view_next_ready(view) == AX_NONE &&
           ax_view_next_due(view) == INT64_MAX && ax_view_questions(view, NULL, 0) > 0;
}

static bool is_over(const drive *d, const ax_view *view)
{
    return d->is_left || (view && (ax_view_ended(view) || waits(view)));
}

static ax_rc turn(drive *d, ax_err *err)
{
    ax_rc rc = ax_loop_turn(d->loop, err);
    const ax_view *view = ax_loop_view(d->loop, d->config->run);
    struct pollfd fds[] = {{.fd = ax_loop_fd(d->loop), .events = POLLIN},
                           {.fd = d->signal_fd, .events = POLLIN}};
    if (rc || is_over(d, view)) return rc;
    int wait_ms = view ? d->config->show->ops->tick(d->config->show, view) : -1;
    if (poll(fds, 2, wait_ms) < 0 && errno != EINTR) return ax_fail_errno(err, "waiting");
    return fds[1].revents ? take_signals(d, err) : AX_OK;
}

static ax_rc drive_on(drive *d, ax_drive_end *end, ax_err *err)
{
    ax_show *show = d->config->show;
    ax_rc rc = ax_loop_add(d->loop, d->config->run, err);
    if (rc) return rc;
    for (uint32_t i = 0; i < d->config->command_count; i++)
        ax_loop_submit(d->loop, d->config->run, &d->config->commands[i]);
    show->ops->begin(show, ax_loop_view(d->loop, d->config->run));
    const ax_view *view = NULL;
    do {
        rc = turn(d, err);
        view = ax_loop_view(d->loop, d->config->run);
    } while (!rc && !is_over(d, view));
    if (view) show->ops->end(show, view);
    *end = d->is_left || !view                            ? AX_DRIVE_LEFT
           : !ax_view_ended(view)                         ? AX_DRIVE_WAITS
           : ax_view_run(view)->state == AX_RUN_SUCCEEDED ? AX_DRIVE_SUCCEEDED
                                                          : AX_DRIVE_FAILED;
    return rc;
}

/* True if whoever started us wants the signal to be nobody's business (nohup, a shell's background job). */
static bool is_ignored(int sig)
{
    struct sigaction action;
    return sigaction(sig, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

ax_rc ax_drive(const ax_drive_config *config, ax_drive_end *end, ax_err *err)
{
    drive d = {.config = config, .signal_fd = -1};
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH};
    sigset_t set, old;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!is_ignored(signals[i])) sigaddset(&set, signals[i]);
    sigprocmask(SIG_BLOCK, &set, &old);
    d.signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    const ax_loop_config loop_config = {
        .store = config->store,
        .proc = config->proc,
        .epoch = config->epoch,
        .lease_ttl_ms = config->lease_ttl_ms,
        .places = config->places,
        .observer = {.ctx = &d, .committed = on_committed, .refused = on_refused, .trouble = on_trouble}};
    ax_rc rc = d.signal_fd < 0 ? ax_fail_errno(err, "receiving signals") : AX_OK;
    if (!rc) rc = ax_loop_open(&loop_config, &d.loop, err);
    if (!rc) rc = drive_on(&d, end, err);
    ax_loop_close(d.loop);
    if (d.signal_fd >= 0) close(d.signal_fd);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return rc;
}
