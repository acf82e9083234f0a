/* test_opt.c - reading a command line through ax_cli_parse, as main does. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/test.h"
#include "tools/cli/cmd.h"

typedef struct {
    const char *output, *file;
    int64_t jobs, keep;
    int theme;
    bool quiet, all;
    ax_strings params, rest;
} args;

static const ax_opt opts[] = {
    {AX_OPT_STR, 'o', "output", offsetof(args, output), false, "FILE", "where to"},
    {AX_OPT_COUNT, 'j', "jobs", offsetof(args, jobs), false, "N", "how many"},
    {AX_OPT_INT, 0, "keep", offsetof(args, keep), false, "N", "how many to keep"},
    {AX_OPT_CHOICE, 0, "theme", offsetof(args, theme), false, "light|dark", "which"},
    {AX_OPT_FLAG, 'q', "quiet", offsetof(args, quiet), false, NULL, "say less"},
    {AX_OPT_FLAG, 'a', "all", offsetof(args, all), false, NULL, "all of it"},
    {AX_OPT_LIST, 'p', "param", offsetof(args, params), false, "K=V", "a value"},
    {AX_OPT_STR, 0, NULL, offsetof(args, file), true, "FILE", "what"},
    {AX_OPT_LIST, 0, NULL, offsetof(args, rest), false, "MORE", "what else"},
};
static const ax_opt needy_opts[] = {
    {AX_OPT_STR, 'r', "reason", offsetof(args, output), true, "TEXT", "why"},
};
static const ax_cmd draw = {.path = "draw", .opts = opts, .opt_count = 9, .args_size = sizeof(args)};
static const ax_cmd retry = {
    .path = "node retry", .opts = needy_opts, .opt_count = 1, .args_size = sizeof(args)};
static const ax_cmd skip = {.path = "node skip", .args_size = 0};
static const ax_cmd *const cmds[] = {&draw, &retry, &skip, &ax_cmd_help};

typedef struct {
    const char *home;
} globals;
static const ax_opt global_opts[] = {
    {AX_OPT_STR, 0, "home", offsetof(globals, home), false, "DIR", "where things are"},
};
static const ax_program program = {.name = "prog",
                                   .cmds = cmds,
                                   .cmd_count = 4,
                                   .opts = global_opts,
                                   .opt_count = 1,
                                   .args_size = sizeof(globals)};

typedef struct {
    ax_cli cli;
    ax_err err;
    ax_rc rc;
    const args *args;
    char *words[32];
} call;

/* Parses a line whose words are separated by single blanks. */
static call *parse(const char *line)
{
    static char text[512];
    static call c;
    c = (call){.cli = {.program = &program}};
    int count = 0;
    assert_true(strlen(line) < sizeof text);
    strncpy(text, line, sizeof text - 1);
    for (char *at = text, *end; at; at = end ? end + 1 : NULL) {
        end = strchr(at, ' ');
        if (end) *end = 0;
        c.words[count++] = at;
    }
    c.rc = ax_cli_parse(&c.cli, count, c.words, &c.err);
    c.args = c.cli.args;
    return &c;
}

static void done(call *c)
{
    ax_arena_free(&c->cli.mem);
}

static void refuses(const char *line, const char *message, const char *help)
{
    call *c = parse(line);
    assert_int_equal(c->rc, AX_INVALID);
    assert_true(c->cli.misused);
    assert_string_equal(c->err.text, message);
    assert_string_equal(c->err.help, help);
    done(c);
}

static void values_land_in_the_commands_struct(void **state)
{
    (void)state;
    call *c = parse("prog draw -o out.svg --jobs=4 --theme dark -qa a.axf b c");
    assert_int_equal(c->rc, AX_OK);
    assert_ptr_equal(c->cli.cmd, &draw);
    assert_string_equal(c->args->output, "out.svg");
    assert_int_equal(c->args->jobs, 4);
    assert_int_equal(c->args->theme, 1);
    assert_true(c->args->quiet && c->args->all);
    assert_string_equal(c->args->file, "a.axf");
    assert_int_equal(c->args->rest.count, 2);
    assert_string_equal(c->args->rest.at[1], "c");
    done(c);
}

static void what_is_not_given_is_zero(void **state)
{
    (void)state;
    call *c = parse("prog draw a.axf");
    assert_int_equal(c->rc, AX_OK);
    assert_null(c->args->output);
    assert_int_equal(c->args->jobs, 0);
    assert_int_equal(c->args->params.count, 0);
    done(c);
}

static void a_value_may_touch_its_letter(void **state)
{
    (void)state;
    call *c = parse("prog draw -qj12 -oout a");
    assert_int_equal(c->args->jobs, 12);
    assert_string_equal(c->args->output, "out");
    done(c);
}

static void an_equals_sign_in_a_value_stays(void **state)
{
    (void)state;
    call *c = parse("prog draw --param=k=v -p a=b=c -p x= f");
    assert_int_equal(c->args->params.count, 3);
    assert_string_equal(c->args->params.at[0], "k=v");
    assert_string_equal(c->args->params.at[1], "a=b=c");
    assert_string_equal(c->args->params.at[2], "x=");
    done(c);
}

static void behind_two_dashes_all_are_operands(void **state)
{
    (void)state;
    call *c = parse("prog draw -q -- -o --help");
    assert_int_equal(c->rc, AX_OK);
    assert_false(c->cli.help);
    assert_string_equal(c->args->file, "-o");
    assert_string_equal(c->args->rest.at[0], "--help");
    done(c);
}

static void a_single_dash_is_an_operand(void **state)
{
    (void)state;
    call *c = parse("prog draw -");
    assert_string_equal(c->args->file, "-");
    done(c);
}

static void global_options_stand_anywhere(void **state)
{
    (void)state;
    static const char *const lines[] = {"prog --home /h draw a", "prog draw a --home=/h"};
    for (int i = 0; i < 2; i++) {
        call *c = parse(lines[i]);
        assert_int_equal(c->rc, AX_OK);
        assert_string_equal(((const globals *)c->cli.globals)->home, "/h");
        done(c);
    }
}

static void a_command_may_have_several_words(void **state)
{
    (void)state;
    call *c = parse("prog node retry -r because");
    assert_ptr_equal(c->cli.cmd, &retry);
    done(c);
}

static void help_wins_over_what_is_missing(void **state)
{
    (void)state;
    call *c = parse("prog node retry --help");
    assert_int_equal(c->rc, AX_OK);
    assert_true(c->cli.help);
    assert_ptr_equal(c->cli.cmd, &retry);
    done(c);
    c = parse("prog --version");
    assert_int_equal(c->rc, AX_OK);
    assert_true(c->cli.version);
    done(c);
}

static void wrong_use_is_named_and_helped(void **state)
{
    (void)state;
    refuses("prog", "a command is missing", "");
    refuses("prog drew a", "there is no command 'drew'", "did you mean 'prog draw'?");
    refuses("prog node", "'prog node' is not a whole command",
            "it goes on: 'prog node retry', 'prog node skip'");
    refuses("prog node rety", "there is no command 'node rety'", "did you mean 'prog node retry'?");
    refuses("prog draw", "FILE is missing", "");
    refuses("prog node retry", "--reason TEXT is missing", "");
    refuses("prog draw a --ouput x", "there is no option '--ouput'", "did you mean '--output'?");
    refuses("prog draw a -z", "there is no option '-z'", "");
    refuses("prog draw a --output", "'--output FILE' needs a value", "");
    refuses("prog draw a -o", "'--output FILE' needs a value", "");
    refuses("prog draw a --quiet=yes", "'--quiet' takes no value", "");
    refuses("prog draw a --theme drak", "'--theme' takes light|dark, not 'drak'", "did you mean 'dark'?");
    refuses("prog node skip x", "'x' is one operand too many", "");
}

static void numbers_are_whole_and_in_range(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0", "-1", "", "4x", "0x10", "1e3", "99999999999999999999", "4.5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[64], message[128];
        snprintf(line, sizeof line, "prog draw a --jobs=%s", wrong[i]);
        snprintf(message, sizeof message, "'--jobs N' takes a whole number of at least 1, not '%s'",
                 wrong[i]);
        refuses(line, message, "");
    }
    call *c = parse("prog draw a --keep 0 --jobs 9223372036854775807");
    assert_int_equal(c->rc, AX_OK);
    assert_true(c->args->jobs == INT64_MAX);
    done(c);
    refuses("prog draw a --keep=-3", "'--keep N' takes a whole number of at least 0, not '-3'", "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_land_in_the_commands_struct), cmocka_unit_test(what_is_not_given_is_zero),
    cmocka_unit_test(a_value_may_touch_its_letter),       cmocka_unit_test(an_equals_sign_in_a_value_stays),
    cmocka_unit_test(behind_two_dashes_all_are_operands), cmocka_unit_test(a_single_dash_is_an_operand),
    cmocka_unit_test(global_options_stand_anywhere),      cmocka_unit_test(a_command_may_have_several_words),
    cmocka_unit_test(help_wins_over_what_is_missing),     cmocka_unit_test(wrong_use_is_named_and_helped),
    cmocka_unit_test(numbers_are_whole_and_in_range),
};
RUN_TESTS(tests)
