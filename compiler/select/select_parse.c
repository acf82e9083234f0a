/* select_parse.c - from the text of a selection to its steps.
 *
 * Recursion follows parentheses, whose depth is limited. Operands come out before their operators, so that
 * the rest needs no tree.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/select/select_int.h"
#include "dsl/base/nearest.h"

const char *const ax_term_names[AX_TERM_COUNT] = {
    [AX_TERM_NAME] = "",       [AX_TERM_TAG] = "tag",     [AX_TERM_KIND] = "kind",
    [AX_TERM_GROUP] = "group", [AX_TERM_STATE] = "state",
};
const char *const ax_change_names[AX_STATE_COUNT] = {
    [AX_STATE_MODIFIED] = "modified",
    [AX_STATE_NEW] = "new",
};

typedef struct {
    ax_arena *mem;
    ax_str text;
    size_t at;
    uint32_t depth; /* of parentheses */
    uint32_t terms;
    uint32_t stack; /* sets that are alive */
    ax_select *out;
    ax_text_err *error;
} parser;

__attribute__((format(printf, 4, 5))) static bool fail(parser *p, size_t at, size_t len, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    p->error->at = (uint32_t)at;
    p->error->len = (uint32_t)len;
    vsnprintf(p->error->text, sizeof p->error->text, fmt, args);
    va_end(args);
    return false;
}

__attribute__((format(printf, 2, 3))) static bool help(parser *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(p->error->help, sizeof p->error->help, fmt, args);
    va_end(args);
    return false;
}

/* ---- characters ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek(const parser *p)
{
    return p->at < p->text.len ? p->text.ptr[p->at] : '\0';
}

static bool at_end(const parser *p)
{
    return p->at >= p->text.len;
}

static void skip_space(parser *p)
{
    while (!at_end(p) && is_space(peek(p))) p->at++;
}

/* True for what ends a word. */
static bool ends_word(char c)
{
    return is_space(c) || c == '(' || c == ')' || c == ',' || c == '+' || c == '"' || c == '\'';
}

/* Takes an operator word, if it stands here and is not the beginning of a name. */
static bool take_word(parser *p, const char *word)
{
    skip_space(p);
    size_t len = strlen(word);
    ax_str rest = ax_str_slice(p->text, p->at, p->text.len);
    if (!ax_str_starts(rest, ax_str_of(word))) return false;
    if (rest.len > len && !is_space(rest.ptr[len]) && rest.ptr[len] != '(' && rest.ptr[len] != '"' &&
        rest.ptr[len] != '\'')
        return false;
    p->at += len;
    return true;
}

/* ---- terms ---- */

/* A quoted text, whose quote stands here: \" and \\ inside "…"; '…' is raw. */
static bool take_quoted(parser *p, ax_term *term)
{
    size_t from = p->at++;
    char quote = p->text.ptr[from];
    ax_buf value = AX_BUF_INIT(AX_SELECT_BYTES_MAX);
    for (; !at_end(p) && peek(p) != quote; p->at++) {
        bool escaped = quote == '"' && peek(p) == '\\' && p->at + 1 < p->text.len;
        if (escaped) p->at++;
        ax_buf_addc(&value, p->text.ptr[p->at]);
    }
    term->value = ax_str_dup(p->mem, ax_buf_str(&value));
    term->literal = true;
    ax_buf_free(&value);
    if (at_end(p)) return fail(p, from, p->text.len - from, "this quote is not closed");
    p->at++;
    return true;
}

/* Skips the […] of a copy's name, which stands here; quotes inside hide its end. */
static bool skip_index(parser *p)
{
    size_t from = p->at;
    char quote = '\0';
    for (p->at++; !at_end(p); p->at++) {
        char c = peek(p);
        if (c == '\\' && quote == '"') p->at++;
        else if (quote) quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'') quote = c;
        else if (c == ']') break;
    }
    if (at_end(p)) return fail(p, from, p->text.len - from, "this bracket is not closed");
    p->at++;
    return true;
}

/* A word up to a space, a parenthesis, a comma or a plus; brackets belong to it. */
static bool take_bare(parser *p, ax_term *term)
{
    size_t from = p->at;
    while (!at_end(p) && !ends_word(peek(p))) {
        if (peek(p) != '[') p->at++;
        else if (!skip_index(p)) return false;
    }
    term->value = ax_str_slice(p->text, from, p->at);
    return true;
}

static bool take_value(parser *p, ax_term *term)
{
    char c = peek(p);
    bool is_quoted = c == '"' || c == '\'';
    term->at = (uint32_t)p->at;
    bool ok = is_quoted ? take_quoted(p, term) : take_bare(p, term);
    term->len = (uint32_t)(p->at - term->at);
    return ok;
}

static bool unknown_method(parser *p, const ax_term *term, ax_str method)
{
    ax_nearest near = ax_nearest_start(method);
    for (int i = AX_TERM_NAME + 1; i < AX_TERM_COUNT; i++)
        ax_nearest_offer(&near, ax_str_of(ax_term_names[i]));
    fail(p, term->at, method.len ? method.len : 1, "nothing is selected by '%.*s:'",
         AX_STR(ax_str_slice(method, 0, 60)));
    if (near.best.len) return help(p, "did you mean '%.*s:'?", AX_STR(near.best));
    return help(p, "there are tag:, kind:, group: and state:");
}

/* Splits "tag:x" into its method and value; a word without a colon stays a name. */
static bool split_method(parser *p, ax_term *term)
{
    const char *colon = term->literal ? NULL : memchr(term->value.ptr, ':', term->value.len);
    const char *bracket = term->literal ? NULL : memchr(term->value.ptr, '[', term->value.len);
    if (!colon || (bracket && bracket < colon)) return true;
    ax_str method = {term->value.ptr, (size_t)(colon - term->value.ptr)};
    int kind = AX_TERM_NAME + 1;
    while (kind < AX_TERM_COUNT && !ax_str_is(method, ax_term_names[kind])) kind++;
    if (kind == AX_TERM_COUNT) return unknown_method(p, term, method);
    term->kind = (ax_term_kind)kind;
    p->at = term->at + method.len + 1;
    return take_value(p, term);
}

/* Finds the term's value among the words that its kind knows; their count if it is none. */
static int find_word(parser *p, const ax_term *term, const char *const words[], int count, const char *what)
{
    ax_nearest near = ax_nearest_start(term->value);
    for (int i = 0; i < count; i++) {
        if (ax_str_is(term->value, words[i])) return i;
        ax_nearest_offer(&near, ax_str_of(words[i]));
    }
    fail(p, term->at, term->len, "there is no %s '%.*s'", what, AX_STR(ax_str_slice(term->value, 0, 60)));
    if (near.best.len) {
        help(p, "did you mean '%.*s'?", AX_STR(near.best));
        return count;
    }
    ax_buf known = AX_BUF_INIT(sizeof p->error->help);
    for (int i = 0; i < count; i++) ax_buf_addf(&known, "%s%s", i ? ", " : "there are ", words[i]);
    help(p, "%.*s", AX_STR(ax_buf_str(&known)));
    ax_buf_free(&known);
    return count;
}

static bool resolve_words(parser *p, ax_term *term)
{
    if (term->kind == AX_TERM_KIND) {
        const char *kinds[AX_NODE_KIND_COUNT];
        for (int i = 0; i < AX_NODE_KIND_COUNT; i++) kinds[i] = ax_node_kind_name((ax_node_kind)i);
        int kind = find_word(p, term, kinds, AX_NODE_KIND_COUNT, "kind");
        term->node_kind = (ax_node_kind)kind;
        return kind < AX_NODE_KIND_COUNT;
    }
    if (term->kind == AX_TERM_STATE) {
        int change = find_word(p, term, ax_change_names, AX_STATE_COUNT, "state");
        term->change = (ax_node_change)change;
        return change < AX_STATE_COUNT;
    }
    return true;
}

/* Digits as a number of edges; large ones are all. */
static uint32_t take_number(parser *p)
{
    uint64_t n = 0;
    for (; is_digit(peek(p)); p->at++)
        if (n < AX_STEPS_ALL) n = n * 10 + (uint64_t)(peek(p) - '0');
    return n < AX_STEPS_ALL ? (uint32_t)n : AX_STEPS_ALL;
}

/* "+" or "2+" before a term. */
static bool take_up(parser *p, ax_term *term)
{
    size_t from = p->at;
    if (is_digit(peek(p))) {
        term->up = take_number(p);
        if (peek(p) != '+') {
            fail(p, from, p->at - from, "a name does not begin with a digit");
            return help(p, "a number of edges stands before or behind a '+': 2+name, name+2");
        }
        p->at++;
    } else if (peek(p) == '+') {
        p->at++;
        term->up = AX_STEPS_ALL;
    }
    return true;
}

/* "+" or "+2" behind a term. */
static void take_down(parser *p, ax_term *term)
{
    if (peek(p) != '+') return;
    p->at++;
    term->down = is_digit(peek(p)) ? take_number(p) : AX_STEPS_ALL;
}

static void push(parser *p, ax_sel_op op, const ax_term *term)
{
    ax_sel_step step = {.op = op};
    if (term) step.term = *term;
    ax_vec_push(p->mem, &p->out->steps, step);
    if (op == AX_SEL_TERM && ++p->stack > p->out->stack_max) p->out->stack_max = p->stack;
    if (op == AX_SEL_AND || op == AX_SEL_OR) p->stack--;
}

static bool missing(parser *p, size_t at)
{
    if (at < p->text.len)
        return fail(p, at, 1, "a name or a selection like tag:x is missing before '%c'", p->text.ptr[at]);
    fail(p, p->text.len, 1, "a name or a selection like tag:x is missing at the end");
    return help(p, "for example: +build_report, tag:nightly and not kind:gate");
}

static bool parse_term(parser *p)
{
    ax_term term = {0};
    size_t from = p->at;
    if (!take_up(p, &term) || !take_value(p, &term)) return false;
    if (term.len == 0) return missing(p, p->at);
    if (!split_method(p, &term)) return false;
    if (term.value.len == 0) return fail(p, from, p->at - from, "what is selected is missing behind the ':'");
    if (!resolve_words(p, &term)) return false;
    take_down(p, &term);
    if (!at_end(p) && !is_space(peek(p)) && peek(p) != ')' && peek(p) != ',')
        return fail(p, p->at, 1, "'%c' does not belong here", peek(p));
    if (++p->terms > AX_SELECT_TERMS_MAX)
        return fail(p, from, p->at - from, "the selection has more than %u terms", AX_SELECT_TERMS_MAX);
    push(p, AX_SEL_TERM, &term);
    return true;
}

/* ---- operators ---- */

static bool parse_or(parser *p);

static bool parse_group(parser *p)
{
    size_t from = p->at++;
    if (++p->depth > AX_SELECT_DEPTH_MAX)
        return fail(p, from, 1, "parentheses are nested more than %u deep", AX_SELECT_DEPTH_MAX);
    if (!parse_or(p)) return false;
    skip_space(p);
    if (peek(p) != ')') return fail(p, from, 1, "this parenthesis is not closed");
    p->at++;
    p->depth--;
    if (peek(p) != '+') return true;
    fail(p, p->at, 1, "a '+' stands at a name, not at a parenthesis");
    return help(p, "write it at each name inside");
}

static bool parse_not(parser *p)
{
    bool negated = false;
    while (take_word(p, "not")) negated = !negated;
    skip_space(p);
    if (!(peek(p) == '(' ? parse_group(p) : parse_term(p))) return false;
    if (negated) push(p, AX_SEL_NOT, NULL);
    return true;
}

static bool parse_and(parser *p)
{
    if (!parse_not(p)) return false;
    while (take_word(p, "and")) {
        if (!parse_not(p)) return false;
        push(p, AX_SEL_AND, NULL);
    }
    return true;
}

static bool take_or(parser *p)
{
    if (take_word(p, "or")) return true;
    if (peek(p) != ',') return false;
    p->at++;
    return true;
}

static bool parse_or(parser *p)
{
    if (!parse_and(p)) return false;
    while (take_or(p)) {
        if (!parse_and(p)) return false;
        push(p, AX_SEL_OR, NULL);
    }
    return true;
}

bool ax_select_parse(ax_arena *mem, ax_str text, const ax_select **out, ax_text_err *error)
{
    *error = (ax_text_err){0};
    parser p = {.mem = mem, .text = text, .out = AX_NEW(mem, ax_select), .error = error};
    *out = p.out;
    if (text.len > AX_SELECT_BYTES_MAX)
        return fail(&p, 0, 1, "the selection is longer than %u bytes", AX_SELECT_BYTES_MAX);
    if (!parse_or(&p)) return false;
    skip_space(&p);
    if (at_end(&p)) return true;
    if (peek(&p) == ')') return fail(&p, p.at, 1, "this parenthesis was not opened");
    fail(&p, p.at, 1, "an operator is missing here");
    return help(&p, "join terms with 'and', 'or' or a comma");
}
