/* ast.h - what the grammar makes of a text: attributes, blocks, edges, expressions, and every comment.
 *
 * The tree is raw: nothing is looked up, no word has a meaning yet, and every part has its exact span. It
 * lives in the arena of the parse and is never changed by the passes. After a syntax error the sound items
 * around it are in the tree; an item that could not be read is not, and the body (or file) that it stood in
 * is marked broken. A literal that is no known form was reported and stands in the tree as the nearest form
 * of it. Nodes are only as large as their kind needs: never copy an ax_ast_expr or ax_ast_item by value.
 */
#ifndef AX_SYNTAX_AST_H
#define AX_SYNTAX_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/source.h"
#include "dsl/base/str.h"

#define AX_SYNTAX_DEPTH_MAX 200 /* nesting of blocks, brackets and strings; more is a diagnostic */

typedef struct ax_ast_expr ax_ast_expr;
typedef struct ax_ast_item ax_ast_item;

/* A word with its place. */
typedef struct {
    ax_str text;
    ax_span span;
} ax_ast_name;

/* ---- expressions ---- */

typedef enum {
    AX_AST_NAME,     /* u.name */
    AX_AST_STRING,   /* u.string */
    AX_AST_INT,      /* u.number */
    AX_AST_FLOAT,    /* u.real */
    AX_AST_PERCENT,  /* u.real: 10% is 10.0 */
    AX_AST_DURATION, /* u.number: milliseconds */
    AX_AST_SIZE,     /* u.number: bytes */
    AX_AST_DATE,     /* u.number: days since 1970-01-01 */
    AX_AST_TIME,     /* u.number: minutes since midnight */
    AX_AST_TRUE,
    AX_AST_FALSE,
    AX_AST_NULL,
    AX_AST_LIST,   /* u.list */
    AX_AST_MAP,    /* u.map */
    AX_AST_UNARY,  /* u.op: op is AX_OP_NEG or AX_OP_NOT, operand in a */
    AX_AST_BINARY, /* u.op: a op b */
    AX_AST_COND,   /* u.cond: then IF test ELSE other */
    AX_AST_MEMBER, /* u.member: base.name */
    AX_AST_INDEX,  /* u.call: base[arg, arg] */
    AX_AST_CALL,   /* u.call: base(arg, name = arg) */
} ax_ast_kind;

typedef enum {
    AX_OP_NEG,
    AX_OP_NOT,
    AX_OP_OR,
    AX_OP_AND,
    AX_OP_EQ,
    AX_OP_NE,
    AX_OP_LT,
    AX_OP_LE,
    AX_OP_GT,
    AX_OP_GE,
    AX_OP_IN,
    AX_OP_NOT_IN,
    AX_OP_ADD,
    AX_OP_SUB,
    AX_OP_MUL,
    AX_OP_DIV,
    AX_OP_RANGE, /* 1..10 */
} ax_ast_op;

/* One piece of a string: decoded text, or {{ expression }}. */
typedef struct {
    ax_str text;       /* escapes resolved, block indent removed; when expr is NULL */
    ax_ast_expr *expr; /* NULL: this is text */
    ax_span span;      /* in the source; for an expression with its braces */
} ax_ast_part;

typedef enum { AX_QUOTE_DOUBLE, AX_QUOTE_SINGLE, AX_QUOTE_BLOCK, AX_QUOTE_BLOCK_RAW } ax_quote;

typedef struct {
    ax_ast_name name; /* empty: a positional argument */
    ax_ast_expr *value;
} ax_ast_arg;

typedef struct {
    ax_ast_expr *key_string; /* NULL: the key is `key` */
    ax_ast_name key;
    ax_ast_expr *value;
} ax_ast_entry;

struct ax_ast_expr {
    uint8_t kind;  /* ax_ast_kind */
    uint8_t op;    /* ax_ast_op, for UNARY and BINARY */
    bool parens;   /* it stood in ( ) */
    uint8_t depth; /* levels of expressions in it, from 1; at most AX_SYNTAX_DEPTH_MAX */
    ax_span span;  /* without surrounding parentheses */
    union {
        ax_str name;
        int64_t number;
        double real;
        struct {
            const ax_ast_part *parts;
            uint32_t count;
            ax_quote quote;
        } string;
        struct {
            ax_ast_expr *const *items;
            uint32_t count;
        } list;
        struct {
            const ax_ast_entry *entries;
            uint32_t count;
        } map;
        struct {
            ax_ast_expr *a, *b;
        } op;
        struct {
            ax_ast_expr *then, *test, *other;
        } cond;
        struct {
            ax_ast_expr *base;
            ax_ast_name name;
        } member;
        struct {
            ax_ast_expr *base;
            const ax_ast_arg *args;
            uint32_t count;
        } call; /* INDEX: args have no names */
    } u;
};

/* ---- items ---- */

typedef enum { AX_ITEM_ATTR, AX_ITEM_BLOCK, AX_ITEM_EDGE } ax_item_kind;

/* { … } with what stands in it. */
typedef struct {
    ax_ast_item **items;
    uint32_t count;
    bool broken;  /* an item in it could not be read: something may seem to be missing that is there */
    ax_span span; /* from { to } */
} ax_ast_body;

/* path = value; the path is a NAME, MEMBER or INDEX expression, or a STRING. */
typedef struct {
    ax_ast_expr *path;
    ax_ast_expr *value;
} ax_ast_attr;

/* A type as written: `int`, `list(string)`. */
typedef struct ax_ast_type {
    ax_ast_name name;
    const struct ax_ast_type *of; /* NULL: no argument */
} ax_ast_type;

/* A word in front of a block's body: a name, or a string. */
typedef struct {
    ax_ast_name name;    /* for a string: its span, and its text if it has no {{ }} */
    ax_ast_expr *string; /* NULL: it is a name */
} ax_ast_label;

/* kind label… = value | kind label… : type in constraint = value | kind label…(args) | … with an optional
 * body. */
typedef struct {
    ax_ast_name kind;
    const ax_ast_label *labels;
    uint32_t label_count;
    const ax_ast_type *type; /* NULL: none */
    ax_ast_expr *constraint; /* after `in`; NULL: none */
    ax_ast_expr *value;      /* after `=`; NULL: none */
    const ax_ast_arg *args;  /* template parameters or arguments */
    uint32_t arg_count;
    bool has_args;
    ax_ast_body *body; /* NULL: no braces */
} ax_ast_block;

/* One thing an edge names, with the outcome written behind it. */
typedef struct {
    ax_ast_expr *path;          /* NAME, MEMBER or INDEX */
    const ax_ast_name *outcome; /* NULL: none written */
} ax_ast_ref;

/* One side of an arrow: a ref, or a bracketed list with an outcome of its own. */
typedef struct {
    const ax_ast_ref *refs;
    uint32_t count;
    bool bracketed;
    const ax_ast_name *outcome; /* behind the bracket; NULL: none */
    ax_span span;
} ax_ast_endpoint;

/* a -> b -> c: at least two endpoints. */
typedef struct {
    const ax_ast_endpoint *points;
    uint32_t count;
} ax_ast_edge;

struct ax_ast_item {
    uint8_t kind; /* ax_item_kind */
    ax_span span;
    union {
        ax_ast_attr attr;
        ax_ast_block block;
        ax_ast_edge edge;
    } u;
};

/* A comment as it stands: `text` from # to the line's end, without it. */
typedef struct {
    ax_span span;
    ax_str text;
    bool own_line; /* nothing but white space stands before it on its line */
} ax_ast_comment;

typedef struct {
    ax_ast_item **items;
    uint32_t count;
    const ax_ast_comment *comments; /* all of the file, in order; none is attached to an item */
    uint32_t comment_count;
    const ax_source *source;
    bool broken; /* a syntax error was reported: do not format */
} ax_ast_file;

/* Copies of a node alone, in mem: what is below it is shared. They have the size that their kind needs. */
ax_ast_expr *ax_ast_copy(ax_arena *mem, const ax_ast_expr *e);
ax_ast_item *ax_ast_item_copy(ax_arena *mem, const ax_ast_item *item);

#endif
