/* dot.c - a scene as DOT text, for people who use graphviz themselves.
 *
 * Everything is quoted. In DOT a backslash and a quote in a label are escaped, and an ampersand would begin
 * an entity.
 */
#include <inttypes.h>

#include "compiler/picture/draw_int.h"
#include "compiler/picture/source_link_int.h"
#include "dsl/base/utf8.h"

static void quoted_part(ax_buf *out, ax_str s)
{
    for (size_t i = 0; i < s.len;) {
        uint32_t cp;
        size_t len = ax_utf8_decode(s, i, &cp);
        bool control = cp < 0x20 && cp != '\n' && cp != '\t';
        if (!len || control) ax_buf_adds(out, "\xef\xbf\xbd");
        else if (cp == '"') ax_buf_adds(out, "\\\"");
        else if (cp == '\\') ax_buf_adds(out, "\\\\");
        else if (cp == '\n') ax_buf_adds(out, "\\n");
        else if (cp == '&') ax_buf_adds(out, "&amp;");
        else ax_buf_add(out, ax_str_slice(s, i, i + len));
        i += len ? len : 1;
    }
}

/* Where dot's scanner gives up is 16,384 bytes of one string; an escape makes at most five of one. */
#define STRING_BYTES_MAX 3000

static void attribute(ax_buf *out, const char *name, ax_str value)
{
    ax_buf_addf(out, " %s=\"", name);
    quoted_part(out, value);
    ax_buf_addc(out, '"');
}

static void color(ax_buf *out, const char *name, const char *value)
{
    if (value) ax_buf_addf(out, " %s=\"%s\"", name, value);
}

/* An id that is too long is left out: a part of it would not be unique. */
static void write_id(const ax_scene *s, uint32_t node, ax_buf *out)
{
    ax_str id = ax_scene_id(s->mem, s->plan, node);
    if (id.len <= STRING_BYTES_MAX) attribute(out, "id", id);
}

/* Title, detail and remarks, each on a line of its own. */
static void label(ax_buf *out, const ax_caption *c)
{
    ax_buf_adds(out, " label=\"");
    quoted_part(out, c->title);
    if (c->detail.len) {
        ax_buf_adds(out, "\\n");
        quoted_part(out, c->detail);
    }
    for (uint32_t i = 0; i < c->chip_count; i++) {
        ax_buf_adds(out, i ? " · " : "\\n");
        quoted_part(out, c->chips[i].text);
    }
    ax_buf_addc(out, '"');
}

/* The colour of a box' outline. */
static const char *box_line(const ax_box *box, bool dark)
{
    if (box->critical) return ax_paints[AX_PAINT_RING_CRITICAL].stroke[dark];
    if (box->focused) return ax_paints[AX_PAINT_RING].stroke[dark];
    ax_paint kind = AX_PAINT_BOX_TASK + (ax_paint)box->kind;
    return ax_paints[box->disabled ? AX_PAINT_BOX_DISABLED : kind].stroke[dark];
}

static void write_url(const ax_scene *s, uint32_t node, ax_str template, ax_buf *out)
{
    const ax_def *def = &s->plan->defs[s->plan->nodes[node].def];
    ax_str url = ax_source_link(s->mem, template, def->file, def->line, s->plan->nodes[node].name);
    if (url.len && url.len <= STRING_BYTES_MAX) attribute(out, "URL", url);
}

static void write_box(const ax_scene *s, const ax_box *box, void *context, ax_buf *out)
{
    const ax_picture_options *const *options = context;
    bool dark = (*options)->dark;
    ax_paint kind = AX_PAINT_BOX_TASK + (ax_paint)box->kind;
    const ax_paint_row *paint = &ax_paints[box->disabled ? AX_PAINT_BOX_DISABLED : kind];
    ax_buf_addf(out, "n%" PRIu32 " [", box->node);
    write_id(s, box->node, out);
    label(out, &box->caption);
    attribute(out, "tooltip", ax_str_slice(box->caption.tooltip, 0, STRING_BYTES_MAX));
    color(out, "fillcolor", paint->fill[dark]);
    color(out, "color", box_line(box, dark));
    write_url(s, box->node, (*options)->link, out);
    if (box->kind == AX_BOX_GATE) ax_buf_adds(out, " shape=\"hexagon\"");
    if (box->kind == AX_BOX_STACK || box->kind == AX_BOX_SET) ax_buf_adds(out, " peripheries=\"2\"");
    if (box->critical || box->focused) ax_buf_adds(out, " penwidth=\"3\"");
    if (box->disabled) ax_buf_adds(out, " style=\"rounded,filled,dashed\"");
    ax_buf_adds(out, "];\n");
}

static void open_frame(const ax_scene *s, uint32_t index, void *context, ax_buf *out)
{
    const ax_picture_options *const *options = context;
    bool dark = (*options)->dark;
    const ax_frame *frame = &s->frames.at[index];
    const ax_paint_row *paint = &ax_paints[frame->fan_out ? AX_PAINT_FRAME_FAN_OUT : AX_PAINT_FRAME];
    ax_buf_addf(out, "subgraph \"cluster_%" PRIu32 "\" { graph [", index);
    if (frame->node != AX_NONE) write_id(s, frame->node, out);
    label(out, &frame->caption);
    color(out, "fillcolor", paint->fill[dark]);
    color(out, "color", paint->stroke[dark]);
    ax_buf_adds(out, " style=\"rounded,filled\"];\n");
}

static void close_frame(ax_buf *out)
{
    ax_buf_adds(out, "}\n");
}

static void write_link(const ax_scene *s, const ax_link *link, bool dark, ax_buf *out)
{
    const ax_paint_row *paint = &ax_paints[AX_PAINT_EDGE_SUCCEEDED + (ax_paint)link->outcome];
    ax_buf_addf(out, "n%" PRIu32 " -> n%" PRIu32 " [", s->boxes.at[link->from.box].node,
                s->boxes.at[link->to.box].node);
    if (link->hidden) {
        ax_buf_adds(out, "style=\"invis\" weight=\"0\"];\n");
        return;
    }
    ax_buf_addf(out, "class=\"%s\"", ax_outcome_name(link->outcome));
    color(out, "color",
          link->critical ? ax_paints[AX_PAINT_EDGE_CRITICAL].stroke[dark] : paint->stroke[dark]);
    if (link->critical) ax_buf_adds(out, " penwidth=\"3\"");
    if (link->outcome != AX_ON_SUCCEEDED) {
        ax_buf_addf(out, " label=\"%s\"", ax_outcome_name(link->outcome));
        color(out, "fontcolor", ax_inks[AX_INK_TAG_SUCCEEDED + (ax_ink)link->outcome].color[dark]);
    }
    if (link->outcome == AX_ON_FAILED) ax_buf_adds(out, " style=\"dashed\"");
    if (link->outcome == AX_ON_SKIPPED) ax_buf_adds(out, " style=\"dotted\"");
    if (link->from.frame != AX_NONE) ax_buf_addf(out, " ltail=\"cluster_%" PRIu32 "\"", link->from.frame);
    if (link->to.frame != AX_NONE) ax_buf_addf(out, " lhead=\"cluster_%" PRIu32 "\"", link->to.frame);
    ax_buf_adds(out, "];\n");
}

void ax_picture_dot(const ax_scene *scene, const ax_picture_options *options, ax_buf *out)
{
    bool dark = options->dark;
    ax_buf_adds(out, "digraph \"");
    quoted_part(out, scene->plan->name);
    ax_buf_adds(out, "\" {\n");
    ax_buf_addf(out, "graph [rankdir=\"%s\" newrank=\"true\" compound=\"true\"", scene->down ? "TB" : "LR");
    ax_buf_adds(out, " fontname=\"sans-serif\" fontsize=\"12\"");
    color(out, "bgcolor", ax_paints[AX_PAINT_PAGE].fill[dark]);
    color(out, "fontcolor", ax_inks[AX_INK_FRAME].color[dark]);
    ax_buf_adds(out,
                "];\nnode [shape=\"box\" style=\"rounded,filled\" fontname=\"sans-serif\" fontsize=\"11\"");
    color(out, "fontcolor", ax_inks[AX_INK_TITLE].color[dark]);
    ax_buf_adds(out, "];\nedge [fontname=\"sans-serif\" fontsize=\"9\" arrowsize=\"0.7\"];\n");
    const ax_outline_writer writer = {open_frame, close_frame, write_box, &options};
    ax_scene_outline(scene, &writer, out);
    for (uint32_t i = 0; i < scene->links.len; i++) write_link(scene, &scene->links.at[i], dark, out);
    ax_buf_adds(out, "}\n");
}
