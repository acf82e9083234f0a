/* context.c - a machine over the tokens in front of the cursor.
 *
 * One frame for each thing that is open. The frame of a body holds how far its current item has come; the
 * frames of brackets, strings and expressions inside a value hold the same for what they contain. A name
 * behind a finished item begins the next one, wherever lines end.
 */
#include "compiler/lsp/context_int.h"

#include "compiler/lsp/find_int.h"
#include "dsl/base/assert.h"
#include "dsl/syntax/lexemes.h"

/* How far an item has come. */
typedef enum {
    START,      /* nothing of it is there */
    HEADED,     /* its first word, or a path */
    LABELED,    /* a word and a label */
    VALUE_OPEN, /* an operand must follow */
    VALUE_DONE, /* it may be over */
    TYPE_OPEN,  /* behind the ':' of a declaration */
    TYPE_DONE,
    EDGE_OPEN, /* behind '->' */
    EDGE_DONE,
    OUTCOME_OPEN, /* behind the ':' of an edge */
    OUTCOME_DONE,
} progress;

typedef enum { IN_BODY, IN_MAP, IN_BRACKETS, IN_PARENS, IN_EXPR, IN_STRING } inside;

typedef struct {
    inside in;
    progress state;
    ax_kind kind; /* of the body, or of the one around */
    uint32_t scope;
    ax_str first, label; /* the first two words */
    ax_str last;         /* the last label */
    bool is_edge;
    bool is_call;  /* the arguments of a template, … */
    bool is_named; /* … and the current one has its name */
} frame;

typedef struct {
    ax_arena *mem;
    const ax_names *names;
    ax_str text;
    uint32_t base;
    uint32_t end; /* of the last token */
    AX_VEC(frame) frames;
} machine;

static frame *top(machine *m)
{
    return &m->frames.at[m->frames.len - 1];
}

static ax_str text_of(const machine *m, const ax_lexeme *t)
{
    return ax_str_slice(m->text, t->span.beg - m->base, t->span.end - m->base);
}

/* ---- opening and closing ---- */

static void open_body(machine *m)
{
    const frame *f = top(m);
    ax_kind kind = ax_kind_inside(f->kind, f->first);
    uint32_t scope = ax_names_enter(m->names, f->scope, kind, f->label);
    ax_vec_push(m->mem, &m->frames, (frame){.in = IN_BODY, .kind = kind, .scope = scope});
}

static void open(machine *m, ax_str sign)
{
    frame *f = top(m);
    bool is_value = f->state == VALUE_OPEN;
    inside in = sign.ptr[0] == '[' ? IN_BRACKETS : sign.ptr[0] == '(' ? IN_PARENS : IN_STRING;
    if (ax_str_is(sign, "{{")) in = IN_EXPR;
    else if (sign.ptr[0] == '{') in = is_value || f->in != IN_BODY ? IN_MAP : IN_BODY;
    if (in == IN_BODY) {
        open_body(m);
        return;
    }
    bool is_list = in == IN_BRACKETS && (f->state == START || f->state == EDGE_OPEN);
    frame inner = {.in = in, .kind = f->kind, .scope = f->scope, .first = f->first, .label = f->label};
    inner.is_edge = is_list;
    inner.is_call = in == IN_PARENS && f->state == LABELED;
    if (inner.is_call) inner.last = f->last;
    inner.state = is_list ? EDGE_OPEN : in == IN_MAP ? START : VALUE_OPEN;
    if (is_list) f->is_edge = true;
    ax_vec_push(m->mem, &m->frames, inner);
}

static void close(machine *m)
{
    if (m->frames.len == 1) return;
    bool was_body = top(m)->in == IN_BODY;
    m->frames.len--;
    frame *f = top(m);
    if (was_body) *f = (frame){.in = f->in, .kind = f->kind, .scope = f->scope};
    else if (f->is_edge) f->state = EDGE_DONE;
    else if (f->state == VALUE_OPEN) f->state = VALUE_DONE;
}

/* ---- items ---- */

/* True if the item of the frame can end where it is. */
static bool may_end(const frame *f, bool line_start)
{
    bool is_done =
        f->state == VALUE_DONE || f->state == TYPE_DONE || f->state == EDGE_DONE || f->state == OUTCOME_DONE;
    return is_done || (line_start && (f->state == HEADED || f->state == LABELED));
}

static void begin_item(frame *f)
{
    *f = (frame){.in = f->in, .kind = f->kind, .scope = f->scope};
}

/* A name, a literal or a whole string. */
static void take_operand(machine *m, const ax_lexeme *t)
{
    frame *f = top(m);
    bool has_items = f->in == IN_BODY || f->in == IN_MAP;
    if (has_items && may_end(f, t->line_start)) begin_item(f);
    switch (f->state) {
    case START:
        f->first = text_of(m, t);
        f->state = HEADED;
        break;
    case HEADED:
        if (f->is_edge) break; /* the next part of a path */
        f->label = text_of(m, t);
        f->state = LABELED;
        break;
    case LABELED: f->last = text_of(m, t); break;
    case VALUE_OPEN: f->state = VALUE_DONE; break;
    case TYPE_OPEN: f->state = TYPE_DONE; break;
    case EDGE_OPEN: f->state = EDGE_DONE; break;
    case OUTCOME_OPEN: f->state = OUTCOME_DONE; break;
    case VALUE_DONE:
    case TYPE_DONE:
    case EDGE_DONE:
    case OUTCOME_DONE: break;
    }
}

static void take_colon(frame *f)
{
    if (f->state == LABELED) f->state = TYPE_OPEN;
    else if (f->is_edge || f->state == HEADED) {
        f->is_edge = true;
        f->state = OUTCOME_OPEN;
    }
}

static void take_sign(machine *m, ax_str sign)
{
    frame *f = top(m);
    if (ax_str_is(sign, "->")) {
        f->is_edge = true;
        f->state = EDGE_OPEN;
    } else if (ax_str_is(sign, ":")) take_colon(f);
    else if (ax_str_is(sign, "=")) {
        f->state = VALUE_OPEN;
        f->is_named = true;
    } else if (ax_str_is(sign, ",")) {
        if (f->in == IN_BODY || f->in == IN_MAP) begin_item(f);
        else f->state = f->is_edge ? EDGE_OPEN : VALUE_OPEN;
        f->is_named = false;
    } else if (ax_str_is(sign, ".") && (f->state == HEADED || f->is_edge)) {
        f->is_edge = true;
        f->state = f->state == HEADED ? HEADED : EDGE_OPEN;
    } else if (f->state == VALUE_DONE || f->state == TYPE_DONE) f->state = VALUE_OPEN;
}

static void take(machine *m, const ax_lexeme *t)
{
    frame *f = top(m);
    ax_str sign = text_of(m, t);
    bool is_index = t->span.beg == m->end; /* a `[` that touches what it indexes */
    switch ((ax_lexeme_kind)t->kind) {
    case AX_LEXEME_NAME:
    case AX_LEXEME_LITERAL:
    case AX_LEXEME_STRING: take_operand(m, t); break;
    case AX_LEXEME_OPEN:
        if (sign.ptr[0] == '[' && f->in == IN_BODY && !is_index && may_end(f, t->line_start)) begin_item(f);
        open(m, sign);
        break;
    case AX_LEXEME_CLOSE: close(m); break;
    case AX_LEXEME_WORD:
    case AX_LEXEME_SIGN: take_sign(m, sign); break;
    case AX_LEXEME_TEXT:
    case AX_LEXEME_END: break;
    }
    m->end = t->span.end;
}

/* ---- the answer ---- */

/* The names in front of the '.' that is the last lexeme: a.b["x"]. gives a and b. */
static void read_path(machine *m, const ax_lexeme *at, uint32_t count, ax_context *out)
{
    AX_VEC(ax_str) names = {0};
    uint32_t i = count;
    while (i > 0 && ax_str_is(text_of(m, &at[i - 1]), ".")) {
        int depth = 0;
        i--;
        while (i > 0 && (at[i - 1].kind == AX_LEXEME_CLOSE || depth > 0)) {
            depth += (at[i - 1].kind == AX_LEXEME_CLOSE) - (at[i - 1].kind == AX_LEXEME_OPEN);
            i--;
        }
        if (i == 0 || at[i - 1].kind != AX_LEXEME_NAME) break;
        ax_vec_push(m->mem, &names, text_of(m, &at[--i]));
    }
    for (uint32_t k = 0; k < names.len / 2; k++) {
        ax_str other = names.at[k];
        names.at[k] = names.at[names.len - 1 - k];
        names.at[names.len - 1 - k] = other;
    }
    out->path = names.at;
    out->path_len = names.len;
}

static ax_at place_of(machine *m, bool line_start)
{
    const frame *f = top(m);
    bool in_expr = false;
    for (uint32_t i = 0; i < m->frames.len; i++) in_expr |= m->frames.at[i].in == IN_EXPR;
    if (f->in == IN_STRING) return AX_AT_NOTHING;
    if (f->state == START && f->in == IN_MAP) return AX_AT_NOTHING;
    if (f->state == START || (f->in == IN_BODY && may_end(f, line_start))) return AX_AT_ITEM;
    if (f->state == LABELED && !line_start && ax_str_is(f->last, "from")) return AX_AT_TEMPLATE;
    switch (f->state) {
    case VALUE_OPEN:
        if (f->is_call && !f->is_named) return AX_AT_ARGUMENT;
        return in_expr || f->is_call ? AX_AT_EXPR : AX_AT_VALUE;
    case TYPE_OPEN: return AX_AT_TYPE;
    case EDGE_OPEN: return AX_AT_NODE;
    case OUTCOME_OPEN: return AX_AT_OUTCOME;
    case START:
    case HEADED:
    case LABELED:
    case VALUE_DONE:
    case TYPE_DONE:
    case EDGE_DONE:
    case OUTCOME_DONE: break;
    }
    return AX_AT_NOTHING;
}

static bool is_in_comment(const ax_lexemes *lexemes, ax_str text)
{
    if (lexemes->comment_count == 0) return false;
    uint32_t beg = lexemes->comments[lexemes->comment_count - 1].span.beg - 1;
    for (size_t i = beg; i < text.len; i++)
        if (text.ptr[i] == '\n') return false;
    return true;
}

void ax_context_read(ax_arena *mem, ax_str text, uint32_t end, const ax_names *names, ax_context *out)
{
    machine m = {.mem = mem, .names = names, .text = ax_str_slice(text, 0, end)};
    ax_sources sources = ax_sources_new(mem);
    ax_source *source;
    ax_lexemes lexemes;
    ax_rc rc = ax_sources_add(&sources, AX_LIT("before"), m.text.len ? m.text : AX_LIT(""), &source, NULL);
    AX_ASSERT(rc == AX_OK);
    ax_lexemes_read(mem, source, &lexemes);
    m.base = source->base;
    *out = (ax_context){.kind = AX_KIND_COUNT};
    ax_vec_push(mem, &m.frames, (frame){.in = IN_BODY, .kind = AX_KIND_FILE});

    /* What the text lacks at its end is not closed, and a word that touches the cursor is being written. */
    uint32_t count = lexemes.count, text_end = m.base + (uint32_t)m.text.len;
    while (count > 0 && lexemes.at[count - 1].span.beg == text_end) count--;
    bool line_start = lexemes.at[count].line_start;
    const ax_lexeme *last =
        count > 0 && lexemes.at[count - 1].span.end == text_end ? &lexemes.at[count - 1] : NULL;
    bool is_word = last && (last->kind == AX_LEXEME_NAME || last->kind == AX_LEXEME_WORD ||
                            last->kind == AX_LEXEME_LITERAL);
    if (is_word) {
        out->word = text_of(&m, last);
        line_start = last->line_start;
        count--;
    }
    for (uint32_t i = 0; i < count; i++) take(&m, &lexemes.at[i]);

    const frame *f = top(&m);
    bool after_string = last && last->kind == AX_LEXEME_STRING;
    out->at = is_in_comment(&lexemes, m.text) || after_string ? AX_AT_NOTHING : place_of(&m, line_start);
    out->kind = f->kind;
    out->scope = f->scope;
    if (f->in != IN_MAP) out->attr = f->first;
    if (f->is_call) out->from = f->last;
    out->declares = f->label.len > 0;
    out->is_nested = f->in == IN_PARENS;
    out->is_edge = f->is_edge;
    if (count > 0 && ax_str_is(text_of(&m, &lexemes.at[count - 1]), ".")) {
        read_path(&m, lexemes.at, count, out);
        if (f->in == IN_BODY && f->state == HEADED) out->at = AX_AT_NODE;
    }
}
