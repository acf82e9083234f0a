/* git.c - files of a revision, read through git.
 *
 * `rev-parse` and `cat-file -t` say what is there, `ls-tree` what is in a folder, and one `cat-file --batch`
 * gives all contents by their object ids, so that no name of a file is ever an argument. What git says when
 * it fails is shown, without its prefix.
 */
#include "tools/axc/git.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dsl/base/buf.h"
#include "dsl/base/source.h"

#define SUFFIX AX_LIT(".axf")
#define OUTPUT_BYTES_MAX ((size_t)AX_SOURCES_BYTES_MAX)
#define SAID_BYTES_MAX 400
#define READ_BYTES ((size_t)64 << 10)

extern char **environ;

/* One call of git. */
typedef struct {
    ax_buf out;                /* what it wrote */
    char said[SAID_BYTES_MAX]; /* the first line of its errors */
    int status;                /* exit code; 128 and more if a signal ended it */
} answer;

static void free_answer(answer *a)
{
    ax_buf_free(&a->out);
}

/* ---- running git ---- */

/* An unnamed file with this text, at its beginning; -1 with errno. */
static int file_with(ax_str text)
{
    int fd = memfd_create("git", MFD_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < text.len;) {
        ssize_t n = write(fd, text.ptr + at, text.len - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            close(fd);
            return -1;
        }
        at += (size_t)n;
    }
    if (fd >= 0) lseek(fd, 0, SEEK_SET);
    return fd;
}

static ax_rc read_all(int fd, ax_buf *out, ax_err *err)
{
    for (;;) {
        char *room = ax_buf_room(out, READ_BYTES);
        if (!room) return ax_fail(err, AX_IO, "git writes more than %zu bytes", out->max);
        ssize_t n = read(fd, room, READ_BYTES);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return ax_fail_errno(err, "can't read from git");
        if (n == 0) return AX_OK;
        out->len += (size_t)n;
    }
}

/* The first line of what git said on its way to fail. */
static void read_said(int fd, answer *a)
{
    ssize_t n = pread(fd, a->said, sizeof a->said - 1, 0);
    a->said[n > 0 ? n : 0] = 0;
    a->said[strcspn(a->said, "\n")] = 0;
    if (strncmp(a->said, "fatal: ", 7) == 0) memmove(a->said, a->said + 7, strlen(a->said + 7) + 1);
}

static ax_rc start(char *const *argv, int in, int out, int said, pid_t *pid, ax_err *err)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE); /* ignored here, and git should die of it */
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &pipe_signal);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    errno = posix_spawnp(pid, "git", &files, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    if (errno == 0) return AX_OK;
    bool missing = errno == ENOENT;
    ax_fail_errno(err, "can't run git");
    ax_err_help(err, "%s", missing ? "install git, or give files or folders" : "give files or folders");
    return AX_IO;
}

static ax_rc converse(char *const *argv, int in, int said, answer *a, ax_err *err)
{
    int ends[2], status = 0;
    pid_t pid = 0;
    if (pipe2(ends, O_CLOEXEC)) return ax_fail_errno(err, "can't run git");
    ax_rc rc = start(argv, in, ends[1], said, &pid, err);
    close(ends[1]);
    if (!rc) rc = read_all(ends[0], &a->out, err);
    close(ends[0]);
    while (pid && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    a->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return rc;
}

/* Runs git with these words and this input to its end; it may have failed: a->status. */
static ax_rc run(const char *const *words, ax_str input, answer *a, ax_err *err)
{
    *a = (answer){.out = AX_BUF_INIT(OUTPUT_BYTES_MAX)};
    int in = file_with(input), said = memfd_create("git", MFD_CLOEXEC);
    ax_rc rc = in < 0 || said < 0 ? ax_fail_errno(err, "can't run git")
                                  : converse((char *const *)(uintptr_t)words, in, said, a, err);
    if (!rc) read_said(said, a);
    if (in >= 0) close(in);
    if (said >= 0) close(said);
    return rc;
}

/* ---- what is there ---- */

bool ax_git_is_spec(const char *operand)
{
    return strchr(operand, ':') != NULL;
}

static ax_rc failed(const char *spec, const answer *a, ax_err *err)
{
    return ax_fail(err, AX_IO, "git can't read '%s': %s", spec, a->said[0] ? a->said : "it says nothing");
}

static ax_rc check_revision(ax_arena *mem, const char *spec, ax_str revision, ax_err *err)
{
    if (!revision.len) return AX_OK;
    if (revision.ptr[0] == '-') return ax_fail(err, AX_INVALID, "'%s' names no revision", spec);
    const char *tree = ax_str_fmt(mem, "%.*s^{tree}", AX_STR(revision)).ptr;
    const char *const words[] = {"git", "rev-parse", "--verify", "--quiet", tree, NULL};
    answer a;
    ax_rc rc = run(words, (ax_str){0}, &a, err);
    if (!rc && a.status && a.said[0]) rc = failed(spec, &a, err);
    else if (!rc && a.status)
        rc = ax_fail(err, AX_NOT_FOUND, "git knows no revision '%.*s'", AX_STR(revision));
    free_answer(&a);
    return rc;
}

static ax_rc find_type(const char *spec, ax_str revision, const char *path, bool *is_folder, ax_err *err)
{
    const char *const words[] = {"git", "cat-file", "-t", spec, NULL};
    answer a;
    ax_rc rc = run(words, (ax_str){0}, &a, err);
    if (!rc && a.status && revision.len)
        rc = ax_fail(err, AX_NOT_FOUND, "there is no '%s' in revision '%.*s'", path, AX_STR(revision));
    else if (!rc && a.status) rc = failed(spec, &a, err);
    *is_folder = ax_str_starts(ax_buf_str(&a.out), AX_LIT("tree"));
    free_answer(&a);
    return rc;
}

static ax_rc read_blob(ax_arena *mem, const char *spec, ax_git_files *out, ax_err *err)
{
    const char *const words[] = {"git", "cat-file", "blob", spec, NULL};
    answer a;
    ax_rc rc = run(words, (ax_str){0}, &a, err);
    if (!rc && a.status) rc = failed(spec, &a, err);
    ax_git_file file = {.path = ax_str_of(spec), .text = ax_str_dup(mem, ax_buf_str(&a.out))};
    if (!rc) ax_vec_push(mem, out, file);
    free_answer(&a);
    return rc;
}

/* ---- folders ---- */

static bool is_hidden(ax_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] == '.' && (i == 0 || path.ptr[i - 1] == '/')) return true;
    }
    return false;
}

/* The part before a separator; *rest goes on behind it. */
static ax_str until(ax_str *rest, char separator)
{
    const char *at = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
    size_t len = at ? (size_t)(at - rest->ptr) : rest->len;
    ax_str part = ax_str_slice(*rest, 0, len);
    *rest = ax_str_slice(*rest, len + 1, rest->len);
    return part;
}

/* "100644 blob ID\tPATH\0…": the workflow files among them, their ids a line each in `ids`. */
static void list_files(ax_arena *mem, const char *spec, ax_str list, ax_git_files *out, ax_buf *ids)
{
    size_t len = strlen(spec);
    const char *slash = spec[len - 1] == ':' || spec[len - 1] == '/' ? "" : "/";
    while (list.len) {
        ax_str path = until(&list, 0), mode = until(&path, ' '), type = until(&path, ' ');
        ax_str id = until(&path, '\t');
        bool is_file = ax_str_is(type, "blob") && !ax_str_is(mode, "120000");
        if (!is_file || is_hidden(path) || !ax_str_ends(path, SUFFIX)) continue;
        ax_git_file file = {.path = ax_str_fmt(mem, "%s%s%.*s", spec, slash, AX_STR(path)),
                            .name = ax_str_dup(mem, path)};
        ax_vec_push(mem, out, file);
        ax_buf_add(ids, id);
        ax_buf_addc(ids, '\n');
    }
}

/* "ID blob SIZE\nBYTES\n…", in the order in which they were asked for; false if it is anything else. */
static bool take_texts(ax_arena *mem, ax_str batch, ax_git_files *files)
{
    for (uint32_t i = 0; i < files->len; i++) {
        ax_str head = until(&batch, '\n');
        until(&head, ' ');
        if (!ax_str_is(until(&head, ' '), "blob") || !head.len) return false;
        unsigned long long size = strtoull(ax_str_c(mem, head), NULL, 10);
        if (size >= batch.len) return false;
        files->at[i].text = ax_str_dup(mem, ax_str_slice(batch, 0, (size_t)size));
        batch = ax_str_slice(batch, (size_t)size + 1, batch.len);
    }
    return true;
}

static ax_rc read_texts(ax_arena *mem, const char *spec, ax_str ids, ax_git_files *files, ax_err *err)
{
    static const char *const words[] = {"git", "cat-file", "--batch", NULL};
    answer a;
    ax_rc rc = run(words, ids, &a, err);
    if (!rc && a.status) rc = failed(spec, &a, err);
    if (!rc && !take_texts(mem, ax_buf_str(&a.out), files))
        rc = ax_fail(err, AX_IO, "git gives no contents for '%s'", spec);
    free_answer(&a);
    return rc;
}

static int file_cmp(const void *a, const void *b)
{
    return ax_str_cmp(((const ax_git_file *)a)->name, ((const ax_git_file *)b)->name);
}

static ax_rc read_folder(ax_arena *mem, const char *spec, ax_git_files *out, ax_err *err)
{
    const char *const words[] = {"git", "ls-tree", "-r", "-z", "--full-tree", spec, NULL};
    ax_buf ids = AX_BUF_INIT(OUTPUT_BYTES_MAX);
    answer a;
    ax_rc rc = run(words, (ax_str){0}, &a, err);
    if (!rc && a.status) rc = failed(spec, &a, err);
    if (!rc) list_files(mem, spec, ax_buf_str(&a.out), out, &ids);
    if (!rc && out->len) rc = read_texts(mem, spec, ax_buf_str(&ids), out, err);
    if (!rc && out->len) qsort(out->at, out->len, sizeof *out->at, file_cmp);
    ax_buf_free(&ids);
    free_answer(&a);
    return rc;
}

ax_rc ax_git_read(ax_arena *mem, const char *spec, ax_git_files *out, ax_err *err)
{
    const char *colon = strchr(spec, ':');
    ax_str revision = {spec, (size_t)(colon - spec)};
    bool is_folder = false;
    ax_rc rc = check_revision(mem, spec, revision, err);
    if (!rc) rc = find_type(spec, revision, colon + 1, &is_folder, err);
    if (rc) return rc;
    return is_folder ? read_folder(mem, spec, out, err) : read_blob(mem, spec, out, err);
}
