/* lexemes.c - the scanner's tokens, by what an editor needs to know of them. */
#include "dsl/syntax/lexemes.h"

#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

static ax_lexeme_kind kind_of(int token)
{
    switch (token) {
    case 0: return AX_LEXEME_END;
    case AX_YYNAME: return AX_LEXEME_NAME;
    case AX_YYLITERAL: return AX_LEXEME_LITERAL;
    case AX_YYSTR: return AX_LEXEME_STRING;
    case AX_YYSTEXT: return AX_LEXEME_TEXT;
    case AX_YYSBEG:
    case AX_YYXBEG:
    case AX_YYLBRACE:
    case AX_YYLBRACKET:
    case AX_YYINDEX:
    case AX_YYLPAREN: return AX_LEXEME_OPEN;
    case AX_YYSEND:
    case AX_YYXEND:
    case AX_YYRBRACE:
    case AX_YYRBRACKET:
    case AX_YYRPAREN: return AX_LEXEME_CLOSE;
    default: return ax_token_is(token, AX_TOKEN_WORD) ? AX_LEXEME_WORD : AX_LEXEME_SIGN;
    }
}

void ax_lexemes_read(ax_arena *mem, const ax_source *source, ax_lexemes *out)
{
    ax_parser p = {.source = source};
    ax_diags none = ax_diags_new(&p.scratch, NULL);
    p.diags = &none;
    p.mem = &p.scratch;
    AX_VEC(ax_lexeme) list = {0};
    ax_token t = {.span = {source->base, source->base}};
    if (ax_text_check(&p)) {
        ax_scan_start(&p, ax_str_starts(source->text, AX_LIT("\xEF\xBB\xBF")) ? 3 : 0);
        for (t = ax_filter_take(&p); t.kind != 0; t = ax_filter_take(&p))
            ax_vec_push(mem, &list, (ax_lexeme){(uint8_t)kind_of(t.kind), t.line_start, t.span});
    }
    ax_vec_push(mem, &list, (ax_lexeme){AX_LEXEME_END, t.line_start, t.span});
    *out = (ax_lexemes){.at = list.at, .count = list.len - 1, .comment_count = p.comments.len};
    ax_ast_comment *comments = AX_NEW_N(mem, ax_ast_comment, p.comments.len);
    for (uint32_t i = 0; i < p.comments.len; i++) comments[i] = p.comments.at[i];
    out->comments = comments;
    ax_arena_free(&p.scratch);
}
