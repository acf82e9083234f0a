/* test_words.c - what is said of words, held against the tables that define them. */
#include "tests/lib/test.h"

#include <string.h>

#include "compiler/lsp/words_int.h"
#include "dsl/model/expr.h"
#include "dsl/model/plan.h"

/* True if an attribute of that name has the word: in its list, or in the text of its shape. */
static bool is_word_of_schema(const char *of, const char *word)
{
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        const char *form = ax_schema_attrs[i].type;
        if (strcmp(ax_schema_attrs[i].name, of) != 0) continue;
        if (ax_schema_word(form, ax_str_of(word))) return true;
        for (ax_str one; ax_form_next(&form, &one);)
            if (ax_str_is(one, word)) return true;
    }
    return false;
}

static void only_words_of_the_language_are_explained(void **state)
{
    (void)state;
    const char *of, *word;
    for (uint32_t i = 0; ax_word_row(i, &of, &word); i++) {
        bool is_known = is_word_of_schema(of, word);
        if (strcmp(of, "outcome") == 0) is_known = ax_outcome_named(ax_str_of(word)) != AX_ON_COUNT;
        if (strcmp(of, "root") == 0) is_known = ax_root_named(ax_str_of(word)) != AX_ROOT_COUNT;
        if (!is_known) fail_msg("'%s' is no word of '%s'", word, of);
    }
}

static void every_outcome_and_value_of_a_run_is_explained(void **state)
{
    (void)state;
    for (ax_outcome o = 0; o < AX_ON_COUNT; o++)
        assert_non_null(ax_word_doc("outcome", ax_str_of(ax_outcome_name(o))));
    for (ax_root r = 0; r < AX_ROOT_COUNT; r++)
        if (!ax_word_doc("root", ax_str_of(ax_root_name(r))))
            fail_msg("'%s' is not explained", ax_root_name(r));
}

static void the_alternatives_of_a_shape_are_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *form, *want;
    } cases[] = {
        {"all | any | at_least(2)", "all;any;at_least(2);"},
        {"[exit(75), exit(100..110), lost]", "exit(75);exit(100..110);lost;"},
        {"30s | [30s, 5m] | exponential(30s, factor = 2)", "30s;30s;5m;exponential(30s, factor = 2);"},
        {"", ""},
        {" [ ] ", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ax_buf got = AX_BUF_INIT(1000);
        const char *form = cases[i].form;
        for (ax_str one; ax_form_next(&form, &one);) ax_buf_addf(&got, "%.*s;", AX_STR(one));
        assert_str(ax_buf_str(&got), cases[i].want);
        ax_buf_free(&got);
    }
}

/* Every snippet of the schema: placeholders are closed, and the name comes first. */
static void every_row_has_a_snippet(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ax_schema_attr_count; i++) {
        ax_buf text = AX_BUF_INIT(4096), values = AX_BUF_INIT(4096);
        ax_attr_snippet(&ax_schema_attrs[i], &text);
        ax_attr_values(&ax_schema_attrs[i], &values);
        assert_int_equal(strncmp(text.ptr, ax_schema_attrs[i].name, ax_schema_attrs[i].name_bytes), 0);
        assert_non_null(strchr(text.ptr, '$'));
        assert_true(values.len > 0);
        ax_buf_free(&text);
        ax_buf_free(&values);
    }
    for (ax_kind kind = 1; kind < AX_KIND_COUNT; kind++) {
        ax_buf text = AX_BUF_INIT(4096);
        ax_kind_snippet(kind, &text);
        assert_int_equal(strncmp(text.ptr, ax_schema_kinds[kind].name, strlen(ax_schema_kinds[kind].name)),
                         0);
        ax_buf_free(&text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_words_of_the_language_are_explained),
    cmocka_unit_test(every_outcome_and_value_of_a_run_is_explained),
    cmocka_unit_test(the_alternatives_of_a_shape_are_taken_apart),
    cmocka_unit_test(every_row_has_a_snippet),
};

RUN_TESTS(tests)
