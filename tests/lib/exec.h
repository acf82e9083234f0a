/* exec.h - running commands in a test: a fresh folder, a spawner, and reports that are waited for. */
#ifndef AX_TESTS_LIB_EXEC_H
#define AX_TESTS_LIB_EXEC_H

#include "runtime/exec/proc.h"

#define TEST_KILL_AFTER_MS 300

typedef struct {
    char root[512];
    ax_proc *proc;
    int64_t kill_after_ms; /* of commands started from now on */
    ax_proc_report last;   /* what test_wait gave; strings live until the next one */
} test_exec;

/* A fresh root folder below $TMPDIR, and a spawner. */
void test_exec_open(test_exec *x);
void test_exec_close(test_exec *x);
/* The program ax-spawner of this build. */
const char *test_spawner(void);

/* The key of attempt 1 at a node of run 7. */
ax_attempt_key test_key(uint32_t node);
/* Starts `sh -c script` in the root folder. */
void test_start(test_exec *x, uint32_t node, const char *script);
/* The same with any words; argv ends with NULL. */
void test_start_words(test_exec *x, uint32_t node, const char *cwd, const char *const *argv);
/* Waits for one report (of any attempt) and fails the test if none comes. */
const ax_proc_report *test_wait(test_exec *x);
/* The content of a file of the attempt ("log", "status"), or of a file below the root; valid until the next
 * call. "" if there is none. */
const char *test_file(test_exec *x, uint32_t node, const char *file);
const char *test_root_file(test_exec *x, const char *file);
/* Waits until a file below the root has some content. */
void test_await_file(test_exec *x, const char *file);
/* The pid that stands in a file below the root, awaited. */
int test_pid(test_exec *x, const char *file);
/* True if the process exists and is no zombie. */
int test_is_alive(int pid);

#endif
