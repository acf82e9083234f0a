/* assert.h - checks for our own bugs; they stay on in release.
 *
 * Bad input, a full disk or a refused event are never asserts: those are values (err.h) or diagnostics
 * (diag.h).
 */
#ifndef AX_BASE_ASSERT_H
#define AX_BASE_ASSERT_H

#include <stdbool.h>

/* Prints the broken expectation with its place and aborts. */
_Noreturn void ax_assert_failed(const char *expr, const char *file, int line);

/* Says that memory is used up and ends the process with exit code 3; state is durable, so nothing is lost. */
_Noreturn void ax_out_of_memory(void);

#define AX_ASSERT(expr) ((expr) ? (void)0 : ax_assert_failed(#expr, __FILE__, __LINE__))
#define AX_IMPLIES(a, b) AX_ASSERT(!(a) || (b))
#define AX_UNREACHABLE() ax_assert_failed("unreachable", __FILE__, __LINE__)

#endif
