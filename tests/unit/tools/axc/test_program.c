/* test_program.c - what every command of axc must have: words that fit, and examples that parse. */
#include <ctype.h>
#include <string.h>

#include "tests/lib/test.h"
#include "tools/axc/axc.h"

#define SUMMARY_MAX 50 /* a line of the list of commands */
#define WORDS_MAX 32

static void every_command_has_what_help_needs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ax_axc.cmd_count; i++) {
        const ax_cmd *cmd = ax_axc.cmds[i];
        assert_non_null(cmd->run);
        assert_true(cmd->summary && *cmd->summary && strlen(cmd->summary) <= SUMMARY_MAX);
        assert_true(islower((unsigned char)cmd->summary[0]) && cmd->summary[strlen(cmd->summary) - 1] != '.');
        assert_true(cmd->example && *cmd->example);
        assert_ptr_equal(ax_program_find(&ax_axc, ax_str_of(cmd->path)), cmd);
    }
}

static void every_option_has_a_name_of_its_own_and_a_meaning(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ax_axc.cmd_count; i++) {
        const ax_cmd *cmd = ax_axc.cmds[i];
        for (uint32_t k = 0; k < cmd->opt_count; k++) {
            const ax_opt *opt = &cmd->opts[k];
            assert_true(opt->help && *opt->help && opt->help[strlen(opt->help) - 1] != '.');
            assert_true((opt->kind == AX_OPT_FLAG) == (opt->value == NULL));
            assert_true(opt->offset < cmd->args_size);
            for (uint32_t other = 0; other < k; other++) {
                const ax_opt *o = &cmd->opts[other];
                assert_false(opt->letter && opt->letter == o->letter);
                assert_false(opt->name && o->name && strcmp(opt->name, o->name) == 0);
                assert_false(opt->offset == o->offset);
            }
        }
    }
}

/* Splits an example into words, up to what belongs to the shell. */
static int split(char *line, char **words)
{
    int count = 1; /* the first word is the program's name, which is not looked at */
    for (char *at = line; *at;) {
        while (*at == ' ') *at++ = 0;
        if (!*at || strchr("|<>#", *at)) break;
        words[count++] = at;
        assert_true(count < WORDS_MAX);
        while (*at && *at != ' ') at++;
    }
    return count;
}

static void parse_example(const char *text, size_t len, const ax_cmd *cmd)
{
    char line[256], *words[WORDS_MAX];
    ax_err err = {0};
    ax_cli cli = {.program = &ax_axc};
    assert_true(len < sizeof line);
    memcpy(line, text, len);
    line[len] = 0;
    words[0] = NULL;
    int count = split(line, words);
    assert_int_equal(ax_cli_parse(&cli, count, words, &err), AX_OK);
    assert_ptr_equal(cli.cmd, cmd);
    ax_arena_free(&cli.mem);
}

static void every_example_parses_as_its_command(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ax_axc.cmd_count; i++) {
        for (const char *line = ax_axc.cmds[i]->example; *line;) {
            size_t len = strcspn(line, "\n");
            parse_example(line, len, ax_axc.cmds[i]);
            line += len + (line[len] == '\n');
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_command_has_what_help_needs),
    cmocka_unit_test(every_option_has_a_name_of_its_own_and_a_meaning),
    cmocka_unit_test(every_example_parses_as_its_command),
};
RUN_TESTS(tests)
