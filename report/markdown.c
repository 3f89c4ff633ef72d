/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escaping for Markdown; see markdown.h. */
#include "report/markdown.h"

#include "report/units.h"

#include <stdlib.h>
#include <string.h>

void markdown_text(struct out *out, const char *text)
{
    char *safe = unit_name(text, 0);
    for (const char *p = safe; *p; p++) {
        if (strchr("\\`*_|<>[]#&~!", *p))
            out_char(out, '\\');
        out_char(out, *p);
    }
    free(safe);
}

void markdown_cell(struct out *out, const char *text)
{
    markdown_text(out, text);
    out_text(out, " | ");
}
