/* opt.c - reads options and operands into a struct, as the rows say. */
#include "tools/cli/opt_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dsl/base/assert.h"
#include "dsl/base/nearest.h"

const ax_opt ax_opt_builtin[] = {
    {AX_OPT_CHOICE, 0, "color", offsetof(ax_opt_builtin_args, color), false, "auto|always|never",
     "colours in what is shown; auto: on a terminal, unless NO_COLOR is set"},
    {AX_OPT_FLAG, 'h', "help", offsetof(ax_opt_builtin_args, help), false, NULL, "show this help and end"},
    {AX_OPT_FLAG, 0, "version", offsetof(ax_opt_builtin_args, version), false, NULL,
     "show the version and end"},
};
const uint32_t ax_opt_builtin_count = sizeof ax_opt_builtin / sizeof *ax_opt_builtin;

bool ax_opt_is_operand(const ax_opt *opt)
{
    return !opt->letter && !opt->name;
}

ax_str ax_opt_title(ax_arena *mem, const ax_opt *opt)
{
    if (ax_opt_is_operand(opt)) return ax_str_of(opt->value);
    const char *space = opt->value ? " " : "", *value = opt->value ? opt->value : "";
    if (opt->name) return ax_str_fmt(mem, "--%s%s%s", opt->name, space, value);
    return ax_str_fmt(mem, "-%c%s%s", opt->letter, space, value);
}

/* ---- values ---- */

static ax_rc store_int(ax_arena *mem, const ax_opt *opt, int64_t *target, const char *word, ax_err *err)
{
    char *end;
    errno = 0;
    intmax_t n = strtoimax(word, &end, 10), min = opt->kind == AX_OPT_COUNT;
    bool is_number = *word && !*end && !errno && strspn(word, "+-0123456789") == strlen(word);
    if (is_number && n >= min) {
        *target = n;
        return AX_OK;
    }
    return ax_fail(err, AX_INVALID, "'%.*s' takes a whole number of at least %d, not '%s'",
                   AX_STR(ax_opt_title(mem, opt)), (int)min, word);
}

static ax_rc store_choice(const ax_opt *opt, int *target, const char *word, ax_err *err)
{
    ax_nearest near = ax_nearest_start(ax_str_of(word));
    const char *from = opt->value;
    for (int place = 0;; place++) {
        size_t len = strcspn(from, "|");
        ax_str choice = {from, len};
        if (ax_str_is(choice, word)) {
            *target = place;
            return AX_OK;
        }
        ax_nearest_offer(&near, choice);
        if (!from[len]) break;
        from += len + 1;
    }
    ax_rc rc = ax_fail(err, AX_INVALID, "'--%s' takes %s, not '%s'", opt->name, opt->value, word);
    if (near.best.len) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near.best));
    return rc;
}

static void store_word(ax_arena *mem, ax_strings *target, const char *word)
{
    size_t size = sizeof(char *) * target->count;
    const char **at = ax_arena_grow(mem, (void *)(uintptr_t)target->at, size, size + sizeof(char *));
    at[target->count++] = word;
    target->at = at;
}

static ax_rc store(ax_arena *mem, ax_opt_set *set, const ax_opt *opt, const char *word, ax_err *err)
{
    void *target = (char *)set->target + opt->offset;
    set->given |= 1ull << (opt - set->rows);
    switch (opt->kind) {
    case AX_OPT_FLAG: *(bool *)target = true; return AX_OK;
    case AX_OPT_STR: *(const char **)target = word; return AX_OK;
    case AX_OPT_INT:
    case AX_OPT_COUNT: return store_int(mem, opt, target, word, err);
    case AX_OPT_LIST: store_word(mem, target, word); return AX_OK;
    case AX_OPT_CHOICE: return store_choice(opt, target, word, err);
    }
    AX_UNREACHABLE();
}

/* ---- options ---- */

static const ax_opt *find(const ax_opt_reader *r, ax_str name, char letter, ax_opt_set **set)
{
    for (uint32_t s = 0; s < r->set_count; s++) {
        *set = &r->sets[s];
        for (uint32_t i = 0; i < (*set)->count; i++) {
            const ax_opt *o = &(*set)->rows[i];
            if (letter ? o->letter == letter : o->name && ax_str_is(name, o->name)) return o;
        }
    }
    return NULL;
}

static ax_rc unknown(const ax_opt_reader *r, ax_str name, ax_err *err)
{
    ax_nearest near = ax_nearest_start(name);
    for (uint32_t s = 0; s < r->set_count; s++) {
        for (uint32_t i = 0; i < r->sets[s].count; i++) {
            if (r->sets[s].rows[i].name) ax_nearest_offer(&near, ax_str_of(r->sets[s].rows[i].name));
        }
    }
    ax_rc rc = ax_fail(err, AX_INVALID, "there is no option '--%.*s'", AX_STR(name));
    if (near.best.len) ax_err_help(err, "did you mean '--%.*s'?", AX_STR(near.best));
    return rc;
}

static ax_rc next_word(ax_opt_reader *r, const ax_opt *opt, const char **word, ax_err *err)
{
    if (r->at >= r->argc) {
        return ax_fail(err, AX_INVALID, "'%.*s' needs a value", AX_STR(ax_opt_title(r->mem, opt)));
    }
    *word = r->argv[r->at++];
    return AX_OK;
}

static ax_rc read_long(ax_opt_reader *r, const char *word, ax_err *err)
{
    const char *equals = strchr(word, '=');
    ax_str name = {word, equals ? (size_t)(equals - word) : strlen(word)};
    ax_opt_set *set;
    const ax_opt *opt = find(r, name, 0, &set);
    if (!opt) return unknown(r, name, err);
    if (opt->kind == AX_OPT_FLAG && equals) {
        return ax_fail(err, AX_INVALID, "'--%s' takes no value", opt->name);
    }
    const char *value = equals ? equals + 1 : NULL;
    if (opt->kind != AX_OPT_FLAG && !value) {
        ax_rc rc = next_word(r, opt, &value, err);
        if (rc) return rc;
    }
    return store(r->mem, set, opt, value, err);
}

static ax_rc read_letters(ax_opt_reader *r, const char *letters, ax_err *err)
{
    for (; *letters; letters++) {
        ax_opt_set *set;
        const ax_opt *opt = find(r, (ax_str){0}, *letters, &set);
        if (!opt) return ax_fail(err, AX_INVALID, "there is no option '-%c'", *letters);
        if (opt->kind == AX_OPT_FLAG) {
            ax_rc rc = store(r->mem, set, opt, NULL, err);
            if (rc) return rc;
            continue;
        }
        const char *value = letters + 1; /* -j4 */
        if (!*value) {
            ax_rc rc = next_word(r, opt, &value, err);
            if (rc) return rc;
        }
        return store(r->mem, set, opt, value, err);
    }
    return AX_OK;
}

ax_rc ax_opt_read(ax_opt_reader *r, ax_err *err)
{
    const char *word = r->argv[r->at++];
    return word[1] == '-' ? read_long(r, word + 2, err) : read_letters(r, word + 1, err);
}

/* ---- operands ---- */

ax_rc ax_opt_operand(ax_arena *mem, ax_opt_set *set, const char *word, ax_err *err)
{
    uint32_t n = set->operands++;
    for (uint32_t i = 0; i < set->count; i++) {
        const ax_opt *opt = &set->rows[i];
        if (!ax_opt_is_operand(opt)) continue;
        if (n == 0 || opt->kind == AX_OPT_LIST) return store(mem, set, opt, word, err);
        n--;
    }
    return ax_fail(err, AX_INVALID, "'%s' is one operand too many", word);
}

ax_rc ax_opt_complete(ax_arena *mem, const ax_opt_set *set, ax_err *err)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (!set->rows[i].required || set->given >> i & 1) continue;
        return ax_fail(err, AX_INVALID, "%.*s is missing", AX_STR(ax_opt_title(mem, &set->rows[i])));
    }
    return AX_OK;
}
