/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and links of the page, escaped whatever names a run contains. */
#include "report/page/html.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void html_text(struct out *out, const char *text)
{
    escape_markup(out, text);
}

void html_link(const struct page *page, const char *prefix, const char *name, const char *label)
{
    out_text(page->out, "<a href=\"");
    escape_url(page->out, page->base);
    escape_url(page->out, prefix);
    escape_url(page->out, name);
    out_text(page->out, "\">");
    html_text(page->out, label);
    out_text(page->out, "</a>");
}

/* Returns the relative path: "../c/d/" from "/a/b" to "/a/c/d". */
static char *way_between(const char *from, const char *to)
{
    size_t shared = 0, i = 0;
    for (; from[i] && from[i] == to[i]; i++)
        if (from[i] == '/')
            shared = i + 1;
    if ((from[i] == '\0' || from[i] == '/') && (to[i] == '\0' || to[i] == '/'))
        shared = i + (from[i] == '/' || to[i] == '/');
    struct out *way = out_memory();
    const char *up = strlen(from) > shared ? from + shared : "";
    if (*up)
        out_text(way, "../");
    for (; *up; up++)
        if (*up == '/')
            out_text(way, "../");
    if (strlen(to) > shared)
        out_format(way, "%s/", to + shared);
    return out_memory_take(way);
}

/* Returns NULL if it is unknown; paths are then taken as starting at "/". */
static char *working_folder(void)
{
    char *folder = NULL;
    for (size_t size = 256; size <= (size_t)1 << 20; size *= 2) {
        folder = mem_resize(folder, size, 1);
        if (getcwd(folder, size))
            return folder;
        if (errno != ERANGE)
            break;
    }
    free(folder);
    return NULL;
}

/*
 * Returns an absolute path without ".", ".." and doubled slashes, by text alone: links are not
 * resolved. No slash at the end, except for "/" itself.
 */
static char *absolute(const char *path)
{
    char *folder = *path == '/' ? NULL : working_folder();
    struct out *out = out_memory();
    out_format(out, "%s/%s/", folder ? folder : "", path);
    free(folder);
    char *whole = out_memory_take(out);
    size_t used = 0;
    for (const char *p = whole; *p;) {
        p += strspn(p, "/");
        size_t n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.') {
            while (used > 0 && whole[--used] != '/')
                continue;
        } else if (n > 0 && !(n == 1 && *p == '.')) {
            whole[used++] = '/';
            memmove(whole + used, p, n);
            used += n;
        }
        p += n;
    }
    if (used == 0)
        whole[used++] = '/';
    whole[used] = '\0';
    return whole;
}

char *html_base(const char *dir, const char *html_path)
{
    const char *slash = strrchr(html_path, '/');
    char *folder = !slash               ? mem_text(".")
                   : slash == html_path ? mem_text("/")
                                        : mem_text_n(html_path, (size_t)(slash - html_path));
    char *from = absolute(folder), *to = absolute(dir);
    char *way = way_between(from, to);
    free(folder);
    free(from);
    free(to);
    return way;
}
