/* err.h - how a function says that it failed.
 *
 * A fallible function returns ax_rc (what its caller can do about it) and fills a caller-owned ax_err (what
 * to show). The function that fails fills it; a layer above may prefix its own words once. Nobody logs and
 * returns.
 */
#ifndef AX_BASE_ERR_H
#define AX_BASE_ERR_H

#include <stdint.h>

typedef enum {
    AX_OK = 0,
    AX_CONFLICT,  /* somebody else changed it first: load anew and decide again */
    AX_BUSY,      /* locked or overloaded: try again later */
    AX_NOT_FOUND, /* there is no such thing */
    AX_INVALID,   /* the input is wrong; the message says what and where */
    AX_REFUSED,   /* the state does not allow it; the message names both */
    AX_IO,        /* the environment failed: disk, process table, network */
} ax_rc;

typedef struct {
    char text[1024]; /* one line, no full stop; "" if there is none */
    char help[512];  /* what to do about it; "" if there is nothing to say */
} ax_err;

/* What is wrong with a short text, such as an expression on a command line: `at` and `len` are bytes of it.
 */
typedef struct {
    uint32_t at, len;
    char text[160]; /* lower case, no full stop */
    char help[160]; /* "" if there is none */
} ax_text_err;

/* Fills err (which may be NULL) and returns rc, so that `return ax_fail(...)` works. */
ax_rc ax_fail(ax_err *err, ax_rc rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same with ": " and the text of errno at the end; AX_IO. */
ax_rc ax_fail_errno(ax_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Puts "prefix: " before the message that is there. */
void ax_err_prefix(ax_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Sets the line that says what to do. */
void ax_err_help(ax_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
