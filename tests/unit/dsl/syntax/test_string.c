/* test_string.c - the five kinds of string: escapes, expressions, and the indent of blocks. */
#include "dsl/syntax/parse.h"
#include "tests/lib/parsed.h"
#include "tests/lib/test.h"

typedef struct {
    const char *text, *dump;
} row;

static void each_is_read_as(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parsed *p = parsed_expr(ax_str_of(rows[i].text));
        assert_string_equal(parsed_codes(p), "");
        assert_string_equal(parsed_dump(p), rows[i].dump);
        parsed_free(p);
    }
}
#define EACH_IS_READ_AS(rows) each_is_read_as(rows, sizeof(rows) / sizeof *(rows))

static void quoted_strings_have_escapes_and_expressions(void **state)
{
    (void)state;
    static const row rows[] = {
        {"\"\"", "(str)"},
        {"\"a\"", "(str \"a\")"},
        {"\"a { b } c\"", "(str \"a { b } c\")"},
        {"\"}}\"", "(str \"}}\")"},
        {"\"\\n\\t\\r\\\"\\\\\"", "(str \"\\x0a\\x09\\x0d\\x22\\x5c\")"},
        {"\"\\u{41}\\u{e9}\\u{1F600}\"", "(str \"A\xC3\xA9\xF0\x9F\x98\x80\")"},
        {"\"\\{{ x }}\"", "(str \"{{ x }}\")"},
        {"\"{{ x }}\"", "(str x)"},
        {"\"{{x}}{{y}}\"", "(str x y)"},
        {"\"a {{ x }} b\"", "(str \"a \" x \" b\")"},
        {"\"{{ f(\"}}\") }}\"", "(str (call f (str \"}}\")))"},
        {"\"{{ {a = 1} }}\"", "(str (map a=1))"},
        {"\"{{{a = {b = 1}}}}\"", "(str (map a=(map b=1)))"},
        {"\"{{ \"{{ '}}' }}\" }}\"", "(str (str (raw \"}}\")))"},
        {"\"{{ a[\"x\"] if b else c }}\"", "(str (if b (index a (str \"x\")) c))"},
        {"\"# no comment\"", "(str \"# no comment\")"},
        {"\"\t\xC3\xA9\"", "(str \"\\x09\xC3\xA9\")"},
    };
    EACH_IS_READ_AS(rows);
}

static void raw_strings_are_what_they_are(void **state)
{
    (void)state;
    static const row rows[] = {
        {"''", "(raw)"},
        {"'a\\n{{ b }}\"'", "(raw \"a\\x5cn{{ b }}\\x22\")"},
        {"'#'", "(raw \"#\")"},
    };
    EACH_IS_READ_AS(rows);
}

static void a_block_loses_the_indent_that_all_its_lines_have(void **state)
{
    (void)state;
    static const row rows[] = {
        {"\"\"\"\n\"\"\"", "(block)"},
        {"\"\"\"\n  \"\"\"", "(block)"},
        {"\"\"\"\n \n      \n   \"\"\"", "(block \"\\x0a\")"},
        {"\"\"\"\na\n\"\"\"", "(block \"a\")"},
        {"\"\"\"\n  a\n  \"\"\"", "(block \"a\")"},
        {"\"\"\"\n    a\n  \"\"\"", "(block \"a\")"},
        {"\"\"\"\n    cat <<END\n    x\n    END\n  \"\"\"", "(block \"cat <<END\\x0ax\\x0aEND\")"},
        {"\"\"\"\n  a\n    b\n  \"\"\"", "(block \"a\\x0a  b\")"},
        {"\"\"\"\n  a\n    \"\"\"", "(block \"a\")"},
        {"\"\"\"\n  a\n\n  b\n\n  \"\"\"", "(block \"a\\x0a\\x0ab\\x0a\")"},
        {"\"\"\"\n  a\n \n     \n  b\n  \"\"\"", "(block \"a\\x0a\\x0a   \\x0ab\")"},
        {"\"\"\"\n\ta\n\tb\n\t\"\"\"", "(block \"a\\x0ab\")"},
        {"\"\"\"\n\t a\n\tb\n\t\"\"\"", "(block \" a\\x0ab\")"},
        {"\"\"\"\n\ta\n  b\n  \"\"\"", "(block \"\\x09a\\x0a  b\")"},
        {"\"\"\" \t\r\n  a\r\n  b\r\n  \"\"\"", "(block \"a\\x0ab\")"},
        {"\"\"\"\n  a \"quoted\" \"\"word\n  \"\"\"", "(block \"a \\x22quoted\\x22 \\x22\\x22word\")"},
        {"'''\n  a\\{{ b }}\n    c ''\n  '''", "(rawblock \"a\\x5c{{ b }}\\x0a  c ''\")"},
    };
    EACH_IS_READ_AS(rows);
}

static void a_block_has_two_escapes_and_expressions(void **state)
{
    (void)state;
    static const row rows[] = {
        {"\"\"\"\n  \\n \\{{ x \\\"\"\" \\\\\n  \"\"\"",
         "(block \"\\x5cn {{ x \\x22\\x22\\x22 \\x5c\\x5c\")"},
        {"\"\"\"\n  \\\\{{ x\n  \"\"\"", "(block \"\\x5c{{ x\")"},
        {"\"\"\"\n  {{ x }}\n  b\n  \"\"\"", "(block x \"\\x0ab\")"},
        {"\"\"\"\n  a {{ x }}\n    {{ y }} b\n  \"\"\"", "(block \"a \" x \"\\x0a  \" y \" b\")"},
        {"\"\"\"\n{{ x }}\n\"\"\"", "(block x)"},
        {"\"\"\"\n  a\n  {{ x }}\n\n  {{ y }}\n  \"\"\"", "(block \"a\\x0a\" x \"\\x0a\\x0a\" y)"},
    };
    EACH_IS_READ_AS(rows);
}

static void spans_of_parts_are_exact(void **state)
{
    (void)state;
    ax_str text = AX_LIT("a = \"x\\n{{ y }}z\"");
    parsed *p = parsed_file(text);
    const ax_ast_expr *e = p->file->items[0]->u.attr.value;
    assert_str(ax_sources_text(&p->sources, e->span), "\"x\\n{{ y }}z\"");
    assert_int_equal(e->u.string.count, 3);
    assert_str(ax_sources_text(&p->sources, e->u.string.parts[0].span), "x\\n");
    assert_str(ax_sources_text(&p->sources, e->u.string.parts[1].span), "{{ y }}");
    assert_str(ax_sources_text(&p->sources, e->u.string.parts[1].expr->span), "y");
    assert_str(ax_sources_text(&p->sources, e->u.string.parts[2].span), "z");
    parsed_free(p);
}

static void a_bad_escape_is_reported_at_its_bytes_and_kept(void **state)
{
    (void)state;
    static const struct {
        const char *text, *codes, *dump;
    } rows[] = {
        {"a = \"x\\qy\"", "E0106 1:7", "attr a = (str \"x\\x5cqy\")\n"},
        {"a = \"\\$HOME \\'\"", "E0106 1:6; E0106 1:13", "attr a = (str \"\\x5c$HOME \\x5c'\")\n"},
        {"a = \"\\u{}\"", "E0106 1:6", "attr a = (str \"\\x5cu{}\")\n"},
        {"a = \"\\u{0}\"", "E0106 1:6", "attr a = (str \"\\x5cu{0}\")\n"},
        {"a = \"\\u{D800}\"", "E0106 1:6", "attr a = (str \"\\x5cu{D800}\")\n"},
        {"a = \"\\u{110000}\"", "E0106 1:6", "attr a = (str \"\\x5cu{110000}\")\n"},
        {"a = \"\\u{1234567}\"", "E0106 1:6", "attr a = (str \"\\x5cu{1234567}\")\n"},
        {"a = \"\\u41\"", "E0106 1:6", "attr a = (str \"\\x5cu41\")\n"},
        {"a = \"\\{ x\"", "E0106 1:6", "attr a = (str \"\\x5c{ x\")\n"},
        {"a = \"\\\xC3\xA9\"", "E0106 1:6", "attr a = (str \"\\x5c\xC3\xA9\")\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_file(ax_str_of(rows[i].text));
        assert_string_equal(parsed_codes(p), rows[i].codes);
        assert_string_equal(parsed_dump(p), rows[i].dump);
        parsed_free(p);
    }
}

static void block_quotes_stand_on_lines_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *text, *codes;
    } rows[] = {
        {"a = \"\"\"x\n\"\"\"\nb = 1", "E0114 1:5"},       {"a = \"\"\"x\"\"\"\nb = 1", "E0114 1:5"},
        {"a = \"\"\"\nx\"\"\"\nb = 1", "E0114 2:2"},       {"a = '''\nx'''\nb = 1", "E0114 2:2"},
        {"a = \"\"\"\n{{ x }}\"\"\"\nb = 1", "E0114 2:8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed *p = parsed_file(ax_str_of(rows[i].text));
        assert_string_equal(parsed_codes(p), rows[i].codes);
        assert_int_equal(p->file->count, 2);
        parsed_free(p);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(quoted_strings_have_escapes_and_expressions),
    cmocka_unit_test(raw_strings_are_what_they_are),
    cmocka_unit_test(a_block_loses_the_indent_that_all_its_lines_have),
    cmocka_unit_test(a_block_has_two_escapes_and_expressions),
    cmocka_unit_test(spans_of_parts_are_exact),
    cmocka_unit_test(a_bad_escape_is_reported_at_its_bytes_and_kept),
    cmocka_unit_test(block_quotes_stand_on_lines_of_their_own),
};

RUN_TESTS(tests)
