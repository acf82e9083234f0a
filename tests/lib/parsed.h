/* parsed.h - a text parsed for a test, and what came of it as text that a test can compare. */
#ifndef AX_TESTS_LIB_PARSED_H
#define AX_TESTS_LIB_PARSED_H

#include "dsl/base/buf.h"
#include "dsl/base/diag.h"
#include "dsl/syntax/ast.h"

typedef struct {
    ax_arena mem;
    ax_sources sources;
    ax_diags diags;
    ax_source *source;
    ax_ast_file *file;
    ax_ast_expr *expr; /* of parsed_expr */
    ax_buf buf;        /* of the last parsed_… text */
} parsed;

/* Parses text, which must live as long as the result, as a file or as one expression. */
parsed *parsed_file(ax_str text);
parsed *parsed_expr(ax_str text);
void parsed_free(parsed *p);

/* The tree as text (ast_dump.h); NUL-terminated, valid until the next call. */
const char *parsed_dump(parsed *p);
/* What is wrong, in the order of places: "E0110 2:9; E0105 3:1"; "" if nothing. */
const char *parsed_codes(parsed *p);
/* The formatted text. */
ax_str parsed_fmt(parsed *p);

#endif
