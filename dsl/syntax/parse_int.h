/* parse_int.h - what scanner, filter, grammar and builders share: the state of one parse.
 *
 * The scanner makes raw tokens and keeps the stack of what is open; the filter makes line ends into tokens
 * where they mean something; the grammar calls the builders. Behind the scanner brackets are always balanced:
 * it reports those that are not and supplies what is missing. What is wrong is reported once, where it is
 * found: a token that stands for something reported is `diagnosed` and causes no second report.
 */
#ifndef AX_SYNTAX_PARSE_INT_H
#define AX_SYNTAX_PARSE_INT_H

#include "dsl/base/diag.h"
#include "dsl/syntax/ast.h"

/* What text may stand in. The scanner's mode is that of the innermost one. */
typedef enum {
    AX_IN_FILE,
    AX_IN_BRACES,
    AX_IN_BRACKETS,
    AX_IN_PARENS,
    AX_IN_EXPR,      /* {{ }} */
    AX_IN_STRING,    /* "…" */
    AX_IN_BLOCK,     /* """ … """ */
    AX_IN_RAW_BLOCK, /* ''' … ''' */
} ax_inside;

#define AX_NO_FRAME UINT32_MAX

/* Something open, with its opener. */
typedef struct {
    ax_inside kind;
    ax_span span;
    uint32_t indent; /* of the line where it stands, in bytes */
} ax_frame;

typedef struct {
    int kind; /* of gram.h; 0 at the end of the text */
    ax_span span;
    ax_inside inside; /* what it stands in; a closer: what it closes */
    uint32_t indent;  /* of its line, in bytes */
    bool line_start;  /* a line end stands before it */
    bool diagnosed;   /* it stands for something reported */
    union {
        ax_str text;       /* of a name or of text in a string, as written */
        ax_ast_expr *expr; /* a literal or a whole string */
        ax_quote quote;    /* how a string begins */
    } u;
} ax_token;

/* Records under construction: a run on the parser's stack that begins at word `at`. */
typedef struct {
    uint32_t at, count;
    bool broken; /* one could not be read */
} ax_list;

/* "then if test", whose "else other" follows. */
typedef struct {
    ax_ast_expr *then, *test;
    ax_span span; /* of then */
} ax_branch;

typedef struct ax_parser {
    ax_arena *mem; /* of the tree */
    const ax_source *source;
    ax_diags *diags;
    bool is_expr; /* the text is one expression, not a file */

    /* the scanner's */
    void *flex;
    const char *buffer;  /* flex's copy of the text */
    ax_token token;      /* the one being made */
    uint32_t chunk;      /* where the open string's next text begins */
    bool line_start;     /* a line end was passed since the last token */
    uint32_t line_beg;   /* the first byte of the line */
    uint32_t indent;     /* of its first token */
    uint32_t line_bound; /* the lowest frame that must end on its line; AX_NO_FRAME: none */
    uint32_t looked_to;  /* up to here the line was searched for }} … */
    bool is_expr_end;    /* … and here it stands, or not on the line at all */
    bool at_end;         /* flex has no more */
    bool is_end_known;   /* what is still open at the end was reported */
    ax_frame suspect;    /* a block whose } stands further left than its first line: it may lack its own */
    uint32_t close_to;   /* close all frames above this many, unasked; AX_NO_FRAME: none */
    uint32_t here;       /* where they are closed */
    AX_VEC(ax_frame) frames;
    AX_VEC(ax_ast_comment) comments;

    /* the filter's */
    ax_token before;  /* what the scanner gave last */
    ax_token prior;   /* what the grammar got before the last */
    ax_token last;    /* what the grammar got last */
    ax_token held[2]; /* what the grammar gets next */
    uint32_t held_count;
    bool is_line_due;   /* a line end goes before it */
    uint32_t line_at;   /* where that is */
    bool is_recovering; /* the grammar looks for a place to go on */
    bool is_broken;     /* something fitted nowhere */

    /* the builders' */
    ax_arena scratch;
    AX_VEC(uint64_t) stack; /* the lists under construction, innermost last */
    ax_span too_deep;       /* the last expression that was reported as too deep */
    ax_list items;          /* result: a file's items */
    ax_ast_expr *expr;      /* result: the expression */
} ax_parser;

/* How a kind of token behaves. */
enum {
    AX_TOKEN_ENDS = 1,      /* a line end behind it may end the item */
    AX_TOKEN_CONTINUES = 2, /* in front of it no line end counts: an operator, an arrow, `=` `:` `,` `.` */
    AX_TOKEN_WORD = 4,      /* a reserved word */
    AX_TOKEN_VALUE = 8,     /* begins a value */
    AX_TOKEN_OPERATOR = 16, /* a binary operator */
};

typedef struct {
    const char *name; /* in messages */
    uint8_t rank;     /* order among what was wanted, from 1; 0: it is not worth naming */
    uint8_t flags;
} ax_token_info;

/* The row of a token of gram.h. */
const ax_token_info *ax_token_about(int kind);
/* True if it has the flag. */
bool ax_token_is(int kind, unsigned flag);

/* ---- text (text_check.c, string.c, literal.c) ---- */

/* Reports the bytes that can be no part of a text; false if it is no text at all. */
bool ax_text_check(const ax_parser *p);
/* A whole "…" or '…' without escapes and expressions: inner is what stands between the quotes. */
ax_ast_expr *ax_string_plain(ax_parser *p, ax_span span, ax_span inner, ax_quote quote);
/* A string from its parts (a list of ax_ast_part with the spans of texts set): escapes are resolved, a block
 * loses its common indent. */
ax_ast_expr *ax_string_make(ax_parser *p, ax_span span, ax_quote quote, ax_list parts);
/* The white space that all lines of a block's text begin with which have something on them; where the closing
 * quotes stand is a matter of layout. Of a block without such lines: all of it. And a line without it; a line
 * of other white space loses all of it. */
ax_str ax_string_indent(ax_str text);
ax_str ax_string_cut_indent(ax_str line, ax_str indent);
/* What begins with a digit; if it is no known form that is reported, and the nearest form returned. */
ax_ast_expr *ax_literal_make(ax_parser *p, ax_span span);
/* The bytes of the source under a span. */
ax_str ax_parser_text(const ax_parser *p, ax_span span);
/* The same for a message: of a long text the beginning. */
ax_str ax_parser_quote(const ax_parser *p, ax_span span);

/* ---- scanner (scan.c over scan.l) ---- */

/* Begins at byte `from` of the text. */
void ax_scan_start(ax_parser *p, size_t from);
/* Makes p->token the next raw token. */
void ax_scan_next(ax_parser *p);

#define AX_TOKENS_MAX 64    /* more than there are kinds of token */
#define AX_TOKENS_MAX 64    /* more than there are kinds of token */
#define AX_SCAN_AGAIN (-1)  /* what an action returns when it made no token */
#define AX_SCAN_REREAD (-2) /* … and its match must be read again */

/* The actions of scan.l: `text` is the match in flex's buffer. They return the kind of p->token or
 * AX_SCAN_AGAIN. */
int ax_scan_token(ax_parser *p, const char *text, int len, int kind);
int ax_scan_constant(ax_parser *p, const char *text, int len, ax_ast_kind kind);
int ax_scan_literal(ax_parser *p, const char *text, int len);
int ax_scan_plain(ax_parser *p, const char *text, int len, ax_quote quote);
int ax_scan_open(ax_parser *p, const char *text, int len, int kind, ax_inside inside);
int ax_scan_block(ax_parser *p, const char *text, int len);
int ax_scan_block_end(ax_parser *p, const char *text, int len);
int ax_scan_open_raw(ax_parser *p, const char *text, int len);
int ax_scan_comment(ax_parser *p, const char *text, int len);
int ax_scan_foreign(ax_parser *p, const char *text, int len);
int ax_scan_close(ax_parser *p, const char *text, int len, int kind, ax_inside inside);
/* A line end outside strings, or in a "…" string: true if something that must end on its line is still open;
 * that is reported and closed. */
bool ax_scan_line_end(ax_parser *p, const char *text);
/* A quote inside {{ }}: true if no }} follows on its line, so that it ends the string around the expression;
 * that is reported, and the expression closed. */
bool ax_scan_ends_outer(ax_parser *p, const char *text);
/* True if text of the open string stands before `text`: p->token is that text, and the match is to be read
 * again. */
bool ax_scan_text(ax_parser *p, const char *text);
/* Reports something that is not closed, at its opener. */
ax_diag *ax_scan_report_open(ax_parser *p, const ax_frame *frame);
/* Forgets the ( and [ that are open in the innermost block up to frame `end`; returns what is open then. */
ax_inside ax_scan_drop_brackets(ax_parser *p, uint32_t end);
/* What the scanner is in. */
ax_inside ax_scan_inside(const ax_parser *p);

/* ---- grammar (lex_filter.c, report.c over gram.y) ---- */

/* The scanner's next token, with INDEX told from the `[` of a list. */
ax_token ax_filter_take(ax_parser *p);
/* The last token fits nowhere: skips what it opens. If it shows that a ( or [ before it was not closed, that
 * is reported, the token is kept as the beginning of the next item, and true returned. */
bool ax_filter_give_up(ax_parser *p);

/* A token that fits nowhere: reports it and puts the parser into recovery. wanted: the tokens that would have
 * fitted. */
void ax_report_syntax(ax_parser *p, const int *wanted, int count);
/* A place to go on was found. */
void ax_report_recovered(ax_parser *p);

/* ---- builders (ast.c) ---- */

/* Lists are built on the parser's stack, the innermost last: a push gives up what lies above the list. */
ax_list ax_list_new(const ax_parser *p);
void ax_list_push(ax_parser *p, ax_list *list, const void *record, size_t size);
/* The records, now in the tree's arena; NULL for none. */
void *ax_list_done(ax_parser *p, ax_list list, size_t size);

ax_ast_name *ax_ast_name_new(ax_parser *p, ax_span span, ax_str text);
/* A node of a kind without operands, whose value the caller sets. */
ax_ast_expr *ax_ast_leaf(ax_parser *p, ax_ast_kind kind, ax_span span);
/* The depth of a node over the given one; an expression that gets too deep is reported and becomes null. */
ax_ast_expr *ax_ast_deeper(ax_parser *p, ax_ast_expr *e, const ax_ast_expr *below);

ax_ast_expr *ax_ast_name_expr(ax_parser *p, ax_span span, ax_str text);
ax_ast_expr *ax_ast_list(ax_parser *p, ax_span span, ax_list items);
ax_ast_expr *ax_ast_map(ax_parser *p, ax_span span, ax_list entries);
ax_ast_expr *ax_ast_binary(ax_parser *p, ax_ast_op op, ax_span span, ax_ast_expr *a, ax_ast_expr *b);
/* Operators in front of a, which ends at `end`: the list of their spans, outermost first. */
ax_ast_expr *ax_ast_unary(ax_parser *p, ax_ast_op op, uint32_t end, ax_list spans, ax_ast_expr *a);
/* The list of ax_branch, and the "other" of the last, which ends at `end`. */
ax_ast_expr *ax_ast_cond(ax_parser *p, uint32_t end, ax_list branches, ax_ast_expr *other);
ax_ast_expr *ax_ast_member(ax_parser *p, ax_span span, ax_ast_expr *base, ax_ast_name name);
/* kind: AX_AST_INDEX or AX_AST_CALL; a list of ax_ast_arg. */
ax_ast_expr *ax_ast_apply(ax_parser *p, ax_ast_kind kind, ax_span span, ax_ast_expr *base, ax_list args);

ax_ast_label ax_ast_label_of(ax_span span, ax_str name, ax_ast_expr *string);
ax_ast_type *ax_ast_type_new(ax_parser *p, ax_span span, ax_str name, const ax_ast_type *of);
ax_ast_body *ax_ast_body_new(ax_parser *p, ax_span span, ax_list items);
ax_ast_endpoint ax_ast_endpoint_of(ax_parser *p, ax_span span, ax_list refs, const ax_ast_name *outcome);
ax_ast_item *ax_ast_attr_new(ax_parser *p, ax_span span, ax_ast_expr *path, ax_ast_expr *value);
ax_ast_item *ax_ast_edge_new(ax_parser *p, ax_span span, ax_list points);
/* A block begins with its kind and labels, gets what stands behind them, and ends with its span and body. */
ax_ast_item *ax_ast_block_new(ax_parser *p, ax_span kind_span, ax_str kind, ax_list labels);
void ax_ast_block_args(ax_parser *p, ax_ast_item *item, ax_list args);
void ax_ast_block_type(ax_ast_item *item, const ax_ast_type *type, ax_ast_expr *constraint,
                       ax_ast_expr *value);
void ax_ast_block_end(ax_ast_item *item, ax_span span, ax_ast_body *body);

#endif
