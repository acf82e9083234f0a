/* test_proc_crash.c - what runs when somebody is killed: ax, the spawner, a keeper. Every command appends a
 * line to a file, so that a start that is lost or repeated shows.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/exec.h"
#include "tests/lib/test.h"

#define TASKS 12
#define MANY (getenv("AX_LONG") ? 2000u : 300u)
#define IN_FLIGHT 16

static int setup(void **state)
{
    test_exec *x = calloc(1, sizeof *x);
    test_exec_open(x);
    *state = x;
    return 0;
}

static int teardown(void **state)
{
    test_exec_close(*state);
    free(*state);
    return 0;
}

/* The only child of this process: the spawner. */
static pid_t spawner_pid(void)
{
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *got = fgets(text, sizeof text, f);
    fclose(f);
    return got ? (pid_t)strtol(text, NULL, 10) : 0;
}

static pid_t keeper_pid(test_exec *x, uint32_t node)
{
    char file[64];
    snprintf(file, sizeof file, "7/%u.1/status", node);
    test_await_file(x, file);
    assert_memory_equal(test_root_file(x, file), "running ", 8);
    return (pid_t)strtol(test_root_file(x, file) + 8, NULL, 10);
}

/* How many lines of the file are the text. */
static unsigned count_lines(test_exec *x, const char *file, const char *text)
{
    unsigned count = 0;
    size_t len = strlen(text);
    for (const char *at = test_root_file(x, file); *at; at = strchr(at, '\n') + 1)
        count += strncmp(at, text, len) == 0 && at[len] == '\n';
    return count;
}

static void start_all(test_exec *x, uint32_t first, uint32_t end, const char *then)
{
    for (uint32_t node = first; node < end; node++) {
        char script[256];
        snprintf(script, sizeof script, "echo %u >>\"$ROOT/effect\"; %s; exit %u", node, then, node % 100);
        test_start(x, node, script);
    }
}

/* Takes the reports of `count` attempts and checks each against its node's exit code. */
static void take_all(test_exec *x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const ax_proc_report *r = test_wait(x);
        assert_int_equal(r->report.how, AX_REPORT_EXITED);
        assert_int_equal(r->report.exit_code, r->key.node % 100);
    }
}

static void assert_each_once(test_exec *x, uint32_t first, uint32_t end)
{
    for (uint32_t node = first; node < end; node++) {
        char text[16];
        snprintf(text, sizeof text, "%u", node);
        assert_int_equal(count_lines(x, "effect", text), 1);
    }
}

static void a_killed_spawner_costs_nothing(void **state)
{
    test_exec *x = *state;
    start_all(x, 0, TASKS, "while [ ! -e \"$ROOT/go\" ]; do sleep 0.01; done");
    test_await_file(x, "effect");
    kill(spawner_pid(), SIGKILL);
    start_all(x, TASKS, 2 * TASKS, ":");
    char path[600];
    snprintf(path, sizeof path, "%s/go", x->root);
    fclose(fopen(path, "w"));
    take_all(x, 2 * TASKS);
    assert_each_once(x, 0, 2 * TASKS);
}

static void a_killed_spawner_can_still_be_told_to_stop(void **state)
{
    test_exec *x = *state;
    ax_err err = {0};
    test_start(x, 1, "echo $$ >\"$ROOT/pid\"; sleep 300");
    int pid = test_pid(x, "pid");
    kill(spawner_pid(), SIGKILL);
    assert_int_equal(ax_proc_stop(x->proc, test_key(1), false, &err), AX_OK);
    assert_int_equal(test_wait(x)->report.how, AX_REPORT_STOPPED);
    assert_false(test_is_alive(pid));
}

static void a_killed_keeper_is_lost_and_takes_its_command_along(void **state)
{
    test_exec *x = *state;
    test_start(x, 1, "echo $$ >\"$ROOT/pid\"; exec sleep 300");
    int pid = test_pid(x, "pid");
    kill(keeper_pid(x, 1), SIGKILL);
    const ax_proc_report *r = test_wait(x);
    assert_int_equal(r->report.how, AX_REPORT_LOST);
    assert_true(r->report.unconfirmed);
    assert_str(r->report.message, "its keeper was killed");
    while (test_is_alive(pid)) usleep(1000);
}

static void what_is_lost_stays_lost(void **state)
{
    test_exec *x = *state;
    ax_err err = {0};
    assert_int_equal(ax_proc_adopt(x->proc, test_key(1), &err), AX_OK);
    assert_int_equal(test_wait(x)->report.how, AX_REPORT_LOST);
    test_start(x, 1, "echo 1 >>\"$ROOT/effect\"");
    assert_int_equal(test_wait(x)->report.how, AX_REPORT_LOST);
    assert_string_equal(test_root_file(x, "effect"), "");
}

/* A child process starts everything, and is killed; its spawner goes with it. */
static void start_in_a_process_that_is_killed(test_exec *x, const char *then)
{
    ax_proc *own = x->proc;
    ax_err err = {0};
    pid_t pid = fork();
    if (pid == 0) {
        if (ax_proc_open(x->root, test_spawner(), &x->proc, &err)) _exit(1);
        start_all(x, 0, TASKS, then);
        kill(getpid(), SIGKILL);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
    x->proc = own;
}

static void adopt_all(test_exec *x)
{
    ax_err err = {0};
    for (uint32_t node = 0; node < TASKS; node++) {
        char file[64];
        snprintf(file, sizeof file, "7/%u.1/status", node);
        test_await_file(x, file);
        assert_int_equal(ax_proc_adopt(x->proc, test_key(node), &err), AX_OK);
    }
}

static void what_a_killed_ax_started_is_adopted(void **state)
{
    test_exec *x = *state;
    start_in_a_process_that_is_killed(x, "sleep 0.0$$");
    adopt_all(x);
    take_all(x, TASKS);
    assert_each_once(x, 0, TASKS);
}

static void starts_after_a_killed_ax_repeat_nothing(void **state)
{
    test_exec *x = *state;
    start_in_a_process_that_is_killed(x, ":");
    start_all(x, 0, TASKS, ":");
    take_all(x, TASKS);
    assert_each_once(x, 0, TASKS);
}

static void an_adopted_attempt_can_be_stopped_and_killed(void **state)
{
    test_exec *x = *state;
    ax_err err = {0};
    start_in_a_process_that_is_killed(x, "trap '' TERM; while :; do sleep 300; done");
    adopt_all(x);
    for (uint32_t node = 0; node < TASKS; node++)
        assert_int_equal(ax_proc_stop(x->proc, test_key(node), node % 2 == 0, &err), AX_OK);
    for (uint32_t node = 0; node < TASKS; node++)
        assert_int_equal(test_wait(x)->report.how, AX_REPORT_STOPPED);
}

static void many_tasks_survive_many_killed_spawners(void **state)
{
    test_exec *x = *state;
    uint32_t started = 0, done = 0, many = MANY;
    while (done < many) {
        uint32_t more =
            many - started < IN_FLIGHT - (started - done) ? many - started : IN_FLIGHT - (started - done);
        start_all(x, started, started + more, ":");
        started += more;
        if (done % 23 == 0) kill(spawner_pid(), SIGKILL);
        take_all(x, 1);
        done++;
    }
    unsigned lines = 0;
    for (const char *at = test_root_file(x, "effect"); *at; at++) lines += *at == '\n';
    assert_int_equal(lines, many);
    assert_each_once(x, 0, many);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_killed_spawner_costs_nothing),
        TEST(a_killed_spawner_can_still_be_told_to_stop),
        TEST(a_killed_keeper_is_lost_and_takes_its_command_along),
        TEST(what_is_lost_stays_lost),
        TEST(what_a_killed_ax_started_is_adopted),
        TEST(starts_after_a_killed_ax_repeat_nothing),
        TEST(an_adopted_attempt_can_be_stopped_and_killed),
        TEST(many_tasks_survive_many_killed_spawners),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, NULL);
}
