/* lexemes.h - a text as its tokens, for tools that look at places in texts that are being written.
 *
 * The scanner is the parser's own, so strings, expressions inside them and comments are told apart exactly as
 * they are when the text is compiled. Nothing is reported, and the text need not be sound.
 */
#ifndef AX_SYNTAX_LEXEMES_H
#define AX_SYNTAX_LEXEMES_H

#include "dsl/syntax/ast.h"

typedef enum {
    AX_LEXEME_END,     /* of the text */
    AX_LEXEME_NAME,    /* a name */
    AX_LEXEME_WORD,    /* a reserved word that is an operator: and or not in if else */
    AX_LEXEME_LITERAL, /* a number, a date, true, … */
    AX_LEXEME_STRING,  /* a whole string without expressions in it */
    AX_LEXEME_TEXT,    /* a piece of text in another string */
    AX_LEXEME_OPEN,    /* { [ ( {{ and the quotes that begin a string with expressions */
    AX_LEXEME_CLOSE,   /* what ends these; an empty span: the text lacks it */
    AX_LEXEME_SIGN,    /* any other sign: = : , . -> + … */
} ax_lexeme_kind;

typedef struct {
    uint8_t kind;    /* ax_lexeme_kind */
    bool line_start; /* it is the first on its line */
    ax_span span;
} ax_lexeme;

typedef struct {
    const ax_lexeme *at; /* the last one is END */
    uint32_t count;      /* without it */
    const ax_ast_comment *comments;
    uint32_t comment_count;
} ax_lexemes;

/* Reads a source; the result lives in mem. A text that is no text at all (invalid from its first byte on) has
 * no tokens. */
void ax_lexemes_read(ax_arena *mem, const ax_source *source, ax_lexemes *out);

#endif
