/* parse.c - one parse from start to end: the text is checked, scanned, and made into a tree. */
#include "dsl/syntax/parse.h"

#include "dsl/syntax/gram.h"
#include "dsl/syntax/parse_int.h"

/* Runs scanner and grammar over the text; true if nothing was reported. */
static bool run(ax_parser *p)
{
    uint32_t errors = p->diags->errors;
    p->held[0] = (ax_token){
        .kind = p->is_expr ? AX_YYONE_EXPR : AX_YYONE_FILE,
        .span = {p->source->base, p->source->base},
    };
    p->held_count = 1;
    if (ax_text_check(p)) {
        bool has_mark = ax_str_starts(p->source->text, AX_LIT("\xEF\xBB\xBF"));
        ax_scan_start(p, has_mark ? 3 : 0);
        if (ax_yyparse(p) != 0) p->is_broken = true;
    }
    return !p->is_broken && p->diags->errors == errors;
}

ax_ast_file *ax_parse(ax_arena *mem, const ax_source *source, ax_diags *diags)
{
    ax_parser p = {.mem = mem, .source = source, .diags = diags};
    ax_ast_file *file = AX_NEW(mem, ax_ast_file);
    bool is_sound = run(&p);
    *file = (ax_ast_file){
        .items = ax_list_done(&p, p.items, sizeof *file->items),
        .count = p.items.count,
        .comments = p.comments.at,
        .comment_count = p.comments.len,
        .source = source,
        .broken = !is_sound,
    };
    ax_arena_free(&p.scratch);
    return file;
}

ax_ast_expr *ax_parse_expr(ax_arena *mem, const ax_source *source, ax_diags *diags)
{
    ax_parser p = {.mem = mem, .source = source, .diags = diags, .is_expr = true};
    bool is_sound = run(&p);
    ax_arena_free(&p.scratch);
    return is_sound ? p.expr : NULL;
}
