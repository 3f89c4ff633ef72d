/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escaping for Markdown; see markdown.h. */
#include "report/words/markdown.h"

#include "sim/base/escape.h"

void markdown_text(struct out *out, const char *text)
{
    escape_markdown(out, text);
}

void markdown_cell(struct out *out, const char *text)
{
    markdown_text(out, text);
    out_text(out, " | ");
}
