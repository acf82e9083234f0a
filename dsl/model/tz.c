/* tz.c - reading TZif files (RFC 8536) and answering what a wall clock means.
 *
 * Only the 64-bit block and the footer are used. Every count of the file is checked against its length before
 * it is believed. The name of a zone is checked before it becomes part of a path: nothing outside of the zone
 * folder is opened.
 */
#include "dsl/model/tz.h"

#include <string.h>
#include <sys/stat.h>

#include "dsl/base/assert.h"
#include "dsl/base/file.h"
#include "dsl/base/vec.h"
#include "dsl/model/tz_int.h"

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define HEADER_BYTES 44
#define TYPE_BYTES 6
#define OFFSET_MAX                                                                                           \
    (26 * 3600) /* no zone is further from UTC, so a wall clock is never further from its instant */

bool ax_zone_name_ok(ax_str name)
{
    if (name.len == 0 || name.len > AX_ZONE_NAME_MAX) return false;
    char before = '/';
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '_';
        if (!letter && !(other && before != '/') && !(c == '/' && before != '/')) return false;
        before = c;
    }
    return before != '/';
}

/* ---- the file ---- */

static uint32_t get32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static int64_t get64(const char *p)
{
    return (int64_t)((uint64_t)get32(p) << 32 | get32(p + 4));
}

typedef struct {
    uint32_t isut, isstd, leap, time, type, abbrev; /* counts of a block */
    uint64_t bytes;                                 /* of the block behind its header */
} block;

static bool read_header(ax_str bytes, size_t at, uint64_t time_size, block *out)
{
    if (bytes.len < at + HEADER_BYTES || memcmp(bytes.ptr + at, "TZif", 4) != 0) return false;
    const char *p = bytes.ptr + at + 20;
    block b = {get32(p), get32(p + 4), get32(p + 8), get32(p + 12), get32(p + 16), get32(p + 20), 0};
    b.bytes = (uint64_t)b.time * (time_size + 1) + (uint64_t)b.type * TYPE_BYTES + b.abbrev +
              (uint64_t)b.leap * (time_size + 4) + b.isstd + b.isut;
    *out = b;
    return b.type >= 1 && b.type <= 256 && at + HEADER_BYTES + b.bytes <= bytes.len;
}

static bool read_block(ax_arena *mem, const char *p, const block *b, ax_zone *zone)
{
    const char *index = p + 8 * (size_t)b->time, *types = index + b->time;
    int64_t *at = AX_NEW_N(mem, int64_t, b->time);
    int32_t *offset = AX_NEW_N(mem, int32_t, b->time);
    for (uint32_t i = 0; i < b->type; i++) {
        int32_t o = (int32_t)get32(types + TYPE_BYTES * i);
        if (o < -OFFSET_MAX || o > OFFSET_MAX) return false;
    }
    for (uint32_t i = 0; i < b->time; i++) {
        uint8_t type = (uint8_t)index[i];
        at[i] = get64(p + 8 * (size_t)i);
        if (type >= b->type || (i > 0 && at[i] <= at[i - 1])) return false;
        offset[i] = (int32_t)get32(types + TYPE_BYTES * (size_t)type);
    }
    zone->at = at;
    zone->offset = offset;
    zone->count = b->time;
    zone->first_offset = (int32_t)get32(types);
    return true;
}

static bool read_footer(ax_str footer, ax_zone *zone)
{
    if (footer.len < 2 || footer.ptr[0] != '\n') return false;
    const char *end = memchr(footer.ptr + 1, '\n', footer.len - 1);
    if (end == NULL) return false;
    ax_str rule = ax_str_slice(footer, 1, (size_t)(end - footer.ptr));
    if (rule.len == 0) return true; /* the last offset stays */
    zone->has_rule = ax_tz_rule_parse(rule, &zone->rule);
    return zone->has_rule;
}

ax_rc ax_zone_read(ax_arena *mem, ax_str bytes, const ax_zone **out, ax_err *err)
{
    block first, second;
    if (!read_header(bytes, 0, 4, &first) || bytes.ptr[4] < '2')
        return ax_fail(err, AX_INVALID, "not a time zone file of version 2 or later");
    size_t at = HEADER_BYTES + (size_t)first.bytes;
    if (!read_header(bytes, at, 8, &second)) return ax_fail(err, AX_INVALID, "a damaged time zone file");
    at += HEADER_BYTES;
    ax_zone *zone = AX_NEW(mem, ax_zone);
    if (!read_block(mem, bytes.ptr + at, &second, zone) ||
        !read_footer(ax_str_slice(bytes, at + (size_t)second.bytes, bytes.len), zone))
        return ax_fail(err, AX_INVALID, "a damaged time zone file");
    *out = zone;
    return AX_OK;
}

/* Word n (from 0) of a line whose words are separated by single spaces; empty if there are fewer. */
static ax_str word(ax_str line, int n)
{
    size_t from = 0, to = 0;
    for (int i = 0; i <= n; i++) {
        if (i > 0 && to == line.len) return (ax_str){0};
        from = i == 0 ? 0 : to + 1;
        for (to = from; to < line.len && line.ptr[to] != ' ';) to++;
    }
    return ax_str_slice(line, from, to);
}

/* The nearest name in tzdata's own list: "Z Europe/Berlin …" is a zone, "L Europe/Berlin Europe/Vaduz" a
 * link. */
static ax_str nearest_zone(ax_arena *mem, ax_str wanted)
{
    ax_buf list = AX_BUF_INIT(FILE_BYTES_MAX);
    ax_nearest near = ax_nearest_start(wanted);
    if (ax_file_read(AX_ZONE_DIR "/tzdata.zi", &list, NULL) == AX_OK) {
        ax_str text = ax_buf_str(&list);
        for (size_t line = 0, i = 0; i <= text.len; i++) {
            if (i < text.len && text.ptr[i] != '\n') continue;
            ax_str row = ax_str_slice(text, line, i);
            line = i + 1;
            if (ax_str_starts(row, AX_LIT("Z "))) ax_nearest_offer(&near, word(row, 1));
            if (ax_str_starts(row, AX_LIT("L "))) ax_nearest_offer(&near, word(row, 2));
        }
    }
    ax_str best = ax_str_dup(mem, near.best);
    ax_buf_free(&list);
    return best;
}

static ax_rc no_such_zone(ax_arena *mem, ax_str name, ax_err *err)
{
    ax_str shown = ax_str_slice(name, 0, AX_ZONE_NAME_MAX);
    ax_str near = nearest_zone(mem, shown);
    ax_rc rc = ax_fail(err, AX_INVALID, "there is no time zone '%.*s'", AX_STR(shown));
    if (near.len > 0) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near));
    else ax_err_help(err, "write an IANA name such as \"Europe/Berlin\", \"America/New_York\" or \"UTC\"");
    return rc;
}

ax_rc ax_zone_load(ax_arena *mem, ax_str name, const ax_zone **out, ax_err *err)
{
    /* Files of the folder that are no zones of their own, or that count leap seconds. */
    static const char *const not_zones[] = {"localtime", "posixrules", "Factory",
                                            "posix",     "right",      "leapseconds"};
    if (!ax_zone_name_ok(name)) return no_such_zone(mem, name, err);
    for (size_t i = 0; i < sizeof not_zones / sizeof *not_zones; i++) {
        ax_str word = ax_str_of(not_zones[i]);
        bool folder = name.len > word.len && name.ptr[word.len] == '/';
        if (ax_str_starts(name, word) && (folder || name.len == word.len))
            return no_such_zone(mem, name, err);
    }
    char path[sizeof AX_ZONE_DIR + 1 + AX_ZONE_NAME_MAX + 1];
    memcpy(path, AX_ZONE_DIR "/", sizeof AX_ZONE_DIR);
    memcpy(path + sizeof AX_ZONE_DIR, name.ptr, name.len);
    path[sizeof AX_ZONE_DIR + name.len] = '\0';

    struct stat st;
    if (stat(AX_ZONE_DIR, &st) != 0)
        return ax_fail(err, AX_IO, "there is no time zone data in " AX_ZONE_DIR " (install tzdata)");
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return no_such_zone(mem, name, err);
    ax_buf bytes = AX_BUF_INIT(FILE_BYTES_MAX);
    ax_rc rc = ax_file_read(path, &bytes, err);
    if (rc == AX_OK) rc = ax_zone_read(mem, ax_buf_str(&bytes), out, err);
    if (rc != AX_OK) ax_err_prefix(err, "time zone '%.*s'", AX_STR(name));
    ax_buf_free(&bytes);
    return rc;
}

const ax_zone *ax_zone_utc(void)
{
    static const ax_zone utc = {0};
    return &utc;
}

/* ---- questions ---- */

/* The segment behind the last recorded transition, whose end and offset are the rule's. */
static ax_zone_segment tail_segment(const ax_zone *zone, int64_t utc)
{
    int64_t last = zone->count > 0 ? zone->at[zone->count - 1] : INT64_MIN;
    int32_t recorded = zone->count > 0 ? zone->offset[zone->count - 1] : zone->first_offset;
    int32_t before = zone->count > 1 ? zone->offset[zone->count - 2] : zone->first_offset;
    if (!zone->has_rule) return (ax_zone_segment){last, INT64_MAX, recorded, before, recorded};
    ax_zone_segment seg = ax_tz_rule_at(&zone->rule, utc);
    if (seg.beg <= last) {
        seg.beg = last;
        seg.before = before;
        if (zone->count == 0) seg.before = seg.offset;
    }
    return seg;
}

ax_zone_segment ax_zone_at(const ax_zone *zone, int64_t utc)
{
    uint32_t lo = 0, hi = zone->count; /* the first transition after utc */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (zone->at[mid] <= utc) lo = mid + 1;
        else hi = mid;
    }
    if (lo == zone->count) return tail_segment(zone, utc);
    int32_t offset = lo > 0 ? zone->offset[lo - 1] : zone->first_offset;
    int32_t before = lo > 1 ? zone->offset[lo - 2] : lo == 1 ? zone->first_offset : offset;
    return (ax_zone_segment){lo > 0 ? zone->at[lo - 1] : INT64_MIN, zone->at[lo], offset, before,
                             zone->offset[lo]};
}

int32_t ax_zone_offset(const ax_zone *zone, int64_t utc)
{
    return ax_zone_at(zone, utc).offset;
}

ax_local ax_zone_local(const ax_zone *zone, int64_t local)
{
    ax_local out = {AX_LOCAL_GAP, 0, 0};
    int64_t gap_end = local; /* where the clock jumped over `local` */
    for (int64_t at = local - OFFSET_MAX; at <= local + OFFSET_MAX;) {
        ax_zone_segment seg = ax_zone_at(zone, at);
        int64_t utc = local - seg.offset;
        bool inside = utc >= seg.beg && utc < seg.end;
        if (inside && out.kind == AX_LOCAL_GAP) out = (ax_local){AX_LOCAL_UNIQUE, utc, utc};
        else if (inside) out = (ax_local){AX_LOCAL_OVERLAP, out.first, utc};
        if (seg.end == INT64_MAX) break;
        if (seg.end + seg.offset <= local && local < seg.end + seg.after) gap_end = seg.end;
        at = seg.end;
    }
    if (out.kind == AX_LOCAL_GAP) out.first = out.second = gap_end;
    return out;
}
