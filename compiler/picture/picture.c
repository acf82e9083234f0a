/* picture.c - a plan as a picture: a scene, its places, a format. */
#include "compiler/picture/picture.h"

#include <inttypes.h>

#include "compiler/picture/draw_int.h"
#include "compiler/picture/layout_int.h"

/* AX_INVALID if the layout would take too long, or show nothing that anybody could read. */
static ax_rc check_size(const ax_scene *scene, ax_err *err)
{
    const struct {
        uint64_t value, max;
        const char *what;
    } limits[] = {
        {scene->boxes.len, AX_PICTURE_BOXES_MAX, "boxes"},
        {scene->links.len, AX_PICTURE_LINKS_MAX, "edges"},
        {scene->span, AX_PICTURE_SPAN_MAX, "layers passed by edges"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i].value <= limits[i].max) continue;
        ax_fail(err, AX_INVALID,
                "workflow '%.*s' is too large to be drawn: %" PRIu64 " %s, and the limit is %" PRIu64,
                AX_STR(scene->plan->name), limits[i].value, limits[i].what, limits[i].max);
        ax_err_help(
            err, "put tasks into groups or a matrix, which are drawn folded, or write .dot for another tool");
        return AX_INVALID;
    }
    return AX_OK;
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
    if (options->format == AX_PICTURE_DOT) {
        ax_picture_dot(scene, options, out);
        return AX_OK;
    }
    ax_rc rc = check_size(scene, err);
    if (!rc) rc = ax_layout_place(scene, err);
    if (rc) return rc;
    ax_route_links(scene);
    if (options->format == AX_PICTURE_PNG) rc = draw_png(scene, options, out, err);
    else ax_picture_svg(scene, options, out);
    if (!rc && out->full) rc = ax_fail(err, AX_INVALID, "the picture is larger than %zu bytes", out->max);
    return rc;
}

ax_rc ax_picture(const ax_plan *plan, const ax_picture_options *options, ax_buf *out, ax_err *err)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_scene scene;
    ax_scene_make(&scene, &mem, plan, AX_PICTURE_BOXES_MAX);
    ax_rc rc = ax_picture_scene(&scene, options, out, err);
    ax_arena_free(&mem);
    return rc;
}
