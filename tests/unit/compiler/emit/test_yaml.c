/* test_yaml.c - the YAML of a document read back with libyaml holds the same data as its JSON. */
#include "compiler/emit/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include <jansson.h>

#include "compiler/axc.h"
#include "dsl/model/plan_json.h"
#include "tests/lib/test.h"

#define TEXT_MAX ((size_t)16 << 20)

/* ---- reading YAML as a strict old reader would ---- */

/* What a plain scalar means: only our own numbers and words may stand without quotes as anything but text. */
static json_t *plain_value(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY, &error);
    if (value && !json_is_string(value)) return value;
    json_decref(value);
    static const char *const traps[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ""};
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) assert_true(strcasecmp(text, traps[i]) != 0);
    assert_null(strchr("0123456789.+-~=<&*!|>%@`\"'#,[]{}:?", text[0]));
    assert_null(strstr(text, ": "));
    assert_null(strstr(text, " #"));
    return json_string(text);
}

static json_t *read_node(yaml_document_t *doc, yaml_node_t *node)
{
    if (node->type == YAML_SCALAR_NODE) {
        const char *text = (const char *)node->data.scalar.value;
        assert_int_equal(strlen(text), node->data.scalar.length);
        return node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain_value(text) : json_string(text);
    }
    if (node->type == YAML_SEQUENCE_NODE) {
        json_t *list = json_array();
        for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++) {
            json_array_append_new(list, read_node(doc, yaml_document_get_node(doc, *i)));
        }
        return list;
    }
    json_t *map = json_object();
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
        const char *key = (const char *)yaml_document_get_node(doc, p->key)->data.scalar.value;
        assert_null(json_object_get(map, key));
        json_object_set_new(map, key, read_node(doc, yaml_document_get_node(doc, p->value)));
    }
    return map;
}

static json_t *read_yaml(ax_str text)
{
    yaml_parser_t parser;
    yaml_document_t doc;
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr, text.len);
    if (!yaml_parser_load(&parser, &doc))
        fail_msg("line %zu: %s", parser.problem_mark.line + 1, parser.problem);
    json_t *value = read_node(&doc, yaml_document_get_root_node(&doc));
    yaml_document_delete(&doc);
    yaml_parser_delete(&parser);
    return value;
}

/* ---- documents ---- */

static void round_trip(const ax_plan *plan, ax_buf *yaml)
{
    json_error_t error;
    ax_err err = {0};
    ax_buf text = AX_BUF_INIT(TEXT_MAX);
    ax_plan_write(plan, 0, &text);
    json_t *want = json_loadb(text.ptr, text.len, 0, &error);
    assert_non_null(want);
    assert_int_equal(ax_emit_yaml(plan, yaml, &err), AX_OK);
    json_t *got = read_yaml(ax_buf_str(yaml));
    if (!json_equal(want, got)) fail_msg("other data in:\n%.*s", AX_STR(ax_buf_str(yaml)));
    json_decref(want);
    json_decref(got);
    ax_buf_free(&text);
}

/* A plan with one task, made by hand so that any text may stand in it. */
static void round_trip_text(ax_str text)
{
    ax_arena mem = AX_ARENA_INIT;
    ax_plan_node node = {.name = AX_LIT("a"), .parent = AX_NONE};
    ax_def def = {.name = AX_LIT("a"),
                  .doc = text,
                  .title = text,
                  .file = AX_LIT("w.axf"),
                  .line = 1,
                  .action = AX_ACTION_RUN,
                  .script = text,
                  .enabled = true,
                  .count = 1,
                  .whole = AX_NONE,
                  .tags = &text,
                  .tag_count = 1};
    ax_plan plan = {.mem = &mem,
                    .name = AX_LIT("w"),
                    .doc = text,
                    .file = AX_LIT("w.axf"),
                    .line = 1,
                    .defs = &def,
                    .def_count = 1,
                    .nodes = &node,
                    .node_count = 1};
    assert_true(ax_plan_index(&plan, &node, NULL));
    ax_buf yaml = AX_BUF_INIT(TEXT_MAX);
    round_trip(&plan, &yaml);
    ax_buf_free(&yaml);
    ax_arena_free(&mem);
}

static const char *const lookalikes[] = {
    "yes",
    "No",
    "ON",
    "off",
    "y",
    "n",
    "true",
    "NULL",
    "null",
    "~",
    "",
    " ",
    "010",
    "0x1f",
    "0o7",
    "1_000",
    "1:30",
    "12:30:45",
    "1e3",
    ".5",
    "-.inf",
    ".nan",
    "2026-11-30",
    "2026-11-30T02:00:00Z",
    "=",
    "<<",
    "- a",
    "? a",
    ": a",
    "a: b",
    "a #b",
    "#a",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "'a'",
    "\"a\"",
    "[a]",
    "{a}",
    "a,b",
    "---",
    "...",
    "a\tb",
    "\ta",
    "a ",
    " a",
    "a\\nb",
    "C:\\x",
    "1.5",
    "-3",
    "+3",
    "0",
    "née ✓ 日本",
    "\xc2\x85",
    "\xe2\x80\xa8x",
    "\xef\xbb\xbfx",
    "\x7f",
    "\x01",
    "\xf0\x9f\x9a\x80",
    "a: b: c",
    "key:",
    "- ",
    "--- a",
};

static void texts_that_look_like_something_else_stay_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lookalikes / sizeof *lookalikes; i++)
        round_trip_text(ax_str_of(lookalikes[i]));
}

static void blocks_of_lines_keep_every_byte(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a\nb",      "a\nb\n",       "a\nb\n\n",   "\na",        "\n",       "\n\n",         "a\n\nb\n",
        "  a\nb",    "    a\n  b\n", " a",         "a\n b\n  c", "a \nb",    "a\nb ",        "a\t\nb",
        "\ta\nb",    "a\r\nb",       "a\n#b",      "# a\nb",     "- a\n- b", "a: b\nc: d\n", "%a\nb",
        "a\n---\nb", "a\n...\nb\n",  "a\n\n\n  b", "a\nné\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) round_trip_text(ax_str_of(texts[i]));
}

static void random_texts_come_back(void **state)
{
    (void)state;
    static const char alphabet[] = "a b:-#\n\n \t'\"\\|>&*!%{}[],?0.~e\r";
    uint32_t seed = 7;
    for (int i = 0; i < 3000; i++) {
        char text[16];
        seed = seed * 1664525u + 1013904223u;
        size_t len = (seed >> 20) % sizeof text;
        for (size_t k = 0; k < len; k++) {
            seed = seed * 1664525u + 1013904223u;
            text[k] = alphabet[(seed >> 12) % (sizeof alphabet - 1)];
        }
        round_trip_text((ax_str){text, len});
    }
}

static void a_script_of_several_lines_is_shown_as_lines(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_sources sources = ax_sources_new(&mem);
    ax_diags diags = ax_diags_new(&mem, &sources);
    ax_compiled compiled;
    ax_source *source;
    ax_str file = AX_LIT(
        "workflow w {\n  param f : float = 0.0000001\n  schedule { cron = '0 2 * * *' timezone = 'UTC' }\n"
        "  task a {\n    run = \"\"\"\n      echo {{ date }}\n      echo more\n    \"\"\"\n"
        "    matrix { k = ['no', 'x'] }\n  }\n}\n");
    ax_sources_add(&sources, AX_LIT("w.axf"), file, &source, NULL);
    ax_compile(&mem, source, &diags, &compiled);
    assert_int_equal(diags.errors, 0);
    ax_buf yaml = AX_BUF_INIT(TEXT_MAX);
    round_trip(compiled.plans[0], &yaml);
    assert_non_null(strstr(yaml.ptr, "echo \"$AX_V1\"\n"));
    ax_buf_free(&yaml);
    ax_arena_free(&mem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(texts_that_look_like_something_else_stay_texts),
    cmocka_unit_test(blocks_of_lines_keep_every_byte),
    cmocka_unit_test(random_texts_come_back),
    cmocka_unit_test(a_script_of_several_lines_is_shown_as_lines),
};
RUN_TESTS(tests)
