/* rename.c - a symbol gets another name, everywhere or nowhere.
 *
 * Whether the new name collides is not guessed: the edits are made on a copy, which must compile without a
 * new error, and every name in it must mean what it meant before. So a clash in the same block is refused,
 * and also a name that another one hides.
 */
#include <string.h>

#include "compiler/lsp/lsp_int.h"
#include "dsl/syntax/lexemes.h"

ax_rc ax_lsp_prepare_rename(ax_call *c)
{
    const ax_name_use *use = ax_doc_use(c->doc, c->at);
    if (!use) {
        ax_json_null(c->j);
        return AX_OK;
    }
    ax_json_obj(c->j);
    ax_doc_range(c->j, "range", c->doc, use->span);
    ax_rpc_put(c->j, "placeholder", c->doc->names.symbols.at[use->symbol].name.text);
    ax_json_end(c->j);
    return AX_OK;
}

/* ---- may it have that name ---- */

/* True if the whole text is one name of the language. */
static bool is_name(ax_arena *mem, ax_str text)
{
    ax_sources sources = ax_sources_new(mem);
    ax_source *source;
    ax_lexemes lexemes;
    if (text.len == 0 || ax_sources_add(&sources, AX_LIT("name"), text, &source, NULL)) return false;
    ax_lexemes_read(mem, source, &lexemes);
    return lexemes.count == 1 && lexemes.at[0].kind == AX_LEXEME_NAME &&
           lexemes.at[0].span.end - lexemes.at[0].span.beg == text.len;
}

/* ---- the edits ---- */

static uint32_t make_edits(ax_call *c, uint32_t symbol, ax_str name, ax_edit **out)
{
    const ax_names *names = &c->doc->names;
    uint32_t count = 0;
    *out = AX_NEW_N(c->mem, ax_edit, names->uses.len);
    for (uint32_t i = 0; i < names->uses.len; i++) {
        const ax_name_use *use = &names->uses.at[i];
        if (use->symbol != symbol) continue;
        (*out)[count++] =
            (ax_edit){ax_doc_byte(c->doc, use->span.beg), ax_doc_byte(c->doc, use->span.end), name};
    }
    return count;
}

static ax_str edited(ax_call *c, const ax_edit *edits, uint32_t count)
{
    ax_str text = ax_buf_str(&c->doc->text);
    size_t len = text.len, from = 0, to = 0;
    for (uint32_t i = 0; i < count; i++) len += edits[i].text.len;
    char *copy = ax_arena_alloc(c->mem, len + 1);
    for (uint32_t i = 0; i <= count; i++) {
        size_t end = i < count ? edits[i].beg : text.len;
        memcpy(copy + to, text.ptr + from, end - from);
        to += end - from;
        if (i == count) break;
        memcpy(copy + to, edits[i].text.ptr, edits[i].text.len);
        to += edits[i].text.len;
        from = edits[i].end;
    }
    return (ax_str){copy, to};
}

/* Every name must mean the symbol that it meant before. */
static ax_rc check_meaning(ax_call *c, const ax_names *after, ax_str name)
{
    const ax_names *before = &c->doc->names;
    for (uint32_t i = 0; i < before->uses.len; i++) {
        bool same = i < after->uses.len && before->uses.at[i].symbol == after->uses.at[i].symbol;
        if (same) continue;
        return ax_fail(c->err, AX_REFUSED, "'%.*s' would change what line %u means", AX_STR(name),
                       ax_sources_line(&c->doc->sources, before->uses.at[i].span.beg));
    }
    if (after->uses.len == before->uses.len) return AX_OK;
    return ax_fail(c->err, AX_REFUSED, "'%.*s' is used already", AX_STR(name));
}

/* The first error that the text had not before. */
static const ax_diag *new_error(const ax_diags *before, const ax_diags *after)
{
    for (uint32_t i = 0; i < after->list.len && after->errors > before->errors; i++) {
        const ax_diag *d = after->list.at[i];
        bool is_old = ax_diag_severity(d->code) != AX_ERROR;
        for (uint32_t k = 0; k < before->list.len && !is_old; k++)
            is_old = before->list.at[k]->code == d->code && ax_str_eq(before->list.at[k]->text, d->text);
        if (!is_old) return d;
    }
    return NULL;
}

static ax_rc check_edits(ax_call *c, const ax_edit *edits, uint32_t count, ax_str name)
{
    ax_sources sources = ax_sources_new(c->mem);
    ax_diags diags = ax_diags_new(c->mem, &sources);
    ax_source *source;
    ax_compiled compiled;
    ax_names names;
    ax_rc rc = ax_sources_add(&sources, AX_LIT("renamed"), edited(c, edits, count), &source, c->err);
    if (rc) return rc;
    ax_compile(c->mem, source, &diags, &compiled);
    ax_diags_sort(&diags);
    const ax_diag *error = new_error(&c->doc->diags, &diags);
    if (error) return ax_fail(c->err, AX_REFUSED, "%.*s", AX_STR(error->text));
    ax_names_read(c->mem, compiled.file, &names);
    return check_meaning(c, &names, name);
}

ax_rc ax_lsp_rename(ax_call *c)
{
    const ax_name_use *use = ax_doc_use(c->doc, c->at);
    ax_str name = ax_rpc_text(c->params, "newName");
    if (!use) return ax_fail(c->err, AX_REFUSED, "there is no name of this file here");
    const ax_symbol *symbol = &c->doc->names.symbols.at[use->symbol];
    if (!is_name(c->mem, name))
        return ax_fail(
            c->err, AX_REFUSED,
            "'%.*s' is no name: names are letters, digits, '_' and inner '-', and no reserved word",
            AX_STR(name));
    ax_edit *edits;
    uint32_t count = make_edits(c, use->symbol, name, &edits);
    ax_rc rc = check_edits(c, edits, count, name);
    if (rc) return rc;
    ax_edits_workspace(c->j, c->lsp, c->doc, edits, count);
    if (symbol->space == AX_SPACE_OUTPUT && !ax_str_eq(symbol->name.text, name))
        ax_lsp_show(c->lsp, 2,
                    ax_str_fmt(c->mem, "the script of the task must write %.*s=… now, not %.*s=…",
                               AX_STR(name), AX_STR(symbol->name.text)),
                    c->out);
    return AX_OK;
}
