/* ast_dump.c - the tree as text, for tests and for those who work on the compiler. */
#include "dsl/syntax/ast_dump.h"

#include <inttypes.h>

#include "dsl/base/assert.h"

static void add_quoted(ax_str s, ax_buf *out)
{
    ax_buf_addc(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c < 0x20 || c == '"' || c == '\\') ax_buf_addf(out, "\\x%02x", c);
        else ax_buf_addc(out, (char)c);
    }
    ax_buf_addc(out, '"');
}

static void dump_string(const ax_ast_expr *e, ax_buf *out)
{
    static const char *const names[] = {
        [AX_QUOTE_DOUBLE] = "str",
        [AX_QUOTE_SINGLE] = "raw",
        [AX_QUOTE_BLOCK] = "block",
        [AX_QUOTE_BLOCK_RAW] = "rawblock",
    };
    ax_buf_addf(out, "(%s", names[e->u.string.quote]);
    for (uint32_t i = 0; i < e->u.string.count; i++) {
        const ax_ast_part *part = &e->u.string.parts[i];
        ax_buf_addc(out, ' ');
        if (part->expr) ax_ast_dump_expr(part->expr, out);
        else add_quoted(part->text, out);
    }
    ax_buf_addc(out, ')');
}

static void dump_args(const ax_ast_arg *args, uint32_t count, ax_buf *out)
{
    for (uint32_t i = 0; i < count; i++) {
        ax_buf_addc(out, ' ');
        if (args[i].name.text.len) ax_buf_addf(out, "%.*s=", AX_STR(args[i].name.text));
        ax_ast_dump_expr(args[i].value, out);
    }
}

static void dump_list(const ax_ast_expr *e, ax_buf *out)
{
    ax_buf_adds(out, "(list");
    for (uint32_t i = 0; i < e->u.list.count; i++) {
        ax_buf_addc(out, ' ');
        ax_ast_dump_expr(e->u.list.items[i], out);
    }
    ax_buf_addc(out, ')');
}

static void dump_map(const ax_ast_expr *e, ax_buf *out)
{
    ax_buf_adds(out, "(map");
    for (uint32_t i = 0; i < e->u.map.count; i++) {
        const ax_ast_entry *entry = &e->u.map.entries[i];
        ax_buf_addc(out, ' ');
        if (entry->key_string) ax_ast_dump_expr(entry->key_string, out);
        else ax_buf_add(out, entry->key.text);
        ax_buf_addc(out, '=');
        ax_ast_dump_expr(entry->value, out);
    }
    ax_buf_addc(out, ')');
}

static const char *op_name(unsigned op)
{
    static const char *const names[] = {
        [AX_OP_NEG] = "neg",  [AX_OP_NOT] = "not",       [AX_OP_OR] = "or", [AX_OP_AND] = "and",
        [AX_OP_EQ] = "==",    [AX_OP_NE] = "!=",         [AX_OP_LT] = "<",  [AX_OP_LE] = "<=",
        [AX_OP_GT] = ">",     [AX_OP_GE] = ">=",         [AX_OP_IN] = "in", [AX_OP_ADD] = "+",
        [AX_OP_SUB] = "-",    [AX_OP_NOT_IN] = "not-in", [AX_OP_MUL] = "*", [AX_OP_DIV] = "/",
        [AX_OP_RANGE] = "..",
    };
    AX_ASSERT(op < sizeof names / sizeof *names);
    return names[op];
}

/* (name a b c), leaving out the operands that are NULL. */
static void dump_node(const char *name, const ax_ast_expr *a, const ax_ast_expr *b, const ax_ast_expr *c,
                      ax_buf *out)
{
    const ax_ast_expr *operands[] = {a, b, c};
    ax_buf_addf(out, "(%s", name);
    for (int i = 0; i < 3 && operands[i]; i++) {
        ax_buf_addc(out, ' ');
        ax_ast_dump_expr(operands[i], out);
    }
    ax_buf_addc(out, ')');
}

static void dump_inner(const ax_ast_expr *e, ax_buf *out)
{
    switch ((ax_ast_kind)e->kind) {
    case AX_AST_NAME: ax_buf_add(out, e->u.name); break;
    case AX_AST_STRING: dump_string(e, out); break;
    case AX_AST_INT: ax_buf_addi(out, e->u.number); break;
    case AX_AST_FLOAT: ax_buf_addf(out, "%.17gf", e->u.real); break;
    case AX_AST_PERCENT: ax_buf_addf(out, "%.17g%%", e->u.real); break;
    case AX_AST_DURATION: ax_buf_addf(out, "%" PRId64 "ms", e->u.number); break;
    case AX_AST_SIZE: ax_buf_addf(out, "%" PRId64 "B", e->u.number); break;
    case AX_AST_DATE: ax_buf_addf(out, "day%" PRId64, e->u.number); break;
    case AX_AST_TIME: ax_buf_addf(out, "minute%" PRId64, e->u.number); break;
    case AX_AST_TRUE: ax_buf_adds(out, "true"); break;
    case AX_AST_FALSE: ax_buf_adds(out, "false"); break;
    case AX_AST_NULL: ax_buf_adds(out, "null"); break;
    case AX_AST_LIST: dump_list(e, out); break;
    case AX_AST_MAP: dump_map(e, out); break;
    case AX_AST_UNARY: dump_node(op_name(e->op), e->u.op.a, NULL, NULL, out); break;
    case AX_AST_BINARY: dump_node(op_name(e->op), e->u.op.a, e->u.op.b, NULL, out); break;
    case AX_AST_COND: dump_node("if", e->u.cond.test, e->u.cond.then, e->u.cond.other, out); break;
    case AX_AST_MEMBER:
        ax_buf_adds(out, "(. ");
        ax_ast_dump_expr(e->u.member.base, out);
        ax_buf_addf(out, " %.*s)", AX_STR(e->u.member.name.text));
        break;
    case AX_AST_INDEX:
    case AX_AST_CALL:
        ax_buf_adds(out, e->kind == AX_AST_INDEX ? "(index " : "(call ");
        ax_ast_dump_expr(e->u.call.base, out);
        dump_args(e->u.call.args, e->u.call.count, out);
        ax_buf_addc(out, ')');
        break;
    }
}

void ax_ast_dump_expr(const ax_ast_expr *e, ax_buf *out)
{
    if (e->parens) ax_buf_adds(out, "(parens ");
    dump_inner(e, out);
    if (e->parens) ax_buf_addc(out, ')');
}

/* ---- items ---- */

static void dump_items(ax_ast_item *const *items, uint32_t count, int indent, ax_buf *out);

static void dump_type(const ax_ast_type *type, ax_buf *out)
{
    ax_buf_adds(out, " :");
    for (; type; type = type->of) ax_buf_addf(out, " %.*s", AX_STR(type->name.text));
}

static void dump_block(const ax_ast_block *block, int indent, ax_buf *out)
{
    ax_buf_addf(out, "block %.*s", AX_STR(block->kind.text));
    for (uint32_t i = 0; i < block->label_count; i++) {
        ax_buf_addc(out, ' ');
        if (block->labels[i].string) ax_ast_dump_expr(block->labels[i].string, out);
        else ax_buf_add(out, block->labels[i].name.text);
    }
    if (block->has_args) {
        ax_buf_adds(out, " (args");
        dump_args(block->args, block->arg_count, out);
        ax_buf_addc(out, ')');
    }
    if (block->type) dump_type(block->type, out);
    if (block->constraint) {
        ax_buf_adds(out, " in ");
        ax_ast_dump_expr(block->constraint, out);
    }
    if (block->value) {
        ax_buf_adds(out, " = ");
        ax_ast_dump_expr(block->value, out);
    }
    ax_buf_adds(out, block->body ? " {\n" : "\n");
    if (block->body) dump_items(block->body->items, block->body->count, indent + 2, out);
}

static void dump_outcome(const ax_ast_name *outcome, ax_buf *out)
{
    if (outcome) ax_buf_addf(out, ":%.*s", AX_STR(outcome->text));
}

static void dump_edge(const ax_ast_edge *edge, ax_buf *out)
{
    ax_buf_adds(out, "edge");
    for (uint32_t i = 0; i < edge->count; i++) {
        const ax_ast_endpoint *point = &edge->points[i];
        ax_buf_adds(out, i ? " ->" : "");
        ax_buf_adds(out, point->bracketed ? " [" : "");
        for (uint32_t k = 0; k < point->count; k++) {
            ax_buf_addc(out, ' ');
            ax_ast_dump_expr(point->refs[k].path, out);
            dump_outcome(point->refs[k].outcome, out);
        }
        ax_buf_adds(out, point->bracketed ? " ]" : "");
        dump_outcome(point->outcome, out);
    }
    ax_buf_addc(out, '\n');
}

static void dump_attr(const ax_ast_attr *attr, ax_buf *out)
{
    ax_buf_adds(out, "attr ");
    ax_ast_dump_expr(attr->path, out);
    ax_buf_adds(out, " = ");
    ax_ast_dump_expr(attr->value, out);
    ax_buf_addc(out, '\n');
}

static void dump_items(ax_ast_item *const *items, uint32_t count, int indent, ax_buf *out)
{
    for (uint32_t i = 0; i < count; i++) {
        ax_buf_addf(out, "%*s", indent, "");
        switch ((ax_item_kind)items[i]->kind) {
        case AX_ITEM_ATTR: dump_attr(&items[i]->u.attr, out); break;
        case AX_ITEM_BLOCK: dump_block(&items[i]->u.block, indent, out); break;
        case AX_ITEM_EDGE: dump_edge(&items[i]->u.edge, out); break;
        }
    }
}

void ax_ast_dump(const ax_ast_file *file, ax_buf *out)
{
    dump_items(file->items, file->count, 0, out);
}
