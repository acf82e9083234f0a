/* token.c - the tokens as one table: their names in messages, and how they behave at a line end. */
#include "dsl/base/assert.h"
#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

#define ROW(kind) [AX_YY##kind - AX_YYEOL]
#define OPERATOR(text) {.name = text, .rank = 9, .continues = true, .is_operator = true}
#define WORD(text) {.name = text, .rank = 9, .continues = true, .is_operator = true, .is_word = true}

static const ax_token_info end = {.name = "end of file", .rank = 8};

static const ax_token_info rows[] = {
    ROW(EOL) = {.name = "end of line", .rank = 8},
    ROW(NAME) = {.name = "a name", .rank = 4, .ends_item = true, .starts_value = true},
    ROW(LITERAL) = {.name = "a value", .rank = 4, .ends_item = true, .starts_value = true},
    ROW(STR) = {.name = "a string", .rank = 5, .ends_item = true, .starts_value = true},
    ROW(SBEG) = {.name = "a string", .rank = 5, .starts_value = true},
    ROW(STEXT) = {.name = "text"},
    ROW(SEND) = {.name = "the end of the string", .ends_item = true},
    ROW(XBEG) = {.name = "'{{'"},
    ROW(XEND) = {.name = "'}}'", .rank = 3},
    ROW(LBRACE) = {.name = "'{'", .rank = 2, .starts_value = true},
    ROW(RBRACE) = {.name = "'}'", .rank = 7, .ends_item = true},
    ROW(LBRACKET) = {.name = "'['", .rank = 6, .starts_value = true},
    ROW(INDEX) = {.name = "'['"},
    ROW(RBRACKET) = {.name = "']'", .rank = 3, .ends_item = true},
    ROW(LPAREN) = {.name = "'('", .starts_value = true},
    ROW(RPAREN) = {.name = "')'", .rank = 3, .ends_item = true},
    ROW(ASSIGN) = {.name = "'='", .rank = 1, .ends_item = true},
    ROW(ARROW) = {.name = "'->'", .rank = 3, .continues = true},
    ROW(COMMA) = {.name = "','", .rank = 2},
    ROW(DOT) = {.name = "'.'"},
    ROW(DOTS) = OPERATOR("'..'"),
    ROW(COLON) = {.name = "':'", .rank = 6},
    ROW(PLUS) = OPERATOR("'+'"),
    ROW(MINUS) = {.name = "'-'", .rank = 9, .continues = true, .is_operator = true, .starts_value = true},
    ROW(STAR) = OPERATOR("'*'"),
    ROW(SLASH) = OPERATOR("'/'"),
    ROW(EQ) = OPERATOR("'=='"),
    ROW(NE) = OPERATOR("'!='"),
    ROW(LT) = OPERATOR("'<'"),
    ROW(LE) = OPERATOR("'<='"),
    ROW(GT) = OPERATOR("'>'"),
    ROW(GE) = OPERATOR("'>='"),
    ROW(AND) = WORD("'and'"),
    ROW(OR) = WORD("'or'"),
    ROW(NOT) = {.name = "'not'", .rank = 9, .continues = true, .is_operator = true, .is_word = true,
                .starts_value = true},
    ROW(IN) = WORD("'in'"),
    ROW(IF) = WORD("'if'"),
    ROW(ELSE) = {.name = "'else'", .rank = 3, .continues = true, .is_word = true},
};

const ax_token_info *ax_token_about(int kind)
{
    if (kind == 0) return &end;
    AX_ASSERT(kind >= AX_YYEOL && kind <= AX_YYELSE);
    return &rows[kind - AX_YYEOL];
}
