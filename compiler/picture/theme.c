/* theme.c - the colours, for a light and for a dark page: a class, the selector of its style, then light
 * and dark. */
#include "compiler/picture/draw_int.h"

#define DASHED(id, class, selector, fill, fill_dark, line, line_dark, on, off)                               \
    [AX_PAINT_##id] = {class, selector, {fill, fill_dark}, {line, line_dark}, 1, {on, off}}
#define BOX(id, class, selector, fill, fill_dark, line, line_dark)                                           \
    DASHED(id, class, selector, fill, fill_dark, line, line_dark, 0, 0)
#define FILL(id, class, selector, fill, fill_dark)                                                           \
    [AX_PAINT_##id] = {class, selector, {fill, fill_dark}, {NULL, NULL}, 0, {0, 0}}
#define LINE(id, class, selector, line, line_dark, width, on, off)                                           \
    [AX_PAINT_##id] = {class, selector, {NULL, NULL}, {line, line_dark}, width, {on, off}}
#define INK(id, class, selector, color, color_dark, size, face)                                              \
    [AX_INK_##id] = {class, selector, {color, color_dark}, AX_SIZE_##size, AX_FACE_##face}

const ax_paint_row ax_paints[AX_PAINT_COUNT] = {
    FILL(PAGE, "page", ".page", "#ffffff", "#0f141b"),
    BOX(FRAME, "area", ".area", "#f5f7f9", "#151b24", "#d9dfe7", "#2b3543"),
    BOX(FRAME_FAN_OUT, "area", ".fan-out .area", "#f0f5fd", "#131e30", "#c9d9f3", "#263c5e"),
    DASHED(FRAME_FINALLY, "area", ".finally .area", "#fdf8ee", "#221c10", "#ead6ae", "#4f4023", 5, 4),
    BOX(BOX_TASK, "box", ".box", "#ffffff", "#1c2430", "#c4cdd9", "#3b4757"),
    BOX(BOX_GATE, "box", ".gate .box", "#f6f2fd", "#211b33", "#c9b8ec", "#4d3f75"),
    BOX(BOX_STACK, "box", ".stack .box", "#ffffff", "#1c2430", "#a9c1ea", "#35507c"),
    BOX(BOX_GROUP, "box", ".group .box", "#f5f7f9", "#1a212c", "#b6c0cd", "#46546a"),
    BOX(BOX_SET, "box", ".set .box", "#f5f7f9", "#1a212c", "#b6c0cd", "#46546a"),
    DASHED(BOX_DISABLED, "box", ".disabled .box", "#fafbfc", "#131922", "#b9c2cd", "#465365", 4, 3),
    BOX(SHEET, "sheet", ".sheet", "#f0f5fd", "#18202d", "#a9c1ea", "#35507c"),
    FILL(BAR_TASK, "bar", ".bar", "#4a7fd6", "#5b8fe6"),
    FILL(BAR_GATE, "bar", ".gate .bar", "#8a63d2", "#a283e4"),
    FILL(BAR_STACK, "bar", ".stack .bar", "#4a7fd6", "#5b8fe6"),
    FILL(BAR_GROUP, "bar", ".group .bar", "#8492a6", "#7b8aa0"),
    FILL(BAR_SET, "bar", ".set .bar", "#8492a6", "#7b8aa0"),
    FILL(BAR_FINALLY, "bar", ".finally .bar", "#d49a2a", "#d9a441"),
    FILL(BAR_DISABLED, "bar", ".disabled .bar", "#c3cbd5", "#4a5667"),
    FILL(CHIP_PLAIN, "chip", ".chip", "#eef1f5", "#2a3442"),
    FILL(CHIP_WHEN, "chip", ".when.chip", "#fdf1d6", "#3d3115"),
    FILL(CHIP_JOIN, "chip", ".join.chip", "#eee7fb", "#33284f"),
    FILL(CHIP_POLICY, "chip", ".policy.chip", "#fde9e7", "#45211f"),
    LINE(EDGE_SUCCEEDED, "line", ".line", "#93a0b2", "#66758a", 1.3, 0, 0),
    LINE(EDGE_FAILED, "line", ".failed .line", "#d4473f", "#e8685f", 1.4, 6, 4),
    LINE(EDGE_SKIPPED, "line", ".skipped .line", "#8b96a5", "#76859a", 1.4, 1.5, 4),
    LINE(EDGE_PASSED, "line", ".passed .line", "#2f9163", "#46ad7d", 1.4, 0, 0),
    LINE(EDGE_DONE, "line", ".done .line", "#4d5f7a", "#93a4bd", 1.8, 0, 0),
    FILL(TIP_SUCCEEDED, "tip", ".tip", "#93a0b2", "#66758a"),
    FILL(TIP_FAILED, "tip", ".failed .tip", "#d4473f", "#e8685f"),
    FILL(TIP_SKIPPED, "tip", ".skipped .tip", "#8b96a5", "#76859a"),
    FILL(TIP_PASSED, "tip", ".passed .tip", "#2f9163", "#46ad7d"),
    FILL(TIP_DONE, "tip", ".done .tip", "#4d5f7a", "#93a4bd"),
    LINE(EDGE_CRITICAL, "line", ".critical .line", "#e07b00", "#ffa940", 2.6, 0, 0),
    FILL(TIP_CRITICAL, "tip", ".critical .tip", "#e07b00", "#ffa940"),
    LINE(RING, "ring", ".ring", "#4a7fd6", "#5b8fe6", 2.5, 0, 0),
    LINE(RING_CRITICAL, "way", ".way", "#e07b00", "#ffa940", 2.0, 0, 0),
    FILL(TAG, "tag", ".tag", "#ffffff", "#0f141b"),
};

const ax_ink_row ax_inks[AX_INK_COUNT] = {
    INK(HEAD, "head", ".head", "#1b2430", "#eef2f7", HEAD, BOLD),
    INK(SUBTITLE, "subtitle", ".subtitle", "#667285", "#94a1b3", DETAIL, PLAIN),
    INK(REMARK, "remark", ".remark", "#8a5a00", "#e8c069", DETAIL, PLAIN),
    INK(TITLE, "title", ".title", "#1f2937", "#e6ebf2", TITLE, BOLD),
    INK(FRAME, "label", ".label", "#445063", "#b8c3d2", TITLE, BOLD),
    INK(DETAIL, "detail", ".detail", "#6b7687", "#94a1b3", DETAIL, PLAIN),
    INK(CODE, "code", ".code", "#6b7687", "#94a1b3", DETAIL, CODE),
    INK(FAINT, "title", ".disabled .title", "#8c97a5", "#76859a", TITLE, BOLD),
    INK(CHIP_PLAIN, "note", ".note", "#556275", "#a9b6c7", CHIP, PLAIN),
    INK(CHIP_WHEN, "note when", ".when.note", "#7a5500", "#e8c069", CHIP, PLAIN),
    INK(CHIP_JOIN, "note join", ".join.note", "#5f3dae", "#c3adf3", CHIP, PLAIN),
    INK(CHIP_POLICY, "note policy", ".policy.note", "#a32a22", "#f2a19b", CHIP, PLAIN),
    INK(TAG_SUCCEEDED, "note", ".note", "#556275", "#a9b6c7", CHIP, PLAIN),
    INK(TAG_FAILED, "note", ".failed .note", "#b3322a", "#f0857d", CHIP, PLAIN),
    INK(TAG_SKIPPED, "note", ".skipped .note", "#667285", "#94a1b3", CHIP, PLAIN),
    INK(TAG_PASSED, "note", ".passed .note", "#22754e", "#5cc393", CHIP, PLAIN),
    INK(TAG_DONE, "note", ".done .note", "#43546c", "#a9b8cd", CHIP, PLAIN),
};

const char *const ax_mark_classes[AX_MARK_COUNT] = {[AX_MARK_NONE] = "",
                                                    [AX_MARK_ADDED] = "added",
                                                    [AX_MARK_REMOVED] = "removed",
                                                    [AX_MARK_CHANGED] = "changed",
                                                    [AX_MARK_TOUCHED] = "touched"};

#define MARK(class, fill, fill_dark, line, line_dark, dash)                                                  \
    {"." class " .box,." class " .sheet",                                                                    \
     {"fill:" fill ";stroke:" line ";stroke-width:1.6" dash,                                                 \
      "fill:" fill_dark ";stroke:" line_dark ";stroke-width:1.6" dash}},                                     \
        {"." class " .area",                                                                                 \
         {"stroke:" line ";stroke-width:1.6" dash, "stroke:" line_dark ";stroke-width:1.6" dash}},           \
        {"." class " .bar", {"fill:" line, "fill:" line_dark}},                                              \
        {"." class " .line",                                                                                 \
         {"stroke:" line ";stroke-width:2" dash, "stroke:" line_dark ";stroke-width:2" dash}},               \
    {                                                                                                        \
        "." class " .tip",                                                                                   \
        {                                                                                                    \
            "fill:" line, "fill:" line_dark                                                                  \
        }                                                                                                    \
    }

/* What did not change steps back: grey, whatever its kind or outcome. */
const ax_mark_row ax_mark_rows[] = {
    {".node .bar", {"fill:#c3cbd5", "fill:#4a5667"}},
    {".node .box,.node .sheet", {"fill:#ffffff;stroke:#d5dbe3", "fill:#1a212b;stroke:#333f4e"}},
    {".frame .area", {"fill:#f7f9fa;stroke:#e0e5eb", "fill:#141a22;stroke:#27303c"}},
    {".edge .line", {"stroke:#b3bdc9;stroke-width:1.3", "stroke:#556274;stroke-width:1.3"}},
    {".edge .tip", {"fill:#b3bdc9", "fill:#556274"}},
    {".node .title", {"fill:#667285", "fill:#a3afbf"}},
    {".node .detail,.node .code", {"fill:#8c97a5", "fill:#7d8a9c"}},
    MARK("added", "#e6f6ec", "#12301f", "#2f9e5b", "#3fb46f", ""),
    MARK("removed", "#fdecea", "#3a1917", "#d0443b", "#ea6b62", ";stroke-dasharray:5 3"),
    MARK("touched", "#ffffff", "#1a212b", "#dcae55", "#a07f36", ""),
    MARK("changed", "#fff7e0", "#352a0e", "#c98a0c", "#dfa42e", ""),
    {".added .title,.changed .title,.removed .title,.touched .title", {"fill:#1f2937", "fill:#e6ebf2"}},
    {".removed .title", {"text-decoration:line-through", "text-decoration:line-through"}},
};
const uint32_t ax_mark_row_count = sizeof ax_mark_rows / sizeof *ax_mark_rows;
