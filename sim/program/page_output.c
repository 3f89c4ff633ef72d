/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kind of output by its name; see page_output.h. */
#include "sim/program/page_output.h"

#include <stddef.h>
#include <string.h>

#define LONGEST 5 /* letters of an extension; "v1.2" is a directory */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

enum page_output page_output_of(const char *path)
{
    if (path == NULL)
        return PAGE_NONE;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name)
        return PAGE_FOLDER;
    if (strcmp(dot, ".html") == 0)
        return PAGE_HTML;
    if (strcmp(dot, ".md") == 0)
        return PAGE_MARKDOWN;
    size_t n = strlen(dot + 1);
    return n > 0 && n <= LONGEST && strspn(dot + 1, letters) == n ? PAGE_UNKNOWN : PAGE_FOLDER;
}
