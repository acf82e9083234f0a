/* show_text.c - see show_text.h. */
#include "tools/ax/show_text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dsl/model/units.h"
#include "runtime/exec/logfile.h"
#include "runtime/exec/proc.h"

#define TAIL_LINES 6
#define TAIL_BYTES 4096
#define TAIL_COLUMNS 200 /* a longer line is cut */
#define FAILURES_MAX 10  /* shown in a summary */
#define QUESTIONS_MAX 10
#define TEXT_BYTES_MAX ((size_t)1 << 20)

void ax_text_clock(int64_t ms, ax_buf *out)
{
    time_t at = (time_t)(ms / 1000);
    struct tm local;
    char text[16];
    if (localtime_r(&at, &local) && strftime(text, sizeof text, "%H:%M:%S", &local)) ax_buf_adds(out, text);
}

void ax_text_moment(int64_t ms, ax_buf *out)
{
    time_t at = (time_t)(ms / 1000);
    struct tm local;
    char text[32];
    if (ms == 0 || localtime_r(&at, &local) == NULL) return;
    if (strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local) > 0) ax_buf_adds(out, text);
}

void ax_text_duration(int64_t ms, ax_buf *out)
{
    if (ms < 1000) ax_buf_addf(out, "%" PRId64 "ms", ms);
    else ax_duration_human(ms, out);
}

void ax_text_seconds(int64_t ms, ax_buf *out)
{
    if (ms < 60000) ax_buf_addf(out, "%" PRId64 "s", ms / 1000);
    else ax_duration_human(ms, out);
}

void ax_text_end(const ax_view *view, const ax_instance_rec *rec, ax_buf *out)
{
    const ax_plan *plan = ax_view_plan(view);
    const ax_def *def = &plan->defs[plan->nodes[rec->node].def];
    if (rec->reason == AX_REASON_TIMEOUT) {
        ax_buf_adds(out, "timed out after ");
        ax_duration_text(def->timeout_ms, out);
        if (rec->unconfirmed) ax_buf_adds(out, "; something of it may still run");
        return;
    }
    const char *signal = rec->reason == AX_REASON_SIGNAL ? sigabbrev_np(rec->signal) : NULL;
    if (rec->reason == AX_REASON_EXIT || rec->skip) ax_buf_addf(out, "exit code %d", rec->exit_code);
    else if (signal) ax_buf_addf(out, "killed by SIG%s", signal);
    else ax_buf_adds(out, ax_reason_text(rec->reason));
    if (rec->message.len) ax_buf_addf(out, ": %.*s", AX_STR(rec->message));
}

void ax_text_skip(const ax_view *view, const ax_node_rec *rec, ax_buf *out)
{
    ax_buf_adds(out, ax_reason_text(rec->reason));
    if (rec->cause != AX_NONE && rec->reason == AX_REASON_UPSTREAM_FAILED)
        ax_buf_addf(out, ": %.*s", AX_STR(ax_view_plan(view)->nodes[rec->cause].name));
}

static const struct {
    const char *name;
    ax_style style;
} node_words[AX_NODE_ST_COUNT] = {
    [AX_NODE_ST_BLOCKED] = {"waiting", AX_STYLE_DIM},
    [AX_NODE_ST_HELD] = {"held", AX_STYLE_YELLOW},
    [AX_NODE_ST_ACTIVE] = {"active", AX_STYLE_BLUE},
    [AX_NODE_ST_SUCCEEDED] = {"succeeded", AX_STYLE_GREEN},
    [AX_NODE_ST_FAILED] = {"failed", AX_STYLE_RED},
    [AX_NODE_ST_SKIPPED] = {"skipped", AX_STYLE_DIM},
    [AX_NODE_ST_CANCELLED] = {"cancelled", AX_STYLE_YELLOW},
};

const char *ax_text_node_state(ax_node_state state)
{
    return node_words[state].name;
}

ax_style ax_text_node_style(ax_node_state state)
{
    return node_words[state].style;
}

const char *ax_text_run_state(ax_run_state state)
{
    static const char *const names[AX_RUN_COUNT] = {
        [AX_RUN_QUEUED] = "queued",     [AX_RUN_RUNNING] = "running",
        [AX_RUN_PAUSED] = "paused",     [AX_RUN_CANCELLING] = "cancelling",
        [AX_RUN_ABORTING] = "aborting", [AX_RUN_SUCCEEDED] = "succeeded",
        [AX_RUN_FAILED] = "failed",     [AX_RUN_CANCELLED] = "cancelled",
    };
    return names[state];
}

ax_style ax_text_run_style(ax_run_state state)
{
    static const ax_style styles[AX_RUN_COUNT] = {
        [AX_RUN_RUNNING] = AX_STYLE_BLUE,      [AX_RUN_PAUSED] = AX_STYLE_YELLOW,
        [AX_RUN_CANCELLING] = AX_STYLE_YELLOW, [AX_RUN_ABORTING] = AX_STYLE_RED,
        [AX_RUN_SUCCEEDED] = AX_STYLE_GREEN,   [AX_RUN_FAILED] = AX_STYLE_RED,
        [AX_RUN_CANCELLED] = AX_STYLE_YELLOW,
    };
    return styles[state];
}

void ax_text_counts(const uint32_t *by_state, ax_buf *out)
{
    static const ax_node_state order[] = {AX_NODE_ST_SUCCEEDED, AX_NODE_ST_FAILED, AX_NODE_ST_SKIPPED,
                                          AX_NODE_ST_CANCELLED, AX_NODE_ST_HELD,   AX_NODE_ST_ACTIVE,
                                          AX_NODE_ST_BLOCKED};
    const char *comma = "";
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!by_state[order[i]]) continue;
        ax_buf_addf(out, "%s%u %s", comma, by_state[order[i]], node_words[order[i]].name);
        comma = ", ";
    }
}

/* Up to max columns' worth of a line (by code points; wide characters may take more). */
static ax_str cut_line(ax_str line, size_t columns)
{
    size_t at = 0;
    for (size_t count = 0; at < line.len && count < columns; count++) {
        at++;
        while (at < line.len && ((unsigned char)line.ptr[at] & 0xC0) == 0x80) at++;
    }
    return ax_str_slice(line, 0, at);
}

static void add_lines(ax_str text, const char *indent, ax_buf *out)
{
    while (text.len) {
        const char *end = memchr(text.ptr, '\n', text.len);
        ax_str line = ax_str_slice(text, 0, end ? (size_t)(end - text.ptr) : text.len);
        ax_str shown = cut_line(line, TAIL_COLUMNS);
        ax_buf_adds(out, indent);
        ax_buf_add(out, shown);
        ax_buf_adds(out, shown.len < line.len ? "...\n" : "\n");
        text = ax_str_slice(text, line.len + 1, text.len);
    }
}

void ax_text_tail(const char *root, uint64_t run, const ax_instance_rec *rec, const char *indent, ax_buf *out)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_buf bytes = AX_BUF_INIT(TAIL_BYTES + 16), plain = AX_BUF_INIT(4 * TAIL_BYTES);
    ax_attempt_key key = {.run = run, .node = rec->node, .attempt = rec->attempt};
    uint64_t offset;
    int fd;
    if (ax_logfile_open(ax_proc_path(&mem, root, key, "log"), &fd, NULL) == AX_OK) {
        if (ax_logfile_tail(fd, TAIL_LINES, TAIL_BYTES, &bytes, &offset, NULL) == AX_OK)
            ax_logfile_plain(ax_buf_str(&bytes), &plain);
        close(fd);
    }
    add_lines(ax_buf_str(&plain), indent, out);
    ax_buf_free(&bytes);
    ax_buf_free(&plain);
    ax_arena_free(&mem);
}

int64_t ax_text_took_ms(const ax_instance_rec *rec, int64_t now_ms)
{
    int64_t end_ms = rec->ended_ms ? rec->ended_ms : now_ms;
    return rec->started_ms && end_ms > rec->started_ms ? end_ms - rec->started_ms : 0;
}

ax_str ax_text_take(ax_arena *mem, ax_buf *text)
{
    ax_str copy = ax_str_dup(mem, ax_buf_str(text));
    ax_buf_clear(text);
    return copy;
}

/* ---- summary ---- */

/* A node's name as a word of a shell's command line, quoted if need be. */
static void add_word(ax_str name, ax_out *out)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    bool is_plain = true;
    for (size_t i = 0; i < name.len; i++) is_plain &= strchr(plain, name.ptr[i]) != NULL;
    if (!is_plain) ax_out_adds(out, "'");
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '\'') ax_out_adds(out, "'\\''");
        else ax_out_add(out, ax_str_slice(name, i, i + 1));
    }
    if (!is_plain) ax_out_adds(out, "'");
}

static void add_failure(const ax_view *view, const char *root, uint32_t node, ax_out *out)
{
    const ax_instance_rec *rec = ax_view_current(view, node);
    const ax_run_rec *run = ax_view_run(view);
    ax_str name = ax_view_plan(view)->nodes[node].name;
    ax_buf text = AX_BUF_INIT(TEXT_BYTES_MAX);
    ax_out_adds(out, "  ");
    ax_out_styled(out, AX_STYLE_RED, name);
    if (rec) {
        ax_buf_adds(&text, ": ");
        ax_text_end(view, rec, &text);
        if (rec->attempt > 1) ax_buf_addf(&text, ", after %u tries", rec->attempt);
        ax_buf_addc(&text, '\n');
        ax_out_safe(out, ax_str_slice(ax_buf_str(&text), 0, text.len - 1));
        ax_out_adds(out, "\n");
        ax_buf_clear(&text);
        if (root) ax_text_tail(root, run->id, rec, "    | ", &text);
        ax_out_styled(out, AX_STYLE_DIM, ax_buf_str(&text));
        ax_out_addf(out, "    ax logs %" PRIu64 " ", run->id);
        add_word(name, out);
        ax_out_adds(out, "\n");
    } else {
        ax_out_adds(out, "\n");
    }
    ax_buf_free(&text);
}

static void add_failures(const ax_view *view, const char *root, ax_out *out)
{
    uint32_t failed = ax_view_counts(view)[AX_NODE_ST_FAILED], shown = 0;
    const ax_plan *plan = ax_view_plan(view);
    for (uint32_t rank = 0; rank < plan->node_count && shown < failed && shown < FAILURES_MAX; rank++) {
        uint32_t node = plan->order[rank];
        if (ax_plan_kind(plan, node) == AX_NODE_GROUP) continue;
        if (ax_view_node(view, node)->state != AX_NODE_ST_FAILED) continue;
        add_failure(view, root, node, out);
        shown++;
    }
    if (failed > shown) ax_out_addf(out, "  ... and %u more\n", failed - shown);
}

/* What a node asks of a person, and the answers that it takes. */
typedef struct {
    const char *what, *answer, *others;
} question;

static const question *question_of(const ax_view *view, uint32_t node)
{
    static const question held = {"is held", "release", ""};
    static const question failed = {"failed", "retry", "   (or skip, accept)"};
    static const question asking = {"failed, and may not be safe to run again", "retry",
                                    "   (or skip, accept)"};
    const ax_instance_rec *attempt = ax_view_current(view, node);
    if (ax_view_node(view, node)->state == AX_NODE_ST_HELD) return &held;
    return attempt && attempt->state == AX_INSTANCE_WAITING_CONFIRM ? &asking : &failed;
}

static void add_questions(const ax_view *view, ax_out *out)
{
    uint32_t nodes[QUESTIONS_MAX];
    uint32_t count = ax_view_questions(view, nodes, QUESTIONS_MAX);
    const ax_plan_node *all = ax_view_plan(view)->nodes;
    if (!count) return;
    ax_out_adds(out, "It waits for a person:\n");
    for (uint32_t i = 0; i < count && i < QUESTIONS_MAX; i++)
        ax_out_addf(out, "  %.*s %s\n", AX_STR(all[nodes[i]].name), question_of(view, nodes[i])->what);
    if (count > QUESTIONS_MAX) ax_out_addf(out, "  ... and %u more\n", count - QUESTIONS_MAX);
    const question *first = question_of(view, nodes[0]);
    ax_out_addf(out, "Answer with\n  ax run --resume %" PRIu64 " --answer ", ax_view_run(view)->id);
    add_word(all[nodes[0]].name, out);
    ax_out_addf(out, "=%s%s\n", first->answer, first->others);
}

void ax_text_summary(const ax_view *view, const char *root, ax_out *out)
{
    const ax_run_rec *run = ax_view_run(view);
    ax_buf text = AX_BUF_INIT(TEXT_BYTES_MAX);
    ax_out_addf(out, "run %" PRIu64 " of %.*s ", run->id, AX_STR(run->workflow));
    bool waits = ax_view_questions(view, NULL, 0) > 0;
    if (waits && !ax_view_ended(view)) ax_out_styled(out, AX_STYLE_YELLOW, AX_LIT("waits"));
    else ax_out_styled(out, ax_text_run_style(run->state), ax_str_of(ax_text_run_state(run->state)));
    if (run->ended_ms) {
        ax_buf_adds(&text, " in ");
        ax_text_duration(run->ended_ms - run->created_ms, &text);
    }
    ax_buf_adds(&text, ": ");
    ax_text_counts(ax_view_counts(view), &text);
    ax_buf_addc(&text, '\n');
    ax_out_add(out, ax_buf_str(&text));
    ax_buf_free(&text);
    add_failures(view, root, out);
    if (!ax_view_ended(view)) add_questions(view, out);
}
