/* cron_words.h - a cron expression said to people: when it fires, and what to beware of.
 *
 * The words come from the sets of values that an expression stands for, not from how it is written, so they
 * say what happens: a step that does not divide the hour is shown as the minutes that it hits.
 */
#ifndef AX_MODEL_CRON_WORDS_H
#define AX_MODEL_CRON_WORDS_H

#include "dsl/base/buf.h"
#include "dsl/model/cron.h"

/* Appends when it fires: "at 02:30 on weekdays", "every 15 minutes from 09:00 to 17:45"; "never" if no date
 * matches. */
void ax_cron_words(const ax_cron *cron, ax_buf *out);

#define AX_CRON_NOTES_MAX 3

/* What a reader of an expression should know, each with its place in the text, as errors have it: that it
 * never fires, that a step starts again at its field's edge, how the two day fields go together. Returns how
 * many there are. */
uint32_t ax_cron_notes(const ax_cron *cron, ax_str text, ax_cron_error notes[AX_CRON_NOTES_MAX]);

#endif
