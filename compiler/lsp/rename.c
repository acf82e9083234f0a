/* rename.c - a symbol gets another name, everywhere or nowhere.
 *
 * Whether the new name collides is not guessed: the edits are made on a copy, and every name in it must mean
 * what it meant before. So a clash in the same block is refused, and also a name that another one hides.
 */
#include <string.h>

#include "compiler/lsp/lsp_int.h"
#include "dsl/syntax/lexemes.h"

static const ax_name_use *use_at(const ax_call *c)
{
    return ax_names_at(&c->doc->names, ax_doc_offset(c->doc, c->at));
}

ax_rc ax_lsp_prepare_rename(ax_call *c)
{
    const ax_name_use *use = use_at(c);
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

static ax_rc check_name(ax_call *c, const ax_symbol *symbol, ax_str name)
{
    bool is_value = symbol->space == AX_SPACE_VALUE || symbol->space == AX_SPACE_OUTPUT;
    if (!is_name(c->mem, name))
        return ax_fail(
            c->err, AX_REFUSED,
            "'%.*s' is no name: names are letters, digits, '_' and inner '-', and no reserved word",
            AX_STR(name));
    if (is_value && memchr(name.ptr, '-', name.len))
        return ax_fail(c->err, AX_REFUSED, "the name of a value can't hold a '-', which would be a minus");
    if (ax_schema_word("date yesterday tomorrow scheduled_at interval run node attempt item event var secret",
                       name))
        return ax_fail(c->err, AX_REFUSED, "'%.*s' is the name of a value that every run has", AX_STR(name));
    return AX_OK;
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
    for (uint32_t i = 0; i < diags.list.len && diags.errors > c->doc->diags.errors; i++)
        if (diags.list.at[i]->code == AX_E0201)
            return ax_fail(c->err, AX_REFUSED, "the name '%.*s' is taken", AX_STR(name));
    ax_names_read(c->mem, compiled.file, &names);
    rc = check_meaning(c, &names, name);
    if (!rc && diags.errors > c->doc->diags.errors)
        rc = ax_fail(c->err, AX_REFUSED, "with the name '%.*s' the file has more errors", AX_STR(name));
    return rc;
}

ax_rc ax_lsp_rename(ax_call *c)
{
    const ax_name_use *use = use_at(c);
    ax_str name = ax_rpc_text(c->params, "newName");
    if (!use) return ax_fail(c->err, AX_REFUSED, "there is no name of this file here");
    const ax_symbol *symbol = &c->doc->names.symbols.at[use->symbol];
    ax_rc rc = check_name(c, symbol, name);
    if (rc) return rc;
    ax_edit *edits;
    uint32_t count = make_edits(c, use->symbol, name, &edits);
    rc = check_edits(c, edits, count, name);
    if (rc) return rc;
    ax_edits_workspace(c->j, c->lsp, c->doc, edits, count);
    if (symbol->space == AX_SPACE_OUTPUT && !ax_str_eq(symbol->name.text, name))
        ax_lsp_show(c->lsp, 2,
                    ax_str_fmt(c->mem, "the script of the task must write %.*s=… now, not %.*s=…",
                               AX_STR(name), AX_STR(symbol->name.text)),
                    c->out);
    return AX_OK;
}
