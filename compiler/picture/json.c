/* json.c - a placed scene as JSON, for programs that draw themselves. */
#include <math.h>

#include "compiler/picture/draw_int.h"
#include "compiler/picture/source_link_int.h"
#include "dsl/base/json_out.h"

static const char *const kinds[AX_BOX_KIND_COUNT] = {[AX_BOX_TASK] = "task",
                                                     [AX_BOX_GATE] = "gate",
                                                     [AX_BOX_STACK] = "fan_out",
                                                     [AX_BOX_GROUP] = "group",
                                                     [AX_BOX_SET] = "set"};

/* A hundredth of a pixel is enough, and looks the same everywhere. */
static double rounded(double value)
{
    return round(value * 100) / 100 + 0.0;
}

static void number(ax_json *j, const char *key, double value)
{
    ax_json_key(j, key);
    ax_json_num(j, rounded(value));
}

static void text(ax_json *j, const char *key, ax_str value)
{
    if (!value.len) return;
    ax_json_key(j, key);
    ax_json_str(j, value);
}

static void flag(ax_json *j, const char *key, bool value)
{
    if (!value) return;
    ax_json_key(j, key);
    ax_json_bool(j, true);
}

static void area(ax_json *j, ax_point min, ax_point max)
{
    number(j, "x", min.x);
    number(j, "y", min.y);
    number(j, "width", max.x - min.x);
    number(j, "height", max.y - min.y);
}

/* What a box or frame is in the plan. */
static void origin(ax_json *j, const ax_scene *s, uint32_t node, ax_str link)
{
    const ax_plan_node *n = &s->plan->nodes[node];
    const ax_def *def = &s->plan->defs[n->def];
    text(j, "name", n->name);
    text(j, "file", def->file);
    ax_json_key(j, "line");
    ax_json_int(j, def->line);
    text(j, "url", ax_source_link(s->mem, link, def->file, def->line, n->name));
}

static void write_set(ax_json *j, const ax_scene *s, uint32_t node)
{
    ax_json_key(j, "nodes");
    ax_json_arr_flat(j);
    for (; node != AX_NONE; node = s->next_in_set[node]) ax_json_str(j, s->plan->nodes[node].name);
    ax_json_end(j);
}

static void write_box(ax_json *j, const ax_scene *s, const ax_box *b, ax_str link)
{
    ax_json_obj_flat(j);
    text(j, "id", ax_scene_id(s->mem, s->plan, b->node));
    ax_json_key(j, "kind");
    ax_json_cstr(j, kinds[b->kind]);
    origin(j, s, b->node, link);
    text(j, "title", b->caption.title);
    text(j, "detail", b->caption.detail);
    ax_json_key(j, "count");
    ax_json_int(j, b->count);
    if (b->frame != AX_NONE) {
        ax_json_key(j, "frame");
        ax_json_int(j, b->frame);
    }
    flag(j, "finally", b->finally_);
    flag(j, "disabled", b->disabled);
    flag(j, "critical", b->critical);
    flag(j, "focus", b->focused);
    if (b->kind == AX_BOX_SET) write_set(j, s, b->node);
    ax_point half = {b->width / 2, b->height / 2};
    area(j, (ax_point){b->center.x - half.x, b->center.y - half.y},
         (ax_point){b->center.x + half.x, b->center.y + half.y});
    ax_json_end(j);
}

static void write_frame(ax_json *j, const ax_scene *s, const ax_frame *f, ax_str link)
{
    ax_json_obj_flat(j);
    ax_json_key(j, "kind");
    ax_json_cstr(j, f->node == AX_NONE ? "finally" : f->fan_out ? "fan_out" : "group");
    if (f->node != AX_NONE) {
        text(j, "id", ax_scene_id(s->mem, s->plan, f->node));
        origin(j, s, f->node, link);
    }
    text(j, "title", f->caption.title);
    if (f->frame != AX_NONE) {
        ax_json_key(j, "frame");
        ax_json_int(j, f->frame);
    }
    area(j, f->min, f->max);
    ax_json_end(j);
}

static void write_end(ax_json *j, const char *key, ax_end end)
{
    ax_json_key(j, key);
    ax_json_obj_flat(j);
    ax_json_key(j, end.frame == AX_NONE ? "box" : "frame");
    ax_json_int(j, end.frame == AX_NONE ? end.box : end.frame);
    ax_json_end(j);
}

static void write_point(ax_json *j, ax_point p)
{
    ax_json_num(j, rounded(p.x));
    ax_json_num(j, rounded(p.y));
}

static void write_link(ax_json *j, const ax_scene *s, const ax_link *l, ax_str link)
{
    if (l->hidden) return;
    ax_json_obj_flat(j);
    write_end(j, "from", l->from);
    write_end(j, "to", l->to);
    ax_json_key(j, "outcome");
    ax_json_cstr(j, ax_outcome_name(l->outcome));
    ax_json_key(j, "line");
    ax_json_int(j, l->line);
    text(j, "url", ax_source_link(s->mem, link, s->plan->file, l->line, s->plan->name));
    flag(j, "critical", l->critical);
    ax_json_key(j, "curve");
    ax_json_arr_flat(j);
    for (uint32_t i = 0; i < l->curve_count; i++) write_point(j, l->curve[i]);
    ax_json_end(j);
    ax_json_key(j, "tip");
    ax_json_arr_flat(j);
    write_point(j, l->tip);
    ax_json_end(j);
    ax_json_end(j);
}

void ax_picture_json(const ax_scene *scene, const ax_picture_options *options, ax_buf *out)
{
    ax_json j = ax_json_start(out, 2);
    ax_json_obj(&j);
    ax_json_key(&j, "workflow");
    ax_json_str(&j, scene->plan->name);
    text(&j, "title", scene->title);
    text(&j, "note", scene->note);
    ax_json_key(&j, "direction");
    ax_json_cstr(&j, scene->down ? "down" : "right");
    number(&j, "width", scene->width);
    number(&j, "height", scene->height);
    ax_json_key(&j, "boxes");
    ax_json_arr(&j);
    for (uint32_t i = 0; i < scene->boxes.len; i++) write_box(&j, scene, &scene->boxes.at[i], options->link);
    ax_json_end(&j);
    ax_json_key(&j, "frames");
    ax_json_arr(&j);
    for (uint32_t i = 0; i < scene->frames.len; i++)
        write_frame(&j, scene, &scene->frames.at[i], options->link);
    ax_json_end(&j);
    ax_json_key(&j, "links");
    ax_json_arr(&j);
    for (uint32_t i = 0; i < scene->links.len; i++) write_link(&j, scene, &scene->links.at[i], options->link);
    ax_json_end(&j);
    ax_json_end(&j);
    ax_buf_addc(out, '\n');
}
