/* plan_doc_int.h - what writer and reader of the task-definition document must agree on: what is left out. */
#ifndef AX_MODEL_PLAN_DOC_INT_H
#define AX_MODEL_PLAN_DOC_INT_H

#include "dsl/base/str.h"

#define AX_DOC_VERSION 1
#define AX_DOC_KILL_AFTER_MS 30000
#define AX_DOC_WINDOW_MS 86400000
#define AX_DOC_FACTOR 2.0

/* The words before a script that names no shell: sh -eu -c. */
static const ax_str ax_doc_shell[] = {{"sh", 2}, {"-eu", 3}, {"-c", 2}};
#define AX_DOC_SHELL_COUNT 3

/* True for those words, and for none. */
static inline bool ax_doc_is_default_shell(const ax_str *words, uint32_t count)
{
    if (count == 0) return true;
    if (count != AX_DOC_SHELL_COUNT) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!ax_str_eq(words[i], ax_doc_shell[i])) return false;
    return true;
}

#endif
