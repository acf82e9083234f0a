/* parsed.c - parses for tests. */
#include "tests/lib/parsed.h"

#include <stdlib.h>

#include "dsl/syntax/ast_dump.h"
#include "dsl/syntax/fmt.h"
#include "dsl/syntax/parse.h"
#include "tests/lib/test.h"

static parsed *start(ax_str text)
{
    parsed *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->sources = ax_sources_new(&p->mem);
    p->diags = ax_diags_new(&p->mem, &p->sources);
    p->buf = AX_BUF_INIT(64 << 20);
    ax_err err;
    assert_int_equal(ax_sources_add(&p->sources, AX_LIT("test.axf"), text, &p->source, &err), AX_OK);
    return p;
}

parsed *parsed_file(ax_str text)
{
    parsed *p = start(text);
    p->file = ax_parse(&p->mem, p->source, &p->diags);
    assert_non_null(p->file);
    ax_diags_sort(&p->diags);
    assert_int_equal(p->file->broken, p->diags.errors > 0);
    return p;
}

parsed *parsed_expr(ax_str text)
{
    parsed *p = start(text);
    p->expr = ax_parse_expr(&p->mem, p->source, &p->diags);
    ax_diags_sort(&p->diags);
    assert_int_equal(p->expr == NULL, p->diags.errors > 0);
    return p;
}

void parsed_free(parsed *p)
{
    ax_buf_free(&p->buf);
    ax_arena_free(&p->mem);
    free(p);
}

const char *parsed_dump(parsed *p)
{
    ax_buf_clear(&p->buf);
    if (p->expr) ax_ast_dump_expr(p->expr, &p->buf);
    else if (p->file) ax_ast_dump(p->file, &p->buf);
    return p->buf.len ? p->buf.ptr : "";
}

const char *parsed_codes(parsed *p)
{
    ax_buf_clear(&p->buf);
    for (uint32_t i = 0; i < p->diags.list.len; i++) {
        const ax_diag *d = p->diags.list.at[i];
        ax_pos pos = ax_sources_pos(&p->sources, d->span.beg);
        ax_buf_addf(&p->buf, "%s%s %u:%u", i ? "; " : "", ax_diag_name(d->code), pos.line, pos.column);
    }
    return p->buf.len ? p->buf.ptr : "";
}

ax_str parsed_fmt(parsed *p)
{
    ax_buf_clear(&p->buf);
    ax_fmt(p->file, &p->mem, &p->buf);
    return ax_buf_str(&p->buf);
}
