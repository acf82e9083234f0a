/* test_frames.c - messages out of bytes, whatever the pieces and whatever stands between them. */
#include "tests/lib/test.h"

#include <string.h>

#include "compiler/lsp/frames.h"

/* What comes of some input, fed in pieces of `piece` bytes: "[text]" for a message, "!" for bad input. */
static void then_frames(ax_str input, const char *want)
{
    static const size_t pieces[] = {1, 2, 7, 1 << 20};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        ax_frames f;
        ax_buf got = AX_BUF_INIT(1 << 20);
        ax_frames_init(&f);
        for (size_t at = 0; at < input.len; at += pieces[p]) {
            ax_str text;
            ax_frames_add(&f, ax_str_slice(input, at, at + pieces[p]));
            for (ax_frame_kind kind; (kind = ax_frames_next(&f, &text)) != AX_FRAME_NONE;) {
                if (kind == AX_FRAME_BAD) ax_buf_adds(&got, "!");
                else ax_buf_addf(&got, "[%.*s]", AX_STR(text));
            }
        }
        assert_str(ax_buf_str(&got), want);
        ax_buf_free(&got);
        ax_frames_free(&f);
    }
}

static void messages_come_in_any_pieces(void **state)
{
    (void)state;
    then_frames(AX_LIT("Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull"), "[{}][null]");
    then_frames(AX_LIT("Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1"), "[][1]");
    then_frames(AX_LIT("Content-Length: 9\r\n\r\nhalf"), "");
}

static void other_headers_are_passed_over(void **state)
{
    (void)state;
    then_frames(
        AX_LIT("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}"),
        "[{}]");
    then_frames(AX_LIT("content-LENGTH:\t 2\r\n\r\n{}"), "[{}]");
}

static void after_garbage_the_next_message_is_found(void **state)
{
    (void)state;
    const char *next = "Content-Length: 2\r\n\r\n{}";
    char garbage[9000];
    memset(garbage, 'x', sizeof garbage);
    ax_buf input = AX_BUF_INIT(1 << 20);
    ax_buf_add(&input, (ax_str){garbage, sizeof garbage});
    ax_buf_adds(&input, next);
    ax_buf_adds(&input, next);
    then_frames(ax_buf_str(&input), "![{}][{}]");
    ax_buf_clear(&input);
    ax_buf_addf(&input, "GET / HTTP/1.1\r\n\r\n%s", next);
    then_frames(ax_buf_str(&input), "![{}]");
    ax_buf_free(&input);
}

static void a_length_that_is_none_is_garbage(void **state)
{
    (void)state;
    static const char *const lengths[] = {"", "x", "-1", "1 2", "1.5", "99999999999999999999"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        ax_buf input = AX_BUF_INIT(1000);
        ax_buf_addf(&input, "Content-Length: %s\r\n\r\n{}Content-Length: 1\r\n\r\n1", lengths[i]);
        then_frames(ax_buf_str(&input), "![1]");
        ax_buf_free(&input);
    }
}

static void too_large_a_message_is_passed_over_whole(void **state)
{
    (void)state;
    ax_frames f;
    ax_str text;
    static char zeros[1 << 20];
    ax_frames_init(&f);
    ax_frames_add(&f, AX_LIT("Content-Length: 67108865\r\n\r\n"));
    assert_int_equal(ax_frames_next(&f, &text), AX_FRAME_BAD);
    for (int i = 0; i < 64; i++) {
        ax_frames_add(&f, (ax_str){zeros, sizeof zeros});
        assert_int_equal(ax_frames_next(&f, &text), AX_FRAME_NONE);
        assert_true(f.bytes.cap < sizeof zeros * 4);
    }
    ax_frames_add(&f, AX_LIT("0Content-Length: 2\r\n\r\n{}"));
    assert_int_equal(ax_frames_next(&f, &text), AX_FRAME_MESSAGE);
    assert_str(text, "{}");
    ax_frames_free(&f);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    ax_buf out = AX_BUF_INIT(1000);
    ax_frame_write(AX_LIT("{\"a\":\"ä\"}"), &out);
    then_frames(ax_buf_str(&out), "[{\"a\":\"ä\"}]");
    ax_buf_free(&out);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(messages_come_in_any_pieces),
    cmocka_unit_test(other_headers_are_passed_over),
    cmocka_unit_test(after_garbage_the_next_message_is_found),
    cmocka_unit_test(a_length_that_is_none_is_garbage),
    cmocka_unit_test(too_large_a_message_is_passed_over_whole),
    cmocka_unit_test(what_is_written_is_read),
};

RUN_TESTS(tests)
