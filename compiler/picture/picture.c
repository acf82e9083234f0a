/* picture.c - a plan as a picture: a scene, its places, a format. */
#include "compiler/picture/picture.h"

#include <inttypes.h>

#include "compiler/picture/draw_int.h"
#include "compiler/picture/layout_int.h"

/* What is drawn at all, if nothing may be folded. */
#define DRAWN_BOXES_MAX 50000
#define DRAWN_LINKS_MAX 500000

/* AX_INVALID if it is more than any program could show. */
static ax_rc check_size(const ax_scene *scene, ax_err *err)
{
    const struct {
        uint32_t value, max;
        const char *what;
    } limits[] = {{scene->boxes.len, DRAWN_BOXES_MAX, "boxes"}, {scene->links.len, DRAWN_LINKS_MAX, "edges"}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i].value <= limits[i].max) continue;
        ax_fail(err, AX_INVALID,
                "workflow '%.*s' is too large to be drawn: %" PRIu32 " %s, and the limit is %" PRIu32,
                AX_STR(scene->plan->name), limits[i].value, limits[i].what, limits[i].max);
        ax_err_help(err, "let it be folded (--collapse auto), or draw a part of it (--focus, --select)");
        return AX_INVALID;
    }
    return AX_OK;
}

/* Small scenes without frames by the library. All others by our own layout: it is faster, and does not tear
 * apart what stands in one frame. */
static ax_rc place(ax_scene *scene, ax_err *err)
{
    bool is_small = !scene->simple && !scene->frames.len && scene->boxes.len <= AX_PICTURE_BOXES_MAX &&
                    scene->links.len <= AX_PICTURE_LINKS_MAX && scene->span <= AX_PICTURE_SPAN_MAX;
    if (!is_small) {
        ax_layout_layered(scene);
        return AX_OK;
    }
    ax_rc rc = ax_layout_place(scene, err);
    if (!rc) ax_route_links(scene);
    return rc;
}

static ax_rc draw_png(const ax_scene *scene, const ax_picture_options *options, ax_buf *out, ax_err *err)
{
    ax_buf xdot = AX_BUF_INIT(out->max);
    ax_canvas canvas;
    ax_point size = ax_draw_size(scene);
    ax_canvas_xdot(&canvas, options, &xdot, size);
    ax_draw_scene(scene, &canvas);
    ax_rc rc = ax_layout_png(ax_buf_str(&xdot), size, out, err);
    ax_buf_free(&xdot);
    return rc;
}

ax_rc ax_picture_scene(ax_scene *scene, const ax_picture_options *options, ax_buf *out, ax_err *err)
{
    bool is_text = options->format == AX_PICTURE_DOT || options->format == AX_PICTURE_MERMAID;
    ax_rc rc = check_size(scene, err);
    if (!rc && !is_text) rc = place(scene, err);
    if (rc) return rc;
    switch (options->format) {
    case AX_PICTURE_SVG: ax_picture_svg(scene, options, out); break;
    case AX_PICTURE_PNG: rc = draw_png(scene, options, out, err); break;
    case AX_PICTURE_DOT: ax_picture_dot(scene, options, out); break;
    case AX_PICTURE_MERMAID: ax_picture_mermaid(scene, options, out); break;
    case AX_PICTURE_JSON: ax_picture_json(scene, options, out); break;
    }
    if (!rc && out->full) rc = ax_fail(err, AX_INVALID, "the picture is larger than %zu bytes", out->max);
    return rc;
}

ax_rc ax_picture(const ax_plan *plan, const ax_picture_options *options, ax_buf *out, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_scene scene;
    ax_scene_view view = AX_SCENE_VIEW;
    view.collapse = options->collapse;
    view.only = options->only;
    view.focus = options->focus;
    view.durations_ms = options->durations_ms;
    ax_scene_make(&scene, &mem, plan, &view);
    if (options->note) ax_buf_add(options->note, scene.note);
    ax_rc rc = ax_picture_scene(&scene, options, out, err);
    ax_arena_free(&mem);
    return rc;
}
