/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kind of output by its name; see page_output.h. */
#include "sim/program/page_output.h"

#include <stddef.h>
#include <string.h>

/* Files that somebody may expect; "v1.2" and "out.d" are directories. */
static const char *const unknown[] = {".htm", ".pdf", ".txt", ".csv",  ".json",
                                      ".xml", ".svg", ".png", ".xlsx", ".docx"};

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
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (strcmp(dot, unknown[i]) == 0)
            return PAGE_UNKNOWN;
    return PAGE_FOLDER;
}
