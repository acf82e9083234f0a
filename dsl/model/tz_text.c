/* tz_text.c - a moment as the clocks of a zone show it. */
#include "dsl/model/tz_text.h"

#include "dsl/model/units.h"

enum { SECOND_MS = 1000, DAY_S = 86400 };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* "+01:00"; seconds only where a zone had them. */
static void add_offset(ax_buf *out, int32_t offset)
{
    int32_t size = offset < 0 ? -offset : offset;
    ax_buf_addf(out, "%c%02d:%02d", offset < 0 ? '-' : '+', size / 3600, size / 60 % 60);
    if (size % 60) ax_buf_addf(out, ":%02d", size % 60);
}

static void add_time(ax_buf *out, int64_t second_of_day, bool seconds)
{
    ax_buf_addf(out, "%02d:%02d", (int)(second_of_day / 3600), (int)(second_of_day / 60 % 60));
    if (seconds) ax_buf_addf(out, ":%02d", (int)(second_of_day % 60));
}

void ax_zone_text(const ax_zone *zone, int64_t at_ms, ax_buf *out)
{
    static const char *const weekdays[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    int64_t at = floor_div(at_ms, SECOND_MS);
    int32_t offset = ax_zone_offset(zone, at);
    int64_t day = floor_div(at + offset, DAY_S), second = at + offset - day * DAY_S;
    ax_buf_addf(out, "%s ", weekdays[(day % 7 + 7) % 7]);
    ax_date_text(day, out);
    ax_buf_addc(out, ' ');
    add_time(out, second, second % 60 != 0);
    ax_buf_addc(out, ' ');
    add_offset(out, offset);
}

void ax_zone_iso(const ax_zone *zone, int64_t at_ms, ax_buf *out)
{
    int64_t at = floor_div(at_ms, SECOND_MS);
    int32_t offset = ax_zone_offset(zone, at);
    int64_t day = floor_div(at + offset, DAY_S);
    ax_date_text(day, out);
    ax_buf_addc(out, 'T');
    add_time(out, at + offset - day * DAY_S, true);
    add_offset(out, offset);
}
