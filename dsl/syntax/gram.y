/* gram.y - two shapes, attribute and block, and edges. Words are not tokens, and nothing is looked up.
 *
 * All lists are left-recursive, also those of operators in front of an operand, so the parser's stack is
 * bounded by how deep brackets nest (AX_SYNTAX_DEPTH_MAX). Recovery is at line ends, closing braces and }}.
 */
%define api.pure full
%define api.prefix {ax_yy}
%define api.token.prefix {AX_YY}
%define api.location.type {ax_span}
%define parse.error custom
%define parse.lac full
%locations
%param {ax_parser *p}
%expect 0

%code requires {
#include "dsl/syntax/parse_int.h"
}
%code provides {
/* The next token of the filter (lex_filter.c). */
int ax_yylex(AX_YYSTYPE *value, ax_span *span, ax_parser *p);
}
%code {
#include "dsl/base/assert.h"

#define YYLLOC_DEFAULT(all, rhs, n)                                                                       \
    ((all) = (n) ? (ax_span){YYRHSLOC(rhs, 1).beg, YYRHSLOC(rhs, n).end}                                   \
                 : (ax_span){YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end})
#define PUSH(list, to, record) ((list) = (to), ax_list_push(p, &(list), &(record), sizeof(record)))

static void ax_yyerror(const ax_span *span, ax_parser *p, const char *text);
}

%union {
    ax_str text;
    ax_quote quote;
    ax_ast_op op;
    ax_list list;
    ax_ast_expr *expr;
    ax_ast_arg arg;
    ax_ast_label label;
    ax_ast_type *type;
    ax_ast_body *body;
    ax_ast_ref ref;
    ax_ast_endpoint point;
    const ax_ast_name *name;
    ax_ast_item *item;
}

%token         ONE_FILE ONE_EXPR EOL
%token <text>  NAME STEXT
%token <expr>  LITERAL STR
%token <quote> SBEG
%token         SEND XBEG XEND
%token         LBRACE "{" RBRACE "}" LBRACKET "[" INDEX RBRACKET "]" LPAREN "(" RPAREN ")"
%token         ASSIGN "=" ARROW "->" COMMA "," DOT "." DOTS ".." COLON ":"
%token         PLUS "+" MINUS "-" STAR "*" SLASH "/"
%token         EQ "==" NE "!=" LT "<" LE "<=" GT ">" GE ">="
%token         AND "and" OR "or" NOT "not" IN "in" IF "if" ELSE "else"

%type <list>  items labels call args indexes refs points parts elist mitems branches nots negs
%type <item>  item attr stmt block head edge
%type <body>  body optbody
%type <label> label
%type <arg>   arg
%type <type>  type
%type <ref>   ref
%type <point> point
%type <name>  outcome
%type <expr>  path str expr or and not cmp range add mul unary post prim constraint initial
%type <op>    cop

%%

input : ONE_FILE items                  { p->items = $2; }
      | ONE_EXPR expr                   { p->expr = $2; }
      ;

items : %empty                          { $$ = ax_list_new(p); }
      | items item                      { PUSH($$, $1, $2); }
      | items item ","                  { PUSH($$, $1, $2); }
      | items EOL
      | items error EOL                 { $$ = $1; $$.broken = true; ax_report_recovered(p); yyerrok; }
      ;
item  : attr | stmt | edge ;

attr  : path "=" expr                   { $$ = ax_ast_attr_new(p, @$, $1, $3); }
      | str "=" expr                    { $$ = ax_ast_attr_new(p, @$, $1, $3); }
      ;

stmt  : block body                      { $$ = $1; ax_ast_block_end($$, @$, $2); }
      | block call optbody              { $$ = $1; ax_ast_block_args(p, $$, $2);
                                          ax_ast_block_end($$, @$, $3); }
      | head "=" expr                   { $$ = $1; $$->u.block.value = $3; ax_ast_block_end($$, @$, NULL); }
      | head ":" type constraint initial optbody
                                        { $$ = $1; ax_ast_block_type($$, $3, $4, $5);
                                          ax_ast_block_end($$, @$, $6); }
      ;
block : NAME                            { $$ = ax_ast_block_new(p, @1, $1, ax_list_new(p)); }
      | head
      ;
head  : NAME labels                     { $$ = ax_ast_block_new(p, @1, $1, $2); }
      ;
labels: label                           { PUSH($$, ax_list_new(p), $1); }
      | labels label                    { PUSH($$, $1, $2); }
      ;
label : NAME                            { $$ = ax_ast_label_of(@$, $1, NULL); }
      | str                             { $$ = ax_ast_label_of(@$, (ax_str){0}, $1); }
      ;
type  : NAME                            { $$ = ax_ast_type_new(p, @1, $1, NULL); }
      | NAME "(" type ")"               { $$ = ax_ast_type_new(p, @1, $1, $3); }
      ;
constraint
      : %empty                          { $$ = NULL; }
      | "in" range                      { $$ = $2; }
      ;
initial
      : %empty                          { $$ = NULL; }
      | "=" expr                        { $$ = $2; }
      ;
optbody
      : %empty                          { $$ = NULL; }
      | body
      ;
body  : "{" items "}"                   { $$ = ax_ast_body_new(p, @$, $2); }
      | "{" items error "}"             { $2.broken = true; ax_report_recovered(p); yyerrok;
                                          $$ = ax_ast_body_new(p, @$, $2); }
      ;

edge  : points                          { $$ = ax_ast_edge_new(p, @$, $1); }
      ;
points: point "->" point                { PUSH($$, ax_list_new(p), $1); PUSH($$, $$, $3); }
      | points "->" point               { PUSH($$, $1, $3); }
      ;
point : ref                             { ax_list refs; PUSH(refs, ax_list_new(p), $1);
                                          $$ = ax_ast_endpoint_of(p, @$, refs, NULL); }
      | "[" refs optc "]" outcome       { $$ = ax_ast_endpoint_of(p, @$, $2, $5); $$.bracketed = true; }
      ;
refs  : ref                             { PUSH($$, ax_list_new(p), $1); }
      | refs "," ref                    { PUSH($$, $1, $3); }
      ;
ref   : path outcome                    { $$ = (ax_ast_ref){$1, $2}; }
      ;
outcome
      : %empty                          { $$ = NULL; }
      | ":" NAME                        { $$ = ax_ast_name_new(p, @2, $2); }
      ;
path  : NAME                            { $$ = ax_ast_name_expr(p, @$, $1); }
      | path "." NAME                   { $$ = ax_ast_member(p, @$, $1, (ax_ast_name){$3, @3}); }
      | path INDEX indexes optc "]"     { $$ = ax_ast_apply(p, AX_AST_INDEX, @$, $1, $3); }
      ;

str   : STR
      | SBEG parts SEND                 { $$ = ax_string_make(p, @$, $1, $2); }
      ;
parts : %empty                          { $$ = ax_list_new(p); }
      | parts STEXT                     { PUSH($$, $1, ((ax_ast_part){.span = @2})); }
      | parts XBEG expr XEND            { ax_ast_part part = {.expr = $3, .span = {@2.beg, @4.end}};
                                          PUSH($$, $1, part); }
      | parts XBEG error XEND           { $$ = $1; $$.broken = true; ax_report_recovered(p); yyerrok; }
      ;

expr  : or
      | branches or                     { $$ = ax_ast_cond(p, @$.end, $1, $2); }
      ;
branches
      : or "if" or "else"               { PUSH($$, ax_list_new(p), ((ax_branch){$1, $3, @1})); }
      | branches or "if" or "else"      { PUSH($$, $1, ((ax_branch){$2, $4, @2})); }
      ;
or    : and
      | or "or" and                     { $$ = ax_ast_binary(p, AX_OP_OR, @$, $1, $3); }
      ;
and   : not
      | and "and" not                   { $$ = ax_ast_binary(p, AX_OP_AND, @$, $1, $3); }
      ;
not   : cmp
      | nots cmp                        { $$ = ax_ast_unary(p, AX_OP_NOT, @$.end, $1, $2); }
      ;
nots  : "not"                           { PUSH($$, ax_list_new(p), @1); }
      | nots "not"                      { PUSH($$, $1, @2); }
      ;
cmp   : range
      | range cop range                 { $$ = ax_ast_binary(p, $2, @$, $1, $3); }
      ;
cop   : "=="                            { $$ = AX_OP_EQ; }
      | "!="                            { $$ = AX_OP_NE; }
      | "<"                             { $$ = AX_OP_LT; }
      | "<="                            { $$ = AX_OP_LE; }
      | ">"                             { $$ = AX_OP_GT; }
      | ">="                            { $$ = AX_OP_GE; }
      | "in"                            { $$ = AX_OP_IN; }
      | "not" "in"                      { $$ = AX_OP_NOT_IN; }
      ;
range : add
      | add ".." add                    { $$ = ax_ast_binary(p, AX_OP_RANGE, @$, $1, $3); }
      ;
add   : mul
      | add "+" mul                     { $$ = ax_ast_binary(p, AX_OP_ADD, @$, $1, $3); }
      | add "-" mul                     { $$ = ax_ast_binary(p, AX_OP_SUB, @$, $1, $3); }
      ;
mul   : unary
      | mul "*" unary                   { $$ = ax_ast_binary(p, AX_OP_MUL, @$, $1, $3); }
      | mul "/" unary                   { $$ = ax_ast_binary(p, AX_OP_DIV, @$, $1, $3); }
      ;
unary : post
      | negs post                       { $$ = ax_ast_unary(p, AX_OP_NEG, @$.end, $1, $2); }
      ;
negs  : "-"                             { PUSH($$, ax_list_new(p), @1); }
      | negs "-"                        { PUSH($$, $1, @2); }
      ;
post  : prim
      | post "." NAME                   { $$ = ax_ast_member(p, @$, $1, (ax_ast_name){$3, @3}); }
      | post INDEX indexes optc "]"     { $$ = ax_ast_apply(p, AX_AST_INDEX, @$, $1, $3); }
      | post call                       { $$ = ax_ast_apply(p, AX_AST_CALL, @$, $1, $2); }
      ;
prim  : NAME                            { $$ = ax_ast_name_expr(p, @$, $1); }
      | LITERAL
      | str
      | "[" "]"                         { $$ = ax_ast_list(p, @$, ax_list_new(p)); }
      | "[" elist optc "]"              { $$ = ax_ast_list(p, @$, $2); }
      | "{" mitems "}"                  { $$ = ax_ast_map(p, @$, $2); }
      | "{" mitems error "}"            { ax_report_recovered(p); yyerrok; $$ = ax_ast_map(p, @$, $2); }
      | "(" expr ")"                    { $$ = $2; $$->parens = true; }
      ;
elist : expr                            { PUSH($$, ax_list_new(p), $1); }
      | elist "," expr                  { PUSH($$, $1, $3); }
      ;
indexes
      : expr                            { PUSH($$, ax_list_new(p), ((ax_ast_arg){.value = $1})); }
      | indexes "," expr                { PUSH($$, $1, ((ax_ast_arg){.value = $3})); }
      ;
call  : "(" ")"                         { $$ = ax_list_new(p); }
      | "(" args optc ")"               { $$ = $2; }
      ;
args  : arg                             { PUSH($$, ax_list_new(p), $1); }
      | args "," arg                    { PUSH($$, $1, $3); }
      ;
arg   : expr                            { $$ = (ax_ast_arg){.value = $1}; }
      | NAME "=" expr                   { $$ = (ax_ast_arg){{$1, @1}, $3}; }
      ;
optc  : %empty | "," ;

mitems: %empty                          { $$ = ax_list_new(p); }
      | mitems NAME "=" expr comma      { ax_ast_entry entry = {.key = {$2, @2}, .value = $4};
                                          PUSH($$, $1, entry); }
      | mitems str "=" expr comma       { ax_ast_entry entry = {$2, {{0}, @2}, $4};
                                          PUSH($$, $1, entry); }
      | mitems EOL
      | mitems error EOL                { $$ = $1; $$.broken = true; ax_report_recovered(p); yyerrok; }
      ;
comma : %empty | "," ;

%%

/* The grammar cannot need more stack: its lists are left-recursive, and brackets nest only so deep. */
static void ax_yyerror(const ax_span *span, ax_parser *p, const char *text)
{
    (void)span, (void)p;
    ax_assert_failed(text, __FILE__, __LINE__);
}

/* The token that a symbol of the grammar is; 0: the end of the text, -1: no token of the scanner. */
static int token_of(yysymbol_kind_t symbol)
{
    if (symbol == YYSYMBOL_YYEOF) return 0;
    for (int kind = AX_YYEOL; kind <= AX_YYELSE; kind++)
        if (YYTRANSLATE(kind) == symbol) return kind;
    return -1;
}

static int yyreport_syntax_error(const yypcontext_t *context, ax_parser *p)
{
    yysymbol_kind_t symbols[YYNTOKENS];
    int wanted[YYNTOKENS], count = 0;
    int found = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    for (int i = 0; i < found; i++) {
        int kind = token_of(symbols[i]);
        if (kind >= 0) wanted[count++] = kind;
    }
    ax_report_syntax(p, wanted, count);
    return 0;
}
