/* draw_int.h - how a scene looks: sizes, paints, inks, and the canvas that a format implements.
 *
 * draw.c says what is drawn where, in terms of paints; the two palettes (theme.c) say which colours these
 * are; a canvas (SVG, PNG) puts them down. All lengths are pixels, y down.
 */
#ifndef AX_PICTURE_DRAW_INT_H
#define AX_PICTURE_DRAW_INT_H

#include "compiler/picture/picture.h"
#include "compiler/picture/scene_int.h"
#include "compiler/picture/text_int.h"

#define AX_SIZE_HEAD 18 /* font sizes */
#define AX_SIZE_TITLE 13
#define AX_SIZE_DETAIL 11
#define AX_SIZE_CHIP 10
#define AX_LINE_TITLE 18 /* heights of lines */
#define AX_LINE_DETAIL 16
#define AX_LINE_CHIP 20
#define AX_BOX_PAD 8   /* above and below the text */
#define AX_BOX_LEFT 17 /* with the coloured bar */
#define AX_BOX_RIGHT 13
#define AX_BOX_RADIUS 7
#define AX_BOX_BAR 5 /* the coloured bar at the left */
#define AX_BOX_WIDTH_MIN 84
#define AX_TEXT_WIDTH_MAX 240
#define AX_TEXT_WIDTH_MANY 170 /* if there are many boxes */
#define AX_BOXES_MANY 30
#define AX_COUNT_WIDTH 60 /* for "× 1000" */
#define AX_HEAD_WIDTH_MAX 640
#define AX_CHIP_WIDTH_MAX 200
#define AX_CHIP_PAD 6
#define AX_CHIP_GAP 5
#define AX_STACK_OFFSET 4 /* between the sheets of a folded fan-out */
#define AX_FRAME_PAD 12
#define AX_FRAME_RADIUS 10
#define AX_PAGE_MARGIN 24
#define AX_LABEL_BYTES_ENOUGH 2000 /* more of a list is cut anyway */

#define AX_GATE_EXTRA 8 /* room for a gate's sign */

#define AX_FONTS "Inter,'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif"
#define AX_FONTS_CODE "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"

/* Paints of shapes. The order within BOX, BAR, CHIP and EDGE is that of the enums they are indexed by. */
typedef enum {
    AX_PAINT_PAGE,
    AX_PAINT_FRAME,
    AX_PAINT_FRAME_FAN_OUT,
    AX_PAINT_FRAME_FINALLY,
    AX_PAINT_BOX_TASK,
    AX_PAINT_BOX_GATE,
    AX_PAINT_BOX_STACK,
    AX_PAINT_BOX_GROUP,
    AX_PAINT_BOX_SET,
    AX_PAINT_BOX_DISABLED,
    AX_PAINT_SHEET,
    AX_PAINT_BAR_TASK,
    AX_PAINT_BAR_GATE,
    AX_PAINT_BAR_STACK,
    AX_PAINT_BAR_GROUP,
    AX_PAINT_BAR_SET,
    AX_PAINT_BAR_FINALLY,
    AX_PAINT_BAR_DISABLED,
    AX_PAINT_CHIP_PLAIN,
    AX_PAINT_CHIP_WHEN,
    AX_PAINT_CHIP_JOIN,
    AX_PAINT_CHIP_POLICY,
    AX_PAINT_EDGE_SUCCEEDED,
    AX_PAINT_EDGE_FAILED,
    AX_PAINT_EDGE_SKIPPED,
    AX_PAINT_EDGE_PASSED,
    AX_PAINT_EDGE_DONE,
    AX_PAINT_TIP_SUCCEEDED,
    AX_PAINT_TIP_FAILED,
    AX_PAINT_TIP_SKIPPED,
    AX_PAINT_TIP_PASSED,
    AX_PAINT_TIP_DONE,
    AX_PAINT_EDGE_CRITICAL,
    AX_PAINT_TIP_CRITICAL,
    AX_PAINT_RING,          /* around a box that somebody asked about */
    AX_PAINT_RING_CRITICAL, /* and around one on the critical path */
    AX_PAINT_TAG,           /* behind the label of an edge */
    AX_PAINT_COUNT
} ax_paint;

/* Inks of texts. */
typedef enum {
    AX_INK_HEAD,
    AX_INK_SUBTITLE,
    AX_INK_REMARK,
    AX_INK_TITLE,
    AX_INK_FRAME,
    AX_INK_DETAIL,
    AX_INK_CODE,
    AX_INK_FAINT,
    AX_INK_CHIP_PLAIN,
    AX_INK_CHIP_WHEN,
    AX_INK_CHIP_JOIN,
    AX_INK_CHIP_POLICY,
    AX_INK_TAG_SUCCEEDED,
    AX_INK_TAG_FAILED,
    AX_INK_TAG_SKIPPED,
    AX_INK_TAG_PASSED,
    AX_INK_TAG_DONE,
    AX_INK_COUNT
} ax_ink;

typedef struct {
    const char *class;               /* of the element */
    const char *selector;            /* of its style: also by what it stands in */
    const char *fill[2], *stroke[2]; /* "#rrggbb" on a light and on a dark page; NULL: none */
    double width;                    /* of the stroke */
    double dash[2];                  /* on, off; 0: a solid line */
} ax_paint_row;

typedef struct {
    const char *class, *selector;
    const char *color[2];
    double size;
    ax_face face;
} ax_ink_row;

/* What a part of a comparison looks like beside its own style: a rule of the style sheet, light and dark. */
typedef struct {
    const char *selector;
    const char *style[2];
} ax_mark_row;

extern const ax_mark_row ax_mark_rows[];
extern const uint32_t ax_mark_row_count;
/* The class of parts with a mark; "" for none. */
extern const char *const ax_mark_classes[AX_MARK_COUNT];

extern const ax_paint_row ax_paints[AX_PAINT_COUNT];
extern const ax_ink_row ax_inks[AX_INK_COUNT];

/* What belongs together: a node, a frame, an edge. */
typedef struct {
    ax_str id, class, name, tooltip, url; /* empty: none */
} ax_part;

typedef struct ax_canvas ax_canvas;
struct ax_canvas {
    const ax_picture_options *options;
    ax_buf *out;
    double width, height;
    bool in_anchor; /* the open part is a link */
    void (*begin)(ax_canvas *c, const ax_part *part);
    void (*end)(ax_canvas *c);
    void (*rect)(ax_canvas *c, ax_paint paint, ax_point min, ax_point max, double radius);
    void (*curve)(ax_canvas *c, ax_paint paint, const ax_point *points, uint32_t count);
    void (*polygon)(ax_canvas *c, ax_paint paint, const ax_point *points, uint32_t count);
    void (*text)(ax_canvas *c, ax_ink ink, ax_point baseline, ax_str text);
};

/* The size of the whole picture of a scene that has its places. */
ax_point ax_draw_size(const ax_scene *scene);
/* Draws it. */
void ax_draw_scene(const ax_scene *scene, ax_canvas *canvas);

/* Places a scene and appends it in the format of the options; fails as ax_picture does. Marks are for SVG. */
ax_rc ax_picture_scene(ax_scene *scene, const ax_picture_options *options, ax_buf *out, ax_err *err);

/* The formats. SVG is written here; PNG goes through the layout library, AX_IO if it can't. */
void ax_picture_svg(const ax_scene *scene, const ax_picture_options *options, ax_buf *out);
void ax_picture_dot(const ax_scene *scene, const ax_picture_options *options, ax_buf *out);
void ax_picture_mermaid(const ax_scene *scene, const ax_picture_options *options, ax_buf *out);
void ax_picture_json(const ax_scene *scene, const ax_picture_options *options, ax_buf *out);

/* How a format that is nested as text writes frames and boxes. */
typedef struct {
    void (*open)(const ax_scene *scene, uint32_t frame, void *context, ax_buf *out);
    void (*close)(ax_buf *out);
    void (*box)(const ax_scene *scene, const ax_box *box, void *context, ax_buf *out);
    void *context;
} ax_outline_writer;
/* Writes all boxes and frames: boxes in no frame, then each frame with what is in it. */
void ax_scene_outline(const ax_scene *scene, const ax_outline_writer *writer, ax_buf *out);

void ax_canvas_xdot(ax_canvas *canvas, const ax_picture_options *options, ax_buf *out, ax_point size);

#endif
