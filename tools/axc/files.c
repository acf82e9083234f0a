/* files.c - from operands to the list of workflow files.
 *
 * Folders are walked with a list of their own, not by recursion. Links to folders are not followed.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/axc/axc.h"

#define SUFFIX AX_LIT(".axf")

typedef struct {
    ax_cli *cli;
    ax_files *files;
    AX_VEC(const char *) folders; /* still to be read */
} walk;

static int path_cmp(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static const char *join(ax_arena *mem, const char *folder, const char *name)
{
    size_t len = strlen(folder);
    if (strcmp(folder, ".") == 0) return ax_str_fmt(mem, "%s", name).ptr;
    return ax_str_fmt(mem, "%s%s%s", folder, len && folder[len - 1] == '/' ? "" : "/", name).ptr;
}

static void add_entry(walk *w, const char *folder, const char *name)
{
    struct stat st;
    if (name[0] == '.') return;
    const char *path = join(&w->cli->mem, folder, name);
    if (lstat(path, &st)) return; /* it went away */
    if (S_ISDIR(st.st_mode)) {
        ax_vec_push(&w->cli->mem, &w->folders, path);
        return;
    }
    /* A broken link with a workflow's name is kept, so that reading it says so. */
    bool is_link_to_folder = S_ISLNK(st.st_mode) && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    bool is_file = S_ISREG(st.st_mode) || S_ISLNK(st.st_mode);
    if (is_file && !is_link_to_folder && ax_str_ends(ax_str_of(name), SUFFIX)) {
        ax_vec_push(&w->cli->mem, &w->files->paths, path);
    }
}

static void read_folder(walk *w, const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir) {
        ax_err err = {0};
        ax_fail_errno(&err, "can't read the folder '%s'", folder);
        ax_cli_show(w->cli, &err);
        w->files->unreadable++;
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));) add_entry(w, folder, entry->d_name);
    closedir(dir);
}

static void walk_folder(walk *w, const char *folder)
{
    uint32_t first = w->files->paths.len;
    ax_vec_push(&w->cli->mem, &w->folders, folder);
    while (w->folders.len) read_folder(w, w->folders.at[--w->folders.len]);
    uint32_t found = w->files->paths.len - first;
    if (found) qsort(w->files->paths.at + first, found, sizeof *w->files->paths.at, path_cmp);
}

ax_rc ax_files_find(ax_cli *cli, const ax_strings *operands, ax_files *files, ax_err *err)
{
    static const char *const here[] = {"."};
    const ax_strings list = operands->count ? *operands : (ax_strings){.at = here, .count = 1};
    walk w = {.cli = cli, .files = files};
    for (uint32_t i = 0; i < list.count; i++) {
        struct stat st;
        bool is_folder = strcmp(list.at[i], "-") != 0 && stat(list.at[i], &st) == 0 && S_ISDIR(st.st_mode);
        if (is_folder) walk_folder(&w, list.at[i]);
        else ax_vec_push(&cli->mem, &files->paths, list.at[i]);
    }
    if (files->paths.len || files->unreadable) return AX_OK;
    return ax_fail(err, AX_NOT_FOUND, "there is no workflow file (*.axf) in '%s'", list.at[0]);
}
