/* label.c - what boxes and frames say: a title, what runs, remarks, a tooltip; and how large a box must be
 * for it.
 *
 * What most tasks have in common (a timeout, retries) is said once above the graph and not on every box.
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/emit/expr_source.h"
#include "compiler/picture/draw_int.h"
#include "compiler/picture/scene_int.h"
#include "compiler/picture/text_int.h"
#include "dsl/base/assert.h"
#include "dsl/model/units.h"

#define TEXT_BYTES_MAX ((size_t)64 << 20) /* of one label or tooltip before it is cut */
#define SCRIPT_LINES_MAX 40               /* in a tooltip */

typedef struct {
    ax_scene *scene;
    const ax_plan *plan;
    ax_arena *mem;
    ax_buf buf;                   /* for whatever is written next */
    const ax_retry *common_retry; /* what most tasks have; NULL: nothing */
    int64_t common_timeout_ms;    /* 0: nothing */
    double room;                  /* the width of a line in a box */
} labeller;

static ax_str take(labeller *l)
{
    ax_str s = ax_str_dup(l->mem, ax_buf_str(&l->buf));
    ax_buf_clear(&l->buf);
    return s;
}

static ax_str cut(labeller *l, ax_str s, ax_face face, double size, double width)
{
    return ax_text_cut(l->mem, s, &(ax_cut){.face = face, .size = size, .width = width});
}

static ax_str cut_name(labeller *l, ax_str s, double width)
{
    return ax_text_cut(l->mem, s, &(ax_cut){AX_FACE_BOLD, AX_SIZE_TITLE, width, true});
}

/* ---- what is common ---- */

static bool same_retry(const ax_retry *a, const ax_retry *b)
{
    bool same = a->max == b->max && a->backoff == b->backoff && a->wait_count == b->wait_count &&
                a->base_ms == b->base_ms && a->cap_ms == b->cap_ms && a->on_count == b->on_count;
    for (uint32_t i = 0; same && i < a->wait_count; i++) same = a->waits_ms[i] == b->waits_ms[i];
    return same;
}

/* Finds what more than half of at least three tasks say. A value that more than half have is the one that
 * is left when different ones cancel each other out; it is counted afterwards. */
static void find_common(labeller *l)
{
    const ax_plan *plan = l->plan;
    const ax_def *timeout = NULL, *retry = NULL;
    uint32_t tasks = 0, timeout_votes = 0, retry_votes = 0;
    for (const ax_def *d = plan->defs; d < plan->defs + plan->def_count; d++) {
        if (d->kind != AX_NODE_TASK) continue;
        tasks++;
        if (!timeout_votes) timeout = d;
        timeout_votes += timeout->timeout_ms == d->timeout_ms ? 1u : -1u;
        if (!retry_votes) retry = d;
        retry_votes += same_retry(&retry->retry, &d->retry) ? 1u : -1u;
    }
    if (tasks < 3) return;
    uint32_t same_timeout = 0, same_retries = 0;
    for (const ax_def *d = plan->defs; d < plan->defs + plan->def_count; d++) {
        if (d->kind != AX_NODE_TASK) continue;
        same_timeout += d->timeout_ms == timeout->timeout_ms;
        same_retries += same_retry(&d->retry, &retry->retry);
    }
    if (same_timeout * 2 > tasks) l->common_timeout_ms = timeout->timeout_ms;
    if (same_retries * 2 > tasks && retry->retry.max) l->common_retry = &retry->retry;
}

/* ---- remarks ---- */

static void add_chip(labeller *l, ax_caption *c, ax_tone tone)
{
    ax_str text = cut(l, take(l), AX_FACE_PLAIN, AX_SIZE_CHIP, AX_CHIP_WIDTH_MAX);
    if (c->chip_count < AX_CHIPS_MAX) c->chips[c->chip_count++] = (ax_chip){.text = text, .tone = tone};
}

/* A number of retries as people say it: "3 retries". */
static void write_retries(const ax_retry *r, ax_buf *out)
{
    ax_buf_addf(out, "%" PRIu32 " %s", r->max, r->max == 1 ? "retry" : "retries");
}

static void chip_join(labeller *l, const ax_def *def, ax_caption *c)
{
    uint32_t edges = l->plan->in_at[def->first + 1] - l->plan->in_at[def->first];
    switch (def->join) {
    case AX_JOIN_ALL:
    case AX_JOIN_COUNT: return;
    case AX_JOIN_ANY: ax_buf_addf(&l->buf, "any of %" PRIu32, edges); break;
    case AX_JOIN_AT_LEAST: ax_buf_addf(&l->buf, "%" PRIu32 " of %" PRIu32, def->join_count, edges); break;
    case AX_JOIN_STRICT: ax_buf_adds(&l->buf, "strict"); break;
    }
    add_chip(l, c, AX_TONE_JOIN);
}

static void chip_when(labeller *l, const ax_def *def, ax_caption *c)
{
    if (!def->when) return;
    ax_buf_adds(&l->buf, "when ");
    ax_expr_source(l->plan, def, def->when, &l->buf);
    add_chip(l, c, AX_TONE_WHEN);
}

static void chip_policy(labeller *l, const ax_def *def, ax_caption *c)
{
    if (def->policy == l->plan->policy || def->kind == AX_NODE_GATE) return;
    ax_buf_addf(&l->buf, "on failure: %s", ax_policy_name(def->policy));
    add_chip(l, c, AX_TONE_POLICY);
}

static void chip_skip(labeller *l, const ax_def *def, ax_caption *c)
{
    if (!def->skip_on_count) return;
    ax_buf_adds(&l->buf, "skipped on exit ");
    for (uint32_t i = 0; i < def->skip_on_count; i++) {
        const ax_why *why = &def->skip_on[i];
        ax_buf_addf(&l->buf, "%s%" PRId32, i ? ", " : "", why->from);
        if (why->to != why->from) ax_buf_addf(&l->buf, "..%" PRId32, why->to);
    }
    add_chip(l, c, AX_TONE_WHEN);
}

static void chip_limits(labeller *l, const ax_def *def, ax_caption *c)
{
    bool usual_retry = l->common_retry ? same_retry(&def->retry, l->common_retry) : !def->retry.max;
    if (!usual_retry) {
        if (def->retry.max) write_retries(&def->retry, &l->buf);
        else ax_buf_adds(&l->buf, "no retry");
        add_chip(l, c, AX_TONE_PLAIN);
    }
    if (def->timeout_ms != l->common_timeout_ms) {
        ax_buf_adds(&l->buf, def->timeout_ms ? "timeout " : "no timeout");
        if (def->timeout_ms) ax_duration_text(def->timeout_ms, &l->buf);
        add_chip(l, c, AX_TONE_PLAIN);
    }
}

/* What became of a node, in a picture that compares. */
static void chip_note(labeller *l, uint32_t node, ax_caption *c)
{
    const ax_scene_marks *marks = l->scene->marks;
    if (!marks || !marks->notes[node].len) return;
    ax_buf_add(&l->buf, marks->notes[node]);
    add_chip(l, c, AX_TONE_WHEN);
}

static void add_chips(labeller *l, const ax_def *def, ax_caption *c)
{
    if (!def->enabled) {
        ax_buf_adds(&l->buf, "disabled");
        add_chip(l, c, AX_TONE_PLAIN);
    }
    chip_join(l, def, c);
    chip_when(l, def, c);
    if (def->kind != AX_NODE_TASK) return;
    chip_skip(l, def, c);
    chip_policy(l, def, c);
    chip_limits(l, def, c);
}

/* ---- title and detail ---- */

/* The values of a copy's own keys: "orders", "eu, 3". */
static void write_values(labeller *l, uint32_t node)
{
    const ax_plan_node *n = &l->plan->nodes[node];
    uint32_t own = ax_plan_outer_keys(l->plan, node);
    for (uint32_t i = own; i < l->plan->defs[n->def].key_count; i++) {
        if (i > own) ax_buf_adds(&l->buf, ", ");
        ax_value_text(&l->plan->values[n->values + i], &l->buf);
    }
}

/* The part of a node's name behind the name of what it stands in. */
static ax_str local_name(const ax_plan *plan, uint32_t node)
{
    ax_str name = plan->nodes[node].name;
    uint32_t parent = plan->nodes[node].parent;
    if (parent == AX_NONE) return name;
    ax_str outer = plan->nodes[parent].name;
    bool dotted = ax_str_starts(name, outer) && name.len > outer.len + 1 && name.ptr[outer.len] == '.';
    return dotted ? ax_str_slice(name, outer.len + 1, name.len) : name;
}

static uint32_t member_count(const ax_plan *plan, uint32_t node)
{
    return plan->member_at[node + 1] - plan->member_at[node];
}

/* True for a copy whose whole is a frame around it: its values say who it is. */
static bool is_framed_copy(const ax_plan *plan, uint32_t node)
{
    uint32_t parent = plan->nodes[node].parent;
    return parent != AX_NONE && plan->nodes[parent].def == plan->nodes[node].def &&
           plan->defs[plan->nodes[node].def].key_count;
}

static ax_str title_of(labeller *l, uint32_t node)
{
    const ax_def *def = &l->plan->defs[l->plan->nodes[node].def];
    if (is_framed_copy(l->plan, node)) {
        write_values(l, node);
        return take(l);
    }
    return def->title.len ? def->title : local_name(l->plan, node);
}

/* Text with blanks in it, which needs quotes to be seen as one word. */
static bool has_blank(const ax_expr *x)
{
    bool is_text = x->kind == AX_X_CONST && x->u.value.kind == AX_T_STRING;
    return is_text && x->u.value.u.s.len && memchr(x->u.value.u.s.ptr, ' ', x->u.value.u.s.len);
}

/* One argument of a command: text as it is, anything else in {{ }}. */
static void write_part(labeller *l, const ax_def *def, const ax_expr *x)
{
    if (x->kind == AX_X_CONST) {
        ax_value_text(&x->u.value, &l->buf);
        return;
    }
    ax_buf_adds(&l->buf, "{{ ");
    ax_expr_source(l->plan, def, x, &l->buf);
    ax_buf_adds(&l->buf, " }}");
}

static void write_words(labeller *l, const ax_def *def)
{
    for (uint32_t i = 0; i < def->argc; i++) {
        const ax_expr *x = def->argv[i];
        bool joined = x->kind == AX_X_CONCAT, quoted = has_blank(x);
        for (uint32_t k = 0; joined && k < x->arg_count; k++) quoted |= has_blank(x->args[k]);
        if (i) ax_buf_addc(&l->buf, ' ');
        if (quoted) ax_buf_addc(&l->buf, '"');
        if (!joined) write_part(l, def, x);
        for (uint32_t k = 0; joined && k < x->arg_count; k++) write_part(l, def, x->args[k]);
        if (quoted) ax_buf_addc(&l->buf, '"');
    }
}

static void write_command(labeller *l, const ax_def *def)
{
    if (def->action == AX_ACTION_RUN) ax_script_source(l->plan, def, &l->buf);
    if (def->action == AX_ACTION_EXEC) write_words(l, def);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The first line of a text that says something: in a script no comment and no `set`. */
static ax_str first_line(ax_str text, bool is_script)
{
    size_t at = 0;
    ax_str line = {0};
    while (at < text.len) {
        while (at < text.len && is_blank(text.ptr[at])) at++;
        size_t end = at;
        while (end < text.len && text.ptr[end] != '\n') end++;
        line = ax_str_slice(text, at, end);
        bool is_idle = is_script && line.len && (line.ptr[0] == '#' || ax_str_starts(line, AX_LIT("set -")));
        if (line.len && !is_idle) break;
        at = end;
    }
    while (line.len && is_blank(line.ptr[line.len - 1])) line.len--;
    return line;
}

/* "table: orders, users, payments" for a folded fan-out. */
static void write_keys(labeller *l, uint32_t whole)
{
    const ax_plan *plan = l->plan;
    const ax_def *def = &plan->defs[plan->nodes[whole].def];
    uint32_t own = ax_plan_outer_keys(plan, whole), first = plan->member_at[whole];
    for (uint32_t k = own; k < def->key_count; k++)
        ax_buf_addf(&l->buf, "%s%.*s", k > own ? ", " : "", AX_STR(def->keys[k]));
    ax_buf_adds(&l->buf, ": ");
    for (uint32_t m = first; m < plan->member_at[whole + 1] && l->buf.len < AX_LABEL_BYTES_ENOUGH; m++) {
        if (m > first) ax_buf_adds(&l->buf, def->key_count - own > 1 ? "; " : ", ");
        write_values(l, plan->member[m]);
    }
}

static void detail_of(labeller *l, uint32_t node, ax_box_kind kind, ax_caption *c)
{
    const ax_plan *plan = l->plan;
    const ax_def *def = &plan->defs[plan->nodes[node].def];
    if (kind == AX_BOX_STACK && def->key_count) {
        write_keys(l, node);
    } else if (kind == AX_BOX_GROUP) {
        ax_buf_addf(&l->buf, "%" PRIu32 " nodes", member_count(plan, node));
    } else if (!is_framed_copy(plan, node)) {
        write_command(l, def);
        c->detail = ax_str_dup(l->mem, first_line(ax_buf_str(&l->buf), true));
        c->is_code = true;
        ax_buf_clear(&l->buf);
        return;
    }
    c->detail = take(l);
}

/* ---- tooltips ---- */

static void tooltip_command(labeller *l, const ax_def *def)
{
    size_t before = l->buf.len;
    write_command(l, def);
    uint32_t lines = 0;
    for (size_t i = before; i < l->buf.len; i++) {
        if (l->buf.ptr[i] != '\n' || ++lines < SCRIPT_LINES_MAX) continue;
        l->buf.len = i;
        ax_buf_adds(&l->buf, "\n…");
        break;
    }
    while (l->buf.len > before && is_blank(l->buf.ptr[l->buf.len - 1])) l->buf.len--;
    if (l->buf.len > before) ax_buf_addc(&l->buf, '\n');
}

static void tooltip_settings(labeller *l, const ax_def *def)
{
    if (def->kind != AX_NODE_TASK) return;
    if (def->retry.max) {
        write_retries(&def->retry, &l->buf);
        ax_buf_adds(&l->buf, ", ");
    }
    ax_buf_adds(&l->buf, def->timeout_ms ? "timeout " : "no timeout");
    if (def->timeout_ms) ax_duration_text(def->timeout_ms, &l->buf);
    ax_buf_addf(&l->buf, ", on failure: %s\n", ax_policy_name(def->policy));
    for (uint32_t i = 0; i < def->output_count; i++) {
        ax_buf_addf(&l->buf, "%s%.*s", i ? ", " : "outputs: ", AX_STR(def->outputs[i].name));
    }
    if (def->output_count) ax_buf_addc(&l->buf, '\n');
}

static ax_str tooltip_of(labeller *l, uint32_t node)
{
    const ax_def *def = &l->plan->defs[l->plan->nodes[node].def];
    ax_buf_add(&l->buf, l->plan->nodes[node].name);
    ax_buf_addc(&l->buf, '\n');
    if (def->title.len) ax_buf_addf(&l->buf, "%.*s\n", AX_STR(def->title));
    if (def->doc.len) ax_buf_addf(&l->buf, "%.*s\n", AX_STR(def->doc));
    tooltip_command(l, def);
    if (def->when) {
        ax_buf_adds(&l->buf, "when ");
        ax_expr_source(l->plan, def, def->when, &l->buf);
        ax_buf_addc(&l->buf, '\n');
    }
    tooltip_settings(l, def);
    ax_buf_addf(&l->buf, "%.*s:%" PRIu32, AX_STR(def->file), def->line);
    return take(l);
}

/* ---- sizes ---- */

static double chip_width(const ax_chip *chip)
{
    return ax_text_width(chip->text, AX_FACE_PLAIN, AX_SIZE_CHIP) + 2 * AX_CHIP_PAD;
}

/* Lays the chips in rows no wider than `room`; returns the rows and the widest one. */
static uint32_t place_chips(ax_caption *c, double room, double *widest)
{
    uint32_t rows = 0;
    double at = 0;
    *widest = 0;
    for (uint32_t i = 0; i < c->chip_count; i++) {
        double width = chip_width(&c->chips[i]);
        if (!rows || at + width > room) {
            rows++;
            at = 0;
        }
        c->chips[i].x = at;
        c->chips[i].row = rows - 1;
        c->chips[i].width = width;
        at += width + AX_CHIP_GAP;
        if (*widest < at - AX_CHIP_GAP) *widest = at - AX_CHIP_GAP;
    }
    return rows;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Cuts the texts and sets the size of what they need. */
static void fit(labeller *l, ax_caption *c, double room)
{
    ax_face face = c->is_code ? AX_FACE_CODE : AX_FACE_PLAIN;
    c->title = cut_name(l, c->title, room);
    c->detail = cut(l, c->detail, face, AX_SIZE_DETAIL, room);
    double title = ax_text_width(c->title, AX_FACE_BOLD, AX_SIZE_TITLE);
    double detail = ax_text_width(c->detail, face, AX_SIZE_DETAIL), chips;
    c->chip_rows = place_chips(c, larger(room, AX_CHIP_WIDTH_MAX), &chips);
    c->width = larger(larger(title, detail), chips);
    c->height = AX_LINE_TITLE + (c->detail.len ? AX_LINE_DETAIL : 0.0) + (double)c->chip_rows * AX_LINE_CHIP;
}

static void size_box(ax_box *box)
{
    box->width = larger(box->caption.width + AX_BOX_LEFT + AX_BOX_RIGHT, AX_BOX_WIDTH_MIN);
    box->height = box->caption.height + 2 * AX_BOX_PAD;
    if (box->kind == AX_BOX_GATE) box->width += AX_GATE_EXTRA;
    if (box->kind == AX_BOX_STACK || box->kind == AX_BOX_SET) {
        box->width += AX_STACK_OFFSET * 2;
        box->height += AX_STACK_OFFSET * 2;
    }
}

/* ---- sets of nodes that the plan does not group ---- */

/* How many bytes two names have in common at their beginning; whole characters. */
static size_t common_start(ax_str a, ax_str b)
{
    size_t len = 0;
    while (len < a.len && len < b.len && a.ptr[len] == b.ptr[len]) len++;
    while (len > 0 && len < a.len && ((unsigned char)a.ptr[len] & 0xc0) == 0x80) len--;
    return len;
}

/* "load_* × 40" and what their names are, or "40 nodes" if the names have nothing in common. */
static void label_set(labeller *l, ax_box *box)
{
    ax_caption *c = &box->caption;
    ax_str start = l->plan->nodes[box->node].name;
    for (uint32_t n = box->node; n != AX_NONE; n = l->scene->next_in_set[n]) {
        ax_str name = l->plan->nodes[n].name;
        start = ax_str_slice(start, 0, common_start(start, name));
        if (l->buf.len >= AX_LABEL_BYTES_ENOUGH) continue;
        if (l->buf.len) ax_buf_adds(&l->buf, ", ");
        ax_buf_add(&l->buf, name);
    }
    c->detail = take(l);
    ax_str name = cut_name(l, start, l->room - AX_COUNT_WIDTH);
    c->title = start.len ? ax_str_fmt(l->mem, "%.*s* × %" PRIu32, AX_STR(name), box->count)
                         : ax_str_fmt(l->mem, "%" PRIu32 " nodes", box->count);
    c->tooltip = ax_str_fmt(l->mem, "%.*s\n%.*s", AX_STR(c->title), AX_STR(c->detail));
    fit(l, c, l->room);
    size_box(box);
}

static void label_box(labeller *l, ax_box *box)
{
    if (box->kind == AX_BOX_SET) {
        label_set(l, box);
        return;
    }
    const ax_def *def = &l->plan->defs[l->plan->nodes[box->node].def];
    ax_caption *c = &box->caption;
    c->title = title_of(l, box->node);
    detail_of(l, box->node, box->kind, c);
    chip_note(l, box->node, c);
    if (box->kind == AX_BOX_STACK) {
        ax_str name = cut_name(l, c->title, l->room - AX_COUNT_WIDTH);
        c->title = ax_str_fmt(l->mem, "%.*s × %" PRIu32, AX_STR(name), member_count(l->plan, box->node));
    }
    if (!is_framed_copy(l->plan, box->node)) add_chips(l, def, c);
    c->tooltip = tooltip_of(l, box->node);
    fit(l, c, l->room);
    size_box(box);
}

/* The copies in a frame get one width. */
static void even_out(ax_scene *s)
{
    double *widest = AX_NEW_N(s->mem, double, s->frames.len + 1);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->boxes.len; i++) {
            ax_box *box = &s->boxes.at[i];
            if (box->frame == AX_NONE || !s->frames.at[box->frame].fan_out) continue;
            if (pass) box->width = widest[box->frame];
            else widest[box->frame] = larger(widest[box->frame], box->width);
        }
    }
}

static void label_frame(labeller *l, ax_frame *frame)
{
    ax_caption *c = &frame->caption;
    if (frame->node == AX_NONE) {
        c->title = AX_LIT("finally");
        c->tooltip = AX_LIT("runs when all others have ended, however they ended");
    } else {
        const ax_def *def = &l->plan->defs[l->plan->nodes[frame->node].def];
        c->title = title_of(l, frame->node);
        chip_note(l, frame->node, c);
        if (frame->fan_out) {
            c->title =
                ax_str_fmt(l->mem, "%.*s × %" PRIu32, AX_STR(c->title), member_count(l->plan, frame->node));
            detail_of(l, frame->node, AX_BOX_TASK, c);
            add_chips(l, def, c);
        }
        c->tooltip = tooltip_of(l, frame->node);
    }
    fit(l, c, l->room);
}

/* ---- above the graph ---- */

static void separate(ax_buf *out)
{
    if (out->len) ax_buf_adds(out, " · ");
}

static void write_schedule(const ax_schedule *s, ax_buf *out)
{
    if (s->cron.len) {
        ax_buf_addf(out, "cron %.*s %.*s", AX_STR(s->cron), AX_STR(s->timezone));
    } else {
        ax_buf_adds(out, "every ");
        ax_duration_text(s->every_ms, out);
    }
}

static void label_head(labeller *l)
{
    const ax_plan *plan = l->plan;
    ax_scene *s = l->scene;
    s->title =
        cut(l, plan->title.len ? plan->title : plan->name, AX_FACE_BOLD, AX_SIZE_HEAD, AX_HEAD_WIDTH_MAX);
    ax_buf *out = &l->buf;
    for (uint32_t i = 0; i < plan->schedule_count; i++) {
        separate(out);
        write_schedule(&plan->schedules[i], out);
    }
    if (plan->owner.len) {
        separate(out);
        ax_buf_addf(out, "owner %.*s", AX_STR(plan->owner));
    }
    if (l->common_timeout_ms || l->common_retry) {
        separate(out);
        ax_buf_adds(out, "unless said: ");
        if (l->common_retry) write_retries(l->common_retry, out);
        if (l->common_retry && l->common_timeout_ms) ax_buf_adds(out, ", ");
        if (l->common_timeout_ms) ax_buf_adds(out, "timeout ");
        if (l->common_timeout_ms) ax_duration_text(l->common_timeout_ms, out);
    }
    s->subtitle = cut(l, take(l), AX_FACE_PLAIN, AX_SIZE_DETAIL, AX_HEAD_WIDTH_MAX);
    s->doc = cut(l, first_line(plan->doc, false), AX_FACE_PLAIN, AX_SIZE_DETAIL, AX_HEAD_WIDTH_MAX);
}

void ax_scene_label(ax_scene *scene)
{
    labeller l = {.scene = scene, .plan = scene->plan, .mem = scene->mem, .buf = AX_BUF_INIT(TEXT_BYTES_MAX)};
    l.room = scene->boxes.len > AX_BOXES_MANY ? AX_TEXT_WIDTH_MANY : AX_TEXT_WIDTH_MAX;
    find_common(&l);
    for (uint32_t i = 0; i < scene->frames.len; i++) label_frame(&l, &scene->frames.at[i]);
    for (uint32_t i = 0; i < scene->boxes.len; i++) label_box(&l, &scene->boxes.at[i]);
    even_out(scene);
    label_head(&l);
    ax_buf_free(&l.buf);
}
