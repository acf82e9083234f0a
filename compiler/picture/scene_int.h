/* scene_int.h - what a picture shows: boxes, frames around them, links between them. No colours, no library.
 *
 * A scene is made from a plan (scene.c, label.c), gets its places from a layout (layout_int.h) and is drawn
 * by draw.c or written as DOT. Large fan-outs and, if that is not enough, groups are folded into one box
 * each. Lengths are pixels, x to the right, y down.
 */
#ifndef AX_PICTURE_SCENE_INT_H
#define AX_PICTURE_SCENE_INT_H

#include "compiler/picture/picture.h"
#include "dsl/base/arena.h"
#include "dsl/base/vec.h"
#include "dsl/model/plan.h"

#define AX_PICTURE_COPIES_MAX 12 /* copies of a fan-out that are drawn one by one */
#define AX_PICTURE_BOXES_FIT 400 /* what the plan groups is folded until so many boxes are left */
#define AX_PICTURE_BOXES_MAX 250 /* graphviz places up to so many; more are placed by our own layout */
#define AX_PICTURE_LINKS_MAX 750
#define AX_PICTURE_SPAN_MAX 3000 /* layers passed by all links together */
#define AX_CHIPS_MAX 8           /* remarks on one box */

typedef struct {
    double x, y;
} ax_point;

typedef enum {
    AX_BOX_TASK,
    AX_BOX_GATE,
    AX_BOX_STACK, /* a fan-out */
    AX_BOX_GROUP,
    AX_BOX_SET, /* of nodes that the plan does not group */
    AX_BOX_KIND_COUNT
} ax_box_kind;

/* What became of a part, in a picture that compares two versions; TOUCHED: it changed in a way that asks
 * nothing of anybody. */
typedef enum {
    AX_MARK_NONE,
    AX_MARK_ADDED,
    AX_MARK_REMOVED,
    AX_MARK_CHANGED,
    AX_MARK_TOUCHED,
    AX_MARK_COUNT
} ax_mark;

typedef struct {
    const ax_mark *nodes, *edges; /* by the numbers of the plan */
    const ax_str *notes;          /* by node: what is remarked on it; empty: nothing */
} ax_scene_marks;

/* What a remark is about; chooses its colour. */
typedef enum { AX_TONE_PLAIN, AX_TONE_WHEN, AX_TONE_JOIN, AX_TONE_POLICY, AX_TONE_COUNT } ax_tone;

typedef struct {
    ax_str text;
    ax_tone tone;
    uint32_t row;    /* from 0 */
    double x, width; /* in its row */
} ax_chip;

/* What is written in a box or at the top of a frame. */
typedef struct {
    ax_str title, detail; /* one line each, cut to fit; detail may be empty */
    bool is_code;         /* detail is a command */
    ax_chip chips[AX_CHIPS_MAX];
    uint32_t chip_count, chip_rows;
    ax_str tooltip;
    double width, height; /* of all lines */
} ax_caption;

typedef struct {
    uint32_t node;  /* of the plan */
    uint32_t frame; /* the innermost one around it, or AX_NONE */
    ax_box_kind kind;
    uint32_t count; /* of the nodes that it shows, without fan-outs and groups as wholes */
    bool disabled, finally_;
    ax_mark mark;
    bool critical, focused;
    ax_caption caption;
    double width, height;
    ax_point center; /* set by the layout */
} ax_box;

typedef struct {
    uint32_t node;  /* of the plan; AX_NONE: the frame of what runs finally */
    uint32_t frame; /* around it, or AX_NONE */
    bool fan_out;
    ax_mark mark;
    ax_caption caption;
    ax_point min, max; /* set by the layout */
} ax_frame;

typedef struct {
    uint32_t box, frame; /* a box; with a frame: that as a whole, tied to the box for the layout */
} ax_end;

typedef struct {
    ax_end from, to;
    ax_outcome outcome;
    ax_mark mark;
    uint32_t line; /* in the source; 0 with `hidden` */
    bool critical;
    bool hidden;     /* only keeps things apart in the layout */
    ax_point *curve; /* set by the layout: a start and three points for each further piece */
    uint32_t curve_count;
    ax_point tip; /* of the arrow, which begins at the end of the curve */
} ax_link;

/* A part of the legend. */
typedef struct {
    ax_mark mark;
    ax_str text;
} ax_legend;

typedef struct {
    const ax_plan *plan;
    const ax_scene_marks *marks; /* NULL: it compares nothing */
    ax_arena *mem;
    AX_VEC(ax_box) boxes;    /* in the order of their nodes */
    AX_VEC(ax_frame) frames; /* outer ones first */
    AX_VEC(ax_link) links;
    ax_str title, subtitle, doc, note; /* above the graph; all but the title may be empty */
    const uint32_t *next_in_set;       /* node: the next one in a set's box, or AX_NONE */
    bool simple;                       /* only layered.c can place it: nothing is hidden in it */
    ax_legend legend[AX_MARK_COUNT];
    uint32_t legend_count; /* the legend stands below them; 0: none */
    bool down;             /* it flows from top to bottom, else from left to right */
    uint64_t span;         /* layers that all links pass, together: what a layout costs */
    double width, height;  /* of the graph alone; set by the layout */
} ax_scene;

/* What of a plan is shown, and how much of it is folded. */
typedef struct {
    ax_collapse collapse;
    uint32_t boxes_fit;              /* AUTO folds what the plan groups until so many are left */
    uint32_t boxes_max, links_max;   /* more than these, and it makes sets by level */
    const ax_node_set *only, *focus; /* as in ax_picture_options */
    const int64_t *durations_ms;
    const ax_scene_marks *marks; /* they must outlive the scene; NULL: it compares nothing */
} ax_scene_view;

/* What is usual. */
#define AX_SCENE_VIEW                                                                                        \
    ((ax_scene_view){.boxes_fit = AX_PICTURE_BOXES_FIT, .boxes_max = 5000, .links_max = 20000})

/* Makes the scene of plan in mem. */
void ax_scene_make(ax_scene *scene, ax_arena *mem, const ax_plan *plan, const ax_scene_view *view);

/* True if the node is a group or a fan-out as a whole. */
bool ax_scene_is_whole(const ax_plan *plan, uint32_t node);
/* A stable XML id for a node: "node-" and its name, what is not a letter, digit, '_', '-' or '.' as %XX;
 * in mem. */
ax_str ax_scene_id(ax_arena *mem, const ax_plan *plan, uint32_t node);

/* label.c: fills what boxes and frames say, and the sizes of the boxes. */
void ax_scene_label(ax_scene *scene);

#endif
