/* output.c - the reader of $AX_OUTPUT. The file is a command's, so it may hold anything: all of it is
 * checked. */
#include "runtime/exec/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dsl/base/map.h"
#include "dsl/base/utf8.h"
#include "dsl/base/vec.h"

typedef struct {
    ax_arena *mem;
    ax_str text;
    size_t at;
    uint32_t line; /* of what next_line gave last */
    ax_map by_name;
    AX_VEC(ax_str) names, values;
} parser;

static bool next_line(parser *p, ax_str *line)
{
    if (p->at >= p->text.len) return false;
    const char *from = p->text.ptr + p->at;
    const char *end = memchr(from, '\n', p->text.len - p->at);
    *line = (ax_str){from, end ? (size_t)(end - from) : p->text.len - p->at};
    p->at += line->len + 1;
    p->line++;
    return true;
}

static bool is_name(ax_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return s.len > 0;
}

/* The lines up to the one that is the end mark. */
static ax_rc read_block(parser *p, ax_str mark, ax_str *value, ax_err *err)
{
    uint32_t first = p->line;
    size_t from = p->at;
    ax_str line;
    while (next_line(p, &line)) {
        if (!ax_str_eq(line, mark)) continue;
        size_t end = (size_t)(line.ptr - p->text.ptr);
        *value = ax_str_slice(p->text, from, end > from ? end - 1 : from);
        return AX_OK;
    }
    return ax_fail(err, AX_INVALID, "$AX_OUTPUT, line %u: the block has no line '%.*s' that ends it", first,
                   AX_STR(mark));
}

static void store(parser *p, ax_str name, ax_str value)
{
    uint32_t index = ax_map_add(p->mem, &p->by_name, name, p->names.len);
    if (index < p->names.len) {
        p->values.at[index] = value;
        return;
    }
    ax_vec_push(p->mem, &p->names, name);
    ax_vec_push(p->mem, &p->values, value);
}

static ax_rc parse_line(parser *p, ax_str line, ax_err *err)
{
    uint32_t number = p->line;
    const char *equals = line.len ? memchr(line.ptr, '=', line.len) : NULL;
    const char *block = line.len ? memmem(line.ptr, line.len, "<<", 2) : NULL;
    bool is_block = block && (!equals || block < equals);
    const char *sign = is_block ? block : equals;
    ax_str name = {line.ptr, sign ? (size_t)(sign - line.ptr) : line.len};
    if (!sign || !is_name(name))
        return ax_fail(err, AX_INVALID, "$AX_OUTPUT, line %u is not NAME=value: '%.*s'", number,
                       AX_STR(ax_str_slice(line, 0, 60)));
    ax_str value = ax_str_slice(line, name.len + (is_block ? 2 : 1), line.len);
    ax_rc rc = is_block ? read_block(p, value, &value, err) : AX_OK;
    if (rc) return rc;
    if (value.len > AX_OUTPUT_VALUE_MAX)
        return ax_fail(err, AX_INVALID,
                       "$AX_OUTPUT, line %u: the value of '%.*s' has %zu bytes, at most %zu fit", number,
                       AX_STR(name), value.len, AX_OUTPUT_VALUE_MAX);
    store(p, name, value);
    return AX_OK;
}

ax_rc ax_output_parse(ax_str text, ax_arena *mem, ax_output_list *out, ax_err *err)
{
    *out = (ax_output_list){0};
    parser p = {.mem = mem, .text = text};
    if (text.len && memchr(text.ptr, '\0', text.len))
        return ax_fail(err, AX_INVALID, "$AX_OUTPUT has a NUL byte in it; values are text");
    if (ax_utf8_invalid(text) < text.len)
        return ax_fail(err, AX_INVALID, "$AX_OUTPUT is not UTF-8: byte %zu", ax_utf8_invalid(text));
    ax_str line;
    while (next_line(&p, &line)) {
        ax_rc rc = line.len ? parse_line(&p, line, err) : AX_OK;
        if (rc) return rc;
    }
    *out = (ax_output_list){p.names.at, p.values.at, p.names.len};
    return AX_OK;
}

ax_rc ax_output_read(int root_fd, const char *path, ax_arena *mem, ax_output_list *out, ax_err *err)
{
    *out = (ax_output_list){0};
    int fd = openat(root_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0 && errno == ELOOP) return ax_fail(err, AX_INVALID, "$AX_OUTPUT is not a file any more");
    if (fd < 0) return errno == ENOENT ? AX_OK : ax_fail_errno(err, "$AX_OUTPUT can't be read");
    struct stat st;
    ax_rc rc = AX_OK;
    ax_str text = {0};
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        rc = ax_fail(err, AX_INVALID, "$AX_OUTPUT is not a file any more");
    } else if ((size_t)st.st_size > AX_OUTPUT_FILE_MAX) {
        rc = ax_fail(err, AX_INVALID, "$AX_OUTPUT has %lld bytes, at most %zu are read",
                     (long long)st.st_size, AX_OUTPUT_FILE_MAX);
    } else {
        char *bytes = ax_arena_alloc(mem, (size_t)st.st_size + 1);
        ssize_t got = pread(fd, bytes, (size_t)st.st_size, 0);
        text = (ax_str){bytes, got < 0 ? 0 : (size_t)got};
        if (got < 0) rc = ax_fail_errno(err, "$AX_OUTPUT can't be read");
    }
    close(fd);
    return rc ? rc : ax_output_parse(text, mem, out, err);
}
