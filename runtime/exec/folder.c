/* folder.c - reading an attempt's folder without a race.
 *
 * A keeper holds the folder's lock for as long as it lives, and only the keeper that made `status` under the
 * lock starts the command. So, with the lock in hand: a final record is the end; a "running" one belongs to a
 * dead keeper; no record at all means that nothing has started, and removing the folder keeps its maker, if
 * there is one, from starting. A pid is believed only if the lock is still held after its pidfd was opened: a
 * reused pid does not hold it.
 */
#include "runtime/exec/folder_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dsl/base/assert.h"
#include "dsl/base/str.h"

#define LOOKS_MAX 1000 /* a keeper needs microseconds from its lock to its pid */
#define LOOK_WAIT_NS 1000000L

typedef struct {
    bool is_valid;
    ax_wire_how how;
    int64_t numbers[5]; /* running: pid, since; else: code, signal, duration, cpu, memory */
    const char *text;   /* into the record */
} status_record;

void ax_folder_path(const ax_wire_key *key, const char *file, char path[AX_FOLDER_PATH_MAX])
{
    snprintf(path, AX_FOLDER_PATH_MAX, "%" PRIu64 "/%" PRIu32 ".%" PRIu32 "%s%s", key->run, key->node,
             key->attempt, file ? "/" : "", file ? file : "");
}

static ax_wire_how how_of(ax_str word)
{
    uint32_t how = 0;
    while (how < AX_WIRE_EXISTS && !ax_str_is(word, ax_wire_how_word(how))) how++;
    return how;
}

/* Reads `status`; record is where its text goes. Not valid: it is not there, or not whole. */
static status_record read_status(int folder_fd, char record[AX_STATUS_BYTES])
{
    status_record s = {0};
    int fd = openat(folder_fd, "status", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return s;
    ssize_t got = pread(fd, record, AX_STATUS_BYTES, 0);
    close(fd);
    if (got != AX_STATUS_BYTES || record[AX_STATUS_BYTES - 1] != '\n') return s;
    size_t len = AX_STATUS_BYTES - 1;
    while (len > 0 && record[len - 1] == ' ') len--;
    record[len] = '\0';

    size_t word = strcspn(record, " ");
    s.how = how_of((ax_str){record, word});
    s.is_valid = s.how < AX_WIRE_EXISTS;
    const char *at = record + word;
    for (int i = 0; i < (s.how == AX_WIRE_RUNNING ? 2 : 5) && s.is_valid; i++) {
        char *end;
        s.numbers[i] = strtoll(at, &end, 10);
        s.is_valid = end != at;
        at = end;
    }
    s.text = *at == ' ' ? at + 1 : at;
    return s;
}

static bool take_lock(int folder_fd)
{
    return flock(folder_fd, LOCK_EX | LOCK_NB) == 0;
}

/* True if the machine was started after `since_ms`. */
static bool rebooted_since(int64_t since_ms)
{
    struct timespec now, up;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    return (int64_t)(now.tv_sec - up.tv_sec) * 1000 > since_ms;
}

static void set_end(const status_record *s, ax_folder *out)
{
    ax_wire_report *r = &out->report;
    const char *text = s->text;
    out->state = AX_FOLDER_ENDED;
    if (!s->is_valid || s->how == AX_WIRE_RUNNING) {
        r->how = AX_WIRE_LOST;
        r->unconfirmed = !s->is_valid || !rebooted_since(s->numbers[1]);
        text = !s->is_valid     ? "its status file is damaged"
               : r->unconfirmed ? "its keeper was killed"
                                : "the machine was restarted";
    } else {
        r->how = s->how;
        r->exit_code = (int32_t)s->numbers[0];
        r->signal = (int32_t)s->numbers[1];
        r->duration_ms = s->numbers[2];
        r->cpu_ms = s->numbers[3];
        r->memory_kib = s->numbers[4];
    }
    snprintf(r->text, sizeof r->text, "%s", text);
}

/* With the lock in hand: what is there is final. False: the folder has gone. */
static bool look_unkept(int root_fd, int folder_fd, const char *path, ax_folder *out)
{
    char record[AX_STATUS_BYTES];
    status_record s = read_status(folder_fd, record);
    if (!s.is_valid && faccessat(folder_fd, "status", F_OK, 0) != 0) {
        out->state = AX_FOLDER_NONE;
        if (unlinkat(root_fd, path, AT_REMOVEDIR) == 0) return true;
        if (errno != ENOTEMPTY && errno != EEXIST) return false;
    }
    set_end(&s, out);
    return true;
}

/* Somebody has the lock: finds out who. False: not yet to be seen, or gone meanwhile. */
static bool look_kept(int folder_fd, ax_folder *out)
{
    char record[AX_STATUS_BYTES];
    status_record s = read_status(folder_fd, record);
    if (!s.is_valid || s.how != AX_WIRE_RUNNING || s.numbers[0] <= 0 || s.numbers[0] > INT_MAX) return false;
    int pidfd = pidfd_open((pid_t)s.numbers[0], 0);
    if (pidfd < 0) return false;
    if (take_lock(folder_fd)) {
        flock(folder_fd, LOCK_UN);
        close(pidfd);
        return false;
    }
    out->state = AX_FOLDER_KEPT;
    out->pidfd = pidfd;
    return true;
}

static bool look_once(int root_fd, const ax_wire_key *key, ax_folder *out, int *error)
{
    char path[AX_FOLDER_PATH_MAX];
    ax_folder_path(key, NULL, path);
    int folder_fd = openat(root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *error = folder_fd < 0 && errno != ENOENT ? errno : 0;
    if (folder_fd < 0) return true;
    bool done = take_lock(folder_fd) ? look_unkept(root_fd, folder_fd, path, out) : look_kept(folder_fd, out);
    close(folder_fd);
    return done;
}

ax_rc ax_folder_look(int root_fd, const ax_wire_key *key, ax_folder *out, ax_err *err)
{
    *out = (ax_folder){.state = AX_FOLDER_NONE, .pidfd = -1, .report.key = *key};
    int error = 0;
    for (int i = 0; i < LOOKS_MAX; i++) {
        if (look_once(root_fd, key, out, &error)) {
            errno = error;
            return error ? ax_fail_errno(err, "the folder of an attempt can't be read") : AX_OK;
        }
        nanosleep(&(struct timespec){.tv_nsec = LOOK_WAIT_NS}, NULL);
    }
    out->state = AX_FOLDER_ENDED;
    out->report.how = AX_WIRE_LOST;
    out->report.unconfirmed = 1;
    snprintf(out->report.text, sizeof out->report.text, "its keeper does not say who it is");
    return AX_OK;
}

ax_rc ax_folder_mark(int root_fd, const ax_wire_key *key, ax_wire_how how, const char *text, ax_err *err)
{
    AX_ASSERT(strlen(text) < AX_WIRE_TEXT_MAX);
    char path[AX_FOLDER_PATH_MAX], run[32], record[AX_STATUS_BYTES];
    ax_folder_path(key, NULL, path);
    snprintf(run, sizeof run, "%" PRIu64, key->run);
    if (mkdirat(root_fd, run, 0777) != 0 && errno != EEXIST)
        return ax_fail_errno(err, "making a folder for a run");
    if (mkdirat(root_fd, path, 0777) != 0)
        return errno == EEXIST ? ax_fail(err, AX_CONFLICT, "the attempt has a folder already")
                               : ax_fail_errno(err, "making the folder of an attempt");
    ax_folder_path(key, "status", path);
    int fd = openat(root_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno == EEXIST ? ax_fail(err, AX_CONFLICT, "the attempt has a folder already")
                               : ax_fail_errno(err, "marking an attempt");
    memset(record, ' ', sizeof record);
    int len = snprintf(record, sizeof record, "%s 0 0 0 0 0 %s", ax_wire_how_word(how), text);
    record[len] = ' ';
    record[sizeof record - 1] = '\n';
    bool done = write(fd, record, sizeof record) == (ssize_t)sizeof record;
    if (!done) ax_fail_errno(err, "marking an attempt");
    close(fd);
    return done ? AX_OK : AX_IO;
}
