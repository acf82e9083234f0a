/* svg.c - a comparison as one picture: both versions as one graph, with marks and a legend. */
#include <inttypes.h>

#include "compiler/diff/diff_int.h"
#include "compiler/diff/show_int.h"
#include "compiler/diff/union_int.h"
#include "compiler/picture/draw_int.h"
#include "compiler/picture/layout_int.h"

typedef struct {
    ax_arena mem;
    const ax_diff *diff;
    ax_diff_union both;
    ax_scene scene;
    ax_buf text;
} drawing;

static ax_str take(drawing *d)
{
    ax_str s = ax_text_cut(&d->mem, ax_buf_str(&d->text),
                           &(ax_cut){AX_FACE_PLAIN, AX_SIZE_DETAIL, AX_HEAD_WIDTH_MAX, false});
    s = ax_str_dup(&d->mem, s);
    ax_buf_clear(&d->text);
    return s;
}

/* "added: 2 nodes, 1 edge", if there is one. */
static void add_legend(drawing *d, ax_mark mark, const char *word)
{
    uint32_t nodes = d->both.nodes[mark], edges = d->both.edges[mark];
    if (!nodes && !edges) return;
    ax_buf_addf(&d->text, "%s: ", word);
    if (nodes) ax_diff_show_number(nodes, "node", "nodes", &d->text);
    if (nodes && edges) ax_buf_adds(&d->text, ", ");
    if (edges) ax_diff_show_number(edges, "edge", "edges", &d->text);
    d->scene.legend[d->scene.legend_count++] = (ax_legend){mark, take(d)};
}

static void label(drawing *d)
{
    const ax_diff *diff = d->diff;
    const ax_diff_union *u = &d->both;
    ax_scene *s = &d->scene;
    s->doc = (ax_str){0};
    ax_buf_addf(&d->text, "%s: ", ax_verdict_words(diff->verdict));
    ax_diff_show_counts(diff->counts, &d->text);
    s->doc = take(d);
    if (u->left_out) {
        ax_diff_show_number(u->left_out, "node that did not change is not drawn",
                            "nodes that did not change are not drawn", &d->text);
    }
    if (u->edges_left_out) {
        if (u->left_out) ax_buf_adds(&d->text, "; ");
        ax_diff_show_number(u->edges_left_out, "edge that is gone is not drawn, for it ran the other way",
                            "edges that are gone are not drawn, for they ran the other way", &d->text);
    }
    s->subtitle = take(d);
    add_legend(d, AX_MARK_ADDED, "added");
    add_legend(d, AX_MARK_REMOVED, "removed");
    add_legend(d, AX_MARK_CHANGED, "changed");
    add_legend(d, AX_MARK_TOUCHED, "changed safely");
}

ax_rc ax_diff_svg(const ax_diff *diff, bool dark, ax_buf *out, ax_err *err)
{
    drawing d = {.diff = diff, .text = AX_BUF_INIT(AX_DIFF_TEXT_MAX)};
    ax_diff_union_make(&d.mem, diff, &d.both);
    ax_scene_view view = AX_SCENE_VIEW;
    view.marks = &d.both.marks;
    ax_scene_make(&d.scene, &d.mem, &d.both.plan, &view);
    label(&d);
    const ax_picture_options options = {.format = AX_PICTURE_SVG, .dark = dark};
    ax_rc rc = ax_picture_scene(&d.scene, &options, out, err);
    ax_buf_free(&d.text);
    ax_arena_free(&d.mem);
    return rc;
}
