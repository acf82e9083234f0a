/* source_link.c - where on the web, or on a disk, a line of source is. */
#include "compiler/picture/source_link_int.h"

#include <string.h>

#include "dsl/base/buf.h"

#define LINK_BYTES_MAX ((size_t)64 << 10)

/* As part of a URL: what is not plain there as %XX; a path keeps its slashes. */
static void add_encoded(ax_buf *out, ax_str s)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     (c && strchr("-._~/", c));
        if (plain) {
            ax_buf_addc(out, (char)c);
            continue;
        }
        ax_buf_addc(out, '%');
        ax_buf_addc(out, hex[c >> 4]);
        ax_buf_addc(out, hex[c & 15]);
    }
}

ax_str ax_source_link(ax_arena *mem, ax_str template, ax_str file, uint32_t line, ax_str name)
{
    ax_buf out = AX_BUF_INIT(LINK_BYTES_MAX);
    size_t at = 0;
    while (at < template.len) {
        ax_str rest = ax_str_slice(template, at, template.len);
        size_t known = 6;
        if (ax_str_starts(rest, AX_LIT("{file}"))) add_encoded(&out, file);
        else if (ax_str_starts(rest, AX_LIT("{name}"))) add_encoded(&out, name);
        else if (ax_str_starts(rest, AX_LIT("{line}"))) ax_buf_addi(&out, line);
        else known = 0;
        if (!known) ax_buf_addc(&out, rest.ptr[0]);
        at += known ? known : 1;
    }
    ax_str link = out.full ? (ax_str){0} : ax_str_dup(mem, ax_buf_str(&out));
    ax_buf_free(&out);
    return link;
}
