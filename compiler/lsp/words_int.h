/* words_int.h - the words of the language said to people: what completion and hover show of them. */
#ifndef AX_COMPILER_LSP_WORDS_INT_H
#define AX_COMPILER_LSP_WORDS_INT_H

#include "dsl/base/buf.h"
#include "dsl/model/schema.h"

/* What a word says as the value of an attribute, as the outcome of an edge ("outcome") or as a value that
 * every run has ("root"); NULL if there is nothing to say. */
const char *ax_word_doc(const char *of, ax_str word);
/* The rows, for tests: false behind the last. */
bool ax_word_row(uint32_t i, const char **of, const char **word);

/* Takes the next alternative off the text that says how a special shape is written: "all | any | at_least(2)"
 * or "[exit(75), lost]"; false if there is none left. */
bool ax_form_next(const char **form, ax_str *out);
/* Appends what may stand behind `name =`: "a duration", "one of skip, pause". */
void ax_attr_values(const ax_attr_row *row, ax_buf *out);
/* Appends the attribute as it would be written, as a snippet with its value left open. */
void ax_attr_snippet(const ax_attr_row *row, ax_buf *out);
/* Appends the block as it would be written, as a snippet. */
void ax_kind_snippet(ax_kind kind, ax_buf *out);

#endif
