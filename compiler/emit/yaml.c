/* yaml.c - the document as YAML: walks its JSON text and hands one event after another to libyaml's emitter.
 *
 * The JSON is our own and valid (plan_json.h), so commas and colons say nothing that the emitter does not
 * know. A string is written plain only if no YAML reader, old or new, could take it for anything else:
 * YAML 1.1 has many spellings of booleans, numbers and dates.
 */
#include "compiler/emit/yaml.h"

#include <string.h>
#include <yaml.h>

#include "dsl/base/assert.h"
#include "dsl/base/utf8.h"
#include "dsl/model/plan_json.h"

typedef struct {
    yaml_emitter_t emitter;
    ax_str json;
    size_t at;
    ax_buf text; /* the string that was read last */
    ax_buf *out;
    bool failed;
} walk;

static int write_out(void *data, unsigned char *bytes, size_t size)
{
    ax_buf *out = data;
    ax_buf_add(out, (ax_str){(const char *)bytes, size});
    return !out->full;
}

static void emit(walk *w, int made, yaml_event_t *event)
{
    if (w->failed) {
        if (made) yaml_event_delete(event);
        return;
    }
    w->failed = !made || !yaml_emitter_emit(&w->emitter, event);
}

/* ---- strings ---- */

/* Words that some reader takes for a boolean or for nothing, in any case of letters. */
static bool is_reserved(ax_str s)
{
    static const char *const words[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == s.len && strncasecmp(words[i], s.ptr, s.len) == 0) return true;
    }
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A word or a sentence of plain characters that begins with a letter. */
static bool is_plain(ax_str s)
{
    if (!s.len || !is_letter(s.ptr[0]) || is_reserved(s)) return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool inner = is_letter(c) || (c >= '0' && c <= '9') || strchr("-./+", c);
        if (c && (inner || (c == ' ' && i + 1 < s.len))) continue;
        return false;
    }
    return true;
}

/* Several lines that are the same text as a literal block: printable, no line ends in white space or begins
 * the text with it. */
static bool is_block(ax_str s)
{
    if (!memchr(s.ptr, '\n', s.len) || s.ptr[0] == '\n') return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool ends_line = i + 1 == s.len || s.ptr[i + 1] == '\n';
        if ((c < ' ' && c != '\n') || c > '~' || (c == ' ' && ends_line)) return false;
    }
    return true;
}

static void scalar(walk *w, ax_str s, yaml_scalar_style_t style)
{
    yaml_event_t event;
    bool is_plain_value = style == YAML_PLAIN_SCALAR_STYLE;
    int made = yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)(s.ptr ? s.ptr : ""),
                                            (int)s.len, is_plain_value, 1, style);
    emit(w, made, &event);
}

static void string(walk *w, ax_str s)
{
    if (is_plain(s)) scalar(w, s, YAML_PLAIN_SCALAR_STYLE);
    else if (s.len && is_block(s)) scalar(w, s, YAML_LITERAL_SCALAR_STYLE);
    else scalar(w, s, YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

/* ---- reading the JSON ---- */

static uint32_t hex4(const char *digits)
{
    uint32_t n = 0;
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        n = n * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return n;
}

static void read_escape(walk *w)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = w->json.ptr[w->at++];
    if (c != 'u') {
        const char *known = strchr(letters, c);
        AX_ASSERT(c && known);
        ax_buf_addc(&w->text, meant[known - letters]);
        return;
    }
    uint32_t cp = hex4(w->json.ptr + w->at);
    w->at += 4;
    if (cp >= 0xd800 && cp < 0xdc00) { /* the second half follows as another \uXXXX */
        cp = 0x10000 + ((cp - 0xd800) << 10) + (hex4(w->json.ptr + w->at + 2) - 0xdc00);
        w->at += 6;
    }
    char utf8[4];
    ax_buf_add(&w->text, (ax_str){utf8, ax_utf8_encode(cp, utf8)});
}

static void read_string(walk *w)
{
    ax_buf_clear(&w->text);
    while (w->json.ptr[w->at] != '"') {
        size_t from = w->at;
        while (w->json.ptr[w->at] != '"' && w->json.ptr[w->at] != '\\') w->at++;
        ax_buf_add(&w->text, ax_str_slice(w->json, from, w->at));
        if (w->json.ptr[w->at] != '\\') break;
        w->at++;
        read_escape(w);
    }
    w->at++;
    string(w, ax_buf_str(&w->text));
}

/* A number, true, false or null. In YAML 1.1 a number with an exponent needs a point and a sign. */
static void read_literal(walk *w)
{
    size_t from = w->at;
    while (w->at < w->json.len && !strchr(",]}: \n", w->json.ptr[w->at])) w->at++;
    ax_str s = ax_str_slice(w->json, from, w->at);
    const char *e =
        s.ptr[0] == '-' || (s.ptr[0] >= '0' && s.ptr[0] <= '9') ? memchr(s.ptr, 'e', s.len) : NULL;
    if (!e) {
        scalar(w, s, YAML_PLAIN_SCALAR_STYLE);
        return;
    }
    size_t digits = (size_t)(e - s.ptr);
    ax_buf_clear(&w->text);
    ax_buf_add(&w->text, ax_str_slice(s, 0, digits));
    if (!memchr(s.ptr, '.', digits)) ax_buf_adds(&w->text, ".0");
    ax_buf_addc(&w->text, 'e');
    if (e[1] != '-' && e[1] != '+') ax_buf_addc(&w->text, '+');
    ax_buf_add(&w->text, ax_str_slice(s, digits + 1, s.len));
    scalar(w, ax_buf_str(&w->text), YAML_PLAIN_SCALAR_STYLE);
}

static void read_token(walk *w)
{
    yaml_event_t event;
    char c = w->json.ptr[w->at];
    switch (c) {
    case '{':
        emit(w, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE), &event);
        break;
    case '}': emit(w, yaml_mapping_end_event_initialize(&event), &event); break;
    case '[':
        emit(w, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE),
             &event);
        break;
    case ']': emit(w, yaml_sequence_end_event_initialize(&event), &event); break;
    case '"':
        w->at++;
        read_string(w);
        return;
    case ',':
    case ':':
    case ' ':
    case '\n': break;
    default: read_literal(w); return;
    }
    w->at++;
}

static void walk_document(walk *w)
{
    yaml_event_t event;
    yaml_emitter_set_output(&w->emitter, write_out, w->out);
    yaml_emitter_set_unicode(&w->emitter, 1);
    yaml_emitter_set_width(&w->emitter, -1); /* no folding: a line is a line */
    emit(w, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), &event);
    emit(w, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1), &event);
    while (w->at < w->json.len && !w->failed) read_token(w);
    emit(w, yaml_document_end_event_initialize(&event, 1), &event);
    emit(w, yaml_stream_end_event_initialize(&event), &event);
}

ax_rc ax_emit_yaml(const ax_plan *plan, ax_buf *out, ax_err *err)
{
    ax_buf json = AX_BUF_INIT(AX_PLAN_BYTES_MAX);
    ax_plan_write(plan, 0, &json);
    if (json.full) {
        ax_buf_free(&json);
        return ax_fail(err, AX_INVALID, "the document of '%.*s' is too large", AX_STR(plan->name));
    }
    walk w = {.json = ax_buf_str(&json), .text = AX_BUF_INIT(AX_PLAN_BYTES_MAX), .out = out};
    ax_rc rc = AX_OK;
    if (yaml_emitter_initialize(&w.emitter)) {
        walk_document(&w);
        if (w.failed)
            rc = ax_fail(err, AX_IO, "libyaml: %s", w.emitter.problem ? w.emitter.problem : "no memory");
        yaml_emitter_delete(&w.emitter);
    } else {
        rc = ax_fail(err, AX_IO, "libyaml can't be started");
    }
    ax_buf_free(&json);
    ax_buf_free(&w.text);
    return rc;
}
