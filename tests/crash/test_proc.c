/* test_proc.c - commands as they end: by themselves, by a signal, by being stopped, or not even begun. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/exec.h"
#include "tests/lib/test.h"

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

static const ax_proc_report *run(test_exec *x, const char *script)
{
    test_start(x, 1, script);
    return test_wait(x);
}

static void an_exit_code_is_reported_and_stays_in_the_status_file(void **state)
{
    test_exec *x = *state;
    const ax_proc_report *r = run(x, "echo out; echo err >&2; exit 3");
    assert_int_equal(r->report.how, AX_REPORT_EXITED);
    assert_int_equal(r->report.exit_code, 3);
    assert_int_equal(r->key.run, 7);
    assert_int_equal(r->key.node, 1);
    assert_string_equal(test_file(x, 1, "log"), "out\nerr\n");
    assert_memory_equal(test_file(x, 1, "status"), "exited 3 0 ", 11);
}

static void an_exit_of_256_is_a_success(void **state)
{
    const ax_proc_report *r = run(*state, "exit 256");
    assert_int_equal(r->report.how, AX_REPORT_EXITED);
    assert_int_equal(r->report.exit_code, 0);
}

static void a_signal_is_never_a_success(void **state)
{
    static const int signals[] = {SIGKILL, SIGTERM, SIGSEGV};
    for (uint32_t i = 0; i < 3; i++) {
        char script[64];
        snprintf(script, sizeof script, "kill -%d $$", signals[i]);
        test_start(*state, i, script);
        const ax_proc_report *r = test_wait(*state);
        assert_int_equal(r->report.how, AX_REPORT_SIGNALED);
        assert_int_equal(r->report.signal, signals[i]);
    }
}

static void a_stopped_process_has_not_ended(void **state)
{
    test_exec *x = *state;
    test_start(x, 1, "echo $$ >\"$ROOT/pid\"; kill -STOP $$; exit 5");
    int pid = test_pid(x, "pid");
    while (kill(pid, SIGCONT) == 0 && test_is_alive(pid)) usleep(1000);
    assert_int_equal(test_wait(x)->report.exit_code, 5);
}

static void the_environment_is_ours_and_the_commands(void **state)
{
    test_exec *x = *state;
    setenv("GREETING", "overridden", 1);
    run(x, "echo $GREETING $0; [ -n \"$PATH\" ] && [ -f /dev/stdin ] || cat; trap; ls /proc/self/fd | wc -l");
    assert_string_equal(test_file(x, 1, "log"), "hello sh\n4\n");
}

static void outputs_are_read_when_it_succeeds(void **state)
{
    const ax_proc_report *r = run(*state, "echo rows=12 >>\"$AX_OUTPUT\"");
    assert_int_equal(r->report.output_count, 1);
    assert_str(r->report.names[0], "rows");
    assert_str(r->report.values[0], "12");
}

static void a_bad_output_file_is_said_in_the_message(void **state)
{
    const ax_proc_report *r = run(*state, "echo rows >>\"$AX_OUTPUT\"");
    assert_int_equal(r->report.output_count, 0);
    assert_str(r->report.message, "$AX_OUTPUT, line 1 is not NAME=value: 'rows'");
}

static void any_bytes_are_kept_in_the_log(void **state)
{
    test_exec *x = *state;
    run(x, "printf 'one\\n\\200\\377\\n'; printf 'no newline'");
    assert_string_equal(test_file(x, 1, "log"), "one\n\200\377\nno newline");
}

/* ---- what can't begin ---- */

static void assert_not_started(test_exec *x, const char *const *argv, const char *cwd, const char *text)
{
    static uint32_t node = 100;
    test_start_words(x, ++node, cwd, argv);
    const ax_proc_report *r = test_wait(x);
    assert_int_equal(r->report.how, AX_REPORT_NOT_STARTED);
    assert_str(r->report.message, text);
    assert_non_null(strstr(test_file(x, node, "log"), text));
}

static void a_command_that_cannot_start_says_why(void **state)
{
    test_exec *x = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/script", x->root);
    FILE *f = fopen(path, "w");
    fputs("#!/no/such/interpreter\n", f);
    fclose(f);
    assert_not_started(x, (const char *const[]){"no-such-program", NULL}, NULL,
                       "there is no program 'no-such-program'");
    assert_not_started(x, (const char *const[]){"./script", NULL}, NULL, "'./script' is not executable");
    chmod(path, 0755);
    assert_not_started(x, (const char *const[]){"./script", NULL}, NULL,
                       "the interpreter that './script' names does not exist");
    f = fopen(path, "w");
    fputs("echo\n", f);
    fclose(f);
    assert_not_started(x, (const char *const[]){"./script", NULL}, NULL,
                       "'./script' is no program: it has no '#!' line");
    assert_not_started(x, (const char *const[]){"true", NULL}, "/no/such/folder",
                       "its folder '/no/such/folder' can't be entered: No such file or directory");
}

static void too_large_an_argument_says_so(void **state)
{
    char *large = calloc(1, 200000);
    memset(large, 'x', 199999);
    assert_not_started(
        *state, (const char *const[]){"true", large, NULL}, NULL,
        "its arguments and environment are too large for a process (one may have 128 KiB): hand "
        "large values over in a file");
    free(large);
}

/* ---- stopping ---- */

static void assert_stopped(test_exec *x, const char *script, bool now)
{
    test_start(x, 1, script);
    int pid = test_pid(x, "pid");
    ax_err err = {0};
    assert_int_equal(ax_proc_stop(x->proc, test_key(1), now, &err), AX_OK);
    const ax_proc_report *r = test_wait(x);
    assert_int_equal(r->report.how, AX_REPORT_STOPPED);
    assert_false(test_is_alive(pid));
}

static void a_stop_ends_the_whole_group(void **state)
{
    assert_stopped(*state, "sleep 300 & echo $! >\"$ROOT/pid\"; sleep 300; echo end", false);
    assert_string_equal(test_file(*state, 1, "log"), "");
}

static void a_stop_ends_a_pipeline(void **state)
{
    assert_stopped(*state, "echo $$ >\"$ROOT/pid\"; sleep 300 | cat", false);
}

static void who_ignores_term_is_killed(void **state)
{
    assert_stopped(*state, "trap '' TERM; echo $$ >\"$ROOT/pid\"; while :; do sleep 1; done", false);
}

static void a_kill_does_not_wait(void **state)
{
    assert_stopped(*state, "trap 'echo asked' TERM; echo $$ >\"$ROOT/pid\"; while :; do sleep 1; done", true);
    assert_string_equal(test_file(*state, 1, "log"), "");
}

static void who_left_its_session_is_found(void **state)
{
    assert_stopped(
        *state,
        "setsid sh -c 'trap \"\" TERM; setsid sh -c \"echo \\$\\$ >$ROOT/pid; sleep 300; :\" & wait' & wait",
        false);
}

static void who_lost_its_parent_is_found(void **state)
{
    assert_stopped(*state, "(setsid sh -c 'echo $$ >\"$ROOT/pid\"; exec sleep 300' &); sleep 300", false);
}

static void a_stopped_process_can_be_stopped(void **state)
{
    assert_stopped(*state, "echo $$ >\"$ROOT/pid\"; kill -STOP $$; sleep 300", false);
}

static void what_handles_term_and_exits_0_was_still_stopped(void **state)
{
    ((test_exec *)*state)->kill_after_ms = 600000;
    assert_stopped(
        *state, "trap 'echo cleaned; exit 0' TERM; echo $$ >\"$ROOT/pid\"; while :; do sleep 1; done", false);
    assert_non_null(strstr(test_file(*state, 1, "log"), "cleaned\n"));
}

static void a_stop_before_the_start_keeps_it_from_starting(void **state)
{
    test_exec *x = *state;
    ax_err err = {0};
    assert_int_equal(ax_proc_stop(x->proc, test_key(1), false, &err), AX_OK);
    assert_int_equal(test_wait(x)->report.how, AX_REPORT_STOPPED);
    test_start(x, 1, "echo ran");
    assert_int_equal(test_wait(x)->report.how, AX_REPORT_STOPPED);
    assert_string_equal(test_file(x, 1, "log"), "");
}

static void a_stop_after_the_end_reports_the_end(void **state)
{
    test_exec *x = *state;
    ax_err err = {0};
    run(x, "exit 4");
    assert_int_equal(ax_proc_stop(x->proc, test_key(1), false, &err), AX_OK);
    const ax_proc_report *r = test_wait(x);
    assert_int_equal(r->report.how, AX_REPORT_EXITED);
    assert_int_equal(r->report.exit_code, 4);
}

/* ---- what is left behind ---- */

static void a_background_child_does_not_hold_its_command_up(void **state)
{
    test_exec *x = *state;
    const ax_proc_report *r = run(x, "sleep 600 & echo $! >\"$ROOT/pid\"; echo done");
    assert_int_equal(r->report.how, AX_REPORT_EXITED);
    assert_int_equal(r->report.exit_code, 0);
    assert_true(r->duration_ms < 60000);
    assert_true(
        ax_str_starts(r->report.message, AX_LIT("it left 1 process behind, which was ended: sleep (")));
    assert_memory_equal(test_file(x, 1, "log"), "done\nax: it left 1 process", 26);
    assert_false(test_is_alive(test_pid(x, "pid")));
}

static void what_ends_by_itself_soon_after_is_left_alone(void **state)
{
    test_exec *x = *state;
    const ax_proc_report *r = run(x, "(sleep 0.05; echo late) & echo done");
    assert_str(r->report.message, "");
    assert_string_equal(test_file(x, 1, "log"), "done\nlate\n");
}

static void a_repeated_start_runs_nothing_twice(void **state)
{
    test_exec *x = *state;
    for (int i = 0; i < 3; i++) {
        test_start(x, 1, "echo once >>\"$ROOT/effect\"");
        test_start(x, 1, "echo once >>\"$ROOT/effect\"");
        assert_int_equal(test_wait(x)->report.exit_code, 0);
    }
    assert_string_equal(test_root_file(x, "effect"), "once\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_exit_code_is_reported_and_stays_in_the_status_file),
        TEST(an_exit_of_256_is_a_success),
        TEST(a_signal_is_never_a_success),
        TEST(a_stopped_process_has_not_ended),
        TEST(the_environment_is_ours_and_the_commands),
        TEST(outputs_are_read_when_it_succeeds),
        TEST(a_bad_output_file_is_said_in_the_message),
        TEST(any_bytes_are_kept_in_the_log),
        TEST(a_command_that_cannot_start_says_why),
        TEST(too_large_an_argument_says_so),
        TEST(a_stop_ends_the_whole_group),
        TEST(a_stop_ends_a_pipeline),
        TEST(who_ignores_term_is_killed),
        TEST(a_kill_does_not_wait),
        TEST(who_left_its_session_is_found),
        TEST(who_lost_its_parent_is_found),
        TEST(a_stopped_process_can_be_stopped),
        TEST(what_handles_term_and_exits_0_was_still_stopped),
        TEST(a_stop_before_the_start_keeps_it_from_starting),
        TEST(a_stop_after_the_end_reports_the_end),
        TEST(a_background_child_does_not_hold_its_command_up),
        TEST(what_ends_by_itself_soon_after_is_left_alone),
        TEST(a_repeated_start_runs_nothing_twice),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, NULL, NULL);
}
