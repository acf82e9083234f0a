/* file.c - reading whole files within a bound, and replacing them so that no reader sees half of one. */
#include "dsl/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, TEMP_TRIES_MAX = 100 };

static ax_rc fail_open(const char *path, ax_err *err)
{
    ax_rc rc = errno == ENOENT || errno == ENOTDIR ? AX_NOT_FOUND : AX_IO;
    ax_fail_errno(err, "cannot open %s", path);
    return rc;
}

/* read, again when a signal came between. */
static ssize_t read_some(int fd, char *to, size_t size)
{
    ssize_t n;
    do n = read(fd, to, size);
    while (n < 0 && errno == EINTR);
    return n;
}

static ax_rc read_all(int fd, const char *path, ax_buf *out, ax_err *err)
{
    for (;;) {
        char probe; /* with a full buffer, one more byte tells "just full" from "too large" */
        size_t left = out->max - out->len;
        size_t size = left == 0 ? 1 : left < CHUNK ? left : CHUNK;
        char *to = left == 0 ? &probe : ax_buf_room(out, size);
        ssize_t n = read_some(fd, to, size);
        if (n < 0) return ax_fail_errno(err, "cannot read %s", path);
        if (n == 0) return AX_OK;
        if (left == 0) return ax_fail(err, AX_INVALID, "%s is larger than %zu bytes", path, out->max);
        out->len += (size_t)n;
        out->ptr[out->len] = '\0';
    }
}

ax_rc ax_file_read(const char *path, ax_buf *out, ax_err *err)
{
    if (strcmp(path, "-") == 0) return read_all(STDIN_FILENO, "standard input", out, err);

    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_open(path, err);
    struct stat st;
    ax_rc rc;
    if (fstat(fd, &st) != 0) rc = ax_fail_errno(err, "cannot read %s", path);
    else if (S_ISDIR(st.st_mode)) rc = ax_fail(err, AX_INVALID, "%s is a directory", path);
    else rc = read_all(fd, path, out, err);
    close(fd);
    return rc;
}

static ax_rc write_all(int fd, const char *path, ax_str text, ax_err *err)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.ptr, text.len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return ax_fail_errno(err, "cannot write %s", path);
        text = ax_str_slice(text, (size_t)n, text.len);
    }
    return AX_OK;
}

/* Devices and pipes have no "beside it": they are written where they are. */
static ax_rc write_in_place(const char *path, ax_str text, ax_err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail_open(path, err);
    ax_rc rc = write_all(fd, path, text, err);
    if (close(fd) != 0 && !rc) rc = ax_fail_errno(err, "cannot write %s", path);
    return rc;
}

/* Opens a new file beside path and stores its name in temp. */
static int open_temp(const char *path, char temp[PATH_MAX])
{
    for (int i = 0; i < TEMP_TRIES_MAX; i++) {
        int len = snprintf(temp, PATH_MAX, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        if (len < 0 || len >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* Replaces the regular file at path, or makes it; `old` is what is there now, or NULL. */
static ax_rc replace(const char *path, const struct stat *old, ax_str text, ax_err *err)
{
    char temp[PATH_MAX];
    int fd = open_temp(path, temp);
    if (fd < 0) return fail_open(path, err);

    ax_rc rc = AX_OK;
    if (old && fchmod(fd, old->st_mode & 07777) != 0)
        rc = ax_fail_errno(err, "cannot set the mode of %s", temp);
    if (!rc) rc = write_all(fd, path, text, err);
    if (!rc && fsync(fd) != 0) rc = ax_fail_errno(err, "cannot write %s", path);
    if (close(fd) != 0 && !rc) rc = ax_fail_errno(err, "cannot write %s", path);
    if (!rc && rename(temp, path) != 0) rc = ax_fail_errno(err, "cannot replace %s", path);
    if (rc) unlink(temp);
    return rc;
}

ax_rc ax_file_write(const char *path, ax_str text, ax_err *err)
{
    struct stat st;
    if (stat(path, &st) != 0) return replace(path, NULL, text, err);
    if (S_ISDIR(st.st_mode)) return ax_fail(err, AX_INVALID, "%s is a directory", path);
    if (!S_ISREG(st.st_mode)) return write_in_place(path, text, err);
    if (access(path, W_OK) != 0) return ax_fail_errno(err, "cannot write %s", path);

    /* Through a symbolic link: the link stays, its target is replaced. */
    char target[PATH_MAX];
    if (!realpath(path, target)) return ax_fail_errno(err, "cannot write %s", path);
    return replace(target, &st, text, err);
}

ax_rc ax_dir_make(const char *path, ax_err *err)
{
    char part[PATH_MAX];
    size_t len = strlen(path);
    if (len == 0 || len >= sizeof part)
        return ax_fail(err, AX_INVALID, "'%s' is no usable folder name", path);
    memcpy(part, path, len + 1);
    for (size_t i = 1; i <= len; i++) {
        if (part[i] != '/' && part[i] != '\0') continue;
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return ax_fail_errno(err, "cannot make the folder %s", part);
        if (i < len) part[i] = '/';
    }
    struct stat st;
    if (stat(path, &st) != 0) return ax_fail_errno(err, "cannot make the folder %s", path);
    if (!S_ISDIR(st.st_mode)) return ax_fail(err, AX_INVALID, "%s is not a folder", path);
    return AX_OK;
}
