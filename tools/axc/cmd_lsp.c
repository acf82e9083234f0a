/* cmd_lsp.c - `axc lsp`: the language server on standard input and output. */
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "compiler/lsp/frames.h"
#include "compiler/lsp/lsp.h"
#include "tools/axc/axc.h"

#define CHUNK_BYTES ((size_t)64 << 10)
#define OUT_BYTES_MAX ((size_t)256 << 20)
#define MESSAGES_BEFORE_SETTLING 200 /* of a client that never pauses */

typedef struct {
    ax_cli *cli;
    ax_lsp *lsp;
    ax_frames frames;
    ax_buf out;
    int unsettled; /* messages since the last diagnostics */
} session;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Writes what is to be sent at once: the client waits for it. */
static ax_rc deliver(session *s, ax_err *err)
{
    ax_out_add(&s->cli->out, ax_buf_str(&s->out));
    ax_buf_clear(&s->out);
    return ax_out_flush(&s->cli->out, err);
}

static ax_rc settle(session *s, ax_err *err)
{
    ax_lsp_settle(s->lsp, &s->out);
    s->unsettled = 0;
    return deliver(s, err);
}

/* Takes every message that is there whole. */
static ax_rc take_messages(session *s, ax_err *err)
{
    ax_str text;
    ax_frame_kind kind;
    ax_rc rc = AX_OK;
    while (!rc && !ax_lsp_is_over(s->lsp) && (kind = ax_frames_next(&s->frames, &text)) != AX_FRAME_NONE) {
        if (kind == AX_FRAME_MESSAGE) ax_lsp_message(s->lsp, text, now_ms(), &s->out);
        else ax_lsp_refuse(s->lsp, text, &s->out);
        rc = deliver(s, err);
        if (!rc && ++s->unsettled >= MESSAGES_BEFORE_SETTLING) rc = settle(s, err);
    }
    return rc;
}

/* True if the client has sent more already. */
static bool has_input(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, 0) > 0;
}

/* Until `exit` or the end of the input. */
static ax_rc serve(session *s, ax_err *err)
{
    char *chunk = ax_arena_alloc(&s->cli->mem, CHUNK_BYTES);
    while (!ax_lsp_is_over(s->lsp)) {
        ssize_t got = read(STDIN_FILENO, chunk, CHUNK_BYTES);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return ax_fail_errno(err, "can't read standard input");
        if (got == 0) return settle(s, err);
        ax_frames_add(&s->frames, (ax_str){chunk, (size_t)got});
        ax_rc rc = take_messages(s, err);
        if (!rc && s->unsettled > 0 && !has_input()) rc = settle(s, err);
        if (rc) return rc;
    }
    return AX_OK;
}

static ax_rc lsp(ax_cli *cli, const void *args, ax_err *err)
{
    (void)args;
    session s = {.cli = cli, .lsp = ax_lsp_new(&cli->mem, AX_VERSION), .out = AX_BUF_INIT(OUT_BYTES_MAX)};
    ax_frames_init(&s.frames);
    ax_rc rc = serve(&s, err);
    bool is_orderly = ax_lsp_is_shut_down(s.lsp);
    ax_lsp_free(s.lsp);
    ax_frames_free(&s.frames);
    ax_buf_free(&s.out);
    if (rc) return rc;
    return is_orderly ? AX_OK : ax_cli_failed(err);
}

static const ax_opt opts[] = {
    {AX_OPT_FLAG, 0, "stdio", 0, false, NULL, "what it does anyway; some editors say so"},
};
const ax_cmd ax_cmd_lsp = {
    .path = "lsp",
    .summary = "serve an editor over stdin and stdout (LSP)",
    .details =
        "Speaks the Language Server Protocol on standard input and output until the editor ends it; an "
        "editor starts it, a person seldom does. docs/guide/editors.md says how to set up VS Code, "
        "Neovim, Vim and others.",
    .example = "lsp",
    .fails = "the input ended before the editor said 'shutdown'",
    .opts = opts,
    .opt_count = sizeof opts / sizeof *opts,
    .args_size = sizeof(bool),
    .run = lsp,
};
