/* exec.c - see exec.h. */
#include "tests/lib/exec.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/test.h"
#include "tests/lib/tmp.h"

#define PATIENCE_MS 60000 /* after this, a test is stuck */

const char *test_spawner(void)
{
    static char path[PATH_MAX];
    const char *given = getenv("AX_SPAWNER");
    if (given) return given;
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 16);
    assert_true(len > 0);
    path[len] = '\0';
    for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
        memcpy(slash, "/ax-spawner", sizeof "/ax-spawner");
        if (access(path, X_OK) == 0) return path;
        *slash = '\0';
    }
    fail_msg("there is no ax-spawner");
    return NULL;
}

void test_exec_open(test_exec *x)
{
    ax_err err = {0};
    test_tmp_make(x->root, sizeof x->root);
    x->kill_after_ms = TEST_KILL_AFTER_MS;
    assert_int_equal(ax_proc_open(x->root, test_spawner(), &x->proc, &err), AX_OK);
}

void test_exec_close(test_exec *x)
{
    ax_proc_close(x->proc);
    test_tmp_remove(x->root);
}

ax_attempt_key test_key(uint32_t node)
{
    return (ax_attempt_key){.run = 7, .node = node, .attempt = 1};
}

void test_start_words(test_exec *x, uint32_t node, const char *cwd, const char *const *argv)
{
    ax_str words[16];
    uint32_t count = 0;
    for (; argv[count]; count++) words[count] = ax_str_of(argv[count]);
    char root[600];
    snprintf(root, sizeof root, "ROOT=%s", x->root);
    const ax_str env[] = {ax_str_of(root), AX_LIT("GREETING=hello")};
    const ax_command command = {.argv = words,
                                .argc = count,
                                .env = env,
                                .env_count = 2,
                                .cwd = ax_str_of(cwd ? cwd : x->root),
                                .kill_after_ms = x->kill_after_ms};
    ax_err err = {0};
    assert_int_equal(ax_proc_start(x->proc, test_key(node), &command, &err), AX_OK);
    assert_int_equal(ax_proc_flush(x->proc, &err), AX_OK);
}

void test_start(test_exec *x, uint32_t node, const char *script)
{
    test_start_words(x, node, NULL, (const char *const[]){"sh", "-c", script, NULL});
}

const ax_proc_report *test_wait(test_exec *x)
{
    uint32_t count = 0;
    ax_err err = {0};
    while (count == 0) {
        struct pollfd fd = {.fd = ax_proc_fd(x->proc), .events = POLLIN};
        if (poll(&fd, 1, PATIENCE_MS) == 0) fail_msg("no report came");
        assert_int_equal(ax_proc_poll(x->proc, &x->last, 1, &count, &err), AX_OK);
    }
    return &x->last;
}

const char *test_root_file(test_exec *x, const char *file)
{
    static char text[65536];
    char path[800];
    snprintf(path, sizeof path, "%s/%s", x->root, file);
    int fd = open(path, O_RDONLY);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[got < 0 ? 0 : got] = '\0';
    return text;
}

const char *test_file(test_exec *x, uint32_t node, const char *file)
{
    char path[64];
    snprintf(path, sizeof path, "7/%u.1/%s", node, file);
    return test_root_file(x, path);
}

void test_await_file(test_exec *x, const char *file)
{
    for (int i = 0; i < PATIENCE_MS && !*test_root_file(x, file); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_true(*test_root_file(x, file));
}

int test_pid(test_exec *x, const char *file)
{
    test_await_file(x, file);
    return (int)strtol(test_root_file(x, file), NULL, 10);
}

int test_is_alive(int pid)
{
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY);
    if (fd < 0) return 0;
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    const char *state = got > 0 ? strrchr(text, ')') : NULL;
    return state && state[2] != 'Z' && state[2] != 'X';
}
