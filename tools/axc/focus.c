/* focus.c - --focus: split into a name, a direction and a number, and then said as a selection. */
#include "tools/axc/focus.h"

#include <string.h>

typedef struct {
    ax_str node, edges; /* edges: digits; empty: all */
    bool up, down;
} parts;

static bool ends_with(ax_str s, ax_str end)
{
    return s.len >= end.len && memcmp(s.ptr + s.len - end.len, end.ptr, end.len) == 0;
}

static parts split(ax_str text, const ax_plan *plan)
{
    static const struct {
        const char *sign;
        bool up, down;
    } signs[] = {{"\xc2\xb1", true, true}, /* ± */
                 {"+-", true, true},
                 {"+", false, true},
                 {"-", true, false}};
    const parts alone = {text, AX_LIT("1"), true, true};
    size_t at = text.len;
    while (at > 0 && text.ptr[at - 1] >= '0' && text.ptr[at - 1] <= '9') at--;
    if (ax_plan_find(plan, text) != AX_NONE) return alone;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        ax_str head = ax_str_slice(text, 0, at);
        size_t len = strlen(signs[i].sign);
        if (!ends_with(head, ax_str_of(signs[i].sign))) continue;
        return (parts){ax_str_slice(head, 0, head.len - len), ax_str_slice(text, at, text.len), signs[i].up,
                       signs[i].down};
    }
    return alone;
}

static ax_rc select_nodes(ax_cli *cli, ax_str text, const ax_plan *plan, ax_node_set *out, ax_err *err)
{
    ax_text_err error;
    if (ax_select_from(&cli->mem, text, plan, NULL, out, &error)) return AX_OK;
    ax_place_show(cli, AX_ERROR, text, &error);
    return ax_cli_failed(err);
}

ax_rc ax_focus_read(ax_cli *cli, const char *text, const ax_plan *plan, ax_focus *out, ax_err *err)
{
    parts p = split(ax_str_of(text), plan);
    const char *before = p.up ? "+" : "", *behind = p.down ? "+" : "";
    ax_str up = p.up ? p.edges : (ax_str){0}, down = p.down ? p.edges : (ax_str){0};
    ax_str all =
        ax_str_fmt(&cli->mem, "%.*s%s%.*s%s%.*s", AX_STR(up), before, AX_STR(p.node), behind, AX_STR(down));
    ax_rc rc = select_nodes(cli, p.node, plan, &out->center, err);
    return rc ? rc : select_nodes(cli, all, plan, &out->all, err);
}
