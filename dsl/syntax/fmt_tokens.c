/* fmt_tokens.c - from a text to its tokens, and what each needs around it on one line. */
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/utf8.h"
#include "dsl/syntax/fmt_int.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

typedef AX_VEC(ax_fmt_token) token_list;

/* ---- reading them ---- */

/* The scanner's next token; a string with its parts is one. */
static ax_token read_token(ax_parser *p)
{
    ax_token t = ax_filter_take(p);
    if (t.kind != AX_YYSBEG) return t;
    uint32_t open = p->frames.len;
    while (p->frames.len >= open) t.span.end = ax_filter_take(p).span.end;
    t.kind = AX_YYSTR;
    return t;
}

static bool is_opener(int kind)
{
    return kind == AX_YYLBRACE || kind == AX_YYLBRACKET || kind == AX_YYINDEX || kind == AX_YYLPAREN;
}

static bool is_closer(int kind)
{
    return kind == AX_YYRBRACE || kind == AX_YYRBRACKET || kind == AX_YYRPAREN;
}

/* True if an operand ends with such a token, so that a `(` behind it calls and a `-` behind it subtracts. */
static bool ends_operand(int kind)
{
    return kind == AX_YYNAME || kind == AX_YYLITERAL || kind == AX_YYSTR || is_closer(kind);
}

/* Appends t; group is the opener around it, and becomes the one around the next token. */
static void add_token(token_list *list, ax_arena *mem, const ax_token *t, uint32_t base, uint32_t *group)
{
    bool closes = is_closer(t->kind);
    uint32_t own = closes ? list->at[*group].group : *group;
    if (closes) list->at[*group].mate = list->len;
    ax_vec_push(mem, list,
                (ax_fmt_token){
                    .beg = t->span.beg - base,
                    .end = t->span.end - base,
                    .group = own,
                    .mate = AX_FMT_NONE,
                    .kind = (int16_t)t->kind,
                });
    *group = is_opener(t->kind) ? list->len - 1 : own;
}

static void read_tokens(ax_fmt_state *f, ax_arena *mem)
{
    ax_diags none = ax_diags_new(mem, NULL);
    ax_parser p = {.source = f->file->source, .diags = &none};
    p.mem = &p.scratch; /* values are not needed, only the tokens */
    token_list list = {0};
    uint32_t group = AX_FMT_NONE;
    bool starts = false; /* a comma or an opening bracket came before */
    ax_scan_start(&p, ax_str_starts(f->text, AX_LIT("\xEF\xBB\xBF")) ? 3 : 0);
    ax_token t;
    do {
        t = read_token(&p);
        if (t.kind == AX_YYCOMMA) {
            starts = true;
            continue;
        }
        add_token(&list, mem, &t, f->file->source->base, &group);
        list.at[list.len - 1].starts = starts && !is_closer(t.kind);
        starts = is_opener(t.kind);
    } while (t.kind != 0);
    AX_ASSERT(none.list.len == 0);
    ax_arena_free(&p.scratch);
    f->tokens = list.at;
    f->count = list.len - 1;
}

/* ---- marking what the tree knows ---- */

static uint32_t find_token(const ax_fmt_state *f, uint32_t from, uint32_t offset)
{
    uint32_t at = offset - f->file->source->base;
    while (f->tokens[from].beg < at) from++;
    AX_ASSERT(f->tokens[from].beg == at);
    return from;
}

static uint32_t mark_items(ax_fmt_state *f, uint32_t at, ax_ast_item *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        at = find_token(f, at, items[i]->span.beg);
        f->tokens[at].starts = true;
        if (items[i]->kind != AX_ITEM_BLOCK) continue;
        const ax_ast_block *block = &items[i]->u.block;
        for (const ax_ast_type *type = block->type; type; type = type->of) {
            at = find_token(f, at, type->name.span.beg);
            f->tokens[at - 1].is_type = true;
        }
        if (block->body) at = mark_items(f, at, block->body->items, block->body->count);
    }
    return at;
}

/* Braces that are a value: `{` where an operand begins. Its entries begin with a key and `=`. */
static bool is_map(const ax_fmt_state *f, uint32_t open)
{
    return f->tokens[open].starts || !ends_operand(f->tokens[open - 1].kind);
}

static void mark_keys(ax_fmt_state *f)
{
    for (uint32_t i = 0; i + 1 < f->count; i++) {
        uint32_t open = f->tokens[i].group;
        if (open == AX_FMT_NONE || f->tokens[open].kind != AX_YYLBRACE || !is_map(f, open)) continue;
        bool is_key = f->tokens[i].kind == AX_YYNAME || f->tokens[i].kind == AX_YYSTR;
        if (is_key && f->tokens[i + 1].kind == AX_YYASSIGN) f->tokens[i].starts = true;
    }
}

/* ---- measuring ---- */

static bool has_line_end(const ax_fmt_state *f, uint32_t beg, uint32_t end)
{
    return memchr(f->text.ptr + beg, '\n', end - beg) != NULL;
}

/* Braces on several lines stay so, a string of several lines is what it is. */
static bool is_forced(const ax_fmt_state *f, uint32_t i)
{
    const ax_fmt_token *t = &f->tokens[i];
    if (t->kind == AX_YYSTR) return has_line_end(f, t->beg, t->end);
    if (t->kind != AX_YYLBRACE || t->mate == i + 1) return false;
    return has_line_end(f, t->beg, f->tokens[t->mate].beg);
}

static void measure(ax_fmt_state *f)
{
    uint32_t column = 0, breaks = 0, comment = 0;
    for (uint32_t i = 0; i <= f->count; i++) {
        ax_fmt_token *t = &f->tokens[i];
        t->comment = comment;
        while (comment < f->file->comment_count &&
               f->file->comments[comment].span.beg - f->file->source->base < t->beg) {
            comment++;
        }
        t->breaks = breaks;
        t->is_forced = i < f->count && is_forced(f, i);
        breaks += (uint32_t)(comment > t->comment) + (uint32_t)t->is_forced;
        t->width = (uint32_t)ax_utf8_width(ax_str_slice(f->text, t->beg, t->end));
        t->column = column + (i ? (uint32_t)strlen(ax_fmt_space(f, i)) : 0);
        column = t->column + t->width;
    }
}

void ax_fmt_tokens(ax_fmt_state *f, ax_arena *mem)
{
    read_tokens(f, mem);
    mark_items(f, 0, f->file->items, f->file->count);
    mark_keys(f);
    measure(f);
}

/* ---- questions ---- */

bool ax_fmt_is_braces(const ax_fmt_state *f, uint32_t i)
{
    return i == AX_FMT_NONE || f->tokens[i].kind == AX_YYLBRACE;
}

bool ax_fmt_is_call(const ax_fmt_state *f, uint32_t i)
{
    const ax_fmt_token *t = &f->tokens[i];
    return t->kind == AX_YYLPAREN && !t->is_type && !t->starts && ends_operand(t[-1].kind);
}

uint32_t ax_fmt_comments_end(const ax_fmt_state *f, uint32_t i)
{
    return i < f->count ? f->tokens[i + 1].comment : f->file->comment_count;
}

bool ax_fmt_has_comment(const ax_fmt_state *f, uint32_t i)
{
    return f->tokens[i].comment < ax_fmt_comments_end(f, i);
}

bool ax_fmt_is_flat(const ax_fmt_state *f, uint32_t beg, uint32_t end)
{
    return f->tokens[end].breaks - f->tokens[beg].breaks == ax_fmt_has_comment(f, beg);
}

uint32_t ax_fmt_width(const ax_fmt_state *f, uint32_t beg, uint32_t end)
{
    return f->tokens[end - 1].column + f->tokens[end - 1].width - f->tokens[beg].column;
}

uint32_t ax_fmt_next(const ax_fmt_state *f, uint32_t i)
{
    uint32_t mate = f->tokens[i].mate;
    return mate == AX_FMT_NONE ? i + 1 : mate + 1;
}

uint32_t ax_fmt_entry_end(const ax_fmt_state *f, uint32_t beg, uint32_t close)
{
    uint32_t i = ax_fmt_next(f, beg);
    while (i < close && !f->tokens[i].starts) i = ax_fmt_next(f, i);
    return i;
}

/* Inside an entry: what is between two tokens that belong together is nothing, else a space. */
static bool is_tight(const ax_fmt_token *before, const ax_fmt_token *t, bool before_starts_operand)
{
    switch (t->kind) {
    case AX_YYDOT:
    case AX_YYDOTS:
    case AX_YYINDEX: return true;
    case AX_YYCOLON: return !t->is_type;
    case AX_YYLPAREN: return ends_operand(before->kind);
    default: break;
    }
    switch (before->kind) {
    case AX_YYDOT:
    case AX_YYDOTS: return true;
    case AX_YYCOLON: return !before->is_type;
    case AX_YYMINUS: return before_starts_operand;
    default: return false;
    }
}

const char *ax_fmt_space(const ax_fmt_state *f, uint32_t i)
{
    const ax_fmt_token *t = &f->tokens[i], *before = t - 1;
    if (is_opener(before->kind) || is_closer(t->kind)) {
        return before->kind == AX_YYLBRACE || t->kind == AX_YYRBRACE ? " " : "";
    }
    if (t->starts) return ax_fmt_is_braces(f, t->group) ? "  " : ", ";
    bool is_sign = before->starts || (i >= 2 && !ends_operand(before[-1].kind));
    return is_tight(before, t, is_sign) ? "" : " ";
}
