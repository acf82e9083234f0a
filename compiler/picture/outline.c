/* outline.c - the boxes of a scene, nested in their frames: for formats that are nested as text. */
#include "compiler/picture/draw_int.h"

/* Boxes by frame: at[f] … at[f + 1] are places in `box`; those in no frame come last. */
typedef struct {
    uint32_t *at, *box;
} box_index;

static box_index index_boxes(const ax_scene *s)
{
    uint32_t frames = s->frames.len;
    box_index index = {AX_NEW_N(s->mem, uint32_t, frames + 4), AX_NEW_N(s->mem, uint32_t, s->boxes.len + 1)};
    uint32_t *next = index.at + 1;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->boxes.len; i++) {
            uint32_t frame = s->boxes.at[i].frame == AX_NONE ? frames : s->boxes.at[i].frame;
            if (pass) index.box[next[frame]++] = i;
            else next[frame + 1]++;
        }
        for (uint32_t f = 0; f < frames + 1 && !pass; f++) next[f + 1] += next[f];
    }
    return index;
}

static void write_boxes(const ax_scene *s, const box_index *index, uint32_t frame, const ax_outline_writer *w,
                        ax_buf *out)
{
    for (uint32_t i = index->at[frame]; i < index->at[frame + 1]; i++)
        w->box(s, &s->boxes.at[index->box[i]], w->context, out);
}

/* Frames stand behind the one around them, but not next to it: each has a list of those right in it. */
void ax_scene_outline(const ax_scene *s, const ax_outline_writer *w, ax_buf *out)
{
    box_index index = index_boxes(s);
    uint32_t frames = s->frames.len, open = frames;
    uint32_t *first = AX_NEW_N(s->mem, uint32_t, frames + 1), *next = AX_NEW_N(s->mem, uint32_t, frames + 1);
    for (uint32_t f = 0; f <= frames; f++) first[f] = AX_NONE;
    for (uint32_t f = frames; f-- > 0;) {
        uint32_t outer = s->frames.at[f].frame == AX_NONE ? frames : s->frames.at[f].frame;
        next[f] = first[outer];
        first[outer] = f;
    }
    write_boxes(s, &index, frames, w, out);
    while (open != frames || first[open] != AX_NONE) {
        uint32_t inner = first[open];
        if (inner != AX_NONE) {
            first[open] = next[inner];
            open = inner;
            w->open(s, open, w->context, out);
            write_boxes(s, &index, open, w, out);
        } else {
            w->close(out);
            open = s->frames.at[open].frame == AX_NONE ? frames : s->frames.at[open].frame;
        }
    }
}
