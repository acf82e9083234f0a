/* layout_graphviz.c - places by graphviz' dot, in this process; the only file that knows graphviz.
 *
 * It gets boxes of fixed size and no text, so that no font and no plugin registry has a say: the same scene
 * gives the same places. The library keeps state between layouts, so a process makes one picture.
 */
#include "compiler/picture/layout_int.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <graphviz/gvc.h>
#include <graphviz/gvplugin.h>

#define TEXT_ASPECT 0.6 /* width of a character of the library's built-in monospaced font, in its size */
#define LABEL_EXTRA 8.0 /* what the library adds to the height of a label */
#define LINE_FACTOR 1.2 /* height of a line in font sizes */

extern gvplugin_library_t gvplugin_dot_layout_LTX_library;

#define LAYER_GAP_DOWN 50.0
#define LAYER_GAP_RIGHT 54.0
#define CAPTION_SHARE 0.6
#define PNG_SIDE_MAX 16000.0 /* dots; cairo ends at 32,767 */
#define PNG_AREA_MAX 40e6
#define SPAN_HURRY 2000 /* above it the library gets fewer rounds: seconds become minutes otherwise */

typedef struct {
    ax_scene *scene;
    Agraph_t *graph;
    Agraph_t **frames;
    Agnode_t **boxes;
    Agedge_t **links;
} layout;

static void set(void *object, const char *name, const char *value)
{
    agsafeset(object, (char *)(uintptr_t)name, (char *)(uintptr_t)value, "");
}

static void set_number(void *object, const char *name, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.4f", value);
    set(object, name, text);
}

static void add_frame(layout *l, uint32_t index)
{
    const ax_frame *frame = &l->scene->frames.at[index];
    const ax_caption *c = &frame->caption;
    Agraph_t *outer = frame->frame == AX_NONE ? l->graph : l->frames[frame->frame];
    char name[32], label[128];
    snprintf(name, sizeof name, "cluster_%u", index);
    Agraph_t *g = l->frames[index] = agsubg(outer, name, 1);
    /* The label only keeps room: as many letters, as large, as the caption needs. */
    double size = (c->height - LABEL_EXTRA / 2) / LINE_FACTOR;
    size_t letters = (size_t)ceil(c->width / (size * TEXT_ASPECT));
    if (letters >= sizeof label) letters = sizeof label - 1;
    memset(label, 'x', letters);
    label[letters] = 0;
    set(g, "label", label);
    set(g, "fontname", "Courier");
    set_number(g, "fontsize", size);
    set_number(g, "margin", AX_FRAME_PAD);
}

static void add_box(layout *l, uint32_t index)
{
    const ax_box *box = &l->scene->boxes.at[index];
    char name[32];
    snprintf(name, sizeof name, "n%u", index);
    Agnode_t *n = l->boxes[index] = agnode(l->graph, name, 1);
    if (box->frame != AX_NONE) agsubnode(l->frames[box->frame], n, 1);
    set(n, "shape", "box");
    set(n, "label", "");
    set(n, "fixedsize", "true");
    set_number(n, "width", box->width / POINTS_PER_INCH);
    set_number(n, "height", box->height / POINTS_PER_INCH);
}

/* ---- islands: boxes that links or frames tie together ---- */

static uint32_t island_of(uint32_t *island, uint32_t box)
{
    while (island[box] != box) box = island[box] = island[island[box]];
    return box;
}

static void join_islands(uint32_t *island, uint32_t a, uint32_t b)
{
    a = island_of(island, a);
    b = island_of(island, b);
    if (a < b) island[b] = a;
    else island[a] = b;
}

/* The first box of each box's island. */
static uint32_t *find_islands(const ax_scene *s)
{
    uint32_t *island = AX_NEW_N(s->mem, uint32_t, s->boxes.len + 1);
    uint32_t *in_frame = AX_NEW_N(s->mem, uint32_t, s->frames.len + 1); /* some box in it, plus 1 */
    for (uint32_t i = 0; i < s->boxes.len; i++) {
        island[i] = i;
        for (uint32_t f = s->boxes.at[i].frame; f != AX_NONE; f = s->frames.at[f].frame) {
            if (in_frame[f]) join_islands(island, in_frame[f] - 1, i);
            in_frame[f] = i + 1;
        }
    }
    for (uint32_t i = 0; i < s->links.len; i++) {
        join_islands(island, s->links.at[i].from.box, s->links.at[i].to.box);
    }
    for (uint32_t i = 0; i < s->boxes.len; i++) island[i] = island_of(island, i);
    return island;
}

/* When it flows to the right, the library puts islands from the bottom up, in the order in which it gets
 * them. */
static void add_boxes(layout *l)
{
    const ax_scene *s = l->scene;
    const uint32_t *island = find_islands(s);
    for (uint32_t i = 0; i < s->boxes.len && s->down; i++) add_box(l, i);
    for (uint32_t first = s->boxes.len; first-- > 0 && !s->down;) {
        for (uint32_t i = first; i < s->boxes.len && island[first] == first; i++) {
            if (island[i] == first) add_box(l, i);
        }
    }
}

static void add_link(layout *l, uint32_t index)
{
    const ax_link *link = &l->scene->links.at[index];
    char name[32], frame[32];
    snprintf(name, sizeof name, "e%u", index);
    Agedge_t *e = l->links[index] =
        agedge(l->graph, l->boxes[link->from.box], l->boxes[link->to.box], name, 1);
    if (link->hidden) {
        set(e, "style", "invis");
        set(e, "weight", "0");
        return;
    }
    set(e, "tailport", l->scene->down ? "s" : "e");
    set(e, "headport", l->scene->down ? "n" : "w");
    set(e, "arrowsize", "0.7");
    if (link->from.frame != AX_NONE) {
        snprintf(frame, sizeof frame, "cluster_%u", link->from.frame);
        set(e, "ltail", frame);
    }
    if (link->to.frame != AX_NONE) {
        snprintf(frame, sizeof frame, "cluster_%u", link->to.frame);
        set(e, "lhead", frame);
    }
}

/* Between layers. When it flows down, the captions of frames stand in this room. */
static double layer_gap(const ax_scene *s)
{
    if (!s->down) return LAYER_GAP_RIGHT;
    double captions = 0;
    for (uint32_t i = 0; i < s->frames.len; i++) captions = fmax(captions, s->frames.at[i].caption.height);
    return LAYER_GAP_DOWN + CAPTION_SHARE * captions;
}

static void build(layout *l)
{
    ax_scene *s = l->scene;
    l->frames = AX_NEW_N(s->mem, Agraph_t *, s->frames.len + 1);
    l->boxes = AX_NEW_N(s->mem, Agnode_t *, s->boxes.len + 1);
    l->links = AX_NEW_N(s->mem, Agedge_t *, s->links.len + 1);
    set(l->graph, "rankdir", s->down ? "TB" : "LR");
    set(l->graph, "compound", "true");
    set(l->graph, "newrank", "true"); /* an edge never goes back, not even around frames */
    set(l->graph, "nodesep", s->down ? "0.3" : "0.22");
    set_number(l->graph, "ranksep", layer_gap(s) / POINTS_PER_INCH);
    if (s->span > SPAN_HURRY) {
        set(l->graph, "mclimit", "0.1");
        set(l->graph, "nslimit", "0.5");
        set(l->graph, "nslimit1", "1");
    }
    for (uint32_t i = 0; i < s->frames.len; i++) add_frame(l, i);
    add_boxes(l);
    for (uint32_t i = 0; i < s->links.len; i++) add_link(l, i);
}

/* ---- reading the places ---- */

static ax_point place(const layout *l, pointf p) /* our y goes down */
{
    boxf bb = GD_bb(l->graph);
    return (ax_point){p.x - bb.LL.x, bb.UR.y - p.y};
}

static void read_link(layout *l, uint32_t index)
{
    ax_link *link = &l->scene->links.at[index];
    const splines *s = ED_spl(l->links[index]);
    if (link->hidden || !s || !s->size) return;
    uint32_t count = 0;
    for (int i = 0; i < s->size; i++) count += (uint32_t)s->list[i].size;
    link->curve = AX_NEW_N(l->scene->mem, ax_point, count);
    for (int i = 0; i < s->size; i++) {
        const bezier *b = &s->list[i];
        for (int k = 0; k < b->size; k++) {
            if (i && !k) continue; /* pieces share their ends */
            link->curve[link->curve_count++] = place(l, b->list[k]);
        }
        link->tip = place(l, b->eflag ? b->ep : b->list[b->size - 1]);
    }
}

static void read_places(layout *l)
{
    ax_scene *s = l->scene;
    s->width = GD_bb(l->graph).UR.x - GD_bb(l->graph).LL.x;
    s->height = GD_bb(l->graph).UR.y - GD_bb(l->graph).LL.y;
    for (uint32_t i = 0; i < s->boxes.len; i++) s->boxes.at[i].center = place(l, ND_coord(l->boxes[i]));
    for (uint32_t i = 0; i < s->frames.len; i++) {
        boxf bb = GD_bb(l->frames[i]);
        s->frames.at[i].min = place(l, (pointf){bb.LL.x, bb.UR.y});
        s->frames.at[i].max = place(l, (pointf){bb.UR.x, bb.LL.y});
    }
    for (uint32_t i = 0; i < s->links.len; i++) read_link(l, i);
}

static ax_rc library_failed(ax_err *err, const char *what)
{
    char *said = aglasterr();
    return ax_fail(err, AX_IO, "graphviz can't %s%s%s", what, said ? ": " : "", said ? said : "");
}

ax_rc ax_layout_place(ax_scene *scene, ax_err *err)
{
    lt_symlist_t plugins[] = {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library}, {0, 0}};
    agseterr(AGMAX); /* it keeps its messages for aglasterr() and prints none */
    GVC_t *gvc = gvContextPlugins(plugins, 0);
    layout l = {.scene = scene, .graph = agopen((char *)(uintptr_t) "g", Agdirected, NULL)};
    build(&l);
    ax_rc rc = gvLayout(gvc, l.graph, "dot") ? library_failed(err, "lay the picture out") : AX_OK;
    if (!rc) {
        read_places(&l);
        gvFreeLayout(gvc, l.graph);
    }
    agclose(l.graph);
    gvFreeContext(gvc);
    return rc;
}

/* ---- PNG ---- */

/* Two dots a pixel, unless that makes an image that viewers refuse. */
static double dots_per_inch(ax_point size)
{
    double side = PNG_SIDE_MAX / fmax(size.x, size.y), area = sqrt(PNG_AREA_MAX / (size.x * size.y));
    return POINTS_PER_INCH * fmin(2, fmin(side, area));
}

/* A page with one invisible node of its size, and the drawing behind it. */
static Agraph_t *page(ax_arena *mem, ax_str xdot, ax_point size)
{
    Agraph_t *g = agopen((char *)(uintptr_t) "g", Agdirected, NULL);
    char place[64], *drawing = ax_str_c(mem, xdot);
    set(g, "_background", drawing);
    set(g, "pad", "0");
    set(g, "margin", "0");
    set_number(g, "dpi", dots_per_inch(size));
    Agnode_t *n = agnode(g, (char *)(uintptr_t) "n", 1);
    set(n, "style", "invis");
    set(n, "shape", "box");
    set(n, "label", "");
    set(n, "fixedsize", "true");
    set_number(n, "width", size.x / POINTS_PER_INCH);
    set_number(n, "height", size.y / POINTS_PER_INCH);
    snprintf(place, sizeof place, "%.2f,%.2f", size.x / 2, size.y / 2);
    set(n, "pos", place);
    return g;
}

/* A plugin that is not linked stands beside the layout plugin, which is; NULL: it is not installed. */
static void *find_plugin(const char *name)
{
    Dl_info linked;
    char path[PATH_MAX], symbol[64];
    if (!dladdr(gvplugin_dot_layout_LTX_library.apis, &linked)) return NULL;
    const char *slash = strrchr(linked.dli_fname, '/');
    int folder = slash ? (int)(slash - linked.dli_fname + 1) : 0;
    int len = snprintf(path, sizeof path, "%.*slibgvplugin_%s.so.6", folder, linked.dli_fname, name);
    snprintf(symbol, sizeof symbol, "gvplugin_%s_LTX_library", name);
    void *library = len < (int)sizeof path ? dlopen(path, RTLD_NOW) : NULL;
    return library ? dlsym(library, symbol) : NULL;
}

ax_rc ax_layout_png(ax_str xdot, ax_point size, ax_buf *out, ax_err *err)
{
    lt_symlist_t plugins[] = {{"gvplugin_pango_LTX_library", find_plugin("pango")},
                              {"gvplugin_neato_layout_LTX_library", find_plugin("neato_layout")},
                              {0, 0}};
    if (!plugins[0].address || !plugins[1].address) {
        ax_fail(err, AX_IO, "PNG needs graphviz' cairo renderer, which is not installed");
        ax_err_help(err, "install the package libgvc6, or write .svg");
        return AX_IO;
    }
    agseterr(AGMAX);
    GVC_t *gvc = gvContextPlugins(plugins, 0);
    ax_arena mem = AX_ARENA_INIT;
    Agraph_t *g = page(&mem, xdot, size);
    char *data = NULL;
    unsigned length = 0;
    bool failed = gvLayout(gvc, g, "nop2") || gvRenderData(gvc, g, "png:cairo", &data, &length) || !data;
    ax_rc rc = failed ? library_failed(err, "draw a PNG") : AX_OK;
    if (!rc) ax_buf_add(out, (ax_str){data, length});
    if (data) gvFreeRenderData(data);
    gvFreeLayout(gvc, g);
    agclose(g);
    gvFreeContext(gvc);
    ax_arena_free(&mem);
    return rc;
}
