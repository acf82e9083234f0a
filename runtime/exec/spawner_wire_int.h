/* spawner_wire_int.h - what ax, the spawner and its keepers say to each other, and the record in `status`.
 *
 * Two sockets join ax to its spawner: a stream of requests (AX_WIRE_REQUESTS), and packets of reports
 * (AX_WIRE_REPORTS) that the spawner and every keeper write and only ax reads. Both ends are of one build and
 * on one machine, so structs travel as they are; AX_WIRE_VERSION keeps an older spawner from being started.
 *
 * A folder's `status` is one record of AX_STATUS_BYTES, padded with spaces: text for people and programs. It
 * is made once, exclusively, under the folder's lock, as "running PID SINCE", and overwritten in place once,
 * as "HOW CODE SIGNAL DURATION_MS CPU_MS MEMORY_KIB TEXT": a full disk can't lose an end. This header knows
 * libc only: the spawner links nothing else.
 */
#ifndef AX_EXEC_SPAWNER_WIRE_INT_H
#define AX_EXEC_SPAWNER_WIRE_INT_H

#include <stdint.h>

#define AX_WIRE_VERSION "1"

enum { AX_WIRE_REQUESTS = 3, AX_WIRE_REPORTS = 4 }; /* descriptors of the spawner */

#define AX_STATUS_BYTES 512
#define AX_WIRE_TEXT_MAX 384
#define AX_WIRE_FRAME_MAX (16u << 20)

typedef struct {
    uint64_t run;
    uint32_t node, attempt;
    uint32_t slot; /* ax's own number for the attempt; comes back in reports */
    uint32_t unused;
} ax_wire_key;

typedef enum { AX_WIRE_START, AX_WIRE_TERM, AX_WIRE_KILL } ax_wire_verb;

/* Followed, for START, by NUL-terminated strings: cwd, argc words, envc entries. */
typedef struct {
    uint32_t size; /* of the whole frame; a multiple of 8 */
    uint32_t verb; /* ax_wire_verb */
    ax_wire_key key;
    uint32_t argc, envc;
    int64_t kill_after_ms;
} ax_wire_request;

/* Words of `status`, in the order of ax_wire_how. Only in reports: EXISTS, another keeper has the folder;
 * DIED, the keeper ended without saying how. */
#define AX_WIRE_HOWS(X)                                                                                      \
    X(RUNNING, "running")                                                                                    \
    X(EXITED, "exited")                                                                                      \
    X(SIGNALED, "signaled")                                                                                  \
    X(STOPPED, "stopped")                                                                                    \
    X(NOT_STARTED, "not_started") X(LOST, "lost") X(EXISTS, "exists") X(DIED, "died")

typedef enum {
#define X(how, word) AX_WIRE_##how,
    AX_WIRE_HOWS(X)
#undef X
        AX_WIRE_HOW_COUNT
} ax_wire_how;

/* The word of how in a status record. */
static inline const char *ax_wire_how_word(ax_wire_how how)
{
    static const char *const words[] = {
#define X(how_, word) word,
        AX_WIRE_HOWS(X)
#undef X
    };
    return words[how];
}

typedef struct {
    ax_wire_key key;
    uint32_t how; /* ax_wire_how */
    int32_t exit_code, signal;
    uint32_t unconfirmed; /* LOST: something of it may still run */
    int64_t duration_ms, cpu_ms, memory_kib;
    char text[AX_WIRE_TEXT_MAX]; /* NUL-terminated; what a person should know of it, or "" */
} ax_wire_report;

#endif
