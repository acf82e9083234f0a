/* cron_notes.c - what is legal in a cron expression and still often a mistake. */
#include <stdarg.h>
#include <stdio.h>

#include "dsl/model/cron_words.h"

/* Fields, counted from the end of the text. */
enum { WEEKDAY_PLACE, MONTH_PLACE, DAY_PLACE, HOUR_PLACE, MINUTE_PLACE, SECOND_PLACE };

enum { STEP_SHOWN_MAX = 100000 };

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Where the n-th field from the end stands; the whole text if there is none (@daily). */
static void field_at(ax_str text, int n, uint32_t *at, uint32_t *len)
{
    size_t end = text.len;
    for (; n >= 0; n--) {
        while (end > 0 && is_space(text.ptr[end - 1])) end--;
        size_t beg = end;
        while (beg > 0 && !is_space(text.ptr[beg - 1])) beg--;
        *at = (uint32_t)beg;
        *len = (uint32_t)(end - beg);
        end = beg;
    }
}

__attribute__((format(printf, 2, 3))) static void say(char text[160], const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, 160, fmt, args);
    va_end(args);
}

static ax_cron_error never(ax_str text)
{
    ax_cron_error note = {0};
    field_at(text, DAY_PLACE, &note.at, &note.len);
    say(note.text, "no date ever matches: it never fires");
    return note;
}

/* A step that does not divide its field: the last one before the edge is shorter. */
static ax_cron_error uneven(const ax_cron *cron, ax_str text)
{
    static const struct {
        const char *unit;
        int size;
    } fields[] = {
        [HOUR_PLACE] = {"hour", 24}, [MINUTE_PLACE] = {"minute", 60}, [SECOND_PLACE] = {"second", 60}};
    ax_cron_error note = {0};
    int place = HOUR_PLACE, step = 0;
    field_at(text, place, &note.at, &note.len);
    while (note.at > cron->uneven_at && place < SECOND_PLACE) field_at(text, ++place, &note.at, &note.len);
    note.at = cron->uneven_at;
    note.len = cron->uneven_len;
    for (uint32_t i = note.at; i < note.at + note.len; i++) {
        char c = text.ptr[i];
        if (c >= '0' && c <= '9' && step < STEP_SHOWN_MAX / 10) step = step * 10 + (c - '0');
    }
    const char *unit = fields[place].unit;
    int size = fields[place].size, last = (size - 1) / step * step, rest = size - last;
    if (last == 0) say(note.text, "a step of %d is longer than the field: only %s 0 is left", step, unit);
    else
        say(note.text, "%d does not divide %d: after %s %d it starts again at 0, %d %s%s later", step, size,
            unit, last, rest, unit, rest == 1 ? "" : "s");
    return note;
}

/* How the two day fields go together, where both say something. */
static bool day_fields(const ax_cron *cron, ax_str text, ax_cron_error *note)
{
    uint32_t full_month = 0xfffffffeu, full_week = 0x7f;
    bool dates = cron->day != full_month, weekdays = cron->weekday != full_week;
    bool both = cron->day_star || cron->weekday_star;
    if (both && !(dates && weekdays)) return false;
    *note = (ax_cron_error){0};
    field_at(text, both && cron->day_star ? DAY_PLACE : WEEKDAY_PLACE, &note->at, &note->len);
    if (both) {
        say(note->text, "this field begins with '*', so both day fields must match");
        return true;
    }
    if (!dates || !weekdays) {
        say(note->text, "one day field matches every day, so the other one does not count");
        say(note->help, "write * for the field that should not restrict the days");
        return true;
    }
    say(note->text, "both day fields are given: it fires on days that match either");
    say(note->help, "write * for one of them if the other is meant alone");
    return true;
}

uint32_t ax_cron_notes(const ax_cron *cron, ax_str text, ax_cron_error notes[AX_CRON_NOTES_MAX])
{
    uint32_t count = 0;
    if (!ax_cron_fires(cron)) notes[count++] = never(text);
    if (cron->uneven_len) notes[count++] = uneven(cron, text);
    if (day_fields(cron, text, &notes[count])) count++;
    return count;
}
