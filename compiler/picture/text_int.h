/* text_int.h - text in pictures: how wide it is, how it is cut, how it is escaped. */
#ifndef AX_PICTURE_TEXT_INT_H
#define AX_PICTURE_TEXT_INT_H

#include "dsl/base/arena.h"
#include "dsl/base/buf.h"

typedef enum { AX_FACE_PLAIN, AX_FACE_BOLD, AX_FACE_CODE } ax_face;

/* The width of one line in pixels, an upper bound for the usual fonts; needs no font. */
double ax_text_width(ax_str s, ax_face face, double size);
typedef struct {
    ax_face face;
    double size, width;
    bool middle; /* keep the end too: names differ there as often as at their beginning */
} ax_cut;

/* s, or what fits of it with an ellipsis where something was cut off; in mem. */
ax_str ax_text_cut(ax_arena *mem, ax_str s, const ax_cut *cut);
/* Appends s for XML text or a quoted attribute. Characters that XML can't hold, and invalid UTF-8, become
 * U+FFFD. */
void ax_text_xml(ax_buf *out, ax_str s);

#endif
