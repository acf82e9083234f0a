/* format.c - the one layout as the fewest edits.
 *
 * The formatter prints the text's own tokens in order and decides only about white space and commas between
 * them. So both texts are walked side by side, and an edit is a gap that differs; cursor, marks and folds of
 * the editor stay where they are.
 */
#include <string.h>

#include "compiler/lsp/lsp_int.h"
#include "dsl/syntax/fmt.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

static size_t gap_end(ax_str text, size_t at)
{
    while (at < text.len && is_gap(text.ptr[at])) at++;
    return at;
}

/* The edit of one gap, without what both have at its ends. */
static ax_edit gap_edit(ax_str before, size_t b, size_t b_end, ax_str after, size_t a, size_t a_end)
{
    while (b < b_end && a < a_end && before.ptr[b] == after.ptr[a]) b++, a++;
    while (b < b_end && a < a_end && before.ptr[b_end - 1] == after.ptr[a_end - 1]) b_end--, a_end--;
    bool splits_line_end =
        b_end > b && before.ptr[b_end - 1] == '\r' && b_end < before.len && before.ptr[b_end] == '\n';
    if (splits_line_end) b_end++, a_end++; /* between \r and \n is no place */
    return (ax_edit){(uint32_t)b, (uint32_t)b_end, ax_str_slice(after, a, a_end)};
}

/* The edits that make `before` into `after`; one of the whole text if they differ in more than gaps. */
static void find_edits(ax_call *c, ax_str before, ax_str after, ax_edit **out, uint32_t *count)
{
    AX_VEC(ax_edit) edits = {0};
    size_t b = ax_str_starts(before, AX_LIT(BYTE_ORDER_MARK)) ? 3 : 0, a = 0;
    if (b) ax_vec_push(c->mem, &edits, (ax_edit){0, 3, {0}});
    while (b < before.len || a < after.len) {
        size_t b_end = gap_end(before, b), a_end = gap_end(after, a);
        ax_edit edit = gap_edit(before, b, b_end, after, a, a_end);
        if (edit.beg < edit.end || edit.text.len > 0) ax_vec_push(c->mem, &edits, edit);
        b = b_end;
        a = a_end;
        if (b == before.len && a == after.len) break;
        if (b == before.len || a == after.len || before.ptr[b] != after.ptr[a]) {
            edits.len = 0;
            ax_vec_push(c->mem, &edits, (ax_edit){0, (uint32_t)before.len, after});
            break;
        }
        b++;
        a++;
    }
    *out = edits.at;
    *count = edits.len;
}

ax_rc ax_lsp_formatting(ax_call *c)
{
    const ax_doc *doc = c->doc;
    ax_edit *edits = NULL;
    uint32_t count = 0;
    if (doc->compiled.file->broken)
        return ax_fail(c->err, AX_REFUSED, "a file with a syntax error is not formatted");
    ax_buf text = AX_BUF_INIT(AX_MESSAGE_BYTES_MAX);
    ax_fmt(doc->compiled.file, c->mem, &text);
    if (!text.full) find_edits(c, doc->source->text, ax_buf_str(&text), &edits, &count);
    ax_edits_write(c->j, doc, edits, count);
    ax_buf_free(&text);
    return AX_OK;
}
