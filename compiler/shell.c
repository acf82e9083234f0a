/* shell.c - a pushdown reader of shell quoting, one byte at a time.
 *
 * Frames that hold commands (the script itself, $( ), ( ), case, ` `) also follow words, for what cannot be
 * told without them: a '#' that begins a comment, 'case' whose patterns hold a lone ')', heredocs, and
 * commands that run text (eval, sh -c, ssh).
 */
#include "compiler/shell_int.h"

#include <string.h>

#include "dsl/base/assert.h"

typedef enum {
    F_TOP,
    F_SUB,
    F_PAREN,
    F_CASE,
    F_BACKTICK, /* these hold commands */
    F_DOUBLE,
    F_SINGLE,
    F_ANSI,
    F_ARITH,
    F_EXPANSION,
    F_COMMENT,
    F_HEREDOC,
    F_HEREDOC_WORD,
} frame_kind;

/* What the words of a command have said so far about text that another shell runs. */
typedef enum { RUNS_NOTHING, RUNS_EVAL, RUNS_SSH, RUNS_SHELL, RUNS_SHELL_TEXT } runs_kind;

enum { WORD_MAX = 16 };

struct ax_sh_frame {
    frame_kind kind;
    uint32_t depth;      /* ARITH: open parentheses */
    char word[WORD_MAX]; /* commands: the word that is being read, if it is short */
    uint32_t word_len;   /* its bytes so far */
    bool word_mixed;     /* it holds quotes, expansions or a value */
    bool at_start;       /* commands: a reserved word may come */
    bool is_named;       /* commands: the name of the command was read */
    bool has_prefix;     /* commands: sudo, env, … run the command that follows their own words */
    bool in_header;      /* CASE: before `in` */
    runs_kind runs;
    uint32_t operands; /* words since then that are no options */
    bool reads_input;  /* RUNS_SHELL: -s was given */
    bool is_script;    /* HEREDOC: another shell reads it as a script */
    ax_str delimiter;  /* HEREDOC */
    uint32_t matched;  /* HEREDOC: bytes of the delimiter that the line began with */
    bool is_matching, is_quoted, strips_tabs, has_text; /* HEREDOC, HEREDOC_WORD */
    char quote;                                         /* HEREDOC_WORD: the quote that is open, or '\\' */
};

struct ax_sh_heredoc {
    ax_str delimiter;
    bool is_quoted, strips_tabs;
    uint32_t frame; /* it was opened in */
};

static ax_sh_frame *top(ax_sh *sh)
{
    return &sh->frames.at[sh->frames.len - 1];
}

static bool holds_commands(frame_kind kind)
{
    return kind <= F_BACKTICK;
}

static void push(ax_sh *sh, frame_kind kind)
{
    ax_sh_frame f = {.kind = kind, .at_start = true};
    ax_vec_push(sh->mem, &sh->frames, f);
    if (kind == F_BACKTICK) sh->backticks++;
}

static void pop(ax_sh *sh)
{
    AX_ASSERT(sh->frames.len > 1);
    if (top(sh)->kind == F_BACKTICK) sh->backticks--;
    sh->frames.len--;
    for (uint32_t i = 0; i < sh->waiting.len; i++)
        if (sh->waiting.at[i].frame >= sh->frames.len) sh->waiting.at[i].frame = sh->frames.len - 1;
}

/* ---- words of commands ---- */

static bool is_one_of(ax_str word, const char *const *words)
{
    for (; *words; words++)
        if (ax_str_is(word, *words)) return true;
    return false;
}

static bool is_assignment(ax_str word)
{
    return word.len > 0 && memchr(word.ptr, '=', word.len) != NULL && word.ptr[0] != '=';
}

/* What a word, whole and without quotes, says about the command that it stands in. */
static void classify(ax_sh_frame *f, ax_str word)
{
    static const char *const shells[] = {"sh", "bash", "dash", "ksh", "zsh", "ash", NULL};
    static const char *const prefixes[] = {"sudo",    "env",   "exec", "command", "builtin", "nohup", "nice",
                                           "timeout", "xargs", "time", "setsid",  "doas",    NULL};
    const char *slash = word.len ? memrchr(word.ptr, '/', word.len) : NULL;
    ax_str base = slash ? ax_str_slice(word, (size_t)(slash - word.ptr) + 1, word.len) : word;
    if (f->runs == RUNS_SHELL && word.len > 1 && word.ptr[0] == '-') {
        char last = word.ptr[word.len - 1];
        if (last == 'c') {
            f->runs = RUNS_SHELL_TEXT;
            f->operands = 0;
        }
        if (last == 's') f->reads_input = true;
    }
    if (f->runs != RUNS_NOTHING && word.ptr[0] != '-') f->operands++;
    if (f->is_named || f->runs != RUNS_NOTHING) return;
    if (is_one_of(base, shells)) f->runs = RUNS_SHELL;
    else if (ax_str_is(base, "ssh")) f->runs = RUNS_SSH;
    else if (ax_str_is(base, "eval") || ax_str_is(base, "let")) f->runs = RUNS_EVAL;
    else if (is_one_of(base, prefixes)) f->has_prefix = true;
    f->operands = 0;
    f->is_named = f->runs != RUNS_NOTHING || (!f->has_prefix && !is_assignment(word));
}

static void new_command(ax_sh_frame *f)
{
    f->at_start = true;
    f->is_named = f->has_prefix = false;
    f->reads_input = false;
    f->runs = RUNS_NOTHING;
    f->operands = 0;
}

/* True if the command takes what it reads from its standard input as a script. */
static bool reads_script(const ax_sh_frame *f)
{
    if (f->runs == RUNS_SHELL) return f->operands == 0 || f->reads_input;
    return f->runs == RUNS_SSH && f->operands <= 1;
}

/* A word without quotes has ended; reserved words change what may come. */
static void plain_word(ax_sh *sh, ax_str word)
{
    static const char *const openers[] = {"if",    "then",  "else", "elif", "do",
                                          "while", "until", "!",    "{",    NULL};
    ax_sh_frame *f = top(sh);
    if (f->kind == F_CASE && f->in_header) {
        if (!ax_str_is(word, "in")) return;
        f->in_header = false;
        new_command(f);
        return;
    }
    if (f->at_start && is_one_of(word, openers)) return;
    bool was_start = f->at_start;
    f->at_start = false;
    if (was_start && ax_str_is(word, "case")) {
        push(sh, F_CASE);
        top(sh)->in_header = true;
        top(sh)->at_start = false;
    } else if (was_start && ax_str_is(word, "esac") && f->kind == F_CASE) {
        pop(sh);
        top(sh)->at_start = false;
        top(sh)->is_named = true;
    } else classify(f, word);
}

static void end_word(ax_sh *sh)
{
    ax_sh_frame *f = top(sh);
    if (f->word_len == 0 && !f->word_mixed) return;
    ax_str word = {f->word, f->word_len};
    bool is_plain = !f->word_mixed && f->word_len <= WORD_MAX;
    f->word_len = 0;
    f->word_mixed = false;
    if (is_plain) {
        char copy[WORD_MAX]; /* the frame may move */
        memcpy(copy, word.ptr, word.len);
        plain_word(sh, (ax_str){copy, word.len});
        return;
    }
    f->at_start = false;
    f->operands++;
    if (word.len <= WORD_MAX && is_assignment(word)) return;
    f->is_named = true;
}

static void add_to_word(ax_sh_frame *f, char c)
{
    if (f->word_len < WORD_MAX) f->word[f->word_len] = c;
    f->word_len++;
}

/* ---- heredocs ---- */

/* Opens the text of the next heredoc that waits in this frame. */
static void open_heredoc(ax_sh *sh, bool is_script)
{
    for (uint32_t i = 0; i < sh->waiting.len; i++) {
        ax_sh_heredoc h = sh->waiting.at[i];
        if (h.frame != sh->frames.len - 1) continue;
        memmove(&sh->waiting.at[i], &sh->waiting.at[i + 1], (sh->waiting.len - i - 1) * sizeof h);
        sh->waiting.len--;
        push(sh, F_HEREDOC);
        ax_sh_frame *f = top(sh);
        f->delimiter = h.delimiter;
        f->is_quoted = h.is_quoted;
        f->strips_tabs = h.strips_tabs;
        f->is_matching = true;
        f->is_script = is_script;
        return;
    }
}

/* The word behind << is whole. */
static void end_heredoc_word(ax_sh *sh)
{
    ax_sh_frame *f = top(sh);
    ax_sh_heredoc h = {.delimiter = ax_str_dup(sh->mem, f->delimiter),
                       .is_quoted = f->is_quoted,
                       .strips_tabs = f->strips_tabs};
    pop(sh);
    h.frame = sh->frames.len - 1;
    ax_vec_push(sh->mem, &sh->waiting, h);
}

static void add_to_delimiter(ax_sh *sh, ax_sh_frame *f, char c)
{
    char *grown = ax_arena_grow(sh->mem, (char *)f->delimiter.ptr, f->delimiter.len, f->delimiter.len + 1);
    grown[f->delimiter.len] = c;
    f->delimiter = (ax_str){grown, f->delimiter.len + 1};
}

/* One byte of the text of a heredoc: does the line turn out to be the delimiter? True: the byte was used up.
 */
static bool match_delimiter(ax_sh *sh, char c)
{
    ax_sh_frame *f = top(sh);
    if (c == '\n') {
        bool is_end = f->is_matching && f->matched == f->delimiter.len;
        f->is_matching = true;
        f->matched = 0;
        if (!is_end) return true;
        bool is_script = f->is_script;
        pop(sh);
        open_heredoc(sh, is_script);
        return true;
    }
    if (f->is_matching && f->strips_tabs && f->matched == 0 && c == '\t') return true;
    if (f->is_matching && f->matched < f->delimiter.len && f->delimiter.ptr[f->matched] == c) f->matched++;
    else f->is_matching = false;
    return false;
}

/* ---- bytes ---- */

static void step(ax_sh *sh, char c);

static void step_heredoc_word(ax_sh *sh, char c)
{
    ax_sh_frame *f = top(sh);
    if (f->quote == '\\') {
        f->quote = 0;
        add_to_delimiter(sh, f, c);
    } else if (f->quote) {
        if (c == f->quote) f->quote = 0;
        else add_to_delimiter(sh, f, c);
    } else if (c == '\'' || c == '"' || c == '\\') {
        f->quote = c;
        f->is_quoted = f->has_text = true;
    } else if (strchr(" \t\n;|&()<>", c)) {
        if ((c == ' ' || c == '\t') && !f->has_text) return;
        end_heredoc_word(sh);
        step(sh, c);
    } else {
        f->has_text = true;
        add_to_delimiter(sh, f, c);
    }
}

/* Opens what a \ or $ or ` begins, and a quote where quotes do. */
static void open_quote(ax_sh *sh, char c, bool single, bool dquote)
{
    if (c == '\\' || c == '$') sh->last[0] = c;
    else if (c == '`') push(sh, F_BACKTICK);
    else if (c == '\'' && single) push(sh, F_SINGLE);
    else if (c == '"' && dquote) push(sh, F_DOUBLE);
}

/* An operator byte outside quotes ends the word, and most of them the command. */
static void step_operator(ax_sh *sh, char c)
{
    end_word(sh);
    frame_kind kind = top(sh)->kind;
    if (c == '<' || c == '(') sh->last[0] = c;
    if (c == '<' || c == '(' || c == '>') return;
    if (c == ')' && (kind == F_SUB || kind == F_PAREN)) {
        pop(sh);
        if (kind == F_PAREN) new_command(top(sh)); /* f() { … } */
        return;
    }
    bool is_script = reads_script(top(sh));
    new_command(top(sh));
    if (c == '\n') open_heredoc(sh, is_script);
}

static void step_command(ax_sh *sh, char c)
{
    ax_sh_frame *f = top(sh);
    if (c == '`' && f->kind == F_BACKTICK) {
        pop(sh);
        return;
    }
    if (c == ' ' || c == '\t') {
        end_word(sh);
        return;
    }
    if (strchr("\n;|&()<>", c)) {
        step_operator(sh, c);
        return;
    }
    if (c == '#' && f->word_len == 0 && !f->word_mixed) {
        push(sh, F_COMMENT);
        return;
    }
    if (strchr("'\"\\$`", c)) {
        f->word_mixed = true;
        open_quote(sh, c, true, true);
        return;
    }
    add_to_word(f, c);
}

static void step_arith(ax_sh *sh, char c)
{
    ax_sh_frame *f = top(sh);
    if (c == '(') f->depth++;
    else if (c == ')' && --f->depth == 0) {
        pop(sh);
        if (holds_commands(top(sh)->kind)) top(sh)->at_start = false;
    } else open_quote(sh, c, true, true);
}

/* True if "…" is open around the ${ } on top. */
static bool is_in_double(const ax_sh *sh)
{
    for (uint32_t i = sh->frames.len - 1; i-- > 0;) {
        frame_kind kind = sh->frames.at[i].kind;
        if (kind == F_DOUBLE || kind == F_HEREDOC) return true;
        if (kind != F_EXPANSION) return false;
    }
    return false;
}

static void step_in(ax_sh *sh, char c)
{
    ax_sh_frame *f = top(sh);
    switch (f->kind) {
    case F_TOP:
    case F_SUB:
    case F_PAREN:
    case F_CASE:
    case F_BACKTICK: step_command(sh, c); return;
    case F_DOUBLE:
        if (c == '"') pop(sh);
        else open_quote(sh, c, false, false);
        return;
    case F_SINGLE:
        if (c == '\'') pop(sh);
        return;
    case F_ANSI:
        if (c == '\'') pop(sh);
        else if (c == '\\') sh->last[0] = c;
        return;
    case F_ARITH: step_arith(sh, c); return;
    case F_EXPANSION:
        if (c == '}') pop(sh);
        else open_quote(sh, c, !is_in_double(sh), true);
        return;
    case F_COMMENT:
        if (c != '\n') return;
        pop(sh);
        step(sh, c);
        return;
    case F_HEREDOC:
        if (!match_delimiter(sh, c) && !f->is_quoted) open_quote(sh, c, false, false);
        return;
    case F_HEREDOC_WORD: step_heredoc_word(sh, c); return;
    }
}

/* A byte behind $: what it opens. */
static void step_dollar(ax_sh *sh, char c)
{
    frame_kind kind = top(sh)->kind;
    sh->last[0] = 0;
    if (c == '(') {
        sh->last[0] = '$';
        sh->last[1] = '(';
    } else if (c == '{') {
        if (kind == F_HEREDOC) match_delimiter(sh, c);
        push(sh, F_EXPANSION);
    } else if (c == '\'' && (holds_commands(kind) || kind == F_ARITH)) push(sh, F_ANSI);
    else if (c == '$') return; /* $$ */
    else step(sh, c);
}

/* A byte behind one that could not be read alone. */
static void step_after(ax_sh *sh, char c)
{
    char first = sh->last[0], second = sh->last[1];
    sh->last[0] = sh->last[1] = 0;
    if (first == '\\') {
        if (top(sh)->kind == F_HEREDOC) match_delimiter(sh, c);
        return;
    }
    if (first == '$' && second == '(') {
        push(sh, c == '(' ? F_ARITH : F_SUB);
        if (c == '(') top(sh)->depth = 2;
        else step(sh, c);
    } else if (first == '$') step_dollar(sh, c);
    else if (first == '(') {
        push(sh, c == '(' ? F_ARITH : F_PAREN);
        if (c == '(') top(sh)->depth = 2;
        else step(sh, c);
    } else if (first == '<' && second == 0 && c == '<') {
        sh->last[0] = sh->last[1] = '<';
    } else if (first == '<' && second == '<' && c != '<') {
        push(sh, F_HEREDOC_WORD);
        top(sh)->strips_tabs = c == '-';
        if (c != '-') step(sh, c);
    } else if (first != '<' || second == 0) step(sh, c);
}

static void step(ax_sh *sh, char c)
{
    if (sh->last[0]) step_after(sh, c);
    else step_in(sh, c);
}

ax_sh ax_sh_start(ax_arena *mem)
{
    ax_sh sh = {.mem = mem};
    push(&sh, F_TOP);
    return sh;
}

void ax_sh_text(ax_sh *sh, ax_str text)
{
    for (size_t i = 0; i < text.len; i++) step(sh, text.ptr[i]);
}

static ax_sh_place place(ax_sh *sh)
{
    static const ax_sh_place places[] = {
        [F_TOP] = AX_SH_OPEN,
        [F_SUB] = AX_SH_OPEN,
        [F_PAREN] = AX_SH_OPEN,
        [F_CASE] = AX_SH_OPEN,
        [F_BACKTICK] = AX_SH_BACKTICK,
        [F_DOUBLE] = AX_SH_DOUBLE,
        [F_SINGLE] = AX_SH_SINGLE,
        [F_ANSI] = AX_SH_SINGLE,
        [F_ARITH] = AX_SH_ARITHMETIC,
        [F_EXPANSION] = AX_SH_EXPANSION,
        [F_COMMENT] = AX_SH_COMMENT,
        [F_HEREDOC] = AX_SH_HEREDOC,
        [F_HEREDOC_WORD] = AX_SH_HEREDOC_WORD,
    };
    if (sh->last[0] == '\\') return AX_SH_ESCAPED;
    if (sh->last[0] == '$' && sh->last[1] == 0) return AX_SH_DOLLAR;
    return places[top(sh)->kind];
}

ax_sh_place ax_sh_value(ax_sh *sh)
{
    /* A value begins no operator: what waited for its second byte is complete. */
    if (sh->last[0] == '(' || sh->last[0] == '<' || sh->last[1] == '(') {
        char first = sh->last[0], second = sh->last[1];
        sh->last[0] = sh->last[1] = 0;
        if (first == '(') push(sh, F_PAREN);
        else if (second == '(') push(sh, F_SUB);
        else if (second == '<') push(sh, F_HEREDOC_WORD);
    }
    ax_sh_place at = place(sh);
    for (uint32_t i = 0; i + 1 < sh->frames.len; i++) {
        frame_kind kind = sh->frames.at[i].kind;
        if (kind == F_EXPANSION) at = AX_SH_EXPANSION;
        if (kind == F_ARITH && at == AX_SH_DOUBLE) at = AX_SH_ARITHMETIC;
    }
    if (sh->backticks > 0) at = AX_SH_BACKTICK;
    ax_sh_frame *f = top(sh);
    f->word_mixed = true;
    f->is_matching = false;
    if (f->kind == F_HEREDOC && f->is_quoted && at == AX_SH_HEREDOC) at = AX_SH_HEREDOC_QUOTED;
    sh->last[0] = sh->last[1] = 0;
    return at;
}

bool ax_sh_is_inner(const ax_sh *sh)
{
    for (uint32_t i = sh->frames.len; i-- > 0;) {
        const ax_sh_frame *f = &sh->frames.at[i];
        if (f->kind == F_HEREDOC && f->is_script) return true;
        if (!holds_commands(f->kind)) continue;
        if (f->runs == RUNS_EVAL) return true;
        if (f->runs == RUNS_SSH) return f->operands >= 1;
        return f->runs == RUNS_SHELL_TEXT && f->operands == 0;
    }
    return false;
}
