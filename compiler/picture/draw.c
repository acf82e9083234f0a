/* draw.c - puts a scene that has its places on a canvas: page, frames, links, boxes. */
#include "compiler/picture/draw_int.h"

#include <math.h>

#include "compiler/picture/source_link_int.h"
#include "dsl/base/assert.h"

#define HEAD_LINE 18     /* height of a line under the title */
#define CENTER_MAX 120.0 /* how far a graph narrower than its title moves to the middle */
#define LEGEND_LINE 26   /* height of the legend */
#define LEGEND_BOX 12.0  /* a square of it */
#define LEGEND_GAP 18.0  /* between two parts */
#define BASELINE 0.76    /* of a line's height, where its text stands */
#define TIP_WIDTH 7.0    /* of an arrow's head */
#define TAG_HEIGHT 14.0  /* of an edge's label */
#define TAG_PAD 4.0
#define SAMPLES 16  /* of a piece of a curve, to measure it */
#define DIAMOND 5.0 /* half of a gate's sign */

typedef struct {
    const ax_scene *scene;
    ax_canvas *canvas;
    ax_point origin; /* of the graph on the page */
} drawing;

/* ---- the page ---- */

static double head_height(const ax_scene *s)
{
    double height = AX_SIZE_HEAD + 8;
    if (s->subtitle.len) height += HEAD_LINE;
    if (s->doc.len) height += HEAD_LINE;
    if (s->legend_count) height += LEGEND_LINE;
    if (s->note.len) height += HEAD_LINE;
    return height + 14;
}

static double legend_width(const ax_legend *l)
{
    return LEGEND_BOX + 6 + ax_text_width(l->text, AX_FACE_PLAIN, AX_SIZE_DETAIL) + LEGEND_GAP;
}

static double head_width(const ax_scene *s)
{
    double title = ax_text_width(s->title, AX_FACE_BOLD, AX_SIZE_HEAD);
    double subtitle = ax_text_width(s->subtitle, AX_FACE_PLAIN, AX_SIZE_DETAIL);
    double doc = ax_text_width(s->doc, AX_FACE_PLAIN, AX_SIZE_DETAIL), legend = 0;
    double note = ax_text_width(s->note, AX_FACE_PLAIN, AX_SIZE_DETAIL);
    for (uint32_t i = 0; i < s->legend_count; i++) legend += legend_width(&s->legend[i]);
    return fmax(fmax(title, fmax(note, legend)), fmax(subtitle, doc));
}

ax_point ax_draw_size(const ax_scene *scene)
{
    return (ax_point){ceil(fmax(scene->width, head_width(scene)) + 2 * AX_PAGE_MARGIN),
                      ceil(scene->height + head_height(scene) + 2 * AX_PAGE_MARGIN)};
}

/* The class of a part, with that of its mark. */
static const char *marked(const drawing *d, const char *class, ax_mark mark)
{
    if (mark == AX_MARK_NONE) return class;
    return ax_str_fmt(d->scene->mem, "%s %s", class, ax_mark_classes[mark]).ptr;
}

static void draw_legend(const drawing *d, ax_point at)
{
    ax_canvas *c = d->canvas;
    for (uint32_t i = 0; i < d->scene->legend_count; i++) {
        const ax_legend *l = &d->scene->legend[i];
        ax_part part = {.class = ax_str_of(marked(d, "legend", l->mark))};
        c->begin(c, &part);
        c->rect(c, AX_PAINT_BOX_TASK, (ax_point){at.x, at.y},
                (ax_point){at.x + LEGEND_BOX, at.y + LEGEND_BOX}, 3);
        c->text(c, AX_INK_SUBTITLE, (ax_point){at.x + LEGEND_BOX + 6, at.y + LEGEND_BOX - 2}, l->text);
        c->end(c);
        at.x += legend_width(l);
    }
}

static void draw_head(const drawing *d)
{
    const ax_scene *s = d->scene;
    ax_canvas *c = d->canvas;
    ax_point at = {AX_PAGE_MARGIN, AX_PAGE_MARGIN + AX_SIZE_HEAD * 0.85};
    c->rect(c, AX_PAINT_PAGE, (ax_point){0, 0}, (ax_point){c->width, c->height}, 0);
    c->text(c, AX_INK_HEAD, at, s->title);
    at.y += 4;
    if (s->doc.len) c->text(c, AX_INK_SUBTITLE, (ax_point){at.x, at.y += HEAD_LINE}, s->doc);
    if (s->subtitle.len) c->text(c, AX_INK_SUBTITLE, (ax_point){at.x, at.y += HEAD_LINE}, s->subtitle);
    if (s->note.len) c->text(c, AX_INK_REMARK, (ax_point){at.x, at.y += HEAD_LINE}, s->note);
    draw_legend(d, (ax_point){at.x, at.y + LEGEND_LINE - LEGEND_BOX});
}

static ax_point placed(const drawing *d, ax_point p)
{
    return (ax_point){p.x + d->origin.x, p.y + d->origin.y};
}

/* ---- captions ---- */

static void draw_chips(const drawing *d, const ax_caption *caption, ax_point at)
{
    ax_canvas *c = d->canvas;
    for (uint32_t i = 0; i < caption->chip_count; i++) {
        const ax_chip *chip = &caption->chips[i];
        ax_point min = {at.x + chip->x, at.y + (double)chip->row * AX_LINE_CHIP + 4};
        ax_point max = {min.x + chip->width, min.y + AX_LINE_CHIP - 5};
        c->rect(c, AX_PAINT_CHIP_PLAIN + (ax_paint)chip->tone, min, max, 4);
        c->text(c, AX_INK_CHIP_PLAIN + (ax_ink)chip->tone, (ax_point){min.x + AX_CHIP_PAD, max.y - 4},
                chip->text);
    }
}

/* Writes title, detail and chips below each other from the corner `at`. */
static void draw_caption(const drawing *d, const ax_caption *caption, ax_ink title, ax_point at)
{
    ax_canvas *c = d->canvas;
    c->text(c, title, (ax_point){at.x, at.y + AX_LINE_TITLE * BASELINE}, caption->title);
    at.y += AX_LINE_TITLE;
    if (caption->detail.len) {
        ax_ink ink = caption->is_code ? AX_INK_CODE : AX_INK_DETAIL;
        c->text(c, ink, (ax_point){at.x, at.y + AX_LINE_DETAIL * BASELINE - 1}, caption->detail);
        at.y += AX_LINE_DETAIL;
    }
    draw_chips(d, caption, at);
}

static ax_part part_of(const drawing *d, uint32_t node, const char *class, const ax_caption *caption)
{
    ax_part part = {.class = ax_str_of(class), .tooltip = caption->tooltip};
    if (node != AX_NONE) {
        part.id = ax_scene_id(d->scene->mem, d->scene->plan, node);
        const ax_plan *plan = d->scene->plan;
        const ax_def *def = &plan->defs[plan->nodes[node].def];
        part.name = plan->nodes[node].name;
        part.url = ax_source_link(d->scene->mem, d->canvas->options->link, def->file, def->line, part.name);
    }
    return part;
}

/* ---- frames ---- */

static void draw_frame(const drawing *d, const ax_frame *frame)
{
    bool last = frame->node == AX_NONE;
    const char *class = last ? "frame finally" : frame->fan_out ? "frame fan-out" : "frame group";
    ax_paint paint = last ? AX_PAINT_FRAME_FINALLY : frame->fan_out ? AX_PAINT_FRAME_FAN_OUT : AX_PAINT_FRAME;
    ax_part part = part_of(d, frame->node, marked(d, class, frame->mark), &frame->caption);
    ax_canvas *c = d->canvas;
    ax_point min = placed(d, frame->min), max = placed(d, frame->max);
    c->begin(c, &part);
    c->rect(c, paint, min, max, AX_FRAME_RADIUS);
    draw_caption(d, &frame->caption, AX_INK_FRAME, (ax_point){min.x + AX_FRAME_PAD, min.y + 6});
    c->end(c);
}

/* ---- boxes ---- */

static const char *const box_classes[AX_BOX_KIND_COUNT] = {[AX_BOX_TASK] = "task",
                                                           [AX_BOX_GATE] = "gate",
                                                           [AX_BOX_STACK] = "stack",
                                                           [AX_BOX_GROUP] = "group",
                                                           [AX_BOX_SET] = "set"};

static ax_paint box_paint(const ax_box *box)
{
    return box->disabled ? AX_PAINT_BOX_DISABLED : AX_PAINT_BOX_TASK + (ax_paint)box->kind;
}

static ax_paint bar_paint(const ax_box *box)
{
    if (box->disabled) return AX_PAINT_BAR_DISABLED;
    return box->finally_ ? AX_PAINT_BAR_FINALLY : AX_PAINT_BAR_TASK + (ax_paint)box->kind;
}

/* The coloured bar of a box, a strip inside its left edge; a gate has a diamond there. */
static void draw_bar(const drawing *d, const ax_box *box, ax_point min, ax_point max)
{
    ax_canvas *c = d->canvas;
    if (box->kind != AX_BOX_GATE) {
        ax_point low = {min.x + 5, min.y + 7}, high = {min.x + 5 + AX_BOX_BAR - 2, max.y - 7};
        c->rect(c, bar_paint(box), low, high, 1.5);
        return;
    }
    double y = min.y + AX_BOX_PAD + AX_LINE_TITLE / 2.0, x = min.x + 13;
    const ax_point diamond[] = {{x - DIAMOND, y}, {x, y - DIAMOND}, {x + DIAMOND, y}, {x, y + DIAMOND}};
    c->polygon(c, bar_paint(box), diamond, 4);
}

/* Rings around a box that is marked or on the critical path. */
static void draw_rings(const drawing *d, const ax_box *box, ax_point min, ax_point max)
{
    const struct {
        bool shown;
        ax_paint paint;
        double by;
    } rings[] = {{box->critical, AX_PAINT_RING_CRITICAL, 2}, {box->focused, AX_PAINT_RING, 5}};
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        double by = rings[i].by;
        if (rings[i].shown)
            d->canvas->rect(d->canvas, rings[i].paint, (ax_point){min.x - by, min.y - by},
                            (ax_point){max.x + by, max.y + by}, AX_BOX_RADIUS + by);
    }
}

static void draw_box(const drawing *d, const ax_box *box)
{
    ax_canvas *c = d->canvas;
    ax_point center = placed(d, box->center);
    ax_point min = {center.x - box->width / 2, center.y - box->height / 2};
    ax_point max = {center.x + box->width / 2, center.y + box->height / 2};
    bool sheets = box->kind == AX_BOX_STACK || box->kind == AX_BOX_SET;
    ax_str class = ax_str_fmt(d->scene->mem, "node %s%s%s%s%s", box_classes[box->kind],
                              box->finally_ ? " finally" : "", box->disabled ? " disabled" : "",
                              box->critical ? " critical" : "", box->focused ? " focus" : "");
    ax_part part = part_of(d, box->node, marked(d, class.ptr, box->mark), &box->caption);
    double radius = box->kind == AX_BOX_GATE ? 13 : AX_BOX_RADIUS;
    c->begin(c, &part);
    for (int sheet = 2; sheet > 0 && sheets; sheet--) {
        double by = AX_STACK_OFFSET * sheet, rest = AX_STACK_OFFSET * (2 - sheet);
        c->rect(c, AX_PAINT_SHEET, (ax_point){min.x + by, min.y + by}, (ax_point){max.x - rest, max.y - rest},
                radius);
    }
    draw_rings(d, box, min, max);
    if (sheets) max = (ax_point){max.x - 2 * AX_STACK_OFFSET, max.y - 2 * AX_STACK_OFFSET};
    c->rect(c, box_paint(box), min, max, radius);
    draw_bar(d, box, min, max);
    ax_point corner = {min.x + AX_BOX_LEFT + (box->kind == AX_BOX_GATE ? AX_GATE_EXTRA : 0),
                       min.y + AX_BOX_PAD};
    draw_caption(d, &box->caption, box->disabled ? AX_INK_FAINT : AX_INK_TITLE, corner);
    c->end(c);
}

/* ---- links ---- */

static double distance(ax_point a, ax_point b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

static ax_point bezier(const ax_point *p, double t)
{
    double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, e = t * t * t;
    return (ax_point){a * p[0].x + b * p[1].x + c * p[2].x + e * p[3].x,
                      a * p[0].y + b * p[1].y + c * p[2].y + e * p[3].y};
}

/* The point at half of the curve's length. */
static ax_point middle(const ax_link *link)
{
    double length = 0, passed = 0;
    uint32_t steps = (link->curve_count - 1) / 3 * SAMPLES;
    ax_point at = link->curve[0];
    for (int measure = 1; measure >= 0; measure--) {
        ax_point before = at = link->curve[0];
        for (uint32_t i = 1; i <= steps; i++) {
            uint32_t piece = (i - 1) / SAMPLES;
            at = bezier(link->curve + 3 * piece, (i - piece * SAMPLES) / (double)SAMPLES);
            double step = distance(before, at);
            if (measure) length += step;
            else if ((passed += step) >= length / 2) return at;
            before = at;
        }
    }
    return at;
}

static void draw_tip(const drawing *d, const ax_link *link)
{
    ax_point tip = placed(d, link->tip), base = placed(d, link->curve[link->curve_count - 1]);
    double length = distance(base, tip);
    if (length < 0.5) return;
    double nx = -(tip.y - base.y) / length * TIP_WIDTH / 2, ny = (tip.x - base.x) / length * TIP_WIDTH / 2;
    const ax_point head[] = {tip, {base.x + nx, base.y + ny}, {base.x - nx, base.y - ny}};
    ax_paint paint =
        link->critical ? AX_PAINT_TIP_CRITICAL : AX_PAINT_TIP_SUCCEEDED + (ax_paint)link->outcome;
    d->canvas->polygon(d->canvas, paint, head, 3);
}

static void draw_tag(const drawing *d, const ax_link *link)
{
    ax_canvas *c = d->canvas;
    if (link->outcome == AX_ON_SUCCEEDED) return;
    ax_str text = ax_str_of(ax_outcome_name(link->outcome));
    double half = ax_text_width(text, AX_FACE_PLAIN, AX_SIZE_CHIP) / 2;
    ax_point at = placed(d, middle(link));
    c->rect(c, AX_PAINT_TAG, (ax_point){at.x - half - TAG_PAD, at.y - TAG_HEIGHT / 2},
            (ax_point){at.x + half + TAG_PAD, at.y + TAG_HEIGHT / 2}, TAG_HEIGHT / 2);
    c->text(c, AX_INK_TAG_SUCCEEDED + (ax_ink)link->outcome, (ax_point){at.x - half, at.y + 3.5}, text);
}

static uint32_t end_node(const ax_scene *s, ax_end end)
{
    return end.frame == AX_NONE ? s->boxes.at[end.box].node : s->frames.at[end.frame].node;
}

static void draw_link(const drawing *d, const ax_link *link)
{
    const ax_scene *s = d->scene;
    ax_canvas *c = d->canvas;
    if (link->hidden || link->curve_count < 4) return;
    ax_str from = s->plan->nodes[end_node(s, link->from)].name,
           to = s->plan->nodes[end_node(s, link->to)].name;
    const char *outcome = ax_outcome_name(link->outcome);
    ax_str class = ax_str_fmt(s->mem, "edge %s%s", outcome, link->critical ? " critical" : "");
    ax_part part = {.class = ax_str_of(marked(d, class.ptr, link->mark)),
                    .url = ax_source_link(s->mem, c->options->link, s->plan->file, link->line, s->plan->name),
                    .tooltip = ax_str_fmt(s->mem, "%.*s:%s -> %.*s, line %u", AX_STR(from), outcome,
                                          AX_STR(to), link->line)};
    ax_point *curve = AX_NEW_N(s->mem, ax_point, link->curve_count);
    for (uint32_t i = 0; i < link->curve_count; i++) curve[i] = placed(d, link->curve[i]);
    c->begin(c, &part);
    ax_paint paint =
        link->critical ? AX_PAINT_EDGE_CRITICAL : AX_PAINT_EDGE_SUCCEEDED + (ax_paint)link->outcome;
    c->curve(c, paint, curve, link->curve_count);
    draw_tip(d, link);
    draw_tag(d, link);
    c->end(c);
}

void ax_draw_scene(const ax_scene *scene, ax_canvas *canvas)
{
    double room = canvas->width - scene->width - 2 * AX_PAGE_MARGIN;
    ax_point origin = {AX_PAGE_MARGIN + fmin(room / 2, CENTER_MAX), AX_PAGE_MARGIN + head_height(scene)};
    drawing d = {.scene = scene, .canvas = canvas, .origin = origin};
    draw_head(&d);
    for (uint32_t i = 0; i < scene->frames.len; i++) draw_frame(&d, &scene->frames.at[i]);
    for (uint32_t i = 0; i < scene->links.len; i++) draw_link(&d, &scene->links.at[i]);
    for (uint32_t i = 0; i < scene->boxes.len; i++) draw_box(&d, &scene->boxes.at[i]);
}
