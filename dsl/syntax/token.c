/* token.c - the tokens as one table: their names in messages, and how they behave. */
#include "dsl/base/assert.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

enum {
    ENDS = AX_TOKEN_ENDS,
    CONTINUES = AX_TOKEN_CONTINUES,
    WORD = AX_TOKEN_WORD,
    VALUE = AX_TOKEN_VALUE,
    OPERATOR = AX_TOKEN_OPERATOR | AX_TOKEN_CONTINUES,
};

static const ax_token_info end = {"end of file", 8, 0};

#define ROW(kind, name, rank, flags) [AX_YY##kind - AX_YYEOL] = {name, rank, flags}

static const ax_token_info rows[] = {
    ROW(EOL, "end of line", 8, 0),
    ROW(NAME, "a name", 4, ENDS | VALUE),
    ROW(LITERAL, "a value", 4, ENDS | VALUE),
    ROW(STR, "a string", 5, ENDS | VALUE),
    ROW(SBEG, "a string", 5, VALUE),
    ROW(STEXT, "text", 0, 0),
    ROW(SEND, "the end of the string", 0, ENDS),
    ROW(XBEG, "'{{'", 0, 0),
    ROW(XEND, "'}}'", 3, 0),
    ROW(LBRACE, "'{'", 2, VALUE),
    ROW(RBRACE, "'}'", 7, ENDS),
    ROW(LBRACKET, "'['", 6, VALUE),
    ROW(INDEX, "'['", 0, 0),
    ROW(RBRACKET, "']'", 3, ENDS),
    ROW(LPAREN, "'('", 0, VALUE),
    ROW(RPAREN, "')'", 3, ENDS),
    ROW(ASSIGN, "'='", 1, ENDS | CONTINUES),
    ROW(ARROW, "'->'", 3, CONTINUES),
    ROW(COMMA, "','", 2, CONTINUES),
    ROW(DOT, "'.'", 0, CONTINUES),
    ROW(COLON, "':'", 6, CONTINUES),
    ROW(DOTS, "'..'", 0, OPERATOR),
    ROW(PLUS, "'+'", 0, OPERATOR),
    ROW(MINUS, "'-'", 0, OPERATOR | VALUE),
    ROW(STAR, "'*'", 0, OPERATOR),
    ROW(SLASH, "'/'", 0, OPERATOR),
    ROW(EQ, "'=='", 0, OPERATOR),
    ROW(NE, "'!='", 0, OPERATOR),
    ROW(LT, "'<'", 0, OPERATOR),
    ROW(LE, "'<='", 0, OPERATOR),
    ROW(GT, "'>'", 0, OPERATOR),
    ROW(GE, "'>='", 0, OPERATOR),
    ROW(AND, "'and'", 0, OPERATOR | WORD),
    ROW(OR, "'or'", 0, OPERATOR | WORD),
    ROW(NOT, "'not'", 0, OPERATOR | WORD | VALUE),
    ROW(IN, "'in'", 0, OPERATOR | WORD),
    ROW(IF, "'if'", 0, OPERATOR | WORD),
    ROW(ELSE, "'else'", 3, CONTINUES | WORD),
};

const ax_token_info *ax_token_about(int kind)
{
    if (kind == 0) return &end;
    AX_ASSERT(kind >= AX_YYEOL && kind <= AX_YYELSE);
    return &rows[kind - AX_YYEOL];
}

bool ax_token_is(int kind, unsigned flag)
{
    return (ax_token_about(kind)->flags & flag) != 0;
}
