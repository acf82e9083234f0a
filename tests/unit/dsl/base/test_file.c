/* test_file.c - bounded reads; writes that are whole, keep mode bits and follow links. */
#include "tests/lib/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dsl/base/file.h"

static ax_err err;

/* Every test works in a new, empty folder. */
static int enter_folder(void **state)
{
    const char *tmp = getenv("TMPDIR");
    ax_arena mem = AX_ARENA_INIT;
    char *path = ax_str_c(&mem, ax_str_fmt(&mem, "%s/ax-file-XXXXXX", tmp ? tmp : "/tmp"));
    bool is_ready = mkdtemp(path) && chdir(path) == 0;
    *state = is_ready ? strdup(path) : NULL;
    ax_arena_free(&mem);
    return is_ready ? 0 : -1;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(".");
    if (!folder) return -1;
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        if (e->d_name[0] != '.') remove(e->d_name);
    }
    closedir(folder);
    int rc = rmdir(*state);
    free(*state);
    return rc;
}

static size_t count_files(void)
{
    size_t count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder)) != NULL;) count += e->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void assert_content(const char *path, const char *want)
{
    ax_buf text = AX_BUF_INIT(1 << 20);
    assert_int_equal(ax_file_read(path, &text, &err), AX_OK);
    assert_str(ax_buf_str(&text), want);
    ax_buf_free(&text);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    assert_int_equal(ax_file_write("a", AX_LIT("one\n"), &err), AX_OK);
    assert_content("a", "one\n");
    assert_int_equal(ax_file_write("a", AX_LIT(""), &err), AX_OK);
    assert_content("a", "");
    assert_int_equal(count_files(), 1);
}

static void reading_appends_to_the_buffer(void **state)
{
    (void)state;
    ax_file_write("a", AX_LIT("two"), &err);
    ax_buf text = AX_BUF_INIT(100);
    ax_buf_adds(&text, "one ");
    assert_int_equal(ax_file_read("a", &text, &err), AX_OK);
    assert_string_equal(text.ptr, "one two");
    ax_buf_free(&text);
}

static void a_file_of_exactly_the_maximum_is_read_and_one_byte_more_is_not(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(4);
    ax_file_write("a", AX_LIT("1234"), &err);
    assert_int_equal(ax_file_read("a", &text, &err), AX_OK);
    assert_int_equal(text.len, 4);
    ax_buf_clear(&text);
    ax_file_write("a", AX_LIT("12345"), &err);
    assert_int_equal(ax_file_read("a", &text, &err), AX_INVALID);
    assert_string_equal(err.text, "a is larger than 4 bytes");
    ax_buf_free(&text);
}

static void large_files_are_read_whole(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(1 << 20);
    for (int i = 0; i < 100000; i++) ax_buf_addf(&text, "%d\n", i);
    assert_int_equal(ax_file_write("a", ax_buf_str(&text), &err), AX_OK);
    ax_buf back = AX_BUF_INIT(1 << 20);
    assert_int_equal(ax_file_read("a", &back, &err), AX_OK);
    assert_true(ax_str_eq(ax_buf_str(&back), ax_buf_str(&text)));
    ax_buf_free(&text);
    ax_buf_free(&back);
}

static void missing_files_and_folders_are_told_apart(void **state)
{
    (void)state;
    ax_buf text = AX_BUF_INIT(100);
    assert_int_equal(ax_file_read("no/such", &text, &err), AX_NOT_FOUND);
    assert_string_equal(err.text, "cannot open no/such: No such file or directory");
    assert_int_equal(ax_file_read(".", &text, &err), AX_INVALID);
    assert_string_equal(err.text, ". is a directory");
    assert_int_equal(ax_file_write(".", AX_LIT("x"), &err), AX_INVALID);
    assert_int_equal(ax_file_write("no/such", AX_LIT("x"), &err), AX_NOT_FOUND);
    ax_buf_free(&text);
}

static void replacing_keeps_the_mode_bits(void **state)
{
    (void)state;
    ax_file_write("a", AX_LIT("1"), &err);
    assert_int_equal(chmod("a", 0751), 0);
    assert_int_equal(ax_file_write("a", AX_LIT("2"), &err), AX_OK);
    struct stat st;
    assert_int_equal(stat("a", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0751);
    assert_content("a", "2");
}

static void a_new_file_obeys_the_umask(void **state)
{
    (void)state;
    mode_t old = umask(027);
    assert_int_equal(ax_file_write("a", AX_LIT("1"), &err), AX_OK);
    umask(old);
    struct stat st;
    assert_int_equal(stat("a", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void a_link_stays_and_its_target_is_replaced(void **state)
{
    (void)state;
    ax_file_write("real", AX_LIT("1"), &err);
    assert_int_equal(symlink("real", "link"), 0);
    assert_int_equal(ax_file_write("link", AX_LIT("2"), &err), AX_OK);
    struct stat st;
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_content("real", "2");
}

static void a_pipe_is_written_and_not_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int fd = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(ax_file_write("pipe", AX_LIT("data"), &err), AX_OK);
    char got[8] = {0};
    assert_int_equal(read(fd, got, sizeof got), 4);
    assert_string_equal(got, "data");
    close(fd);
}

static void an_open_reader_sees_the_old_text_to_its_end(void **state)
{
    (void)state;
    ax_file_write("a", AX_LIT("old"), &err);
    int fd = open("a", O_RDONLY);
    ax_file_write("a", AX_LIT("brand new"), &err);
    char got[16] = {0};
    assert_int_equal(read(fd, got, sizeof got), 3);
    assert_string_equal(got, "old");
    close(fd);
}

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    assert_int_equal(ax_dir_make("p/q/r", &err), AX_OK);
    assert_int_equal(ax_dir_make("p/q/r/", &err), AX_OK);
    assert_int_equal(rmdir("p/q/r") | rmdir("p/q") | rmdir("p"), 0);
    assert_int_equal(ax_dir_make("", &err), AX_INVALID);
    ax_file_write("a", AX_LIT("1"), &err);
    assert_int_equal(ax_dir_make("a", &err), AX_INVALID);
    assert_int_equal(ax_dir_make("a/b", &err), AX_IO);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

static const struct CMUnitTest tests[] = {
    IN_FOLDER(what_is_written_is_read),
    IN_FOLDER(reading_appends_to_the_buffer),
    IN_FOLDER(a_file_of_exactly_the_maximum_is_read_and_one_byte_more_is_not),
    IN_FOLDER(large_files_are_read_whole),
    IN_FOLDER(missing_files_and_folders_are_told_apart),
    IN_FOLDER(replacing_keeps_the_mode_bits),
    IN_FOLDER(a_new_file_obeys_the_umask),
    IN_FOLDER(a_link_stays_and_its_target_is_replaced),
    IN_FOLDER(a_pipe_is_written_and_not_replaced),
    IN_FOLDER(an_open_reader_sees_the_old_text_to_its_end),
    IN_FOLDER(folders_are_made_with_their_parents),
};

RUN_TESTS(tests)
