/* err.c - filling an ax_err. A message that is too long is cut, never lost. */
#include "dsl/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends to the text that is there; what does not fit is dropped. */
static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

ax_rc ax_fail(ax_err *err, ax_rc rc, const char *fmt, ...)
{
    if (!err) return rc;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    err->help[0] = '\0';
    return rc;
}

ax_rc ax_fail_errno(ax_err *err, const char *fmt, ...)
{
    int number = errno;
    if (!err) return AX_IO;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    char reason[128];
    append(err->text, sizeof err->text, ": ");
    append(err->text, sizeof err->text, strerror_r(number, reason, sizeof reason));
    err->help[0] = '\0';
    return AX_IO;
}

void ax_err_prefix(ax_err *err, const char *fmt, ...)
{
    if (!err) return;
    char text[sizeof err->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    append(text, sizeof text, ": ");
    append(text, sizeof text, err->text);
    memcpy(err->text, text, sizeof text);
}

void ax_err_help(ax_err *err, const char *fmt, ...)
{
    if (!err) return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->help, sizeof err->help, fmt, args);
    va_end(args);
}
