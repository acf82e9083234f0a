/* canvas_svg.c - a scene as SVG: plain shapes with classes, one style sheet, and the parts as groups with
 * id and name. */
#include <stdio.h>
#include <string.h>

#include "compiler/picture/draw_int.h"

static const char *const faces[] = {
    [AX_FACE_PLAIN] = "",
    [AX_FACE_BOLD] = ";font-weight:600",
    [AX_FACE_CODE] = (";font-family:" AX_FONTS_CODE),
};

/* Numbers with at most two decimals and no trailing zeros, so that the text is short and the same
 * everywhere. */
static void number(ax_buf *out, double value)
{
    char text[64];
    int len = snprintf(text, sizeof text, "%.2f", value);
    while (len > 1 && text[len - 1] == '0') len--;
    if (text[len - 1] == '.') len--;
    if (len == 2 && memcmp(text, "-0", 2) == 0) ax_buf_addc(out, '0');
    else ax_buf_add(out, (ax_str){text, (size_t)len});
}

static void attribute(ax_buf *out, const char *name, double value)
{
    ax_buf_addf(out, " %s=\"", name);
    number(out, value);
    ax_buf_addc(out, '"');
}

static void text_attribute(ax_buf *out, const char *name, ax_str value)
{
    if (!value.len) return;
    ax_buf_addf(out, " %s=\"", name);
    ax_text_xml(out, value);
    ax_buf_addc(out, '"');
}

static void begin(ax_canvas *c, const ax_part *part)
{
    c->in_anchor = part->url.len > 0;
    if (c->in_anchor) {
        ax_buf_adds(c->out, "<a");
        text_attribute(c->out, "href", part->url);
        ax_buf_adds(c->out, " target=\"_top\">");
    }
    ax_buf_adds(c->out, "<g");
    text_attribute(c->out, "id", part->id);
    text_attribute(c->out, "class", part->class);
    text_attribute(c->out, "data-name", part->name);
    ax_buf_adds(c->out, ">");
    if (part->tooltip.len) {
        ax_buf_adds(c->out, "<title>");
        ax_text_xml(c->out, part->tooltip);
        ax_buf_adds(c->out, "</title>");
    }
    ax_buf_addc(c->out, '\n');
}

static void end(ax_canvas *c)
{
    ax_buf_adds(c->out, c->in_anchor ? "</g></a>\n" : "</g>\n");
}

/* A remark's colour is in its own class, because several stand in one box. */
static const char *tone_class(ax_paint paint)
{
    static const char *const names[] = {"", " when", " join", " policy"};
    bool is_chip = paint >= AX_PAINT_CHIP_PLAIN && paint <= AX_PAINT_CHIP_POLICY;
    return is_chip ? names[paint - AX_PAINT_CHIP_PLAIN] : "";
}

static void rect(ax_canvas *c, ax_paint paint, ax_point min, ax_point max, double radius)
{
    ax_buf_addf(c->out, "<rect class=\"%s%s\"", ax_paints[paint].class, tone_class(paint));
    attribute(c->out, "x", min.x);
    attribute(c->out, "y", min.y);
    attribute(c->out, "width", max.x - min.x);
    attribute(c->out, "height", max.y - min.y);
    if (radius > 0) attribute(c->out, "rx", radius);
    ax_buf_adds(c->out, "/>\n");
}

static void point(ax_buf *out, ax_point p)
{
    number(out, p.x);
    ax_buf_addc(out, ',');
    number(out, p.y);
}

static void curve(ax_canvas *c, ax_paint paint, const ax_point *points, uint32_t count)
{
    ax_buf_addf(c->out, "<path class=\"%s\" d=\"M", ax_paints[paint].class);
    point(c->out, points[0]);
    for (uint32_t i = 1; i < count; i++) {
        ax_buf_addc(c->out, i == 1 ? 'C' : ' ');
        point(c->out, points[i]);
    }
    ax_buf_adds(c->out, "\"/>\n");
}

static void polygon(ax_canvas *c, ax_paint paint, const ax_point *points, uint32_t count)
{
    ax_buf_addf(c->out, "<polygon class=\"%s\" points=\"", ax_paints[paint].class);
    for (uint32_t i = 0; i < count; i++) {
        if (i) ax_buf_addc(c->out, ' ');
        point(c->out, points[i]);
    }
    ax_buf_adds(c->out, "\"/>\n");
}

static void text(ax_canvas *c, ax_ink ink, ax_point baseline, ax_str s)
{
    ax_buf_addf(c->out, "<text class=\"%s\"", ax_inks[ink].class);
    attribute(c->out, "x", baseline.x);
    attribute(c->out, "y", baseline.y);
    ax_buf_addc(c->out, '>');
    ax_text_xml(c->out, s);
    ax_buf_adds(c->out, "</text>\n");
}

/* ---- the style sheet ---- */

static void color(ax_buf *out, const char *property, const char *value)
{
    ax_buf_addf(out, "%s:%s", property, value ? value : "none");
}

/* With one class more than any other rule, so that it wins; a selector may be a list. */
static void write_mark_style(const ax_mark_row *row, bool dark, ax_buf *out)
{
    for (const char *at = row->selector; *at;) {
        size_t len = strcspn(at, ",");
        ax_buf_addf(out, ".ax.marks %.*s{%s}\n", (int)len, at, row->style[dark]);
        at += len + (at[len] == ',');
    }
}

static void write_styles(ax_buf *out, bool dark, bool marked)
{
    ax_buf_adds(out, "<style>\n.ax text{font-family:" AX_FONTS ";white-space:pre}\n");
    for (const ax_paint_row *p = ax_paints; p < ax_paints + AX_PAINT_COUNT; p++) {
        ax_buf_addf(out, ".ax %s{", p->selector);
        color(out, "fill", p->fill[dark]);
        ax_buf_addc(out, ';');
        color(out, "stroke", p->stroke[dark]);
        if (p->stroke[dark]) ax_buf_addf(out, ";stroke-width:%g", p->width);
        if (p->dash[0] > 0) ax_buf_addf(out, ";stroke-dasharray:%g %g", p->dash[0], p->dash[1]);
        ax_buf_adds(out, "}\n");
    }
    for (const ax_ink_row *i = ax_inks; i < ax_inks + AX_INK_COUNT; i++) {
        ax_buf_addf(out, ".ax %s{fill:%s;font-size:%gpx%s}\n", i->selector, i->color[dark], i->size,
                    faces[i->face]);
    }
    for (uint32_t i = 0; i < ax_mark_row_count && marked; i++) write_mark_style(&ax_mark_rows[i], dark, out);
    ax_buf_adds(out, "</style>\n");
}

void ax_picture_svg(const ax_scene *scene, const ax_picture_options *options, ax_buf *out)
{
    ax_point size = ax_draw_size(scene);
    ax_canvas canvas = {.options = options,
                        .out = out,
                        .width = size.x,
                        .height = size.y,
                        .begin = begin,
                        .end = end,
                        .rect = rect,
                        .curve = curve,
                        .polygon = polygon,
                        .text = text};
    ax_buf_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ax%s\"",
                scene->marks ? " marks" : "");
    attribute(out, "width", size.x);
    attribute(out, "height", size.y);
    ax_buf_adds(out, " viewBox=\"0 0 ");
    number(out, size.x);
    ax_buf_addc(out, ' ');
    number(out, size.y);
    ax_buf_adds(out, "\" xml:space=\"preserve\">\n<title>");
    ax_text_xml(out, scene->plan->name);
    ax_buf_adds(out, "</title>\n");
    write_styles(out, options->dark, scene->marks != NULL);
    ax_draw_scene(scene, &canvas);
    ax_buf_adds(out, "</svg>\n");
}
