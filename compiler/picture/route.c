/* route.c - what the layout leaves open: which way round a layer goes, and plain curves where the way is
 * clear.
 *
 * A layout leads every link around everything, also where nothing is in the way, and then the curves swing
 * more than they must. Here a link gets one plain curve, straight out of its start and straight into its end,
 * if this touches no box and crosses no frame that it has no part in; else it keeps the way that the layout
 * found.
 */
#include <math.h>

#include "compiler/picture/layout_int.h"

#define CLEARANCE 5.0 /* pixels to anything else */
#define SAMPLES 24
#define TIP_LENGTH 8.0
#define REACH_MAX 70.0 /* how far a curve goes straight on at its ends */
#define CORNER 24.0    /* a link stands at least so far from a frame's corner, if the frame is that large */

typedef struct {
    ax_point min, max;
} area;

static area area_of_box(const ax_box *b)
{
    return (area){{b->center.x - b->width / 2, b->center.y - b->height / 2},
                  {b->center.x + b->width / 2, b->center.y + b->height / 2}};
}

static area area_of_end(const ax_scene *s, ax_end end)
{
    if (end.frame == AX_NONE) return area_of_box(&s->boxes.at[end.box]);
    return (area){s->frames.at[end.frame].min, s->frames.at[end.frame].max};
}

static bool inside(area a, ax_point p)
{
    return p.x > a.min.x - CLEARANCE && p.x < a.max.x + CLEARANCE && p.y > a.min.y - CLEARANCE &&
           p.y < a.max.y + CLEARANCE;
}

/* True if `frame` is around the box or is that frame or around it. */
static bool has_part(const ax_scene *s, uint32_t frame, ax_end end)
{
    uint32_t f = end.frame == AX_NONE ? s->boxes.at[end.box].frame : end.frame;
    for (; f != AX_NONE; f = s->frames.at[f].frame) {
        if (f == frame) return true;
    }
    return false;
}

static bool is_box(ax_end end, uint32_t box)
{
    return end.frame == AX_NONE && end.box == box;
}

static ax_point on_curve(const ax_point *p, double t)
{
    double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, e = t * t * t;
    return (ax_point){a * p[0].x + b * p[1].x + c * p[2].x + e * p[3].x,
                      a * p[0].y + b * p[1].y + c * p[2].y + e * p[3].y};
}

static bool is_clear(const ax_scene *s, const ax_link *link, const ax_point *curve)
{
    for (int i = 1; i < SAMPLES; i++) {
        ax_point p = on_curve(curve, i / (double)SAMPLES);
        for (uint32_t b = 0; b < s->boxes.len; b++) {
            if (is_box(link->from, b) || is_box(link->to, b)) continue;
            if (inside(area_of_box(&s->boxes.at[b]), p)) return false;
        }
        for (uint32_t f = 0; f < s->frames.len; f++) {
            if (has_part(s, f, link->from) || has_part(s, f, link->to)) continue;
            if (inside((area){s->frames.at[f].min, s->frames.at[f].max}, p)) return false;
        }
    }
    return true;
}

static double clamp(double value, double low, double high)
{
    if (low > high) return (low + high) / 2;
    return value < low ? low : value > high ? high : value;
}

/* Where on its side something is left or entered: a box in the middle, a frame opposite `other`, so that
 * the link is straight if it can be. */
static double along(ax_end end, double low, double high, double other)
{
    return end.frame == AX_NONE ? (low + high) / 2 : clamp(other, low + CORNER, high - CORNER);
}

static ax_point turned(ax_point p, bool turn)
{
    return turn ? (ax_point){p.y, p.x} : p;
}

/* The plain curve of a link, its last point being the tip's; false if the end does not stand behind the
 * start. It is computed as if the scene flowed down. */
static bool plain_curve(const ax_scene *s, const ax_link *link, ax_point curve[5])
{
    bool turn = !s->down;
    area from = area_of_end(s, link->from), to = area_of_end(s, link->to);
    ax_point from_min = turned(from.min, turn), from_max = turned(from.max, turn);
    ax_point to_min = turned(to.min, turn), to_max = turned(to.max, turn);
    double x0 = along(link->from, from_min.x, from_max.x, (to_min.x + to_max.x) / 2);
    double x1 = along(link->to, to_min.x, to_max.x, x0);
    double y0 = from_max.y, y1 = to_min.y - TIP_LENGTH, reach = fmin((y1 - y0) / 2, REACH_MAX);
    const ax_point down[5] = {{x0, y0}, {x0, y0 + reach}, {x1, y1 - reach}, {x1, y1}, {x1, to_min.y}};
    for (int i = 0; i < 5; i++) curve[i] = turned(down[i], turn);
    return y1 > y0;
}

/* ---- mirroring ---- */

static void flip(const ax_scene *s, ax_point *p)
{
    if (s->down) p->x = s->width - p->x;
    else p->y = s->height - p->y;
}

/* More pairs of boxes in one layer stand against the order of the plan than in it. */
static bool is_backward(const ax_scene *s)
{
    int64_t balance = 0;
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        for (uint32_t k = i + 1; k < s->boxes.len; k++) {
            ax_point a = turned(s->boxes.at[i].center, !s->down), b = turned(s->boxes.at[k].center, !s->down);
            if (fabs(a.y - b.y) < 1) balance += a.x < b.x ? 1 : -1;
        }
    }
    return balance < 0;
}

/* The way a layer goes is free. What flows to the right and has frames can't be turned over, because their
 * captions stand at the top. */
static void mirror(ax_scene *s)
{
    if (!s->down && s->frames.len) return;
    for (uint32_t i = 0; i < s->boxes.len; i++) flip(s, &s->boxes.at[i].center);
    for (uint32_t i = 0; i < s->frames.len; i++) {
        ax_frame *f = &s->frames.at[i];
        double left = f->min.x;
        f->min.x = s->width - f->max.x;
        f->max.x = s->width - left;
    }
    for (uint32_t i = 0; i < s->links.len; i++) {
        ax_link *link = &s->links.at[i];
        for (uint32_t k = 0; k < link->curve_count; k++) flip(s, &link->curve[k]);
        flip(s, &link->tip);
    }
}

/* ---- boxes that stand free ---- */

/* True if links meet no single box of the frame, and all of its boxes stand in one layer. */
static bool stands_free(const ax_scene *s, uint32_t frame)
{
    double layer = -1;
    for (uint32_t i = 0; i < s->links.len; i++) {
        const ax_link *l = &s->links.at[i];
        bool from = l->from.frame == AX_NONE && s->boxes.at[l->from.box].frame == frame;
        bool to = l->to.frame == AX_NONE && s->boxes.at[l->to.box].frame == frame;
        if (!l->hidden && (from || to)) return false;
    }
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        if (s->boxes.at[i].frame != frame) continue;
        double at = s->down ? s->boxes.at[i].center.y : s->boxes.at[i].center.x;
        if (layer >= 0 && fabs(at - layer) > 1) return false;
        layer = at;
    }
    for (uint32_t i = 0; i < s->frames.len; i++) {
        if (s->frames.at[i].frame == frame) return false;
    }
    return true;
}

/* Puts the boxes of a frame that stand free in the order of the plan, in the room that they have. */
static void put_in_order(ax_scene *s, uint32_t frame)
{
    double low = INFINITY, high = -INFINITY, filled = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        const ax_box *b = &s->boxes.at[i];
        if (b->frame != frame) continue;
        double at = s->down ? b->center.x : b->center.y, size = s->down ? b->width : b->height;
        low = fmin(low, at - size / 2);
        high = fmax(high, at + size / 2);
        filled += size;
        count++;
    }
    double gap = count > 1 ? (high - low - filled) / (count - 1) : 0;
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        ax_box *b = &s->boxes.at[i];
        if (b->frame != frame) continue;
        double size = s->down ? b->width : b->height;
        *(s->down ? &b->center.x : &b->center.y) = low + size / 2;
        low += size + gap;
    }
}

/* ---- all links ---- */

void ax_route_links(ax_scene *scene)
{
    if (is_backward(scene)) mirror(scene);
    for (uint32_t f = 0; f < scene->frames.len; f++) {
        if (stands_free(scene, f)) put_in_order(scene, f);
    }
    for (uint32_t i = 0; i < scene->links.len; i++) {
        ax_link *link = &scene->links.at[i];
        ax_point curve[5];
        if (link->hidden || link->curve_count < 4) continue;
        if (!plain_curve(scene, link, curve) || !is_clear(scene, link, curve)) continue;
        for (int k = 0; k < 4; k++) link->curve[k] = curve[k];
        link->curve_count = 4;
        link->tip = curve[4];
    }
}
