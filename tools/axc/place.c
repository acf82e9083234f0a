/* place.c - a message about a short text, with a caret under the part that is meant: what diagnostics are for
 * files, this is for expressions that are typed on the command line.
 */
#include "dsl/base/utf8.h"
#include "tools/axc/axc.h"

#define INDENT 2

static void add_repeated(ax_out *out, char c, size_t count)
{
    ax_buf text = AX_BUF_INIT(1 << 20);
    for (size_t i = 0; i < count; i++) ax_buf_addc(&text, c);
    ax_out_add(out, ax_buf_str(&text));
    ax_buf_free(&text);
}

void ax_place_show(ax_cli *cli, ax_severity severity, ax_str text, const ax_text_err *place)
{
    ax_out *out = &cli->msg;
    bool is_error = severity == AX_ERROR;
    ax_out_styled(out, is_error ? AX_STYLE_RED : AX_STYLE_YELLOW,
                  is_error ? AX_LIT("error") : AX_LIT("warning"));
    ax_out_adds(out, ": ");
    ax_out_safe(out, ax_str_of(place->text));
    ax_out_adds(out, "\n");
    add_repeated(out, ' ', INDENT);
    ax_out_safe(out, text);
    ax_out_adds(out, "\n");
    size_t width = ax_utf8_width(ax_str_slice(text, place->at, place->at + place->len));
    add_repeated(out, ' ', INDENT + ax_utf8_width(ax_str_slice(text, 0, place->at)));
    add_repeated(out, '^', width ? width : 1);
    ax_out_adds(out, "\n");
    if (!place->help[0]) return;
    add_repeated(out, ' ', INDENT);
    ax_out_styled(out, AX_STYLE_CYAN, AX_LIT("help: "));
    ax_out_safe(out, ax_str_of(place->help));
    ax_out_adds(out, "\n");
}

void ax_place_json(ax_json *json, const ax_text_err *place)
{
    ax_json_obj_flat(json);
    ax_json_key(json, "at");
    ax_json_int(json, place->at);
    ax_json_key(json, "length");
    ax_json_int(json, place->len);
    ax_json_key(json, "text");
    ax_json_cstr(json, place->text);
    if (place->help[0]) {
        ax_json_key(json, "help");
        ax_json_cstr(json, place->help);
    }
    ax_json_end(json);
}
