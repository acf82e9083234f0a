/* embed.h - texts of the source tree that are built into the programs: SQL statements, pages of diagnostics.
 *
 * tools/dev/embed.sh writes the tables at build time; a name is the file's without its folder ("E0203.md").
 */
#ifndef AX_BASE_EMBED_H
#define AX_BASE_EMBED_H

#include <stddef.h>

typedef struct {
    const char *name;
    const char *text;
} ax_embed_file;

typedef struct {
    const ax_embed_file *files; /* in byte order of their names */
    size_t count;
} ax_embed;

extern const ax_embed ax_embed_errors; /* docs/errors: one page for each diagnostic */
extern const ax_embed ax_embed_sql;    /* runtime/store/sql: schema and statements */

/* The text of the file of that name, or NULL. */
const char *ax_embed_text(const ax_embed *set, const char *name);

#endif
