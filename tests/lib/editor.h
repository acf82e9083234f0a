/* editor.h - an editor with one open file, for tests of the language server.
 *
 *   test_editor *e = given_editor("workflow w { task a { timeou| } }");
 *   assert_string_equal(labels(e, ask(e, "textDocument/completion", "")), "timeout");
 *   end_editor(e);
 *
 * The first | of the text is the cursor and not part of it. Texts that are returned live until end_editor.
 */
#ifndef AX_TESTS_LIB_EDITOR_H
#define AX_TESTS_LIB_EDITOR_H

#include "compiler/lsp/lsp.h"
#include "compiler/lsp/text.h"
#include "dsl/base/vec.h"
#include "dsl/model/value.h"

#define TEST_URI "file:///main.axf"
#define TEST_CAPABILITIES                                                                                    \
    "{\"workspace\":{\"workspaceEdit\":{\"documentChanges\":true}},\"textDocument\":{\"hover\":{"            \
    "\"contentFormat\":[\"markdown\",\"plaintext\"]},\"completion\":{\"completionItem\":{"                   \
    "\"snippetSupport\":true}}}}"

typedef struct {
    ax_arena mem;
    ax_lsp *lsp;
    ax_buf out;
    AX_VEC(ax_value) sent; /* by the server, without what was asked for */
    ax_str text;
    ax_place cursor;
    int64_t id;
    int64_t now_ms;
    const char *error; /* of the last request that failed */
} test_editor;

/* An editor that can do the usual, or what capabilities (JSON) say; its file is open, and what is wrong in it
 * was sent. NULL: no file. */
test_editor *given_editor(const char *text);
test_editor *given_editor_with(const char *capabilities, const char *text);
void end_editor(test_editor *e);

/* Sends a message as it is and takes the answers. */
void send_text(test_editor *e, const char *json);
/* Sends a notification with these parameters (JSON). */
void tell(test_editor *e, const char *method, const char *params);
/* Sends a request about the cursor, with more parameters ("" or ",\"newName\":\"b\"). Returns the result;
 * NULL if the answer is an error, whose message is e->error then. */
const ax_value *ask(test_editor *e, const char *method, const char *more);
/* The same with all parameters given. */
const ax_value *ask_with(test_editor *e, const char *method, const char *params);
/* Lets the server say what it has to say when nothing comes in. */
void wait_for_server(test_editor *e);
/* Replaces the whole text of the file. */
void type_text(test_editor *e, const char *text);

/* What stands at a path of keys and indices ("items.0.label") of a value; fails the test if there is nothing.
 */
const ax_value *at_path(const ax_value *v, const char *path);
/* A value as JSON. */
const char *json_of(test_editor *e, const ax_value *v);
/* The labels of a completion, "a b c". */
const char *labels(test_editor *e, const ax_value *completion);
/* True if a completion offers that label. */
bool offers_label(const ax_value *completion, const char *label);
/* The ranges of a list of things with one, as "1:2-5" (line, first and last unit, on one line), with the new
 * text of an edit: "1:2-5=x". */
const char *ranges(test_editor *e, const ax_value *list);
/* The text of the file after a list of edits. */
const char *after_edits(test_editor *e, const ax_value *edits);
/* The diagnostics that were sent last: "E0203 1:2-5", with a space between. */
const char *diagnostics(test_editor *e);

#endif
