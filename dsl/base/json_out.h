/* json_out.h - a streaming JSON writer: append-only, valid by construction.
 *
 *   ax_json j = ax_json_start(&buf, 2);
 *   ax_json_obj(&j); ax_json_key(&j, "id"); ax_json_int(&j, 7); ax_json_end(&j);
 *
 * Strings are written as UTF-8; bytes that are not valid become U+FFFD. Numbers that are not finite become
 * null.
 */
#ifndef AX_BASE_JSON_OUT_H
#define AX_BASE_JSON_OUT_H

#include "dsl/base/buf.h"

#define AX_JSON_DEPTH_MAX 512

typedef struct {
    ax_buf *out;
    int indent; /* spaces a level; 0: all on one line */
    int depth;
    bool after_key;
    char open[AX_JSON_DEPTH_MAX]; /* '{' or '[' */
    bool first[AX_JSON_DEPTH_MAX];
    bool flat[AX_JSON_DEPTH_MAX]; /* this level stays on one line */
} ax_json;

/* A writer onto out. */
ax_json ax_json_start(ax_buf *out, int indent);
/* Opens an object or array; the _flat forms stay on one line also when indenting. */
void ax_json_obj(ax_json *j);
void ax_json_arr(ax_json *j);
void ax_json_obj_flat(ax_json *j);
void ax_json_arr_flat(ax_json *j);
/* Closes the innermost one. */
void ax_json_end(ax_json *j);
/* The key of the next value, inside an object. */
void ax_json_key(ax_json *j, const char *key);
void ax_json_keys(ax_json *j, ax_str key);
/* One value. */
void ax_json_str(ax_json *j, ax_str s);
void ax_json_cstr(ax_json *j, const char *s);
void ax_json_int(ax_json *j, int64_t n);
void ax_json_num(ax_json *j, double d);
void ax_json_bool(ax_json *j, bool b);
void ax_json_null(ax_json *j);
/* A value that is JSON text already. */
void ax_json_raw(ax_json *j, ax_str json);

#endif
