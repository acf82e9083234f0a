/* canvas_xdot.c - a scene as xdot drawing commands, which the layout library's renderers turn into PNG. */
#include <stdio.h>
#include <string.h>

#include "compiler/picture/draw_int.h"

#define SINK 0.1 /* of the font size: the library sets text that much too high */
#define ARC                                                                                                  \
    0.5523 /* of the radius: how far a control point stands from the corner's ends for a quarter circle */

/* Coordinates go up in xdot. */
static void point(ax_canvas *c, ax_point p)
{
    ax_buf_addf(c->out, "%.2f %.2f ", p.x, c->height - p.y);
}

static void string(ax_buf *out, ax_str s)
{
    ax_buf_addf(out, "%zu -", s.len);
    ax_buf_add(out, s);
    ax_buf_addc(out, ' ');
}

/* Sets pen and fill; returns the letter for a filled or an open shape. */
static bool use(ax_canvas *c, ax_paint paint)
{
    const ax_paint_row *p = &ax_paints[paint];
    bool dark = c->options->dark;
    const char *fill = p->fill[dark], *stroke = p->stroke[dark] ? p->stroke[dark] : fill;
    ax_buf_adds(c->out, "c ");
    string(c->out, ax_str_of(stroke));
    if (fill) {
        ax_buf_adds(c->out, "C ");
        string(c->out, ax_str_of(fill));
    }
    ax_buf_adds(c->out, "S ");
    string(c->out, p->dash[0] > 3 ? AX_LIT("dashed") : p->dash[0] > 0 ? AX_LIT("dotted") : AX_LIT("solid"));
    char width[64];
    int len = snprintf(width, sizeof width, "setlinewidth(%.2f)", p->stroke[dark] ? p->width : 0.1);
    ax_buf_adds(c->out, "S ");
    string(c->out, (ax_str){width, (size_t)len});
    return fill != NULL;
}

static void begin(ax_canvas *c, const ax_part *part)
{
    (void)c;
    (void)part;
}

static void end(ax_canvas *c)
{
    (void)c;
}

static void points(ax_canvas *c, char open, char filled, bool is_filled, const ax_point *p, uint32_t count)
{
    ax_buf_addf(c->out, "%c %u ", is_filled ? filled : open, count);
    for (uint32_t i = 0; i < count; i++) point(c, p[i]);
}

static void polygon(ax_canvas *c, ax_paint paint, const ax_point *p, uint32_t count)
{
    bool filled = use(c, paint);
    points(c, 'p', 'P', filled, p, count);
}

static void curve(ax_canvas *c, ax_paint paint, const ax_point *p, uint32_t count)
{
    use(c, paint);
    points(c, 'B', 'b', false, p, count);
}

/* One side as a straight curve, then the corner to the next side. */
static void side(ax_point *out, ax_point from, ax_point to, ax_point corner, ax_point next)
{
    out[0] = from;
    out[1] = to;
    out[2] = to;
    out[3] = (ax_point){to.x + (corner.x - to.x) * ARC, to.y + (corner.y - to.y) * ARC};
    out[4] = (ax_point){next.x + (corner.x - next.x) * ARC, next.y + (corner.y - next.y) * ARC};
    out[5] = next;
}

static void rect(ax_canvas *c, ax_paint paint, ax_point min, ax_point max, double radius)
{
    if (radius <= 0) {
        polygon(c, paint, (const ax_point[]){min, {max.x, min.y}, max, {min.x, max.y}}, 4);
        return;
    }
    double half = (max.y - min.y < max.x - min.x ? max.y - min.y : max.x - min.x) / 2,
           r = radius < half ? radius : half;
    ax_point p[25];
    p[0] = (ax_point){min.x + r, min.y};
    side(p + 1, p[0], (ax_point){max.x - r, min.y}, (ax_point){max.x, min.y}, (ax_point){max.x, min.y + r});
    side(p + 7, p[6], (ax_point){max.x, max.y - r}, max, (ax_point){max.x - r, max.y});
    side(p + 13, p[12], (ax_point){min.x + r, max.y}, (ax_point){min.x, max.y}, (ax_point){min.x, max.y - r});
    side(p + 19, p[18], (ax_point){min.x, min.y + r}, min, p[0]);
    bool filled = use(c, paint);
    points(c, 'B', 'b', filled, p, 25);
}

static void text(ax_canvas *c, ax_ink ink, ax_point baseline, ax_str s)
{
    static const char *const fonts[] = {
        [AX_FACE_PLAIN] = "sans", [AX_FACE_BOLD] = "sans bold", [AX_FACE_CODE] = "monospace"};
    const ax_ink_row *row = &ax_inks[ink];
    if (!s.len) return;
    ax_buf_addf(c->out, "F %g ", row->size);
    string(c->out, ax_str_of(fonts[row->face]));
    ax_buf_adds(c->out, "c ");
    string(c->out, ax_str_of(row->color[c->options->dark]));
    ax_buf_adds(c->out, "T ");
    point(c, (ax_point){baseline.x, baseline.y + row->size * SINK});
    ax_buf_addf(c->out, "-1 %.2f ", ax_text_width(s, row->face, row->size));
    string(c->out, s);
}

void ax_canvas_xdot(ax_canvas *canvas, const ax_picture_options *options, ax_buf *out, ax_point size)
{
    *canvas = (ax_canvas){.options = options,
                          .out = out,
                          .width = size.x,
                          .height = size.y,
                          .begin = begin,
                          .end = end,
                          .rect = rect,
                          .curve = curve,
                          .polygon = polygon,
                          .text = text};
}
