/* log_copy.c - see log_copy.h. */
#include "tools/ax/log_copy.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/fsm.h"
#include "runtime/exec/logfile.h"

#define CHUNK ((size_t)64 << 10)
#define TAIL_BYTES_MAX ((size_t)64 << 20)
#define WAIT_MS 500   /* how often to look, if nothing tells of a change */
#define STORE_MS 1000 /* how often to ask the store */

ax_log_copy ax_log_copy_new(ax_arena *mem, const char *root, ax_attempt_key key, ax_out *out)
{
    return (ax_log_copy){
        .out = out,
        .folder = ax_proc_path(mem, root, key, "."),
        .path = ax_proc_path(mem, root, key, "log"),
        .status = ax_proc_path(mem, root, key, "status"),
        .fd = -1,
        .line = AX_BUF_INIT(2 * CHUNK),
    };
}

static ax_rc open_log(ax_log_copy *copy, ax_err *err)
{
    return copy->fd >= 0 ? AX_OK : ax_logfile_open(copy->path, &copy->fd, err);
}

ax_rc ax_log_copy_skip(ax_log_copy *copy, uint32_t lines, ax_err *err)
{
    ax_buf bytes = AX_BUF_INIT(TAIL_BYTES_MAX + 1);
    ax_rc rc = open_log(copy, err);
    if (rc == AX_OK) rc = ax_logfile_tail(copy->fd, lines, TAIL_BYTES_MAX, &bytes, &copy->offset, err);
    ax_buf_free(&bytes);
    return rc;
}

/* ------------------------------------------------------------------------------------------- showing */

static void show_plain(ax_log_copy *copy, ax_str bytes)
{
    ax_buf plain = AX_BUF_INIT(16 * CHUNK);
    ax_logfile_plain(bytes, &plain);
    ax_out_add(copy->out, ax_buf_str(&plain));
    if (bytes.len > 0) copy->midline = bytes.ptr[bytes.len - 1] != '\n';
    ax_buf_free(&plain);
}

/* Whole lines now; the rest waits for its end, unless it gets too long. */
static void show_lines(ax_log_copy *copy, ax_str bytes)
{
    ax_buf_add(&copy->line, bytes);
    ax_str all = ax_buf_str(&copy->line);
    const char *end = all.len > 0 ? memrchr(all.ptr, '\n', all.len) : NULL;
    size_t whole = end != NULL ? (size_t)(end - all.ptr) + 1 : 0;
    if (all.len - whole >= CHUNK) whole += ax_logfile_whole(ax_str_slice(all, whole, all.len));
    show_plain(copy, ax_str_slice(all, 0, whole));
    size_t rest = all.len - whole;
    if (rest > 0) memmove(copy->line.ptr, copy->line.ptr + whole, rest);
    copy->line.len = rest;
}

ax_rc ax_log_copy_more(ax_log_copy *copy, ax_err *err)
{
    ax_buf bytes = AX_BUF_INIT(CHUNK + 1);
    ax_rc rc = open_log(copy, err);
    while (rc == AX_OK && copy->out->error == 0) {
        ax_buf_clear(&bytes);
        rc = ax_logfile_read(copy->fd, copy->offset, CHUNK, &bytes, err);
        if (rc != AX_OK || bytes.len == 0) break;
        copy->offset += bytes.len;
        if (copy->out->terminal) show_lines(copy, ax_buf_str(&bytes));
        else ax_out_add(copy->out, ax_buf_str(&bytes));
    }
    ax_buf_free(&bytes);
    return rc;
}

void ax_log_copy_end(ax_log_copy *copy)
{
    show_plain(copy, ax_buf_str(&copy->line));
    if (copy->midline) ax_out_adds(copy->out, "\n");
    ax_buf_free(&copy->line);
    if (copy->fd >= 0) close(copy->fd);
    copy->fd = -1;
}

/* ----------------------------------------------------------------------------------------- following */

/* True if the store knows that the attempt has ended. */
static ax_rc stored_end(ax_store *store, ax_attempt_key key, bool *ended, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_run_rows rows;
    ax_rc rc = store->ops->load_run(store, key.run, &mem, &rows, err);
    for (uint32_t i = 0; rc == AX_OK && i < rows.instance_count; i++) {
        const ax_instance_rec *rec = &rows.instances[i];
        if (rec->node == key.node && rec->attempt == key.attempt)
            *ended = ax_fsm_terminal(&ax_instance_fsm, rec->state);
    }
    ax_arena_free(&mem);
    return rc;
}

/* True if its keeper has written how the process ended: then the record does not begin with "running" any
 * more. */
static bool process_ended(const ax_log_copy *copy)
{
    char word[sizeof "running" - 1] = {0};
    int fd = open(copy->status, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool is_written = read(fd, word, sizeof word) == (ssize_t)sizeof word;
    close(fd);
    return is_written && memcmp(word, "running", sizeof word) != 0;
}

static int64_t monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until something in the folder changes, or for a while. */
static void wait_for_change(int notify)
{
    char events[4096];
    struct pollfd wait = {.fd = notify, .events = POLLIN};
    if (poll(&wait, 1, WAIT_MS) > 0)
        while (read(notify, events, sizeof events) > 0) continue;
}

ax_rc ax_log_copy_follow(ax_log_copy *copy, ax_store *store, ax_attempt_key key, ax_err *err)
{
    int notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), watch = -1;
    int64_t asked_ms = 0;
    bool ended = false;
    ax_rc rc = AX_OK;
    for (bool last = false; !last && copy->out->error == 0;) {
        if (watch < 0 && notify >= 0)
            watch = inotify_add_watch(notify, copy->folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO);
        last = ended; /* what it wrote before its end is read after that is known */
        rc = ax_log_copy_more(copy, err);
        if (rc != AX_OK && rc != AX_NOT_FOUND) break;
        rc = ax_out_flush(copy->out, err);
        if (rc != AX_OK || last) break;
        ended = process_ended(copy);
        if (!ended && monotonic_ms() - asked_ms >= STORE_MS) {
            rc = stored_end(store, key, &ended, err);
            if (rc != AX_OK) break;
            asked_ms = monotonic_ms();
        }
        if (!ended) wait_for_change(notify);
    }
    if (notify >= 0) close(notify);
    return rc;
}
