/* source.c - the shared space of offsets, and lines and columns in it.
 *
 * Sources are in the order of their bases, so a place is found by two binary searches: the file, then the
 * line. Each source takes one offset more than it has bytes, so that "at the end of the file" is a place in
 * it.
 */
#include "dsl/base/source.h"

#include <inttypes.h>
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/file.h"
#include "dsl/base/utf8.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

ax_sources ax_sources_new(ax_arena *mem)
{
    return (ax_sources){.mem = mem, .next_base = 1};
}

ax_rc ax_sources_add(ax_sources *set, ax_str path, ax_str text, ax_source **out, ax_err *err)
{
    if (text.len > AX_SOURCE_BYTES_MAX) {
        return ax_fail(err, AX_INVALID, "%.*s is larger than %u bytes", AX_STR(path), AX_SOURCE_BYTES_MAX);
    }
    if (text.len >= AX_SOURCES_BYTES_MAX - set->next_base) {
        return ax_fail(err, AX_INVALID, "with %.*s, the files are larger than %u bytes together",
                       AX_STR(path), AX_SOURCES_BYTES_MAX);
    }
    ax_source *source = AX_NEW(set->mem, ax_source);
    *source = (ax_source){.path = path, .text = text, .base = set->next_base};
    set->next_base += (uint32_t)text.len + 1;
    ax_vec_push(set->mem, &set->files, source);
    *out = source;
    return AX_OK;
}

ax_rc ax_sources_read(ax_sources *set, const char *path, ax_source **out, ax_err *err)
{
    ax_buf text = AX_BUF_INIT(AX_SOURCE_BYTES_MAX);
    ax_rc rc = ax_file_read(path, &text, err);
    if (!rc) {
        ax_str name = ax_str_of(strcmp(path, "-") == 0 ? "<stdin>" : path);
        rc = ax_sources_add(set, ax_str_dup(set->mem, name), ax_str_dup(set->mem, ax_buf_str(&text)), out,
                            err);
    }
    ax_buf_free(&text);
    return rc;
}

/* The source that holds offset, or NULL for nowhere. */
static ax_source *source_at(const ax_sources *set, uint32_t offset)
{
    if (offset == 0 || set->files.len == 0) return NULL;
    AX_ASSERT(offset < set->next_base);
    uint32_t low = 0, high = set->files.len;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (set->files.at[middle]->base <= offset) low = middle;
        else high = middle;
    }
    return set->files.at[low];
}

/* The offset behind the next line feed at or after `at`; 0 if there is none. */
static uint32_t next_line(ax_str text, uint32_t at)
{
    const char *feed = at < text.len ? memchr(text.ptr + at, '\n', text.len - at) : NULL;
    return feed ? (uint32_t)(feed - text.ptr) + 1 : 0;
}

static void build_lines(ax_arena *mem, ax_source *source)
{
    uint32_t count = 1;
    for (uint32_t at = 0; (at = next_line(source->text, at)) != 0;) count++;

    source->lines = AX_NEW_N(mem, uint32_t, count);
    uint32_t line = 0;
    for (uint32_t at = 0; (at = next_line(source->text, at)) != 0;) source->lines[++line] = at;
    source->line_count = count;
}

/* The index of the line that holds the byte `at` of the source. */
static uint32_t line_index(const ax_sources *set, ax_source *source, uint32_t at)
{
    if (source->line_count == 0) build_lines(set->mem, source);
    uint32_t low = 0, high = source->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= at) low = middle;
        else high = middle;
    }
    return low;
}

static ax_str line_text(const ax_source *source, uint32_t line)
{
    bool is_last = line + 1 == source->line_count;
    ax_str text = ax_str_slice(source->text, source->lines[line],
                               is_last ? source->text.len : source->lines[line + 1] - 1);
    if (!is_last && ax_str_ends(text, AX_LIT("\r"))) text.len--;
    if (line == 0 && ax_str_starts(text, AX_LIT(BYTE_ORDER_MARK))) text = ax_str_slice(text, 3, text.len);
    if (!text.ptr) text.ptr = source->text.ptr + source->lines[line];
    return text;
}

ax_pos ax_sources_pos(const ax_sources *set, uint32_t offset)
{
    ax_source *source = source_at(set, offset);
    if (!source) return (ax_pos){0};
    uint32_t at = offset - source->base;
    uint32_t line = line_index(set, source, at);
    ax_str text = line_text(source, line);
    const char *place = source->text.ptr + at;
    size_t before = place > text.ptr ? (size_t)(place - text.ptr) : 0;
    return (ax_pos){
        .source = source,
        .line = line + 1,
        .column = (uint32_t)ax_utf8_count(ax_str_slice(text, 0, before)) + 1,
        .line_text = text,
    };
}

uint32_t ax_sources_line(const ax_sources *set, uint32_t offset)
{
    ax_source *source = source_at(set, offset);
    return source ? line_index(set, source, offset - source->base) + 1 : 0;
}

ax_str ax_sources_text(const ax_sources *set, ax_span span)
{
    const ax_source *source = source_at(set, span.beg);
    if (!source || span.end <= span.beg) return (ax_str){0};
    return ax_str_slice(source->text, span.beg - source->base, span.end - source->base);
}

ax_span ax_span_join(ax_span a, ax_span b)
{
    if (a.beg == 0) return b;
    if (b.beg == 0) return a;
    return (ax_span){a.beg, b.end};
}
