/* mermaid.c - a scene as a Mermaid flowchart, which GitHub, GitLab and many wikis draw.
 *
 * Mermaid finds directives, entities, Markdown and HTML inside of quoted texts too. So of ASCII only letters,
 * digits and a little punctuation that means nothing to it stand as they are, the rest as #NN; entities.
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/picture/draw_int.h"
#include "compiler/picture/source_link_int.h"
#include "dsl/base/utf8.h"

#define TEXT_BYTES_MAX 2000 /* of a tooltip */

static bool is_plain(uint32_t cp)
{
    if (cp >= 0x80) return true;
    if ((cp >= '0' && cp <= '9') || (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z')) return true;
    return cp && strchr(" _-.,/()+=*?!", (int)cp);
}

static void add_text(ax_buf *out, ax_str s)
{
    for (size_t i = 0; i < s.len;) {
        uint32_t cp;
        size_t len = ax_utf8_decode(s, i, &cp);
        if (!len || (cp < 0x20 && cp != '\n' && cp != '\t')) ax_buf_adds(out, "\xef\xbf\xbd");
        else if (cp < 0x20) ax_buf_addc(out, ' ');
        else if (is_plain(cp)) ax_buf_add(out, ax_str_slice(s, i, i + len));
        else ax_buf_addf(out, "#%" PRIu32 ";", cp);
        i += len ? len : 1;
    }
}

static void add_label(ax_buf *out, const ax_caption *c)
{
    ax_buf_addc(out, '"');
    add_text(out, c->title);
    if (c->detail.len) {
        ax_buf_adds(out, "<br>");
        add_text(out, c->detail);
    }
    for (uint32_t i = 0; i < c->chip_count; i++) {
        ax_buf_adds(out, i ? " · " : "<br>");
        add_text(out, c->chips[i].text);
    }
    ax_buf_addc(out, '"');
}

/* ---- looks ---- */

static const struct {
    const char *class, *open, *close;
} shapes[AX_BOX_KIND_COUNT] = {
    [AX_BOX_TASK] = {"task", "(", ")"},     [AX_BOX_GATE] = {"gate", "{{", "}}"},
    [AX_BOX_STACK] = {"stack", "[[", "]]"}, [AX_BOX_GROUP] = {"group", "[[", "]]"},
    [AX_BOX_SET] = {"set", "[[", "]]"},
};

static void write_class(ax_buf *out, const char *name, ax_paint paint, bool dark)
{
    const ax_paint_row *p = &ax_paints[paint];
    ax_buf_addf(out, "  classDef %s fill:%s,stroke:%s,color:%s", name, p->fill[dark], p->stroke[dark],
                ax_inks[AX_INK_TITLE].color[dark]);
    if (p->dash[0] > 0) ax_buf_addf(out, ",stroke-dasharray:%g %g", p->dash[0], p->dash[1]);
    ax_buf_addc(out, '\n');
}

static void write_classes(ax_buf *out, bool dark)
{
    for (int k = 0; k < AX_BOX_KIND_COUNT; k++)
        write_class(out, shapes[k].class, AX_PAINT_BOX_TASK + (ax_paint)k, dark);
    write_class(out, "disabled", AX_PAINT_BOX_DISABLED, dark);
    ax_buf_addf(out, "  classDef critical stroke:%s,stroke-width:3px\n",
                ax_paints[AX_PAINT_EDGE_CRITICAL].stroke[dark]);
    ax_buf_addf(out, "  classDef focus stroke:%s,stroke-width:3px\n", ax_paints[AX_PAINT_RING].stroke[dark]);
}

/* ---- boxes, frames, links ---- */

static void write_click(const ax_scene *s, const ax_box *box, ax_str template, ax_buf *out)
{
    const ax_def *def = &s->plan->defs[s->plan->nodes[box->node].def];
    ax_str link = ax_source_link(s->mem, template, def->file, def->line, s->plan->nodes[box->node].name);
    if (!link.len || memchr(link.ptr, '"', link.len) || memchr(link.ptr, '\n', link.len)) return;
    ax_buf_addf(out, "  click n%" PRIu32 " href \"%.*s\" \"", box->node, AX_STR(link));
    add_text(out, ax_str_slice(box->caption.tooltip, 0, TEXT_BYTES_MAX));
    ax_buf_adds(out, "\"\n");
}

static void write_box(const ax_scene *s, const ax_box *box, const ax_picture_options *options, ax_buf *out)
{
    ax_buf_addf(out, "  n%" PRIu32 "%s", box->node, shapes[box->kind].open);
    add_label(out, &box->caption);
    ax_buf_addf(out, "%s:::%s\n", shapes[box->kind].close,
                box->disabled ? "disabled" : shapes[box->kind].class);
    if (box->critical) ax_buf_addf(out, "  class n%" PRIu32 " critical\n", box->node);
    if (box->focused) ax_buf_addf(out, "  class n%" PRIu32 " focus\n", box->node);
    write_click(s, box, options->link, out);
}

static void write_end(ax_end end, const ax_scene *s, ax_buf *out)
{
    if (end.frame != AX_NONE) ax_buf_addf(out, "f%" PRIu32, end.frame);
    else ax_buf_addf(out, "n%" PRIu32, s->boxes.at[end.box].node);
}

static void write_link(const ax_scene *s, const ax_link *link, ax_buf *out)
{
    bool dashed = link->outcome == AX_ON_FAILED || link->outcome == AX_ON_SKIPPED;
    if (link->hidden) return;
    ax_buf_adds(out, "  ");
    write_end(link->from, s, out);
    ax_buf_adds(out, link->critical ? " ==>" : dashed ? " -.->" : " -->");
    if (link->outcome != AX_ON_SUCCEEDED) ax_buf_addf(out, "|%s|", ax_outcome_name(link->outcome));
    ax_buf_addc(out, ' ');
    write_end(link->to, s, out);
    ax_buf_addc(out, '\n');
}

static void open_frame(const ax_scene *s, uint32_t frame, void *context, ax_buf *out)
{
    (void)context;
    ax_buf_addf(out, "  subgraph f%" PRIu32 "[", frame);
    add_label(out, &s->frames.at[frame].caption);
    ax_buf_adds(out, "]\n");
}

static void close_frame(ax_buf *out)
{
    ax_buf_adds(out, "  end\n");
}

static void box_in_frame(const ax_scene *s, const ax_box *box, void *context, ax_buf *out)
{
    const ax_picture_options *const *options = context;
    write_box(s, box, *options, out);
}

void ax_picture_mermaid(const ax_scene *scene, const ax_picture_options *options, ax_buf *out)
{
    const ax_outline_writer writer = {open_frame, close_frame, box_in_frame, &options};
    ax_buf_addf(out, "flowchart %s\n", scene->down ? "TB" : "LR");
    ax_buf_adds(out, "  %% ");
    ax_buf_add(out, scene->plan->name);
    if (scene->note.len) {
        ax_buf_adds(out, "\n  %% ");
        ax_buf_add(out, scene->note);
    }
    ax_buf_addc(out, '\n');
    ax_scene_outline(scene, &writer, out);
    for (uint32_t i = 0; i < scene->links.len; i++) write_link(scene, &scene->links.at[i], out);
    write_classes(out, options->dark);
}
