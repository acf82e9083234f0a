/* expr_fn.c - the functions of the language.
 *
 * None reads a clock or an environment, and every text they make is bounded (AX_VALUE_TEXT_MAX).
 */
#include "dsl/model/expr_fn.h"

#include <string.h>

#include "dsl/base/utf8.h"
#include "dsl/base/vec.h"
#include "dsl/model/date_fn.h"
#include "dsl/model/expr_type.h"
#include "dsl/model/units.h"

#define EVAL(name)                                                                                           \
    static ax_rc name(const ax_value *args, uint32_t count, ax_arena *mem, ax_value *out, ax_err *err)

/* Moves a built text into mem as a string value; frees the buffer. */
static ax_rc give_text(ax_buf *text, ax_arena *mem, ax_value *out, ax_err *err)
{
    bool full = text->full;
    *out = (ax_value){.kind = AX_T_STRING, .u.s = ax_str_dup(mem, ax_buf_str(text))};
    ax_buf_free(text);
    return full ? ax_fail(err, AX_INVALID, "the text is longer than 1 MiB") : AX_OK;
}

static ax_rc give_whole(ax_type_kind kind, int64_t n, ax_value *out)
{
    *out = (ax_value){.kind = kind, .u.i = n};
    return AX_OK;
}

/* ---- dates ---- */

#define UNITS "day week month year"
#define PERIODS "week month year"

/* The unit that `word` names; the table lets only those pass. */
static ax_date_unit unit_of(const ax_value *word)
{
    return (ax_date_unit)ax_word_index(UNITS, word->u.s);
}

EVAL(fn_format)
{
    (void)count;
    bool has_time = args[0].kind == AX_T_INSTANT;
    int64_t days = args[0].u.i, in_day = 0;
    if (has_time) {
        in_day = args[0].u.i % AX_DAY_MS;
        if (in_day < 0) in_day += AX_DAY_MS;
        days = (args[0].u.i - in_day) / AX_DAY_MS;
    }
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    ax_rc rc = ax_date_format(days, has_time, in_day, args[1].u.s, &text, err);
    if (!rc) return give_text(&text, mem, out, err);
    ax_buf_free(&text);
    return rc;
}

static ax_rc check_format(const ax_value *const *args, const ax_type *types, ax_err *err)
{
    if (!args[1]) return AX_OK;
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    ax_rc rc = ax_date_format(0, types[0].kind != AX_T_DATE, 0, args[1]->u.s, &text, err);
    ax_buf_free(&text);
    return rc;
}

EVAL(fn_start_of)
{
    (void)count, (void)mem, (void)err;
    return give_whole(AX_T_DATE, ax_date_start_of(args[0].u.i, unit_of(&args[1])), out);
}

EVAL(fn_end_of)
{
    (void)count, (void)mem, (void)err;
    return give_whole(AX_T_DATE, ax_date_end_of(args[0].u.i, unit_of(&args[1])), out);
}

EVAL(fn_add)
{
    (void)count, (void)mem;
    int64_t days = 0;
    ax_rc rc = ax_date_add(args[0].u.i, args[1].u.i, unit_of(&args[2]), &days, err);
    *out = (ax_value){.kind = AX_T_DATE, .u.i = days};
    return rc;
}

EVAL(fn_weekday)
{
    (void)count, (void)mem, (void)err;
    return give_whole(AX_T_INT, ax_date_weekday(args[0].u.i), out);
}

/* ---- texts ---- */

EVAL(fn_join)
{
    (void)count;
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    bool first = true;
    for (uint32_t i = 0; i < args[0].u.list.len && !text.full; i++) {
        const ax_value *item = &args[0].u.list.at[i];
        if (item->kind == AX_T_NULL) continue; /* a copy that did not run has nothing to say */
        if (!first) ax_buf_add(&text, args[1].u.s);
        ax_value_text(item, &text);
        first = false;
    }
    return give_text(&text, mem, out, err);
}

/* The offset of `what` in s from `at` on, or s.len. */
static size_t find(ax_str s, size_t at, ax_str what)
{
    if (at >= s.len) return s.len;
    const char *hit = memmem(s.ptr + at, s.len - at, what.ptr, what.len);
    return hit ? (size_t)(hit - s.ptr) : s.len;
}

EVAL(fn_split)
{
    (void)count;
    ax_str s = args[0].u.s, by = args[1].u.s;
    if (by.len == 0) return ax_fail(err, AX_INVALID, "split needs a separator");
    if (s.len > AX_VALUE_TEXT_MAX) return ax_fail(err, AX_INVALID, "the text is longer than 1 MiB");
    AX_VEC(ax_value) items = {0};
    for (size_t at = 0, end = 0; s.len > 0 && at <= s.len; at = end + by.len) {
        end = find(s, at, by);
        ax_vec_push(mem, &items, (ax_value){.kind = AX_T_STRING, .u.s = ax_str_slice(s, at, end)});
    }
    *out = (ax_value){.kind = AX_T_LIST, .u.list = {items.at, items.len}};
    return AX_OK;
}

EVAL(fn_replace)
{
    (void)count;
    ax_str s = args[0].u.s, what = args[1].u.s, by = args[2].u.s;
    if (what.len == 0) return ax_fail(err, AX_INVALID, "replace needs a text to look for");
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    for (size_t at = 0; at < s.len && !text.full;) {
        size_t hit = find(s, at, what);
        ax_buf_add(&text, ax_str_slice(s, at, hit));
        if (hit < s.len) ax_buf_add(&text, by);
        at = hit < s.len ? hit + what.len : s.len;
    }
    return give_text(&text, mem, out, err);
}

/* A copy with the letters from `first` on, 26 of them, moved by `shift`; other bytes stay. */
static ax_rc shift_letters(ax_str s, char first, int shift, ax_arena *mem, ax_value *out)
{
    char *text = AX_NEW_N(mem, char, s.len + 1);
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        text[i] = (char)(c >= first && c < first + 26 ? c + shift : c);
    }
    *out = (ax_value){.kind = AX_T_STRING, .u.s = {text, s.len}};
    return AX_OK;
}

EVAL(fn_lower)
{
    (void)count, (void)err;
    return shift_letters(args[0].u.s, 'A', 'a' - 'A', mem, out);
}

EVAL(fn_upper)
{
    (void)count, (void)err;
    return shift_letters(args[0].u.s, 'a', 'A' - 'a', mem, out);
}

EVAL(fn_json)
{
    (void)count;
    ax_buf text = AX_BUF_INIT(AX_VALUE_TEXT_MAX);
    ax_json j = ax_json_start(&text, 0);
    ax_value_json(&args[0], &j);
    return give_text(&text, mem, out, err);
}

/* ---- any ---- */

EVAL(fn_coalesce)
{
    (void)mem, (void)err;
    uint32_t i = 0;
    while (i + 1 < count && args[i].kind == AX_T_NULL) i++;
    *out = args[i];
    return AX_OK;
}

EVAL(fn_len)
{
    (void)count, (void)mem, (void)err;
    const ax_value *v = &args[0];
    if (v->kind == AX_T_STRING) return give_whole(AX_T_INT, (int64_t)ax_utf8_count(v->u.s), out);
    return give_whole(AX_T_INT, v->kind == AX_T_LIST ? v->u.list.len : v->u.map.len, out);
}

/* ---- the table ---- */

#define STRING_ARG                                                                                           \
    {                                                                                                        \
        .kinds = AX_KINDS_OF(AX_T_STRING)                                                                    \
    }
#define DATE_ARG                                                                                             \
    {                                                                                                        \
        .kinds = AX_KINDS_OF(AX_T_DATE)                                                                      \
    }
#define WORD_ARG(list)                                                                                       \
    {                                                                                                        \
        .kinds = AX_KINDS_OF(AX_T_STRING), .words = list                                                     \
    }

const ax_fn_row ax_fn_rows[] = {
    {
        .name = "format",
        .usage = "format(date, \"%Y%m%d\")",
        .doc = "the date or instant (in UTC) as text, by the directives of strftime",
        .params = {{.kinds = AX_KINDS_OF(AX_T_DATE) | AX_KINDS_OF(AX_T_INSTANT)}, STRING_ARG},
        .args_min = 2,
        .args_max = 2,
        .result = AX_T_STRING,
        .eval = fn_format,
        .check = check_format,
    },
    {
        .name = "start_of",
        .usage = "start_of(date, month)",
        .doc = "the first day of the week (from Monday), month or year that holds the date",
        .params = {DATE_ARG, WORD_ARG(PERIODS)},
        .args_min = 2,
        .args_max = 2,
        .result = AX_T_DATE,
        .eval = fn_start_of,
    },
    {
        .name = "end_of",
        .usage = "end_of(date, month)",
        .doc = "the last day of the week (to Sunday), month or year that holds the date",
        .params = {DATE_ARG, WORD_ARG(PERIODS)},
        .args_min = 2,
        .args_max = 2,
        .result = AX_T_DATE,
        .eval = fn_end_of,
    },
    {
        .name = "add",
        .usage = "add(date, 1, month)",
        .doc = "the date so many days, weeks, months or years later; a 31st that a month has not is its last "
               "day",
        .params = {DATE_ARG, {.kinds = AX_KINDS_OF(AX_T_INT)}, WORD_ARG(UNITS)},
        .args_min = 3,
        .args_max = 3,
        .result = AX_T_DATE,
        .eval = fn_add,
    },
    {
        .name = "weekday",
        .usage = "weekday(date)",
        .doc = "the day of the week, from 1 (Monday) to 7 (Sunday)",
        .params = {DATE_ARG},
        .args_min = 1,
        .args_max = 1,
        .result = AX_T_INT,
        .eval = fn_weekday,
    },
    {
        .name = "join",
        .usage = "join(list, \", \")",
        .doc = "the items as one text with the separator between them; nulls are left out",
        .params = {{.kinds = AX_KINDS_OF(AX_T_LIST)}, STRING_ARG},
        .args_min = 2,
        .args_max = 2,
        .result = AX_T_STRING,
        .eval = fn_join,
    },
    {
        .name = "split",
        .usage = "split(text, \",\")",
        .doc = "the parts of a text between separators, as a list",
        .params = {STRING_ARG, STRING_ARG},
        .args_min = 2,
        .args_max = 2,
        .result = AX_T_LIST,
        .of = AX_T_STRING,
        .eval = fn_split,
    },
    {
        .name = "lower",
        .usage = "lower(text)",
        .doc = "the text with its letters A-Z in lower case",
        .params = {STRING_ARG},
        .args_min = 1,
        .args_max = 1,
        .result = AX_T_STRING,
        .eval = fn_lower,
    },
    {
        .name = "upper",
        .usage = "upper(text)",
        .doc = "the text with its letters a-z in upper case",
        .params = {STRING_ARG},
        .args_min = 1,
        .args_max = 1,
        .result = AX_T_STRING,
        .eval = fn_upper,
    },
    {
        .name = "replace",
        .usage = "replace(text, \"from\", \"to\")",
        .doc = "the text with every occurrence of one piece replaced by another",
        .params = {STRING_ARG, STRING_ARG, STRING_ARG},
        .args_min = 3,
        .args_max = 3,
        .result = AX_T_STRING,
        .eval = fn_replace,
    },
    {
        .name = "json",
        .usage = "json(value)",
        .doc = "the value as JSON text",
        .params = {{.kinds = AX_KINDS_ALL, .nullable = true}},
        .args_min = 1,
        .args_max = 1,
        .result = AX_T_STRING,
        .eval = fn_json,
    },
    {
        .name = "coalesce",
        .usage = "coalesce(value, other)",
        .doc = "the first of its arguments that is not null",
        .params = {{.kinds = AX_KINDS_ALL, .nullable = true}},
        .args_min = 2,
        .args_max = AX_FN_ANY_NUMBER,
        .result = AX_T_ANY,
        .eval = fn_coalesce,
    },
    {
        .name = "len",
        .usage = "len(value)",
        .doc = "how many characters, items or entries it has",
        .params = {{.kinds = AX_KINDS_OF(AX_T_STRING) | AX_KINDS_OF(AX_T_LIST) | AX_KINDS_OF(AX_T_MAP)}},
        .args_min = 1,
        .args_max = 1,
        .result = AX_T_INT,
        .eval = fn_len,
    },
};
const uint32_t ax_fn_count = sizeof ax_fn_rows / sizeof *ax_fn_rows;

uint32_t ax_fn_find(ax_str name)
{
    for (uint32_t i = 0; i < ax_fn_count; i++)
        if (ax_str_is(name, ax_fn_rows[i].name)) return i;
    return UINT32_MAX;
}

const ax_fn_param *ax_fn_param_at(uint32_t fn, uint32_t arg)
{
    const ax_fn_row *row = &ax_fn_rows[fn];
    bool repeats = row->args_max == AX_FN_ANY_NUMBER;
    return &row->params[repeats && arg >= row->args_min - 1u ? 0 : arg];
}

int ax_word_index(const char *words, ax_str word)
{
    for (int index = 0; *words; index++) {
        size_t len = strcspn(words, " ");
        if (ax_str_eq(word, (ax_str){words, len})) return index;
        words += len + (words[len] == ' ');
    }
    return -1;
}

static ax_rc check_word(const ax_fn_param *param, const ax_value *arg, ax_err *err)
{
    if (!param->words || ax_word_index(param->words, arg->u.s) >= 0) return AX_OK;
    return ax_fail(err, AX_INVALID, "'%.*s' is none of: %s", AX_STR(ax_str_slice(arg->u.s, 0, 100)),
                   param->words);
}

ax_rc ax_fn_apply(uint32_t fn, const ax_value *args, uint32_t count, ax_arena *mem, ax_value *out,
                  ax_err *err)
{
    const ax_fn_row *row = &ax_fn_rows[fn];
    for (uint32_t i = 0; i < count; i++) {
        const ax_fn_param *param = ax_fn_param_at(fn, i);
        if (args[i].kind == AX_T_NULL && param->nullable) continue;
        if (args[i].kind == AX_T_NULL)
            return ax_fail(err, AX_INVALID, "%s: a null where a value is needed", row->name);
        if (!(param->kinds & AX_KINDS_OF(args[i].kind))) {
            ax_type type = ax_value_type(&args[i]);
            return ax_type_of_arg(fn, i, &type, err);
        }
        ax_rc rc = check_word(param, &args[i], err);
        if (rc) return rc;
    }
    return row->eval(args, count, mem, out, err);
}

ax_rc ax_fn_check_consts(uint32_t fn, const ax_value *const *args, const ax_type *types, uint32_t count,
                         ax_err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const ax_fn_param *param = ax_fn_param_at(fn, i);
        if (param->words && !args[i])
            return ax_fail(err, AX_INVALID, "%s takes one of these words here: %s", ax_fn_rows[fn].name,
                           param->words);
        ax_rc rc = args[i] ? check_word(param, args[i], err) : AX_OK;
        if (rc) return rc;
    }
    return ax_fn_rows[fn].check ? ax_fn_rows[fn].check(args, types, err) : AX_OK;
}
