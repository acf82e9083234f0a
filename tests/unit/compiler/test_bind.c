/* test_bind.c - values in scripts arrive byte for byte, whatever is in them and wherever they stand (cases
 * O-38).
 *
 * Each script is compiled, and then really run by dash and bash with hostile values in its variables; what it
 * prints must be the value itself. Where that can't be, the compiler must refuse.
 */
#include "tests/lib/test.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/compiled.h"

#define OUTPUT_MAX 4096
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const hostile[] = {
    "plain",
    "it's; touch PWNED; echo '$HOME' \"q\" $(id) `id` \\\n* x",
    "",
    " ",
    "-n",
    "*",
    "~",
    "#",
    "'",
    "\"",
    "\\",
    "\\\\ \\n \\$",
    "$AX_V1",
    "${AX_V1}",
    "$(touch PWNED)",
    "`touch PWNED`",
    "\"; touch PWNED; \"",
    "'; touch PWNED; '",
    "x\nEOF\ntouch PWNED\n",
    "x\n\tEOF\ntouch PWNED",
    "a\tb  c",
    "{{ other }}",
    "a) touch PWNED;;",
    "} ) ]] }}",
    "!! !$ %s %d",
    "\xC3\xA9\xE2\x82\xAC",
};

/* A script and what it prints; <p> is the value of p there. */
typedef struct {
    const char *script;
    const char *prints;
    bool bash_only;
} script_case;

static const script_case scripts[] = {
    {"printf %s {{ p }}", "<p>", 0},
    {"printf '%s|' {{ p }} {{ p }}", "<p>|<p>|", 0},
    {"printf %s \"<{{ p }}>\"", "<<p>>", 0},
    {"printf %s \"{{ p }}1\"", "<p>1", 0},
    {"printf %s a{{ p }}b", "a<p>b", 0},
    {"printf %s {{ p }}{{ p }}", "<p><p>", 0},
    {"printf %s \"$(printf %sx {{ p }})\"", "<p>x", 0},
    {"printf %s \"$(printf %sx \"{{ p }}\")\"", "<p>x", 0},
    {"printf %s \"$( (printf %sx {{ p }}) )\"", "<p>x", 0},
    {"printf %s \"$(printf '%s' ')'; printf %sx {{ p }})\"", ")<p>x", 0},
    {"printf %s \"$(case y in x) echo a;; y) printf %sx {{ p }};; esac)\"", "<p>x", 0},
    {"printf %s \"$(case y in (x) echo a;; (y) printf %sx {{ p }};; esac)\"", "<p>x", 0},
    {"printf %s \"$(case y in x) case b in b) ;; esac;; y) printf %sx \"{{ p }}\"; esac)\"", "<p>x", 0},
    {"printf %s \"$(if true; then case y in y) printf %sx {{ p }};; esac; fi)\"", "<p>x", 0},
    {"printf %s \"$(printf %s case; printf %sx {{ p }})\"", "case<p>x", 0},
    {"case {{ p }} in nothing) ;; *) printf %s {{ p }} ;; esac", "<p>", 0},
    {"case a in {{ p }}) ;; *) printf %s {{ p }} ;; esac", "<p>", 0},
    {"cat <<EOF\n[{{ p }}]\nEOF\nprintf %s {{ p }}", "[<p>]\n<p>", 0},
    {"cat <<-EOF\n\t[{{ p }}]\n\tEOF\nprintf %s {{ p }}", "[<p>]\n<p>", 0},
    {"cat <<E\n$(printf %sx {{ p }})\nE\nprintf %s {{ p }}", "<p>x\n<p>", 0},
    {"cat <<E\n\"{{ p }}\" 'it' $(printf \"%s\" \"it's\")\nE\nprintf %s {{ p }}", "\"<p>\" 'it' it's\n<p>",
     0},
    {"cat <<'E'\nit's $(not $x `run\nE\nprintf %s {{ p }}", "it's $(not $x `run\n<p>", 0},
    {"cat <<\\E\nit's\nE\nprintf %s {{ p }}", "it's\n<p>", 0},
    {"cat <<A; cat <<'B'\n{{ p }}\nA\n'lit\nB\nprintf %s {{ p }}", "<p>\n'lit\n<p>", 0},
    {"printf %s \"$(cat <<E\n{{ p }}x\nE\n)\"", "<p>x", 0},
    {"x=$(cat <<E\nit's\nE\n)\nprintf %s \"$x\"{{ p }}", "it's<p>", 0},
    {"# it's a comment \" ` $(\nprintf %s {{ p }}", "<p>", 0},
    {"printf a # {{ p }}\nprintf %s {{ p }}", "a<p>", 0},
    {"printf %s a#b'c'{{ p }}", "a#bc<p>", 0},
    {"x=$(# it's\nprintf a)\nprintf %s \"$x\"{{ p }}", "a<p>", 0},
    {"printf '%s' {{ p }}", "<p>", 0},
    {"printf \\%s {{ p }}", "<p>", 0},
    {"printf \"\\\"%s\\\"\" {{ p }}", "\"<p>\"", 0},
    {"printf %s \"\\${{ n }}\" {{ p }}", "$7<p>", 0},
    {"printf %s '$'{{ p }}", "$<p>", 0},
    {"printf '`'; printf %s {{ p }}", "`<p>", 0},
    {"printf %s $#{{ p }}", "0<p>", 0},
    {": \"${x:-'}'}\"; printf %s {{ p }}", "<p>", 0},
    {"x=; printf %s ${x:-'}'}{{ p }}", "}<p>", 0},
    {"x=a.tmp; printf %s \"${x%.tmp}\"{{ p }}", "a<p>", 0},
    {"x=\"a'b\"; printf %s \"${x#\"a'\"}\"{{ p }}", "b<p>", 0},
    {"v={{ p }}; printf %s \"$v\"", "<p>", 0},
    {"v=a{{ p }}'b'; printf %s \"$v\"", "a<p>b", 0},
    {"f() { printf %s \"$1\"; }\nf {{ p }}", "<p>", 0},
    {"f() ( printf %s \"$1\" )\nf {{ p }}", "<p>", 0},
    {"( printf %s {{ p }} )", "<p>", 0},
    {"{ printf %s {{ p }}; }", "<p>", 0},
    {"printf %s {{ p }} | cat", "<p>", 0},
    {"printf %s {{ p }} 2>&1 && printf y", "<p>y", 0},
    {"printf %s \\\n  {{ p }}", "<p>", 0},
    {"[ {{ p }} = {{ p }} ] && printf %s ok", "ok", 0},
    {"for x in {{ p }}; do printf %s \"$x\"; done", "<p>", 0},
    {"if true; then printf %s {{ p }}; else :; fi", "<p>", 0},
    {"while read -r x; do :; done </dev/null\nprintf %s {{ p }}", "<p>", 0},
    {"sh -c 'printf %s \"$1\"' sh {{ p }}", "<p>", 0},
    {"env A=1 sh -c 'printf %s \"$1\"' sh {{ p }}", "<p>", 0},
    {"printf %s $(( {{ n }} + 1 )){{ p }}", "8<p>", 0},
    {"printf %s $(( (1 + {{ n }}) * (2 - (1)) )){{ p }}", "8<p>", 0},
    {"printf %s \"$((1 << {{ n }}))\"{{ p }}", "128<p>", 0},
    {"printf %s {{ c }}{{ p }}", "it's \"$x\" `y` \\<p>", 0},
    {"printf %s \"{{ c }}\"{{ p }}", "it's \"$x\" `y` \\<p>", 0},
    {"printf %s '{{ c }}'{{ p }}", "it's \"$x\" `y` \\<p>", 0},
    {"cat <<EOF\n{{ c }}\nEOF\nprintf %s {{ p }}", "it's \"$x\" `y` \\\n<p>", 0},
    {"cat <<'EOF'\n{{ c }}\nEOF\nprintf %s {{ p }}", "it's \"$x\" `y` \\\n<p>", 0},
    {"cat <<EOF\n{{ lines }}\nEOF\nprintf %s {{ p }}", "a\nEOF\nprintf PWNED\n<p>", 0},
    {"printf %s '{{ lines }}' # {{ lines }}\nprintf %s {{ p }}", "a\nEOF\nprintf PWNED<p>", 0},
    {"{{ raw(\"printf '%s'\") }} {{ p }}", "<p>", 0},
    {"printf %s {{ raw(\"'a'\") }}\"{{ p }}\"", "a<p>", 0},
    {"printf %s $'it\\'s'{{ p }}", "it's<p>", 1},
    {"cat <<< {{ p }}", "<p>\n", 1},
    {"cat <(printf %s {{ p }})", "<p>", 1},
    {"a=(x {{ p }}); printf %s \"${a[1]}\"", "<p>", 1},
    {"[[ {{ p }} == {{ p }} ]] && printf %s ok", "ok", 1},
    {"if (( {{ n }} > 3 )); then printf %s {{ p }}; fi", "<p>", 1},
    {"for ((i = 0; i < {{ n }}; i++)); do printf %s \"$i\"; done; printf %s {{ p }}", "0123456<p>", 1},
};

static test_compiled *given_script(const char *script)
{
    ax_buf text = AX_BUF_INIT(1 << 16);
    ax_buf_adds(&text, "let c = \"it's \\\"$x\\\" `y` \\\\\"\n"
                       "let lines = \"a\\nEOF\\nprintf PWNED\"\n"
                       "workflow w {\n  param p : string = \"\"\n  param n : int = 7\n"
                       "  task use { exec = [p, n, c, lines]  timeout = 1m }\n"
                       "  task t {\n    timeout = 1m\n    run = \"\"\"\n");
    ax_buf_adds(&text, script);
    ax_buf_adds(&text, "\n\"\"\"\n  }\n}\n");
    test_compiled *c = given_text(ax_buf_str(&text));
    ax_buf_free(&text);
    return c;
}

/* The environment of a script as the runtime would make it. */
static char **environment(ax_arena *mem, const ax_def *def, const char *p)
{
    ax_value params[] = {{.kind = AX_T_STRING, .u.s = ax_str_of(p)}, {.kind = AX_T_INT, .u.i = 7}};
    ax_scope scope = {.params = params};
    char **env = AX_NEW_N(mem, char *, def->bind_count + 2);
    env[0] = ax_str_c(mem, ax_str_fmt(mem, "PATH=%s", getenv("PATH")));
    for (uint32_t i = 0; i < def->bind_count; i++) {
        ax_str text;
        assert_int_equal(ax_expr_text(def->binds[i].value, &scope, mem, &text, NULL), AX_OK);
        env[i + 1] = ax_str_c(mem, ax_str_fmt(mem, "%.*s=%.*s", AX_STR(def->binds[i].name), AX_STR(text)));
    }
    return env;
}

/* What a shell prints that runs the script. */
static ax_str output_of(ax_arena *mem, const char *const *shell, const ax_def *def, const char *p)
{
    const char *argv[8] = {0};
    int ends[2], status, count = 0;
    for (; shell[count]; count++) argv[count] = shell[count];
    argv[count] = ax_str_c(mem, def->script);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    pid_t pid;
    assert_int_equal(
        posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environment(mem, def, p)), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char *out = ax_arena_alloc(mem, OUTPUT_MAX);
    size_t len = 0;
    for (ssize_t n; (n = read(ends[0], out + len, OUTPUT_MAX - len)) > 0;) len += (size_t)n;
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (status != 0) print_error("exit status %d of:\n%s\n", status, argv[count]);
    assert_int_equal(status, 0);
    return (ax_str){out, len};
}

/* The expected output with the value put in. */
static ax_str expected(ax_arena *mem, const char *prints, const char *p)
{
    ax_str out = {0};
    while (*prints) {
        const char *mark = strstr(prints, "<p>");
        size_t len = mark ? (size_t)(mark - prints) : strlen(prints);
        out = ax_str_fmt(mem, "%.*s%.*s%s", AX_STR(out), (int)len, prints, mark ? p : "");
        prints += len + (mark ? 3 : 0);
    }
    return out;
}

/* Runs a script with every value, or with the worst one and every fifth of the others. */
static void check_script(const script_case *s, const char *const *shell, bool all)
{
    test_compiled *c = given_script(s->script);
    if (c->diags.errors) then_codes(c, "");
    const ax_def *def = def_named(c, "t");
    for (size_t v = 0; v < COUNT(hostile); v++) {
        if (!all && v != 1 && (v + (size_t)(s - scripts)) % 5 != 0) continue;
        ax_arena mem = AX_ARENA_INIT;
        ax_str got = output_of(&mem, shell, def, hostile[v]), want = expected(&mem, s->prints, hostile[v]);
        if (!ax_str_eq(got, want))
            print_error("%s, with %s:\n%.*s\n%s\n", shell[0], hostile[v], AX_STR(def->script), s->script);
        assert_str(got, ax_str_c(&mem, want));
        ax_arena_free(&mem);
    }
    end_file(c);
}

static void values_arrive_byte_for_byte_in_sh(void **state)
{
    (void)state;
    static const char *const shell[] = {"sh", "-eu", "-c", NULL};
    for (size_t i = 0; i < COUNT(scripts); i++)
        if (!scripts[i].bash_only) check_script(&scripts[i], shell, i < 8);
}

static void values_arrive_byte_for_byte_in_bash(void **state)
{
    (void)state;
    static const char *const shell[] = {"bash", "-euo", "pipefail", "-c", NULL};
    for (size_t i = 0; i < COUNT(scripts); i++) check_script(&scripts[i], shell, i < 8);
}

static void nothing_was_executed(void **state)
{
    (void)state;
    assert_int_not_equal(access("PWNED", F_OK), 0);
}

/* A script that must be refused, and the code. */
static const struct {
    const char *script, *code;
} refused[] = {
    {"echo '{{ p }}'", "E0501"},
    {"echo \"$(echo '{{ p }}')\"", "E0501"},
    {"echo $'{{ p }}'", "E0501"},
    {"sh -c 'echo {{ p }}'", "E0501"},
    {"cat <<'EOF'\n{{ p }}\nEOF", "E0502"},
    {"cat <<\"EOF\"\n{{ p }}\nEOF", "E0502"},
    {"cat <<\\EOF\n{{ p }}\nEOF", "E0502"},
    {"cat <<E'O'F\n{{ p }}\nEOF", "E0502"},
    {"cat <<-'EOF'\n\t{{ p }}\n\tEOF", "E0502"},
    {"cat <<'EOF'\n{{ lines }}\nEOF", "E0502"},
    {"cat <<{{ p }}\nx\nEOF", "E0503"},
    {"cat <<-{{ p }}\nx\nEOF", "E0503"},
    {"echo $(( {{ p }} + 1 ))", "E0503"},
    {"echo $(( \"{{ p }}\" + 1 ))", "E0503"},
    {"echo \"$(( {{ p }} ))\"", "E0503"},
    {"(( {{ p }} > 3 ))", "E0503"},
    {"for ((i = 0; i < {{ p }}; i++)); do :; done", "E0503"},
    {"x=1; echo ${x:-{{ p }}}", "E0503"},
    {"x=1; echo ${x:-\"{{ p }}\"}", "E0503"},
    {"x=1; echo \"${x%{{ p }}}\"", "E0503"},
    {"x=1; echo \"${x:-$(echo {{ p }})}\"", "E0503"},
    {"echo ${{ p }}", "E0503"},
    {"echo \"${{ p }}\"", "E0503"},
    {"cat <<EOF\n${{ p }}\nEOF", "E0503"},
    {"echo `echo {{ p }}`", "E0503"},
    {"echo \"`echo {{ p }}`\"", "E0503"},
    {"echo `echo \"{{ p }}\"`", "E0503"},
    {"cat <<EOF\n`echo {{ p }}`\nEOF", "E0503"},
    {"echo {{ raw(p) }}", "E0504"},
    {"echo {{ raw(date) }}", "E0504"},
    {"echo {{ raw(\"a\", \"b\") }}", "E0304"},
    {"echo {{ raw(\"'\") }}{{ p }}'", "E0501"},
};

static void a_place_where_a_value_would_not_be_itself_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        test_compiled *c = given_script(refused[i].script);
        if (c->diags.errors != 1) print_error("of: %s\n", refused[i].script);
        then_codes(c, refused[i].code);
        end_file(c);
    }
}

/* Scripts with a value in the text of another shell (true) or beside it (false). */
static const struct {
    const char *script;
    bool warns;
} inner[] = {
    {"eval \"echo {{ p }}\"", true},
    {"eval echo {{ p }}", true},
    {"x=1 eval echo {{ p }}", true},
    {"if true; then eval {{ p }}; fi", true},
    {"sh -c \"echo {{ p }}\"", true},
    {"bash -euc \"echo {{ p }}\"", true},
    {"/bin/sh -c {{ p }}", true},
    {"sudo -u me sh -c \"{{ p }}\"", true},
    {"env A=1 bash -o pipefail -c \"{{ p }}\"", true},
    {"x=$(sh -c \"echo {{ p }}\")", true},
    {"ssh host \"ls {{ p }}\"", true},
    {"ssh host ls {{ p }}", true},
    {"ssh host <<EOF\nrm {{ p }}\nEOF", true},
    {"sh <<EOF\necho {{ p }}\nEOF", true},
    {"bash -s -- arg <<EOF\necho {{ p }}\nEOF", true},
    {"cat <<A <<EOF | ssh -T host\na\nA\nrm {{ p }}\nEOF", true},
    {"ssh host psql <<EOF\n{{ p }}\nEOF", false},
    {"sh script.sh <<EOF\n{{ p }}\nEOF", false},
    {"cat <<EOF\n{{ p }}\nEOF\nsh other.sh", false},
    {"ssh {{ p }} ls", false},
    {"sh -c 'echo \"$1\"' sh {{ p }}", false},
    {"sh script.sh {{ p }}", false},
    {"echo eval {{ p }}", false},
    {"eval \"echo x\"; echo {{ p }}", false},
    {"sh -c 'true' && echo {{ p }}", false},
    {"eval \"echo {{ c }}\"", false},
    {"grep -c {{ p }} file", false},
};

static void a_value_in_text_for_another_shell_is_a_warning(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(inner); i++) {
        test_compiled *c = given_script(inner[i].script);
        if (c->diags.warnings != inner[i].warns || c->diags.errors) print_error("of: %s\n", inner[i].script);
        then_codes(c, inner[i].warns ? "W0605" : "");
        end_file(c);
    }
}

static void one_expression_has_one_variable(void **state)
{
    (void)state;
    test_compiled *c = given_script("echo {{ p }} \"{{ p }}\" {{ n }} {{ p }}");
    const ax_def *def = def_named(c, "t");
    assert_int_equal(def->bind_count, 2);
    assert_str(def->script, "echo \"$AX_V1\" \"${AX_V1}\" \"$AX_V2\" \"$AX_V1\"");
    end_file(c);
}

static void a_backslash_before_a_value_is_refused(void **state)
{
    (void)state;
    test_compiled *c = given_flow("param p : string = \"\"\ntask t { run = \"echo \\\\{{ p }}\" }");
    then_codes(c, "E0503");
    end_file(c);
}

static void a_script_for_another_program_takes_only_constants(void **state)
{
    (void)state;
    test_compiled *c =
        given_flow("let n = 3\ntask t { shell = [\"python3\", \"-c\"] run = \"print({{ n }})\" }");
    then_codes(c, "");
    assert_str(def_named(c, "t")->script, "print(3)");
    end_file(c);
    c = given_flow("task t { shell = [\"/usr/bin/python3\", \"-c\"] run = \"print('{{ date }}')\" }");
    then_codes(c, "E0506");
    end_file(c);
    c = given_flow("task t { shell = [\"/bin/bash\", \"-c\"] run = \"echo {{ date }}\" }");
    then_codes(c, "");
    end_file(c);
}

static void a_let_may_be_the_whole_script(void **state)
{
    (void)state;
    test_compiled *c = given_flow("let s = \"echo 'x'\"\ntask t { run = s }");
    then_codes(c, "");
    assert_str(def_named(c, "t")->script, "echo 'x'");
    end_file(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_arrive_byte_for_byte_in_sh),
    cmocka_unit_test(values_arrive_byte_for_byte_in_bash),
    cmocka_unit_test(nothing_was_executed),
    cmocka_unit_test(a_place_where_a_value_would_not_be_itself_is_refused),
    cmocka_unit_test(a_value_in_text_for_another_shell_is_a_warning),
    cmocka_unit_test(one_expression_has_one_variable),
    cmocka_unit_test(a_backslash_before_a_value_is_refused),
    cmocka_unit_test(a_script_for_another_program_takes_only_constants),
    cmocka_unit_test(a_let_may_be_the_whole_script),
};
RUN_TESTS(tests)
